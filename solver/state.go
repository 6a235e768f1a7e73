package solver

import (
	"encoding/binary"
	"math/bits"

	"cruel/engine"
)

// maxLine is the most cards that the piles hold together.
const maxLine = 48

// state is a position as the search sees it, in one cache line: the cards of
// the piles in one row, pile after pile and bottom card first, which is the
// line that a redeal gathers. Empty piles leave no trace in it, since nothing
// tells two positions apart that differ only in where they are empty.
type state struct {
	line   [maxLine]uint8 // engine.Cards; zero behind the last
	ends   uint64         // bit i: line[i] is the top card of a pile; above them the redeals left
	parent uint32         // in the arena; the start is its own
	move   step           // that led here from the parent
	home   uint16         // the ranks on the foundations, four bits a suit
}

const (
	endsMask    = 1<<maxLine - 1
	unlimited   = 0xffff // redeals left
	mostRedeals = unlimited - 1
)

// step is a move by its cards, so that it doesn't depend on where piles are
// empty: the card that moves, and above it the card that it goes onto. The
// second is zero for a play, and both are for a redeal. A step whose cards are
// both there is a return if the card comes from a foundation, else a build.
type step uint16

func stepOf(card, onto uint8) step { return step(onto)<<8 | step(card) }

func (m step) card() uint8 { return uint8(m) }
func (m step) onto() uint8 { return uint8(m >> 8) }

// newState is p without what the search has no use for. It is false where p
// doesn't hold each of the 52 cards once.
func newState(p *engine.Position) (s state, ok bool) {
	seen, n := cardSet(0), 0
	for suit, rank := range p.Foundations {
		if rank < engine.Ace || rank > engine.King {
			return state{}, false
		}
		s.home |= uint16(rank) << (4 * suit)
		seen |= suitCards(suit) & (1<<(4*(rank+1)) - 1)
	}
	for i := range p.Piles {
		pile := &p.Piles[i]
		for j := range pile.Len() {
			c := pile.At(j)
			if n == maxLine || seen.has(uint8(c)) {
				return state{}, false
			}
			seen |= 1 << c
			s.line[n] = uint8(c)
			n++
		}
		if n > 0 {
			s.ends |= 1 << (n - 1)
		}
	}
	left := uint64(unlimited)
	if p.RedealsLeft >= 0 {
		left = uint64(min(p.RedealsLeft, mostRedeals)) // no variant allows more
	}
	s.ends |= left << maxLine
	return s, seen == allCards
}

// tops is the ends without the redeals.
func (s *state) tops() uint64 { return s.ends & endsMask }

// len is the number of cards in the piles.
func (s *state) len() int { return bits.Len64(s.tops()) }

func (s *state) redealsLeft() int { return int(s.ends >> maxLine) }

// wanted is the cards that the foundations take next.
func (s *state) wanted() cardSet {
	h := uint(s.home)
	return 1<<(h&15*4+4) | 1<<(h>>4&15*4+5) | 1<<(h>>8&15*4+6) | 1<<(h>>12*4+7)
}

// play takes the top card at i to its foundation.
func (s *state) play(i int) {
	c := s.line[i]
	s.home += 1 << (4 * (c & 3))
	s.cut(i, 1)
	s.move = stepOf(c, 0)
}

// build moves the k cards that end with the top card at i onto that at j.
func (s *state) build(i, k, j int) {
	var run [engine.PileCount + 1]uint8
	first := i - k + 1
	copy(run[:], s.line[first:i+1])
	move := stepOf(run[0], s.line[j])
	if first < j {
		copy(s.line[first:], s.line[i+1:j+1])
		j -= k
	} else {
		copy(s.line[j+1+k:], s.line[j+1:first])
	}
	copy(s.line[j+1:], run[:k])
	s.ends = withRoom(without(s.ends, first, k), j, k)
	s.move = move
}

// takeBack puts a foundation's top card onto the top card at j.
func (s *state) takeBack(card uint8, j int) {
	s.home -= 1 << (4 * (card & 3))
	s.move = stepOf(card, s.line[j])
	copy(s.line[j+2:], s.line[j+1:])
	s.line[j+1] = card
	s.ends = withRoom(s.ends, j, 1)
}

// cut takes k cards out of the line from first on, the last of them a top.
func (s *state) cut(first, k int) {
	copy(s.line[first:], s.line[first+k:])
	clear(s.line[maxLine-k:])
	s.ends = without(s.ends, first, k)
}

// without is ends when the k places from first on, the last of which is an
// end, are taken out. The place before them is an end then, whether a card of
// the same pile or of the one before.
func without(ends uint64, first, k int) uint64 {
	left, ends := ends&^endsMask, ends&endsMask
	below := ends & (1<<first - 1)
	above := ends >> (first + k) << first
	return left | below | above | 1<<first>>1
}

// withRoom is ends when k places are put in behind the end at j, and the last
// of them is the end instead.
func withRoom(ends uint64, j, k int) uint64 {
	left, ends := ends&^endsMask, ends&endsMask
	below := ends & (1<<j - 1)
	above := ends >> (j + 1) << (j + 1 + k)
	return left | below | above | 1<<(j+k)
}

// fours is the ends when piles of four are cut from a line of n cards.
func fours(n int) uint64 {
	return 0x8888_8888_8888&(1<<n-1) | 1<<n>>1
}

// redeal gathers the piles and deals them out by the variant's columns.
func (s *state) redeal(v *engine.Variant) {
	n := s.len()
	if v.Gather == engine.TopFirst {
		s.turn(s.tops())
	}
	ends := fours(n)
	if v.DealOut == engine.Singly {
		ends = s.dealSingly(n)
	}
	if v.Gather == engine.TopFirst {
		s.turn(ends)
	}
	left := s.redealsLeft()
	if left != unlimited {
		left--
	}
	s.ends = ends | uint64(left)<<maxLine
	s.move = 0
}

// turn turns each pile upside down.
func (s *state) turn(ends uint64) {
	first := 0
	for ; ends != 0; ends &= ends - 1 {
		last := bits.TrailingZeros64(ends)
		for i, j := first, last; i < j; i, j = i+1, j-1 {
			s.line[i], s.line[j] = s.line[j], s.line[i]
		}
		first = last + 1
	}
}

// dealSingly deals the n cards of the line round n/4 piles, rounded up, and
// gives the ends.
func (s *state) dealSingly(n int) (ends uint64) {
	from := s.line
	piles, to := (n+3)/4, 0
	for pile := range piles {
		for i := pile; i < n; i += piles {
			s.line[to] = from[i]
			to++
		}
		ends |= 1 << to >> 1
	}
	return ends
}

// sameKey says whether two states are one position.
func (s *state) sameKey(t *state) bool { return s.ends == t.ends && s.line == t.line }

// hash mixes what sameKey compares.
func (s *state) hash() uint64 {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(s.line[8*i:]) }
	h := fold(word(0)^0xa0761d6478bd642f, word(1)^0xe7037ed1a0b428db)
	h ^= fold(word(2)^0x8ebc6af09c88c6e3, word(3)^0x589965cc75374cc3)
	h ^= fold(word(4)^0x1d8e4e27c47d124f, word(5)^0xeb44accab455d165)
	return fold(h^0x2d358dccaa6c78a5, s.ends^0x8bb84b93962eacc9)
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// cardSet is a set of cards: bit c stands for card c, so each rank is four
// bits, in the order of the suits.
type cardSet uint64

const (
	eachRank cardSet = 0x1111_1111_1111_1111 // the lowest suit of every rank
	allCards cardSet = 1<<56 - 1<<4
	aces     cardSet = 1<<8 - 1<<4
)

func (s cardSet) has(c uint8) bool { return s>>c&1 != 0 }

// suitCards is the 13 cards of a suit.
func suitCards(suit int) cardSet { return eachRank << suit & allCards }

// first is the lowest card of a set that isn't empty.
func (s cardSet) first() uint8 { return uint8(bits.TrailingZeros64(uint64(s))) }

// cardTable is a set for each card.
type cardTable [64]cardSet

// lower is the cards of the same suit below a card.
var lower = func() *cardTable {
	var t cardTable
	for c := range 56 {
		t[c] = suitCards(c&3) & (1<<c - 1)
	}
	return &t
}()

// The suits of each colour, as they stand in the four bits of a rank.
const black, red cardSet = 0b1001, 0b0110

// hostTables is, for each way to build, what a card may be built onto. Aces don't
// take part.
var hostTables = func() (tables [2]*cardTable) {
	for build := range tables {
		tables[build] = new(cardTable)
		for c := 8; c < 52; c++ {
			tables[build][c] = hostsOf(engine.Build(build), c)
		}
	}
	return tables
}()

func hostsOf(b engine.Build, c int) cardSet {
	switch {
	case b == engine.SameSuit:
		return 1 << (c + 4)
	case black>>(c&3)&1 != 0:
		return red << (c&^3 + 4)
	default:
		return black << (c&^3 + 4)
	}
}

func (s cardSet) len() int { return bits.OnesCount64(uint64(s)) }

// andAbove is the cards and all higher ones of their suits.
func (s cardSet) andAbove() cardSet {
	s |= s << 4
	s |= s << 8
	s |= s << 16
	return s | s<<32
}
