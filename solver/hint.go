package solver

import (
	"context"
	"slices"
	"time"

	"cruel/engine"
)

// Advice is what Hint found out about the last position of a game.
type Advice struct {
	Verdict Verdict       // of the position; Lost is proven
	Log     []engine.Move // Won: a win that comes to no position of the game again; nil where none is known
	Moves   int           // Won: of the shortest win known, which is Log where there is one, else one that goes back to an earlier position of the game
}

// Hint looks for a win from the last of all positions that a game was in, and
// then for shorter ones, until the budget is used up. Positions that differ
// only in where piles are empty are one.
//
// Whoever makes the first move of Log and asks again is never led round in a
// circle, since the game grows by a position that it wasn't in.
func Hint(ctx context.Context, v engine.Variant, game []engine.Position, b Budget) (Advice, error) {
	if len(game) == 0 {
		return Advice{}, ErrPosition
	}
	earlier := make([]state, len(game)-1)
	for i := range earlier {
		var ok bool
		if earlier[i], ok = newState(&game[i]); !ok {
			return Advice{}, ErrPosition
		}
	}
	var goesBack bool
	a, err := solve(ctx, v, game[len(game)-1], b, Watch{}, func(j *job) { goesBack = j.hint(earlier) })
	advice := Advice{Verdict: a.Verdict, Log: a.Log, Moves: len(a.Log)}
	if goesBack {
		advice.Log = nil
	}
	return advice, err
}

// hint looks for a win that comes to no earlier state of the game. Where it
// finds none in half of the time, it looks for any, and says whether the best
// that it found comes to one.
func (j *job) hint(earlier []state) (goesBack bool) {
	avoid := j.within(earlier)
	if len(avoid) > 0 {
		j.decideAvoiding(avoid)
	}
	if j.answer.Verdict == Open {
		j.decide()
	}
	if j.answer.Verdict != Won {
		return false
	}
	if !j.comesTo(avoid) {
		j.avoid = avoid // and so shall the shorter ones
	}
	j.improve(300)
	return j.comesTo(avoid)
}

// decideAvoiding looks for a win without some states in half of the time. That
// there is none proves nothing.
func (j *job) decideAvoiding(avoid []state) {
	whole := j.ctx
	half, cancel := halfOf(whole)
	defer cancel()
	j.ctx, j.avoid = half, avoid
	j.decide()
	j.ctx, j.avoid = whole, nil
	j.done = j.answer.Proven
	if j.answer.Verdict == Open {
		j.answer.Bound = j.start.len()
	}
}

// comesTo says whether the best win comes to any of some states.
func (j *job) comesTo(states []state) bool {
	if len(states) == 0 {
		return false
	}
	p := j.from
	for _, m := range j.answer.Log {
		if err := engine.Apply(*j.bounds.variant, &p, m); err != nil {
			panic("solver: a win breaks the rules: " + err.Error())
		}
		at, _ := newState(&p)
		if slices.ContainsFunc(states, func(s state) bool { return at.sameKey(&s) }) {
			return true
		}
	}
	return false
}

// within is those of the earlier states that the game might come to again: a
// card leaves its foundation by a return only, and redeals that are used up
// don't come back.
func (j *job) within(earlier []state) (again []state) {
	for _, s := range earlier {
		if (s.home == j.start.home || j.bounds.returns) && s.redealsLeft() <= j.start.redealsLeft() && !s.sameKey(&j.start) {
			again = append(again, s)
		}
	}
	return again
}

// halfOf is a context that ends in half of the time.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}
