package challenge

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cruel/engine"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestDailyID(t *testing.T) {
	day := DayOf(now)
	for _, v := range engine.Variants() {
		id := DailyID(v, day)
		if got, d, ok := parseDailyID(id); !ok || got != v || d != day || id != v.ID+"-2026-11-30" {
			t.Errorf("parseDailyID(%q) = %v, %v, %v", id, got, d, ok)
		}
	}
	for _, id := range []string{"", "cruel", "2026-11-30", "-2026-11-30", "cruel2026-11-30", "cruel-2026-11-31", "Cruel-2026-11-30", randomText(10)} {
		if v, d, ok := parseDailyID(id); ok {
			t.Errorf("parseDailyID(%q) = %v, %v", id, v, d)
		}
	}
}

// Cases D05, S09: a daily's seed is the day and 100 bits that depend on the
// secret, the variant, the day and the draw. It stays what it is for ever.
func TestDailySeed(t *testing.T) {
	secret, v, day := []byte("a secret of the tests"), engine.DefaultVariant(), DayOf(now)
	seed := dailySeed(secret, v, day, 0)
	if want := engine.Seed("2026-11-30-22kfdl24qiqskbjbbyac"); seed != want {
		t.Errorf("got %s, want %s", seed, want)
	}
	if again := dailySeed(secret, v, day, 0); again != seed {
		t.Errorf("%s, and then %s", seed, again)
	}
	seen := map[engine.Seed]bool{seed: true}
	for _, other := range []engine.Seed{
		dailySeed([]byte("another secret"), v, day, 0),
		dailySeed(secret, engine.Variants()[1], day, 0),
		dailySeed(secret, v, DayOf(day.ClosesAt()), 0),
		dailySeed(secret, v, day, 1),
		dailySeed(secret, v, day, 2),
	} {
		if seen[other] {
			t.Errorf("%s twice", other)
		}
		seen[other] = true
		if parsed, err := engine.ParseSeed(string(other)); err != nil || parsed != other {
			t.Errorf("ParseSeed(%s) = %s, %v", other, parsed, err)
		}
	}
}

// Case S09: fresh seeds and ids are different each time.
func TestFreshSeed(t *testing.T) {
	seeds, ids := map[engine.Seed]bool{}, map[string]bool{}
	for range 1000 {
		c, err := newShared("p", engine.DefaultVariant(), freshSeed(), time.Time{}, now)
		if err != nil {
			t.Fatal(err)
		}
		if parsed, err := engine.ParseSeed(string(c.Seed)); err != nil || parsed != c.Seed || len(c.Seed) != 23 {
			t.Fatalf("ParseSeed(%s) = %s, %v", c.Seed, parsed, err)
		}
		if len(c.ID) != 10 || strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Fatalf("id %q", c.ID)
		}
		seeds[c.Seed], ids[c.ID] = true, true
	}
	if len(seeds) != 1000 || len(ids) != 1000 {
		t.Errorf("%d seeds and %d ids of 1000", len(seeds), len(ids))
	}
}

func TestSharedCloses(t *testing.T) {
	tests := []struct {
		name     string
		closesAt time.Time
		open     time.Duration // 0 where it is refused
	}{
		{"a week where nothing is said", time.Time{}, 7 * 24 * time.Hour},
		{"the shortest", now.Add(time.Minute), time.Minute},
		{"the longest", now.Add(90 * 24 * time.Hour), 90 * 24 * time.Hour},
		{"too short", now.Add(time.Minute - time.Millisecond), 0},
		{"too long", now.Add(90*24*time.Hour + time.Millisecond), 0},
		{"at once", now, 0},
		{"in the past", now.Add(-time.Hour), 0},
		{"never", time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), 0},
		{"parts of a millisecond are cut", now.Add(time.Hour + 999*time.Microsecond), time.Hour},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := newShared("p", engine.DefaultVariant(), "s", test.closesAt, now)
			if refused := errors.Is(err, ErrClosesAt); refused != (test.open == 0) {
				t.Fatalf("error %v", err)
			}
			if c.ClosesAt.Sub(c.OpensAt) != test.open || c.GraceUntil != c.ClosesAt {
				t.Errorf("open from %v to %v, grace until %v", c.OpensAt, c.ClosesAt, c.GraceUntil)
			}
		})
	}
}

// Case D03: the grace is ten minutes, and its end is late.
func TestLate(t *testing.T) {
	c := newDaily(nil, engine.DefaultVariant(), DayOf(now), 0)
	midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		at   time.Time
		late bool
	}{
		{now, false},
		{midnight.Add(30 * time.Second), false},
		{midnight.Add(10*time.Minute - time.Millisecond), false},
		{midnight.Add(10 * time.Minute), true},
		{midnight.Add(10*time.Minute + time.Second), true},
	} {
		if late := c.Late(test.at); late != test.late {
			t.Errorf("at %v late is %v", test.at, late)
		}
	}
}
