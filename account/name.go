package account

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/cases"
	"golang.org/x/text/secure/precis"
)

const (
	shortestName = 3
	longestName  = 20
)

// Name is a text that may be shown as a player's name. Two players never hold
// names that look alike; see Skeletons. ParseName makes it.
type Name struct{ text string }

// ParseName reads the name that a player asks for, and returns it in the form
// in which it is shown. The error is a *NameError.
func ParseName(text string) (Name, error) {
	if len(text) > 1024 { // far more than 20 characters take
		return Name{}, &NameError{"A name has at most 20 characters."}
	}
	name, err := precis.UsernameCasePreserved.String(text)
	if reason := refuse(text, name, err); reason != "" {
		return Name{}, &NameError{reason}
	}
	return Name{name}, nil
}

// nameHeld wraps a name that is in the store already.
func nameHeld(text string) Name { return Name{text} }

// guestAlphabet is without 0 o, 1 i l, and m and w, which look like rn and vv.
const guestAlphabet = "23456789abcdefghjknpqrstuvxyz"

const guestPrefix = "guest-"

// newGuestName makes a name for someone who asked for none. It may be taken.
func newGuestName() Name { return Name{guestPrefix + randomText(guestAlphabet, 6)} }

// String returns the name as it is shown.
func (n Name) String() string { return n.text }

// Key returns the case-mapped form, by which a player is found.
func (n Name) Key() string { return NameKey(n.text) }

// NameKey returns the form by which a player is found whose name is written as
// text, in whatever case or width; "" if it can't be a name.
func NameKey(text string) string {
	if len(text) > 1024 {
		return ""
	}
	key, err := precis.UsernameCaseMapped.CompareKey(text)
	if err != nil {
		return ""
	}
	return key
}

// Skeletons returns, in order, what the name looks like, as it is written and
// in small letters. Names that have one in common look alike or differ in case
// only, and can't belong to two players.
func (n Name) Skeletons() []string {
	all := []string{skeleton(n.text), skeleton(cases.Fold().String(n.text))}
	slices.Sort(all)
	return slices.Compact(all)
}

// skeleton maps look-alikes to one text: rn to what m gives, 0 to that of O and
// o, Cyrillic а to that of a. The case goes last, since I looks like l and not
// like i.
func skeleton(text string) string {
	return cases.Fold().String(confusables.Skeleton(olderThanTable.Replace(text)))
}

// The table of the library is that of Unicode 13, which takes the palochka for
// an i. Its most famous use is as the l in a false "apple".
var olderThanTable = strings.NewReplacer("ӏ", "l", "Ӏ", "l")

// reserved are skeletons of names that would pose as the house or stand in the
// way of a route.
var reserved = skeletonsOf("me", "admin", "administrator", "anonymous", "cruel", "moderator",
	"null", "official", "root", "server", "staff", "support", "system", "undefined")

var reservedPrefixes = skeletonsOf(guestPrefix, "deleted")

func skeletonsOf(texts ...string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, skeleton(text))
	}
	return all
}

// refuse says why the text can't be a name, or "". The name is what PRECIS made
// of the text, with its error.
func refuse(text, name string, err error) string {
	const unfit = "A name is made of letters, digits, hyphens and underscores."
	length := utf8.RuneCountInString(name)
	switch {
	case !utf8.ValidString(text):
		return "This name is not valid text (UTF-8)."
	case strings.ContainsFunc(text, unicode.IsSpace):
		return "A name has no spaces; use a hyphen or an underscore."
	case strings.ContainsFunc(text, isInvisible):
		return "A name has no control characters and no invisible ones."
	case strings.ContainsFunc(text, isUnfit):
		return unfit
	case text != "" && !startsRight(text):
		return "A name begins with a letter or a digit."
	case err != nil && !isRightToLeft(text):
		return unfit
	case err != nil:
		return "A name that is written from right to left has no letters of other scripts, and ends in a letter or a digit."
	case length < shortestName:
		return "A name has at least 3 characters."
	case length > longestName:
		return "A name has at most 20 characters."
	case hasPile(name):
		return "A name has at most two accents on a letter."
	case !isOneScript(name):
		return "A name is written in one script; it can't mix, for example, Latin and Cyrillic letters."
	}
	for _, s := range (Name{name}).Skeletons() {
		if slices.Contains(reserved, s) || slices.ContainsFunc(reservedPrefixes, func(prefix string) bool {
			return strings.HasPrefix(s, prefix)
		}) {
			return "This name is reserved."
		}
	}
	return ""
}

func isInvisible(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func isUnfit(r rune) bool {
	return r != '-' && r != '_' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

func isRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	})
}

func startsRight(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsLetter(first) || unicode.IsDigit(first)
}

// hasPile finds more than two marks in a row, which would be drawn far into the
// lines above and below.
func hasPile(name string) bool {
	row := 0
	for _, r := range name {
		if !unicode.IsMark(r) {
			row = 0
		} else if row++; row > 2 {
			return true
		}
	}
	return false
}

// writings are the scripts that are written together.
var writings = [][]string{
	{"Han", "Hiragana", "Katakana"},
	{"Han", "Hangul"},
	{"Han", "Bopomofo"},
}

// isOneScript tells whether the letters of a name are of one script, or of
// those that one language mixes. ASCII digits, hyphen and underscore go with
// all.
func isOneScript(name string) bool {
	var found []string
	for _, r := range name {
		script := scriptOf(r)
		if script == "Inherited" || r < utf8.RuneSelf && !unicode.IsLetter(r) {
			continue
		}
		if !slices.Contains(found, script) {
			found = append(found, script)
		}
	}
	return len(found) <= 1 && !slices.Contains(found, "Common") ||
		slices.ContainsFunc(writings, func(together []string) bool {
			return !slices.ContainsFunc(found, func(s string) bool { return !slices.Contains(together, s) })
		})
}

func scriptOf(r rune) string {
	if r == 'ー' { // Common to two scripts of one writing
		return "Katakana"
	}
	for script, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return script
		}
	}
	return "Common"
}
