package solver

import (
	"context"
	"math"
	"time"

	"cruel/engine"
)

// job is one call: searches of growing effort on one position, and the answer
// as far as it is known.
type job struct {
	ctx    context.Context
	bounds bounds
	from   engine.Position
	start  state
	avoid  []state // that no win may come to
	arena  *arena
	watch  Watch
	answer Answer
	done   bool // nothing more can be found out within the budget
}

// progressEvery is how many states are between two reports, about.
const progressEvery = 1 << 16

// decideWidths are the widths of the beams that look for a first win.
var decideWidths = [...]int{24, 200, 2000, 20_000}

// decide looks for any win. A beam that has left nothing out has gone through
// all there is, and so does the search at the end.
func (j *job) decide() {
	for _, width := range decideWidths {
		j.search(width, noLimit, j.arena.most)
		if j.done || j.answer.Verdict != Open {
			return
		}
	}
	j.search(0, noLimit, j.arena.most)
}

// improve looks for shorter wins in beams of the width given and wider ones,
// until memory ends it.
func (j *job) improve(width int) {
	for ending := running; !j.done && ending != stopped; width *= 4 {
		ending = j.search(width, j.below(), j.arena.most)
	}
}

// proofStages are the beams before each attempt at a proof, and the states
// that the attempt may keep. A proof is much shorter if the win to prove is
// the best, but most deals are done before a wide beam would be.
var proofStages = [...]struct{ width, states int }{
	{300, 0},
	{1200, 1 << 18},
	{4800, 1 << 20},
	{19_200, math.MaxInt},
	{76_800, math.MaxInt},
}

// prove searches everything below the best win.
func (j *job) prove() {
	tried := 0 // states of the last attempt on a win of as many moves
	for _, stage := range proofStages {
		if j.done {
			return
		}
		if j.search(stage.width, j.below(), j.arena.most) == won {
			tried = 0
		}
		if most := min(stage.states, j.arena.most); !j.done && most > tried {
			j.search(0, j.below(), most)
			tried = most
		}
	}
}

// below is the highest cost of a win that would be shorter than the best.
func (j *job) below() int { return len(j.answer.Log) - j.start.len() - 1 }

// search runs a search that keeps so many states at most, and takes what it
// found out into the answer.
func (j *job) search(width, limit, most int) ending {
	s := &search{bounds: j.bounds, arena: j.arena, avoid: j.avoid, width: width, limit: limit, most: most}
	told := 0
	s.stop = func() bool {
		if s.arena.n-told >= progressEvery && j.watch.Progress != nil {
			told = s.arena.n
			j.watch.Progress(Progress{States: told, Moves: len(j.answer.Log), Bound: max(j.answer.Bound, j.boundOf(s))})
		}
		return j.over()
	}
	s.run(&j.start)
	j.settle(s)
	return s.ending
}

// over says whether the time is used up. It looks at the clock as well, since
// a context may learn of its deadline late while all processors are busy.
func (j *job) over() bool {
	end, ok := j.ctx.Deadline()
	return j.ctx.Err() != nil || ok && !time.Now().Before(end)
}

// boundOf is the fewest moves that a search leaves possible.
func (j *job) boundOf(s *search) int {
	if s.cut {
		return 0
	}
	return j.start.len() + s.cost
}

// settle takes what a search found out into the answer.
func (j *job) settle(s *search) {
	a := &j.answer
	a.States = j.arena.n
	j.done = j.over()
	switch s.ending {
	case won:
		if a.Verdict == Open {
			a.Width = s.width
		}
		a.Verdict = Won
		a.Log = j.log(s)
		if j.watch.Better != nil {
			j.watch.Better(a.Log)
		}
		if !s.cut {
			j.proven()
		}
	case exhausted:
		switch {
		case s.cut:
		case a.Verdict == Won:
			j.proven()
		case len(j.avoid) > 0:
			j.done = true // nothing is lost that may be won through those
		default:
			a.Verdict, a.Bound, j.done = Lost, 0, true
		}
	case stopped:
		a.Bound = max(a.Bound, j.boundOf(s))
		if !s.cut && s.most == j.arena.most {
			j.done = true // a wider beam or none would keep the same states
		}
	}
	if a.Verdict == Won && a.Bound >= len(a.Log) {
		j.proven()
	}
}

func (j *job) proven() {
	j.answer.Proven, j.answer.Bound, j.done = true, len(j.answer.Log), true
}

// log is the moves of the win that a search found.
func (j *job) log(s *search) []engine.Move {
	p, log := j.from, []engine.Move{}
	for _, m := range s.path() {
		log = append(log, j.apply(&p, m))
	}
	return log
}

// apply makes a step in p and gives it as a move.
func (j *job) apply(p *engine.Position, m step) engine.Move {
	move := moveOf(p, m)
	if err := engine.Apply(*j.bounds.variant, p, move); err != nil {
		panic("solver: the search disagrees with the rules: " + err.Error())
	}
	return move
}

// moveOf finds the piles of a step.
func moveOf(p *engine.Position, m step) engine.Move {
	if m == 0 {
		return engine.Move{Kind: engine.RedealMove}
	}
	card := engine.Card(m.card())
	suit := uint8(card.Suit())
	from, count := find(p, card)
	if m.onto() == 0 {
		return engine.Move{Kind: engine.PlayMove, From: from, To: suit}
	}
	to, _ := find(p, engine.Card(m.onto()))
	if count == 0 {
		return engine.Move{Kind: engine.ReturnMove, From: suit, To: to}
	}
	return engine.Move{Kind: engine.BuildMove, From: from, To: to, Count: count}
}

// find is the pile of a card, and how many cards there are from it up to the
// top; none where it isn't in a pile.
func find(p *engine.Position, card engine.Card) (pile, count uint8) {
	for i := range p.Piles {
		n := p.Piles[i].Len()
		for k := range n {
			if p.Piles[i].At(k) == card {
				return uint8(i), uint8(n - k)
			}
		}
	}
	return 0, 0
}
