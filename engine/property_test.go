package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawPosition plays a random game of a variant up to a random moment.
func drawPosition(t *rapid.T, v Variant) Position {
	seed, err := ParseSeed(rapid.StringMatching(`[a-z0-9]{1,12}(-[a-z0-9]{1,8}){0,2}`).Draw(t, "seed"))
	if err != nil {
		t.Fatal(err)
	}
	p := Deal(v, seed)
	for range rapid.IntRange(0, 80).Draw(t, "moves") {
		moves := LegalMoves(v, p)
		if len(moves) == 0 {
			break
		}
		m := moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")]
		if err := Apply(v, &p, m); err != nil {
			t.Fatalf("%s: %v in\n%s", m, err, p)
		}
	}
	return p
}

// Each move of LegalMoves is taken and every other move is refused and leaves
// the position as it was; the moves are in the order of their notation.
func TestLegalMovesAreAll(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawPosition(t, v)
				var legal []string
				for _, m := range LegalMoves(v, p) {
					legal = append(legal, m.String())
				}
				if !slices.IsSorted(legal) {
					t.Fatalf("out of order: %q", legal)
				}
				for _, token := range universe {
					m, size := ReadMove(token)
					if size != len(token) || m.String() != token {
						t.Fatalf("%s reads as %s, of %d bytes", token, m, size)
					}
					next := p
					err := Apply(v, &next, m)
					if _, listed := slices.BinarySearch(legal, token); listed != (err == nil) {
						t.Fatalf("%s is listed: %v, but Apply says %v in\n%s", token, listed, err, p)
					}
					if err != nil && (next != p || err.Error() == "" || err.Error() == "there is no such move") {
						t.Fatalf("%s: %v in\n%s", token, err, p)
					}
				}
			})
		})
	}
}

func TestPileReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		variants := Variants()
		p := drawPosition(t, variants[rapid.IntRange(0, len(variants)-1).Draw(t, "variant")])
		for _, pile := range p.Piles {
			if got, err := ParsePile(pile.String()); err != nil || got != pile {
				t.Fatalf("%q reads as %q, %v", pile, got, err)
			}
		}
	})
}
