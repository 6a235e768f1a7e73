package challenge

import (
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// Par is the fewest moves known for a deal.
type Par struct {
	Moves  int
	Kind   ParKind
	Holder *account.Player // whose submission it is; nil if the server found it
}

// ParKind says how sure a par is.
type ParKind string

// The kinds of par.
const (
	Proven    ParKind = "proven"
	BestKnown ParKind = "best_known"
)

// Over returns how many moves more than par a result has. ok is false where it
// is no win, or there is no par.
func (p *Par) Over(r replay.Result) (moves int, ok bool) {
	if p == nil || r.Outcome != engine.Won {
		return 0, false
	}
	return r.Moves - p.Moves, true
}

// Effort is how far the server has come in solving a deal.
type Effort int

// The efforts. A deal is touched at once, where a daily is drawn on request;
// the others are made in the background.
const (
	Untouched Effort = iota
	Quick
	Full // there is no more to come
)

// Deal is the deal of a seed, and what the server knows of it.
type Deal struct {
	Variant      engine.Variant
	Seed         engine.Seed
	SubmissionID string    // whose win it is; empty if the server found it
	PublicFrom   time.Time // when others could see that win: at the end of what sealed the seed when it was found, or of its daily
	Finding
}

// Finding is what a search found out about a deal.
type Finding struct {
	Effort     Effort
	Lost       bool      // no moves win; proven
	Bound      int       // no win has fewer moves
	States     int       // positions that the last search kept
	Moves      int       // of the shortest win known; 0: none
	Log        string    // that win, canonical
	FoundAt    time.Time // when it was found
	Difficulty int       // 1 to 5; 0 where no win was found
}

// proven reports whether the win has the fewest moves possible.
func (f Finding) proven() bool { return f.Moves != 0 && f.Moves == f.Bound }

// newFinding turns a solver's answer into what is kept of it.
func newFinding(e Effort, a solver.Answer, now time.Time) Finding {
	f := Finding{Effort: e, Lost: a.Verdict == solver.Lost, Bound: a.Bound, States: a.States}
	if a.Verdict == solver.Won {
		f.Moves, f.Log, f.FoundAt = len(a.Log), replay.Log(a.Log).String(), now
		redeals := 0
		for _, m := range a.Log {
			if m.Kind == engine.RedealMove {
				redeals++
			}
		}
		f.Difficulty = solver.Difficulty(redeals, a.Width)
	}
	return f
}

// ParReplay is the par of a challenge as a game.
type ParReplay struct {
	Challenge Challenge
	Deal      Deal // with the log
	Result    replay.Result
}
