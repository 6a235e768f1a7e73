package engine

import "fmt"

// Suit is one of the four suits, in the order C, D, H, S.
type Suit uint8

// The suits.
const (
	Clubs Suit = iota
	Diamonds
	Hearts
	Spades
)

// String is the suit's letter in notation.
func (s Suit) String() string {
	if s > Spades {
		return "?"
	}
	return suitLetters[s : s+1]
}

// word is the suit's name in a sentence.
func (s Suit) word() string {
	return [...]string{"clubs", "diamonds", "hearts", "spades"}[s]
}

// Rank is the rank of a card: Ace is 1, King is 13.
type Rank uint8

// The ranks that the rules name.
const (
	Ace  Rank = 1
	King Rank = 13
)

// String is the rank's letter in notation.
func (r Rank) String() string {
	if r < Ace || r > King {
		return "?"
	}
	return rankLetters[r-1 : r]
}

const (
	suitLetters = "CDHS"
	rankLetters = "A23456789TJQK"
)

// Card is one of the 52 cards, four times its rank plus its suit. The zero
// Card is no card.
type Card uint8

// NewCard is the card of a rank and a suit.
func NewCard(r Rank, s Suit) Card { return Card(r)<<2 | Card(s) }

// ParseCard reads a card such as "TH". Anything else is an error.
func ParseCard(text string) (Card, error) {
	for s := range Spades + 1 {
		for r := Ace; r <= King; r++ {
			if c := NewCard(r, s); c.String() == text {
				return c, nil
			}
		}
	}
	return 0, fmt.Errorf("%.10q is not a card", text)
}

// Rank is the card's rank.
func (c Card) Rank() Rank { return Rank(c >> 2) }

// Suit is the card's suit.
func (c Card) Suit() Suit { return Suit(c & 3) }

func (c Card) red() bool { return c.Suit() == Diamonds || c.Suit() == Hearts }

// String is the card in notation, rank then suit: "TH".
func (c Card) String() string { return c.Rank().String() + c.Suit().String() }

// cardSet is a set of cards: bit c stands for Card c, so each rank is four
// bits, in the order of the suits.
type cardSet uint64

// eachRank has the lowest bit of every rank. Times 0b1001 it is the black
// cards, times 0b0110 the red ones.
const eachRank cardSet = 0x1111_1111_1111_1111

func (s cardSet) has(c Card) bool { return s>>c&1 != 0 }
