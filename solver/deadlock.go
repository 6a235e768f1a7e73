package solver

import (
	"math/bits"

	"cruel/engine"
)

// A deadlock is a set of cards in the piles of which none can be the first to
// leave its place, by a play or a build. Then none ever leaves, and the game is
// lost. The first to leave would need to be the top of a pile; and to be
// played, no lower card of its suit in the set; or to be built, a card to go
// onto that isn't in the set or is a top as well. The others, which are not in
// the set, are taken to do whatever helps.
//
// As long as none of the set has left, the order of its cards in the line
// lasts, whatever the others do. So one of them becomes a top only if a pile
// ends somewhere between it and the next of the set, and the others between
// the two go away. Such an end is there now, or comes by a redeal, which
// (base first, fours) ends a pile at every fourth place. With k cards of the
// set up to this one, and at most m others that may come before the next, an
// end between the two has a place from k to k+m. If none of these is a fourth,
// no redeal makes the card a top.
type deadlock struct {
	bounds  *bounds
	state   *state
	redeals bool    // there are any left
	set     cardSet // starts as all cards in the piles, and ends as a deadlock or empty
	others  cardSet // cards that are not in the set, and are or may come into a pile
}

// deadlocked says whether a state is lost because of a deadlock. The largest
// one is found by starting with all cards in the piles and taking out those
// that might be the first to leave, until there are none.
func (b *bounds) deadlocked(s *state) bool {
	d := deadlock{bounds: b, state: s, redeals: s.redealsLeft() != 0}
	if d.redeals && !b.fixedFour {
		return false // the order in the line doesn't last
	}
	for suit := range 4 {
		d.set |= suitCards(suit) &^ (1<<(4*(s.home>>(4*suit)&15+1)) - 1)
	}
	if b.returns {
		d.others = allCards &^ d.set &^ aces
	}
	for d.set != 0 {
		stay := d.stay()
		if stay == d.set {
			return true
		}
		d.others |= d.set &^ stay
		d.set = stay
	}
	return false
}

// stay is the cards of the set that can't be the first to leave, even if those
// that can have left before.
func (d *deadlock) stay() cardSet {
	tops := d.tops()
	built := d.bounds.guestsOf(tops | d.others)
	if d.bounds.runs { // a card may leave with those under it
		built = d.bounds.onto(built, d.set)
	}
	left := d.set &^ (tops & built)
	return left & (left &^ tops).andAbove() // tops without one of these below may be played one after the other
}

// tops is the cards of the set that may be tops while all of it is in place.
func (d *deadlock) tops() (tops cardSet) {
	if d.redeals && d.others == 0 { // as below, but sooner done
		for e := d.state.tops() | fours(d.state.len()); e != 0; e &= e - 1 {
			tops |= 1 << d.state.line[bits.TrailingZeros64(e)]
		}
		return tops
	}
	var (
		card   cardSet // of the set, the last that was met in the line
		upTo   int     // cards of the set up to it
		behind = d.set // cards of the set behind it
		before cardSet // others that may come before the next of the set
		ends   bool    // a pile ends between the two
	)
	for i, c := range d.state.line[:d.state.len()] {
		if !d.set.has(c) {
			before |= 1 << c
		} else {
			before = d.bounds.onto(before, d.others)
			if ends || d.redeals && fourthIn(upTo, upTo+before.len()) {
				tops |= card
				before |= d.bounds.guestsOf(card) & d.others
			}
			if d.redeals && before.len() >= 3 {
				return tops | behind // any place may become a fourth
			}
			card, ends = 1<<c, false
			behind &^= card
			upTo++
		}
		ends = ends || d.state.ends>>i&1 != 0
	}
	return tops | card
}

// fourthIn says whether one of the places from first to last is a fourth.
func fourthIn(first, last int) bool { return last&^3 >= first }

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
	onBlack := (hosts | hosts>>3) & eachRank * red // a rank's lowest bit times both reds
	onRed := (hosts>>1 | hosts>>2) & eachRank * black
	return (onBlack | onRed) >> 4
}
