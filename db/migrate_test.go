package db_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cruel/db"
	"cruel/db/dbtest"
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
