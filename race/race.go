package race

import (
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

const (
	openFor      = 30 * time.Minute // a race waits so long for its countdown
	countdownFor = 5 * time.Second
	rematchFor   = 30 * time.Minute // an offer of a rematch holds so long
	shortestTime = 60 * time.Second
	longestTime  = 24 * time.Hour
)

// nobody is the seat of a player who has none, and of the winner where there is
// none.
const nobody = -1

// State is where a race is.
type State string

// The states of a race.
const (
	Open      State = "open"
	Countdown State = "countdown"
	Running   State = "running"
	Finished  State = "finished"
	Cancelled State = "cancelled"
)

// EntrantState is where an entrant is.
type EntrantState string

// The states of an entrant. A free seat has none.
const (
	EntrantJoined    EntrantState = "joined"
	EntrantReady     EntrantState = "ready"
	EntrantRacing    EntrantState = "racing"
	EntrantFinished  EntrantState = "finished"
	EntrantForfeited EntrantState = "forfeited"
	EntrantBeaten    EntrantState = "beaten"
	EntrantOutOfTime EntrantState = "out_of_time"
)

// Goal is what a race is about.
type Goal string

// The goals: the better result, or the first win that comes in.
const (
	FewestMoves Goal = "fewest_moves"
	FirstWin    Goal = "first_win"
)

// Visibility says who hears of a race.
type Visibility string

// A race is listed for all, or known to who was told its code.
const (
	OpenToAll Visibility = "open"
	ByInvite  Visibility = "invite"
)

// Outcome is how a race ended; "" until it is finished.
type Outcome string

// The outcomes. No contest counts for nothing.
const (
	Win       Outcome = "win"
	Draw      Outcome = "draw"
	NoContest Outcome = "no_contest"
)

// Race is two players, one deal and one clock. Races are compared with ==.
type Race struct {
	Code       string // six letters
	Version    int    // counts the events, from 1
	State      State
	Goal       Goal
	Variant    engine.Variant
	Visibility Visibility
	TimeLimit  time.Duration
	Seed       engine.Seed // nobody may see it before SeedPublic
	SeedNamed  bool        // by the creator, and not drawn by the server
	CreatedAt  time.Time
	StartsAt   time.Time  // zero before the countdown and once cancelled
	EndsAt     time.Time  // likewise; StartsAt and the time limit
	Entrants   [2]Entrant // the creator first
	Rated      bool       // decided at the start; no contest is not rated
	Outcome    Outcome
	Winner     int    // their seat; -1 where there is none
	BestOf     int    // 1 where it is no series
	Game       int    // which race of the series, from 1
	Wins       [2]int // in the series by seat, with this race once it is finished
	NextCode   string // of the rematch or the next race of the series
}

// Entrant is a player in a race, or a free seat.
type Entrant struct {
	Player     account.Player // of no ID where the seat is free
	State      EntrantState
	Log        string        // canonical: the last progress or the final one
	Result     replay.Result // what Log proves
	FinishedAt time.Time     // also when they were beaten or out of time; zero before and for a forfeit
	RematchAt  time.Time     // when they offered a rematch; zero if they did not

	RatingBefore, RatingAfter float64 // zero unless the race was rated
}

// EventKind is what an event tells.
type EventKind string

// The kinds of events. Finished is an entrant, over is the race; rematch is an
// offer of one, and next says that there is a NextCode.
const (
	EventCreated     EventKind = "created"
	EventJoined      EventKind = "joined"
	EventLeft        EventKind = "left"
	EventReady       EventKind = "ready"
	EventUnready     EventKind = "unready"
	EventCountdown   EventKind = "countdown"
	EventStarted     EventKind = "started"
	EventProgress    EventKind = "progress"
	EventFinished    EventKind = "finished"
	EventForfeited   EventKind = "forfeited"
	EventUnforfeited EventKind = "unforfeited"
	EventOver        EventKind = "over"
	EventCancelled   EventKind = "cancelled"
	EventRematch     EventKind = "rematch"
	EventNext        EventKind = "next"
)

// Event is a step from one version of a race to the next: event i of a change
// makes version before+1+i. It holds nothing that isn't for everybody.
type Event struct {
	Kind  EventKind
	Seat  int // whose it is; -1 if nobody's
	At    time.Time
	Cards int // of progress and finished
	Moves int // likewise
}

// Terms are what a creator says of a race. No Goal means FewestMoves, no BestOf
// a single race.
type Terms struct {
	Variant    engine.Variant
	Goal       Goal
	Visibility Visibility
	TimeLimit  time.Duration
	BestOf     int
	Seed       engine.Seed
	SeedNamed  bool // by the creator; the race is unrated then
}

// New returns an open race with its creator in it. The error is ErrGoal,
// ErrVisibility, ErrTimeLimit or ErrBestOf.
func New(code string, creator account.Player, t Terms, now time.Time) (Race, []Event, error) {
	if t.Goal == "" {
		t.Goal = FewestMoves
	}
	if t.BestOf == 0 {
		t.BestOf = 1
	}
	switch {
	case t.Goal != FewestMoves && t.Goal != FirstWin:
		return Race{}, nil, ErrGoal
	case t.Visibility != OpenToAll && t.Visibility != ByInvite:
		return Race{}, nil, ErrVisibility
	case t.TimeLimit < shortestTime || t.TimeLimit > longestTime || t.TimeLimit%time.Second != 0:
		return Race{}, nil, ErrTimeLimit
	case t.BestOf != 1 && t.BestOf != 3 && t.BestOf != 5:
		return Race{}, nil, ErrBestOf
	}
	c := create(code, creator, t, now)
	return c.Race, c.events, nil
}

func create(code string, creator account.Player, t Terms, now time.Time) change {
	c := change{now: now, Race: Race{
		Code:       code,
		State:      Open,
		Goal:       t.Goal,
		Variant:    t.Variant,
		Visibility: t.Visibility,
		TimeLimit:  t.TimeLimit,
		Seed:       t.Seed,
		SeedNamed:  t.SeedNamed,
		CreatedAt:  now,
		Entrants:   [2]Entrant{{Player: creator, State: EntrantJoined}},
		Winner:     nobody,
		BestOf:     t.BestOf,
		Game:       1,
	}}
	c.tell(EventCreated, 0)
	return c
}

// NextOpens reports whether a race should follow r: there is none yet, the
// series goes on or both want a rematch, and both are still there.
func (r Race) NextOpens() bool {
	gone := r.Entrants[0].Player.Deleted || r.Entrants[1].Player.Deleted
	return r.NextCode == "" && !gone && (r.SeriesGoesOn() || r.RematchAgreed())
}

// SeriesGoesOn reports whether r is finished and part of a series that is not:
// nobody has the majority and races are left. It doesn't look at NextCode.
func (r Race) SeriesGoesOn() bool {
	return r.State == Finished && r.Game < r.BestOf && 2*max(r.Wins[0], r.Wins[1]) < r.BestOf
}

// RematchAgreed reports whether both entrants have offered a rematch, the later
// one before the other's offer lapsed, and there is none yet. It doesn't lapse.
func (r Race) RematchAgreed() bool {
	a, b := r.Entrants[0], r.Entrants[1]
	return r.NextCode == "" && a.OffersRematch(b.RematchAt) && b.OffersRematch(a.RematchAt)
}

// OffersRematch reports whether e has made an offer that hasn't lapsed.
func (e Entrant) OffersRematch(now time.Time) bool {
	return !e.RematchAt.IsZero() && now.Before(e.RematchAt.Add(rematchFor))
}

// Next returns the race that follows r, on a seed that the server has drawn:
// the next of the series, or else a rematch, which begins a new one. Both are
// in it, on the seats that they had. The error is ErrNoNext, see NextOpens.
func (r Race) Next(code string, seed engine.Seed, now time.Time) (Race, []Event, error) {
	if !r.NextOpens() {
		return Race{}, nil, ErrNoNext
	}
	c := create(code, r.Entrants[0].Player, Terms{
		Variant:    r.Variant,
		Goal:       r.Goal,
		Visibility: r.Visibility,
		TimeLimit:  r.TimeLimit,
		BestOf:     r.BestOf,
		Seed:       seed,
	}, now)
	if r.SeriesGoesOn() {
		c.Game, c.Wins = r.Game+1, r.Wins
	}
	takeSeat(&c, nobody, Act{Player: r.Entrants[1].Player})
	return c.Race, c.events, nil
}

// FollowedBy returns r with the code of the race that Next has made of it. The
// error is ErrNoNext, see NextOpens.
func (r Race) FollowedBy(code string, now time.Time) (Race, []Event, error) {
	if !r.NextOpens() {
		return r, nil, ErrNoNext
	}
	c := change{Race: r, now: now}
	c.NextCode = code
	c.tell(EventNext, nobody)
	return c.Race, c.events, nil
}

// Over reports whether r is finished or cancelled.
func (r Race) Over() bool { return r.State == Finished || r.State == Cancelled }

// SeedPublic reports whether the seed may be shown: from the start on. That of
// a race which was cancelled never is.
func (r Race) SeedPublic() bool { return r.State == Running || r.State == Finished }

// Seat returns the seat of a player, -1 if they have none.
func (r Race) Seat(playerID string) int {
	for seat, e := range r.Entrants {
		if e.Player.ID == playerID && playerID != "" {
			return seat
		}
	}
	return nobody
}

// Due returns when the next deadline of r is, if it has any. That of a finished
// race which should be followed by another has come already.
func (r Race) Due() (time.Time, bool) {
	switch r.State {
	case Open:
		return r.CreatedAt.Add(openFor), true
	case Countdown:
		return r.StartsAt, true
	case Running:
		return r.EndsAt, true
	case Finished:
		if r.NextOpens() { // which may have failed at first
			return r.StartsAt, true
		}
	}
	return time.Time{}, false
}
