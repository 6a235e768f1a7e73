package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/engine"
)

// winToday submits a win of today's deal.
func (s *site) winToday(who header) Challenge {
	s.t.Helper()
	today := decode[Challenge](s.send("GET", "/v1/daily", "").want(http.StatusOK))
	deal, err := s.db.Deal(s.t.Context(), engine.DefaultVariant(), engine.Seed(today.Seed))
	if err != nil {
		s.t.Fatal(err)
	}
	s.submit(who, today.Id, deal.Log)
	return today
}

// again is a session with a fresh access token, for the clock has moved on.
func (s *site) again(me Session) (Session, header) {
	s.t.Helper()
	next := decode[Session](s.send("POST", "/v1/sessions/refresh", `{"refresh_token":"`+*me.RefreshToken+`"}`).want(http.StatusOK))
	return next, bearer(next.AccessToken)
}

// Case D08: a player's days, streak and histogram come from what they submitted in time, of a guest too.
func TestPlayerDays(t *testing.T) {
	s := newSite(t)
	session, me := s.guest()
	name := *session.Player.Name
	days, statistics := "/v1/players/"+name+"/days", "/v1/players/"+name+"/statistics"
	if got := string(s.send("GET", statistics, "").want(http.StatusOK).body); !strings.Contains(got, `"best_over_par":null`) || !strings.Contains(got, `"last_missed":null`) {
		t.Errorf("before the first day: %s", got)
	}
	if page := decode[PlayedDayPage](s.send("GET", days, "").want(http.StatusOK)); len(page.Items) != 0 || page.NextCursor != nil {
		t.Errorf("before the first day: %+v", page)
	}

	s.winToday(me) // the 30th of November
	s.clock.Add(24 * time.Hour)
	session, me = s.again(session)
	today := decode[Challenge](s.send("GET", "/v1/daily", "").want(http.StatusOK))
	s.submit(me, today.Id, "R")
	for range 2 {
		s.clock.Add(24 * time.Hour)
		session, me = s.again(session)
		today = s.winToday(me)
	}
	s.submit(me, s.share(me, "2").Id, "jS") // which is no day
	s.clock.Add(24 * time.Hour)             // the 4th, not won yet

	none := 0
	to := func(n int) *int { return &n }
	missed := "2026-12-01"
	want := PlayerStatistics{
		Variant: Cruel, Played: 4, Won: 3, NotWon: 1, Streak: Streak{Current: 2, Best: 2, LastMissed: &missed}, BestOverPar: &none,
		OverPar: Histogram{{3, 0, to(0)}, {0, 1, to(1)}, {0, 2, to(2)}, {0, 3, to(5)}, {0, 6, to(10)}, {0, 11, nil}},
	}
	first := s.send("GET", statistics, "").want(http.StatusOK)
	if diff := cmp.Diff(want, decode[PlayerStatistics](first)); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}
	if other := decode[PlayerStatistics](s.send("GET", statistics+"?variant=ripple-fan", "")); other.Played != 0 {
		t.Errorf("another variant: %+v", other)
	}
	s.send("GET", statistics, "", header("If-None-Match: "+first.header.Get("ETag"))).want(http.StatusNotModified)
	s.clock.Add(24 * time.Hour) // the 5th: the 4th was missed
	if now := decode[PlayerStatistics](s.send("GET", statistics, "", header("If-None-Match: "+first.header.Get("ETag"))).want(http.StatusOK)); now.Streak.Current != 0 || *now.Streak.LastMissed != "2026-12-04" {
		t.Errorf("the streak goes on: %+v", now.Streak)
	}

	var got []string
	for path := days + "?limit=3"; ; {
		page := decode[PlayedDayPage](s.send("GET", path, "").want(http.StatusOK))
		for _, d := range page.Items {
			got = append(got, d.Date+" "+string(d.Outcome))
			if d.ChallengeId != "cruel-"+d.Date || (d.OverPar == nil) != (d.Outcome != Won) {
				t.Errorf("%+v", d)
			}
		}
		if page.NextCursor == nil {
			break
		}
		path = days + "?limit=3&cursor=" + *page.NextCursor
		s.send("GET", path+"&variant=ripple-fan", "").wrong("cursor")
	}
	if diff := cmp.Diff([]string{"2026-12-03 won", "2026-12-02 won", "2026-12-01 unfinished", "2026-11-30 won"}, got); diff != "" {
		t.Errorf("days (-want +got):\n%s", diff)
	}

	for _, path := range []string{days, statistics} {
		s.send("GET", path+"?variant=nothing", "").wrong("variant")
		s.send("GET", strings.Replace(path, name, "nobody", 1), "").problem(http.StatusNotFound, "not-found")
	}
	_, me = s.again(session)
	s.send("DELETE", "/v1/players/me", "", me).want(http.StatusNoContent)
	s.send("GET", days, "").problem(http.StatusNotFound, "not-found")
	s.send("GET", statistics, "").problem(http.StatusNotFound, "not-found")
}

// A month shows the days that have begun, and nothing of those to come.
func TestDailies(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	s.winToday(me)
	month := decode[DailyMonth](s.send("GET", "/v1/dailies", "").want(http.StatusOK))
	if month.Month != "2026-11" || len(month.Items) != 1 {
		t.Fatalf("got %+v", month)
	}
	if d := month.Items[0]; d.Date != "2026-11-30" || d.ChallengeId != "cruel-2026-11-30" || d.Players != 1 || d.Winners != 1 || d.Par == nil || d.Difficulty == nil {
		t.Errorf("got %+v", d)
	}
	for _, path := range []string{"?month=2026-12", "?month=2026-11&variant=ripple-fan", "?month=9999-12", "?month=0001-01"} {
		if got := decode[DailyMonth](s.send("GET", "/v1/dailies"+path, "").want(http.StatusOK)); len(got.Items) != 0 {
			t.Errorf("%s has %+v", path, got.Items)
		}
	}
	for _, month := range []string{"2026-13", "2026-1", "2026", "x"} {
		s.send("GET", "/v1/dailies?month="+month, "").wrong("month")
	}
}

// The histogram of a board has every player of it.
func TestHistogram(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	_, other := s.guest()
	today := s.winToday(me)
	s.submit(other, today.Id, "R")
	path := "/v1/challenges/" + today.Id + "/histogram"
	got := decode[BoardHistogram](s.send("GET", path, "").want(http.StatusOK))
	if got.Players != 2 || got.Winners != 1 || got.NotWon != 1 || got.OverPar[0].Count != 1 || got.Par == nil || got.ChallengeId != today.Id {
		t.Errorf("got %+v", got)
	}
	shared := s.share(me, "2")
	if got := decode[BoardHistogram](s.send("GET", "/v1/challenges/"+shared.Id+"/histogram", "").want(http.StatusOK)); got.Players != 0 || len(got.OverPar) != 6 {
		t.Errorf("an empty board: got %+v", got)
	}
	s.send("GET", "/v1/challenges/cruel-2026-12-01/histogram", "").problem(http.StatusNotFound, "not-found")
}
