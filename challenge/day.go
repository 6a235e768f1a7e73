package challenge

import (
	"fmt"
	"time"
)

// Day is a day of the calendar, in UTC. ParseDay and DayOf make one; the zero
// Day is no day.
type Day struct {
	year  int
	month time.Month
	day   int
}

// ParseDay reads a day as it is written, 2026-11-30. It refuses every other
// way of writing one, and days that no calendar has.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Day{}, fmt.Errorf("%q is not a day such as 2026-11-30", cut(text))
	}
	return DayOf(t), nil
}

// cut keeps an error short, whatever was sent.
func cut(text string) string {
	const most = 20
	if len(text) > most {
		return text[:most]
	}
	return text
}

// DayOf returns the day that t falls on in UTC.
func DayOf(t time.Time) Day {
	year, month, day := t.UTC().Date()
	return Day{year, month, day}
}

// OpensAt returns the midnight that begins d.
func (d Day) OpensAt() time.Time {
	return time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC)
}

// ClosesAt returns the midnight that ends d and begins the next day.
func (d Day) ClosesAt() time.Time {
	return d.OpensAt().AddDate(0, 0, 1)
}

// Add returns the day that is so many days after d.
func (d Day) Add(days int) Day { return DayOf(d.OpensAt().AddDate(0, 0, days)) }

// Before reports whether d comes before e.
func (d Day) Before(e Day) bool { return d.OpensAt().Before(e.OpensAt()) }

// String writes d as ParseDay reads it.
func (d Day) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
}

// Month is a month of the calendar. ParseMonth and MonthOf make one.
type Month struct{ first Day }

// ParseMonth reads a month as it is written, 2026-11.
func ParseMonth(text string) (Month, error) {
	first, err := ParseDay(text + "-01")
	if err != nil {
		return Month{}, fmt.Errorf("%q is not a month such as 2026-11", cut(text))
	}
	return Month{first}, nil
}

// MonthOf returns the month that d is in.
func MonthOf(d Day) Month { return Month{Day{d.year, d.month, 1}} }

// First returns the first day of m.
func (m Month) First() Day { return m.first }

// Last returns the last day of m.
func (m Month) Last() Day { return DayOf(m.first.OpensAt().AddDate(0, 1, -1)) }

// String writes m as ParseMonth reads it.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.first.year, m.first.month) }
