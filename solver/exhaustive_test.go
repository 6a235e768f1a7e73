package solver_test

import (
	"math/rand/v2"
	"testing"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// fewestMoves goes through everything that the rules allow, move by move, and
// gives the fewest moves that win and come to none of the positions to avoid,
// -1 if none do. It is false where that would be more than so many positions.
func fewestMoves(t *testing.T, v engine.Variant, start engine.Position, avoid []engine.Position, most int) (moves int, ok bool) {
	t.Helper()
	seen := map[engine.Position]bool{start: true}
	avoided := map[engine.Position]bool{}
	for _, p := range avoid {
		avoided[compact(p)] = true
	}
	var legal []engine.Move
	for layer := []engine.Position{start}; len(layer) > 0; moves++ {
		var next []engine.Position
		for _, p := range layer {
			if p.Won() {
				return moves, true
			}
			legal = engine.AppendLegalMoves(legal[:0], v, &p)
			for _, m := range legal {
				q := p
				if err := engine.Apply(v, &q, m); err != nil {
					t.Fatal(err)
				}
				if !seen[q] && !avoided[compact(q)] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		if len(seen) > most {
			return 0, false
		}
		layer = next
	}
	return -1, true
}

// compact is a position without the empty piles between its cards.
func compact(p engine.Position) engine.Position {
	q, n := p, 0
	q.Piles = [engine.PileCount]engine.Pile{}
	for _, pile := range p.Piles {
		if pile.Len() > 0 {
			q.Piles[n] = pile
			n++
		}
	}
	return q
}

// smallPosition is so many random cards that can be the last, in random piles,
// after a few random moves.
func smallPosition(t *testing.T, v engine.Variant, random *rand.Rand, cards int) engine.Position {
	t.Helper()
	p := engine.Position{
		Foundations: [4]engine.Rank{engine.King, engine.King, engine.King, engine.King},
		RedealsLeft: int32(v.Redeals),
	}
	if v.Redeals != engine.Unlimited {
		p.RedealsLeft = random.Int32N(p.RedealsLeft + 1)
	}
	var line []engine.Card
	for range cards {
		suit := engine.Suit(random.IntN(4))
		line = append(line, engine.NewCard(p.Foundations[suit], suit))
		p.Foundations[suit]--
	}
	random.Shuffle(len(line), func(i, j int) { line[i], line[j] = line[j], line[i] })
	most := 2 + random.IntN(3)
	for i := 0; len(line) > 0; i++ {
		text := ""
		for range min(1+random.IntN(most), len(line)) {
			if text != "" {
				text += " "
			}
			text += line[0].String()
			line = line[1:]
		}
		if i == engine.PileCount {
			t.Fatal("the cards need more than twelve piles")
		}
		pile, err := engine.ParsePile(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Piles[i] = pile
	}
	for range random.IntN(6) {
		legal := engine.LegalMoves(v, p)
		if len(legal) == 0 {
			break
		}
		if err := engine.Apply(v, &p, legal[random.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// The verdicts and optima are those of a plain search through everything.
func TestAgreesWithExhaustiveSearch(t *testing.T) {
	const positions = 200
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, 11))
			compared, lost, moves := 0, 0, 0
			for range positions {
				p := smallPosition(t, v, random, 4+random.IntN(8))
				want, ok := fewestMoves(t, v, p, nil, 5000)
				if !ok {
					continue
				}
				compared++
				agrees(t, v, p, want)
				if want < 0 {
					lost++
				} else {
					moves += want
				}
			}
			t.Logf("%d compared, %d lost, %d moves", compared, lost, moves)
			if compared < positions/2 || lost < positions/20 {
				t.Errorf("only %d positions were compared, %d of them lost", compared, lost)
			}
		})
	}
}

func agrees(t *testing.T, v engine.Variant, p engine.Position, want int) {
	t.Helper()
	decided, err := solver.Decide(t.Context(), v, p, solver.Budget{}, solver.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	proven, err := solver.Prove(t.Context(), v, p, solver.Budget{}, solver.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if want < 0 {
		if decided.Verdict != solver.Lost || proven.Verdict != solver.Lost {
			t.Fatalf("decided %v, proven %v, want lost:\n%v", decided.Verdict, proven.Verdict, p)
		}
		return
	}
	if decided.Verdict != solver.Won || len(decided.Log) < want || decided.Bound > want {
		t.Fatalf("decided %v in %d moves, at least %d, want %d:\n%v", decided.Verdict, len(decided.Log), decided.Bound, want, p)
	}
	if proven.Verdict != solver.Won || !proven.Proven || len(proven.Log) != want || proven.Bound != want {
		t.Fatalf("proven %v in %d moves, at least %d, want %d:\n%v", proven.Verdict, len(proven.Log), proven.Bound, want, p)
	}
	wins(t, v, p, decided.Log)
	wins(t, v, p, proven.Log)
}

// wins checks by replay that a log wins.
func wins(t *testing.T, v engine.Variant, p engine.Position, log replay.Log) {
	t.Helper()
	result, err := replay.VerifyFrom(v, p, log.String())
	if err != nil {
		t.Fatalf("%s: %v: %v\n%v", v.ID, log, err, p)
	}
	if result.Outcome != engine.Won || result.Moves != len(log) {
		t.Fatalf("%s: %v gives %v in %d moves\n%v", v.ID, log, result.Outcome, result.Moves, p)
	}
}
