package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reference is the rules once more, slow and plain, in text and slices. It is
// written from docs/rules.md and shares no code with the package, so that the
// two can be compared.
type reference struct {
	rules       referenceRules
	foundations map[string]int // by suit
	piles       [][]string     // of cards, bottom card first
	redealsLeft int            // -1: unlimited
}

type referenceRules struct {
	redeals                                               int
	alternate, runs, whenStuck, topFirst, singly, returns bool
}

var referenceTable = map[string]referenceRules{
	"cruel":           {redeals: -1},
	"cruel-returns":   {redeals: -1, returns: true},
	"cruel-stuck":     {redeals: -1, whenStuck: true},
	"limited-cruel-3": {redeals: 3},
	"limited-cruel-5": {redeals: 5},
	"perseverance":    {redeals: 2, runs: true},
	"ripple-fan":      {redeals: -1, singly: true},
	"royal-family":    {redeals: -1, alternate: true},
	"cruel-top-first": {redeals: -1, topFirst: true},
}

func newReference(v Variant, p Position) *reference {
	r := &reference{
		rules:       referenceTable[v.ID],
		foundations: map[string]int{},
		redealsLeft: int(p.RedealsLeft),
	}
	for i, suit := range []string{"C", "D", "H", "S"} {
		r.foundations[suit] = int(p.Foundations[i])
	}
	for _, pile := range p.Piles {
		r.piles = append(r.piles, strings.Fields(pile.String()))
	}
	return r
}

func (r *reference) clone() *reference {
	c := *r
	c.foundations = map[string]int{}
	for suit, rank := range r.foundations {
		c.foundations[suit] = rank
	}
	c.piles = nil
	for _, pile := range r.piles {
		c.piles = append(c.piles, slices.Clone(pile))
	}
	return &c
}

func referenceRank(card string) int { return strings.Index("A23456789TJQK", card[:1]) + 1 }

// fits says whether the card may lie on the other.
func (r *reference) fits(card, onto string) bool {
	if referenceRank(card)+1 != referenceRank(onto) {
		return false
	}
	if r.rules.alternate {
		return strings.Contains("DH", card[1:]) != strings.Contains("DH", onto[1:])
	}
	return card[1:] == onto[1:]
}

func (r *reference) won() bool {
	for _, rank := range r.foundations {
		if rank != 13 {
			return false
		}
	}
	return true
}

// do makes the move of a well-formed token, or says that the rules forbid it.
func (r *reference) do(token string) bool {
	switch {
	case r.won():
		return false
	case token == "R":
		return r.redeal()
	case strings.Contains("CDHS", token[:1]):
		return r.takeBack(token[:1], int(token[1]-'a'))
	case strings.Contains("CDHS", token[1:2]):
		return r.play(int(token[0]-'a'), token[1:2])
	}
	count := 1
	if len(token) > 2 {
		count, _ = strconv.Atoi(token[2:])
		if !r.rules.runs {
			return false
		}
	}
	return r.build(int(token[0]-'a'), int(token[1]-'a'), count)
}

func (r *reference) play(from int, suit string) bool {
	pile := r.piles[from]
	if len(pile) == 0 {
		return false
	}
	top := pile[len(pile)-1]
	if top[1:] != suit || referenceRank(top) != r.foundations[suit]+1 {
		return false
	}
	r.piles[from] = pile[:len(pile)-1]
	r.foundations[suit]++
	return true
}

func (r *reference) build(from, to, count int) bool {
	source, target := r.piles[from], r.piles[to]
	if from == to || len(source) < count || len(target) == 0 {
		return false
	}
	run := slices.Clone(source[len(source)-count:])
	for i := 1; i < count; i++ {
		if !r.fits(run[i], run[i-1]) {
			return false
		}
	}
	if !r.fits(run[0], target[len(target)-1]) {
		return false
	}
	r.piles[from] = source[:len(source)-count]
	r.piles[to] = append(target, run...)
	return true
}

func (r *reference) takeBack(suit string, to int) bool {
	rank, target := r.foundations[suit], r.piles[to]
	if !r.rules.returns || rank == 1 || len(target) == 0 {
		return false
	}
	card := "A23456789TJQK"[rank-1:rank] + suit
	if !r.fits(card, target[len(target)-1]) {
		return false
	}
	r.foundations[suit]--
	r.piles[to] = append(target, card)
	return true
}

func (r *reference) redeal() bool {
	if r.redealsLeft == 0 || r.rules.whenStuck && r.cardMoves() {
		return false
	}
	if r.redealsLeft > 0 {
		r.redealsLeft--
	}
	var line []string
	for _, pile := range r.piles {
		read := slices.Clone(pile)
		if r.rules.topFirst {
			slices.Reverse(read)
		}
		line = append(line, read...)
	}
	r.piles = make([][]string, 12)
	if r.rules.singly {
		piles := len(line) / 4
		if len(line)%4 > 0 {
			piles++
		}
		for i, card := range line {
			r.piles[i%piles] = append(r.piles[i%piles], card)
		}
		return true
	}
	for i := 0; len(line) > 0; i++ {
		four := line[:min(4, len(line))]
		line = line[len(four):]
		r.piles[i] = slices.Clone(four)
		if r.rules.topFirst {
			slices.Reverse(r.piles[i])
		}
	}
	return true
}

// cardMoves says whether a move other than a redeal is possible.
func (r *reference) cardMoves() bool {
	g := r.clone()
	for _, token := range universe {
		if token != "R" && g.do(token) {
			return true
		}
	}
	return false
}

// outcome is rule 10 to the letter: it follows the redeals until it has seen
// a layout before.
func (r *reference) outcome() string {
	if r.won() {
		return "won"
	}
	g, seen := r.clone(), map[string]bool{}
	for {
		if g.cardMoves() {
			return "unfinished"
		}
		layout := fmt.Sprint(g.piles)
		if seen[layout] || !g.redeal() {
			return "stuck"
		}
		seen[layout] = true
	}
}

func (r *reference) legal() []string {
	var tokens []string
	g := r.clone()
	for _, token := range universe {
		if g.do(token) {
			tokens = append(tokens, token)
			g = r.clone()
		}
	}
	slices.Sort(tokens)
	return tokens
}

func (r *reference) perft(depth int) int {
	if depth == 0 {
		return 1
	}
	n := 0
	for _, token := range r.legal() {
		next := r.clone()
		next.do(token)
		n += next.perft(depth - 1)
	}
	return n
}

// text is the foundations, redeals and piles as Position.String writes them.
func (r *reference) text() string {
	text := ""
	for _, suit := range []string{"C", "D", "H", "S"} {
		text += "A23456789TJQK"[r.foundations[suit]-1:r.foundations[suit]] + suit + " "
	}
	text += fmt.Sprintf("redeals %d\n", r.redealsLeft)
	for i, pile := range r.piles {
		text += fmt.Sprintf("%c: %s\n", 'a'+i, strings.Join(pile, " "))
	}
	return text
}

// universe is every well-formed token.
var universe = func() []string {
	tokens := []string{"R"}
	for from := 'a'; from <= 'l'; from++ {
		for _, suit := range "CDHS" {
			tokens = append(tokens, string(from)+string(suit), string(suit)+string(from))
		}
		for to := 'a'; to <= 'l'; to++ {
			tokens = append(tokens, string(from)+string(to))
			for count := 2; count <= 12; count++ {
				tokens = append(tokens, fmt.Sprintf("%c%c%d", from, to, count))
			}
		}
	}
	return tokens
}()

// case R14, for positions that nobody chose: walks over all variants agree
// with the reference in the position, the legal moves and the outcome.
func TestReferenceAgrees(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.ID, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			for walk := range 4 {
				p := Deal(v, Seed(fmt.Sprintf("reference-%d", walk)))
				r := newReference(v, p)
				for range 60 {
					var legal []string
					moves := LegalMoves(v, p)
					for _, m := range moves {
						legal = append(legal, m.String())
					}
					if want := r.legal(); !slices.Equal(legal, want) {
						t.Fatalf("legal %q, want %q in\n%s", legal, want, p)
					}
					if got, want := OutcomeOf(v, p).String(), r.outcome(); got != want {
						t.Fatalf("outcome %s, want %s in\n%s", got, want, p)
					}
					if len(moves) == 0 {
						break
					}
					m := choose(random, moves)
					if err := Apply(v, &p, m); err != nil {
						t.Fatal(err)
					}
					r.do(m.String())
					if p.String() != r.text() {
						t.Fatalf("after %s\n%s\nwant\n%s", m, p, r.text())
					}
				}
			}
		})
	}
}

// choose picks a move. Redeals and returns come up more rarely than by their
// share, so that games get on.
func choose(random *rand.Rand, moves []Move) Move {
	m := moves[random.IntN(len(moves))]
	for range 3 {
		if m.Kind == PlayMove || m.Kind == BuildMove {
			break
		}
		m = moves[random.IntN(len(moves))]
	}
	return m
}
