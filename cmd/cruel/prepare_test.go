package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/challenge"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/engine"
)

// solved is how long a test waits for what is solved in the background: on a machine that is busy with
// other tests, a low priority gets little.
const solved = 3 * time.Minute

// quickly lets the solver give up early.
var quickly = []string{"CRUEL_SOLVER_MEMORY=1MiB", "CRUEL_RATE_LIMITS=off"}

// shownCommitment is what the API says of a seed before its day.
type shownCommitment struct {
	Date        string
	Hash        string
	CommittedAt time.Time `json:"committed_at"`
	Beforehand  bool
}

// shownDaily is a daily with what was found out about its deal.
type shownDaily struct {
	Seed       string
	Winnable   *bool
	Par        *struct{ Moves int }
	Commitment *shownCommitment
}

// commitments lists what is committed to from a day on, by the id of the daily. Each is there once.
func (r *running) commitments(from challenge.Day) map[string]shownCommitment {
	r.t.Helper()
	all := map[string]shownCommitment{}
	for _, v := range engine.Variants() {
		var list struct{ Items []shownCommitment }
		r.must(http.StatusOK, "GET", "/v1/commitments?limit=200&variant="+v.ID+"&from="+from.String(), "", "", &list)
		for _, c := range list.Items {
			id := v.ID + "-" + c.Date
			if _, twice := all[id]; twice {
				r.t.Errorf("%s has two commitments", id)
			}
			all[id] = c
		}
	}
	return all
}

// untilCommitted waits until all of the dailies have a commitment, and returns those and whatever others
// there are from a day on.
func (r *running) untilCommitted(from challenge.Day, ids ...string) (all map[string]shownCommitment) {
	r.t.Helper()
	until(r.t, fmt.Sprintf("commitments to %s", ids), func() bool {
		r.t.Helper()
		all = r.commitments(from)
		for _, id := range ids {
			if _, ok := all[id]; !ok {
				return false
			}
		}
		return true
	})
	return all
}

// daily asks for the daily of a day that has begun until it is drawn.
func (r *running) daily(v engine.Variant, d challenge.Day) (daily shownDaily) {
	r.t.Helper()
	until(r.t, "the daily of "+v.ID, func() bool {
		r.t.Helper()
		status, err := r.call(r.t.Context(), "GET", "/v1/daily/"+d.String()+"?variant="+v.ID, "", "", &daily)
		if err != nil || status != http.StatusOK && status != http.StatusServiceUnavailable {
			r.t.Fatalf("%s of %s: status %d, error %v\n%s", v.ID, d, status, err, r.log)
		}
		return status == http.StatusOK
	})
	return daily
}

// until asks again and again until something is so.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), solved)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// checkKept checks that what was committed to is so still.
func checkKept(t *testing.T, before, after map[string]shownCommitment) {
	t.Helper()
	for id, want := range before {
		if diff := cmp.Diff(want, after[id]); diff != "" {
			t.Errorf("the commitment to %s has changed (-before +after):\n%s", id, diff)
		}
	}
}

// checkDaily checks what holds for a daily, however it was chosen: it is the deal that was committed to, and
// it can be won.
func checkDaily(t *testing.T, v engine.Variant, d challenge.Day, got shownDaily, committed shownCommitment) {
	t.Helper()
	id := challenge.DailyID(v, d)
	sum := sha256.Sum256([]byte("cruel commitment 1\n" + v.ID + "\n" + d.String() + "\n" + got.Seed))
	if hash := hex.EncodeToString(sum[:]); hash != committed.Hash {
		t.Errorf("%s is %s, whose hash is %s; committed to is %s", id, got.Seed, hash, committed.Hash)
	}
	if diff := cmp.Diff(&committed, got.Commitment); diff != "" {
		t.Errorf("the commitment of %s (-listed +its own):\n%s", id, diff)
	}
	if got.Winnable == nil || !*got.Winnable || got.Par == nil || got.Par.Moves < 48 {
		t.Errorf("%s isn't shown as won: winnable %v, par %v", id, got.Winnable, got.Par)
	}
}

// Servers that prepare the same days choose one deal a day, which is also that of who asks for the day
// before it is prepared; and they show none before its day.
func TestServersPrepareTogether(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			settings := append(slices.Clone(quickly), "CRUEL_PREPARE_DAYS=1")
			servers := []*running{launch(t, dsn, settings...), launch(t, dsn, settings...)}
			for _, r := range servers {
				r.listens()
			}
			today, variants := challenge.DayOf(time.Now()), engine.Variants()
			prepared, asked, tomorrow := variants[0], variants[1], today.Add(1)
			servers[1].daily(asked, today)
			openSolved(t, dsn, today, variants[2:]) // so that they come to tomorrow sooner
			all := servers[0].untilCommitted(today, challenge.DailyID(prepared, today), challenge.DailyID(prepared, tomorrow))
			for _, r := range servers {
				for _, v := range []engine.Variant{prepared, asked} {
					checkDaily(t, v, today, r.daily(v, today), all[challenge.DailyID(v, today)])
				}
				var problem struct{ Status int }
				r.must(http.StatusNotFound, "GET", "/v1/daily/"+tomorrow.String(), "", "", &problem)
				r.must(http.StatusNotFound, "GET", "/v1/challenges/"+challenge.DailyID(prepared, tomorrow), "", "", &problem)
				checkKept(t, all, r.commitments(today))
			}
			for id, c := range all {
				if c.Beforehand != (c.Date == tomorrow.String()) {
					t.Errorf("the commitment to %s is %+v", id, c)
				}
			}
			for _, r := range servers {
				r.stop()
			}
		})
	}
}

// openSolved opens dailies of a day as a server does that has solved them.
func openSolved(t *testing.T, dsn string, day challenge.Day, variants []engine.Variant) {
	t.Helper()
	d, err := db.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	now := time.Now()
	for _, v := range variants {
		err := d.OpenDaily(t.Context(), challenge.Challenge{
			ID: challenge.DailyID(v, day), Kind: challenge.Daily, Variant: v, RulesVersion: engine.RulesVersion,
			Day: day, Seed: "2", OpensAt: day.OpensAt(), ClosesAt: day.ClosesAt(), GraceUntil: day.ClosesAt(),
			CreatedAt:  now,
			Commitment: &challenge.Commitment{Day: day, Hash: challenge.CommitmentHash(v, day, "2"), CommittedAt: now},
		}, challenge.Finding{
			Effort: challenge.Full, Bound: 54, Moves: 54, Log: strings.Join(seedTwoWin, " "), FoundAt: now, Difficulty: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What was committed to when the server is killed stays, and what it was at is done after its claim has
// lapsed.
func TestKilledWhilePreparing(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits more than it works

			settings := append(slices.Clone(quickly), "CRUEL_PREPARE_DAYS=60") // more than there is time for
			r := start(t, dsn, settings...)
			today, first := challenge.DayOf(time.Now()), engine.DefaultVariant()
			before := r.untilCommitted(today, challenge.DailyID(first, today))
			until(t, "a claim on the next daily", func() bool {
				before = r.commitments(today)
				work := claimed(t, dsn)
				return len(work) == 1 && before[work[0]] == shownCommitment{}
			})
			r.signal(syscall.SIGKILL)
			_ = r.end() // killed

			r = start(t, dsn, settings...)
			restarted := r.commitments(today)
			checkKept(t, before, restarted)
			dead, next := firstMissing(today, restarted)
			after := r.untilCommitted(today, dead, next)
			checkKept(t, restarted, after)
			checkDaily(t, first, today, r.daily(first, today), after[challenge.DailyID(first, today)])
			r.stop()
		})
	}
}

// firstMissing returns the first two dailies without a commitment, in the order in which a server prepares
// them: what it is at now, and what comes after that.
func firstMissing(d challenge.Day, committed map[string]shownCommitment) (first, second string) {
	for ; ; d = d.Add(1) {
		for _, v := range engine.Variants() {
			id := challenge.DailyID(v, d)
			if _, ok := committed[id]; ok {
				continue
			}
			if first != "" {
				return first, id
			}
			first = id
		}
	}
}

// A server that is stopped while it solves ends as one that doesn't.
func TestStopWhileSolving(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, dsn, "CRUEL_PREPARE_DAYS=1")
			until(t, "a claim", func() bool { return len(claimed(t, dsn)) > 0 })
			r.stop()
			if log := r.log.String(); !strings.Contains(log, "msg=stopped\n") || strings.Contains(log, "solving failed") {
				t.Errorf("the log of the stop:\n%s", log)
			}
		})
	}
}

// claimed lists which dailies of today and tomorrow somebody is at. The claims by which it finds out lapse
// at once.
func claimed(t *testing.T, dsn string) (work []string) {
	t.Helper()
	d, err := db.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	now := time.Now()
	for _, day := range []challenge.Day{challenge.DayOf(now), challenge.DayOf(now).Add(1)} {
		for _, v := range engine.Variants() {
			id := challenge.DailyID(v, day)
			free, err := d.Claim(t.Context(), challenge.Claim{Work: id, Holder: "test", Now: now, Until: now})
			if err != nil {
				t.Fatal(err)
			}
			if !free {
				work = append(work, id)
			}
		}
	}
	return work
}

// Without the solver, the deal of today is chosen when it is asked for, and no other.
func TestNothingPrepared(t *testing.T) {
	r := start(t, "cruel.db", "CRUEL_PREPARE_DAYS=0")
	today, cruel := challenge.DayOf(time.Now()), engine.DefaultVariant()
	if got := r.commitments(today); len(got) > 0 {
		t.Errorf("commitments before anybody asked: %v", got)
	}
	daily := r.daily(cruel, today)
	if work := claimed(t, filepath.Join(r.cmd.Dir, "cruel.db")); len(work) > 0 {
		t.Errorf("it is at %s", work)
	}
	all := r.commitments(today)
	committed := all[challenge.DailyID(cruel, today)]
	if len(all) != 1 || committed.Beforehand {
		t.Errorf("commitments to one daily that was asked for: %+v", all)
	}
	checkDaily(t, cruel, today, daily, committed)
	var problem struct{ Status int }
	r.must(http.StatusNotFound, "GET", "/v1/daily/"+today.Add(1).String(), "", "", &problem)
	r.stop()
}

func TestStartSaysWhatTheSolverDoes(t *testing.T) {
	for name, row := range map[string]struct {
		settings []string
		want     string
	}{
		"by default": {[]string{"CRUEL_PREPARE_DAYS="}, "solver: prepares today and 7 days more, with up to 256 MiB\n"},
		"as set":     {[]string{"CRUEL_PREPARE_DAYS=1", "CRUEL_SOLVER_MEMORY=2GiB"}, "solver: prepares today and 1 day more, with up to 2048 MiB\n"},
		"off":        {[]string{"CRUEL_PREPARE_DAYS=0"}, "solver: off; today's deal is chosen when it is first asked for\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, "cruel.db", row.settings...)
			if !strings.Contains(r.started, row.want) {
				t.Errorf("no %q in:\n%s", row.want, r.started)
			}
			r.stop()
		})
	}
}

// While it solves, a thread of the server has a lower priority, and the others the one that the server was
// started with.
func TestSolverYields(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("priorities of threads are there on Linux only")
	}
	usual := niceOf(t, "/proc/self/stat")
	nice, err := strconv.Atoi(usual)
	if err != nil {
		t.Fatal(err)
	}
	low := strconv.Itoa(min(nice+10, 19))
	r := start(t, "cruel.db", append(slices.Clone(quickly), "CRUEL_PREPARE_DAYS=1")...)
	today, first := challenge.DayOf(time.Now()), engine.DefaultVariant()
	yielding := func() (n int) {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", r.cmd.Process.Pid))
		if err != nil || len(threads) < 2 {
			t.Fatalf("threads %v, error %v", threads, err)
		}
		for _, thread := range threads {
			switch nice := niceOf(t, thread); nice {
			case low:
				n++
			case usual, "":
			default:
				t.Errorf("%s has the priority %s", thread, nice)
			}
		}
		return n
	}
	until(t, "a thread of a lower priority", func() bool { return yielding() > 0 })
	r.untilCommitted(today, challenge.DailyID(first, today)) // there are more threads by now
	yielding()
	r.stop()
}

// niceOf reads the 19th field of a stat file of Linux; it is empty where the thread has ended.
func niceOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name, in parentheses, may have spaces
	return strings.Fields(rest)[19-3]
}
