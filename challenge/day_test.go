package challenge

import (
	"testing"
	"time"
)

// Cases D04, D08: one way to write a day, and only days that there are.
func TestParseDay(t *testing.T) {
	for _, text := range []string{"2026-11-30", "2028-02-29", "0001-01-01", "9999-12-31"} {
		if d, err := ParseDay(text); err != nil || d.String() != text {
			t.Errorf("ParseDay(%q) = %v, %v", text, d, err)
		}
	}
	for _, text := range []string{
		"", "2026-02-30", "26-1-1", "20260101", "2027-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-01",
		" 2026-11-30", "2026-11-30 ", "2026-11-30\n", "2026-11-30T00:00:00Z", "2026-11-3O", "+026-11-30", "-026-11-30",
		"12026-11-30", "2026/11/30", "２026-11-30", "today",
	} {
		if d, err := ParseDay(text); err == nil || d != (Day{}) {
			t.Errorf("ParseDay(%q) = %v, %v", text, d, err)
		}
	}
}

// Case D01: a day is a UTC day, wherever one asks.
func TestDayOf(t *testing.T) {
	moment := time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	for _, zone := range []int{-11 * 3600, 0, 5*3600 + 45*60, 14 * 3600} {
		if d := DayOf(moment.In(time.FixedZone("", zone))); d.String() != "2026-11-30" {
			t.Errorf("%d seconds east it is %v", zone, d)
		}
	}
	if d := DayOf(moment.Add(time.Second)); d.String() != "2026-12-01" {
		t.Errorf("a second later it is %v", d)
	}
}

func TestDayOpensAndCloses(t *testing.T) {
	for _, test := range []struct{ day, next string }{
		{"2026-11-30", "2026-12-01"},
		{"2028-02-28", "2028-02-29"},
		{"2028-02-29", "2028-03-01"},
		{"2027-02-28", "2027-03-01"},
		{"2026-12-31", "2027-01-01"},
	} {
		d, err := ParseDay(test.day)
		if err != nil {
			t.Fatal(err)
		}
		if DayOf(d.OpensAt()) != d || DayOf(d.ClosesAt().Add(-1)) != d || DayOf(d.ClosesAt()).String() != test.next {
			t.Errorf("%v opens at %v and closes at %v", d, d.OpensAt(), d.ClosesAt())
		}
		if d.ClosesAt().Sub(d.OpensAt()) != 24*time.Hour {
			t.Errorf("%v has %v", d, d.ClosesAt().Sub(d.OpensAt()))
		}
	}
}

func TestParseMonth(t *testing.T) {
	for _, test := range []struct{ text, last string }{
		{"2026-11", "2026-11-30"},
		{"2026-12", "2026-12-31"},
		{"2028-02", "2028-02-29"},
		{"2027-02", "2027-02-28"},
	} {
		m, err := ParseMonth(test.text)
		if err != nil || m.String() != test.text || m.First().String() != test.text+"-01" || m.Last().String() != test.last {
			t.Errorf("ParseMonth(%q) = %v from %v to %v, %v", test.text, m, m.First(), m.Last(), err)
		}
		if MonthOf(m.Last()) != m {
			t.Errorf("%v isn't in %v", m.Last(), m)
		}
	}
	for _, text := range []string{"", "2026", "2026-13", "2026-00", "2026-1", "26-11", "2026-11-01", "2026-11 ", " 2026-11"} {
		if m, err := ParseMonth(text); err == nil || m != (Month{}) {
			t.Errorf("ParseMonth(%q) = %v, %v", text, m, err)
		}
	}
}
