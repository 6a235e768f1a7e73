package engine

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// readVectors reads a file of testdata into v.
func readVectors(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func mustVariant(t testing.TB, id string) Variant {
	t.Helper()
	v, err := ParseVariant(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustSeed(t testing.TB, text string) Seed {
	t.Helper()
	seed, err := ParseSeed(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return seed
}

// mustPlay makes the moves of a log.
func mustPlay(t testing.TB, v Variant, p Position, log string) Position {
	t.Helper()
	for _, token := range strings.Fields(log) {
		if err := Apply(v, &p, mustMove(t, token)); err != nil {
			t.Fatalf("%s: %v", token, err)
		}
	}
	return p
}

func mustMove(t testing.TB, token string) Move {
	t.Helper()
	m, size := ReadMove(token)
	if size == 0 || size != len(token) {
		t.Fatalf("%q is no move", token)
	}
	return m
}

// layout makes a position of foundations such as "AC 2D JH KS" and of piles;
// the other piles are empty.
func layout(t testing.TB, v Variant, foundations string, piles ...string) Position {
	t.Helper()
	p := Position{RedealsLeft: int32(v.Redeals)}
	for _, text := range strings.Fields(foundations) {
		c, err := ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Foundations[c.Suit()] = c.Rank()
	}
	for i, text := range piles {
		pile, err := ParsePile(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Piles[i] = pile
	}
	return p
}

func pileTexts(p Position) []string {
	var texts []string
	for _, pile := range p.Piles {
		texts = append(texts, pile.String())
	}
	return texts
}

// case R14: the shared positions with their legal moves and outcomes.
func TestPositionVectors(t *testing.T) {
	var file struct {
		Positions []struct {
			Variant, Seed, Log string
			Foundations        []string
			Piles              []string
			Legal              []string
			Outcome            string
		}
	}
	readVectors(t, "positions.json", &file)
	if len(file.Positions) == 0 {
		t.Fatal("no positions")
	}
	for _, want := range file.Positions {
		v := mustVariant(t, want.Variant)
		p := mustPlay(t, v, Deal(v, mustSeed(t, want.Seed)), want.Log)
		name := want.Variant + " " + want.Seed
		for suit, card := range want.Foundations {
			if got := NewCard(p.Foundations[suit], Suit(suit)).String(); got != card {
				t.Errorf("%s: foundation %s, want %s", name, got, card)
			}
		}
		if got := pileTexts(p); !slices.Equal(got, want.Piles) {
			t.Errorf("%s: piles %q, want %q", name, got, want.Piles)
		}
		var legal []string
		for _, m := range LegalMoves(v, p) {
			legal = append(legal, m.String())
		}
		if !slices.Equal(legal, want.Legal) {
			t.Errorf("%s: legal %q, want %q", name, legal, want.Legal)
		}
		if got := OutcomeOf(v, p).String(); got != want.Outcome {
			t.Errorf("%s: outcome %s, want %s", name, got, want.Outcome)
		}
	}
}

func TestDealVectors(t *testing.T) {
	var file struct {
		Deals []struct {
			Seed  string
			Piles []string
		}
		Refused []string
	}
	readVectors(t, "deals.json", &file)
	if len(file.Deals) == 0 || len(file.Refused) == 0 {
		t.Fatal("no deals or no refused seeds")
	}
	for _, want := range file.Deals {
		for _, v := range Variants() {
			p := Deal(v, mustSeed(t, want.Seed))
			if got := pileTexts(p); !slices.Equal(got, want.Piles) {
				t.Errorf("%s %s: %q, want %q", v.ID, want.Seed, got, want.Piles)
			}
		}
	}
	for _, text := range file.Refused {
		if seed, err := ParseSeed(text); err == nil || seed != "" {
			t.Errorf("seed %q is accepted as %q", text, seed)
		}
	}
}

// A deal that can be won isn't stuck before the first move.
func TestParVectors(t *testing.T) {
	var file struct {
		Par []struct {
			Variant, Seed string
			Winnable      bool
		}
	}
	readVectors(t, "par.json", &file)
	if len(file.Par) == 0 {
		t.Fatal("no deals")
	}
	for _, deal := range file.Par {
		v := mustVariant(t, deal.Variant)
		if got := OutcomeOf(v, Deal(v, mustSeed(t, deal.Seed))); deal.Winnable && got != Unfinished {
			t.Errorf("%s %s: %s, but it is winnable", deal.Variant, deal.Seed, got)
		}
	}
}
