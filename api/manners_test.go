package api

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"cruel/db"
	"cruel/db/dbtest"
)

// Cases K08, K10, K13, V04, V11, L08: a body that isn't exactly what the contract says is refused with the
// name of the field.
func TestBadBodies(t *testing.T) {
	dbtest.Each(t, testBadBodies)
}

func testBadBodies(t *testing.T, d *db.DB) {
	s := siteOn(t, d)
	_, me := s.guest()
	const submit = "/v1/challenges/cruel-2026-11-30/submissions"
	for _, test := range []struct{ name, path, body, field string }{
		{"not JSON", submit, `{log}`, "body"},
		{"nothing but spaces", submit, "  ", "body"},
		{"cut off", submit, `{"log":"a`, "body"},
		{"cut off after the value", submit, `{"log":"aH"`, "body"},
		{"two values", submit, `{"log":"aH"}{}`, "body"},
		{"junk after it", submit, `{"log":"aH"} x`, "body"},
		{"an array", submit, `[{"log":"aH"}]`, "body"},
		{"a string", submit, `"aH"`, "body"},
		{"null", submit, `null`, "body"},
		{"no field", submit, `{}`, "log"},
		{"null in a field", submit, `{"log":null}`, "log"},
		{"a number", submit, `{"log":1}`, "log"},
		{"an array in a field", submit, `{"log":["aH"]}`, "log"},
		{"a field twice", submit, `{"log":"aH","log":"aC"}`, "log"},
		{"a field twice by escape", submit, `{"log":"aH","l\u006fg":"aC"}`, "log"},
		{"another case", submit, `{"Log":"aH"}`, "Log"},
		{"a second field in another case", submit, `{"log":"aH","LOG":"aC"}`, "LOG"},
		{"an unknown field", submit, `{"log":"aH","moves":48}`, "moves"},
		{"a negative score", submit, `{"log":"aH","score":-1}`, "score"},
		{"a zero score", submit, `{"log":"aH","score":0}`, "score"},
		{"a large score", submit, `{"log":"aH","score":2147483648}`, "score"},
		{"an infinite score", submit, `{"log":"aH","score":1e309}`, "score"},
		{"a claim", submit, `{"log":"aH","won":true,"score":1}`, "won"},
		{"NUL", submit, `{"log":"a\u0000H"}`, "log"},
		{"NUL in a name", submit, `{"log":"aH","\u0000":1}`, "?"},
		{"invalid UTF-8", submit, "{\"log\":\"a\xffH\"}", "log"},
		{"a lone surrogate", submit, `{"log":"a\ud800H"}`, "log"},
		{"a BOM", submit, "\ufeff{\"log\":\"aH\"}", "body"},
		{"UTF-16", submit, "{\x00\"\x00l\x00o\x00g\x00\"\x00", "body"},
		{"deep", submit, strings.Repeat(`{"a":`, 10_001), short(strings.Repeat("a/", 10_001))},
		{"a huge number", submit, `{"log":1e400}`, "log"},
		{"an empty log", submit, `{"log":""}`, "log"},
		{"a log of spaces", submit, `{"log":" \n "}`, "log"},
		{"no variant", "/v1/challenges", `{}`, "variant"},
		{"an unknown variant", "/v1/challenges", `{"variant":"klondike"}`, "variant"},
		{"a seed in capitals", "/v1/challenges", `{"variant":"cruel","seed":"ADA"}`, "seed"},
		{"a seed with an accent", "/v1/challenges", `{"variant":"cruel","seed":"é"}`, "seed"},
		{"a seed with a space", "/v1/challenges", `{"variant":"cruel","seed":" ada"}`, "seed"},
		{"a number as a seed", "/v1/challenges", `{"variant":"cruel","seed":9007199254740993}`, "seed"},
		{"a long seed", "/v1/challenges", `{"variant":"cruel","seed":"` + strings.Repeat("a", 65) + `"}`, "seed"},
		{"no time", "/v1/challenges", `{"variant":"cruel","closes_at":"tomorrow"}`, "closes_at"},
		{"a day that no calendar has", "/v1/challenges", `{"variant":"cruel","closes_at":"2026-02-30T00:00:00Z"}`, "closes_at"},
		{"an end in the past", "/v1/challenges", `{"variant":"cruel","closes_at":"2026-11-29T00:00:00Z"}`, "closes_at"},
		{"an end in a year", "/v1/challenges", `{"variant":"cruel","closes_at":"2027-11-29T00:00:00Z"}`, "closes_at"},
		{"a name that is a number", "/v1/players", `{"name":7}`, "name"},
		{"a password that is an object", "/v1/sessions", `{"name":"ada","password":{}}`, "password"},
		{"a password that is a number", "/v1/sessions", `{"name":"nobody","password":1}`, "password"},
		{"a short name", "/v1/players", `{"name":"a"}`, "name"},
		{"a short password", "/v1/players", `{"name":"ada","password":"short"}`, "password"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := *s
			s.t = t
			s.send("POST", test.path, test.body, me).wrong(test.field)
		})
	}
}

// Cases L06, L18, D04, K07, K08: a path or query that isn't what the contract says is refused with the name
// of the parameter.
func TestBadParameters(t *testing.T) {
	dbtest.Each(t, testBadParameters)
}

func testBadParameters(t *testing.T, d *db.DB) {
	s := siteOn(t, d)
	const board = "/v1/challenges/cruel-2026-11-30/leaderboard"
	for _, test := range []struct{ path, field string }{
		{board + "?limit=0", "limit"},
		{board + "?limit=-1", "limit"},
		{board + "?limit=201", "limit"},
		{board + "?limit=1000000000000", "limit"},
		{board + "?limit=9223372036854775808", "limit"},
		{board + "?limit=1.5", "limit"},
		{board + "?limit=abc", "limit"},
		{board + "?limit=", "limit"},
		{board + "?limit=1&limit=2", "limit"},
		{board + "?offset=-2", "offset"},
		{board + "?page=0", "page"},
		{board + "?cursor=", "cursor"},
		{board + "?cursor=AAAA", "cursor"},
		{board + "?cursor=" + strings.Repeat("A", 600), "cursor"},
		{board + "?cursor=%00", "cursor"},
		{board + "?cursor=%ff", "cursor"},
		{board + "?cursor=%zz", "query"},
		{board + "?around=Me!", "around"},
		{board + "?around=abc&cursor=AAAA", "around"},
		{"/v1/daily?variant=", "variant"},
		{"/v1/daily?variant=klondike", "variant"},
		{"/v1/daily?date=2026-11-30", "date"},
		{"/v1/daily/2026-02-30", "date"},
		{"/v1/daily/2027-02-29", "date"},
		{"/v1/daily/26-1-1", "date"},
		{"/v1/daily/20260101", "date"},
		{"/v1/daily/2026-11-30%00", "path"},
		{"/v1/challenges/CRUEL", "id"},
		{"/v1/challenges/a%00", "path"},
		{"/v1/challenges/%ff", "path"},
		{"/v1/submissions/a'or'1", "id"},
		{"/v1/players/" + strings.Repeat("a", 65), "name"},
	} {
		t.Run(test.path, func(t *testing.T) {
			s := *s
			s.t = t
			s.send("GET", test.path, "").wrong(test.field)
		})
	}
	for _, path := range []string{
		"/v1/challenges/2147483648", "/v1/submissions/9223372036854775807", "/v1/challenges/18446744073709551616",
		"/v1/players/nobody", "/v1/players/nobody/submissions", "/v1/variants/klondike", "/v1/nothing", "/v2/daily",
		"/v1/daily/2026-12-01", "/v1/daily/2026-11-29", "/v1/challenges/cruel-2026-12-01",
		"/v1/challenges/cruel-2026-12-01/leaderboard", "/v1/daily/", "/v1/challenges/cruel-2026-11-30/",
	} {
		s.send("GET", path, "").problem(http.StatusNotFound, "not-found")
	}
}

// Cases V10, K12: only plain JSON of at most 64 KiB is read.
func TestBodySizeAndKind(t *testing.T) {
	s := newSite(t)
	const path = "/v1/replays/verify"
	game := `{"variant":"cruel","seed":"2","log":""}`
	s.send("POST", path, game).want(http.StatusOK)
	s.send("POST", path, game, "Content-Type: application/json; charset=utf-8").want(http.StatusOK)
	for _, h := range []header{"Content-Type: text/plain", "Content-Type: application/json; charset=latin1", "Content-Type: ", "Content-Encoding: gzip", "Content-Encoding: zstd"} {
		s.send("POST", path, game, h).problem(http.StatusUnsupportedMediaType, "unsupported-media-type")
	}
	pad := strings.Repeat(" ", maxBody-len(game))
	s.send("POST", path, game+pad).want(http.StatusOK)
	s.send("POST", path, game+pad+" ").problem(http.StatusRequestEntityTooLarge, "too-large")

	r := httptest.NewRequest("POST", path, strings.NewReader(game))
	r.Header["Content-Type"] = []string{"application/json", "text/plain"}
	s.do(r).problem(http.StatusUnsupportedMediaType, "unsupported-media-type")

	endless := &countingReader{}
	r = httptest.NewRequest("POST", path, endless)
	r.ContentLength = -1
	r.Header.Set("Content-Type", "application/json")
	s.do(r).problem(http.StatusRequestEntityTooLarge, "too-large")
	if endless.read > 2*maxBody {
		t.Errorf("%d bytes of a too large body were read", endless.read)
	}
}

// countingReader is an endless body.
type countingReader struct{ read int }

func (c *countingReader) Read(p []byte) (int, error) {
	c.read += len(p)
	return copy(p, bytes.Repeat([]byte{' '}, len(p))), nil
}

// Case K12: what the router refuses has the same shape.
func TestRouterProblems(t *testing.T) {
	s := newSite(t)
	a := s.send("PUT", "/v1/daily", "{}")
	a.problem(http.StatusMethodNotAllowed, "method-not-allowed")
	if got := a.header.Get("Allow"); got != "GET" {
		t.Errorf("got Allow %q, want GET", got)
	}
	s.send("GET", "/nothing", "").problem(http.StatusNotFound, "not-found")
	for _, k := range kinds {
		if !strings.Contains(string(s.send("GET", "/problems/"+k.slug, "").want(http.StatusOK).body), html.EscapeString(k.title)) {
			t.Errorf("the page of %s doesn't say %q", k.slug, k.title)
		}
	}
}

// The contract lists each type of problem that the server knows, and no other.
func TestContractListsProblems(t *testing.T) {
	s := newSite(t)
	var listed []string
	for _, route := range s.routes {
		for _, v := range route.spec.Components.Schemas["Problem"].Value.Properties["type"].Value.Enum {
			listed = append(listed, v.(string))
		}
		break
	}
	for _, k := range kinds {
		found := false
		for _, l := range listed {
			found = found || l == "/problems/"+k.slug
		}
		if !found {
			t.Errorf("the contract doesn't list %s", k.slug)
		}
	}
	if len(listed) != len(kinds) {
		t.Errorf("the contract lists %d types, the server knows %d", len(listed), len(kinds))
	}
}

func TestRequestID(t *testing.T) {
	s := newSite(t)
	if got := s.send("GET", "/healthz", "", "X-Request-Id: abc.DEF-1_2").header.Get("X-Request-Id"); got != "abc.DEF-1_2" {
		t.Errorf("a good request id became %q", got)
	}
	for _, bad := range []string{"a b", "a\nb", strings.Repeat("a", 65), "é"} {
		got := s.send("GET", "/healthz", "", header("X-Request-Id: "+bad)).header.Get("X-Request-Id")
		if got == bad || !goodRequestID.MatchString(got) {
			t.Errorf("the bad request id %q became %q", bad, got)
		}
	}
	if !strings.Contains(s.log.String(), "abc.DEF-1_2") {
		t.Error("the log doesn't have the request id")
	}
}

// Case L13: an ETag changes with the answer, and 304 says that it has not.
func TestETag(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	c := s.share(me, "2")
	for _, path := range []string{"/v1/variants", "/v1/variants/cruel", "/.well-known/jwks.json", "/v1/daily", "/v1/challenges/" + c.Id, "/v1/challenges/" + c.Id + "/leaderboard", "/docs", "/openapi.yaml", "/problems/not-found", "/docs/swagger-ui.css"} {
		first := s.send("GET", path, "").want(http.StatusOK)
		etag := first.header.Get("ETag")
		if etag == "" || first.header.Get("Cache-Control") == "" {
			t.Fatalf("%s: no ETag or Cache-Control", path)
		}
		for _, match := range []string{etag, "W/" + etag, `"x", ` + etag, "*"} {
			again := s.send("GET", path, "", header("If-None-Match: "+match)).want(http.StatusNotModified)
			if len(again.body) > 0 || again.header.Get("ETag") != etag {
				t.Errorf("%s: the 304 has a body or another ETag", path)
			}
		}
		s.send("GET", path, "", `If-None-Match: "x"`).want(http.StatusOK)
	}
	board := "/v1/challenges/" + c.Id + "/leaderboard"
	before := s.send("GET", board, "").header.Get("ETag")
	s.submit(me, c.Id, "jS cH")
	after := s.send("GET", board, "", header("If-None-Match: "+before)).want(http.StatusOK).header.Get("ETag")
	s.send("PATCH", "/v1/players/me", `{"name":"ada"}`, me).want(http.StatusOK)
	s.send("GET", board, "", header("If-None-Match: "+after)).want(http.StatusOK)
}

// Case D06: what changes at midnight doesn't outlive it in a cache.
func TestDailyCacheEndsAtMidnight(t *testing.T) {
	s := newSite(t)
	midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		before time.Duration
		want   string
	}{
		{12 * time.Hour, "public, max-age=10"},
		{10 * time.Second, "public, max-age=10"},
		{3500 * time.Millisecond, "public, max-age=3"},
		{500 * time.Millisecond, "public, no-cache"},
	} {
		s.clock.Set(midnight.Add(-test.before))
		if got := s.send("GET", "/v1/daily", "").header.Get("Cache-Control"); got != test.want {
			t.Errorf("%s before midnight: got %q, want %q", test.before, got, test.want)
		}
	}
}

// Case K17: other origins may call /v1, with or without a preflight, and no answer is a redirect.
func TestCrossOrigin(t *testing.T) {
	s := newSite(t)
	a := s.send("GET", "/v1/daily", "", "Origin: https://play.example")
	if a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("a page of another origin can't read /v1/daily, or may with cookies")
	}
	for _, name := range []string{"ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"} {
		if !strings.Contains(a.header.Get("Access-Control-Expose-Headers"), name) {
			t.Errorf("%s isn't exposed", name)
		}
	}
	for _, path := range []string{"/v1/players", "/v1/players/", "/v1/challenges/x/submissions", "/v1/nothing"} {
		a := s.send("OPTIONS", path, "", "Origin: https://play.example", "Access-Control-Request-Method: POST")
		a.want(http.StatusNoContent)
		for _, name := range []string{"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID"} {
			if !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), name) {
				t.Errorf("%s: %s isn't allowed", path, name)
			}
		}
	}
	a = s.send("POST", "/v1/players/", "{}", "Origin: https://play.example")
	a.problem(http.StatusNotFound, "not-found")
	if a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Error("a page of another origin can't read a problem")
	}
	if s.send("GET", "/healthz", "").header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("/healthz is open to other origins")
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	got, err := http.Head(server.URL + "/v1/variants")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if body, _ := io.ReadAll(got.Body); got.StatusCode != http.StatusOK || got.Header.Get("ETag") == "" || len(body) > 0 {
		t.Errorf("got %s, ETag %q, %d bytes", got.Status, got.Header.Get("ETag"), len(body))
	}
}

// Case A13: without trusted proxies the address is the connection's, whatever the headers say.
func TestRateLimitByAddress(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	logIn := func(n int) answer {
		return s.send("POST", "/v1/sessions", fmt.Sprintf(`{"name":"nobody%d","password":"some password"}`, n),
			header(fmt.Sprintf("X-Forwarded-For: 203.0.113.%d", n)), header(fmt.Sprintf("X-Real-IP: 203.0.113.%d", n)),
			header(fmt.Sprintf("Forwarded: for=203.0.113.%d", n)))
	}
	first := logIn(0)
	first.problem(http.StatusUnauthorized, "bad-credentials")
	if got := first.header.Get("RateLimit"); got != `"log-in";r=9;t=60` {
		t.Errorf("got RateLimit %s", got)
	}
	if got := first.header.Get("RateLimit-Policy"); got != `"log-in";q=10;w=60` {
		t.Errorf("got RateLimit-Policy %s", got)
	}
	for n := 1; n < 10; n++ {
		logIn(n).want(http.StatusUnauthorized)
	}
	s.clock.Add(10 * time.Second)
	over := logIn(10)
	over.problem(http.StatusTooManyRequests, "rate-limited")
	if got := over.header.Get("Retry-After"); got != "50" {
		t.Errorf("got Retry-After %s, want 50", got)
	}
	s.clock.Add(50 * time.Second)
	logIn(11).want(http.StatusUnauthorized)
}

// Case A13: a name has its own limit, from whatever address and in whatever spelling.
func TestRateLimitByName(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	for n := range 6 {
		r := httptest.NewRequest("POST", "/v1/sessions", strings.NewReader(fmt.Sprintf(`{"name":"%s","password":"some password"}`, []string{"guest-ada", "GUEST-ADA", "ｇuest-ada"}[n%3])))
		r.RemoteAddr = fmt.Sprintf("203.0.113.%d:1000", n)
		r.Header.Set("Content-Type", "application/json")
		a := s.do(r)
		if n < 5 {
			a.want(http.StatusUnauthorized)
		} else {
			a.problem(http.StatusTooManyRequests, "rate-limited")
		}
	}
}

func TestRateLimitsOfPlayersAndAddresses(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	_, me := s.guest()
	c := s.share(me, "2")
	first := s.send("POST", "/v1/challenges/"+c.Id+"/submissions", `{"log":"jS"}`, me)
	if got := first.header.Get("RateLimit"); got != `"submit";r=59;t=60` {
		t.Errorf("got RateLimit %s", got)
	}
	if got := s.send("POST", "/v1/replays/verify", `{"variant":"cruel","seed":"2","log":""}`).header.Get("RateLimit"); got != `"verify";r=119;t=60` {
		t.Errorf("got RateLimit %s", got)
	}
	if got := s.send("GET", "/v1/variants", "").header.Get("RateLimit-Policy"); got != `"default";q=600;w=60` {
		t.Errorf("got RateLimit-Policy %s", got)
	}
	if got := s.send("GET", "/healthz", "").header.Get("RateLimit"); got != "" {
		t.Errorf("/healthz is limited: %s", got)
	}
	for range 19 {
		s.guest()
	}
	s.send("POST", "/v1/players", "{}").problem(http.StatusTooManyRequests, "rate-limited")
	s.clock.Add(time.Hour)
	s.guest()
}

// Cases A13, A14: behind a trusted proxy the right-most hop that isn't one counts.
func TestClientKey(t *testing.T) {
	s := &server{trustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	for _, test := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"no proxy", "203.0.113.5:1", nil, "203.0.113.5"},
		{"a header from a stranger", "203.0.113.5:1", []string{"198.51.100.1"}, "203.0.113.5"},
		{"a proxy", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:1", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"a client that lies", "10.0.0.1:1", []string{"192.0.2.7, 198.51.100.1"}, "198.51.100.1"},
		{"a client that lies in a line of its own", "10.0.0.1:1", []string{"192.0.2.7", "198.51.100.1"}, "198.51.100.1"},
		{"a proxy without a header", "10.0.0.1:1", nil, "10.0.0.1"},
		{"a hop that is no address", "10.0.0.1:1", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		{"an IPv6 client", "[2001:db8:1:2:3::4]:1", nil, "2001:db8:1:2::/64"},
		{"an IPv4 client on IPv6", "[::ffff:203.0.113.5]:1", nil, "203.0.113.5"},
		{"a link-local client", "[fe80::1%eth0]:1", nil, "fe80::/64"},
		{"an IPv6 proxy", "[fd00::1]:1", []string{"198.51.100.1"}, "198.51.100.1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = test.remote
			r.Header["X-Forwarded-For"] = test.forwarded
			if got := s.clientKey(r); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// The limiter forgets keys whose window is over.
func TestLimiterForgets(t *testing.T) {
	clock := &clock{now: noon}
	l := newLimiter(clock.Now)
	for n := range 1000 {
		l.take(verifyPolicy, fmt.Sprint(n))
	}
	clock.Add(2 * time.Minute)
	l.take(verifyPolicy, "x")
	if len(l.windows) != 1 {
		t.Errorf("%d windows are kept, want 1", len(l.windows))
	}
}

// The documentation is served whole from the binary: no page names another host.
func TestPages(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/docs", "/openapi.yaml", "/pages.css", "/docs/docs.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} {
		plain := s.send("GET", path, "").want(http.StatusOK)
		packed := s.send("GET", path, "", "Accept-Encoding: gzip").want(http.StatusOK)
		if len(plain.body) == 0 || plain.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: got %d bytes, encoding %q", path, len(plain.body), plain.header.Get("Content-Encoding"))
		}
		if packed.header.Get("Content-Encoding") == "gzip" && len(packed.body) >= len(plain.body) {
			t.Errorf("%s: the packed answer isn't smaller", path)
		}
	}
	a := s.send("GET", "/docs", "")
	if strings.Contains(string(a.body), "://") {
		t.Error("/docs names another host")
	}
	if csp := a.header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") {
		t.Errorf("/docs: got Content-Security-Policy %q", csp)
	}
	served, err := openapi3.NewLoader().LoadFromData(s.send("GET", "/openapi.yaml", "").body)
	if err != nil {
		t.Fatal(err)
	}
	if err := served.Validate(t.Context()); err != nil {
		t.Errorf("the contract isn't valid OpenAPI: %v", err)
	}
}

// What is refused for its token is counted for its address, submissions too.
func TestRefusedSubmissionsAreLimited(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	const path = "/v1/challenges/x/submissions"
	for range 600 {
		s.send("POST", path, `{"log":"R"}`, "Authorization: Bearer nonsense").want(http.StatusUnauthorized)
	}
	s.send("POST", path, `{"log":"R"}`).problem(http.StatusTooManyRequests, "rate-limited")
}

// A field that is wrong is told of in a person's words.
func TestWordsOfRefusals(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	for _, test := range []struct{ body, want string }{
		{`{"variant":"cruel","seed":"ADA"}`, "seed: must be: 1 to 64 characters, words of a to z and 0 to 9 joined by single hyphens."},
		{`{"variant":"x"}`, "variant: must be one of cruel, cruel-returns, cruel-stuck, limited-cruel-3, limited-cruel-5, perseverance, ripple-fan, royal-family, cruel-top-first"},
		{`{"variant":"cruel","closes_at":"soon"}`, "closes_at: isn't a time as 2026-11-30T12:00:00Z"},
		{`{"variant":"cruel","moves":1}`, "moves: isn't a field of this request"},
		{`{}`, "variant: is missing"},
	} {
		if p := s.send("POST", "/v1/challenges", test.body, me).problem(http.StatusBadRequest, "bad-request"); p.Detail != test.want {
			t.Errorf("%s: got %q, want %q", test.body, p.Detail, test.want)
		}
	}
}
