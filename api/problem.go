package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/account"
	"cruel/challenge"
	"cruel/race"
	"cruel/replay"
)

// kind is a row of the table of problems: all that an error can be over HTTP.
type kind struct {
	slug, title string
	status      int
	text        string // for the page of the kind
}

var (
	badRequest         = kind{"bad-request", "The request is malformed", http.StatusBadRequest, "The field errors names what is wrong, and where."}
	unauthorized       = kind{"unauthorized", "A valid access token is needed", http.StatusUnauthorized, "Send Authorization: Bearer with an access token; POST /v1/sessions/refresh makes a fresh one."}
	badCredentials     = kind{"bad-credentials", "The credentials aren't right", http.StatusUnauthorized, "Name and password, the recovery code or the refresh token aren't right, or not any more."}
	forbidden          = kind{"forbidden", "Not for you", http.StatusForbidden, "The request is understood, but this player or this page may not do it."}
	sealedLog          = kind{"sealed-log", "The log is sealed", http.StatusForbidden, "While a challenge is open, nobody sees the log of another player, or that of the par. The field until says when it ends."}
	notFound           = kind{"not-found", "Not found", http.StatusNotFound, "There is nothing at this address. A day to come is not found either."}
	methodNotAllowed   = kind{"method-not-allowed", "Method not allowed", http.StatusMethodNotAllowed, "The header Allow lists what may be done here."}
	nameTaken          = kind{"name-taken", "The name is taken", http.StatusConflict, "Names that differ in case only or look alike are the same, and a name is never given to a second player."}
	sealedSeed         = kind{"sealed-seed", "The seed is sealed", http.StatusConflict, "The seed belongs to a challenge or a race that isn't over. The field until says when it ends."}
	raceState          = kind{"race-state", "Not in this state of the race", http.StatusConflict, "The field state says where the race is, and allowed what the player may do now. Nothing was changed."}
	tooLarge           = kind{"too-large", "The body is too large", http.StatusRequestEntityTooLarge, "A body has at most 64 KiB."}
	unsupported        = kind{"unsupported-media-type", "Send uncompressed JSON", http.StatusUnsupportedMediaType, "A body is application/json in UTF-8, not compressed."}
	illegalLog         = kind{"illegal-log", "The log is refused", http.StatusUnprocessableEntity, "The field move names the first token that refuses the log, and why. Nothing was stored."}
	mismatch           = kind{"idempotency-mismatch", "This Idempotency-Key came with another body", http.StatusUnprocessableEntity, "An Idempotency-Key stands for one request; take a new one for another."}
	rateLimited        = kind{"rate-limited", "Too many requests", http.StatusTooManyRequests, "The header Retry-After says in how many seconds to try again."}
	tooManySubmissions = kind{"too-many-submissions", "Too many submissions", http.StatusTooManyRequests, "After 200 submissions for one challenge only an improvement is taken."}
	internal           = kind{"internal", "A fault of the server", http.StatusInternalServerError, "The fault is logged under the request id, which is the field instance."}
	unavailable        = kind{"unavailable", "Try again later", http.StatusServiceUnavailable, "The database or a queue is out for a moment; the header Retry-After says when to try again. A submission may be sent again as it is."}
)

// kinds is the whole table, each with its page under /problems/.
var kinds = []kind{
	badRequest, unauthorized, badCredentials, forbidden, sealedLog, notFound, methodNotAllowed,
	nameTaken, sealedSeed, raceState, tooLarge, unsupported, illegalLog, mismatch, rateLimited, tooManySubmissions,
	internal, unavailable,
}

// retryAfter is what a client is told to wait when the database or a queue is out.
const retryAfter = 2 * time.Second

// problemError is an error that knows how it is told over HTTP.
type problemError struct {
	kind
	detail string
	fields []fieldError
	move   *RefusedMove
	until  *time.Time
	state  *RaceState
	acts   *[]ProblemAllowed
	wait   time.Duration
}

type fieldError = struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *problemError) Error() string { return e.slug + ": " + e.detail }

// wrongField is a 400 about one field.
func wrongField(field, message string) error {
	return &problemError{kind: badRequest, detail: field + ": " + message, fields: []fieldError{{field, message}}}
}

// problemOf is the one table from errors to HTTP. What isn't in it is a 500 whose text stays in the log.
func problemOf(err error) *problemError {
	var (
		own     *problemError
		refused *replay.RefusedError
		name    *account.NameError
		pass    *account.PasswordError
		log     *challenge.SealedLogError
		seed    *challenge.SealedSeedError
		raced   *race.SealedSeedError
		state   *race.StateError
	)
	say := func(k kind, detail string) *problemError { return &problemError{kind: k, detail: detail} }
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refused):
		p := say(illegalLog, refused.Error())
		p.move = &RefusedMove{Index: refused.Index, Token: refused.Token, Code: RefusedMoveCode(refused.Code), Reason: refused.Reason}
		return p
	case errors.As(err, &name):
		return wrongField("name", name.Reason).(*problemError)
	case errors.As(err, &pass):
		return wrongField("password", pass.Reason).(*problemError)
	case errors.As(err, &log):
		p := say(sealedLog, err.Error())
		p.until = &log.Until
		return p
	case errors.As(err, &seed):
		p := say(sealedSeed, err.Error())
		p.until = &seed.Until
		return p
	case errors.As(err, &raced):
		p := say(sealedSeed, err.Error())
		p.until = &raced.Until
		return p
	case errors.As(err, &state):
		p := say(raceState, err.Error())
		now, acts := RaceState(state.State), []ProblemAllowed{}
		for _, act := range state.Allowed {
			acts = append(acts, ProblemAllowed(act))
		}
		p.state, p.acts = &now, &acts
		return p
	case errors.Is(err, race.ErrTooManyRaces):
		p := say(rateLimited, err.Error())
		p.wait = time.Minute
		return p
	case errors.Is(err, race.ErrStranger):
		return say(forbidden, err.Error())
	case errors.Is(err, race.ErrTimeLimit):
		return wrongField("time_limit_s", err.Error()).(*problemError)
	case errors.Is(err, challenge.ErrClosesAt):
		return wrongField("closes_at", err.Error()).(*problemError)
	case errors.Is(err, account.ErrNameTaken):
		return say(nameTaken, "this name, or one that looks like it, belongs to somebody")
	case errors.Is(err, account.ErrBadCredentials):
		return say(badCredentials, err.Error())
	case errors.Is(err, account.ErrBadToken):
		return say(unauthorized, err.Error())
	case errors.Is(err, account.ErrIdempotencyMismatch):
		return say(mismatch, "take a new Idempotency-Key for another request")
	case errors.Is(err, account.ErrNotFound), errors.Is(err, challenge.ErrNotFound), errors.Is(err, race.ErrNotFound):
		return say(notFound, "there is nothing here")
	case errors.Is(err, challenge.ErrEmptyLog):
		return wrongField("log", "has no move").(*problemError)
	case errors.Is(err, challenge.ErrTooManySubmissions):
		p := say(tooManySubmissions, "after 200 submissions for a challenge only an improvement is taken")
		p.wait = time.Minute
		return p
	case errors.Is(err, challenge.ErrDrawing), errors.Is(err, challenge.ErrBusy), errors.Is(err, race.ErrDrawing),
		errors.Is(err, race.ErrConflict), errors.Is(err, race.ErrCodeTaken):
		p := say(unavailable, err.Error())
		p.wait = retryAfter
		return p
	case errors.Is(err, account.ErrUnavailable), errors.Is(err, account.ErrBusy),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		p := say(unavailable, "the server can't answer just now")
		p.wait = retryAfter
		return p
	}
	return say(internal, "the fault is logged under this request id")
}

// writeProblem answers with the problem of err, and logs what the client isn't told.
func (s *server) writeProblem(c *gin.Context, err error) {
	p := problemOf(err)
	if p.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, account.ErrBusy) && !errors.Is(err, challenge.ErrBusy) && !errors.Is(err, challenge.ErrDrawing) &&
		!errors.Is(err, race.ErrDrawing) && !errors.Is(err, race.ErrConflict) && !errors.Is(err, race.ErrCodeTaken) {
		s.log.LogAttrs(c, slog.LevelError, "request failed", slog.String("id", requestID(c)), slog.Any("error", err))
	}
	if p.wait > 0 {
		c.Header("Retry-After", strconv.Itoa(int((p.wait+time.Second-1)/time.Second)))
	}
	if p.status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", `Bearer realm="cruel"`)
	}
	c.Header("Cache-Control", "no-store")
	body := Problem{
		Type: ProblemType("/problems/" + p.slug), Title: p.title, Status: p.status, Detail: p.detail,
		Instance: requestID(c), Move: p.move, Until: p.until, State: p.state, Allowed: p.acts,
	}
	if len(p.fields) > 0 {
		body.Errors = &p.fields
	}
	c.Abort()
	c.Data(p.status, "application/problem+json", must(json.Marshal(body))) // plain strings and numbers
}
