package solver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// walk appends the positions of so many random moves to a game, until it is
// won or no move is legal.
func walk(t *testing.T, v engine.Variant, game []engine.Position, random *rand.Rand, moves int) []engine.Position {
	t.Helper()
	for range moves {
		legal := engine.LegalMoves(v, game[len(game)-1])
		if len(legal) == 0 {
			break
		}
		game = play(t, v, game, legal[random.IntN(len(legal))])
	}
	return game
}

// play appends the position after a move to a game.
func play(t *testing.T, v engine.Variant, game []engine.Position, m engine.Move) []engine.Position {
	t.Helper()
	p := game[len(game)-1]
	if err := engine.Apply(v, &p, m); err != nil {
		t.Fatal(err)
	}
	return append(game, p)
}

// hint asks for advice, and checks what it says by itself.
func hint(t *testing.T, v engine.Variant, game []engine.Position, b solver.Budget) solver.Advice {
	t.Helper()
	a, err := solver.Hint(t.Context(), v, game, b)
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict != solver.Won {
		if a.Log != nil || a.Moves != 0 {
			t.Fatalf("%v with a log of %d moves, %d moves", a.Verdict, len(a.Log), a.Moves)
		}
		return a
	}
	if a.Log == nil {
		return a
	}
	if a.Moves != len(a.Log) {
		t.Fatalf("a log of %d moves is said to have %d", len(a.Log), a.Moves)
	}
	last := game[len(game)-1]
	wins(t, v, last, a.Log)
	way := []engine.Position{last}
	for _, m := range a.Log {
		way = play(t, v, way, m)
		if slices.Contains(game, way[len(way)-1]) {
			t.Fatalf("%s: %v comes to a position of the game again:\n%v", v.ID, replay.Log(a.Log), way[len(way)-1])
		}
	}
	return a
}

// A game that is played by hints, from a deal or after a few random moves,
// comes to no position twice and is won.
func TestHintsLeadOn(t *testing.T) {
	const most = 300 // hints in a game
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 5))
			games, won, hints := 0, 0, 0 // games are those where the first hint has a win
			for deal := range 2 {
				game := []engine.Position{engine.Deal(v, engine.Seed(fmt.Sprintf("hint-%d", deal)))}
				game = walk(t, v, game, random, 6*deal)
				first := hint(t, v, game, small)
				if first.Log == nil {
					continue
				}
				games++
				for a := first; len(a.Log) > 0; a = hint(t, v, game, small) {
					game = play(t, v, game, a.Log[0])
					if hints++; hints > most*games {
						t.Fatalf("%d hints don't end the game", most)
					}
				}
				if game[len(game)-1].Won() {
					won++
				}
			}
			t.Logf("%d games, %d won, %d hints", games, won, hints)
			if games == 0 || won < games {
				t.Errorf("%d of %d games were won", won, games)
			}
		})
	}
}

// comeBack is positions that a few builds and redeals lead to, then the one
// that they come from: no game, but there is more to avoid than in most.
func comeBack(t *testing.T, v engine.Variant, p engine.Position, random *rand.Rand) []engine.Position {
	t.Helper()
	var game []engine.Position
	for range 3 {
		for way := []engine.Position{p}; len(way) < 5; {
			legal := slices.DeleteFunc(engine.LegalMoves(v, way[len(way)-1]), func(m engine.Move) bool {
				return m.Kind == engine.PlayMove || m.Kind == engine.ReturnMove
			})
			if len(legal) == 0 {
				break
			}
			way = play(t, v, way, legal[random.IntN(len(legal))])
			game = append(game, way[len(way)-1])
		}
	}
	return append(game, p)
}

// What Hint says is what a plain search through everything finds.
func TestHintAgreesWithExhaustiveSearch(t *testing.T) {
	const positions = 120
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(13, 17))
			counts := map[string]int{}
			for range positions {
				game := []engine.Position{smallPosition(t, v, random, 4+random.IntN(8))}
				if random.IntN(2) == 0 {
					game = walk(t, v, game, random, random.IntN(12))
				} else {
					game = comeBack(t, v, game[0], random)
				}
				last := game[len(game)-1]
				fewest, ok := fewestMoves(t, v, last, nil, 3000)
				avoiding, okToo := fewestMoves(t, v, last, game, 3000)
				if !ok || !okToo {
					continue
				}
				a := hint(t, v, game, solver.Budget{})
				switch {
				case fewest < 0:
					counts["lost"]++
					if a.Verdict != solver.Lost {
						t.Fatalf("%v, want lost:\n%v", a.Verdict, game)
					}
				case avoiding < 0:
					counts["back only"]++
					if a.Verdict != solver.Won || a.Log != nil || a.Moves != fewest {
						t.Fatalf("%v with %v, %d moves, want %d that go back:\n%v", a.Verdict, a.Log, a.Moves, fewest, game)
					}
				default:
					counts["won"]++
					if avoiding > fewest {
						counts["longer"]++
					}
					if a.Verdict != solver.Won || a.Log == nil || a.Moves != avoiding {
						t.Fatalf("%v with %v, want %d moves:\n%v", a.Verdict, a.Log, avoiding, game)
					}
				}
			}
			t.Log(counts)
			if counts["won"] < positions/5 || counts["lost"] < positions/20 {
				t.Errorf("only %v were compared", counts)
			}
		})
	}
}

// A game that went once round all redeals still gets a hint that leads on.
func TestHintAfterACircleOfRedeals(t *testing.T) {
	for _, id := range []string{"ripple-fan", "cruel-top-first"} {
		v := mustVariant(t, id)
		game := []engine.Position{engine.Deal(v, "circle-1")}
		for len(game) == 1 || game[len(game)-1] != game[0] {
			game = play(t, v, game, engine.Move{Kind: engine.RedealMove})
		}
		if a := hint(t, v, game, small); a.Verdict != solver.Won || a.Log == nil || a.Log[0].Kind == engine.RedealMove {
			t.Errorf("%s: %v, %v after %d redeals", id, a.Verdict, replay.Log(a.Log), len(game)-1)
		}
	}
}

// A game of more positions than the memory holds leaves no room for a search
// that avoids them. A win that comes to none of them anyway is told.
func TestHintAfterAGameThatFillsTheMemory(t *testing.T) {
	v := mustVariant(t, "ripple-fan")
	random := rand.New(rand.NewPCG(29, 31))
	game := []engine.Position{engine.Deal(v, "long-1")}
	for range 6000 {
		legal := slices.DeleteFunc(engine.LegalMoves(v, game[len(game)-1]), func(m engine.Move) bool { return m.Kind == engine.PlayMove })
		game = play(t, v, game, legal[random.IntN(len(legal))])
	}
	if a := hint(t, v, game, solver.Budget{Memory: 1}); a.Verdict != solver.Won || a.Log == nil {
		t.Errorf("%+v", a)
	}
}

func TestHintOnAWonGame(t *testing.T) {
	v := engine.DefaultVariant()
	game := []engine.Position{engine.Deal(v, "won-3")}
	a := hint(t, v, game, small)
	if a.Log == nil {
		t.Fatalf("%v", a.Verdict)
	}
	for _, m := range a.Log {
		game = play(t, v, game, m)
	}
	if a := hint(t, v, game, small); a.Verdict != solver.Won || a.Log == nil || len(a.Log) != 0 {
		t.Errorf("%+v", a)
	}
}

func TestHintRefusesWhatIsNoGame(t *testing.T) {
	v := engine.DefaultVariant()
	deal := engine.Deal(v, "2")
	for name, game := range map[string][]engine.Position{"no position": {}, "a bad last one": {deal, {}}, "a bad earlier one": {{}, deal}} {
		if a, err := solver.Hint(t.Context(), v, game, small); !errors.Is(err, solver.ErrPosition) || a.Log != nil {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}
