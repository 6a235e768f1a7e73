package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/challenge"
	"cruel/db"
	"cruel/engine"
	"cruel/race"
	"cruel/rating"
)

// rating returns a player's rating of the races here; the zero one if they have
// none.
func (s *track) rating(p account.Player) race.PlayerRating {
	s.t.Helper()
	rows, err := s.two.PlayerRatings(s.t.Context(), p.ID)
	if err != nil || len(rows) > 1 {
		s.t.Fatalf("ratings of %s: %+v, %v", p.ID, rows, err)
	}
	if len(rows) == 0 {
		return race.PlayerRating{}
	}
	if rows[0].Player != p || rows[0].Variant != s.terms().Variant || rows[0].Goal != race.FewestMoves {
		s.t.Errorf("the rating is that of %+v", rows[0])
	}
	return rows[0].PlayerRating
}

// The ratings after a race are those that the rules make of the ones before,
// and of the time since.
func TestRatingsChangeWithTheEnd(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		want := [2]race.PlayerRating{race.StartRating(), race.StartRating()}
		for i, score := range []rating.Score{rating.Win, rating.Draw, rating.Loss, rating.Loss} {
			r := s.running(ana, ben, s.terms())
			s.pass(time.Minute)
			for seat, p := range []account.Player{ana, ben} {
				n := 40
				if seat == 0 && score == rating.Win || seat == 1 && score == rating.Loss {
					n = s.deal.moves()
				}
				r = s.act(r.Code, race.ActFinish, p, firstMoves(s.deal.Log, n))
			}
			before := want
			for seat := range want {
				if before[seat].Races > 0 {
					days := s.now().Sub(before[seat].RacedAt).Hours() / 24
					want[seat].Rating = rating.Idle(before[seat].Rating, days)
				}
			}
			want[0].Rating, want[1].Rating = rating.After(want[0].Rating, want[1].Rating, score)
			for seat, p := range []account.Player{ana, ben} {
				want[seat].Races, want[seat].RacedAt = i+1, s.now()
				if diff := cmp.Diff(want[seat], s.rating(p)); diff != "" {
					t.Errorf("race %d, seat %d (-want +got):\n%s", i+1, seat, diff)
				}
				if e := r.Entrants[seat]; e.RatingBefore != before[seat].Rating.Rating || e.RatingAfter != want[seat].Rating.Rating {
					t.Errorf("race %d, seat %d went from %v to %v", i+1, seat, e.RatingBefore, e.RatingAfter)
				}
			}
			s.pass(time.Duration(i*i) * 10 * 24 * time.Hour)
		}
	})
}

// A race is rated where both have an account, the server has drawn the deal and
// somebody has brought a card home.
func TestUnratedRaces(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		gus := account.Player{ID: s.player("gus"), Guest: true}
		named := s.terms()
		named.SeedNamed = true
		tests := []struct {
			name string
			race race.Race
			log  string
		}{
			{"a guest", s.running(ana, gus, s.terms()), s.deal.Log},
			{"of a guest", s.running(gus, ana, s.terms()), s.deal.Log},
			{"a named seed", s.running(ana, ben, named), s.deal.Log},
			{"no contest", s.running(ana, ben, s.terms()), "R"},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				for _, e := range test.race.Entrants {
					s.act(test.race.Code, race.ActFinish, e.Player, test.log)
				}
				got := s.kept(test.race.Code)
				if got.State != race.Finished || got.Rated || got.Entrants[0].RatingAfter != 0 || got.Entrants[1].RatingAfter != 0 {
					t.Errorf("it ended as %+v", got)
				}
				if n := s.count(`SELECT COUNT(*) FROM ratings`); n != 0 {
					t.Errorf("%d ratings", n)
				}
			})
		}
	})
}

// A race doesn't end without its ratings.
func TestEndAndRatingsAreOne(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		r := s.running(ana, ben, s.terms())
		r = s.act(r.Code, race.ActFinish, ana, s.deal.Log)
		exec(t, s.db, `ALTER TABLE ratings RENAME TO ratings_elsewhere`)
		if _, err := s.one.Act(t.Context(), r.Code, by(race.ActForfeit, ben)); err == nil {
			t.Error("it ends")
		}
		if diff := cmp.Diff(r, s.kept(r.Code)); diff != "" {
			t.Errorf("it has changed:\n%s", diff)
		}
		exec(t, s.db, `ALTER TABLE ratings_elsewhere RENAME TO ratings`)
		s.act(r.Code, race.ActForfeit, ben, "")
		if s.rating(ana).Races != 1 || s.rating(ben).Races != 1 {
			t.Errorf("ratings %+v, %+v", s.rating(ana), s.rating(ben))
		}
	})
}

// Races that end at once all count, whoever is in them on whatever seat, and
// none waits for another that waits for it.
func TestRatedRacesEndAtOnce(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		runs := s.runs(32)
		ana, ben, cyd := s.racer("ana"), s.racer("ben"), s.racer("cyd")
		pairs := [][2]account.Player{{ana, ben}, {ben, ana}, {ben, cyd}, {cyd, ana}}
		for range runs {
			var races []race.Race
			for _, p := range pairs {
				r := s.running(p[0], p[1], s.terms())
				races = append(races, s.act(r.Code, race.ActFinish, p[0], s.deal.Log))
			}
			before := s.rating(cyd)
			parallel(len(races), func(i int) {
				if _, err := s.server(i).Act(t.Context(), races[i].Code, by(race.ActForfeit, pairs[i][1])); err != nil {
					t.Error(err)
				}
			})
			// Each took the ratings that the other left.
			one, other := s.kept(races[2].Code).Entrants[1], s.kept(races[3].Code).Entrants[0]
			if one.RatingBefore != other.RatingAfter && one.RatingAfter != other.RatingBefore {
				t.Errorf("cyd went from %v to %v and from %v to %v", one.RatingBefore, one.RatingAfter, other.RatingBefore, other.RatingAfter)
			}
			if got := s.rating(cyd); got.Races != before.Races+2 {
				t.Errorf("%d races count, after %d", got.Races, before.Races)
			}
		}
		if a, b := s.rating(ana), s.rating(ben); a.Races != 3*runs || b.Races != 3*runs {
			t.Errorf("%d and %d races count, want %d", a.Races, b.Races, 3*runs)
		}
		if !s.onPostgres() {
			return
		}
		// A session counts its deadlocks when it ends.
		if err := s.far.Close(); err != nil {
			t.Fatal(err)
		}
		s.db.Write().SetMaxIdleConns(0)
		s.until("all sessions but this have ended", func() bool {
			return s.count(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()`) == 1
		})
		if n := s.count(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`); n != 0 {
			t.Errorf("%d deadlocks", n)
		}
	})
}

// The list of ratings, there and back: the highest first, and only players who
// are there and known well enough.
func TestRatingPages(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		v := s.terms().Variant
		rate := func(name string, r, deviation float64, variant string, goal race.Goal) {
			t.Helper()
			s.racer(name)
			exec(t, s.db, `
				INSERT INTO ratings (player_id, variant, goal, rating, deviation, volatility, races, raced_at, ranked_until)
				VALUES ($1, $2, $3, $4, $5, 0.06, 20, $6, $7)`,
				name, variant, goal, r, deviation, noon.UnixMilli(), rankedUntil(deviation, noon))
		}
		var want []string
		for i := range 20 {
			name := fmt.Sprintf("p%02d", i)
			rate(name, 1800-100*float64(i/3)-1/float64(3+i/3), 109, v.ID, race.FewestMoves) // threes are equal
			want = append(want, name)
		}
		slices.SortFunc(want, func(a, b string) int { // of equals the later name first
			var i, j int
			fmt.Sscanf(a+" "+b, "p%d p%d", &i, &j)
			if i/3 != j/3 {
				return i/3 - j/3
			}
			return j - i
		})
		rate("unknown", 2000, 110.001, v.ID, race.FewestMoves)
		rate("idle", 2000, 110, v.ID, race.FewestMoves)
		rate("gone", 1900, 60, v.ID, race.FewestMoves)
		s.forget("gone")
		rate("elsewhere", 1900, 60, "cruel", race.FewestMoves)
		rate("faster", 1900, 60, v.ID, race.FirstWin)

		for _, limit := range []int{1, 3, 7, 20, 50} {
			there, back := pages(t, limit, func(after, before *race.RatingCursor) ([]race.RatingRow, *race.RatingCursor, *race.RatingCursor) {
				page, err := s.one.Ratings(t.Context(), race.RatingQuery{
					Variant: v, Goal: race.FewestMoves, Limit: limit, After: after, Before: before,
				})
				if err != nil {
					t.Fatal(err)
				}
				return page.Rows, page.Prev, page.Next
			})
			var names []string
			for _, row := range there {
				names = append(names, row.Player.Name)
			}
			if diff := cmp.Diff(want, names); diff != "" {
				t.Errorf("pages of %d: %s", limit, diff)
			}
			if diff := cmp.Diff(there, back); diff != "" {
				t.Errorf("pages of %d, there and back: %s", limit, diff)
			}
		}
		first := race.RatingRow{Player: account.Player{ID: "p02", Name: "p02", CreatedAt: noon}, Variant: v, Goal: race.FewestMoves}
		first.PlayerRating = race.PlayerRating{Races: 20, RacedAt: noon}
		first.Rating = rating.Rating{Rating: 1800 - 1./3, Deviation: 109, Volatility: 0.06}
		page, err := s.one.Ratings(t.Context(), race.RatingQuery{Variant: v, Goal: race.FewestMoves, Limit: 1})
		if diff := cmp.Diff([]race.RatingRow{first}, page.Rows); err != nil || diff != "" {
			t.Errorf("%s, %v", diff, err)
		}
		none, err := s.one.Ratings(t.Context(), race.RatingQuery{Variant: engine.Variants()[3], Goal: race.FirstWin, Limit: 5})
		if err != nil || !cmp.Equal(none, race.RatingPage{}) {
			t.Errorf("of another variant: %+v, %v", none, err)
		}
	})
}

// rankedUntil is what is kept of a rating.
func rankedUntil(deviation float64, racedAt time.Time) sql.NullInt64 {
	p := race.PlayerRating{Rating: rating.Rating{Deviation: deviation, Volatility: 0.06}, Races: 20, RacedAt: racedAt}
	t, ok := p.RankedUntil()
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: ok}
}

// Whoever hasn't raced for so long that their rating is provisional again is on
// the list no more, and is when they race.
func TestIdleAreNotRanked(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		race1 := func() {
			r := s.running(ana, ben, s.terms())
			r = s.act(r.Code, race.ActFinish, ana, s.deal.Log)
			s.act(r.Code, race.ActFinish, ben, s.deal.Log)
		}
		ranked := func() (names []string) {
			page, err := s.one.Ratings(t.Context(), race.RatingQuery{Variant: s.terms().Variant, Goal: race.FewestMoves, Limit: 9})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range page.Rows {
				if row.At(s.now()).Provisional() {
					t.Errorf("on the list is %+v", row)
				}
				names = append(names, row.Player.Name)
			}
			return names
		}
		for n := 0; s.rating(ana).Provisional() || n == 0; n++ {
			if n > 20 || len(ranked()) > 0 {
				t.Fatalf("after %d races %v are ranked", n, ranked())
			}
			race1()
		}
		if got := ranked(); len(got) != 2 {
			t.Errorf("known well enough, and ranked are %v", got)
		}
		until, ok := s.rating(ana).RankedUntil()
		if !ok {
			t.Fatal("not ranked")
		}
		s.pass(until.Sub(s.now()) - time.Second)
		if got := ranked(); len(got) != 2 {
			t.Errorf("a second before: ranked are %v", got)
		}
		s.pass(time.Second)
		if got := ranked(); len(got) != 0 {
			t.Errorf("idle for too long, and ranked are %v", got)
		}
		race1()
		if got := ranked(); len(got) != 2 {
			t.Errorf("after another race ranked are %v", got)
		}
	})
}

// Each list of races is read by the order of an index, there and back.
func TestRaceListsHaveAnIndex(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		place := &race.ListCursor{CreatedAt: noon, Code: "kqtwzv"}
		for name, list := range map[string]struct {
			race.ListQuery
			index string
		}{
			"open":              {race.ListQuery{States: []race.State{race.Open}}, "races_open"},
			"finished":          {race.ListQuery{States: []race.State{race.Finished}, After: place}, "races_finished"},
			"running":           {race.ListQuery{States: []race.State{race.Countdown, race.Running}}, "races_running"},
			"running, back":     {race.ListQuery{States: []race.State{race.Countdown, race.Running}, Before: place}, "races_running"},
			"of a player":       {race.ListQuery{States: []race.State{race.Finished}, PlayerID: "ana"}, "entrants_listed"},
			"of a player, back": {race.ListQuery{States: []race.State{race.Finished}, PlayerID: "ana", Before: place}, "entrants_listed"},
		} {
			list.Limit = 50
			text, args := db.RacePageSQL(list.ListQuery)
			plan := planOf(t, s.db, text, args)
			if !strings.Contains(plan, list.index) || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s:\n%s", name, plan)
			}
		}
	})
}

// planOf is how a database would go about a statement on tables that aren't
// nearly empty, as those of the tests are.
func planOf(t *testing.T, d *db.DB, text string, args []any) (plan string) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *sql.Tx) error {
		explain := "EXPLAIN QUERY PLAN "
		if strings.HasPrefix(d.Source(), "postgres") {
			explain = "EXPLAIN "
			for _, way := range []string{"seqscan", "bitmapscan", "sort"} {
				if _, err := tx.ExecContext(t.Context(), "SET LOCAL enable_"+way+" = off"); err != nil {
					return err
				}
			}
		}
		rows, err := tx.QueryContext(t.Context(), explain+text, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				return err
			}
			plan += fmt.Sprintln(*values[len(values)-1].(*any)) // the last one is the text
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// pages reads a list page by page to its end, and back again.
func pages[Row, Cursor any](t *testing.T, limit int, page func(after, before *Cursor) (rows []Row, prev, next *Cursor)) (there, back []Row) {
	t.Helper()
	rows, prev, next := page(nil, nil)
	if prev != nil {
		t.Error("a page before the first")
	}
	there = rows
	for next != nil {
		if len(rows) != limit {
			t.Errorf("%d rows on a page of %d that isn't the last", len(rows), limit)
		}
		if rows, prev, next = page(next, nil); prev == nil {
			t.Error("no page before the second")
		}
		there = append(there, rows...)
	}
	back = rows
	for prev != nil {
		if rows, prev, next = page(nil, prev); next == nil {
			t.Error("no page after one before the last")
		}
		back = append(slices.Clone(rows), back...)
	}
	return there, back
}

func codesOf(races []race.Race) []string {
	codes := []string{}
	for _, r := range races {
		codes = append(codes, r.Code)
	}
	return codes
}

// The list of races, there and back: the newest first, and those that all may
// see; or of these the ones of a player.
func TestRacePages(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		invite := s.terms()
		invite.Visibility = race.ByInvite
		byState := map[race.State][]string{}
		for i := range 9 {
			s.offer(ana, invite)
			byState[race.Open] = append([]string{s.offer(ana, s.terms()).Code}, byState[race.Open]...)
			byState[race.Countdown] = append([]string{s.counting(ben, ana, s.terms()).Code}, byState[race.Countdown]...)
			s.after(s.offer(ana, s.terms()), by(race.ActLeave, ana))
			if i%3 == 2 { // three share a millisecond
				s.pass(time.Millisecond)
			}
		}
		for state, want := range byState {
			for _, limit := range []int{1, 2, 4, 9, 20} {
				there, back := pages(t, limit, func(after, before *race.ListCursor) ([]race.Race, *race.ListCursor, *race.ListCursor) {
					return s.list(race.ListQuery{States: []race.State{state}, Limit: limit, After: after, Before: before})
				})
				if diff := cmp.Diff(want, codesOf(there)); diff != "" {
					t.Errorf("%s, pages of %d: %s", state, limit, diff)
				}
				if diff := cmp.Diff(there, back); diff != "" {
					t.Errorf("%s, pages of %d, there and back: %s", state, limit, diff)
				}
				for _, r := range there {
					if diff := cmp.Diff(s.kept(r.Code), r); diff != "" {
						t.Errorf("a race in the list: %s", diff)
					}
				}
			}
		}
		both, _, _ := s.list(race.ListQuery{States: []race.State{race.Countdown, race.Open}, Limit: 50})
		if len(both) != 18 {
			t.Errorf("%d races in two states", len(both))
		}

		// Those that a player has finished.
		finish := func(a, b account.Player) string {
			return s.after(s.running(a, b, s.terms()), by(race.ActForfeit, a), by(race.ActForfeit, b)).Code
		}
		cyd := s.racer("cyd")
		want := []string{finish(ana, cyd), finish(cyd, ana)}
		slices.Reverse(want)
		finish(ana, ben)
		s.running(ana, cyd, s.terms())
		got, _, _ := s.list(race.ListQuery{States: []race.State{race.Finished}, PlayerID: cyd.ID, Limit: 10})
		if diff := cmp.Diff(want, codesOf(got)); diff != "" {
			t.Error(diff)
		}
		if none, prev, next := s.list(race.ListQuery{States: []race.State{race.Finished}, PlayerID: "nobody", Limit: 10}); len(none) != 0 || prev != nil || next != nil {
			t.Errorf("of nobody: %v", codesOf(none))
		}
	})
}

func (s *track) list(q race.ListQuery) (races []race.Race, prev, next *race.ListCursor) {
	s.t.Helper()
	page, err := s.one.List(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	return page.Races, page.Prev, page.Next
}

// Races that are made while somebody pages move nothing that is shown.
func TestRacePagesStayRight(t *testing.T) {
	eachTrack(t, func(t *testing.T, s *track) {
		ana := s.racer("ana")
		query := race.ListQuery{States: []race.State{race.Open}, Limit: 2}
		var codes []string
		add := func() {
			s.pass(time.Second)
			codes = append([]string{s.offer(ana, s.terms()).Code}, codes...)
		}
		for range 5 {
			add()
		}
		first, _, next := s.list(query)
		add()
		query.After = next
		second, prev, _ := s.list(query)
		if diff := cmp.Diff(codes[1:5], codesOf(slices.Concat(first, second))); diff != "" {
			t.Error(diff)
		}
		add()
		query.After, query.Before = nil, prev
		back, prev, _ := s.list(query)
		if diff := cmp.Diff(first, back); diff != "" {
			t.Error(diff)
		}
		query.Before = prev
		if newest, prev, next := s.list(query); !cmp.Equal(codes[:2], codesOf(newest)) || prev != nil || next == nil {
			t.Errorf("the new ones are %v", codesOf(newest))
		}
		s.pass(29*time.Minute + 58*time.Second) // the first five are over
		if err := s.two.MeetDeadlines(t.Context()); err != nil {
			t.Error(err)
		}
		if left, _, _ := s.list(race.ListQuery{States: query.States, Limit: 50}); !cmp.Equal(codes[:2], codesOf(left)) {
			t.Errorf("open are %v of %v", codesOf(left), codes)
		}
	})
}

// named makes a race on a seed that its creator names.
func (s *track) named(seed engine.Seed, creator account.Player) (race.Race, error) {
	t := s.terms()
	t.Seed = seed
	return s.one.Create(s.t.Context(), creator.ID, t)
}

// mustName is named where that must be taken.
func (s *track) mustName(seed engine.Seed, creator account.Player) race.Race {
	s.t.Helper()
	r, err := s.named(seed, creator)
	if err != nil || !r.SeedNamed || r.Seed != seed {
		s.t.Fatalf("a race on %s: %+v, %v", seed, r, err)
	}
	return r
}

// A race seals its seed until it is over, from the moment it is made: nobody
// gets a challenge, a hint or another race on it. Nor a race on a seed of today.
func TestRaceSealsItsSeed(t *testing.T) {
	const seed = "abc"
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		sharing := challenge.Sharing{PlayerID: ana.ID, Variant: engine.DefaultVariant(), Seed: seed}
		sealed := func(until time.Time) {
			t.Helper()
			var refused, noHint *challenge.SealedSeedError
			var noRace *race.SealedSeedError
			if _, err := s.Share(t.Context(), sharing); !errors.As(err, &refused) || !refused.Until.Equal(until) {
				t.Errorf("a challenge: %v, until %+v; want %v", err, refused, until)
			}
			if _, err := s.Hint(t.Context(), engine.DefaultVariant(), seed, ""); !errors.As(err, &noHint) || !noHint.Until.Equal(until) {
				t.Errorf("a hint: %v, until %+v; want %v", err, noHint, until)
			}
			if _, err := s.named(seed, ben); !errors.As(err, &noRace) || !noRace.Until.Equal(until) {
				t.Errorf("a race: %v, until %+v; want %v", err, noRace, until)
			}
		}
		r := s.mustName(seed, ana)
		sealed(s.now().Add(30*time.Minute + 5*time.Second + r.TimeLimit)) // the latest that it can end
		s.act(r.Code, race.ActJoin, ben, "")
		s.pass(time.Minute)
		s.both(r.Code, race.ActReady, ana, ben, "")
		r = s.kept(r.Code)
		sealed(r.EndsAt)
		s.set(r.StartsAt)
		s.act(r.Code, race.ActForfeit, ana, "")
		sealed(r.EndsAt)
		s.act(r.Code, race.ActForfeit, ben, "")

		// It is over, and the next one is cancelled.
		r = s.mustName(seed, ben)
		sealed(s.now().Add(30*time.Minute + 5*time.Second + r.TimeLimit))
		s.act(r.Code, race.ActLeave, ben, "")
		if _, err := s.Share(t.Context(), sharing); err != nil {
			t.Errorf("a challenge afterwards: %v", err)
		}

		// So does one on a deal that the server has drawn, which is public now.
		drawn := s.running(ana, ben, s.terms())
		sharing.Seed = drawn.Seed
		var refused *challenge.SealedSeedError
		if _, err := s.Share(t.Context(), sharing); !errors.As(err, &refused) || !refused.Until.Equal(drawn.EndsAt) {
			t.Errorf("a challenge on a deal that was drawn: %v", err)
		}
		s.winBy(drawn, ana, ben)
		if _, err := s.Hint(t.Context(), drawn.Variant, drawn.Seed, ""); err != nil {
			t.Errorf("a hint afterwards: %v", err)
		}

		daily, err := s.Today(t.Context(), engine.DefaultVariant())
		if err != nil {
			t.Fatal(err)
		}
		var noRace *race.SealedSeedError
		s.set(daily.GraceUntil.Add(-time.Millisecond))
		if got, err := s.named(daily.Seed, ana); !errors.As(err, &noRace) || !noRace.Until.Equal(daily.GraceUntil) || got != (race.Race{}) {
			t.Errorf("on a seed of today: %+v, %v", got, err)
		}
		s.set(daily.GraceUntil)
		s.mustName(daily.Seed, ana)
	})
}

// A log for a seed that a race is on can be seen if it could be seen before the
// race was made, and else when that is over.
func TestRaceSealsLogsOfItsSeed(t *testing.T) {
	const seed = "abc"
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		share := func() challenge.Challenge {
			t.Helper()
			c, err := s.Share(t.Context(), challenge.Sharing{
				PlayerID: ana.ID, Variant: engine.DefaultVariant(), Seed: seed, ClosesAt: s.now().Add(10 * time.Minute),
			})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		first := share()
		public := s.submit(ana.ID, first.ID, redeals(3)).Submission
		s.set(first.GraceUntil)
		second := share()
		hidden := s.submit(ana.ID, second.ID, redeals(4)).Submission
		s.pass(time.Minute)
		r := s.mustName(seed, ben)

		see := func(id string, until time.Time) {
			t.Helper()
			var sealed *challenge.SealedLogError
			_, err := s.Replay(t.Context(), "", id)
			if until.IsZero() && err != nil || !until.IsZero() && (!errors.As(err, &sealed) || !sealed.Until.Equal(until)) {
				t.Errorf("%s can be seen: %v, %+v; want it sealed until %v", id, err, sealed, until)
			}
		}
		latest := s.now().Add(30*time.Minute + 5*time.Second + r.TimeLimit)
		see(public.ID, time.Time{})
		see(hidden.ID, latest)
		s.set(second.GraceUntil)
		see(public.ID, time.Time{})
		see(hidden.ID, latest)
		later := s.submit(ana.ID, second.ID, redeals(5)).Submission
		see(later.ID, latest)

		s.act(r.Code, race.ActLeave, ben, "")
		for _, id := range []string{public.ID, hidden.ID, later.ID} {
			see(id, time.Time{})
		}
	})
}

// The logs of a race are public when it is over, unless a challenge that was
// there before is still open for its seed.
func TestLogsOfARaceBecomePublic(t *testing.T) {
	const seed = "abc"
	eachTrack(t, func(t *testing.T, s *track) {
		ana, ben := s.racer("ana"), s.racer("ben")
		public := func(code string, want bool) {
			t.Helper()
			if got, err := s.two.LogsPublic(t.Context(), s.kept(code)); err != nil || got != want {
				t.Errorf("the logs of %s are public: %v, %v", code, got, err)
			}
		}
		share := func() challenge.Challenge {
			t.Helper()
			c, err := s.Share(t.Context(), challenge.Sharing{
				PlayerID: ana.ID, Variant: engine.DefaultVariant(), Seed: seed, ClosesAt: s.now().Add(time.Hour),
			})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		begun := func() string {
			t.Helper()
			r := s.mustName(seed, ana)
			s.act(r.Code, race.ActJoin, ben, "")
			return s.begin(r.Code, ana, ben).Code
		}
		end := func(code string) {
			t.Helper()
			public(code, false)
			s.both(code, race.ActForfeit, ana, ben, "")
			s.pass(time.Minute)
		}

		alone := begun()
		end(alone)
		public(alone, true)

		before := share()
		public(alone, true) // as they have been
		under := begun()
		public(alone, true)
		end(under)
		public(under, false)
		s.set(before.GraceUntil.Add(-time.Millisecond))
		public(under, false)
		s.set(before.GraceUntil)
		public(under, true)

		share()
		public(under, true)
		public(alone, true)

		drawn := s.running(ana, ben, s.terms())
		end(drawn.Code)
		public(drawn.Code, true)

		left := s.mustName("another", ana)
		s.act(left.Code, race.ActLeave, ana, "")
		public(left.Code, false)
	})
}
