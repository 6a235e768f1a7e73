package challenge

import (
	"math"
	"time"

	"cruel/engine"
	"cruel/replay"
)

// PlayedDay is a player's standing of a daily.
type PlayedDay struct {
	Day          Day
	ChallengeID  string
	SubmissionID string
	Result       replay.Result
	Par          *Par // as it is now; nil while no win is known
}

// PlayedQuery asks for the Limit days of a player with a variant, after or
// before a day in the list, or for the first ones. A Limit of 0 asks for all.
type PlayedQuery struct {
	PlayerID      string
	Variant       engine.Variant
	Limit         int
	After, Before *Day // one of them at most
}

// PlayedPage is a part of the list of a player's days, the newest first. What
// came late is in none of them.
type PlayedPage struct {
	Days       []PlayedDay
	Next, Prev *Day // what to ask for After and Before; nil at the end
}

// Statistics is what a player's days of a variant come to.
type Statistics struct {
	Played      int // days with a standing
	Won         int // those among them whose result is a win
	Streak      Streak
	OverPar     Histogram
	BestOverPar *int // nil while nothing is won
}

// Streak is how many days in a row a player has won.
type Streak struct {
	Current int  // up to the last day whose time is over, and those after it that are won already
	Best    int  // ever
	Missed  *Day // the day that ended the streak before the current one; nil if there was none
}

// StatisticsOf counts a player's days of a variant, all of them and the newest
// first, as it stands now.
func StatisticsOf(days []PlayedDay, now time.Time) Statistics {
	s := Statistics{Played: len(days), OverPar: newHistogram()}
	var won []Day
	for _, d := range days {
		if d.Result.Outcome != engine.Won {
			continue
		}
		won = append(won, d.Day)
		if over, ok := d.Par.Over(d.Result); ok {
			s.OverPar.add(over, 1)
			if s.BestOverPar == nil || over < *s.BestOverPar {
				s.BestOverPar = &over
			}
		}
	}
	s.Won, s.Streak = len(won), streakOf(won, now)
	return s
}

// streakOf counts the days in a row among those that are won, the newest first.
// A day that can still be won, by the grace of its daily, ends no streak.
func streakOf(won []Day, now time.Time) Streak {
	var s Streak
	next, open := DayOf(now), DayOf(now.Add(-dailyGrace))
	for _, d := range won {
		for d.Before(next) && !next.Before(open) {
			next = next.Add(-1)
		}
		if d != next {
			break
		}
		s.Current++
		next = d.Add(-1)
	}
	if s.Current < len(won) {
		missed := won[s.Current].Add(1)
		s.Missed = &missed
	}
	row := 0
	for i, d := range won {
		if i > 0 && d.Add(1) != won[i-1] {
			row = 0
		}
		row++
		s.Best = max(s.Best, row)
	}
	s.Best = max(s.Best, s.Current)
	return s
}

// Bar is a part of a histogram: how many wins have From to To moves over par.
type Bar struct {
	From, To int // To is NoEnd for the last
	Count    int
}

// NoEnd is where the last bar of a histogram ends.
const NoEnd = math.MaxInt

// Histogram counts wins by their moves over par.
type Histogram []Bar

func newHistogram() Histogram {
	return Histogram{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 5, 0}, {6, 10, 0}, {11, NoEnd, 0}}
}

func (h Histogram) add(over, n int) {
	for i := range h {
		if over <= h[i].To {
			h[i].Count += n
			return
		}
	}
}

// Spread is how the results of a board lie.
type Spread struct {
	Par     *Par // nil while no win is known
	Players int
	Winners int
	OverPar Histogram // the wins
}

// ResultCount is how many players of a board have a result. Results that are no
// wins count together, with the key WonBelow.
type ResultCount struct {
	Key     int64
	Players int
}

// SpreadOf counts the results of a board against par.
func SpreadOf(par *Par, counts []ResultCount) Spread {
	s := Spread{Par: par, OverPar: newHistogram()}
	for _, c := range counts {
		s.Players += c.Players
		if c.Key >= WonBelow {
			continue
		}
		s.Winners += c.Players
		if par != nil {
			s.OverPar.add(int(c.Key)-par.Moves, c.Players)
		}
	}
	return s
}
