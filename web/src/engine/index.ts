// The rules of Cruel and its variants, as the folders engine and replay have them in Go: what a seed deals,
// which moves a position allows, what they lead to, and what a log proves.
//
// All values are immutable: a move gives a new position and leaves the old one as it was, so that to keep
// a position is to be able to go back to it. What the rules forbid gives undefined, or says why as data;
// nothing throws but deal and verify, on a text that is no seed, and recordText, on a record that could not
// be read back. Nothing reads a clock, a file or random numbers.
//
// The promise: both languages read the same vectors and give the same deals, legal moves and verdicts.

export * from './card'
export * from './variant'
export * from './position'
export * from './move'
export * from './rules'
export * from './refuse'
export * from './deal'
export * from './log'
export * from './record'
