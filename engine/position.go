package engine

import (
	"fmt"
	"strings"
)

// PileCount is the number of tableau piles.
const PileCount = 12

// Position is the game at one moment, as far as the rules care: two positions
// are equal (==) when the same moves lead to the same results from here on.
type Position struct {
	Foundations [4]Rank // the rank on top, by suit
	RedealsLeft int32   // Unlimited where the variant sets no limit
	Piles       [PileCount]Pile
}

// Cards is the number of cards on the foundations, 4 to 52.
func (p Position) Cards() int {
	n := 0
	for _, r := range p.Foundations {
		n += int(r)
	}
	return n
}

// String is the position for people: the foundations, then a line a pile.
func (p Position) String() string {
	var b strings.Builder
	for s, r := range p.Foundations {
		b.WriteString(NewCard(r, Suit(s)).String() + " ")
	}
	fmt.Fprintf(&b, "redeals %d\n", p.RedealsLeft)
	for i := range p.Piles {
		fmt.Fprintf(&b, "%c: %s\n", 'a'+i, p.Piles[i])
	}
	return b.String()
}

// maxPile is the most cards that a pile can hold: after a deal it has four,
// and onto a king eleven more can be built, down to the two.
const maxPile = 15

// Pile is the cards of a pile. It is sixteen bytes, so copying is cheap, and
// unused places are zero, so == compares the cards. Methods that look at one
// card take a pointer, since copying even a pile costs more than the look.
type Pile struct {
	cards [maxPile]Card
	n     uint8
}

// ParsePile reads the cards of a pile, bottom card first, with single spaces
// between them: "2C 3S 4D"; "" is the empty pile. A pile with an Ace is an
// error, and so is one that has no room for all that may be built onto any of
// its cards; no game leads to either.
func ParsePile(text string) (Pile, error) {
	var p Pile
	if text == "" {
		return p, nil
	}
	for word := range strings.SplitSeq(text, " ") {
		c, err := ParseCard(word)
		if err != nil {
			return Pile{}, err
		}
		if c.Rank() == Ace || p.Len()+1+int(c.Rank()-Ace-1) > maxPile {
			return Pile{}, fmt.Errorf("%s cannot be card %d of a pile", c, p.Len()+1)
		}
		p.push(c)
	}
	return p, nil
}

// Len is the number of cards.
func (p *Pile) Len() int { return int(p.n) }

// At is the i-th card, counted from the bottom card, which is 0.
func (p *Pile) At(i int) Card { return p.cards[:p.n][i] }

// Top is the top card, or no card where the pile is empty.
func (p *Pile) Top() Card {
	if p.n == 0 {
		return 0
	}
	return p.cards[p.n-1]
}

// Cards is a copy of the cards, bottom card first.
func (p Pile) Cards() []Card { return append([]Card(nil), p.cards[:p.n]...) }

// String is the pile as ParsePile reads it.
func (p Pile) String() string {
	var b strings.Builder
	for i, c := range p.cards[:p.n] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.String())
	}
	return b.String()
}

func (p *Pile) push(c Card) {
	p.cards[p.n] = c
	p.n++
}

// pop takes the top card off a pile that has one.
func (p *Pile) pop() {
	p.n--
	p.cards[p.n] = 0
}
