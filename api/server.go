package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"cruel"
	"cruel/account"
	"cruel/challenge"
	"cruel/race"
)

// Services is what the handlers call.
type Services struct {
	Accounts   *account.Service
	Challenges *challenge.Service
	Races      *race.Service
	Ready      func(context.Context) error // nil once the database can be reached and is migrated
}

// Options is how the server is set up.
type Options struct {
	Now            func() time.Time // the server's clock
	Log            *slog.Logger
	Version        string
	TrustedProxies []netip.Prefix  // whose X-Forwarded-For is believed
	NoRateLimits   bool            // for tests and benchmarks
	Patience       time.Duration   // how long the database may take over a request; 15 s if 0
	Heartbeat      time.Duration   // how often a stream shows that it lives; 15 s if 0
	CursorKey      []byte          // authenticates cursors; the same on all servers of a database
	Stopping       context.Context // done when streams are to end; nil: never
	Streams        *sync.WaitGroup // counts those whose connections were taken over, for which net/http doesn't wait
	Web            fs.FS           // the built browser client; nil: none is served
}

type server struct {
	Services
	now            func() time.Time
	log            *slog.Logger
	version        string
	trustedProxies []netip.Prefix
	limiter        *limiter // nil: no limits
	streams        *counter // by the address of who reads
	cursorKey      []byte
	patience       time.Duration
	heartbeat      time.Duration
	stopping       context.Context
	taken          *sync.WaitGroup
	routes         map[string]route // by method and gin's path
}

// patience is how long the database may take over a request.
const patience = 15 * time.Second

// New is the whole HTTP side of the server. It fails only if the contract and the table of
// operations don't fit each other, or the browser client isn't one.
func New(services Services, o Options) (http.Handler, error) {
	spec, err := openapi3.NewLoader().LoadFromData(cruel.Contract)
	if err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	routes, err := routesOf(spec)
	if err != nil {
		return nil, err
	}
	s := &server{
		Services: services, now: o.Now, log: o.Log, version: o.Version,
		trustedProxies: o.TrustedProxies, cursorKey: o.CursorKey, patience: o.Patience, heartbeat: o.Heartbeat,
		stopping: o.Stopping, taken: o.Streams, routes: routes,
	}
	if s.stopping == nil {
		s.stopping = context.Background()
	}
	if s.taken == nil {
		s.taken = &sync.WaitGroup{}
	}
	if s.patience == 0 {
		s.patience = patience
	}
	if s.heartbeat == 0 {
		s.heartbeat = heartbeat
	}
	s.streams = newCounter(0)
	if !o.NoRateLimits {
		s.limiter, s.streams = newLimiter(o.Now), newCounter(mostStreams)
	}

	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.ContextWithFallback = true
	router.HandleMethodNotAllowed = true
	router.RedirectTrailingSlash = false
	if err := router.SetTrustedProxies(nil); err != nil {
		return nil, err
	}
	router.Use(s.begin, s.recover, s.crossOrigin, s.limitAddress, s.authorise, s.readBody, s.check, s.cache)
	router.NoRoute(s.noRoute)
	router.NoMethod(func(c *gin.Context) {
		s.writeProblem(c, &problemError{kind: methodNotAllowed, detail: "allowed here: " + c.Writer.Header().Get("Allow")})
	})
	strict := NewStrictHandlerWithOptions(s, nil, StrictGinServerOptions{
		RequestErrorHandlerFunc:  s.requestError,
		HandlerErrorFunc:         s.writeProblem,
		ResponseErrorHandlerFunc: s.writeProblem,
	})
	RegisterHandlersWithOptions(router, strict, GinServerOptions{
		ErrorHandler: func(c *gin.Context, err error, _ int) { s.requestError(c, err) },
	})
	s.pages(router)
	s.feeds(router)
	if o.Web != nil {
		if err := s.client(router, o.Web); err != nil {
			return nil, err
		}
	}
	return headAsGet(router), nil
}

func (s *server) noRoute(c *gin.Context) {
	s.writeProblem(c, &problemError{kind: notFound, detail: "there is nothing at this path"})
}

// operation is a row of the table of what the contract's operations need besides their handler.
type operation struct {
	who   who
	limit *policy // nil: not limited
	cache string  // Cache-Control of a 200; empty: no-store
}

// What a cache may keep. A board is asked for anew each time, which costs a 304; rules change with a
// release; a key is known for an hour before it signs.
const (
	neverStored = "no-store"
	revalidated = "public, no-cache"
	fiveMinutes = "public, max-age=300"
	anHour      = "public, max-age=3600"
	streamed    = "no-store, no-transform"
)

// operations is the one table of who may do what.
var operations = map[string]operation{
	"getToday":              {anyone, &defaultPolicy, revalidated},
	"getDaily":              {anyone, &defaultPolicy, revalidated},
	"getChallenge":          {anyone, &defaultPolicy, revalidated},
	"createChallenge":       {players, &sharePolicy, neverStored},
	"submit":                {players, &submitPolicy, neverStored},
	"getLeaderboard":        {anyoneKnown, &defaultPolicy, revalidated},
	"getHistogram":          {anyone, &defaultPolicy, revalidated},
	"getSubmission":         {anyoneKnown, &defaultPolicy, revalidated},
	"getReplay":             {anyoneKnown, &defaultPolicy, revalidated},
	"getPar":                {anyone, &defaultPolicy, revalidated},
	"listCommitments":       {anyone, &defaultPolicy, revalidated},
	"listDailies":           {anyone, &defaultPolicy, revalidated},
	"getHint":               {players, &hintPolicy, neverStored},
	"listRaces":             {anyone, &defaultPolicy, revalidated},
	"createRace":            {players, &racePolicy, neverStored},
	"getRace":               {anyone, &defaultPolicy, revalidated},
	"getRaceEvents":         {anyoneKnown, &defaultPolicy, streamed},
	"joinRace":              {players, &actPolicy, neverStored},
	"readyForRace":          {players, &actPolicy, neverStored},
	"unreadyForRace":        {players, &actPolicy, neverStored},
	"leaveRace":             {players, &actPolicy, neverStored},
	"reportProgress":        {players, &actPolicy, neverStored},
	"finishRace":            {players, &actPolicy, neverStored},
	"forfeitRace":           {players, &actPolicy, neverStored},
	"unforfeitRace":         {players, &actPolicy, neverStored},
	"offerRematch":          {players, &actPolicy, neverStored},
	"listPlayerRaces":       {anyone, &defaultPolicy, revalidated},
	"listPlayerRatings":     {anyone, &defaultPolicy, revalidated},
	"listRatings":           {anyone, &defaultPolicy, revalidated},
	"verifyReplay":          {anyone, &verifyPolicy, neverStored},
	"signUp":                {anyone, &signUpPolicy, neverStored},
	"getMe":                 {players, &defaultPolicy, neverStored},
	"changeMe":              {players, &defaultPolicy, neverStored},
	"deleteMe":              {players, &defaultPolicy, neverStored},
	"getPlayer":             {anyone, &defaultPolicy, revalidated},
	"listPlayerSubmissions": {anyoneKnown, &defaultPolicy, revalidated},
	"listPlayerDays":        {anyone, &defaultPolicy, revalidated},
	"getPlayerStatistics":   {anyone, &defaultPolicy, revalidated},
	"logIn":                 {anyone, &logInPolicy, neverStored},
	"refreshSession":        {anyone, &defaultPolicy, neverStored},
	"recoverSession":        {anyone, &logInPolicy, neverStored},
	"logOut":                {players, &defaultPolicy, neverStored},
	"listVariants":          {anyone, &defaultPolicy, anHour},
	"getVariant":            {anyone, &defaultPolicy, anHour},
	"getKeys":               {anyone, &defaultPolicy, fiveMinutes},
	"getHealth":             {anyone, nil, neverStored},
	"getReady":              {anyone, nil, neverStored},
}

// route is an operation of the contract where the router finds it.
type route struct {
	id string
	operation
	spec *openapi3.T
	path string
	item *openapi3.PathItem
	op   *openapi3.Operation
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// routesOf joins the contract and the table of operations; each has exactly the other's.
func routesOf(spec *openapi3.T) (map[string]route, error) {
	routes := map[string]route{}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			row, ok := operations[op.OperationID]
			if !ok {
				return nil, fmt.Errorf("operation %s of the contract isn't in the table", op.OperationID)
			}
			key := method + " " + pathParameter.ReplaceAllString(path, ":$1")
			routes[key] = route{op.OperationID, row, spec, path, item, op}
		}
	}
	if len(routes) != len(operations) {
		return nil, fmt.Errorf("the table has %d operations, the contract %d", len(operations), len(routes))
	}
	return routes, nil
}

// call is what the middleware knows of a request, for the handlers.
type call struct {
	id       string // the request id
	path     string
	route    route // zero where the contract has none
	identity account.Identity
	token    string    // that says so
	arrived  time.Time // of the whole body
	bodyHash [32]byte
	cache    string // Cache-Control of a 200
	taken    bool   // the answer goes on without its handler, and has its line in the log when it is over
}

type callKey struct{}

func callOf(c *gin.Context) *call {
	call, _ := c.Request.Context().Value(callKey{}).(*call)
	return call
}

// enter turns the context of a strict handler into the request's own, which outlives gin's, and answers
// what is known of the request.
func enter(ctx context.Context) (context.Context, *call) {
	c := ctx.(*gin.Context)
	return c.Request.Context(), callOf(c)
}

func requestID(c *gin.Context) string { return callOf(c).id }

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// begin gives the request its id and, when it is over, its line in the log.
func (s *server) begin(c *gin.Context) {
	started := s.now()
	defer s.introduce(c, started)()
	c.Next()
	if call := callOf(c); !call.taken {
		s.logRequest(call.id, c.Request.Method, call.path, c.Writer.Status(), started)
	}
}

// introduce gives the request its id and its patience, which is to be released in the end.
func (s *server) introduce(c *gin.Context, started time.Time) (release func()) {
	release = func() {}
	id := c.GetHeader("X-Request-Id")
	if !goodRequestID.MatchString(id) {
		id = strings.ToLower(rand.Text())
	}
	call := &call{id: id, path: cut(c.Request.URL.Path, 200), route: s.routes[c.Request.Method+" "+c.FullPath()], arrived: started}
	call.cache = call.route.cache
	ctx := context.WithValue(c.Request.Context(), callKey{}, call)
	if call.cache != streamed { // which has a patience of its own
		// A database that hangs must not hold requests for ever; the deadline passed is a 503.
		ctx, release = context.WithTimeout(ctx, s.patience)
	}
	c.Request = c.Request.WithContext(ctx)
	h := c.Writer.Header()
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", neverStored)
	return release
}

// logRequest writes the line of a request, which has neither query nor headers.
func (s *server) logRequest(id, method, path string, status int, started time.Time) {
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "request", slog.String("id", id), slog.String("method", method),
		slog.String("path", path), slog.Int("status", status), slog.Duration("took", s.now().Sub(started)))
}

func (s *server) recover(c *gin.Context) {
	defer func() {
		if r := recover(); r != nil {
			if err, ok := r.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(r)
			}
			err := fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			if c.Writer.Written() {
				s.log.LogAttrs(c.Request.Context(), slog.LevelError, "request broke off", slog.String("id", requestID(c)), slog.Any("error", err))
				c.Abort()
				return
			}
			s.writeProblem(c, err)
		}
	}()
	c.Next()
}

// crossOrigin lets any web page call /v1, without cookies, and answers preflights.
func (s *server) crossOrigin(c *gin.Context) {
	if !strings.HasPrefix(c.Request.URL.Path, "/v1/") && c.Request.URL.Path != "/.well-known/jwks.json" {
		return
	}
	h := c.Writer.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Location")
	if c.Request.Method != http.MethodOptions {
		return
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id")
	h.Set("Access-Control-Max-Age", "86400")
	c.AbortWithStatus(http.StatusNoContent)
}

// limitAddress counts the request for its address. One that is counted for its player is so later.
func (s *server) limitAddress(c *gin.Context) {
	p := &defaultPolicy
	if route := callOf(c).route; route.id != "" {
		p = route.limit
	}
	if p != nil && p.ofPlayer {
		p = p.besides
	}
	if p == nil {
		return
	}
	if err := s.limit(c, *p, s.clientKey(c.Request)); err != nil {
		s.writeProblem(c, err)
	}
}

// headAsGet answers HEAD wherever GET is answered; net/http leaves the body out.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			r = r.Clone(context.WithValue(r.Context(), headKey{}, true))
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

type headKey struct{}

// isHead reports whether a request came as HEAD, for an answer that would never end.
func isHead(ctx context.Context) bool { return ctx.Value(headKey{}) != nil }
