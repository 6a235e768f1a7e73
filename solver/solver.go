package solver

import (
	"context"
	"errors"
	"time"

	"cruel/engine"
)

// ErrPosition refuses a position that no game can come to: one that doesn't
// hold each of the 52 cards once.
var ErrPosition = errors.New("the position does not hold each of the 52 cards once")

// Budget is what a call may use up. A zero field sets no bound of its own:
// time is then bounded by the context alone, and memory by DefaultMemory.
type Budget struct {
	Time   time.Duration // on the clock; for processor time cancel the context
	Memory int64         // bytes
}

// DefaultMemory is the memory of a Budget that names none: 256 MiB.
const DefaultMemory = 256 << 20

// Verdict is what is known of whether a position can be won.
type Verdict uint8

// The verdicts. Lost is proven: no moves win. Won is proven by the log.
const (
	Open Verdict = iota
	Won
	Lost
)

func (v Verdict) String() string { return [...]string{"open", "won", "lost"}[v] }

// Answer is what a call found out about a position. What it says is proven;
// what the budget didn't allow to find out is left open.
type Answer struct {
	Verdict Verdict
	Log     []engine.Move // Won: the shortest known win; of no moves if there is none left to make
	Proven  bool          // Won: no win has fewer moves
	Bound   int           // no win has fewer moves than this; 0 where there is no win
	States  int           // positions that the last search kept: the proof, where there is one
	Width   int           // Won: the width of the beam that first won; 0 where it was no beam
}

// Progress tells of a search that goes on.
type Progress struct {
	States int // positions in the current search
	Moves  int // of the shortest known win; 0 where none is known
	Bound  int // no win has fewer moves than this
}

// Watch is what a call reports on its way. Each function may be nil; they are
// called on the goroutine of the call, which goes on when they return.
type Watch struct {
	Better   func(log []engine.Move) // a win, shorter than those before
	Progress func(Progress)          // after every 65,536 positions or so
}

// Decide finds out whether a position can be won.
func Decide(ctx context.Context, v engine.Variant, p engine.Position, b Budget, w Watch) (Answer, error) {
	return solve(ctx, v, p, b, w, func(j *job) { j.decide() })
}

// Improve finds a win and then shorter ones, until one is proven to be the
// shortest or the budget is used up.
func Improve(ctx context.Context, v engine.Variant, p engine.Position, b Budget, w Watch) (Answer, error) {
	return solve(ctx, v, p, b, w, func(j *job) {
		j.decide()
		if j.answer.Verdict == Won {
			j.improve(300)
		}
	})
}

// Prove finds the fewest moves that win, or bounds where the budget ends
// before. It is Improve without the patience: it begins the proof as soon as
// a good win is known.
func Prove(ctx context.Context, v engine.Variant, p engine.Position, b Budget, w Watch) (Answer, error) {
	return solve(ctx, v, p, b, w, func(j *job) {
		j.decide()
		if j.answer.Verdict == Won {
			j.prove()
		}
	})
}

func solve(ctx context.Context, v engine.Variant, p engine.Position, b Budget, w Watch, work func(*job)) (Answer, error) {
	start, ok := newState(&p)
	if !ok {
		return Answer{}, ErrPosition
	}
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	if b.Memory <= 0 {
		b.Memory = DefaultMemory
	}
	j := &job{ctx: ctx, bounds: boundsOf(&v), from: p, start: start, arena: newArena(b.Memory), watch: w}
	j.answer.Bound = start.len()
	work(j)
	return j.answer, nil
}
