package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"cruel/db/dbtest"
)

// The tests run the real program: this test binary under the name of the program.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "cruel" {
		main()
	}
	dbtest.Main(m)
}

// deadline is how long a test waits for anything that has to happen.
const deadline = 30 * time.Second

// program is a command of the program, in a folder of its own and without settings from outside.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Args[0] = "cruel"
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CRUEL_") })
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0") // else each program of a -race run ends a second late
	return cmd
}

// running is a server that has been started.
type running struct {
	t       testing.TB
	cmd     *exec.Cmd
	url     string
	started string // what it said at the start
	log     *lines
	ended   chan error
}

// start starts a server on a database and waits until it listens.
func start(t testing.TB, dsn string, settings ...string) *running {
	t.Helper()
	r := launch(t, dsn, settings...)
	r.listens()
	return r
}

// launch starts a server on a database. It solves nothing in the background unless a setting says so.
func launch(t testing.TB, dsn string, settings ...string) *running {
	t.Helper()
	r := &running{t: t, log: newLines(), ended: make(chan error, 1)}
	r.cmd = program(t, "serve", "--listen", "127.0.0.1:0", "--database", dsn)
	r.cmd.Env = append(append(r.cmd.Env, "CRUEL_PREPARE_DAYS=0"), settings...)
	r.cmd.Stderr = r.log
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { r.ended <- r.cmd.Wait() }()
	t.Cleanup(func() { _ = r.cmd.Process.Kill() }) // an error says that it has ended
	return r
}

// listens waits until the server says where it listens, which is the last thing it says at the start.
func (r *running) listens() {
	r.t.Helper()
	found := r.log.wait(r.t, regexp.MustCompile(`(?s).*listening: open (\S+)\n`))
	r.started, r.url = found[0], found[1]
}

func (r *running) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// end waits for the end of the server.
func (r *running) end() error {
	r.t.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(deadline):
		r.t.Fatalf("the server doesn't end\n%s", r.log)
		return nil
	}
}

// stop asks the server to stop and expects exit code 0.
func (r *running) stop() {
	r.t.Helper()
	r.signal(syscall.SIGTERM)
	if err := r.end(); err != nil {
		r.t.Fatalf("after SIGTERM: %v\n%s", err, r.log)
	}
}

// lines is an output that can be waited for.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed and replaced at each write
}

func newLines() *lines { return &lines{more: make(chan struct{})} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.more)
	l.more = make(chan struct{})
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait waits until the output has what matches, and returns the match and its parts.
func (l *lines) wait(t testing.TB, want *regexp.Regexp) []string {
	t.Helper()
	late := time.After(deadline)
	for {
		l.mu.Lock()
		found, more := want.FindStringSubmatch(l.text.String()), l.more
		l.mu.Unlock()
		if found != nil {
			return found
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("nothing matches %s in the output:\n%s", want, l)
		}
	}
}

// call sends a request and decodes the answer into answer; token and body may be empty.
func (r *running) call(ctx context.Context, method, path, token, body string, answer any) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, method, r.url+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

// must is call where everything but one status is a failure of the test.
func (r *running) must(status int, method, path, token, body string, answer any) {
	r.t.Helper()
	got, err := r.call(r.t.Context(), method, path, token, body, answer)
	if err != nil || got != status {
		r.t.Fatalf("%s %s: status %d, want %d; error %v\n%s", method, path, got, status, err, r.log)
	}
}

// What the tests read of the API's answers.
type (
	session struct {
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		Player       struct{ ID, Name string }
	}
	shownChallenge struct{ ID, Seed string }
	shownResult    struct {
		ID      string
		Rank    int
		Outcome string
		Cards   int
		Moves   int
		Player  struct{ Name string }
	}
	page struct {
		Items      []shownResult
		NextCursor *string `json:"next_cursor"`
	}
)

func (r *running) signUp() session {
	r.t.Helper()
	var s session
	r.must(http.StatusCreated, "POST", "/v1/players", "", "{}", &s)
	return s
}

// The main job, end to end, by the real program on both databases; what was acknowledged is there after a
// stop and a start.
func TestDay(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, dsn)
			if !strings.Contains(r.started, "new, version") || !strings.Contains(r.started, "keys: made") {
				t.Errorf("the first start says:\n%s", r.started)
			}
			me := r.signUp()
			var today shownChallenge
			r.must(http.StatusOK, "GET", "/v1/daily", "", "", &today)
			var verdict, again shownResult
			submissions := "/v1/challenges/" + today.ID + "/submissions"
			r.must(http.StatusCreated, "POST", submissions, me.AccessToken, `{"log": "R R"}`, &verdict)
			r.must(http.StatusOK, "POST", submissions, me.AccessToken, `{"log": "R R"}`, &again)
			if again.ID != verdict.ID {
				t.Errorf("the same log became two submissions, %s and %s", verdict.ID, again.ID)
			}
			board := "/v1/challenges/" + today.ID + "/leaderboard"
			var before, after page
			r.must(http.StatusOK, "GET", board, "", "", &before)
			r.stop()
			for _, secret := range []string{me.AccessToken, me.RefreshToken} {
				if strings.Contains(r.log.String(), secret) {
					t.Error("a token is in the log")
				}
			}

			r = start(t, dsn)
			if !strings.Contains(r.started, "opened, version") || strings.Contains(r.started, "keys: made") {
				t.Errorf("the second start says:\n%s", r.started)
			}
			r.must(http.StatusOK, "GET", board, "", "", &after)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the board has changed over a restart (-before +after):\n%s", diff)
			}
			want := []shownResult{{Rank: 1, Outcome: "unfinished", Cards: 4, Moves: 2, Player: struct{ Name string }{me.Player.Name}}}
			if diff := cmp.Diff(want, after.Items); diff != "" {
				t.Errorf("board (-want +got):\n%s", diff)
			}
			r.must(http.StatusOK, "GET", "/v1/players/me", me.AccessToken, "", &me.Player) // the keys are the same
			r.stop()
		})
	}
}

// The program has the browser client in it.
func TestServesThePage(t *testing.T) {
	r := start(t, filepath.Join(t.TempDir(), "cruel.db"))
	response, err := http.Get(r.url + "/play/cruel-2026-11-30")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/html; charset=utf-8" {
		t.Errorf("got status %d, %s", response.StatusCode, kind)
	}
	r.stop()
}

// Servers that start together on an empty database share it; case K14.
func TestStartTogether(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			servers := make([]*running, 3)
			for i := range servers {
				servers[i] = launch(t, dsn)
			}
			for _, r := range servers {
				r.listens()
			}
			me := servers[0].signUp()
			var seeds []string
			for _, r := range servers {
				var today shownChallenge
				r.must(http.StatusOK, "GET", "/v1/daily", "", "", &today)
				r.must(http.StatusOK, "GET", "/v1/players/me", me.AccessToken, "", &me.Player)
				seeds = append(seeds, today.Seed)
			}
			if len(slices.Compact(seeds)) != 1 {
				t.Errorf("one day has the seeds %v", seeds)
			}
			for _, r := range servers {
				r.stop()
			}
		})
	}
}

var stopping = regexp.MustCompile("stopping: ")

// halfSent is a request whose body the server waits for.
func halfSent(t *testing.T, r *running) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "POST /v1/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v; want 100 Continue", line, err)
	}
	return conn
}

// SIGTERM lets the requests in flight finish, and takes no new ones.
func TestStopFinishesRequests(t *testing.T) {
	r := start(t, "cruel.db")
	conn := halfSent(t, r)
	r.signal(syscall.SIGTERM)
	r.log.wait(t, stopping)
	fmt.Fprint(conn, "{}")
	answer, err := io.ReadAll(conn)
	if err != nil || !bytes.Contains(answer, []byte("201 Created")) {
		t.Errorf("the request in flight got %q, %v", answer, err)
	}
	if err := r.end(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://")); err == nil {
		t.Error("the stopped server takes connections")
	}
}

// A second signal doesn't wait.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	r := start(t, "cruel.db")
	halfSent(t, r)
	r.signal(syscall.SIGTERM)
	r.log.wait(t, stopping)
	r.signal(syscall.SIGTERM)
	_ = r.end() // the state tells more
	if status := r.cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("ended with %v; want it ended by SIGTERM", r.cmd.ProcessState)
	}
}

// A port that is taken: one line, exit code 1, and the database is not touched.
func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cmd := program(t, "serve", "--listen", taken.Addr().String())
	out, err := cmd.CombinedOutput()
	want := fmt.Sprintf("cruel: listen tcp %s: bind: address already in use\n", taken.Addr())
	if cmd.ProcessState.ExitCode() != 1 || string(out) != want {
		t.Errorf("%v, %q; want exit code 1 and %q", err, out, want)
	}
	if files, err := os.ReadDir(cmd.Dir); err != nil || len(files) > 0 {
		t.Errorf("files were made: %v, %v", files, err)
	}
}

func TestStartSays(t *testing.T) {
	r := start(t, "cruel.db", "CRUEL_RATE_LIMITS=off", "CRUEL_TRUSTED_PROXIES=10.0.0.0/8,192.168.1.1/32")
	for _, want := range []string{
		"RATE LIMITS ARE OFF",
		"trusted proxies: 10.0.0.0/8, 192.168.1.1/32\n", // case A14
		"/cruel.db (new, version ",
	} {
		if !strings.Contains(r.started, want) {
			t.Errorf("no %q in:\n%s", want, r.started)
		}
	}
	r.stop()
}

func TestHealthcheck(t *testing.T) {
	r := start(t, "cruel.db")
	address := strings.TrimPrefix(r.url, "http://")
	out, err := program(t, "healthcheck", "--listen", address).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "ok (version ") {
		t.Errorf("of a running server: %v, %s", err, out)
	}
	r.stop()
	gone := program(t, "healthcheck", "--listen", address)
	out, _ = gone.CombinedOutput()
	if gone.ProcessState.ExitCode() != 1 || bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("of a stopped server: exit code %d, %q", gone.ProcessState.ExitCode(), out)
	}
}

// The commands on a database work while the server runs.
func TestCommandsOnADatabase(t *testing.T) {
	r := start(t, "cruel.db")
	me := r.signUp()
	dsn := filepath.Join(r.cmd.Dir, "cruel.db")
	backup := filepath.Join(t.TempDir(), "backup.db")
	for _, command := range [][]string{
		{"admin", "rename", me.Player.Name, "polite"},
		{"admin", "rotate-key"},
		{"backup", backup},
	} {
		if out, err := program(t, append(command, "--database", dsn)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
	}
	r.stop()

	r = start(t, backup)
	var profile struct{ ID, Name string }
	r.must(http.StatusOK, "GET", "/v1/players/polite", "", "", &profile)
	if profile.ID != me.Player.ID {
		t.Errorf("polite is %s, want %s", profile.ID, me.Player.ID)
	}
	r.must(http.StatusOK, "GET", "/v1/players/me", me.AccessToken, "", &profile) // signed by the key before
	var set struct{ Keys []struct{ Kid string } }
	r.must(http.StatusOK, "GET", "/.well-known/jwks.json", "", "", &set)
	if len(set.Keys) != 2 || set.Keys[0].Kid == set.Keys[1].Kid {
		t.Errorf("the keys are %v, want two", set.Keys)
	}
	r.stop()
}

// Every command has help worth reading, which names its exit codes.
func TestHelp(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		if cmd.Short == "" || len(cmd.Long) < 100 || !strings.Contains(cmd.Example, "  "+cmd.CommandPath()) {
			t.Errorf("%s: short %q, long %q, example %q", cmd.CommandPath(), cmd.Short, cmd.Long, cmd.Example)
		}
		if !cmd.HasSubCommands() && !strings.Contains(cmd.Long, "Exit codes: 0") {
			t.Errorf("%s: no exit codes in its help", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long) {
			if len([]rune(line)) > 81 {
				t.Errorf("%s: over 80 characters: %s", cmd.CommandPath(), line)
			}
		}
	}
	walk(newRoot())
}

// What README.md, docs/clients.md and docs/races.md tell to type works, block after block, in one shell.
func TestDocs(t *testing.T) {
	for _, file := range []string{"README.md", "docs/clients.md", "docs/races.md"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../..", file))
			if err != nil {
				t.Fatal(err)
			}
			blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
			if len(blocks) < 3 {
				t.Fatalf("only %d blocks", len(blocks))
			}
			script := "set -euo pipefail\ncurl() { command curl --fail-with-body \"$@\"; }\n"
			for _, block := range blocks {
				script += block[1]
			}
			r := start(t, "cruel.db")
			script = strings.NewReplacer("http://localhost:8080", r.url, "go run ./cmd/cruel", "cruel").Replace(script)
			bin := t.TempDir()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(exe, filepath.Join(bin, "cruel")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
			cmd.WaitDelay = deadline // a script that fails leaves a stream behind
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\nthe server's log:\n%s", err, out, r.log)
			}
			r.stop()
		})
	}
}
