package challenge

import (
	"fmt"
	"strconv"
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

// MaxSubmissions is how many submissions of a player for a challenge are kept.
// Beyond it only an improvement is.
const MaxSubmissions = 200

// Submission is a verified log of a player for a challenge. The log itself is
// kept apart, since a list needs none and a seal may hide it.
type Submission struct {
	ID           string
	ChallengeID  string
	Seed         engine.Seed
	Player       account.Player
	Result       replay.Result
	Par          *Par // of the challenge; nil while no win is known
	Late         bool // arrived after the grace; on no board
	Improved     bool // was better than what the player had on the board
	VerifiedAt   time.Time
	VerifiedBy   string // the version of the server
	RulesVersion int
	PublicFrom   time.Time // when others could see its log if no other seal was on the seed
	Sealed       bool      // its log is sealed to who asked
}

// newSubmissionID returns an id of the time in milliseconds and 80 random bits.
// Ids of one time lie together in an index, which spares the database work.
func newSubmissionID(now time.Time) string {
	return fmt.Sprintf("%010s", strconv.FormatInt(now.UnixMilli(), 32)) + randomText(16)
}

// Standing is a line of a board: a player and the best of their submissions.
// An equal one that comes later does not replace it.
type Standing struct {
	Rank         int // from 1; equal results share it: 1, 2, 2, 4
	Player       account.Player
	SubmissionID string
	Result       replay.Result
	VerifiedAt   time.Time
	Sealed       bool // its log is sealed to who asked
}

// Cursor returns the place of s in the order of its board.
func (s Standing) Cursor() BoardCursor {
	return BoardCursor{ResultKey(s.Result), s.VerifiedAt, s.SubmissionID}
}

// BoardCursor is a place in the order of a board: better results first, equal
// ones as the server verified them.
type BoardCursor struct {
	ResultKey    int64
	VerifiedAt   time.Time
	SubmissionID string
}

// BoardQuery asks for the Limit standings after or before a cursor, or for the
// first ones.
type BoardQuery struct {
	Limit         int
	After, Before *BoardCursor // one of them at most
}

// Board is a part of a challenge's board, the better standings first.
type Board struct {
	Standings  []Standing
	Players    int          // on the whole board
	Winners    int          // on the whole board
	Par        *Par         // of the challenge; nil while no win is known
	Next, Prev *BoardCursor // what to ask for After and Before; nil at the end
}

// ListCursor is a place in the list of a player's submissions.
type ListCursor struct {
	VerifiedAt   time.Time
	SubmissionID string
}

// ListQuery asks for the Limit submissions after or before a cursor, or for
// the first ones.
type ListQuery struct {
	Limit         int
	After, Before *ListCursor // one of them at most
}

// SubmissionPage is a part of the list of a player's submissions, the newest
// first.
type SubmissionPage struct {
	Submissions []Submission
	Next, Prev  *ListCursor // what to ask for After and Before; nil at the end
}

// Tally counts a board.
type Tally struct {
	Players int
	Winners int
	Better  int // players whose result is better than the one asked about
}

// WonBelow divides the result keys: those of wins are below it.
const WonBelow = 1_000_000

// ResultKey returns a number that orders results as Better does: the better
// one has the smaller key, and equal results have the same.
func ResultKey(r replay.Result) int64 {
	if r.Outcome == engine.Won {
		return int64(r.Moves)
	}
	return WonBelow + int64(52-r.Cards)*10_000 + int64(r.Moves)
}

// Judge decides what becomes of s, a verified submission of a player who has
// kept others for the challenge before, the best of them on the board with the
// result key best (0 if none is on it). It reports whether s is their standing
// from now on. The error is ErrTooManySubmissions.
func Judge(s Submission, kept int, best int64) (improved bool, err error) {
	improved = !s.Late && (best == 0 || ResultKey(s.Result) < best)
	if kept >= MaxSubmissions && !improved {
		return false, ErrTooManySubmissions
	}
	return improved, nil
}
