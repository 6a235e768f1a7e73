package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// control is what a test may do to the server, by JSON:
//
//	GET  /test/clock                          {"now": "2026-11-30T23:59:50.123Z"}
//	POST /test/clock   {"now": "2026-…Z"}     it is that time now, and goes on; answers as GET
//	POST /test/outage  {"on": true}           all of /v1 is 503 from now on
//	POST /test/outage  {"seconds": 5}         for 5 s of real time
//	POST /test/outage  {"delay_ms": 300}      each answer comes so much later
//	POST /test/outage  {}                     all is well again
//	POST /test/drop                           cuts the connections of all event streams: {"dropped": 2}
type control struct {
	mu      sync.Mutex
	ahead   time.Duration // of the real time
	outage  outage
	streams map[net.Conn]bool // the connections that have one
}

// outage is how the server misbehaves.
type outage struct {
	On      bool    `json:"on"`
	Seconds float64 `json:"seconds"`
	DelayMS int     `json:"delay_ms"`
	until   time.Time
}

func newControl() *control { return &control{streams: map[net.Conn]bool{}} }

// Now is the time that the test has set.
func (c *control) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// around puts what the test asks for around the server.
func (c *control) around(server http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /test/clock", c.showClock)
	mux.HandleFunc("POST /test/clock", c.setClock)
	mux.HandleFunc("POST /test/outage", c.setOutage)
	mux.HandleFunc("POST /test/drop", c.drop)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", c.Now().UTC().Format(http.TimeFormat)) // a client may go by it
		out, delay := c.trouble()
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
		}
		if out && strings.HasPrefix(r.URL.Path, "/v1/") {
			refuse(w)
			return
		}
		c.note(r)
		server.ServeHTTP(w, r)
	})
	return mux
}

func (c *control) showClock(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]time.Time{"now": c.Now().UTC().Truncate(time.Millisecond)})
}

func (c *control) setClock(w http.ResponseWriter, r *http.Request) {
	var wish struct{ Now time.Time }
	if !read(w, r, &wish) {
		return
	}
	if wish.Now.IsZero() {
		http.Error(w, "now is missing", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.ahead = time.Until(wish.Now)
	c.mu.Unlock()
	c.showClock(w, r)
}

func (c *control) setOutage(w http.ResponseWriter, r *http.Request) {
	var wish outage
	if !read(w, r, &wish) {
		return
	}
	wish.until = time.Now().Add(time.Duration(wish.Seconds * float64(time.Second)))
	c.mu.Lock()
	c.outage = wish
	c.mu.Unlock()
	answer(w, wish)
}

// trouble is what comes over a request that comes now.
func (c *control) trouble() (out bool, delay time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.outage
	return o.On || time.Now().Before(o.until), time.Duration(o.DelayMS) * time.Millisecond
}

// refuse answers as the server does when its database is away.
func refuse(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintln(w, `{"type":"/problems/unavailable","title":"Try again later","status":503,"detail":"the test wants it so","instance":"test"}`)
}

type connKey struct{}

func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// note notes the connection of a request for a stream.
func (c *control) note(r *http.Request) {
	conn, ok := r.Context().Value(connKey{}).(net.Conn)
	if ok && strings.HasSuffix(r.URL.Path, "/events") {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.streams[conn] = true
	}
}

// forget forgets a connection whose stream has ended. One that the handler has taken over, which the server
// knows nothing more of, is kept: to close it again does no harm.
func (c *control) forget(conn net.Conn, state http.ConnState) {
	if state == http.StateIdle || state == http.StateClosed {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.streams, conn)
	}
}

// drop cuts streams as a network does: without a word.
func (c *control) drop(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dropped := 0
	for conn := range c.streams {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, which no reader takes for the end of an answer
		}
		if conn.Close() == nil { // else it was closed before
			dropped++
		}
	}
	clear(c.streams)
	answer(w, map[string]int{"dropped": dropped})
}

// read reads a body, or answers why it can't.
func read(w http.ResponseWriter, r *http.Request, body any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(body) // who doesn't hear it is gone
}
