package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cruel/account"
	"cruel/db"
	"cruel/engine"
	"cruel/race"
	"cruel/replay"
)

// track is races on two servers, each with connections of its own to one
// database, and challenges beside them. They share a clock that the test sets.
type track struct {
	*site
	one, two *race.Service
	far      *db.DB // the connections of two
	deal     game   // a win that is known
	ticking  atomic.Bool
	codes    int
}

func eachTrack(t *testing.T, f func(t *testing.T, s *track)) {
	t.Helper()
	eachSite(t, func(t *testing.T, site *site) { f(t, newTrack(t, site)) })
}

func newTrack(t *testing.T, site *site) *track {
	t.Helper()
	// Deals of this variant are drawn quickly, also under the race detector.
	s := &track{site: site, far: open(t, site.db.Source()), deal: winsOf(t, "ripple-fan")[0]}
	s.one, s.two = s.serve(s.db), s.serve(s.far)
	return s
}

// serve starts a server.
func (s *track) serve(store race.Store) *race.Service {
	return race.NewService(store, race.Options{Log: slog.New(slog.DiscardHandler), Now: func() time.Time {
		if s.ticking.Load() {
			s.pass(time.Millisecond)
		}
		return s.options().Now()
	}})
}

// server returns the one or the other.
func (s *track) server(i int) *race.Service { return [...]*race.Service{s.one, s.two}[i%2] }

// racer makes a player with a password.
func (s *track) racer(name string) account.Player {
	s.t.Helper()
	err := plant(s.t, s.db, `
		INSERT INTO players (id, name, name_key, password, recovery, created_at) VALUES ($1, $1, $1, 'x', $2, $3)`,
		name, []byte("x"), noon.UnixMilli())
	if err != nil {
		s.t.Fatal(err)
	}
	return account.Player{ID: name, Name: name, CreatedAt: noon}
}

// terms are those of a race on the deal whose win is known.
func (s *track) terms() race.Terms {
	v, err := engine.ParseVariant(s.deal.Variant)
	if err != nil {
		s.t.Fatal(err)
	}
	return race.Terms{
		Variant: v, Goal: race.FewestMoves, Visibility: race.OpenToAll, TimeLimit: 10 * time.Minute, BestOf: 1, Seed: s.deal.Seed,
	}
}

func (s *track) firstWin() race.Terms {
	t := s.terms()
	t.Goal = race.FirstWin
	return t
}

func (s *track) bestOf(games int) race.Terms {
	t := s.terms()
	t.BestOf = games
	return t
}

// runs is how often something is done to see that it always comes out well. The
// race detector makes SQLite slow, and one writer waits for the other there.
func (s *track) runs(n int) int {
	if s.onPostgres() {
		return n
	}
	return n / 16
}

func (s *track) onPostgres() bool { return strings.HasPrefix(s.db.Source(), "postgres") }

// code returns the next one that no race has; later ones come later in order.
func (s *track) code() string {
	s.codes++
	return fmt.Sprintf("race%04d", s.codes)
}

// offer makes a race as if the server had drawn the deal of the terms, unless
// they say otherwise.
func (s *track) offer(creator account.Player, t race.Terms) race.Race {
	s.t.Helper()
	r, events, err := race.New(s.code(), creator, t, s.now())
	if err == nil {
		err = s.db.CreateRace(s.t.Context(), r, events)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// starts is no act: it lets time pass until the race starts.
var starts = race.Act{Kind: "starts"}

// after does acts in a race, and keeps all of that at once.
func (s *track) after(r race.Race, acts ...race.Act) race.Race {
	s.t.Helper()
	before := r.Version
	var events []race.Event
	for _, a := range acts {
		var told []race.Event
		var err error
		if a == starts {
			s.set(r.StartsAt)
			r, told = r.Advance(s.now())
		} else if r, told, err = r.Do(a, s.now()); err != nil {
			s.t.Fatal(err)
		}
		events = append(events, told...)
	}
	if err := s.db.SaveRace(s.t.Context(), race.Change{From: before, Race: r, Events: events, At: s.now()}); err != nil {
		s.t.Fatal(err)
	}
	return r
}

func by(kind race.ActKind, p account.Player) race.Act { return race.Act{Kind: kind, Player: p} }

// counting makes a race that both are ready for.
func (s *track) counting(a, b account.Player, t race.Terms) race.Race {
	s.t.Helper()
	return s.after(s.offer(a, t), by(race.ActJoin, b), by(race.ActReady, a), by(race.ActReady, b))
}

// running makes a race that has just begun.
func (s *track) running(a, b account.Player, t race.Terms) race.Race {
	s.t.Helper()
	return s.after(s.offer(a, t), by(race.ActJoin, b), by(race.ActReady, a), by(race.ActReady, b), starts)
}

// act does an act that must be taken, on one of the servers.
func (s *track) act(code string, kind race.ActKind, p account.Player, log string) race.Race {
	s.t.Helper()
	r, err := s.one.Act(s.t.Context(), code, race.Act{Kind: kind, Player: p, Log: log})
	if err != nil {
		s.t.Fatalf("%s by %s: %v", kind, p.ID, err)
	}
	return r
}

// kept reads a race from the database, and wants its events to lead to it.
func (s *track) kept(code string) race.Race {
	s.t.Helper()
	r, err := s.far.Race(s.t.Context(), code)
	if err != nil {
		s.t.Fatal(err)
	}
	if events := s.events(code); len(events) != r.Version {
		s.t.Errorf("version %d after %d events", r.Version, len(events))
	}
	return r
}

func (s *track) events(code string) []race.Event {
	s.t.Helper()
	events, err := s.far.RaceEvents(s.t.Context(), code, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return events
}

// told wants the kinds of the events of a race to end so.
func (s *track) told(code string, want ...race.EventKind) {
	s.t.Helper()
	var got []race.EventKind
	for _, e := range s.events(code) {
		got = append(got, e.Kind)
	}
	if diff := cmp.Diff(want, got[max(0, len(got)-len(want)):]); diff != "" {
		s.t.Errorf("events of %s (-want +got):\n%s", code, diff)
	}
}

// oneCard is a log that ends with the first card home.
func oneCard(t *testing.T, r race.Race) string {
	t.Helper()
	p := engine.Deal(r.Variant, r.Seed)
	var log []string
	for range 50 {
		moves := engine.LegalMoves(r.Variant, p)
		m := moves[0]
		if i := slices.IndexFunc(moves, func(m engine.Move) bool { return m.Kind == engine.PlayMove }); i >= 0 {
			m = moves[i]
		}
		if err := engine.Apply(r.Variant, &p, m); err != nil {
			t.Fatal(err)
		}
		if log = append(log, m.String()); p.Cards() > 4 {
			return strings.Join(log, " ")
		}
	}
	t.Fatalf("no card of %s goes home", r.Seed)
	return ""
}

// firstMoves is the beginning of a log.
func firstMoves(log string, n int) string { return strings.Join(strings.Fields(log)[:n], " ") }

// shadow is a race by its rules alone, beside the one that is kept.
type shadow struct {
	*track
	race   race.Race
	events []race.Event
	acts   int
}

// follow makes a race and the shadow of it.
func (s *track) follow(creator account.Player, t race.Terms) *shadow {
	s.t.Helper()
	r := s.offer(creator, t)
	h := &shadow{track: s, race: r, events: s.events(r.Code)}
	h.compare(r, nil)
	return h
}

// do does an act by the rules, and on one of the servers after the other.
func (h *shadow) do(kind race.ActKind, p account.Player, log string) {
	h.t.Helper()
	a := race.Act{Kind: kind, Player: p, Log: log}
	var err error
	if a.Result, err = replay.Verify(h.race.Variant, h.race.Seed, log); err != nil {
		h.t.Fatal(err)
	}
	want, told, wantErr := h.race.Do(a, h.now())
	h.acts++
	a = race.Act{Kind: kind, Player: account.Player{ID: p.ID}, Log: strings.ReplaceAll(log, " ", "\n")}
	got, err := h.server(h.acts).Act(h.t.Context(), h.race.Code, a)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		h.t.Fatalf("%s by %s: %v; want %v", kind, p.ID, err, wantErr)
	}
	h.compare(want, told)
	if err == nil && got != h.race {
		h.t.Errorf("the answer to %s (-want +got):\n%s", kind, cmp.Diff(h.race, got))
	}
}

// wait lets time pass and looks at the race.
func (h *shadow) wait(d time.Duration) {
	h.t.Helper()
	h.pass(d)
	if _, err := h.server(h.acts).Race(h.t.Context(), h.race.Code); err != nil {
		h.t.Fatal(err)
	}
	h.compare(h.race.Advance(h.now()))
}

// compare wants the race and all its events to be kept as the rules say.
func (h *shadow) compare(want race.Race, told []race.Event) {
	h.t.Helper()
	got := h.kept(h.race.Code)
	if want.NextOpens() {
		next, also, err := want.FollowedBy(got.NextCode, h.now())
		if err != nil || got.NextCode == "" {
			h.t.Fatalf("no race follows: %v", err)
		}
		want, told = next, append(told, also...)
	}
	for seat := range want.Entrants {
		e, kept := &want.Entrants[seat], got.Entrants[seat]
		if rated := want.Rated && want.State == race.Finished; rated != (kept.RatingAfter != 0) || rated != (kept.RatingBefore != 0) {
			h.t.Errorf("seat %d went from %v to %v; rated is %v", seat, kept.RatingBefore, kept.RatingAfter, rated)
		}
		e.RatingBefore, e.RatingAfter = kept.RatingBefore, kept.RatingAfter
	}
	if want != got {
		h.t.Fatalf("the race is kept otherwise (-want +got):\n%s", cmp.Diff(want, got))
	}
	h.race, h.events = want, append(h.events, told...)
	if events := h.track.events(h.race.Code); !slices.Equal(h.events, events) {
		h.t.Fatalf("its events are kept otherwise (-want +got):\n%s", cmp.Diff(h.events, events))
	}
}

// A race is kept as it is, at every step of its life, with an event for each
// version.
func TestRaceLife(t *testing.T) {
	everywhere(t, func(t *testing.T, d *db.DB) {
		s := newTrack(t, newSite(t, d))
		ana, ben, cyd := s.racer("ana"), s.racer("ben"), s.racer("cyd")
		gus := account.Player{ID: s.player("gus"), Name: "gus", Guest: true, CreatedAt: noon}
		won, part := s.deal.Log, firstMoves(s.deal.Log, 30)
		lives := []struct {
			name  string
			terms race.Terms
			live  func(h *shadow)
		}{
			{"to a rematch", s.terms(), func(h *shadow) {
				h.do(race.ActReady, ana, "")
				h.do(race.ActJoin, ben, "")
				h.do(race.ActUnready, ana, "")
				h.do(race.ActReady, ana, "")
				h.do(race.ActReady, ben, "")
				h.wait(time.Second)
				h.do(race.ActUnready, ben, "")
				h.do(race.ActReady, ben, "")
				h.do(race.ActReady, ana, "")
				h.wait(5 * time.Second)
				h.do(race.ActProgress, ana, part)
				h.do(race.ActProgress, ben, won)
				h.do(race.ActForfeit, ben, "")
				h.do(race.ActUnforfeit, ben, "")
				h.do(race.ActProgress, ana, "")
				h.wait(time.Minute)
				h.do(race.ActFinish, ben, won)
				h.do(race.ActFinish, ana, part)
				h.do(race.ActRematch, ben, "")
				h.do(race.ActRematch, ana, "")
			}},
			{"the first win", s.firstWin(), func(h *shadow) {
				h.do(race.ActJoin, cyd, "")
				h.do(race.ActLeave, cyd, "")
				h.do(race.ActJoin, ben, "")
				h.do(race.ActReady, ben, "")
				h.do(race.ActReady, ana, "")
				h.do(race.ActLeave, ben, "")
				h.do(race.ActJoin, ben, "")
				h.do(race.ActReady, ana, "")
				h.do(race.ActReady, ben, "")
				h.wait(5 * time.Second)
				h.do(race.ActProgress, ben, part)
				h.do(race.ActProgress, ana, won)
			}},
			{"out of time", s.bestOf(3), func(h *shadow) {
				h.do(race.ActJoin, gus, "")
				h.do(race.ActReady, ana, "")
				h.do(race.ActReady, gus, "")
				h.wait(5 * time.Second)
				h.do(race.ActProgress, gus, part)
				h.wait(time.Hour)
			}},
			{"nobody came", s.terms(), func(h *shadow) { h.wait(30 * time.Minute) }},
			{"left", s.terms(), func(h *shadow) {
				h.do(race.ActJoin, ben, "")
				h.do(race.ActLeave, ana, "")
			}},
		}
		for _, life := range lives {
			t.Run(life.name, func(t *testing.T) {
				h := s.follow(ana, life.terms)
				life.live(h)
				if !h.race.Over() {
					t.Errorf("the race is %s", h.race.State)
				}
			})
		}
	})
}

// Whatever happens, the race that is kept is that of the rules.
func TestRandomRacesAreKept(t *testing.T) {
	likely := map[race.State][]race.ActKind{
		race.Open:      {race.ActJoin, race.ActReady, race.ActReady, race.ActReady, race.ActUnready},
		race.Countdown: {race.ActReady, race.ActUnready, race.ActLeave},
		race.Running:   {race.ActProgress, race.ActProgress, race.ActFinish, race.ActForfeit, race.ActUnforfeit},
		race.Finished:  {race.ActRematch},
		race.Cancelled: {race.ActJoin, race.ActLeave},
	}
	eachTrack(t, func(t *testing.T, s *track) {
		random := rand.New(rand.NewPCG(1, 2))
		players := []account.Player{s.racer("ana"), s.racer("ben"), s.racer("cyd")}
		reached := map[race.State]int{}
		for range s.runs(24) {
			terms := s.terms()
			terms.Goal = []race.Goal{race.FewestMoves, race.FirstWin}[random.IntN(2)]
			terms.BestOf = []int{1, 1, 3}[random.IntN(3)]
			h := s.follow(players[0], terms)
			for range 25 {
				kinds := likely[h.race.State]
				kind, p := kinds[random.IntN(len(kinds))], players[[]int{0, 0, 0, 1, 1, 1, 2}[random.IntN(7)]]
				h.do(kind, p, firstMoves(s.deal.Log, []int{0, 1, 20, s.deal.moves()}[random.IntN(4)]))
				if h.race.State == race.Countdown && random.IntN(4) > 0 {
					h.wait(5 * time.Second)
				}
				h.pass([]time.Duration{0, time.Millisecond, time.Second, time.Minute}[random.IntN(4)])
			}
			reached[h.race.State]++
		}
		if reached[race.Finished] == 0 {
			t.Errorf("the races have come to %v", reached)
		}
	})
}

func (g game) moves() int { return len(strings.Fields(g.Log)) }

// Of twenty who join the last seat at once, one gets it.
// Case M08: the creator who joins has one seat, from whatever server.
func TestLastSeatIsTakenOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana := s.racer("ana")
		r := s.offer(ana, s.terms())
		parallel(10, func(i int) {
			got, err := s.server(i).Act(t.Context(), r.Code, by(race.ActJoin, ana))
			if err != nil || got.Entrants[1].Player.ID != "" || got.Version != 1 {
				t.Errorf("%+v, %v", got, err)
			}
		})
		ids := s.players(20)
		var taken atomic.Pointer[string]
		parallel(len(ids), func(i int) {
			var refused *race.StateError
			switch _, err := s.server(i).Act(t.Context(), r.Code, by(race.ActJoin, account.Player{ID: ids[i]})); {
			case err == nil:
				if !taken.CompareAndSwap(nil, &ids[i]) {
					t.Error("two have the seat")
				}
			case !errors.As(err, &refused) || len(refused.Allowed) != 0 || refused.Entrant != "":
				t.Error(err)
			}
		})
		if id := taken.Load(); id == nil || s.kept(r.Code).Entrants[1].Player.ID != *id {
			t.Errorf("the seat is that of %+v", s.kept(r.Code).Entrants[1])
		}
		s.told(r.Code, race.EventCreated, race.EventJoined)
	})
}

// both lets two players do something at once, each on another server, and wants
// it taken.
func (s *track) both(code string, kind race.ActKind, a, b account.Player, log string) (answers [2]race.Race) {
	s.t.Helper()
	parallel(2, func(i int) {
		var err error
		act := race.Act{Kind: kind, Player: account.Player{ID: []account.Player{a, b}[i].ID}, Log: log}
		if answers[i], err = s.server(i).Act(s.t.Context(), code, act); err != nil {
			s.t.Errorf("%s by %s: %v", kind, act.Player.ID, err)
		}
	})
	return answers
}

// Case M10: both are ready at once, forfeit at once and want a rematch at once.
// There is one start, one end and one new race with both in it.
func TestBothDoTheSameAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		for run := range s.runs(200) {
			r := s.after(s.offer(ana, s.terms()), by(race.ActJoin, ben))
			s.both(r.Code, race.ActReady, ana, ben, "")
			got := s.kept(r.Code)
			if got.State != race.Countdown || !got.StartsAt.Equal(s.now().Add(5*time.Second)) {
				t.Fatalf("run %d: the race is %s and starts at %v", run, got.State, got.StartsAt)
			}
			s.set(got.StartsAt)
			s.both(r.Code, race.ActForfeit, ana, ben, "")
			if got = s.kept(r.Code); got.Outcome != race.NoContest || got.Winner != -1 || got.Rated {
				t.Fatalf("run %d: it ended as %+v", run, got)
			}
			answers := s.both(r.Code, race.ActRematch, ana, ben, "")
			s.told(r.Code, race.EventCreated, race.EventJoined, race.EventReady, race.EventReady, race.EventCountdown,
				race.EventStarted, race.EventForfeited, race.EventForfeited, race.EventOver,
				race.EventRematch, race.EventRematch, race.EventNext)
			code := s.kept(r.Code).NextCode
			for _, answer := range answers {
				if answer.NextCode != "" && answer.NextCode != code {
					t.Fatalf("run %d: %s follows in an answer, and %s is kept", run, answer.NextCode, code)
				}
			}
			next := s.kept(code)
			if next.State != race.Open || next.Entrants[0].Player != ana || next.Entrants[1].Player != ben || next.Seed == r.Seed {
				t.Fatalf("run %d: what follows is %+v", run, next)
			}
			if n := s.count(`SELECT COUNT(*) FROM races`); n != 2*(run+1) {
				t.Fatalf("%d races after %d rematches", n, run+1)
			}
		}
	})
}

// Case M01: two equal wins come in the same millisecond, each on another
// server. There is one winner, who was earlier, or a draw, and all agree.
func TestFinishesAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		runs := s.runs(208)
		ana, ben := s.racer("ana"), s.racer("ben")
		outcomes := map[race.Outcome]int{}
		for run := range runs {
			r := s.running(ana, ben, s.terms())
			s.ticking.Store(run%2 == 1) // else it is one millisecond for sure
			answers := s.both(r.Code, race.ActFinish, ana, ben, s.deal.Log)
			s.ticking.Store(false)

			got := s.kept(r.Code)
			want, winner := race.Draw, -1
			if order := got.Entrants[0].FinishedAt.Compare(got.Entrants[1].FinishedAt); order != 0 {
				want, winner = race.Win, (order+1)/2
			}
			if got.State != race.Finished || got.Outcome != want || got.Winner != winner || run%2 == 0 && want != race.Draw {
				t.Fatalf("run %d: %q for seat %d; want %q for seat %d", run, got.Outcome, got.Winner, want, winner)
			}
			over := 0
			for _, answer := range answers {
				if answer.State == race.Finished {
					over++
					if answer != got {
						t.Fatalf("run %d: it was answered otherwise (-want +got):\n%s", run, cmp.Diff(got, answer))
					}
				}
			}
			if over == 0 {
				t.Fatal("nobody has heard of the end")
			}
			s.told(r.Code, race.EventStarted, race.EventFinished, race.EventFinished, race.EventOver)
			outcomes[want]++
		}
		for _, p := range []account.Player{ana, ben} {
			if rows, err := s.one.PlayerRatings(t.Context(), p.ID); err != nil || len(rows) != 1 || rows[0].Races != runs {
				t.Errorf("ratings of %s: %+v, %v", p.ID, rows, err)
			}
		}
		if outcomes[race.Win] == 0 {
			t.Errorf("all were draws: %v", outcomes)
		}
	})
}

// Case M01: two wins that come at once, be it as progress, are not both the
// first.
func TestFirstWinsAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		players := []account.Player{s.racer("ana"), s.racer("ben")}
		for range s.runs(64) {
			r := s.running(players[0], players[1], s.firstWin())
			first := -1
			errs := [2]error{}
			parallel(2, func(i int) {
				kind := []race.ActKind{race.ActFinish, race.ActProgress}[i]
				_, errs[i] = s.server(i).Act(t.Context(), r.Code, race.Act{Kind: kind, Player: players[i], Log: s.deal.Log})
			})
			for seat, err := range errs {
				var refused *race.StateError
				switch {
				case err == nil && first < 0:
					first = seat
				case !errors.As(err, &refused) || refused.State != race.Finished || refused.Entrant != race.EntrantBeaten:
					t.Errorf("seat %d: %v", seat, err)
				}
			}
			got := s.kept(r.Code)
			if got.Outcome != race.Win || got.Winner != first || got.Entrants[1-first].State != race.EntrantBeaten {
				t.Fatalf("seat %d was first, and it ended as %+v", first, got)
			}
			s.told(r.Code, race.EventStarted, race.EventFinished, race.EventOver)
		}
	})
}

// A finish that is sent twice at once counts once, and of two different ones
// one counts.
func TestFinishOfOneTwiceAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		for range s.runs(32) {
			r := s.running(ana, ben, s.terms())
			s.both(r.Code, race.ActFinish, ana, ana, s.deal.Log)
			s.told(r.Code, race.EventStarted, race.EventFinished)

			logs := [2]string{s.deal.Log, firstMoves(s.deal.Log, 20)}
			var taken atomic.Int32
			parallel(2, func(i int) {
				var refused *race.StateError
				switch got, err := s.server(i).Act(t.Context(), r.Code, race.Act{Kind: race.ActFinish, Player: ben, Log: logs[i]}); {
				case err == nil && got.Entrants[1].Log == logs[i]:
					taken.Add(1)
				case !errors.As(err, &refused):
					t.Errorf("%q is kept, %v", got.Entrants[1].Log, err)
				}
			})
			if taken.Load() != 1 {
				t.Fatalf("%d are taken", taken.Load())
			}
			s.told(r.Code, race.EventStarted, race.EventFinished, race.EventFinished, race.EventOver)
		}
	})
}

// What both tell of their games at once is all kept.
func TestProgressOfBothAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		each := max(8, s.runs(40))
		players := []account.Player{s.racer("ana"), s.racer("ben")}
		r := s.running(players[0], players[1], s.terms())
		parallel(2, func(i int) {
			for n := range each {
				act := race.Act{Kind: race.ActProgress, Player: players[i], Log: firstMoves(s.deal.Log, n+1)}
				if _, err := s.server(i).Act(t.Context(), r.Code, act); err != nil {
					t.Error(err)
				}
			}
		})
		got := s.kept(r.Code)
		moves := [2][]int{}
		for _, e := range s.events(r.Code) {
			if e.Kind == race.EventProgress {
				moves[e.Seat] = append(moves[e.Seat], e.Moves)
			}
		}
		for seat, e := range got.Entrants {
			if e.Log != firstMoves(s.deal.Log, each) || e.Result.Moves != each {
				t.Errorf("seat %d has come to %q", seat, e.Log)
			}
			if len(moves[seat]) != each || !slices.IsSorted(moves[seat]) {
				t.Errorf("seat %d was seen at %v moves", seat, moves[seat])
			}
		}
	})
}

// states makes a race in each state that has a deadline, those whose deadline
// comes first first.
func (s *track) states(a, b account.Player) []race.Race {
	s.t.Helper()
	running := s.act(s.running(a, b, s.terms()).Code, race.ActProgress, b, firstMoves(s.deal.Log, 20))
	return []race.Race{s.counting(a, b, s.terms()), running, s.offer(a, s.terms())}
}

// deadlines are what they make of a race in each state.
var deadlines = map[race.State]struct {
	to   race.State
	told race.EventKind
}{
	race.Open:      {race.Cancelled, race.EventCancelled},
	race.Countdown: {race.Running, race.EventStarted},
	race.Running:   {race.Finished, race.EventOver},
}

// met wants the deadline of a race to have been met once, at its time.
func (s *track) met(r race.Race) {
	s.t.Helper()
	want := deadlines[r.State]
	got, last := s.kept(r.Code), s.events(r.Code)[r.Version]
	due, _ := r.Due()
	if got.State != want.to || got.Version != r.Version+1 || last.Kind != want.told || !last.At.Equal(due) {
		s.t.Errorf("the %s race is %s at version %d, by %+v; it was due at %v", r.State, got.State, got.Version, last, due)
	}
}

// Case M02: a deadline is met once, by whichever server comes first or by who
// looks at the race, and not a millisecond before.
func TestDeadlinesAreMetOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		for run := range s.runs(32) {
			for _, r := range s.states(ana, ben) {
				due, _ := r.Due()
				s.set(due.Add(-time.Millisecond))
				if err := s.one.MeetDeadlines(t.Context()); err != nil || s.kept(r.Code).Version != r.Version {
					t.Errorf("the %s race before its deadline: %+v, %v", r.State, s.kept(r.Code), err)
				}
				s.set(due.Add(2 * time.Second)) // nobody was there at once
				parallel(4, func(i int) {
					if run%2 == 0 {
						if err := s.server(i).MeetDeadlines(t.Context()); err != nil {
							t.Error(err)
						}
						return
					}
					got, err := s.server(i).Race(t.Context(), r.Code)
					if err != nil || got.State != deadlines[r.State].to {
						t.Errorf("the %s race is seen as %s, %v", r.State, got.State, err)
					}
				})
				s.met(r)
			}
		}
		s.pass(time.Hour)
		if err := s.one.MeetDeadlines(t.Context()); err != nil || s.count(`SELECT COUNT(*) FROM races WHERE due_at IS NOT NULL`) != 0 {
			t.Errorf("races are due for ever, %v", err)
		}
	})
}

// Case M11: the servers are gone, in whatever state a race is. One that is
// started later goes on with it, and meets its deadline.
func TestRaceOutlivesItsServers(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		for _, r := range s.states(ana, ben) {
			next := s.serve(open(t, s.db.Source()))
			if got, err := next.Race(t.Context(), r.Code); err != nil || !cmp.Equal(got, s.kept(r.Code)) || got.Version != r.Version {
				t.Errorf("the %s race is found as %+v, %v", r.State, got, err)
			}
			due, _ := r.Due()
			s.set(due.Add(time.Second))
			if err := next.MeetDeadlines(t.Context()); err != nil {
				t.Error(err)
			}
			s.met(r)
		}

		// It takes acts as before.
		r := s.act(s.running(ana, ben, s.terms()).Code, race.ActProgress, ana, firstMoves(s.deal.Log, 10))
		next := s.serve(open(t, s.db.Source()))
		for _, a := range []race.Act{
			{Kind: race.ActProgress, Player: ana, Log: firstMoves(s.deal.Log, 12)},
			{Kind: race.ActForfeit, Player: ben},
			{Kind: race.ActFinish, Player: ana, Log: s.deal.Log},
		} {
			var err error
			if r, err = next.Act(t.Context(), r.Code, a); err != nil {
				t.Fatal(err)
			}
		}
		if r.Outcome != race.Win || r.Winner != 0 {
			t.Errorf("it ended as %+v", r)
		}

		// All that was due while nobody was there has happened in its time.
		r = s.counting(ana, ben, s.terms())
		s.pass(24 * time.Hour)
		if err := s.serve(s.far).MeetDeadlines(t.Context()); err != nil {
			t.Error(err)
		}
		if got := s.kept(r.Code); got.State != race.Finished || !got.EndsAt.Equal(r.StartsAt.Add(r.TimeLimit)) {
			t.Errorf("a day later the race is %+v", got)
		}
		s.told(r.Code, race.EventCountdown, race.EventStarted, race.EventOver)
	})
}

// winBy finishes a race for one, and the other forfeits.
func (s *track) winBy(r race.Race, winner, loser account.Player) race.Race {
	s.t.Helper()
	s.act(r.Code, race.ActFinish, winner, oneCard(s.t, r))
	return s.act(r.Code, race.ActForfeit, loser, "")
}

// begin brings a race that both are in to its start.
func (s *track) begin(code string, a, b account.Player) race.Race {
	s.t.Helper()
	s.both(code, race.ActReady, a, b, "")
	s.pass(5 * time.Second)
	r, err := s.two.Race(s.t.Context(), code)
	if err != nil || r.State != race.Running {
		s.t.Fatalf("the race is %s, %v", r.State, err)
	}
	return r
}

// The next race of a series opens by itself, with both in it and what they have
// won, until one has the majority.
func TestSeriesGoesOnByItself(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		r := s.running(ana, ben, s.bestOf(3))
		seeds := map[engine.Seed]bool{}
		for i, wins := range [][2]int{{1, 0}, {1, 1}, {1, 2}} {
			seeds[r.Seed] = true
			winner, loser := ana, ben
			if i > 0 {
				winner, loser = ben, ana
			}
			r = s.winBy(r, winner, loser)
			if r.Wins != wins || r.Game != i+1 || r.BestOf != 3 || !r.Rated || (r.NextCode == "") != (i == 2) {
				t.Fatalf("race %d of %d ended with %v, %q follows", r.Game, r.BestOf, r.Wins, r.NextCode)
			}
			if i < 2 {
				next := s.kept(r.NextCode)
				if next.State != race.Open || next.Wins != wins || next.Entrants[0].Player != ana || next.Entrants[1].Player != ben {
					t.Errorf("then comes %+v", next)
				}
				r = s.begin(r.NextCode, ana, ben)
			}
		}
		if len(seeds) != 3 {
			t.Errorf("the seeds are %v", seeds)
		}
		if n := s.count(`SELECT COUNT(*) FROM races`); n != 3 {
			t.Errorf("%d races", n)
		}
	})
}

// severed is a database whose answer to a change gets lost, and the request
// with it.
type severed struct {
	*db.DB
	cut func()
}

func (s severed) SaveRace(ctx context.Context, c race.Change) error {
	err := s.DB.SaveRace(ctx, c)
	s.cut()
	return err
}

// half makes a series of which the first race is over and the next one was not
// to be made any more.
func (s *track) half(a, b account.Player) race.Race {
	s.t.Helper()
	r := s.running(a, b, s.bestOf(3))
	s.act(r.Code, race.ActFinish, a, oneCard(s.t, r))
	ctx, cancel := context.WithCancel(s.t.Context())
	_, err := s.serve(severed{s.db, cancel}).Act(ctx, r.Code, by(race.ActForfeit, b))
	r = s.kept(r.Code)
	if !errors.Is(err, context.Canceled) || r.State != race.Finished || r.Wins != [2]int{1, 0} || r.NextCode != "" {
		s.t.Fatalf("the race is %+v, %v", r, err)
	}
	return r
}

// The end of a race is kept also where the next one can't be made at once. That
// is made as soon as it can be, once, after all that must happen in time, and
// not for who is deleted.
func TestNextRaceIsMadeUpFor(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben, cyd := s.racer("ana"), s.racer("ben"), s.racer("cyd")
		due := func(want ...string) {
			t.Helper()
			got, err := s.db.DueRaces(t.Context(), s.now())
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("due is %s, %v", diff, err)
			}
		}
		r := s.half(ana, ben)
		s.pass(time.Minute)
		later := s.counting(ana, cyd, s.terms())
		s.pass(5 * time.Second)
		due(later.Code, r.Code)
		parallel(4, func(i int) {
			if err := s.server(i).MeetDeadlines(t.Context()); err != nil {
				t.Error(err)
			}
		})
		due()
		s.told(r.Code, race.EventOver, race.EventNext)
		if next := s.kept(s.kept(r.Code).NextCode); next.Wins != [2]int{1, 0} || next.Game != 2 || next.Entrants[1].Player != ben {
			t.Errorf("then comes %+v", next)
		}
		if n := s.count(`SELECT COUNT(*) FROM races`); n != 3 {
			t.Errorf("%d races", n)
		}

		r = s.half(ana, cyd)
		due(r.Code)
		s.forget(cyd.ID)
		due() // or it would be for ever
		if r, err := s.one.Race(t.Context(), r.Code); err != nil || r.NextCode != "" {
			t.Errorf("after a deletion comes %q, %v", r.NextCode, err)
		}
	})
}

// Who is deleted gets no seat, and makes no race.
// Case M06: that is so for who joins while they are being deleted, too.
func TestDeletedPlayersGetNoSeat(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		r := s.offer(s.racer("ana"), s.terms())
		gone, going := s.racer("ben"), s.racer("cyd")
		named := s.terms()
		named.Seed = "another"
		s.forget(gone.ID)
		for _, id := range []string{gone.ID, "nobody"} {
			if _, err := s.one.Act(t.Context(), r.Code, by(race.ActJoin, account.Player{ID: id})); !errors.Is(err, account.ErrNotFound) {
				t.Errorf("%s joins: %v", id, err)
			}
			if got, err := s.one.Create(t.Context(), id, named); !errors.Is(err, account.ErrNotFound) || got != (race.Race{}) {
				t.Errorf("%s makes %+v, %v", id, got, err)
			}
		}

		joined := make(chan error, 1)
		err := s.db.InTx(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`
				UPDATE players SET name = NULL, name_key = NULL, password = NULL, recovery = NULL, deleted_at = $2
				WHERE id = $1`, going.ID, s.now().UnixMilli())
			go func() {
				_, err := s.two.Act(t.Context(), r.Code, by(race.ActJoin, going))
				joined <- err
			}()
			s.waits()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := soon(t, joined); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("who is being deleted joins: %v", err)
		}
		if got := s.kept(r.Code); got.Version != 1 || got.Entrants[1].Player.ID != "" || s.count(`SELECT COUNT(*) FROM races`) != 1 {
			t.Errorf("the race is %+v", got)
		}
	})
}

// waits returns when somebody waits for a lock. On SQLite nobody can tell, and
// it doesn't matter: one writes after the other.
func (s *track) waits() {
	s.t.Helper()
	if !s.onPostgres() {
		return
	}
	s.until("somebody waits", func() bool {
		return s.count(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
}

// patience is how long a test waits for what is to come.
const patience = time.Minute

// until asks the database until it says yes.
func (s *track) until(what string, ask func() bool) {
	s.t.Helper()
	for asked := time.Now(); !ask(); {
		if time.Since(asked) > patience {
			s.t.Fatalf("it doesn't come to it that %s", what)
		}
	}
}

// Case M06: who goes leaves what hasn't begun, and forfeits what has.
// Case M26: the other may finish.
func TestWithdraw(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben, cyd := s.racer("ana"), s.racer("ben"), s.racer("cyd")
		join, ready, done := by(race.ActJoin, cyd), by(race.ActReady, ana), race.Act{Kind: race.ActFinish, Player: ana, Log: "R"}
		ofBen := func() race.Race { return s.after(s.offer(ben, s.terms()), by(race.ActJoin, ana)) }
		tests := []struct {
			name string
			race race.Race
			to   race.State
			told []race.EventKind
		}{
			{"finished running", s.after(s.running(ana, ben, s.terms()), done), race.Running, []race.EventKind{race.EventStarted, race.EventFinished}},
			{"forfeited", s.after(s.running(ben, ana, s.terms()), by(race.ActForfeit, ana)), race.Running, []race.EventKind{race.EventForfeited}},
			{"over", s.after(s.running(ana, ben, s.terms()), by(race.ActForfeit, ana), by(race.ActForfeit, ben)), race.Finished, []race.EventKind{race.EventOver}},
			{"running", s.running(ben, ana, s.terms()), race.Running, []race.EventKind{race.EventStarted, race.EventForfeited}},
			{"created", s.offer(ana, s.terms()), race.Cancelled, []race.EventKind{race.EventLeft, race.EventCancelled}},
			{"created and joined", s.after(s.offer(ana, s.terms()), join, ready), race.Cancelled, []race.EventKind{race.EventLeft, race.EventCancelled}},
			{"joined", ofBen(), race.Open, []race.EventKind{race.EventJoined, race.EventLeft}},
			{"counting down", s.counting(ana, ben, s.terms()), race.Cancelled, []race.EventKind{race.EventLeft, race.EventCancelled}},
			{"counting down for another", s.counting(ben, ana, s.terms()), race.Open, []race.EventKind{race.EventLeft}},
			{"of others", s.counting(ben, cyd, s.terms()), race.Countdown, []race.EventKind{race.EventCountdown}},
		}
		s.forget("ana")
		parallel(4, func(i int) {
			if err := s.server(i).Withdraw(t.Context(), ana.ID); err != nil {
				t.Error(err)
			}
		})
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				if got := s.kept(test.race.Code); got.State != test.to {
					t.Errorf("the race is %s", got.State)
				}
				s.told(test.race.Code, test.told...)
			})
		}
		s.pass(time.Minute)
		r := s.act(tests[3].race.Code, race.ActFinish, ben, s.deal.Log)
		if r.Outcome != race.Win || r.Winner != 0 || r.Entrants[0].Result.Moves != s.deal.moves() || !r.Entrants[0].FinishedAt.Equal(s.now()) {
			t.Errorf("the other finishes: %+v", r)
		}
	})
}

// taken is a database in which another race has got the code first, so often.
type taken struct {
	*db.DB
	times *int
}

func (d taken) CreateRace(ctx context.Context, r race.Race, events []race.Event) error {
	if *d.times > 0 {
		*d.times--
		other := r
		other.Visibility = race.ByInvite
		if err := d.DB.CreateRace(ctx, other, events); err != nil {
			return err
		}
	}
	return d.DB.CreateRace(ctx, r, events)
}

// A code that another race has is drawn anew, and that race is left alone.
func TestTakenCodeIsDrawnAnew(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana := s.racer("ana")
		times := 3
		got, err := s.serve(taken{s.db, &times}).Create(t.Context(), ana.ID, s.terms())
		if err != nil || times != 0 || got.Visibility != race.OpenToAll || len(got.Code) != 6 {
			t.Errorf("it makes %+v, %v", got, err)
		}
		if n := s.count(`SELECT COUNT(*) FROM races WHERE visibility = 'invite'`); n != 3 {
			t.Errorf("%d others", n)
		}
		r := s.half(ana, s.racer("ben"))
		next, events, err := r.Next(got.Code, "another", s.now())
		if err != nil {
			t.Fatal(err)
		}
		followed, told, err := r.FollowedBy(got.Code, s.now())
		if err != nil {
			t.Fatal(err)
		}
		c := race.Change{From: r.Version, Race: followed, Events: told, At: s.now(), Next: &race.Creation{Race: next, Events: events}}
		if err := s.db.SaveRace(t.Context(), c); !errors.Is(err, race.ErrCodeTaken) || !cmp.Equal(s.kept(r.Code), r) {
			t.Errorf("followed by another: %v", err)
		}
	})
}
