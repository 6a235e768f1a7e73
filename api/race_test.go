package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/db"
	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/race"
	"cruel/replay"
	"cruel/solver"
)

// racer is a player who races.
type racer struct {
	*site
	id, name string
	auth     header
}

// racer signs up a registered player, whose races can be rated.
func (s *site) racer(name string) racer {
	s.t.Helper()
	body := fmt.Sprintf(`{"name":%q,"password":"correct horse"}`, name)
	in := decode[Session](s.send("POST", "/v1/players", body).want(http.StatusCreated))
	return racer{s, in.Player.Id, name, bearer(in.AccessToken)}
}

func (s *site) guestRacer() racer {
	s.t.Helper()
	in, auth := s.guest()
	return racer{s, in.Player.Id, *in.Player.Name, auth}
}

// open makes a race.
func (r racer) open(body string) Race {
	r.t.Helper()
	return decode[Race](r.send("POST", "/v1/races", body, r.auth).want(http.StatusCreated))
}

// raceActs is all that can be done in a race, in the order in which a refusal lists it.
var raceActs = strings.Fields("join ready unready leave progress finish forfeit unforfeit rematch")

// try does an act in a race; the log is for progress and finish.
func (r racer) try(code, act, log string) answer {
	r.t.Helper()
	switch act {
	case "progress", "finish":
		return r.send("POST", "/v1/races/"+code+"/"+act, fmt.Sprintf(`{"log":%q}`, log), r.auth)
	case "unforfeit":
		return r.send("DELETE", "/v1/races/"+code+"/forfeit", "", r.auth)
	}
	return r.send("POST", "/v1/races/"+code+"/"+act, "", r.auth)
}

// do does an act that must be taken.
func (r racer) do(code, act string, log ...string) Race {
	r.t.Helper()
	a := r.try(code, act, strings.Join(log, " "))
	if a.status != http.StatusOK && (act != "join" || a.status != http.StatusCreated) {
		r.t.Fatalf("%s by %s: got status %d: %s", act, r.name, a.status, a.body)
	}
	return decode[Race](a)
}

// look is a race as the public sees it.
func (s *site) look(code string) Race {
	s.t.Helper()
	return decode[Race](s.send("GET", "/v1/races/"+code, "").want(http.StatusOK))
}

// begin brings an open race of a to its start.
func (s *site) begin(code string, a, b racer) Race {
	s.t.Helper()
	b.do(code, "join")
	a.do(code, "ready")
	b.do(code, "ready")
	s.clock.Add(5 * time.Second)
	return s.look(code)
}

// meet meets what deadlines have come.
func (s *site) meet() {
	s.t.Helper()
	if err := s.races.MeetDeadlines(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// solved is a winning log for a seed.
func solved(t testing.TB, seed string) string {
	t.Helper()
	v := engine.DefaultVariant()
	budget := solver.Budget{Time: 20 * time.Second, Memory: 64 << 20}
	a, err := solver.Decide(context.Background(), v, engine.Deal(v, engine.Seed(seed)), budget, solver.Watch{})
	if err != nil || a.Verdict != solver.Won {
		t.Fatalf("seed %s: %v, %v; want a win", seed, a.Verdict, err)
	}
	return replay.Log(a.Log).String()
}

// The winner of a seed of one's own is known, and it needs no drawing.
const ownSeed = `{"time_limit_s":60,"seed":"2"}`

// A whole rated race: what each answer says of it, and what remains.
func TestRace(t *testing.T) {
	dbtest.Each(t, testRace)
}

func testRace(t *testing.T, d *db.DB) {
	s := siteOn(t, d)
	ana, ben := s.racer("ana"), s.racer("ben")
	a := s.send("POST", "/v1/races", `{"time_limit_s":600}`, ana.auth).want(http.StatusCreated)
	open := decode[Race](a)
	if got := a.header.Get("Location"); got != "/v1/races/"+open.Code {
		t.Errorf("got Location %q", got)
	}
	if open.State != "open" || open.Goal != "fewest_moves" || open.Variant != "cruel" || open.Visibility != "open" ||
		open.BestOf != 1 || open.Game != 1 || open.TimeLimitS != 600 || len(open.Entrants) != 1 || open.StartsAt != nil || open.EventId != 1 {
		t.Errorf("the defaults of a race: got %s", a.body)
	}

	joined := decode[Race](ben.try(open.Code, "join", "").want(http.StatusCreated))
	if len(joined.Entrants) != 2 || joined.Entrants[0].Player.Id != ana.id || joined.Entrants[1].Player.Id != ben.id {
		t.Errorf("joined: got %+v", joined.Entrants)
	}
	again := decode[Race](ben.try(open.Code, "join", "").want(http.StatusOK))
	if again.EventId != joined.EventId {
		t.Error("joining again is an event")
	}
	if r := ana.do(open.Code, "ready"); r.State != "open" || r.Entrants[0].State != "ready" {
		t.Errorf("one is ready: got %+v", r)
	}
	if r := ana.do(open.Code, "unready"); r.Entrants[0].State != "joined" {
		t.Errorf("not ready after all: got %+v", r.Entrants)
	}
	ana.do(open.Code, "ready")
	countdown := ben.do(open.Code, "ready")
	if countdown.State != "countdown" || !countdown.StartsAt.Equal(noon.Add(5*time.Second)) || !countdown.EndsAt.Equal(noon.Add(605*time.Second)) {
		t.Errorf("both are ready: got %+v", countdown)
	}
	s.clock.Add(5 * time.Second)
	running := s.look(open.Code)
	if running.State != "running" || !running.Rated || running.Seed == nil || running.Deal == nil ||
		running.Entrants[0].State != "racing" || !running.ServerTime.Equal(s.clock.Now()) {
		t.Fatalf("at the start: got %+v", running)
	}

	log := strings.Fields(solved(t, *running.Seed))
	s.clock.Add(time.Minute)
	if r := ana.do(open.Code, "progress", log[:20]...); r.Entrants[0].Moves != 20 || r.Entrants[0].Cards < 4 {
		t.Errorf("progress: got %+v", r.Entrants[0])
	}
	if r := ana.do(open.Code, "progress", log[:10]...); r.Entrants[0].Moves != 10 {
		t.Errorf("moves taken back: got %+v", r.Entrants[0])
	}
	refused := ana.try(open.Code, "finish", "R xx").problem(http.StatusUnprocessableEntity, "illegal-log")
	if refused.Move == nil || refused.Move.Index != 2 || refused.Move.Code != "syntax" {
		t.Errorf("got the move %+v", refused.Move)
	}
	if r := s.look(open.Code); r.Entrants[0].Moves != 10 || r.EventId != running.EventId+2 {
		t.Errorf("an illegal log has changed the race: %+v", r)
	}
	ana.do(open.Code, "finish", log...)
	for _, log := range []string{"R", ""} {
		ana.try(open.Code, "finish", log).problem(http.StatusConflict, "race-state") // it can't be taken back
	}
	sealed := s.look(open.Code)
	if e := sealed.Entrants[0]; sealed.State != "running" || e.State != "finished" || e.Result == nil || e.Result.Outcome != "won" ||
		!e.FinishedAt.Equal(noon.Add(65*time.Second)) || e.Log != nil || e.Rating != nil {
		t.Errorf("ana has finished: got %+v", e)
	}
	over := ben.do(open.Code, "finish", "R", log[0])
	if over.State != "finished" || *over.Outcome != "win" || over.Winner.Id != ana.id {
		t.Errorf("the end: got %+v", over)
	}
	for i, e := range over.Entrants {
		if e.Log == nil || e.Rating == nil || e.Rating.Before != 1500 || e.Rating.After == 1500 || (e.Rating.After > 1500) != (i == 0) {
			t.Fatalf("the end for %s: got %+v", *e.Player.Name, e)
		}
		body := fmt.Sprintf(`{"variant":"cruel","seed":%q,"log":%q}`, *over.Seed, *e.Log)
		if got := decode[Result](s.send("POST", "/v1/replays/verify", body).want(http.StatusOK)); !cmp.Equal(got, *e.Result) {
			t.Errorf("the log of %s proves %+v, the race says %+v", *e.Player.Name, got, *e.Result)
		}
	}

	s.clock.Add(24 * time.Hour) // the result is permanent
	if diff := cmp.Diff(over.Entrants, s.look(open.Code).Entrants); diff != "" {
		t.Errorf("a day later (-then +now):\n%s", diff)
	}
	list := decode[RacePage](s.send("GET", "/v1/players/ben/races", "").want(http.StatusOK))
	if len(list.Items) != 1 || list.Items[0].Code != open.Code || list.Items[0].Entrants[0].Log != nil || list.Items[0].Deal != nil {
		t.Errorf("the races of ben: got %+v", list.Items)
	}
	ratings := decode[struct{ Items []RatingRow }](s.send("GET", "/v1/players/ben/ratings", "").want(http.StatusOK))
	if len(ratings.Items) != 1 || ratings.Items[0].Rating != over.Entrants[1].Rating.After || ratings.Items[0].Races != 1 || !ratings.Items[0].Provisional {
		t.Errorf("the ratings of ben: got %+v", ratings.Items)
	}
}

// Every act in every state: what isn't allowed is refused, says where the race is and what its player may do
// instead, and changes nothing.
func TestRaceRefusals(t *testing.T) {
	nothing := func(*site, string, racer, racer) {}
	join := func(_ *site, code string, _, ben racer) { ben.do(code, "join") }
	start := func(s *site, code string, ana, ben racer) { s.begin(code, ana, ben) }
	for _, test := range []struct {
		name    string
		state   RaceState
		prepare func(s *site, code string, ana, ben racer)

		// What does something, and what repeats what was done; all else is refused.
		anaMay, anaAgain string
		benMay, benAgain string
	}{
		{"alone", "open", nothing, "ready leave", "join unready", "", ""},
		{"both joined", "open", join, "ready leave", "join unready", "ready leave", "join unready"},
		{"countdown", "countdown", func(_ *site, code string, ana, ben racer) {
			ben.do(code, "join")
			ana.do(code, "ready")
			ben.do(code, "ready")
		}, "unready leave", "join ready", "unready leave", "join ready"},
		{"running", "running", start, "progress finish forfeit", "join unforfeit", "progress finish forfeit", "join unforfeit"},
		{"ben finished", "running", func(s *site, code string, ana, ben racer) {
			s.begin(code, ana, ben)
			ben.do(code, "finish", "jS")
		}, "progress finish forfeit", "join unforfeit", "", "join progress finish"},
		{"ben forfeited", "running", func(s *site, code string, ana, ben racer) {
			s.begin(code, ana, ben)
			ben.do(code, "forfeit")
		}, "progress finish forfeit", "join unforfeit", "unforfeit", "join forfeit"},
		{"over", "finished", func(s *site, code string, ana, ben racer) {
			s.begin(code, ana, ben)
			ben.do(code, "forfeit")
			ana.do(code, "finish", win)
		}, "rematch", "join", "rematch", "join forfeit"},
		{"cancelled", "cancelled", func(_ *site, code string, ana, _ racer) { ana.do(code, "leave") }, "", "leave", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t)
			ana, ben, cyd := s.guestRacer(), s.guestRacer(), s.guestRacer()
			code := ana.open(ownSeed).Code
			test.prepare(s, code, ana, ben)
			before := s.look(code)
			if before.State != test.state {
				t.Fatalf("the race is %s", before.State)
			}
			check := func(r racer, may, again string) {
				for _, act := range raceActs {
					switch {
					case slices.Contains(strings.Fields(may), act):
						continue
					case slices.Contains(strings.Fields(again), act):
						r.do(code, act, "jS")
						continue
					}
					p := r.try(code, act, "jS").problem(http.StatusConflict, "race-state")
					allowed := []string{}
					for _, a := range *p.Allowed {
						allowed = append(allowed, string(a))
					}
					if *p.State != test.state || strings.Join(allowed, " ") != may || p.Detail == "" {
						t.Errorf("%s: got %s, %v, %q; want %s, %s", act, *p.State, allowed, p.Detail, test.state, may)
					}
				}
			}
			check(ana, test.anaMay, test.anaAgain)
			if len(before.Entrants) > 1 {
				check(ben, test.benMay, test.benAgain)
			}
			for _, act := range raceActs[1:] {
				cyd.try(code, act, "jS").problem(http.StatusForbidden, "forbidden")
			}
			if test.name != "alone" {
				if p := cyd.try(code, "join", "").problem(http.StatusConflict, "race-state"); len(*p.Allowed) > 0 {
					t.Errorf("a stranger may %v", *p.Allowed)
				}
			}
			if diff := cmp.Diff(before, s.look(code)); diff != "" {
				t.Errorf("what was refused has changed the race (-before +after):\n%s", diff)
			}
		})
	}
}

// Whoever has no token is sent away before anything is looked at; a code that nobody has is not found.
func TestRacesThatAreNot(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	for _, act := range raceActs {
		nobody := ana
		nobody.auth = "X-None: 1"
		nobody.try(code, act, "jS").problem(http.StatusUnauthorized, "unauthorized")
		ana.try("zzzzzz", act, "jS").problem(http.StatusNotFound, "not-found")
	}
	s.send("POST", "/v1/races", ownSeed).problem(http.StatusUnauthorized, "unauthorized")
	for _, path := range []string{"/v1/races/zzzzzz", "/v1/races/zzzzzz/events", "/v1/players/nobody/races", "/v1/players/nobody/ratings"} {
		s.send("GET", path, "").problem(http.StatusNotFound, "not-found")
	}
	for _, path := range []string{"/v1/races/ABCDEF", "/v1/races/abcde", "/v1/races/abcdefg", "/v1/races/abcde1/events"} {
		s.send("GET", path, "").wrong("code")
	}
}

func TestBadRaces(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	for _, test := range []struct{ name, body, field string }{
		{"no time limit", `{}`, "time_limit_s"},
		{"too short", `{"time_limit_s":59}`, "time_limit_s"},
		{"too long", `{"time_limit_s":86401}`, "time_limit_s"},
		{"half a second", `{"time_limit_s":60.5}`, "time_limit_s"},
		{"a text", `{"time_limit_s":"60"}`, "time_limit_s"},
		{"a huge number", `{"time_limit_s":1e300}`, "time_limit_s"},
		{"null", `{"time_limit_s":null}`, "time_limit_s"},
		{"an even series", `{"time_limit_s":60,"best_of":2}`, "best_of"},
		{"no series", `{"time_limit_s":60,"best_of":0}`, "best_of"},
		{"a long series", `{"time_limit_s":60,"best_of":7}`, "best_of"},
		{"an unknown goal", `{"time_limit_s":60,"goal":"most_moves"}`, "goal"},
		{"an unknown visibility", `{"time_limit_s":60,"visibility":"private"}`, "visibility"},
		{"an unknown variant", `{"time_limit_s":60,"variant":"klondike"}`, "variant"},
		{"a seed in capitals", `{"time_limit_s":60,"seed":"ADA"}`, "seed"},
		{"an empty seed", `{"time_limit_s":60,"seed":""}`, "seed"},
		{"a long seed", `{"time_limit_s":60,"seed":"` + strings.Repeat("a", 65) + `"}`, "seed"},
		{"a number as a seed", `{"time_limit_s":60,"seed":2}`, "seed"},
		{"a start of one's own", `{"time_limit_s":60,"starts_at":"2026-11-30T12:00:00Z"}`, "starts_at"},
		{"rated by wish", `{"time_limit_s":60,"rated":true}`, "rated"},
		{"a field twice", `{"time_limit_s":60,"time_limit_s":70}`, "time_limit_s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := *s
			s.t = t
			s.send("POST", "/v1/races", test.body, ana.auth).wrong(test.field)
		})
	}
	for _, limit := range []string{"60", "86400"} {
		ana.open(`{"time_limit_s":` + limit + `,"visibility":"invite","seed":"x-` + limit + `"}`)
	}
	if list := decode[RacePage](s.send("GET", "/v1/races", "")); len(list.Items) > 0 {
		t.Errorf("refused or by invite, but listed: %+v", list.Items)
	}

	ben := s.guestRacer()
	code := ana.open(ownSeed).Code
	s.begin(code, ana, ben)
	for _, test := range []struct{ name, body, field string }{
		{"no log", `{}`, "log"},
		{"null", `{"log":null}`, "log"},
		{"a list", `{"log":["jS"]}`, "log"},
		{"a claim of moves", `{"log":"jS","moves":1}`, "moves"},
		{"a claim of a win", `{"log":"jS","won":true}`, "won"},
		{"a time of one's own", `{"log":"jS","finished_at":"2026-11-30T12:00:00Z"}`, "finished_at"},
		{"not JSON", `jS`, "body"},
	} {
		for _, act := range []string{"progress", "finish"} {
			t.Run(act+": "+test.name, func(t *testing.T) {
				s := *s
				s.t = t
				s.send("POST", "/v1/races/"+code+"/"+act, test.body, ana.auth).wrong(test.field)
			})
		}
	}
	for _, test := range []struct{ log, code string }{{"jS jS", "illegal"}, {"jS ??", "syntax"}, {win + " R", "after_win"}, {strings.Repeat("R ", 5001), "too_long"}} {
		for _, act := range []string{"progress", "finish"} {
			p := ana.try(code, act, strings.TrimSpace(test.log)).problem(http.StatusUnprocessableEntity, "illegal-log")
			if string(p.Move.Code) != test.code {
				t.Errorf("got %s, want %s", p.Move.Code, test.code)
			}
		}
	}
	if r := s.look(code); r.State != "running" || r.Entrants[0].State != "racing" || r.Entrants[0].Moves != 0 {
		t.Errorf("what was refused has changed the race: %+v", r)
	}
}

// Case M20: before the start the seed is in no answer, list, stream or line of the log, and nothing that is
// shown leads to it. From the start on everybody has it.
func TestSeedIsSecretUntilTheStart(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	first := ana.open(`{"time_limit_s":60}`)
	second := ana.open(`{"time_limit_s":60}`) // at the same time, by the same player
	var seeds []string
	for _, code := range []string{first.Code, second.Code} {
		held, err := s.db.Race(t.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, string(held.Seed))
	}
	random := strings.TrimPrefix(seeds[0], "race-")
	if seeds[0] == seeds[1] || len(random) < 26 || strings.Contains(random, first.Code) {
		t.Errorf("races made alike have the seeds %v", seeds)
	}

	r := s.streamed(first.Code) // through the countdown
	defer r.close()
	shown := []string{}
	show := func(a answer) { shown = append(shown, string(a.body), fmt.Sprint(a.header)) }
	public := func() {
		for _, path := range []string{"/v1/races/" + first.Code, "/v1/races", "/v1/races?state=running", "/v1/players/" + ana.name + "/races"} {
			show(s.send("GET", path, ""))
			show(s.send("GET", path, "", ana.auth))
		}
	}
	public()
	show(ben.try(first.Code, "join", ""))
	show(ana.try(first.Code, "progress", "R")) // a refusal
	show(ana.try(first.Code, "ready", ""))
	show(ben.try(first.Code, "ready", ""))
	public()
	s.clock.Add(4999 * time.Millisecond)
	s.meet()
	public()
	for _, want := range []string{"state", "joined", "ready", "ready", "countdown"} {
		e := r.next(want)
		if e.data.Race == nil || e.data.Race.Seed != nil || e.data.Race.Deal != nil {
			t.Errorf("%s: got the race %+v", want, e.data.Race)
		}
		shown = append(shown, e.text)
	}
	shown = append(shown, s.log.String())
	for _, text := range shown {
		if strings.Contains(text, random[:8]) || strings.Contains(text, `"deal":[`) {
			t.Fatalf("the seed or the deal is shown before the start: %s", text)
		}
	}

	s.clock.Add(time.Millisecond)
	s.meet()
	started := r.next("started").data.Race
	deal := dealOf(engine.DefaultVariant(), engine.Seed(seeds[0]))
	for _, race := range []Race{*started, s.look(first.Code)} {
		if race.Seed == nil || *race.Seed != seeds[0] || !cmp.Equal(*race.Deal, deal) {
			t.Errorf("after the start: got %+v", race)
		}
	}

	// A race that was cancelled shows nothing for good.
	ana.do(second.Code, "leave")
	if r := s.look(second.Code); r.State != "cancelled" || r.Seed != nil || r.Deal != nil {
		t.Errorf("cancelled: got %+v", r)
	}
}

// The seed of a race is sealed until it is over: no hints, no challenge and no other race on it.
func TestSeedOfARaceIsSealed(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	hint := func() answer { return s.send("POST", "/v1/hints", `{"variant":"cruel","seed":"2","log":""}`, ben.auth) }
	challenge := func() answer { return s.send("POST", "/v1/challenges", `{"variant":"cruel","seed":"2"}`, ben.auth) }
	again := func() answer { return s.send("POST", "/v1/races", ownSeed, ben.auth) }
	refused := func() {
		for _, ask := range []func() answer{hint, challenge, again} {
			if p := ask().problem(http.StatusConflict, "sealed-seed"); p.Until == nil || !p.Until.After(s.clock.Now()) {
				t.Errorf("sealed until %v", p.Until)
			}
		}
	}
	refused()
	s.begin(code, ana, ben)
	refused()
	ana.do(code, "finish", win)
	if over := ben.do(code, "finish", half); over.Entrants[0].Log == nil || *over.Entrants[0].Log != win {
		t.Errorf("the logs of a race that is over: got %+v", over.Entrants)
	}
	hint().want(http.StatusOK)
	challenge().want(http.StatusCreated)
	// Logs that were public stay so, whoever takes the seed again.
	if r := s.look(code); r.Entrants[0].Log == nil {
		t.Error("a challenge on the seed has closed the logs again")
	}
}

// The logs of a race on the seed of an open challenge stay sealed with it.
func TestLogsStaySealedWithTheirSeed(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	c := s.share(ben.auth, "2")
	code := ana.open(ownSeed).Code
	s.begin(code, ana, ben)
	ana.do(code, "finish", win)
	over := ben.do(code, "finish", half)
	if over.State != "finished" || over.Entrants[0].Log != nil || over.Entrants[1].Log != nil {
		t.Errorf("the challenge is open: got %+v", over.Entrants)
	}
	s.clock.Set(c.ClosesAt.Add(time.Second))
	if r := s.look(code); r.Entrants[0].Log == nil || *r.Entrants[0].Log != win {
		t.Errorf("the challenge is over: got %+v", r.Entrants)
	}
}

// Case M20: of a thousand races no two have the same seed, and none is in any answer, event or line of the log
// before its start, at debug too. With the race detector, which makes ten times as slow, it is a hundred races.
func TestThousandSeeds(t *testing.T) {
	races, ofOne := 1000, race.MostRaces
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		races = 100
	}
	var log strings.Builder
	s := newSite(t, func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&lockedWriter{w: &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	server := s.listen()
	var shown []string
	show := func(a answer) answer {
		shown = append(shown, string(a.body), fmt.Sprint(a.header))
		return a
	}
	codes := make([]string, races)
	streams := make([]func(string) string, races)
	ben := s.guestRacer()
	var ana racer
	for i := range codes {
		if i%ofOne == 0 {
			ana = s.guestRacer()
		}
		codes[i] = decode[Race](show(s.send("POST", "/v1/races", `{"time_limit_s":60}`, ana.auth)).want(http.StatusCreated)).Code
		_, streams[i] = rawStream(t, server, codes[i], "HTTP/1.1\r\nHost: x")
		shown = append(shown, streams[i]("event: state"))
		show(ben.try(codes[i], "join", "")).want(http.StatusCreated)
		show(ben.try(codes[i], "ready", "")).want(http.StatusOK)
		show(ana.try(codes[i], "ready", "")).want(http.StatusOK)
	}
	s.clock.Add(5*time.Second - time.Millisecond)
	s.meet()
	for path := "/v1/races?state=running&limit=200"; path != ""; {
		a := show(s.send("GET", path, "").want(http.StatusOK))
		path = ""
		if next := decode[RacePage](a).NextCursor; next != nil {
			path = "/v1/races?state=running&limit=200&cursor=" + *next
		}
	}
	show(s.send("GET", "/v1/races/"+codes[0], "").want(http.StatusOK))
	for _, next := range streams {
		shown = append(shown, next("event: countdown"), next(""))
	}
	shown = append(shown, log.String())

	s.clock.Add(time.Millisecond)
	s.meet()
	s.meet() // no more than 500 are met at once
	seeds := map[string]bool{}
	for i, code := range codes {
		seed := *s.look(code).Seed
		if seeds[seed] {
			t.Errorf("two races have the seed %s", seed)
		}
		seeds[seed] = true
		streams[i]("event: started")
		if !strings.Contains(streams[i](""), seed) {
			t.Errorf("the event of the start of %s is without its seed", code)
		}
	}
	words := regexp.MustCompile(`[a-z0-9]{20,}`)
	for _, text := range shown {
		for _, word := range words.FindAllString(strings.ToLower(text), -1) {
			if seeds["race-"+word] {
				t.Errorf("the seed race-%s is shown before the start", word)
			}
		}
		if strings.Contains(text, `"seed":"`) || strings.Contains(text, `"deal":[`) {
			t.Errorf("a seed or a deal is shown before the start: %s", text)
		}
	}
	if len(seeds) != races {
		t.Errorf("%d races have %d seeds", races, len(seeds))
	}
}

// Case M08: the creator who joins their own race, from another session too, has the seat they had.
func TestJoiningOnesOwnRace(t *testing.T) {
	s := newSite(t)
	ana := s.racer("ana")
	code := ana.open(ownSeed).Code
	in := decode[Session](s.send("POST", "/v1/sessions", `{"name":"ana","password":"correct horse"}`).want(http.StatusCreated))
	tab := ana
	tab.auth = bearer(in.AccessToken)
	first, second := s.streamed(code, ana.auth), s.streamed(code, tab.auth)
	defer first.close()
	defer second.close()
	for range 2 {
		if r := decode[Race](tab.try(code, "join", "").want(http.StatusOK)); len(r.Entrants) != 1 || r.EventId != 1 {
			t.Fatalf("got %+v", r.Entrants)
		}
	}
	tab.do(code, "ready")
	if r := ana.do(code, "ready"); r.State != "open" || len(r.Entrants) != 1 {
		t.Errorf("one player in two sessions starts a race: %+v", r)
	}
	for _, stream := range []*streaming{first, second} {
		stream.next("state")
		stream.next("ready")
	}
}

// A guest may race, but not for ratings; nor does a race on a seed of one's own count.
func TestUnratedRaces(t *testing.T) {
	s := newSite(t)
	ana, ben, guest := s.racer("ana"), s.racer("ben"), s.guestRacer()
	for _, test := range []struct {
		name, body string
		other      racer
	}{
		{"a guest", `{"time_limit_s":60}`, guest},
		{"a seed of one's own", ownSeed, ben},
	} {
		code := ana.open(test.body).Code
		running := s.begin(code, ana, test.other)
		ana.do(code, "finish", solved(t, *running.Seed))
		over := test.other.do(code, "forfeit")
		if over.Rated || *over.Outcome != "win" || over.Entrants[0].Rating != nil {
			t.Errorf("%s: got %+v", test.name, over)
		}
	}
	for _, name := range []string{"ana", "ben", guest.name} {
		ratings := decode[struct{ Items []RatingRow }](s.send("GET", "/v1/players/"+name+"/ratings", "").want(http.StatusOK))
		if len(ratings.Items) > 0 {
			t.Errorf("%s is rated: %+v", name, ratings.Items)
		}
	}
}

// Nobody can claim a win over who is gone: the time limit decides, and the last verified progress is the
// result. Case M02: no race is running past it.
func TestOutOfTime(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	running := s.begin(code, ana, ben)
	ana.do(code, "progress", half)
	ben.do(code, "progress", "jS")
	s.clock.Set(running.EndsAt.Add(-time.Millisecond))
	s.meet()
	if r := s.look(code); r.State != "running" {
		t.Fatalf("a millisecond before the end it is %s", r.State)
	}
	s.clock.Add(10 * time.Second) // the server comes late; the deadline counts
	s.meet()
	held, err := s.db.Race(t.Context(), code)
	if err != nil || held.State != "finished" {
		t.Fatalf("nobody has looked, and it is %s, %v", held.State, err)
	}
	ana.try(code, "progress", win).problem(http.StatusConflict, "race-state")
	over := s.look(code)
	if *over.Outcome != "win" || over.Winner.Id != ana.id {
		t.Errorf("got %+v", over)
	}
	for _, e := range over.Entrants {
		if e.State != "out_of_time" || !e.FinishedAt.Equal(*running.EndsAt) {
			t.Errorf("got %+v", e)
		}
	}

	// Without a card home by either it was no contest.
	code = ana.open(ownSeed).Code
	running = s.begin(code, ana, ben)
	s.clock.Set(*running.EndsAt)
	if over := s.look(code); *over.Outcome != "no_contest" || over.Winner != nil {
		t.Errorf("got %+v", over)
	}
}

// The first win ends the race, by progress too; the other is beaten.
func TestFirstWin(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	for _, act := range []string{"progress", "finish"} {
		code := ana.open(`{"time_limit_s":60,"seed":"2","goal":"first_win"}`).Code
		s.begin(code, ana, ben)
		ana.do(code, "progress", half)
		over := ben.do(code, act, win)
		if over.State != "finished" || over.Winner.Id != ben.id || over.Entrants[0].State != "beaten" || over.Entrants[0].Result.Cards != over.Entrants[0].Cards {
			t.Errorf("%s: got %+v", act, over)
		}
	}
}

// Case M26: one gives up, and the other goes on; who has given up may come back until the race is finished.
func TestForfeit(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	s.begin(code, ana, ben)
	if r := ana.do(code, "forfeit"); r.State != "running" || r.Entrants[0].State != "forfeited" || r.Entrants[1].State != "racing" {
		t.Errorf("got %+v", r)
	}
	if r := ana.do(code, "unforfeit"); r.Entrants[0].State != "racing" {
		t.Errorf("back again: got %+v", r.Entrants)
	}
	ana.do(code, "forfeit")
	over := ben.do(code, "finish", half)
	if over.Winner == nil || over.Winner.Id != ben.id || over.Entrants[0].State != "forfeited" || over.Entrants[1].Result.Moves != 11 {
		t.Errorf("got %+v", over)
	}
	ana.try(code, "unforfeit", "").problem(http.StatusConflict, "race-state")
}

// Case M07: one leaves in the countdown: no start and no result, and the next countdown is a full one.
func TestLeavingTheCountdown(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	countdown := func() Race {
		ana.do(code, "ready")
		return ben.do(code, "ready")
	}
	ben.do(code, "join")
	countdown()
	s.clock.Add(4 * time.Second)
	if r := ben.do(code, "leave"); r.State != "open" || len(r.Entrants) != 1 || r.Entrants[0].State != "joined" || r.StartsAt != nil {
		t.Errorf("the other leaves: got %+v", r)
	}
	s.clock.Add(time.Minute)
	s.meet()
	if r := s.look(code); r.State != "open" || r.Outcome != nil {
		t.Errorf("the countdown went on: %+v", r)
	}
	ben.do(code, "join")
	if r := countdown(); !r.StartsAt.Equal(s.clock.Now().Add(5 * time.Second)) {
		t.Errorf("the next countdown ends at %v, now is %v", r.StartsAt, s.clock.Now())
	}
	if r := ana.do(code, "leave"); r.State != "cancelled" {
		t.Errorf("the creator leaves: got %s", r.State)
	}
}

// Case M06: a lobby whose host is gone, by leaving, by deleting the account or for 30 minutes, closes: it is
// in no list and can't be joined.
func TestLobbiesClose(t *testing.T) {
	s := newSite(t)
	ben := s.guestRacer()
	for _, test := range []struct {
		name string
		gone func(ana racer, code string)
	}{
		{"left", func(ana racer, code string) { ana.do(code, "leave") }},
		{"deleted", func(ana racer, _ string) {
			s.send("DELETE", "/v1/players/me", "", ana.auth).want(http.StatusNoContent)
		}},
		{"late", func(racer, string) {
			s.clock.Add(30 * time.Minute)
			s.meet()
			ben = s.guestRacer() // whose token isn't late
		}},
	} {
		ana := s.guestRacer()
		code := ana.open(ownSeed).Code
		test.gone(ana, code)
		if r := s.look(code); r.State != "cancelled" {
			t.Errorf("%s: the race is %s", test.name, r.State)
		}
		if list := decode[RacePage](s.send("GET", "/v1/races", "")); len(list.Items) > 0 {
			t.Errorf("%s: still listed: %+v", test.name, list.Items)
		}
		ben.try(code, "join", "").problem(http.StatusConflict, "race-state")
	}
}

// Who deletes their account while racing has forfeited, and the record keeps their place without a name.
func TestDeletedWhileRacing(t *testing.T) {
	s := newSite(t)
	ana, ben := s.racer("ana"), s.racer("ben")
	code := ana.open(`{"time_limit_s":60}`).Code
	running := s.begin(code, ana, ben)
	ana.do(code, "finish", solved(t, *running.Seed))
	s.send("DELETE", "/v1/players/me", "", ben.auth).want(http.StatusNoContent)
	over := s.look(code)
	if over.State != "finished" || over.Winner.Id != ana.id || over.Entrants[1].State != "forfeited" || over.Entrants[1].Player.Name != nil {
		t.Errorf("got %+v", over)
	}
	ana.do(code, "rematch")
	ben.try(code, "rematch", "").want(http.StatusOK) // the token lives a little longer; nothing may come of it
	if r := s.look(code); r.NextCode != nil {
		t.Errorf("a deleted player is in the next race: %+v", r)
	}
}

// Case M10: a rematch that both offer is one new race with both inside.
func TestRematch(t *testing.T) {
	s := newSite(t)
	ana, ben := s.racer("ana"), s.racer("ben")
	code := ana.open(`{"time_limit_s":90,"goal":"first_win","visibility":"invite"}`).Code
	running := s.begin(code, ana, ben)
	ana.do(code, "finish", solved(t, *running.Seed))
	if r := ben.do(code, "rematch"); r.NextCode != nil || !r.Entrants[1].Rematch || r.Entrants[0].Rematch {
		t.Errorf("one offers: got %+v", r)
	}
	both := ana.do(code, "rematch")
	if both.NextCode == nil {
		t.Fatalf("both offer: got %+v", both)
	}
	next := s.look(*both.NextCode)
	if next.State != "open" || next.Entrants[0].Player.Id != ana.id || next.Entrants[1].Player.Id != ben.id ||
		next.TimeLimitS != 90 || next.Goal != "first_win" || next.Visibility != "invite" || next.Seed != nil {
		t.Errorf("got the rematch %+v", next)
	}
	if r := ben.do(code, "rematch"); *r.NextCode != next.Code {
		t.Errorf("offering again leads to %s, not to %s", *r.NextCode, next.Code)
	}
}

// Who wants to join sees beforehand that a race is on a named seed, and so unrated. What follows it is on a seed
// of the server's, and rated like any other.
func TestNamedSeed(t *testing.T) {
	s := newSite(t)
	ana, ben := s.racer("ana"), s.racer("ben")
	named := ana.open(`{"time_limit_s":60,"seed":"2","best_of":3}`)
	if listed := decode[RacePage](s.send("GET", "/v1/races", "")).Items; !named.SeedNamed || len(listed) != 1 || !listed[0].SeedNamed {
		t.Errorf("got %+v, in the list %+v", named, listed)
	}
	if r := s.begin(named.Code, ana, ben); r.Rated || !r.SeedNamed {
		t.Errorf("the race on the named seed: got %+v", r)
	}
	ana.do(named.Code, "forfeit")
	second := s.begin(*ben.do(named.Code, "finish", win).NextCode, ana, ben)
	if !second.Rated || second.SeedNamed || *second.Seed == "2" {
		t.Errorf("the second of the series: got %+v", second)
	}
	ana.do(second.Code, "forfeit")
	ben.do(second.Code, "finish", solved(t, *second.Seed))
	ana.do(second.Code, "rematch")
	if rematch := s.look(*ben.do(second.Code, "rematch").NextCode); rematch.SeedNamed {
		t.Errorf("the rematch: got %+v", rematch)
	}
	if rows := decode[RatingPage](s.send("GET", "/v1/players/ben/ratings", "")).Items; len(rows) != 1 || rows[0].Races != 1 {
		t.Errorf("got the ratings %+v", rows)
	}
}

// A series goes on by itself until one has the majority.
func TestSeries(t *testing.T) {
	s := newSite(t)
	ana, ben := s.racer("ana"), s.racer("ben")
	code := ana.open(`{"time_limit_s":60,"best_of":3}`).Code
	for game := 1; game <= 2; game++ {
		running := s.begin(code, ana, ben)
		if running.Game != game || running.BestOf != 3 || running.Entrants[1].Wins != game-1 {
			t.Errorf("game %d: got %+v", game, running)
		}
		ana.do(code, "forfeit")
		over := ben.do(code, "finish", solved(t, *running.Seed))
		if game == 2 {
			if over.NextCode != nil || over.Entrants[1].Wins != 2 {
				t.Errorf("the series is decided, but: %+v", over)
			}
			return
		}
		ben.try(code, "rematch", "").problem(http.StatusConflict, "race-state")
		if over.NextCode == nil {
			t.Fatalf("no race follows: %+v", over)
		}
		code = *over.NextCode
	}
}

// The lists of races: by state, the newest first, each once while others are added.
func TestRaceLists(t *testing.T) {
	dbtest.Each(t, testRaceLists)
}

func testRaceLists(t *testing.T, d *db.DB) {
	s := siteOn(t, d)
	ana, ben := s.guestRacer(), s.guestRacer()
	named := func(n int) string { return fmt.Sprintf(`{"time_limit_s":60,"seed":"list-%d"}`, n) }
	var want []string
	for n := range 5 {
		s.clock.Add(time.Second)
		want = append([]string{ana.open(named(n)).Code}, want...)
	}
	page := func(path string) (codes []string, p RacePage) {
		p = decode[RacePage](s.send("GET", path, "").want(http.StatusOK))
		for _, r := range p.Items {
			codes = append(codes, r.Code)
		}
		return codes, p
	}
	var got []string
	codes, p := page("/v1/races?limit=2")
	first := codes
	for n := 5; ; n++ {
		got = append(got, codes...)
		if p.NextCursor == nil {
			break
		}
		s.clock.Add(time.Second)
		s.guestRacer().open(named(n))
		codes, p = page("/v1/races?limit=2&cursor=" + *p.NextCursor)
	}
	if !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_, p = page("/v1/races?limit=2&cursor=" + *p.PrevCursor)
	codes, _ = page("/v1/races?limit=2&cursor=" + *p.PrevCursor)
	if !cmp.Equal(codes, first) {
		t.Errorf("back at the first page: got %v, want %v", codes, first)
	}
	s.send("GET", "/v1/races?state=finished&cursor="+*p.PrevCursor, "").wrong("cursor")
	s.send("GET", "/v1/players/"+ana.name+"/races?cursor="+*p.PrevCursor, "").wrong("cursor")
	s.send("GET", "/v1/ratings?cursor="+*p.PrevCursor, "").wrong("cursor")
	s.send("GET", "/v1/races?state=cancelled", "").wrong("state")

	// A countdown is among the running; a race of one's own is on the list of both when it is over.
	ben.do(want[0], "join")
	ana.do(want[0], "ready")
	ben.do(want[0], "ready")
	running, _ := page("/v1/races?state=running")
	s.clock.Add(5 * time.Second)
	s.look(want[0])
	still, _ := page("/v1/races?state=running")
	if !cmp.Equal(running, want[:1]) || !cmp.Equal(still, want[:1]) {
		t.Errorf("running: got %v, then %v, want %v", running, still, want[:1])
	}
	for _, path := range []string{"/v1/races?state=finished", "/v1/players/" + ana.name + "/races", "/v1/players/" + ben.name + "/races"} {
		if codes, _ := page(path); len(codes) > 0 {
			t.Errorf("%s: got %v before the end", path, codes)
		}
	}
	ana.do(want[0], "forfeit")
	ben.do(want[0], "forfeit")
	for _, path := range []string{"/v1/races?state=finished", "/v1/players/" + ana.name + "/races", "/v1/players/" + ben.name + "/races"} {
		if codes, _ := page(path); !cmp.Equal(codes, want[:1]) {
			t.Errorf("%s: got %v, want %v", path, codes, want[:1])
		}
	}
}

// Ratings: provisional players aren't listed; the list is in order, and its cursors hold.
func TestRatings(t *testing.T) {
	s := newSite(t)
	ana, ben, cyd := s.racer("ana"), s.racer("ben"), s.racer("cyd")
	race := func(winner, loser racer) Race {
		code := winner.open(`{"time_limit_s":60}`).Code
		running := s.begin(code, winner, loser)
		loser.do(code, "forfeit")
		return winner.do(code, "finish", solved(t, *running.Seed))
	}
	ratings := func(query string) RatingPage {
		return decode[RatingPage](s.send("GET", "/v1/ratings"+query, "").want(http.StatusOK))
	}
	race(ana, ben)
	if list := ratings(""); len(list.Items) > 0 {
		t.Errorf("provisional players are listed: %+v", list.Items)
	}
	for range 8 { // until nobody is provisional any more
		race(ana, ben)
		race(ben, cyd)
		race(cyd, ana)
		race(ana, ben)
	}
	list := ratings("?variant=cruel&goal=fewest_moves")
	if len(list.Items) != 3 || list.NextCursor != nil || list.PrevCursor != nil {
		t.Fatalf("got %+v", list)
	}
	for i, row := range list.Items {
		if row.Provisional || row.Deviation > 110 || i > 0 && row.Rating > list.Items[i-1].Rating {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	first := ratings("?limit=2")
	rest := ratings("?limit=2&cursor=" + *first.NextCursor)
	back := ratings("?limit=2&cursor=" + *rest.PrevCursor)
	if diff := cmp.Diff(list.Items, append(slices.Clone(first.Items), rest.Items...)); diff != "" || rest.NextCursor != nil {
		t.Errorf("by pages (-whole +pages):\n%s", diff)
	}
	if diff := cmp.Diff(first.Items, back.Items); diff != "" {
		t.Errorf("and back (-there +back):\n%s", diff)
	}
	s.send("GET", "/v1/ratings?goal=first_win&cursor="+*first.NextCursor, "").wrong("cursor")
	s.send("GET", "/v1/ratings?goal=most_moves", "").wrong("goal")
	if other := ratings("?goal=first_win"); len(other.Items) > 0 {
		t.Errorf("the other goal has %+v", other.Items)
	}
	// Who hasn't raced for long is less sure.
	before := list.Items[0]
	s.clock.Add(365 * 24 * time.Hour)
	name := *before.Player.Name
	after := decode[struct{ Items []RatingRow }](s.send("GET", "/v1/players/"+name+"/ratings", "").want(http.StatusOK)).Items[0]
	if after.Deviation <= before.Deviation || after.Rating != before.Rating {
		t.Errorf("a year later: got %+v, before it was %+v", after, before)
	}
}

// A race has an ETag that changes with it, and not with the clock; 304 says that it has not.
func TestRaceETag(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	for _, path := range []string{"/v1/races/" + code, "/v1/races", "/v1/races?state=finished", "/v1/players/" + ana.name + "/races", "/v1/ratings", "/v1/players/" + ana.name + "/ratings"} {
		first := s.send("GET", path, "").want(http.StatusOK)
		etag := first.header.Get("ETag")
		if etag == "" || first.header.Get("Cache-Control") != "public, no-cache" {
			t.Fatalf("%s: got ETag %q, Cache-Control %q", path, etag, first.header.Get("Cache-Control"))
		}
		s.clock.Add(time.Second)
		for _, match := range []string{etag, "W/" + strings.TrimPrefix(etag, "W/"), strings.TrimPrefix(etag, "W/")} {
			again := s.send("GET", path, "", header("If-None-Match: "+match)).want(http.StatusNotModified)
			if len(again.body) > 0 || again.header.Get("ETag") != etag {
				t.Errorf("%s: the 304 has a body or another ETag", path)
			}
		}
	}
	before := s.send("GET", "/v1/races/"+code, "").header.Get("ETag")
	ana.do(code, "ready")
	s.send("GET", "/v1/races/"+code, "", header("If-None-Match: "+before)).want(http.StatusOK)
}

// An answer to an act is nobody else's to keep.
func TestActsAreNotCached(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	a := s.send("POST", "/v1/races", ownSeed, ana.auth).want(http.StatusCreated)
	if got := a.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("got Cache-Control %q", got)
	}
	var code struct{ Code string }
	if err := json.Unmarshal(a.body, &code); err != nil {
		t.Fatal(err)
	}
	if got := ana.try(code.Code, "ready", "").header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("got Cache-Control %q", got)
	}
}

// A player makes only so many races at once; when one is over there may be another.
func TestFewRacesOfAPlayerAtOnce(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	codes := []string{}
	for n := range race.MostRaces {
		codes = append(codes, ana.open(fmt.Sprintf(`{"time_limit_s":60,"seed":"few-%d"}`, n)).Code)
	}
	s.send("POST", "/v1/races", `{"time_limit_s":60,"seed":"few"}`, ana.auth).problem(http.StatusTooManyRequests, "rate-limited")
	s.send("POST", "/v1/races/"+codes[0]+"/leave", "", ana.auth).want(http.StatusOK)
	ana.open(`{"time_limit_s":60,"seed":"few"}`)
}
