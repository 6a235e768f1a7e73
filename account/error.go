package account

import "errors"

var (
	// ErrNotFound says that there is no such player, or none any more.
	ErrNotFound = errors.New("no such player")

	// ErrNameTaken says that the name, or one that looks like it, is or was
	// another player's.
	ErrNameTaken = errors.New("this name is taken, or looks too much like one that is")

	// ErrBadCredentials says that name and password, or name and recovery
	// code, don't belong together. It never says which of them is wrong.
	ErrBadCredentials = errors.New("wrong name or password")

	// ErrBadToken says that an access or refresh token is no good (any more).
	ErrBadToken = errors.New("the token is not valid")

	// ErrBusy says that too many passwords wait to be checked; try again soon.
	ErrBusy = errors.New("too many passwords are being checked at this moment")

	// ErrIdempotencyMismatch says that an idempotency key came again with
	// another request.
	ErrIdempotencyMismatch = errors.New("this idempotency key was used with another request")

	// ErrUnavailable says that the database can't be reached or can't work at
	// this moment. Errors of a Store wrap it; it may be gone on the next try.
	ErrUnavailable = errors.New("the database is unavailable")
)

// NameError says why a text can't be a name.
type NameError struct{ Reason string } // a sentence for players

func (e *NameError) Error() string { return "name: " + e.Reason }

// PasswordError says why a text can't be a password.
type PasswordError struct{ Reason string } // a sentence for players

func (e *PasswordError) Error() string { return "password: " + e.Reason }
