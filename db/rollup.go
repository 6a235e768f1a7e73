package db

import (
	"context"
	"database/sql"
	"time"

	"cruel/challenge"
)

// RollUp is described at challenge.Store.
func (d *DB) RollUp(ctx context.Context, now time.Time) (int, error) {
	forget := now.Add(-challenge.KeyLife).UnixMilli()
	for total := 0; ; {
		var deltas, keys bool // if nothing waits, the writer is left alone
		if err := d.read.QueryRowContext(ctx, `
			SELECT EXISTS (SELECT 1 FROM board_deltas), EXISTS (SELECT 1 FROM submission_keys WHERE used_at <= $1)`,
			forget).Scan(&deltas, &keys); err != nil {
			return total, mapError(err)
		}
		if !deltas && !keys {
			return total, nil
		}
		var n int
		err := d.inTx(ctx, func(tx *sql.Tx) (err error) {
			n, err = rollUp(ctx, tx, now, forget)
			return err
		})
		if err != nil {
			return total, err
		}
		total += n
	}
}

// countKey is a row of board_counts or board_blocks.
type countKey struct {
	challengeID string
	key         int64
}

// rollUp adds a few hundred deltas to the counts, and forgets the idempotency
// keys that are too old. Its first statement takes the lock of the roll-up, so
// that servers that do it at once take turns.
func rollUp(ctx context.Context, tx *sql.Tx, now time.Time, forget int64) (int, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE board_rollups SET rolled_at = $1 WHERE id = 1`, now.UnixMilli()); err != nil {
		return 0, err
	}
	type delta struct {
		countKey
		players int
	}
	rows, err := tx.QueryContext(ctx, `
		DELETE FROM board_deltas
		WHERE submission_id IN (SELECT submission_id FROM board_deltas LIMIT 500)
		RETURNING challenge_id, result_key, delta`)
	deltas, err := collect(rows, err, func(d *delta) []any { return []any{&d.challengeID, &d.key, &d.players} })
	if err != nil {
		return 0, err
	}
	counts, blocks := map[countKey]int{}, map[countKey]int{}
	for _, d := range deltas {
		counts[d.countKey] += d.players
		blocks[countKey{d.challengeID, d.key - d.key%1000}] += d.players
	}
	if err := addCounts(ctx, tx, counts); err != nil {
		return 0, err
	}
	if err := addBlocks(ctx, tx, blocks); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM submission_keys WHERE used_at <= $1`, forget)
	return len(deltas), err
}

func addCounts(ctx context.Context, tx *sql.Tx, counts map[countKey]int) error {
	for k, n := range counts {
		var players int
		if err := tx.QueryRowContext(ctx, `
			INSERT INTO board_counts (challenge_id, result_key, players)
			VALUES ($1, $2, $3)
			ON CONFLICT (challenge_id, result_key) DO UPDATE SET players = board_counts.players + excluded.players
			RETURNING players`,
			k.challengeID, k.key, n,
		).Scan(&players); err != nil {
			return err
		}
		if players != 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM board_counts WHERE challenge_id = $1 AND result_key = $2`,
			k.challengeID, k.key); err != nil {
			return err
		}
	}
	return nil
}

// addBlocks leaves the blocks that come down to nothing; a board has few.
func addBlocks(ctx context.Context, tx *sql.Tx, blocks map[countKey]int) error {
	for k, n := range blocks {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO board_blocks (challenge_id, first_key, players)
			VALUES ($1, $2, $3)
			ON CONFLICT (challenge_id, first_key) DO UPDATE SET players = board_blocks.players + excluded.players`,
			k.challengeID, k.key, n); err != nil {
			return err
		}
	}
	return nil
}

// Recount counts the boards of a challenge anew from its standings, and returns
// in how many places the counts that ranks are read from are wrong.
func (d *DB) Recount(ctx context.Context, challengeID string) (wrong int, err error) {
	err = d.read.QueryRowContext(ctx, `
		WITH counted AS (
			SELECT result_key, players FROM board_counts WHERE challenge_id = $1
			UNION ALL
			SELECT result_key, delta FROM board_deltas WHERE challenge_id = $1
			UNION ALL
			SELECT result_key, -1 FROM standings WHERE challenge_id = $1
		),
		blocks AS (
			SELECT first_key, players FROM board_blocks WHERE challenge_id = $1
			UNION ALL
			SELECT result_key - result_key % 1000, -players FROM board_counts WHERE challenge_id = $1
		)
		SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM counted GROUP BY result_key HAVING SUM(players) <> 0) AS keys)
		     + (SELECT COUNT(*) FROM (SELECT 1 FROM blocks GROUP BY first_key HAVING SUM(players) <> 0) AS firsts)`,
		challengeID,
	).Scan(&wrong)
	return wrong, mapError(err)
}
