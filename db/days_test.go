package db_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cruel/account"
	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

// plays files a submission that is no win, whose log nobody has verified.
func (s *site) plays(player, challengeID string, cards int, late bool) {
	s.t.Helper()
	_, _, err := s.db.Submit(s.t.Context(), challenge.Filing{
		Log: player + " plays",
		Submission: challenge.Submission{
			ID: challengeID + " " + player, ChallengeID: challengeID, Player: account.Player{ID: player}, VerifiedAt: s.now(), Late: late,
			Result: replay.Result{Outcome: engine.Unfinished, Moves: cards - 4 + 1, Plays: cards - 4, Redeals: 1, Cards: cards},
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// dailies opens a daily for each of the days from one on, and returns them.
func (s *site) dailies(v engine.Variant, from challenge.Day, n int) []challenge.Challenge {
	s.t.Helper()
	var list []challenge.Challenge
	for i := range n {
		d := from.Add(i)
		c := daily(v, d, engine.Seed("day-"+d.String()))
		if err := s.db.OpenDaily(s.t.Context(), c, challenge.Finding{}); err != nil {
			s.t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// A player's days are their standings of the dailies of one variant, the newest first, without what came late.
func TestPlayedDays(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		v, other := engine.DefaultVariant(), mustVariant(t, "ripple-fan")
		p, q := s.player("p"), s.player("q")
		first := challenge.DayOf(time.Date(2026, 12, 29, 0, 0, 0, 0, time.UTC))
		days := s.dailies(v, first, 6)
		others := s.dailies(other, first, 1)
		s.win(p, days[0], 60)
		s.win(q, days[0], 58) // par falls after p has won
		s.plays(p, days[1].ID, 20, false)
		s.win(p, days[1], 61)
		s.plays(p, days[2].ID, 20, true)
		s.plays(p, days[3].ID, 30, false)
		s.win(p, days[5], 59)
		s.win(p, others[0], 70)
		s.win(p, s.share("shared"), 80)

		type row struct {
			Day   string
			Moves int
			Over  int // -1: no win
		}
		rows := func(list []challenge.PlayedDay) (rows []row) {
			for _, d := range list {
				over, ok := d.Par.Over(d.Result)
				if !ok {
					over = -1
				}
				if d.ChallengeID != challenge.DailyID(v, d.Day) {
					t.Errorf("%s is %s", d.Day, d.ChallengeID)
				}
				rows = append(rows, row{d.Day.String(), d.Result.Moves, over})
			}
			return rows
		}
		read := func(q challenge.PlayedQuery) challenge.PlayedPage {
			t.Helper()
			page, err := s.PlayedDays(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			return page
		}
		want := []row{{"2027-01-03", 59, 0}, {"2027-01-01", 27, -1}, {"2026-12-30", 61, 0}, {"2026-12-29", 60, 2}}
		query := challenge.PlayedQuery{PlayerID: p, Variant: v}
		if diff := cmp.Diff(want, rows(read(query).Days)); diff != "" {
			t.Errorf("all days (-want +got):\n%s", diff)
		}
		query.Limit = 3
		page := read(query)
		if diff := cmp.Diff(want[:3], rows(page.Days)); diff != "" || page.Prev != nil || page.Next == nil {
			t.Fatalf("the first page, with %v before and %v after it (-want +got):\n%s", page.Prev, page.Next, diff)
		}
		query.After = page.Next
		page = read(query)
		if diff := cmp.Diff(want[3:], rows(page.Days)); diff != "" || page.Prev == nil || page.Next != nil {
			t.Fatalf("the second page, with %v before and %v after it (-want +got):\n%s", page.Prev, page.Next, diff)
		}
		query.After, query.Before = nil, page.Prev
		page = read(query)
		if diff := cmp.Diff(want[:3], rows(page.Days)); diff != "" || page.Prev != nil || page.Next == nil {
			t.Errorf("back, with %v before and %v after it (-want +got):\n%s", page.Prev, page.Next, diff)
		}
		if page := read(challenge.PlayedQuery{PlayerID: "nobody", Variant: v, Limit: 3}); len(page.Days) != 0 || page.Next != nil || page.Prev != nil {
			t.Errorf("nobody has played %+v", page)
		}

		s.set(time.Date(2027, 1, 3, 12, 0, 0, 0, time.UTC))
		statistics, err := s.Statistics(t.Context(), p, v)
		if err != nil || statistics.Played != 4 || statistics.Won != 3 || statistics.Streak.Current != 1 || statistics.Streak.Best != 2 {
			t.Errorf("statistics %+v, %v", statistics, err)
		}
	})
}

// The dailies of a month are those that have begun, with their boards counted as everywhere.
func TestDailiesOfAMonth(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		v := engine.DefaultVariant()
		days := s.dailies(v, challenge.DayOf(time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)), 33) // to the 2nd of December
		s.dailies(mustVariant(t, "ripple-fan"), days[1].Day, 1)
		p, q := s.player("p"), s.player("q")
		s.win(p, days[1], 60)
		s.win(q, days[1], 58)
		s.plays(p, days[30].ID, 20, false)
		for _, rolledUp := range []bool{false, true} {
			if rolledUp {
				if _, err := s.RollUp(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			list, err := s.Dailies(t.Context(), v, days[1].Day, days[30].Day)
			if err != nil || len(list) != 30 {
				t.Fatalf("November has %d days, %v", len(list), err)
			}
			for i, c := range list {
				want, err := s.Challenge(t.Context(), days[i+1].ID)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, c, cmpopts.EquateComparable(engine.Variant{}), cmp.AllowUnexported(challenge.Day{})); diff != "" {
					t.Errorf("rolled up %t: %s (-alone +in the list):\n%s", rolledUp, c.ID, diff)
				}
			}
			if c := list[0]; c.Players != 2 || c.Winners != 2 || c.Par.Moves != 58 {
				t.Errorf("the first has %d players, %d winners, par %v", c.Players, c.Winners, c.Par)
			}
		}
		for month, want := range map[string]int{"2026-10": 1, "2026-12": 0, "2026-09": 0} {
			m, err := challenge.ParseMonth(month)
			if err != nil {
				t.Fatal(err)
			}
			if list, err := s.Dailies(t.Context(), v, m.First(), m.Last()); err != nil || len(list) != want {
				t.Errorf("%s has %d days, %v; want %d", month, len(list), err, want)
			}
		}
	})
}

// The spread of a board counts each player once, whether the counts are rolled up or not.
func TestSpread(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		c := s.dailies(engine.DefaultVariant(), challenge.DayOf(noon), 1)[0]
		moves := []int{58, 58, 59, 61, 70, 200}
		for i, p := range s.players(10) {
			s.plays(p, c.ID, 10+i, false)
			if i == 5 {
				if _, err := s.RollUp(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if i < len(moves) {
				s.win(p, c, moves[i])
			}
		}
		want := []int{2, 1, 0, 1, 0, 2}
		for _, rolledUp := range []bool{false, true} {
			if rolledUp {
				if _, err := s.RollUp(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			got, err := s.Spread(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			var counts []int
			for _, bar := range got.OverPar {
				counts = append(counts, bar.Count)
			}
			if got.Players != 10 || got.Winners != 6 || got.Par.Moves != 58 || !slices.Equal(counts, want) {
				t.Errorf("rolled up %t: got %d players, %d winners, par %v, %v; want %v", rolledUp, got.Players, got.Winners, got.Par, counts, want)
			}
		}
		if _, err := s.Spread(t.Context(), "cruel-2026-12-01"); err != challenge.ErrNotFound {
			t.Errorf("the spread of a day to come: %v", err)
		}
	})
}
