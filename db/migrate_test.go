package db_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cruel/account"
	"cruel/challenge"
	"cruel/db"
	"cruel/db/dbtest"
	"cruel/engine"
	"cruel/race"
	"cruel/rating"
)

// Case K14.
func TestMigrateAtOnce(t *testing.T) {
	for _, test := range []struct {
		name string
		dsn  func(*testing.T) string
	}{
		{"sqlite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "cruel.db") }},
		{"postgres", func(t *testing.T) string { return dbtest.Postgres(t) }},
		{"pooler", func(t *testing.T) string { return dbtest.Postgres(t) + "&default_query_exec_mode=exec" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dsn := test.dsn(t)
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					d, err := db.Open(t.Context(), dsn)
					if err != nil {
						t.Error(err)
						return
					}
					defer d.Close()
					if err := d.Migrate(t.Context()); err != nil {
						t.Error(err)
					}
					if ok, err := d.Migrated(t.Context()); !ok || err != nil {
						t.Errorf("migrated: %v, %v", ok, err)
					}
				})
			}
			wg.Wait()
			d := open(t, dsn)
			var rows, versions int
			err := d.Read().QueryRow("SELECT COUNT(*), COUNT(DISTINCT version_id) FROM goose_db_version").Scan(&rows, &versions)
			files, globErr := filepath.Glob("migrations/*.sql")
			if err != nil || globErr != nil || rows != versions || versions != len(files)+1 { // goose adds a version 0
				t.Errorf("%d rows, %d versions, %d files, %v", rows, versions, len(files), err)
			}
			if err := d.Migrate(t.Context()); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
}

func TestMigrated(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, dsn)
			wantMigrated(t, d, false)
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantMigrated(t, d, true)
			// A newer program has been here: one that runs goes on, none starts.
			exec(t, d, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, $1)", true)
			wantMigrated(t, d, true)
			if err := d.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "version 9999") {
				t.Errorf("newer database: %v", err)
			}
			exec(t, d, "DELETE FROM goose_db_version WHERE version_id > 1")
			wantMigrated(t, d, false)
		})
	}
}

func wantMigrated(t *testing.T, d *db.DB, want bool) {
	t.Helper()
	if got, err := d.Migrated(t.Context()); got != want || err != nil {
		t.Errorf("migrated: %v, %v, want %v", got, err, want)
	}
}

// Of the challenges that were there before deals were kept, the best win that a
// player sent is the par, and all deals are to be solved.
func TestMigrateFindsPars(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, dsn)
			if err := d.MigrateTo(t.Context(), 2); err != nil {
				t.Fatal(err)
			}
			plantVersion2(t, d)
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			deal := func(variant string, seed engine.Seed, submission string, moves int, foundAt int64) challenge.Deal {
				want := challenge.Deal{Variant: mustVariant(t, variant), Seed: seed, SubmissionID: submission}
				if moves > 0 {
					want.Moves, want.Log, want.FoundAt = moves, "log of "+submission, time.UnixMilli(foundAt).UTC()
				}
				return want
			}
			want := []challenge.Deal{ // as they are to be solved, the oldest first
				deal("cruel", "one", "s3", 58, 10_002),
				deal("cruel", "two", "", 0, 0),
				deal("cruel-returns", "one", "s5", 59, 10_004),
				deal("cruel", "three", "s7", 57, 10_006),
				deal("cruel", "four", "", 0, 0),
			}
			got, err := d.Unsolved(t.Context(), 100)
			if err != nil {
				t.Fatal(err)
			}
			for i, listed := range got {
				if got[i], err = d.Deal(t.Context(), listed.Variant, listed.Seed); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got, comparable); diff != "" {
				t.Errorf("deals (-want +got):\n%s", diff)
			}
			c, err := d.Challenge(t.Context(), "early")
			if err != nil {
				t.Fatal(err)
			}
			par := &challenge.Par{
				Moves: 58, Kind: challenge.BestKnown,
				Holder: &account.Player{ID: "r", Name: "r", Guest: true, CreatedAt: time.UnixMilli(0).UTC()},
			}
			if diff := cmp.Diff(par, c.Par); diff != "" || c.Commitment != nil || c.Lost || c.Difficulty != 0 {
				t.Errorf("%+v, par (-want +got):\n%s", c, diff)
			}
		})
	}
}

// Ratings and races from before they had what their lists go by are listed as
// if they always had it.
func TestMigrateFillsRaceLists(t *testing.T) {
	for name, dsn := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "cruel.db"),
		"postgres": dbtest.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, dsn)
			if err := d.MigrateTo(t.Context(), 4); err != nil {
				t.Fatal(err)
			}
			ratings := map[string]race.PlayerRating{
				"known":   {Rating: rating.Rating{Rating: 1600, Deviation: 50, Volatility: 0.0598}, Races: 90, RacedAt: noon},
				"barely":  {Rating: rating.Rating{Rating: 1500, Deviation: 109.99, Volatility: 0.06}, Races: 14, RacedAt: noon},
				"unknown": {Rating: rating.Rating{Rating: 1400, Deviation: 110.01, Volatility: 0.06}, Races: 13, RacedAt: noon},
			}
			for id, r := range ratings {
				exec(t, d, "INSERT INTO players (id, name, name_key, created_at) VALUES ($1, $1, $1, 0)", id)
				exec(t, d, `
					INSERT INTO ratings (player_id, variant, goal, rating, deviation, volatility, races, raced_at)
					VALUES ($1, 'cruel', 'first_win', $2, $3, $4, $5, $6)`,
					id, r.Rating.Rating, r.Deviation, r.Volatility, r.Races, r.RacedAt.UnixMilli())
			}
			exec(t, d, `
				INSERT INTO races (code, version, state, goal, variant, rules_version, visibility, time_limit, seed, seed_named,
				    created_at, rated, outcome, best_of, game, changed_at)
				VALUES ('kqtwzv', 9, 'finished', 'first_win', 'cruel', 1, 'open', 60000, '2', $1, 12345, $2, 'draw', 1, 1, 0)`, true, false)
			for seat, id := range []string{"known", "barely"} {
				exec(t, d, `
					INSERT INTO entrants (race_code, seat, player_id, state, log, outcome, moves, plays, builds, returns, redeals, cards, wins)
					VALUES ('kqtwzv', $1, $2, 'finished', '', 'unfinished', 0, 0, 0, 0, 0, 4, 0)`, seat, id)
			}
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			for id, r := range ratings {
				var got sql.NullInt64
				if err := d.Read().QueryRow("SELECT ranked_until FROM ratings WHERE player_id = $1", id).Scan(&got); err != nil {
					t.Fatal(err)
				}
				want, ok := r.RankedUntil()
				if got.Valid != ok || ok && time.UnixMilli(got.Int64).Sub(want).Abs() > time.Second {
					t.Errorf("%s is ranked until %v, want %v, %v", id, got, want, ok)
				}
			}
			for _, id := range []string{"known", "barely"} {
				page, err := d.ListRaces(t.Context(), race.ListQuery{States: []race.State{race.Finished}, PlayerID: id, Limit: 9})
				if err != nil || len(page.Races) != 1 || page.Races[0].CreatedAt.UnixMilli() != 12345 {
					t.Errorf("the races of %s: %+v, %v", id, page, err)
				}
			}
		})
	}
}

// plantVersion2 fills a database of version 2 with challenges and submissions.
func plantVersion2(t *testing.T, d *db.DB) {
	t.Helper()
	for _, id := range []string{"p", "q", "r"} {
		exec(t, d, "INSERT INTO players (id, name, name_key, created_at) VALUES ($1, $1, $1, 0)", id)
	}
	for _, c := range []struct {
		id, day, variant, seed string // no day: shared
		createdAt              int
	}{
		{"late", "", "cruel", "one", 5000},
		{"early", "", "cruel", "one", 1000},
		{"unwon", "", "cruel", "two", 2000},
		{"returns", "", "cruel-returns", "one", 3000},
		{"cruel-2026-11-30", "2026-11-30", "cruel", "three", 4000},
		{"cruel-2026-12-01", "2026-12-01", "cruel", "four", 5000}, // that nobody has played
	} {
		shared := c.day == ""
		kind := "daily"
		if shared {
			kind = "shared"
		}
		exec(t, d, `
			INSERT INTO challenges (id, kind, variant, rules_version, day, seed, opens_at, closes_at, grace_until, created_by, created_at)
			VALUES ($1, $2, $3, 1, $4, $5, $6, 1000000, 1000000, $7, $6)`,
			c.id, kind, c.variant, sql.NullString{String: c.day, Valid: !shared}, c.seed, c.createdAt, sql.NullString{String: "p", Valid: shared})
	}
	for _, s := range []struct {
		id, challenge, player string
		won                   bool
		moves, verifiedAt     int
		late                  bool
	}{
		{"s1", "late", "p", true, 60, 10_001, false},
		{"s2", "early", "q", true, 58, 10_003, false},
		{"s3", "late", "r", true, 58, 10_002, true}, // the first of the best
		{"s4", "early", "q", false, 5, 10_000, false},
		{"s5", "returns", "p", true, 59, 10_004, false},
		{"s6", "unwon", "p", false, 30, 10_005, false},
		{"s8", "cruel-2026-11-30", "p", true, 57, 10_006, false},
		{"s7", "cruel-2026-11-30", "q", true, 57, 10_006, false}, // in the same millisecond: the ids decide
	} {
		outcome, plays, cards := "won", 48, 52
		if !s.won {
			outcome, plays, cards = "unfinished", 0, 4
		}
		exec(t, d, `
			INSERT INTO submissions (id, challenge_id, player_id, log, log_hash, outcome, moves, plays, builds, returns, redeals, cards,
			    late, improved, verified_at, verified_by, rules_version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, $9, $10, $11, $12, $13, '', 1)`,
			s.id, s.challenge, s.player, "log of "+s.id, []byte(s.id), outcome, s.moves, plays, s.moves-plays, cards, s.late, false, s.verifiedAt)
	}
}

func TestBackup(t *testing.T) {
	d := dbtest.Open(t)
	secret := func(d *db.DB, name string) string {
		t.Helper()
		value, err := d.Secret(t.Context(), name, func() []byte { return []byte("made anew") })
		if err != nil {
			t.Fatal(err)
		}
		return string(value)
	}
	exec(t, d, "INSERT INTO secrets (name, value) VALUES ('a', $1)", []byte("kept"))
	file := filepath.Join(t.TempDir(), "file:copy?.db")

	// A transaction that isn't committed yet is no hindrance and isn't in it.
	err := d.InTx(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO secrets (name, value) VALUES ('b', $1)", []byte("later")); err != nil {
			return err
		}
		return d.Backup(t.Context(), file)
	})
	if err != nil {
		t.Fatal(err)
	}
	if stat, err := os.Stat(file); err != nil || stat.Mode().Perm() != 0o600 {
		t.Errorf("file: %v, %v", stat, err)
	}
	backup := open(t, file)
	wantMigrated(t, backup, true)
	if a, b := secret(backup, "a"), secret(backup, "b"); a != "kept" || b != "made anew" {
		t.Errorf("in the copy: %q and %q", a, b)
	}

	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Backup(t.Context(), file); err == nil {
		t.Error("a file was overwritten")
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	other := filepath.Join(t.TempDir(), "other.db")
	if err := d.Backup(cancelled, other); err == nil {
		t.Error("a cancelled backup succeeded")
	}
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Errorf("it left a file: %v", err)
	}

	if err := open(t, dbtest.Postgres(t)).Backup(t.Context(), other); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("on Postgres: %v", err)
	}
}
