package race

import (
	"errors"
	"strings"
	"time"
)

// Errors that callers tell apart.
var (
	// ErrNotFound: there is no such race.
	ErrNotFound = errors.New("there is no such race")

	// ErrConflict: the race has changed since it was read.
	ErrConflict = errors.New("the race has changed meanwhile")

	// ErrTooManyRaces: the player is in as many races as they may be.
	ErrTooManyRaces = errors.New("you are in 5 races that are not over")

	// ErrCodeTaken: another race has the code.
	ErrCodeTaken = errors.New("another race has the code")

	// ErrDrawing: no deal that can be won was found in the time there is.
	ErrDrawing = errors.New("no deal is drawn yet")

	// ErrPolled: changes are found by asking again and again, since the database
	// can't tell of them.
	ErrPolled = errors.New("the database is behind a transaction pooler")

	// ErrStranger: a player who has no seat in a race can only join it.
	ErrStranger = errors.New("you are not in this race")

	// ErrNoNext: the series is over, no rematch is agreed, or there is a next
	// race already.
	ErrNoNext = errors.New("no race follows this one")

	ErrTimeLimit  = errors.New("a race has a time limit of 60 seconds to 24 hours, in whole seconds")
	ErrGoal       = errors.New("the goal of a race is fewest_moves or first_win")
	ErrVisibility = errors.New("a race is open to all or by invite")
	ErrBestOf     = errors.New("a series is the best of 1, 3 or 5 races")
)

// SealedSeedError refuses a race on a seed of a daily or a race that is not
// over.
type SealedSeedError struct{ Until time.Time }

func (e *SealedSeedError) Error() string { return "the seed is sealed until its day or race is over" }

// StateError refuses an act that is none for the state of the race and of its
// player. Nothing has changed.
type StateError struct {
	State   State
	Entrant EntrantState // of the player; "" if they have no seat
	Allowed []ActKind    // what would do something now, in the order of the table
}

// Error says where the player stands and what they can do, without a full stop.
func (e *StateError) Error() string {
	if len(e.Allowed) == 0 {
		return e.situation()
	}
	names := make([]string, len(e.Allowed))
	for i, kind := range e.Allowed {
		names[i] = string(kind)
	}
	return e.situation() + "; you can now: " + strings.Join(names, ", ")
}

func (e *StateError) situation() string {
	switch {
	case e.State == Cancelled:
		return "the race was cancelled"
	case e.State == Finished:
		return "the race is over"
	case e.Entrant == "":
		return "both seats of the race are taken"
	case e.Entrant == EntrantFinished:
		return "you have finished, which is for good"
	case e.Entrant == EntrantForfeited:
		return "you have forfeited"
	case e.State == Running:
		return "the race is running"
	case e.State == Countdown:
		return "the race is about to begin"
	}
	return "the race has not begun"
}
