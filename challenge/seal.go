package challenge

import (
	"slices"
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

// SealQuery asks for the seals on seeds that are in force: open by now and not
// over.
type SealQuery struct {
	Now          time.Time
	Coming       bool      // also those that open later, on the clock of this server
	OpenedBefore time.Time // only those that opened earlier; zero for any
	Seeds        []engine.Seed
}

// The rules below take seals that are in force, as Store.Sealed returns them.

// SealsLog reports whether one of the seals hides a log for the seed from
// everybody but its player. The log could be public from t on, see
// Submission.PublicFrom. A seal that opened then or later hides nothing: nobody can
// share an old seed in order to hide logs that are public.
func SealsLog(seals []Seal, seed engine.Seed, t time.Time) bool {
	for _, s := range seals {
		if s.Seed == seed && s.OpensAt.Before(t) {
			return true
		}
	}
	return false
}

// SealsChallenges reports whether the seals of a seed, those to come with them,
// forbid new challenges and races on it, and until when. Shared challenges do not: a seed may be shared by
// many.
func SealsChallenges(seals []Seal) (until time.Time, sealed bool) {
	forbidding := slices.DeleteFunc(slices.Clone(seals), func(s Seal) bool { return s.Kind == Shared })
	return lastUntil(forbidding), len(forbidding) > 0
}

// SealsHints reports whether the seals of a seed, those to come with them, forbid
// hints for it.
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
