package db_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"cruel/account"
	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

var cruel = engine.DefaultVariant()

// mustVariant returns a variant of the table.
func mustVariant(t *testing.T, id string) engine.Variant {
	t.Helper()
	v, err := engine.ParseVariant(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// open shares a challenge for a time. All of them have one maker.
func (s *site) open(v engine.Variant, seed engine.Seed, long time.Duration) challenge.Challenge {
	s.t.Helper()
	err := plant(s.t, s.db, `
		INSERT INTO players (id, name, name_key, created_at) VALUES ('opener', 'opener', 'opener', 0)
		ON CONFLICT DO NOTHING`)
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := s.Share(s.t.Context(), challenge.Sharing{PlayerID: "opener", Variant: v, Seed: seed, ClosesAt: s.now().Add(long)})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *site) deal(v engine.Variant, seed engine.Seed) challenge.Deal {
	s.t.Helper()
	d, err := s.db.Deal(s.t.Context(), v, seed)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *site) keep(v engine.Variant, seed engine.Seed, f challenge.Finding) {
	s.t.Helper()
	if err := s.db.KeepFinding(s.t.Context(), v, seed, f); err != nil {
		s.t.Fatal(err)
	}
}

// par reads the par of a challenge.
func (s *site) par(challengeID string) *challenge.Par {
	s.t.Helper()
	c, err := s.Challenge(s.t.Context(), challengeID)
	if err != nil {
		s.t.Fatal(err)
	}
	return c.Par
}

// win files a win of so many moves, whose log nobody has verified.
func (s *site) win(player string, c challenge.Challenge, moves int) challenge.Submission {
	s.t.Helper()
	sub, _, err := s.db.Submit(s.t.Context(), challenge.Filing{
		LowersPar: true,
		Log:       fmt.Sprintf("%d moves by %s", moves, player),
		Submission: challenge.Submission{
			ID: fmt.Sprintf("%s %s %d", c.ID, player, moves), ChallengeID: c.ID, Player: account.Player{ID: player}, VerifiedAt: s.now(),
			Result: replay.Result{Outcome: engine.Won, Moves: moves, Plays: 48, Redeals: moves - 48, Cards: 52},
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return sub
}

// later is a log that wins as log does, so many moves later: a redeal of a
// fresh deal changes nothing.
func later(n int, log string) string { return strings.Repeat("R ", n) + log }

func TestKeepFindingMerges(t *testing.T) {
	// What is there before: a win of 60 moves by p, found at noon.
	before := challenge.Finding{Effort: challenge.Quick, Bound: 55, States: 10, Moves: 60, Log: "60 moves by p", FoundAt: noon}
	later := noon.Add(time.Hour)
	tests := []struct {
		name       string
		difficulty int // before
		finding    challenge.Finding
		want       func(d *challenge.Deal)
		kind       challenge.ParKind
	}{
		{
			"a greater effort counts", 0,
			challenge.Finding{Effort: challenge.Full, Bound: 55},
			func(d *challenge.Deal) { d.Effort = challenge.Full }, challenge.BestKnown,
		},
		{
			"a smaller effort doesn't", 0,
			challenge.Finding{Effort: challenge.Untouched, Bound: 55},
			func(*challenge.Deal) {}, challenge.BestKnown,
		},
		{
			"a higher bound counts", 0,
			challenge.Finding{Bound: 57},
			func(d *challenge.Deal) { d.Bound = 57 }, challenge.BestKnown,
		},
		{
			"a lower bound doesn't", 0,
			challenge.Finding{Bound: 50},
			func(*challenge.Deal) {}, challenge.BestKnown,
		},
		{
			"a bound that the win has proves it, and its holder stays", 0,
			challenge.Finding{Effort: challenge.Full, Bound: 60},
			func(d *challenge.Deal) { d.Effort, d.Bound = challenge.Full, 60 }, challenge.Proven,
		},
		{
			"what is lost is lost", 0,
			challenge.Finding{Lost: true},
			func(d *challenge.Deal) { d.Lost = true }, challenge.BestKnown,
		},
		{
			"a shorter win has no holder", 0,
			challenge.Finding{Moves: 58, Log: "58 moves", FoundAt: later, Difficulty: 2},
			func(d *challenge.Deal) {
				d.SubmissionID, d.Moves, d.Log, d.FoundAt, d.Difficulty = "", 58, "58 moves", later, 2
			}, challenge.BestKnown,
		},
		{
			"a shorter win that is proven", 3,
			challenge.Finding{Effort: challenge.Full, Bound: 58, Moves: 58, Log: "58 moves", FoundAt: later, Difficulty: 2},
			func(d *challenge.Deal) {
				d.Effort, d.Bound = challenge.Full, 58
				d.SubmissionID, d.Moves, d.Log, d.FoundAt, d.Difficulty = "", 58, "58 moves", later, 2
			}, challenge.Proven,
		},
		{
			"an equal win leaves the log and the holder", 0,
			challenge.Finding{Moves: 60, Log: "60 moves", FoundAt: later, Difficulty: 4},
			func(d *challenge.Deal) { d.Difficulty = 4 }, challenge.BestKnown,
		},
		{
			"an equal win proves the one that is there", 3,
			challenge.Finding{Effort: challenge.Full, Bound: 60, Moves: 60, Log: "60 moves", FoundAt: later, Difficulty: 4},
			func(d *challenge.Deal) { d.Effort, d.Bound = challenge.Full, 60 }, challenge.Proven,
		},
		{
			"a longer win leaves all but an unknown difficulty", 0,
			challenge.Finding{Moves: 61, Log: "61 moves", FoundAt: later, Difficulty: 4},
			func(d *challenge.Deal) { d.Difficulty = 4 }, challenge.BestKnown,
		},
		{
			"a longer win leaves the difficulty", 3,
			challenge.Finding{Moves: 61, Log: "61 moves", FoundAt: later, Difficulty: 4},
			func(*challenge.Deal) {}, challenge.BestKnown,
		},
		{
			"no win leaves the difficulty", 3,
			challenge.Finding{Effort: challenge.Full, Bound: 56},
			func(d *challenge.Deal) { d.Effort, d.Bound = challenge.Full, 56 }, challenge.BestKnown,
		},
	}
	eachSite(t, func(t *testing.T, s *site) {
		s.player("p")
		for i, test := range tests {
			seed := engine.Seed(fmt.Sprint("s", i))
			c := s.open(cruel, seed, time.Hour)
			want := challenge.Deal{Variant: cruel, Seed: seed, Finding: before}
			want.SubmissionID = s.win("p", c, 60).ID
			want.Difficulty = test.difficulty
			s.keep(cruel, seed, challenge.Finding{Effort: challenge.Quick, Bound: 55, States: 10, Difficulty: test.difficulty})
			if diff := cmp.Diff(want, s.deal(cruel, seed), comparable); diff != "" {
				t.Fatalf("%s: before: %s", test.name, diff)
			}
			s.keep(cruel, seed, test.finding)
			if test.finding.Effort >= challenge.Quick { // else it is no better search
				want.States = test.finding.States
			}
			test.want(&want)
			if diff := cmp.Diff(want, s.deal(cruel, seed), comparable); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
			if par := s.par(c.ID); par.Kind != test.kind || (par.Holder == nil) != (want.SubmissionID == "") {
				t.Errorf("%s: par %+v", test.name, par)
			}
			if test.finding.Lost { // and stays so
				s.keep(cruel, seed, challenge.Finding{Effort: challenge.Full})
				if !s.deal(cruel, seed).Lost {
					t.Errorf("%s: not any more", test.name)
				}
			}
		}
		deals := s.count(`SELECT COUNT(*) FROM deals`)
		s.keep(cruel, "of-no-challenge", challenge.Finding{Effort: challenge.Full, Bound: 55, Moves: 55, Log: "x", FoundAt: noon, Difficulty: 1})
		if n := s.count(`SELECT COUNT(*) FROM deals`); n != deals {
			t.Error("a finding makes a deal that no challenge has")
		}
	})
}

var comparable = cmp.Options{cmpopts.EquateComparable(engine.Variant{}), cmpopts.IgnoreFields(challenge.Deal{}, "PublicFrom")}

// Whatever comes first, a deal ends up with the shortest win, the highest bound
// and the greatest effort; of equal wins the first stays.
func TestFindingsAndWinsInAnyOrder(t *testing.T) {
	type step struct {
		player       string // empty for the server
		moves, bound int
		effort       challenge.Effort
	}
	eachSite(t, func(t *testing.T, s *site) {
		s.player("p")
		s.player("q")
		seeds := 0
		// play takes the steps on a fresh deal and checks who holds its par.
		play := func(t *rapid.T, steps []step) challenge.Finding {
			seeds++
			c := s.open(cruel, engine.Seed(fmt.Sprint("s", seeds)), time.Hour)
			var best step
			for _, st := range steps {
				if st.player != "" {
					s.win(st.player, c, st.moves)
				} else {
					f := challenge.Finding{Effort: st.effort, Bound: st.bound, Moves: st.moves}
					if f.Moves > 0 {
						f.Log, f.FoundAt, f.Difficulty = fmt.Sprintf("%d moves by ", f.Moves), noon, 3
					}
					s.keep(c.Variant, c.Seed, f)
				}
				if st.moves > 0 && (best.moves == 0 || st.moves < best.moves) {
					best = st
				}
			}
			d := s.deal(c.Variant, c.Seed)
			if best.moves > 0 && d.Log != fmt.Sprintf("%d moves by %s", best.moves, best.player) || (d.SubmissionID != "") != (best.player != "") {
				t.Errorf("after %+v the log is %q and its submission %q", steps, d.Log, d.SubmissionID)
			}
			return challenge.Finding{Effort: d.Effort, Bound: d.Bound, Moves: d.Moves}
		}
		rapid.Check(t, func(t *rapid.T) {
			optimum := rapid.IntRange(48, 51).Draw(t, "optimum")
			moves := rapid.IntRange(optimum, optimum+3)
			steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
				if player := rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "player"); player != "" {
					return step{player: player, moves: moves.Draw(t, "moves")}
				}
				return step{
					moves:  rapid.OneOf(rapid.Just(0), moves).Draw(t, "moves"),
					bound:  rapid.IntRange(optimum-3, optimum).Draw(t, "bound"),
					effort: challenge.Effort(rapid.IntRange(0, 2).Draw(t, "effort")),
				}
			}), 1, 5).Draw(t, "steps")
			var want challenge.Finding
			for _, st := range steps {
				if want.Moves == 0 || st.moves > 0 && st.moves < want.Moves {
					want.Moves = st.moves
				}
				want.Bound, want.Effort = max(want.Bound, st.bound), max(want.Effort, st.effort)
			}
			for _, order := range [][]step{steps, rapid.Permutation(steps).Draw(t, "order")} {
				if diff := cmp.Diff(want, play(t, order)); diff != "" {
					t.Errorf("after %+v (-want +got):\n%s", order, diff)
				}
			}
		})
	})
}

// A challenge has no par until a win is known. A shorter win lowers it, also one
// that comes late; an equal one doesn't, nor what doesn't win.
func TestWinsLowerPar(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c := s.share(won.Seed)
		p, q, r := s.player("p"), s.player("q"), s.player("r")
		shortest := len(strings.Fields(won.Log))
		steps := []struct {
			name, player, log string
			late              bool
			holder            string // empty where there is no par
			over              int    // than the shortest
		}{
			{"not won", p, redeals(shortest - 10), false, "", 0},
			{"the first win", p, later(3, won.Log), false, p, 3},
			{"an equal one", q, later(3, won.Log), false, p, 3},
			{"a longer one", q, later(4, won.Log), false, p, 3},
			{"a shorter one", q, later(2, won.Log), false, q, 2},
			{"a shorter one of the holder", q, later(1, won.Log), false, q, 1},
			{"fewer moves, not won", p, redeals(1), false, q, 1},
			{"an equal one, late", r, later(1, won.Log), true, q, 1},
			{"a shorter one, late", r, won.Log, true, r, 0},
		}
		for _, step := range steps {
			if step.late {
				s.set(c.GraceUntil)
			}
			v := s.submit(step.player, c.ID, step.log)
			if v.Submission.Late != step.late {
				t.Errorf("%s: late is %v", step.name, v.Submission.Late)
			}
			var want *challenge.Par
			if step.holder != "" {
				holder := account.Player{ID: step.holder, Name: step.holder, Guest: true, CreatedAt: noon}
				want = &challenge.Par{Moves: shortest + step.over, Kind: challenge.BestKnown, Holder: &holder}
			}
			sub, err := s.Submission(t.Context(), "", v.Submission.ID)
			if err != nil {
				t.Fatal(err)
			}
			list, err := s.Submissions(t.Context(), "", step.player, challenge.ListQuery{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			for where, got := range map[string]*challenge.Par{
				"verdict": v.Submission.Par, "challenge": s.par(c.ID), "board": s.board(c.ID).Par, "submission": sub.Par, "list": list.Submissions[0].Par,
			} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: par of the %s (-want +got):\n%s", step.name, where, diff)
				}
			}
		}
		if got := s.deal(c.Variant, c.Seed); got.Log != won.Log || !got.FoundAt.Equal(s.now()) {
			t.Errorf("the win is kept as %q of %v", got.Log, got.FoundAt)
		}

		// A finding with this bound proves it, and the player stays its holder.
		s.keep(c.Variant, c.Seed, challenge.Finding{Effort: challenge.Full, Bound: shortest, Moves: shortest, Log: "x", FoundAt: s.now(), Difficulty: 2})
		if par := s.par(c.ID); par.Moves != shortest || par.Kind != challenge.Proven || par.Holder == nil || par.Holder.ID != r {
			t.Errorf("proven: %+v", par)
		}
	})
}

// A win that has as many moves as the bound needs no further proof.
func TestWinOnTheBoundIsProven(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c, p := s.share(won.Seed), s.player("p")
		s.keep(c.Variant, c.Seed, challenge.Finding{Effort: challenge.Full, Bound: len(strings.Fields(won.Log))})
		if v := s.submit(p, c.ID, later(1, won.Log)); v.Submission.Par.Kind != challenge.BestKnown {
			t.Errorf("above the bound: %+v", v.Submission.Par)
		}
		if v := s.submit(p, c.ID, won.Log); v.Submission.Par.Kind != challenge.Proven || v.Submission.Par.Holder.ID != p {
			t.Errorf("on it: %+v", v.Submission.Par)
		}
	})
}

// A submission that isn't kept lowers no par.
func TestRefusedWinLeavesPar(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c, p := s.share(won.Seed), s.player("p")
		want := s.submit(p, c.ID, later(1, won.Log)).Submission.Par
		if err := plant(t, s.db, `UPDATE submission_counts SET submissions = $1`, challenge.MaxSubmissions); err != nil {
			t.Fatal(err)
		}
		s.set(c.GraceUntil)
		if _, err := s.send(p, c.ID, won.Log); !errors.Is(err, challenge.ErrTooManySubmissions) {
			t.Errorf("the 201st, late: %v", err)
		}
		s.forget(p)
		if _, err := s.send(p, c.ID, won.Log); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("of a deleted player: %v", err)
		}
		if got := s.par(c.ID); got.Moves != want.Moves {
			t.Errorf("par %+v, want %+v", got, want)
		}
	})
}

// What a proof says can't be lowers no par, if a log does it all the same. The
// log is kept and ranked, and the server's log says that something is wrong.
func TestProofStands(t *testing.T) {
	won := wins(t)[0] // of fewer moves than any here
	tests := []struct {
		name    string
		finding challenge.Finding
		wrong   bool
		par     int // after the win; 0 for none
	}{
		{"a proven par", challenge.Finding{Effort: challenge.Full, Bound: 70, Moves: 70}, true, 70},
		{"a bound below the par", challenge.Finding{Bound: 70, Moves: 71}, true, 71},
		{"a bound without a par", challenge.Finding{Bound: 70}, true, 0},
		{"a lost deal", challenge.Finding{Effort: challenge.Full, Lost: true}, true, 0},
		{"nothing that forbids it", challenge.Finding{Effort: challenge.Full, Bound: 50, Moves: 70}, false, 58},
	}
	eachSite(t, func(t *testing.T, s *site) {
		s.player("p")
		var log bytes.Buffer
		options := s.options()
		options.Log = slog.New(slog.NewTextHandler(&log, nil))
		s.Service = challenge.New(s.db, options)
		for _, test := range tests {
			if test.finding.Moves > 0 {
				test.finding.Log, test.finding.FoundAt, test.finding.Difficulty = "planted", noon, 1
			}
			c := s.open(cruel, won.Seed, time.Hour)
			s.keep(cruel, won.Seed, test.finding)
			log.Reset()
			v := s.submit("p", c.ID, won.Log)
			if !v.Created || !v.Submission.Improved || v.Rank != 1 || v.Submission.Result.Outcome != engine.Won {
				t.Errorf("%s: %+v", test.name, v)
			}
			if b := s.board(c.ID); len(b.Standings) != 1 || b.Standings[0].SubmissionID != v.Submission.ID {
				t.Errorf("%s: the board %+v", test.name, b)
			}
			for where, par := range map[string]*challenge.Par{"challenge": s.par(c.ID), "verdict": v.Submission.Par} {
				if (par == nil) != (test.par == 0) || par != nil && (par.Moves != test.par || (par.Holder == nil) != test.wrong) {
					t.Errorf("%s: par of the %s is %+v, want %d", test.name, where, par, test.par)
				}
			}
			for _, want := range []string{"level=ERROR", "seed=" + string(won.Seed), won.Log} {
				if strings.Contains(log.String(), want) != test.wrong {
					t.Errorf("%s: logged is %q; %q", test.name, &log, want)
				}
			}
			if err := plant(t, s.db, `DELETE FROM deals`); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Par belongs to the deal: challenges on one seed have it in common, those in
// another variant have another.
func TestParIsOfVariantAndSeed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		p, q := s.player("p"), s.player("q")
		returns := mustVariant(t, "cruel-returns")
		one, other := s.open(cruel, won.Seed, time.Hour), s.open(returns, won.Seed, time.Hour)
		two := s.open(cruel, won.Seed, 2*time.Hour)
		s.submit(p, one.ID, later(2, won.Log))
		if got := s.par(two.ID); got == nil || got.Holder.ID != p {
			t.Errorf("the second challenge has par %+v", got)
		}
		if got := s.par(other.ID); got != nil {
			t.Errorf("the other variant has par %+v", got)
		}
		s.submit(q, other.ID, won.Log)
		s.submit(q, two.ID, later(1, won.Log))
		s.keep(returns, won.Seed, challenge.Finding{Effort: challenge.Full, Bound: 58})
		three := s.open(cruel, won.Seed, time.Hour)
		var got []string
		for _, id := range []string{one.ID, two.ID, three.ID, other.ID} {
			par := s.par(id)
			got = append(got, fmt.Sprintf("%d %s %s", par.Moves, par.Kind, par.Holder.ID))
		}
		if diff := cmp.Diff([]string{"59 best_known q", "59 best_known q", "59 best_known q", "58 proven q"}, got); diff != "" {
			t.Error(diff)
		}
		if n := s.count(`SELECT COUNT(*) FROM deals`); n != 2 {
			t.Errorf("%d deals", n)
		}
	})
}

func TestDeletedHolder(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c, p := s.share(won.Seed), s.player("p")
		sub := s.submit(p, c.ID, won.Log).Submission
		s.forget(p)
		want := &challenge.Par{Moves: sub.Result.Moves, Kind: challenge.BestKnown, Holder: &account.Player{ID: p, Guest: true, Deleted: true, CreatedAt: noon}}
		if diff := cmp.Diff(want, s.par(c.ID)); diff != "" {
			t.Error(diff)
		}
		if again := s.submit(s.player("q"), c.ID, won.Log); !again.Submission.Par.Holder.Deleted {
			t.Errorf("an equal win of another: %+v", again.Submission.Par)
		}
	})
}

// 30 wins at once, of as many lengths and in two challenges: par is the shortest.
func TestParallelWins(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		ids := s.players(30)
		challenges := []challenge.Challenge{s.open(cruel, won.Seed, time.Hour), s.open(cruel, won.Seed, time.Hour)}
		parallel(30, func(i int) {
			moves := len(strings.Fields(won.Log)) + i
			v, err := s.send(ids[i], challenges[i%2].ID, later(i, won.Log))
			if err != nil {
				t.Error(err)
				return
			}
			if par := v.Submission.Par; par == nil || par.Moves > moves {
				t.Errorf("the verdict of a win of %d moves has par %+v", moves, par)
			}
		})
		for _, c := range challenges {
			if par := s.par(c.ID); par.Moves != len(strings.Fields(won.Log)) || par.Holder.ID != ids[0] {
				t.Errorf("par %+v", par)
			}
		}
	})
}

// seePar reads the log of a par, which is sealed until a time; zero for public.
func (s *site) seePar(where, challengeID string, until time.Time) {
	s.t.Helper()
	var sealed *challenge.SealedLogError
	r, err := s.Par(s.t.Context(), challengeID)
	switch {
	case until.IsZero():
		if err != nil || r.Challenge.ID != challengeID || r.Result.Outcome != engine.Won ||
			r.Result.Moves != r.Challenge.Par.Moves || r.Deal.Moves != r.Result.Moves || len(strings.Fields(r.Deal.Log)) != r.Result.Moves {
			s.t.Errorf("%s: %+v, %v", where, r, err)
		}
	case !errors.As(err, &sealed) || !sealed.Until.Equal(until) || r.Deal.Log != "":
		s.t.Errorf("%s: %+v, %v %+v", where, r, err, sealed)
	}
}

// The log of a par is sealed while the challenge is open, whoever found it, and
// public afterwards.
func TestParLogIsSealed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)
		p := s.player("p")
		players, servers := s.open(cruel, won[0].Seed, time.Hour), s.open(cruel, won[1].Seed, time.Hour)
		if _, err := s.Par(t.Context(), players.ID); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("without a par: %v", err)
		}
		if _, err := s.Par(t.Context(), "nochalleng"); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("of no challenge: %v", err)
		}
		s.submit(p, players.ID, won[0].Log)
		s.keep(cruel, won[1].Seed, challenge.Finding{Moves: len(strings.Fields(won[1].Log)), Log: won[1].Log, FoundAt: s.now()})
		for _, c := range []challenge.Challenge{players, servers} {
			s.seePar("when it is found", c.ID, c.GraceUntil)
		}
		s.set(players.GraceUntil.Add(-time.Millisecond))
		for _, c := range []challenge.Challenge{players, servers} {
			s.seePar("at the last moment", c.ID, c.GraceUntil)
		}
		s.set(players.GraceUntil)
		for _, c := range []challenge.Challenge{players, servers} {
			s.seePar("when it is over", c.ID, time.Time{})
		}
	})
}

// The log of a daily's par is sealed until its grace is over, though it was
// found the day before.
func TestParLogOfADailyIsSealed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c := daily(cruel, challenge.DayOf(noon), won.Seed)
		f := challenge.Finding{Effort: challenge.Full, Moves: len(strings.Fields(won.Log)), Log: won.Log, FoundAt: noon.AddDate(0, 0, -1), Difficulty: 1}
		if err := s.db.OpenDaily(t.Context(), c, f); err != nil {
			t.Fatal(err)
		}
		s.seePar("at noon", c.ID, c.GraceUntil)
		s.set(c.GraceUntil.Add(-time.Millisecond))
		s.seePar("at the end of the grace", c.ID, c.GraceUntil)
		s.set(c.GraceUntil)
		s.seePar("afterwards", c.ID, time.Time{})
	})
}

// A seed that is shared again seals the wins that are found meanwhile, and hides
// nothing that was public.
func TestParLogOfASharedAgainSeed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		p := s.player("p")
		old := s.open(cruel, won.Seed, time.Hour)
		s.submit(p, old.ID, later(1, won.Log))
		s.set(old.GraceUntil)
		s.seePar("before it is shared again", old.ID, time.Time{})

		again := s.open(cruel, won.Seed, time.Hour)
		s.seePar("what was public", old.ID, time.Time{})
		s.pass(time.Minute)
		s.seePar("what was public, later", old.ID, time.Time{})

		s.submit(p, again.ID, won.Log)
		s.seePar("what was found meanwhile", old.ID, again.GraceUntil)
		s.seePar("what was found meanwhile, where it was found", again.ID, again.GraceUntil)
		s.set(again.GraceUntil)
		s.seePar("when it is over", old.ID, time.Time{})
		s.seePar("when it is over, where it was found", again.ID, time.Time{})
	})
}

// A late win for an old challenge is sealed where the seed is open elsewhere.
func TestParLogOfALateWin(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		p := s.player("p")
		old := s.open(cruel, won.Seed, time.Hour)
		s.set(old.GraceUntil)
		again := s.open(mustVariant(t, "cruel-returns"), won.Seed, time.Hour) // a seed is sealed in every variant
		s.submit(p, old.ID, won.Log)
		s.seePar("while it is open in another variant", old.ID, again.GraceUntil)
		s.set(again.GraceUntil)
		s.seePar("when it is over", old.ID, time.Time{})
	})
}

// The log of a par that was still sealed when the seed was shared again is sealed
// until that is over, too; once it is public it stays so.
func TestParLogUnderOverlappingSeals(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		one := s.open(cruel, won.Seed, time.Hour)
		s.submit(s.player("p"), one.ID, won.Log)
		s.pass(time.Minute)
		two := s.open(cruel, won.Seed, 2*time.Hour)
		s.seePar("while both are open", one.ID, two.GraceUntil)
		s.set(one.GraceUntil)
		s.open(cruel, won.Seed, 24*time.Hour)
		s.seePar("while the second is open", one.ID, two.GraceUntil)
		s.set(two.GraceUntil)
		s.seePar("after the second", one.ID, time.Time{})
	})
}

func TestClaims(t *testing.T) {
	const work = "cruel-2026-12-01"
	eachSite(t, func(t *testing.T, s *site) {
		long := 9 * time.Second
		claim := func(holder string) challenge.Claim {
			return challenge.Claim{Work: work, Holder: holder, Now: s.now(), Until: s.now().Add(long)}
		}
		take := func(when, holder string, want bool) {
			t.Helper()
			if got, err := s.db.Claim(t.Context(), claim(holder)); got != want || err != nil {
				t.Errorf("%s: the claim of %s is %v, %v", when, holder, got, err)
			}
		}
		release := func(holder string) {
			t.Helper()
			if err := s.db.Release(t.Context(), claim(holder)); err != nil {
				t.Error(err)
			}
		}
		take("free", "a", true)
		take("held", "b", false)
		s.pass(long - time.Millisecond)
		take("held to the last moment", "b", false)
		take("renewed", "a", true)
		s.pass(time.Millisecond)
		take("held anew", "b", false)
		release("b")
		take("released by another", "b", false)
		s.pass(long)
		take("lapsed", "b", true)
		take("taken over", "a", false)
		release("b")
		take("released", "a", true)

		other := claim("b")
		other.Work = "cruel-2026-12-02"
		if got, err := s.db.Claim(t.Context(), other); !got || err != nil {
			t.Errorf("other work: %v, %v", got, err)
		}
		if n := s.count(`SELECT COUNT(*) FROM claims`); n != 2 {
			t.Errorf("%d claims", n)
		}
		s.pass(long)
		release("nobody")
		if n := s.count(`SELECT COUNT(*) FROM claims`); n != 0 {
			t.Errorf("%d claims that have lapsed are remembered", n)
		}
	})
}

// 20 claim a piece of work at once and one gets it, also where one has lapsed.
func TestParallelClaims(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for range 3 {
			var claimed atomic.Int64
			parallel(20, func(i int) {
				got, err := s.db.Claim(t.Context(), challenge.Claim{
					Work: "w", Holder: fmt.Sprint(i), Now: s.now(), Until: s.now().Add(time.Second),
				})
				if err != nil {
					t.Error(err)
				}
				if got {
					claimed.Add(1)
				}
			})
			if n := claimed.Load(); n != 1 {
				t.Errorf("%d of 20 got it", n)
			}
			s.pass(time.Second)
		}
	})
}

// rows counts all that challenges keep.
func (s *site) rows() map[string]int {
	s.t.Helper()
	rows := map[string]int{}
	for _, table := range []string{"challenges", "deals", "claims", "submissions", "submission_counts", "submission_keys", "standings", "board_deltas", "players"} {
		rows[table] = s.count(`SELECT COUNT(*) FROM ` + table)
	}
	return rows
}

func (s *site) hint(v engine.Variant, seed engine.Seed, log string) challenge.Hint {
	s.t.Helper()
	h, err := s.Hint(s.t.Context(), v, seed, log)
	if err != nil {
		s.t.Errorf("a hint for %s after %.20q: %v", seed, log, err)
	}
	return h
}

// While a challenge on the seed is open nobody gets a hint, in any variant.
func TestHintsForSealedSeeds(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)
		day := daily(cruel, challenge.DayOf(noon), won[0].Seed)
		f := challenge.Finding{Effort: challenge.Full, Moves: len(strings.Fields(won[0].Log)), Log: won[0].Log, FoundAt: noon, Difficulty: 1}
		if err := s.db.OpenDaily(t.Context(), day, f); err != nil {
			t.Fatal(err)
		}
		shared := s.open(cruel, won[1].Seed, time.Hour)
		s.submit(s.player("p"), shared.ID, won[1].Log)
		for _, c := range []challenge.Challenge{shared, day} { // as they end
			for _, now := range []time.Time{s.now(), c.GraceUntil.Add(-time.Millisecond)} {
				s.set(now)
				for _, v := range []engine.Variant{cruel, mustVariant(t, "royal-family")} {
					var sealed *challenge.SealedSeedError
					if h, err := s.Hint(t.Context(), v, c.Seed, ""); !errors.As(err, &sealed) || !sealed.Until.Equal(c.GraceUntil) || h != (challenge.Hint{}) {
						t.Errorf("%s, %s at %v: %+v, %v", c.Kind, v.ID, now, h, err)
					}
				}
			}
			s.set(c.GraceUntil)
			if h := s.hint(cruel, c.Seed, ""); !h.Winnable || h.Moves != s.par(c.ID).Moves {
				t.Errorf("%s, when it is over: %+v", c.Kind, h)
			}
		}
	})
}

// On the way of the shortest win that is known a hint is its next move. A hint
// leaves nothing behind.
func TestHintsAlongPar(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		c := s.open(cruel, won.Seed, time.Hour)
		s.submit(s.player("p"), c.ID, won.Log)
		s.set(c.GraceUntil)
		before := s.rows()
		moves := strings.Fields(won.Log)
		for i := range moves {
			want := challenge.Hint{Winnable: true, Move: moves[i], Moves: len(moves) - i}
			if got := s.hint(cruel, won.Seed, strings.Join(moves[:i], " ")); got != want {
				t.Errorf("after %d moves: %+v, want %+v", i, got, want)
			}
		}
		want := challenge.Hint{Winnable: true, Move: moves[0], Moves: len(moves)}
		if got := s.hint(cruel, won.Seed, "R R"); got != want {
			t.Errorf("after redeals that change nothing: %+v, want %+v", got, want)
		}
		if got := s.hint(cruel, won.Seed, won.Log); got != (challenge.Hint{Winnable: true}) {
			t.Errorf("when it is won: %+v", got)
		}
		if diff := cmp.Diff(before, s.rows()); diff != "" {
			t.Errorf("rows (-before +after):\n%s", diff)
		}
	})
}

// Hints for deals that no challenge has.
func TestHintsForAnyDeal(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		options := s.options()
		options.HintTime = time.Minute // all that is asked for here is proven in much less
		s.Service = challenge.New(s.db, options)
		before := s.rows()
		if h := s.hint(mustVariant(t, "perseverance"), "k", ""); h != (challenge.Hint{Lost: true}) {
			t.Errorf("a lost deal: %+v", h)
		}
		won := wins(t)[0]
		moves := strings.Fields(won.Log)
		last := len(moves) - 1
		if h := s.hint(cruel, won.Seed, strings.Join(moves[:last], " ")); h != (challenge.Hint{Winnable: true, Move: moves[last], Moves: 1}) {
			t.Errorf("before the last move: %+v", h)
		}
		if h := s.hint(cruel, won.Seed, won.Log); h != (challenge.Hint{Winnable: true}) {
			t.Errorf("a game that is won: %+v", h)
		}
		for _, log := range []string{"R aa", "x", won.Log + " R", strings.Repeat("R ", replay.MaxMoves+1)} {
			var refused *replay.RefusedError
			if h, err := s.Hint(t.Context(), cruel, won.Seed, log); !errors.As(err, &refused) || h != (challenge.Hint{}) {
				t.Errorf("%.20q: %+v, %v", log, h, err)
			}
		}
		if diff := cmp.Diff(before, s.rows()); diff != "" {
			t.Errorf("rows (-before +after):\n%s", diff)
		}
	})
}

// A par's log is sealed as long as that of its submission, whatever challenge it is asked through.
func TestParLogIsSealedThroughOlderChallenges(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)[0]
		old := s.open(cruel, won.Seed, time.Hour)
		s.set(old.GraceUntil)
		one := s.open(cruel, won.Seed, time.Hour)
		s.submit(s.player("p"), one.ID, won.Log)
		two := s.open(cruel, won.Seed, 24*time.Hour)
		s.set(one.GraceUntil)
		s.seePar("where it was found", one.ID, two.GraceUntil)
		s.seePar("through an older one", old.ID, two.GraceUntil)
		s.set(two.GraceUntil)
		again := s.open(cruel, won.Seed, time.Hour)
		s.seePar("through one that is opened when it is public", again.ID, time.Time{})
	})
}
