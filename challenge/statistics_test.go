package challenge

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/engine"
	"cruel/replay"
)

func mustDay(t *testing.T, text string) Day {
	t.Helper()
	d, err := ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// Case D08 among others: a streak is of UTC days in a row, up to the last one whose time is over.
func TestStreak(t *testing.T) {
	for _, test := range []struct {
		name, now     string
		won           []string
		current, best int
		missed        string
	}{
		{"nothing", "2026-11-30T12:00:00Z", nil, 0, 0, ""},
		{"today", "2026-11-30T12:00:00Z", []string{"2026-11-30"}, 1, 1, ""},
		{"today isn't won yet", "2026-11-30T23:59:59Z", []string{"2026-11-29", "2026-11-28"}, 2, 2, ""},
		{"yesterday was missed", "2026-11-30T12:00:00Z", []string{"2026-11-28", "2026-11-27"}, 0, 2, "2026-11-29"},
		{"yesterday was missed, today is won", "2026-11-30T12:00:00Z", []string{"2026-11-30", "2026-11-28"}, 1, 1, "2026-11-29"},
		{"the first of many missed days", "2026-11-30T12:00:00Z", []string{"2026-11-30", "2026-11-29", "2026-11-20", "2026-11-19", "2026-11-18"}, 2, 3, "2026-11-21"},
		{"two that are over", "2026-11-30T12:00:00Z", []string{"2026-11-20", "2026-11-10", "2026-11-09"}, 0, 2, "2026-11-21"},
		{"the grace of yesterday", "2026-12-01T00:09:59Z", []string{"2026-11-29"}, 1, 1, ""},
		{"its end", "2026-12-01T00:10:00Z", []string{"2026-11-29"}, 0, 1, "2026-11-30"},
		{"today is won in the grace of yesterday", "2026-12-01T00:05:00Z", []string{"2026-12-01", "2026-11-29"}, 2, 2, ""},
		{"yesterday is won in its grace", "2026-12-01T00:05:00Z", []string{"2026-11-30", "2026-11-29"}, 2, 2, ""},
		{"over the end of a month", "2026-12-01T12:00:00Z", []string{"2026-12-01", "2026-11-30", "2026-11-29"}, 3, 3, ""},
		{"over the end of a year", "2027-01-01T12:00:00Z", []string{"2027-01-01", "2026-12-31"}, 2, 2, ""},
		{"over a leap day", "2028-03-01T12:00:00Z", []string{"2028-03-01", "2028-02-29", "2028-02-28"}, 3, 3, ""},
		{"without the leap day", "2028-03-01T12:00:00Z", []string{"2028-03-01", "2028-02-28"}, 1, 1, "2028-02-29"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var won []Day
			for _, text := range test.won {
				won = append(won, mustDay(t, text))
			}
			got, missed := streakOf(won, mustTime(t, test.now)), ""
			if got.Missed != nil {
				missed = got.Missed.String()
			}
			if got.Current != test.current || got.Best != test.best || missed != test.missed {
				t.Errorf("got %d, best %d, missed %q; want %d, best %d, missed %q",
					got.Current, got.Best, missed, test.current, test.best, test.missed)
			}
		})
	}
}

// What isn't won is played and breaks the streak; over par goes by the par of each day.
func TestStatistics(t *testing.T) {
	won := func(moves int) replay.Result { return replay.Result{Outcome: engine.Won, Moves: moves, Cards: 52} }
	stuck := replay.Result{Outcome: engine.Stuck, Moves: 9, Cards: 12}
	days := []PlayedDay{
		{Day: mustDay(t, "2026-11-30"), Result: won(60), Par: &Par{Moves: 60}},
		{Day: mustDay(t, "2026-11-29"), Result: won(61), Par: &Par{Moves: 56}},
		{Day: mustDay(t, "2026-11-28"), Result: stuck, Par: &Par{Moves: 57}},
		{Day: mustDay(t, "2026-11-27"), Result: won(99), Par: &Par{Moves: 55}},
		{Day: mustDay(t, "2026-11-26"), Result: stuck},
	}
	missed, none := mustDay(t, "2026-11-28"), 0
	want := Statistics{
		Played: 5, Won: 3, Streak: Streak{Current: 2, Best: 2, Missed: &missed}, BestOverPar: &none,
		OverPar: Histogram{{0, 0, 1}, {1, 1, 0}, {2, 2, 0}, {3, 5, 1}, {6, 10, 0}, {11, NoEnd, 1}},
	}
	if diff := cmp.Diff(want, StatisticsOf(days, mustTime(t, "2026-11-30T12:00:00Z")), cmp.AllowUnexported(Day{})); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Statistics{OverPar: newHistogram()}, StatisticsOf(nil, mustTime(t, "2026-11-30T12:00:00Z"))); diff != "" {
		t.Errorf("statistics of nothing (-want +got):\n%s", diff)
	}
}

// Each distance from par has its bar.
func TestSpread(t *testing.T) {
	counts := []ResultCount{
		{60, 1},
		{61, 2},
		{62, 4},
		{63, 8},
		{65, 16},
		{66, 32},
		{70, 64},
		{71, 128},
		{5000, 256},
		{WonBelow, 512},
	}
	want := Spread{
		Par: &Par{Moves: 60}, Players: 1023, Winners: 511,
		OverPar: Histogram{{0, 0, 1}, {1, 1, 2}, {2, 2, 4}, {3, 5, 24}, {6, 10, 96}, {11, NoEnd, 384}},
	}
	if diff := cmp.Diff(want, SpreadOf(&Par{Moves: 60}, counts)); diff != "" {
		t.Errorf("spread (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Spread{Players: 3, OverPar: newHistogram()}, SpreadOf(nil, []ResultCount{{WonBelow, 3}})); diff != "" {
		t.Errorf("spread without wins (-want +got):\n%s", diff)
	}
}
