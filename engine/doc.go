// Package engine is the rules of Cruel and its variants: what a seed deals,
// which moves a position allows, what they lead to, and when a game is won or
// stuck. docs/rules.md and docs/deal.md say the same in prose.
//
// Four foundations are built up in suit from the Aces, which lie there from
// the start. The other 48 cards make twelve piles, called a to l, of which
// only the top card, the last one, is in play. It may be played to its
// foundation, or built onto another pile by the variant's rule. An empty pile
// stays empty until a redeal, which gathers the piles in order and deals them
// again unshuffled.
//
// A Variant is a row of columns, and the only thing that makes one game differ
// from another. A Position is a value without pointers: assignment copies it
// and == compares it. In a position that Deal and Apply made, the foundations
// and piles hold each of the 52 cards once, no Ace is in a pile, and from the
// fifth card on each card of a pile is one rank below the one under it, which
// is why a pile has room for fifteen.
//
// The package refuses what the rules forbid with an *IllegalMoveError, and
// texts that are no seed, variant, card or pile with plain errors. It reads no
// clock, no file and no random numbers.
//
// The promise: the deals of old seeds and the verdicts on old logs never
// change. A new rule is a new version.
package engine
