package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// case R01: piles are read from 1 on, from the bottom card or the top card.
// case R02: an empty pile doesn't hinder a redeal.
func TestRedeal(t *testing.T) {
	r01 := []string{"2C 3S 4D", "5C 6S 7D 8H", "9C TS JD QH"}
	r02 := []string{"KS 9D", "2C 7H 4S JD 5C", "", "QH 8C 3D 6H"}
	cases := []struct {
		name, variant string
		before, after []string
	}{
		{"R01, base first", "cruel", r01, []string{"2C 3S 4D 5C", "6S 7D 8H 9C", "TS JD QH"}},
		{"R01, top first", "cruel-top-first", r01, []string{"8H 2C 3S 4D", "QH 5C 6S 7D", "9C TS JD"}},
		{"R02, base first", "cruel", r02, []string{"KS 9D 2C 7H", "4S JD 5C QH", "8C 3D 6H"}},
		{"R02, top first", "cruel-top-first", r02, []string{"JD 5C KS 9D", "6H 2C 7H 4S", "QH 8C 3D"}},
		{"singly", "ripple-fan", r01, []string{"2C 5C 8H JD", "3S 6S 9C QH", "4D 7D TS"}},
		{
			"the guide's example", "cruel",
			[]string{"5C 9H", "KD 3S 8C", "JH 4D 6S 2C"},
			[]string{"5C 9H KD 3S", "8C JH 4D 6S", "2C"},
		},
		{"one card", "cruel", []string{"", "", "5C"}, []string{"5C"}},
		{"one card, singly", "ripple-fan", []string{"", "", "5C"}, []string{"5C"}},
		{
			"long piles", "cruel",
			[]string{"2C 3S 4D KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "9D KS"},
			[]string{"2C 3S 4D KH", "QH JH TH 9H", "8H 7H 6H 5H", "4H 3H 2H 9D", "KS"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := mustVariant(t, c.variant)
			p := layout(t, v, "AC AD AH AS", c.before...)
			if err := Apply(v, &p, Move{Kind: RedealMove}); err != nil {
				t.Fatal(err)
			}
			if want := layout(t, v, "AC AD AH AS", c.after...); p != want {
				t.Errorf("got\n%s\nwant\n%s", p, want)
			}
		})
	}
}

// case R04: a redeal that changes nothing is legal, also straight after one.
// case R05: so is one while a card can be moved, but for `cruel-stuck`.
func TestRedealIsAllowed(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.ID, func(t *testing.T) {
			p := Deal(v, "cruel")
			start := p
			if !p.canMove(&v) {
				t.Fatal("the deal should have a move")
			}
			for redeal := range 7 {
				err := Apply(v, &p, Move{Kind: RedealMove})
				allowed := v.When == AnyTime && (v.Redeals == Unlimited || redeal < v.Redeals)
				if (err == nil) != allowed {
					t.Fatalf("redeal %d: %v", redeal+1, err)
				}
				if v.DealOut == Fours && p.Piles != start.Piles {
					t.Fatalf("redeal %d changed the deal", redeal+1)
				}
			}
		})
	}
}

// In `cruel-stuck` the redeal waits for the last card that can move, and then
// it comes as often as is asked for.
func TestRedealWhenStuck(t *testing.T) {
	v := mustVariant(t, "cruel-stuck")
	p := layout(t, v, "AC AD AH AS", "9C 3C", "4C KD", "8H 5S", "6S")
	redeal := Move{Kind: RedealMove}
	if err := Apply(v, &p, redeal); err == nil {
		t.Error("a redeal is taken while db is possible")
	}
	p = mustPlay(t, v, p, "cd R R")
	if got := p.Piles[0].String(); got != "9C 3C 4C KD" {
		t.Errorf("pile a is %s", got)
	}
}

// case R07: no card can be moved, but a redeal wins the game.
func TestRedealSavesTheGame(t *testing.T) {
	v := DefaultVariant()
	p := layout(t, v, "JH 8S KC KD", "QH KS", "TS 9S KH QS JS")
	if p.canMove(&v) {
		t.Fatal("a card can be moved")
	}
	if got := OutcomeOf(v, p); got != Unfinished {
		t.Fatalf("outcome %s before the redeal", got)
	}
	if p = mustPlay(t, v, p, "R aS aS bS bS aS aH bH"); !p.Won() {
		t.Errorf("not won:\n%s", p)
	}
}

// case R18: the position in which whoever takes every play loses.
func TestPlaysCanWait(t *testing.T) {
	v := DefaultVariant()
	start := layout(t, v, "KC KD QH 5S", "TS KH QS 6S", "9S JS KS 8S", "7S")
	if p := mustPlay(t, v, start, "aS cS bS ab R ab aS aH aS bS bS bS"); !p.Won() {
		t.Errorf("the winning line does not win:\n%s", p)
	}
	if greedyWins(v, start, map[Position]bool{}) {
		t.Error("taking every play can win")
	}
}

// greedyWins says whether the game can be won by one who makes another move
// only when nothing can be played.
func greedyWins(v Variant, p Position, seen map[Position]bool) bool {
	if p.Won() || seen[p] {
		return p.Won()
	}
	seen[p] = true
	moves := LegalMoves(v, p)
	play := func(m Move) bool { return m.Kind == PlayMove }
	if slices.ContainsFunc(moves, play) {
		moves = slices.DeleteFunc(moves, func(m Move) bool { return !play(m) })
	}
	for _, m := range moves {
		next := p
		if Apply(v, &next, m) == nil && greedyWins(v, next, seen) {
			return true
		}
	}
	return false
}

// cases R11, R12 and R13: what the rules forbid is refused, leaves the
// position as it was and is told in a sentence.
func TestIllegalMoves(t *testing.T) {
	piles := []string{"9C 5H", "KC 6D", "KD 7H", "KS 4H", "KH 6H", "", "TD 9D 8D", "JD", "2S", "QD 3D 8C"}
	wonFoundations := "KC KD KH KS"
	cases := []struct {
		name, variant, foundations, token, want string
	}{
		{"other suit", "cruel", "", "ab", "the top card of pile a is 5H; 6D on pile b takes only 5D"},
		{"two ranks up", "cruel", "", "ac", "the top card of pile a is 5H; 7H on pile c takes only 6H"},
		{"rank down", "cruel", "", "ad", "the top card of pile a is 5H; 4H on pile d takes only 3H"},
		{"onto a two", "cruel", "", "ai", "the top card of pile a is 5H; nothing goes onto 2S on pile i"},
		{"onto an empty pile", "cruel", "", "af", "pile f is empty, and only a redeal fills an empty pile"},
		{"own pile", "cruel", "", "aa", "a card cannot go onto its own pile"},
		{"from an empty pile", "cruel", "", "fa", "pile f is empty"},
		{"played from an empty pile", "cruel", "", "fH", "pile f is empty"},
		{"foundation, rank", "cruel", "AC AD 4H AS", "cH", "the top card of pile c is 7H; the hearts foundation needs 5H"},
		{"foundation, suit", "cruel", "AC AD 4H AS", "aS", "the top card of pile a is 5H; the spades foundation needs 2S"},
		{"foundation, skipped", "cruel", "2C AD AH AS", "jC", "the top card of pile j is 8C; the clubs foundation needs 3C"},
		{"foundation, complete", "cruel", "KC AD AH AS", "aC", "the top card of pile a is 5H; the clubs foundation is complete"},
		{"same colour", "royal-family", "", "ab", "the top card of pile a is 5H; 6D on pile b takes only a black 5"},
		{"same suit", "royal-family", "", "ae", "the top card of pile a is 5H; 6H on pile e takes only a black 5"},
		{"black card", "royal-family", "", "aj", "the top card of pile a is 5H; 8C on pile j takes only a red 7"},
		{"run, not moved here", "cruel", "", "gh2", "only one card moves at a time in this variant"},
		{"run too long", "perseverance", "", "gh4", "pile g has fewer than 4 cards"},
		{"run of an empty pile", "perseverance", "", "fh2", "pile f is empty"},
		{"no run", "perseverance", "", "ae2", "the top 2 cards of pile a are no run: 5H does not follow 9C"},
		{"run's first card", "perseverance", "", "gh2", "the run from pile g begins with 9D; JD on pile h takes only TD"},
		{"run onto its own pile", "perseverance", "", "gg2", "a card cannot go onto its own pile"},
		{"run onto an empty pile", "perseverance", "", "gf3", "pile f is empty, and only a redeal fills an empty pile"},
		{"return, not allowed", "cruel", "AC 7D AH AS", "De", "no card comes back from a foundation in this variant"},
		{"return of an Ace", "cruel-returns", "", "Si", "only the Ace is on the spades foundation, and an Ace never moves"},
		{"return, no fit", "cruel-returns", "AC 7D AH AS", "De", "the diamonds foundation shows 7D; 6H on pile e takes only 5H"},
		{"return onto an empty pile", "cruel-returns", "AC 7D AH AS", "Df", "pile f is empty, and only a redeal fills an empty pile"},
		{"redeal with a move", "cruel-stuck", "", "R", "a card can be moved, and a redeal is allowed only when none can"},
		{"after the win, play", "cruel", wonFoundations, "aH", "the game is won, and nothing may follow"},
		{"after the win, redeal", "cruel", wonFoundations, "R", "the game is won, and nothing may follow"},
		{"after the win, return", "cruel-returns", wonFoundations, "Ca", "the game is won, and nothing may follow"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := mustVariant(t, c.variant)
			p := layout(t, v, "AC AD AH AS", piles...)
			switch c.foundations {
			case "":
			case wonFoundations:
				p = layout(t, v, wonFoundations)
			default:
				p = layout(t, v, c.foundations, piles...)
			}
			before := p
			m := mustMove(t, c.token)
			err := Apply(v, &p, m)
			illegal, ok := errors.AsType[*IllegalMoveError](err)
			if !ok {
				t.Fatalf("%s: %v", c.token, err)
			}
			if illegal.Move != m || illegal.Position != before || illegal.Error() != c.want {
				t.Errorf("got  %q\nwant %q", illegal, c.want)
			}
			if p != before {
				t.Errorf("the refused move left\n%s", p)
			}
		})
	}
}

func TestNoRedealIsLeft(t *testing.T) {
	v := mustVariant(t, "limited-cruel-3")
	p := mustPlay(t, v, Deal(v, "cruel"), "R R R")
	err := Apply(v, &p, Move{Kind: RedealMove})
	if want := "no redeal is left; the game has 3"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// case R11: places that don't exist are refused, not a panic.
func TestNoSuchMove(t *testing.T) {
	moves := []Move{
		{},
		{Kind: RedealMove + 1},
		{Kind: PlayMove, From: 12, To: 0},
		{Kind: PlayMove, From: 255, To: 0},
		{Kind: PlayMove, From: 0, To: 4},
		{Kind: PlayMove, From: 0, To: 255},
		{Kind: BuildMove, From: 12, To: 0, Count: 1},
		{Kind: BuildMove, From: 0, To: 255, Count: 1},
		{Kind: BuildMove, From: 0, To: 1, Count: 0},
		{Kind: BuildMove, From: 0, To: 1, Count: 13},
		{Kind: BuildMove, From: 0, To: 1, Count: 255},
		{Kind: ReturnMove, From: 4, To: 0},
		{Kind: ReturnMove, From: 255, To: 0},
		{Kind: ReturnMove, From: 0, To: 12},
	}
	for _, v := range Variants() {
		for _, m := range moves {
			p := Deal(v, "cruel")
			before := p
			if err := Apply(v, &p, m); err == nil || err.Error() != "there is no such move" || p != before {
				t.Errorf("%s %+v: %v", v.ID, m, err)
			}
		}
	}
}

// cases R11, R12 and R13: what the rules allow leads where they say.
func TestLegalMovesLead(t *testing.T) {
	cases := []struct {
		name, variant, foundations string
		before                     []string
		log                        string
		want                       string // foundations
		after                      []string
	}{
		{"build", "cruel", "AC AD AH AS", []string{"9C 5H", "6H"}, "ab", "AC AD AH AS", []string{"9C", "6H 5H"}},
		{"play", "cruel", "AC AD 4H AS", []string{"9C 5H"}, "aH", "AC AD 5H AS", []string{"9C"}},
		{"alternate", "royal-family", "AC AD AH AS", []string{"9C 5H", "6S"}, "ab", "AC AD AH AS", []string{"9C", "6S 5H"}},
		{"run", "perseverance", "AC AD AH AS", []string{"9C 5H 4H 3H", "6H"}, "ab3", "AC AD AH AS", []string{"9C", "6H 5H 4H 3H"}},
		{"part of a run", "perseverance", "AC AD AH AS", []string{"9C 5H 4H", "6S 5H"}, "ab", "AC AD AH AS", []string{"9C 5H", "6S 5H 4H"}},
		{
			"longest run", "perseverance", "AC AD AH AS",
			[]string{"2C 3C 4C QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "5C 6C 7C KH"},
			"ab11",
			"AC AD AH AS",
			[]string{"2C 3C 4C", "5C 6C 7C KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H"},
		},
		{"return", "cruel-returns", "AC AD 5H AS", []string{"6H"}, "Ha", "AC AD 4H AS", []string{"6H 5H"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := mustVariant(t, c.variant)
			got := mustPlay(t, v, layout(t, v, c.foundations, c.before...), c.log)
			if want := layout(t, v, c.want, c.after...); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// case R03: 100,000 reachable positions. Every move keeps the 52 cards; a
// redeal leaves piles of four but for the last; a second one in a row changes
// nothing where piles are dealt by fours.
func TestRandomPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	variants := Variants()
	var moves []Move
	for game, positions := 0, 0; positions < 100_000; game++ {
		v := variants[game%len(variants)]
		p := Deal(v, Seed(fmt.Sprintf("walk-%d", game)))
		for range 120 {
			positions++
			checkPack(t, p)
			checkRedeal(t, v, p)
			moves = AppendLegalMoves(moves[:0], v, &p)
			if len(moves) == 0 {
				break
			}
			m := choose(random, moves)
			before := p
			if err := Apply(v, &p, m); err != nil {
				t.Fatal(err)
			}
			if before == p && m.Kind != RedealMove {
				t.Fatalf("%s changed nothing in\n%s", m, p)
			}
		}
	}
}

// checkPack fails unless the position has each card once and unused places
// are zero.
func checkPack(t testing.TB, p Position) {
	t.Helper()
	var seen cardSet
	n := 0
	put := func(c Card) {
		if c.Rank() < Ace || c.Rank() > King || seen.has(c) {
			t.Fatalf("card %d again or none:\n%s", c, p)
		}
		seen |= 1 << c
		n++
	}
	for suit, rank := range p.Foundations {
		for r := Ace; r <= rank; r++ {
			put(NewCard(r, Suit(suit)))
		}
	}
	for _, pile := range p.Piles {
		for i, c := range pile.cards {
			if i < int(pile.n) {
				put(c)
			} else if c != 0 {
				t.Fatalf("an unused place holds %s", c)
			}
		}
	}
	if n != 52 {
		t.Fatalf("%d cards:\n%s", n, p)
	}
}

func checkRedeal(t testing.TB, v Variant, p Position) {
	t.Helper()
	left := 52 - p.Cards()
	if left == 0 {
		return
	}
	p.redeal(&v)
	once := p.Piles
	for i, pile := range once {
		want := min(max(left-4*i, 0), 4)
		if v.DealOut == Singly { // the same number of piles, but evener ones
			piles := (left + 3) / 4
			want = (left + piles - 1 - i) / piles
			if i >= piles {
				want = 0
			}
		}
		if pile.Len() != want {
			t.Fatalf("%d cards in pile %d after a redeal of %d", pile.Len(), i, left)
		}
	}
	checkPack(t, p)
	if p.redeal(&v); v.DealOut == Fours && p.Piles != once {
		t.Fatalf("the second redeal changed\n%s", p)
	}
}

// Rule 10 follows redeals until a layout repeats. Dealt singly that can take
// hundreds, but not more: 630 for the worst number of cards.
func TestLongestRedealCycle(t *testing.T) {
	v := mustVariant(t, "ripple-fan")
	longest := 0
	for left := 1; left <= 48; left++ {
		var p Position
		for i := range left {
			p.Piles[i/4].push(NewCard(Ace+1, Clubs) + Card(i))
		}
		p.redeal(&v)
		first, redeals := p.Piles, 0
		for redeals == 0 || p.Piles != first {
			p.redeal(&v)
			redeals++
		}
		longest = max(longest, redeals)
	}
	if longest != 630 {
		t.Errorf("the longest cycle has %d redeals", longest)
	}
}

// A pile must have room for all that can be built onto any of its cards.
func TestParsePile(t *testing.T) {
	accepted := []string{
		"", "KC", "2C 7H 4S JD 5C", "2C 3C 4C KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
	}
	for _, text := range accepted {
		if pile, err := ParsePile(text); err != nil || pile.String() != text {
			t.Errorf("%q: %q, %v", text, pile, err)
		}
	}
	refused := []string{
		" ", "KC ", " KC", "KC  QC", "KC,QC", "10H", "kc", "KX", "1C", "AC", "KC AC",
		"2C 3C 4C 5C KH", "2C 3C 4C KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H 2S",
	}
	for _, text := range refused {
		if pile, err := ParsePile(text); err == nil || pile != (Pile{}) {
			t.Errorf("%q is accepted as %q", text, pile)
		}
	}
}

// The counts of the move sequences of 2, 3 and 4 moves are a fingerprint of
// the rules. The reference agrees with those of 3.
func TestPerft(t *testing.T) {
	want := map[string][3]int{
		"cruel":           {24, 107, 434},
		"cruel-returns":   {24, 107, 438},
		"cruel-stuck":     {15, 50, 132},
		"limited-cruel-3": {24, 107, 433},
		"limited-cruel-5": {24, 107, 434},
		"perseverance":    {24, 109, 461},
		"ripple-fan":      {24, 109, 466},
		"royal-family":    {44, 259, 1486},
		"cruel-top-first": {24, 103, 386},
	}
	for _, v := range Variants() {
		p := Deal(v, "perft")
		var got [3]int
		for i := range got {
			got[i] = perft(v, p, i+2)
		}
		if got != want[v.ID] {
			t.Errorf("%s: %d, want %d", v.ID, got, want[v.ID])
		}
		if n := newReference(v, p).perft(3); n != got[1] {
			t.Errorf("%s: %d, but %d by the reference", v.ID, got[1], n)
		}
	}
}

func perft(v Variant, p Position, depth int) int {
	if depth == 0 {
		return 1
	}
	n := 0
	for _, m := range LegalMoves(v, p) {
		next := p
		if Apply(v, &next, m) == nil {
			n += perft(v, next, depth-1)
		}
	}
	return n
}
