package race

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// Store is what a Service needs kept. Each method is one transaction.
type Store interface {
	// CreateRace adds a race and its events. The error is ErrCodeTaken, or
	// account.ErrNotFound where its creator is deleted.
	CreateRace(ctx context.Context, r Race, events []Event) error

	// Race returns a race or ErrNotFound.
	Race(ctx context.Context, code string) (Race, error)

	// SaveRace makes a change. If it finishes a rated race, the ratings of both
	// change by Rerate. The error is ErrConflict where the race has another
	// version than the change is from, ErrCodeTaken, or account.ErrNotFound
	// where an entrant who is new is deleted.
	SaveRace(ctx context.Context, c Change) error

	// DueRaces returns races whose deadline has come by now. Those that another
	// should follow come last.
	DueRaces(ctx context.Context, now time.Time) (codes []string, err error)

	// ChangedRaces returns the versions of the races that have changed since
	// then.
	ChangedRaces(ctx context.Context, since time.Time) (versions map[string]int, err error)

	// RaceEvents returns the events that led to the versions above the given
	// one, in their order, at most the first 256.
	RaceEvents(ctx context.Context, code string, version int) ([]Event, error)

	// UnfinishedRaces returns the races of a player that are not over.
	UnfinishedRaces(ctx context.Context, playerID string) (codes []string, err error)

	// SealedUntil reports whether a daily or a race that is not over at now has the
	// seed, and until when. One to come counts, for servers whose clock is behind.
	SealedUntil(ctx context.Context, seed engine.Seed, now time.Time) (until time.Time, sealed bool, err error)

	// LogsSealed reports whether something that is open at now seals the logs of
	// a race that is over: it opened before the race ended.
	LogsSealed(ctx context.Context, r Race, now time.Time) (bool, error)

	// ListRaces returns a page of races.
	ListRaces(ctx context.Context, q ListQuery) (Page, error)

	// Ratings returns a page of the players' ratings, of those that are ranked at
	// now, see PlayerRating.RankedUntil.
	Ratings(ctx context.Context, q RatingQuery, now time.Time) (RatingPage, error)

	// PlayerRatings returns all ratings of a player.
	PlayerRatings(ctx context.Context, playerID string) ([]RatingRow, error)

	// Listen calls wake with the version that a race comes to, whatever server
	// changes it. It returns an error when it doesn't hear any more, and nil at
	// once where the database can't tell.
	Listen(ctx context.Context, wake func(code string, version int)) error
}

// Change is a race as it becomes.
type Change struct {
	From   int // the version that it was
	Race   Race
	Events []Event
	At     time.Time // when it is made; what it tells may be older
	Next   *Creation // the race that follows it, if one is made with the change
}

// Creation is a new race.
type Creation struct {
	Race   Race
	Events []Event
}

// EndedAt returns when the change finishes the race. ok is false where it
// doesn't.
func (c Change) EndedAt() (at time.Time, ok bool) {
	for _, e := range c.Events {
		if e.Kind == EventOver {
			return e.At, true
		}
	}
	return time.Time{}, false
}

// Options are what a Service needs besides a Store.
type Options struct {
	Now func() time.Time // the same on all servers of a database, to the millisecond if it can be
	Log *slog.Logger
}

// Service is what may be done with races.
type Service struct {
	store   Store
	options Options
	feeds   feeds
	drawing chan struct{} // bounds how many draw a deal at once
}

// NewService returns a Service over a Store.
func NewService(store Store, o Options) *Service {
	return &Service{store: store, options: o, drawing: make(chan struct{}, 2), feeds: newFeeds()}
}

// Now returns the time that races go by.
func (s *Service) Now() time.Time { return s.options.Now().UTC().Truncate(time.Millisecond) }

// Create makes a race. Without a seed in its terms one is drawn. The error is
// ErrTooManyRaces, one of New, a *SealedSeedError, ErrDrawing, or account.ErrNotFound where the
// player is deleted.
func (s *Service) Create(ctx context.Context, playerID string, t Terms) (Race, error) {
	now := s.Now()
	had, err := s.store.UnfinishedRaces(ctx, playerID)
	if err != nil {
		return Race{}, err
	}
	if len(had) >= MostRaces {
		return Race{}, ErrTooManyRaces
	}
	if t.SeedNamed = t.Seed != ""; t.SeedNamed {
		until, sealed, err := s.store.SealedUntil(ctx, t.Seed, now)
		if err != nil {
			return Race{}, err
		}
		if sealed {
			return Race{}, &SealedSeedError{until}
		}
	}
	creator := account.Player{ID: playerID}
	if _, _, err := New("", creator, t, now); err != nil {
		return Race{}, err
	}
	if !t.SeedNamed {
		var err error
		if t.Seed, err = s.draw(ctx, t.Variant); err != nil {
			return Race{}, err
		}
	}
	for try := 1; ; try++ {
		r, events, err := New(newCode(), creator, t, now)
		if err != nil {
			return Race{}, err
		}
		switch err := s.store.CreateRace(ctx, r, events); {
		case errors.Is(err, ErrCodeTaken) && try < mostTries:
			continue
		case err != nil:
			return Race{}, err
		}
		return s.store.Race(ctx, r.Code)
	}
}

// MostRaces is how many races of a player may be under way at once.
const MostRaces = 5

// mostTries is how often a change is tried that others come before. Of two who
// make one change after the other, one may well come second twenty times.
const mostTries = 100

// Race returns a race as it is now. The error is ErrNotFound.
func (s *Service) Race(ctx context.Context, code string) (Race, error) {
	return s.change(ctx, code, func(r Race, now time.Time) (Race, []Event, error) {
		after, events := r.Advance(now)
		return after, events, nil
	})
}

// Act does an act in a race and returns the race after it. The log of the act
// is verified here. The error is ErrNotFound, ErrStranger, a *StateError, a
// refusal of replay.Verify, ErrDrawing, or account.ErrNotFound where the player
// is deleted.
func (s *Service) Act(ctx context.Context, code string, a Act) (Race, error) {
	return s.change(ctx, code, func(r Race, now time.Time) (Race, []Event, error) {
		after, events := r.Advance(now)
		if (a.Kind == ActProgress || a.Kind == ActFinish) && after.SeedPublic() && after.Seat(a.Player.ID) != nobody {
			verified, err := verify(after, a)
			if err != nil {
				return after, events, err
			}
			a = verified
		}
		return r.Do(a, now)
	})
}

// verify fills in what the log of an act proves.
func verify(r Race, a Act) (Act, error) {
	result, err := replay.Verify(r.Variant, r.Seed, a.Log)
	if err != nil {
		return a, err
	}
	log, err := replay.ParseLog(a.Log)
	a.Log, a.Result = log.String(), result
	return a, err
}

// change loads a race, lets do say what becomes of it, and saves that, also
// where do has an error. It begins again where another was faster. The race
// that should follow it is made after that, or later where that fails.
func (s *Service) change(ctx context.Context, code string, do func(Race, time.Time) (Race, []Event, error)) (Race, error) {
	for try := 1; ; try++ {
		r, err := s.store.Race(ctx, code)
		if err != nil {
			return Race{}, err
		}
		after, events, refused := do(r, s.Now())
		switch err := s.save(ctx, Change{From: r.Version, Race: after, Events: events}); {
		case errors.Is(err, ErrConflict) && try < mostTries:
			continue
		case err != nil:
			return Race{}, err
		}
		if after.NextOpens() {
			if err := s.openNext(ctx, after); err != nil && !errors.Is(err, ErrConflict) {
				s.options.Log.Warn("the next race isn't made yet", "race", code, "error", err)
			}
		}
		switch {
		case refused != nil:
			return Race{}, refused
		case len(events) == 0 && !after.NextOpens():
			return after, nil
		}
		return s.store.Race(ctx, code)
	}
}

// save saves what has become of a race, if anything has.
func (s *Service) save(ctx context.Context, c Change) error {
	if len(c.Events) == 0 {
		return nil
	}
	c.At = s.Now()
	if err := s.store.SaveRace(ctx, c); err != nil {
		return err
	}
	s.feeds.wake(c.Race.Code, c.Race.Version)
	return nil
}

// openNext makes the race that follows one.
func (s *Service) openNext(ctx context.Context, r Race) error {
	seed, err := s.draw(ctx, r.Variant)
	if err != nil {
		return err
	}
	now := s.Now()
	next, made, err := r.Next(newCode(), seed, now)
	if err != nil {
		return err
	}
	followed, told, err := r.FollowedBy(next.Code, now)
	if err != nil {
		return err
	}
	return s.save(ctx, Change{From: r.Version, Race: followed, Events: told, Next: &Creation{next, made}})
}

// meetAtOnce is how many deadlines are met at once: a thousand take a Postgres
// less than a second then, and leave it connections for requests.
const meetAtOnce = 8

// MeetDeadlines does what is due in all races. It is to be called a few times
// each second, on every server.
func (s *Service) MeetDeadlines(ctx context.Context) error {
	codes, err := s.store.DueRaces(ctx, s.Now())
	if err != nil {
		return err
	}
	failed := make([]error, len(codes)) // one that fails keeps no other from its deadline
	var next atomic.Int64
	var meeting sync.WaitGroup
	for range min(meetAtOnce, len(codes)) {
		meeting.Go(func() { // those that await a next race come last, since a draw may take long
			for i := int(next.Add(1)) - 1; i < len(codes); i = int(next.Add(1)) - 1 {
				_, failed[i] = s.Race(ctx, codes[i])
			}
		})
	}
	meeting.Wait()
	return errors.Join(failed...)
}

// Withdraw takes a player out of all races that are not over: they leave or
// forfeit.
func (s *Service) Withdraw(ctx context.Context, playerID string) error {
	codes, err := s.store.UnfinishedRaces(ctx, playerID)
	if err != nil {
		return err
	}
	var failed error
	for _, code := range codes {
		_, err := s.change(ctx, code, func(r Race, now time.Time) (Race, []Event, error) {
			kind := ActLeave
			if r, _ := r.Advance(now); r.State == Running {
				kind = ActForfeit
			}
			return r.Do(Act{Kind: kind, Player: account.Player{ID: playerID}}, now)
		})
		if err != nil && !errors.As(err, new(*StateError)) && !errors.Is(err, ErrStranger) { // they are out of it by now
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// List returns a page of the races that all may see.
func (s *Service) List(ctx context.Context, q ListQuery) (Page, error) {
	return s.store.ListRaces(ctx, q)
}

// Ratings returns a page of the players' ratings.
func (s *Service) Ratings(ctx context.Context, q RatingQuery) (RatingPage, error) {
	return s.store.Ratings(ctx, q, s.Now())
}

// PlayerRatings returns all ratings of a player.
func (s *Service) PlayerRatings(ctx context.Context, playerID string) ([]RatingRow, error) {
	return s.store.PlayerRatings(ctx, playerID)
}

// LogsPublic reports whether everybody may see the logs of a race: when it is
// over, unless something else seals its seed.
func (s *Service) LogsPublic(ctx context.Context, r Race) (bool, error) {
	if r.State != Finished {
		return false, nil
	}
	if !r.SeedNamed { // nobody else has the seed
		return true, nil
	}
	sealed, err := s.store.LogsSealed(ctx, r, s.Now())
	return !sealed, err
}

const (
	// Drawing a deal that can be won takes milliseconds, in rare cases more.
	drawTime   = 2 * time.Second
	decideTime = drawTime / 4
	drawMemory = 64 << 20 // bytes
)

// draw draws a fresh seed whose deal can be won. The error is ErrDrawing where
// that takes too long.
func (s *Service) draw(ctx context.Context, v engine.Variant) (engine.Seed, error) {
	asked := ctx
	ctx, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		seed := freshSeed()
		a, err := solver.Decide(ctx, v, engine.Deal(v, seed), solver.Budget{Time: decideTime, Memory: drawMemory}, solver.Watch{})
		if err != nil {
			return "", err
		}
		if a.Verdict == solver.Won {
			return seed, nil
		}
	}
	if asked.Err() != nil {
		return "", asked.Err()
	}
	return "", ErrDrawing
}

// freshSeed draws a seed of 130 random bits.
func freshSeed() engine.Seed { return engine.Seed("race-" + strings.ToLower(rand.Text())) }

// newCode draws the code of a race: six of a to z.
func newCode() string {
	code := make([]byte, 6)
	rand.Read(code) // never fails
	for i, b := range code {
		code[i] = 'a' + b%26 // some letters are a little more likely
	}
	return string(code)
}
