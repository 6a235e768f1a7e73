package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What we promise of races.
const (
	latencyLimit = 50 * time.Millisecond // from a progress call to the other's event, 99 of 100
	watcherLimit = 20 << 10              // bytes of an idle watcher
)

const (
	racesRunning = 1000
	callsFor     = 10 * time.Second
	idleWatchers = 10_000
	idleFor      = 20 * time.Second // more than a heartbeat
	lateAfter    = 10 * time.Second // an event that hasn't come by then is an error
	makersAtOnce = 8
)

// runningRace is a race that is running: its players report how far they are.
type runningRace struct {
	code   string
	tokens [2]string
	sentAt atomic.Int64 // of the last progress, in nanoseconds
}

// benchRaces measures how fast an event is with many races running, and what an idle watcher costs.
func benchRaces(ctx context.Context, binary, database string, callsASecond int) error {
	server, err := startCruel(ctx, binary, database)
	if err != nil {
		return err
	}
	races, err := startRaces(ctx, server.url)
	if err != nil {
		server.stop()
		return err
	}
	err = benchEvents(ctx, server.url, races, callsASecond)
	server.stop()
	if err != nil {
		return err
	}
	return benchWatchers(ctx, binary, database, races)
}

// startRaces makes the races and waits until all are running.
func startRaces(ctx context.Context, server string) ([]*runningRace, error) {
	races := make([]*runningRace, racesRunning)
	var next atomic.Int64
	errs := make([]error, makersAtOnce)
	var group sync.WaitGroup
	batch := time.Now().UnixNano() // the seeds of an earlier run may be sealed still
	for maker := range errs {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(races) && errs[maker] == nil; i = int(next.Add(1)) - 1 {
				races[i], errs[maker] = startRace(ctx, server, fmt.Sprintf("bench-%d-%d", batch, i))
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return races, wait(ctx, 6*time.Second) // the countdown
}

// startRace brings a race of two guests to its countdown.
func startRace(ctx context.Context, server, seed string) (*runningRace, error) {
	r := &runningRace{}
	for seat := range r.tokens {
		var session struct {
			AccessToken string `json:"access_token"`
		}
		if err := send(ctx, server+"/v1/players", "", `{}`, &session); err != nil {
			return nil, err
		}
		r.tokens[seat] = session.AccessToken
	}
	var made struct{ Code string }
	if err := send(ctx, server+"/v1/races", r.tokens[0], fmt.Sprintf(`{"seed":%q,"time_limit_s":3600}`, seed), &made); err != nil {
		return nil, err
	}
	r.code = made.Code
	for _, step := range []struct {
		seat int
		act  string
	}{{1, "join"}, {0, "ready"}, {1, "ready"}} {
		if err := send(ctx, server+"/v1/races/"+r.code+"/"+step.act, r.tokens[step.seat], "", nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func send(ctx context.Context, url, token, body string, v any) error {
	request, err := post(ctx, url, token, []byte(body))
	if err != nil {
		return err
	}
	return do(request, v)
}

// benchEvents has one player of each race report in turn, and the other read the events.
func benchEvents(ctx context.Context, server string, races []*runningRace, callsASecond int) error {
	ctx, cancel := context.WithCancel(ctx)
	took := make(chan time.Duration, len(races))
	var reading sync.WaitGroup
	defer reading.Wait()
	var calling sync.WaitGroup
	defer calling.Wait()
	defer cancel()
	for _, r := range races {
		events, err := openEvents(ctx, server, r)
		if err != nil {
			return err
		}
		reading.Go(func() { readEvents(events, r, took) })
	}

	calls := int(callsFor.Seconds()) * callsASecond
	failed := make(chan error, calls)
	calling.Go(func() {
		tick := time.NewTicker(time.Second / time.Duration(callsASecond))
		defer tick.Stop()
		for call := range calls {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			r := races[call%len(races)]
			calling.Go(func() { // the next call doesn't wait for this one
				log := strings.TrimSpace(strings.Repeat("R ", 1+call/len(races)))
				r.sentAt.Store(time.Now().UnixNano())
				if err := send(ctx, server+"/v1/races/"+r.code+"/progress", r.tokens[0], fmt.Sprintf(`{"log":%q}`, log), nil); err != nil {
					failed <- err
				}
			})
		}
	})
	var all []time.Duration
	for late := time.After(callsFor + lateAfter); len(all) < calls; {
		select {
		case d := <-took:
			all = append(all, d)
		case err := <-failed:
			return err
		case <-late:
			return fmt.Errorf("%d of %d events came", len(all), calls)
		}
	}
	slices.Sort(all)
	p99 := all[len(all)*99/100]
	fmt.Printf("races: from a progress call to the other's event, %d races running, %d calls a second\n", len(races), callsASecond)
	fmt.Printf("p50 %s, p99 %s, worst %s; limit: p99 at most %s: %s, ratio %.2f\n", shown(all[len(all)/2]), shown(p99), shown(all[len(all)-1]),
		latencyLimit, verdict(p99 <= latencyLimit), float64(p99)/float64(latencyLimit))
	return nil
}

func shown(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func verdict(kept bool) string { return map[bool]string{true: "kept", false: "MISSED"}[kept] }

var streams = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// openEvents asks for the events of a race as the second player, and reads the first one.
func openEvents(ctx context.Context, server string, r *runningRace) (*bufio.Scanner, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/v1/races/"+r.code+"/events", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.tokens[1])
	answer, err := streams.Do(request) //nolint:bodyclose // ends with ctx
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the events of a race: %s", answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(make([]byte, 1<<12), 1<<16)
	for lines.Scan() {
		if text, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			var first struct{ Race struct{ State string } }
			if err := json.Unmarshal(text, &first); err != nil || first.Race.State != "running" {
				return nil, fmt.Errorf("the first event: %w: %s", err, text)
			}
			return lines, nil
		}
	}
	return nil, lines.Err()
}

// readEvents says of each progress how long ago it was sent.
func readEvents(lines *bufio.Scanner, r *runningRace, took chan<- time.Duration) {
	for lines.Scan() {
		if lines.Text() == "event: progress" {
			took <- time.Duration(time.Now().UnixNano() - r.sentAt.Load())
		}
	}
}

// benchWatchers measures by how much a fresh server grows with many who watch races in which nothing happens.
func benchWatchers(ctx context.Context, binary, database string, races []*runningRace) error {
	watchers := idleWatchers
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && files.Cur < uint64(watchers)+200 {
		watchers = int(files.Cur) - 200 // the server may open as many as we
	}
	server, err := startCruel(ctx, binary, database)
	if err != nil {
		return err
	}
	defer server.stop()
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	watch := func(n int) error {
		for range n {
			conn, err := watchIdly(server.url, races[len(conns)%len(races)].code)
			if err != nil {
				return err
			}
			conns = append(conns, conn)
		}
		return nil
	}
	if err := watch(50); err != nil { // what the server needs for the first ones isn't theirs
		return err
	}
	before, err := memoryOf(server.pid)
	if err != nil {
		return err
	}
	if err := watch(watchers); err != nil {
		return err
	}
	if err := wait(ctx, idleFor); err != nil {
		return err
	}
	after, err := memoryOf(server.pid)
	if err != nil {
		return err
	}
	each := (after - before) / watchers
	fmt.Printf("memory: %d idle watchers of %d races; the server grew from %d to %d MiB\n", watchers, len(races), before>>20, after>>20)
	fmt.Printf("%.1f KiB each; aim: at most %d KiB: %s, ratio %.2f\n", float64(each)/1024, watcherLimit>>10,
		verdict(each <= watcherLimit), float64(each)/watcherLimit)
	return nil
}

// watchIdly opens a stream and reads the start of its first event.
func watchIdly(server, code string) (net.Conn, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "GET /v1/races/%s/events HTTP/1.1\r\nHost: %s\r\n\r\n", code, u.Host); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	var got []byte
	for buf := make([]byte, 4<<10); !bytes.Contains(got, []byte("event: state")); {
		n, err := conn.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("a watcher: %w: %s", err, got), conn.Close())
		}
	}
	return conn, nil
}

// memoryOf is what a process has in memory, in bytes.
func memoryOf(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/statm: %q", pid, text)
	}
	pages, err := strconv.Atoi(fields[1])
	return pages * os.Getpagesize(), err
}

// wait waits, but not longer than ctx.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
