package db

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/race"
)

var _ race.Store = (*DB)(nil)

// raceSQL reads races r, a row for each entrant e, with what raceDest scans.
const raceSQL = `
	SELECT r.code, r.version, r.state, r.goal, r.variant, r.visibility, r.time_limit, r.seed, r.seed_named,
	       r.created_at, r.starts_at, r.ends_at, r.rated, COALESCE(r.outcome, ''), COALESCE(r.winner, -1),
	       r.best_of, r.game, COALESCE(r.next_code, ''),
	       e.seat, e.wins, e.state, e.log, e.finished_at, e.rematch_at, COALESCE(e.rating_before, 0), COALESCE(e.rating_after, 0),
	       e.outcome, e.moves, e.plays, e.builds, e.returns, e.redeals, e.cards, ` + playerSQL + `
	FROM races r
	JOIN entrants e ON e.race_code = r.code
	JOIN players p ON p.id = e.player_id`

// raceRow is a race with one of its entrants.
type raceRow struct {
	race.Race
	seat, wins int
	limit      int64
	entrant    race.Entrant
}

func raceDest(r *raceRow) []any {
	e := &r.entrant
	return slices.Concat([]any{
		&r.Code, &r.Version, &r.State, &r.Goal, parsed(&r.Variant, engine.ParseVariant), &r.Visibility, &r.limit, &r.Seed, &r.SeedNamed,
		millis{&r.CreatedAt},
		millis{&r.StartsAt},
		millis{&r.EndsAt},
		&r.Rated, &r.Outcome, &r.Winner,
		&r.BestOf, &r.Game, &r.NextCode,
		&r.seat, &r.wins, &e.State, &e.Log,
		millis{&e.FinishedAt},
		millis{&e.RematchAt},
		&e.RatingBefore, &e.RatingAfter,
	}, resultDest(&e.Result), playerDest(&e.Player))
}

// joinRows makes races of rows, those of one race one after the other.
func joinRows(rows []raceRow) []race.Race {
	var list []race.Race
	for _, row := range rows {
		if len(list) == 0 || list[len(list)-1].Code != row.Code {
			row.TimeLimit = time.Duration(row.limit) * time.Millisecond
			list = append(list, row.Race)
		}
		r := &list[len(list)-1]
		r.Entrants[row.seat], r.Wins[row.seat] = row.entrant, row.wins
	}
	return list
}

// Race is described at race.Store.
func (d *DB) Race(ctx context.Context, code string) (race.Race, error) {
	rows, err := d.read.QueryContext(ctx, raceSQL+` WHERE r.code = $1`, code)
	list, err := collect(rows, err, raceDest)
	if err == nil && len(list) == 0 {
		err = race.ErrNotFound
	}
	if err != nil {
		return race.Race{}, err
	}
	return joinRows(list)[0], nil
}

// CreateRace is described at race.Store.
func (d *DB) CreateRace(ctx context.Context, r race.Race, events []race.Event) error {
	return d.inTx(ctx, func(tx *sql.Tx) error { return addRace(ctx, tx, r, events) })
}

func addRace(ctx context.Context, tx *sql.Tx, r race.Race, events []race.Event) error {
	due, _ := r.Due() // an open race has one
	result, err := tx.ExecContext(ctx, `
		INSERT INTO races (code, version, state, goal, variant, rules_version, visibility, time_limit, seed, seed_named,
		    created_at, rated, best_of, game, due_at, changed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $11)
		ON CONFLICT DO NOTHING`,
		r.Code, r.Version, r.State, r.Goal, r.Variant.ID, engine.RulesVersion, r.Visibility, r.TimeLimit.Milliseconds(),
		r.Seed, r.SeedNamed, r.CreatedAt.UnixMilli(), r.Rated, r.BestOf, r.Game, due.UnixMilli())
	if err := orElse(result, err, race.ErrCodeTaken); err != nil {
		return err
	}
	if err := saveEntrants(ctx, tx, r); err != nil {
		return err
	}
	return addEvents(ctx, tx, r, events)
}

// SaveRace is described at race.Store.
func (d *DB) SaveRace(ctx context.Context, c race.Change) error {
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		if c.Next != nil {
			if err := addRace(ctx, tx, c.Next.Race, c.Next.Events); err != nil {
				return err
			}
		}
		if err := replaceRace(ctx, tx, c); err != nil {
			return err
		}
		if err := saveEntrants(ctx, tx, c.Race); err != nil {
			return err
		}
		if err := addEvents(ctx, tx, c.Race, c.Events); err != nil {
			return err
		}
		if at, ended := c.EndedAt(); ended && c.Race.Rated {
			if err := rerate(ctx, tx, c.Race, at); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		d.tell(ctx, c.Race.Code, c.Race.Version)
	}
	return err
}

// replaceRace takes the lock on the race, so that changes of it come one after
// the other.
func replaceRace(ctx context.Context, tx *sql.Tx, c race.Change) error {
	r := c.Race
	var due sql.NullInt64
	if at, ok := r.Due(); ok {
		due = sql.NullInt64{Int64: at.UnixMilli(), Valid: true}
	}
	result, err := tx.ExecContext(ctx, `
		UPDATE races
		SET version = $3, state = $4, starts_at = $5, ends_at = $6, rated = $7, outcome = $8, winner = $9,
		    game = $10, next_code = $11, due_at = $12, changed_at = $13
		WHERE code = $1 AND version = $2`,
		r.Code, c.From, r.Version, r.State, orNullTime(r.StartsAt), orNullTime(r.EndsAt), r.Rated,
		sql.NullString{String: string(r.Outcome), Valid: r.Outcome != ""},
		sql.NullInt64{Int64: int64(r.Winner), Valid: r.Winner >= 0},
		r.Game, sql.NullString{String: r.NextCode, Valid: r.NextCode != ""}, due,
		c.At.UnixMilli())
	return orElse(result, err, race.ErrConflict)
}

// errNew is no fault: the entrant is to be added.
var errNew = errors.New("the entrant is new")

// saveEntrants writes the seats of a race. Who is new in one must be there: the
// error is account.ErrNotFound.
func saveEntrants(ctx context.Context, tx *sql.Tx, r race.Race) error {
	for seat, e := range r.Entrants {
		if e.Player.ID == "" {
			if _, err := tx.ExecContext(ctx, `DELETE FROM entrants WHERE race_code = $1 AND seat = $2`, r.Code, seat); err != nil {
				return err
			}
			continue
		}
		args := []any{
			r.Code, seat, e.Player.ID, e.State, e.Log, e.Result.Outcome.String(), e.Result.Moves, e.Result.Plays,
			e.Result.Builds, e.Result.Returns, e.Result.Redeals, e.Result.Cards,
			orNullTime(e.FinishedAt), orNullTime(e.RematchAt), r.Wins[seat], r.CreatedAt.UnixMilli(),
		}
		result, err := tx.ExecContext(ctx, `
			UPDATE entrants
			SET state = $4, log = $5, outcome = $6, moves = $7, plays = $8, builds = $9, returns = $10, redeals = $11,
			    cards = $12, finished_at = $13, rematch_at = $14, wins = $15, created_at = $16
			WHERE race_code = $1 AND seat = $2 AND player_id = $3`, args...)
		if err = orElse(result, err, errNew); errors.Is(err, errNew) {
			err = addEntrant(ctx, tx, e.Player.ID, args)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addEntrant adds one whose columns are args. Referring to the player's row waits
// for a deletion of it that is under way, and makes one that begins later wait.
// So only then it is certain whether they are deleted.
func addEntrant(ctx context.Context, tx *sql.Tx, playerID string, args []any) error {
	if err := orNotFound(tx.ExecContext(ctx, `
		INSERT INTO entrants (race_code, seat, player_id, state, log, outcome, moves, plays, builds, returns, redeals,
		    cards, finished_at, rematch_at, wins, created_at)
		SELECT $1, $2, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
		FROM players
		WHERE id = $3`, args...)); err != nil {
		return err
	}
	var deleted bool
	err := tx.QueryRowContext(ctx, `SELECT deleted_at IS NOT NULL FROM players WHERE id = $1`, playerID).Scan(&deleted)
	if err == nil && deleted {
		err = account.ErrNotFound
	}
	return err
}

// addEvents adds the events that led to a race, the last of which made its
// version.
func addEvents(ctx context.Context, tx *sql.Tx, r race.Race, events []race.Event) error {
	for i, e := range events {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO race_events (race_code, version, kind, seat, at, cards, moves)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			r.Code, r.Version-len(events)+1+i, e.Kind, e.Seat, e.At.UnixMilli(), e.Cards, e.Moves); err != nil {
			return err
		}
	}
	return nil
}

// rerate changes the ratings of both entrants. Their rows are locked in one
// order for all races.
func rerate(ctx context.Context, tx *sql.Tx, r race.Race, ended time.Time) error {
	seats := []int{0, 1}
	if r.Entrants[1].Player.ID < r.Entrants[0].Player.ID {
		seats = []int{1, 0}
	}
	var before [2]race.PlayerRating
	for _, seat := range seats {
		start, b := race.StartRating(), &before[seat]
		if err := tx.QueryRowContext(ctx, `
			INSERT INTO ratings (player_id, variant, goal, rating, deviation, volatility, races, raced_at)
			VALUES ($1, $2, $3, $4, $5, $6, 0, $7)
			ON CONFLICT (player_id, variant, goal) DO UPDATE SET races = ratings.races
			RETURNING rating, deviation, volatility, races, raced_at`,
			r.Entrants[seat].Player.ID, r.Variant.ID, r.Goal, start.Rating.Rating, start.Deviation, start.Volatility, ended.UnixMilli(),
		).Scan(&b.Rating.Rating, &b.Deviation, &b.Volatility, &b.Races, millis{&b.RacedAt}); err != nil {
			return err
		}
	}
	for seat, a := range race.Rerate(r, before, ended) {
		until, _ := a.RankedUntil()
		if _, err := tx.ExecContext(ctx, `
			UPDATE ratings
			SET rating = $4, deviation = $5, volatility = $6, races = $7, raced_at = $8, ranked_until = $9
			WHERE player_id = $1 AND variant = $2 AND goal = $3`,
			r.Entrants[seat].Player.ID, r.Variant.ID, r.Goal, a.Rating.Rating, a.Deviation, a.Volatility, a.Races,
			a.RacedAt.UnixMilli(), orNullTime(until)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			UPDATE entrants SET rating_before = $3, rating_after = $4
			WHERE race_code = $1 AND seat = $2`,
			r.Code, seat, before[seat].Rating.Rating, a.Rating.Rating); err != nil {
			return err
		}
	}
	return nil
}

// DueRaces is described at race.Store. What a deleted player was to race next is
// due no more, though its row says so.
func (d *DB) DueRaces(ctx context.Context, now time.Time) ([]string, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT r.code
		FROM races r
		WHERE r.due_at <= $1 AND (r.state <> 'finished' OR NOT EXISTS (
			SELECT 1
			FROM entrants e
			JOIN players p ON p.id = e.player_id
			WHERE e.race_code = r.code AND p.deleted_at IS NOT NULL
		))
		ORDER BY r.state = 'finished', r.due_at`+limitSQL(500), now.UnixMilli())
	return collect(rows, err, func(code *string) []any { return []any{code} })
}

// UnfinishedRaces is described at race.Store.
func (d *DB) UnfinishedRaces(ctx context.Context, playerID string) ([]string, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT r.code
		FROM entrants e
		JOIN races r ON r.code = e.race_code
		WHERE e.player_id = $1 AND r.state IN ('open', 'countdown', 'running')`, playerID)
	return collect(rows, err, func(code *string) []any { return []any{code} })
}

// ChangedRaces is described at race.Store.
func (d *DB) ChangedRaces(ctx context.Context, since time.Time) (map[string]int, error) {
	type row struct {
		code    string
		version int
	}
	rows, err := d.read.QueryContext(ctx, `SELECT code, version FROM races WHERE changed_at >= $1`, since.UnixMilli())
	list, err := collect(rows, err, func(r *row) []any { return []any{&r.code, &r.version} })
	versions := map[string]int{}
	for _, r := range list {
		versions[r.code] = r.version
	}
	return versions, err
}

// RaceEvents is described at race.Store.
func (d *DB) RaceEvents(ctx context.Context, code string, version int) ([]race.Event, error) {
	rows, err := d.read.QueryContext(ctx, `
		SELECT kind, seat, at, cards, moves
		FROM race_events
		WHERE race_code = $1 AND version > $2
		ORDER BY version`+limitSQL(256), code, version)
	return collect(rows, err, func(e *race.Event) []any {
		return []any{&e.Kind, &e.Seat, millis{&e.At}, &e.Cards, &e.Moves}
	})
}

// raceSealSQL reads from when until when a race that isn't over seals its seed.
// An open one has no end yet; this is the latest that it can have.
const raceSealSQL = `
	SELECT seed, 'race' AS kind, created_at AS opens_at,
	       COALESCE(ends_at, created_at + 1805000 + time_limit) AS grace_until
	FROM races
	WHERE state IN ('open', 'countdown', 'running')`

// SealedUntil is described at race.Store.
func (d *DB) SealedUntil(ctx context.Context, seed engine.Seed, now time.Time) (until time.Time, sealed bool, err error) {
	err = d.read.QueryRowContext(ctx, `
		SELECT MAX(grace_until)
		FROM (
			SELECT grace_until FROM challenges
			WHERE seed = $1 AND kind = 'daily' AND grace_until > $2
			UNION ALL
			SELECT grace_until FROM (`+raceSealSQL+`) AS sealing WHERE seed = $1
		) AS seals`, seed, now.UnixMilli()).Scan(millis{&until})
	return until, !until.IsZero(), mapError(err)
}

// LogsSealed is described at race.Store.
func (d *DB) LogsSealed(ctx context.Context, r race.Race, now time.Time) (sealed bool, err error) {
	err = d.read.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1
			FROM (
				SELECT opens_at FROM challenges WHERE seed = $2 AND opens_at <= $3 AND grace_until > $3
				UNION ALL
				SELECT opens_at FROM (`+raceSealSQL+`) AS sealing WHERE seed = $2
			) AS seals
			WHERE opens_at < (SELECT at FROM race_events WHERE race_code = $1 AND kind = 'over')
		)`, r.Code, r.Seed, now.UnixMilli()).Scan(&sealed)
	return sealed, mapError(err)
}

// ListRaces is described at race.Store.
func (d *DB) ListRaces(ctx context.Context, q race.ListQuery) (race.Page, error) {
	page, args := racePageSQL(q)
	rows, err := d.read.QueryContext(ctx, `WITH page AS (`+page+`)`+raceSQL+`
		WHERE r.code IN (SELECT code FROM page)
		ORDER BY r.created_at DESC, r.code DESC`, args...)
	joined, err := collect(rows, err, raceDest)
	if err != nil {
		return race.Page{}, err
	}
	list, prev, next := pageOf(joinRows(joined), q.Limit, q.After != nil, q.Before != nil)
	answer := race.Page{Races: list}
	if prev != nil {
		answer.Prev = &race.ListCursor{CreatedAt: prev.CreatedAt, Code: prev.Code}
	}
	if next != nil {
		answer.Next = &race.ListCursor{CreatedAt: next.CreatedAt, Code: next.Code}
	}
	return answer, nil
}

// racePageSQL reads the codes of a page of races, by the order of an index. The
// states are part of the text, as they are of the indexes, or no plan could use
// these.
func racePageSQL(q race.ListQuery) (text string, args []any) {
	order, compare, from := " DESC", "<", race.ListCursor{CreatedAt: time.UnixMilli(math.MaxInt64)}
	switch {
	case q.After != nil:
		from = *q.After
	case q.Before != nil:
		order, compare, from = "", ">", *q.Before
	}
	args = []any{from.CreatedAt.UnixMilli(), from.Code}
	var states []string
	for _, state := range q.States {
		states = append(states, "'"+string(state)+"'")
	}
	shown := ` r.visibility = 'open' AND r.state IN (` + strings.Join(states, ", ") + `)`
	if q.PlayerID == "" {
		return `
			SELECT r.code
			FROM races r
			WHERE (r.created_at, r.code) ` + compare + ` ($1, $2) AND` + shown + `
			ORDER BY r.created_at` + order + `, r.code` + order + limitSQL(q.Limit+1), args
	}
	return `
		SELECT e.race_code AS code
		FROM entrants e
		JOIN races r ON r.code = e.race_code
		WHERE e.player_id = $3 AND (e.created_at, e.race_code) ` + compare + ` ($1, $2) AND` + shown + `
		ORDER BY e.created_at` + order + `, e.race_code` + order + limitSQL(q.Limit+1), append(args, q.PlayerID)
}

// ratingSQL reads ratings g with what ratingDest scans.
const ratingSQL = `
	SELECT g.variant, g.goal, g.rating, g.deviation, g.volatility, g.races, g.raced_at, ` + playerSQL + `
	FROM ratings g
	JOIN players p ON p.id = g.player_id`

func ratingDest(r *race.RatingRow) []any {
	return slices.Concat([]any{
		parsed(&r.Variant, engine.ParseVariant), &r.Goal, &r.Rating.Rating, &r.Deviation, &r.Volatility, &r.Races, millis{&r.RacedAt},
	}, playerDest(&r.Player))
}

// PlayerRatings is described at race.Store.
func (d *DB) PlayerRatings(ctx context.Context, playerID string) ([]race.RatingRow, error) {
	rows, err := d.read.QueryContext(ctx, ratingSQL+`
		WHERE g.player_id = $1
		ORDER BY g.variant, g.goal`, playerID)
	return collect(rows, err, ratingDest)
}

// Ratings is described at race.Store.
func (d *DB) Ratings(ctx context.Context, q race.RatingQuery, now time.Time) (race.RatingPage, error) {
	order, compare, from := " DESC", "<", race.RatingCursor{Rating: math.MaxFloat64}
	switch {
	case q.After != nil:
		from = *q.After
	case q.Before != nil:
		order, compare, from = "", ">", *q.Before
	}
	rows, err := d.read.QueryContext(ctx, ratingSQL+`
		WHERE g.variant = $1 AND g.goal = $2 AND g.ranked_until > $5 AND p.deleted_at IS NULL
		  AND (g.rating, g.player_id) `+compare+` ($3, $4)
		ORDER BY g.rating`+order+`, g.player_id`+order+limitSQL(q.Limit+1),
		q.Variant.ID, q.Goal, from.Rating, from.PlayerID, now.UnixMilli())
	list, err := collect(rows, err, ratingDest)
	if err != nil {
		return race.RatingPage{}, err
	}
	if q.Before != nil {
		slices.Reverse(list)
	}
	list, prev, next := pageOf(list, q.Limit, q.After != nil, q.Before != nil)
	page := race.RatingPage{Rows: list}
	if prev != nil {
		page.Prev = &race.RatingCursor{Rating: prev.Rating.Rating, PlayerID: prev.Player.ID}
	}
	if next != nil {
		page.Next = &race.RatingCursor{Rating: next.Rating.Rating, PlayerID: next.Player.ID}
	}
	return page, nil
}

func orNullTime(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}
