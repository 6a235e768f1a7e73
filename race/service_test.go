package race

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"cruel/engine"
)

// Case M21: a thousand races are on as many deals.
func TestNoTwoRacesShareASeed(t *testing.T) {
	const races = 1000
	seeds := map[engine.Seed]bool{}
	for range races {
		seed := freshSeed()
		if parsed, err := engine.ParseSeed(string(seed)); err != nil || parsed != seed {
			t.Errorf("%q is read as %q, %v", seed, parsed, err)
		}
		seeds[seed] = true
	}
	if len(seeds) != races {
		t.Errorf("%d seeds of %d races", len(seeds), races)
	}
}

// Many draw a deal at once, and a few at a time.
func TestDraw(t *testing.T) {
	s := NewService(nil, Options{Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	variant, err := engine.ParseVariant("ripple-fan") // whose deals are quickly solved
	if err != nil {
		t.Fatal(err)
	}
	drawn := make(chan engine.Seed)
	for range 20 {
		go func() {
			seed, err := s.draw(t.Context(), variant)
			if err != nil {
				t.Error(err)
			}
			drawn <- seed
		}()
	}
	seeds := map[engine.Seed]bool{}
	for range 20 {
		seeds[<-drawn] = true
	}
	if len(seeds) != 20 || len(s.drawing) != 0 {
		t.Errorf("%d seeds, and %d still draw", len(seeds), len(s.drawing))
	}
}

// Who can't draw a deal in time is told so.
func TestDrawTakesNoLongerThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewService(nil, Options{Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		for range cap(s.drawing) {
			s.drawing <- struct{}{}
		}
		begun := time.Now()
		if seed, err := s.draw(t.Context(), engine.DefaultVariant()); err != ErrDrawing || seed != "" {
			t.Errorf("others draw: %q, %v", seed, err)
		}
		if took := time.Since(begun); took != drawTime {
			t.Errorf("it took %v", took)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if seed, err := s.draw(gone, engine.DefaultVariant()); err != context.Canceled || seed != "" {
			t.Errorf("the request has ended: %q, %v", seed, err)
		}
		if len(s.drawing) != cap(s.drawing) {
			t.Error("it has let others draw")
		}
	})
}

// slowStore has many races that are due, and takes a second over each, which
// isn't there then.
type slowStore struct {
	Store
	due []string
}

func (s slowStore) DueRaces(context.Context, time.Time) ([]string, error) { return s.due, nil }

func (s slowStore) Race(context.Context, string) (Race, error) {
	time.Sleep(time.Second)
	return Race{}, ErrNotFound
}

// Many deadlines that come at once are met a few at a time, and one that fails
// keeps no other waiting.
func TestDeadlinesAreMetTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewService(slowStore{due: make([]string, 2*meetAtOnce+1)}, Options{Now: time.Now})
		begun := time.Now()
		if err := s.MeetDeadlines(t.Context()); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
