package account

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"runtime"
	"slices"
	"time"
)

// requestLifetime is how long a sign-up may be sent again.
const requestLifetime = 24 * time.Hour

// guestNameTries is how many guest names may be taken in a row. There are half
// a billion.
const guestNameTries = 10

// Options are the settings of a Service. The zero Options are fine.
type Options struct {
	Now      func() time.Time // time.Now if nil
	Issuer   string           // "cruel" if empty
	Audience string           // "cruel" if empty
	Cost     Cost             // of a password
	AtOnce   int              // passwords that are hashed at once; GOMAXPROCS if 0
}

// Service is what the outside may do with players, their names and their
// sessions. It is safe for concurrent use.
type Service struct {
	store  Store
	now    func() time.Time
	hasher *hasher
	signer *signer
}

// New returns a Service, with a signing key from the store or made now.
func New(ctx context.Context, store Store, o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Issuer == "" {
		o.Issuer = "cruel"
	}
	if o.Audience == "" {
		o.Audience = "cruel"
	}
	if o.Cost == (Cost{}) {
		o.Cost = defaultCost
	}
	if o.AtOnce == 0 {
		o.AtOnce = runtime.GOMAXPROCS(0)
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Millisecond) }
	s := &Service{
		store: store, now: now,
		hasher: newHasher(o.Cost, o.AtOnce),
		signer: newSigner(o.Issuer, o.Audience, now),
	}
	return s, s.LoadKeys(ctx)
}

// Tokens are what a client proves itself with.
type Tokens struct {
	Access           string
	AccessLifetime   time.Duration
	Refresh          string
	RefreshExpiresAt time.Time
	Cookie           bool // Refresh is for a cookie and not for the answer
}

// SignedIn is a player with fresh tokens. The recovery code is there only when
// a password was set, and is shown this once.
type SignedIn struct {
	Player       Player
	Tokens       Tokens
	RecoveryCode string
}

// SignUp asks for an account.
type SignUp struct {
	Name     string // "" for one that the server makes
	Password string // "" for a guest
	Cookie   bool
	// A request with the same key and body, made within 24 hours, is answered
	// with the same player. The key is a secret of the client's; "" for none.
	Key  string
	Body []byte
}

// SignUp adds a player. The errors are *NameError, *PasswordError,
// ErrNameTaken, ErrBusy and ErrIdempotencyMismatch.
func (s *Service) SignUp(ctx context.Context, r SignUp) (SignedIn, error) {
	now := s.now()
	n := NewPlayer{ID: newID(), CreatedAt: now}
	if r.Name != "" {
		name, err := ParseName(r.Name)
		if err != nil {
			return SignedIn{}, err
		}
		n.Name = name
	}
	var code string
	if r.Password != "" {
		var err error
		if n.Password, code, err = s.newPassword(ctx, r.Password); err != nil {
			return SignedIn{}, err
		}
	}
	if r.Key != "" {
		n.Request = newRequest(r.Key, r.Body, now)
	}
	session, token := s.newSession(n.ID, r.Cookie)
	player, err := s.addPlayer(ctx, n, session)
	if err != nil {
		return SignedIn{}, err
	}
	session.Session.PlayerID = player.ID
	tokens, err := s.tokens(session.Session, token)
	return SignedIn{player, tokens, code}, err
}

// addPlayer stores a player, with a made name if there is none.
func (s *Service) addPlayer(ctx context.Context, n NewPlayer, session NewSession) (Player, error) {
	if n.Name != (Name{}) {
		return s.store.SignUp(ctx, n, session)
	}
	var player Player
	err := ErrNameTaken
	for try := 0; errors.Is(err, ErrNameTaken) && try < guestNameTries; try++ {
		n.Name = newGuestName()
		player, err = s.store.SignUp(ctx, n, session)
	}
	return player, err
}

func newRequest(key string, body []byte, now time.Time) *Request {
	hash := sha256.Sum256([]byte("cruel idempotency key\n" + key))
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return &Request{KeyHash: hash[:], BodyMAC: mac.Sum(nil), Since: now.Add(-requestLifetime)}
}

// newPassword hashes a password and makes a recovery code for it.
func (s *Service) newPassword(ctx context.Context, text string) (*NewPassword, string, error) {
	p, err := parsePassword(text)
	if err != nil {
		return nil, "", err
	}
	hash, err := s.hasher.hash(ctx, p)
	if err != nil {
		return nil, "", err
	}
	code, recovery := newRecoveryCode()
	return &NewPassword{Hash: hash, Recovery: recovery}, code, nil
}

// LogIn begins a session. The errors are ErrBadCredentials, after the same time
// whether there is such a player or not, and ErrBusy.
func (s *Service) LogIn(ctx context.Context, name, password string, cookie bool) (SignedIn, error) {
	player, c, err := s.find(ctx, name)
	if err != nil {
		return SignedIn{}, err
	}
	hash, err := s.hasher.check(ctx, password, c.Password)
	if err != nil {
		return SignedIn{}, err
	}
	session, token := s.newSession(player.ID, cookie)
	if err := s.store.LogIn(ctx, c, hash, session); err != nil {
		return SignedIn{}, err
	}
	tokens, err := s.tokens(session.Session, token)
	return SignedIn{Player: player, Tokens: tokens}, err
}

// find returns a player by name, and zero Credentials if there is none.
func (s *Service) find(ctx context.Context, name string) (Player, Credentials, error) {
	player, err := s.PlayerByName(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return Player{}, Credentials{}, nil
	}
	if err != nil {
		return Player{}, Credentials{}, err
	}
	c, err := s.store.Credentials(ctx, player.ID)
	if errors.Is(err, ErrNotFound) {
		return Player{}, Credentials{}, nil
	}
	return player, c, err
}

// Recover sets a new password by means of a recovery code, ends all sessions
// and begins one. The errors are *PasswordError, ErrBadCredentials and ErrBusy.
func (s *Service) Recover(ctx context.Context, name, code, password string, cookie bool) (SignedIn, error) {
	if _, err := parsePassword(password); err != nil {
		return SignedIn{}, err
	}
	player, c, err := s.find(ctx, name)
	if err != nil {
		return SignedIn{}, err
	}
	// The code can't be guessed, so that here nothing needs to be slow.
	if subtle.ConstantTimeCompare(hashRecoveryCode(code), c.Recovery) != 1 {
		return SignedIn{}, ErrBadCredentials
	}
	p, fresh, err := s.newPassword(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	session, token := s.newSession(player.ID, cookie)
	if err := s.store.Recover(ctx, c, *p, session); err != nil {
		return SignedIn{}, err
	}
	tokens, err := s.tokens(session.Session, token)
	return SignedIn{player, tokens, fresh}, err
}

// Refresh changes a refresh token for fresh tokens. The error is ErrBadToken;
// if the token had a successor that is in use for more than 30 seconds, the
// session is over.
func (s *Service) Refresh(ctx context.Context, token string) (SignedIn, error) {
	used, err := parseRefreshToken(token)
	if err != nil {
		return SignedIn{}, err
	}
	now, successor := s.now(), newRefreshToken(used.session)
	session, err := s.store.UseToken(ctx, used.session, used.hash(), successor.hash(), now, now.Add(sessionLifetime))
	if err != nil {
		return SignedIn{}, err
	}
	player, err := s.Me(ctx, Identity{PlayerID: session.PlayerID, SessionID: session.ID})
	if err != nil {
		return SignedIn{}, err
	}
	tokens, err := s.tokens(session, successor)
	return SignedIn{Player: player, Tokens: tokens}, err
}

// LogOut ends a session. Its access tokens die out within 15 minutes.
func (s *Service) LogOut(ctx context.Context, id Identity) error {
	return s.store.EndSession(ctx, id.SessionID)
}

// Authenticate returns who an access token speaks for, or ErrBadToken. It asks
// no database: the player may have been deleted within the last 15 minutes.
func (s *Service) Authenticate(accessToken string) (Identity, error) {
	return s.signer.verify(accessToken)
}

// Live returns ErrBadToken if the session of who asks has ended. It is for what
// goes on for long, since an access token outlives its session a little.
func (s *Service) Live(ctx context.Context, id Identity) error {
	lives, err := s.store.SessionLives(ctx, id.SessionID, s.now())
	if err == nil && !lives {
		return ErrBadToken
	}
	return err
}

// Me returns the player who asks, or ErrBadToken if they are deleted.
func (s *Service) Me(ctx context.Context, id Identity) (Player, error) {
	player, err := s.store.Player(ctx, id.PlayerID)
	if errors.Is(err, ErrNotFound) || err == nil && player.Deleted {
		return Player{}, ErrBadToken
	}
	return player, err
}

// Player returns a player, deleted ones too, or ErrNotFound.
func (s *Service) Player(ctx context.Context, id string) (Player, error) {
	if !isID(id) { // it comes from outside, and may not even be text
		return Player{}, ErrNotFound
	}
	return s.store.Player(ctx, id)
}

// PlayerByName returns the player who has the name now, written in any case, or
// ErrNotFound.
func (s *Service) PlayerByName(ctx context.Context, name string) (Player, error) {
	key := NameKey(name)
	if key == "" {
		return Player{}, ErrNotFound
	}
	return s.store.PlayerByKey(ctx, key)
}

// Change is what a player wants changed; nil keeps it.
type Change struct {
	Name     *string
	Password *string
	// The password up to now, needed to set one if there is one.
	CurrentPassword string
}

// Changed is a player after a change. The recovery code is there only when a
// password was set, and is shown this once.
type Changed struct {
	Player       Player
	RecoveryCode string
}

// Change changes name or password of the player who asks. The old name stays
// theirs to return to. A new password ends all their other sessions. The errors
// are ErrBadToken if they are deleted or the session has ended, *NameError, ErrNameTaken,
// *PasswordError, ErrBadCredentials if the current password is wrong, ErrBusy.
func (s *Service) Change(ctx context.Context, id Identity, r Change) (Changed, error) {
	change := PlayerChange{Session: id.SessionID}
	if r.Name != nil {
		name, err := ParseName(*r.Name)
		if err != nil {
			return Changed{}, err
		}
		change.Name = &name
	}
	var code string
	if r.Password != nil {
		if _, err := parsePassword(*r.Password); err != nil {
			return Changed{}, err
		}
		c, err := s.store.Credentials(ctx, id.PlayerID)
		if errors.Is(err, ErrNotFound) {
			return Changed{}, ErrBadToken
		}
		if err != nil {
			return Changed{}, err
		}
		if c.Password != "" {
			if _, err := s.hasher.check(ctx, r.CurrentPassword, c.Password); err != nil {
				return Changed{}, err
			}
		}
		if change.Password, code, err = s.newPassword(ctx, *r.Password); err != nil {
			return Changed{}, err
		}
		change.From = c.Password
	}
	player, err := s.store.Change(ctx, id.PlayerID, change)
	if errors.Is(err, ErrNotFound) {
		err = ErrBadToken
	}
	return Changed{player, code}, err
}

// Delete deletes the player who asks: name, password and sessions are gone, the
// name is never given again, what they did stays. The error is ErrBadToken if
// they are deleted already or the session has ended.
func (s *Service) Delete(ctx context.Context, id Identity) error {
	err := s.store.Delete(ctx, id, s.now())
	if errors.Is(err, ErrNotFound) {
		return ErrBadToken
	}
	return err
}

// AdminRename gives a player another name against their will: the old one is
// nobody's from now on. The errors are ErrNotFound, *NameError and
// ErrNameTaken.
func (s *Service) AdminRename(ctx context.Context, name, newName string) (Player, error) {
	player, err := s.PlayerByName(ctx, name)
	if err != nil {
		return Player{}, err
	}
	to, err := ParseName(newName)
	if err != nil {
		return Player{}, err
	}
	retire := slices.DeleteFunc(nameHeld(player.Name).Skeletons(), func(skeleton string) bool {
		return slices.Contains(to.Skeletons(), skeleton)
	})
	return s.store.Change(ctx, player.ID, PlayerChange{Name: &to, Retire: retire})
}

// JWKS returns the public keys of access tokens.
func (s *Service) JWKS() JWKS { return s.signer.jwks() }

// LoadKeys loads the signing keys anew. A server calls it every few minutes, to
// learn of a key that was added elsewhere before that key signs.
func (s *Service) LoadKeys(ctx context.Context) error {
	keys, err := s.store.SigningKeys(ctx, newSigningKey(1, s.now()))
	if err != nil {
		return err
	}
	s.signer.use(keys)
	return nil
}

// RotateKey adds a signing key. It signs after an hour; tokens of the key
// before are good until the last of them has expired.
func (s *Service) RotateKey(ctx context.Context) error {
	keys, err := s.store.SigningKeys(ctx, newSigningKey(1, s.now()))
	if err != nil {
		return err
	}
	if err := s.store.AddSigningKey(ctx, newSigningKey(keys[len(keys)-1].Number+1, s.now())); err != nil {
		return err
	}
	return s.LoadKeys(ctx)
}

func newSigningKey(number int64, now time.Time) SigningKey {
	seed := make([]byte, ed25519.SeedSize)
	rand.Read(seed)
	return SigningKey{Number: number, Seed: seed, CreatedAt: now}
}

func (s *Service) newSession(playerID string, cookie bool) (NewSession, refreshToken) {
	now := s.now()
	session := Session{
		ID: newID(), PlayerID: playerID, Cookie: cookie,
		CreatedAt: now, ExpiresAt: now.Add(sessionLifetime),
	}
	token := newRefreshToken(session.ID)
	return NewSession{Session: session, Token: token.hash()}, token
}

func (s *Service) tokens(session Session, refresh refreshToken) (Tokens, error) {
	access, lifetime, err := s.signer.sign(Identity{session.PlayerID, session.ID})
	if err != nil {
		return Tokens{}, err
	}
	return Tokens{
		Access: access, AccessLifetime: lifetime,
		Refresh: refresh.String(), RefreshExpiresAt: session.ExpiresAt, Cookie: session.Cookie,
	}, nil
}
