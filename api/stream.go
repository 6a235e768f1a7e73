package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/account"
	"cruel/race"
)

const (
	heartbeat  = 15 * time.Second
	checkEvery = 3                // heartbeats from one look at the session to the next
	lingerFor  = 35 * time.Minute // after the end of a race's time there may be a rematch
)

// GetRaceEvents is a race as it happens.
func (s *server) GetRaceEvents(ctx context.Context, r GetRaceEventsRequestObject) (GetRaceEventsResponseObject, error) {
	key := s.clientKey(ctx.(*gin.Context).Request)
	ctx, call := enter(ctx)
	st := &stream{server: s, ctx: ctx, code: r.Code, token: call.token}
	var found race.Race
	err := st.patiently(func(ctx context.Context) (err error) {
		found, err = s.Races.Race(ctx, r.Code)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := st.checkSession(); err != nil {
		return nil, err
	}
	if r.Params.LastEventID != nil {
		st.sent = sentBefore(*r.Params.LastEventID, found)
	}
	if st.sent == found.Version && s.isSilent(found) {
		return GetRaceEvents204Response{}, nil
	}
	if !s.streams.enter(key) {
		return nil, &problemError{kind: rateLimited, wait: time.Minute, detail: fmt.Sprintf("at most %d streams from an address", mostStreams)}
	}
	st.leave = func() { s.streams.leave(key) }
	return st, nil
}

// mostStreams is how many streams an address may read at once; many players may share one.
const mostStreams = 100

// counter counts what is under way, by key.
type counter struct {
	mu   sync.Mutex
	most int // of a key; 0 for any number
	n    map[string]int
}

func newCounter(most int) *counter { return &counter{most: most, n: map[string]int{}} }

// enter counts one more, unless there are as many as may be.
func (c *counter) enter(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.most > 0 && c.n[key] >= c.most {
		return false
	}
	c.n[key]++
	return true
}

func (c *counter) leave(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n[key]--; c.n[key] == 0 {
		delete(c.n, key)
	}
}

// eventID is the id of an event in the stream. It names its race, so that a client which goes on to the next
// one can't take the two for each other.
func eventID(code string, version int) string { return fmt.Sprintf("%s-%d", code, version) }

// sentBefore is the event of a race that an id names; 0 where it names none.
func sentBefore(id string, r race.Race) int {
	version, err := strconv.Atoi(strings.TrimPrefix(id, r.Code+"-"))
	if err != nil || version < 1 || version > r.Version || id != eventID(r.Code, version) {
		return 0
	}
	return version
}

// stream is the answer that goes on: the events of a race.
type stream struct {
	*server
	ctx    context.Context
	code   string
	token  string // of who reads; empty for the public
	sent   int    // the last event that the reader has; 0 for none
	second string // the player in the second seat at that event, if that is known
	leave  func() // gives the place among the address' streams back
	out    outlet
}

// VisitGetRaceEventsResponse writes events until the reader is gone or there are no more to come. All that
// can be told of by a status has been told before.
func (st *stream) VisitGetRaceEventsResponse(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", streamed)
	h.Set("X-Accel-Buffering", "no")
	if isHead(st.ctx) {
		st.leave()
		w.WriteHeader(http.StatusOK)
		return nil
	}
	// net/http waits no longer for a connection that is taken over, and the stream doesn't count itself yet.
	st.taken.Add(1)
	defer st.taken.Done()
	taken, head, err := takeOver(w)
	switch {
	case err != nil:
		st.leave()
		return err
	case taken != nil:
		st.goOn(taken, head)
	default:
		st.out = newPlain(w, st.ctx.Done())
		w.WriteHeader(http.StatusOK)
		st.end(st.run())
	}
	return nil
}

// goOn writes to a line, and lets go of the request, whose handler returns.
func (st *stream) goOn(out *line, head []byte) {
	call := st.ctx.Value(callKey{}).(*call)
	call.taken = true
	id, path, started := call.id, call.path, call.arrived
	st.out, st.ctx = out, st.stopping
	err := st.write(head)
	st.taken.Go(func() {
		if err == nil {
			err = contained(st.run)
		}
		st.end(err)
		_ = out.Close() // there is nobody to tell
		st.logRequest(id, http.MethodGet, path, http.StatusOK, started)
	})
}

// end is when err has ended the stream.
func (st *stream) end(err error) {
	defer st.leave()
	switch {
	case errors.Is(err, errStreamEnds), errors.Is(err, account.ErrBadToken):
	case errors.Is(err, errPanic):
		st.log.ErrorContext(st.ctx, "stream broke off", "race", st.code, "error", err)
	default:
		st.log.DebugContext(st.ctx, "stream broke off", "race", st.code, "error", err)
	}
	if err := st.giveTime(); err != nil { // for the end of the answer: what there was may be over
		st.log.DebugContext(st.ctx, "stream can't be ended", "race", st.code, "error", err)
	}
}

var (
	// errStreamEnds ends a stream that has nothing more to tell, or whose reader may not have it any more.
	errStreamEnds = errors.New("the stream ends")

	errPanic = errors.New("panic")
)

func (st *stream) run() error {
	defer context.AfterFunc(st.stopping, st.out.wake)()
	watcher := st.Races.Watch(st.code, st.out.wake)
	defer st.Races.Unwatch(watcher)
	catchUp := func() error { return st.catchUp(watcher) }
	if err := st.out.Flush(); err != nil { // the header, since there may be no event for long
		return err
	}
	if err := apart(catchUp); err != nil {
		return err
	}
	next := time.Now().Add(st.heartbeat)
	for beats := 1; ; {
		if err := st.out.wait(next); err != nil {
			return err
		}
		if st.stopping.Err() != nil {
			return errStreamEnds
		}
		if time.Now().Before(next) {
			if err := apart(catchUp); err != nil {
				return err
			}
			continue
		}
		if err := apart(func() error { return st.check(beats) }); err != nil {
			return err
		}
		if err := apart(catchUp); err != nil { // what failed before
			return err
		}
		if err := st.write([]byte(":\n\n")); err != nil {
			return err
		}
		beats++
		next = time.Now().Add(st.heartbeat)
	}
}

// apart does what takes much of a stack on one that it leaves behind: a stream that waits for hours would keep
// what its own has grown by.
func apart(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- contained(do) }()
	return <-done
}

// contained makes an error of a panic, which would end the program.
func contained(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, r, debug.Stack())
		}
	}()
	return do()
}

// check ends the stream of who may not read it any more.
func (st *stream) check(beats int) error {
	if beats%checkEvery != 0 {
		_, err := st.authenticate() // which costs the database nothing
		return err
	}
	err := st.checkSession()
	if errors.Is(err, account.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		return nil // it can't be known just now
	}
	return err
}

// authenticate is account.ErrBadToken where the token is no good any more.
func (st *stream) authenticate() (account.Identity, error) {
	if st.token == "" {
		return account.Identity{}, nil
	}
	return st.Accounts.Authenticate(st.token)
}

// checkSession is account.ErrBadToken where the token or its session is no good any more.
func (st *stream) checkSession() error {
	identity, err := st.authenticate()
	if err != nil || st.token == "" {
		return err
	}
	return st.patiently(func(ctx context.Context) error { return st.Accounts.Live(ctx, identity) })
}

// catchUp sends what the reader doesn't have yet.
func (st *stream) catchUp(watcher *race.Watcher) error {
	for {
		var r race.Race
		var events []race.Event
		err := st.patiently(func(ctx context.Context) (err error) {
			r, events, err = st.Races.Since(ctx, watcher, st.sent)
			return err
		})
		if err != nil {
			if errors.Is(err, account.ErrUnavailable) && st.sent > 0 { // the next change, or the poll, tries again
				return nil
			}
			return err
		}
		if err := st.send(r, events); err != nil {
			return err
		}
		switch {
		case st.sent < r.Version:
		case st.isSilent(r):
			return errStreamEnds
		default:
			return nil
		}
	}
}

// isSilent reports whether nothing more comes of a race.
func (s *server) isSilent(r race.Race) bool {
	return r.State == race.Cancelled || r.NextCode != "" ||
		r.State == race.Finished && s.Races.Now().After(r.EndsAt.Add(lingerFor))
}

// send sends events, or the whole race to a reader who has nothing yet.
func (st *stream) send(r race.Race, events []race.Event) error {
	if st.sent > 0 && len(events) == 0 {
		return nil
	}
	shown, err := st.shown(r)
	if err != nil {
		return err
	}
	if err := st.giveTime(); err != nil { // only now: the database's time isn't the reader's
		return err
	}
	if st.sent == 0 {
		err = st.put(r.Version, eventData{RaceEvent{Type: RaceEventTypeState, At: st.Races.Now()}, shown})
		st.sent, events = r.Version, nil
	}
	for i, e := range events {
		told := eventData{RaceEvent{Type: RaceEventType(e.Kind), At: e.At, PlayerId: orAbsent(st.whose(r, events, i))}, shown}
		if e.Kind == race.EventProgress {
			told.Cards, told.Moves, told.Race = &e.Cards, &e.Moves, nil
		}
		err = errors.Join(err, st.put(st.sent+1+i, told))
	}
	if err != nil {
		return err
	}
	st.sent, st.second = st.sent+len(events), r.Entrants[1].Player.ID
	return st.out.Flush()
}

// eventData is a RaceEvent whose race is in JSON already, since it is the same in many.
type eventData struct {
	RaceEvent
	Race json.RawMessage `json:"race,omitempty"`
}

// shown is a race in JSON.
func (st *stream) shown(r race.Race) (text json.RawMessage, err error) {
	err = st.patiently(func(ctx context.Context) error {
		shown, err := st.raceOf(ctx, r)
		text = must(json.Marshal(shown)) // plain strings and numbers
		return err
	})
	return text, err
}

// whose is the player of an event among those that are new. The race as it is now says who that was, unless
// they have left since: then it is who sat there before, if nobody has come between.
func (st *stream) whose(r race.Race, events []race.Event, i int) string {
	seat := events[i].Seat
	secondSeat := func(kind race.EventKind) func(race.Event) bool {
		return func(e race.Event) bool { return e.Seat == 1 && e.Kind == kind }
	}
	switch {
	case seat < 0:
		return ""
	case seat == 0 || !slices.ContainsFunc(events[i:], secondSeat(race.EventLeft)):
		return r.Entrants[seat].Player.ID
	case slices.ContainsFunc(events[:i+1], secondSeat(race.EventJoined)):
		return ""
	}
	return st.second
}

// put writes an event.
func (st *stream) put(id int, e eventData) error {
	_, err := fmt.Fprintf(st.out, "id: %s\nevent: %s\ndata: %s\n\n", eventID(st.code, id), e.Type, must(json.Marshal(e)))
	return err
}

// write sends something, unless the reader takes longer over it than to the next heartbeat. The server's own
// limit for an answer doesn't hold for one that goes on.
func (st *stream) write(text []byte) error {
	if err := st.giveTime(); err != nil {
		return err
	}
	if _, err := st.out.Write(text); err != nil {
		return err
	}
	return st.out.Flush()
}

func (st *stream) giveTime() error { return st.out.SetWriteDeadline(time.Now().Add(st.heartbeat)) }

// patiently does something with the database.
func (st *stream) patiently(do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(st.ctx, st.patience)
	defer cancel()
	return do(ctx)
}
