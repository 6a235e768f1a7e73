package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

var (
	day0 = challenge.DayOf(noon)
	day1 = day0.Add(1)

	midnight = day1.OpensAt()
)

// daily is the daily of a day on a seed, committed to at noon.
func daily(v engine.Variant, d challenge.Day, seed engine.Seed) challenge.Challenge {
	return challenge.Challenge{
		ID: challenge.DailyID(v, d), Kind: challenge.Daily, Variant: v, RulesVersion: engine.RulesVersion, Day: d, Seed: seed,
		OpensAt: d.OpensAt(), ClosesAt: d.ClosesAt(), GraceUntil: d.ClosesAt().Add(10 * time.Minute), CreatedAt: noon,
		Commitment: &challenge.Commitment{Day: d, Hash: challenge.CommitmentHash(v, d, seed), CommittedAt: noon},
	}
}

// prepared opens the dailies of day0 and day1 as if they were solved, but for
// those left out.
func (s *site) prepared(but ...string) {
	s.t.Helper()
	for _, d := range []challenge.Day{day0, day1} {
		for _, v := range engine.Variants() {
			c := daily(v, d, engine.Seed(challenge.DailyID(v, d)))
			if slices.Contains(but, c.ID) {
				continue
			}
			f := challenge.Finding{Effort: challenge.Full, Bound: 60, Moves: 60, Log: "planted", FoundAt: noon, Difficulty: 1}
			if err := s.db.OpenDaily(s.t.Context(), c, f); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// quick are dailies that a solver is done with in a moment, the most urgent first.
var quick = []string{"cruel-stuck-2026-11-30", "cruel-top-first-2026-11-30", "cruel-stuck-2026-12-01"}

// ledger is a Store that writes down what solving brings to it.
type ledger struct {
	challenge.Store
	claiming func() // called before a claim
	claimed  func() // called after it
	storing  func() // called before something is stored

	mu    sync.Mutex
	lines []string // ids of dailies, or "seed effort"
}

func (l *ledger) Claim(ctx context.Context, c challenge.Claim) (bool, error) {
	if l.claiming != nil {
		l.claiming()
	}
	claimed, err := l.Store.Claim(ctx, c)
	if l.claimed != nil {
		l.claimed()
	}
	return claimed, err
}

func (l *ledger) OpenDaily(ctx context.Context, c challenge.Challenge, f challenge.Finding) error {
	return l.write(c.ID, func() error { return l.Store.OpenDaily(ctx, c, f) })
}

func (l *ledger) KeepFinding(ctx context.Context, v engine.Variant, seed engine.Seed, f challenge.Finding) error {
	return l.write(fmt.Sprintf("%s %d", seed, f.Effort), func() error { return l.Store.KeepFinding(ctx, v, seed, f) })
}

// write stores something and then writes it down.
func (l *ledger) write(line string, store func() error) error {
	if l.storing != nil {
		l.storing()
	}
	if err := store(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

// solver is another server, which prepares a day and has so little memory that
// all is solved in a moment; some wins are proven all the same.
func (s *site) solver(store challenge.Store) *challenge.Service {
	options := s.options()
	options.PrepareDays, options.SolverMemory = 1, 1
	return challenge.New(store, options)
}

// solveAll solves until there is nothing left that isn't claimed.
func solveAll(t *testing.T, s *challenge.Service) (times int) {
	t.Helper()
	for ; ; times++ {
		worked, err := s.SolveNext(t.Context())
		if err != nil {
			t.Error(err)
		}
		if !worked || err != nil {
			return times
		}
	}
}

// ask asks for the daily of today, as often as it takes where the machine is
// busy.
func ask(t *testing.T, s *challenge.Service, v engine.Variant) challenge.Challenge {
	t.Helper()
	for {
		c, err := s.Today(t.Context(), v)
		if errors.Is(err, challenge.ErrDrawing) {
			continue
		}
		if err != nil {
			t.Error(err)
		}
		return c
	}
}

// checkDaily checks that a daily can be won in as many moves as its par says,
// and that its seed is committed to.
func (s *site) checkDaily(id string) challenge.Challenge {
	s.t.Helper()
	c, err := s.db.Challenge(s.t.Context(), id)
	if err != nil {
		s.t.Fatalf("%s: %v", id, err)
	}
	d := s.deal(c.Variant, c.Seed)
	r, err := replay.Verify(c.Variant, c.Seed, d.Log)
	if err != nil || r.Outcome != engine.Won || r.Moves != d.Moves || d.Lost || d.SubmissionID != "" {
		s.t.Errorf("%s: its deal is %+v, its log gives %+v, %v", id, d, r, err)
	}
	if c.Par == nil || c.Par.Moves != d.Moves || (c.Par.Kind == challenge.Proven) != (d.Moves == d.Bound) || c.Par.Holder != nil {
		s.t.Errorf("%s: par %+v of %+v", id, c.Par, d)
	}
	if c.Difficulty < 1 || c.Difficulty > 5 {
		s.t.Errorf("%s: difficulty %d", id, c.Difficulty)
	}
	if c.Commitment == nil || c.Commitment.Hash != challenge.CommitmentHash(c.Variant, c.Day, c.Seed) || !c.Commitment.CommittedAt.Equal(c.CreatedAt) {
		s.t.Errorf("%s: commitment %+v of %v", id, c.Commitment, c.CreatedAt)
	}
	return c
}

// The seed of a day is that of who opens it first. What is found for another
// seed is forgotten, for the same one it is kept.
func TestFirstSeedOfADayStays(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		one, two := daily(cruel, day0, "one"), daily(cruel, day0, "two")
		two.CreatedAt = noon.Add(time.Hour)
		two.Commitment.CommittedAt = two.CreatedAt
		open := func(c challenge.Challenge, f challenge.Finding) {
			t.Helper()
			f.Log, f.FoundAt, f.Difficulty = fmt.Sprint(f.Moves), noon, 1
			if err := s.db.OpenDaily(t.Context(), c, f); err != nil {
				t.Fatal(err)
			}
		}
		check := func(when string, par challenge.Par, effort challenge.Effort) {
			t.Helper()
			want := one
			want.Par, want.Bound, want.Difficulty = &par, 58, 1
			got, err := s.db.Challenge(t.Context(), one.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, comparable, cmp.AllowUnexported(challenge.Day{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
			if d := s.deal(cruel, "one"); d.Effort != effort || d.Moves != par.Moves || d.Log != fmt.Sprint(par.Moves) {
				t.Errorf("%s: %+v", when, d)
			}
			if _, err := s.db.Deal(t.Context(), cruel, "two"); !errors.Is(err, challenge.ErrNotFound) {
				t.Errorf("%s: the deal of the other seed: %v", when, err)
			}
			if diff := cmp.Diff([]int{1, 1}, []int{s.count(`SELECT COUNT(*) FROM challenges`), s.count(`SELECT COUNT(*) FROM deals`)}); diff != "" {
				t.Errorf("%s: challenges and deals: %s", when, diff)
			}
		}
		open(one, challenge.Finding{Bound: 58, Moves: 60})
		check("at first", challenge.Par{Moves: 60, Kind: challenge.BestKnown}, challenge.Untouched)
		open(two, challenge.Finding{Effort: challenge.Full, Bound: 59, Moves: 59})
		check("after another seed", challenge.Par{Moves: 60, Kind: challenge.BestKnown}, challenge.Untouched)
		same := two
		same.Seed, same.Commitment = one.Seed, &challenge.Commitment{Day: day0, Hash: one.Commitment.Hash, CommittedAt: two.CreatedAt}
		open(same, challenge.Finding{Effort: challenge.Full, Bound: 58, Moves: 58})
		check("after the same seed", challenge.Par{Moves: 58, Kind: challenge.Proven}, challenge.Full)
	})
}

func TestParallelOpenDaily(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		parallel(20, func(i int) {
			f := challenge.Finding{Bound: 50 + i, Moves: 50 + i, Log: "x", FoundAt: noon, Difficulty: 1}
			if err := s.db.OpenDaily(t.Context(), daily(cruel, day0, engine.Seed(fmt.Sprint("s", i))), f); err != nil {
				t.Error(err)
			}
		})
		c, err := s.db.Challenge(t.Context(), today)
		if err != nil || fmt.Sprint("s", c.Par.Moves-50) != string(c.Seed) || c.Par.Kind != challenge.Proven {
			t.Errorf("%s with par %+v, %v", c.Seed, c.Par, err)
		}
		if n := s.count(`SELECT COUNT(*) FROM deals`); n != 1 {
			t.Errorf("%d deals", n)
		}
	})
}

// commitments reads the commitments from a day on page by page, there and back.
func (s *site) commitments(v engine.Variant, from challenge.Day, limit int) []challenge.Commitment {
	s.t.Helper()
	var there []challenge.Commitment
	q := challenge.CommitmentQuery{Variant: v, From: from, Limit: limit}
	last := challenge.CommitmentPage{}
	for more := true; more; more = last.Next != nil {
		page, err := s.Commitments(s.t.Context(), q)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(page.Commitments) > limit || (page.Prev == nil) != (q.After == nil) {
			s.t.Errorf("%d of %d, the page before is %v", len(page.Commitments), limit, page.Prev)
		}
		there = append(there, page.Commitments...)
		last, q.After = page, page.Next
	}
	back := last.Commitments
	for q = (challenge.CommitmentQuery{Variant: v, From: from, Limit: limit, Before: last.Prev}); q.Before != nil; {
		page, err := s.Commitments(s.t.Context(), q)
		if err != nil {
			s.t.Fatal(err)
		}
		if page.Next == nil {
			s.t.Error("a page before another has none after it")
		}
		back = append(page.Commitments, back...)
		q.Before = page.Prev
	}
	if !slices.Equal(there, back) {
		s.t.Errorf("pages of %d: there %v, back %v", limit, there, back)
	}
	return there
}

// The commitments of a variant, of days past and to come. Shared challenges, and
// dailies that were opened without one, aren't among them.
func TestCommitments(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		royal := mustVariant(t, "royal-family")
		var want []challenge.Commitment
		for i := 3; i >= -2; i-- { // the last day first
			d := day0.Add(i)
			c := daily(cruel, d, engine.Seed("seed-of-"+d.String()))
			want = append([]challenge.Commitment{*c.Commitment}, want...)
			if err := s.db.OpenDaily(t.Context(), c, challenge.Finding{}); err != nil {
				t.Fatal(err)
			}
		}
		other := daily(royal, day0, "another")
		if err := s.db.OpenDaily(t.Context(), other, challenge.Finding{}); err != nil {
			t.Fatal(err)
		}
		s.open(cruel, "a-shared-one", time.Hour)
		old := daily(cruel, day0.Add(-9), "before-there-were-any")
		if err := s.db.OpenDaily(t.Context(), old, challenge.Finding{}); err != nil {
			t.Fatal(err)
		}
		if err := plant(t, s.db, `UPDATE challenges SET commitment_hash = NULL, committed_at = NULL WHERE id = $1`, old.ID); err != nil {
			t.Fatal(err)
		}

		for limit := 1; limit <= 7; limit++ {
			if got := s.commitments(cruel, day0.Add(-30), limit); !slices.Equal(got, want) {
				t.Errorf("pages of %d: %v, want %v", limit, got, want)
			}
			if got := s.commitments(cruel, day0, limit); !slices.Equal(got, want[2:]) {
				t.Errorf("from today, pages of %d: %v, want %v", limit, got, want[2:])
			}
		}
		if got := s.commitments(royal, day0, 5); !slices.Equal(got, []challenge.Commitment{*other.Commitment}) {
			t.Errorf("another variant: %v", got)
		}
		for name, q := range map[string]challenge.CommitmentQuery{
			"from after the last":   {Variant: cruel, From: day0.Add(4)},
			"after the last":        {Variant: cruel, From: day0, After: new(day0.Add(3))},
			"before the first":      {Variant: cruel, From: day0, Before: &day0},
			"a variant without any": {Variant: engine.Variants()[1], From: day0},
		} {
			q.Limit = 5
			if page, err := s.Commitments(t.Context(), q); err != nil || len(page.Commitments) != 0 || page.Next != nil || page.Prev != nil {
				t.Errorf("%s: %+v, %v", name, page, err)
			}
		}
		for _, c := range want { // all of noon today
			if before := c.Day.OpensAt().After(noon); c.Beforehand() != before {
				t.Errorf("that of %v is beforehand: %v", c.Day, c.Beforehand())
			}
		}
	})
}

// Two servers that solve at once share the work, and nothing is done twice. Then
// the dailies of today and tomorrow are on deals that can be won, and tomorrow's
// are there for nobody before their day begins.
func TestDailiesArePrepared(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ids := []string{ // the others take long with the race detector
			"cruel-2026-11-30", "cruel-stuck-2026-11-30", "cruel-top-first-2026-11-30",
			"cruel-2026-12-01", "cruel-stuck-2026-12-01", "cruel-top-first-2026-12-01",
		}
		s.prepared(ids...)
		want := slices.Clone(ids)
		for _, g := range wins(t)[:2] {
			s.open(cruel, g.Seed, time.Hour)
			want = append(want, fmt.Sprint(g.Seed, " 1"), fmt.Sprint(g.Seed, " 2"))
		}
		ledger := &ledger{Store: s.db}
		parallel(2, func(int) { solveAll(t, s.solver(ledger)) })
		slices.Sort(want)
		slices.Sort(ledger.lines)
		if diff := cmp.Diff(want, ledger.lines); diff != "" {
			t.Errorf("done (-want +got):\n%s", diff)
		}
		if rows := s.rows(); rows["challenges"] != 18+2 || rows["deals"] != 18+2 || rows["claims"] != 0 {
			t.Errorf("rows %v", rows)
		}

		seeds := map[string]engine.Seed{}
		kinds := map[challenge.ParKind]int{}
		for _, id := range ids {
			c := s.checkDaily(id)
			seeds[id] = c.Seed
			kinds[c.Par.Kind]++
			if d := s.deal(c.Variant, c.Seed); d.Effort != challenge.Full {
				t.Errorf("%s: effort %d", id, d.Effort)
			}
			if tomorrow := c.Day == day1; c.Commitment.Beforehand() != tomorrow {
				t.Errorf("%s: committed to at %v, beforehand %v", id, c.Commitment.CommittedAt, c.Commitment.Beforehand())
			}
			if _, err := s.Challenge(t.Context(), id); (err == nil) != (c.Day == day0) || err != nil && err != challenge.ErrNotFound {
				t.Errorf("%s at noon: %v", id, err)
			}
		}
		if kinds[challenge.Proven] == 0 || kinds[challenge.BestKnown] == 0 {
			t.Errorf("pars of one kind only: %v", kinds)
		}

		s.set(midnight.Add(-time.Millisecond))
		if _, err := s.Daily(t.Context(), cruel, day1); err != challenge.ErrNotFound {
			t.Errorf("before midnight: %v", err)
		}
		s.set(midnight)
		for _, id := range ids[3:] {
			v := mustVariant(t, strings.TrimSuffix(id, "-2026-12-01"))
			c, err := s.Today(t.Context(), v)
			if err != nil || c.Seed != seeds[c.ID] || !c.Commitment.Beforehand() || c.Commitment.Hash != challenge.CommitmentHash(v, day1, c.Seed) {
				t.Errorf("%s at midnight: %+v, %v", v.ID, c, err)
			}
		}
	})
}

// A server that is stopped leaves nothing half done and no claim, and another
// goes on at once.
func TestStoppedSolverLeavesNothing(t *testing.T) {
	tests := []struct {
		name string
		stop func(o *challenge.Options, l *ledger, stop func())
	}{
		{"after the claim", func(_ *challenge.Options, l *ledger, stop func()) { l.claimed = stop }},
		{"while it solves", func(o *challenge.Options, _ *ledger, stop func()) {
			o.ProcessorTime = func() time.Duration { stop(); return 0 }
		}},
		{"as it stores what it found", func(_ *challenge.Options, l *ledger, stop func()) { l.storing = stop }},
	}
	eachSite(t, func(t *testing.T, s *site) {
		s.prepared(quick...)
		other := s.solver(s.db)
		// stopped runs a server that is stopped at the first piece of work.
		stopped := func(name string, how func(*challenge.Options, *ledger, func())) {
			t.Helper()
			before := s.rows()
			ctx, stop := context.WithCancel(t.Context())
			ledger := &ledger{Store: s.db}
			options := s.options()
			options.PrepareDays, options.SolverMemory = 1, 1
			how(&options, ledger, stop)
			if worked, err := challenge.New(ledger, options).SolveNext(ctx); !worked || !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, %v", name, worked, err)
			}
			if diff := cmp.Diff(before, s.rows()); diff != "" {
				t.Errorf("%s: rows (-before +after):\n%s", name, diff)
			}
		}
		for i, test := range tests {
			stopped(test.name, test.stop)
			if _, err := s.db.Challenge(t.Context(), quick[i]); !errors.Is(err, challenge.ErrNotFound) {
				t.Errorf("%s: the daily: %v", test.name, err)
			}
			if worked, err := other.SolveNext(t.Context()); !worked || err != nil {
				t.Errorf("%s: another server: %v, %v", test.name, worked, err)
			}
			s.checkDaily(quick[i])
		}
		seed := wins(t)[0].Seed
		s.open(cruel, seed, time.Hour)
		for _, effort := range []challenge.Effort{challenge.Quick, challenge.Full} {
			had := s.deal(cruel, seed)
			for _, test := range tests {
				stopped("a shared deal, "+test.name, test.stop)
				if diff := cmp.Diff(had, s.deal(cruel, seed), comparable); diff != "" {
					t.Errorf("a shared deal, %s: %s", test.name, diff)
				}
			}
			if worked, err := other.SolveNext(t.Context()); !worked || err != nil || s.deal(cruel, seed).Effort != effort {
				t.Errorf("a shared deal, another server: %v, %v, %+v", worked, err, s.deal(cruel, seed))
			}
		}
	})
}

// What a server was at that has been killed is taken up when its claim lapses;
// the rest isn't kept waiting.
func TestKilledSolverIsReplaced(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ids := quick[:2]
		s.prepared(ids...)
		const long = 9 * time.Second
		dead := challenge.Claim{Work: ids[0], Holder: "dead", Now: s.now(), Until: s.now().Add(long)}
		if claimed, err := s.db.Claim(t.Context(), dead); !claimed || err != nil {
			t.Fatal(claimed, err)
		}
		if times := solveAll(t, s.solver(s.db)); times != 1 {
			t.Errorf("there were %d things to do", times)
		}
		s.checkDaily(ids[1])
		s.pass(long - time.Millisecond)
		if times := solveAll(t, s.solver(s.db)); times != 0 {
			t.Errorf("before the claim lapses there were %d things to do", times)
		}
		s.pass(time.Millisecond)
		if times := solveAll(t, s.solver(s.db)); times != 1 {
			t.Errorf("when it has lapsed there were %d things to do", times)
		}
		s.checkDaily(ids[0])
	})
}

// What another server has done since the work was listed isn't done again.
func TestDoneWorkIsLeft(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.prepared(quick[0])
		other := s.solver(s.db)
		ledger := &ledger{Store: s.db, claiming: func() { solveAll(t, other) }}
		for _, work := range []string{"a daily", "a shared deal"} {
			if worked, err := s.solver(ledger).SolveNext(t.Context()); !worked || err != nil || len(ledger.lines) != 0 {
				t.Errorf("%s: %v, %v, done %q", work, worked, err, ledger.lines)
			}
			s.open(cruel, wins(t)[0].Seed, time.Hour)
		}
		s.checkDaily(quick[0])
	})
}

// Dailies come first, today's before tomorrow's. Of the deals that players
// brought all get a quick look before any gets more, the oldest first. What is
// decided at the first look gets no second.
func TestMostUrgentIsSolvedFirst(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		won := wins(t)
		s.prepared(quick[1:]...)
		long := 8 * time.Hour
		one := s.open(cruel, won[0].Seed, long)
		s.pass(time.Second)
		lost := s.open(mustVariant(t, "perseverance"), "k", long)
		s.pass(time.Second)
		two := s.open(cruel, won[1].Seed, long)
		s.pass(time.Second)
		s.open(cruel, won[0].Seed, long) // a deal that is there
		player := s.submit(s.player("p"), two.ID, later(9, won[1].Log))

		ledger := &ledger{Store: s.db}
		solveAll(t, s.solver(ledger))
		want := []string{
			quick[1], quick[2],
			fmt.Sprint(one.Seed, " 1"), "k 2", fmt.Sprint(two.Seed, " 1"),
			fmt.Sprint(one.Seed, " 2"), fmt.Sprint(two.Seed, " 2"),
		}
		if diff := cmp.Diff(want, ledger.lines); diff != "" {
			t.Errorf("done (-want +got):\n%s", diff)
		}
		for _, c := range []challenge.Challenge{one, two} {
			c, err := s.Challenge(t.Context(), c.ID)
			d := s.deal(c.Variant, c.Seed)
			r, verifyErr := replay.Verify(c.Variant, c.Seed, d.Log)
			if err != nil || verifyErr != nil || d.Effort != challenge.Full || r.Moves != d.Moves || c.Par == nil || c.Par.Moves != d.Moves ||
				c.Par.Holder != nil || c.Difficulty < 1 || c.Difficulty > 5 || c.Lost || c.Commitment != nil {
				t.Errorf("%+v, %+v, %v, %v", c, d, err, verifyErr)
			}
			if d.Moves > player.Submission.Result.Moves {
				t.Errorf("the par of %d moves is no less than a player's", d.Moves)
			}
		}
		c, err := s.Challenge(t.Context(), lost.ID)
		if err != nil || !c.Lost || c.Par != nil || c.Difficulty != 0 || s.deal(c.Variant, c.Seed).Effort != challenge.Full {
			t.Errorf("the lost deal: %+v, %v", c, err)
		}
		if _, err := s.Par(t.Context(), lost.ID); !errors.Is(err, challenge.ErrNotFound) {
			t.Errorf("the par of the lost deal: %v", err)
		}
	})
}

// A day that nobody has prepared is drawn for who asks first, on a deal that can
// be won. Its seed isn't committed to beforehand, and it is solved later.
func TestDayIsDrawnForWhoAsks(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		asked := &ledger{Store: s.db}
		servers := []*challenge.Service{s.solver(asked), s.solver(asked)}
		var seeds sync.Map
		parallel(100, func(i int) { seeds.Store(ask(t, servers[i%2], cruel).Seed, true) })
		n := 0
		seeds.Range(func(any, any) bool { n++; return true })
		if rows := s.rows(); n != 1 || rows["challenges"] != 1 || rows["deals"] != 1 {
			t.Errorf("%d seeds, %v", n, rows)
		}
		if n := len(asked.lines); n > len(servers) {
			t.Errorf("it was drawn %d times", n)
		}
		drawn := s.checkDaily(today)
		if drawn.Commitment.Beforehand() {
			t.Error("it is committed to beforehand")
		}
		if d := s.deal(drawn.Variant, drawn.Seed); d.Effort != challenge.Untouched {
			t.Errorf("effort %d", d.Effort)
		}

		s.prepared(today)
		ledger := &ledger{Store: s.db}
		s.pass(time.Minute)
		solveAll(t, s.solver(ledger))
		if diff := cmp.Diff([]string{fmt.Sprint(drawn.Seed, " 2")}, ledger.lines); diff != "" {
			t.Errorf("done (-want +got):\n%s", diff)
		}
		solved := s.checkDaily(today)
		if d := s.deal(solved.Variant, solved.Seed); solved.Seed != drawn.Seed || *solved.Commitment != *drawn.Commitment || d.Effort != challenge.Full || d.Moves > drawn.Par.Moves {
			t.Errorf("drawn %+v, solved %+v", drawn, solved)
		}
	})
}

// A server that was off for a month serves today at once, and the days that
// nobody opened stay away.
func TestDayAfterALongPause(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.prepared()
		s.set(noon.AddDate(0, 1, 0))
		for _, v := range engine.Variants() {
			c := ask(t, s.Service, v)
			if c.ID != v.ID+"-2026-12-30" || s.checkDaily(c.ID).Commitment.Beforehand() {
				t.Errorf("%+v", c)
			}
		}
		for _, d := range []challenge.Day{day0.Add(-1), day0.Add(2), day0.Add(29), day0.Add(31)} {
			if _, err := s.Daily(t.Context(), cruel, d); err != challenge.ErrNotFound {
				t.Errorf("%v: %v", d, err)
			}
		}
		if c, err := s.Daily(t.Context(), cruel, day1); err != nil || c.Day != day1 {
			t.Errorf("the last day that was prepared: %+v, %v", c, err)
		}
		if n := s.count(`SELECT COUNT(*) FROM challenges`); n != 18+9 {
			t.Errorf("%d challenges", n)
		}
	})
}

// A daily that a server of the release before has made, without its deal, is solved like the others.
func TestDailyOfTheReleaseBeforeIsSolved(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		const id = "cruel-stuck-2026-11-30"
		s.prepared(id)
		if err := plant(t, s.db, `
			INSERT INTO challenges (id, kind, variant, rules_version, day, seed, opens_at, closes_at, grace_until, created_at)
			VALUES ($3, 'daily', 'cruel-stuck', 1, '2026-11-30', 'drawn', $1, $2, $2, $1)`,
			day0.OpensAt().UnixMilli(), midnight.UnixMilli(), id); err != nil {
			t.Fatal(err)
		}
		solveAll(t, s.solver(s.db))
		if d := s.deal(mustVariant(t, "cruel-stuck"), "drawn"); d.Effort != challenge.Full {
			t.Errorf("got %+v", d)
		}
	})
}

// A daily that is solved under one claim is not solved under another meanwhile.
func TestDailyIsClaimedByItsDeal(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		c := ask(t, s.Service, cruel)
		s.prepared(today)
		claim := challenge.Claim{Work: "cruel " + string(c.Seed), Holder: "another", Now: s.now(), Until: s.now().Add(time.Second)}
		if claimed, err := s.db.Claim(t.Context(), claim); !claimed || err != nil {
			t.Fatal(claimed, err)
		}
		l := &ledger{Store: s.db}
		solveAll(t, s.solver(l))
		if len(l.lines) > 0 {
			t.Errorf("solved by both: %v", l.lines)
		}
	})
}

// A piece of work that fails holds up nothing behind it, and is tried again later.
func TestFailingWorkIsSetAside(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.prepared("cruel-2026-11-30", "cruel-stuck-2026-11-30")
		failing := &failing{Store: s.db, id: "cruel-2026-11-30"}
		service := s.solver(failing)
		if worked, err := service.SolveNext(t.Context()); !worked || err == nil {
			t.Fatalf("the first piece: %v, %v", worked, err)
		}
		solveAll(t, service)
		if _, err := s.db.Challenge(t.Context(), "cruel-stuck-2026-11-30"); err != nil {
			t.Errorf("the piece behind it: %v", err)
		}
		s.pass(time.Minute)
		failing.id = ""
		solveAll(t, service)
		if _, err := s.db.Challenge(t.Context(), "cruel-2026-11-30"); err != nil {
			t.Errorf("tried again: %v", err)
		}
	})
}

// failing is a store that can't open one daily.
type failing struct {
	challenge.Store
	id string
}

func (f *failing) OpenDaily(ctx context.Context, c challenge.Challenge, found challenge.Finding) error {
	if c.ID == f.id {
		return errors.New("it fails")
	}
	return f.Store.OpenDaily(ctx, c, found)
}

// A daily seals its seed before it opens, too, for servers whose clock is behind: there are neither
// challenges nor hints on it.
func TestSeedOfADayToComeIsSealed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		if err := s.db.OpenDaily(t.Context(), daily(cruel, day1, "to-come"), challenge.Finding{}); err != nil {
			t.Fatal(err)
		}
		s.set(midnight.Add(-time.Second))
		var sealed *challenge.SealedSeedError
		if _, err := s.Share(t.Context(), challenge.Sharing{PlayerID: s.player("p"), Variant: cruel, Seed: "to-come"}); !errors.As(err, &sealed) {
			t.Errorf("a challenge on it: %v", err)
		}
		if _, err := s.Hint(t.Context(), cruel, "to-come", ""); !errors.As(err, &sealed) {
			t.Errorf("a hint for it: %v", err)
		}
	})
}
