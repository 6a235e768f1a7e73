package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"cruel/web"
)

// built is a browser client as a build leaves it.
func built(o *Options) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	o.Web = fstest.MapFS{
		"index.html":               file("<!doctype html>" + strings.Repeat("<p>page</p>", 100)),
		"assets/index-D3adB33f.js": file(strings.Repeat("play();", 100)),
		"assets/card-0a1b2c3d.png": file("\x89PNG not smaller"),
		"favicon.svg":              file("<svg/>"),
		"manifest.webmanifest":     file("{}"),
		"sw.js":                    file("sw"),
		"theme.js":                 file("theme"),
	}
}

// The browser client's addresses all give its page; those that nobody knows give a problem.
func TestClientRoutes(t *testing.T) {
	s := newSite(t, built)
	want := s.send("GET", "/", "").want(http.StatusOK).body
	for _, path := range []string{
		"/play/cruel-2026-11-30", "/board", "/board/cruel-2026-11-30", "/archive", "/replay/x", "/races", "/races/kqtwzv",
		"/players/ada", "/rules", "/account", "/practice/cruel/2", "/index.html",
	} {
		if got := s.send("GET", path, "").want(http.StatusOK).body; !bytes.Equal(got, want) {
			t.Errorf("%s isn't the page", path)
		}
	}
	for _, path := range []string{"/nothing", "/assets/nothing.js", "/assets/", "/play", "/playing", "/index.htm", "/../go.mod", "/v1/play"} {
		s.send("GET", path, "").problem(http.StatusNotFound, "not-found")
	}
	s.send("POST", "/play/x", "{}").problem(http.StatusMethodNotAllowed, "method-not-allowed")
}

// Who opens an address that nobody knows sees the page, which says so. Some browsers show nothing of a problem.
func TestClientNothing(t *testing.T) {
	s := newSite(t, built)
	const opened = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	want := s.send("GET", "/", "").want(http.StatusOK).body
	for _, path := range []string{"/nothing", "/play", "/nothing/at/all"} {
		got := s.send("GET", path, "", opened).want(http.StatusNotFound)
		if !bytes.Equal(got.body, want) || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s isn't the page but %s: %s", path, got.header.Get("Content-Type"), got.body)
		}
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("Content-Security-Policy") != clientSecurity {
			t.Errorf("%s has the headers %v", path, got.header)
		}
	}
	s.send("GET", "/nothing", "", opened, "If-None-Match: *").want(http.StatusNotFound)
	s.send("GET", "/v1/nothing", "", opened).problem(http.StatusNotFound, "not-found")
	s.send("POST", "/nothing", "{}", opened).problem(http.StatusNotFound, "not-found")
	s.send("GET", "/nothing", "", "Accept: application/json").problem(http.StatusNotFound, "not-found")
	newSite(t).send("GET", "/nothing", "", opened).problem(http.StatusNotFound, "not-found")
}

// Without a browser client there is no page, and all else is.
func TestNoClient(t *testing.T) {
	s := newSite(t)
	s.send("GET", "/", "").problem(http.StatusNotFound, "not-found")
	s.send("GET", "/docs", "").want(http.StatusOK)
}

// What has a hash in its name is kept for ever; what may be another file tomorrow isn't.
func TestClientHeaders(t *testing.T) {
	s := newSite(t, built)
	for _, test := range []struct{ path, kind, cache string }{
		{"/", "text/html; charset=utf-8", "public, no-cache"},
		{"/play/x", "text/html; charset=utf-8", "public, no-cache"},
		{"/sw.js", "text/javascript; charset=utf-8", "public, no-cache"},
		{"/theme.js", "text/javascript; charset=utf-8", "public, max-age=300"},
		{"/favicon.svg", "image/svg+xml", "public, max-age=300"},
		{"/manifest.webmanifest", "application/manifest+json", "public, max-age=300"},
		{"/assets/index-D3adB33f.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/card-0a1b2c3d.png", "image/png", "public, max-age=31536000, immutable"},
	} {
		a := s.send("GET", test.path, "").want(http.StatusOK)
		for name, want := range map[string]string{
			"Content-Type": test.kind, "Cache-Control": test.cache, "Content-Security-Policy": clientSecurity,
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: got %s %q, want %q", test.path, name, got, want)
			}
		}
		etag := a.header.Get("ETag")
		again := s.send("GET", test.path, "", header("If-None-Match: "+etag)).want(http.StatusNotModified)
		if len(again.body) > 0 || again.header.Get("ETag") != etag || again.header.Get("Cache-Control") != test.cache {
			t.Errorf("%s: the 304 has a body or other headers", test.path)
		}
	}
	if strings.Contains(clientSecurity, "unsafe") {
		t.Error("the page may run what is inline")
	}
}

// Who takes gzip gets it, with an ETag of its own; what gains nothing by it stays as it is.
func TestClientPacked(t *testing.T) {
	s := newSite(t, built)
	const script = "/assets/index-D3adB33f.js"
	plain := s.send("GET", script, "").want(http.StatusOK)
	for _, test := range []struct {
		path, accepts string
		want          bool
	}{
		{script, "gzip", true},
		{script, "br, GZIP;q=0.5, *", true},
		{script, "gzip;q=0", false},
		{script, "gzip; q=0.0", false},
		{script, "br", false},
		{script, "", false},
		{"/assets/card-0a1b2c3d.png", "gzip", false},
	} {
		a := s.send("GET", test.path, "", header("Accept-Encoding: "+test.accepts)).want(http.StatusOK)
		if got := a.header.Get("Content-Encoding") == "gzip"; got != test.want {
			t.Errorf("%s for %q: packed is %t, want %t", test.path, test.accepts, got, test.want)
		}
		if (a.header.Get("Vary") == "Accept-Encoding") != (test.path == script) {
			t.Errorf("%s: got Vary %q", test.path, a.header.Get("Vary"))
		}
		if !test.want {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(a.body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, plain.body) {
			t.Errorf("%s packed is another file: %v", test.path, err)
		}
		if a.header.Get("ETag") == plain.header.Get("ETag") {
			t.Errorf("%s: both codings have one ETag", test.path)
		}
	}
}

// HEAD tells what GET would send.
func TestClientHead(t *testing.T) {
	s := newSite(t, built)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	response, err := http.Head(server.URL + "/assets/index-D3adB33f.js")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || len(body) > 0 || response.StatusCode != http.StatusOK || response.ContentLength != 700 {
		t.Errorf("got status %d, %d bytes of %d, error %v", response.StatusCode, len(body), response.ContentLength, err)
	}
}

// Opening pages takes nothing away from the requests of the API, but isn't without a bound.
func TestClientLimit(t *testing.T) {
	s := newSite(t, built, func(o *Options) { o.NoRateLimits = false })
	for range pagePolicy.quota {
		s.send("GET", "/", "").want(http.StatusOK)
	}
	if got := s.send("GET", "/v1/variants", "").want(http.StatusOK).header.Get("RateLimit"); got != `"default";r=599;t=60` {
		t.Errorf("after many pages the API's limit is %s", got)
	}
	s.send("GET", "/sw.js", "").problem(http.StatusTooManyRequests, "rate-limited")
}

// The client that is built in can be served, and what can't be is refused at the start.
func TestClientIsWhole(t *testing.T) {
	s := newSite(t, func(o *Options) { o.Web = web.Files })
	s.send("GET", "/", "").want(http.StatusOK)
	for name, files := range map[string]fstest.MapFS{
		"no page":        {"sw.js": {}},
		"a foreign file": {"index.html": {}, "assets/x.exe": {}},
	} {
		if _, err := New(Services{}, Options{Now: s.clock.Now, NoRateLimits: true, Web: files}); err == nil {
			t.Errorf("%s: the client is served", name)
		}
	}
}
