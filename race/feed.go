package race

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// feeds tells those who watch races that these have changed. What has changed
// is read from the database, once for all who watch a race here.
type feeds struct {
	mu     sync.Mutex
	byCode map[string]*feed
}

func newFeeds() feeds { return feeds{byCode: map[string]*feed{}} }

// feed is a race that somebody watches.
type feed struct {
	watchers map[*Watcher]struct{} // guarded by feeds.mu
	stale    atomic.Bool           // the race may have changed since it was read
	version  atomic.Int64          // of race

	mu     sync.Mutex // held while the database is read
	race   Race
	events []Event // the last ones, up to race
}

// mostKept is how many events a feed keeps. Who is further behind reads them
// from the database.
const mostKept = 256

// Watcher watches a race.
type Watcher struct {
	code string
	feed *feed
	wake func() // called when there may be something new
}

// Watch begins to watch a race. The caller ends it by Unwatch, and wake waits
// for nothing, since all who watch are told in turn.
func (s *Service) Watch(code string, wake func()) *Watcher {
	w := &Watcher{code: code, wake: wake}
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	if w.feed = s.feeds.byCode[code]; w.feed == nil {
		w.feed = &feed{watchers: map[*Watcher]struct{}{}}
		w.feed.stale.Store(true)
		s.feeds.byCode[code] = w.feed
	}
	w.feed.watchers[w] = struct{}{}
	return w
}

// Unwatch ends watching.
func (s *Service) Unwatch(w *Watcher) {
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	delete(w.feed.watchers, w)
	if len(w.feed.watchers) == 0 && s.feeds.byCode[w.code] == w.feed {
		delete(s.feeds.byCode, w.code)
	}
}

// wake tells those who watch a race that it has come to a version.
func (f *feeds) wake(code string, version int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	feed := f.byCode[code]
	if feed == nil || feed.version.Load() >= int64(version) {
		return
	}
	feed.stale.Store(true)
	for w := range feed.watchers {
		w.wake()
	}
}

// Since returns the race and the events that led to its versions above the
// given one, or the first 256 of them. The error is ErrNotFound.
func (s *Service) Since(ctx context.Context, w *Watcher, version int) (Race, []Event, error) {
	r, events, err := s.latest(ctx, w)
	if err != nil {
		return Race{}, nil, err
	}
	behind := r.Version - version
	switch {
	case behind <= 0:
		return r, nil, nil
	case behind <= len(events):
		events = events[len(events)-behind:]
		return r, events[:min(len(events), mostKept)], nil
	}
	events, err = s.store.RaceEvents(ctx, w.code, version) // while others go on
	if len(events) > behind {                              // there are newer ones than the race that was read
		events = events[:behind]
	}
	return r, events, err
}

// latest returns the race and the last events, up to it.
func (s *Service) latest(ctx context.Context, w *Watcher) (Race, []Event, error) {
	f := w.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stale.Load() {
		if err := s.read(ctx, f, w.code); err != nil {
			return Race{}, nil, err
		}
	}
	return f.race, f.events, nil
}

// read reads what is new. A change that comes meanwhile makes the feed stale
// again, since the reading has begun before it.
func (s *Service) read(ctx context.Context, f *feed, code string) error {
	f.stale.Store(false)
	r, err := s.Race(ctx, code)
	var events []Event
	if err == nil && f.race.Version > 0 && r.Version > f.race.Version {
		events, err = s.store.RaceEvents(ctx, code, f.race.Version)
		events = events[:min(len(events), r.Version-f.race.Version)]
		if len(events) < r.Version-f.race.Version { // more than are read at once; watchers read them for themselves
			f.events, events = nil, nil
		}
	}
	if err != nil {
		f.stale.Store(true)
		return err
	}
	f.race, f.events = r, slices.Concat(f.events[max(0, len(f.events)-mostKept):], events)
	f.version.Store(int64(r.Version))
	return nil
}

const (
	pollEvery = 2 * time.Second  // beside Listen, and all there is where that can't be
	pollBack  = 10 * time.Second // how far a transaction may be behind its own time
)

// Run hears of what other servers do, until ctx ends. Watchers learn of it
// within a few seconds also where the database can't tell.
func (s *Service) Run(ctx context.Context) {
	var listening sync.WaitGroup
	listening.Go(func() { s.listen(ctx) })
	defer listening.Wait()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for polled := s.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			now := s.Now()
			if err := s.poll(ctx, polled.Add(-pollBack)); err == nil {
				polled = now
			} else if ctx.Err() == nil {
				s.options.Log.Warn("races aren't polled", "error", err)
			}
		}
	}
}

// listen listens again and again.
func (s *Service) listen(ctx context.Context) {
	for {
		err := s.store.Listen(ctx, s.feeds.wake)
		if ctx.Err() != nil || err == nil {
			return
		}
		s.options.Log.Warn("races are polled: the database doesn't tell of changes", "error", err)
		if errors.Is(err, ErrPolled) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollEvery):
		}
	}
}

// poll wakes those whose races have changed since then.
func (s *Service) poll(ctx context.Context, since time.Time) error {
	if s.feeds.none() {
		return nil
	}
	versions, err := s.store.ChangedRaces(ctx, since)
	for code, version := range versions {
		s.feeds.wake(code, version)
	}
	return err
}

func (f *feeds) none() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.byCode) == 0
}
