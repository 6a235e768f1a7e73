package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

// The first verified win makes the par and its holder, a shorter one would lower it; wins are so many moves
// over it, everywhere.
func TestPar(t *testing.T) {
	s := newSite(t)
	_, maker := s.guest()
	c := s.share(maker, "2")
	if c.Par != nil || c.Winnable != nil || c.Difficulty != nil || c.Commitment != nil {
		t.Errorf("nobody has looked at the deal, but it has %+v", c)
	}
	ada, me := s.guest()
	_, other := s.guest()
	longer := s.submit(other, c.Id, "R R "+win)
	if longer.Par.Moves != 56 || longer.Par.Kind != BestKnown || *longer.OverPar != 0 {
		t.Errorf("the first win: got par %+v, over by %d", longer.Par, *longer.OverPar)
	}
	best := s.submit(me, c.Id, win)
	if best.Par.Moves != 54 || best.Par.Holder.Id != ada.Player.Id || *best.OverPar != 0 || *best.Neighbours[1].OverPar != 2 {
		t.Errorf("a shorter win: got %+v", best)
	}
	if v := s.submit(maker, c.Id, half); v.OverPar != nil || v.Par.Moves != 54 || *v.Neighbours[1].OverPar != 2 {
		t.Errorf("no win: got %+v", v)
	}
	board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard", "").want(http.StatusOK))
	if board.Par.Moves != 54 || *board.Items[0].OverPar != 0 || *board.Items[1].OverPar != 2 || board.Items[2].OverPar != nil {
		t.Errorf("got the board %+v", board)
	}
	sub := decode[Submission](s.send("GET", "/v1/submissions/"+longer.Id, "").want(http.StatusOK))
	if sub.Par.Moves != 54 || *sub.OverPar != 2 {
		t.Errorf("got the submission %+v", sub)
	}
	list := decode[SubmissionPage](s.send("GET", "/v1/players/"+*longer.Player.Name+"/submissions", "").want(http.StatusOK))
	if list.Items[0].Par.Moves != 54 || *list.Items[0].OverPar != 2 {
		t.Errorf("got the list %+v", list)
	}
	now := decode[Challenge](s.send("GET", "/v1/challenges/"+c.Id, "").want(http.StatusOK))
	if now.Par.Moves != 54 || !*now.Winnable {
		t.Errorf("got the challenge %+v", now)
	}
}

// The par's log is sealed like any other; then anyone can replay it.
func TestParIsSealed(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c := s.share(me, "2")
	path := "/v1/challenges/" + c.Id + "/par"
	s.send("GET", path, "").problem(http.StatusNotFound, "not-found")
	v := s.submit(me, c.Id, win)
	p := s.send("GET", path, "", me).problem(http.StatusForbidden, "sealed-log")
	if p.Until == nil || !p.Until.Equal(c.ClosesAt) {
		t.Errorf("got until %v, want %v", p.Until, c.ClosesAt)
	}
	s.clock.Set(c.ClosesAt)
	got := decode[ParReplay](s.send("GET", path, "").want(http.StatusOK))
	if got.Log != win || got.Par.Moves != 54 || *got.SubmissionId != v.Id || got.Result.Moves != 54 || got.Seed != "2" || got.LowerBound > 54 {
		t.Errorf("got %+v", got)
	}
	a := s.send("GET", path, "", "Accept: text/plain").want(http.StatusOK)
	record, err := replay.ParseRecord(a.body)
	if err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	if result, err := record.Verify(); err != nil || result.Moves != 54 || result.Outcome != engine.Won {
		t.Errorf("the record proves %+v, %v", result, err)
	}
	s.send("GET", "/v1/challenges/cruel-2026-12-07/par", "").problem(http.StatusForbidden, "sealed-log") // today, drawn on request
	s.send("GET", "/v1/challenges/cruel-2027-12-01/par", "").problem(http.StatusNotFound, "not-found")
}

// A day can be won, has a par, a difficulty and a commitment, which the list has, too.
func TestDayIsFair(t *testing.T) {
	s := newSite(t)
	for _, v := range engine.Variants() {
		c := decode[Challenge](s.send("GET", "/v1/daily?variant="+v.ID, "").want(http.StatusOK))
		if c.Winnable == nil || !*c.Winnable || c.Par == nil || c.Par.Holder != nil || c.Difficulty == nil {
			t.Fatalf("%s: got %+v", v.ID, c)
		}
		deal, err := s.db.Deal(t.Context(), v, engine.Seed(c.Seed))
		if err != nil {
			t.Fatal(err)
		}
		if won, err := replay.Verify(v, deal.Seed, deal.Log); err != nil || won.Outcome != engine.Won || won.Moves != c.Par.Moves {
			t.Errorf("%s: the par of %d moves is %+v, %v", v.ID, c.Par.Moves, won, err)
		}
		sum := sha256.Sum256([]byte("cruel commitment 1\n" + v.ID + "\n2026-11-30\n" + c.Seed))
		if c.Commitment.Hash != hex.EncodeToString(sum[:]) || c.Commitment.Beforehand || !c.Commitment.CommittedAt.Equal(noon) {
			t.Errorf("%s: got the commitment %+v", v.ID, c.Commitment)
		}
		list := decode[CommitmentPage](s.send("GET", "/v1/commitments?variant="+v.ID, "").want(http.StatusOK))
		if len(list.Items) != 1 || list.Items[0] != *c.Commitment {
			t.Errorf("%s: got the list %+v", v.ID, list)
		}
	}
}

// Commitments to days to come are there before the days, page by page, and say nothing but a hash.
func TestCommitments(t *testing.T) {
	s := newSite(t)
	v := engine.DefaultVariant()
	for i := range 4 {
		day := challenge.DayOf(noon).Add(i)
		seed := engine.Seed(fmt.Sprintf("seed-%d", i))
		err := s.db.OpenDaily(t.Context(), challenge.Challenge{
			ID: challenge.DailyID(v, day), Kind: challenge.Daily, Variant: v, RulesVersion: 1, Day: day, Seed: seed,
			OpensAt: day.OpensAt(), ClosesAt: day.ClosesAt(), GraceUntil: day.ClosesAt(), CreatedAt: noon,
			Commitment: &challenge.Commitment{Day: day, Hash: challenge.CommitmentHash(v, day, seed), CommittedAt: noon},
		}, challenge.Finding{})
		if err != nil {
			t.Fatal(err)
		}
	}
	get := func(query string) CommitmentPage {
		t.Helper()
		return decode[CommitmentPage](s.send("GET", "/v1/commitments"+query, "").want(http.StatusOK))
	}
	all := get("")
	if len(all.Items) != 4 || all.Items[0].Date != "2026-11-30" || all.Items[0].Beforehand || !all.Items[1].Beforehand || all.NextCursor != nil {
		t.Errorf("got %+v", all)
	}
	if next := get("?limit=2&from=2026-11-29").NextCursor; next == nil || len(get("?cursor="+*next).Items) != 2 {
		t.Error("the cursor alone doesn't go on")
	}
	if got := get("?from=2026-12-02"); len(got.Items) != 2 || got.Items[0] != all.Items[2] {
		t.Errorf("from a day on: got %+v", got)
	}
	if got := get("?variant=perseverance"); got.Items == nil || len(got.Items) != 0 {
		t.Errorf("another variant: got %+v", got)
	}
	var dates []string
	page := get("?limit=2&from=2026-12-01")
	for range 2 {
		for _, c := range page.Items {
			dates = append(dates, c.Date)
		}
		if page.NextCursor == nil {
			break
		}
		page = get("?limit=2&from=2026-12-01&cursor=" + *page.NextCursor)
	}
	if want := "2026-12-01 2026-12-02 2026-12-03"; strings.Join(dates, " ") != want {
		t.Errorf("page by page: got %v", dates)
	}
	if back := get("?limit=2&from=2026-12-01&cursor=" + *page.PrevCursor); len(back.Items) != 2 || back.Items[0].Date != "2026-12-01" {
		t.Errorf("back: got %+v", back)
	}
	s.send("GET", "/v1/commitments?variant=perseverance&cursor="+*page.PrevCursor, "").wrong("cursor")
	s.send("GET", "/v1/commitments?from=2026-02-30", "").wrong("from")
	s.send("GET", "/v1/commitments?variant=nonsense", "").wrong("variant")
	for _, path := range []string{"/v1/daily/2026-12-01", "/v1/challenges/cruel-2026-12-01", "/v1/challenges/cruel-2026-12-01/par", "/v1/challenges/cruel-2026-12-01/leaderboard"} {
		s.send("GET", path, "").problem(http.StatusNotFound, "not-found")
	}
}

// A hint is the next move of a win, unless the deal is one of an open challenge.
func TestHints(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	_, me := s.guest()
	ask := func(seed, log string, headers ...header) answer {
		t.Helper()
		return s.send("POST", "/v1/hints", fmt.Sprintf(`{"variant":"cruel","seed":%q,"log":%q}`, seed, log), headers...)
	}
	ask("2", "").problem(http.StatusUnauthorized, "unauthorized")
	first := ask("2", "jS", me).want(http.StatusOK)
	if got := first.header.Values("RateLimit"); !slices.Contains(got, `"hint";r=59;t=60`) {
		t.Errorf("got RateLimit %s", got)
	}
	hint := decode[Hint](first)
	if hint.Winnable == nil || !*hint.Winnable || hint.Move == nil || *hint.Moves < 47 {
		t.Fatalf("got %s", first.body)
	}
	if _, err := replay.Verify(engine.DefaultVariant(), "2", "jS "+*hint.Move); err != nil {
		t.Errorf("the hint is no move: %v", err)
	}
	if last := decode[Hint](ask("2", win, me).want(http.StatusOK)); !*last.Winnable || last.Move != nil || *last.Moves != 0 {
		t.Errorf("a game that is won: got %+v", last)
	}
	if lost := decode[Hint](ask(lostDeal(t), "", me).want(http.StatusOK)); lost.Winnable == nil || *lost.Winnable || lost.Move != nil || lost.Moves != nil {
		t.Errorf("a deal that can't be won: got %+v", lost)
	}
	ask("2", "jS aa", me).problem(http.StatusUnprocessableEntity, "illegal-log")
	c := s.share(me, "2")
	p := ask("2", "jS", me).problem(http.StatusConflict, "sealed-seed")
	if p.Until == nil || !p.Until.Equal(c.ClosesAt) {
		t.Errorf("got until %v, want %v", p.Until, c.ClosesAt)
	}
	today := decode[Challenge](s.send("GET", "/v1/daily", ""))
	ask(today.Seed, "", me).problem(http.StatusConflict, "sealed-seed")
	s.clock.Add(8 * 24 * time.Hour)
	_, me = s.guest()
	ask(today.Seed, "", me).want(http.StatusOK)
	if along := decode[Hint](ask(today.Seed, "", me)); *along.Moves != today.Par.Moves {
		t.Errorf("from the start: got a win of %d moves, want that of the par, %d", *along.Moves, today.Par.Moves)
	}
}

// lostDeal is one that nothing wins.
func lostDeal(t *testing.T) string {
	for _, d := range vectors[map[string]any](t, "par.json", "par") {
		if d["variant"] == "cruel" && d["winnable"] == false {
			return d["seed"].(string)
		}
	}
	t.Fatal("no deal of the vectors is lost")
	return ""
}
