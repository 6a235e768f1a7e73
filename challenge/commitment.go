package challenge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"cruel/engine"
)

// Commitment is a hash of a daily's seed, published to show later that the
// seed was fixed.
type Commitment struct {
	Day         Day
	Hash        string // see CommitmentHash
	CommittedAt time.Time
}

// Beforehand reports whether the commitment was there before its day began.
func (c Commitment) Beforehand() bool { return c.CommittedAt.Before(c.Day.OpensAt()) }

// CommitmentHash returns what is published of a seed before its day: the
// SHA-256, in hex, of a text that names the variant, the day and the seed.
func CommitmentHash(v engine.Variant, d Day, seed engine.Seed) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "cruel commitment 1\n%s\n%s\n%s", v.ID, d, seed))
	return hex.EncodeToString(sum[:])
}

// CommitmentQuery asks for the Limit commitments to dailies of a variant from
// a day on, after or before a day.
type CommitmentQuery struct {
	Variant       engine.Variant
	From          Day
	Limit         int
	After, Before *Day // one of them at most
}

// CommitmentPage is a part of the list of commitments, the earliest day first.
type CommitmentPage struct {
	Commitments []Commitment
	Next, Prev  *Day // what to ask for After and Before; nil at the end
}
