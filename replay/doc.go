// Package replay is the written game: the notation of moves, the record that
// people share as a file, and the verdict on what a log proves.
//
// It takes nothing on trust. A log is read strictly, played move by move on
// the deal of its seed, and the result is what was reached; what a record
// claims is compared with that. A log that isn't in notation, is longer than
// MaxMoves or breaks the rules is refused with a *RefusedError that names the
// first bad token. docs/notation.md says the same in prose.
//
// The promise: no result is ever given beside an error, and writing is
// canonical, so what was written reads back to the same bytes.
package replay
