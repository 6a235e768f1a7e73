// Package account says who someone is: players and their names, passwords,
// access and refresh tokens.
//
// It refuses names that could be taken for another player's, or that would
// trouble a terminal, a URL or a line of a board; passwords that it could not
// keep whole; and tokens that it has not made itself.
//
// It promises that a name belongs to one player for ever: another never gets
// it, nor one that looks like it, even when the player has taken a new one or
// is gone.
//
// # Guests and passwords
//
// A guest is a player without a password, made without a question asked. They
// can set a name and a password later. With each password goes a new recovery
// code, which is shown once. To set another password a player gives the one up
// to now; this, like a recovery, ends their other sessions.
//
// # Tokens
//
// An access token is a JWT that is good for 15 minutes and is checked without
// asking the database. A refresh token is changed for fresh tokens when it is
// used. It stays good until its successor is first used, and 30 seconds more,
// so that neither a lost answer nor two tabs lock anyone out. One that is used
// later is in two hands, and ends the session.
package account
