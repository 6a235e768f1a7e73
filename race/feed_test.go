package race

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shelf is a database with one race in it, which ana and ben are racing in. It
// keeps as much as feeds need.
type shelf struct {
	mu      sync.Mutex
	race    Race
	events  []Event
	changed time.Time
	begun   time.Time // by the clock of the machine
}

func newShelf(t *testing.T) *shelf {
	g := runningGame(t, terms())
	return &shelf{race: g.Race, events: g.events, changed: g.now, begun: time.Now()}
}

// link is the way of one server to a shelf.
type link struct {
	Store // what feeds don't need
	*shelf

	away    atomic.Bool  // nothing comes through
	reading func()       // comes before each reading of events, if it is set
	read    func()       // comes after each reading of the race, if it is set
	refusal error        // of Listen
	heard   chan int     // the versions that Listen tells of; 0 ends it; nil if it can't hear
	listens atomic.Int32 // how often Listen was called
	polls   atomic.Int32 // how often ChangedRaces was
}

var errAway = errors.New("the database is away")

// serve starts a server with a link of its own.
func (s *shelf) serve() (*Service, *link) {
	l := &link{shelf: s, heard: make(chan int)}
	return NewService(l, Options{Now: s.now, Log: slog.New(slog.DiscardHandler)}), l
}

// now goes on from the start of the race.
func (s *shelf) now() time.Time { return start.Add(countdownFor + time.Since(s.begun)) }

func (l *link) Race(ctx context.Context, code string) (Race, error) {
	if l.read != nil {
		defer l.read()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.away.Load():
		return Race{}, errAway
	case code != l.race.Code:
		return Race{}, ErrNotFound
	}
	return l.race, ctx.Err()
}

func (l *link) SaveRace(_ context.Context, c Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.away.Load():
		return errAway
	case c.From != l.race.Version:
		return ErrConflict
	}
	l.race, l.events, l.changed = c.Race, append(l.events, c.Events...), c.At
	return nil
}

func (l *link) RaceEvents(_ context.Context, _ string, version int) ([]Event, error) {
	if l.reading != nil {
		l.reading()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away.Load() {
		return nil, errAway
	}
	return slices.Clone(l.events[min(max(0, version), len(l.events)):]), nil
}

func (l *link) ChangedRaces(_ context.Context, since time.Time) (map[string]int, error) {
	l.polls.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.away.Load():
		return nil, errAway
	case l.changed.Before(since):
		return nil, nil
	}
	return map[string]int{l.race.Code: l.race.Version}, nil
}

func (l *link) Listen(ctx context.Context, wake func(string, int)) error {
	l.listens.Add(1)
	if l.refusal != nil || l.heard == nil {
		return l.refusal
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case version := <-l.heard:
			if version == 0 {
				return errAway
			}
			wake("abcdef", version)
		}
	}
}

// watch watches the race. The channel has one in it when there may be something
// new.
func watch(s *Service, code string) (w *Watcher, changed chan struct{}) {
	changed = make(chan struct{}, 1)
	return s.Watch(code, func() {
		select {
		case changed <- struct{}{}:
		default: // told already
		}
	}), changed
}

// tellOf tells of n games of ana's, one after the other.
func tellOf(t *testing.T, s *Service, n int) {
	t.Helper()
	for range n {
		r, err := s.Race(t.Context(), "abcdef")
		if err != nil {
			t.Fatal(err)
		}
		log := "R"
		if r.Entrants[0].Log == log {
			log = "R R"
		}
		if _, err := s.Act(t.Context(), "abcdef", Act{Kind: ActProgress, Player: ana, Log: log}); err != nil {
			t.Fatal(err)
		}
	}
}

// since wants what came after a version, no more and no less.
func since(t *testing.T, s *Service, w *Watcher, shelf *shelf, version int) {
	t.Helper()
	r, events, err := s.Since(t.Context(), w, version)
	if err != nil || r != shelf.race {
		t.Fatalf("since %d: version %d of %d, %v", version, r.Version, shelf.race.Version, err)
	}
	for all := max(0, version) + len(events); all < r.Version; all = max(0, version) + len(events) { // told in parts
		_, more, err := s.Since(t.Context(), w, all)
		if err != nil || len(more) == 0 {
			t.Fatalf("since %d: %d events, %v", all, len(more), err)
		}
		events = slices.Concat(events, more)
	}
	if want := shelf.events[max(0, version):]; !slices.Equal(want, events) {
		t.Errorf("since %d (-want +got):\n%s", version, cmp.Diff(want, events))
	}
}

// Also what is longer ago than the feed remembers is told in full.
func TestSinceAnyVersion(t *testing.T) {
	shelf := newShelf(t)
	s, _ := shelf.serve()
	w, _ := watch(s, "abcdef")
	defer s.Unwatch(w)
	for _, n := range []int{0, 1, 3, mostKept, 1, mostKept + 50, 10} {
		tellOf(t, s, n)
		for version := -1; version < shelf.race.Version; version += 1 + shelf.race.Version/20 {
			since(t, s, w, shelf, version)
		}
		since(t, s, w, shelf, shelf.race.Version)
	}
	if kept := len(w.feed.events); kept > 2*mostKept {
		t.Errorf("%d events are kept", kept)
	}
	if _, events, err := s.Since(t.Context(), w, shelf.race.Version+1); err != nil || events != nil {
		t.Errorf("since a version to come: %v, %v", events, err)
	}
}

// Case M16: while changes come in, everybody gets each event once and in order,
// from wherever they begin.
func TestSinceWhileChangesComeIn(t *testing.T) {
	const changes = 2 * mostKept
	shelf := newShelf(t)
	here, _ := shelf.serve()
	there, _ := shelf.serve()
	last := shelf.race.Version + changes
	got := make([][]Event, 20)
	var reading sync.WaitGroup
	for i := range got {
		w, changed := watch(here, "abcdef")
		reading.Go(func() {
			defer here.Unwatch(w)
			for version := i % 5; ; <-changed {
				for caughtUp := false; !caughtUp; {
					r, events, err := here.Since(t.Context(), w, version)
					if err != nil || r.Version-version != len(events) && len(events) < mostKept {
						t.Errorf("from version %d to %d by %d events, %v", version, r.Version, len(events), err)
						return
					}
					version, got[i] = version+len(events), append(got[i], events...)
					caughtUp = version == r.Version
				}
				if version == last {
					return
				}
			}
		})
	}
	for range changes {
		tellOf(t, there, 1)
		here.feeds.wake("abcdef", shelf.race.Version)
	}
	reading.Wait()
	for i, events := range got {
		if diff := cmp.Diff(shelf.events[i%5:], events); diff != "" {
			t.Errorf("watcher %d (-want +got):\n%s", i, diff)
		}
	}
}

// Case M15: nobody waits for who never reads, nor for who is far behind and
// reads slowly.
func TestNobodyWaitsForAWatcher(t *testing.T) {
	shelf := newShelf(t)
	s, way := shelf.serve()
	there, _ := shelf.serve()
	_, toNever := watch(s, "abcdef")
	slow, toSlow := watch(s, "abcdef")
	quick, toQuick := watch(s, "abcdef")
	since(t, s, quick, shelf, shelf.race.Version)
	begun, end := make(chan struct{}), make(chan struct{})
	var once sync.Once
	way.reading = func() {
		once.Do(func() {
			close(begun)
			<-end
		})
	}
	var reading sync.WaitGroup
	version := shelf.race.Version
	reading.Go(func() {
		if r, events, err := s.Since(t.Context(), slow, 0); err != nil || r.Version != version || len(events) != version {
			t.Errorf("version %d by %d events, %v", r.Version, len(events), err)
		}
	})
	<-begun
	since(t, s, quick, shelf, version)
	tellOf(t, there, 1) // which the slow one then finds, and hasn't asked for
	close(end)
	reading.Wait()
	tellOf(t, s, 3)
	since(t, s, quick, shelf, version)
	for _, changed := range []chan struct{}{toNever, toSlow, toQuick} {
		if len(changed) != 1 {
			t.Errorf("told %d times of what wasn't read", len(changed))
		}
	}
}

// What comes while a race is read, or while it can't be read, is read then.
func TestNothingIsMissedWhileReading(t *testing.T) {
	shelf := newShelf(t)
	here, way := shelf.serve()
	there, _ := shelf.serve()
	w, changed := watch(here, "abcdef")
	version := shelf.race.Version
	way.read = func() {
		tellOf(t, there, 1)
		here.feeds.wake("abcdef", shelf.race.Version)
	}
	if r, _, err := here.Since(t.Context(), w, version); err != nil || r.Version >= shelf.race.Version {
		t.Errorf("version %d of %d, %v", r.Version, shelf.race.Version, err)
	}
	way.read = nil
	<-changed
	since(t, here, w, shelf, version)

	tellOf(t, here, 1)
	way.away.Store(true)
	if r, events, err := here.Since(t.Context(), w, version); err != errAway || r != (Race{}) || events != nil {
		t.Errorf("while it is away: %v, %v, %v", r, events, err)
	}
	way.away.Store(false)
	since(t, here, w, shelf, version)
}

// Whoever knows a version already is not told of it.
func TestOnlyNewsWakes(t *testing.T) {
	shelf := newShelf(t)
	s, _ := shelf.serve()
	w, changed := watch(s, "abcdef")
	since(t, s, w, shelf, 0)
	version := shelf.race.Version
	s.feeds.wake("abcdef", version)
	s.feeds.wake("abcdef", version-1)
	s.feeds.wake("ghijkl", version+1)
	if len(changed) != 0 {
		t.Error("told of nothing")
	}
	s.feeds.wake("abcdef", version+1)
	if len(changed) != 1 {
		t.Error("not told")
	}
}

func TestUnwatchLeavesNothing(t *testing.T) {
	shelf := newShelf(t)
	s, _ := shelf.serve()
	first, toFirst := watch(s, "abcdef")
	second, _ := watch(s, "abcdef")
	other, _ := watch(s, "ghijkl")
	since(t, s, first, shelf, 0)
	if first.feed != second.feed || first.feed == other.feed {
		t.Error("a race is read once for all who watch it")
	}
	s.Unwatch(first)
	s.Unwatch(first)
	since(t, s, second, shelf, 0)
	s.Unwatch(second)
	third, toThird := watch(s, "abcdef")
	s.Unwatch(second) // is not the third
	tellOf(t, s, 1)
	if len(toThird) != 1 || len(toFirst) != 0 {
		t.Error("who watches is told, and nobody else")
	}
	since(t, s, third, shelf, 0)
	s.Unwatch(third)
	s.Unwatch(other)
	if !s.feeds.none() {
		t.Errorf("left over: %v", s.feeds.byCode)
	}
}

// running lets a server hear of others for the time of f.
func running(t *testing.T, s *Service, f func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { s.Run(ctx) })
	defer run.Wait()
	defer stop()
	f()
}

// catchesUp wants a watcher who knows the version before the last to be told of
// that within a time. They may be told more often than there is something new.
func catchesUp(t *testing.T, s *Service, w *Watcher, changed <-chan struct{}, shelf *shelf, within time.Duration) {
	t.Helper()
	late := time.After(within + time.Millisecond)
	for version := shelf.race.Version - 1; ; {
		if r, _, err := s.Since(t.Context(), w, version); err != nil || r == shelf.race {
			since(t, s, w, shelf, version)
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("not told within %v", within)
		}
	}
}

// Case M25: whatever becomes of listening, watchers learn of what other servers
// do within two seconds.
func TestWatchersHearOfOtherServers(t *testing.T) {
	tests := []struct {
		name    string
		refusal error
		heard   bool
		again   bool // it tries to listen
	}{
		{"the database can't tell", nil, false, false},
		{"behind a pooler", ErrPolled, false, false},
		{"there is no session", errAway, false, true},
		{"it is heard", nil, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shelf := newShelf(t)
				here, way := shelf.serve()
				there, _ := shelf.serve()
				if way.refusal = test.refusal; !test.heard {
					way.heard = nil
				}
				w, changed := watch(here, "abcdef")
				since(t, here, w, shelf, 0)
				running(t, here, func() {
					for range 5 {
						time.Sleep(pollEvery + time.Second)
						tellOf(t, there, 1)
						if test.heard {
							way.heard <- shelf.race.Version
							catchesUp(t, here, w, changed, shelf, 0)
						} else {
							catchesUp(t, here, w, changed, shelf, pollEvery)
						}
					}
				})
				if n := way.listens.Load(); n != 1 && !test.again || n < 5 && test.again {
					t.Errorf("it has listened %d times", n)
				}
			})
		})
	}
}

// A session that listens and breaks off is begun anew.
func TestListeningIsBegunAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := newShelf(t)
		here, way := shelf.serve()
		there, _ := shelf.serve()
		w, changed := watch(here, "abcdef")
		since(t, here, w, shelf, 0)
		running(t, here, func() {
			time.Sleep(time.Second)
			for range 3 {
				tellOf(t, there, 1)
				way.heard <- shelf.race.Version
				catchesUp(t, here, w, changed, shelf, 0)
				way.heard <- 0
				time.Sleep(pollEvery)
			}
		})
		if n := way.listens.Load(); n != 4 {
			t.Errorf("it has listened %d times", n)
		}
	})
}

// What happens while the database is out of reach, for however long, is heard
// when it is back.
func TestWatchersCatchUp(t *testing.T) {
	for _, away := range []time.Duration{time.Second, 5 * time.Second, 5 * time.Minute} {
		t.Run(away.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shelf := newShelf(t)
				here, way := shelf.serve()
				way.heard = nil
				there, _ := shelf.serve()
				w, changed := watch(here, "abcdef")
				since(t, here, w, shelf, 0)
				running(t, here, func() {
					time.Sleep(time.Minute + time.Second)
					way.away.Store(true)
					tellOf(t, there, 1)
					here.feeds.wake("abcdef", shelf.race.Version)
					<-changed
					if _, _, err := here.Since(t.Context(), w, 0); err != errAway {
						t.Errorf("while it is away: %v", err)
					}
					time.Sleep(away)
					way.away.Store(false)
					select {
					case <-changed:
					case <-time.After(pollEvery + time.Millisecond):
						t.Error("not told again")
					}
					since(t, here, w, shelf, shelf.race.Version-1)
				})
			})
		})
	}
}

// What is told late, as a deadline that nobody was there for, is heard like what
// happens now.
func TestWatchersHearWhatIsToldLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := newShelf(t)
		here, way := shelf.serve()
		way.heard = nil
		there, _ := shelf.serve()
		w, changed := watch(here, "abcdef")
		since(t, here, w, shelf, 0)
		running(t, here, func() {
			time.Sleep(time.Until(shelf.begun.Add(terms().TimeLimit + time.Minute)))
			if r, err := there.Race(t.Context(), "abcdef"); err != nil || r.State != Finished {
				t.Errorf("the race is %s, %v", r.State, err)
			}
			catchesUp(t, here, w, changed, shelf, pollEvery)
		})
	})
}

// A server on which nobody watches doesn't ask what is new.
func TestNobodyWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, way := newShelf(t).serve()
		running(t, s, func() {
			time.Sleep(time.Minute + time.Second)
			if n := way.polls.Load(); n != 0 {
				t.Errorf("it has asked %d times", n)
			}
			w, _ := watch(s, "abcdef")
			time.Sleep(time.Minute)
			if n := way.polls.Load(); n != 30 {
				t.Errorf("it has asked %d times for one who watches", n)
			}
			s.Unwatch(w)
			time.Sleep(time.Minute)
			if n := way.polls.Load(); n != 30 {
				t.Errorf("it has asked %d times after that", n)
			}
		})
	})
}
