package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/replay"
)

// killsEnv says how often the server is killed; `make kill` sets it.
const killsEnv = "CRUEL_TEST_KILLS"

// A win on the deal of seed 2. A redeal of a fresh deal changes nothing, so any number of R may go before
// any part of it: that makes as many different logs as writers need.
var seedTwoWin = strings.Fields("jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD " +
	"dS aS dS dC hC hC hD eH eC eC eS fS bS bC aC bC bH hH gH fH fC gH gH aH gH fH")

// Nothing that was acknowledged is lost when the server is killed in mid-write, and the ranks are those of
// a recount.
func TestKill(t *testing.T) {
	kills := 2
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, dsn, "CRUEL_RATE_LIMITS=off")
			var shared shownChallenge
			r.must(http.StatusCreated, "POST", "/v1/challenges", r.signUp().AccessToken, `{"variant": "cruel", "seed": "2"}`, &shared)
			var writers []*writer
			for range kills {
				round := newWriters(r, shared.ID, 8)
				writers = append(writers, round...)
				killAmidWrites(t, r, round)
				r = start(t, dsn, "CRUEL_RATE_LIMITS=off")
				for _, w := range round {
					w.checkAcknowledged(r)
				}
			}
			checkBoard(r, shared.ID, writers)
			r.stop()
		})
	}
}

// writer is a player who submits one log after the other.
type writer struct {
	session
	path         string
	acknowledged []shownResult
}

func newWriters(r *running, challengeID string, n int) []*writer {
	writers := make([]*writer, n)
	for i := range writers {
		writers[i] = &writer{session: r.signUp(), path: "/v1/challenges/" + challengeID + "/submissions"}
	}
	return writers
}

// write submits until the server is gone, and tells of each answer. The error is what it didn't expect.
func (w *writer) write(ctx context.Context, r *running, answered chan<- struct{}) error {
	for i := range 200 { // as many as a player may submit
		moves := slices.Concat(slices.Repeat([]string{"R"}, i%4), seedTwoWin[:i/4+1])
		var kept shownResult
		status, err := r.call(ctx, "POST", w.path, w.AccessToken, fmt.Sprintf(`{"log": %q}`, strings.Join(moves, " ")), &kept)
		if err != nil {
			return nil // killed
		}
		if status != http.StatusCreated || kept.Moves != len(moves) {
			return fmt.Errorf("log %d of %s: status %d, %d moves", i, w.Player.Name, status, kept.Moves)
		}
		w.acknowledged = append(w.acknowledged, kept)
		answered <- struct{}{}
	}
	return nil
}

// killAmidWrites lets all write at once and kills the server after some answers.
func killAmidWrites(t *testing.T, r *running, writers []*writer) {
	t.Helper()
	random, err := rand.Int(rand.Reader, big.NewInt(60))
	if err != nil {
		t.Fatal(err)
	}
	answers := 10 + int(random.Int64())
	answered := make(chan struct{})
	var writing sync.WaitGroup
	for _, w := range writers {
		writing.Go(func() {
			if err := w.write(t.Context(), r, answered); err != nil {
				t.Error(err)
			}
		})
	}
	go func() {
		writing.Wait()
		close(answered)
	}()
	seen := 0
	for range answered {
		if seen++; seen == answers {
			r.signal(syscall.SIGKILL)
		}
	}
	if seen < answers {
		t.Fatalf("only %d of %d answers\n%s", seen, answers, r.log)
	}
	_ = r.end() // killed
}

// checkAcknowledged asks for every submission that was acknowledged.
func (w *writer) checkAcknowledged(r *running) {
	r.t.Helper()
	for _, want := range w.acknowledged {
		var got shownResult
		r.must(http.StatusOK, "GET", "/v1/submissions/"+want.ID, w.AccessToken, "", &got)
		if got.ID != want.ID || got.Outcome != want.Outcome || got.Cards != want.Cards || got.Moves != want.Moves {
			r.t.Errorf("acknowledged %+v, kept %+v", want, got)
		}
	}
}

func (s shownResult) result() replay.Result {
	r := replay.Result{Moves: s.Moves, Cards: s.Cards}
	if s.Outcome == engine.Won.String() {
		r.Outcome = engine.Won
	}
	return r
}

// checkBoard compares the board with one that is made anew from all submissions of all players.
func checkBoard(r *running, challengeID string, writers []*writer) {
	r.t.Helper()
	best := map[string]replay.Result{}
	for _, w := range writers {
		for _, s := range r.items("/v1/players/" + w.Player.Name + "/submissions") {
			if had, ok := best[w.Player.Name]; !ok || s.result().Better(had) {
				best[w.Player.Name] = s.result()
			}
		}
	}
	board := r.items("/v1/challenges/" + challengeID + "/leaderboard")
	if len(board) != len(best) {
		r.t.Errorf("%d players on the board, want %d", len(board), len(best))
	}
	for _, row := range board {
		want, rank := best[row.Player.Name], 1
		for _, other := range best {
			if other.Better(want) {
				rank++
			}
		}
		if row.Rank != rank || row.Cards != want.Cards || row.Moves != want.Moves {
			r.t.Errorf("%s: rank %d, %d cards, %d moves; want %d, %d, %d",
				row.Player.Name, row.Rank, row.Cards, row.Moves, rank, want.Cards, want.Moves)
		}
	}
}

// items reads a whole list.
func (r *running) items(path string) []shownResult {
	r.t.Helper()
	var all []shownResult
	for cursor := ""; ; {
		var p page
		r.must(http.StatusOK, "GET", path+"?limit=200"+cursor, "", "", &p)
		all = append(all, p.Items...)
		if p.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *p.NextCursor
	}
}
