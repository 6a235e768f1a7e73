package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/secure/precis"
)

const (
	shortestPassword = 8
	longestPassword  = 128  // characters
	passwordBytes    = 1024 // before PRECIS looks at them
)

// password is a text that may be one, in the form in which it is hashed:
// composed and decomposed letters are the same. It is never shortened.
type password string

// parsePassword reads a password to be set. The error is a *PasswordError.
func parsePassword(text string) (password, error) {
	if len(text) > passwordBytes {
		return "", &PasswordError{"A password has at most 128 characters and 1024 bytes."}
	}
	if !utf8.ValidString(text) {
		return "", &PasswordError{"This password is not valid text (UTF-8)."}
	}
	enforced, err := precis.OpaqueString.String(text)
	switch length := utf8.RuneCountInString(enforced); {
	case text == "", err == nil && length < shortestPassword:
		return "", &PasswordError{"A password has at least 8 characters."}
	case err != nil:
		return "", &PasswordError{"A password has no control characters, no invisible ones and none that are newer than this server."}
	case length > longestPassword:
		return "", &PasswordError{"A password has at most 128 characters and 1024 bytes."}
	}
	return password(enforced), nil
}

// Cost is what argon2id spends on a password. The zero Cost is OWASP's second
// choice of 2023, which keeps the memory of many log-ins small.
type Cost struct {
	MemoryKiB uint32
	Passes    uint32
	Threads   uint8
}

var defaultCost = Cost{MemoryKiB: 19 * 1024, Passes: 2, Threads: 1}

const (
	saltBytes = 16
	hashBytes = 32
)

// hash returns the password as a PHC string, with the cost in it.
func (c Cost) hash(p password) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	return c.format(salt, c.derive(p, salt))
}

func (c Cost) derive(p password, salt []byte) []byte {
	return argon2.IDKey([]byte(p), salt, c.Passes, c.MemoryKiB, c.Threads, hashBytes)
}

func (c Cost) format(salt, hash []byte) string {
	return fmt.Sprintf("%s%s$%s", c.prefix(), phc.EncodeToString(salt), phc.EncodeToString(hash))
}

func (c Cost) prefix() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, c.MemoryKiB, c.Passes, c.Threads)
}

var phc = base64.RawStdEncoding.Strict()

// matches tells whether the PHC string is that of the password, at the cost
// that it names itself.
func (p password) matches(stored string) (bool, error) {
	cost, salt, hash, err := parsePHC(stored)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(cost.derive(p, salt), hash) == 1, nil
}

// parsePHC reads what format writes, and nothing else.
func parsePHC(text string) (Cost, []byte, []byte, error) {
	bad := errors.New("account: stored password is damaged")
	fields := strings.Split(text, "$")
	if len(fields) != 6 {
		return Cost{}, nil, nil, bad
	}
	var c Cost
	if _, err := fmt.Sscanf(fields[3], "m=%d,t=%d,p=%d", &c.MemoryKiB, &c.Passes, &c.Threads); err != nil {
		return Cost{}, nil, nil, bad
	}
	salt, err1 := phc.DecodeString(fields[4])
	hash, err2 := phc.DecodeString(fields[5])
	if err1 != nil || err2 != nil || c.Passes == 0 || c.Threads == 0 || len(hash) != hashBytes || c.format(salt, hash) != text {
		return Cost{}, nil, nil, bad
	}
	return c, salt, hash, nil
}

// A hasher spends memory and time on passwords, for a few at once.
type hasher struct {
	cost    Cost
	working chan struct{} // one token for each that is at work
	inside  chan struct{} // and one for each that is at work or waits
	nobody  string        // a hash for those who don't exist
}

// newHasher returns a hasher for so many passwords at once. Eight times as many
// may wait.
func newHasher(cost Cost, atOnce int) *hasher {
	return &hasher{
		cost:    cost,
		working: make(chan struct{}, atOnce),
		inside:  make(chan struct{}, 9*atOnce),
		nobody:  cost.hash(password(rand.Text())),
	}
}

// enter waits for its turn. The caller calls leave, unless there is an error:
// ErrBusy, or that of the context.
func (h *hasher) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.inside <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	select {
	case h.working <- struct{}{}:
		return func() { <-h.working; <-h.inside }, nil
	case <-ctx.Done():
		<-h.inside
		return nil, ctx.Err()
	}
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, p password) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return h.cost.hash(p), nil
}

// check returns ErrBadCredentials unless the text is the password of the PHC
// string. With the stored string "" it takes the same time. It returns the
// string to store from now on, a new one if the cost has changed.
func (h *hasher) check(ctx context.Context, text, stored string) (string, error) {
	given, err := parsePassword(text)
	if err != nil { // was never set by anyone
		return "", ErrBadCredentials
	}
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	against := stored
	if stored == "" {
		against = h.nobody
	}
	ok, err := given.matches(against)
	switch {
	case err != nil:
		return "", err
	case !ok || stored == "":
		return "", ErrBadCredentials
	case !strings.HasPrefix(stored, h.cost.prefix()):
		return h.cost.hash(given), nil
	}
	return stored, nil
}

const (
	recoveryAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ" // without 0 O, 1 I L, U
	recoveryLength   = 20                               // of 30 letters each: 98 bits
	recoveryGroup    = 5
)

// newRecoveryCode makes a code and returns it as it is shown,
// ABCDE-FGHJK-MNPQR-23456, and the hash of it to store.
func newRecoveryCode() (shown string, hash []byte) {
	code := randomText(recoveryAlphabet, recoveryLength)
	var groups []string
	for i := 0; i < recoveryLength; i += recoveryGroup {
		groups = append(groups, code[i:i+recoveryGroup])
	}
	shown = strings.Join(groups, "-")
	return shown, hashRecoveryCode(shown)
}

// hashRecoveryCode returns what is stored of a code as it was typed: in small
// letters too, and with or without hyphens and spaces. A fast hash will do,
// since no one can try all codes.
func hashRecoveryCode(typed string) []byte {
	code := strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(typed))
	hash := sha256.Sum256([]byte("cruel recovery code\n" + code))
	return hash[:]
}

// randomText returns letters of an alphabet of at most 32, all equally likely.
func randomText(alphabet string, length int) string {
	text := make([]byte, 0, length)
	random := make([]byte, 1)
	for len(text) < length {
		rand.Read(random)
		if i := int(random[0] & 31); i < len(alphabet) {
			text = append(text, alphabet[i])
		}
	}
	return string(text)
}
