package solver

import (
	"math"
	"math/bits"
	"slices"

	"cruel/engine"
)

// search goes through positions in layers of equal cost: builds and redeals
// cost 1, returns 2, since the card must be played once more, and plays are
// free, since a win has them all anyway. So a win's moves are its cost and the
// cards that are in the piles at the start.
//
// With a width it is a beam: of each layer only so many states, the most
// promising ones, go on. Without one it visits all that the bounds let
// through, and the first win that it meets has the lowest cost.
//
// States to avoid lie in the arena before all others, so they are found there
// and never kept. A win comes to none of them.
type search struct {
	bounds bounds
	arena  *arena
	avoid  []state     // the start is none of them
	width  int         // of a beam; 0 is no beam
	limit  int         // what a win may cost at most, or noLimit
	most   int         // states that it may keep
	stop   func() bool // asked every pollEvery states offered

	start   uint32  // in the arena, behind those to avoid
	cost    int     // of the layer that is being made
	scores  []int16 // of a beam's states of that layer
	offered int
	queue   [queueSize]state // offered, but not visited
	queued  int
	cut     bool // the beam has left states out
	ending  ending
	winner  uint32 // from which plays alone win
}

const (
	noLimit   = math.MaxInt32
	pollEvery = 256
	queueSize = 32
)

// ending is how a search ended.
type ending uint8

const (
	running   ending = iota
	won              // winner is set
	exhausted        // no win within the limit, unless the beam has left states out
	stopped          // the time or the memory is used up
)

// layer is the states of one cost: chosen where a beam has left some out,
// else all from first to end.
type layer struct {
	first, end int
	chosen     []uint32
}

func (l *layer) len() int {
	if l.chosen != nil {
		return len(l.chosen)
	}
	return l.end - l.first
}

func (l *layer) at(i int) uint32 {
	if l.chosen != nil {
		return l.chosen[i]
	}
	return uint32(l.first + i)
}

// run searches from a start. All layers below s.cost are complete when it
// ends, and hold no win; where it has won, the win costs s.cost.
func (s *search) run(start *state) {
	s.arena.reset()
	for i := range s.avoid {
		t := &s.avoid[i]
		hash := t.hash()
		if slot, found := s.arena.find(t, hash); !found {
			s.keep(t, hash, slot)
		}
	}
	first := s.arena.n
	s.start = uint32(first)
	s.offer(start, s.start)
	before, current := layer{}, layer{first: first, end: first}
	for {
		next := layer{first: current.end}
		s.returns(&before)
		next.end = s.closePlays(next.first)
		if s.ending != running {
			return
		}
		if s.width > 0 {
			s.choose(&next)
			s.scores = s.scores[:0]
		}
		if next.len() == 0 && (current.len() == 0 || !s.bounds.variant.Returns) || s.cost >= s.limit {
			s.end(exhausted)
			return
		}
		before, current = current, next
		s.cost++
		s.expand(&current)
	}
}

func (s *search) end(e ending) {
	if s.ending == running {
		s.ending = e
	}
}

// offer queues a state for a visit.
func (s *search) offer(t *state, parent uint32) {
	s.offered++
	if s.offered%pollEvery == 0 && s.stop() {
		s.end(stopped)
	}
	t.parent = parent
	s.queue[s.queued] = *t
	if s.queued++; s.queued == len(s.queue) {
		s.visitQueued()
	}
}

// visitQueued visits the queued states, after it has told the arena of all of
// them.
func (s *search) visitQueued() {
	var hashes [queueSize]uint64
	for i := range s.queued {
		hashes[i] = s.queue[i].hash()
	}
	s.arena.fetch(&hashes, s.queued)
	for i := range s.queued {
		s.visit(&s.queue[i], hashes[i])
	}
	s.queued = 0
}

// visit looks at a state and keeps it if it is new and may be won within the
// limit.
func (s *search) visit(t *state, hash uint64) {
	slot, found := s.arena.find(t, hash)
	if found || s.ending != running {
		return
	}
	l := s.bounds.look(t)
	playsWin := l.blocked == 0 && t.winsByPlays()
	if !playsWin && (s.cost+s.bounds.cost(t, l, s.limit-s.cost) > s.limit || s.bounds.deadlocked(t)) {
		return
	}
	i, kept := s.keep(t, hash, slot)
	if !kept {
		return
	}
	if s.width > 0 {
		s.scores = append(s.scores, s.bounds.score(t, l))
	}
	if playsWin && !s.lastPlaysMeet(t) {
		s.winner = i
		s.end(won)
	}
}

// keep puts a state into the arena that isn't there, if there is room.
func (s *search) keep(t *state, hash uint64, slot int) (i uint32, ok bool) {
	if s.arena.n >= s.most {
		s.end(stopped)
		return 0, false
	}
	i = s.arena.add(t, hash, slot)
	if s.arena.crowded() && !s.arena.grow(s.stop) {
		s.end(stopped)
	}
	return i, true
}

// lastPlaysMeet says whether the plays that are left, as lastPlay makes them,
// come to a state to avoid. Another order of them may not; closePlays finds it.
func (s *search) lastPlaysMeet(t *state) bool {
	if s.start == 0 || !s.bounds.returns {
		return false // no state to avoid has more cards home than the start
	}
	for u := *t; u.len() > 0; {
		u.play(u.lastPlay())
		if s.arena.holds(&u, s.start) {
			return true
		}
	}
	return false
}

// closePlays adds what is queued and all that plays lead to from the states
// behind first, and gives where they end.
func (s *search) closePlays(first int) int {
	s.visitQueued()
	for i := first; i < s.arena.n && s.ending == running; i++ {
		from := s.arena.at(uint32(i))
		wanted := from.wanted()
		for e := from.tops(); e != 0; e &= e - 1 {
			place := bits.TrailingZeros64(e)
			if wanted.has(from.line[place]) {
				t := *from
				t.play(place)
				s.offer(&t, uint32(i))
			}
		}
		if i+1 == s.arena.n {
			s.visitQueued()
		}
	}
	return s.arena.n
}

// expand adds what builds and redeals lead to from a layer.
func (s *search) expand(l *layer) {
	for k := 0; k < l.len() && s.ending == running; k++ {
		i := l.at(k)
		from := s.arena.at(i)
		built := s.builds(from, i)
		if from.redealsLeft() != 0 && (s.bounds.variant.When == engine.AnyTime || !built && !s.movesOtherwise(from)) {
			s.redeal(from, i)
		}
	}
}

func (s *search) redeal(from *state, i uint32) {
	t := *from
	t.redeal(s.bounds.variant)
	if t.line == from.line && t.tops() == from.tops() {
		return // it changes nothing, so it can't help
	}
	s.offer(&t, i)
}

// builds adds what builds lead to from a state, and says whether there were
// any.
func (s *search) builds(from *state, i uint32) (built bool) {
	tops, places := from.topCards()
	for e := from.tops(); e != 0; e &= e - 1 {
		last := bits.TrailingZeros64(e)
		for k := 1; ; k++ {
			c := from.line[last-k+1]
			for h := s.bounds.hosts[c] & tops; h != 0; h &= h - 1 {
				t := *from
				t.build(last, k, int(places[h.first()]))
				s.offer(&t, i)
				built = true
			}
			below := last - k
			if !s.bounds.runs || below < 0 || from.ends>>below&1 != 0 || !s.bounds.hosts[c].has(from.line[below]) {
				break
			}
		}
	}
	return built
}

// topCards is the top cards and, by card, their places in the line.
func (s *state) topCards() (tops cardSet, places [64]uint8) {
	for e := s.tops(); e != 0; e &= e - 1 {
		i := bits.TrailingZeros64(e)
		tops |= 1 << s.line[i]
		places[s.line[i]&63] = uint8(i)
	}
	return tops, places
}

// returns adds what returns lead to from a layer of two less in cost.
func (s *search) returns(l *layer) {
	if !s.bounds.variant.Returns {
		return
	}
	for k := 0; k < l.len() && s.ending == running; k++ {
		i := l.at(k)
		from := s.arena.at(i)
		tops, places := from.topCards()
		for suit := range uint8(4) {
			c := from.onFoundation(suit)
			for h := s.bounds.hosts[c] & tops; h != 0; h &= h - 1 {
				t := *from
				t.takeBack(c, int(places[h.first()]))
				s.offer(&t, i)
			}
		}
	}
}

// onFoundation is the top card of a foundation.
func (s *state) onFoundation(suit uint8) uint8 {
	return uint8(s.home>>(4*suit)&15)<<2 | suit
}

// movesOtherwise says whether a card can be moved but by a build.
func (s *search) movesOtherwise(t *state) bool {
	tops, _ := t.topCards()
	if tops&t.wanted() != 0 {
		return true
	}
	for suit := range uint8(4) {
		c := t.onFoundation(suit)
		if s.bounds.variant.Returns && s.bounds.hosts[c]&tops != 0 {
			return true
		}
	}
	return false
}

// path is the steps from the start to the winner, and on to the end.
func (s *search) path() []step {
	var steps []step
	for i := s.winner; i != s.start; i = s.arena.at(i).parent {
		steps = append(steps, s.arena.at(i).move)
	}
	slices.Reverse(steps)
	for t := *s.arena.at(s.winner); t.len() > 0; {
		t.play(t.lastPlay())
		steps = append(steps, t.move)
	}
	return steps
}
