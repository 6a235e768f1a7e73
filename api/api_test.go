package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"cruel"
	"cruel/account"
	"cruel/challenge"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/race"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// clock is a clock that the test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func (c *clock) Add(d time.Duration) { c.Set(c.Now().Add(d)) }

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// site is a server with its clock and what it logs.
type site struct {
	t        testing.TB
	clock    *clock
	db       *db.DB
	accounts *account.Service
	races    *race.Service
	handler  http.Handler
	log      *bytes.Buffer
	streams  *sync.WaitGroup // over when the test is
	routes   map[string]route
}

func newSite(t testing.TB, change ...func(*Options)) *site {
	return siteOn(t, dbtest.Open(t), change...)
}

// siteOn is a server on a database, at noon, without rate limits unless change says otherwise.
func siteOn(t testing.TB, d *db.DB, change ...func(*Options)) *site {
	t.Helper()
	s := &site{t: t, clock: &clock{now: noon}, db: d, log: &bytes.Buffer{}, streams: &sync.WaitGroup{}}
	var err error
	s.accounts, err = account.New(t.Context(), d, account.Options{Now: s.clock.Now, Issuer: "cruel", Audience: "cruel"})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Now: s.clock.Now, Version: "test", NoRateLimits: true, CursorKey: []byte("cursor key of the tests"),
		Log:      slog.New(slog.NewTextHandler(&lockedWriter{w: s.log}, nil)),
		Stopping: t.Context(), Streams: s.streams,
	}
	t.Cleanup(s.streams.Wait)
	for _, f := range change {
		f(&o)
	}
	s.races = race.NewService(d, race.Options{Now: s.clock.Now, Log: o.Log})
	s.handler, err = New(Services{
		Accounts:   s.accounts,
		Challenges: challenge.New(d, challenge.Options{Now: s.clock.Now, Version: "test", DailySecret: []byte("daily secret of the tests"), Log: o.Log}),
		Races:      s.races,
		Ready:      d.Ping,
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(cruel.Contract)
	if err != nil {
		t.Fatal(err)
	}
	if s.routes, err = routesOf(spec); err != nil {
		t.Fatal(err)
	}
	return s
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// header is a request header, as "Name: value".
type header string

// send makes a request and holds the answer against the contract. The body is JSON unless it is nil.
func (s *site) send(method, path, body string, headers ...header) answer {
	s.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(string(h), ": ")
		r.Header.Set(name, value)
	}
	return s.do(r)
}

func (s *site) do(r *http.Request) answer {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	a := answer{s.t, w.Code, w.Header(), w.Body.Bytes()}
	s.holdAgainstContract(r, a)
	return a
}

// holdAgainstContract fails the test when an answer isn't one that the contract lists for the operation.
func (s *site) holdAgainstContract(r *http.Request, a answer) {
	s.t.Helper()
	path := r.URL.Path
	for key, route := range s.routes {
		method, pattern, _ := strings.Cut(key, " ")
		if method != r.Method || !fits(pattern, path) {
			continue
		}
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request: r,
				Route:   &routers.Route{Spec: route.spec, Path: route.path, PathItem: route.item, Method: r.Method, Operation: route.op},
			},
			Status: a.status, Header: a.header,
			Options: &openapi3filter.Options{IncludeResponseStatus: true},
		}
		input.SetBodyBytes(a.body)
		if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
			s.t.Errorf("%s %s: the answer isn't in the contract: %v\n%s", r.Method, path, err, a.body)
		}
		return
	}
}

// fits reports whether a path fits a route such as /v1/players/:name, and no route without a parameter is
// meant.
func fits(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && (!strings.HasPrefix(want[i], ":") || got[i] == "me") {
			return false
		}
	}
	return true
}

// want fails the test unless the answer has the status.
func (a answer) want(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("got status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// problem fails the test unless the answer is a problem of this type; it answers the problem.
func (a answer) problem(status int, slug string) Problem {
	a.t.Helper()
	a.want(status)
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		a.t.Errorf("got Content-Type %q, want application/problem+json", got)
	}
	p := decode[Problem](a)
	if p.Type != ProblemType("/problems/"+slug) {
		a.t.Errorf("got %s, want %s: %s", p.Type, slug, a.body)
	}
	if p.Instance == "" || p.Instance != a.header.Get("X-Request-Id") {
		a.t.Errorf("the instance %q isn't the request id %q", p.Instance, a.header.Get("X-Request-Id"))
	}
	return p
}

// wrong fails the test unless the answer is a 400 that names the field.
func (a answer) wrong(field string) {
	a.t.Helper()
	p := a.problem(http.StatusBadRequest, "bad-request")
	if p.Errors != nil {
		for _, e := range *p.Errors {
			if e.Field == field {
				return
			}
		}
	}
	a.t.Errorf("the problem doesn't name the field %q: %s", field, a.body)
}

func decode[T any](a answer) T {
	a.t.Helper()
	var v T
	if err := json.Unmarshal(a.body, &v); err != nil {
		a.t.Fatalf("%v: %s", err, a.body)
	}
	return v
}

// guest signs a guest up and answers them with the header that makes requests theirs.
func (s *site) guest() (Session, header) {
	s.t.Helper()
	session := decode[Session](s.send("POST", "/v1/players", "{}").want(http.StatusCreated))
	return session, bearer(session.AccessToken)
}

func bearer(token string) header { return header("Authorization: Bearer " + token) }

// share makes a shared challenge on a seed.
func (s *site) share(who header, seed string) Challenge {
	s.t.Helper()
	return decode[Challenge](s.send("POST", "/v1/challenges", `{"variant":"cruel","seed":"`+seed+`"}`, who).want(http.StatusCreated))
}

// submit sends a log that must be taken.
func (s *site) submit(who header, challengeID, moves string) Verdict {
	s.t.Helper()
	a := s.send("POST", "/v1/challenges/"+challengeID+"/submissions", `{"log":"`+moves+`"}`, who)
	if a.status != http.StatusCreated && a.status != http.StatusOK {
		s.t.Fatalf("got status %d: %s", a.status, a.body)
	}
	return decode[Verdict](a)
}
