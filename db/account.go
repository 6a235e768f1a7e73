package db

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"cruel/account"
)

var _ account.Store = (*DB)(nil)

// SignUp is described at account.Store.
func (d *DB) SignUp(ctx context.Context, n account.NewPlayer, s account.NewSession) (p account.Player, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		id, err := signUp(ctx, tx, n)
		if err != nil {
			return err
		}
		s.Session.PlayerID = id
		if err := addSession(ctx, tx, s); err != nil {
			return err
		}
		p, err = player(tx.QueryRowContext(ctx, playerByID, id))
		return err
	})
	return p, err
}

// signUp returns the id of the player: that of an earlier request, or a new one.
func signUp(ctx context.Context, tx *sql.Tx, n account.NewPlayer) (string, error) {
	if n.Request != nil {
		id, err := madeBefore(ctx, tx, n)
		if err != nil {
			return "", err
		}
		if id != n.ID {
			if err := holdSignUp(ctx, tx, n.Request, id); err != nil {
				return "", err
			}
			return id, renewRecovery(ctx, tx, id, n.Password)
		}
	}
	var password sql.NullString
	var recovery []byte
	if n.Password != nil {
		password, recovery = sql.NullString{String: n.Password.Hash, Valid: true}, n.Password.Recovery
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO players (id, name, name_key, password, recovery, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		n.ID, n.Name.String(), n.Name.Key(), password, recovery, n.CreatedAt.UnixMilli())
	if isUnique(err) {
		return "", account.ErrNameTaken
	}
	if err != nil {
		return "", err
	}
	return n.ID, holdName(ctx, tx, n.ID, n.Name)
}

// madeBefore returns the id of the player that an earlier request of the same
// key has made, or that of the new one.
func madeBefore(ctx context.Context, tx *sql.Tx, n account.NewPlayer) (string, error) {
	r := n.Request
	if _, err := tx.ExecContext(ctx, `DELETE FROM sign_ups WHERE created_at < $1`, r.Since.UnixMilli()); err != nil {
		return "", err
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO sign_ups (key_hash, body_mac, player_id, created_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`,
		r.KeyHash, r.BodyMAC, n.ID, n.CreatedAt.UnixMilli())
	if err != nil {
		return "", err
	}
	var mac []byte
	var id string
	err = tx.QueryRowContext(ctx, `SELECT body_mac, player_id FROM sign_ups WHERE key_hash = $1`, r.KeyHash).Scan(&mac, &id)
	switch {
	case errors.Is(err, sql.ErrNoRows): // removed since the INSERT met it
		return "", errRetry
	case err == nil && !bytes.Equal(mac, r.BodyMAC):
		return "", account.ErrIdempotencyMismatch
	}
	return id, err
}

// holdSignUp makes a change of the player's password and their deletion wait for
// the end of the transaction, and starts again if one came first: the request is
// forgotten then.
func holdSignUp(ctx context.Context, tx *sql.Tx, r *account.Request, playerID string) error {
	if err := orRetry(tx.ExecContext(ctx, `
		UPDATE players SET name = name WHERE id = $1 AND deleted_at IS NULL`, playerID)); err != nil {
		return err
	}
	return orRetry(tx.ExecContext(ctx, `
		UPDATE sign_ups SET created_at = created_at WHERE key_hash = $1 AND player_id = $2`, r.KeyHash, playerID))
}

// renewRecovery gives a player the recovery code that an answer sent again
// shows, since nobody knows the first one.
func renewRecovery(ctx context.Context, tx *sql.Tx, playerID string, p *account.NewPassword) error {
	if p == nil {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE players SET recovery = $2 WHERE id = $1`, playerID, p.Recovery)
	return err
}

// holdName reserves what a name looks like for the player, who may have had the
// name before.
func holdName(ctx context.Context, tx *sql.Tx, playerID string, name account.Name) error {
	for _, skeleton := range name.Skeletons() { // in order, so that no two wait for each other
		_, err := tx.ExecContext(ctx, `
			INSERT INTO names (skeleton, player_id) VALUES ($1, $2)
			ON CONFLICT DO NOTHING`,
			skeleton, playerID)
		if err != nil {
			return err
		}
		var holder sql.NullString
		err = tx.QueryRowContext(ctx, `SELECT player_id FROM names WHERE skeleton = $1`, skeleton).Scan(&holder)
		if err != nil {
			return err
		}
		if holder.String != playerID {
			return account.ErrNameTaken
		}
	}
	return nil
}

const (
	playerByID  = `SELECT ` + playerSQL + ` FROM players p WHERE p.id = $1`
	playerByKey = `SELECT ` + playerSQL + ` FROM players p WHERE p.name_key = $1`
)

func player(row *sql.Row) (account.Player, error) {
	var p account.Player
	err := row.Scan(playerDest(&p)...)
	if errors.Is(err, sql.ErrNoRows) {
		return p, account.ErrNotFound
	}
	return p, mapError(err)
}

// Player is described at account.Store.
func (d *DB) Player(ctx context.Context, id string) (account.Player, error) {
	return player(d.read.QueryRowContext(ctx, playerByID, id))
}

// PlayerByKey is described at account.Store.
func (d *DB) PlayerByKey(ctx context.Context, key string) (account.Player, error) {
	return player(d.read.QueryRowContext(ctx, playerByKey, key))
}

// Credentials is described at account.Store.
func (d *DB) Credentials(ctx context.Context, playerID string) (account.Credentials, error) {
	c := account.Credentials{PlayerID: playerID}
	err := d.read.QueryRowContext(ctx, `
		SELECT COALESCE(password, ''), recovery FROM players
		WHERE id = $1 AND deleted_at IS NULL`,
		playerID).Scan(&c.Password, &c.Recovery)
	if errors.Is(err, sql.ErrNoRows) {
		return c, account.ErrNotFound
	}
	return c, mapError(err)
}

// LogIn is described at account.Store.
func (d *DB) LogIn(ctx context.Context, c account.Credentials, password string, s account.NewSession) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `
			UPDATE players SET password = $3 WHERE id = $1 AND password = $2`,
			c.PlayerID, c.Password, password)
		if err := orElse(r, err, account.ErrBadCredentials); err != nil {
			return err
		}
		return addSession(ctx, tx, s)
	})
}

// Recover is described at account.Store.
func (d *DB) Recover(ctx context.Context, c account.Credentials, p account.NewPassword, s account.NewSession) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `
			UPDATE players SET password = $3, recovery = $4 WHERE id = $1 AND recovery = $2`,
			c.PlayerID, c.Recovery, p.Hash, p.Recovery)
		if err := orElse(r, err, account.ErrBadCredentials); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, c.PlayerID, ""); err != nil {
			return err
		}
		return addSession(ctx, tx, s)
	})
}

// addSession adds a session, and removes those of everyone that have expired.
func addSession(ctx context.Context, tx *sql.Tx, n account.NewSession) error {
	s, now := n.Session, n.Session.CreatedAt.UnixMilli()
	if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at < $1`, now); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO sessions (id, player_id, cookie, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5)`,
		s.ID, s.PlayerID, s.Cookie, now, s.ExpiresAt.UnixMilli())
	if err != nil {
		return err
	}
	return addToken(ctx, tx, s.ID, n.Token, 1, s.CreatedAt)
}

func addToken(ctx context.Context, tx *sql.Tx, sessionID string, hash account.TokenHash, generation int64, now time.Time) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO tokens (hash, session_id, generation, created_at)
		VALUES ($1, $2, $3, $4)`,
		hash[:], sessionID, generation, now.UnixMilli())
	return err
}

// endSessions ends the sessions of a player but one. A sign-up sent again would
// begin another, so it is forgotten too.
func endSessions(ctx context.Context, tx *sql.Tx, playerID, keep string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE player_id = $1 AND id <> $2`, playerID, keep)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM sign_ups WHERE player_id = $1`, playerID)
	return err
}

// UseToken is described at account.Store.
func (d *DB) UseToken(ctx context.Context, sessionID string, used, successor account.TokenHash, now, until time.Time) (account.Session, error) {
	s := account.Session{ID: sessionID}
	verdict := account.Refused
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		// The UPDATE locks the session: its tokens are used one after another.
		// A session that has not expired lasts until the new time from here on.
		// A second UPDATE later would do as well, but Postgres locks the player
		// for that, which deadlocks with Delete.
		err := tx.QueryRowContext(ctx, `
			UPDATE sessions SET expires_at = CASE WHEN expires_at >= $2 THEN $3 ELSE expires_at END WHERE id = $1
			RETURNING player_id, cookie, created_at, expires_at`,
			sessionID, now.UnixMilli(), until.UnixMilli()).Scan(&s.PlayerID, &s.Cookie, millis{&s.CreatedAt}, millis{&s.ExpiresAt})
		if errors.Is(err, sql.ErrNoRows) {
			return account.ErrBadToken
		}
		if err != nil {
			return err
		}
		use, generation, err := tokenUse(ctx, tx, sessionID, used)
		if err != nil {
			return err
		}
		use.SessionExpiresAt = s.ExpiresAt
		if verdict = use.Judge(now); verdict != account.Good {
			_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE id = $1`, sessionID)
			return err
		}
		return replaceToken(ctx, tx, sessionID, generation, used, successor, now)
	})
	if err == nil && verdict != account.Good {
		err = account.ErrBadToken
	}
	return s, err
}

// tokenUse returns what is known of a token, and its generation.
func tokenUse(ctx context.Context, tx *sql.Tx, sessionID string, hash account.TokenHash) (use account.TokenUse, generation int64, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT t.generation, (
			SELECT MIN(next.used_at) FROM tokens next
			WHERE next.session_id = t.session_id AND next.generation = t.generation + 1)
		FROM tokens t WHERE t.hash = $1 AND t.session_id = $2`,
		hash[:], sessionID).Scan(&generation, millis{&use.SuccessorUsedAt})
	if errors.Is(err, sql.ErrNoRows) {
		return use, 0, nil
	}
	use.Known = err == nil
	return use, generation, err
}

// mostUnused is how many successors of a token are kept while none is used.
const mostUnused = 50

// replaceToken notes the use of a token, removes tokens that can't be good again
// or are too many, and adds the successor.
func replaceToken(ctx context.Context, tx *sql.Tx, sessionID string, generation int64, used, successor account.TokenHash, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL`,
		used[:], now.UnixMilli())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM tokens WHERE session_id = $1 AND generation < (
			SELECT COALESCE(MAX(t.generation), 0) FROM tokens t WHERE t.session_id = $1 AND t.used_at < $2)`,
		sessionID, account.Forgettable(now).UnixMilli())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM tokens WHERE session_id = $1 AND generation = $2 AND used_at IS NULL AND hash NOT IN (
			SELECT t.hash FROM tokens t WHERE t.session_id = $1 AND t.generation = $2 AND t.used_at IS NULL
			ORDER BY t.created_at DESC, t.hash LIMIT $3)`,
		sessionID, generation+1, mostUnused-1)
	if err != nil {
		return err
	}
	return addToken(ctx, tx, sessionID, successor, generation+1, now)
}

// SessionLives is described at account.Store.
func (d *DB) SessionLives(ctx context.Context, id string, now time.Time) (lives bool, err error) {
	err = d.read.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM sessions WHERE id = $1 AND expires_at > $2)`, id, now.UnixMilli()).Scan(&lives)
	return lives, mapError(err)
}

// EndSession is described at account.Store.
func (d *DB) EndSession(ctx context.Context, id string) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE id = $1`, id)
		return err
	})
}

// Change is described at account.Store.
func (d *DB) Change(ctx context.Context, playerID string, c account.PlayerChange) (p account.Player, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `
			UPDATE players SET name = name
			WHERE id = $1 AND deleted_at IS NULL
			  AND ($2 = '' OR EXISTS (SELECT 1 FROM sessions WHERE id = $2 AND player_id = $1))`,
			playerID, c.Session)
		if err := orNotFound(r, err); err != nil {
			return err
		}
		if c.Name != nil {
			if err := rename(ctx, tx, playerID, *c.Name, c.Retire); err != nil {
				return err
			}
		}
		if c.Password != nil {
			if err := setPassword(ctx, tx, playerID, c); err != nil {
				return err
			}
		}
		p, err = player(tx.QueryRowContext(ctx, playerByID, playerID))
		return err
	})
	return p, err
}

func rename(ctx context.Context, tx *sql.Tx, playerID string, name account.Name, retire []string) error {
	_, err := tx.ExecContext(ctx, `UPDATE players SET name = $2, name_key = $3 WHERE id = $1`,
		playerID, name.String(), name.Key())
	if isUnique(err) {
		return account.ErrNameTaken
	}
	if err != nil {
		return err
	}
	for _, skeleton := range retire {
		if _, err := tx.ExecContext(ctx, `UPDATE names SET player_id = NULL WHERE skeleton = $1`, skeleton); err != nil {
			return err
		}
	}
	return holdName(ctx, tx, playerID, name)
}

func setPassword(ctx context.Context, tx *sql.Tx, playerID string, c account.PlayerChange) error {
	r, err := tx.ExecContext(ctx, `
		UPDATE players SET password = $3, recovery = $4 WHERE id = $1 AND COALESCE(password, '') = $2`,
		playerID, c.From, c.Password.Hash, c.Password.Recovery)
	if err := orElse(r, err, account.ErrBadCredentials); err != nil {
		return err
	}
	return endSessions(ctx, tx, playerID, c.Session)
}

// Delete is described at account.Store.
func (d *DB) Delete(ctx context.Context, id account.Identity, now time.Time) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `
			UPDATE players SET name = NULL, name_key = NULL, password = NULL, recovery = NULL, deleted_at = $2
			WHERE id = $1 AND deleted_at IS NULL
			  AND EXISTS (SELECT 1 FROM sessions WHERE id = $3 AND player_id = $1)`,
			id.PlayerID, now.UnixMilli(), id.SessionID)
		if err := orNotFound(r, err); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE names SET player_id = NULL WHERE player_id = $1`, id.PlayerID); err != nil {
			return err
		}
		return endSessions(ctx, tx, id.PlayerID, "")
	})
}

// SigningKeys is described at account.Store.
func (d *DB) SigningKeys(ctx context.Context, first account.SigningKey) ([]account.SigningKey, error) {
	keys, err := d.signingKeys(ctx)
	if err != nil || len(keys) > 0 {
		return keys, err
	}
	if err := d.AddSigningKey(ctx, first); err != nil {
		return nil, err
	}
	return d.signingKeys(ctx)
}

func (d *DB) signingKeys(ctx context.Context) ([]account.SigningKey, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT number, seed, created_at FROM signing_keys ORDER BY number`)
	return collect(rows, err, func(k *account.SigningKey) []any {
		return []any{&k.Number, &k.Seed, millis{&k.CreatedAt}}
	})
}

// AddSigningKey is described at account.Store.
func (d *DB) AddSigningKey(ctx context.Context, k account.SigningKey) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO signing_keys (number, seed, created_at) VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`,
			k.Number, k.Seed, k.CreatedAt.UnixMilli())
		return err
	})
}
