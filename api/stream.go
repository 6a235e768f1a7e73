package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

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
	ctx, call := enter(ctx)
	found, err := s.Races.Race(ctx, r.Code)
	if err != nil {
		return nil, err
	}
	st := &stream{server: s, ctx: ctx, code: r.Code, token: call.token, race: found}
	if err := st.checkSession(); err != nil {
		return nil, err
	}
	if r.Params.LastEventID != nil {
		st.sent = sentBefore(*r.Params.LastEventID, found)
	}
	return st, nil
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
	ctx     context.Context
	code    string
	token   string // of who reads; empty for the public
	race    race.Race
	sent    int    // the last event that the reader has; 0 for none
	second  string // the player in the second seat at that event, if that is known
	w       http.ResponseWriter
	control *http.ResponseController
}

// VisitGetRaceEventsResponse writes events until the reader is gone or there are no more to come. All that
// can be told of by a status has been told before.
func (st *stream) VisitGetRaceEventsResponse(w http.ResponseWriter) error {
	watcher := st.Races.Watch(st.code)
	defer st.Races.Unwatch(watcher)
	st.begin(w)
	if !isHead(st.ctx) {
		st.end(st.run(watcher))
	}
	return nil
}

func (st *stream) begin(w http.ResponseWriter) {
	st.w, st.control = w, http.NewResponseController(w)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", streamed)
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// end is when err has ended the stream.
func (st *stream) end(err error) {
	if !errors.Is(err, errStreamEnds) && !errors.Is(err, account.ErrBadToken) {
		st.log.DebugContext(st.ctx, "stream broke off", "race", st.code, "error", err)
	}
	if err := st.giveTime(); err != nil { // for the end of the answer: what there was may be over
		st.log.DebugContext(st.ctx, "stream can't be ended", "race", st.code, "error", err)
	}
}

// errStreamEnds ends a stream that has nothing more to tell, or whose reader may not have it any more.
var errStreamEnds = errors.New("the stream ends")

func (st *stream) run(watcher *race.Watcher) error {
	if err := st.write(nil); err != nil { // the header, since there may be no event for long
		return err
	}
	if err := st.catchUp(watcher); err != nil {
		return err
	}
	beat := time.NewTicker(st.heartbeat)
	defer beat.Stop()
	for beats := 1; ; {
		select {
		case <-st.ctx.Done():
			return st.ctx.Err()
		case <-st.stopping:
			return errStreamEnds
		case <-watcher.Changed:
			if err := st.catchUp(watcher); err != nil {
				return err
			}
		case <-beat.C:
			if err := st.check(beats); err != nil {
				return err
			}
			if err := st.catchUp(watcher); err != nil { // what failed before
				return err
			}
			if err := st.write([]byte(":\n\n")); err != nil {
				return err
			}
			beats++
		}
	}
}

// check ends the stream of who may not read it any more, and that of a race which nothing can come of.
func (st *stream) check(beats int) error {
	if r := st.race; r.State == race.Finished && st.Races.Now().After(r.EndsAt.Add(lingerFor)) {
		return errStreamEnds
	}
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
	var events []race.Event
	err := st.patiently(func(ctx context.Context) (err error) {
		st.race, events, err = st.Races.Since(ctx, watcher, st.sent)
		return err
	})
	if err != nil {
		if errors.Is(err, account.ErrUnavailable) && st.sent > 0 { // the next change, or the poll, tries again
			return nil
		}
		return err
	}
	var out bytes.Buffer
	if st.sent == 0 {
		err = st.put(&out, st.race.Version, RaceEvent{Type: RaceEventTypeState, At: st.Races.Now()}, true)
		events = nil
	}
	for i, e := range events {
		told := RaceEvent{Type: RaceEventType(e.Kind), At: e.At, PlayerId: orAbsent(st.whose(events, i))}
		if e.Kind == race.EventProgress {
			told.Cards, told.Moves = &e.Cards, &e.Moves
		}
		err = errors.Join(err, st.put(&out, st.race.Version-len(events)+1+i, told, e.Kind != race.EventProgress))
	}
	if err != nil {
		return err
	}
	st.sent, st.second = st.race.Version, st.race.Entrants[1].Player.ID
	if out.Len() > 0 {
		if err := st.write(out.Bytes()); err != nil {
			return err
		}
	}
	if st.race.State == race.Cancelled || st.race.NextCode != "" {
		return errStreamEnds
	}
	return nil
}

// whose is the player of an event among those that are new. The race as it is now says who that was, unless
// they have left since: then it is who sat there before, if nobody has come between.
func (st *stream) whose(events []race.Event, i int) string {
	seat := events[i].Seat
	secondSeat := func(kind race.EventKind) func(race.Event) bool {
		return func(e race.Event) bool { return e.Seat == 1 && e.Kind == kind }
	}
	switch {
	case seat < 0:
		return ""
	case seat == 0 || !slices.ContainsFunc(events[i:], secondSeat(race.EventLeft)):
		return st.race.Entrants[seat].Player.ID
	case slices.ContainsFunc(events[:i+1], secondSeat(race.EventJoined)):
		return ""
	}
	return st.second
}

// put writes an event, with the race as it is now if it is to have that.
func (st *stream) put(out *bytes.Buffer, id int, e RaceEvent, whole bool) error {
	if whole {
		err := st.patiently(func(ctx context.Context) error {
			shown, err := st.raceOf(ctx, st.race)
			e.Race = &shown
			return err
		})
		if err != nil {
			return err
		}
	}
	data, err := json.Marshal(e)
	fmt.Fprintf(out, "id: %s\nevent: %s\ndata: %s\n\n", eventID(st.code, id), e.Type, data)
	return err
}

// write sends something, unless the reader takes longer over it than to the next heartbeat. The server's own
// limit for an answer doesn't hold for one that goes on.
func (st *stream) write(text []byte) error {
	if err := st.giveTime(); err != nil {
		return err
	}
	if _, err := st.w.Write(text); err != nil {
		return err
	}
	return st.control.Flush()
}

func (st *stream) giveTime() error {
	err := st.control.SetWriteDeadline(time.Now().Add(st.heartbeat))
	if errors.Is(err, http.ErrNotSupported) { // tests have such writers
		return nil
	}
	return err
}

// patiently does something with the database.
func (st *stream) patiently(do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(st.ctx, st.patience)
	defer cancel()
	return do(ctx)
}
