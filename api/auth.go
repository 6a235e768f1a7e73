package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/account"
)

// who may call an operation.
type who uint8

const (
	anyone      who = iota
	anyoneKnown     // anyone; a token tells who it is, and then must be valid
	players         // who has a valid access token
)

// authorise is the only place that decides who may call an operation. It comes before the body is read.
func (s *server) authorise(c *gin.Context) {
	call := callOf(c)
	header := c.GetHeader("Authorization")
	if call.route.who == anyone || call.route.who == anyoneKnown && header == "" {
		return
	}
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" || len(c.Request.Header.Values("Authorization")) > 1 {
		s.refuse(c, "send Authorization: Bearer and an access token")
		return
	}
	identity, err := s.Accounts.Authenticate(token)
	if err != nil {
		s.refuse(c, "the access token isn't valid, or not any more")
		return
	}
	call.identity, call.token = identity, token
	if p := call.route.limit; p != nil && p.ofPlayer {
		if err := s.limit(c, *p, identity.PlayerID); err != nil {
			s.writeProblem(c, err)
		}
	}
}

// refuse answers who has no valid token. What else is counted for its player is counted for its address
// then.
func (s *server) refuse(c *gin.Context, detail string) {
	err := error(&problemError{kind: unauthorized, detail: detail})
	if p := callOf(c).route.limit; p != nil && p.ofPlayer && p.besides == nil {
		if over := s.limit(c, defaultPolicy, s.clientKey(c.Request)); over != nil {
			err = over
		}
	}
	s.writeProblem(c, err)
}

// asked turns a service's word that the player who asks is deleted into what their token is then: no good.
func asked(err error) error {
	if errors.Is(err, account.ErrNotFound) {
		return account.ErrBadToken
	}
	return err
}

// The refresh token's cookie, for browsers on the server's own origin.
const (
	cookieName = "cruel_refresh"
	cookiePath = "/v1/sessions"
)

// setCookie puts the refresh token into its cookie for its life, or clears it when token is empty. Only on
// localhost without a proxy may it travel without TLS: a proxy may have put its own name for this server in
// Host.
func (s *server) setCookie(c *gin.Context, token string, life time.Duration) {
	cookie := &http.Cookie{
		Name: cookieName, Value: token, Path: cookiePath, MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !onLocalhost(c.Request.Host) || s.trusted(remoteAddr(c.Request)),
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}

func onLocalhost(host string) bool {
	u := url.URL{Host: host}
	name := u.Hostname()
	return name == "localhost" || name == "127.0.0.1" || name == "::1" || strings.HasSuffix(name, ".localhost")
}

// cookieOf is the refresh token in the request's cookie. A page of another origin may not use it: what
// SameSite doesn't keep out (a sister domain) fails on its Origin.
func cookieOf(c *gin.Context) (string, error) {
	if origin := c.GetHeader("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != c.Request.Host {
			return "", &problemError{kind: forbidden, detail: "the cookie is for pages of this server only"}
		}
	}
	token, err := c.Cookie(cookieName)
	if err != nil {
		return "", &problemError{kind: badCredentials, detail: "there is no refresh token in the cookie"}
	}
	return token, nil
}
