// Command testserver is the server for the tests of the browser client: the real one, but with a clock that
// the test sets, days whose deals are the same at each start, no rate limits, and outages to order.
//
// The shipped program has none of this. A test builds it (`go build -o bin/testserver ./cmd/testserver`, since
// `go run` doesn't pass signals on), starts it with a pipe as its standard input, and reads the line
// "listening http://127.0.0.1:PORT" from its output. It stops at SIGTERM, and when that pipe is closed, so that
// a test runner that has crashed leaves nothing behind. What may be asked of it under /test/ is in control.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"cruel/account"
	"cruel/api"
	"cruel/challenge"
	"cruel/db"
	"cruel/race"
	"cruel/web"
)

// The secrets are no secrets here.
const (
	dailySecret = "the daily secret of the browser client's tests"
	cursorKey   = "the cursor key of the browser client's tests"
)

// settings are what the flags say.
type settings struct {
	listen      string
	database    string // "" for an SQLite file that is gone at the end
	dist        string // "" for the client that is built in
	prepareDays int
	verbose     bool
}

func main() {
	var s settings
	flag.StringVar(&s.listen, "listen", "127.0.0.1:0", "the `ADDRESS` to listen on")
	flag.StringVar(&s.database, "database", "", "an SQLite `FILE` or a postgres:// address; a file that is gone at the end if left out")
	flag.StringVar(&s.dist, "dist", "", "serve the browser client from a `FOLDER` instead of the one built in")
	flag.IntVar(&s.prepareDays, "prepare-days", 0, "prepare the dailies of today and so many `DAYS` more; 0: the solver is off")
	flag.BoolVar(&s.verbose, "verbose", false, "log each request")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	go func() { // waits for the end of the process at most
		if waitForEOF(os.Stdin) {
			cancel()
		}
	}()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "testserver:", err)
		os.Exit(1)
	}
}

// waitForEOF waits until who holds the other end of a pipe is gone. It reports false at once where there is no
// pipe, such as for a program in the background.
func waitForEOF(in *os.File) bool {
	info, err := in.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return false
	}
	_, _ = io.Copy(io.Discard, in) // an error is an end, too
	return true
}

// run serves until ctx ends.
func run(ctx context.Context, s settings) (err error) {
	level := slog.LevelWarn
	if s.verbose {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	if s.database == "" {
		folder, err := os.MkdirTemp("", "cruel-testserver-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		s.database = filepath.Join(folder, "cruel.db")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	d, err := db.Open(ctx, s.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Migrate(ctx); err != nil {
		return err
	}
	control := newControl()
	streams, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	p, err := newParts(ctx, s, d, control.Now, streams, log)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: control.around(p.handler), ConnContext: withConn, ConnState: control.forget, ReadHeaderTimeout: 5 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(endStreams)

	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	working.Go(func() { p.races.Run(ctx) })
	working.Go(func() { repeat(ctx, log, 100*time.Millisecond, p.races.MeetDeadlines) })
	working.Go(func() {
		repeat(ctx, log, time.Second, func(ctx context.Context) error { _, err := p.challenges.RollUp(ctx); return err })
	})
	if s.prepareDays > 0 {
		working.Go(func() {
			repeat(ctx, log, time.Second, func(ctx context.Context) error { _, err := p.challenges.SolveNext(ctx); return err })
		})
	}
	ended := make(chan error, 1)
	working.Go(func() { ended <- server.Serve(listener) })
	fmt.Printf("listening http://%s\n", listener.Addr())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(last) != nil {
		return server.Close() // what is still under way is nobody's any more
	}
	return nil
}

// parts are the server's.
type parts struct {
	handler    http.Handler
	challenges *challenge.Service
	races      *race.Service
}

// newParts puts the parts together as cmd/cruel does, around another clock.
func newParts(ctx context.Context, s settings, d *db.DB, now func() time.Time, stopping context.Context, log *slog.Logger) (p parts, err error) {
	accounts, err := account.New(ctx, d, account.Options{Now: now})
	if err != nil {
		return p, err
	}
	p.challenges = challenge.New(d, challenge.Options{
		Now: now, Version: "test", DailySecret: []byte(dailySecret), Log: log, PrepareDays: s.prepareDays,
	})
	p.races = race.NewService(d, race.Options{Now: now, Log: log})
	client := web.Files
	if s.dist != "" {
		client = os.DirFS(s.dist)
	}
	p.handler, err = api.New(
		api.Services{Accounts: accounts, Challenges: p.challenges, Races: p.races, Ready: d.Ping},
		api.Options{
			Now: now, Log: log, Version: "test", NoRateLimits: true, CursorKey: []byte(cursorKey), Stopping: stopping, Web: client,
		})
	return p, err
}

// repeat does something every so often, until ctx ends.
func repeat(ctx context.Context, log *slog.Logger, every time.Duration, do func(context.Context) error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				log.Warn("upkeep failed", "error", err)
			}
		}
	}
}
