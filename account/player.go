package account

import "time"

// Player is a person with an account.
type Player struct {
	ID        string
	Name      string // as shown; "" once Deleted
	Guest     bool   // has no password
	Deleted   bool
	CreatedAt time.Time
}
