package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// Case A15: the table of operations and the contract say the same of every operation, and a secured one
// answers 401 before it looks at anything else.
func TestEveryOperationIsAuthorised(t *testing.T) {
	s := newSite(t)
	if len(s.routes) == 0 {
		t.Fatal("the contract has no operations")
	}
	for key, route := range s.routes {
		t.Run(route.id, func(t *testing.T) {
			s := *s
			s.t = t
			contract := anyone
			if security := route.op.Security; security != nil {
				contract = players
				for _, requirement := range *security {
					if len(requirement) == 0 {
						contract = anyoneKnown
					}
				}
			}
			if route.who != contract {
				t.Fatalf("the table says %d, the contract %d", route.who, contract)
			}
			method, pattern, _ := strings.Cut(key, " ")
			path := pathParameter.ReplaceAllString(route.path, "x")
			if pattern == "/v1/daily/:date" {
				path = "/v1/daily/2026-11-30"
			}
			const badBody = `{"nonsense":`
			for _, h := range []header{"Authorization: Bearer nonsense", "Authorization: Basic YWRhOmFkYQ==", "Authorization: Bearer", "X-None: 1"} {
				status := s.send(method, path, badBody, h).status
				known := h != "X-None: 1"
				switch {
				case route.who == players && status != http.StatusUnauthorized,
					route.who == anyoneKnown && known && status != http.StatusUnauthorized,
					route.who == anyoneKnown && !known && status == http.StatusUnauthorized,
					route.who == anyone && route.op.RequestBody != nil && status != http.StatusBadRequest,
					route.who == anyone && route.op.RequestBody == nil && status == http.StatusUnauthorized:
					t.Errorf("%s: got status %d", h, status)
				}
			}
		})
	}
}

// An access token is good for its 15 minutes and the leeway, on every server of the database.
func TestAccessTokenExpires(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	other := siteOn(t, s.db)
	other.send("GET", "/v1/players/me", "", me).want(http.StatusOK)
	s.clock.Add(15*time.Minute + 29*time.Second)
	s.send("GET", "/v1/players/me", "", me).want(http.StatusOK)
	s.clock.Add(2 * time.Second)
	s.send("GET", "/v1/players/me", "", me).problem(http.StatusUnauthorized, "unauthorized")
}

// A guest becomes a registered player, logs in, refreshes and logs out.
func TestAccount(t *testing.T) {
	s := newSite(t)
	guest, me := s.guest()
	if !guest.Player.Guest || !strings.HasPrefix(*guest.Player.Name, "guest-") || guest.RefreshToken == nil {
		t.Fatalf("got %+v, want a guest", guest)
	}
	named := decode[ChangedPlayer](s.send("PATCH", "/v1/players/me", `{"name":"Ada","password":"correct horse"}`, me).want(http.StatusOK))
	if *named.Player.Name != "Ada" || named.Player.Guest || named.RecoveryCode == nil {
		t.Fatalf("got %+v, want Ada, registered, with a recovery code", named)
	}
	in := decode[Session](s.send("POST", "/v1/sessions", `{"name":"ada","password":"correct horse"}`).want(http.StatusCreated))
	if in.Player.Id != guest.Player.Id {
		t.Error("logged in as somebody else")
	}
	next := decode[Session](s.send("POST", "/v1/sessions/refresh", `{"refresh_token":"`+*in.RefreshToken+`"}`).want(http.StatusOK))
	s.send("DELETE", "/v1/sessions/current", "", bearer(next.AccessToken)).want(http.StatusNoContent)
	s.send("POST", "/v1/sessions/refresh", `{"refresh_token":"`+*next.RefreshToken+`"}`).problem(http.StatusUnauthorized, "bad-credentials")

	back := decode[Session](s.send("POST", "/v1/sessions/recover", `{"name":"ADA","code":"`+*named.RecoveryCode+`","password":"battery staple"}`).want(http.StatusCreated))
	if back.RecoveryCode == nil || *back.RecoveryCode == *named.RecoveryCode {
		t.Error("recovery gave no fresh code")
	}
	s.send("POST", "/v1/sessions/recover", `{"name":"ada","code":"`+*named.RecoveryCode+`","password":"battery staple"}`).problem(http.StatusUnauthorized, "bad-credentials")
	s.send("POST", "/v1/sessions", `{"name":"ada","password":"correct horse"}`).problem(http.StatusUnauthorized, "bad-credentials")

	s.send("GET", "/v1/players/ADA", "").want(http.StatusOK)
	s.send("DELETE", "/v1/players/me", "", bearer(back.AccessToken)).want(http.StatusNoContent)
	s.send("GET", "/v1/players/ada", "").problem(http.StatusNotFound, "not-found")
	s.send("GET", "/v1/players/me", "", bearer(back.AccessToken)).problem(http.StatusUnauthorized, "unauthorized")
	s.send("POST", "/v1/players", `{"name":"ada"}`).problem(http.StatusConflict, "name-taken")
}

// A first password needs none; a change needs the current one.
func TestPasswordChange(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	s.send("PATCH", "/v1/players/me", `{"password":"correct horse"}`, me).want(http.StatusOK)
	s.send("PATCH", "/v1/players/me", `{"password":"battery staple"}`, me).problem(http.StatusUnauthorized, "bad-credentials")
	s.send("PATCH", "/v1/players/me", `{"password":"battery staple","current_password":"wrong horse"}`, me).problem(http.StatusUnauthorized, "bad-credentials")
	s.send("PATCH", "/v1/players/me", `{"password":"battery staple","current_password":"correct horse"}`, me).want(http.StatusOK)
	s.send("PATCH", "/v1/players/me", `{}`, me).wrong("body")
}

// With the cookie transport the refresh token is in no body, and only pages of the server may use it.
func TestCookieTransport(t *testing.T) {
	s := newSite(t)
	a := s.send("POST", "/v1/players", `{"transport":"cookie"}`).want(http.StatusCreated)
	if decode[Session](a).RefreshToken != nil {
		t.Error("the refresh token is in the body")
	}
	cookie := cookieIn(t, a)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/v1/sessions" || !cookie.Secure {
		t.Errorf("got the cookie %s", cookie)
	}
	send := header("Cookie: " + cookieName + "=" + cookie.Value)
	next := s.send("POST", "/v1/sessions/refresh", `{"transport":"cookie"}`, send, "Origin: http://example.com").want(http.StatusOK)
	if decode[Session](next).RefreshToken != nil || cookieIn(t, next).Value == cookie.Value {
		t.Error("the refresh answered no new cookie, or the token in the body")
	}
	s.send("POST", "/v1/sessions/refresh", `{"transport":"cookie"}`, send, "Origin: https://evil.example.com").problem(http.StatusForbidden, "forbidden")
	s.send("POST", "/v1/sessions/refresh", `{"transport":"cookie"}`).problem(http.StatusUnauthorized, "bad-credentials")
	s.send("POST", "/v1/sessions/refresh", `{}`, send).wrong("refresh_token")
	out := s.send("DELETE", "/v1/sessions/current", "", bearer(decode[Session](next).AccessToken)).want(http.StatusNoContent)
	if gone := cookieIn(t, out); gone.MaxAge >= 0 || gone.Value != "" {
		t.Errorf("got the cookie %s, want it cleared", gone)
	}
}

func cookieIn(t *testing.T, a answer) *http.Cookie {
	t.Helper()
	for _, line := range a.header.Values("Set-Cookie") {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookie.Name == cookieName {
			return cookie
		}
	}
	t.Fatal("no cookie was set")
	return nil
}

func TestCookieIsSecureButOnLocalhost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "127.0.0.1:80": true, "[::1]:8080": true, "cruel.localhost": true,
		"example.com": false, "localhost.example.com": false, "127.0.0.1.example.com": false, "": false,
	} {
		if got := onLocalhost(host); got != want {
			t.Errorf("%q: got %t, want %t", host, got, want)
		}
	}
}

// Sign-up sent twice with one key is one player; with another body it is refused.
func TestSignUpTwice(t *testing.T) {
	s := newSite(t)
	const key header = "Idempotency-Key: 5f0c1c9e-7a52-4b0c-9a65-0b8f0f3f2a11"
	first := decode[Session](s.send("POST", "/v1/players", `{}`, key).want(http.StatusCreated))
	again := decode[Session](s.send("POST", "/v1/players", `{}`, key).want(http.StatusCreated))
	if first.Player.Id != again.Player.Id || first.AccessToken == again.AccessToken {
		t.Error("want the same player with fresh tokens")
	}
	s.send("POST", "/v1/players", `{"name":"ada"}`, key).problem(http.StatusUnprocessableEntity, "idempotency-mismatch")
	s.send("POST", "/v1/players", `{}`, "Idempotency-Key: 1").wrong("Idempotency-Key")
}

// Case M24, here of all requests: no token, password or code is in the log.
func TestNoSecretsInTheLog(t *testing.T) {
	s := newSite(t)
	session, me := s.guest()
	code := decode[ChangedPlayer](s.send("PATCH", "/v1/players/me", `{"name":"ada","password":"correct horse"}`, me).want(http.StatusOK)).RecoveryCode
	s.send("POST", "/v1/sessions/refresh", `{"refresh_token":"`+*session.RefreshToken+`"}`)
	s.send("POST", "/v1/sessions", `{"name":"ada","password":"wrong horse"}`)
	s.send("GET", "/v1/players/me?token="+session.AccessToken, "")
	for _, secret := range []string{session.AccessToken, *session.RefreshToken, *code, "correct horse", "wrong horse"} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log has the secret %q", secret)
		}
	}
}

// A token of a session that has ended changes and deletes nothing: that can't be undone.
func TestEndedSessionChangesNothing(t *testing.T) {
	s := newSite(t)
	_, me := s.guest()
	s.send("DELETE", "/v1/sessions/current", "", me).want(http.StatusNoContent)
	s.send("PATCH", "/v1/players/me", `{"password":"correct horse"}`, me).problem(http.StatusUnauthorized, "unauthorized")
	s.send("PATCH", "/v1/players/me", `{"name":"ada"}`, me).problem(http.StatusUnauthorized, "unauthorized")
	s.send("DELETE", "/v1/players/me", "", me).problem(http.StatusUnauthorized, "unauthorized")
}

// Guesses of the current password are counted as log-ins are, and renames by the day.
func TestChangesAreLimited(t *testing.T) {
	s := newSite(t, func(o *Options) { o.NoRateLimits = false })
	_, me := s.guest()
	for range 5 {
		s.send("PATCH", "/v1/players/me", `{"password":"short"}`, me).wrong("password")
	}
	s.send("PATCH", "/v1/players/me", `{"password":"correct horse"}`, me).problem(http.StatusTooManyRequests, "rate-limited")
	for n := range 5 {
		s.send("PATCH", "/v1/players/me", fmt.Sprintf(`{"name":"ada%d"}`, n), me).want(http.StatusOK)
	}
	s.send("PATCH", "/v1/players/me", `{"name":"adaada"}`, me).problem(http.StatusTooManyRequests, "rate-limited")
}

// Behind a proxy the cookie is Secure, whatever Host the proxy sends.
func TestCookieBehindProxy(t *testing.T) {
	s := newSite(t, func(o *Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} })
	r := httptest.NewRequest("POST", "/v1/players", strings.NewReader(`{"transport":"cookie"}`))
	r.Host = "127.0.0.1:8080"
	r.RemoteAddr = "192.0.2.1:1000"
	r.Header.Set("Content-Type", "application/json")
	if cookie := cookieIn(t, s.do(r).want(http.StatusCreated)); !cookie.Secure {
		t.Errorf("got the cookie %s", cookie)
	}
}
