package solver_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// openDeal is a deal of cruel that takes longer to decide than any test.
const openDeal = "speed-1006"

// small is a budget that ends early, and always at the same point.
var small = solver.Budget{Memory: 1 << 20}

// Every log that is returned or reported wins by replay, in as many moves as
// it has, and none is shorter than the bound.
func TestLogsWin(t *testing.T) {
	calls := map[string]func(context.Context, engine.Variant, engine.Position, solver.Budget, solver.Watch) (solver.Answer, error){
		"decide": solver.Decide, "improve": solver.Improve, "prove": solver.Prove,
	}
	for _, v := range engine.Variants() {
		for name, call := range calls {
			t.Run(v.ID+"/"+name, func(t *testing.T) {
				t.Parallel()
				won := 0
				for i := range 3 {
					p := engine.Deal(v, engine.Seed(fmt.Sprintf("%s-%d", v.ID, i)))
					var best replay.Log
					better := func(log []engine.Move) {
						if best != nil && len(log) >= len(best) {
							t.Errorf("a log of %d moves is reported after one of %d", len(log), len(best))
						}
						best = log
						wins(t, v, p, log)
					}
					a, err := call(t.Context(), v, p, small, solver.Watch{Better: better})
					if err != nil {
						t.Fatal(err)
					}
					if (a.Verdict == solver.Won) != (a.Log != nil) || len(a.Log) != len(best) || a.Proven != (a.Verdict == solver.Won && a.Bound == len(a.Log)) {
						t.Errorf("%v with %d moves, %d reported, at least %d, proven %t", a.Verdict, len(a.Log), len(best), a.Bound, a.Proven)
					}
					if a.Verdict == solver.Won {
						won++
						wins(t, v, p, a.Log)
						if a.Bound > len(a.Log) {
							t.Errorf("%d moves win, but %d are said to be needed", len(a.Log), a.Bound)
						}
					}
				}
				if won == 0 {
					t.Error("no deal was won")
				}
			})
		}
	}
}

// No position on the way of a win is called lost, and no bound is more than
// what the rest of the way takes.
func TestNoPositionOfAWinIsLost(t *testing.T) {
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			for i := range 2 {
				p := engine.Deal(v, engine.Seed(fmt.Sprintf("%s-way-%d", v.ID, i)))
				a, err := solver.Decide(t.Context(), v, p, small, solver.Watch{})
				if err != nil {
					t.Fatal(err)
				}
				for done, m := range a.Log {
					rest, err := solver.Decide(t.Context(), v, p, small, solver.Watch{})
					if err != nil {
						t.Fatal(err)
					}
					if rest.Verdict == solver.Lost || rest.Bound > len(a.Log)-done {
						t.Fatalf("%v, at least %d moves, but %d win:\n%v", rest.Verdict, rest.Bound, len(a.Log)-done, p)
					}
					if err := engine.Apply(v, &p, m); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// Deals that are lost because of cards that a redeal only shifts, which a
// search through millions of positions doesn't find out.
func TestDeadlockedDeals(t *testing.T) {
	v := engine.DefaultVariant()
	for _, seed := range []engine.Seed{"speed-841", "speed-1488", "speed-1886", "speed-2862", "speed-3964"} {
		a, err := solver.Decide(t.Context(), v, engine.Deal(v, seed), small, solver.Watch{})
		if err != nil || a.Verdict != solver.Lost || a.States != 0 {
			t.Errorf("%s: %v after %d positions, %v", seed, a.Verdict, a.States, err)
		}
	}
}

func TestWonPositionNeedsNoMoves(t *testing.T) {
	v := engine.DefaultVariant()
	p := engine.Position{Foundations: [4]engine.Rank{engine.King, engine.King, engine.King, engine.King}, RedealsLeft: engine.Unlimited}
	a, err := solver.Prove(t.Context(), v, p, solver.Budget{}, solver.Watch{})
	if err != nil || a.Verdict != solver.Won || !a.Proven || len(a.Log) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestRefusesWhatIsNoPosition(t *testing.T) {
	v := engine.DefaultVariant()
	missing := engine.Deal(v, "2")
	missing.Piles[3] = engine.Pile{}
	twice := engine.Deal(v, "2")
	twice.Piles[3] = twice.Piles[4]
	home := engine.Deal(v, "2")
	home.Foundations[0]++
	none := engine.Deal(v, "2")
	none.Foundations[0] = 0
	for name, p := range map[string]engine.Position{"nothing": {}, "missing": missing, "twice": twice, "also home": home, "no ace": none} {
		if a, err := solver.Decide(t.Context(), v, p, small, solver.Watch{}); !errors.Is(err, solver.ErrPosition) || a.Log != nil {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// A search ends within 100 ms of its context, and says what it knows.
func TestCancel(t *testing.T) {
	v := engine.DefaultVariant()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var cancelled time.Time
	watch := solver.Watch{Progress: func(p solver.Progress) {
		if p.States > 100_000 && cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
	}}
	a, err := solver.Decide(ctx, v, engine.Deal(v, openDeal), solver.Budget{}, watch)
	if err != nil || a.Verdict != solver.Open || a.Bound < 48 {
		t.Errorf("%+v, %v", a, err)
	}
	if took := time.Since(cancelled); cancelled.IsZero() || took > 10*time.Second {
		t.Errorf("it went on for %v", took)
	}
}

func TestTimeEnds(t *testing.T) {
	v := engine.DefaultVariant()
	for name, call := range map[string]func(context.Context, engine.Variant, engine.Position, solver.Budget, solver.Watch) (solver.Answer, error){
		"decide": solver.Decide, "improve": solver.Improve, "prove": solver.Prove,
	} {
		begun := time.Now()
		a, err := call(t.Context(), v, engine.Deal(v, openDeal), solver.Budget{Time: 20 * time.Millisecond}, solver.Watch{})
		if err != nil || a.Verdict != solver.Open || a.Bound < 48 {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
}

// A budget is a bound: with less memory nothing else is claimed, only less.
func TestBoundsOfACutProofHold(t *testing.T) {
	for _, d := range parDeals(t) {
		if !d.Winnable || len(d.Seed)%3 != 0 { // a third of them is enough
			continue
		}
		v := mustVariant(t, d.Variant)
		p := engine.Deal(v, engine.Seed(d.Seed))
		a, err := solver.Prove(t.Context(), v, p, small, solver.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict == solver.Lost || a.Bound > d.Optimum || a.Verdict == solver.Won && len(a.Log) < d.Optimum {
			t.Errorf("%s %s: %v in %d, at least %d; the optimum is %d", d.Variant, d.Seed, a.Verdict, len(a.Log), a.Bound, d.Optimum)
		}
	}
}
