package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// A won game on the seed 2, and the beginning of another.
const (
	win  = "jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD dS aS dS dC hC hC hD eH eC eC eS fS bS bC aC bC bH hH gH fH fC gH gH aH gH fH"
	half = "jS cH R cd R eC hD cS cC cC aS"
)

// vectors reads a file of vectors and fails if it has none.
func vectors[T any](t *testing.T, name, field string) []T {
	t.Helper()
	text, err := os.ReadFile("../engine/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string][]T
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all[field]) == 0 {
		t.Fatalf("%s has no %s", name, field)
	}
	return all[field]
}

// The vectors hold through HTTP as they do in package replay.
func TestVerifyHoldsVectors(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"games.json", "edge.json"} {
		for i, g := range vectors[map[string]any](t, name, "games") {
			text, err := json.Marshal(map[string]any{"variant": g["variant"], "seed": g["seed"], "log": g["log"]})
			if err != nil {
				t.Fatal(err)
			}
			want := g["result"].(map[string]any)
			var got map[string]any
			a := s.send("POST", "/v1/replays/verify", string(text))
			if code, refused := want["error"]; refused {
				a.problem(http.StatusUnprocessableEntity, "illegal-log")
				got, _ = decode[map[string]any](a)["move"].(map[string]any)
				want["code"] = code
				delete(want, "error")
			} else {
				got = decode[map[string]any](a.want(http.StatusOK))
			}
			for field, value := range want {
				if got[field] != value {
					t.Errorf("%s game %d: got %s %v, want %v", name, i, field, got[field], value)
				}
			}
		}
	}
}

// Cases V04, L08, L15: the day, from signing up to the board; the result is what the log proves.
func TestADay(t *testing.T) {
	s := newSite(t)
	today := decode[Challenge](s.send("GET", "/v1/daily", "").want(http.StatusOK))
	if today.Id != "cruel-2026-11-30" || *today.Date != "2026-11-30" || !strings.HasPrefix(today.Seed, "2026-11-30-") || len(today.Deal) != 12 {
		t.Fatalf("got %+v", today)
	}
	if !today.OpensAt.Equal(noon.Add(-12*time.Hour)) || !today.ClosesAt.Equal(noon.Add(12*time.Hour)) ||
		!today.GraceUntil.Equal(today.ClosesAt.Add(10*time.Minute)) || !today.NextOpensAt.Equal(today.ClosesAt) {
		t.Errorf("got the times %+v", today)
	}
	empty := decode[Leaderboard](s.send("GET", "/v1/challenges/"+today.Id+"/leaderboard", "").want(http.StatusOK))
	if empty.Items == nil || len(empty.Items) > 0 || empty.Players != 0 {
		t.Errorf("got the empty board %+v", empty)
	}
	_, me := s.guest()
	s.send("GET", "/v1/challenges/"+today.Id+"/leaderboard?around=me", "", me).problem(http.StatusNotFound, "not-found")
	v := s.submit(me, today.Id, "R")
	if v.Outcome != Unfinished || v.Moves != 1 || v.Redeals != 1 || v.Cards != 4 || *v.Rank != 1 || v.Players != 1 || !v.Improved || v.VerifiedBy != "test" {
		t.Errorf("got %+v", v)
	}
	around := decode[Leaderboard](s.send("GET", "/v1/challenges/"+today.Id+"/leaderboard?around=me", "", me).want(http.StatusOK))
	if len(around.Items) != 1 || around.Items[0].SubmissionId != v.Id {
		t.Errorf("got %+v around me", around)
	}
}

// Cases L01, L06, L07, L14: equal results share a rank, and a worse one replaces nothing.
func TestBoard(t *testing.T) {
	s := newSite(t)
	_, first := s.guest()
	c := s.share(first, "2")
	ids := map[string]string{}
	for i, log := range []string{half, win, win, "jS"} {
		who, token := s.guest()
		v := s.submit(token, c.Id, log)
		ids[fmt.Sprint(i)] = who.Player.Id
		if i == 2 {
			if *v.Rank != 1 || len(v.Neighbours) != 3 {
				t.Errorf("the second win: got rank %d and %d neighbours, want 1 and 3", *v.Rank, len(v.Neighbours))
			}
			worse := s.submit(token, c.Id, half)
			if worse.Improved || *worse.Rank != 1 || worse.PersonalBest.Moves != 54 {
				t.Errorf("a worse result: got %+v", worse)
			}
		}
		s.clock.Add(time.Second)
	}
	board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard", "").want(http.StatusOK))
	var got []string
	for _, row := range board.Items {
		got = append(got, fmt.Sprintf("%d %s %s", row.Rank, row.Outcome, row.Player.Id))
	}
	want := []string{"1 won " + ids["1"], "1 won " + ids["2"], "3 unfinished " + ids["0"], "4 unfinished " + ids["3"]}
	if fmt.Sprint(got) != fmt.Sprint(want) || board.Players != 4 || board.Winners != 2 {
		t.Errorf("got %v, %d players, %d winners", got, board.Players, board.Winners)
	}
	page, path := []string{}, "/v1/challenges/"+c.Id+"/leaderboard?limit=1"
	for cursor := ""; ; {
		one := decode[Leaderboard](s.send("GET", path+cursor, "").want(http.StatusOK))
		for _, row := range one.Items {
			page = append(page, fmt.Sprintf("%d %s %s", row.Rank, row.Outcome, row.Player.Id))
		}
		if one.NextCursor == nil {
			back := decode[Leaderboard](s.send("GET", path+"&cursor="+*one.PrevCursor, "").want(http.StatusOK))
			if back.Items[0].Player.Id != ids["0"] {
				t.Errorf("the page before the last is %+v", back.Items)
			}
			break
		}
		cursor = "&cursor=" + *one.NextCursor
	}
	if fmt.Sprint(page) != fmt.Sprint(want) {
		t.Errorf("page by page: got %v", page)
	}
}

// Case L05: a cursor that was changed, or that belongs to another list, is refused.
func TestTamperedCursors(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c, other := s.share(me, "2"), s.share(me, "ada")
	for range 2 {
		_, who := s.guest()
		s.submit(who, c.Id, "jS")
	}
	path := "/v1/challenges/" + c.Id + "/leaderboard?limit=1&cursor="
	cursor := *decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard?limit=1", "")).NextCursor
	s.send("GET", path+cursor, "").want(http.StatusOK)
	for i := range cursor {
		changed := []byte(cursor)
		changed[i] = 'A' + (changed[i]-'A'+7)%26
		if string(changed) != cursor {
			s.send("GET", path+string(changed), "").wrong("cursor")
		}
	}
	s.send("GET", "/v1/challenges/"+other.Id+"/leaderboard?cursor="+cursor, "").wrong("cursor")
}

// Cases L09, V07, V14: a submission that is sent again is the same one; a refused one leaves nothing.
func TestSubmittedTwice(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c := s.share(me, "2")
	path := "/v1/challenges/" + c.Id + "/submissions"
	first := decode[Verdict](s.send("POST", path, `{"log":"jS cH"}`, me).want(http.StatusCreated))
	again := decode[Verdict](s.send("POST", path, `{"log":" jS\n\tcH "}`, me).want(http.StatusOK))
	if first.Id != again.Id {
		t.Error("the same log is another submission")
	}
	const key header = "Idempotency-Key: 5F0C1C9E-7a52-4b0c-9a65-0b8f0f3f2a11"
	one := s.send("POST", path, `{"log":"jS"}`, me, key).want(http.StatusCreated)
	two := s.send("POST", path, `{"log":"jS"}`, me, header(strings.ToLower(string(key)))).want(http.StatusCreated)
	if string(one.body) != string(two.body) {
		t.Errorf("under one key: got %s, then %s", one.body, two.body)
	}
	s.send("POST", path, `{"log":"cH"}`, me, key).problem(http.StatusUnprocessableEntity, "idempotency-mismatch")
	_, other := s.guest()
	s.send("POST", path, `{"log":"cH"}`, other, key).want(http.StatusCreated)

	p := s.send("POST", path, `{"log":"jS cH aa"}`, me).problem(http.StatusUnprocessableEntity, "illegal-log")
	if p.Move.Index != 3 || p.Move.Token != "aa" || p.Move.Code != Illegal || p.Move.Reason == "" {
		t.Errorf("got the move %+v", p.Move)
	}
	name := decode[Profile](s.send("GET", "/v1/players/me", "", me)).Name
	list := decode[SubmissionPage](s.send("GET", "/v1/players/"+name+"/submissions", "").want(http.StatusOK))
	if len(list.Items) != 2 {
		t.Errorf("%d submissions are kept, want 2", len(list.Items))
	}
	s.send("POST", "/v1/challenges/nothing/submissions", `{"log":"jS"}`, me).problem(http.StatusNotFound, "not-found")
}

// Cases V07, S10 and the sealed seeds: nobody sees another's log until the challenge is over; then all do,
// and the record proves itself.
func TestSealedLogs(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	_, other := s.guest()
	c := s.share(me, "2")
	v := s.submit(me, c.Id, win)
	replay := "/v1/submissions/" + v.Id + "/replay"
	if v.ReplayUrl == nil || *v.ReplayUrl != replay {
		t.Errorf("got my replay_url %v", v.ReplayUrl)
	}
	for _, h := range []header{"X-None: 1", other} {
		p := s.send("GET", replay, "", h).problem(http.StatusForbidden, "sealed-log")
		if p.Until == nil || !p.Until.Equal(c.ClosesAt) {
			t.Errorf("got until %v, want %v", p.Until, c.ClosesAt)
		}
		sub := decode[Submission](s.send("GET", "/v1/submissions/"+v.Id, "", h).want(http.StatusOK))
		board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard", "", h))
		if sub.ReplayUrl != nil || board.Items[0].ReplayUrl != nil {
			t.Error("a sealed log has a replay_url")
		}
	}
	mine := s.send("GET", replay, "", me).want(http.StatusOK)
	if got := mine.header.Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("my sealed log: got Cache-Control %q", got)
	}
	s.clock.Set(c.ClosesAt)
	game := decode[Replay](s.send("GET", replay, "").want(http.StatusOK))
	if game.Log != win || game.Seed != "2" || game.Result.Moves != 54 {
		t.Errorf("got %+v", game)
	}
	record := s.send("GET", replay, "", "Accept: text/plain").want(http.StatusOK)
	if !strings.HasPrefix(string(record.body), "Variant: cruel\nSeed: 2\n") || !strings.Contains(record.header.Get("Content-Type"), "text/plain") {
		t.Errorf("got the record %s", record.body)
	}
	if record.header.Get("ETag") == mine.header.Get("ETag") || !strings.Contains(strings.Join(record.header.Values("Vary"), ","), "Accept") {
		t.Error("a cache can't tell the record from the JSON")
	}
}

// A seed that an open daily seals makes no other challenge.
func TestSealedSeed(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	today := decode[Challenge](s.send("GET", "/v1/daily?variant=perseverance", ""))
	p := s.send("POST", "/v1/challenges", `{"variant":"cruel","seed":"`+today.Seed+`"}`, me).problem(http.StatusConflict, "sealed-seed")
	if p.Until == nil || !p.Until.Equal(today.GraceUntil) {
		t.Errorf("got until %v", p.Until)
	}
	s.clock.Set(today.GraceUntil)
	_, me = s.guest()
	s.share(me, today.Seed)
}

// Case D03: a log that arrives after the grace is kept and marked, and is on no board.
func TestLateSubmission(t *testing.T) {
	s := newSite(t)
	today := decode[Challenge](s.send("GET", "/v1/daily", ""))
	s.clock.Set(today.GraceUntil.Add(-time.Second))
	_, me := s.guest()
	if v := s.submit(me, today.Id, "R"); v.Late || *v.Rank != 1 {
		t.Errorf("in the grace: got %+v", v)
	}
	s.clock.Set(today.GraceUntil.Add(time.Second))
	_, other := s.guest()
	v := s.submit(other, today.Id, "R")
	if !v.Late || v.Rank != nil || v.WouldRank == nil || *v.WouldRank != 1 || v.PersonalBest != nil {
		t.Errorf("after the grace: got %+v", v)
	}
	if board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+today.Id+"/leaderboard", "")); board.Players != 1 {
		t.Errorf("%d players are on the board, want 1", board.Players)
	}
	tomorrow := decode[Challenge](s.send("GET", "/v1/daily", ""))
	if tomorrow.Id != "cruel-2026-12-01" || tomorrow.Players != 0 || tomorrow.Seed == today.Seed {
		t.Errorf("the next day: got %+v", tomorrow)
	}
}

// Case D01: a day is the same for every client, whatever its zone.
func TestDayIsTheSameEverywhere(t *testing.T) {
	s := newSite(t)
	first := s.send("GET", "/v1/daily", "")
	for _, zone := range []string{"-11:00", "+05:45", "+14:00"} {
		at, err := time.Parse(time.RFC3339, "2026-11-30T12:00:00"+zone)
		if err != nil {
			t.Fatal(err)
		}
		s.clock.Set(noon.In(at.Location()))
		if got := s.send("GET", "/v1/daily", ""); string(got.body) != string(first.body) {
			t.Errorf("in the zone %s: got %s", zone, got.body)
		}
	}
}

// Case L12: a deleted player's rows stay, without a name.
func TestDeletedPlayerOnTheBoard(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c := s.share(me, "2")
	v := s.submit(me, c.Id, win)
	s.send("DELETE", "/v1/players/me", "", me).want(http.StatusNoContent)
	board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard", ""))
	if len(board.Items) != 1 || board.Items[0].Player.Name != nil || board.Items[0].SubmissionId != v.Id {
		t.Errorf("got %+v", board.Items)
	}
	s.send("POST", "/v1/challenges/"+c.Id+"/submissions", `{"log":"jS"}`, me).problem(http.StatusUnauthorized, "unauthorized")
	s.clock.Set(c.ClosesAt)
	record := s.send("GET", "/v1/submissions/"+v.Id+"/replay", "", "Accept: text/plain").want(http.StatusOK)
	if strings.Contains(string(record.body), "Player:") {
		t.Errorf("the record names the deleted player: %s", record.body)
	}
}

// Cases V06, D03: a win of one deal proves nothing for another, nor for the next day.
func TestLogOfAnotherDeal(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	for _, path := range []string{"/v1/challenges/cruel-2026-11-30", "/v1/challenges/perseverance-2026-11-30", "/v1/challenges/" + s.share(me, "ada").Id} {
		s.send("POST", path+"/submissions", `{"log":"`+win+`"}`, me).problem(http.StatusUnprocessableEntity, "illegal-log")
	}
	s.send("POST", "/v1/challenges/cruel-2026-12-01/submissions", `{"log":"R"}`, me).problem(http.StatusNotFound, "not-found")
	name := decode[Profile](s.send("GET", "/v1/players/me", "", me)).Name
	if list := decode[SubmissionPage](s.send("GET", "/v1/players/"+name+"/submissions", "")); len(list.Items) != 0 {
		t.Errorf("%d refused submissions are kept", len(list.Items))
	}
}

// Case K09: what is zero or empty is not missing: the seed 0, the pile a, the log of an untouched game.
func TestZeroIsAValue(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	if c := s.share(me, "0"); c.Seed != "0" || c.Deal[0][0] != "TD" {
		t.Errorf("got the seed %s with the card %s", c.Seed, c.Deal[0][0])
	}
	r := decode[Result](s.send("POST", "/v1/replays/verify", `{"variant":"cruel","seed":"0","log":""}`).want(http.StatusOK))
	if r.Outcome != Unfinished || r.Moves != 0 || r.Cards != 4 {
		t.Errorf("got %+v", r)
	}
	for _, field := range []string{"variant", "seed", "log"} {
		game := map[string]string{"variant": "cruel", "seed": "0", "log": ""}
		delete(game, field)
		text, err := json.Marshal(game)
		if err != nil {
			t.Fatal(err)
		}
		s.send("POST", "/v1/replays/verify", string(text)).wrong(field)
	}
}
