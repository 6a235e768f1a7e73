package account

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"
)

const (
	// sessionLifetime is that of a refresh token; each use begins it anew.
	sessionLifetime = 400 * 24 * time.Hour

	// reuseGrace is how long a refresh token is good after its successor was
	// first used: another tab may still be sending it.
	reuseGrace = 30 * time.Second
)

// Session is one log-in, with all the refresh tokens that descend from it.
type Session struct {
	ID        string
	PlayerID  string
	Cookie    bool // the refresh token lives in a browser's cookie
	CreatedAt time.Time
	ExpiresAt time.Time
}

// TokenHash is the SHA-256 of a refresh token.
type TokenHash [sha256.Size]byte

// refreshToken is the text that a client keeps: the session's id, a dot and a
// secret.
type refreshToken struct{ session, secret string }

func newRefreshToken(sessionID string) refreshToken { return refreshToken{sessionID, newID()} }

// parseRefreshToken returns ErrBadToken for whatever String doesn't write.
func parseRefreshToken(text string) (refreshToken, error) {
	session, secret, _ := strings.Cut(text, ".")
	if !isID(session) || !isID(secret) {
		return refreshToken{}, ErrBadToken
	}
	return refreshToken{session, secret}, nil
}

func (t refreshToken) String() string { return t.session + "." + t.secret }

func (t refreshToken) hash() TokenHash { return sha256.Sum256([]byte(t.String())) }

// idLength is that of rand.Text, 130 bits in base 32.
const idLength = 26

func newID() string { return strings.ToLower(rand.Text()) }

func isID(text string) bool {
	return len(text) == idLength && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '2' || r > '7')
	})
}

// TokenUse is the use of a refresh token: what the Store knows of the token.
// Tokens that are used make tokens of the next generation, of which there may
// be several, since an answer can be lost and two tabs can ask at once.
type TokenUse struct {
	Known            bool      // else forgotten, or never made
	SuccessorUsedAt  time.Time // when one of the next generation was first used; zero if none was
	SessionExpiresAt time.Time
}

// Verdict is what follows from the use of a refresh token.
type Verdict uint8

const (
	Refused Verdict = iota // too late: the session is over
	Stolen                 // used again after its successor: the session must end
	Good                   // answered with a successor
)

// Judge decides on the use of a refresh token of a session that exists.
func (u TokenUse) Judge(now time.Time) Verdict {
	switch {
	case now.After(u.SessionExpiresAt):
		return Refused
	case !u.Known, !u.SuccessorUsedAt.IsZero() && now.After(u.SuccessorUsedAt.Add(reuseGrace)):
		return Stolen
	}
	return Good
}

// Forgettable returns the time before which a token's successor must have been
// first used for the token to be good no more, so that the Store may forget it.
func Forgettable(now time.Time) time.Time { return now.Add(-reuseGrace) }
