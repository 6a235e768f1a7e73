package race

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

var (
	start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

	ana = account.Player{ID: "a", Name: "ana", CreatedAt: start}
	ben = account.Player{ID: "b", Name: "ben", CreatedAt: start}
	cyd = account.Player{ID: "c", Name: "cyd", CreatedAt: start}
	gus = account.Player{ID: "g", Name: "guest-7k3q9x", Guest: true, CreatedAt: start}
)

func terms() Terms {
	return Terms{
		Variant:    engine.DefaultVariant(),
		Goal:       FewestMoves,
		Visibility: OpenToAll,
		TimeLimit:  10 * time.Minute,
		BestOf:     1,
		Seed:       "tests-1",
	}
}

func firstWin() Terms {
	t := terms()
	t.Goal = FirstWin
	return t
}

func bestOf(games int) Terms {
	t := terms()
	t.BestOf = games
	return t
}

func won(moves int) replay.Result {
	return replay.Result{Outcome: engine.Won, Moves: moves, Plays: 48, Cards: 52}
}

func unfinished(cards, moves int) replay.Result {
	return replay.Result{Outcome: engine.Unfinished, Moves: moves, Plays: cards - 4, Cards: cards}
}

// game is a race under test, with its clock and all its events.
type game struct {
	*testing.T
	Race
	now    time.Time
	events []Event
}

func newGame(t *testing.T, terms Terms) *game {
	t.Helper()
	r, events, err := New("abcdef", ana, terms, start)
	if err != nil {
		t.Fatal(err)
	}
	return &game{t, r, start, events}
}

// runningGame is one in which ana and ben are racing.
func runningGame(t *testing.T, terms Terms) *game {
	t.Helper()
	g := newGame(t, terms)
	g.begin()
	return g
}

// begin brings an open race to its start.
func (g *game) begin() {
	g.Helper()
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.wait(countdownFor)
	if g.State != Running {
		g.Fatalf("the race is %s", g.State)
	}
}

// wait lets time pass.
func (g *game) wait(d time.Duration) {
	g.now = g.now.Add(d)
	r, events := g.Advance(g.now)
	g.Race, g.events = r, append(g.events, events...)
}

func (g *game) try(a Act) error {
	r, events, err := g.Race.Do(a, g.now)
	g.Race, g.events = r, append(g.events, events...)
	return err
}

func (g *game) do(kind ActKind, p account.Player) {
	g.Helper()
	if err := g.try(Act{Kind: kind, Player: p}); err != nil {
		g.Fatalf("%s by %s: %v", kind, p.Name, err)
	}
}

func (g *game) send(kind ActKind, p account.Player, log string, result replay.Result) {
	g.Helper()
	if err := g.try(Act{kind, p, log, result}); err != nil {
		g.Fatalf("%s by %s: %v", kind, p.Name, err)
	}
}

// refused wants an act refused with what is allowed instead, and nothing
// changed by it.
func (g *game) refused(a Act, allowed ...ActKind) {
	g.Helper()
	before := g.Race
	var refusal *StateError
	if err := g.try(a); !errors.As(err, &refusal) {
		g.Fatalf("%s by %s: error %v", a.Kind, a.Player.Name, err)
	}
	if diff := cmp.Diff(refusal.Allowed, allowed); diff != "" || g.Race != before {
		g.Errorf("%s by %s: %v, changed %v", a.Kind, a.Player.Name, refusal, g.Race != before)
	}
}

// told wants the events to end so.
func (g *game) told(want ...Event) {
	g.Helper()
	got := g.events[max(0, len(g.events)-len(want)):]
	if diff := cmp.Diff(got, want); diff != "" {
		g.Errorf("the last events, got and want:\n%s", diff)
	}
}

// is wants the states of the race and its entrants.
func (g *game) is(state State, a, b EntrantState) {
	g.Helper()
	if g.State != state || g.Entrants[0].State != a || g.Entrants[1].State != b {
		g.Errorf("the race is %s, %q and %q; want %s, %q and %q",
			g.State, g.Entrants[0].State, g.Entrants[1].State, state, a, b)
	}
}

// ended wants the outcome of a race that is finished.
func (g *game) ended(outcome Outcome, winner int) {
	g.Helper()
	if g.State != Finished || g.Outcome != outcome || g.Winner != winner {
		g.Errorf("the race is %s, %q for seat %d; want %q for seat %d", g.State, g.Outcome, g.Winner, outcome, winner)
	}
}

func TestNew(t *testing.T) {
	got, events, err := New("abcdef", ana, Terms{
		Variant: engine.DefaultVariant(), Visibility: ByInvite, TimeLimit: time.Minute, Seed: "tests-1", SeedNamed: true,
	}, start)
	if err != nil {
		t.Fatal(err)
	}
	want := Race{
		Code: "abcdef", Version: 1, State: Open, Goal: FewestMoves, Variant: engine.DefaultVariant(), Visibility: ByInvite,
		TimeLimit: time.Minute, Seed: "tests-1", SeedNamed: true, CreatedAt: start,
		Entrants: [2]Entrant{{Player: ana, State: EntrantJoined}}, Winner: -1, BestOf: 1, Game: 1,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(events, []Event{{Kind: EventCreated, Seat: 0, At: start}}); diff != "" {
		t.Error(diff)
	}
}

func TestTerms(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Terms)
		err    error
	}{
		{"as they are", func(*Terms) {}, nil},
		{"the shortest time", func(t *Terms) { t.TimeLimit = time.Minute }, nil},
		{"the longest time", func(t *Terms) { t.TimeLimit = 24 * time.Hour }, nil},
		{"too short", func(t *Terms) { t.TimeLimit = 59 * time.Second }, ErrTimeLimit},
		{"too long", func(t *Terms) { t.TimeLimit = 24*time.Hour + time.Second }, ErrTimeLimit},
		{"parts of a second", func(t *Terms) { t.TimeLimit = time.Minute + time.Millisecond }, ErrTimeLimit},
		{"no time", func(t *Terms) { t.TimeLimit = 0 }, ErrTimeLimit},
		{"no goal is the fewest moves", func(t *Terms) { t.Goal = "" }, nil},
		{"first win", func(t *Terms) { t.Goal = FirstWin }, nil},
		{"another goal", func(t *Terms) { t.Goal = "most_moves" }, ErrGoal},
		{"by invite", func(t *Terms) { t.Visibility = ByInvite }, nil},
		{"no visibility", func(t *Terms) { t.Visibility = "" }, ErrVisibility},
		{"another visibility", func(t *Terms) { t.Visibility = "secret" }, ErrVisibility},
		{"a single race where nothing is said", func(t *Terms) { t.BestOf = 0 }, nil},
		{"best of 3", func(t *Terms) { t.BestOf = 3 }, nil},
		{"best of 5", func(t *Terms) { t.BestOf = 5 }, nil},
		{"best of 2", func(t *Terms) { t.BestOf = 2 }, ErrBestOf},
		{"best of 7", func(t *Terms) { t.BestOf = 7 }, ErrBestOf},
		{"best of -1", func(t *Terms) { t.BestOf = -1 }, ErrBestOf},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			terms := terms()
			test.change(&terms)
			r, events, err := New("abcdef", ana, terms, start)
			if err != test.err {
				t.Fatalf("got %v, want %v", err, test.err)
			}
			if err != nil && (r != Race{} || events != nil) {
				t.Errorf("a race beside an error: %+v", r)
			}
			if err == nil && (r.Goal == "" || r.BestOf == 0) {
				t.Errorf("goal %q, best of %d", r.Goal, r.BestOf)
			}
		})
	}
}

// Case M20: nothing shows the seed before the start, or after there was none.
func TestSeedIsPublicFromTheStart(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.wait(countdownFor - time.Millisecond)
	if g.SeedPublic() {
		t.Error("public a millisecond before the start")
	}
	g.wait(time.Millisecond)
	if !g.SeedPublic() {
		t.Error("not public at the start")
	}
	g.wait(g.TimeLimit)
	if !g.SeedPublic() {
		t.Error("not public at the end")
	}
	g = newGame(t, terms())
	g.do(ActLeave, ana)
	if g.SeedPublic() {
		t.Error("public though it was cancelled")
	}
}

func TestSeat(t *testing.T) {
	r := newGame(t, terms()).Race
	for id, want := range map[string]int{"a": 0, "b": -1, "": -1} {
		if got := r.Seat(id); got != want {
			t.Errorf("seat of %q: got %d, want %d", id, got, want)
		}
	}
}

func TestDue(t *testing.T) {
	g := newGame(t, terms())
	want := func(at time.Time) {
		t.Helper()
		due, ok := g.Due()
		if ok == at.IsZero() || !due.Equal(at) {
			t.Errorf("the %s race is due %v, %v; want %v", g.State, due, ok, at)
		}
	}
	want(start.Add(30 * time.Minute))
	g.wait(time.Minute)
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	want(start.Add(time.Minute + 5*time.Second))
	g.wait(5 * time.Second)
	want(start.Add(11*time.Minute + 5*time.Second))
	g.wait(10 * time.Minute)
	want(time.Time{})

	g = newGame(t, terms())
	g.do(ActLeave, ana)
	want(time.Time{})
}

// finishedGame is one that ana has won.
func finishedGame(t *testing.T, terms Terms) *game {
	t.Helper()
	g := runningGame(t, terms)
	g.play(ana)
	return g
}

// play lets the winner finish and the other forfeit.
func (g *game) play(winner account.Player) {
	g.Helper()
	loser := ana
	if winner == ana {
		loser = ben
	}
	g.send(ActFinish, winner, "won", won(60))
	g.do(ActForfeit, loser)
}

// next goes on to the race that follows.
func (g *game) next() {
	g.Helper()
	next, events, err := g.Next("ghijkl", "tests-2", g.now)
	if err != nil {
		g.Fatal(err)
	}
	if next.Version != len(events) {
		g.Errorf("version %d after %d events", next.Version, len(events))
	}
	old, told, err := g.FollowedBy("ghijkl", g.now)
	if err != nil || old.NextCode != "ghijkl" || old.Version != g.Version+1 ||
		!cmp.Equal(told, []Event{{Kind: EventNext, Seat: -1, At: g.now}}) {
		g.Errorf("the old race: %+v, %v, %v", old, told, err)
	}
	g.Race, g.events = next, events
}

func TestRematch(t *testing.T) {
	named := terms()
	named.SeedNamed = true
	g := finishedGame(t, named)
	g.wait(time.Hour)
	g.do(ActRematch, ben)
	g.told(Event{Kind: EventRematch, Seat: 1, At: g.now})
	if g.RematchAgreed() || g.NextOpens() {
		t.Error("agreed by one")
	}
	if _, _, err := g.Next("ghijkl", "tests-2", g.now); err != ErrNoNext {
		t.Errorf("Next: error %v", err)
	}
	if r, events, err := g.FollowedBy("ghijkl", g.now); err != ErrNoNext || r != g.Race || events != nil {
		t.Errorf("FollowedBy: %v, %v, %v", r, events, err)
	}
	g.wait(time.Minute)
	g.do(ActRematch, ana)
	if !g.RematchAgreed() || !g.NextOpens() {
		t.Error("not agreed by both")
	}
	g.next()
	want := Race{
		Code: "ghijkl", Version: 2, State: Open, Goal: FewestMoves, Variant: g.Variant, Visibility: OpenToAll,
		TimeLimit: named.TimeLimit, Seed: "tests-2", CreatedAt: g.now,
		Entrants: [2]Entrant{{Player: ana, State: EntrantJoined}, {Player: ben, State: EntrantJoined}},
		Winner:   -1, BestOf: 1, Game: 1,
	}
	if diff := cmp.Diff(g.Race, want); diff != "" {
		t.Error(diff)
	}
	g.told(Event{Kind: EventCreated, Seat: 0, At: g.now}, Event{Kind: EventJoined, Seat: 1, At: g.now})
}

// Case M10: however often and at whatever moment both press, one race follows.
func TestRematchOfBothAtOnceIsOneRace(t *testing.T) {
	g := finishedGame(t, terms())
	g.do(ActRematch, ana)
	g.do(ActRematch, ben)
	version := g.Version
	g.do(ActRematch, ana)
	if g.Version != version {
		t.Error("a repeated offer is a change")
	}
	old, _, err := g.FollowedBy("ghijkl", g.now)
	if err != nil {
		t.Fatal(err)
	}
	g.Race = old
	for _, wait := range []time.Duration{0, time.Minute, time.Hour} {
		g.wait(wait)
		g.do(ActRematch, ana)
		g.do(ActRematch, ben)
		if g.Race != old || g.NextOpens() || g.RematchAgreed() {
			t.Errorf("after %v there can be a second rematch", wait)
		}
	}
	if _, _, err := g.FollowedBy("mnopqr", g.now); err != ErrNoNext {
		t.Errorf("a second code: error %v", err)
	}
}

func TestRematchLapses(t *testing.T) {
	g := finishedGame(t, terms())
	g.do(ActRematch, ana)
	g.wait(30 * time.Minute)
	g.do(ActRematch, ben)
	if g.RematchAgreed() {
		t.Error("agreed though ana's offer has lapsed")
	}
	version := g.Version
	g.wait(30*time.Minute - time.Millisecond)
	g.do(ActRematch, ana)
	g.told(Event{Kind: EventRematch, Seat: 0, At: g.now})
	if g.Version != version+1 || !g.RematchAgreed() {
		t.Error("not agreed a millisecond before ben's offer lapses")
	}
	g.wait(time.Hour)
	g.do(ActRematch, ben)
	if g.Version != version+1 || !g.NextOpens() {
		t.Error("what is agreed has lapsed")
	}
	if due, ok := g.Due(); !ok || due.After(g.now) {
		t.Errorf("the next race is due at %v, %v", due, ok)
	}
}

func TestSeries(t *testing.T) {
	tests := []struct {
		name    string
		bestOf  int
		winners string // of each race: 0, 1 or - for a draw
		wins    [2]int
	}{
		{"a single race", 1, "0", [2]int{1, 0}},
		{"two of three", 3, "00", [2]int{2, 0}},
		{"the third decides", 3, "011", [2]int{1, 2}},
		{"a draw counts as played", 3, "-0-", [2]int{1, 0}},
		{"three draws", 3, "---", [2]int{0, 0}},
		{"three of five", 5, "111", [2]int{0, 3}},
		{"two and draws go on", 5, "0-0-1", [2]int{2, 1}},
		{"all five", 5, "01011", [2]int{2, 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := runningGame(t, bestOf(test.bestOf))
			for i, winner := range test.winners {
				if i > 0 {
					g.next()
					if g.Game != i+1 || g.BestOf != test.bestOf {
						t.Fatalf("race %d of %d after %d", g.Game, g.BestOf, i)
					}
					g.begin()
				}
				switch winner {
				case '0':
					g.play(ana)
				case '1':
					g.play(ben)
				default:
					g.send(ActFinish, ana, "log", unfinished(5, 1))
					g.send(ActFinish, ben, "log", unfinished(5, 1))
				}
				if last := i == len(test.winners)-1; g.SeriesGoesOn() == last || g.NextOpens() == last {
					t.Fatalf("after %d it goes on: %v", i+1, g.SeriesGoesOn())
				}
			}
			if g.Wins != test.wins {
				t.Errorf("got wins %v, want %v", g.Wins, test.wins)
			}
		})
	}
}

// The next race opens by itself, and only when the series is over a rematch is
// a matter of offers. It begins a new series.
func TestRematchOfSeries(t *testing.T) {
	g := finishedGame(t, bestOf(3))
	g.refused(Act{Kind: ActRematch, Player: ana})
	old, _, err := g.FollowedBy("ghijkl", g.now)
	if err != nil {
		t.Fatal(err)
	}
	if !old.SeriesGoesOn() || old.NextOpens() {
		t.Error("the second race can open twice")
	}
	g.next()
	g.begin()
	g.play(ana)
	g.do(ActRematch, ana)
	g.do(ActRematch, ben)
	g.next()
	if g.Game != 1 || g.BestOf != 3 || g.Wins != [2]int{} {
		t.Errorf("race %d of %d, wins %v", g.Game, g.BestOf, g.Wins)
	}
}

func TestSeriesEndsWithACancelledRace(t *testing.T) {
	g := finishedGame(t, bestOf(3))
	g.next()
	g.wait(openFor)
	if g.State != Cancelled || g.SeriesGoesOn() || g.NextOpens() {
		t.Errorf("the race is %s, the series goes on: %v", g.State, g.SeriesGoesOn())
	}
}

// Who leaves the next race of a series gives the series up. Nobody inherits its
// wins.
func TestLeavingASeriesEndsIt(t *testing.T) {
	g := finishedGame(t, bestOf(3))
	g.next()
	g.do(ActLeave, ben)
	g.do(ActJoin, cyd)
	if g.Game != 1 || g.Wins != [2]int{} {
		t.Errorf("race %d, wins %v", g.Game, g.Wins)
	}
}

// Nothing opens for an account that is gone.
func TestNoNextRaceWithADeletedPlayer(t *testing.T) {
	for seat := range 2 {
		g := finishedGame(t, bestOf(3))
		g.Entrants[seat].Player.Deleted = true
		if _, _, err := g.Next("ghijkl", "tests-2", g.now); err != ErrNoNext || g.NextOpens() {
			t.Errorf("seat %d: error %v", seat, err)
		}
	}
}
