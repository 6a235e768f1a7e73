package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"cruel/account"
	"cruel/api"
	"cruel/challenge"
	"cruel/db"
	"cruel/race"
	"cruel/web"
)

const (
	// A stop lets requests in flight finish for so long; the rest of the ten seconds is for the database.
	stopAfter = 9 * time.Second

	rollUpEvery   = 2 * time.Second
	loadKeysEvery = 5 * time.Minute
	solveEvery    = 2 * time.Second // looks for work

	failedEvery        = 5 * time.Second // what fails is done at most so often
	meetDeadlinesEvery = 100 * time.Millisecond
	setClockEvery      = time.Minute
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Start the server",
		Long: `Start the server. Without any setting it listens on :8080 and keeps everything,
its signing key and the secret of the dailies included, in the SQLite file
./cruel.db, which it makes at the first start. With a Postgres (15 or newer) any
number of servers can share one database. An older database is brought up to
date.

SIGTERM or SIGINT stops it: it takes no new requests, finishes those in flight
within 10 seconds, and ends. A second signal ends it at once.

The rate limits count the address of the connection. Where a proxy stands in
front, name its network with --trusted-proxies, or all clients share the limits
of one address: then the right-most hop of X-Forwarded-For that is no trusted
proxy counts. CRUEL_RATE_LIMITS=off turns the limits off, for tests and
benchmarks.

In the background, at a low priority, it chooses the deals of the days to
come, publishes a hash of their seeds, and proves in how few moves deals can be
won. With --prepare-days 0 it does none of this, and today's deal is chosen when
it is first asked for. Several servers on one database share the work.

Exit codes: 0 stopped by a signal; 1 it couldn't start or go on; 2 a bad
setting, and nothing was opened or made.`,
		Example: `  cruel serve
  cruel serve --listen 127.0.0.1:9000 --database /var/lib/cruel/cruel.db
  cruel serve --database postgres://cruel@db.example.org/cruel --trusted-proxies 10.0.0.0/8
  cruel serve --prepare-days 14 --solver-memory 1GiB
  CRUEL_LISTEN=:80 CRUEL_DATABASE=postgres://cruel@db/cruel PGPASSWORD=… cruel serve`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var cfg serveConfig
			if err := load(cmd, &cfg); err != nil {
				return err
			}
			return serve(cmd.Context(), cfg, cmd.ErrOrStderr())
		},
	}
	addListenFlag(cmd.Flags())
	addDatabaseFlag(cmd.Flags())
	cmd.Flags().StringSlice("trusted-proxies", nil, "the `NETWORKS` of the proxies in front, with commas between them (CRUEL_TRUSTED_PROXIES)")
	cmd.Flags().String("prepare-days", "7", "prepare the dailies of today and so many `DAYS` more; 0 turns the solver off (CRUEL_PREPARE_DAYS)")
	cmd.Flags().String("solver-memory", "256MiB", "how much solving a deal may keep at most, a `SIZE` in KiB, MiB or GiB (CRUEL_SOLVER_MEMORY)")
	return cmd
}

// serve runs the server until a signal, and writes to out what it did and its log. It listens before it
// opens the database, so that a second server that is started by mistake does nothing to it.
func serve(ctx context.Context, cfg serveConfig, out io.Writer) error {
	log := slog.New(slog.NewTextHandler(out, nil))
	ctx, stopListening := signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
	defer stopListening()

	listener, err := (&net.ListenConfig{Control: giveUpSoon}).Listen(ctx, "tcp", cfg.Listen.String())
	if err != nil {
		return err
	}
	defer listener.Close()
	d, migrated, err := openMigrated(ctx, cfg.Database)
	if err != nil {
		return err
	}
	defer d.Close()
	stopping, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	var streams sync.WaitGroup
	parts, err := newServer(ctx, cfg, d, stopping, &streams, log)
	if err != nil {
		return err
	}

	server := &http.Server{
		Handler:           parts.handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(endStreams)
	announce(out, cfg, migrated, parts.keysMade, listener.Addr())

	var working sync.WaitGroup
	defer working.Wait()
	ended := make(chan error, 1)
	working.Go(func() { ended <- server.Serve(listener) })
	upkeepCtx, stopUpkeep := context.WithCancel(ctx)
	defer stopUpkeep()
	working.Go(func() { parts.races.Run(upkeepCtx) })
	for _, task := range parts.upkeep {
		working.Go(func() { task.run(upkeepCtx, log) })
	}
	if cfg.PrepareDays > 0 {
		// Go's scheduler knows nothing of priorities: a search would keep one of its processors from requests.
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
		working.Go(func() { solve(upkeepCtx, parts.solveNext, log) })
	}

	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopListening() // a second signal ends the process at once
	log.Info("stopping: finishing the requests in flight")
	return stop(server, &streams, log)
}

// stop takes no new requests and waits for those in flight, streams too, but not longer than stopAfter.
func stop(server *http.Server, streams *sync.WaitGroup, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopAfter)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil { // so none begins any more
		err = waitFor(ctx, streams)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("stopped with requests still in flight", "after", stopAfter)
		return server.Close()
	}
	if err == nil {
		log.Info("stopped")
	}
	return err
}

// waitFor waits for a group, but not longer than ctx.
func waitFor(ctx context.Context, group *sync.WaitGroup) error {
	ended := make(chan struct{})
	go func() {
		group.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// parts is what newServer has put together.
type parts struct {
	handler   http.Handler
	upkeep    []upkeep
	races     *race.Service
	solveNext func(context.Context) (bool, error)
	keysMade  bool // the database had none before
}

// newServer puts the parts together: the services over the database, and the API over them, whose streams end
// when stopping does.
func newServer(ctx context.Context, cfg serveConfig, d *db.DB, stopping context.Context, streams *sync.WaitGroup, log *slog.Logger) (parts, error) {
	var made parts
	newSecret := func() []byte {
		made.keysMade = true
		secret := make([]byte, 32)
		rand.Read(secret) // never fails
		return secret
	}
	dailySecret, err := d.Secret(ctx, "daily", newSecret)
	if err != nil {
		return parts{}, err
	}
	cursorKey, err := d.Secret(ctx, "cursor", newSecret)
	if err != nil {
		return parts{}, err
	}
	clock := &clock{offsetOf: d.Offset, log: log}
	if err := clock.set(ctx); err != nil {
		return parts{}, err
	}
	accounts, err := account.New(ctx, d, account.Options{Now: clock.Now})
	if err != nil {
		return parts{}, err
	}
	challenges := challenge.New(d, challenge.Options{
		Now: clock.Now, Version: serverVersion(), DailySecret: dailySecret, Log: log,
		PrepareDays: int(cfg.PrepareDays), SolverMemory: int64(cfg.SolverMemory),
		Apart: apart, ProcessorTime: processorTime,
	})
	made.solveNext = challenges.SolveNext
	made.races = race.NewService(d, race.Options{Now: clock.Now, Log: log})
	made.upkeep = []upkeep{
		{"roll up standings", rollUpEvery, func(ctx context.Context) error { _, err := challenges.RollUp(ctx); return err }},
		{"load signing keys", loadKeysEvery, accounts.LoadKeys},
		{"meet the deadlines of races", meetDeadlinesEvery, made.races.MeetDeadlines},
		{"set the clock", setClockEvery, clock.set},
	}
	made.handler, err = api.New(
		api.Services{Accounts: accounts, Challenges: challenges, Races: made.races, Ready: readyOf(d)},
		api.Options{
			Now: clock.Now, Log: log, Stopping: stopping, Streams: streams, Version: serverVersion(), TrustedProxies: cfg.TrustedProxies,
			NoRateLimits: !bool(cfg.RateLimits), CursorKey: cursorKey, Web: web.Files,
		},
	)
	return made, err
}

// How long a database that hangs is waited for.
const (
	readyPatience  = 5 * time.Second
	upkeepPatience = time.Minute
)

// within does something for at most so long.
func within(ctx context.Context, patience time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return do(ctx)
}

// readyOf asks whether a database can be used.
func readyOf(d *db.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		return within(ctx, readyPatience, func(ctx context.Context) error {
			migrated, err := d.Migrated(ctx)
			if err == nil && !migrated {
				err = errors.New("the database isn't migrated")
			}
			return err
		})
	}
}

// upkeep is what a server does every now and then, beside its requests.
type upkeep struct {
	name  string
	every time.Duration
	do    func(context.Context) error
}

// run does it until ctx ends. What fails is done again the next time.
func (u upkeep) run(ctx context.Context, log *slog.Logger) {
	ticker := time.NewTicker(u.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := within(ctx, upkeepPatience, u.do); err != nil && ctx.Err() == nil {
				log.Warn("upkeep failed", "task", u.name, "error", err)
				ticker.Reset(max(u.every, failedEvery))
			} else {
				ticker.Reset(u.every)
			}
		}
	}
}

// solve solves what is to be solved beforehand, until ctx ends.
func solve(ctx context.Context, next func(context.Context) (bool, error), log *slog.Logger) {
	for ctx.Err() == nil {
		worked, err := next(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("solving failed", "error", err)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(solveEvery):
		}
	}
}

// announce says what the start has done, and where the server is.
func announce(w io.Writer, cfg serveConfig, m migration, keysMade bool, at net.Addr) {
	fmt.Fprintf(w, "cruel %s\n", serverVersion())
	fmt.Fprintf(w, "database: %s (%s)\n", cfg.Database, m)
	if keysMade {
		fmt.Fprintln(w, "keys: made the signing key and the secret of the dailies, kept in the database")
	}
	if len(cfg.TrustedProxies) == 0 {
		fmt.Fprintln(w, "trusted proxies: none; a client is the address of its connection")
	} else {
		fmt.Fprintf(w, "trusted proxies: %s\n", cfg.TrustedProxies)
	}
	if cfg.PrepareDays > 0 {
		fmt.Fprintf(w, "solver: prepares today and %s more, with up to %s\n", counted(int(cfg.PrepareDays), "day"), cfg.SolverMemory)
	} else {
		fmt.Fprintln(w, "solver: off; today's deal is chosen when it is first asked for")
	}
	if !cfg.RateLimits {
		fmt.Fprintln(w, "RATE LIMITS ARE OFF (CRUEL_RATE_LIMITS=off): FOR TESTS AND BENCHMARKS ONLY")
	}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		host, port = cfg.Listen.host, cfg.Listen.port
	}
	fmt.Fprintf(w, "listening: open %s\n", listenAddress{host, port}.url("localhost"))
}
