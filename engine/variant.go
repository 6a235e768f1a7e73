package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Variant is a named row of the rule table. Code that acts on a variant looks
// at the columns and never at the id.
type Variant struct {
	ID      string
	Redeals int // how many redeals a game has, or Unlimited
	Build   Build
	Unit    Unit
	When    When
	Gather  Gather
	DealOut DealOut
	Returns bool // a foundation's top card above the Ace may go back onto a pile
}

// RulesVersion is the version of the rules that this package plays.
const RulesVersion = 1

// Unlimited stands for any number of redeals.
const Unlimited = -1

// Build says which card goes onto which.
type Build uint8

// A card goes onto one of the next higher rank, of its own suit or of the
// other colour.
const (
	SameSuit Build = iota
	Alternate
)

func (b Build) String() string { return [...]string{"suit", "alternate"}[b] }

// Unit says how many cards move from pile to pile at once.
type Unit uint8

// One card moves at a time, or a run of cards that is built by the rule.
const (
	OneCard Unit = iota
	Run
)

func (u Unit) String() string { return [...]string{"card", "run"}[u] }

// When says when a redeal is allowed.
type When uint8

// A redeal is allowed at any time, or only when no card can be moved.
const (
	AnyTime When = iota
	NoCardMoves
)

func (w When) String() string {
	return [...]string{"any time", "only when no card can be moved"}[w]
}

// Gather says how a redeal reads the piles.
type Gather uint8

// Each pile is read from its bottom card up or from its top card down; in the
// second case the card that was read first ends on top again.
const (
	BaseFirst Gather = iota
	TopFirst
)

func (g Gather) String() string { return [...]string{"base first", "top first"}[g] }

// DealOut says how a redeal deals the line of cards out.
type DealOut uint8

// The line is cut into piles of four, or dealt round the piles one card at a
// time.
const (
	Fours DealOut = iota
	Singly
)

func (d DealOut) String() string { return [...]string{"fours", "singly"}[d] }

// table is all that distinguishes the variants. The first row is the default.
var table = [...]Variant{
	{ID: "cruel", Redeals: Unlimited},
	{ID: "cruel-returns", Redeals: Unlimited, Returns: true},
	{ID: "cruel-stuck", Redeals: Unlimited, When: NoCardMoves},
	{ID: "limited-cruel-3", Redeals: 3},
	{ID: "limited-cruel-5", Redeals: 5},
	{ID: "perseverance", Redeals: 2, Unit: Run},
	{ID: "ripple-fan", Redeals: Unlimited, DealOut: Singly},
	{ID: "royal-family", Redeals: Unlimited, Build: Alternate},
	{ID: "cruel-top-first", Redeals: Unlimited, Gather: TopFirst},
}

// Variants is all variants, the default first.
func Variants() []Variant { return slices.Clone(table[:]) }

// DefaultVariant is the variant that is meant where none is named.
func DefaultVariant() Variant { return table[0] }

// ParseVariant is the variant with the id. The error for an unknown id wraps
// ErrVariant and lists the known ones.
func ParseVariant(id string) (Variant, error) {
	ids := make([]string, len(table))
	for i, v := range table {
		if v.ID == id {
			return v, nil
		}
		ids[i] = v.ID
	}
	return Variant{}, fmt.Errorf("%w: %.40q; known are %s", ErrVariant, id, strings.Join(ids, ", "))
}

// under is the set of cards that may go onto one of the given cards.
func (b Build) under(cards cardSet) cardSet {
	below := cards >> 4 // one rank lower, the suits as they were
	if b == SameSuit {
		return below
	}
	red := (below>>1 | below>>2) & eachRank
	black := (below | below>>3) & eachRank
	return red*0b1001 | black*0b0110
}

// takes says whether card may go onto the card onto. Nothing goes onto no
// card, which is how an empty pile refuses everything.
func (b Build) takes(onto, card Card) bool {
	if b == SameSuit {
		return onto == card+4
	}
	return b.under(1 << onto).has(card)
}
