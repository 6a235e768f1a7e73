package solver

import (
	"math/bits"
)

// A deadlock is a set of cards of which none can be the first to leave its
// place, so that the game is lost. The first to leave would need no other of
// the set on top of it; and to be played, no lower card of its suit in the
// set; or to be built, a card to go onto that is there and not itself under
// one of the set. Cards outside of the set are taken to do whatever helps.
//
// This needs piles whose order lasts. Where no redeal is left that is every
// pile. Else it is those from the first on that begin at every fourth place
// of the line, where base first and fours keep them there: the first pile
// always, the next one as long as the four of the pile before it stay and
// nothing can be built onto them, since either would shift the line.
type deadlock struct {
	bounds  *bounds
	state   *state
	lasting bool // no redeal is left
	home    cardSet
	set     cardSet
	tops    cardSet // of the set, those with none of the set above them
	piles   int
	base    [maxLine]uint8 // by pile: the place of its lowest card
	height  [maxLine]uint8 // by pile: how many of its cards, from the lowest on, are in the set
}

// deadlocked says whether a state is lost because of a deadlock.
func (b *bounds) deadlocked(s *state) bool {
	d := deadlock{bounds: b, state: s, lasting: s.redealsLeft() == 0}
	if !d.lasting && !b.fixedFour {
		return false
	}
	for suit := range 4 {
		d.home |= suitCards(suit) & (1<<(4*(s.home>>(4*suit)&15+1)) - 1)
	}
	d.fill()
	for d.shrink() {
	}
	return d.set != 0
}

// fill begins with all cards whose order lasts as long as they stay.
func (d *deadlock) fill() {
	first := 0
	for ends := d.state.tops(); ends != 0; ends &= ends - 1 {
		end := bits.TrailingZeros64(ends) + 1
		height := end - first
		if !d.lasting {
			height = min(height, 4)
		}
		for _, c := range d.state.line[first : first+height] {
			d.set |= 1 << c
		}
		d.tops |= 1 << d.state.line[first+height-1]
		d.base[d.piles], d.height[d.piles] = uint8(first), uint8(height)
		d.piles++
		if !d.lasting && end-first != 4 {
			return
		}
		first = end
	}
}

// shrink takes cards out of the set that might be the first to leave, and says
// whether there were any.
func (d *deadlock) shrink() (any bool) {
	for pile := range d.piles {
		if pile > 0 && !d.lasting && !d.pinned(pile-1) {
			d.drop(pile)
			return true
		}
		for d.height[pile] > 0 && d.mayLeave(pile) {
			d.pop(pile)
			any = true
		}
	}
	return any
}

// top is the highest card of a pile that is in the set.
func (d *deadlock) top(pile int) uint8 { return d.state.line[d.base[pile]+d.height[pile]-1] }

func (d *deadlock) pop(pile int) {
	c := d.top(pile)
	d.set &^= 1 << c
	d.tops &^= 1 << c
	d.height[pile]--
	if d.height[pile] > 0 {
		d.tops |= 1 << d.top(pile)
	}
}

// drop takes the piles from one on out of the set.
func (d *deadlock) drop(first int) {
	for pile := first; pile < d.piles; pile++ {
		for d.height[pile] > 0 {
			d.pop(pile)
		}
	}
	d.piles = first
}

// pinned says whether a pile's four cards are all in the set, and so is every
// card that may be built onto them.
func (d *deadlock) pinned(pile int) bool {
	if d.height[pile] != 4 {
		return false
	}
	guests := d.bounds.guests[d.top(pile)] &^ d.set
	if !d.bounds.returns {
		guests &^= d.home
	}
	return guests == 0
}

// mayLeave says whether the highest card of a pile that is in the set might be
// the first of it to leave.
func (d *deadlock) mayLeave(pile int) bool {
	c := d.top(pile)
	if d.set&lower[c] == 0 || d.mayBeBuilt(c) {
		return true
	}
	if d.bounds.runs { // it may leave with those under it
		for i := d.base[pile] + d.height[pile] - 1; i > d.base[pile]; i-- {
			below := d.state.line[i-1]
			if !d.bounds.hosts[d.state.line[i]].has(below) {
				break
			}
			if d.mayBeBuilt(below) {
				return true
			}
		}
	}
	return false
}

func (d *deadlock) mayBeBuilt(c uint8) bool {
	hosts := d.bounds.hosts[c] &^ (d.set &^ d.tops)
	if !d.bounds.returns {
		hosts &^= d.home
	}
	return hosts != 0
}
