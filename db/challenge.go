package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cruel/account"
	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

var _ challenge.Store = (*DB)(nil)

// challengeSQL reads challenges c with what challengeDest scans.
const challengeSQL = `c.id, c.kind, c.variant, c.rules_version, c.day, c.seed, c.opens_at, c.closes_at, c.grace_until,
	       COALESCE(c.created_by, ''), c.created_at, COALESCE(c.commitment_hash, ''), c.committed_at,
	       COALESCE(d.bound, 0), COALESCE(d.lost, FALSE), COALESCE(d.difficulty, 0), ` + parSQL

// challengeDest makes the commitment and the par, which orNothing is to look at
// when they are scanned.
func challengeDest(c *challenge.Challenge) []any {
	c.Commitment = &challenge.Commitment{}
	return slices.Concat([]any{
		&c.ID, &c.Kind, parsed(&c.Variant, engine.ParseVariant), &c.RulesVersion, parsed(&c.Day, challenge.ParseDay),
		&c.Seed,
		millis{&c.OpensAt},
		millis{&c.ClosesAt},
		millis{&c.GraceUntil},
		&c.CreatedBy,
		millis{&c.CreatedAt},
		&c.Commitment.Hash,
		millis{&c.Commitment.CommittedAt},
		&c.Bound, &c.Lost, &c.Difficulty,
	}, parDest(&c.Par))
}

// orNothing turns what was scanned of a par or a commitment that isn't there
// into nil.
func orNothing(c *challenge.Challenge) {
	if c.Commitment.Day = c.Day; c.Commitment.Hash == "" {
		c.Commitment = nil
	}
	orNoPar(&c.Par)
}

// Challenge is described at challenge.Store.
func (d *DB) Challenge(ctx context.Context, id string) (challenge.Challenge, error) {
	var c challenge.Challenge
	err := d.read.QueryRowContext(ctx, `SELECT `+challengeSQL+` FROM challenges c`+parJoin+` WHERE c.id = $1`, id).
		Scan(challengeDest(&c)...)
	if errors.Is(err, sql.ErrNoRows) {
		return challenge.Challenge{}, challenge.ErrNotFound
	}
	if err != nil {
		return challenge.Challenge{}, mapError(err)
	}
	orNothing(&c)
	return c, nil
}

// Dailies is described at challenge.Store.
func (d *DB) Dailies(ctx context.Context, v engine.Variant, from, to challenge.Day, now time.Time) ([]challenge.Challenge, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT CAST(COALESCE((SELECT SUM(players) FROM board_blocks b WHERE b.challenge_id = c.id), 0)
		          + COALESCE((SELECT SUM(delta) FROM board_deltas b WHERE b.challenge_id = c.id), 0) AS BIGINT),
		       CAST(COALESCE((SELECT SUM(players) FROM board_blocks b WHERE b.challenge_id = c.id AND b.first_key < $5), 0)
		          + COALESCE((SELECT SUM(delta) FROM board_deltas b WHERE b.challenge_id = c.id AND b.result_key < $5), 0) AS BIGINT),
		       `+challengeSQL+`
		FROM challenges c`+parJoin+`
		WHERE c.variant = $1 AND c.day >= $2 AND c.day <= $3 AND c.opens_at <= $4
		ORDER BY c.day`,
		v.ID, from.String(), to.String(), now.UnixMilli(), challenge.WonBelow)
	list, err := collect(rows, err, func(c *challenge.Challenge) []any {
		return slices.Concat([]any{&c.Players, &c.Winners}, challengeDest(c))
	})
	for i := range list {
		orNothing(&list[i])
	}
	return list, err
}

// OpenDaily is described at challenge.Store.
func (d *DB) OpenDaily(ctx context.Context, c challenge.Challenge, f challenge.Finding) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO challenges (id, kind, variant, rules_version, day, seed, opens_at, closes_at, grace_until, created_at,
			    commitment_hash, committed_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
			ON CONFLICT DO NOTHING`,
			c.ID, c.Kind, c.Variant.ID, c.RulesVersion, c.Day.String(), c.Seed,
			c.OpensAt.UnixMilli(), c.ClosesAt.UnixMilli(), c.GraceUntil.UnixMilli(), c.CreatedAt.UnixMilli(),
			c.Commitment.Hash, c.Commitment.CommittedAt.UnixMilli()); err != nil {
			return err
		}
		if err := addDeal(ctx, tx, `id = $1`, c.ID); err != nil {
			return err
		}
		return keepFinding(ctx, tx, c.Variant, c.Seed, f)
	})
}

// Share is described at challenge.Store.
func (d *DB) Share(ctx context.Context, c challenge.Challenge) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if err := orNotFound(tx.ExecContext(ctx, `
			INSERT INTO challenges (id, kind, variant, rules_version, seed, opens_at, closes_at, grace_until, created_at, created_by)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, id
			FROM players
			WHERE id = $10 AND deleted_at IS NULL`,
			c.ID, c.Kind, c.Variant.ID, c.RulesVersion, c.Seed,
			c.OpensAt.UnixMilli(), c.ClosesAt.UnixMilli(), c.GraceUntil.UnixMilli(), c.CreatedAt.UnixMilli(), c.CreatedBy)); err != nil {
			return err
		}
		return addDeal(ctx, tx, `id = $1`, c.ID)
	})
}

// Commitments is described at challenge.Store.
func (d *DB) Commitments(ctx context.Context, q challenge.CommitmentQuery) (challenge.CommitmentPage, error) {
	const (
		later = `
			SELECT day, commitment_hash, committed_at
			FROM challenges
			WHERE variant = $1 AND day >= $2 AND day > $3 AND commitment_hash IS NOT NULL
			ORDER BY day`
		earlier = `
			SELECT day, commitment_hash, committed_at
			FROM challenges
			WHERE variant = $1 AND day >= $2 AND day < $3 AND commitment_hash IS NOT NULL
			ORDER BY day DESC`
	)
	query, from := later, ""
	switch {
	case q.After != nil:
		from = q.After.String()
	case q.Before != nil:
		query, from = earlier, q.Before.String()
	}
	rows, err := d.read.QueryContext(ctx, query+limitSQL(q.Limit+1), q.Variant.ID, q.From.String(), from)
	list, err := collect(rows, err, func(c *challenge.Commitment) []any {
		return []any{parsed(&c.Day, challenge.ParseDay), &c.Hash, millis{&c.CommittedAt}}
	})
	if err != nil {
		return challenge.CommitmentPage{}, err
	}
	if q.Before != nil {
		slices.Reverse(list)
	}
	list, prev, next := pageOf(list, q.Limit, q.After != nil, q.Before != nil)
	page := challenge.CommitmentPage{Commitments: list}
	if prev != nil {
		page.Prev = &prev.Day
	}
	if next != nil {
		page.Next = &next.Day
	}
	return page, nil
}

// Sealed is described at challenge.Store.
func (d *DB) Sealed(ctx context.Context, q challenge.SealQuery) ([]challenge.Seal, error) {
	before := int64(math.MaxInt64)
	if !q.OpenedBefore.IsZero() {
		before = q.OpenedBefore.UnixMilli()
	}
	opened := q.Now.UnixMilli()
	if q.Coming {
		opened = math.MaxInt64
	}
	args := []any{q.Now.UnixMilli(), opened, before}
	var params []string
	for _, seed := range q.Seeds {
		args = append(args, seed)
		params = append(params, fmt.Sprintf("$%d", len(args)))
	}
	in := `seed IN (` + strings.Join(params, ", ") + `)`
	rows, err := d.read.QueryContext(ctx, `
		SELECT seed, kind, MIN(opens_at), MAX(grace_until)
		FROM (
			SELECT seed, kind, opens_at, grace_until FROM challenges
			WHERE `+in+` AND opens_at <= $2 AND grace_until > $1
			UNION ALL
			SELECT seed, kind, opens_at, grace_until FROM (`+raceSealSQL+`) AS sealing
			WHERE `+in+`
		) AS seals
		WHERE opens_at < $3
		GROUP BY seed, kind`,
		args...)
	return collect(rows, err, func(s *challenge.Seal) []any {
		return []any{&s.Seed, &s.Kind, millis{&s.OpensAt}, millis{&s.Until}}
	})
}

// Submit is described at challenge.Store.
func (d *DB) Submit(ctx context.Context, f challenge.Filing) (s challenge.Submission, created bool, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		s, created, err = submit(ctx, tx, f)
		return err
	})
	if err != nil {
		return challenge.Submission{}, false, err
	}
	if s.ID != f.Submission.ID {
		s, err = d.Submission(ctx, s.ID)
	}
	return s, created, err
}

// submit keeps f, or finds the submission that answers it, of which it returns
// no more than the id. The lock comes first and what it protects is read after
// it, so that the submissions of a player for a challenge are judged one after
// the other.
func submit(ctx context.Context, tx *sql.Tx, f challenge.Filing) (s challenge.Submission, created bool, err error) {
	s = f.Submission
	hash := sha256.Sum256([]byte(f.Log))
	count, err := countSubmission(ctx, tx, s)
	if err != nil {
		return s, false, err
	}
	had, err := loadSubmitted(ctx, tx, &s, hash[:])
	if err != nil {
		return s, false, err
	}
	id, created, err := answerOfKey(ctx, tx, f)
	if err != nil {
		return s, false, err
	}
	keyIsNew := id == ""
	if keyIsNew {
		id = had.same
	}
	if id != "" {
		s.ID = id
		if err := uncountSubmission(ctx, tx, s); err != nil {
			return s, false, err
		}
	} else {
		if s.Improved, err = challenge.Judge(s, count-1, had.best); err != nil {
			return s, false, err
		}
		if err := addSubmission(ctx, tx, s, f.Log, hash[:]); err != nil {
			return s, false, err
		}
		if s.Improved {
			if err := setStanding(ctx, tx, s, had.best); err != nil {
				return s, false, err
			}
		}
		if f.LowersPar {
			if err := lowerPar(ctx, tx, s, f.Log); err != nil {
				return s, false, err
			}
		}
		created = true
	}
	if keyIsNew {
		err = keepAnswer(ctx, tx, f, s.ID, created)
	}
	return s, created, err
}

// countSubmission counts one more submission of a player for a challenge and
// returns how many that makes. Others of the same player and challenge wait for
// the end of the transaction.
func countSubmission(ctx context.Context, tx *sql.Tx, s challenge.Submission) (count int, err error) {
	err = tx.QueryRowContext(ctx, `
		INSERT INTO submission_counts (challenge_id, player_id, submissions)
		SELECT $1, id, 1 FROM players WHERE id = $2 AND deleted_at IS NULL
		ON CONFLICT (challenge_id, player_id) DO UPDATE SET submissions = submission_counts.submissions + 1
		RETURNING submissions`,
		s.ChallengeID, s.Player.ID).Scan(&count)
	if errors.Is(err, sql.ErrNoRows) {
		err = account.ErrNotFound
	}
	return count, err
}

// uncountSubmission takes back what countSubmission counted.
func uncountSubmission(ctx context.Context, tx *sql.Tx, s challenge.Submission) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE submission_counts SET submissions = submissions - 1
		WHERE challenge_id = $1 AND player_id = $2`,
		s.ChallengeID, s.Player.ID)
	return err
}

// answerOfKey returns what the key of f brought before; the id is empty if it
// has none, or is new.
func answerOfKey(ctx context.Context, tx *sql.Tx, f challenge.Filing) (id string, created bool, err error) {
	if f.Key == "" {
		return "", false, nil
	}
	var fingerprint []byte
	err = tx.QueryRowContext(ctx, `
		SELECT fingerprint, submission_id, created
		FROM submission_keys
		WHERE player_id = $1 AND key = $2 AND used_at > $3`,
		f.Submission.Player.ID, f.Key, f.Submission.VerifiedAt.Add(-challenge.KeyLife).UnixMilli(),
	).Scan(&fingerprint, &id, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err == nil && !bytes.Equal(fingerprint, f.Fingerprint[:]) {
		return "", false, account.ErrIdempotencyMismatch
	}
	return id, created, err
}

// keepAnswer remembers what the key of f brought, if it has one. A key that is
// in use by now, for another challenge, makes the transaction start again.
func keepAnswer(ctx context.Context, tx *sql.Tx, f challenge.Filing, id string, created bool) error {
	if f.Key == "" {
		return nil
	}
	now := f.Submission.VerifiedAt
	return orRetry(tx.ExecContext(ctx, `
		INSERT INTO submission_keys (player_id, key, fingerprint, submission_id, created, used_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (player_id, key) DO UPDATE
		SET fingerprint = excluded.fingerprint, submission_id = excluded.submission_id,
		    created = excluded.created, used_at = excluded.used_at
		WHERE submission_keys.used_at <= $7`,
		f.Submission.Player.ID, f.Key, f.Fingerprint[:], id, created, now.UnixMilli(), now.Add(-challenge.KeyLife).UnixMilli()))
}

// submitted is what a player has for a challenge already.
type submitted struct {
	same string // the id of the submission with the same log, if any
	best int64  // the result key of their standing; 0 if none
}

// loadSubmitted also fills in who the player of s is.
func loadSubmitted(ctx context.Context, tx *sql.Tx, s *challenge.Submission, hash []byte) (submitted, error) {
	var had submitted
	err := tx.QueryRowContext(ctx, `
		SELECT COALESCE(same.id, ''), COALESCE(best.result_key, 0), `+playerSQL+`
		FROM players p
		LEFT JOIN submissions same
		  ON same.challenge_id = $1 AND same.player_id = p.id AND same.log_hash = $3
		LEFT JOIN standings best
		  ON best.challenge_id = $1 AND best.player_id = p.id
		WHERE p.id = $2`,
		s.ChallengeID, s.Player.ID, hash,
	).Scan(slices.Concat([]any{&had.same, &had.best}, playerDest(&s.Player))...)
	return had, err
}

func addSubmission(ctx context.Context, tx *sql.Tx, s challenge.Submission, log string, hash []byte) error {
	r := s.Result
	_, err := tx.ExecContext(ctx, `
		INSERT INTO submissions (id, challenge_id, player_id, log, log_hash,
		    outcome, moves, plays, builds, returns, redeals, cards,
		    late, improved, verified_at, verified_by, rules_version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		s.ID, s.ChallengeID, s.Player.ID, log, hash,
		r.Outcome.String(), r.Moves, r.Plays, r.Builds, r.Returns, r.Redeals, r.Cards,
		s.Late, s.Improved, s.VerifiedAt.UnixMilli(), s.VerifiedBy, s.RulesVersion)
	return err
}

// setStanding makes s the standing of its player, whose result key has been
// best (0 if they had none).
func setStanding(ctx context.Context, tx *sql.Tx, s challenge.Submission, best int64) error {
	key := challenge.ResultKey(s.Result)
	if best == 0 {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO board_deltas (submission_id, delta, challenge_id, result_key)
			VALUES ($1, 1, $2, $3)`,
			s.ID, s.ChallengeID, key); err != nil {
			return err
		}
		return orRetry(tx.ExecContext(ctx, `
			INSERT INTO standings (challenge_id, player_id, submission_id, result_key, verified_at)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING`,
			s.ChallengeID, s.Player.ID, s.ID, key, s.VerifiedAt.UnixMilli()))
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO board_deltas (submission_id, delta, challenge_id, result_key)
		VALUES ($1, 1, $2, $3), ($1, -1, $2, $4)`,
		s.ID, s.ChallengeID, key, best); err != nil {
		return err
	}
	return orRetry(tx.ExecContext(ctx, `
		UPDATE standings SET submission_id = $3, result_key = $4, verified_at = $5
		WHERE challenge_id = $1 AND player_id = $2 AND result_key = $6`,
		s.ChallengeID, s.Player.ID, s.ID, key, s.VerifiedAt.UnixMilli(), best))
}

// submissionSQL reads submissions s with what submissionDest scans.
const submissionSQL = `
	SELECT s.id, s.challenge_id, c.seed, s.late, s.improved, s.verified_at,
	       CASE WHEN s.verified_at < c.grace_until THEN c.grace_until ELSE s.verified_at END, s.verified_by, s.rules_version, ` + resultSQL + `, ` + playerSQL + `, ` + parSQL + `
	FROM submissions s
	JOIN challenges c ON c.id = s.challenge_id
	JOIN players p ON p.id = s.player_id` + parJoin

func submissionDest(s *challenge.Submission) []any {
	return slices.Concat([]any{
		&s.ID, &s.ChallengeID, &s.Seed, &s.Late, &s.Improved, millis{&s.VerifiedAt}, millis{&s.PublicFrom}, &s.VerifiedBy, &s.RulesVersion,
	}, resultDest(&s.Result), playerDest(&s.Player), parDest(&s.Par))
}

// Submission is described at challenge.Store.
func (d *DB) Submission(ctx context.Context, id string) (challenge.Submission, error) {
	var s challenge.Submission
	err := d.read.QueryRowContext(ctx, submissionSQL+` WHERE s.id = $1`, id).Scan(submissionDest(&s)...)
	if errors.Is(err, sql.ErrNoRows) {
		return challenge.Submission{}, challenge.ErrNotFound
	}
	orNoPar(&s.Par)
	return s, mapError(err)
}

// SubmissionLog is described at challenge.Store.
func (d *DB) SubmissionLog(ctx context.Context, id string) (string, error) {
	var log string
	err := d.read.QueryRowContext(ctx, `SELECT log FROM submissions WHERE id = $1`, id).Scan(&log)
	if errors.Is(err, sql.ErrNoRows) {
		return "", challenge.ErrNotFound
	}
	return log, mapError(err)
}

// Submissions is described at challenge.Store.
func (d *DB) Submissions(ctx context.Context, playerID string, q challenge.ListQuery) (challenge.SubmissionPage, error) {
	const (
		older = submissionSQL + `
			WHERE s.player_id = $1 AND (s.verified_at, s.id) < ($2, $3)
			ORDER BY s.verified_at DESC, s.id DESC`
		newer = submissionSQL + `
			WHERE s.player_id = $1 AND (s.verified_at, s.id) > ($2, $3)
			ORDER BY s.verified_at, s.id`
	)
	query, from := older, challenge.ListCursor{VerifiedAt: time.UnixMilli(math.MaxInt64)}
	switch {
	case q.After != nil:
		from = *q.After
	case q.Before != nil:
		query, from = newer, *q.Before
	}
	rows, err := d.read.QueryContext(ctx, query+limitSQL(q.Limit+1), playerID, from.VerifiedAt.UnixMilli(), from.SubmissionID)
	list, err := collect(rows, err, submissionDest)
	if err != nil {
		return challenge.SubmissionPage{}, err
	}
	for i := range list {
		orNoPar(&list[i].Par)
	}
	if q.Before != nil {
		slices.Reverse(list)
	}
	list, prev, next := pageOf(list, q.Limit, q.After != nil, q.Before != nil)
	page := challenge.SubmissionPage{Submissions: list}
	if prev != nil {
		page.Prev = &challenge.ListCursor{VerifiedAt: prev.VerifiedAt, SubmissionID: prev.ID}
	}
	if next != nil {
		page.Next = &challenge.ListCursor{VerifiedAt: next.VerifiedAt, SubmissionID: next.ID}
	}
	return page, nil
}

// PlayedDays is described at challenge.Store. It goes through the dailies, of
// which there is one a day, in the order of their index, and finds the player's
// standing of each by its key.
func (d *DB) PlayedDays(ctx context.Context, q challenge.PlayedQuery) (challenge.PlayedPage, error) {
	const (
		played = `
			SELECT c.day, c.id, s.id, ` + resultSQL + `, ` + parSQL + `
			FROM challenges c
			JOIN standings st ON st.challenge_id = c.id AND st.player_id = $2
			JOIN submissions s ON s.id = st.submission_id` + parJoin
		older = played + `
			WHERE c.variant = $1 AND c.day < $3
			ORDER BY c.day DESC`
		newer = played + `
			WHERE c.variant = $1 AND c.day > $3
			ORDER BY c.day`
	)
	query, from := older, "9999-99-99"
	switch {
	case q.After != nil:
		from = q.After.String()
	case q.Before != nil:
		query, from = newer, q.Before.String()
	}
	if q.Limit > 0 {
		query += limitSQL(q.Limit + 1)
	}
	rows, err := d.read.QueryContext(ctx, query, q.Variant.ID, q.PlayerID, from)
	list, err := collect(rows, err, func(p *challenge.PlayedDay) []any {
		return slices.Concat([]any{parsed(&p.Day, challenge.ParseDay), &p.ChallengeID, &p.SubmissionID},
			resultDest(&p.Result), parDest(&p.Par))
	})
	if err != nil {
		return challenge.PlayedPage{}, err
	}
	for i := range list {
		orNoPar(&list[i].Par)
	}
	if q.Limit == 0 {
		return challenge.PlayedPage{Days: list}, nil
	}
	if q.Before != nil {
		slices.Reverse(list)
	}
	list, prev, next := pageOf(list, q.Limit, q.After != nil, q.Before != nil)
	page := challenge.PlayedPage{Days: list}
	if prev != nil {
		page.Prev = &prev.Day
	}
	if next != nil {
		page.Next = &next.Day
	}
	return page, nil
}

// ResultCounts is described at challenge.Store. Of results that are no wins only
// the blocks are read, since they can have many thousand keys.
func (d *DB) ResultCounts(ctx context.Context, challengeID string) ([]challenge.ResultCount, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT result_key, CAST(SUM(players) AS BIGINT)
		FROM (
			SELECT result_key, players FROM board_counts
			WHERE challenge_id = $1 AND result_key < $2
			UNION ALL
			SELECT CAST($2 AS BIGINT), players FROM board_blocks
			WHERE challenge_id = $1 AND first_key >= $2
			UNION ALL
			SELECT CASE WHEN result_key < $2 THEN result_key ELSE $2 END, delta FROM board_deltas
			WHERE challenge_id = $1
		) AS counts
		GROUP BY result_key
		HAVING SUM(players) <> 0
		ORDER BY result_key`,
		challengeID, challenge.WonBelow)
	return collect(rows, err, func(c *challenge.ResultCount) []any { return []any{&c.Key, &c.Players} })
}

// limitSQL limits a page. The number is part of the text, so that Postgres,
// which plans a statement for all its arguments at once, knows that the page is
// small.
func limitSQL(n int) string { return fmt.Sprintf(" LIMIT %d", n) }

// pageOf cuts the rows that were read after a cursor or before one, or from the
// beginning, to limit. prev and next are its first and its last row where there
// is more before and after them.
func pageOf[T any](rows []T, limit int, after, before bool) (page []T, prev, next *T) {
	page, more := cutPage(rows, limit, before)
	if len(page) == 0 {
		return page, nil, nil
	}
	if after || before && more {
		prev = &page[0]
	}
	if before || more {
		next = &page[len(page)-1]
	}
	return page, prev, next
}

// cutPage cuts a list to limit. If there is more, it is at the end, or at the
// beginning where the page was read backward.
func cutPage[T any](list []T, limit int, backward bool) (page []T, more bool) {
	switch {
	case len(list) <= limit:
		return list, false
	case backward:
		return list[len(list)-limit:], true
	default:
		return list[:limit], true
	}
}

// tallySQL counts the board of challenge $1 and what is better than or equal to
// asked.result_key; wins have keys below $2. It reads the board in blocks of a
// thousand keys, and key by key only in the block that is asked about, since
// unfinished results can have any of many thousand keys. Whoever reads a rank
// does it with this and in one statement, so from one snapshot. What is read
// more than once is MATERIALIZED; SQLite would run it each time.
const tallySQL = `
	board AS (
		SELECT first_key AS result_key, players FROM board_blocks
		WHERE challenge_id = $1
		  AND first_key <> (SELECT result_key - result_key % 1000 FROM asked)
		UNION ALL
		SELECT result_key, players FROM board_counts
		WHERE challenge_id = $1
		  AND result_key >= (SELECT result_key - result_key % 1000 FROM asked)
		  AND result_key < (SELECT result_key - result_key % 1000 + 1000 FROM asked)
		UNION ALL
		SELECT result_key, delta FROM board_deltas
		WHERE challenge_id = $1
	),
	tally AS MATERIALIZED (
		SELECT CAST(COALESCE(SUM(players), 0) AS BIGINT) AS players,
		       CAST(COALESCE(SUM(players) FILTER (WHERE result_key < $2), 0) AS BIGINT) AS winners,
		       CAST(COALESCE(SUM(players) FILTER (WHERE result_key < (SELECT result_key FROM asked)), 0) AS BIGINT) AS better,
		       CAST(COALESCE(SUM(players) FILTER (WHERE result_key = (SELECT result_key FROM asked)), 0) AS BIGINT) AS equals
		FROM board
	)`

// Tally is described at challenge.Store.
func (d *DB) Tally(ctx context.Context, challengeID string, resultKey int64) (challenge.Tally, error) {
	var t challenge.Tally
	err := d.read.QueryRowContext(ctx, `
		WITH asked AS (SELECT CAST($3 AS BIGINT) AS result_key), `+tallySQL+`
		SELECT players, winners, better FROM tally`,
		challengeID, challenge.WonBelow, resultKey,
	).Scan(&t.Players, &t.Winners, &t.Better)
	return t, mapError(err)
}

// rankSQL ranks the standings of page, which are neighbours on the board: those
// that are equal to the first by the tally, the others by how many of the page
// come before them.
const rankSQL = `,
	asked AS MATERIALIZED (SELECT MIN(result_key) AS result_key FROM page), ` + tallySQL + `
	SELECT CASE WHEN page.result_key = asked.result_key THEN 1 + tally.better
	            ELSE tally.better + tally.equals + RANK() OVER (ORDER BY page.result_key)
	                 - COUNT(*) FILTER (WHERE page.result_key = asked.result_key) OVER ()
	       END,
	       tally.players, tally.winners, s.id, s.verified_at, ` + resultSQL + `, ` + playerSQL + `
	FROM page
	CROSS JOIN asked
	CROSS JOIN tally
	JOIN submissions s ON s.id = page.submission_id
	JOIN players p ON p.id = page.player_id
	ORDER BY page.result_key, page.verified_at, page.submission_id`

// Leaderboard is described at challenge.Store.
func (d *DB) Leaderboard(ctx context.Context, challengeID string, q challenge.BoardQuery) (challenge.Board, error) {
	const (
		after = `
			WITH page AS MATERIALIZED (
				SELECT player_id, submission_id, result_key, verified_at
				FROM standings
				WHERE challenge_id = $1 AND (result_key, verified_at, submission_id) > ($3, $4, $5)
				ORDER BY result_key, verified_at, submission_id`
		before = `
			WITH page AS MATERIALIZED (
				SELECT player_id, submission_id, result_key, verified_at
				FROM standings
				WHERE challenge_id = $1 AND (result_key, verified_at, submission_id) < ($3, $4, $5)
				ORDER BY result_key DESC, verified_at DESC, submission_id DESC`
	)
	query, from := after, challenge.BoardCursor{}
	switch {
	case q.After != nil:
		from = *q.After
	case q.Before != nil:
		query, from = before, *q.Before
	}
	board, err := d.board(ctx, query+limitSQL(q.Limit+1)+`)`+rankSQL,
		challengeID, challenge.WonBelow, from.ResultKey, from.VerifiedAt.UnixMilli(), from.SubmissionID)
	if err != nil {
		return challenge.Board{}, err
	}
	list, prev, next := pageOf(board.Standings, q.Limit, q.After != nil, q.Before != nil)
	if len(list) == 0 { // and so no row to bring the counts
		tally, err := d.Tally(ctx, challengeID, 0)
		return challenge.Board{Players: tally.Players, Winners: tally.Winners}, err
	}
	board.Standings = list
	if prev != nil {
		board.Prev = new(prev.Cursor())
	}
	if next != nil {
		board.Next = new(next.Cursor())
	}
	return board, nil
}

// Around is described at challenge.Store.
func (d *DB) Around(ctx context.Context, challengeID, playerID string, limit int) (challenge.Board, error) {
	before := (limit - 1) / 2
	after := limit - before // with the player's own
	board, err := d.board(ctx, `
		WITH own AS MATERIALIZED (
			SELECT result_key, verified_at, submission_id
			FROM standings
			WHERE challenge_id = $1 AND player_id = $3
		),
		better AS (
			SELECT player_id, submission_id, result_key, verified_at
			FROM standings
			WHERE challenge_id = $1 AND (result_key, verified_at, submission_id)
			    < ((SELECT result_key FROM own), (SELECT verified_at FROM own), (SELECT submission_id FROM own))
			ORDER BY result_key DESC, verified_at DESC, submission_id DESC`+limitSQL(before+1)+`
		),
		rest AS (
			SELECT player_id, submission_id, result_key, verified_at
			FROM standings
			WHERE challenge_id = $1 AND (result_key, verified_at, submission_id)
			    >= ((SELECT result_key FROM own), (SELECT verified_at FROM own), (SELECT submission_id FROM own))
			ORDER BY result_key, verified_at, submission_id`+limitSQL(after+1)+`
		),
		page AS MATERIALIZED (SELECT * FROM better UNION ALL SELECT * FROM rest)`+rankSQL,
		challengeID, challenge.WonBelow, playerID)
	if err != nil {
		return challenge.Board{}, err
	}
	list := board.Standings
	own := slices.IndexFunc(list, func(s challenge.Standing) bool { return s.Player.ID == playerID })
	if own < 0 {
		return challenge.Board{}, challenge.ErrNotFound
	}
	from, to := max(0, own-before), min(len(list), own+after)
	board.Standings = list[from:to]
	if from > 0 {
		board.Prev = new(list[from].Cursor())
	}
	if to < len(list) {
		board.Next = new(list[to-1].Cursor())
	}
	return board, nil
}

// board runs a query that ends in rankSQL.
func (d *DB) board(ctx context.Context, query string, args ...any) (challenge.Board, error) {
	var b challenge.Board
	rows, err := d.read.QueryContext(ctx, query, args...)
	b.Standings, err = collect(rows, err, func(s *challenge.Standing) []any {
		return slices.Concat([]any{
			&s.Rank, &b.Players, &b.Winners, &s.SubmissionID, millis{&s.VerifiedAt},
		}, resultDest(&s.Result), playerDest(&s.Player))
	})
	return b, err
}

// resultSQL reads the result of submissions s with what resultDest scans.
const resultSQL = `s.outcome, s.moves, s.plays, s.builds, s.returns, s.redeals, s.cards`

func resultDest(r *replay.Result) []any {
	return []any{parsed(&r.Outcome, engine.ParseOutcome), &r.Moves, &r.Plays, &r.Builds, &r.Returns, &r.Redeals, &r.Cards}
}
