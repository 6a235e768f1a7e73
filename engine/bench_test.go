package engine

import (
	"strings"
	"testing"
)

// wonGame is a game of cruel with 60 moves, four redeals among them.
const (
	wonGameSeed = "fk5t-fp4p"
	wonGame     = "kD dk gk gH lH fH dH dC jh jg jD bD R dC cC fS jS eS dS R bf gc R gC bC gC aC eS " +
		"R cD dS dS aH eH bf bH gH gS gS gS fS fS dH fH af aD aC eC eC cD hD cD cD fD fD fD eH bH bC dC"
)

func BenchmarkDeal(b *testing.B) {
	b.ReportAllocs()
	v := DefaultVariant()
	for b.Loop() {
		Deal(v, wonGameSeed)
	}
}

// BenchmarkApply makes the 60 moves of a game.
func BenchmarkApply(b *testing.B) {
	b.ReportAllocs()
	v := DefaultVariant()
	start := Deal(v, wonGameSeed)
	var moves []Move
	for _, token := range strings.Fields(wonGame) {
		moves = append(moves, mustMove(b, token))
	}
	for b.Loop() {
		p := start
		for _, m := range moves {
			if err := Apply(v, &p, m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkRedeal redeals the positions in which a game did so, each a copy.
func BenchmarkRedeal(b *testing.B) {
	for _, v := range Variants() {
		if v.Redeals != Unlimited || v.When != AnyTime {
			continue
		}
		b.Run(v.ID, func(b *testing.B) {
			b.ReportAllocs()
			positions := redealtPositions(b)
			for i := 0; b.Loop(); i++ {
				p := positions[i%len(positions)]
				if err := Apply(v, &p, Move{Kind: RedealMove}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func redealtPositions(b *testing.B) []Position {
	v := DefaultVariant()
	p := Deal(v, wonGameSeed)
	var positions []Position
	for _, token := range strings.Fields(wonGame) {
		if token == "R" {
			positions = append(positions, p)
		}
		p = mustPlay(b, v, p, token)
	}
	return positions
}

func BenchmarkLegalMoves(b *testing.B) {
	b.ReportAllocs()
	v := DefaultVariant()
	p := mustPlay(b, v, Deal(v, wonGameSeed), wonGame[:80])
	var moves []Move
	for b.Loop() {
		moves = AppendLegalMoves(moves[:0], v, &p)
	}
}

func BenchmarkOutcome(b *testing.B) {
	b.ReportAllocs()
	v := DefaultVariant()
	p := Deal(v, "dead-26441")
	for b.Loop() {
		OutcomeOf(v, p)
	}
}
