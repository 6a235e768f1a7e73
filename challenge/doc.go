// Package challenge holds the deals that many players solve: the daily of each
// variant, which a UTC day brings, and the shared ones that players make.
//
// A player sends a log. The package has it verified, keeps it as a submission,
// and gives the player's best one a standing on the challenge's board. It
// takes no result, score or time from a client, and nothing is stored before
// the log is verified.
//
// The seed of a running challenge is sealed: until the challenge is over
// nobody sees another's log for it, the par's log, or a hint.
//
// A daily's deal is one that can be won. It is drawn days before, with its par,
// and a hash of its seed is published then. Whatever is solved for that is done
// by SolveNext, which a server calls in the background.
//
// The promise: a rank is exact at every moment, on every server. It counts the
// players whose result is better, as replay.Result.Better has it, so equal
// results share a rank.
package challenge
