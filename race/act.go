package race

import (
	"slices"
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
)

// ActKind is what a player does in a race.
type ActKind string

// The kinds of acts.
const (
	ActJoin      ActKind = "join"
	ActReady     ActKind = "ready"
	ActUnready   ActKind = "unready"
	ActLeave     ActKind = "leave"
	ActProgress  ActKind = "progress"
	ActFinish    ActKind = "finish"
	ActForfeit   ActKind = "forfeit"
	ActUnforfeit ActKind = "unforfeit"
	ActRematch   ActKind = "rematch"
)

// acts is the order of the table.
var acts = [...]ActKind{
	ActJoin, ActReady, ActUnready, ActLeave,
	ActProgress, ActFinish, ActForfeit, ActUnforfeit, ActRematch,
}

// Act is what a player asks of a race.
type Act struct {
	Kind   ActKind
	Player account.Player
	Log    string        // of progress and finish: canonical, played on the race's deal
	Result replay.Result // what Log proves
}

// rule is what becomes of an act in a state of the race.
type rule struct {
	may  func(c *change, seat int) bool        // whether it would do something
	do   func(c *change, seat int, a Act)      // does it
	done func(c *change, seat int, a Act) bool // whether it repeats what was done: nothing happens
}

// table is every act that there is. What is not in it is refused.
var table = map[State]map[ActKind]rule{
	Open: {
		ActJoin:    {may: seatIsFree, do: takeSeat, done: has(EntrantJoined, EntrantReady)},
		ActReady:   {may: is(EntrantJoined), do: getReady, done: has(EntrantReady)},
		ActUnready: {may: is(EntrantReady), do: getUnready, done: has(EntrantJoined)},
		ActLeave:   {may: is(EntrantJoined, EntrantReady), do: leave},
	},
	Countdown: {
		ActJoin:    {done: has(EntrantReady)},
		ActReady:   {done: has(EntrantReady)},
		ActUnready: {may: is(EntrantReady), do: getUnready},
		ActLeave:   {may: is(EntrantReady), do: leave},
	},
	Running: {
		ActJoin:      {done: has(EntrantRacing, EntrantFinished, EntrantForfeited)},
		ActProgress:  {may: is(EntrantRacing), do: progress, done: hasLog(EntrantRacing, EntrantFinished)},
		ActFinish:    {may: is(EntrantRacing), do: finish, done: hasLog(EntrantFinished)},
		ActForfeit:   {may: is(EntrantRacing), do: forfeit, done: has(EntrantForfeited)},
		ActUnforfeit: {may: is(EntrantForfeited), do: unforfeit, done: has(EntrantRacing)},
	},
	Finished: {
		ActJoin:     {done: has(EntrantFinished, EntrantForfeited, EntrantBeaten, EntrantOutOfTime)},
		ActProgress: {done: hasLog(EntrantFinished)},
		ActFinish:   {done: hasLog(EntrantFinished)},
		ActForfeit:  {done: has(EntrantForfeited)},
		ActRematch:  {may: mayOfferRematch, do: offerRematch, done: hasOfferedRematch},
	},
	Cancelled: {
		ActLeave: {done: has(EntrantJoined, EntrantReady)},
	},
}

// Do returns what an act at now makes of r, and the events of that. What was
// due by now happens first. The error is ErrStranger or a *StateError; beside
// it is what Advance returns, since the act changes nothing then.
func (r Race) Do(a Act, now time.Time) (Race, []Event, error) {
	c := change{Race: r}
	c.advance(now)
	c.now = now
	seat := c.Seat(a.Player.ID)
	rule := table[c.State][a.Kind]
	switch {
	case a.Player.ID == "" || seat == nobody && a.Kind != ActJoin:
		return c.Race, c.events, ErrStranger
	case rule.done != nil && rule.done(&c, seat, a):
	case rule.may != nil && rule.may(&c, seat):
		rule.do(&c, seat, a)
	default:
		return c.Race, c.events, c.refuse(seat)
	}
	return c.Race, c.events, nil
}

// Advance returns what the deadlines of r that have come by now make of it, and
// the events of that, each at the time of its deadline.
func (r Race) Advance(now time.Time) (Race, []Event) {
	c := change{Race: r}
	c.advance(now)
	return c.Race, c.events
}

// change is a race while it changes.
type change struct {
	Race
	now    time.Time // when what happens happens
	events []Event
}

// tell makes a new version of the race.
func (c *change) tell(kind EventKind, seat int) {
	e := Event{Kind: kind, Seat: seat, At: c.now}
	if kind == EventProgress || kind == EventFinished {
		e.Cards, e.Moves = c.Entrants[seat].Result.Cards, c.Entrants[seat].Result.Moves
	}
	c.Version++
	c.events = append(c.events, e)
}

func (c *change) refuse(seat int) *StateError {
	e := &StateError{State: c.State}
	if seat != nobody {
		e.Entrant = c.Entrants[seat].State
	}
	for _, kind := range acts {
		if may := table[c.State][kind].may; may != nil && may(c, seat) {
			e.Allowed = append(e.Allowed, kind)
		}
	}
	return e
}

// advance meets one deadline after the other.
func (c *change) advance(now time.Time) {
	for {
		due, ok := c.Due()
		if !ok || c.State == Finished || now.Before(due) {
			return
		}
		c.now = due
		switch c.State {
		case Open:
			c.cancel()
		case Countdown:
			c.start()
		case Running:
			c.stop(EntrantOutOfTime)
			c.end()
		}
	}
}

func (c *change) cancel() {
	c.State = Cancelled
	c.StartsAt, c.EndsAt = time.Time{}, time.Time{}
	c.tell(EventCancelled, nobody)
}

func (c *change) start() {
	c.State = Running
	c.Rated = !c.SeedNamed
	result, _ := replay.Verify(c.Variant, c.Seed, "") // no log is too short
	for seat := range c.Entrants {
		e := &c.Entrants[seat]
		e.State, e.Result = EntrantRacing, result
		if e.Player.Guest || e.Player.Deleted {
			c.Rated = false
		}
	}
	c.tell(EventStarted, nobody)
}

// stop takes those who are still racing out of the race.
func (c *change) stop(state EntrantState) {
	for seat := range c.Entrants {
		if e := &c.Entrants[seat]; e.State == EntrantRacing {
			e.State, e.FinishedAt = state, c.now
		}
	}
}

// endIfNobodyRaces follows whatever takes an entrant out of the race.
func (c *change) endIfNobodyRaces() {
	if c.Entrants[0].State != EntrantRacing && c.Entrants[1].State != EntrantRacing {
		c.end()
	}
}

func (c *change) end() {
	c.State = Finished
	c.Outcome, c.Winner = decide(c.Entrants)
	switch c.Outcome {
	case Win:
		c.Wins[c.Winner]++
	case NoContest:
		c.Rated = false
	}
	c.tell(EventOver, nobody)
}

// decide says how a race ends whose entrants are no longer racing. One rule
// does for both goals: under FirstWin no two have a win.
func decide(entrants [2]Entrant) (outcome Outcome, winner int) {
	a, b := entrants[0], entrants[1]
	aGone, bGone := a.State == EntrantForfeited, b.State == EntrantForfeited
	switch {
	case aGone && bGone, !a.hasCardHome() && !b.hasCardHome():
		return NoContest, nobody
	case aGone:
		return Win, 1
	case bGone:
		return Win, 0
	case a.Result.Better(b.Result):
		return Win, 0
	case b.Result.Better(a.Result):
		return Win, 1
	case a.Result.Outcome != engine.Won:
		return Draw, nobody
	case a.FinishedAt.Before(b.FinishedAt):
		return Win, 0
	case b.FinishedAt.Before(a.FinishedAt):
		return Win, 1
	}
	return Draw, nobody
}

// hasCardHome reports whether a card is on the foundations besides the aces.
func (e Entrant) hasCardHome() bool { return e.Result.Cards > 4 }

// What follows is the entries of the table. A seat is -1 for a stranger.

func is(states ...EntrantState) func(*change, int) bool {
	return func(c *change, seat int) bool {
		return seat != nobody && slices.Contains(states, c.Entrants[seat].State)
	}
}

func has(states ...EntrantState) func(*change, int, Act) bool {
	return func(c *change, seat int, _ Act) bool { return is(states...)(c, seat) }
}

func hasLog(states ...EntrantState) func(*change, int, Act) bool {
	return func(c *change, seat int, a Act) bool { return is(states...)(c, seat) && c.Entrants[seat].Log == a.Log }
}

// seatIsFree is about the second seat: the creator keeps theirs.
func seatIsFree(c *change, seat int) bool { return seat == nobody && c.Entrants[1].Player.ID == "" }

func takeSeat(c *change, _ int, a Act) {
	c.Entrants[1] = Entrant{Player: a.Player, State: EntrantJoined}
	c.tell(EventJoined, 1)
}

func getReady(c *change, seat int, _ Act) {
	c.Entrants[seat].State = EntrantReady
	c.tell(EventReady, seat)
	if c.Entrants[0].State != EntrantReady || c.Entrants[1].State != EntrantReady {
		return
	}
	c.State = Countdown
	c.StartsAt = c.now.Add(countdownFor)
	c.EndsAt = c.StartsAt.Add(c.TimeLimit)
	c.tell(EventCountdown, nobody)
}

func getUnready(c *change, seat int, _ Act) {
	c.Entrants[seat].State = EntrantJoined
	c.tell(EventUnready, seat)
	c.breakOff()
}

// leave takes the other's part in the series along, so that nobody inherits it.
func leave(c *change, seat int, _ Act) {
	c.tell(EventLeft, seat)
	if seat == 0 {
		c.cancel()
		return
	}
	c.Entrants[seat] = Entrant{}
	c.Game, c.Wins = 1, [2]int{}
	c.breakOff()
}

// breakOff ends a countdown, if there is one, before the start.
func (c *change) breakOff() {
	if c.State != Countdown {
		return
	}
	c.State = Open
	c.StartsAt, c.EndsAt = time.Time{}, time.Time{}
	for seat := range c.Entrants {
		if e := &c.Entrants[seat]; e.State == EntrantReady {
			e.State = EntrantJoined
		}
	}
	if due, _ := c.Due(); !c.now.Before(due) {
		c.cancel()
	}
}

func progress(c *change, seat int, a Act) {
	if c.Goal == FirstWin && a.Result.Outcome == engine.Won {
		finish(c, seat, a)
		return
	}
	c.Entrants[seat].Log, c.Entrants[seat].Result = a.Log, a.Result
	c.tell(EventProgress, seat)
}

func finish(c *change, seat int, a Act) {
	e := &c.Entrants[seat]
	e.State, e.Log, e.Result, e.FinishedAt = EntrantFinished, a.Log, a.Result, c.now
	c.tell(EventFinished, seat)
	if c.Goal == FirstWin && a.Result.Outcome == engine.Won {
		c.stop(EntrantBeaten)
	}
	c.endIfNobodyRaces()
}

func forfeit(c *change, seat int, _ Act) {
	c.Entrants[seat].State = EntrantForfeited
	c.tell(EventForfeited, seat)
	c.endIfNobodyRaces()
}

func unforfeit(c *change, seat int, _ Act) {
	c.Entrants[seat].State = EntrantRacing
	c.tell(EventUnforfeited, seat)
}

// mayOfferRematch says no while a series goes on: its next race opens by
// itself.
func mayOfferRematch(c *change, seat int) bool {
	return seat != nobody && c.NextCode == "" && !c.SeriesGoesOn() && !c.RematchAgreed() &&
		!c.Entrants[seat].OffersRematch(c.now)
}

func offerRematch(c *change, seat int, _ Act) {
	c.Entrants[seat].RematchAt = c.now
	c.tell(EventRematch, seat)
}

func hasOfferedRematch(c *change, seat int, _ Act) bool {
	if seat == nobody {
		return false
	}
	e := c.Entrants[seat]
	return e.OffersRematch(c.now) || c.RematchAgreed() || !e.RematchAt.IsZero() && c.NextCode != ""
}
