package account

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

func TestParseName(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"alice", "alice"},
		{"Bob", "Bob"},
		{"x-y_2", "x-y_2"},
		{"007", "007"},
		{"Åse", "Åse"},
		{"A\u030ase", "Åse"},
		{"ａｌｉｃｅ", "alice"}, // full-width: the same name
		{"Ольга", "Ольга"},
		{"Ольга2", "Ольга2"},
		{"Ελένη", "Ελένη"},
		{"さくら桜サクラ", "さくら桜サクラ"},
		{"ラーメン", "ラーメン"},
		{"김철수金", "김철수金"},
		{"王小明", "王小明"},
		{"דוד-דוד", "דוד-דוד"},
		{"สมชาย", "สมชาย"},
		{"हिन्दी", "हिन्दी"},
		{strings.Repeat("ab", 10), strings.Repeat("ab", 10)},
		{strings.Repeat("o\u0308", 20), strings.Repeat("ö", 20)}, // counted as shown
		{"guestbook", "guestbook"},
		{"Melanie", "Melanie"},
	} {
		name, err := ParseName(test.text)
		if err != nil || name.String() != test.want {
			t.Errorf("ParseName(%q) = %q, %v", test.text, name, err)
		}
	}
}

// Cases A10, K07 and K20.
func TestParseNameRefuses(t *testing.T) {
	const (
		space     = "spaces"
		invisible = "control"
		unfit     = "is made of"
		script    = "one script"
	)
	for _, test := range []struct{ text, reason string }{
		{"", "at least 3"},
		{"ab", "at least 3"},
		{"桜木", "at least 3"},
		{strings.Repeat("a", 21), "at most 20"},
		{strings.Repeat("a", 100_000), "at most 20"},
		{"alice ", space},
		{" alice", space},
		{"al ice", space},
		{"al\u00a0ice", space},
		{"al\u3000ice", space},
		{"alice\n", space},
		{"admin\x00", invisible},
		{"al\u200dice", invisible},
		{"al\u200bice", invisible},
		{"al\u00adice", invisible},
		{"al\ufe0fice", invisible},
		{"\u202ealice", invisible},
		{"\u2066alice\u2069", invisible},
		{"\u200b\u200b\u200b\u200b", invisible},
		{"\ufeffalice", invisible},
		{"\u3164\u3164\u3164", invisible}, // Hangul filler
		{"\u115f\u1160\u115f", invisible},
		{"\x1b[2Jalice", invisible},
		{"\x1b]52;c;aGk=\x07", invisible},
		{"alice\u009b31m", invisible},
		{"alice\xff", "UTF-8"},
		{"\xed\xa0\x80abc", "UTF-8"},
		{"a/b", unfit},
		{"../..", unfit},
		{"a%2fb", unfit},
		{"a?b#c", unfit},
		{"a.b.c", unfit},
		{"<script>", unfit},
		{"l·l·l", unfit},
		{"win👍ner", unfit},
		{"ﬁnn", unfit},
		{"𝐚𝐥𝐢𝐜𝐞", unfit},
		{"alⅰce", unfit},
		{"-alice", "begins"},
		{"_alice", "begins"},
		{"---", "begins"},
		{"\u0301abc", "begins"},
		{"a\u0300\u0316\u0317\u0318bc", "accents"},
		{"аlice", script},
		{"alicе", script},
		{"αlice", script},
		{"alice桜", script},
		{"김さく", script},
		{"дavid桜", script},
		{"דודabc", "right to left"},
		{"1דוד", "right to left"},
		{"admin", "reserved"},
		{"ADMIN", "reserved"},
		{"adrnin", "reserved"},
		{"r00t", "reserved"},
		{"Cruel", "reserved"},
		{"guest-7k3q9x", "reserved"},
		{"Guest-1", "reserved"},
		{"deleted", "reserved"},
		{"DeIeted-player", "reserved"},
	} {
		name, err := ParseName(test.text)
		var refused *NameError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, test.reason) {
			t.Errorf("ParseName(%.40q) = %q, %v, want a reason with %q", test.text, name, err, test.reason)
		}
		if name != (Name{}) {
			t.Errorf("ParseName(%.40q) = %q beside an error", test.text, name)
		}
	}
}

// Cases A10 and A11.
func TestNamesThatLookAlike(t *testing.T) {
	for _, test := range []struct {
		a, b  string
		alike bool
	}{
		{"alice", "Alice", true},
		{"alice", "ALICE", true},
		{"alice", "aIice", true}, // capital I for l
		{"alice", "AIice", true},
		{"alice", "a1ice", true},
		{"ALICE", "AL1CE", true},
		{"Åse", "åse", true},
		{"bob", "b0b", true},
		{"bob", "BOB", true},
		{"modern", "modem", true},
		{"apple", "аррӏе", true}, // all Cyrillic
		{"APPLE", "АРРӀЕ", true},
		{"cocoa", "сосоа", true},
		{"TOM", "ТОМ", true},
		{"ΟΔΟΣ", "οδος", true},
		{"abc", "ａｂｃ", true},
		{"straße", "STRAẞE", true},
		{"ロボ口", "ロボ□", false}, // the second is none
		{"エリカ", "工リカ", true},  // Katakana and Han
		{"mail", "mall", false},
		{"alice", "alicia", false},
		{"ase", "åse", false},
		{"bob", "bob2", false},
		{"x-y", "x_y", false},
	} {
		a, err := ParseName(test.a)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseName(test.b)
		if err != nil && test.alike {
			t.Fatal(err)
		}
		if got := alike(a, b); got != test.alike {
			t.Errorf("%q and %q alike: %v; skeletons %q and %q", test.a, test.b, got, a.Skeletons(), b.Skeletons())
		}
	}
}

func alike(a, b Name) bool {
	return slices.ContainsFunc(a.Skeletons(), func(s string) bool { return slices.Contains(b.Skeletons(), s) })
}

func TestNewGuestName(t *testing.T) {
	form := regexp.MustCompile(`^guest-[2-9a-hjknp-vx-z]{6}$`)
	seen := map[Name]bool{}
	for range 1000 {
		name := newGuestName()
		if !form.MatchString(name.String()) || seen[name] || name.Key() != name.String() {
			t.Fatalf("guest name %q", name)
		}
		seen[name] = true
	}
}

func FuzzParseName(f *testing.F) {
	for _, text := range []string{
		"alice", "ALICE", "Åse", "аррӏе", "さくら桜", "김철수", "דוד", "ΟΔΟΣ", "straße", "İstanbul",
		"guest-7k3q9x", "a/b", "al\u200dice", "हिन्दी", "٠١٢", "e\u0301\u0323x", "\xff", "ǅungla", "Dž",
	} {
		f.Add(text)
	}
	upper, lower := cases.Upper(language.Und), cases.Lower(language.Und)
	f.Fuzz(func(t *testing.T, text string) {
		name, err := ParseName(text)
		if err != nil {
			if name != (Name{}) {
				t.Fatal("a value beside an error")
			}
			return
		}
		if n := utf8.RuneCountInString(name.String()); n < shortestName || n > longestName {
			t.Errorf("%d characters", n)
		}
		if again, err := ParseName(name.String()); again != name {
			t.Errorf("%q is read as %q, %v", name, again, err)
		}
		if escaped := url.PathEscape(name.String()); strings.Contains(strings.ToUpper(escaped), "%2F") {
			t.Errorf("%q in a path is %q", name, escaped)
		}
		if name.Key() == "" || NameKey(name.Key()) != name.Key() {
			t.Errorf("key %q", name.Key())
		}
		for _, written := range []string{upper.String(name.String()), lower.String(name.String()), name.Key()} {
			if other, err := ParseName(written); err == nil && other.Key() == name.Key() && !alike(name, other) {
				t.Errorf("%q and %q are one name and don't look alike: %q, %q", name, other, name.Skeletons(), other.Skeletons())
			}
		}
	})
}
