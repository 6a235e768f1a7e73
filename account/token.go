package account

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	accessLifetime = 15 * time.Minute
	leeway         = 30 * time.Second // between the clocks of two servers
	accessType     = "at+jwt"         // RFC 9068; keeps other tokens of the same key out
	longestAccess  = 2048             // bytes; ours have about 400

	// A new key waits for so long before it signs, so that every server has
	// loaded it by then.
	keyDelay = time.Hour
)

// Identity is what an access token proves: who asks, and in which session.
type Identity struct {
	PlayerID  string
	SessionID string
}

// SigningKey is a key that signs access tokens, as it is stored.
type SigningKey struct {
	Number    int64 // 1 is the first
	Seed      []byte
	CreatedAt time.Time
}

// JWKS is the set of public keys, in the form of RFC 7517.
type JWKS struct {
	Keys []JWK `json:"keys"`
}

// JWK is a public key of RFC 8037.
type JWK struct {
	Type      string `json:"kty"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	ID        string `json:"kid"`
	Algorithm string `json:"alg"`
	Use       string `json:"use"`
}

// claims are those of an access token. Their times are whole numbers, so that
// a text, a fraction or a number beyond all dates is no time.
type claims struct {
	Issuer    string `json:"iss"`
	Audience  string `json:"aud"`
	PlayerID  string `json:"sub"`
	SessionID string `json:"sid"`
	IssuedAt  int64  `json:"iat"`
	NotBefore int64  `json:"nbf,omitempty"`
	Expires   int64  `json:"exp"`
}

func (c claims) GetIssuer() (string, error)              { return c.Issuer, nil }
func (c claims) GetSubject() (string, error)             { return c.PlayerID, nil }
func (c claims) GetAudience() (jwt.ClaimStrings, error)  { return jwt.ClaimStrings{c.Audience}, nil }
func (c claims) GetIssuedAt() (*jwt.NumericDate, error)  { return numericDate(c.IssuedAt), nil }
func (c claims) GetNotBefore() (*jwt.NumericDate, error) { return numericDate(c.NotBefore), nil }
func (c claims) GetExpirationTime() (*jwt.NumericDate, error) {
	return numericDate(c.Expires), nil
}

func numericDate(seconds int64) *jwt.NumericDate {
	if seconds == 0 { // absent or null
		return nil
	}
	return jwt.NewNumericDate(time.Unix(seconds, 0))
}

// signer signs and checks access tokens. It never asks anything outside of the
// process.
type signer struct {
	issuer, audience string
	now              func() time.Time
	parser           *jwt.Parser

	mu   sync.RWMutex
	keys []key // by number
}

type key struct {
	id      string
	private ed25519.PrivateKey
	public  ed25519.PublicKey
	signsAt time.Time
}

func newSigner(issuer, audience string, now func() time.Time) *signer {
	return &signer{
		issuer: issuer, audience: audience, now: now,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
			jwt.WithIssuer(issuer), jwt.WithAudience(audience),
			jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithNotBeforeRequired(),
			jwt.WithLeeway(leeway), jwt.WithTimeFunc(now), jwt.WithStrictDecoding(),
		),
	}
}

// use replaces the keys.
func (s *signer) use(stored []SigningKey) {
	keys := make([]key, 0, len(stored))
	for _, k := range stored {
		private := ed25519.NewKeyFromSeed(k.Seed)
		public := private.Public().(ed25519.PublicKey)
		signsAt := k.CreatedAt
		if k.Number > 1 {
			signsAt = signsAt.Add(keyDelay)
		}
		keys = append(keys, key{thumbprint(public), private, public, signsAt})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = keys
}

// accepted returns the keys whose tokens may be good now: those that sign, will
// sign, or have signed tokens that still last.
func (s *signer) accepted() []key {
	s.mu.RLock()
	defer s.mu.RUnlock()
	first := 0
	for i, k := range s.keys {
		if s.now().After(k.signsAt.Add(accessLifetime + 2*leeway)) {
			first = i
		}
	}
	return s.keys[first:]
}

// current returns the key that signs.
func (s *signer) current() key {
	keys := s.accepted()
	newest := keys[0]
	for _, k := range keys {
		if !k.signsAt.After(s.now()) {
			newest = k
		}
	}
	return newest
}

// sign returns a token for the identity and how long it lasts.
func (s *signer) sign(id Identity) (string, time.Duration, error) {
	k, now := s.current(), s.now().Unix()
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims{
		Issuer: s.issuer, Audience: s.audience, PlayerID: id.PlayerID, SessionID: id.SessionID,
		IssuedAt: now, NotBefore: now, Expires: now + int64(accessLifetime/time.Second),
	})
	token.Header["typ"] = accessType
	token.Header["kid"] = k.id
	text, err := token.SignedString(k.private)
	return text, accessLifetime, err
}

// verify returns the identity in a token, or ErrBadToken.
func (s *signer) verify(text string) (Identity, error) {
	if len(text) > longestAccess {
		return Identity{}, ErrBadToken
	}
	var c claims
	if _, err := s.parser.ParseWithClaims(text, &c, s.find); err != nil {
		return Identity{}, ErrBadToken
	}
	if c.PlayerID == "" || c.SessionID == "" || c.IssuedAt == 0 || c.Expires > c.IssuedAt+int64(accessLifetime/time.Second) {
		return Identity{}, ErrBadToken
	}
	return Identity{c.PlayerID, c.SessionID}, nil
}

// find returns the public key that a token names. It takes the three fields of
// a header that we write, and so none that would name a key in another way.
func (s *signer) find(token *jwt.Token) (any, error) {
	if len(token.Header) != 3 || token.Header["typ"] != accessType {
		return nil, ErrBadToken
	}
	keys := s.accepted()
	i := slices.IndexFunc(keys, func(k key) bool { return token.Header["kid"] == k.id })
	if i < 0 {
		return nil, ErrBadToken
	}
	return keys[i].public, nil
}

func (s *signer) jwks() JWKS {
	set := JWKS{Keys: []JWK{}}
	for _, k := range s.accepted() {
		set.Keys = append(set.Keys, JWK{
			Type: "OKP", Curve: "Ed25519", X: base64.RawURLEncoding.EncodeToString(k.public),
			ID: k.id, Algorithm: "EdDSA", Use: "sig",
		})
	}
	return set
}

// thumbprint is that of RFC 7638.
func thumbprint(public ed25519.PublicKey) string {
	x := base64.RawURLEncoding.EncodeToString(public)
	hash := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}
