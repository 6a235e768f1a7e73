package account

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
)

// cheap is for tests only.
var cheap = Cost{MemoryKiB: 8, Passes: 1, Threads: 1}

// Case A08: nothing is cut and nothing refused without a word.
func TestParsePassword(t *testing.T) {
	for _, test := range []struct{ name, text, reason string }{
		{"8 characters", "12345678", ""},
		{"with spaces", " correct horse ", ""},
		{"72 bytes", strings.Repeat("x", 72), ""},
		{"73 bytes", strings.Repeat("x", 73), ""},
		{"19 emoji", strings.Repeat("👍", 19), ""},
		{"8 letters of 3 bytes", "桜桜桜桜桜桜桜桜", ""},
		{"128 characters", strings.Repeat("x", 128), ""},
		{"128 emoji", strings.Repeat("👍", 128), ""},
		{"128 decomposed letters", strings.Repeat("e\u0301", 128), ""},
		{"129 characters", strings.Repeat("x", 129), "at most 128"},
		{"far too long", strings.Repeat("x", 1<<20), "at most 128"},
		{"empty", "", "at least 8"},
		{"7 characters", "1234567", "at least 8"},
		{"7 letters of 2 bytes", "äääääää", "at least 8"},
		{"4 decomposed letters", strings.Repeat("e\u0301", 4), "at least 8"},
		{"NUL", "1234567\x00", "control"},
		{"not UTF-8", "1234567\xff", "UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := parsePassword(test.text)
			var refused *PasswordError
			switch {
			case test.reason == "" && err != nil:
				t.Error(err)
			case test.reason != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Reason, test.reason)):
				t.Errorf("got %v, want a reason with %q", err, test.reason)
			case err != nil && p != "":
				t.Error("a value beside an error")
			}
		})
	}
}

func TestHasher(t *testing.T) {
	h := newHasher(cheap, 2)
	long := strings.Repeat("x", 127)
	stored, err := h.hash(t.Context(), mustParse(t, long+"a"))
	if err != nil {
		t.Fatal(err)
	}
	if form := regexp.MustCompile(`^\$argon2id\$v=19\$m=8,t=1,p=1\$[^$]{22}\$[^$]{43}$`); !form.MatchString(stored) {
		t.Errorf("stored %q", stored)
	}
	for _, test := range []struct {
		name, password, stored string
		want                   error
	}{
		{"right", long + "a", stored, nil},
		{"wrong in the last character", long + "b", stored, ErrBadCredentials},
		{"shorter", long, stored, ErrBadCredentials},
		{"too short to be one", "x", stored, ErrBadCredentials},
		{"guest or nobody", long + "a", "", ErrBadCredentials},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := h.check(t.Context(), test.password, test.stored); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// Case A09.
func TestPasswordComposedAndDecomposed(t *testing.T) {
	h := newHasher(cheap, 1)
	stored, err := h.hash(t.Context(), mustParse(t, "Caf\u00e9-\u00c5se\u00a0x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.check(t.Context(), "Cafe\u0301-A\u030ase x", stored); err != nil {
		t.Error(err)
	}
}

func TestRehash(t *testing.T) {
	old, err := newHasher(cheap, 1).hash(t.Context(), mustParse(t, "password"))
	if err != nil {
		t.Fatal(err)
	}
	h := newHasher(Cost{MemoryKiB: 16, Passes: 2, Threads: 1}, 1)
	fresh, err := h.check(t.Context(), "password", old)
	if err != nil || !strings.Contains(fresh, "m=16,t=2,p=1") {
		t.Fatalf("check with a new cost = %q, %v", fresh, err)
	}
	if again, err := h.check(t.Context(), "password", fresh); err != nil || again != fresh {
		t.Errorf("check after that = %q, %v", again, err)
	}
}

func TestDamagedHash(t *testing.T) {
	good := cheap.hash("password")
	for _, stored := range []string{
		"x", "$argon2id$", "$2a$10$abcdefghijklmnopqrstuv", good + "x", good[:len(good)-1], good[:len(good)-30],
		strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "t=1", "t=0", 1),
		strings.Replace(good, "v=19", "v=16", 1), strings.Replace(good, "m=8", "m=08", 1),
	} {
		ok, err := password("password").matches(stored)
		if ok || err == nil {
			t.Errorf("%q: %v, %v", stored, ok, err)
		}
	}
}

// Case A07: whoever doesn't exist costs the same.
func TestNobodyCostsTheSame(t *testing.T) {
	h := newHasher(cheap, 1)
	cost, _, _, err := parsePHC(h.nobody)
	if err != nil || cost != cheap {
		t.Errorf("cost of nobody %+v, %v", cost, err)
	}
}

func TestHasherQueue(t *testing.T) {
	h := newHasher(cheap, 1)
	leave, err := h.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	for range 8 {
		go func() {
			_, err := h.enter(ctx)
			waiting <- err
		}()
	}
	for len(h.inside) < cap(h.inside) { // until all of them wait
		select {
		case err := <-waiting:
			t.Fatalf("got out of the queue: %v", err)
		default:
		}
	}
	if _, err := h.enter(t.Context()); !errors.Is(err, ErrBusy) {
		t.Errorf("full queue: %v", err)
	}
	if _, err := h.check(t.Context(), "password", ""); !errors.Is(err, ErrBusy) {
		t.Errorf("check of nobody's password with a full queue: %v", err)
	}
	cancel()
	for range 8 {
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in the queue: %v", err)
		}
	}
	leave()
	if _, err := h.hash(t.Context(), "password"); err != nil {
		t.Errorf("after that: %v", err)
	}
	if len(h.inside)+len(h.working) != 0 {
		t.Error("someone is still inside")
	}
}

func TestRecoveryCode(t *testing.T) {
	shown, hash := newRecoveryCode()
	if form := regexp.MustCompile(`^([2-9A-HJKMNP-TV-Z]{5}-){3}[2-9A-HJKMNP-TV-Z]{5}$`); !form.MatchString(shown) {
		t.Errorf("code %q", shown)
	}
	for _, typed := range []string{shown, strings.ToLower(shown), strings.ReplaceAll(shown, "-", ""), " " + strings.ReplaceAll(shown, "-", " ")} {
		if string(hashRecoveryCode(typed)) != string(hash) {
			t.Errorf("%q isn't taken for %q", typed, shown)
		}
	}
	if string(hashRecoveryCode(shown[1:])) == string(hash) {
		t.Error("a part of the code is taken for it")
	}
	if other, _ := newRecoveryCode(); other == shown {
		t.Error("two codes are the same")
	}
}

func mustParse(t *testing.T, text string) password {
	t.Helper()
	p, err := parsePassword(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
