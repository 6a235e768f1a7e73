package replay

import "cruel/engine"

// Result is what a log proves.
type Result struct {
	Outcome engine.Outcome
	Moves   int // all of the following together
	Plays   int
	Builds  int // a run is one
	Returns int
	Redeals int
	Cards   int // on the foundations at the end
}

// Better says whether a is a better result than b: a win before anything
// else, of two wins the one with fewer moves, of two others the one with more
// cards, then fewer moves. Of two equal results neither is better.
func (a Result) Better(b Result) bool {
	aWon, bWon := a.Outcome == engine.Won, b.Outcome == engine.Won
	if aWon != bWon {
		return aWon
	}
	if !aWon && a.Cards != b.Cards {
		return a.Cards > b.Cards
	}
	return a.Moves < b.Moves
}

// Verify plays a log on the deal of a seed. A log that can't be played to its
// end gives a *RefusedError and no result. The first token that is out of
// notation or over MaxMoves is named before any that is illegal.
func Verify(v engine.Variant, seed engine.Seed, log string) (Result, error) {
	return VerifyFrom(v, engine.Deal(v, seed), log)
}

// VerifyFrom is Verify from a position that the caller has dealt.
func VerifyFrom(v engine.Variant, p engine.Position, log string) (Result, error) {
	var counts [engine.RedealMove + 1]int
	moves := 0
	for i := skipSpace(log, 0); i < len(log); i = skipSpace(log, i) {
		m, size := engine.ReadMove(log[i:])
		moves++
		if size == 0 || moves > MaxMoves {
			return Result{}, refuseToken(moves, log[i:])
		}
		if err := engine.Apply(v, &p, m); err != nil {
			if fault := readOn(moves, log[i+size:]); fault != nil {
				return Result{}, fault
			}
			return Result{}, refuseMove(moves, log[i:i+size], p.Won(), err)
		}
		counts[m.Kind]++
		i += size
	}
	return Result{
		Outcome: engine.OutcomeOf(v, p),
		Moves:   moves,
		Plays:   counts[engine.PlayMove],
		Builds:  counts[engine.BuildMove],
		Returns: counts[engine.ReturnMove],
		Redeals: counts[engine.RedealMove],
		Cards:   p.Cards(),
	}, nil
}
