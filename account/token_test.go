package account

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// testSigner returns a signer with a clock that the test may set.
func testSigner(t *testing.T) (*signer, *time.Time) {
	now := noon
	s := newSigner("cruel", "cruel", func() time.Time { return now })
	s.use([]SigningKey{newSigningKey(1, now)})
	return s, &now
}

var someone = Identity{PlayerID: newID(), SessionID: newID()}

func TestAccessToken(t *testing.T) {
	s, now := testSigner(t)
	token, lifetime, err := s.sign(someone)
	if err != nil || lifetime != 15*time.Minute {
		t.Fatalf("sign: %v, %v", lifetime, err)
	}
	for _, test := range []struct {
		name  string
		after time.Duration
		good  bool
	}{
		{"at once", 0, true},
		{"just before the end", 15*time.Minute - time.Second, true},
		{"within the leeway", 15*time.Minute + 29*time.Second, true},
		{"after it", 15*time.Minute + 31*time.Second, false}, // case A03
		{"on a server whose clock is 5 s behind", -5 * time.Second, true},
		{"from the future", -31 * time.Second, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			*now = noon.Add(test.after)
			id, err := s.verify(token)
			if test.good && (err != nil || id != someone) || !test.good && (!errors.Is(err, ErrBadToken) || id != (Identity{})) {
				t.Errorf("verify = %v, %v", id, err)
			}
		})
	}
}

// Case A01.
func TestAccessTokenAlgorithm(t *testing.T) {
	s, _ := testSigner(t)
	k := s.current()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		method jwt.SigningMethod
		key    any
	}{
		{"none", jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType},
		{"HS256 with the public key", jwt.SigningMethodHS256, []byte(k.public)},
		{"HS256 with the text of the public key", jwt.SigningMethodHS256, []byte(base64.RawURLEncoding.EncodeToString(k.public))},
		{"HS512 with the seed", jwt.SigningMethodHS512, k.private.Seed()},
		{"RS256", jwt.SigningMethodRS256, rsaKey},
		{"PS256", jwt.SigningMethodPS256, rsaKey},
		{"ES256", jwt.SigningMethodES256, ecKey},
	} {
		t.Run(test.name, func(t *testing.T) {
			mustRefuse(t, s, forge(t, s, test.method, test.key, nil, nil))
		})
	}
	good := forge(t, s, jwt.SigningMethodEdDSA, k.private, nil, nil)
	if _, err := s.verify(good); err != nil {
		t.Fatalf("the token that the others differ from: %v", err)
	}
	_, claims, _ := strings.Cut(good[:strings.LastIndex(good, ".")], ".")
	for _, alg := range []string{"none", "None", "NONE", "nOnE", "", "EdDSA", "eddsa"} {
		header, err := json.Marshal(map[string]string{"alg": alg, "typ": accessType, "kid": k.id})
		if err != nil {
			t.Fatal(err)
		}
		mustRefuse(t, s, base64.RawURLEncoding.EncodeToString(header)+"."+claims+".")
	}
}

// Case A02.
func TestAccessTokenClaims(t *testing.T) {
	s, _ := testSigner(t)
	soon := noon.Add(10 * time.Minute).Unix()
	type c = map[string]any
	for _, test := range []struct {
		name   string
		change c // nil removes
	}{
		{"no exp", c{"exp": nil}},
		{"exp 0", c{"exp": 0}},
		{"exp as text", c{"exp": "123"}},
		{"good exp as text", c{"exp": fmt.Sprint(soon)}},
		{"exp 1e30", c{"exp": 1e30}},
		{"exp 1e18", c{"exp": int64(1e18)}},
		{"exp null", c{"exp": json.RawMessage("null")}},
		{"exp negative", c{"exp": -1}},
		{"exp in a year", c{"exp": noon.AddDate(1, 0, 0).Unix()}},
		{"exp with a fraction", c{"exp": float64(soon) + 0.5}},
		{"no iat", c{"iat": nil}},
		{"iat in an hour", c{"iat": noon.Add(time.Hour).Unix()}},
		{"no nbf", c{"nbf": nil}},
		{"nbf in an hour", c{"nbf": noon.Add(time.Hour).Unix()}},
		{"no iss", c{"iss": nil}},
		{"other iss", c{"iss": "cruel2"}},
		{"no aud", c{"aud": nil}},
		{"other aud", c{"aud": "web"}},
		{"several aud", c{"aud": []string{"cruel", "web"}}},
		{"no sub", c{"sub": nil}},
		{"sub is a number", c{"sub": 1}},
		{"no sid", c{"sid": nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			mustRefuse(t, s, forge(t, s, jwt.SigningMethodEdDSA, s.current().private, nil, test.change))
		})
	}
	mustRefuse(t, s, newRefreshToken(newID()).String())
	for _, text := range []string{"", ".", "..", "...", "a.b.c", strings.Repeat("a", 1<<20), strings.Repeat(".", 1<<20)} {
		mustRefuse(t, s, text)
	}
}

// Case A06.
func TestAccessTokenHeader(t *testing.T) {
	s, _ := testSigner(t)
	_, stranger, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own := s.current().private
	type h = map[string]any
	for _, test := range []struct {
		name   string
		key    ed25519.PrivateKey
		change h
	}{
		{"another key", stranger, nil},
		{"no kid", own, h{"kid": nil}},
		{"empty kid", own, h{"kid": ""}},
		{"kid is a path", own, h{"kid": "../../dev/null"}},
		{"kid is SQL", own, h{"kid": "' OR 1=1 --"}},
		{"kid is an address", own, h{"kid": "https://example.com/key"}},
		{"kid of 10 KB", own, h{"kid": strings.Repeat("k", 10_000)}},
		{"kid is a number", own, h{"kid": 1}},
		{"kid is a list", own, h{"kid": []string{s.current().id}}},
		{"jku", own, h{"jku": "https://example.com/jwks.json"}},
		{"jku of another key", stranger, h{"jku": "https://example.com/jwks.json"}},
		{"x5u", own, h{"x5u": "https://example.com/cert.pem"}},
		{"jwk", stranger, h{"jwk": h{"kty": "OKP"}}},
		{"crit", own, h{"crit": []string{"exp"}}},
		{"no typ", own, h{"typ": nil}},
		{"typ JWT", own, h{"typ": "JWT"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			mustRefuse(t, s, forge(t, s, jwt.SigningMethodEdDSA, test.key, test.change, nil))
		})
	}
}

func TestRotatedKeys(t *testing.T) {
	s, now := testSigner(t)
	first := newSigningKey(1, noon)
	second := newSigningKey(2, noon)
	s.use([]SigningKey{first, second})
	old, _, err := s.sign(someone)
	if err != nil {
		t.Fatal(err)
	}
	id1, id2 := s.keys[0].id, s.keys[1].id
	for _, test := range []struct {
		name   string
		after  time.Duration
		signs  string
		public []string
	}{
		{"added", 0, id1, []string{id1, id2}},
		{"before it signs", time.Hour - time.Second, id1, []string{id1, id2}},
		{"it signs", time.Hour, id2, []string{id1, id2}},
		{"tokens of the old one still last", time.Hour + 15*time.Minute, id2, []string{id1, id2}},
		{"they don't", time.Hour + 17*time.Minute, id2, []string{id2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			*now = noon.Add(test.after)
			var public []string
			for _, k := range s.jwks().Keys {
				public = append(public, k.ID)
			}
			if s.current().id != test.signs || !slices.Equal(public, test.public) {
				t.Errorf("signs %s, public %v, want %s, %v", s.current().id, public, test.signs, test.public)
			}
			token, _, err := s.sign(someone)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.verify(token); err != nil {
				t.Errorf("own token: %v", err)
			}
		})
	}
	*now = noon
	if _, err := s.verify(old); err != nil {
		t.Errorf("token of the first key: %v", err)
	}
	s.use([]SigningKey{second})
	mustRefuse(t, s, old)
}

func TestJWKS(t *testing.T) {
	s, _ := testSigner(t)
	k := s.jwks().Keys
	if len(k) != 1 {
		t.Fatalf("%d keys", len(k))
	}
	x, err := base64.RawURLEncoding.DecodeString(k[0].X)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.sign(someone)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return ed25519.PublicKey(x), nil },
		jwt.WithTimeFunc(func() time.Time { return noon }))
	if err != nil || parsed.Header["kid"] != k[0].ID {
		t.Errorf("a stranger with the JWKS reads %v, %v", parsed, err)
	}
	text, err := json.Marshal(s.jwks())
	if err != nil || strings.Contains(string(text), `"d"`) ||
		!strings.HasPrefix(string(text), `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"`) {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// The example of RFC 8037, appendix A.3.
func TestThumbprint(t *testing.T) {
	x, err := base64.RawURLEncoding.DecodeString("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
	if err != nil {
		t.Fatal(err)
	}
	if got := thumbprint(x); got != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" {
		t.Errorf("got %s", got)
	}
}

// forge signs a token that is good but for the key and the changes.
func forge(t *testing.T, s *signer, method jwt.SigningMethod, key any, header, change map[string]any) string {
	t.Helper()
	c := jwt.MapClaims{
		"iss": "cruel", "aud": "cruel", "sub": someone.PlayerID, "sid": someone.SessionID,
		"iat": noon.Unix(), "nbf": noon.Unix(), "exp": noon.Add(15 * time.Minute).Unix(),
	}
	token := jwt.NewWithClaims(method, c)
	token.Header["typ"], token.Header["kid"] = accessType, s.current().id
	edit(c, change)
	edit(token.Header, header)
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// edit sets what change says, and removes where it says nil.
func edit(m, change map[string]any) {
	maps.Copy(m, change)
	maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
}

func mustRefuse(t *testing.T, s *signer, token string) {
	t.Helper()
	if id, err := s.verify(token); !errors.Is(err, ErrBadToken) || id != (Identity{}) {
		t.Errorf("verify(%.60q) = %v, %v", token, id, err)
	}
}
