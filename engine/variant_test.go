package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The table of the rules, as docs/rules.md prints it.
func TestVariantTable(t *testing.T) {
	want := strings.TrimSpace(`
cruel | suit | card | -1 | any time | base first | fours | false
cruel-returns | suit | card | -1 | any time | base first | fours | true
cruel-stuck | suit | card | -1 | only when no card can be moved | base first | fours | false
limited-cruel-3 | suit | card | 3 | any time | base first | fours | false
limited-cruel-5 | suit | card | 5 | any time | base first | fours | false
perseverance | suit | run | 2 | any time | base first | fours | false
ripple-fan | suit | card | -1 | any time | base first | singly | false
royal-family | alternate | card | -1 | any time | base first | fours | false
cruel-top-first | suit | card | -1 | any time | top first | fours | false`)
	var rows []string
	for _, v := range Variants() {
		rows = append(rows, strings.Join([]string{
			v.ID, v.Build.String(), v.Unit.String(), fmt.Sprint(v.Redeals), v.When.String(),
			v.Gather.String(), v.DealOut.String(), fmt.Sprint(v.Returns),
		}, " | "))
	}
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if DefaultVariant().ID != "cruel" {
		t.Errorf("the default is %s", DefaultVariant().ID)
	}
}

func TestParseVariant(t *testing.T) {
	for _, v := range Variants() {
		if got, err := ParseVariant(v.ID); err != nil || got != v {
			t.Errorf("%s: %v, %v", v.ID, got, err)
		}
	}
	for _, id := range []string{"", "Cruel", "cruel ", "klondike", strings.Repeat("x", 10_000)} {
		got, err := ParseVariant(id)
		if !errors.Is(err, ErrVariant) || got != (Variant{}) || len(err.Error()) > 300 {
			t.Errorf("%.20q: %v, %v", id, got, err)
		}
	}
	if _, err := ParseVariant("x"); !strings.Contains(err.Error(), "cruel-top-first") {
		t.Errorf("%v does not list the variants", err)
	}
}

func TestOutcomeReadsBack(t *testing.T) {
	for _, o := range []Outcome{Unfinished, Stuck, Won} {
		if got, err := ParseOutcome(o.String()); err != nil || got != o {
			t.Errorf("%s: %s, %v", o, got, err)
		}
	}
	if _, err := ParseOutcome("lost"); err == nil {
		t.Error("lost is an outcome")
	}
}

func TestCardReadsBack(t *testing.T) {
	n := 0
	for s := Clubs; s <= Spades; s++ {
		for r := Ace; r <= King; r++ {
			c := NewCard(r, s)
			if got, err := ParseCard(c.String()); err != nil || got != c || got.Rank() != r || got.Suit() != s {
				t.Errorf("%s: %s, %v", c, got, err)
			}
			n++
		}
	}
	for _, text := range []string{"", "T", "H", "th", "10H", "TX", "HT", "TH "} {
		if c, err := ParseCard(text); err == nil || c != 0 {
			t.Errorf("%q is accepted as %s", text, c)
		}
	}
	if n != 52 {
		t.Errorf("%d cards", n)
	}
}

func TestReadMoveRefuses(t *testing.T) {
	for _, token := range []string{
		"", "r", "RR", "a", "A", "aX", "Xa", "ma", "am", "as", "AB", "Ab", "aA", "CC", "aSb", "aS2", "Sa2",
		"ab0", "ab1", "ab02", "ab+2", "ab-2", "ab13", "ab20", "ab22", "ab100", "ab1x", "ab2x",
		" R", "\ufeffR", "R\u00a0", "\x00", "aH\x00", "ab\u0663",
	} {
		if m, size := ReadMove(token); size != 0 {
			t.Errorf("%q is accepted as %+v, of %d bytes", token, m, size)
		}
	}
}

func TestReadMoveEndsAtSpace(t *testing.T) {
	for text, want := range map[string]string{"R ": "R", "ab ": "ab", "ab 2": "ab", "ab2\tR": "ab2", "ab12\n": "ab12", "aH\r\n": "aH"} {
		if m, size := ReadMove(text); size != len(want) || m.String() != want {
			t.Errorf("%q begins with %s, of %d bytes, want %s", text, m, size, want)
		}
	}
}
