package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// What the tests read of races.
type (
	shownEntrant struct {
		Player struct{ ID, Name string }
		State  string
		Cards  int
		Moves  int
		Log    *string
		Rating *struct{ Before, After int }
	}
	shownRace struct {
		Code, State string
		Rated       bool
		StartsAt    *time.Time `json:"starts_at"`
		Seed        *string
		Entrants    []shownEntrant
		Outcome     *string
		Winner      *struct{ ID string }
		EventID     int `json:"event_id"`
	}
	shownEvent struct {
		id   string
		Type string
		At   time.Time
		// Of progress.
		PlayerID     string `json:"player_id"`
		Cards, Moves int
		// Of all others.
		Race *shownRace
	}
)

// rival is a client of a player who races. It reads the events of its race, and where the stream breaks off
// it goes on by itself, from the event that it had.
type rival struct {
	t *testing.T
	session
	server atomic.Pointer[running]
	code   string
	events chan shownEvent
}

// newRival signs up a registered player, whose races are rated.
func newRival(t *testing.T, r *running, name string) *rival {
	t.Helper()
	v := &rival{t: t, events: make(chan shownEvent, 1000)}
	v.server.Store(r)
	r.must(http.StatusCreated, "POST", "/v1/players", "", fmt.Sprintf(`{"name": %q, "password": "correct horse"}`, name), &v.session)
	return v
}

// do does an act, which must be taken.
func (v *rival) do(act string, log ...string) (after shownRace) {
	v.t.Helper()
	body := ""
	if act == "progress" || act == "finish" {
		body = fmt.Sprintf(`{"log": %q}`, strings.Join(log, " "))
	}
	status := http.StatusOK
	if act == "join" {
		status = http.StatusCreated
	}
	v.server.Load().must(status, "POST", "/v1/races/"+v.code+"/"+act, v.AccessToken, body, &after)
	return after
}

// watch reads the events of a race until the test is over.
func (v *rival) watch(code string) {
	v.code = code
	ctx, cancel := context.WithCancel(v.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for last := ""; ctx.Err() == nil; {
			err := v.read(ctx, &last)
			if ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				select { // the server is down
				case <-ctx.Done():
				case <-time.After(20 * time.Millisecond):
				}
			}
		}
	}()
	v.t.Cleanup(func() { cancel(); <-done })
}

// read reads events until the stream breaks off.
func (v *rival) read(ctx context.Context, last *string) error {
	r, err := http.NewRequestWithContext(ctx, "GET", v.server.Load().url+"/v1/races/"+v.code+"/events", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+v.AccessToken)
	if *last != "" {
		r.Header.Set("Last-Event-ID", *last)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	var e shownEvent
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err // what has no end is no event
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "id":
			e.id = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				return err
			}
		case "":
			if e.id != "" {
				*last = e.id
				v.events <- e
			}
			e = shownEvent{}
		}
	}
}

// next waits for the next event, which must be of the kind and have the number.
func (v *rival) next(kind string, number int) shownEvent {
	v.t.Helper()
	select {
	case e := <-v.events:
		if want := fmt.Sprintf("%s-%d", v.code, number); e.Type != kind || e.id != want {
			v.t.Fatalf("%s gets %s %s, want %s %s", v.Player.Name, e.Type, e.id, kind, want)
		}
		return e
	case <-time.After(deadline):
		v.t.Fatalf("%s doesn't get %s\n%s", v.Player.Name, kind, v.server.Load().log)
		return shownEvent{}
	}
}

// winFor is a win on a seed's deal, found by the solver.
func winFor(t *testing.T, seed string) []string {
	t.Helper()
	variant := engine.DefaultVariant()
	budget := solver.Budget{Time: deadline, Memory: 64 << 20}
	a, err := solver.Decide(t.Context(), variant, engine.Deal(variant, engine.Seed(seed)), budget, solver.Watch{})
	if err != nil || a.Verdict != solver.Won {
		t.Fatalf("seed %s: %v, %v", seed, a.Verdict, err)
	}
	return strings.Fields(replay.Log(a.Log).String())
}

// kill ends a server without a word.
func (r *running) kill() {
	r.t.Helper()
	r.signal(syscall.SIGKILL)
	_ = r.end() // killed
}

// checkRecord holds what remains of a race that ana has won with log against what it was.
func checkRecord(t *testing.T, r *running, over shownRace, ana, ben *rival, log []string) {
	t.Helper()
	var record shownRace
	r.must(http.StatusOK, "GET", "/v1/races/"+over.Code, "", "", &record)
	if diff := cmp.Diff(over, record); diff != "" {
		t.Errorf("the record isn't what was told (-told +record):\n%s", diff)
	}
	if record.State != "finished" || !record.Rated || *record.Outcome != "win" || record.Winner.ID != ana.Player.ID {
		t.Fatalf("the record: %+v", record)
	}
	if got := record.Entrants[0].Log; got == nil || *got != strings.Join(log, " ") {
		t.Errorf("the record has the log %v", got)
	}
	var proved shownResult
	r.must(http.StatusOK, "POST", "/v1/replays/verify", "", fmt.Sprintf(`{"variant": "cruel", "seed": %q, "log": %q}`, *record.Seed, *record.Entrants[0].Log), &proved)
	if proved.Outcome != "won" || proved.Moves != record.Entrants[0].Moves || proved.Cards != 52 {
		t.Errorf("the log proves %+v", proved)
	}
	for seat, v := range []*rival{ana, ben} {
		rating := record.Entrants[seat].Rating
		if rating == nil || rating.Before != 1500 || (rating.After > 1500) != (v == ana) || rating.After == 1500 {
			t.Errorf("the rating of %s: %+v", v.Player.Name, rating)
			continue
		}
		var ratings struct{ Items []struct{ Rating, Races int } }
		r.must(http.StatusOK, "GET", "/v1/players/"+v.Player.Name+"/ratings", "", "", &ratings)
		if len(ratings.Items) != 1 || ratings.Items[0].Rating != rating.After || ratings.Items[0].Races != 1 {
			t.Errorf("the ratings of %s: %+v", v.Player.Name, ratings.Items)
		}
		listed := over // without the logs
		listed.Entrants = slices.Clone(over.Entrants)
		for seat := range listed.Entrants {
			listed.Entrants[seat].Log = nil
		}
		var races struct{ Items []shownRace }
		r.must(http.StatusOK, "GET", "/v1/players/"+v.Player.Name+"/races", "", "", &races)
		if diff := cmp.Diff([]shownRace{listed}, races.Items); diff != "" {
			t.Errorf("the races of %s (-want +got):\n%s", v.Player.Name, diff)
		}
	}
	if text := r.log.String(); strings.Contains(text, *record.Seed) || strings.Contains(text, ana.AccessToken) || strings.Contains(text, "correct horse") {
		t.Error("a seed, a token or a password is in the log") // case M24
	}
}

// A rated race of two clients that are on two servers of one Postgres. One server is killed while they race,
// and its client goes on where it was when it is back: each event once and in order. Cases M03, M11, M16.
func TestRaceOnTwoServers(t *testing.T) {
	dsn := dbtest.Postgres(t)
	one := start(t, dsn)
	two := start(t, dsn)
	ana, ben := newRival(t, one, "ana"), newRival(t, two, "ben")
	var open shownRace
	one.must(http.StatusCreated, "POST", "/v1/races", ana.AccessToken, `{"time_limit_s": 600}`, &open)
	ana.watch(open.Code)
	ben.watch(open.Code)
	both := func(kind string, number int) (a, b shownEvent) {
		t.Helper()
		a, b = ana.next(kind, number), ben.next(kind, number)
		if kind != "state" {
			if !a.At.Equal(b.At) {
				t.Errorf("%s was at %s and at %s", kind, a.At, b.At)
			}
		}
		return a, b
	}
	if a, _ := both("state", 1); a.Race.Seed != nil {
		t.Error("the seed is shown")
	}
	ben.do("join")
	both("joined", 2)
	ana.do("ready")
	both("ready", 3)
	ready := ben.do("ready")
	both("ready", 4)
	if a, b := both("countdown", 5); a.Race.Seed != nil || b.Race.Seed != nil || !a.Race.StartsAt.Equal(*ready.StartsAt) {
		t.Errorf("the countdown: %+v, %+v", a.Race, b.Race)
	}
	a, b := both("started", 6)
	if a.Race.Seed == nil || *a.Race.Seed != *b.Race.Seed || !a.At.Equal(*ready.StartsAt) {
		t.Fatalf("the start: %+v, %+v", a.Race, b.Race)
	}
	log := winFor(t, *a.Race.Seed)
	ana.do("progress", log[:5]...)
	if a, b := both("progress", 7); a.Race != nil || b.Moves != 5 || b.PlayerID != ana.Player.ID {
		t.Errorf("progress: %+v, %+v", a, b)
	}
	ben.do("progress", "R")
	both("progress", 8)

	two.kill()
	for n := 10; n <= 30; n += 10 { // while ben is away
		ana.do("progress", log[:n]...)
		ana.next("progress", 8+n/10)
	}
	if state := ana.do("progress", log[:30]...); state.Entrants[1].State != "racing" {
		t.Errorf("a lost connection made ben %s", state.Entrants[1].State)
	}
	two = start(t, dsn)
	ben.server.Store(two)
	for n := 9; n <= 11; n++ {
		ben.next("progress", n)
	}

	ana.do("finish", log...)
	both("finished", 12)
	over := ben.do("finish", "R", log[0])
	both("finished", 13)
	a, b = both("over", 14)
	for who, told := range map[string]*shownRace{"ana": a.Race, "ben": b.Race} {
		if diff := cmp.Diff(over, *told); diff != "" {
			t.Errorf("%s is told another end (-want +got):\n%s", who, diff)
		}
	}
	for _, r := range []*running{one, two} {
		checkRecord(t, r, over, ana, ben, log)
		r.stop()
	}
}

// A rated race on one SQLite, whose server is killed in the lobby, in the countdown and while they race: it
// goes on from the database, its start comes at its time, and the clients go on unaided. Case M11.
func TestRaceOverRestarts(t *testing.T) {
	dsn := filepath.Join(t.TempDir(), "cruel.db")
	r := start(t, dsn)
	ana, ben := newRival(t, r, "ana"), newRival(t, r, "ben")
	again := func() {
		t.Helper()
		r.kill()
		r = start(t, dsn)
		ana.server.Store(r)
		ben.server.Store(r)
	}
	both := func(kind string, number int) (a, b shownEvent) {
		t.Helper()
		return ana.next(kind, number), ben.next(kind, number)
	}
	var open shownRace
	r.must(http.StatusCreated, "POST", "/v1/races", ana.AccessToken, `{"time_limit_s": 60}`, &open)
	ana.watch(open.Code)
	ben.watch(open.Code)
	both("state", 1)
	ben.do("join")
	both("joined", 2)

	again() // in the lobby
	ana.do("ready")
	both("ready", 3)
	countdown := ben.do("ready")
	both("ready", 4)
	both("countdown", 5)

	again() // in the countdown
	a, _ := both("started", 6)
	if !a.At.Equal(*countdown.StartsAt) || a.Race.Seed == nil {
		t.Errorf("the countdown was to end at %s, the start was %+v", countdown.StartsAt, a)
	}
	log := winFor(t, *a.Race.Seed)
	ben.do("progress", log[:12]...)
	both("progress", 7)

	again() // while they race
	var running shownRace
	r.must(http.StatusOK, "GET", "/v1/races/"+open.Code, "", "", &running)
	if running.State != "running" || running.Entrants[1].Moves != 12 {
		t.Errorf("after the kill: %+v", running)
	}
	ana.do("finish", log...)
	both("finished", 8)
	over := ben.do("forfeit")
	both("forfeited", 9)
	both("over", 10)

	again()
	checkRecord(t, r, over, ana, ben, log)
	r.stop()
}

// Case M22: SIGTERM ends streams in good order, and the server in time and with exit code 0.
func TestStopEndsStreams(t *testing.T) {
	r := start(t, "cruel.db")
	me := r.signUp()
	var open shownRace
	r.must(http.StatusCreated, "POST", "/v1/races", me.AccessToken, `{"time_limit_s": 60, "seed": "2"}`, &open)
	const streams = 50
	ended := make(chan error, streams)
	for range streams {
		answer, err := http.Get(r.url + "/v1/races/" + open.Code + "/events")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		go func() {
			_, err := io.Copy(io.Discard, answer.Body)
			ended <- err
		}()
	}
	r.signal(syscall.SIGTERM)
	late := time.After(10 * time.Second)
	for range streams {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("a stream ended with %v", err)
			}
		case <-late:
			t.Fatalf("a stream doesn't end\n%s", r.log)
		}
	}
	select {
	case err := <-r.ended:
		if err != nil {
			t.Errorf("after SIGTERM: %v\n%s", err, r.log)
		}
	case <-late:
		t.Errorf("the server doesn't end\n%s", r.log)
	}
}
