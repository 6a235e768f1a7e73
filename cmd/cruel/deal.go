package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cruel/engine"
)

// dealt is an opening position as `cruel deal --json` prints it, in the words of a challenge of the API.
type dealt struct {
	Seed        engine.Seed `json:"seed"`
	Variant     string      `json:"variant"`
	Foundations []string    `json:"foundations"`
	Piles       [][]string  `json:"piles"` // the bottom card of each first
}

func newDeal() *cobra.Command {
	var variantID string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "deal SEED",
		Short: "Show the deal of a seed",
		Long: `Show the deal of a seed: the four Aces on the foundations and the twelve piles,
a to l. One seed is one deal, here and everywhere and for ever.

A seed is 1 to 64 of a to z and 0 to 9, with single hyphens between them.
Capital letters are taken as small ones, and spaces around the seed are dropped.
All variants deal alike.

Exit codes: 0 done; 2 the seed or the variant isn't one.`,
		Example: `  cruel deal 2026-11-30
  cruel deal ada --variant perseverance
  cruel deal 2 --json | jq -r '.piles[0][-1]'     the top card of pile a`,
		Args: takes("SEED"),
		RunE: func(cmd *cobra.Command, args []string) error {
			seed, err := engine.ParseSeed(typedSeed(args[0]))
			if err != nil {
				return usagef("seed %q: %w", shortened(args[0]), err)
			}
			variant, err := engine.ParseVariant(variantID)
			if err != nil {
				return &usageError{err}
			}
			d := newDealt(seed, variant)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), d)
			}
			return d.write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&variantID, "variant", engine.DefaultVariant().ID, "the `ID` of the variant")
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// typedSeed does what every client does with a seed that a person typed: it trims the spaces around it and
// makes A to Z small. No other letter is folded, so that no two clients read one text as two seeds.
func typedSeed(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.Trim(text, " "))
}

// shortened is a text that may be shown in an error.
func shortened(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func newDealt(seed engine.Seed, v engine.Variant) dealt {
	p := engine.Deal(v, seed)
	d := dealt{Seed: seed, Variant: v.ID}
	for suit, rank := range p.Foundations {
		d.Foundations = append(d.Foundations, engine.NewCard(rank, engine.Suit(suit)).String())
	}
	for _, pile := range p.Piles {
		cards := make([]string, pile.Len())
		for i := range cards {
			cards[i] = pile.At(i).String()
		}
		d.Piles = append(d.Piles, cards)
	}
	return d
}

// write prints the piles side by side, each from its bottom card down to its top card.
func (d dealt) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %s, variant %s\n", d.Seed, d.Variant)
	fmt.Fprintf(&b, "foundations: %s\n\n", strings.Join(d.Foundations, " "))
	for i := range d.Piles {
		fmt.Fprintf(&b, "  %c ", 'a'+i)
	}
	b.WriteByte('\n')
	for row := range d.Piles[0] {
		for _, pile := range d.Piles {
			fmt.Fprintf(&b, " %s ", pile[row])
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nThe last card of a pile is its top card.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
