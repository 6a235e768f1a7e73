package challenge

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"cruel/engine"
	"cruel/replay"
)

const (
	// dailyGrace is how long after its day a daily still takes submissions.
	dailyGrace = 10 * time.Minute

	// A shared challenge is open for sharedOpen unless its maker says
	// otherwise, from sharedShortest to sharedLongest.
	sharedOpen     = 7 * 24 * time.Hour
	sharedShortest = time.Minute
	sharedLongest  = 90 * 24 * time.Hour
)

// Kind is what makes a challenge, or a seal.
type Kind string

// The kinds. A race is no challenge, but seals its seed like one.
const (
	Daily  Kind = "daily"
	Shared Kind = "shared"
	Race   Kind = "race"
)

// Challenge is a deal to be solved by many.
type Challenge struct {
	ID           string
	Kind         Kind
	Variant      engine.Variant
	RulesVersion int
	Day          Day // the zero Day if shared
	Seed         engine.Seed
	OpensAt      time.Time
	ClosesAt     time.Time
	GraceUntil   time.Time // from here on submissions are late and the seed is not sealed
	CreatedBy    string    // the id of the player who shared it; empty for a daily
	CreatedAt    time.Time

	Par        *Par        // nil while no win is known
	Bound      int         // no win has fewer moves
	Lost       bool        // no moves win its deal; proven
	Difficulty int         // 1 to 5; 0 while unknown
	Commitment *Commitment // nil where the seed was not committed to

	Players int // players on the board
	Winners int // those among them whose result is a win
}

// Late reports whether a log whose last byte arrived at t is too late for the
// board of c.
func (c Challenge) Late(t time.Time) bool { return !t.Before(c.GraceUntil) }

// mayLower reports whether a result is a win with fewer moves than par.
func (c Challenge) mayLower(r replay.Result) bool {
	return r.Outcome == engine.Won && (c.Par == nil || r.Moves < c.Par.Moves)
}

// publicFrom returns when others could see a log for c that was verified at t,
// if no other seal was on the seed: at the end of c's own, or at once when it
// came later.
func (c Challenge) publicFrom(t time.Time) time.Time {
	if t.Before(c.GraceUntil) {
		return c.GraceUntil
	}
	return t
}

// DailyID returns the id of the daily of a variant and day, as cruel-2026-11-30.
func DailyID(v engine.Variant, d Day) string { return v.ID + "-" + d.String() }

// parseDailyID reads what DailyID writes. The id of a shared challenge has no
// hyphen and so is none.
func parseDailyID(id string) (engine.Variant, Day, bool) {
	at := len(id) - len(time.DateOnly)
	if at < 1 || id[at-1] != '-' {
		return engine.Variant{}, Day{}, false
	}
	v, err := engine.ParseVariant(id[:at-1])
	if err != nil {
		return engine.Variant{}, Day{}, false
	}
	d, err := ParseDay(id[at:])
	return v, d, err == nil
}

// newDaily returns the daily of a variant and day on the nth seed that the
// secret draws for it.
func newDaily(secret []byte, v engine.Variant, d Day, n int) Challenge {
	return Challenge{
		ID:           DailyID(v, d),
		Kind:         Daily,
		Variant:      v,
		RulesVersion: engine.RulesVersion,
		Day:          d,
		Seed:         dailySeed(secret, v, d, n),
		OpensAt:      d.OpensAt(),
		ClosesAt:     d.ClosesAt(),
		GraceUntil:   d.ClosesAt().Add(dailyGrace),
	}
}

// dailySeed draws the nth seed of a daily: the day and 100 bits that cannot be
// computed without the secret.
func dailySeed(secret []byte, v engine.Variant, d Day, n int) engine.Seed {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "cruel daily 1\n%s\n%s\n%d", v.ID, d, n)
	text := base32.StdEncoding.EncodeToString(mac.Sum(nil))
	return engine.Seed(d.String() + "-" + strings.ToLower(text[:20]))
}

// newShared returns a challenge that a player shares from now until closesAt,
// for a week if that is zero. The error is ErrClosesAt.
func newShared(playerID string, v engine.Variant, seed engine.Seed, closesAt, now time.Time) (Challenge, error) {
	if closesAt.IsZero() {
		closesAt = now.Add(sharedOpen)
	}
	closesAt = wholeMillisecond(closesAt)
	if open := closesAt.Sub(now); open < sharedShortest || open > sharedLongest {
		return Challenge{}, ErrClosesAt
	}
	return Challenge{
		ID:           randomText(10),
		Kind:         Shared,
		Variant:      v,
		RulesVersion: engine.RulesVersion,
		Seed:         seed,
		OpensAt:      now,
		ClosesAt:     closesAt,
		GraceUntil:   closesAt,
		CreatedBy:    playerID,
		CreatedAt:    now,
	}, nil
}

// freshSeed draws a seed of 100 random bits.
func freshSeed() engine.Seed {
	t := randomText(20)
	return engine.Seed(strings.Join([]string{t[:5], t[5:10], t[10:15], t[15:]}, "-"))
}

// randomText returns n of a to z and 2 to 7, of 5 random bits each; n is at
// most 26.
func randomText(n int) string { return strings.ToLower(rand.Text()[:n]) }

// wholeMillisecond cuts t to what the database keeps.
func wholeMillisecond(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
