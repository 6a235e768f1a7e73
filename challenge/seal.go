package challenge

import (
	"time"

	"cruel/engine"
)

// Seal says that a seed is sealed: a daily, a shared challenge or a race on it
// is not over.
type Seal struct {
	Seed    engine.Seed
	Kind    Kind
	OpensAt time.Time
	Until   time.Time
}

// The rules below take seals that are in force, as Store.Sealed returns them.

// SealsLog reports whether one of the seals hides a log for the seed that was
// verified at t from everybody but its player. A seal that opened later hides
// nothing: nobody can share an old seed in order to hide logs that are public.
func SealsLog(seals []Seal, seed engine.Seed, t time.Time) bool {
	for _, s := range seals {
		if s.Seed == seed && !s.OpensAt.After(t) {
			return true
		}
	}
	return false
}

// SealsChallenges reports whether the seals of a seed forbid new challenges and
// races on it. Shared challenges do not: a seed may be shared by many.
func SealsChallenges(seals []Seal) bool {
	for _, s := range seals {
		if s.Kind != Shared {
			return true
		}
	}
	return false
}

// SealsHints reports whether the seals of a seed forbid hints for it.
func SealsHints(seals []Seal) bool { return len(seals) > 0 }

// lastUntil returns when the last of the seals ends.
func lastUntil(seals []Seal) time.Time {
	var last time.Time
	for _, s := range seals {
		if s.Until.After(last) {
			last = s.Until
		}
	}
	return last
}
