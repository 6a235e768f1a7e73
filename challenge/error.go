package challenge

import (
	"errors"
	"time"
)

// Errors that callers tell apart.
var (
	// ErrNotFound: there is no such challenge, submission or standing. Days to
	// come, and past ones that nobody asked for in time, look no different.
	ErrNotFound = errors.New("there is no such thing")

	// ErrEmptyLog: a submission needs a move.
	ErrEmptyLog = errors.New("the log has no moves")

	// ErrClosesAt: a shared challenge cannot be open for so short or so long.
	ErrClosesAt = errors.New("a challenge closes between a minute and 90 days from now")

	// ErrDrawing: the day's deal isn't drawn yet; it will be in a moment.
	ErrDrawing = errors.New("the deal of the day is being drawn")

	// ErrBusy: more hints are asked for than can be looked for at once.
	ErrBusy = errors.New("too many hints are being looked for")

	// ErrTooManySubmissions: the player has MaxSubmissions for the challenge,
	// and this one is no improvement.
	ErrTooManySubmissions = errors.New("only an improvement is taken after 200 submissions")
)

// SealedSeedError refuses a new challenge on a sealed seed, or a hint for it.
type SealedSeedError struct{ Until time.Time }

func (e *SealedSeedError) Error() string {
	return "the seed is sealed until its challenge or race is over"
}

// SealedLogError refuses to show the log of another player.
type SealedLogError struct{ Until time.Time }

func (e *SealedLogError) Error() string { return "the log is sealed until the challenge is over" }
