package solver

import (
	"math/bits"

	"cruel/engine"
)

// A deadlock is a set of cards of which none can be the first to leave its
// place, so that the game is lost. The first to leave would need to be the top
// of a pile; and to be played, no lower card of its suit in the set; or to be
// built, a card to go onto that isn't in the set or may be a top as well. Cards
// outside of the set are taken to do whatever helps.
//
// As long as none of the set has left, their order in the line lasts. Where no
// redeal is left, one is a top as soon as none of the set is above it in its
// pile. Else (base first, fours) a redeal ends piles at every fourth place. The
// place of a card of the set is the number of those before it in the line and
// of some of the other cards that may come before it: those that lie there,
// and those that can be built onto any of them or onto a card of the set that
// may be a top. With three of them any place may be the fourth.
type deadlock struct {
	bounds  *bounds
	state   *state
	redeals bool
	others  cardSet // cards that are not in the set, and may be in a pile
	set     cardSet
}

// deadlocked says whether a state is lost because of a deadlock. The largest
// set is found by starting with all cards and taking out those that might be
// the first to leave.
func (b *bounds) deadlocked(s *state) bool {
	d := deadlock{bounds: b, state: s, redeals: s.redealsLeft() != 0}
	if d.redeals && !b.fixedFour {
		return false
	}
	for suit := range 4 {
		d.set |= suitCards(suit) &^ (1<<(4*(s.home>>(4*suit)&15+1)) - 1)
	}
	if b.returns {
		d.others = allCards &^ d.set &^ aces
	}
	for d.set != 0 {
		tops := d.tops()
		built := b.guestsOf(tops | d.others)
		if b.runs { // a card may leave with those under it
			built = b.onto(built, d.set)
		}
		left := d.set &^ (tops & built)
		left &= (left &^ tops).andAbove() // of the others one after the other can be played
		if left == d.set {
			return true
		}
		d.others |= d.set &^ left
		d.set = left
	}
	return false
}

// tops is the cards of the set that may be tops while all of it is in place.
func (d *deadlock) tops() (tops cardSet) {
	if d.redeals && d.others == 0 {
		for e := d.state.tops() | fours(d.state.len()); e != 0; e &= e - 1 {
			tops |= 1 << d.state.line[bits.TrailingZeros64(e)]
		}
		return tops
	}
	var (
		last   cardSet // of the set, in the line
		place  int     // how many of the set there are up to last
		before cardSet // others that may come before the next of the set
		ends   bool    // a pile ends after last
		left   = d.set
	)
	for i, c := range d.state.line[:d.state.len()] {
		if !d.set.has(c) {
			before |= 1 << c
		} else {
			before = d.bounds.onto(before, d.others)
			if ends || d.redeals && (place+before.len())&^3 >= place {
				tops |= last
				before |= d.bounds.onto(d.bounds.guestsOf(last)&d.others, d.others)
			}
			if d.redeals && before.len() >= 3 {
				return tops | left
			}
			last, ends = 1<<c, false
			left &^= last
			place++
		}
		ends = ends || d.state.ends>>i&1 != 0
	}
	return tops | last
}

// onto is cards and all of some others that may be built onto them.
func (b *bounds) onto(cards, others cardSet) cardSet {
	for more := cards; more != 0; cards |= more {
		more = b.guestsOf(more) & others &^ cards
	}
	return cards
}

// guestsOf is the cards that may be built onto any of a set, and aces.
func (b *bounds) guestsOf(hosts cardSet) cardSet {
	if b.variant.Build == engine.SameSuit {
		return hosts >> 4
	}
	const black, red = 0b1001, 0b0110
	onBlack := (hosts | hosts>>3) & eachRank * red
	onRed := (hosts>>1 | hosts>>2) & eachRank * black
	return (onBlack | onRed) >> 4
}
