package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cruel/account"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/race"
)

// follower reads a race as those do who watch it.
type follower struct {
	*race.Service
	w       *race.Watcher
	changed chan struct{}
	race    race.Race
	events  []race.Event
}

func follow(s *race.Service, code string) *follower {
	f := &follower{Service: s, changed: make(chan struct{}, 1)}
	f.w = s.Watch(code, func() {
		select {
		case f.changed <- struct{}{}:
		default: // told already
		}
	})
	return f
}

// read takes what is new.
func (f *follower) read(ctx context.Context) error {
	r, events, err := f.Since(ctx, f.w, f.race.Version)
	if err == nil && r.Version-f.race.Version != len(events) {
		err = fmt.Errorf("from version %d to %d by %d events", f.race.Version, r.Version, len(events))
	}
	if err == nil {
		f.race, f.events = r, append(f.events, events...)
	}
	return err
}

// until reads until the race is over or has come to a version.
func (f *follower) until(ctx context.Context, version int) error {
	err := f.read(ctx)
	for err == nil && f.race.Version < version && !f.race.Over() {
		select {
		case <-f.changed:
			err = f.read(ctx)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return err
}

// Case M15: fifty watch a race, and one of them never reads. The others see
// every event once and in order, and nobody waits.
func TestManyWatchOneRace(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		r := s.running(ana, ben, s.terms())
		never := s.one.Watch(r.Code, func() {})
		defer s.one.Unwatch(never)
		followers := make([]*follower, 50)
		var reading sync.WaitGroup
		for i := range followers {
			followers[i] = follow(s.one, r.Code)
			reading.Go(func() {
				defer s.one.Unwatch(followers[i].w)
				if err := followers[i].until(t.Context(), 1000); err != nil {
					t.Error(err)
				}
			})
		}
		for n := range 20 {
			s.act(r.Code, race.ActProgress, ana, firstMoves(s.deal.Log, n+1))
		}
		s.winBy(r, ben, ana)
		reading.Wait()
		want, events := s.kept(r.Code), s.events(r.Code)
		for i, f := range followers {
			if f.race != want || !slices.Equal(f.events, events) {
				t.Errorf("watcher %d sees another race (-want +got):\n%s%s", i, cmp.Diff(want, f.race), cmp.Diff(events, f.events))
			}
		}
	})
}

// Case M16: whatever version somebody has, they get exactly what came after it.
func TestSinceAnyVersion(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		r := s.running(ana, ben, s.terms())
		w := s.one.Watch(r.Code, func() {}) // it knows nothing of what was before
		defer s.one.Unwatch(w)
		for n := range 5 {
			r = s.act(r.Code, race.ActProgress, ana, firstMoves(s.deal.Log, n+1))
			events := s.events(r.Code)
			for version := range len(events) + 1 {
				got, since, err := s.one.Since(t.Context(), w, version)
				if err != nil || !cmp.Equal(got, r) {
					t.Fatalf("since %d: %+v, %v", version, got, err)
				}
				if diff := cmp.Diff(events[version:], since, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("since %d of %d: %s", version, len(events), diff)
				}
			}
			if _, since, err := s.one.Since(t.Context(), w, r.Version+3); err != nil || len(since) != 0 {
				t.Errorf("since a version to come: %v, %v", since, err)
			}
		}
		nothing := s.one.Watch("nothing", func() {})
		defer s.one.Unwatch(nothing)
		if _, _, err := s.one.Since(t.Context(), nothing, 0); !errors.Is(err, race.ErrNotFound) {
			t.Errorf("of no race: %v", err)
		}
	})
}

// A request that ends takes nothing from the watchers after it, who see what
// comes of deadlines, too.
func TestWatchersCatchUp(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		r := s.counting(s.racer("ana"), s.racer("ben"), s.terms())
		f := follow(s.two, r.Code)
		defer s.two.Unwatch(f.w)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for _, due := range []time.Time{s.now(), r.StartsAt, r.EndsAt} {
			s.set(due)
			if err := s.two.MeetDeadlines(t.Context()); err != nil {
				t.Error(err)
			}
			for range 2 {
				if err := f.read(gone); !errors.Is(err, context.Canceled) {
					t.Errorf("the request has ended: %v", err)
				}
			}
			if err := f.read(t.Context()); err != nil || !cmp.Equal(s.kept(r.Code), f.race) {
				t.Errorf("the race is %+v, %v", f.race, err)
			}
		}
		if diff := cmp.Diff(s.events(r.Code), f.events); diff != "" || f.race.State != race.Finished {
			t.Error(diff)
		}
	})
}

// What is told late, as a deadline that nobody was there for, is new when it is
// told.
func TestChangedRacesHasWhatIsToldLate(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		s.offer(ana, s.terms())
		r := s.counting(ana, ben, s.terms())
		s.set(r.StartsAt.Add(time.Minute))
		since := s.now()
		if got, err := s.db.ChangedRaces(t.Context(), since); err != nil || len(got) != 0 {
			t.Errorf("before: %v, %v", got, err)
		}
		if _, err := s.one.Race(t.Context(), r.Code); err != nil {
			t.Error(err)
		}
		got, err := s.db.ChangedRaces(t.Context(), since)
		if diff := cmp.Diff(map[string]int{r.Code: r.Version + 1}, got); err != nil || diff != "" {
			t.Errorf("%s, %v", diff, err)
		}
	})
}

// postgresTrack runs on Postgres only.
func postgresTrack(t *testing.T) *track {
	t.Helper()
	d := open(t, dbtest.Postgres(t))
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return newTrack(t, newSite(t, d))
}

// listener returns when a session listens, and which.
func (s *track) listener() (pid int) {
	s.t.Helper()
	s.until("a session listens", func() bool {
		pid = s.count(`
			SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND query = 'LISTEN cruel_races' AND state = 'idle'`)
		return pid != 0
	})
	return pid
}

// kill ends a session, and returns when it has ended.
func (s *track) kill(pid int) {
	s.t.Helper()
	exec(s.t, s.db, `SELECT pg_terminate_backend($1, 60000)`, pid)
}

// told is what a database tells those who listen.
type told struct {
	code    string
	version int
}

// soon receives what is to come.
func soon[T any](t *testing.T, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatal("nothing comes")
	}
	return got
}

// Postgres tells every server of every change, whichever makes it, until the
// session ends.
func TestListen(t *testing.T) {
	s := postgresTrack(t)
	ana, ben := s.racer("ana"), s.racer("ben")
	r := s.running(ana, ben, s.terms())
	heard, ended := make(chan told, 100), make(chan error, 1)
	go func() {
		ended <- s.db.Listen(t.Context(), func(code string, version int) { heard <- told{code, version} })
	}()
	pid := s.listener()
	for i := range 4 {
		after, err := s.server(i).Act(t.Context(), r.Code, race.Act{Kind: race.ActProgress, Player: ana, Log: firstMoves(s.deal.Log, i+1)})
		if err != nil {
			t.Fatal(err)
		}
		if got := soon(t, heard); got != (told{r.Code, after.Version}) {
			t.Errorf("heard of %+v, want version %d", got, after.Version)
		}
	}
	// What is refused is no news, and other talk is none.
	if _, err := s.two.Act(t.Context(), r.Code, by(race.ActReady, ana)); err == nil {
		t.Error("ready for a race that is running")
	}
	exec(t, s.db, `SELECT pg_notify('cruel_races', 'nonsense')`)
	after := s.act(r.Code, race.ActForfeit, ben, "")
	if got := soon(t, heard); got != (told{r.Code, after.Version}) {
		t.Errorf("heard of %+v, want version %d", got, after.Version)
	}
	s.kill(pid)
	if err := soon(t, ended); !errors.Is(err, account.ErrUnavailable) {
		t.Errorf("the session has ended: %v", err)
	}
}

// Where nothing can be heard, Listen says so at once.
func TestListenWhereNothingCanBeHeard(t *testing.T) {
	never := func(code string, version int) { t.Errorf("heard of %s", code) }
	if err := dbtest.Open(t).Listen(t.Context(), never); err != nil {
		t.Errorf("SQLite: %v", err)
	}
	dsn := dbtest.Postgres(t)
	for _, mode := range []string{"exec", "simple_protocol"} {
		pooled := open(t, dsn+"&default_query_exec_mode="+mode)
		if err := pooled.Listen(t.Context(), never); !errors.Is(err, race.ErrPolled) {
			t.Errorf("mode %s: %v", mode, err)
		}
	}
}

// Case M25: watchers learn what another server does, also when the session that
// listens breaks off, and where there is none.
func TestWatchersHearOfOtherServers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTrack(t, newSite(t, d))
		ana, ben := s.racer("ana"), s.racer("ben")
		r := s.running(ana, ben, s.terms())
		ctx, stop := context.WithTimeout(t.Context(), patience)
		var running sync.WaitGroup
		running.Go(func() { s.two.Run(ctx) })
		defer running.Wait()
		defer stop()
		f := follow(s.two, r.Code)
		defer s.two.Unwatch(f.w)
		if err := f.read(ctx); err != nil {
			t.Error(err)
		}
		rounds := 1 // of polling
		if s.onPostgres() {
			rounds = 4
		}
		for i := range rounds {
			if rounds > 1 {
				if pid := s.listener(); i == 2 {
					s.kill(pid)
				}
			}
			r = s.act(r.Code, race.ActProgress, ana, firstMoves(s.deal.Log, i+1))
			if err := f.until(ctx, r.Version); err != nil || !cmp.Equal(r, f.race) {
				t.Fatalf("the race is %+v, %v", f.race, err)
			}
		}
		if diff := cmp.Diff(s.events(r.Code), f.events); diff != "" {
			t.Error(diff)
		}
	})
}

// The clock of a database on this machine is that of this machine.
func TestOffset(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		asked := time.Now()
		offset, err := d.Offset(t.Context())
		if took := time.Since(asked); err != nil || offset.Abs() > took {
			t.Errorf("it is ahead by %v, seen within %v, %v", offset, took, err)
		}
	})
}
