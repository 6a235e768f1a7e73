package solver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cruel/engine"
)

// graph is all that the rules lead to from a position. Positions that differ
// only in where piles are empty are one.
type graph struct {
	positions []engine.Position
	states    []state
	fewest    []int // by position: the moves that win, -1 where none do
}

// graphOf goes through a graph move by move. It is false where there are more
// positions than so many.
func graphOf(t *testing.T, v engine.Variant, start engine.Position, most int) (g graph, ok bool) {
	t.Helper()
	type key struct {
		line [maxLine]uint8
		ends uint64
	}
	type edge struct{ from, to int }
	var edges []edge
	seen := map[key]int{}
	visit := func(p engine.Position) int {
		s, ok := newState(&p)
		if !ok {
			t.Fatalf("refused:\n%v", p)
		}
		i, found := seen[key{s.line, s.ends}]
		if !found {
			i = len(g.positions)
			seen[key{s.line, s.ends}] = i
			g.positions, g.states = append(g.positions, p), append(g.states, s)
		}
		return i
	}
	visit(start)
	var legal []engine.Move
	for i := 0; i < len(g.positions); i++ {
		if len(g.positions) > most {
			return graph{}, false
		}
		legal = engine.AppendLegalMoves(legal[:0], v, &g.positions[i])
		for _, m := range legal {
			p := g.positions[i]
			if err := engine.Apply(v, &p, m); err != nil {
				t.Fatal(err)
			}
			edges = append(edges, edge{i, visit(p)})
		}
	}
	g.fewest = make([]int, len(g.positions))
	for i := range g.fewest {
		g.fewest[i] = -1
		if g.positions[i].Won() {
			g.fewest[i] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for k := len(edges) - 1; k >= 0; k-- {
			from, to := &g.fewest[edges[k].from], g.fewest[edges[k].to]
			if to >= 0 && (*from < 0 || *from > to+1) {
				*from, changed = to+1, true
			}
		}
	}
	return g, true
}

// lateInAGame is a position on the way of a win, of which so many cards or
// fewer are left in the piles, after a few random moves off the way.
func lateInAGame(t *testing.T, v engine.Variant, p engine.Position, win []engine.Move, random *rand.Rand, cards int) engine.Position {
	t.Helper()
	apply := func(m engine.Move) {
		if err := engine.Apply(v, &p, m); err != nil {
			t.Fatal(err)
		}
	}
	for done := 0; 52-p.Cards() > cards; done++ {
		apply(win[done])
	}
	if v.Redeals != engine.Unlimited {
		p.RedealsLeft = random.Int32N(int32(v.Redeals) + 1)
	}
	for range random.IntN(12) {
		legal := engine.LegalMoves(v, p)
		builds := slices.DeleteFunc(slices.Clone(legal), func(m engine.Move) bool { return m.Kind != engine.BuildMove })
		switch {
		case len(builds) > 0 && random.IntN(2) == 0: // most piles are too low else
			apply(builds[random.IntN(len(builds))])
		case len(legal) > 0:
			apply(legal[random.IntN(len(legal))])
		}
	}
	return p
}

// No position that games come to late is pruned wrongly: one that can be won is
// no deadlock, and no bound is more than what its shortest win costs.
func TestPrunesNoWin(t *testing.T) {
	const (
		deals = 28
		most  = 6000 // positions of a graph
	)
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(19, 23))
			counts := map[string]int{}
			for i := range deals {
				deal := engine.Deal(v, engine.Seed(fmt.Sprintf("late-%d", i)))
				a, err := Decide(t.Context(), v, deal, Budget{Memory: 1 << 20}, Watch{})
				if err != nil {
					t.Fatal(err)
				}
				if a.Verdict != Won {
					continue
				}
				for cards := 6; cards <= 24; cards++ {
					g, ok := graphOf(t, v, lateInAGame(t, v, deal, a.Log, random, cards), most)
					if !ok {
						counts["too large"]++
						break
					}
					counts["graphs"]++
					counts["positions"] += len(g.positions)
					for k, p := range g.positions {
						if fault := pruned(v, &g.states[k], g.fewest[k], counts); fault != "" {
							t.Fatalf("%s, and %d moves win:\n%v", fault, g.fewest[k], p)
						}
					}
				}
			}
			t.Log(v.ID, counts)
			if counts["won"] < 500 {
				t.Errorf("only %v were looked at", counts)
			}
		})
	}
}

// pruned says what is wrong with what the bounds say of a state that so many
// moves win, and counts.
func pruned(v engine.Variant, s *state, fewest int, counts map[string]int) (fault string) {
	b := boundsOf(&v)
	l := b.look(s)
	if plays := l.blocked == 0 && s.winsByPlays(); plays != (fewest == s.len()) {
		return fmt.Sprintf("plays alone win: %t", plays)
	} else if plays {
		return ""
	}
	dead := b.deadlocked(s)
	if fewest < 0 {
		counts["lost"]++
		if dead {
			counts["deadlocks"]++
		}
		return ""
	}
	if dead {
		return "a deadlock"
	}
	least := fewest - s.len() // a card that returns is played once more
	for _, room := range []int{least, noLimit} {
		if cost := b.cost(s, l, room); cost > least {
			return fmt.Sprintf("a cost of %d at least", cost)
		}
	}
	if b.cost(s, l, least-1) > least-1 {
		counts["exact"]++
	}
	counts["won"]++
	return ""
}
