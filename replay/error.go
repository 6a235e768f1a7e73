package replay

import "fmt"

// Code says why a log is refused.
type Code string

// The codes. A log is read as a whole before it is played, so the first two
// go before the others.
const (
	Syntax   Code = "syntax"    // the token is not in notation
	TooLong  Code = "too_long"  // the token is one more than MaxMoves
	Illegal  Code = "illegal"   // the rules forbid the move
	AfterWin Code = "after_win" // the game was already won
)

// RefusedError is why a log is refused, and where.
type RefusedError struct {
	Index  int    // of the token, from 1
	Token  string // at most its first 20 characters, which may be unprintable
	Code   Code
	Reason string // for players, without a full stop
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("move %d, %q: %s", e.Index, e.Token, e.Reason)
}

const maxTokenShown = 20

func refuse(index int, token string, code Code, reason string) *RefusedError {
	return &RefusedError{Index: index, Token: cut(token), Code: code, Reason: reason}
}

func cut(token string) string {
	n := 0
	for i := range token {
		if n == maxTokenShown {
			return token[:i]
		}
		n++
	}
	return token
}

// refuseToken refuses the token that rest begins with for what it is or for
// where it stands.
func refuseToken(index int, rest string) *RefusedError {
	token := rest[:tokenLength(rest)]
	if index > MaxMoves {
		return refuse(index, token, TooLong, fmt.Sprintf("a log has at most %d moves", MaxMoves))
	}
	return refuse(index, token, Syntax, "this is no move; moves look like aH, ab, ab4, Ha or R")
}

func refuseMove(index int, token string, won bool, err error) *RefusedError {
	if won {
		return refuse(index, token, AfterWin, err.Error())
	}
	return refuse(index, token, Illegal, err.Error())
}

// ClaimError is a claim of a record that its log doesn't bear out.
type ClaimError struct {
	Header string // "Result" or "Moves"
	Claim  string // what the record says
	Proven string // what the log proves
	Result Result // all that the log proves
}

func (e *ClaimError) Error() string {
	return fmt.Sprintf("the record claims %q, but its log gives %s", e.Header+": "+e.Claim, e.Proven)
}

// RecordError is a fault in the text of a record.
type RecordError struct {
	Line   int // from 1
	Reason string
}

func (e *RecordError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

func tokenLength(rest string) int {
	n := 0
	for n < len(rest) && !isSpace(rest[n]) {
		n++
	}
	return n
}
