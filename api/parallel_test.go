package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"cruel/db"
	"cruel/db/dbtest"
)

// post sends without failing the test, so that many can at once.
func (s *site) post(path, body string, headers ...header) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(string(h), ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// Cases L10, K03: 50 logs of one player and one of each of 50 players, all at once. Nothing is answered
// with a fault, every submission is kept, the best one stands, and the ranks equal a recount.
func TestManyWriters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const writers = 50
		s := siteOn(t, d)
		busy, me := s.guest()
		c := s.share(me, "2")
		path := "/v1/challenges/" + c.Id + "/submissions"
		tokens := make([]header, writers)
		for i := range tokens {
			_, tokens[i] = s.guest()
		}
		statuses := make([]int, 2*writers)
		var group sync.WaitGroup
		for i := range writers {
			log := `{"log":"jS` + strings.Repeat(" R", i) + `"}` // i+1 moves, one card home
			group.Go(func() { statuses[2*i] = s.post(path, log, me).Code })
			group.Go(func() { statuses[2*i+1] = s.post(path, log, tokens[i]).Code })
		}
		group.Wait()
		for i, status := range statuses {
			if status != http.StatusCreated {
				t.Errorf("writer %d: got status %d", i, status)
			}
		}
		list := decode[SubmissionPage](s.send("GET", "/v1/players/"+*busy.Player.Name+"/submissions?limit=200", ""))
		if len(list.Items) != writers {
			t.Errorf("%d submissions of one player are kept, want %d", len(list.Items), writers)
		}
		board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard?limit=200", ""))
		if board.Players != writers+1 || len(board.Items) != writers+1 {
			t.Fatalf("%d players, %d rows, want %d", board.Players, len(board.Items), writers+1)
		}
		moves := make([]int, 0, len(board.Items))
		for _, row := range board.Items {
			moves = append(moves, row.Moves)
			if row.Player.Id == busy.Player.Id && row.Moves != 1 {
				t.Errorf("the best of one player's has %d moves, want 1", row.Moves)
			}
		}
		if !sort.IntsAreSorted(moves) {
			t.Errorf("the board isn't in order: %v", moves)
		}
		for _, row := range board.Items { // of n moves there is one, but of 1 move two
			want := row.Moves + 1
			if row.Moves == 1 {
				want = 1
			}
			if row.Rank != want {
				t.Errorf("%d moves: got rank %d, want %d", row.Moves, row.Rank, want)
			}
		}
		if wrong, err := d.Recount(t.Context(), c.Id); err != nil || wrong != 0 {
			t.Errorf("a recount finds %d wrong counts, %v", wrong, err)
		}
	})
}

// Case L09: twenty of the same request at once are one submission, and all have the same answer.
func TestOneKeyAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := siteOn(t, d)
		_, me := s.guest()
		c := s.share(me, "2")
		answers := make([]*httptest.ResponseRecorder, 20)
		var group sync.WaitGroup
		for i := range answers {
			group.Go(func() {
				answers[i] = s.post("/v1/challenges/"+c.Id+"/submissions", `{"log":"jS"}`, me, "Idempotency-Key: 5f0c1c9e-7a52-4b0c-9a65-0b8f0f3f2a11")
			})
		}
		group.Wait()
		for _, a := range answers {
			if a.Code != http.StatusCreated || a.Body.String() != answers[0].Body.String() {
				t.Errorf("got %d %s, and before %s", a.Code, a.Body, answers[0].Body)
			}
		}
	})
}

// Case D11: 200 first requests at midnight, on two servers of one database, are one day with one seed.
func TestFirstRequestsOfADay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		sites := []*site{siteOn(t, d), siteOn(t, d)}
		midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
		for _, s := range sites {
			s.clock.Set(midnight)
		}
		bodies := make([]string, 200)
		var group sync.WaitGroup
		for i := range bodies {
			group.Go(func() {
				w := httptest.NewRecorder()
				sites[i%2].handler.ServeHTTP(w, httptest.NewRequest("GET", "/v1/daily", nil))
				bodies[i] = fmt.Sprint(w.Code, w.Body)
			})
		}
		group.Wait()
		for _, body := range bodies {
			if body != bodies[0] || !strings.HasPrefix(body, "200") {
				t.Fatalf("got %s and %s", bodies[0], body)
			}
		}
	})
}

// Case V08: a log of the most moves is taken, one more is refused, and a flood is refused unread.
func TestLongLogs(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c := s.share(me, "2")
	path := "/v1/challenges/" + c.Id + "/submissions"
	most := strings.TrimSpace(strings.Repeat("R ", 5000))
	s.send("POST", path, `{"log":"`+most+`"}`, me).want(http.StatusCreated)
	p := s.send("POST", path, `{"log":"`+most+` R"}`, me).problem(http.StatusUnprocessableEntity, "illegal-log")
	if p.Move.Index != 5001 || p.Move.Code != TooLong {
		t.Errorf("got %+v", p.Move)
	}
	s.send("POST", path, `{"log":"`+strings.Repeat("R ", 1_000_000)+`"}`, me).problem(http.StatusRequestEntityTooLarge, "too-large")
}
