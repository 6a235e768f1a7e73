package engine

import (
	"crypto/sha256"
	"encoding/binary"
)

// Seed is the text that a deal comes from, in its canonical form. ParseSeed
// is the only way to make one from text that is not known to be valid.
type Seed string

const maxSeedLength = 64

// ParseSeed reads a seed: 1 to 64 of a-z and 0-9, with single hyphens between
// them. Nothing is folded or trimmed; any other text gives ErrSeed.
func ParseSeed(text string) (Seed, error) {
	if len(text) > maxSeedLength {
		return "", ErrSeed
	}
	before := byte('-')
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c == '-' && before != '-':
		default:
			return "", ErrSeed
		}
		before = c
	}
	if before == '-' { // also the empty text
		return "", ErrSeed
	}
	return Seed(text), nil
}

// Deal is the opening position of a seed, by deal version 1. All variants deal
// alike; the variant says how many redeals there are.
func Deal(v Variant, seed Seed) Position {
	deck := unshuffled
	words := newWordStream(seed)
	for i := len(deck) - 1; i > 0; i-- {
		j := words.below(uint32(i + 1))
		deck[i], deck[j] = deck[j], deck[i]
	}

	p := Position{
		Foundations: [4]Rank{Ace, Ace, Ace, Ace},
		RedealsLeft: int32(v.Redeals),
	}
	var line cardLine
	n := 0
	for _, c := range deck {
		line[n] = c
		if c.Rank() != Ace {
			n++
		}
	}
	p.dealFours(&line, n)
	return p
}

// unshuffled is the pack that each shuffle starts from: AC 2C … KC, AD … KS.
var unshuffled = func() (deck [52]Card) {
	for i := range deck {
		deck[i] = NewCard(Rank(i%13+1), Suit(i/13))
	}
	return deck
}()

// wordStream is the endless row of 32-bit words that a seed gives, eight from
// each SHA-256 block.
type wordStream struct {
	text   [128]byte // what is hashed: a prefix, the seed, the block's number
	size   int
	blocks uint32 // how many have been made
	block  [sha256.Size]byte
	used   int // bytes of block
}

func newWordStream(seed Seed) wordStream {
	w := wordStream{used: sha256.Size}
	text := append(w.text[:0], "cruel deal 1\n"...)
	text = append(text, seed...)
	text = append(text, '\n')
	w.size = len(text) + 4
	return w
}

func (w *wordStream) word() uint32 {
	if w.used == len(w.block) {
		w.nextBlock()
	}
	word := binary.BigEndian.Uint32(w.block[w.used:])
	w.used += 4
	return word
}

func (w *wordStream) nextBlock() {
	binary.BigEndian.PutUint32(w.text[w.size-4:], w.blocks)
	w.block = sha256.Sum256(w.text[:w.size])
	w.blocks++
	w.used = 0
}

// below is a number from 0 to n-1, all equally likely. The words are cut into
// stretches of n from 0 on; a word in the last stretch is thrown away if that
// is incomplete, which is when the stretch would end above 2^32.
func (w *wordStream) below(n uint32) uint32 {
	for {
		word := w.word()
		if number := word % n; word-number <= -n {
			return number
		}
	}
}
