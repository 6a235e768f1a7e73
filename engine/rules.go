package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Apply makes the move in p. A move that the rules forbid leaves p as it was
// and gives an *IllegalMoveError.
func Apply(v Variant, p *Position, m Move) error {
	if !p.apply(&v, m) {
		return &IllegalMoveError{Variant: v, Position: *p, Move: m}
	}
	return nil
}

func (p *Position) apply(v *Variant, m Move) bool {
	if m.From >= PileCount || m.To >= PileCount {
		return false
	}
	switch m.Kind {
	case PlayMove:
		return p.play(m.From, m.To)
	case BuildMove:
		if m.Count != 1 {
			return v.Unit == Run && p.moveRun(v, m)
		}
		return p.build(v.Build, m.From, m.To)
	case ReturnMove:
		return v.Returns && p.takeBack(v.Build, m.From, m.To)
	case RedealMove:
		if !p.mayRedeal(v) {
			return false
		}
		p.redeal(v)
		return true
	}
	return false
}

func (p *Position) play(from, suit uint8) bool {
	pile := &p.Piles[from]
	card := pile.Top()
	rank := &p.Foundations[card.Suit()]
	if card.Suit() != Suit(suit) || card.Rank() != *rank+1 {
		return false
	}
	pile.pop()
	*rank++
	return true
}

func (p *Position) build(b Build, from, to uint8) bool {
	pile, onto := &p.Piles[from], &p.Piles[to]
	card := pile.Top()
	if card == 0 || !b.takes(onto.Top(), card) {
		return false
	}
	pile.pop()
	onto.push(card)
	return true
}

func (p *Position) moveRun(v *Variant, m Move) bool {
	if m.Count < 2 {
		return false
	}
	pile, onto := &p.Piles[m.From], &p.Piles[m.To]
	if m.Count > pile.n || int(m.Count) > pile.unit(v) {
		return false
	}
	run := pile.cards[pile.n-m.Count : pile.n]
	if !v.Build.takes(onto.Top(), run[0]) {
		return false
	}
	copy(onto.cards[onto.n:], run)
	onto.n += m.Count
	pile.n -= m.Count
	clear(run)
	return true
}

// unit is the most cards that can leave a pile, which isn't empty, at once.
func (p *Pile) unit(v *Variant) int {
	if v.Unit == OneCard {
		return 1
	}
	lowest := int(p.n) - 1
	for lowest > 0 && v.Build.takes(p.cards[lowest-1], p.cards[lowest]) {
		lowest--
	}
	return int(p.n) - lowest
}

func (p *Position) takeBack(b Build, suit, to uint8) bool {
	if suit >= 4 {
		return false
	}
	rank, onto := &p.Foundations[suit], &p.Piles[to]
	card := NewCard(*rank, Suit(suit))
	if *rank == Ace || !b.takes(onto.Top(), card) {
		return false
	}
	onto.push(card)
	*rank--
	return true
}

func (p *Position) mayRedeal(v *Variant) bool {
	return p.RedealsLeft != 0 && p.Foundations != complete && (v.When == AnyTime || !p.canMove(v))
}

// cardLine is a row of cards with room for all that twelve piles can hold.
type cardLine [PileCount * maxPile]Card

// redeal gathers the piles into one line of cards and deals it out again.
func (p *Position) redeal(v *Variant) {
	if p.RedealsLeft > 0 {
		p.RedealsLeft--
	}
	var line cardLine
	if v.Gather == TopFirst {
		p.turnPiles()
	}
	n := 0
	for i := range p.Piles {
		pile := &p.Piles[i]
		// All places are copied, which is faster than to count; the next
		// pile overwrites those that were empty.
		*(*[maxPile]Card)(line[n:]) = pile.cards
		n += int(pile.n)
	}
	if v.DealOut == Singly {
		p.dealSingly(&line, n)
	} else {
		p.dealFours(&line, n)
	}
	if v.Gather == TopFirst {
		p.turnPiles()
	}
}

// dealFours makes piles of four of the first n cards of the line, which are
// all that it holds.
func (p *Position) dealFours(line *cardLine, n int) {
	for i := range p.Piles {
		pile := &p.Piles[i]
		*pile = Pile{n: uint8(min(max(n-4*i, 0), 4))}
		*(*[4]Card)(pile.cards[:]) = *(*[4]Card)(line[4*i:])
	}
}

// dealSingly deals the first n cards of the line round as few piles as can
// hold them with four cards each.
func (p *Position) dealSingly(line *cardLine, n int) {
	p.Piles = [PileCount]Pile{}
	piles := (n + 3) / 4
	for i, c := range line[:n] {
		p.Piles[i%piles].push(c)
	}
}

// turnPiles turns each pile upside down.
func (p *Position) turnPiles() {
	for i := range p.Piles {
		pile := &p.Piles[i]
		slices.Reverse(pile.cards[:pile.n])
	}
}

// LegalMoves is every move that Apply takes, in the order of the bytes of
// their notation.
func LegalMoves(v Variant, p Position) []Move { return AppendLegalMoves(nil, v, &p) }

// AppendLegalMoves appends what LegalMoves gives to moves, so that a caller
// who asks often can use one slice again.
func AppendLegalMoves(moves []Move, v Variant, p *Position) []Move {
	for suit := range uint8(4) {
		if Suit(suit) == Spades && p.mayRedeal(&v) { // "R" sorts before "S"
			moves = append(moves, Move{Kind: RedealMove})
		}
		moves = p.appendReturns(moves, &v, suit)
	}
	for from := range uint8(PileCount) {
		moves = p.appendPileMoves(moves, &v, from)
	}
	return moves
}

func (p *Position) appendReturns(moves []Move, v *Variant, suit uint8) []Move {
	rank := p.Foundations[suit]
	if !v.Returns || rank == Ace {
		return moves
	}
	for to := range uint8(PileCount) {
		if v.Build.takes(p.Piles[to].Top(), NewCard(rank, Suit(suit))) {
			moves = append(moves, Move{Kind: ReturnMove, From: suit, To: to})
		}
	}
	return moves
}

func (p *Position) appendPileMoves(moves []Move, v *Variant, from uint8) []Move {
	pile := &p.Piles[from]
	if pile.n == 0 {
		return moves
	}
	top := pile.cards[pile.n-1]
	if p.Foundations[top.Suit()]+1 == top.Rank() {
		moves = append(moves, Move{Kind: PlayMove, From: from, To: uint8(top.Suit())})
	}
	most := pile.unit(v)
	for to := range uint8(PileCount) {
		// The ranks leave one count at most that can fit.
		onto := p.Piles[to].Top()
		count := int(onto.Rank()) - int(top.Rank())
		if 1 <= count && count <= most && v.Build.takes(onto, pile.cards[int(pile.n)-count]) {
			moves = append(moves, Move{Kind: BuildMove, From: from, To: to, Count: uint8(count)})
		}
	}
	return moves
}

// canMove says whether any move but a redeal is legal.
func (p *Position) canMove(v *Variant) bool {
	var tops, movable, wanted cardSet
	for i := range p.Piles {
		pile := &p.Piles[i]
		if pile.n == 0 {
			continue
		}
		tops |= 1 << pile.cards[pile.n-1]
		for _, c := range pile.cards[int(pile.n)-pile.unit(v) : pile.n] {
			movable |= 1 << c
		}
	}
	for suit, rank := range p.Foundations {
		wanted |= 1 << NewCard(rank+1, Suit(suit))
		if v.Returns && rank > Ace {
			movable |= 1 << NewCard(rank, Suit(suit))
		}
	}
	return tops&wanted|movable&v.Build.under(tops) != 0
}

// Won says whether all cards are on the foundations.
func (p Position) Won() bool { return p.Foundations == complete }

var complete = [4]Rank{King, King, King, King}

// Outcome is what a game has come to.
type Outcome uint8

// The outcomes. A stuck game is lost: no card can be moved, and no redeal
// that is still allowed leads to a layout in which one can be.
const (
	Unfinished Outcome = iota
	Stuck
	Won
)

var outcomes = [...]string{"unfinished", "stuck", "won"}

func (o Outcome) String() string { return outcomes[o] }

// ParseOutcome reads an outcome as String writes it.
func ParseOutcome(text string) (Outcome, error) {
	if i := slices.Index(outcomes[:], text); i >= 0 {
		return Outcome(i), nil
	}
	return 0, fmt.Errorf("%.20q is not an outcome; they are %s", text, strings.Join(outcomes[:], ", "))
}

// OutcomeOf is the outcome of a game that is in position p.
func OutcomeOf(v Variant, p Position) Outcome {
	if p.Won() {
		return Won
	}
	// After one redeal the sizes of the piles follow from the number of
	// cards, so all further redeals permute the cards in one way, and
	// following them must lead back to the layout after the first.
	var first [PileCount]Pile
	for redeals := 0; !p.canMove(&v); redeals++ {
		switch {
		case p.RedealsLeft == 0, redeals > 1 && p.Piles == first:
			return Stuck
		case redeals == 1:
			first = p.Piles
		}
		p.redeal(&v)
	}
	return Unfinished
}
