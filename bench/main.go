// Command bench measures submissions through HTTP against the same Postgres without us, and against gin
// without anything: three programs that take turns in one run, so that a noisy machine hits all alike. Then
// it measures races: how fast one player learns what the other does, and what somebody who watches costs.
//
//	bench -cruel bin/cruel -database postgres://… (made for it: it is written to)
//
// pgbench must be installed. `make bench` does it all.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/engine"
	"cruel/replay"
)

// limit is what we promise: submissions per second as a part of what pgbench's upsert reaches on the same
// database: a submission is a transaction of six statements and two reads, an upsert is one write.
const limit = 0.04

const (
	seed       = "2"
	walkMoves  = 60
	logCount   = 20_000
	players    = 300
	perPlayer  = 150 // below the 200 that one player may submit to a challenge
	startLimit = 30 * time.Second
)

func main() {
	log.SetFlags(0)
	binary := flag.String("cruel", "bin/cruel", "the server's program")
	database := flag.String("database", "", "a Postgres `DSN` to write to")
	seconds := flag.Int("seconds", 3, "how long each turn lasts")
	rounds := flag.Int("rounds", 3, "how many turns each program has, 0 for races only; the median counts")
	calls := flag.Int("calls", 100, "how often a second somebody in the races tells how far they are")
	flag.Parse()
	if err := run(*binary, *database, time.Duration(*seconds)*time.Second, *rounds, *calls); err != nil {
		log.Fatal("bench: ", err)
	}
}

func run(binary, database string, turn time.Duration, rounds, calls int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	if rounds > 0 {
		if err := benchSubmissions(ctx, binary, database, turn, rounds); err != nil {
			return err
		}
	}
	return benchRaces(ctx, binary, database, calls)
}

func benchSubmissions(ctx context.Context, binary, database string, turn time.Duration, rounds int) error {
	logs, err := walks()
	if err != nil {
		return err
	}
	started, err := startCruel(ctx, binary, database)
	if err != nil {
		return err
	}
	defer started.stop()
	server := started.url
	bare, err := startBare()
	if err != nil {
		return err
	}
	upsert, err := writeUpsert(ctx, database)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(upsert))
	tokens, err := signUp(ctx, server)
	if err != nil {
		return err
	}

	fmt.Printf("submissions per second, median of %d turns of %s each, one Postgres with fsync on\n", rounds, turn)
	fmt.Printf("%8s %12s %12s %12s %18s %14s\n", "clients", "submit", "pgbench", "bare gin", "submit/pgbench", "submit/gin")
	kept := true
	for _, clients := range []int{1, 8, 32} {
		var ours, postgres, empty []float64
		for range rounds {
			rate, err := submitTurn(ctx, server, tokens, logs, clients, turn)
			if err != nil {
				return err
			}
			ours = append(ours, rate)
			if rate, err = pgbench(ctx, database, upsert, clients, turn); err != nil {
				return err
			}
			postgres = append(postgres, rate)
			rate, err = load(ctx, clients, turn, func(i int) (*http.Request, error) {
				return post(ctx, bare+"/v1/challenges/x/submissions", tokens[0], body(logs[i%len(logs)]))
			})
			if err != nil {
				return err
			}
			empty = append(empty, rate)
		}
		ratio := median(ours) / median(postgres)
		kept = kept && ratio >= limit
		fmt.Printf("%8d %12.0f %12.0f %12.0f %18.2f %14.2f\n", clients, median(ours), median(postgres), median(empty),
			ratio, median(ours)/median(empty))
	}
	fmt.Printf("limit: submit/pgbench at least %.2f: %s\n", limit, map[bool]string{true: "kept", false: "MISSED"}[kept])
	return nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// walks is many different legal logs of one deal.
func walks() ([]string, error) {
	variant := engine.DefaultVariant()
	start, err := engine.ParseSeed(seed)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	logs := make([]string, logCount)
	for i := range logs {
		position := engine.Deal(variant, start)
		var moves replay.Log
		for len(moves) < walkMoves {
			legal := engine.LegalMoves(variant, position)
			move := legal[random.IntN(len(legal))]
			if err := engine.Apply(variant, &position, move); err != nil {
				return nil, err
			}
			moves = append(moves, move)
		}
		logs[i] = moves.String()
	}
	return logs, nil
}

var listening = regexp.MustCompile(`http://[^\s"]+`)

// cruel is a server that was started.
type cruel struct {
	url  string
	pid  int
	stop func()
}

// startCruel starts the server without rate limits.
func startCruel(ctx context.Context, binary, database string) (cruel, error) {
	cmd := exec.CommandContext(ctx, binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "CRUEL_RATE_LIMITS=off", "CRUEL_PREPARE_DAYS=0", "CRUEL_DATABASE="+database)
	out, err := cmd.StderrPipe()
	if err != nil {
		return cruel{}, err
	}
	if err := cmd.Start(); err != nil {
		return cruel{}, err
	}
	stop := func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	found := make(chan string, 1)
	go func() {
		var head []byte
		buf := make([]byte, 4096)
		for {
			n, err := out.Read(buf)
			if len(head) < 1<<16 {
				head = append(head, buf[:n]...)
				if url := listening.Find(head); url != nil && bytes.ContainsRune(head[bytes.Index(head, url):], '\n') {
					select {
					case found <- string(url):
					default:
					}
				}
			}
			if err != nil {
				close(found)
				return
			}
		}
	}()
	select {
	case url, ok := <-found:
		if !ok {
			return cruel{}, errors.New("the server stopped at once")
		}
		return cruel{url, cmd.Process.Pid, stop}, nil
	case <-time.After(startLimit):
		stop()
		return cruel{}, errors.New("the server didn't say where it listens")
	}
}

// startBare is gin with a handler that reads the same body and answers as many bytes.
func startBare() (string, error) {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	answer := strings.Repeat("x", 1500)
	router.POST("/v1/challenges/:id/submissions", func(c *gin.Context) {
		var in struct {
			Log string `json:"log"`
		}
		if err := c.ShouldBindJSON(&in); err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		c.JSON(http.StatusCreated, gin.H{"log": answer})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = http.Serve(listener, router) }() //nolint:gosec // ends with the program
	return "http://" + listener.Addr().String(), nil
}

const upsertScript = `\set challenge random(1, 10)
\set player random(1, 300)
\set moves random(48, 200)
INSERT INTO bench_best (challenge_id, player_id, moves, log) VALUES (:challenge, :player, :moves, repeat('ab ', 60))
ON CONFLICT (challenge_id, player_id) DO UPDATE SET moves = LEAST(bench_best.moves, excluded.moves), log = excluded.log;
`

// writeUpsert makes the table that a simple program would have, and pgbench's script for it.
func writeUpsert(ctx context.Context, database string) (string, error) {
	const table = `CREATE TABLE IF NOT EXISTS bench_best (challenge_id BIGINT, player_id BIGINT, moves BIGINT, log TEXT, PRIMARY KEY (challenge_id, player_id))`
	if out, err := exec.CommandContext(ctx, "psql", "-q", "-d", database, "-c", table).CombinedOutput(); err != nil {
		return "", fmt.Errorf("psql: %w: %s", err, out)
	}
	folder, err := os.MkdirTemp("", "cruel-bench")
	if err != nil {
		return "", err
	}
	script := filepath.Join(folder, "upsert.sql")
	return script, os.WriteFile(script, []byte(upsertScript), 0o600)
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

func pgbench(ctx context.Context, database, script string, clients int, turn time.Duration) (float64, error) {
	out, err := exec.CommandContext(ctx, "pgbench", "-n", "-M", "prepared", "-f", script,
		"-c", strconv.Itoa(clients), "-j", "1", "-T", strconv.Itoa(int(turn/time.Second)), database).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	match := tps.FindSubmatch(out)
	if match == nil {
		return 0, fmt.Errorf("pgbench said no rate: %s", out)
	}
	return strconv.ParseFloat(string(match[1]), 64)
}

// submitTurn submits different logs of many players to a challenge of its own.
func submitTurn(ctx context.Context, server string, tokens, logs []string, clients int, turn time.Duration) (float64, error) {
	request, err := post(ctx, server+"/v1/challenges", tokens[0], []byte(`{"variant":"cruel","seed":"`+seed+`"}`))
	if err != nil {
		return 0, err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := do(request, &made); err != nil {
		return 0, err
	}
	url := server + "/v1/challenges/" + made.ID + "/submissions"
	return load(ctx, clients, turn, func(i int) (*http.Request, error) {
		// Neighbours in time are different players, as they would be.
		player := i % players
		if i/players >= perPlayer {
			return nil, errors.New("the players have used up their submissions; take a shorter turn")
		}
		return post(ctx, url, tokens[player], body(logs[i%len(logs)]))
	})
}

func signUp(ctx context.Context, server string) ([]string, error) {
	tokens := make([]string, players)
	for i := range tokens {
		request, err := post(ctx, server+"/v1/players", "", []byte(`{}`))
		if err != nil {
			return nil, err
		}
		var session struct {
			AccessToken string `json:"access_token"`
		}
		if err := do(request, &session); err != nil {
			return nil, err
		}
		tokens[i] = session.AccessToken
	}
	return tokens, nil
}

// load sends requests from so many clients for a turn and answers how many a second were answered.
func load(ctx context.Context, clients int, turn time.Duration, request func(i int) (*http.Request, error)) (float64, error) {
	var next, done atomic.Int64
	next.Store(-1)
	errs := make([]error, clients)
	started := time.Now()
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for time.Since(started) < turn && ctx.Err() == nil {
				r, err := request(int(next.Add(1)))
				if err == nil {
					err = do(r, nil)
				}
				if err != nil {
					errs[client] = err
					return
				}
				done.Add(1)
			}
		})
	}
	group.Wait()
	return float64(done.Load()) / time.Since(started).Seconds(), errors.Join(errs...)
}

func body(moves string) []byte { return []byte(`{"log":"` + moves + `"}`) }

func post(ctx context.Context, url, token string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r, nil
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 30 * time.Second}

// do sends a request, which must be answered with 200 or 201, and reads the answer into v unless it is nil.
func do(r *http.Request, v any) error {
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", r.URL, answer.Status, text)
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(text, v)
}
