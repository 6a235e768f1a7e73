package api

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

// policy is a rate limit: so many requests of one key in a window.
type policy struct {
	name     string
	quota    int
	window   time.Duration
	ofPlayer bool    // the key of an operation's limit is the player, not the address
	besides  *policy // of a player's: what the address is held to as well
}

var (
	signUpPolicy    = policy{name: "sign-up", quota: 20, window: time.Hour}
	logInPolicy     = policy{name: "log-in", quota: 10, window: time.Minute}
	logInNamePolicy = policy{name: "log-in-name", quota: 5, window: time.Minute}
	renamePolicy    = policy{name: "rename", quota: 5, window: 24 * time.Hour}
	submitPolicy    = policy{name: "submit", quota: 60, window: time.Minute, ofPlayer: true}
	sharePolicy     = policy{name: "share", quota: 30, window: time.Hour, ofPlayer: true, besides: &defaultPolicy}
	racePolicy      = policy{name: "race", quota: 60, window: time.Hour, ofPlayer: true, besides: &defaultPolicy}
	actPolicy       = policy{name: "race-act", quota: 240, window: time.Minute, ofPlayer: true, besides: &defaultPolicy}
	hintPolicy      = policy{name: "hint", quota: 60, window: time.Minute, ofPlayer: true, besides: &verifyPolicy}
	verifyPolicy    = policy{name: "verify", quota: 120, window: time.Minute}
	defaultPolicy   = policy{name: "default", quota: 600, window: time.Minute}
	pagePolicy      = policy{name: "page", quota: 3000, window: time.Minute} // files; a page is a dozen of them
)

// limiter counts requests in fixed windows, each of which begins with the first request of its key. That
// makes the numbers in the RateLimit header exact, which a token bucket's are not.
type limiter struct {
	now     func() time.Time
	mu      sync.Mutex
	windows map[windowKey]window
	sweepAt time.Time
}

type windowKey struct{ policy, key string }

type window struct {
	used int
	ends time.Time
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, windows: map[windowKey]window{}}
}

// take counts one request and answers how many are left (-1: this one is over the quota) and in what time
// the window ends.
func (l *limiter) take(p policy, key string) (left int, reset time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if now.After(l.sweepAt) {
		for k, w := range l.windows {
			if !w.ends.After(now) {
				delete(l.windows, k)
			}
		}
		l.sweepAt = now.Add(time.Minute)
	}
	k := windowKey{p.name, key}
	w := l.windows[k]
	if !w.ends.After(now) {
		w = window{ends: now.Add(p.window)}
	}
	if w.used < p.quota {
		w.used++
		left = p.quota - w.used
	} else {
		left = -1
	}
	l.windows[k] = w
	return left, w.ends.Sub(now)
}

// limit counts the request under a policy, sets the RateLimit headers, and answers an error when the quota
// is used up.
func (s *server) limit(c *gin.Context, p policy, key string) error {
	if s.limiter == nil {
		return nil
	}
	left, reset := s.limiter.take(p, key)
	seconds := int((reset + time.Second - 1) / time.Second)
	h := c.Writer.Header()
	h.Add("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", p.name, max(left, 0), seconds))
	h.Add("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", p.name, p.quota, int(p.window/time.Second)))
	if left >= 0 {
		return nil
	}
	return &problemError{
		kind: rateLimited, wait: reset,
		detail: fmt.Sprintf("at most %d requests of this kind in %s; try again in %d s", p.quota, p.window, seconds),
	}
}

// clientKey is the address that requests are counted for: the connection's, unless that is a trusted
// proxy; then the right-most hop of X-Forwarded-For that isn't one. An IPv6 client counts by its /64,
// since it owns that many addresses.
func (s *server) clientKey(r *http.Request) string {
	addr := remoteAddr(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	if addr.Is6() {
		if prefix, err := addr.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return addr.String()
}

func (s *server) trusted(addr netip.Addr) bool {
	for _, prefix := range s.trustedProxies {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// remoteAddr is the address of the connection; the zero Addr where it has none (a Unix socket).
func remoteAddr(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap()
}
