package db_test

import (
	"fmt"
	"testing"
	"time"

	"cruel/challenge"
	"cruel/db"
	"cruel/db/dbtest"
)

// BenchmarkBoard reads a board of 100,000 standings with 60 or with 10,000
// different results, as rolled up and with 5,000 deltas that are not.
func BenchmarkBoard(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgres"} {
		for _, board := range []struct {
			keys, deltas int
		}{{60, 0}, {10_000, 0}, {10_000, 5_000}} {
			b.Run(fmt.Sprintf("%s/keys=%d/deltas=%d", engine, board.keys, board.deltas), func(b *testing.B) {
				d := openBench(b, engine)
				fill(b, d, 100_000, board.keys, board.deltas)
				benchBoard(b, d, board.keys)
			})
		}
	}
}

func openBench(b *testing.B, engine string) *db.DB {
	b.Helper()
	if engine == "sqlite" {
		return dbtest.Open(b)
	}
	d, err := db.Open(b.Context(), dbtest.Postgres(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	if err := d.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	return d
}

func benchBoard(b *testing.B, d *db.DB, keys int) {
	middle, err := d.Leaderboard(b.Context(), "c", challenge.BoardQuery{
		Limit: 1, After: &challenge.BoardCursor{ResultKey: benchKey(keys / 2), VerifiedAt: time.UnixMilli(0)},
	})
	if err != nil || len(middle.Standings) != 1 || middle.Players != 100_000 {
		b.Fatalf("%+v, %v", middle, err)
	}
	cursor := middle.Standings[0].Cursor()
	for _, run := range []struct {
		name string
		read func() error
	}{
		{"challenge", func() error {
			_, err := d.Challenge(b.Context(), "c")
			return err
		}},
		{"rank", func() error {
			_, err := d.Tally(b.Context(), "c", cursor.ResultKey)
			return err
		}},
		{"top50", func() error {
			_, err := d.Leaderboard(b.Context(), "c", challenge.BoardQuery{Limit: 50})
			return err
		}},
		{"after50", func() error {
			_, err := d.Leaderboard(b.Context(), "c", challenge.BoardQuery{Limit: 50, After: &cursor})
			return err
		}},
		{"before50", func() error {
			_, err := d.Leaderboard(b.Context(), "c", challenge.BoardQuery{Limit: 50, Before: &cursor})
			return err
		}},
		{"around5", func() error {
			_, err := d.Around(b.Context(), "c", middle.Standings[0].Player.ID, 5)
			return err
		}},
	} {
		b.Run(run.name, func(b *testing.B) {
			for b.Loop() {
				if err := run.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchKey is the result key of the kth result that fill makes, in SQL and here.
func benchKey(k int) int64 {
	cards, redeals := 4+k%40, 1+k/40
	return int64(1_000_000 + (52-cards)*10_000 + cards - 4 + redeals)
}

// fill makes challenge c with standings of so many different results, and as
// many of them as deltas says not rolled up.
func fill(b *testing.B, d *db.DB, standings, keys, deltas int) {
	b.Helper()
	const numbers = `WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1) `
	const key = ` 1000000 + (52 - cards) * 10000 + moves `
	for _, step := range []struct {
		statement string
		args      []any
	}{
		{`INSERT INTO players (id, name, name_key, created_at) VALUES ('p', 'p', 'p', 0)`, nil},
		{`INSERT INTO challenges (id, kind, variant, rules_version, seed, opens_at, closes_at, grace_until, created_by, created_at)
		  VALUES ('c', 'shared', 'cruel', 1, 's', 0, 1, 1, 'p', 0)`, nil},
		{numbers + `INSERT INTO players (id, name, name_key, created_at) SELECT 'p' || i, 'p' || i, 'p' || i, 0 FROM n`, []any{standings}},
		{numbers + `INSERT INTO submissions (id, challenge_id, player_id, log, log_hash, outcome, moves, plays, builds, returns, redeals, cards,
		    late, improved, verified_at, verified_by, rules_version)
		  SELECT 's' || i, 'c', 'p' || i, 'R', $2, 'unfinished', i % $3 % 40 + 1 + i % $3 / 40, i % $3 % 40, 0, 0, 1 + i % $3 / 40, 4 + i % $3 % 40,
		    FALSE, TRUE, i, '', 1 FROM n`, []any{standings, []byte("hash"), keys}},
		{`INSERT INTO standings (challenge_id, player_id, submission_id, result_key, verified_at)
		  SELECT challenge_id, player_id, id,` + key + `, verified_at FROM submissions`, nil},
		{`INSERT INTO board_deltas (submission_id, delta, challenge_id, result_key)
		  SELECT submission_id, 1, challenge_id, result_key FROM standings WHERE verified_at < $1`, []any{deltas}},
		{`INSERT INTO board_counts (challenge_id, result_key, players)
		  SELECT challenge_id, result_key, COUNT(*) FROM standings WHERE verified_at >= $1 GROUP BY challenge_id, result_key`, []any{deltas}},
		{`INSERT INTO board_blocks (challenge_id, first_key, players)
		  SELECT challenge_id, result_key - result_key % 1000, SUM(players) FROM board_counts GROUP BY challenge_id, result_key - result_key % 1000`, nil},
		{`ANALYZE`, nil},
	} {
		if err := plant(b, d, step.statement, step.args...); err != nil {
			b.Fatal(step.statement, err)
		}
	}
	if wrong, err := d.Recount(b.Context(), "c"); err != nil || wrong != 0 {
		b.Fatalf("Recount = %d, %v", wrong, err)
	}
}
