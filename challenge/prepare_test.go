package challenge

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cruel/engine"
)

// desk is a Store without challenges, which counts what is claimed.
type desk struct {
	Store
	claims, releases int
}

func (*desk) Challenge(context.Context, string) (Challenge, error) { return Challenge{}, ErrNotFound }

func (d *desk) Claim(context.Context, Claim) (bool, error) {
	d.claims++
	return true, nil
}

func (d *desk) Release(context.Context, Claim) error {
	d.releases++
	return nil
}

// Where the deal of today isn't drawn in time, who asks is told to come again;
// who goes away isn't.
func TestDrawing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(&desk{}, Options{Now: func() time.Time { return now }})
		s.drawing <- struct{}{} // somebody draws, and doesn't get done
		begun := time.Now()
		if _, err := s.Today(t.Context(), engine.DefaultVariant()); !errors.Is(err, ErrDrawing) || time.Since(begun) != drawTime {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		first := make(chan error)
		go func() {
			_, err := s.Today(t.Context(), engine.DefaultVariant())
			first <- err
		}()
		synctest.Wait()
		if _, err := s.Today(t.Context(), engine.DefaultVariant()); !errors.Is(err, ErrDrawing) {
			t.Errorf("who waits for the first: %v", err)
		}
		if err := <-first; !errors.Is(err, ErrDrawing) {
			t.Errorf("the first: %v", err)
		}
		go func() {
			_, err := s.Today(t.Context(), engine.DefaultVariant())
			first <- err
		}()
		synctest.Wait()
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := s.Today(gone, engine.DefaultVariant()); !errors.Is(err, context.Canceled) {
			t.Errorf("who has gone: %v", err)
		}
		<-first
	})
}

// A claim is renewed for as long as the work takes and released once, also where
// the work fails.
func TestClaimIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		s := New(d, Options{Now: time.Now})
		failure := errors.New("it doesn't work")
		err := s.hold(t.Context(), s.claim("w"), func(context.Context) error {
			time.Sleep(claimLife + claimLife/2) // of the test's own clock
			return failure
		})
		if !errors.Is(err, failure) || d.claims != 4 || d.releases != 1 {
			t.Errorf("renewed %d times, released %d times, %v", d.claims, d.releases, err)
		}
	})
}

// A search ends when its processor time is used up, and what it has found until
// then is kept.
func TestLookEndsWithItsTime(t *testing.T) {
	var used time.Duration
	s := New(nil, Options{Now: func() time.Time { return now }, ProcessorTime: func() time.Duration {
		used += time.Second
		return used
	}})
	f, err := s.look(t.Context(), engine.DefaultVariant(), "b5mi", Quick)
	if err != nil || f.Moves == 0 || f.Effort != Quick || f.States > 2<<16 {
		t.Errorf("%+v, %v", f, err)
	}
}

// Where nothing is left to find out, no greater effort is made.
func TestLookIsFull(t *testing.T) {
	s := New(nil, Options{Now: func() time.Time { return now }, SolverMemory: 1 << 20})
	lost, err := engine.ParseVariant("perseverance")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		v    engine.Variant
		seed engine.Seed
		want Effort
	}{
		{"lost", lost, "k", Full},
		{"proven", engine.DefaultVariant(), "j4hbi", Full},
		{"open", engine.DefaultVariant(), "b5mi", Quick},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := s.look(t.Context(), test.v, test.seed, Quick)
			if err != nil || f.Effort != test.want {
				t.Errorf("%+v, %v", f, err)
			}
		})
	}
}
