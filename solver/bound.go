package solver

import (
	"math/bits"

	"cruel/engine"
)

// A card is blocked while a lower card of its suit lies under it in its pile:
// it can't be played before that one, so before a win without a redeal it must
// leave by a build. A run leaves by one build, so of a run that may move as a
// unit only the lowest card counts.
//
// The first four cards of the line stay in the first pile for ever where piles
// are gathered base first and dealt by fours: a card comes out of the line
// only from the top of its pile, so of these four only the topmost can leave,
// and none ever comes in below them. A blocked card among them must leave by a
// build, no matter how many redeals are made. deadlock.go takes this further.

// bounds says what a variant's columns allow to be concluded.
type bounds struct {
	variant   *engine.Variant
	fixedFour bool // the first four cards of the line leave from the top only
	runs      bool
	returns   bool
	hosts     *cardTable // by card: what it may be built onto
}

func boundsOf(v *engine.Variant) bounds {
	return bounds{
		variant:   v,
		fixedFour: v.Gather == engine.BaseFirst && v.DealOut == engine.Fours,
		runs:      v.Unit == engine.Run,
		returns:   v.Returns,
		hosts:     hostTables[v.Build],
	}
}

// look is what the bounds say of a state.
type look struct {
	blocked int // builds that a win without a redeal needs at least
	fixed   int // those of them that a redeal doesn't save
}

// cost is how much builds and redeals must still cost at least, where plays
// alone don't win. More than room is all one to the caller.
func (b *bounds) cost(s *state, l look, room int) int {
	cost := max(l.blocked, 1)
	if s.redealsLeft() == 0 {
		return cost
	}
	cost = min(cost, 1+l.fixed)
	if cost == 1 && room == 1 && l.blocked > 1 && !b.redealFrees(s) {
		return 2 // one redeal and plays don't do it either
	}
	return cost
}

// look judges a state by its piles.
func (b *bounds) look(s *state) (l look) {
	ends, n := s.tops(), s.len()
	staying := n // how many cards, from the line's first on, no redeal takes out of their pile
	if s.redealsLeft() != 0 {
		staying = 0
		if b.fixedFour {
			staying = min(4, bits.TrailingZeros64(ends)+1)
		}
	}
	var under cardSet // the cards under line[i] in its pile
	for i, c := range s.line[:n] {
		if under&lower[c] != 0 && !(b.runs && b.hosts[c].has(s.line[i-1])) {
			l.blocked++
			if i < staying {
				l.fixed++
			}
		}
		under |= 1 << c
		if ends>>i&1 != 0 {
			under = 0
		}
	}
	return l
}

// winsByPlays says whether plays alone win. Their order doesn't matter then.
func (s *state) winsByPlays() bool { return s.playable() == 1<<s.len()-1 }

// lastPlay is the first place of a card that can be played, where plays alone
// win.
func (s *state) lastPlay() int {
	wanted, ends := s.wanted(), s.tops()
	for !wanted.has(s.line[bits.TrailingZeros64(ends)]) {
		ends &= ends - 1
	}
	return bits.TrailingZeros64(ends)
}

// playable is the places of the line whose cards plays alone can bring home.
func (s *state) playable() (places uint64) {
	ends, home := s.tops(), s.home
	for before := ^places; before != places; {
		before = places
		for e := ends; e != 0; e &= e - 1 {
			i := bits.TrailingZeros64(e)
			for {
				c := s.line[i]
				suit := 4 * (c & 3)
				if home>>suit&15+1 != uint16(c>>2) {
					break
				}
				home += 1 << suit
				places |= 1 << i
				ends &^= 1 << i
				if i == 0 || s.ends>>(i-1)&1 != 0 {
					break
				}
				i--
				ends |= 1 << i
			}
		}
	}
	return places
}

// mostPlays is how many playable cards redealFrees tries all choices of.
const mostPlays = 8

// redealFrees says whether there are plays after which a redeal leaves no card
// blocked. It doesn't ask whether they can be made without the other plays, so
// it may say yes where there are none; and where there are too many to try, it
// says yes.
func (b *bounds) redealFrees(s *state) bool {
	playable := s.playable()
	if bits.OnesCount64(playable) > mostPlays {
		return true
	}
	if b.fixedFour {
		return s.freed(0, 0, 0, playable)
	}
	for played := playable; ; played = (played - 1) & playable {
		if t, ok := s.afterPlays(played); ok {
			t.redeal(b.variant)
			if t.blockedIf(t.tops()) == 0 {
				return true
			}
		}
		if played == 0 {
			return false
		}
	}
}

// afterPlays is a state without the cards at some places of its line. It is
// false where one of them lies under a card that stays.
func (s *state) afterPlays(places uint64) (t state, ok bool) {
	t = *s
	for places != 0 {
		i := bits.Len64(places) - 1
		if t.ends>>i&1 == 0 {
			return state{}, false
		}
		t.cut(i, 1)
		places &^= 1 << i
	}
	return t, true
}

// freed is redealFrees by fours for the line from i on, where the pile that is
// being dealt has dealt cards so far, which are under.
func (s *state) freed(i, dealt int, under cardSet, playable uint64) bool {
	for n := s.len(); i < n; i++ {
		c := s.line[i]
		if playable>>i&1 != 0 && s.freed(i+1, dealt, under, playable) {
			return true
		}
		if under&lower[c] != 0 {
			return false
		}
		under |= 1 << c
		if dealt++; dealt == 4 {
			dealt, under = 0, 0
		}
	}
	return true
}

// blockedIf is how many cards would be blocked if the piles ended there.
func (s *state) blockedIf(ends uint64) (n int) {
	var under cardSet
	for i, c := range s.line[:s.len()] {
		if under&lower[c] != 0 {
			n++
		}
		under |= 1 << c
		if ends>>i&1 != 0 {
			under = 0
		}
	}
	return n
}
