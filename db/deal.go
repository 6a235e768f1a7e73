package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cruel/account"
	"cruel/challenge"
	"cruel/engine"
)

// parSQL reads the par of challenges c, with parJoin and what parDest scans.
const (
	parSQL = `COALESCE(d.moves, 0), CASE WHEN d.moves = d.bound THEN 'proven' ELSE 'best_known' END, ` +
		`COALESCE(h.id, ''), COALESCE(h.name, ''), h.password IS NULL, h.deleted_at IS NOT NULL, h.created_at`
	parJoin = `
	LEFT JOIN deals d ON d.variant = c.variant AND d.seed = c.seed
	LEFT JOIN submissions best ON best.id = d.submission_id
	LEFT JOIN players h ON h.id = best.player_id`
)

// parDest makes the par, which orNoPar is to look at when it is scanned.
func parDest(par **challenge.Par) []any {
	p := &challenge.Par{Holder: &account.Player{}}
	*par = p
	return slices.Concat([]any{&p.Moves, &p.Kind}, playerDest(p.Holder))
}

// orNoPar turns what was scanned of a par or a holder that isn't there into nil.
func orNoPar(par **challenge.Par) {
	switch p := *par; {
	case p.Moves == 0:
		*par = nil
	case p.Holder.ID == "":
		p.Holder = nil
	}
}

// dealSQL reads deals d with what dealDest scans.
const dealSQL = `
	SELECT d.variant, d.seed, COALESCE(d.submission_id, ''), d.effort, d.lost, d.bound, d.states,
	       COALESCE(d.moves, 0), COALESCE(d.log, ''), d.found_at, COALESCE(d.difficulty, 0),
	       COALESCE((SELECT MAX(c.grace_until)
	                 FROM challenges c
	                 WHERE c.seed = d.seed AND c.grace_until > d.found_at
	                   AND (c.kind = 'daily' OR c.opens_at <= d.found_at)), d.found_at)
	FROM deals d`

func dealDest(d *challenge.Deal) []any {
	return []any{
		parsed(&d.Variant, engine.ParseVariant), &d.Seed, &d.SubmissionID, &d.Effort, &d.Lost, &d.Bound, &d.States,
		&d.Moves, &d.Log,
		millis{&d.FoundAt},
		&d.Difficulty,
		millis{&d.PublicFrom},
	}
}

// Deal is described at challenge.Store.
func (d *DB) Deal(ctx context.Context, v engine.Variant, seed engine.Seed) (challenge.Deal, error) {
	var deal challenge.Deal
	err := d.read.QueryRowContext(ctx, dealSQL+` WHERE d.variant = $1 AND d.seed = $2`, v.ID, seed).Scan(dealDest(&deal)...)
	if errors.Is(err, sql.ErrNoRows) {
		return challenge.Deal{}, challenge.ErrNotFound
	}
	return deal, mapError(err)
}

// Unsolved is described at challenge.Store.
func (d *DB) Unsolved(ctx context.Context, limit int) ([]challenge.Deal, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT variant, seed, effort
		FROM deals
		WHERE effort < 2
		ORDER BY effort, created_at`+limitSQL(limit))
	return collect(rows, err, func(d *challenge.Deal) []any {
		return []any{parsed(&d.Variant, engine.ParseVariant), &d.Seed, &d.Effort}
	})
}

// Deals is described at challenge.Store.
func (d *DB) Deals(ctx context.Context, challengeIDs []string) (map[string]challenge.Deal, error) {
	type row struct {
		id   string
		deal challenge.Deal
	}
	var args []any
	var params []string
	for _, id := range challengeIDs {
		args = append(args, id)
		params = append(params, fmt.Sprintf("$%d", len(args)))
	}
	rows, err := d.read.QueryContext(ctx, `
		SELECT c.id, c.variant, c.seed, COALESCE(d.effort, 0)
		FROM challenges c
		LEFT JOIN deals d ON d.variant = c.variant AND d.seed = c.seed
		WHERE c.id IN (`+strings.Join(params, ", ")+`)`, args...)
	list, err := collect(rows, err, func(r *row) []any {
		return []any{&r.id, parsed(&r.deal.Variant, engine.ParseVariant), &r.deal.Seed, &r.deal.Effort}
	})
	deals := map[string]challenge.Deal{}
	for _, r := range list {
		deals[r.id] = r.deal
	}
	return deals, err
}

// KeepFinding is described at challenge.Store.
func (d *DB) KeepFinding(ctx context.Context, v engine.Variant, seed engine.Seed, f challenge.Finding) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if err := addDeal(ctx, tx, `variant = $1 AND seed = $2`, v.ID, seed); err != nil {
			return err
		}
		return keepFinding(ctx, tx, v, seed, f)
	})
}

func keepFinding(ctx context.Context, tx *sql.Tx, v engine.Variant, seed engine.Seed, f challenge.Finding) error {
	difficulty := sql.NullInt64{Int64: int64(f.Difficulty), Valid: f.Difficulty != 0}
	if _, err := tx.ExecContext(ctx, `
		UPDATE deals
		SET effort = CASE WHEN effort < $3 THEN $3 ELSE effort END,
		    bound = CASE WHEN bound < $4 THEN $4 ELSE bound END,
		    lost = lost OR $5, states = CASE WHEN effort <= $3 THEN $6 ELSE states END, difficulty = COALESCE(difficulty, $7)
		WHERE variant = $1 AND seed = $2`,
		v.ID, seed, f.Effort, f.Bound, f.Lost, f.States, difficulty); err != nil || f.Moves == 0 {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE deals SET moves = $3, log = $4, found_at = $5, difficulty = $6, submission_id = NULL
		WHERE variant = $1 AND seed = $2 AND (moves IS NULL OR moves > $3)`,
		v.ID, seed, f.Moves, f.Log, f.FoundAt.UnixMilli(), difficulty)
	return err
}

// addDeal adds the deal of the challenges that the condition names, unless it is
// there. They have one deal, if there are any.
func addDeal(ctx context.Context, tx *sql.Tx, condition string, args ...any) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO deals (variant, seed, effort, lost, bound, states, created_at)
		SELECT variant, seed, 0, FALSE, 0, 0, MIN(created_at)
		FROM challenges
		WHERE `+condition+`
		GROUP BY variant, seed
		ON CONFLICT DO NOTHING`,
		args...)
	return err
}

// lowerPar makes a win the shortest known for the deal of its challenge, if it
// is. What a proof says is impossible changes nothing.
func lowerPar(ctx context.Context, tx *sql.Tx, s challenge.Submission, log string) error {
	if err := addDeal(ctx, tx, `id = $1`, s.ChallengeID); err != nil { // a server of the release before adds none
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE deals SET moves = $2, log = $3, found_at = $4, submission_id = $5
		WHERE (variant, seed) = (SELECT variant, seed FROM challenges WHERE id = $1)
		  AND (moves IS NULL OR moves > $2) AND bound <= $2 AND NOT lost`,
		s.ChallengeID, s.Result.Moves, log, s.VerifiedAt.UnixMilli(), s.ID)
	return err
}

// Claim is described at challenge.Store.
func (d *DB) Claim(ctx context.Context, c challenge.Claim) (claimed bool, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `
			INSERT INTO claims (work, holder, claimed_until)
			VALUES ($1, $2, $3)
			ON CONFLICT (work) DO UPDATE
			SET holder = excluded.holder, claimed_until = excluded.claimed_until
			WHERE claims.holder = excluded.holder OR claims.claimed_until <= $4`,
			c.Work, c.Holder, c.Until.UnixMilli(), c.Now.UnixMilli())
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		claimed = n > 0
		return err
	})
	return claimed, err
}

// Release is described at challenge.Store.
func (d *DB) Release(ctx context.Context, c challenge.Claim) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM claims
			WHERE work = $1 AND holder = $2 OR claimed_until <= $3`,
			c.Work, c.Holder, c.Now.UnixMilli())
		return err
	})
}
