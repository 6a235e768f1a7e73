package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests run the real program: this test binary under its name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "testserver" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// deadline is how long a test waits for anything that has to happen.
const deadline = 30 * time.Second

// running is a server that has been started.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	url   string
	stdin io.WriteCloser
	ended chan error
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, cmd: exec.CommandContext(t.Context(), exe, args...), ended: make(chan error, 1)}
	r.cmd.Args[0] = "testserver"
	r.cmd.Stderr = os.Stderr
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if err != nil || !found {
		t.Fatalf("it says %q, %v", line, err)
	}
	r.url = url
	go func() { r.ended <- r.cmd.Wait() }()
	return r
}

// ends fails the test unless the server ends well.
func (r *running) ends() {
	r.t.Helper()
	select {
	case err := <-r.ended:
		if err != nil {
			r.t.Errorf("it ends with %v", err)
		}
	case <-time.After(deadline):
		r.t.Error("it doesn't end")
	}
}

// call sends a request and reads the answer, which must have the status.
func (r *running) call(status int, method, path, token, body string, answer any) {
	r.t.Helper()
	response := r.open(method, path, token, body)
	defer response.Body.Close()
	if response.StatusCode != status {
		text, _ := io.ReadAll(response.Body)
		r.t.Fatalf("%s %s: got %d, want %d: %s", method, path, response.StatusCode, status, text)
	}
	if answer == nil {
		return
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		r.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (r *running) open(method, path, token, body string) *http.Response {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	return response
}

func (r *running) setClock(now string) {
	r.t.Helper()
	r.call(http.StatusOK, "POST", "/test/clock", "", `{"now": "`+now+`"}`, nil)
}

type daily struct{ ID, Seed string }

func (r *running) today() (d daily) {
	r.t.Helper()
	r.call(http.StatusOK, "GET", "/v1/daily", "", "", &d)
	return d
}

// The day is that of the clock, and its deal always the same one.
func TestClock(t *testing.T) {
	var seeds []string
	for range 2 {
		r := start(t)
		r.setClock("2026-11-30T23:59:50Z")
		var clock struct{ Now time.Time }
		r.call(http.StatusOK, "GET", "/test/clock", "", "", &clock)
		if late := clock.Now.Sub(time.Date(2026, 11, 30, 23, 59, 50, 0, time.UTC)); late < 0 || late > 9*time.Second {
			t.Errorf("the clock is %s after what was set", late)
		}
		before := r.today()
		r.setClock("2026-12-01T00:00:01Z")
		if after := r.today(); before.ID != "cruel-2026-11-30" || after.ID != "cruel-2026-12-01" {
			t.Errorf("got %s before midnight and %s after it", before.ID, after.ID)
		}
		seeds = append(seeds, before.Seed)
		r.call(http.StatusBadRequest, "POST", "/test/clock", "", `{}`, nil)
		r.call(http.StatusOK, "GET", "/play/cruel-2026-11-30", "", "", nil)
		r.stdin.Close() // as when the test runner is gone
		r.ends()
	}
	if seeds[0] != seeds[1] {
		t.Errorf("one day has two deals, %s and %s", seeds[0], seeds[1])
	}
}

// An outage is one of the API alone, and over when the test says so.
func TestOutage(t *testing.T) {
	r := start(t)
	r.call(http.StatusOK, "POST", "/test/outage", "", `{"on": true}`, nil)
	r.call(http.StatusServiceUnavailable, "GET", "/v1/variants", "", "", nil)
	r.call(http.StatusOK, "GET", "/", "", "", nil)
	r.call(http.StatusOK, "POST", "/test/outage", "", `{"delay_ms": 100}`, nil)
	begun := time.Now()
	r.call(http.StatusOK, "GET", "/v1/variants", "", "", nil)
	if took := time.Since(begun); took < 100*time.Millisecond {
		t.Errorf("the answer came after %s", took)
	}
	r.call(http.StatusOK, "POST", "/test/outage", "", `{"seconds": 60}`, nil)
	r.call(http.StatusServiceUnavailable, "GET", "/v1/variants", "", "", nil)
	r.call(http.StatusOK, "POST", "/test/outage", "", `{}`, nil)
	r.call(http.StatusOK, "GET", "/v1/variants", "", "", nil)
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.ends()
}

// The deadlines of races are met by the clock that the test sets; a stream can be cut.
func TestStreams(t *testing.T) {
	r := start(t)
	var me struct {
		AccessToken string `json:"access_token"`
	}
	r.call(http.StatusCreated, "POST", "/v1/players", "", "{}", &me)
	var race struct{ Code string }
	r.call(http.StatusCreated, "POST", "/v1/races", me.AccessToken, `{"goal": "fewest_moves", "time_limit_s": 600, "visibility": "open"}`, &race)
	events := "/v1/races/" + race.Code + "/events"

	cut, lasting := r.open("GET", events, "", ""), r.open("GET", "/v1/variants", "", "")
	defer lasting.Body.Close()
	var dropped struct{ Dropped int }
	r.call(http.StatusOK, "POST", "/test/drop", "", "", &dropped)
	if dropped.Dropped != 1 {
		t.Errorf("%d streams were cut, want 1", dropped.Dropped)
	}
	if _, err := io.ReadAll(cut.Body); err == nil {
		t.Error("the stream ends well")
	}
	cut.Body.Close()

	stream := r.open("GET", events, "", "")
	defer stream.Body.Close()
	reader := bufio.NewReader(stream.Body)
	for first := ""; !strings.HasPrefix(first, "data:"); {
		var err error
		if first, err = reader.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	r.setClock(time.Now().Add(31 * time.Minute).UTC().Format(time.RFC3339)) // nobody has started it by then
	if text, err := io.ReadAll(reader); err != nil || !strings.Contains(string(text), "event: cancelled") {
		t.Errorf("the stream ends with %v:\n%s", err, text)
	}
	r.stdin.Close()
	r.ends()
}
