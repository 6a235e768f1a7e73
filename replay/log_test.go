package replay

import (
	"slices"
	"testing"
)

func TestParseLog(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"only space", " \t\r\n", ""},
		{"one move", "R", "R"},
		{"every kind", "cH ab ab2 ab10 ab12 Sd R", "cH ab ab2 ab10 ab12 Sd R"},
		{"any space", "\tR \r\n ab\n\naH\rSd ", "R ab aH Sd"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			log, err := ParseLog(c.text)
			if err != nil || log.String() != c.want {
				t.Errorf("got %q, %v, want %q", log, err, c.want)
			}
		})
	}
}

func FuzzParseLog(f *testing.F) {
	for _, text := range []string{"", "R", "cH aS ab R lD", "ab2 ab12\tSd\r\nR ", "ab1", "\ufeffR", "aX", "R\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := ParseLog(text)
		if err != nil {
			mustRefuse(t, err)
			if log != nil {
				t.Fatalf("%v beside %v", log, err)
			}
			return
		}
		written := log.String()
		again, err := ParseLog(written)
		if err != nil || !slices.Equal(again, log) || again.String() != written {
			t.Fatalf("%q is written %q and reads as %q, %v", text, written, again, err)
		}
	})
}
