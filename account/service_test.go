package account_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/db"
	"cruel/db/dbtest"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 123_456_789, time.FixedZone("", 5*3600+45*60)) // not whole, not UTC

const (
	password = "correct horse"
	another  = "battery staple"
)

// house is a Service over a fresh SQLite, with a clock that the test sets.
type house struct {
	*account.Service
	t   *testing.T
	db  *db.DB
	now time.Time
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, db: dbtest.Open(t), now: noon}
	h.Service = h.server()
	return h
}

// server is one more server on the same database.
func (h *house) server() *account.Service {
	h.t.Helper()
	s, err := account.New(h.t.Context(), h.db, account.Options{
		Now:  func() time.Time { return h.now },
		Cost: account.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *house) signUp(name, password string) account.SignedIn {
	h.t.Helper()
	in, err := h.SignUp(h.t.Context(), account.SignUp{Name: name, Password: password})
	if err != nil {
		h.t.Fatal(err)
	}
	return in
}

func (h *house) identity(in account.SignedIn) account.Identity {
	h.t.Helper()
	id, err := h.Authenticate(in.Tokens.Access)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *house) refresh(token string) string {
	h.t.Helper()
	next, err := h.Refresh(h.t.Context(), token)
	if err != nil {
		h.t.Fatal(err)
	}
	return next.Tokens.Refresh
}

func (h *house) wantError(err, want error) {
	h.t.Helper()
	if !errors.Is(err, want) {
		h.t.Errorf("got %v, want %v", err, want)
	}
}

func TestSignUp(t *testing.T) {
	h := newHouse(t)
	in := h.signUp("Alice", password)
	want := account.Player{ID: in.Player.ID, Name: "Alice", CreatedAt: time.Date(2026, 11, 30, 6, 15, 0, 123_000_000, time.UTC)}
	if diff := cmp.Diff(want, in.Player); diff != "" {
		t.Error(diff)
	}
	if len(in.RecoveryCode) != 23 {
		t.Errorf("recovery code %q", in.RecoveryCode)
	}
	if id := h.identity(in); id.PlayerID != in.Player.ID || id.SessionID == "" {
		t.Errorf("identity %v", id)
	}
	if in.Tokens.Cookie || in.Tokens.AccessLifetime != 15*time.Minute || !in.Tokens.RefreshExpiresAt.Equal(want.CreatedAt.AddDate(0, 0, 400)) {
		t.Errorf("tokens %+v", in.Tokens)
	}
	for _, get := range []func() (account.Player, error){
		func() (account.Player, error) { return h.Me(t.Context(), h.identity(in)) },
		func() (account.Player, error) { return h.Player(t.Context(), in.Player.ID) },
		func() (account.Player, error) { return h.PlayerByName(t.Context(), "Alice") },
		func() (account.Player, error) { return h.PlayerByName(t.Context(), "ALICE") },
	} {
		if got, err := get(); err != nil || got != want {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// Case K07: texts from outside that no database would take.
func TestPlayersWhoCannotBe(t *testing.T) {
	h := newHouse(t)
	for _, text := range []string{"", "nobody", "a\x00b", "\xff", "\xed\xa0\x80", "9223372036854775808", strings.Repeat("a", 100_000)} {
		_, err := h.Player(t.Context(), text)
		h.wantError(err, account.ErrNotFound)
		_, err = h.PlayerByName(t.Context(), text)
		h.wantError(err, account.ErrNotFound)
	}
}

func TestGuest(t *testing.T) {
	h := newHouse(t)
	in := h.signUp("", "")
	if !in.Player.Guest || !strings.HasPrefix(in.Player.Name, "guest-") || in.RecoveryCode != "" {
		t.Errorf("signed in %+v", in)
	}
	_, err := h.LogIn(t.Context(), in.Player.Name, password, false)
	h.wantError(err, account.ErrBadCredentials)
	if found, err := h.PlayerByName(t.Context(), in.Player.Name); err != nil || found != in.Player {
		t.Errorf("by name: %+v, %v", found, err)
	}

	id := h.identity(in)
	name, secret := "Bob", password
	changed, err := h.Change(t.Context(), id, account.Change{Name: &name})
	if err != nil || !changed.Player.Guest || changed.Player.Name != "Bob" || changed.RecoveryCode != "" {
		t.Fatalf("with a name: %+v, %v", changed, err)
	}
	changed, err = h.Change(t.Context(), id, account.Change{Password: &secret})
	if err != nil || changed.Player.Guest || changed.RecoveryCode == "" {
		t.Fatalf("with a password: %+v, %v", changed, err)
	}
	h.refresh(in.Tokens.Refresh) // the session that did it goes on
	if in, err := h.LogIn(t.Context(), "bob", password, false); err != nil || in.Player != changed.Player {
		t.Errorf("log-in: %+v, %v", in, err)
	}
}

func TestSignUpRefuses(t *testing.T) {
	h := newHouse(t)
	h.signUp("alice", "")
	h.signUp("Åse", "")
	var name *account.NameError
	var pass *account.PasswordError
	for _, test := range []struct {
		name   string
		signUp account.SignUp
		as     any   // either
		is     error // or
	}{
		{"bad name", account.SignUp{Name: "a b c"}, &name, nil},
		{"guest's name", account.SignUp{Name: "guest-abcdef"}, &name, nil},
		{"bad password", account.SignUp{Name: "carol", Password: "short"}, &pass, nil},
		{"same name", account.SignUp{Name: "alice"}, nil, account.ErrNameTaken},
		{"another case", account.SignUp{Name: "ALICE"}, nil, account.ErrNameTaken},
		{"another case of a letter beyond ASCII", account.SignUp{Name: "åse"}, nil, account.ErrNameTaken}, // case A11
		{"decomposed", account.SignUp{Name: "A\u030ase"}, nil, account.ErrNameTaken},
		{"full-width", account.SignUp{Name: "ａｌｉｃｅ"}, nil, account.ErrNameTaken}, // case A10
		{"I for l", account.SignUp{Name: "aIice"}, nil, account.ErrNameTaken},
		{"Cyrillic", account.SignUp{Name: "аӏісе"}, nil, account.ErrNameTaken},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := h.SignUp(t.Context(), test.signUp)
			if in.Tokens.Access != "" || test.as != nil && !errors.As(err, test.as) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("got %+v, %v", in, err)
			}
		})
	}
	if _, err := h.PlayerByName(t.Context(), "carol"); !errors.Is(err, account.ErrNotFound) {
		t.Errorf("a refused sign-up left %v", err)
	}
}

// Case A07: nothing tells whether there is such a player.
func TestLogInRefuses(t *testing.T) {
	h := newHouse(t)
	h.signUp("alice", password)
	h.signUp("guest1", "")
	for _, test := range []struct{ name, player, password string }{
		{"wrong password", "alice", another},
		{"no such player", "nobody", password},
		{"guest", "guest1", password},
		{"no name", "", password},
		{"not a name", "a b\x00", password},
		{"no password", "alice", ""},
		{"longer than any password", "alice", strings.Repeat("x", 10_000)},
		{"look-alike of the name", "aIice", password},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := h.LogIn(t.Context(), test.player, test.password, false)
			if err != account.ErrBadCredentials || in.Tokens.Access != "" { //nolint:errorlint // not even wrapped
				t.Errorf("got %+v, %v", in, err)
			}
		})
	}
}

func TestRehashAtLogIn(t *testing.T) {
	h := newHouse(t)
	in := h.signUp("alice", password)
	stronger, err := account.New(t.Context(), h.db, account.Options{Cost: account.Cost{MemoryKiB: 16, Passes: 1, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := stronger.LogIn(t.Context(), "alice", password, false); err != nil {
			t.Fatal(err)
		}
		c, err := h.db.Credentials(t.Context(), in.Player.ID)
		if err != nil || !strings.HasPrefix(c.Password, "$argon2id$v=19$m=16,t=1,p=1$") {
			t.Errorf("stored %q, %v", c.Password, err)
		}
	}
}

func TestRefresh(t *testing.T) {
	const grace = 30 * time.Second
	t.Run("lost answer", func(t *testing.T) {
		h := newHouse(t)
		r1 := h.signUp("alice", "").Tokens.Refresh
		h.refresh(r1) // and nobody got the answer
		h.now = h.now.AddDate(0, 6, 0)
		r2 := h.refresh(r1)
		h.refresh(r2)
	})
	t.Run("two tabs", func(t *testing.T) {
		h := newHouse(t)
		r1 := h.signUp("alice", "").Tokens.Refresh
		r2a := h.refresh(r1)
		r2b := h.refresh(r1)
		r3a := h.refresh(r2a)
		h.now = h.now.Add(grace)
		h.refresh(r1)
		r3b := h.refresh(r2b)
		h.refresh(r3a)
		h.refresh(r3b)
	})
	t.Run("one tab far ahead of the other", func(t *testing.T) {
		h := newHouse(t)
		r1 := h.signUp("alice", "").Tokens.Refresh
		token := r1
		for range 5 {
			h.now = h.now.Add(5 * time.Second)
			token = h.refresh(token)
		}
		h.refresh(r1) // its successor was first used 20 s ago
	})
	t.Run("theft", func(t *testing.T) { // case A05
		h := newHouse(t)
		in := h.signUp("alice", password)
		r1 := in.Tokens.Refresh
		r2 := h.refresh(r1)
		r3 := h.refresh(r2)
		h.now = h.now.Add(grace + time.Millisecond)
		for _, token := range []string{r1, r2, r3} {
			_, err := h.Refresh(t.Context(), token)
			h.wantError(err, account.ErrBadToken)
		}
		if _, err := h.LogIn(t.Context(), "alice", password, false); err != nil {
			t.Errorf("log-in after that: %v", err)
		}
	})
	t.Run("theft of a token long forgotten", func(t *testing.T) {
		h := newHouse(t)
		r1 := h.signUp("alice", "").Tokens.Refresh
		token := r1
		for range 10 {
			token = h.refresh(token)
			h.now = h.now.Add(time.Hour)
		}
		_, err := h.Refresh(t.Context(), r1)
		h.wantError(err, account.ErrBadToken)
		_, err = h.Refresh(t.Context(), token)
		h.wantError(err, account.ErrBadToken)
	})
	t.Run("400 days, from each use", func(t *testing.T) {
		h := newHouse(t)
		token := h.signUp("alice", "").Tokens.Refresh
		h.now = h.now.AddDate(0, 0, 400)
		token = h.refresh(token)
		h.now = h.now.AddDate(0, 0, 400)
		token = h.refresh(token)
		h.now = h.now.AddDate(0, 0, 400).Add(time.Millisecond)
		_, err := h.Refresh(t.Context(), token)
		h.wantError(err, account.ErrBadToken)
	})
	t.Run("other sessions of the player go on", func(t *testing.T) {
		h := newHouse(t)
		in := h.signUp("alice", password)
		other, err := h.LogIn(t.Context(), "alice", password, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.LogOut(t.Context(), h.identity(in)); err != nil {
			t.Fatal(err)
		}
		_, err = h.Refresh(t.Context(), in.Tokens.Refresh)
		h.wantError(err, account.ErrBadToken)
		next, err := h.Refresh(t.Context(), other.Tokens.Refresh)
		if err != nil || !other.Tokens.Cookie || !next.Tokens.Cookie {
			t.Errorf("the other: %+v, %v", next, err)
		}
		if err := h.LogOut(t.Context(), h.identity(in)); err != nil {
			t.Errorf("log-out again: %v", err)
		}
	})
	t.Run("the player stays the same", func(t *testing.T) {
		h := newHouse(t)
		in := h.signUp("alice", "")
		next, err := h.Refresh(t.Context(), in.Tokens.Refresh)
		if err != nil || h.identity(next) != h.identity(in) {
			t.Errorf("tokens %+v, %v", next, err)
		}
	})
	t.Run("what is no token", func(t *testing.T) {
		h := newHouse(t)
		in := h.signUp("alice", "")
		for _, token := range []string{"", "x", in.Tokens.Access, in.Tokens.Refresh + "a", strings.ToUpper(in.Tokens.Refresh), in.Tokens.Refresh[1:], strings.Repeat("a", 26) + "." + strings.Repeat("a", 26)} {
			_, err := h.Refresh(t.Context(), token)
			h.wantError(err, account.ErrBadToken)
		}
		h.refresh(in.Tokens.Refresh) // none of it did harm
		_, err := h.Authenticate(in.Tokens.Refresh)
		h.wantError(err, account.ErrBadToken) // case A02
	})
}

func TestRecover(t *testing.T) {
	h := newHouse(t)
	in := h.signUp("alice", password)
	code := in.RecoveryCode
	typed := strings.ToLower(strings.ReplaceAll(code, "-", ""))

	var pass *account.PasswordError
	if _, err := h.Recover(t.Context(), "alice", code, "short", false); !errors.As(err, &pass) {
		t.Errorf("bad password: %v", err)
	}
	for _, test := range []struct{ name, code string }{
		{"alice", "AAAAA-AAAAA-AAAAA-AAAAA"}, {"alice", ""}, {"nobody", code}, {"", code}, {h.signUp("", "").Player.Name, ""},
	} {
		_, err := h.Recover(t.Context(), test.name, test.code, another, false)
		h.wantError(err, account.ErrBadCredentials)
	}

	again, err := h.Recover(t.Context(), "Alice", typed, another, true)
	if err != nil || again.Player != in.Player || again.RecoveryCode == "" || again.RecoveryCode == code || !again.Tokens.Cookie {
		t.Fatalf("recovered %+v, %v", again, err)
	}
	_, err = h.Refresh(t.Context(), in.Tokens.Refresh)
	h.wantError(err, account.ErrBadToken)
	h.refresh(again.Tokens.Refresh)
	_, err = h.LogIn(t.Context(), "alice", password, false)
	h.wantError(err, account.ErrBadCredentials)
	if _, err := h.LogIn(t.Context(), "alice", another, false); err != nil {
		t.Error(err)
	}
	_, err = h.Recover(t.Context(), "alice", code, password, false)
	h.wantError(err, account.ErrBadCredentials) // once only
}

func TestChangePassword(t *testing.T) {
	h := newHouse(t)
	in := h.signUp("alice", password)
	other, err := h.LogIn(t.Context(), "alice", password, false)
	if err != nil {
		t.Fatal(err)
	}
	id, fresh := h.identity(in), another
	for _, current := range []string{"", another} {
		_, err := h.Change(t.Context(), id, account.Change{Password: &fresh, CurrentPassword: current})
		h.wantError(err, account.ErrBadCredentials)
	}
	h.refresh(other.Tokens.Refresh) // a refused change ends nothing

	changed, err := h.Change(t.Context(), id, account.Change{Password: &fresh, CurrentPassword: password})
	if err != nil || changed.RecoveryCode == "" || changed.RecoveryCode == in.RecoveryCode {
		t.Fatalf("changed %+v, %v", changed, err)
	}
	h.refresh(in.Tokens.Refresh)
	_, err = h.Refresh(t.Context(), other.Tokens.Refresh)
	h.wantError(err, account.ErrBadToken)
	_, err = h.LogIn(t.Context(), "alice", password, false)
	h.wantError(err, account.ErrBadCredentials)
	_, err = h.Recover(t.Context(), "alice", in.RecoveryCode, password, false)
	h.wantError(err, account.ErrBadCredentials)
	if _, err := h.Recover(t.Context(), "alice", changed.RecoveryCode, password, false); err != nil {
		t.Error(err)
	}
}

// A change is whole: a name that is taken keeps the password too.
func TestChangeIsWhole(t *testing.T) {
	h := newHouse(t)
	h.signUp("bob", "")
	id, name, fresh := h.identity(h.signUp("alice", password)), "bob", another
	_, err := h.Change(t.Context(), id, account.Change{Name: &name, Password: &fresh, CurrentPassword: password})
	h.wantError(err, account.ErrNameTaken)
	if _, err := h.LogIn(t.Context(), "alice", password, false); err != nil {
		t.Error(err)
	}
}

func TestNamesStayReserved(t *testing.T) {
	h := newHouse(t)
	alice := h.identity(h.signUp("alice", ""))
	rename := func(id account.Identity, name string) error {
		_, err := h.Change(t.Context(), id, account.Change{Name: &name})
		return err
	}
	for _, name := range []string{"Alice", "alicia", "AIicia"} {
		if err := rename(alice, name); err != nil {
			t.Fatalf("to %s: %v", name, err)
		}
	}
	if _, err := h.PlayerByName(t.Context(), "alice"); !errors.Is(err, account.ErrNotFound) {
		t.Errorf("by an old name: %v", err)
	}
	bob := h.identity(h.signUp("bob", ""))
	for _, name := range []string{"alice", "Alice", "alicia", "aIice"} {
		h.wantError(rename(bob, name), account.ErrNameTaken)
	}
	if err := rename(alice, "alice"); err != nil {
		t.Errorf("return to an old name: %v", err)
	}
}

func TestAdminRename(t *testing.T) {
	h := newHouse(t)
	rude := h.identity(h.signUp("rude", ""))
	renamed, err := h.AdminRename(t.Context(), "Rude", "polite")
	if err != nil || renamed.Name != "polite" || renamed.ID != rude.PlayerID {
		t.Fatalf("renamed %+v, %v", renamed, err)
	}
	old := "rude"
	_, err = h.Change(t.Context(), rude, account.Change{Name: &old})
	h.wantError(err, account.ErrNameTaken) // not theirs any more
	_, err = h.SignUp(t.Context(), account.SignUp{Name: "rude"})
	h.wantError(err, account.ErrNameTaken)
	if renamed, err := h.AdminRename(t.Context(), "polite", "POLITE"); err != nil || renamed.Name != "POLITE" {
		t.Errorf("another case: %+v, %v", renamed, err)
	}
	_, err = h.AdminRename(t.Context(), "nobody", "somebody")
	h.wantError(err, account.ErrNotFound)
	var name *account.NameError
	if _, err := h.AdminRename(t.Context(), "polite", "x"); !errors.As(err, &name) {
		t.Errorf("bad name: %v", err)
	}
}

// Case A16.
func TestDelete(t *testing.T) {
	h := newHouse(t)
	request := account.SignUp{Name: "alice", Password: password, Key: "7e6c7a9e-6a5b-4b5a-9a3a-0d2f3a1b2c3d", Body: []byte("alice")}
	in, err := h.SignUp(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	id := h.identity(in)
	if err := h.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	gone, err := h.Player(t.Context(), id.PlayerID)
	if err != nil || !gone.Deleted || gone.Name != "" {
		t.Errorf("player %+v, %v", gone, err)
	}
	name := "carol"
	_, err = h.Refresh(t.Context(), in.Tokens.Refresh)
	h.wantError(err, account.ErrBadToken)
	_, err = h.LogIn(t.Context(), "alice", password, false)
	h.wantError(err, account.ErrBadCredentials)
	_, err = h.Recover(t.Context(), "alice", in.RecoveryCode, another, false)
	h.wantError(err, account.ErrBadCredentials)
	_, err = h.Me(t.Context(), id)
	h.wantError(err, account.ErrBadToken)
	_, err = h.Change(t.Context(), id, account.Change{Name: &name})
	h.wantError(err, account.ErrBadToken)
	h.wantError(h.Delete(t.Context(), id), account.ErrBadToken)
	_, err = h.PlayerByName(t.Context(), "alice")
	h.wantError(err, account.ErrNotFound)
	for _, name := range []string{"alice", "Alice", "aIice"} {
		_, err = h.SignUp(t.Context(), account.SignUp{Name: name})
		h.wantError(err, account.ErrNameTaken)
	}
	_, err = h.SignUp(t.Context(), request)
	h.wantError(err, account.ErrNameTaken) // no way back in
}

func TestSignUpSentAgain(t *testing.T) {
	h := newHouse(t)
	request := account.SignUp{Name: "alice", Password: password, Key: "7e6c7a9e-6a5b-4b5a-9a3a-0d2f3a1b2c3d", Body: []byte("alice")}
	first, err := h.SignUp(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(24 * time.Hour)
	again, err := h.SignUp(t.Context(), request)
	if err != nil || again.Player != first.Player || again.Tokens.Refresh == first.Tokens.Refresh {
		t.Fatalf("again: %+v, %v", again, err)
	}
	if id := h.identity(again); id.PlayerID != first.Player.ID {
		t.Errorf("identity %v", id)
	}
	h.refresh(first.Tokens.Refresh)
	h.refresh(again.Tokens.Refresh)
	_, err = h.Recover(t.Context(), "alice", first.RecoveryCode, another, false)
	h.wantError(err, account.ErrBadCredentials) // the code of the last answer counts

	other := request
	other.Body = []byte("bob")
	_, err = h.SignUp(t.Context(), other)
	h.wantError(err, account.ErrIdempotencyMismatch)

	if _, err := h.Recover(t.Context(), "alice", again.RecoveryCode, another, false); err != nil {
		t.Fatal(err)
	}
	_, err = h.SignUp(t.Context(), request)
	h.wantError(err, account.ErrNameTaken) // a new password shuts this way in

	guest := account.SignUp{Key: "0b5e7d0e-52f5-4b7c-8a53-6f4f8f0f0f0f", Body: []byte("{}")}
	one, err := h.SignUp(t.Context(), guest)
	if err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(24*time.Hour + time.Millisecond)
	if two, err := h.SignUp(t.Context(), guest); err != nil || two.Player.ID == one.Player.ID {
		t.Errorf("after more than 24 hours: %+v, %v", two, err)
	}
}

// Servers agree on the key, a new one is known everywhere before it signs.
func TestKeysOfSeveralServers(t *testing.T) {
	h := newHouse(t)
	other := h.server()
	check := func(signer interface {
		SignUp(context.Context, account.SignUp) (account.SignedIn, error)
	},
	) {
		t.Helper()
		in, err := signer.SignUp(t.Context(), account.SignUp{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*account.Service{h.Service, other} {
			if _, err := s.Authenticate(in.Tokens.Access); err != nil {
				t.Error(err)
			}
		}
	}
	check(other)
	if err := h.RotateKey(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(h.Service) // still the first key
	if err := other.LoadKeys(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(2 * time.Hour)
	check(h.Service)
	check(other)
	if diff := cmp.Diff(h.JWKS(), other.JWKS()); diff != "" || len(h.JWKS().Keys) != 1 {
		t.Errorf("keys %v, %s", h.JWKS(), diff)
	}
}
