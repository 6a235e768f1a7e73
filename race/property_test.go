package race

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

// results are logs and what they prove, as far as these tests are concerned.
var results = map[string]replay.Result{
	"":            {Cards: 4},
	"redeal":      {Moves: 1, Redeals: 1, Cards: 4},
	"one home":    unfinished(5, 2),
	"many home":   unfinished(40, 70),
	"as many":     unfinished(40, 70),
	"stuck":       {Outcome: engine.Stuck, Moves: 30, Plays: 6, Cards: 10},
	"won":         won(60),
	"won as well": won(60),
	"won better":  won(55),
}

// drawAct draws any act of anybody; often one that the state allows, of an
// entrant, or else few races would come far.
func drawAct(t *rapid.T, r Race) Act {
	kinds, players := acts[:], []account.Player{ana, ben, cyd, gus, {}}
	if rapid.IntRange(0, 3).Draw(t, "likely") > 0 {
		kinds, players = likely[r.State], []account.Player{ana, ben}
	}
	a := Act{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Player: rapid.SampledFrom(players).Draw(t, "player")}
	if a.Kind == ActProgress || a.Kind == ActFinish {
		a.Log = rapid.SampledFrom(logs).Draw(t, "log")
		if seat := r.Seat(a.Player.ID); seat >= 0 && rapid.Bool().Draw(t, "as the other") {
			a.Log = r.Entrants[1-seat].Log
		}
		a.Result = results[a.Log]
	}
	return a
}

var (
	logs   = slices.Sorted(maps.Keys(results))
	likely = map[State][]ActKind{
		Open:      {ActJoin, ActReady, ActReady, ActUnready},
		Countdown: {ActReady},
		Running:   {ActProgress, ActProgress, ActFinish, ActFinish, ActForfeit, ActUnforfeit, ActUnforfeit},
		Finished:  {ActRematch},
		Cancelled: {ActJoin},
	}
)

func drawWait(t *rapid.T, r Race) time.Duration {
	if r.State == Countdown && rapid.Bool().Draw(t, "to the start") {
		return countdownFor
	}
	if rapid.IntRange(0, 9).Draw(t, "long") > 0 {
		return rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, time.Second}).Draw(t, "wait")
	}
	return rapid.SampledFrom([]time.Duration{countdownFor, time.Minute, 29 * time.Minute, 31 * time.Minute, 25 * time.Hour}).Draw(t, "wait")
}

func drawRace(t *rapid.T) (Race, []Event, time.Time) {
	terms := terms()
	terms.Goal = rapid.SampledFrom([]Goal{FewestMoves, FirstWin}).Draw(t, "goal")
	terms.BestOf = rapid.SampledFrom([]int{1, 1, 3, 5}).Draw(t, "best of")
	terms.TimeLimit = rapid.SampledFrom([]time.Duration{time.Minute, time.Hour}).Draw(t, "time limit")
	terms.SeedNamed = rapid.Bool().Draw(t, "seed named")
	r, events, err := New("abcdef", ana, terms, start)
	if err != nil {
		t.Fatal(err)
	}
	now := start
	if rapid.Bool().Draw(t, "begun") {
		for _, a := range []Act{{Kind: ActJoin, Player: ben}, {Kind: ActReady, Player: ana}, {Kind: ActReady, Player: ben}} {
			var told []Event
			if r, told, err = r.Do(a, now); err != nil {
				t.Fatal(err)
			}
			events = append(events, told...)
		}
		now = now.Add(countdownFor)
	}
	return r, events, now
}

// What happens to a race at random.
func TestRandomActs(t *testing.T) {
	reached := map[Outcome]int{}
	rapid.Check(t, func(t *rapid.T) {
		r, events, now := drawRace(t)
		for range rapid.IntRange(10, 60).Draw(t, "acts") {
			now = now.Add(drawWait(t, r))
			before, a := r, drawAct(t, r)

			after, told, err := r.Do(a, now)
			if r != before {
				t.Fatal("the argument has changed")
			}
			checkAdvance(t, r, a, now, after, told, err)
			checkChange(t, r, after, told)
			checkRefused(t, r, a, now, after, told, err)
			checkRace(t, after, now)
			events = append(events, told...)
			r = after

			if r.NextOpens() && rapid.Bool().Draw(t, "next") {
				var next Race
				if next, told, err = r.Next("ghijkl", "tests-2", now); err != nil {
					t.Fatal(err)
				}
				checkNext(t, r, next, told, now)
				if r, told, err = r.FollowedBy("ghijkl", now); err != nil {
					t.Fatal(err)
				}
				events = append(events, told...)
			}
		}
		checkHistory(t, r, events)
		reached[r.Outcome]++
	})
	if reached[Win] == 0 || reached[NoContest] == 0 {
		t.Errorf("the acts don't lead anywhere: %v", reached)
	}
}

// The outcome is right for whatever the entrants have come to.
func TestRandomOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Race{State: Finished, Goal: FewestMoves}
		for seat := range r.Entrants {
			log := rapid.SampledFrom(logs).Draw(t, "log")
			r.Entrants[seat] = Entrant{
				State:      rapid.SampledFrom([]EntrantState{EntrantFinished, EntrantFinished, EntrantOutOfTime, EntrantForfeited}).Draw(t, "state"),
				Log:        log,
				Result:     results[log],
				FinishedAt: start.Add(time.Duration(rapid.IntRange(0, 1).Draw(t, "at")) * time.Millisecond),
			}
		}
		if r.Outcome, r.Winner = decide(r.Entrants); r.Winner >= 0 {
			r.Wins[r.Winner] = 1
		}
		checkOutcome(t, r)

		r.Entrants[0], r.Entrants[1] = r.Entrants[1], r.Entrants[0]
		outcome, winner := decide(r.Entrants)
		if outcome != r.Outcome || outcome == Win && winner != 1-r.Winner {
			t.Fatalf("the seat decides: %q for %d, then %q for %d", r.Outcome, r.Winner, outcome, winner)
		}
	})
}

// checkAdvance wants Do to be Advance and then the act, and each deadline to be
// met once.
func checkAdvance(t *rapid.T, before Race, a Act, now time.Time, after Race, told []Event, err error) {
	advanced, due := before.Advance(now)
	checkChange(t, before, advanced, due)
	if again, events := advanced.Advance(now); again != advanced || events != nil {
		t.Fatalf("a deadline is met twice: %v", events)
	}
	middle, first := before.Advance(now.Add(-time.Second))
	if late, second := middle.Advance(now); late != advanced || !slices.Equal(slices.Concat(first, second), due) {
		t.Fatal("a deadline depends on when it is looked at")
	}
	then, acted, err2 := advanced.Do(a, now)
	if then != after || !slices.Equal(slices.Concat(due, acted), told) || fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Fatalf("Do is something else after Advance: %v, %v", err, err2)
	}
	if at, ok := after.Due(); ok != (!after.Over() || after.NextOpens()) || ok && at.After(now) != !after.Over() {
		t.Fatalf("at %v the %s race is due at %v, %v", now, after.State, at, ok)
	}
}

// checkChange wants a version of each event, and nothing else to change a race
// that is over.
func checkChange(t *rapid.T, before, after Race, told []Event) {
	if after.Version-before.Version != len(told) || (len(told) == 0) != (after == before) {
		t.Fatalf("from version %d to %d by %v", before.Version, after.Version, told)
	}
	if !before.Over() {
		return
	}
	for _, e := range told {
		if e.Kind != EventRematch {
			t.Fatalf("%s after the end", e.Kind)
		}
	}
	after.Version = before.Version
	for seat := range after.Entrants {
		after.Entrants[seat].RematchAt = before.Entrants[seat].RematchAt
	}
	if after != before {
		t.Fatalf("the %s race has changed: %+v, then %+v", before.State, before, after)
	}
}

// checkRefused wants a refused act to change nothing, and what is allowed
// instead to be so.
func checkRefused(t *rapid.T, before Race, a Act, now time.Time, after Race, told []Event, err error) {
	if err == nil {
		return
	}
	if advanced, due := before.Advance(now); after != advanced || !slices.Equal(told, due) {
		t.Fatalf("a refused act has done something: %v", told)
	}
	var refusal *StateError
	if !errors.As(err, &refusal) {
		if err != ErrStranger || after.Seat(a.Player.ID) >= 0 {
			t.Fatal(err)
		}
		return
	}
	for _, kind := range acts {
		_, events, err := after.Do(Act{kind, a.Player, "no other", unfinished(6, 8)}, now)
		if did := err == nil && len(events) > 0; did != slices.Contains(refusal.Allowed, kind) {
			t.Fatalf("%v, and %s: %v", refusal, kind, err)
		}
	}
}

// checkRace wants a race to be one that there can be.
func checkRace(t *rapid.T, r Race, now time.Time) {
	states := map[State][]EntrantState{
		Open:      {EntrantJoined, EntrantReady, ""},
		Countdown: {EntrantReady},
		Running:   {EntrantRacing, EntrantFinished, EntrantForfeited},
		Finished:  {EntrantFinished, EntrantForfeited, EntrantBeaten, EntrantOutOfTime},
		Cancelled: {EntrantJoined, EntrantReady, ""},
	}[r.State]
	racing, ready := 0, 0
	for seat, e := range r.Entrants {
		if !slices.Contains(states, e.State) || (e.State == "") != (e.Player.ID == "") || seat == 0 && e.State == "" {
			t.Fatalf("in a %s race seat %d is %+v", r.State, seat, e)
		}
		switch e.State {
		case EntrantRacing:
			racing++
		case EntrantReady:
			ready++
		}
		ended := e.State == EntrantFinished || e.State == EntrantBeaten || e.State == EntrantOutOfTime
		if e.FinishedAt.IsZero() == ended || e.FinishedAt.After(now) || e.FinishedAt.After(r.EndsAt) {
			t.Fatalf("%s at %v", e.State, e.FinishedAt)
		}
		if !e.RematchAt.IsZero() && r.State != Finished {
			t.Fatalf("a rematch of a %s race", r.State)
		}
	}
	switch {
	case r.Entrants[0].Player.ID == r.Entrants[1].Player.ID:
		t.Fatal("one player on both seats")
	case r.State == Running && racing == 0:
		t.Fatal("nobody is racing in a running race")
	case r.State == Open && ready == 2:
		t.Fatal("both are ready in an open race")
	case r.StartsAt.IsZero() != (r.State == Open || r.State == Cancelled):
		t.Fatalf("a %s race starts at %v", r.State, r.StartsAt)
	case !r.StartsAt.IsZero() && r.EndsAt != r.StartsAt.Add(r.TimeLimit) || r.StartsAt.IsZero() != r.EndsAt.IsZero():
		t.Fatalf("it starts at %v and ends at %v", r.StartsAt, r.EndsAt)
	case r.Rated && (r.SeedNamed || r.Entrants[1].Player.Guest || r.Outcome == NoContest || !r.SeedPublic()):
		t.Fatalf("rated is %+v", r)
	}
	checkOutcome(t, r)
}

// checkOutcome comes to the outcome on another way than the rules: each entrant
// has a row of numbers, and the smaller row wins.
func checkOutcome(t *rapid.T, r Race) {
	outcome, winner, wins := Outcome(""), -1, [2]int{}
	if r.State == Finished {
		var rows [2][]int64
		void, empty := 0, 0
		for seat, e := range r.Entrants {
			row := []int64{0, 1, int64(52 - e.Result.Cards), int64(e.Result.Moves), 0}
			if e.Result.Outcome == engine.Won {
				row[1], row[4] = 0, e.FinishedAt.UnixMilli()
			}
			if e.State == EntrantForfeited {
				row = []int64{1}
				void++
			}
			if e.Result.Cards == 4 {
				empty++
			}
			rows[seat] = row
		}
		order := slices.Compare(rows[0], rows[1])
		switch {
		case void == 2 || empty == 2:
			outcome = NoContest
		case order == 0:
			outcome = Draw
		default:
			outcome, winner = Win, max(order, 0)
			wins[winner] = 1
		}
	}
	if r.Outcome != outcome || r.Winner != winner || r.Wins != wins {
		t.Fatalf("got %q for seat %d, wins %v; want %q for seat %d: %+v", r.Outcome, r.Winner, r.Wins, outcome, winner, r.Entrants)
	}
	if r.State != Finished || r.Goal != FirstWin {
		return
	}
	for seat, e := range r.Entrants {
		if e.State == EntrantBeaten && (r.Winner != 1-seat || r.Entrants[1-seat].Result.Outcome != engine.Won) {
			t.Fatalf("beaten by no win: %+v", r.Entrants)
		}
		if e.State != EntrantForfeited && e.Result.Outcome == engine.Won && r.Winner != seat {
			t.Fatalf("a win was not the first and not the last: %+v", r.Entrants)
		}
	}
}

func checkNext(t *rapid.T, r, next Race, told []Event, now time.Time) {
	checkChange(t, Race{}, next, told)
	if next.State != Open || next.Outcome != "" || next.SeedNamed || next.CreatedAt != now ||
		next.Entrants[0].Player != r.Entrants[0].Player || next.Entrants[1].Player != r.Entrants[1].Player {
		t.Fatalf("after %+v comes %+v", r, next)
	}
	if r.SeriesGoesOn() != (next.Game == r.Game+1 && next.Wins == r.Wins && next.Game <= next.BestOf) {
		t.Fatalf("after race %d of %d, wins %v, comes %d of %d, wins %v", r.Game, r.BestOf, r.Wins, next.Game, next.BestOf, next.Wins)
	}
}

// checkHistory wants the events to tell one story: one start, one end, and not
// both the end and a cancellation.
func checkHistory(t *rapid.T, r Race, events []Event) {
	if r.Version != len(events) {
		t.Fatalf("version %d after %d events", r.Version, len(events))
	}
	count := map[EventKind]int{}
	finishes := [2]int{}
	for i, e := range events {
		count[e.Kind]++
		if i > 0 && e.At.Before(events[i-1].At) {
			t.Fatalf("%v after %v", e, events[i-1])
		}
		if e.Kind == EventFinished {
			finishes[e.Seat]++
		}
	}
	started, over, cancelled := count[EventStarted], count[EventOver], count[EventCancelled]
	switch {
	case started > 1 || over > 1 || cancelled > 1 || started+cancelled > 1 || over > started:
	case count[EventCreated] != 1 || count[EventNext] > 1 || max(finishes[0], finishes[1]) > 1:
	case (over == 1) != (r.State == Finished) || (cancelled == 1) != (r.State == Cancelled):
	case (count[EventNext] == 1) != (r.NextCode != ""):
	default:
		return
	}
	t.Fatalf("the %s race has the events %v", r.State, count)
}
