package replay

import "cruel/engine"

// MaxMoves is the most moves that a log may have.
const MaxMoves = 5000

// Log is the moves of a game, in order.
type Log []engine.Move

// ParseLog reads a log: tokens between any number of spaces, tabs, LFs and
// CRs. A token that is no move, or one more than MaxMoves, gives a
// *RefusedError; whether the moves are legal is for Verify to say.
func ParseLog(text string) (Log, error) {
	var log Log
	for i := skipSpace(text, 0); i < len(text); i = skipSpace(text, i) {
		m, size := engine.ReadMove(text[i:])
		if size == 0 || len(log) == MaxMoves {
			return nil, refuseToken(len(log)+1, text[i:])
		}
		log = append(log, m)
		i += size
	}
	return log, nil
}

// String is the log with one space between the moves.
func (l Log) String() string {
	var text []byte
	for i, m := range l {
		if i > 0 {
			text = append(text, ' ')
		}
		text = m.Append(text)
	}
	return string(text)
}

// readOn reads what follows the first moves of a log, and gives the first
// token that isn't in notation or is one too many, or nil.
func readOn(moves int, rest string) *RefusedError {
	for i := skipSpace(rest, 0); i < len(rest); i = skipSpace(rest, i) {
		_, size := engine.ReadMove(rest[i:])
		moves++
		if size == 0 || moves > MaxMoves {
			return refuseToken(moves, rest[i:])
		}
		i += size
	}
	return nil
}

// skipSpace is where the next token of a log begins, from i on.
func skipSpace(log string, i int) int {
	for i < len(log) && isSpace(log[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r')
}
