// Package solver finds out whether a position can be won, how, and in how few
// moves, for every variant.
//
// Decide answers won, lost or open; Improve goes on to shorter wins; Prove
// finds the fewest moves and proves it. Hint is Improve for a game, which it
// never sends back to where it was. Each keeps to a Budget and a context,
// and where they end before the answer, what is known by then is the answer.
// docs/solver.md says how it works and how fast it is.
//
// The package refuses positions that don't hold each of the 52 cards once. It
// looks at the columns of a variant and never at its id, knows only the rules,
// and keeps nothing between two calls.
//
// The promise: what an Answer says is proven. A won position comes with a log
// that wins it, a lost one has no win, and no win has fewer moves than the
// bound. The search compares whole positions and not their hashes, so no
// chance is left in it.
package solver
