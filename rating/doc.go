// Package rating measures how strong players are by the races between them:
// Glicko-2, with two players and one race to a rating period.
//
// A Rating is a guess at a player's strength, how far the guess may be off,
// and how unsteady the strength is. Everybody begins at Start. Idle lets the
// days go by since a player's last race, After counts a race:
//
//	a, b = rating.Idle(a, daysOfA), rating.Idle(b, daysOfB)
//	a, b = rating.After(a, b, rating.Win)
//
// What is kept is what After returns. What is shown is what Idle makes of it
// on the day.
//
// The arithmetic is that of Mark E. Glickman, "Example of the Glicko-2 system",
// Boston University, March 2022, https://www.glicko.net/glicko/glicko2.pdf,
// and its example is among the tests. Three things are ours:
//
//   - The deviation grows with the days since the last race, in full before
//     the next one, and not by a fixed step after each. So the doubt about an
//     opponent who was away counts, too, and who races ten times on one evening
//     isn't doubted more for it.
//   - The deviation and the volatility stay within bounds. A deviation never
//     falls so low that races stop mattering.
//   - The new volatility is found by halving those bounds, which ends after a
//     fixed number of steps.
//
// The package knows no player, no race and no clock. It refuses no number, but
// brings a deviation or a volatility that is out of bounds to the nearest that
// is within.
//
// The promise: finite numbers give finite numbers, a winner never falls, a
// loser never rises, and no race adds to a deviation.
package rating
