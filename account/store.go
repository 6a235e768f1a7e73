package account

import (
	"context"
	"time"
)

// Store is what a Service needs kept. Each method is one transaction. Besides
// those named, any may return an error that wraps ErrUnavailable.
type Store interface {
	// SignUp adds a player with a session. If the request was made before, with
	// the same key and body, it adds the session to the player of that time,
	// gives them the new recovery code, and returns them. The errors are
	// ErrNameTaken and ErrIdempotencyMismatch.
	SignUp(ctx context.Context, n NewPlayer, s NewSession) (Player, error)

	// Player returns a player, deleted ones too, or ErrNotFound.
	Player(ctx context.Context, id string) (Player, error)

	// PlayerByKey returns the player who has a name with this key now, or
	// ErrNotFound.
	PlayerByKey(ctx context.Context, key string) (Player, error)

	// Credentials returns what a player proves themselves with, or ErrNotFound
	// if they are deleted.
	Credentials(ctx context.Context, playerID string) (Credentials, error)

	// LogIn adds a session, and stores the password anew. The error is
	// ErrBadCredentials if the password isn't c.Password any more.
	LogIn(ctx context.Context, c Credentials, password string, s NewSession) error

	// Recover sets password and recovery code, ends all sessions and adds one.
	// The error is ErrBadCredentials if the code isn't c.Recovery any more.
	Recover(ctx context.Context, c Credentials, p NewPassword, s NewSession) error

	// UseToken uses a refresh token of a session as TokenUse.Judge decides: if
	// it is Good, it keeps a successor and lets the session last until the time
	// given; else it ends the session. The error is ErrBadToken if it isn't
	// Good, or there is no such session.
	UseToken(ctx context.Context, sessionID string, used, successor TokenHash, now, until time.Time) (Session, error)

	// SessionLives reports whether a session has not ended by now.
	SessionLives(ctx context.Context, id string, now time.Time) (bool, error)

	// EndSession ends a session, if it is still there.
	EndSession(ctx context.Context, id string) error

	// Change changes a player and returns them. With a password all sessions
	// end but the one that asks. The errors are ErrNotFound if they are deleted
	// or that session has ended,
	// ErrNameTaken, and ErrBadCredentials if the password isn't c.Password any
	// more.
	Change(ctx context.Context, playerID string, c PlayerChange) (Player, error)

	// Delete takes name, password and sessions from a player. The error is
	// ErrNotFound if they are deleted already or the session has ended.
	Delete(ctx context.Context, id Identity, now time.Time) error

	// SigningKeys returns all keys by number. If there is none yet, it adds the
	// one given, which has the number 1.
	SigningKeys(ctx context.Context, first SigningKey) ([]SigningKey, error)

	// AddSigningKey adds a key unless its number is there already.
	AddSigningKey(ctx context.Context, k SigningKey) error
}

// NewPlayer is a player to be added.
type NewPlayer struct {
	ID        string
	Name      Name
	Password  *NewPassword // nil for a guest
	CreatedAt time.Time
	Request   *Request // nil if it can't come again
}

// NewPassword is a password to be set, with the recovery code that goes with
// it.
type NewPassword struct {
	Hash     string // PHC
	Recovery []byte // SHA-256
}

// Request is a sign-up that may come again. Its key is a secret that gives the
// body's mark its strength, so that nobody can try passwords on it.
type Request struct {
	KeyHash []byte
	BodyMAC []byte
	Since   time.Time // older ones are forgotten
}

// NewSession is a session to be added, with its first refresh token.
type NewSession struct {
	Session Session
	Token   TokenHash
}

// Credentials are what a player proves themselves with.
type Credentials struct {
	PlayerID string
	Password string // PHC; "" for a guest
	Recovery []byte // SHA-256; nil for a guest
}

// PlayerChange is what to change about a player.
type PlayerChange struct {
	Name     *Name        // nil to keep it
	Retire   []string     // skeletons that are nobody's from now on
	Password *NewPassword // nil to keep it
	From     string       // with Password: the PHC string that it replaces, "" for a guest
	Session  string       // the session that asks, which goes on; "" for the house
}
