package account

import (
	"strings"
	"testing"
	"time"
)

func TestTokenUseJudge(t *testing.T) {
	later := noon.Add(time.Hour)
	for _, test := range []struct {
		name string
		use  TokenUse
		want Verdict
	}{
		{"successor unused", TokenUse{true, time.Time{}, later}, Good},
		{"successor used now", TokenUse{true, noon, later}, Good},
		{"successor used 30 s ago", TokenUse{true, noon.Add(-30 * time.Second), later}, Good},
		{"successor used longer ago", TokenUse{true, noon.Add(-30*time.Second - time.Millisecond), later}, Stolen},
		{"unknown", TokenUse{false, time.Time{}, later}, Stolen},
		{"session ends now", TokenUse{true, time.Time{}, noon}, Good},
		{"session over", TokenUse{true, time.Time{}, noon.Add(-time.Millisecond)}, Refused},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.use.Judge(noon); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func FuzzParseRefreshToken(f *testing.F) {
	id := strings.Repeat("a2", 13)
	for _, text := range []string{id + "." + id, "", ".", id, id + ".", "." + id, id + "." + id + "x", strings.ToUpper(id) + "." + id, id + "." + id + "." + id, id[1:] + "é." + id} {
		f.Add(text)
	}
	f.Add(newRefreshToken(newID()).String())
	f.Fuzz(func(t *testing.T, text string) {
		token, err := parseRefreshToken(text)
		if err != nil {
			if token != (refreshToken{}) {
				t.Error("a value beside an error")
			}
			return
		}
		if token.String() != text {
			t.Errorf("%q is written %q", text, token)
		}
		if len(text) != 2*idLength+1 {
			t.Errorf("%q has %d bytes", text, len(text))
		}
	})
}

func TestRefreshToken(t *testing.T) {
	token := newRefreshToken(newID())
	again, err := parseRefreshToken(token.String())
	if err != nil || again != token || again.hash() != token.hash() {
		t.Errorf("%v is read as %v, %v", token, again, err)
	}
	if newRefreshToken(token.session).hash() == token.hash() {
		t.Error("two tokens are the same")
	}
}
