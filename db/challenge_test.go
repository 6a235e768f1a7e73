package db_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cruel/account"
	"cruel/challenge"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/replay"
)

// noon is when the clock of a test begins.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const today = "cruel-2026-11-30"

// site is a service over a database, with a clock that the test sets.
type site struct {
	*challenge.Service
	t     *testing.T
	db    *db.DB
	clock atomic.Int64 // Unix milliseconds
}

func newSite(t *testing.T, d *db.DB) *site {
	s := &site{t: t, db: d}
	s.set(noon)
	s.Service = challenge.New(d, s.options())
	return s
}

func (s *site) options() challenge.Options {
	return challenge.Options{
		Now:         func() time.Time { return time.UnixMilli(s.clock.Load()).Local() },
		Version:     "v1.2.3",
		DailySecret: []byte("a secret of the tests"),
	}
}

func eachSite(t *testing.T, f func(t *testing.T, s *site)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { f(t, newSite(t, d)) })
}

func (s *site) now() time.Time       { return time.UnixMilli(s.clock.Load()).UTC() }
func (s *site) set(t time.Time)      { s.clock.Store(t.UnixMilli()) }
func (s *site) pass(d time.Duration) { s.clock.Add(d.Milliseconds()) }

// player makes a player and returns their id, which is also their name.
func (s *site) player(name string) string {
	s.t.Helper()
	err := plant(s.t, s.db, `INSERT INTO players (id, name, name_key, created_at) VALUES ($1, $1, $1, $2)`,
		name, noon.UnixMilli())
	if err != nil {
		s.t.Fatal(err)
	}
	return name
}

func (s *site) players(n int) []string {
	s.t.Helper()
	var ids []string
	for i := range n {
		ids = append(ids, s.player(fmt.Sprintf("player%03d", i)))
	}
	return ids
}

// forget deletes a player as account does.
func (s *site) forget(id string) {
	s.t.Helper()
	err := plant(s.t, s.db, `UPDATE players SET name = NULL, name_key = NULL, deleted_at = $2 WHERE id = $1`,
		id, s.now().UnixMilli())
	if err != nil {
		s.t.Fatal(err)
	}
}

// plant writes what no method writes.
func plant(t testing.TB, d *db.DB, query string, args ...any) error {
	_, err := d.Write().ExecContext(t.Context(), query, args...)
	return err
}

// share makes a challenge of the default variant on a seed.
func (s *site) share(seed engine.Seed) challenge.Challenge {
	s.t.Helper()
	c, err := s.Share(s.t.Context(), challenge.Sharing{PlayerID: s.player("maker"), Variant: engine.DefaultVariant(), Seed: seed})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// send sends a log, again where the machine is so busy that the deal isn't drawn
// in time.
func (s *site) send(player, challengeID, log string) (challenge.Verdict, error) {
	for {
		v, err := s.Submit(s.t.Context(), challenge.Sent{PlayerID: player, ChallengeID: challengeID, Log: log, ArrivedAt: s.now()})
		if !errors.Is(err, challenge.ErrDrawing) {
			return v, err
		}
	}
}

// submit sends a log that must be taken, a second later than the one before.
func (s *site) submit(player, challengeID, log string) challenge.Verdict {
	s.t.Helper()
	s.pass(time.Second)
	v, err := s.send(player, challengeID, log)
	if err != nil {
		s.t.Fatalf("%s submits %.20q: %v", player, log, err)
	}
	return v
}

// board reads the whole board of a challenge in one page.
func (s *site) board(challengeID string) challenge.Board {
	s.t.Helper()
	b, err := s.Leaderboard(s.t.Context(), "", challengeID, challenge.BoardQuery{Limit: 10_000})
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// checkRanks compares the ranks of a challenge with a recount by the database.
func (s *site) checkRanks(challengeID string) {
	s.t.Helper()
	wrong, err := s.db.Recount(s.t.Context(), challengeID)
	if err != nil || wrong != 0 {
		s.t.Errorf("Recount = %d, %v", wrong, err)
	}
	rows, err := s.db.Read().QueryContext(s.t.Context(), `
		SELECT RANK() OVER (ORDER BY result_key), player_id FROM standings
		WHERE challenge_id = $1 ORDER BY result_key, verified_at, submission_id`, challengeID)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var want []string
	for rows.Next() {
		var rank int
		var player string
		if err := rows.Scan(&rank, &player); err != nil {
			s.t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%d %s", rank, player))
	}
	if diff := cmp.Diff(want, lines(s.board(challengeID).Standings)); diff != "" {
		s.t.Errorf("the board isn't the recount (-want +got):\n%s", diff)
	}
}

// lines writes standings as "rank player".
func lines(standings []challenge.Standing) []string {
	var lines []string
	for _, st := range standings {
		lines = append(lines, fmt.Sprintf("%d %s", st.Rank, st.Player.ID))
	}
	return lines
}

// redeals is a log of n redeals: no card home, n moves. Fewer are better.
func redeals(n int) string { return strings.TrimSpace(strings.Repeat("R ", n)) }

// walk is a log of n random legal moves that don't win.
func walk(seed engine.Seed, random *rand.Rand, n int) string {
	v := engine.DefaultVariant()
	p := engine.Deal(v, seed)
	var log []string
	for range n {
		moves := engine.LegalMoves(v, p)
		m := moves[random.IntN(len(moves))]
		next := p
		if err := engine.Apply(v, &next, m); err != nil {
			panic(err)
		}
		if next.Cards() == 52 {
			break
		}
		p, log = next, append(log, m.String())
	}
	return strings.Join(log, " ")
}

// game is a game of the vectors.
type game struct {
	Variant string
	Seed    engine.Seed
	Log     string
	Result  struct{ Outcome string }
}

// vectors reads the games of the vectors.
var vectors = sync.OnceValues(func() ([]game, error) {
	text, err := os.ReadFile("../engine/testdata/games.json")
	if err != nil {
		return nil, err
	}
	var file struct{ Games []game }
	err = json.Unmarshal(text, &file)
	return file.Games, err
})

// wins returns the won games of the default variant.
func wins(t *testing.T) []game { return winsOf(t, "cruel") }

// winsOf returns the won games of a variant.
func winsOf(t *testing.T, variant string) []game {
	t.Helper()
	games, err := vectors()
	if err != nil {
		t.Fatal(err)
	}
	var won []game
	for _, g := range games {
		if g.Variant == variant && g.Result.Outcome == "won" {
			won = append(won, g)
		}
	}
	if len(won) < 2 {
		t.Fatalf("%d won games", len(won))
	}
	return won
}

// Cases L01, L14: equal results share a rank, and all count.
func TestTiesShareARank(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for i, n := range []int{90, 95, 95, 100} {
			v := s.submit(s.player(fmt.Sprint("p", i)), today, redeals(n))
			if want := []int{1, 2, 2, 4}[i]; v.Rank != want || v.Players != i+1 || v.PersonalBest.Rank != want {
				t.Errorf("verdict %d: rank %d of %d, personal best %d", i, v.Rank, v.Players, v.PersonalBest.Rank)
			}
		}
		b := s.board(today)
		if diff := cmp.Diff([]string{"1 p0", "2 p1", "2 p2", "4 p3"}, lines(b.Standings)); diff != "" {
			t.Error(diff)
		}
		c, err := s.Challenge(t.Context(), today)
		if err != nil || c.Players != 4 || c.Winners != 0 || b.Players != 4 || b.Winners != 0 {
			t.Errorf("players %d and %d, winners %d and %d, %v", c.Players, b.Players, c.Winners, b.Winners, err)
		}
	})
}

// Case L02: who came first stays first among equals, also when they send the
// same result again or change their name.
func TestEqualLaterResultDoesNotReplace(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		a, b := s.player("a"), s.player("b")
		first := s.submit(a, today, redeals(10))
		s.submit(b, today, redeals(10))

		again := s.submit(a, today, redeals(10))
		if again.Created || again.Submission.ID != first.Submission.ID {
			t.Errorf("the same log: created %v, submission %s, first %s", again.Created, again.Submission.ID, first.Submission.ID)
		}
		seed := first.Submission.Seed
		equal := s.submit(a, today, equalTo(t, seed, first.Submission.Result))
		if !equal.Created || equal.Submission.Improved || equal.PersonalBest.SubmissionID != first.Submission.ID {
			t.Errorf("an equal log: %+v", equal)
		}
		if err := plant(t, s.db, `UPDATE players SET name = 'z', name_key = 'z' WHERE id = $1`, a); err != nil {
			t.Fatal(err)
		}
		board := s.board(today).Standings
		if diff := cmp.Diff([]string{"1 a", "1 b"}, lines(board)); diff != "" {
			t.Error(diff)
		}
		if board[0].Player.Name != "z" {
			t.Errorf("the name on the board is %q", board[0].Player.Name)
		}
	})
}

// equalTo finds another log with the same result: one that begins with a build.
func equalTo(t *testing.T, seed engine.Seed, want replay.Result) string {
	t.Helper()
	v := engine.DefaultVariant()
	for _, m := range engine.LegalMoves(v, engine.Deal(v, seed)) {
		log := m.String() + " " + redeals(want.Moves-1)
		if r, err := replay.Verify(v, seed, log); err == nil && !r.Better(want) && !want.Better(r) && m.String() != "R" {
			return log
		}
	}
	t.Fatalf("no build to begin with on %s", seed)
	return ""
}

// Case L07: a worse result leaves the best; all are kept.
// Case D09: one row and one player, however often they submit.
func TestBestResultStands(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		var improved []bool
		for _, n := range []int{95, 120, 90, 101} {
			v := s.submit(p, today, redeals(n))
			improved = append(improved, v.Submission.Improved)
			if v.Rank != 1 || v.Players != 1 || !v.Created {
				t.Errorf("%d moves: rank %d of %d, created %v", n, v.Rank, v.Players, v.Created)
			}
		}
		if diff := cmp.Diff([]bool{true, false, true, false}, improved); diff != "" {
			t.Errorf("improved: %s", diff)
		}
		b := s.board(today)
		if len(b.Standings) != 1 || b.Standings[0].Result.Moves != 90 {
			t.Errorf("board %+v", b.Standings)
		}
		list, err := s.Submissions(t.Context(), p, p, challenge.ListQuery{Limit: 50})
		if err != nil || len(list.Submissions) != 4 {
			t.Errorf("%d submissions, %v", len(list.Submissions), err)
		}
		s.checkRanks(today)
	})
}

// Case L06: 120 players; each one's own rank is that of the list, on every page.
func TestOwnRankIsListRank(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		random := rand.New(rand.NewPCG(6, 6))
		ids := s.players(120)
		for i, id := range ids {
			s.submit(id, today, redeals(1+random.IntN(40)))
			if i == 60 {
				if n, err := s.RollUp(t.Context()); err != nil || n != 61 {
					t.Errorf("RollUp = %d, %v", n, err)
				}
			}
		}
		s.checkRanks(today)
		all := s.board(today).Standings
		if all[0].Rank != 1 {
			t.Errorf("the first rank is %d", all[0].Rank)
		}
		for i, row := range all {
			around, err := s.Around(t.Context(), "", today, row.Player.ID, 9)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(lines(all[max(0, i-4):min(len(all), i+5)]), lines(around.Standings)); diff != "" {
				t.Errorf("around %d: %s", i, diff)
			}
		}
		for _, limit := range []int{7, 50, 120, 200} {
			if diff := cmp.Diff(lines(all), lines(s.pages(today, limit))); diff != "" {
				t.Errorf("pages of %d: %s", limit, diff)
			}
		}
	})
}

// pages reads a board page by page to its end, and back again, and returns it.
func (s *site) pages(challengeID string, limit int) []challenge.Standing {
	s.t.Helper()
	var there, back []challenge.Standing
	q := challenge.BoardQuery{Limit: limit}
	last := challenge.Board{}
	for more := true; more; more = last.Next != nil {
		page, err := s.Leaderboard(s.t.Context(), "", challengeID, q)
		if err != nil {
			s.t.Fatal(err)
		}
		if (page.Prev == nil) != (q.After == nil) {
			s.t.Errorf("the first page, and no other, has none before it: %+v", page.Prev)
		}
		there = append(there, page.Standings...)
		last, q.After = page, page.Next
	}
	back = last.Standings
	for q = (challenge.BoardQuery{Limit: limit, Before: last.Prev}); q.Before != nil; {
		page, err := s.Leaderboard(s.t.Context(), "", challengeID, q)
		if err != nil {
			s.t.Fatal(err)
		}
		if page.Next == nil {
			s.t.Error("a page before another has none after it")
		}
		back = append(page.Standings, back...)
		q.Before = page.Prev
	}
	if diff := cmp.Diff(there, back, cmpopts.EquateComparable(engine.Variant{})); diff != "" {
		s.t.Errorf("there and back: %s", diff)
	}
	return there
}

// Case L05: rows that come in while somebody pages move nothing that is shown.
func TestPagesStayRightDuringInserts(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for i, id := range s.players(10) {
			s.submit(id, today, redeals(10+i))
		}
		first, err := s.Leaderboard(t.Context(), "", today, challenge.BoardQuery{Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		s.submit(s.player("better"), today, redeals(1))
		s.submit(s.player("worse"), today, redeals(99))
		second, err := s.Leaderboard(t.Context(), "", today, challenge.BoardQuery{Limit: 5, After: first.Next})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"7 player005", "8 player006", "9 player007", "10 player008", "11 player009"}
		if diff := cmp.Diff(want, lines(second.Standings)); diff != "" {
			t.Error(diff)
		}
		back, err := s.Leaderboard(t.Context(), "", today, challenge.BoardQuery{Limit: 5, Before: second.Prev})
		if err != nil {
			t.Fatal(err)
		}
		want = []string{"2 player000", "3 player001", "4 player002", "5 player003", "6 player004"}
		if diff := cmp.Diff(want, lines(back.Standings)); diff != "" {
			t.Error(diff)
		}
		if back.Prev == nil {
			t.Error("nothing before the second place")
		}
	})
}

// Case L08: the database holds no result that can't be.
func TestDatabaseRefusesImpossibleResults(t *testing.T) {
	const insert = `
		INSERT INTO submissions (id, challenge_id, player_id, log, log_hash, outcome, moves, plays, builds, returns, redeals, cards,
		    late, improved, verified_at, verified_by, rules_version)
		VALUES ($1, $2, 'p', '', $3, $4, $5, $6, $7, $8, $9, $10, FALSE, FALSE, 0, '', 1)`
	tests := []struct {
		name                                          string
		outcome                                       string
		moves, plays, builds, returns, redeals, cards int
		ok                                            bool
	}{
		{"a win", "won", 48, 48, 0, 0, 0, 52, true},
		{"the smallest log", "unfinished", 1, 0, 0, 0, 1, 4, true},
		{"the longest log", "stuck", 5000, 0, 0, 0, 5000, 4, true},
		{"a win of 47 moves", "won", 47, 47, 0, 0, 0, 52, false},
		{"a win with a card missing", "won", 60, 47, 13, 0, 0, 51, false},
		{"all home but not won", "stuck", 48, 48, 0, 0, 0, 52, false},
		{"no move", "unfinished", 0, 0, 0, 0, 0, 4, false},
		{"too many moves", "unfinished", 5001, 0, 0, 0, 5001, 4, false},
		{"less than no move", "unfinished", -1, 0, 0, 0, -1, 4, false},
		{"a card too many", "won", 49, 49, 0, 0, 0, 53, false},
		{"moves from nowhere", "unfinished", 9, 1, 1, 1, 1, 4, false},
		{"cards from nowhere", "unfinished", 1, 0, 0, 0, 1, 40, false},
		{"an unknown outcome", "lost", 1, 0, 0, 0, 1, 4, false},
	}
	eachSite(t, func(t *testing.T, s *site) {
		c := s.share("g-s")
		s.player("p")
		for i, test := range tests {
			err := plant(t, s.db, insert, fmt.Sprint("s", i), c.ID, []byte{byte(i)}, test.outcome,
				test.moves, test.plays, test.builds, test.returns, test.redeals, test.cards)
			if (err == nil) != test.ok {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		err := plant(t, s.db, `
			INSERT INTO standings (challenge_id, player_id, submission_id, result_key, verified_at)
			VALUES ($1, 'p', 's0', 47, 0)`, c.ID)
		if err == nil {
			t.Error("a standing of 47 moves is taken")
		}
	})
}

// Case L09: an idempotency key brings one submission and one answer. It is the
// player's own.
func TestIdempotencyKey(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p, q := s.player("p"), s.player("q")
		ask(t, s.Service, engine.DefaultVariant())
		sent := challenge.Sent{PlayerID: p, ChallengeID: today, Log: redeals(7), Key: "k", ArrivedAt: s.now()}
		verdicts := make([]challenge.Verdict, 20)
		var wg sync.WaitGroup
		for i := range verdicts {
			wg.Go(func() {
				var err error
				if verdicts[i], err = s.Submit(t.Context(), sent); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, v := range verdicts {
			if diff := cmp.Diff(verdicts[0], v); diff != "" {
				t.Fatalf("answers differ: %s", diff)
			}
		}
		if v := verdicts[0]; !v.Created || !v.Submission.Improved {
			t.Errorf("created %v, improved %v", v.Created, v.Submission.Improved)
		}

		other := sent
		other.Log = redeals(8)
		if _, err := s.Submit(t.Context(), other); !errors.Is(err, account.ErrIdempotencyMismatch) {
			t.Errorf("another log under the key: %v", err)
		}
		other = sent
		other.ChallengeID = s.share(verdicts[0].Submission.Seed + "-2").ID
		if _, err := s.Submit(t.Context(), other); !errors.Is(err, account.ErrIdempotencyMismatch) {
			t.Errorf("another challenge under the key: %v", err)
		}
		other = sent
		other.PlayerID = q
		if v, err := s.Submit(t.Context(), other); err != nil || !v.Created {
			t.Errorf("the key of another player: created %v, %v", v.Created, err)
		}

		other = sent
		other.Key = "another"
		v, err := s.Submit(t.Context(), other)
		if err != nil || v.Created || v.Submission.ID != verdicts[0].Submission.ID {
			t.Errorf("the same log under another key: %+v, %v", v, err)
		}
		if v, err = s.Submit(t.Context(), other); err != nil || v.Created {
			t.Errorf("and again: created %v, %v", v.Created, err)
		}
		s.checkRanks(today)

		s.pass(challenge.KeyLife)
		sent.Log = redeals(8)
		if _, err := s.Submit(t.Context(), sent); err != nil {
			t.Errorf("the key a day later: %v", err)
		}
		if _, err := s.RollUp(t.Context()); err != nil {
			t.Error(err)
		}
		if n := s.count(`SELECT COUNT(*) FROM submission_keys`); n != 1 {
			t.Errorf("%d keys are remembered, want the new one", n)
		}
	})
}

func (s *site) count(query string, args ...any) (n int) {
	s.t.Helper()
	rows, err := s.db.Read().QueryContext(s.t.Context(), query, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			s.t.Fatal(err)
		}
	}
	return n
}

// Case L10: 50 at once of one player: all are kept, the best stands.
func TestParallelSubmissionsOfOnePlayer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		parallel(50, func(i int) {
			if _, err := s.send(p, today, redeals(10+i)); err != nil {
				t.Error(err)
			}
		})
		b := s.board(today)
		if len(b.Standings) != 1 || b.Standings[0].Result.Moves != 10 {
			t.Errorf("board %+v", b.Standings)
		}
		if n := s.count(`SELECT COUNT(*) FROM submissions`); n != 50 {
			t.Errorf("%d submissions", n)
		}
		s.checkRanks(today)
	})
}

// Case L10: 50 players at once.
func TestParallelSubmissionsOfManyPlayers(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ids := s.players(50)
		parallel(50, func(i int) {
			if _, err := s.send(ids[i], today, redeals(10+i/2)); err != nil {
				t.Error(err)
			}
		})
		if b := s.board(today); len(b.Standings) != 50 || b.Players != 50 {
			t.Errorf("%d standings of %d", len(b.Standings), b.Players)
		}
		s.checkRanks(today)
	})
}

func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// Case K03: 50 writers of 20 submissions each, with readers: all are kept and
// nobody is turned away. Two workers roll up meanwhile, and whenever somebody
// looks, the ranks are those of a recount.
func TestWritersReadersAndRollUps(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ids := s.players(50)
		c, err := s.Today(t.Context(), engine.DefaultVariant())
		if err != nil {
			t.Fatal(err)
		}
		written := make(chan bool, 1000)
		var others sync.WaitGroup
		for range 2 {
			others.Go(func() {
				for range written {
					if _, err := s.RollUp(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
			others.Go(func() {
				for range written {
					if wrong, err := s.db.Recount(t.Context(), c.ID); err != nil || wrong != 0 {
						t.Errorf("Recount = %d, %v", wrong, err)
					}
					board, err := s.Leaderboard(t.Context(), "", c.ID, challenge.BoardQuery{Limit: 200})
					if err != nil {
						t.Error(err)
					}
					checkOrder(t, board)
				}
			})
		}
		parallel(50, func(i int) {
			random := rand.New(rand.NewPCG(3, uint64(i)))
			for n := range 20 {
				log := walk(c.Seed, random, 5+n)
				result, err := replay.Verify(c.Variant, c.Seed, log)
				if err != nil {
					t.Error(err)
				}
				f := challenge.Filing{Log: log, Submission: challenge.Submission{
					ID: fmt.Sprintf("s%d-%d", i, n), ChallengeID: c.ID, Player: account.Player{ID: ids[i]}, Result: result, VerifiedAt: s.now(),
				}}
				if _, created, err := s.db.Submit(t.Context(), f); err != nil || !created {
					t.Errorf("created %v, %v", created, err)
				}
				if n%7 == 0 {
					written <- true
				}
			}
		})
		close(written)
		others.Wait()
		if n := s.count(`SELECT COUNT(*) FROM submissions`); n != 1000 {
			t.Errorf("%d submissions", n)
		}
		s.checkRanks(c.ID)
		if _, err := s.RollUp(t.Context()); err != nil {
			t.Error(err)
		}
		if n := s.count(`SELECT COUNT(*) FROM board_deltas`) + s.count(`SELECT COUNT(*) FROM board_counts WHERE players <= 0`); n != 0 {
			t.Errorf("%d rows are left over", n)
		}
		s.checkRanks(c.ID)
	})
}

// checkOrder compares the ranks of a whole board with what Better says.
func checkOrder(t *testing.T, b challenge.Board) {
	t.Helper()
	if len(b.Standings) != b.Players {
		t.Errorf("%d standings of %d players", len(b.Standings), b.Players)
	}
	for i, row := range b.Standings {
		want := i + 1
		if i > 0 && !b.Standings[i-1].Result.Better(row.Result) {
			want = b.Standings[i-1].Rank
		}
		if row.Rank != want {
			t.Errorf("row %d has rank %d, want %d", i, row.Rank, want)
		}
	}
}

// Beyond 200 submissions only an improvement is taken, exactly, also when they
// come at once.
func TestSubmissionLimit(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		s.submit(p, today, redeals(2))
		if err := plant(t, s.db, `UPDATE submission_counts SET submissions = $1`, challenge.MaxSubmissions-10); err != nil {
			t.Fatal(err)
		}
		var taken, refused atomic.Int64
		parallel(30, func(i int) {
			switch _, err := s.send(p, today, redeals(3+i)); {
			case err == nil:
				taken.Add(1)
			case errors.Is(err, challenge.ErrTooManySubmissions):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
		if taken.Load() != 10 || refused.Load() != 20 {
			t.Errorf("%d more were taken and %d refused", taken.Load(), refused.Load())
		}
		if v := s.submit(p, today, redeals(2)); v.Created {
			t.Error("the first log again is a new submission")
		}
		if v := s.submit(p, today, redeals(1)); !v.Created || v.PersonalBest.Result.Moves != 1 {
			t.Errorf("an improvement: %+v", v)
		}
		if n := s.count(`SELECT COUNT(*) FROM submissions`); n != 1+10+1 {
			t.Errorf("%d submissions are kept", n)
		}
		s.checkRanks(today)
	})
}

// Case L12: deleting a player leaves their rows, without a name, and takes no
// more from them.
func TestDeletedPlayer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p, q := s.player("p"), s.player("q")
		first := s.submit(p, today, redeals(1))
		s.submit(q, today, redeals(2))
		s.forget(p)
		if _, err := s.send(p, today, redeals(3)); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("a submission: %v", err)
		}
		_, err := s.Share(t.Context(), challenge.Sharing{PlayerID: p, Variant: engine.DefaultVariant()})
		if !errors.Is(err, account.ErrNotFound) {
			t.Errorf("a challenge: %v", err)
		}
		b := s.board(today)
		if diff := cmp.Diff([]string{"1 p", "2 q"}, lines(b.Standings)); diff != "" {
			t.Error(diff)
		}
		want := account.Player{ID: p, Guest: true, Deleted: true, CreatedAt: noon}
		if diff := cmp.Diff(want, b.Standings[0].Player); diff != "" {
			t.Error(diff)
		}
		s.pass(24 * time.Hour)
		if r, err := s.Replay(t.Context(), "", first.Submission.ID); err != nil || r.Log != redeals(1) {
			t.Errorf("their log: %q, %v", r.Log, err)
		}
	})
}

// Case L13: who submits sees the new row at once, with the same rank in the
// verdict, the list and around them.
func TestVerdictAndBoardAgree(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		random := rand.New(rand.NewPCG(13, 13))
		for _, id := range s.players(20) {
			v := s.submit(id, today, redeals(1+random.IntN(20)))
			board := s.board(today)
			i := 0
			for board.Standings[i].Player.ID != id {
				i++
			}
			want := board.Standings[max(0, i-2):min(len(board.Standings), i+3)]
			for i := range want {
				want[i].Sealed = want[i].Player.ID != id
			}
			if diff := cmp.Diff(want, v.Neighbours); diff != "" {
				t.Errorf("neighbours: %s", diff)
			}
			if v.PersonalBest.SubmissionID != v.Submission.ID || v.Rank != board.Standings[i].Rank {
				t.Errorf("rank %d in the verdict, %d on the board", v.Rank, board.Standings[i].Rank)
			}
		}
	})
}

// Case L15: an empty board, a player without a result, and wins.
func TestEdgesOfABoard(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c := s.share(won.Seed)
		p := s.player("p")
		if b := s.board(c.ID); len(b.Standings) != 0 || b.Players != 0 || b.Next != nil || b.Prev != nil {
			t.Errorf("an empty board: %+v", b)
		}
		if _, err := s.Around(t.Context(), p, c.ID, p, 5); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("around a player without a result: %v", err)
		}
		if _, err := s.Leaderboard(t.Context(), p, "nochalleng", challenge.BoardQuery{Limit: 5}); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("the board of no challenge: %v", err)
		}
		if _, err := s.Around(t.Context(), p, "cruel-2026-12-01", p, 5); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("the board of tomorrow: %v", err)
		}
		s.submit(p, c.ID, redeals(1))
		v := s.submit(s.player("winner"), c.ID, won.Log)
		if v.Rank != 1 || v.Players != 2 || v.Submission.Result.Outcome != engine.Won || v.Submission.Result.Cards != 52 {
			t.Errorf("a win: %+v", v)
		}
		b := s.board(c.ID)
		if diff := cmp.Diff([]string{"1 winner", "2 p"}, lines(b.Standings)); diff != "" || b.Winners != 1 {
			t.Errorf("%d winners, %s", b.Winners, diff)
		}
		if c, err := s.Challenge(t.Context(), c.ID); err != nil || c.Players != 2 || c.Winners != 1 {
			t.Errorf("%d players, %d winners, %v", c.Players, c.Winners, err)
		}
		last := b.Standings[1].Cursor()
		end, err := s.Leaderboard(t.Context(), "", c.ID, challenge.BoardQuery{Limit: 5, After: &last})
		if err != nil || len(end.Standings) != 0 || end.Players != 2 || end.Winners != 1 {
			t.Errorf("after the last: %+v, %v", end, err)
		}
	})
}

// Cases D03: the arrival of the whole body decides whether a daily counts; a
// log counts for its own day only.
func TestLateSubmission(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p, q := s.player("p"), s.player("q")
		c, err := s.Today(t.Context(), engine.DefaultVariant())
		if err != nil {
			t.Fatal(err)
		}
		midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
		if !c.ClosesAt.Equal(midnight) || !c.GraceUntil.Equal(midnight.Add(10*time.Minute)) {
			t.Errorf("it closes at %v, grace until %v", c.ClosesAt, c.GraceUntil)
		}
		submit := func(player string, arrived time.Time, log string) challenge.Verdict {
			t.Helper()
			s.set(arrived.Add(3 * time.Second)) // the verification takes a while
			v, err := s.Submit(t.Context(), challenge.Sent{PlayerID: player, ChallengeID: c.ID, Log: log, ArrivedAt: arrived})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		if v := submit(p, midnight.Add(30*time.Second), redeals(5)); v.Submission.Late || v.Rank != 1 || v.WouldRank != 0 {
			t.Errorf("within the grace: %+v", v)
		}
		if v := submit(p, c.GraceUntil.Add(-time.Millisecond), redeals(4)); v.Submission.Late || !v.Submission.Improved {
			t.Errorf("at the last moment: %+v", v)
		}
		if v := submit(p, c.GraceUntil, redeals(1)); !v.Submission.Late || v.Submission.Improved || v.Rank != 1 || v.WouldRank != 1 {
			t.Errorf("a moment later: %+v", v)
		}
		if v := submit(p, c.GraceUntil, redeals(9)); v.Rank != 1 || v.WouldRank != 1 {
			t.Errorf("a worse one, late: rank %d, would rank %d", v.Rank, v.WouldRank)
		}
		v := submit(q, c.GraceUntil.Add(time.Hour), redeals(6))
		if !v.Submission.Late || v.Rank != 0 || v.PersonalBest != nil || v.WouldRank != 2 || v.Players != 1 || len(v.Neighbours) != 0 {
			t.Errorf("another player, late: %+v", v)
		}
		b := s.board(c.ID)
		if len(b.Standings) != 1 || b.Standings[0].Result.Moves != 4 {
			t.Errorf("the board: %+v", b.Standings)
		}
		if n := s.count(`SELECT COUNT(*) FROM submissions WHERE challenge_id = $1`, c.ID); n != 5 {
			t.Errorf("%d submissions are kept, want all 5", n)
		}
		next, err := s.Today(t.Context(), engine.DefaultVariant())
		if err != nil || next.ID != "cruel-2026-12-01" || next.Seed == c.Seed || next.Players != 0 {
			t.Errorf("the next day: %+v, %v", next, err)
		}
		s.checkRanks(c.ID)
	})
}

// Cases D04, D05: days to come, and past ones that nobody opened, are not there
// and leave nothing behind.
func TestDaysThatAreNotThere(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		for _, id := range []string{
			"cruel-2026-12-01", "cruel-2026-12-03", "cruel-2026-11-29", "cruel-2026-02-30", "cruel-9999-12-31",
			"cruel-26-1-1", "cruel-20260101", "nothing-2026-11-30", "-2026-11-30", "2026-11-30", "cruel-2026-11-30 ", "CRUEL-2026-11-30", "",
		} {
			if c, err := s.Challenge(t.Context(), id); err != challenge.ErrNotFound || c != (challenge.Challenge{}) {
				t.Errorf("Challenge(%q) = %+v, %v", id, c, err)
			}
			if _, err := s.send(p, id, redeals(1)); err != challenge.ErrNotFound {
				t.Errorf("a submission for %q: %v", id, err)
			}
			if _, err := s.Leaderboard(t.Context(), p, id, challenge.BoardQuery{Limit: 5}); err != challenge.ErrNotFound {
				t.Errorf("the board of %q: %v", id, err)
			}
		}
		if n := s.count(`SELECT COUNT(*) FROM challenges`); n != 0 {
			t.Errorf("%d challenges were opened", n)
		}

		// A day that is prepared is still not there before it opens.
		err := plant(t, s.db, `
			INSERT INTO challenges (id, kind, variant, rules_version, day, seed, opens_at, closes_at, grace_until, created_at)
			VALUES ('cruel-2026-12-01', 'daily', 'cruel', 1, '2026-12-01', 'prepared', $1, $2, $2, 0)`,
			noon.Add(12*time.Hour).UnixMilli(), noon.Add(36*time.Hour).UnixMilli())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Challenge(t.Context(), "cruel-2026-12-01"); err != challenge.ErrNotFound {
			t.Errorf("a prepared day: %v", err)
		}
		s.set(noon.Add(12 * time.Hour))
		if c, err := s.Today(t.Context(), engine.DefaultVariant()); err != nil || c.Seed != "prepared" {
			t.Errorf("when it opens: %+v, %v", c, err)
		}
	})
}

// Case D08: a leap day is a day like others.
func TestLeapDay(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		for i, day := range []string{"2028-02-28", "2028-02-29", "2028-03-01"} {
			s.set(time.Date(2028, 2, 28+i, 23, 59, 59, 0, time.UTC))
			c, err := s.Today(t.Context(), engine.DefaultVariant())
			if err != nil || c.ID != "cruel-"+day || c.Day.String() != day || !c.ClosesAt.Equal(s.now().Add(time.Second)) {
				t.Errorf("%s: %+v, %v", day, c, err)
			}
			if v, err := s.send(p, c.ID, redeals(1)); err != nil || v.Rank != 1 || v.Players != 1 {
				t.Errorf("%s: %+v, %v", day, v, err)
			}
		}
	})
}

// Case D11: 200 ask for the day at once: one row and one seed. Another secret
// changes no day that is open.
func TestOneDayForAll(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		other := challenge.New(s.db, challenge.Options{Now: s.now, DailySecret: []byte("another secret")})
		var seeds sync.Map
		parallel(200, func(i int) {
			service := s.Service
			if i%2 == 1 {
				service = other
			}
			seeds.Store(ask(t, service, engine.DefaultVariant()).Seed, true)
		})
		n := 0
		seeds.Range(func(any, any) bool { n++; return true })
		if rows := s.count(`SELECT COUNT(*) FROM challenges`); n != 1 || rows != 1 {
			t.Errorf("%d seeds, %d rows", n, rows)
		}
		for _, v := range engine.Variants() {
			c := ask(t, s.Service, v)
			if c.Variant != v || c.Kind != challenge.Daily || c.RulesVersion != engine.RulesVersion {
				t.Errorf("%s: %+v", v.ID, c)
			}
		}
	})
}

// Case V04: nothing but a log of legal moves is taken, and nothing else is kept.
// Case V06: a log counts for its own deal only.
func TestRefusedLogs(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)
		c, p := s.share(won[0].Seed), s.player("p")
		for _, log := range []string{"", " \t\r\n"} {
			if _, err := s.send(p, c.ID, log); !errors.Is(err, challenge.ErrEmptyLog) {
				t.Errorf("%q: %v", log, err)
			}
		}
		for _, log := range []string{won[1].Log, "R aa", "R x", won[0].Log + " R", strings.Repeat("R ", replay.MaxMoves+1)} {
			var refused *replay.RefusedError
			if _, err := s.send(p, c.ID, log); !errors.As(err, &refused) {
				t.Errorf("%.20q: %v", log, err)
			}
		}
		for _, table := range []string{"submissions", "submission_counts", "submission_keys", "standings", "board_deltas"} {
			if n := s.count(`SELECT COUNT(*) FROM ` + table); n != 0 {
				t.Errorf("%d rows in %s", n, table)
			}
		}
		if v := s.submit(p, c.ID, redeals(replay.MaxMoves)); v.Submission.Result.Moves != replay.MaxMoves {
			t.Errorf("the longest log: %+v", v.Submission)
		}
		want := challenge.Submission{
			ChallengeID: c.ID, Seed: c.Seed, Player: account.Player{ID: p, Name: p, Guest: true, CreatedAt: noon},
			Improved: true, VerifiedAt: s.now().Add(time.Second), VerifiedBy: "v1.2.3", RulesVersion: 1, PublicFrom: c.GraceUntil,
		}
		want.Result, _ = replay.Verify(c.Variant, c.Seed, won[0].Log)
		want.Par = &challenge.Par{Moves: want.Result.Moves, Kind: challenge.BestKnown, Holder: &want.Player}
		got := s.submit(p, c.ID, strings.ReplaceAll(won[0].Log, " ", "\n ")).Submission
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(want, "ID")); diff != "" {
			t.Error(diff)
		}
		if r, err := s.Replay(t.Context(), p, got.ID); err != nil || r.Log != won[0].Log {
			t.Errorf("it is kept as %q, %v", r.Log, err)
		}
		if v := s.submit(p, c.ID, won[0].Log); v.Created || v.Submission.ID != got.ID {
			t.Error("the same log in other white space is a new submission")
		}
	})
}

// Case V07: while a day is not over nobody sees another's log, afterwards all
// do. The same log from two players is kept twice and the first is listed first.
func TestLogsAreSealed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p, q := s.player("p"), s.player("q")
		sub := s.submit(p, today, redeals(3)).Submission
		if v := s.submit(q, today, redeals(3)); !v.Created || v.Rank != 1 || v.Neighbours[0].Player.ID != p {
			t.Errorf("the same log of another: %+v", v)
		}
		see := func(viewer string, sealed bool) {
			t.Helper()
			var err *challenge.SealedLogError
			r, replayErr := s.Replay(t.Context(), viewer, sub.ID)
			if errors.As(replayErr, &err) != sealed || (r.Log == "") != sealed {
				t.Errorf("%s: the log is %q, %v", viewer, r.Log, replayErr)
			}
			if one, err := s.Submission(t.Context(), viewer, sub.ID); err != nil || one.Sealed != sealed {
				t.Errorf("%s: the submission is sealed: %v, %v", viewer, one.Sealed, err)
			}
			list, listErr := s.Submissions(t.Context(), viewer, p, challenge.ListQuery{Limit: 5})
			if listErr != nil || len(list.Submissions) != 1 || list.Submissions[0].Sealed != sealed {
				t.Errorf("%s: the list: %+v, %v", viewer, list, listErr)
			}
			board, boardErr := s.Leaderboard(t.Context(), viewer, today, challenge.BoardQuery{Limit: 5})
			if boardErr != nil || board.Standings[0].Sealed != sealed {
				t.Errorf("%s: the board: %+v, %v", viewer, board, boardErr)
			}
		}
		grace := noon.Add(12*time.Hour + 10*time.Minute)
		s.set(grace.Add(-time.Millisecond))
		see(p, false)
		see(q, true)
		see("", true)
		var sealed *challenge.SealedLogError
		if _, err := s.Replay(t.Context(), q, sub.ID); !errors.As(err, &sealed) || !sealed.Until.Equal(grace) {
			t.Errorf("sealed until: %v", err)
		}
		s.set(grace)
		see(p, false)
		see(q, false)
		see("", false)

		// A challenge that is made later seals what is sent from then on.
		shared := s.share(sub.Seed)
		see("", false)
		later := s.submit(q, shared.ID, redeals(4)).Submission
		if _, err := s.Replay(t.Context(), p, later.ID); !errors.As(err, &sealed) || !sealed.Until.Equal(shared.ClosesAt) {
			t.Errorf("a log since then: %v", err)
		}
		late := s.submit(p, today, redeals(5)).Submission
		if _, err := s.Replay(t.Context(), q, late.ID); !errors.As(err, &sealed) {
			t.Errorf("a late log for the same deal: %v", err)
		}
		s.set(shared.ClosesAt)
		if _, err := s.Replay(t.Context(), "", later.ID); err != nil {
			t.Errorf("when it's over: %v", err)
		}
		if _, err := s.Replay(t.Context(), "", "nothing"); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("no submission: %v", err)
		}
	})
}

// A player shares a seed unless a daily seals it.
func TestShare(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		daily, err := s.Today(t.Context(), engine.DefaultVariant())
		if err != nil {
			t.Fatal(err)
		}
		w := challenge.Sharing{PlayerID: s.player("p"), Variant: engine.Variants()[3], Seed: daily.Seed}
		var sealed *challenge.SealedSeedError
		if _, err := s.Share(t.Context(), w); !errors.As(err, &sealed) || !sealed.Until.Equal(daily.GraceUntil) {
			t.Errorf("today's seed: %v", err)
		}
		s.set(daily.GraceUntil)
		w.ClosesAt = s.now().Add(time.Hour + 300*time.Microsecond).In(time.FixedZone("", 5*3600+45*60))
		c, err := s.Share(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		want := challenge.Challenge{
			ID: c.ID, Kind: challenge.Shared, Variant: w.Variant, RulesVersion: 1, Seed: daily.Seed, CreatedBy: "p",
			OpensAt: s.now(), CreatedAt: s.now(), ClosesAt: s.now().Add(time.Hour), GraceUntil: s.now().Add(time.Hour),
		}
		read, err := s.Challenge(t.Context(), c.ID)
		if err != nil || c != want || read != want {
			t.Errorf("made %+v, read %+v, want %+v, %v", c, read, want, err)
		}
		if _, err := s.Share(t.Context(), w); err != nil {
			t.Errorf("a seed that another shared challenge seals: %v", err)
		}
		if v := s.submit("p", c.ID, "R"); v.Rank != 1 {
			t.Errorf("a submission: %+v", v)
		}
		s.set(c.ClosesAt)
		if v, err := s.send("p", c.ID, redeals(2)); err != nil || !v.Submission.Late {
			t.Errorf("after it has closed: %+v, %v", v, err)
		}
	})
}

// The list of a player's submissions, there and back.
func TestSubmissionPages(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.player("p")
		var want []string
		for i := range 7 {
			v, err := s.send(p, today, redeals(1+i))
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, v.Submission.ID)
			if i%2 == 1 { // some share a millisecond
				s.pass(time.Millisecond)
			}
		}
		whole, err := s.Submissions(t.Context(), "", p, challenge.ListQuery{Limit: 200})
		if err != nil || whole.Next != nil || whole.Prev != nil || len(whole.Submissions) != len(want) {
			t.Fatalf("%+v, %v", whole, err)
		}
		if newest, oldest := whole.Submissions[0].VerifiedAt, whole.Submissions[6].VerifiedAt; !newest.After(oldest) {
			t.Errorf("the newest is of %v, the oldest of %v", newest, oldest)
		}
		for limit := 1; limit <= 7; limit++ {
			var there, back []challenge.Submission
			q := challenge.ListQuery{Limit: limit}
			var last challenge.SubmissionPage
			for more := true; more; more = last.Next != nil {
				if last, err = s.Submissions(t.Context(), "", p, q); err != nil {
					t.Fatal(err)
				}
				there = append(there, last.Submissions...)
				q.After = last.Next
			}
			back = last.Submissions
			for q = (challenge.ListQuery{Limit: limit, Before: last.Prev}); q.Before != nil; {
				page, err := s.Submissions(t.Context(), "", p, q)
				if err != nil {
					t.Fatal(err)
				}
				back = append(page.Submissions, back...)
				q.Before = page.Prev
			}
			if diff := cmp.Diff(whole.Submissions, there); diff != "" {
				t.Errorf("pages of %d: %s", limit, diff)
			}
			if diff := cmp.Diff(whole.Submissions, back); diff != "" {
				t.Errorf("pages of %d, backward: %s", limit, diff)
			}
		}
	})
}

// Two databases give equal boards for the same submissions.
// Cases K05, K06: whatever the zone of the server's clock.
func TestDatabasesAgree(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	var texts [][]byte
	for _, local := range []*time.Location{time.UTC, time.FixedZone("+0545", 5*3600+45*60), time.FixedZone("Europe/Rome", 3600)} {
		time.Local = local
		eachSite(t, func(t *testing.T, s *site) {
			random := rand.New(rand.NewPCG(5, 5))
			c, err := s.Today(t.Context(), engine.DefaultVariant())
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range s.players(15) {
				s.submit(id, c.ID, walk(c.Seed, random, 1+random.IntN(30)))
			}
			board := s.board(c.ID)
			for i := range board.Standings {
				board.Standings[i].SubmissionID = ""
			}
			text, err := json.Marshal([]any{board, c})
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		})
	}
	for _, text := range texts[1:] {
		if !bytes.Equal(texts[0], text) {
			t.Errorf("two databases differ:\n%s\n%s", texts[0], text)
		}
	}
	if !bytes.Contains(texts[0], []byte(`"CreatedAt":"2026-11-30T12:00:00Z"`)) {
		t.Errorf("no time in UTC: %s", texts[0])
	}
}

// A log that was still sealed when another challenge on its seed opened is
// sealed until that is over, too; one that was public by then stays public.
func TestOverlappingSeals(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p, q := s.player("p"), s.player("q")
		share := func(open time.Duration) challenge.Challenge {
			t.Helper()
			c, err := s.Share(t.Context(), challenge.Sharing{
				PlayerID: q, Variant: engine.DefaultVariant(), Seed: "abc", ClosesAt: s.now().Add(open),
			})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		one := share(time.Hour)
		log := s.submit(p, one.ID, redeals(3)).Submission
		s.pass(time.Minute)
		two := share(2 * time.Hour)
		s.set(one.GraceUntil)
		three := share(24 * time.Hour)
		later := s.submit(p, three.ID, redeals(4)).Submission
		var sealed *challenge.SealedLogError
		if _, err := s.Replay(t.Context(), "", log.ID); !errors.As(err, &sealed) || !sealed.Until.Equal(two.GraceUntil) {
			t.Errorf("while the second is open: %v, %+v", err, sealed)
		}
		s.set(two.GraceUntil)
		if r, err := s.Replay(t.Context(), "", log.ID); err != nil || r.Log != "R R R" {
			t.Errorf("after the second: %q, %v", r.Log, err)
		}
		if _, err := s.Replay(t.Context(), "", later.ID); !errors.As(err, &sealed) || !sealed.Until.Equal(three.GraceUntil) {
			t.Errorf("a log of the third: %v, %+v", err, sealed)
		}
	})
}
