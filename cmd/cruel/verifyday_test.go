package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/api"
	"cruel/challenge"
	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/race"
)

const (
	// A shortest win of seed 2 but for its last move.
	nearlyWon = "jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD dS aS dS dC hC hC hD " +
		"eH eC eC eS fS bS bC aC bC bH hH gH fH fC gH gH aH gH"
	wonIn54 = nearlyWon + " fH"
	wonIn55 = nearlyWon + " R aH"

	pastDate = "2025-06-15" // over, whenever the tests run
	pastID   = "cruel-" + pastDate
)

// dayOf is a server with a day on seed 2, past noon of that day, and a function that sets its clock. The board
// has five players, the last of them deleted.
func dayOf(t *testing.T, day challenge.Day) (http.Handler, func(time.Time)) {
	t.Helper()
	now := day.OpensAt().Add(12 * time.Hour)
	clock := func() time.Time { return now }
	d := dbtest.Open(t)
	accounts, err := account.New(t.Context(), d, account.Options{Now: clock, Issuer: "cruel", Audience: "cruel"})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := api.New(api.Services{
		Accounts:   accounts,
		Challenges: challenge.New(d, challenge.Options{Now: clock, Version: "test", DailySecret: []byte("secret")}),
		Races:      race.NewService(d, race.Options{Now: clock, Log: slog.New(slog.DiscardHandler)}),
		Ready:      d.Ping,
	}, api.Options{
		Now: clock, Version: "test", NoRateLimits: true, CursorKey: []byte("key"), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}

	cruel, before := engine.DefaultVariant(), day.OpensAt().Add(-36*time.Hour)
	err = d.OpenDaily(t.Context(), challenge.Challenge{
		ID: challenge.DailyID(cruel, day), Kind: challenge.Daily, Variant: cruel, RulesVersion: engine.RulesVersion,
		Day: day, Seed: "2", OpensAt: day.OpensAt(), ClosesAt: day.ClosesAt(), GraceUntil: day.ClosesAt().Add(10 * time.Minute),
		CreatedAt: before, Commitment: &challenge.Commitment{
			Day: day, Hash: challenge.CommitmentHash(cruel, day, "2"), CommittedAt: before,
		},
	}, challenge.Finding{Effort: challenge.Full, Bound: 54, States: 1, Moves: 54, Log: wonIn54, FoundAt: before, Difficulty: 2})
	if err != nil {
		t.Fatal(err)
	}

	send := func(method, path, token, body string, answer any) {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 300 || answer != nil && json.Unmarshal(w.Body.Bytes(), answer) != nil {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	var last session
	for _, player := range []struct{ name, log string }{
		{"ada", wonIn54}, {"bob", wonIn54}, {"cleo", wonIn55}, {"dan", "jS cH"}, {"eve", "R R"},
	} {
		send("POST", "/v1/players", "", `{"name": "`+player.name+`"}`, &last)
		path := "/v1/challenges/" + challenge.DailyID(cruel, day) + "/submissions"
		send("POST", path, last.AccessToken, `{"log": "`+player.log+`"}`, nil)
		now = now.Add(time.Second) // the first of equal results is listed first
	}
	send("DELETE", "/v1/players/me", last.AccessToken, "", nil)
	return handler, func(t time.Time) { now = t }
}

func pastDay(t *testing.T) http.Handler {
	t.Helper()
	day, err := challenge.ParseDay(pastDate)
	if err != nil {
		t.Fatal(err)
	}
	handler, set := dayOf(t, day)
	set(day.ClosesAt().Add(11 * time.Minute))
	return handler
}

// lie changes the answer of a path.
type lie func(path string, answer map[string]any)

// told is a server whose answers a lie has gone through. It gives boards in pages of two.
func told(t *testing.T, truth http.Handler, tell lie) string {
	return served(t, func(w http.ResponseWriter, r *http.Request) {
		if q := r.URL.Query(); strings.HasSuffix(r.URL.Path, "/leaderboard") {
			q.Set("limit", "2")
			r.URL.RawQuery = q.Encode()
		}
		answer := httptest.NewRecorder()
		truth.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		var object map[string]any
		if err := json.Unmarshal(body, &object); err != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
		tell(r.URL.Path, object)
		body, err := json.Marshal(object)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	})
}

func truth(string, map[string]any) {}

func served(t *testing.T, handler http.HandlerFunc) string {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// verifyDay runs the command, and fails the test unless it ends with the exit code.
func verifyDay(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errOut strings.Builder
	cmd := program(t, append([]string{"verify-day"}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	} else if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("exit code %d (%v), want %d\n%s%s", got, exit, code, &out, &errOut)
	}
	return out.String(), errOut.String()
}

// saying fails the test unless a text has all these.
func saying(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestVerifyDay(t *testing.T) {
	url := told(t, pastDay(t), truth)
	hash := challenge.CommitmentHash(engine.DefaultVariant(), must(challenge.ParseDay(pastDate)), "2")

	out, errOut := verifyDay(t, 0, pastDate, "--server", url+"/")
	want := `challenge:  ok: cruel-2025-06-15, seed 2, over since 2025-06-16T00:10:00Z
commitment: ok: the seed has the hash ` + hash + `, published before the day, at 2025-06-13T12:00:00Z, as the server says
deal:       ok: the 12 piles are those of the seed
par:        ok: its log wins in 54 moves; that nothing wins in fewer is checked by: cruel solve 2 --variant cruel --prove
board:      ok: 5 rows, 3 wins: each replayed and in its place, and all counted
`
	if diff := cmp.Diff(want, out); diff != "" || errOut != "" {
		t.Errorf("(-want +got):\n%s%s", diff, errOut)
	}

	out, _ = verifyDay(t, 0, pastDate, "--server", url, "--top", "3", "--hash", strings.ToUpper(hash))
	saying(t, out, "; it is the one that was noted\n", "board:      ok: 3 rows, 3 wins: each replayed and in its place; what is below wasn't read\n")
	out, _ = verifyDay(t, 0, pastDate, "--server", url, "--top", "6")
	saying(t, out, "5 rows, 3 wins: each replayed and in its place, and all counted\n")
	out, _ = verifyDay(t, 1, pastDate, "--server", url, "--hash", strings.Repeat("0", 64))
	saying(t, out, "commitment: FALSE: --hash is 000", "but the seed gives "+hash+"\n", "board:      ok")

	var v dayVerdict
	out, _ = verifyDay(t, 0, pastDate, "--server", url, "--json")
	if err := json.Unmarshal([]byte(out), &v); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	if v.Verdict != "right" || v.Variant != "cruel" || v.Date != pastDate || v.Seed != "2" || len(v.Checks) != 5 {
		t.Errorf("got %+v", v)
	}

	cmd := program(t, "verify-day", pastDate)
	cmd.Env = append(cmd.Env, "CRUEL_SERVER="+url)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("by CRUEL_SERVER: %v\n%s", err, out)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Each lie of a server is found out where it is told, and what is true besides is still ok.
func TestVerifyDayFindsLies(t *testing.T) {
	server := pastDay(t)
	at := func(suffix string, change func(map[string]any)) lie {
		return func(path string, answer map[string]any) {
			if strings.HasSuffix(path, suffix) {
				change(answer)
			}
		}
	}
	all := func(lies ...lie) lie {
		return func(path string, answer map[string]any) {
			for _, tell := range lies {
				tell(path, answer)
			}
		}
	}
	put := func(field string, value any) func(map[string]any) {
		return func(answer map[string]any) { answer[field] = value }
	}
	in := func(field string, change func(map[string]any)) func(map[string]any) {
		return func(answer map[string]any) { change(answer[field].(map[string]any)) }
	}
	first := func(change func(map[string]any)) func(map[string]any) {
		return func(answer map[string]any) { change(answer["items"].([]any)[0].(map[string]any)) }
	}
	// row changes a row of the board, which has two a page.
	row := func(n int, change func(map[string]any)) lie {
		return at("/leaderboard", func(page map[string]any) {
			for _, item := range page["items"].([]any) {
				if r := item.(map[string]any); r["rank"] == []any{1.0, 1.0, 3.0, 4.0, 5.0}[n-1] {
					change(r)
					break
				}
			}
		})
	}
	// game changes the log of the row with so many moves.
	game := func(moves float64, change func(map[string]any)) lie {
		return at("/replay", func(game map[string]any) {
			if game["result"].(map[string]any)["moves"] == moves {
				change(game)
			}
		})
	}
	day, list := "/v1/daily/"+pastDate, "/v1/commitments"
	var top any // the first row of the board

	for name, test := range map[string]struct {
		tell  lie
		found []string // the checks that are false
		says  string
	}{
		"another seed":    {at(day, put("seed", "3")), []string{"commitment", "deal", "par", "board"}, "its log is refused: move "},
		"another deal":    {at(day, func(c map[string]any) { d := c["deal"].([]any); d[0], d[1] = d[1], d[0] }), []string{"deal"}, "pile a is "},
		"a pile too few":  {at(day, func(c map[string]any) { c["deal"] = c["deal"].([]any)[1:] }), []string{"deal"}, "there are 11 piles"},
		"another day":     {at(day, put("date", "2025-06-14")), []string{"challenge"}, `date is "2025-06-14", not 2025-06-15`},
		"another id":      {at(day, put("id", "cruel-2025-06-14")), []string{"challenge"}, `id is "cruel-2025-06-14", not`},
		"a shared one":    {at(day, put("kind", "shared")), []string{"challenge"}, `kind is "shared", not daily`},
		"begun later":     {at(day, put("opens_at", "2025-06-15T06:00:00Z")), []string{"challenge"}, "opens_at is "},
		"closed early":    {at(day, put("grace_until", "2025-06-15T06:00:00Z")), []string{"challenge"}, "before the end of the day"},
		"another hash":    {at(day, in("commitment", put("hash", "zz\x1b[2J"))), []string{"commitment"}, `the challenge has the hash "zz\x1b[2J", but`},
		"another in list": {at(list, first(put("hash", ""))), []string{"commitment"}, `/v1/commitments has the hash "", but`},
		"not in list":     {at(list, put("items", []any{})), []string{"commitment"}, "only one of"},
		"only in list":    {at(day, put("commitment", nil)), []string{"commitment"}, "only one of"},
		"two times":       {at(list, first(put("committed_at", "2025-06-12T00:00:00Z"))), []string{"commitment"}, "published at 2025-06-13T12:00:00Z, /v1/commitments at 2025-06-12"},
		"not beforehand":  {at(day, in("commitment", put("beforehand", false))), []string{"commitment"}, "beforehand: false, but"},
		"published later": {
			all(at(day, in("commitment", put("committed_at", "2025-06-15T00:00:00Z"))), at(list, first(put("committed_at", "2025-06-15T00:00:00Z")))),
			[]string{"commitment"},
			"beforehand: true, but it was published at 2025-06-15T00:00:00Z",
		},
		"a par of another":   {at("/par", put("seed", "3")), []string{"par"}, `its log is for the seed "3"`},
		"a par's log":        {at("/par", put("log", nearlyWon)), []string{"par"}, "said to be 54 moves, but its log gives unfinished in 53 moves"},
		"a longer par's log": {at("/par", put("log", wonIn55)), []string{"par"}, "said to be 54 moves, but its log gives won in 55 moves"},
		"a refused par":      {at("/par", put("log", "jS \x1b[2J")), []string{"par"}, "its log is refused: move 2"},
		"a par's result":     {at("/par", in("result", put("builds", 3))), []string{"par"}, "isn't what it proves"},
		"a lower par":        {at(day, in("par", put("moves", 53))), []string{"par", "board"}, `the challenge says 53 ("proven"), its log is given for 54 ("proven")`},
		"lower everywhere":   {at("", func(a map[string]any) { lower(a) }), []string{"par", "board"}, "said to be 53 moves, but its log gives won in 54 moves"},
		"no bound":           {at("/par", put("lower_bound", 50)), []string{"par"}, `its kind is "proven", with 54 moves and a lower bound of 50`},
		"can't be won":       {at(day, put("winnable", false)), []string{"par"}, "doesn't say that the deal can be won"},
		"fewer moves":        {row(3, put("moves", 53)), []string{"board"}, `row 3, "cleo": it wins in 53 moves, fewer than par`},
		"more cards":         {row(4, put("cards", 7)), []string{"board"}, `row 4, "dan": the row says unfinished in 2 moves (0 redeals), 7 cards, the log proves`},
		"another outcome":    {row(5, put("outcome", "stuck")), []string{"board"}, "row 5, a deleted player: the row says stuck"},
		"no outcome":         {row(5, put("outcome", "lost")), []string{"board"}, `row 5, a deleted player: "lost" is not an outcome`},
		"another rank":       {row(3, put("rank", 2)), []string{"board"}, `row 3, "cleo": the rank is 2, not 3`},
		"over par":           {row(3, put("over_par", 0)), []string{"board"}, `over_par is 0, not 1`},
		"par of no win":      {row(4, put("over_par", 0)), []string{"board"}, "over_par is 0, not null"},
		"another order":      {at("/leaderboard", swap), []string{"board"}, `row 4, "cleo": it is better than the row above`},
		"a log of another":   {game(55, put("log", wonIn54)), []string{"board"}, "the log proves won in 54 moves"},
		"an illegal log":     {game(55, put("log", "jS jS")), []string{"board"}, `row 3, "cleo": the log is refused: move 2, "jS": `},
		"a log's result":     {game(55, in("result", put("plays", 1))), []string{"board"}, "isn't what it proves"},
		"a log's player":     {game(55, in("player", put("id", "x"))), []string{"board"}, "is for another submission"},
		"an id that isn't":   {row(3, put("submission_id", "../players/me")), []string{"board"}, `the submission_id is "../players/me"`},
		"a row twice": {at("/leaderboard", func(p map[string]any) {
			if top == nil {
				top = p["items"].([]any)[0]
			}
			if items := p["items"].([]any); len(items) == 1 {
				items[0] = top
			}
		}), []string{"board"}, "the player has a row above"},
		"a row left out": {at("/leaderboard", func(p map[string]any) {
			if items := p["items"].([]any); len(items) == 1 {
				p["items"] = []any{}
			}
		}), []string{"board"}, "the challenge has 5 players and 3 winners, the board 4 and 3"},
		"a player more":     {at("", putIf("players", 6)), []string{"board"}, "6 players and 3 winners, the board 5 and 3"},
		"a winner less":     {at("", putIf("winners", 2)), []string{"board"}, "5 players and 2 winners, the board 5 and 3"},
		"two counts":        {at(day, put("players", 6)), []string{"board"}, "the board says 5 players and 3 winners, the challenge 6 and 3"},
		"another board":     {at("/leaderboard", put("challenge_id", "x")), []string{"board"}, `the board is that of "x"`},
		"no end":            {at("/leaderboard", endless()), []string{"board"}, ""},
		"a name for screen": {row(3, func(r map[string]any) { in("player", put("name", "\x1b[2J\u202e\u009b"))(r); r["rank"] = 9 }), []string{"board"}, `row 3, "\x1b[2J\u202e\u009b": the rank is 9`},
	} {
		t.Run(name, func(t *testing.T) {
			out, errOut := verifyDay(t, 1, pastDate, "--server", told(t, server, test.tell))
			var found []string
			for line := range strings.Lines(out) {
				check, verdict, _ := strings.Cut(line, ":")
				switch verdict = strings.TrimSpace(verdict); {
				case strings.HasPrefix(verdict, "FALSE: "):
					found = append(found, check)
				case !strings.HasPrefix(verdict, "ok: "):
					t.Errorf("unexpected: %s", line)
				}
			}
			if diff := cmp.Diff(test.found, found); diff != "" || strings.Count(out, "\n") != 5 || errOut != "" {
				t.Errorf("(-want +got):\n%s%s%s", diff, out, errOut)
			}
			saying(t, out, test.says)
			if strings.ContainsAny(out, "\x1b\u009b\u202e") {
				t.Errorf("%q drives a terminal", out)
			}
		})
	}

	out, _ := verifyDay(t, 1, pastDate, "--json", "--server", told(t, server, at(day, put("players", 6))))
	var v dayVerdict
	if err := json.Unmarshal([]byte(out), &v); err != nil || v.Verdict != "false" || v.Checks[4].Verdict != "false" || len(v.Checks[4].Faults) == 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// lower makes the par 53 wherever it is.
func lower(answer map[string]any) {
	if par, ok := answer["par"].(map[string]any); ok {
		par["moves"] = 53
		if _, ok := answer["lower_bound"]; ok {
			answer["lower_bound"] = 53
		}
	}
}

func putIf(field string, value any) func(map[string]any) {
	return func(answer map[string]any) {
		if _, ok := answer[field]; ok {
			answer[field] = value
		}
	}
}

// swap swaps the rows of a page, but not their ranks.
func swap(page map[string]any) {
	items := page["items"].([]any)
	if len(items) < 2 {
		return
	}
	a, b := items[0].(map[string]any), items[1].(map[string]any)
	a["rank"], b["rank"] = b["rank"], a["rank"]
	items[0], items[1] = b, a
}

// endless leads from each page back to the second one.
func endless() func(map[string]any) {
	var second any
	return func(page map[string]any) {
		if second == nil {
			second = page["next_cursor"]
		}
		page["next_cursor"] = second
	}
}

// A day that nobody committed to is no lie, unless its hash was noted. A log that is sealed is not checked.
func TestVerifyDayWithout(t *testing.T) {
	server := pastDay(t)
	url := told(t, server, func(path string, answer map[string]any) {
		switch path {
		case "/v1/daily/" + pastDate:
			answer["commitment"] = nil
		case "/v1/commitments":
			answer["items"] = []any{}
		}
	})
	out, _ := verifyDay(t, 0, pastDate, "--server", url)
	saying(t, out, "commitment: none: no hash of the seed was published\n")
	hash := challenge.CommitmentHash(engine.DefaultVariant(), must(challenge.ParseDay(pastDate)), "2")
	out, _ = verifyDay(t, 1, pastDate, "--server", url, "--hash", hash)
	saying(t, out, "commitment: FALSE: --hash was noted, but the server shows no hash\n")

	out, _ = verifyDay(t, 0, pastDate, "--server", told(t, server, func(path string, answer map[string]any) {
		if _, ok := answer["par"]; ok {
			answer["par"], answer["winnable"] = nil, false
		}
		items, _ := answer["items"].([]any)
		for _, row := range items {
			row.(map[string]any)["over_par"] = nil
		}
	}))
	saying(t, out, "par:        none: the deal can't be won, as the server says; that is checked by: cruel solve 2 --variant cruel\n")

	without := func(status int, suffix string) string {
		return served(t, func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, suffix) {
				server.ServeHTTP(w, r)
				return
			}
			w.WriteHeader(status)
			fmt.Fprint(w, `{"detail": "its seed\u001b is sealed"}`)
		})
	}
	out, _ = verifyDay(t, 1, pastDate, "--server", without(http.StatusForbidden, "/par"))
	saying(t, out, "par:        unchecked: http", `/par answers 403 Forbidden: "its seed\x1b is sealed"`, "board:      ok")
	out, _ = verifyDay(t, 1, pastDate, "--json", "--server", without(http.StatusForbidden, "/replay"))
	saying(t, out, `{"verdict":"unchecked",`)
	out, _ = verifyDay(t, 1, pastDate, "--server", without(http.StatusNotFound, "/par"))
	saying(t, out, "par:        FALSE: it is said to be 54 moves, but no log shows it\n", "board:      ok")
	out, _ = verifyDay(t, 1, pastDate, "--server", without(http.StatusNotFound, "/replay"))
	saying(t, out, `board:      FALSE: row 1, "ada": there is no log; row 2, "bob": there is no log; `)
	out, errOut := verifyDay(t, 1, pastDate, "--server", without(http.StatusInternalServerError, "/leaderboard"))
	saying(t, out, "par:        ok")
	saying(t, errOut, "cruel: board: http", "answers 500 Internal Server Error")
}

// Before the end of a day its logs are sealed, whatever the server says about its end.
func TestVerifyDayTooEarly(t *testing.T) {
	today := challenge.DayOf(time.Now())
	server, set := dayOf(t, today)
	until := today.ClosesAt().Add(10 * time.Minute).Format(time.RFC3339)
	out, errOut := verifyDay(t, 1, today.String(), "--server", told(t, server, truth))
	saying(t, errOut, "cruel: cruel-"+today.String()+" is open until "+until+", and its logs are sealed: nothing was checked\n")
	_, errOut = verifyDay(t, 1, today.String(), "--json", "--server", told(t, server, func(_ string, answer map[string]any) {
		answer["grace_until"] = "2025-06-16T00:10:00Z"
	}))
	saying(t, errOut, " is open until "+today.ClosesAt().Format(time.RFC3339)+", ")

	set(today.OpensAt().Add(-time.Hour))
	_, errOut = verifyDay(t, 1, today.String(), "--server", told(t, server, truth))
	saying(t, errOut, " has no cruel-"+today.String()+": the day is to come, or nobody opened it\n")
	if out != "" {
		t.Errorf("it says %s", out)
	}
}

// A server that is busy is waited for, but not for ever.
func TestVerifyDayWaits(t *testing.T) {
	server := pastDay(t)
	asked := 0
	url := served(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked%3 != 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[asked%2])
			return
		}
		server.ServeHTTP(w, r)
	})
	verifyDay(t, 0, pastDate, "--server", url)

	for wait, tries := range map[string]int{"0": busyTries, "3600": 1} {
		asked := 0
		_, errOut := verifyDay(t, 1, pastDate, "--server", served(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusTooManyRequests)
		}))
		if asked != tries {
			t.Errorf("Retry-After: %s: asked %d times, want %d", wait, asked, tries)
		}
		saying(t, errOut, "answers 429 Too Many Requests; try again in ")
	}
}

// Ctrl-C ends it, whatever it waits for.
func TestVerifyDayStops(t *testing.T) {
	asked := make(chan bool)
	url := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "100")
		w.WriteHeader(http.StatusServiceUnavailable)
		asked <- true
	})
	var errOut strings.Builder
	cmd := program(t, "verify-day", pastDate, "--server", url)
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || errOut.String() != "cruel: stopped before everything was checked\n" {
		t.Errorf("%v, %q", err, &errOut)
	}
}

// What no Cruel server answers is an error, and read only so far.
func TestVerifyDayGarbage(t *testing.T) {
	says := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			name, value, _ := strings.Cut(header, ": ")
			w.Header().Set(name, value)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const isJSON = "Content-Type: application/json"
	for name, test := range map[string]struct {
		server http.HandlerFunc
		want   string
	}{
		"nothing":         {says(200, isJSON, ""), "isn't what a Cruel server says: unexpected end of JSON input"},
		"half":            {says(200, isJSON, `{"id": "cruel`), "unexpected end of JSON input"},
		"null":            {says(200, isJSON, "null"), "has version 0 of the rules, and this program knows version 1"},
		"a list":          {says(200, isJSON, "[]"), "isn't what a Cruel server says: "},
		"two values":      {says(200, isJSON, "{} {}"), "isn't what a Cruel server says: "},
		"another type":    {says(200, isJSON, `{"players": "\u001b[2J"}`), "isn't what a Cruel server says: "},
		"another time":    {says(200, isJSON, `{"opens_at": "\u001b[2J"}`), "isn't what a Cruel server says: "},
		"an escape":       {says(200, isJSON, "\x1b[2J"), "isn't what a Cruel server says: "},
		"depth":           {says(200, isJSON, `{"deal": `+strings.Repeat("[", 100_000)), "isn't what a Cruel server says: "},
		"a page":          {says(200, "Content-Type: text/html", "{}"), "the answer isn't JSON\n"},
		"no seed":         {says(200, isJSON, `{"rules_version": 1, "seed": "\u001b[2J"}`), `the seed of cruel-2025-06-15 is "\x1b[2J": `},
		"other rules":     {says(200, isJSON, `{"rules_version": 2}`), "has version 2 of the rules"},
		"elsewhere":       {says(302, "Location: http://example.org/\u009b", ""), `answers 302 Found: "http://example.org/\u009b" is elsewhere; `},
		"another problem": {says(400, isJSON, `{"detail": "\u009b2J"}`), `answers 400 Bad Request: "\u009b2J"`},
		"too much": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1<<16))); err != nil {
					return
				}
			}
		}, "the answer is over 1 MiB\n"},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}, "unexpected EOF\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errOut := verifyDay(t, 1, pastDate, "--json", "--server", served(t, test.server))
			saying(t, errOut, test.want)
			if out != "" || strings.Count(errOut, "\n") != 1 || strings.ContainsAny(errOut, "\x1b\u009b\x01") {
				t.Errorf("got %q, %q", out, errOut)
			}
		})
	}

	gone := httptest.NewServer(nil)
	gone.Close()
	_, errOut := verifyDay(t, 1, pastDate, "--server", gone.URL)
	saying(t, errOut, "connection refused\n")
}

func TestVerifyDayUsage(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "cruel: DATE is missing; see cruel verify-day --help\n"},
		{[]string{"yesterday"}, "cruel: \"yesterday\" is not a day such as 2026-11-30\n"},
		{[]string{pastDate, "--variant", "klondike"}, "cruel: unknown variant: \"klondike\""},
		{[]string{pastDate, "--hash", "12ab"}, "cruel: --hash: \"12ab\" is no SHA-256 in hex"},
		{[]string{pastDate, "--top", "0"}, "cruel: --top: it must be at least 1\n"},
		{[]string{pastDate, "--server", "localhost:8080"}, "cruel: server \"localhost:8080\": write its address as in http://localhost:8080\n"},
		{[]string{pastDate, "--server", "file:///etc"}, "cruel: server "},
		{[]string{pastDate, "--server", "http://:80"}, "cruel: server "},
		{[]string{pastDate, "--server", "http://a?b"}, "cruel: server "},
	} {
		out, errOut := verifyDay(t, 2, test.args...)
		saying(t, errOut, test.want)
		if out != "" || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: %q, %q", test.args, out, errOut)
		}
	}
}
