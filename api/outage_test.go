package api

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cruel/db"
	"cruel/db/dbtest"
)

// wire carries the connections to a Postgres over a socket of its own, so that a test can cut them.
type wire struct {
	dsn    string
	socket string // ours
	server string // Postgres's

	stall sync.RWMutex // locked: nothing gets through

	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
}

func newWire(t *testing.T, dsn string) *wire {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "wire") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	const file = ".s.PGSQL.5432"
	query := u.Query()
	w := &wire{socket: filepath.Join(folder, file), server: filepath.Join(query.Get("host"), file)}
	query.Set("host", folder)
	u.RawQuery = query.Encode()
	w.dsn = u.String()
	w.mend(t)
	t.Cleanup(func() { w.cut(); os.RemoveAll(folder) })
	return w
}

// siteOverWire is a server on a fresh Postgres whose connections go over a wire.
func siteOverWire(t *testing.T, change ...func(*Options)) (*site, *wire) {
	t.Helper()
	w := newWire(t, dbtest.Postgres(t))
	d, err := db.Open(t.Context(), w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return siteOn(t, d, change...), w
}

func (w *wire) mend(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("unix", w.socket)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.listener = listener
	w.mu.Unlock()
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("unix", w.server)
			if err != nil {
				from.Close()
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, from, to)
			w.mu.Unlock()
			for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
				go func() {
					w.carry(way[0], way[1])
					way[0].Close()
					way[1].Close()
				}()
			}
		}
	}()
}

func (w *wire) carry(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		w.stall.RLock()
		_, writeErr := to.Write(buf[:n])
		w.stall.RUnlock()
		if err != nil || writeErr != nil {
			return
		}
	}
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener.Close()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

// The database gone is 503 with Retry-After; the server recovers by itself, and a submission that was
// answered before is still there.
func TestDatabaseGone(t *testing.T) {
	s, w := siteOverWire(t)
	_, me := s.guest()
	c := s.share(me, "2")
	before := s.submit(me, c.Id, "jS")
	path := "/v1/challenges/" + c.Id + "/submissions"

	w.cut()
	for range 3 { // the pool's dead connections are found out, and then none can be made
		for _, a := range []answer{
			s.send("POST", path, `{"log":"jS cH"}`, me), s.send("GET", "/v1/daily", ""), s.send("GET", "/readyz", ""),
		} {
			a.problem(http.StatusServiceUnavailable, "unavailable")
			if a.header.Get("Retry-After") == "" {
				t.Error("a 503 has no Retry-After")
			}
		}
	}
	s.send("GET", "/healthz", "").want(http.StatusOK)
	s.send("POST", "/v1/replays/verify", `{"variant":"cruel","seed":"2","log":"jS"}`).want(http.StatusOK)

	w.mend(t)
	s.send("GET", "/readyz", "").want(http.StatusOK)
	if after := s.submit(me, c.Id, "jS"); after.Id != before.Id {
		t.Error("the submission of before is gone")
	}
	s.send("POST", path, `{"log":"jS cH"}`, me).want(http.StatusCreated)
}

// A database that hangs is 503 as well, after the server's patience, and not no answer at all.
func TestDatabaseHangs(t *testing.T) {
	s, w := siteOverWire(t, func(o *Options) { o.Patience = time.Second })
	_, me := s.guest()
	c := s.share(me, "2")
	w.stall.Lock()
	for _, a := range []answer{
		s.send("POST", "/v1/challenges/"+c.Id+"/submissions", `{"log":"jS"}`, me), s.send("GET", "/v1/daily", ""), s.send("GET", "/readyz", ""),
	} {
		a.problem(http.StatusServiceUnavailable, "unavailable")
	}
	w.stall.Unlock()
	s.submit(me, c.Id, "jS")
}

// Cases K02, K16: requests that their clients give up leave the pool and the data whole: each submission is fully
// there or not at all.
func TestAbortedRequests(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := siteOn(t, d)
		_, me := s.guest()
		c := s.share(me, "2")
		var group sync.WaitGroup
		for n := range 100 {
			group.Go(func() {
				log := "jS" + strings.Repeat(" R", n)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n%10)*time.Millisecond)
				defer cancel()
				r := httptest.NewRequest("POST", "/v1/challenges/"+c.Id+"/submissions", strings.NewReader(fmt.Sprintf(`{"log":%q}`, log)))
				r = r.WithContext(ctx)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", strings.TrimPrefix(string(me), "Authorization: "))
				s.handler.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		group.Wait()
		v := s.submit(me, c.Id, "jS cH")
		board := decode[Leaderboard](s.send("GET", "/v1/challenges/"+c.Id+"/leaderboard", ""))
		if board.Players != 1 || len(board.Items) != 1 || *v.Rank != 1 {
			t.Errorf("got %d players, %d rows, rank %d, want 1 of each", board.Players, len(board.Items), *v.Rank)
		}
	})
}
