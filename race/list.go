package race

import (
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/rating"
)

// ListQuery asks for the Limit races after or before a cursor, or for the first
// ones, of those that all may see: in some states, or a player's finished ones.
type ListQuery struct {
	States        []State
	PlayerID      string // empty for all
	Limit         int
	After, Before *ListCursor // one of them at most
}

// ListCursor is a place in a list of races.
type ListCursor struct {
	CreatedAt time.Time
	Code      string
}

// Page is a part of a list of races, the newest first.
type Page struct {
	Races      []Race
	Next, Prev *ListCursor // what to ask for After and Before; nil at the end
}

// PlayerRating is how strong a player is in a variant and goal.
type PlayerRating struct {
	rating.Rating
	Races   int       // that were rated
	RacedAt time.Time // the last one; zero if there was none
}

// StartRating returns the rating of a player before their first race.
func StartRating() PlayerRating { return PlayerRating{Rating: rating.Start()} }

// At returns the rating as it is at a time: the longer ago the last race was,
// the less sure it is.
func (p PlayerRating) At(t time.Time) rating.Rating {
	if p.Races == 0 {
		return p.Rating
	}
	return rating.Idle(p.Rating, t.Sub(p.RacedAt).Hours()/24)
}

// RankedUntil returns from when on the rating is provisional if its player
// doesn't race. ok is false where it is already.
func (p PlayerRating) RankedUntil() (t time.Time, ok bool) {
	if p.Races == 0 || p.Provisional() {
		return time.Time{}, false
	}
	return p.RacedAt.Add(time.Duration(p.RankedFor() * 24 * float64(time.Hour))), true
}

// Rerate returns the ratings of both entrants after a race that ended with a
// win or a draw, from those before it.
func Rerate(r Race, before [2]PlayerRating, ended time.Time) (after [2]PlayerRating) {
	score := rating.Draw
	switch r.Winner {
	case 0:
		score = rating.Win
	case 1:
		score = rating.Loss
	}
	a, b := rating.After(before[0].At(ended), before[1].At(ended), score)
	for seat, now := range []rating.Rating{a, b} {
		raced := ended
		if before[seat].RacedAt.After(raced) { // this one has waited to be met
			raced = before[seat].RacedAt
		}
		after[seat] = PlayerRating{Rating: now, Races: before[seat].Races + 1, RacedAt: raced}
	}
	return after
}

// RatingRow is a player's rating in a list.
type RatingRow struct {
	Player  account.Player
	Variant engine.Variant
	Goal    Goal
	PlayerRating
}

// RatingQuery asks for the Limit ratings after or before a cursor, or for the
// first ones, of a variant and goal; those that are provisional by now are left
// out.
type RatingQuery struct {
	Variant       engine.Variant
	Goal          Goal
	Limit         int
	After, Before *RatingCursor // one of them at most
}

// RatingCursor is a place in a list of ratings.
type RatingCursor struct {
	Rating   float64
	PlayerID string
}

// RatingPage is a part of a list of ratings, the highest first.
type RatingPage struct {
	Rows       []RatingRow
	Next, Prev *RatingCursor // what to ask for After and Before; nil at the end
}
