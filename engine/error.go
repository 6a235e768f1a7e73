package engine

import (
	"errors"
	"fmt"
)

// Errors of text that names nothing.
var (
	ErrSeed    = errors.New("a seed is 1 to 64 of a-z and 0-9, with single hyphens between them")
	ErrVariant = errors.New("unknown variant")
)

// IllegalMoveError is a move that the rules forbid in a position. The text is
// made for players, and only when it is asked for.
type IllegalMoveError struct {
	Variant  Variant
	Position Position
	Move     Move
}

// Error says which rule forbids the move, as a sentence without a full stop.
func (e *IllegalMoveError) Error() string {
	if e.Position.Won() {
		return "the game is won, and nothing may follow"
	}
	switch m := e.Move; m.Kind {
	case PlayMove:
		if m.From < PileCount && m.To < 4 {
			return e.play()
		}
	case BuildMove:
		if m.From < PileCount && m.To < PileCount && 1 <= m.Count && m.Count <= maxRun {
			return e.build()
		}
	case ReturnMove:
		if m.From < 4 && m.To < PileCount {
			return e.takeBack()
		}
	case RedealMove:
		if e.Position.RedealsLeft == 0 {
			return fmt.Sprintf("no redeal is left; the game has %d", e.Variant.Redeals)
		}
		return "a card can be moved, and a redeal is allowed only when none can"
	}
	return "there is no such move"
}

func (e *IllegalMoveError) play() string {
	pile, suit := e.Position.Piles[e.Move.From], Suit(e.Move.To)
	switch rank := e.Position.Foundations[suit]; {
	case pile.Len() == 0:
		return e.emptySource()
	case rank == King:
		return fmt.Sprintf("%s is %s; the %s foundation is complete", e.source(), pile.Top(), suit.word())
	default:
		return fmt.Sprintf("%s is %s; the %s foundation needs %s",
			e.source(), pile.Top(), suit.word(), NewCard(rank+1, suit))
	}
}

func (e *IllegalMoveError) build() string {
	pile, count := e.Position.Piles[e.Move.From], int(e.Move.Count)
	switch {
	case count > 1 && e.Variant.Unit == OneCard:
		return "only one card moves at a time in this variant"
	case pile.Len() == 0:
		return e.emptySource()
	case e.Move.From == e.Move.To:
		return "a card cannot go onto its own pile"
	case count > pile.Len():
		return fmt.Sprintf("pile %c has fewer than %d cards", pileLetter(e.Move.From), count)
	}
	for i := pile.Len() - count + 1; i < pile.Len(); i++ {
		if below, card := pile.At(i-1), pile.At(i); !e.Variant.Build.takes(below, card) {
			return fmt.Sprintf("the top %d cards of pile %c are no run: %s does not follow %s",
				count, pileLetter(e.Move.From), card, below)
		}
	}
	if count > 1 {
		return e.target(fmt.Sprintf("the run from pile %c begins with %s",
			pileLetter(e.Move.From), pile.At(pile.Len()-count)))
	}
	return e.target(fmt.Sprintf("%s is %s", e.source(), pile.Top()))
}

func (e *IllegalMoveError) takeBack() string {
	suit := Suit(e.Move.From)
	rank := e.Position.Foundations[suit]
	switch {
	case !e.Variant.Returns:
		return "no card comes back from a foundation in this variant"
	case rank == Ace:
		return fmt.Sprintf("only the Ace is on the %s foundation, and an Ace never moves", suit.word())
	}
	return e.target(fmt.Sprintf("the %s foundation shows %s", suit.word(), NewCard(rank, suit)))
}

func (e *IllegalMoveError) source() string {
	return fmt.Sprintf("the top card of pile %c", pileLetter(e.Move.From))
}

func (e *IllegalMoveError) emptySource() string {
	return fmt.Sprintf("pile %c is empty", pileLetter(e.Move.From))
}

// target says why the pile that the move goes to does not take the card that
// the text offers tells of.
func (e *IllegalMoveError) target(offers string) string {
	letter, onto := pileLetter(e.Move.To), e.Position.Piles[e.Move.To].Top()
	switch {
	case onto == 0:
		return fmt.Sprintf("pile %c is empty, and only a redeal fills an empty pile", letter)
	case onto.Rank() == Ace+1:
		return fmt.Sprintf("%s; nothing goes onto %s on pile %c", offers, onto, letter)
	}
	needs := NewCard(onto.Rank()-1, onto.Suit()).String()
	if e.Variant.Build == Alternate {
		colour := "red"
		if onto.red() {
			colour = "black"
		}
		needs = fmt.Sprintf("a %s %s", colour, onto.Rank()-1)
	}
	return fmt.Sprintf("%s; %s on pile %c takes only %s", offers, onto, letter, needs)
}
