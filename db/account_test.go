package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"cruel/account"
	"cruel/db"
	"cruel/db/dbtest"
)

var morning = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// everywhere runs f on both databases, and on Postgres as it is used behind a
// transaction pooler (case K01).
func everywhere(t *testing.T, f func(t *testing.T, d *db.DB)) {
	dbtest.Each(t, f)
	for _, mode := range []string{"exec", "simple_protocol"} {
		t.Run("postgres in mode "+mode, func(t *testing.T) {
			d := open(t, dbtest.Postgres(t)+"&default_query_exec_mode="+mode)
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			f(t, d)
		})
	}
}

func accounts(t *testing.T, d *db.DB, now *time.Time) *account.Service {
	t.Helper()
	s, err := account.New(t.Context(), d, account.Options{
		Now:  func() time.Time { return *now },
		Cost: account.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
		// Waiting in the queue is for the tests of account.
		AtOnce: 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The life of a player, with every statement of account.go in it.
func TestAccountLife(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), morning
		s := accounts(t, d, &now)
		request := account.SignUp{Name: "Alice", Password: "correct horse", Cookie: true, Key: "key", Body: []byte("body")}
		first, err := s.SignUp(ctx, request)
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.SignUp(ctx, request)
		if err != nil || in.Player != first.Player || in.Player != (account.Player{ID: in.Player.ID, Name: "Alice", CreatedAt: morning}) {
			t.Fatalf("sign-up again: %+v, %v", in, err)
		}
		guest, err := s.SignUp(ctx, account.SignUp{})
		if err != nil || !guest.Player.Guest {
			t.Fatalf("guest: %+v, %v", guest, err)
		}
		if found, err := s.PlayerByName(ctx, "ALICE"); err != nil || found != in.Player {
			t.Errorf("by name: %+v, %v", found, err)
		}
		again, err := s.LogIn(ctx, "alice", "correct horse", false)
		if err != nil || again.Player != in.Player {
			t.Fatalf("log-in: %+v, %v", again, err)
		}
		now = now.Add(time.Hour)
		next, err := s.Refresh(ctx, in.Tokens.Refresh)
		if err != nil || !next.Tokens.Cookie || !next.Tokens.RefreshExpiresAt.Equal(now.AddDate(0, 0, 400)) {
			t.Fatalf("refresh: %+v, %v", next, err)
		}
		id, err := s.Authenticate(next.Tokens.Access)
		if err != nil || id.PlayerID != in.Player.ID {
			t.Fatalf("authenticate: %v, %v", id, err)
		}
		name, fresh := "Alicia", "battery staple"
		changed, err := s.Change(ctx, id, account.Change{Name: &name, Password: &fresh, CurrentPassword: "correct horse"})
		if err != nil || changed.Player.Name != name {
			t.Fatalf("change: %+v, %v", changed, err)
		}
		wantError(t, errOf(s.Refresh(ctx, again.Tokens.Refresh)), account.ErrBadToken)
		recovered, err := s.Recover(ctx, name, changed.RecoveryCode, "correct horse", false)
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, errOf(s.Refresh(ctx, next.Tokens.Refresh)), account.ErrBadToken)
		if _, err := s.AdminRename(ctx, name, "alison"); err != nil {
			t.Error(err)
		}
		if err := s.RotateKey(ctx); err != nil {
			t.Error(err)
		}
		if err := s.LogOut(ctx, id); err != nil {
			t.Error(err)
		}
		wantError(t, s.Delete(ctx, id), account.ErrBadToken)
		live, err := s.Authenticate(recovered.Tokens.Access)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(ctx, live); err != nil {
			t.Error(err)
		}
		wantError(t, errOf(s.Refresh(ctx, recovered.Tokens.Refresh)), account.ErrBadToken)
		gone, err := s.Player(ctx, id.PlayerID)
		if err != nil || !gone.Deleted || gone.Name != "" || !gone.CreatedAt.Equal(morning) {
			t.Errorf("deleted: %+v, %v", gone, err)
		}
		for _, name := range []string{"alice", "Alicia", "alison"} {
			wantError(t, errOf(s.SignUp(ctx, account.SignUp{Name: name})), account.ErrNameTaken)
		}
		wantError(t, errOf(s.Player(ctx, "nobody")), account.ErrNotFound)
	})
}

// Case A05, with the tokens of the last generations forgotten.
func TestTokensAreForgotten(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), morning
		s := accounts(t, d, &now)
		in, err := s.SignUp(ctx, account.SignUp{})
		if err != nil {
			t.Fatal(err)
		}
		token := in.Tokens.Refresh
		use := func() {
			t.Helper()
			for range 100 {
				if _, err := s.Refresh(ctx, token); err != nil {
					t.Fatal(err)
				}
			}
			next, err := s.Refresh(ctx, token)
			if err != nil {
				t.Fatal(err)
			}
			token, now = next.Tokens.Refresh, now.Add(time.Minute)
		}
		use()
		use()
		use()
		var rows int
		if err := d.Read().QueryRow("SELECT COUNT(*) FROM tokens").Scan(&rows); err != nil || rows > 3*50 {
			t.Errorf("%d tokens are kept, %v", rows, err)
		}
		if _, err := s.Refresh(ctx, token); err != nil {
			t.Fatal(err)
		}
		wantError(t, errOf(s.Refresh(ctx, in.Tokens.Refresh)), account.ErrBadToken)
		wantError(t, errOf(s.Refresh(ctx, token)), account.ErrBadToken)
		if err := d.Read().QueryRow("SELECT COUNT(*) FROM tokens").Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%d tokens of a session that ended, %v", rows, err)
		}
	})
}

func TestExpiredSessionsAreRemoved(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		for range 2 {
			if _, err := s.SignUp(t.Context(), account.SignUp{}); err != nil {
				t.Fatal(err)
			}
			now = now.AddDate(0, 0, 401)
		}
		var sessions, tokens int
		err := d.Read().QueryRow("SELECT (SELECT COUNT(*) FROM sessions), (SELECT COUNT(*) FROM tokens)").Scan(&sessions, &tokens)
		if err != nil || sessions != 1 || tokens != 1 {
			t.Errorf("%d sessions, %d tokens, %v", sessions, tokens, err)
		}
	})
}

const crowd = 20

// Case A11: one gets the name.
func TestParallelSignUpsOfOneName(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		spellings := []string{"Bob", "bob", "BOB", "b0b", "вов"} // the last looks like no other
		errs := atOnce(func(i int) error {
			return errOf(s.SignUp(t.Context(), account.SignUp{Name: spellings[i%4]}))
		})
		if won := count(errs, nil); won != 1 || count(errs, account.ErrNameTaken) != crowd-1 {
			t.Errorf("%d got the name: %v", won, errs)
		}
		if err := errOf(s.SignUp(t.Context(), account.SignUp{Name: spellings[4]})); err != nil {
			t.Error(err)
		}
	})
}

func TestParallelSignUpsOfOneRequest(t *testing.T) {
	for _, request := range []account.SignUp{
		{Key: "key", Body: []byte("{}")},
		{Key: "key", Body: []byte("bob"), Name: "bob", Password: "correct horse"},
	} {
		everywhere(t, func(t *testing.T, d *db.DB) {
			now := morning
			s := accounts(t, d, &now)
			players := make([]account.Player, crowd)
			for _, err := range atOnce(func(i int) error {
				in, err := s.SignUp(t.Context(), request)
				players[i] = in.Player
				return err
			}) {
				if err != nil {
					t.Error(err)
				}
			}
			for _, p := range players {
				if p != players[0] {
					t.Errorf("players %+v and %+v", p, players[0])
				}
			}
			other := request
			other.Body = []byte("other")
			wantError(t, errOf(s.SignUp(t.Context(), other)), account.ErrIdempotencyMismatch)
		})
	}
}

func TestParallelRefreshes(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		in, err := s.SignUp(t.Context(), account.SignUp{})
		if err != nil {
			t.Fatal(err)
		}
		fresh := make([]string, crowd)
		for _, err := range atOnce(func(i int) error {
			next, err := s.Refresh(t.Context(), in.Tokens.Refresh)
			fresh[i] = next.Tokens.Refresh
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		for _, err := range atOnce(func(i int) error { return errOf(s.Refresh(t.Context(), fresh[i])) }) {
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// A log-in, a recovery and a change that started from the same password: one of
// the latter wins, and no session of the old password is left.
func TestParallelPasswords(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		in, err := s.SignUp(t.Context(), account.SignUp{Name: "bob", Password: "correct horse"})
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.Authenticate(in.Tokens.Access)
		if err != nil {
			t.Fatal(err)
		}
		fresh := "battery staple"
		loggedIn := make([]account.SignedIn, crowd)
		errs := atOnce(func(i int) (err error) {
			switch i % 4 {
			case 0:
				_, err = s.Change(t.Context(), id, account.Change{Password: &fresh, CurrentPassword: "correct horse"})
			case 1:
				_, err = s.Recover(t.Context(), "bob", in.RecoveryCode, fresh, false)
			default:
				loggedIn[i], err = s.LogIn(t.Context(), "bob", "correct horse", false)
			}
			return err
		})
		won := 0
		for i, err := range errs {
			switch {
			case i%4 == 0 && errors.Is(err, account.ErrBadToken): // Recover has ended the session
			case err != nil && !errors.Is(err, account.ErrBadCredentials):
				t.Error(err)
			case err == nil && i%4 < 2:
				won++
			case err == nil:
				wantError(t, errOf(s.Refresh(t.Context(), loggedIn[i].Tokens.Refresh)), account.ErrBadToken)
			}
		}
		if won != 1 {
			t.Errorf("%d changed the password", won)
		}
	})
}

func TestParallelDelete(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		in, err := s.SignUp(t.Context(), account.SignUp{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.Authenticate(in.Tokens.Access)
		if err != nil {
			t.Fatal(err)
		}
		errs := atOnce(func(i int) error {
			if i%2 == 0 {
				return s.Delete(t.Context(), id)
			}
			_, err := s.Refresh(t.Context(), in.Tokens.Refresh)
			if errors.Is(err, account.ErrBadToken) {
				err = nil
			}
			return err
		})
		if n := count(errs, account.ErrBadToken); n != crowd/2-1 || count(errs, nil) != crowd-n {
			t.Errorf("errors %v", errs)
		}
		wantError(t, errOf(s.Refresh(t.Context(), in.Tokens.Refresh)), account.ErrBadToken)
	})
}

func TestParallelServersAgreeOnTheKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := morning
		keys := make([]string, crowd)
		for _, err := range atOnce(func(i int) error {
			s, err := account.New(context.WithoutCancel(t.Context()), d, account.Options{
				Now: func() time.Time { return now }, Cost: account.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
			})
			if err == nil {
				keys[i] = s.JWKS().Keys[0].ID
			}
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		for _, key := range keys {
			if key != keys[0] {
				t.Errorf("keys %s and %s", key, keys[0])
			}
		}
	})
}

// atOnce calls f in parallel and returns its errors.
func atOnce(f func(i int) error) []error {
	errs := make([]error, crowd)
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errs
}

func count(errs []error, want error) int {
	n := 0
	for _, err := range errs {
		if errors.Is(err, want) {
			n++
		}
	}
	return n
}

func errOf[T any](_ T, err error) error { return err }

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// A sign-up that is sent again while the player is deleted makes a new player,
// or answers for the one who is being deleted; no session of theirs is left.
func TestSignUpAgainWhileDeleted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		for round := range 20 {
			r := account.SignUp{Password: "correct horse", Key: fmt.Sprint(round), Body: []byte("body")}
			in, id := signUpAs(t, s, r)
			fresh := make([]account.SignedIn, crowd)
			for i, err := range atOnce(func(i int) (err error) {
				if i == crowd/2 {
					return s.Delete(t.Context(), id)
				}
				fresh[i], err = s.SignUp(t.Context(), r)
				return err
			}) {
				if err != nil {
					t.Errorf("round %d, %d: %v", round, i, err)
				}
			}
			for _, f := range fresh {
				if _, err := s.Refresh(t.Context(), f.Tokens.Refresh); f.Player.ID == in.Player.ID && err == nil {
					t.Errorf("round %d: a session outlived the deletion", round)
				}
			}
		}
	})
}

// A sign-up that is sent again while the password is changed leaves no session
// but the one that changed it, and the recovery code shown last is good.
func TestSignUpAgainWhilePasswordChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := morning
		s := accounts(t, d, &now)
		for round := range 20 {
			r := account.SignUp{Password: "correct horse", Key: fmt.Sprint(round), Body: []byte("body")}
			in, id := signUpAs(t, s, r)
			fresh, code, password := make([]account.SignedIn, crowd), "", "battery staple"
			for i, err := range atOnce(func(i int) (err error) {
				if i == crowd/2 {
					changed, err := s.Change(t.Context(), id, account.Change{Password: &password, CurrentPassword: "correct horse"})
					code = changed.RecoveryCode
					return err
				}
				fresh[i], err = s.SignUp(t.Context(), r)
				return err
			}) {
				if err != nil {
					t.Errorf("round %d, %d: %v", round, i, err)
				}
			}
			for _, f := range fresh {
				if _, err := s.Refresh(t.Context(), f.Tokens.Refresh); f.Player.ID == in.Player.ID && err == nil {
					t.Errorf("round %d: a session outlived the change", round)
				}
			}
			if _, err := s.Recover(t.Context(), in.Player.Name, code, "third password", false); err != nil {
				t.Errorf("round %d: the recovery code just shown: %v", round, err)
			}
		}
	})
}

func signUpAs(t *testing.T, s *account.Service, r account.SignUp) (account.SignedIn, account.Identity) {
	t.Helper()
	in, err := s.SignUp(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.Authenticate(in.Tokens.Access)
	if err != nil {
		t.Fatal(err)
	}
	return in, id
}
