package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"cruel"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/race"
)

// patient is how long a test waits for what has to come.
const patient = 20 * time.Second

// beating is the options of a site whose streams have a short heartbeat.
func beating(o *Options) { o.Heartbeat = 20 * time.Millisecond }

// listen serves the site on a port of its own.
func (s *site) listen(change ...func(*httptest.Server)) *httptest.Server {
	s.t.Helper()
	server := httptest.NewUnstartedServer(s.handler)
	for _, f := range change {
		f(server)
	}
	server.Start()
	s.t.Cleanup(server.Close)
	return server
}

// event is an event as it came.
type event struct {
	id, kind, text string
	data           RaceEvent
}

// streaming is a client that reads a stream.
type streaming struct {
	t        testing.TB
	response *http.Response
	events   chan event
	beats    chan struct{}
	ended    chan error // what ended it; nil: the server, in good order
}

// streamed reads the stream of a race from a server of its own.
func (s *site) streamed(code string, headers ...header) *streaming {
	s.t.Helper()
	return s.stream(s.listen().URL, code, headers...)
}

// stream reads the stream of a race from a server.
func (s *site) stream(url, code string, headers ...header) *streaming {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), "GET", url+"/v1/races/"+code+"/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(string(h), ": ")
		r.Header.Set(name, value)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: patient}}
	response, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		s.t.Fatalf("the stream has the status %d: %s", response.StatusCode, body)
	}
	return s.reading(response)
}

// reading reads the stream that is the answer.
func (s *site) reading(response *http.Response) *streaming {
	st := &streaming{s.t, response, make(chan event, 1000), make(chan struct{}, 1000), make(chan error, 1)}
	s.t.Cleanup(st.close)
	go func() {
		err := st.read()
		close(st.events)
		st.ended <- err
	}()
	return st
}

// read reads what comes: blocks of lines, each an event or a comment.
func (st *streaming) read() error {
	var block []string
	lines := bufio.NewReader(st.response.Body)
	for {
		line, err := lines.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF) && line == "" && len(block) == 0:
			return nil
		case err != nil:
			return err
		case line != "\n":
			block = append(block, strings.TrimSuffix(line, "\n"))
			continue
		}
		if len(block) == 1 && block[0] == ":" { // a comment, which has no id
			st.beats <- struct{}{}
			block = nil
			continue
		}
		if len(block) != 3 {
			return fmt.Errorf("no event: %q", block)
		}
		e := event{text: strings.Join(block, "\n")}
		for i, field := range []*string{&e.id, &e.kind, new(string)} {
			name, value, _ := strings.Cut(block[i], ": ")
			if name != []string{"id", "event", "data"}[i] {
				return fmt.Errorf("no event: %q", block)
			}
			*field = value
			if i == 2 {
				if err := readEvent(value, &e.data); err != nil {
					return err
				}
			}
		}
		st.events <- e
		block = nil
	}
}

// eventSchema is the data of an event in the contract.
var eventSchema = sync.OnceValue(func() *openapi3.Schema {
	return must(openapi3.NewLoader().LoadFromData(cruel.Contract)).Components.Schemas["RaceEvent"].Value
})

// readEvent reads the data of an event, which is as the contract has it.
func readEvent(text string, e *RaceEvent) error {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return err
	}
	if err := eventSchema().VisitJSON(value); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), e)
}

// next is the next event, which must be of the kind.
func (st *streaming) next(kind string) event {
	st.t.Helper()
	select {
	case e, ok := <-st.events:
		if !ok {
			st.t.Fatalf("the stream ended, want %s", kind)
		}
		if e.kind != kind || string(e.data.Type) != kind {
			st.t.Fatalf("got the event %s, want %s", e.text, kind)
		}
		return e
	case <-time.After(patient):
		st.t.Fatalf("no event, want %s", kind)
	}
	return event{}
}

// end waits until the server ends the stream in good order, without a further event.
func (st *streaming) end() {
	st.t.Helper()
	select {
	case err := <-st.ended:
		if e, more := <-st.events; err != nil || more {
			st.t.Fatalf("the stream ended with %v, before it %s", err, e.text)
		}
	case <-time.After(patient):
		st.t.Fatal("the stream doesn't end")
	}
}

// beat waits for so many comments.
func (st *streaming) beat(times int) {
	st.t.Helper()
	for range times {
		select {
		case <-st.beats:
		case <-time.After(patient):
			st.t.Fatal("no heartbeat")
		}
	}
}

func (st *streaming) close() { st.response.Body.Close() }

// rest is all that comes up to an event of the last version.
func (st *streaming) rest(last int) (ids []string) {
	st.t.Helper()
	for {
		select {
		case e, ok := <-st.events:
			if !ok {
				st.t.Fatalf("the stream ended after %v", ids)
			}
			ids = append(ids, e.kind+" "+e.id)
			if strings.HasSuffix(e.id, fmt.Sprintf("-%d", last)) {
				return ids
			}
		case <-time.After(patient):
			st.t.Fatalf("nothing comes after %v", ids)
		}
	}
}

// A whole race as both players and the public read it: the state first, then each change once and in order,
// with whose it was. The stream ends when another race follows.
func TestStream(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	server := s.listen()
	readers := []*streaming{s.stream(server.URL, code), s.stream(server.URL, code, ana.auth), s.stream(server.URL, code, ben.auth)}
	for _, r := range readers {
		first := r.next("state")
		if first.id != code+"-1" || first.data.Race == nil || first.data.Race.State != "open" || first.data.PlayerId != nil {
			t.Errorf("the first event: got %s", first.text)
		}
	}
	steps := []struct {
		who  *racer
		act  string
		log  string
		kind string // of the event; more of them with spaces between
	}{
		{&ben, "join", "", "joined"},
		{&ana, "ready", "", "ready"},
		{&ana, "unready", "", "unready"},
		{&ben, "leave", "", "left"},
		{&ben, "join", "", "joined"},
		{&ana, "ready", "", "ready"},
		{&ben, "ready", "", "ready countdown"},
		{nil, "", "", "started"},
		{&ana, "progress", half, "progress"},
		{&ana, "progress", "jS", "progress"},
		{&ben, "forfeit", "", "forfeited"},
		{&ben, "unforfeit", "", "unforfeited"},
		{&ana, "finish", win, "finished"},
		{&ben, "finish", half, "finished over"},
		{&ben, "rematch", "", "rematch"},
		{&ana, "rematch", "", "rematch next"},
	}
	id := 1
	for _, step := range steps {
		s.clock.Add(time.Second)
		if step.who == nil {
			s.clock.Add(5 * time.Second)
			s.meet()
		} else {
			step.who.do(code, step.act, step.log)
		}
		for _, kind := range strings.Fields(step.kind) {
			id++
			for _, r := range readers {
				e := r.next(kind)
				if want := fmt.Sprintf("%s-%d", code, id); e.id != want {
					t.Errorf("%s has the id %s, want %s", kind, e.id, want)
				}
				wantPlayer := ""
				if step.who != nil && kind != "countdown" && kind != "over" && kind != "next" {
					wantPlayer = step.who.id
				}
				if got := e.data.PlayerId; (got == nil) != (wantPlayer == "") || got != nil && *got != wantPlayer {
					t.Errorf("%s is of %v, want %q", kind, got, wantPlayer)
				}
				if kind == "progress" {
					if e.data.Race != nil || strings.Contains(e.text, "log") || *e.data.Moves != len(strings.Fields(step.log)) || *e.data.Cards < 5 {
						t.Errorf("progress: got %s", e.text)
					}
					continue
				}
				if e.data.Race == nil || e.data.Race.EventId < id {
					t.Errorf("%s: got the race %+v", kind, e.data.Race)
				}
				if kind == "finished" && step.who == &ana && e.data.Race.Entrants[0].Log != nil {
					t.Error("a log is shown before the end")
				}
			}
		}
	}
	for _, r := range readers {
		r.end()
	}
	// It is over for who comes later, too.
	late := s.stream(server.URL, code)
	if e := late.next("state"); e.data.Race.NextCode == nil {
		t.Errorf("got %s", e.text)
	}
	late.end()
}

// Case M16: a stream that broke off at any event goes on with exactly what was missed.
func TestStreamGoesOnWhereItBrokeOff(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := siteOn(t, d, func(o *Options) { o.Heartbeat = time.Hour })
		ana, ben := s.guestRacer(), s.guestRacer()
		code := ana.open(ownSeed).Code
		server := s.listen()
		whole := s.stream(server.URL, code)
		cut := s.stream(server.URL, code)
		cut.next("state")
		cut.close()
		ben.do(code, "join")
		ana.do(code, "ready")
		ben.do(code, "ready")
		s.clock.Add(5 * time.Second)
		s.meet()
		for _, log := range []string{"jS", "jS cH", "jS", "", "jS cH R"} {
			ana.do(code, "progress", log)
		}
		last := ben.do(code, "forfeit").EventId
		if last != 12 {
			t.Fatalf("%d events, want 12", last)
		}
		all := whole.rest(last)
		for from := 1; from < last; from++ {
			again := s.stream(server.URL, code, header(fmt.Sprintf("Last-Event-ID: %s-%d", code, from)))
			if diff := cmp.Diff(all[from:], again.rest(last)); diff != "" {
				t.Errorf("after event %d (-want +got):\n%s", from, diff)
			}
			again.close()
		}

		// Who has it all gets the next, and the answer begins before that.
		current := s.stream(server.URL, code, header(fmt.Sprintf("Last-Event-ID: %s-%d", code, last)))
		ben.do(code, "unforfeit")
		if e := current.next("unforfeited"); e.id != fmt.Sprintf("%s-%d", code, last+1) || *e.data.PlayerId != ben.id {
			t.Errorf("got %s", e.text)
		}
	})
}

// What left is told of to who was there; who comes later isn't told a wrong name.
func TestStreamTellsWhoLeft(t *testing.T) {
	s := newSite(t)
	ana, ben, cyd := s.guestRacer(), s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	ben.do(code, "join")
	ben.do(code, "ready")
	ben.do(code, "leave")
	cyd.do(code, "join")
	cyd.do(code, "ready")
	later := s.streamed(code, header("Last-Event-ID: "+code+"-1"))
	for _, want := range []struct{ kind, id string }{{"joined", ""}, {"ready", ""}, {"left", ""}, {"joined", cyd.id}, {"ready", cyd.id}} {
		e := later.next(want.kind)
		if got := e.data.PlayerId; got != nil && *got != want.id || got == nil && want.id != "" {
			t.Errorf("got %s, want %q", e.text, want.id)
		}
	}
	cyd.do(code, "leave")
	if e := later.next("left"); e.data.PlayerId == nil || *e.data.PlayerId != cyd.id || len(e.data.Race.Entrants) != 1 {
		t.Errorf("got %s", e.text)
	}
	ana.do(code, "leave")
	if e := later.next("left"); e.data.PlayerId == nil || *e.data.PlayerId != ana.id {
		t.Errorf("got %s", e.text)
	}
	later.next("cancelled")
	later.end()
}

// Case M16: a Last-Event-ID that says nothing here begins with the whole state, and is no error.
func TestStreamBeginsAnew(t *testing.T) {
	s := newSite(t)
	ana, ben := s.guestRacer(), s.guestRacer()
	foreign := ana.open(`{"time_limit_s":60,"seed":"another"}`).Code
	code := ana.open(ownSeed).Code
	ben.do(code, "join")
	ana.do(code, "ready")
	server := s.listen()
	for name, id := range map[string]string{
		"empty":             "",
		"to come":           code + "-4",
		"huge":              code + "-99999999999999999999",
		"zero":              code + "-0",
		"negative":          code + "--1",
		"of another race":   foreign + "-1",
		"without the race":  "2",
		"without a number":  code,
		"with a zero":       code + "-02",
		"with a plus":       code + "-+2",
		"with a space":      code + "- 2",
		"with more":         code + "-2-2",
		"in capitals":       strings.ToUpper(code) + "-2",
		"garbage":           "\x80\xff'; DROP TABLE races; --",
		"ten kilobytes":     strings.Repeat("9", 10<<10),
		"long, and ours":    code + "-" + strings.Repeat("0", 10<<10) + "2",
		"a percent":         "%00%zz",
		"another alphabet":  code + "-٢",
		"two in one header": code + "-1, " + code + "-2",
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.t = t
			e := s.stream(server.URL, code, header("Last-Event-ID: "+id)).next("state")
			if e.id != code+"-3" || e.data.Race.EventId != 3 || len(e.data.Race.Entrants) != 2 {
				t.Errorf("got %s", e.text)
			}
		})
	}
}

// An EventSource asks again and again for a stream that has ended, until a 204.
func TestStreamThatIsOver(t *testing.T) {
	for name, end := range map[string]func(s *site, code string, ana, ben racer){
		"cancelled": func(_ *site, code string, ana, _ racer) { ana.do(code, "leave") },
		"followed": func(s *site, code string, ana, ben racer) {
			s.begin(code, ana, ben)
			ana.do(code, "forfeit")
			ben.do(code, "forfeit")
			ana.do(code, "rematch")
			ben.do(code, "rematch")
		},
		"long ago": func(s *site, code string, ana, ben racer) {
			s.begin(code, ana, ben)
			s.clock.Add(time.Minute + lingerFor)
			s.meet()
			last := fmt.Sprintf("%s-%d", code, s.look(code).EventId)
			s.streamed(code, header("Last-Event-ID: "+last)).close() // something may come yet
			s.clock.Add(time.Millisecond)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			ana, ben := s.guestRacer(), s.guestRacer()
			code := ana.open(ownSeed).Code
			end(s, code, ana, ben)
			path, last := "/v1/races/"+code+"/events", s.look(code).EventId
			a := s.send("GET", path, "", header(fmt.Sprintf("Last-Event-ID: %s-%d", code, last))).want(http.StatusNoContent)
			if got := a.header.Get("Cache-Control"); len(a.body) > 0 || got != "no-store" {
				t.Errorf("the 204 has the body %q, Cache-Control %q", a.body, got)
			}
			rest := s.streamed(code, header(fmt.Sprintf("Last-Event-ID: %s-%d", code, last-1)))
			if got := rest.rest(last); len(got) != 1 {
				t.Errorf("the last event is missing: got %v", got)
			}
			rest.end()
			whole := s.streamed(code)
			whole.next("state")
			whole.end()
			s.send("GET", path, "", header(fmt.Sprintf("Last-Event-ID: %s-%d", code, last)), "Authorization: Bearer x").want(http.StatusUnauthorized)
		})
	}
}

// Case M12: no proxy may hold events back, keep or pack them.
func TestStreamHeaders(t *testing.T) {
	s := newSite(t)
	code := s.guestRacer().open(ownSeed).Code
	st := s.streamed(code, "Accept-Encoding: gzip, br, zstd", "Origin: https://play.example")
	for name, want := range map[string]string{
		"Content-Type":                "text/event-stream",
		"Cache-Control":               "no-store, no-transform",
		"X-Accel-Buffering":           "no",
		"Content-Encoding":            "",
		"Content-Length":              "",
		"ETag":                        "",
		"Access-Control-Allow-Origin": "*",
	} {
		if got := st.response.Header.Get(name); got != want {
			t.Errorf("got %s %q, want %q", name, got, want)
		}
	}
	st.next("state") // and it is plain text
}

// A stream is dated as other answers are: by who has wrapped the server, if they do.
func TestStreamDate(t *testing.T) {
	s := newSite(t)
	code := s.guestRacer().open(ownSeed).Code
	server := s.listen(func(h *httptest.Server) {
		h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", "Mon, 30 Nov 2026 12:00:00 GMT")
			s.handler.ServeHTTP(w, r)
		})
	})
	if got := s.stream(server.URL, code).response.Header["Date"]; !slices.Equal(got, []string{"Mon, 30 Nov 2026 12:00:00 GMT"}) {
		t.Errorf("got %q", got)
	}
	if got := s.streamed(code).response.Header.Get("Date"); got == "" {
		t.Error("no date by itself")
	}
}

// HEAD of a stream ends.
func TestHeadOfAStream(t *testing.T) {
	s := newSite(t)
	code := s.guestRacer().open(ownSeed).Code
	r := httptest.NewRequest("HEAD", "/v1/races/"+code+"/events", nil)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r) // which returns
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("got %d, %v", w.Code, w.Header())
	}
}

// Cases M13, M16: an idle stream shows that it lives by comments, which have no id and move no cursor.
func TestStreamHeartbeat(t *testing.T) {
	s := newSite(t, beating)
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	st := s.streamed(code)
	st.next("state")
	st.beat(5)
	ana.do(code, "ready")
	if e := st.next("ready"); e.id != code+"-2" {
		t.Errorf("after heartbeats the id is %s", e.id)
	}
	st.beat(1)
	if heartbeat > 25*time.Second {
		t.Errorf("the heartbeat of %s is too slow for proxies that wait for 30 s", heartbeat)
	}
}

// Case M14: a stream outlives the server's limits for reading and writing, and slow clients of other routes
// are cut all the same.
func TestStreamOutlivesTimeouts(t *testing.T) {
	const limit = 400 * time.Millisecond
	s := newSite(t, func(o *Options) { o.Heartbeat = limit / 4 })
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	server := s.listen(func(h *httptest.Server) {
		h.Config.ReadHeaderTimeout, h.Config.ReadTimeout, h.Config.WriteTimeout = limit, limit, limit
	})
	st := s.stream(server.URL, code, ana.auth)
	st.next("state")
	for name, sent := range map[string]string{
		"slow header": "POST /v1/players HTTP/1.1\r\nHost: x\r\n",
		"slow body":   "POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patient)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() || strings.Contains(string(got), " 201 ") {
			t.Errorf("%s: not cut, but %q, %v", name, got, err)
		}
	}
	st.beat(13) // more than three times the limit
	ana.do(code, "ready")
	st.next("ready")
}

// Case M15: a reader that never reads holds nobody up, is dropped, and leaves nothing behind.
func TestReaderThatNeverReads(t *testing.T) {
	s := newSite(t, func(o *Options) { o.Heartbeat = 300 * time.Millisecond })
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	const readers = 20
	closed := make(chan struct{}, 2*readers)
	server := s.listen(func(h *httptest.Server) { h.Listener = watchedListener{h.Listener, closed} })
	base := runtime.NumGoroutine()

	deaf, err := (&net.Dialer{Control: smallBuffer}).Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	if _, err := fmt.Fprintf(deaf, "GET /v1/races/%s/events HTTP/1.1\r\nHost: x\r\n\r\n", code); err != nil {
		t.Fatal(err)
	}
	var others []*streaming
	for range readers - 1 {
		st := s.stream(server.URL, code)
		st.next("state")
		others = append(others, st)
	}
	const changes = 60 // more than the buffers on the way take
	for n := range changes {
		ana.do(code, []string{"ready", "unready"}[n%2])
	}
	for _, st := range others {
		if got := st.rest(1 + changes); len(got) != changes {
			t.Errorf("one of the others got %d events, want %d", len(got), changes)
		}
	}
	gone := func() {
		t.Helper()
		select {
		case <-closed:
		case <-time.After(patient):
			t.Fatal("a connection stays")
		}
	}
	gone() // the deaf one's; nobody else is
	for _, st := range others {
		st.beat(1)
		st.close()
	}
	for range others {
		gone()
	}
	for late := time.Now().Add(patient); runtime.NumGoroutine() > base; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, at first %d\n%s", runtime.NumGoroutine(), base, buf[:runtime.Stack(buf, true)])
		}
	}
}

// watchedListener tells of the connections that are closed. The kernel doesn't write for who doesn't read.
type watchedListener struct {
	net.Listener
	closed chan<- struct{}
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{Conn: c, closed: l.closed}, c.(*net.TCPConn).SetWriteBuffer(4 << 10)
}

type watchedConn struct {
	net.Conn
	closed chan<- struct{}
	once   sync.Once
}

func (c *watchedConn) Close() error {
	c.once.Do(func() { c.closed <- struct{}{} })
	return c.Conn.Close()
}

// A reader who hangs up is let go of at once, not only at the next heartbeat.
func TestReaderThatHangsUp(t *testing.T) {
	s := newSite(t, func(o *Options) { o.Heartbeat = time.Hour })
	code := s.guestRacer().open(ownSeed).Code
	server := s.listen()
	for range 20 {
		st := s.stream(server.URL, code)
		st.next("state")
		st.close()
	}
	s.streams.Wait()
}

// An address has its places among the streams back however its clients go: closed by halves, or with another
// request on the way, which is never answered.
func TestStreamLimit(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits, o.Heartbeat = false, time.Hour })
	code := s.guestRacer().open(ownSeed).Code
	server := s.listen()
	for range 2 {
		var conns []net.Conn
		for range mostStreams {
			conn, next := rawStream(t, server, code, "HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x")
			next("HTTP/1.1 200 OK")
			conns = append(conns, conn)
		}
		_, next := rawStream(t, server, code, "HTTP/1.1\r\nHost: x")
		next("HTTP/1.1 429 Too Many Requests")
		for i, conn := range conns {
			if i%2 == 0 {
				conn.Close()
			} else if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
		}
		s.streams.Wait()
	}
}

// A server that stops waits for a stream from the moment on that its connection is taken over, not only from
// its first byte.
func TestStreamIsCountedBeforeItWrites(t *testing.T) {
	s := newSite(t)
	code := s.guestRacer().open(ownSeed).Code
	writing, write := make(chan struct{}), make(chan struct{})
	server := s.listen(func(h *httptest.Server) { h.Listener = heldListener{h.Listener, writing, write} })
	_, next := rawStream(t, server, code, "HTTP/1.1\r\nHost: x")
	<-writing
	waited := make(chan struct{})
	go func() {
		s.streams.Wait()
		close(waited)
	}()
	select {
	case <-waited:
		t.Error("nobody waits for it")
	case <-time.After(50 * time.Millisecond):
	}
	close(write)
	next("event: state")
}

// heldListener has connections that tell of their first write, and hold it back.
type heldListener struct {
	net.Listener
	writing, write chan struct{}
}

func (l heldListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &heldConn{Conn: c, heldListener: l}, err
}

type heldConn struct {
	net.Conn
	heldListener
	once sync.Once
}

func (c *heldConn) Write(p []byte) (int, error) {
	c.once.Do(func() {
		close(c.writing)
		<-c.write
	})
	return c.Conn.Write(p)
}

func (c *heldConn) Close() error { return c.Conn.Close() }

// slowLogs is a database that takes its time over the question whether logs are sealed.
type slowLogs struct{ race.Store }

func (slowLogs) LogsSealed(context.Context, race.Race, time.Time) (bool, error) {
	time.Sleep(time.Second)
	return false, nil
}

// What the database takes isn't taken from the time that the reader has.
func TestSlowDatabaseCutsNoReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		go io.Copy(io.Discard, theirs)
		races := race.NewService(slowLogs{}, race.Options{Now: time.Now})
		st := &stream{
			server: &server{Services: Services{Races: races}, heartbeat: time.Second / 2, patience: patience},
			ctx:    t.Context(), code: "kqtwzv", out: &line{Conn: ours},
		}
		r := race.Race{Code: st.code, Version: 9, State: race.Finished}
		r.Variant, r.Seed, r.SeedNamed = engine.DefaultVariant(), "2", true
		if err := st.send(r, nil); err != nil || st.sent != r.Version {
			t.Errorf("sent up to event %d, %v", st.sent, err)
		}
	})
}

// A client may send a little after its request, and has a stream all the same; not without end.
func TestReaderThatTalks(t *testing.T) {
	s := newSite(t, func(o *Options) { o.Heartbeat = time.Hour })
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	conn, next := rawStream(t, s.listen(), code, "HTTP/1.1\r\nHost: x")
	next("event: state")
	if _, err := io.WriteString(conn, strings.Repeat("x", maxBody)); err != nil {
		t.Fatal(err)
	}
	ana.do(code, "ready")
	next("event: ready")
	if _, err := io.WriteString(conn, "x"); err != nil {
		t.Fatal(err)
	}
	s.streams.Wait()
}

// A client of HTTP/1.0, which is what nginx is by default, reads until the connection ends.
func TestStreamOverHTTP10(t *testing.T) {
	s := newSite(t)
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	_, next := rawStream(t, s.listen(), code, "HTTP/1.0")
	next("Connection: close")
	next("") // and no chunks follow
	next("id: " + code + "-1")
	ana.do(code, "leave")
	next("event: cancelled")
	s.streams.Wait()
}

// rawStream asks for a stream by hand. A call of next reads up to a line, and answers what it has read.
func rawStream(t *testing.T, server *httptest.Server, code, rest string) (conn net.Conn, next func(line string) (read string)) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /v1/races/%s/events %s\r\n\r\n", code, rest); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(conn)
	return conn, func(line string) (read string) {
		t.Helper()
		if err := conn.SetDeadline(time.Now().Add(patient)); err != nil {
			t.Fatal(err)
		}
		for {
			got, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("no %q: %v", line, err)
			}
			read += got
			if strings.TrimRight(got, "\r\n") == line {
				return read
			}
		}
	}
}

// Where a connection carries more than one answer it can't be taken over, and the stream is an answer like
// others: it beats, tells, and ends.
func TestStreamOverHTTP2(t *testing.T) {
	s := newSite(t, beating)
	ana := s.guestRacer()
	code := ana.open(ownSeed).Code
	server := httptest.NewUnstartedServer(s.handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	response, err := server.Client().Get(server.URL + "/v1/races/" + code + "/events")
	if err != nil {
		t.Fatal(err)
	}
	st := s.reading(response)
	if response.ProtoMajor != 2 {
		t.Fatalf("got %s", response.Proto)
	}
	st.next("state")
	st.beat(2)
	ana.do(code, "leave")
	st.next("left")
	st.next("cancelled")
	st.end()
}

// A panic in what a stream does apart ends the stream and not the program.
func TestStreamContainsPanics(t *testing.T) {
	if err := apart(func() error { panic("oh") }); !errors.Is(err, errPanic) || !strings.Contains(err.Error(), "oh") {
		t.Errorf("got %v", err)
	}
}

// smallBuffer makes a connection that takes in little that isn't read.
func smallBuffer(_, _ string, c syscall.RawConn) (err error) {
	outer := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
	return errors.Join(outer, err)
}

// Case M23: a stream that was asked for with a token ends when the token or the session does, and can't be
// had with it again. One without a token goes on.
func TestStreamEndsWithItsToken(t *testing.T) {
	for name, end := range map[string]func(s *site, auth header){
		"logged out": func(s *site, auth header) {
			s.send("DELETE", "/v1/sessions/current", "", auth).want(http.StatusNoContent)
		},
		"expired": func(s *site, _ header) { s.clock.Add(15*time.Minute + 31*time.Second) },
		"deleted": func(s *site, auth header) {
			s.send("DELETE", "/v1/players/me", "", auth).want(http.StatusNoContent)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, beating)
			code := s.guestRacer().open(ownSeed).Code
			_, auth := s.guest()
			server := s.listen()
			public, own := s.stream(server.URL, code), s.stream(server.URL, code, auth)
			own.next("state")
			own.beat(2 * checkEvery)
			end(s, auth)
			own.end()
			s.send("GET", "/v1/races/"+code+"/events", "", auth).problem(http.StatusUnauthorized, "unauthorized")
			public.next("state")
			public.beat(2 * checkEvery)
		})
	}
	// The leeway of a token and two heartbeats are within the minute that the contract names, and so are the
	// looks at the session.
	if longest := max(30*time.Second+heartbeat, checkEvery*heartbeat); longest >= time.Minute {
		t.Errorf("a stream may outlive its token by %s", longest)
	}
}

// Case M24: a token is never part of an address, and neither it nor the query is in the log, at debug too.
func TestTokensAreNotLogged(t *testing.T) {
	var log strings.Builder
	s := newSite(t, func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&lockedWriter{w: &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	ana := s.racer("ana")
	code := ana.open(ownSeed).Code
	token := strings.TrimPrefix(string(ana.auth), "Authorization: Bearer ")
	for _, name := range []string{"access_token", "token", "authorization"} {
		s.send("GET", "/v1/races/"+code+"/events?"+name+"="+token, "").wrong(name)
	}
	server := s.listen()
	st := s.stream(server.URL, code, ana.auth)
	st.next("state")
	ana.do(code, "leave")
	st.next("left")
	st.next("cancelled")
	st.end()
	s.streams.Wait() // so that the line about the stream is written
	if line := "method=GET path=/v1/races/" + code + "/events status=200 took="; strings.Count(log.String(), line) != 1 {
		t.Errorf("the line %q isn't once in the log:\n%s", line, log.String())
	}
	if strings.Contains(log.String(), token[:20]) || strings.Contains(log.String(), "correct horse") {
		t.Errorf("the log:\n%s", log.String())
	}
}

// Case M22: when the server is to stop, its streams end in good order.
func TestStreamsEndWhenStopping(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	s := newSite(t, func(o *Options) { o.Stopping = stopping })
	code := s.guestRacer().open(ownSeed).Code
	server := s.listen()
	var readers []*streaming
	for range 50 {
		st := s.stream(server.URL, code)
		st.next("state")
		readers = append(readers, st)
	}
	stop()
	for _, st := range readers {
		st.end()
	}
	s.streams.Wait()
}

// A stream goes on when the database comes back, with what happened meanwhile elsewhere.
func TestStreamOutlivesTheDatabase(t *testing.T) {
	s, w := siteOverWire(t, beating)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	st := s.streamed(code)
	st.next("state")
	w.cut()
	ana.try(code, "ready", "").problem(http.StatusServiceUnavailable, "unavailable")
	st.beat(5)
	w.mend(t)
	for late := time.Now().Add(patient); s.send("GET", "/readyz", "").status != http.StatusOK; {
		if time.Now().After(late) {
			t.Fatal("the database doesn't come back")
		}
	}
	ben.do(code, "join")
	if e := st.next("joined"); *e.data.PlayerId != ben.id {
		t.Errorf("got %s", e.text)
	}
}

// What one server does, the streams of another tell, through the database.
func TestStreamTellsOfOtherServers(t *testing.T) {
	s := siteOn(t, postgres(t))
	other := siteOn(t, s.db)
	run(t, other.races)
	ana, ben := s.guestRacer(), s.guestRacer()
	code := ana.open(ownSeed).Code
	st := other.streamed(code)
	st.next("state")
	ben.do(code, "join")
	st.next("joined")
	ana.do(code, "ready")
	st.next("ready")
}

func postgres(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// run runs a service until the test is over.
func run(t *testing.T, races *race.Service) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		races.Run(t.Context()) // which ends before the cleanups
		close(done)
	}()
	t.Cleanup(func() { <-done })
}

// The kinds of events in the contract are those that there are.
func TestContractListsEvents(t *testing.T) {
	want := []any{
		string(RaceEventTypeState), string(race.EventCreated), string(race.EventJoined), string(race.EventLeft), string(race.EventReady),
		string(race.EventUnready), string(race.EventCountdown), string(race.EventStarted), string(race.EventProgress),
		string(race.EventFinished), string(race.EventForfeited), string(race.EventUnforfeited), string(race.EventOver),
		string(race.EventCancelled), string(race.EventRematch), string(race.EventNext),
	}
	got := eventSchema().Properties["type"].Value.Enum
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// An address reads only so many streams at once, and one that ends makes room.
func TestFewStreamsOfAnAddress(t *testing.T) {
	c := newCounter(2)
	for i, key := range []string{"a", "a", "a", "b"} {
		if got, want := c.enter(key), i != 2; got != want {
			t.Errorf("number %d, of %s, goes in: %v", i, key, got)
		}
	}
	c.leave("a")
	if !c.enter("a") {
		t.Error("there is room again")
	}
	for _, key := range []string{"a", "a", "b"} {
		c.leave(key)
	}
	if len(c.n) != 0 {
		t.Errorf("left behind: %v", c.n)
	}
}
