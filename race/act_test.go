package race

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

// All states, all acts, everybody. In the columns of acts
//
//	do   it does something
//	ok   it repeats what was done: no error and no change
//	no   it is refused with a *StateError that lists what does something
//	who  it is refused with ErrStranger
func TestTable(t *testing.T) {
	const stranger = "no who who who who who who who who"
	tests := []struct {
		name string
		g    func(t *testing.T) *game

		//     join ready unready leave progress finish forfeit unforfeit rematch
		ana, ben, cyd string
	}{
		{
			"open, alone", func(t *testing.T) *game { return newGame(t, terms()) },
			"ok do ok do no no no no no",
			"do who who who who who who who who",
			"do who who who who who who who who",
		},
		{
			"open, both joined", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActJoin, ben)
				return g
			},
			"ok do ok do no no no no no",
			"ok do ok do no no no no no",
			stranger,
		},
		{
			"open, ana ready", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActJoin, ben)
				g.do(ActReady, ana)
				return g
			},
			"ok ok do do no no no no no",
			"ok do ok do no no no no no",
			stranger,
		},
		{
			"open, ana ready alone", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActReady, ana)
				return g
			},
			"ok ok do do no no no no no",
			"do who who who who who who who who",
			"do who who who who who who who who",
		},
		{
			"countdown", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActJoin, ben)
				g.do(ActReady, ana)
				g.do(ActReady, ben)
				return g
			},
			"ok ok do do no no no no no",
			"ok ok do do no no no no no",
			stranger,
		},
		{
			"running", func(t *testing.T) *game { return runningGame(t, terms()) },
			"ok no no no do do do ok no",
			"ok no no no do do do ok no",
			stranger,
		},
		{
			"running, ben finished", func(t *testing.T) *game {
				g := runningGame(t, terms())
				g.send(ActFinish, ben, "his", won(50))
				return g
			},
			"ok no no no do do do ok no",
			"ok no no no no no no no no",
			stranger,
		},
		{
			"running, ana forfeited", func(t *testing.T) *game {
				g := runningGame(t, terms())
				g.do(ActForfeit, ana)
				return g
			},
			"ok no no no no no ok do no",
			"ok no no no do do do ok no",
			stranger,
		},
		{
			"finished by both", func(t *testing.T) *game {
				g := runningGame(t, terms())
				g.send(ActFinish, ana, "hers", won(50))
				g.send(ActFinish, ben, "his", won(50))
				return g
			},
			"ok no no no no no no no do",
			"ok no no no no no no no do",
			stranger,
		},
		{
			"finished, ben forfeited", func(t *testing.T) *game { return finishedGame(t, terms()) },
			"ok no no no no no no no do",
			"ok no no no no no ok no do",
			stranger,
		},
		{
			"finished, ben beaten", func(t *testing.T) *game {
				g := runningGame(t, firstWin())
				g.send(ActFinish, ana, "hers", won(50))
				return g
			},
			"ok no no no no no no no do",
			"ok no no no no no no no do",
			stranger,
		},
		{
			"finished, both out of time", func(t *testing.T) *game {
				g := runningGame(t, terms())
				g.wait(g.TimeLimit)
				return g
			},
			"ok no no no no no no no do",
			"ok no no no no no no no do",
			stranger,
		},
		{
			"finished, ana offers a rematch", func(t *testing.T) *game {
				g := finishedGame(t, terms())
				g.do(ActRematch, ana)
				return g
			},
			"ok no no no no no no no ok",
			"ok no no no no no ok no do",
			stranger,
		},
		{
			"finished, there is a rematch", func(t *testing.T) *game {
				g := finishedGame(t, terms())
				g.do(ActRematch, ana)
				g.do(ActRematch, ben)
				g.Race, _, _ = g.FollowedBy("ghijkl", g.now)
				return g
			},
			"ok no no no no no no no ok",
			"ok no no no no no ok no ok",
			stranger,
		},
		{
			"finished, the series goes on", func(t *testing.T) *game { return finishedGame(t, bestOf(3)) },
			"ok no no no no no no no no",
			"ok no no no no no ok no no",
			stranger,
		},
		{
			"cancelled, ana left", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActJoin, ben)
				g.do(ActLeave, ana)
				return g
			},
			"no no no ok no no no no no",
			"no no no ok no no no no no",
			stranger,
		},
		{
			"cancelled, ana left the countdown", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.do(ActJoin, ben)
				g.do(ActReady, ana)
				g.do(ActReady, ben)
				g.do(ActLeave, ana)
				return g
			},
			"no no no ok no no no no no",
			"no no no ok no no no no no",
			stranger,
		},
		{
			"cancelled, nobody came", func(t *testing.T) *game {
				g := newGame(t, terms())
				g.wait(openFor)
				return g
			},
			"no no no ok no no no no no",
			stranger,
			stranger,
		},
	}
	seen := map[State]bool{}
	for _, test := range tests {
		g := test.g(t)
		seen[g.State] = true
		for p, row := range map[account.Player]string{ana: test.ana, ben: test.ben, cyd: test.cyd} {
			cells := strings.Fields(row)
			if len(cells) != len(acts) {
				t.Fatalf("%s: %d columns", test.name, len(cells))
			}
			var allowed []ActKind
			for i, kind := range acts {
				if cells[i] == "do" {
					allowed = append(allowed, kind)
				}
			}
			for i, kind := range acts {
				t.Run(test.name+"/"+string(kind)+" by "+p.Name, func(t *testing.T) {
					a := Act{kind, p, "a new log", unfinished(7, 9)}
					before := g.Race
					after, events, err := g.Race.Do(a, g.now)
					if g.Race != before {
						t.Fatal("the argument has changed")
					}
					if changed := after != before; changed != (cells[i] == "do") || changed != (len(events) > 0) {
						t.Errorf("changed is %v, %d events", changed, len(events))
					}
					checkRefusal(t, g.Race, p, cells[i], allowed, err)
				})
			}
			unknown := cells[1] // an act that there is not, by who has a seat and who has none
			if unknown != "who" {
				unknown = "no"
			}
			if r, events, err := g.Race.Do(Act{Kind: "claim", Player: p}, g.now); r != g.Race || events != nil || err == nil {
				t.Errorf("%s: an unknown act: %v, %v", test.name, events, err)
			} else {
				checkRefusal(t, g.Race, p, unknown, allowed, err)
			}
		}
	}
	for _, state := range []State{Open, Countdown, Running, Finished, Cancelled} {
		if !seen[state] {
			t.Errorf("no row is of a race that is %s", state)
		}
	}
}

func checkRefusal(t *testing.T, r Race, p account.Player, cell string, allowed []ActKind, err error) {
	t.Helper()
	var refusal *StateError
	switch cell {
	case "do", "ok":
		if err != nil {
			t.Errorf("error %v", err)
		}
	case "who":
		if err != ErrStranger {
			t.Errorf("error %v", err)
		}
	case "no":
		want := &StateError{State: r.State, Allowed: allowed}
		if seat := r.Seat(p.ID); seat >= 0 {
			want.Entrant = r.Entrants[seat].State
		}
		if !errors.As(err, &refusal) {
			t.Fatalf("error %v", err)
		}
		if diff := cmp.Diff(refusal, want); diff != "" {
			t.Error(diff)
		}
	default:
		t.Fatalf("cell %q", cell)
	}
}

func TestStateErrorSpeaksToPlayers(t *testing.T) {
	for _, test := range []struct {
		err  StateError
		want string
	}{
		{StateError{Open, EntrantJoined, []ActKind{ActReady, ActLeave}}, "the race has not begun; you can now: ready, leave"},
		{StateError{Open, "", nil}, "both seats of the race are taken"},
		{StateError{Countdown, EntrantReady, []ActKind{ActUnready, ActLeave}}, "the race is about to begin; you can now: unready, leave"},
		{StateError{Running, "", nil}, "both seats of the race are taken"},
		{StateError{Running, EntrantRacing, []ActKind{ActFinish}}, "the race is running; you can now: finish"},
		{StateError{Running, EntrantFinished, nil}, "you have finished, which is for good"},
		{StateError{Running, EntrantForfeited, []ActKind{ActUnforfeit}}, "you have forfeited; you can now: unforfeit"},
		{StateError{Finished, "", nil}, "the race is over"},
		{StateError{Finished, EntrantFinished, []ActKind{ActRematch}}, "the race is over; you can now: rematch"},
		{StateError{Cancelled, "", nil}, "the race was cancelled"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// The deadlines, to the millisecond.

func TestOpenRaceIsCancelledAfter30Minutes(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ben)
	g.wait(30*time.Minute - time.Millisecond)
	g.is(Open, EntrantJoined, EntrantReady)
	g.wait(time.Hour)
	g.is(Cancelled, EntrantJoined, EntrantReady)
	g.told(Event{Kind: EventCancelled, Seat: -1, At: start.Add(30 * time.Minute)})
}

func TestBothReadyBeginTheCountdown(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ben)
	g.wait(time.Minute)
	g.do(ActReady, ana)
	g.is(Countdown, EntrantReady, EntrantReady)
	g.told(
		Event{Kind: EventCreated, Seat: 0, At: start},
		Event{Kind: EventJoined, Seat: 1, At: start},
		Event{Kind: EventReady, Seat: 1, At: start},
		Event{Kind: EventReady, Seat: 0, At: g.now},
		Event{Kind: EventCountdown, Seat: -1, At: g.now},
	)
	if begins := g.now.Add(5 * time.Second); g.StartsAt != begins || g.EndsAt != begins.Add(g.TimeLimit) {
		t.Errorf("from %v to %v", g.StartsAt, g.EndsAt)
	}
}

func TestCountdownEndsInTheStart(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.wait(5*time.Second - time.Millisecond)
	g.is(Countdown, EntrantReady, EntrantReady)
	g.wait(time.Second)
	g.is(Running, EntrantRacing, EntrantRacing)
	g.told(Event{Kind: EventStarted, Seat: -1, At: start.Add(5 * time.Second)})
	if !g.Rated {
		t.Error("the race isn't rated")
	}
	dealt, err := replay.Verify(g.Variant, g.Seed, "")
	if err != nil || g.Entrants[0].Result != dealt || g.Entrants[1].Result != dealt || dealt.Cards != 4 {
		t.Errorf("they begin with %+v", g.Entrants)
	}
}

func TestWhoIsRacingAtTheEndIsOutOfTime(t *testing.T) {
	g := runningGame(t, terms())
	end := g.EndsAt
	g.send(ActProgress, ana, "hers", unfinished(20, 30))
	g.send(ActProgress, ben, "his", unfinished(21, 90))
	g.wait(g.TimeLimit - time.Millisecond)
	g.is(Running, EntrantRacing, EntrantRacing)
	g.wait(time.Hour)
	g.is(Finished, EntrantOutOfTime, EntrantOutOfTime)
	g.ended(Win, 1)
	g.told(Event{Kind: EventOver, Seat: -1, At: end})
	for _, e := range g.Entrants {
		if !e.FinishedAt.Equal(end) {
			t.Errorf("finished at %v, want %v", e.FinishedAt, end)
		}
	}
	if g.Entrants[0].Log != "hers" || g.Entrants[1].Result != unfinished(21, 90) {
		t.Errorf("their last progress is gone: %+v", g.Entrants)
	}
}

// Case M11: after a long absence of the server every deadline counts at its own
// time.
func TestDeadlinesAreMetLate(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.wait(48 * time.Hour)
	g.is(Finished, EntrantOutOfTime, EntrantOutOfTime)
	g.told(
		Event{Kind: EventStarted, Seat: -1, At: start.Add(5 * time.Second)},
		Event{Kind: EventOver, Seat: -1, At: start.Add(5*time.Second + g.TimeLimit)},
	)
}

// Cases M01, M02: an act finds the race as it is at its time, whether or not
// anybody has looked at the deadlines.
func TestActAtTheDeadlineIsTooLate(t *testing.T) {
	g := runningGame(t, terms())
	g.now = g.EndsAt.Add(-time.Millisecond)
	g.send(ActFinish, ben, "his", won(70))
	g.now = g.EndsAt
	r, events, err := g.Race.Do(Act{ActFinish, ana, "hers", won(60)}, g.now)
	var refusal *StateError
	if !errors.As(err, &refusal) || refusal.State != Finished || refusal.Entrant != EntrantOutOfTime {
		t.Fatalf("error %v", err)
	}
	if want, told := g.Advance(g.now); r != want || !slices.Equal(events, told) || len(events) != 1 {
		t.Errorf("beside the error there is not what was due: %+v, %v", r, events)
	}

	g = newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.now = g.StartsAt
	if err := g.try(Act{Kind: ActUnready, Player: ben}); !errors.As(err, &refusal) || refusal.State != Running {
		t.Errorf("error %v", err)
	}
	g.is(Running, EntrantRacing, EntrantRacing)
}

// Before the start.

// Case M08: who joins twice has one seat.
func TestJoiningAgainIsTheSameSeat(t *testing.T) {
	g := newGame(t, terms())
	version := g.Version
	g.do(ActJoin, ana)
	if g.Version != version || g.Seat(ana.ID) != 0 || g.Entrants[1] != (Entrant{}) {
		t.Errorf("the creator has joined %+v", g.Entrants)
	}
	g.do(ActJoin, ben)
	version = g.Version
	g.do(ActJoin, ben)
	if g.Version != version || g.Seat(ben.ID) != 1 {
		t.Errorf("ben has joined %+v", g.Entrants)
	}
}

func TestTwoSeats(t *testing.T) {
	g := newGame(t, terms())
	taken := 0
	for _, p := range []account.Player{ben, cyd, gus} {
		if g.try(Act{Kind: ActJoin, Player: p}) == nil {
			taken++
		}
	}
	if taken != 1 || g.Entrants[1].Player != ben {
		t.Errorf("%d have joined: %+v", taken, g.Entrants)
	}
}

// A free seat has a player of no ID. Nobody is that player.
func TestNobodyJoins(t *testing.T) {
	g := newGame(t, terms())
	for _, kind := range acts {
		if err := g.try(Act{Kind: kind}); err != ErrStranger || g.Version != 1 {
			t.Errorf("%s: error %v, version %d", kind, err, g.Version)
		}
	}
}

// Case M06: when the creator leaves, nobody waits in a race that can't begin.
func TestCreatorLeaving(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActLeave, ana)
	g.is(Cancelled, EntrantJoined, EntrantJoined)
	g.told(Event{Kind: EventLeft, Seat: 0, At: g.now}, Event{Kind: EventCancelled, Seat: -1, At: g.now})
	g.refused(Act{Kind: ActJoin, Player: cyd})
	g.refused(Act{Kind: ActJoin, Player: ben})
}

func TestOtherLeavingFreesTheSeat(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActReady, ana)
	g.do(ActJoin, ben)
	g.do(ActLeave, ben)
	g.is(Open, EntrantReady, "")
	g.told(Event{Kind: EventLeft, Seat: 1, At: g.now})
	if err := g.try(Act{Kind: ActReady, Player: ben}); err != ErrStranger {
		t.Errorf("ready after leaving: error %v", err)
	}
	g.do(ActJoin, cyd)
	g.is(Open, EntrantReady, EntrantJoined)
	if g.Seat(cyd.ID) != 1 || g.Seat(ben.ID) != -1 {
		t.Errorf("the seats are %+v", g.Entrants)
	}
}

// Case M07: a countdown that is broken off starts nothing, and the next one is
// a full one.
func TestCountdownBrokenOff(t *testing.T) {
	tests := []struct {
		name  string
		act   Act
		state State
		a, b  EntrantState
		last  EventKind
	}{
		{"the creator unreadies", Act{Kind: ActUnready, Player: ana}, Open, EntrantJoined, EntrantJoined, EventUnready},
		{"the other unreadies", Act{Kind: ActUnready, Player: ben}, Open, EntrantJoined, EntrantJoined, EventUnready},
		{"the other leaves", Act{Kind: ActLeave, Player: ben}, Open, EntrantJoined, "", EventLeft},
		{"the creator leaves", Act{Kind: ActLeave, Player: ana}, Cancelled, EntrantReady, EntrantReady, EventCancelled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := newGame(t, terms())
			g.do(ActJoin, ben)
			g.do(ActReady, ana)
			g.do(ActReady, ben)
			g.wait(countdownFor - time.Second)
			g.do(test.act.Kind, test.act.Player)
			g.is(test.state, test.a, test.b)
			if last := g.events[len(g.events)-1].Kind; last != test.last {
				t.Errorf("the last event is %s", last)
			}
			if !g.StartsAt.IsZero() || !g.EndsAt.IsZero() {
				t.Errorf("it still goes from %v to %v", g.StartsAt, g.EndsAt)
			}
			g.wait(time.Minute)
			g.is(test.state, test.a, test.b)
			if test.state == Cancelled {
				return
			}
			g.do(ActJoin, ben)
			g.do(ActReady, ben)
			g.is(Open, EntrantJoined, EntrantReady)
			g.do(ActReady, ana)
			if g.State != Countdown || !g.StartsAt.Equal(g.now.Add(countdownFor)) {
				t.Errorf("at %v the race is %s and starts at %v", g.now, g.State, g.StartsAt)
			}
		})
	}
}

// Both unready at once: the second finds the countdown broken off already.
func TestBothUnreadyAtOnce(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.do(ActReady, ben)
	g.do(ActUnready, ana)
	version := g.Version
	g.do(ActUnready, ben)
	g.is(Open, EntrantJoined, EntrantJoined)
	if g.Version != version {
		t.Error("the second is a change")
	}
}

// A countdown may go beyond the 30 minutes, but nothing waits beyond them.
func TestCountdownBrokenOffAfter30Minutes(t *testing.T) {
	g := newGame(t, terms())
	g.do(ActJoin, ben)
	g.do(ActReady, ana)
	g.wait(openFor - time.Second)
	g.do(ActReady, ben)
	g.wait(2 * time.Second)
	g.is(Countdown, EntrantReady, EntrantReady)
	g.do(ActUnready, ben)
	g.is(Cancelled, EntrantJoined, EntrantJoined)
	g.told(Event{Kind: EventUnready, Seat: 1, At: g.now}, Event{Kind: EventCancelled, Seat: -1, At: g.now})
}

func TestRated(t *testing.T) {
	gone := ben
	gone.Deleted, gone.Name = true, ""
	for _, test := range []struct {
		name  string
		other account.Player
		named bool
		rated bool
	}{
		{"both registered, the server's seed", ben, false, true},
		{"a guest", gus, false, false},
		{"a deleted player", gone, false, false},
		{"a seed that the creator named", ben, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			terms := terms()
			terms.SeedNamed = test.named
			g := newGame(t, terms)
			g.do(ActJoin, test.other)
			g.do(ActReady, ana)
			g.do(ActReady, test.other)
			if g.Rated {
				t.Error("rated before the start")
			}
			g.wait(countdownFor)
			if g.Rated != test.rated {
				t.Errorf("rated is %v", g.Rated)
			}
		})
	}
}

// While it runs.

func TestProgressReplacesTheLast(t *testing.T) {
	g := runningGame(t, terms())
	g.send(ActProgress, ana, "long", unfinished(9, 12))
	g.told(Event{Kind: EventProgress, Seat: 0, At: g.now, Cards: 9, Moves: 12})
	g.send(ActProgress, ana, "short", unfinished(5, 3))
	g.told(Event{Kind: EventProgress, Seat: 0, At: g.now, Cards: 5, Moves: 3})
	if e := g.Entrants[0]; e.Log != "short" || e.Result != unfinished(5, 3) || e.State != EntrantRacing || !e.FinishedAt.IsZero() {
		t.Errorf("got %+v", e)
	}
	version := g.Version
	g.send(ActProgress, ana, "short", unfinished(5, 3))
	if g.Version != version {
		t.Error("the same progress is a change")
	}
}

func TestFinishIsForGood(t *testing.T) {
	g := runningGame(t, terms())
	g.wait(time.Minute)
	g.send(ActFinish, ana, "hers", unfinished(9, 12))
	g.is(Running, EntrantFinished, EntrantRacing)
	g.told(Event{Kind: EventFinished, Seat: 0, At: g.now, Cards: 9, Moves: 12})
	finished := g.Race
	if e := g.Entrants[0]; e.Log != "hers" || e.Result != unfinished(9, 12) || !e.FinishedAt.Equal(g.now) {
		t.Errorf("got %+v", e)
	}
	g.wait(time.Minute)
	g.send(ActFinish, ana, "hers", unfinished(9, 12))
	g.send(ActProgress, ana, "hers", unfinished(9, 12))
	if g.Race != finished {
		t.Error("the same finish is a change")
	}
	for _, a := range []Act{
		{ActFinish, ana, "better", won(50)},
		{ActProgress, ana, "better", won(50)},
		{Kind: ActForfeit, Player: ana},
		{Kind: ActUnforfeit, Player: ana},
		{Kind: ActLeave, Player: ana},
	} {
		g.refused(a)
	}
}

// The answer to a finish that ends the race may be lost like any other.
func TestSameFinishAfterTheEnd(t *testing.T) {
	g := runningGame(t, firstWin())
	g.send(ActProgress, ana, "hers", won(60))
	over := g.Race
	g.wait(time.Hour)
	g.send(ActProgress, ana, "hers", won(60))
	g.send(ActFinish, ana, "hers", won(60))
	if g.Race != over {
		t.Error("the same finish is a change")
	}
	g.refused(Act{ActFinish, ana, "better", won(50)}, ActRematch)
	g.refused(Act{ActFinish, ben, "his", won(50)}, ActRematch)
}

// Who was out of time isn't told that a finish with their last log was taken.
func TestFinishOfTheLastProgressAfterTheEnd(t *testing.T) {
	g := runningGame(t, terms())
	g.send(ActProgress, ana, "hers", won(60))
	g.wait(g.TimeLimit)
	g.refused(Act{ActFinish, ana, "hers", won(60)}, ActRematch)
}

// Case M03: nothing but the time limit and the players' own acts takes anybody
// out. They come back to what they had.
func TestForfeitCanBeWithdrawn(t *testing.T) {
	g := runningGame(t, terms())
	g.send(ActProgress, ana, "hers", unfinished(9, 12))
	racing := g.Race
	g.do(ActForfeit, ana)
	g.is(Running, EntrantForfeited, EntrantRacing)
	g.told(Event{Kind: EventForfeited, Seat: 0, At: g.now})
	version := g.Version
	g.do(ActForfeit, ana)
	if g.Version != version || !g.Entrants[0].FinishedAt.IsZero() {
		t.Errorf("version %d, then %d; finished at %v", version, g.Version, g.Entrants[0].FinishedAt)
	}
	g.refused(Act{ActFinish, ana, "hers", unfinished(9, 12)}, ActUnforfeit)
	g.do(ActUnforfeit, ana)
	g.told(Event{Kind: EventUnforfeited, Seat: 0, At: g.now})
	if g.Entrants != racing.Entrants {
		t.Errorf("got %+v, want %+v", g.Entrants, racing.Entrants)
	}
	g.send(ActFinish, ana, "hers", won(60))
	g.do(ActForfeit, ben)
	g.ended(Win, 0)
	g.refused(Act{Kind: ActUnforfeit, Player: ben}, ActRematch)
}

// Case M26: one who gives up ends it for nobody else.
func TestOtherGoesOnAfterAForfeit(t *testing.T) {
	for _, terms := range []Terms{terms(), firstWin()} {
		g := runningGame(t, terms)
		g.do(ActForfeit, ben)
		g.wait(time.Minute)
		g.send(ActProgress, ana, "half", unfinished(20, 30))
		g.is(Running, EntrantRacing, EntrantForfeited)
		g.send(ActFinish, ana, "hers", unfinished(30, 50))
		g.is(Finished, EntrantFinished, EntrantForfeited)
		g.ended(Win, 0)
	}
}

// Case M04: nobody can claim a win over an absent player; the time limit
// decides.
func TestAbsentPlayer(t *testing.T) {
	g := runningGame(t, terms())
	g.send(ActFinish, ana, "hers", won(60))
	g.wait(g.TimeLimit - time.Millisecond)
	g.is(Running, EntrantFinished, EntrantRacing)
	g.send(ActFinish, ben, "his", won(59))
	g.ended(Win, 1)

	g = runningGame(t, terms())
	g.send(ActFinish, ana, "hers", unfinished(5, 1))
	g.wait(g.TimeLimit)
	g.is(Finished, EntrantFinished, EntrantOutOfTime)
	g.ended(Win, 0)
}

func TestFirstWinEndsTheRace(t *testing.T) {
	for _, kind := range []ActKind{ActProgress, ActFinish} {
		t.Run(string(kind), func(t *testing.T) {
			g := runningGame(t, firstWin())
			g.send(ActProgress, ana, "half", unfinished(51, 52))
			g.wait(time.Minute)
			g.send(kind, ben, "his", won(400))
			g.is(Finished, EntrantBeaten, EntrantFinished)
			g.ended(Win, 1)
			g.told(
				Event{Kind: EventFinished, Seat: 1, At: g.now, Cards: 52, Moves: 400},
				Event{Kind: EventOver, Seat: -1, At: g.now},
			)
			if a := g.Entrants[0]; a.Log != "half" || !a.FinishedAt.Equal(g.now) {
				t.Errorf("the beaten: %+v", a)
			}
			g.refused(Act{ActFinish, ana, "hers", won(48)}, ActRematch)
		})
	}
}

func TestFewestMovesGoesOnAfterAWin(t *testing.T) {
	g := runningGame(t, terms())
	g.send(ActProgress, ben, "his", won(60))
	g.is(Running, EntrantRacing, EntrantRacing)
	g.told(Event{Kind: EventProgress, Seat: 1, At: g.now, Cards: 52, Moves: 60})
	g.send(ActProgress, ben, "back", unfinished(20, 30))
	g.wait(g.TimeLimit)
	if g.Entrants[1].Result != unfinished(20, 30) {
		t.Errorf("got %+v", g.Entrants[1])
	}
	g.ended(Win, 1)
}

// step is what one does in a race of ten minutes, and when. No kind is nothing.
type step struct {
	at     time.Duration
	kind   ActKind
	result replay.Result
}

func TestOutcome(t *testing.T) {
	stuck := unfinished(10, 20)
	stuck.Outcome = engine.Stuck
	const minute = time.Minute
	finish := func(at time.Duration, r replay.Result) step { return step{at, ActFinish, r} }
	progress := func(r replay.Result) step { return step{minute, ActProgress, r} }
	forfeit := step{at: 2 * minute, kind: ActForfeit}
	nothing := step{}

	tests := []struct {
		name    string
		terms   Terms
		a, b    []step
		outcome Outcome
		winner  int
	}{
		{"fewer moves win", terms(), []step{finish(3*minute, won(50))}, []step{finish(minute, won(51))}, Win, 0},
		{"a win beats none", terms(), []step{finish(minute, unfinished(51, 50))}, []step{finish(2*minute, won(900))}, Win, 1},
		{"more cards beat fewer", terms(), []step{finish(minute, unfinished(20, 90))}, []step{finish(minute, unfinished(19, 20))}, Win, 0},
		{"of as many cards fewer moves", terms(), []step{finish(minute, unfinished(20, 90))}, []step{finish(minute, unfinished(20, 89))}, Win, 1},
		{"of equal wins the earlier", terms(), []step{finish(minute+1, won(50))}, []step{finish(minute, won(50))}, Win, 1},
		{"of equal wins the creator's, if earlier", terms(), []step{finish(minute, won(50))}, []step{finish(minute+1, won(50))}, Win, 0},
		{"equal wins in one millisecond", terms(), []step{finish(minute, won(50))}, []step{finish(minute, won(50))}, Draw, -1},
		{"equal wins, one out of time", terms(), []step{progress(won(50))}, []step{finish(9*minute, won(50))}, Win, 1},
		{"equal wins, both out of time", terms(), []step{progress(won(50))}, []step{progress(won(50))}, Draw, -1},
		{"equal and no win", terms(), []step{finish(minute, unfinished(10, 20))}, []step{finish(2*minute, unfinished(10, 20))}, Draw, -1},
		{"equal and one stuck", terms(), []step{finish(minute, stuck)}, []step{finish(2*minute, unfinished(10, 20))}, Draw, -1},
		{"equal and out of time", terms(), []step{progress(unfinished(10, 20))}, []step{finish(minute, unfinished(10, 20))}, Draw, -1},
		{"the last progress counts", terms(), []step{progress(unfinished(11, 20))}, []step{finish(minute, unfinished(10, 20))}, Win, 0},
		{"a forfeit is below any result", terms(), []step{progress(unfinished(40, 60)), forfeit}, []step{finish(minute, unfinished(5, 9))}, Win, 1},
		{"a forfeit with a win at hand", terms(), []step{progress(won(50)), forfeit}, []step{progress(unfinished(5, 9))}, Win, 1},
		{"a forfeit against no card home", terms(), []step{nothing}, []step{progress(unfinished(40, 60)), forfeit}, Win, 0},
		{"a forfeit of no card home against none", terms(), []step{nothing}, []step{forfeit}, NoContest, -1},
		{"a forfeit of no card home against one", terms(), []step{progress(unfinished(5, 1))}, []step{forfeit}, Win, 0},
		{"both forfeit", terms(), []step{progress(unfinished(40, 60)), forfeit}, []step{progress(unfinished(9, 60)), forfeit}, NoContest, -1},
		{"both absent", terms(), []step{nothing}, []step{nothing}, NoContest, -1},
		{"redeals and no card home", terms(), []step{finish(minute, unfinished(4, 1))}, []step{finish(minute, unfinished(4, 2))}, NoContest, -1},
		{"one card home", terms(), []step{finish(minute, unfinished(5, 9))}, []step{nothing}, Win, 0},

		{"the first win", firstWin(), []step{finish(minute+1, won(50))}, []step{finish(minute, won(90))}, Win, 1},
		{"the first win of two in a millisecond", firstWin(), []step{finish(minute, won(90))}, []step{finish(minute, won(50))}, Win, 0},
		{"the first win over a finish", firstWin(), []step{finish(minute, unfinished(51, 50))}, []step{progress(won(900))}, Win, 1},
		{"no win, the better result", firstWin(), []step{progress(unfinished(10, 90))}, []step{finish(minute, unfinished(9, 9))}, Win, 0},
		{"no win, equal", firstWin(), []step{progress(unfinished(10, 90))}, []step{finish(minute, unfinished(10, 90))}, Draw, -1},
		{"no win, both absent", firstWin(), []step{nothing}, []step{nothing}, NoContest, -1},
		{"no win, both forfeit", firstWin(), []step{forfeit}, []step{progress(unfinished(30, 40)), forfeit}, NoContest, -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := runningGame(t, test.terms)
			type move struct {
				step
				p account.Player
			}
			var moves []move
			for _, s := range test.a {
				moves = append(moves, move{s, ana})
			}
			for _, s := range test.b {
				moves = append(moves, move{s, ben})
			}
			slices.SortStableFunc(moves, func(a, b move) int { return int(a.at - b.at) })
			begin := g.now
			for _, m := range moves {
				if g.now = begin.Add(m.at); m.kind != "" && !g.Over() {
					g.send(m.kind, m.p, "log", m.result)
				}
			}
			g.wait(g.TimeLimit)
			g.ended(test.outcome, test.winner)
			if rated := test.outcome != NoContest; g.Rated != rated {
				t.Errorf("rated is %v", g.Rated)
			}
			var wins [2]int
			if test.outcome == Win {
				wins[test.winner] = 1
			}
			if g.Wins != wins {
				t.Errorf("wins are %v", g.Wins)
			}
		})
	}
}
