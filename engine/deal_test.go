package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// cases S01, S02 and S03: deals never change. Each line of the file is a seed
// and the SHA-256, in hexadecimal, of the deal's twelve piles, each as its
// cards with single spaces between them, bottom card first, and a line feed
// ("TD 7C 7S 8S\n"). The file came from an independent implementation. The
// test is run for another word size with
//
//	GOARCH=386 go test ./engine -run TestGoldenDeals
func TestGoldenDeals(t *testing.T) {
	file, err := os.Open("testdata/deals.sha256")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	deals := 0
	for lines := bufio.NewScanner(file); lines.Scan(); deals++ {
		seed, want, _ := strings.Cut(lines.Text(), " ")
		text := strings.Join(pileTexts(Deal(DefaultVariant(), mustSeed(t, seed))), "\n") + "\n"
		sum := sha256.Sum256([]byte(text))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: %s, want %s; the deal is\n%s", seed, got, want, text)
		}
	}
	if deals != 50 {
		t.Errorf("%d deals, want 50", deals)
	}
}

// case S06: a seed has one form, and no text outside ASCII is one.
func TestParseSeed(t *testing.T) {
	accepted := []string{
		"0", "a", "a-b", "2026-11-30", "9007199254740993", "18446744073709551615",
		strings.Repeat("a", 64), strings.Repeat("0-", 31) + "00",
	}
	for _, text := range accepted {
		if seed, err := ParseSeed(text); err != nil || string(seed) != text {
			t.Errorf("%q: %q, %v", text, seed, err)
		}
	}
	refused := map[string]string{
		"empty":                "",
		"too long":             strings.Repeat("a", 65),
		"upper case":           "Ada",
		"accent, composed":     "\u00e9",
		"accent, decomposed":   "e\u0301",
		"full-width letter":    "\uff41",
		"emoji":                "\U0001f0a1",
		"space before":         " a",
		"space after":          "a ",
		"invalid UTF-8":        "\xff",
		"surrogate in UTF-8":   "\xed\xa0\x80",
		"NUL":                  "a\x00",
		"hyphen first":         "-a",
		"hyphen last":          "a-",
		"two hyphens":          "a--b",
		"long hyphen":          "a\u2010b",
		"number with a sign":   "+1",
		"number with a point":  "1.0",
		"underscore":           "a_b",
		"line feed at the end": "a\n",
	}
	for name, text := range refused {
		t.Run(name, func(t *testing.T) {
			if seed, err := ParseSeed(text); !errors.Is(err, ErrSeed) || seed != "" {
				t.Errorf("%q: %q, %v", text, seed, err)
			}
		})
	}
}

func FuzzParseSeed(f *testing.F) {
	for _, text := range []string{"", "a", "cruel", "2026-11-30", "a--b", "-", "\xff", "A"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seed, err := ParseSeed(text)
		if err != nil {
			if seed != "" {
				t.Fatalf("a seed %q beside %v", seed, err)
			}
			return
		}
		if string(seed) != text {
			t.Fatalf("%q became %q", text, seed)
		}
		checkPack(t, Deal(DefaultVariant(), seed))
	})
}

// case S07, the draw: words that would favour low numbers are thrown away.
// 2^32 mod 48 is 16, so the last 16 words are such for 48, and none for 32.
func TestBelowThrowsWordsAway(t *testing.T) {
	cases := []struct {
		name  string
		n     uint32
		words []uint32
		want  uint32
	}{
		{"first word", 48, []uint32{0, 1}, 0},
		{"last good word", 48, []uint32{1<<32 - 17, 5}, 47},
		{"first bad word", 48, []uint32{1<<32 - 16, 5}, 5},
		{"last bad word", 48, []uint32{1<<32 - 1, 5}, 5},
		{"two bad words", 48, []uint32{1<<32 - 1, 1<<32 - 16, 7}, 7},
		{"power of two", 32, []uint32{1<<32 - 1, 5}, 31},
		{"two", 2, []uint32{1<<32 - 1, 4}, 1},
		{"three", 3, []uint32{1<<32 - 1, 4}, 1},
		{"pack", 52, []uint32{1<<32 - 49, 1<<32 - 48, 3}, 51},
		{"pack, bad word", 52, []uint32{1<<32 - 48, 3}, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := wordStream{}
			for i, word := range c.words {
				binary.BigEndian.PutUint32(w.block[4*i:], word)
			}
			if got := w.below(c.n); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// case S07, the shuffle: over 480,000 deals each card lies in each of the 48
// places equally often. The sum has 47*47 degrees of freedom, so its mean is
// 2209 and its standard deviation 66; the limits are six of those away.
func TestShuffleIsFair(t *testing.T) {
	const deals = 480_000
	var counts [1 << 6][48]int
	for i := range deals {
		p := Deal(DefaultVariant(), Seed(strconv.Itoa(i)))
		for place := range 48 {
			counts[p.Piles[place/4].At(place%4)][place]++
		}
	}
	const expected = deals / 48.0
	sum := 0.0
	for card := NewCard(Ace+1, Clubs); card <= NewCard(King, Spades); card++ {
		for _, n := range counts[card] {
			off := float64(n) - expected
			sum += off * off / expected
		}
	}
	if sum < 2209-6*66 || sum > 2209+6*66 {
		t.Errorf("chi-square is %.0f, want about 2209", sum)
	}
}
