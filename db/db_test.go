package db_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cruel/db"
	"cruel/db/dbtest"
)

func TestParseDSN(t *testing.T) {
	for _, test := range []struct{ dsn, want string }{
		{"/var/lib/cruel.db", "/var/lib/cruel.db"},
		{"/var/lib/../lib/a?b#c%20d e.db", "/var/lib/a?b#c%20d e.db"},
		{"postgres://joe:secret@db.example:6432/cruel?sslmode=disable", "Postgres cruel at db.example:6432"},
		{"postgresql:///cruel?host=/run/postgresql&user=joe", "Postgres cruel at /run/postgresql:5432"},
	} {
		dsn, err := db.ParseDSN(test.dsn)
		if err != nil || dsn.String() != test.want || dsn.Postgres() != strings.HasPrefix(test.dsn, "postgres") {
			t.Errorf("ParseDSN(%q) = %v, %v", test.dsn, dsn, err)
		}
	}
	for _, test := range []struct{ dsn, reason string }{
		{"", "no file"},
		{":memory:", "another database on each connection"}, // case K18
		{"file::memory:?cache=shared", "another database on each connection"},
		{"file:cruel.db?_pragma=synchronous(0)", "plain path"},
		{"mysql://localhost/cruel", "neither"},
		{"host=127.0.0.1 user=joe password=secret", "postgres://USER@HOST"},
		{"dbname=cruel", "postgres://USER@HOST"},
		{"postgres:joe:secret@localhost", "postgres://USER@HOST"},
		{"folder/", "folder"},
		{"a\x00b", "NUL"},
		{"postgres://joe:secret@localhost:port/cruel", "port"},
		{"postgres://joe:secret@localhost/cruel?sslmode=perhaps", "sslmode"},
		{"postgres://joe:secret@localhost/cruel?default_query_exec_mode=fast", "default_query_exec_mode"},
	} {
		_, err := db.ParseDSN(test.dsn)
		if err == nil || !strings.Contains(err.Error(), test.reason) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseDSN(%q): %v, want a line with %q", test.dsn, err, test.reason)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, bytes.Repeat([]byte("This is no database. "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, dsn, reason string
		unavailable       bool
	}{
		{"missing folder", filepath.Join(dir, "missing", "cruel.db"), "folder " + filepath.Join(dir, "missing") + " does not exist", false},
		{"file as folder", filepath.Join(text, "cruel.db"), "not a folder", false},
		{"folder as file", dir, "it is a folder", false},
		{"other file", text, "not a database", false},
		{"no server", "postgres:///cruel?host=" + dir, "no such file", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := db.Open(t.Context(), test.dsn)
			if d != nil || err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("got %v, want a reason with %q", err, test.reason)
			}
			if errors.Is(err, db.ErrUnavailable) != test.unavailable {
				t.Errorf("unavailable: %v", !test.unavailable)
			}
		})
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

func TestCheckPostgres(t *testing.T) {
	for _, test := range []struct {
		version  int
		encoding string
		reason   string
	}{
		{150014, "UTF8", ""},
		{180000, "UTF8", ""},
		{140020, "UTF8", "version 15 or newer"},
		{90624, "UTF8", "version 15 or newer"},
		{150014, "SQL_ASCII", "ENCODING 'UTF8'"},
		{150014, "LATIN1", "ENCODING 'UTF8'"},
	} {
		err := db.CheckPostgres(test.version, test.encoding)
		if (err == nil) != (test.reason == "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%d %s: %v, want %q", test.version, test.encoding, err, test.reason)
		}
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "a?b.db", "a?mode=memory", "a#b.db", "a%20b%.db", "a&b=c;d.db", "ä桜.db", "a:b.db", `a\b'".db`, "a\nb.db"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, filepath.Join(dir, name))
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if file, err := os.Stat(filepath.Join(dir, name)); err != nil || file.Size() == 0 {
				t.Errorf("file: %v", err)
			}
			if err := d.Backup(t.Context(), filepath.Join(dir, "copy of "+name)); err != nil {
				t.Error(err)
			}
		})
	}
}

// The file holds the signing key.
func TestFileMode(t *testing.T) {
	d := dbtest.Open(t)
	var path string
	if err := d.Read().QueryRow("SELECT file FROM pragma_database_list").Scan(&path); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		file, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Mode().Perm(); got != 0o600 {
			t.Errorf("mode of cruel.db%s is %o", suffix, got)
		}
	}
}

func TestSQLiteSettings(t *testing.T) {
	d := dbtest.Open(t)
	for pool, name := range map[*sql.DB]string{d.Write(): "write", d.Read(): "read"} {
		for _, test := range []struct{ pragma, want string }{
			{"journal_mode", "wal"},
			{"synchronous", "2"}, // FULL
			{"busy_timeout", "5000"},
			{"foreign_keys", "1"},
		} {
			var got string
			if err := pool.QueryRow("PRAGMA " + test.pragma).Scan(&got); err != nil || got != test.want {
				t.Errorf("%s: %s is %q, %v", name, test.pragma, got, err)
			}
		}
	}
	if _, err := d.Read().Exec("DELETE FROM secrets"); err == nil {
		t.Error("the pool of readers writes")
	}
}

func TestPing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestInTx(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		add := func(tx *sql.Tx, name string) {
			t.Helper()
			if _, err := tx.Exec("INSERT INTO secrets (name, value) VALUES ($1, $2)", name, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		refusal := errors.New("refused")
		err := d.InTx(t.Context(), func(tx *sql.Tx) error {
			add(tx, "refused")
			return refusal
		})
		if err != refusal { //nolint:errorlint // not even wrapped
			t.Errorf("got %v, want the error of the function as it is", err)
		}
		runs := 0
		err = d.InTx(t.Context(), func(tx *sql.Tx) error {
			add(tx, fmt.Sprint("run ", runs))
			if runs++; runs < 3 {
				return db.ErrRetry
			}
			return nil
		})
		if err != nil || runs != 3 {
			t.Errorf("after %d runs: %v", runs, err)
		}
		if err := d.InTx(t.Context(), func(*sql.Tx) error { return db.ErrRetry }); !errors.Is(err, db.ErrUnavailable) {
			t.Errorf("gave up with %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = d.InTx(ctx, func(tx *sql.Tx) error {
			add(tx, "cancelled")
			cancel()
			return db.ErrRetry
		})
		if !errors.Is(err, context.Canceled) || errors.Is(err, db.ErrUnavailable) {
			t.Errorf("cancelled: %v", err)
		}
		if got := names(t, d); got != "run 2" {
			t.Errorf("committed: %s", got)
		}
	})
}

// names returns the names of all secrets.
func names(t *testing.T, d *db.DB) string {
	t.Helper()
	rows, err := d.Read().Query("SELECT name FROM secrets ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ", ")
}

// Case K03: transactions that read before they write, with readers beside them.
func TestManyWriters(t *testing.T) {
	const writers, each = 50, 20
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, "INSERT INTO signing_keys (number, seed, created_at) VALUES (1, $1, 0)", []byte("x"))
		count := func(query func(string, ...any) *sql.Row) (n int, err error) {
			err = query("SELECT created_at FROM signing_keys WHERE number = 1").Scan(&n)
			return n, err
		}
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				for range each {
					err := d.InTx(t.Context(), func(tx *sql.Tx) error {
						n, err := count(tx.QueryRow)
						if err != nil {
							return err
						}
						r, err := tx.Exec("UPDATE signing_keys SET created_at = $2 WHERE number = 1 AND created_at = $1", n, n+1)
						if err != nil {
							return err
						}
						if rows, err := r.RowsAffected(); err != nil || rows == 0 {
							return errors.Join(err, db.ErrRetry)
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
					if _, err := count(d.Read().QueryRow); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n, err := count(d.Read().QueryRow); err != nil || n != writers*each {
			t.Errorf("%d writes, %v", n, err)
		}
	})
}

func TestSecret(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var made atomic.Int32
		found := make([][]byte, 20)
		var wg sync.WaitGroup
		for i := range found {
			wg.Go(func() {
				secret, err := d.Secret(t.Context(), "daily", func() []byte {
					made.Add(1)
					return []byte(rand.Text())
				})
				if err != nil {
					t.Error(err)
				}
				found[i] = secret
			})
		}
		wg.Wait()
		for _, secret := range found {
			if len(secret) != 26 || !bytes.Equal(secret, found[0]) {
				t.Errorf("secrets %q and %q", secret, found[0])
			}
		}
		other, err := d.Secret(t.Context(), "cursor", func() []byte { return []byte("other") })
		if err != nil || string(other) != "other" {
			t.Errorf("another name: %q, %v", other, err)
		}
		made.Store(0)
		if _, err := d.Secret(t.Context(), "daily", func() []byte { made.Add(1); return nil }); err != nil || made.Load() != 0 {
			t.Errorf("made again: %v", err)
		}
	})
}

// The database goes and comes back; the pool finds its way by itself.
func TestPostgresGone(t *testing.T) {
	dsn := dbtest.Postgres(t)
	d := open(t, dsn)
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := dsn[strings.Index(dsn, "test_"):strings.Index(dsn, "?")]
	admin, err := sql.Open("pgx", strings.Replace(dsn, name, "postgres", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	allow := func(allowed bool) {
		t.Helper()
		_, err := admin.Exec(fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %v", name, allowed))
		if err == nil {
			_, err = admin.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func() error {
		_, err := d.Secret(t.Context(), rand.Text(), func() []byte { return []byte("x") })
		return err
	}
	allow(false)
	for name, do := range map[string]func() error{
		"ping":     func() error { return d.Ping(t.Context()) },
		"write":    write,
		"migrated": func() error { _, err := d.Migrated(t.Context()); return err },
		"migrate":  func() error { return d.Migrate(t.Context()) },
	} {
		if err := do(); !errors.Is(err, db.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	allow(true)
	if err := write(); err != nil {
		t.Errorf("back again: %v", err)
	}
}

func TestPostgresTimeouts(t *testing.T) {
	d := open(t, dbtest.Postgres(t)+"&statement_timeout=50")
	_, err := d.Write().Exec("SELECT pg_sleep(60)")
	if err := db.MapError(err); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("statement timeout: %v", err)
	}
	var timeout string
	d = open(t, dbtest.Postgres(t))
	if err := d.Read().QueryRow("SHOW statement_timeout").Scan(&timeout); err != nil || timeout != "15s" {
		t.Errorf("timeout if the DSN says nothing: %s, %v", timeout, err)
	}
	d = open(t, dbtest.Postgres(t)+"&default_query_exec_mode=exec") // case K01: poolers refuse the setting
	if err := d.Read().QueryRow("SHOW statement_timeout").Scan(&timeout); err != nil || timeout != "0" {
		t.Errorf("timeout behind a pooler: %s, %v", timeout, err)
	}
}

func TestSQLiteFull(t *testing.T) {
	d := dbtest.Open(t)
	exec(t, d, "PRAGMA max_page_count = 1")
	write := func() error {
		_, err := d.Secret(t.Context(), "large", func() []byte { return make([]byte, 1<<20) })
		return err
	}
	if err := write(); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("disk full: %v", err)
	}
	exec(t, d, "PRAGMA max_page_count = 1000000")
	if err := write(); err != nil {
		t.Errorf("room again: %v", err)
	}
}

// Another process holds the lock for longer than the request can wait.
func TestSQLiteBusy(t *testing.T) {
	d := dbtest.Open(t)
	var path string
	if err := d.Read().QueryRow("SELECT file FROM pragma_database_list").Scan(&path); err != nil {
		t.Fatal(err)
	}
	other := open(t, path)
	write := func(d *db.DB, wait time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		_, err := d.Secret(ctx, rand.Text(), func() []byte { return []byte("x") })
		return err
	}
	err := d.InTx(t.Context(), func(*sql.Tx) error {
		if err := write(other, 50*time.Millisecond); !errors.Is(err, db.ErrUnavailable) {
			t.Errorf("while the other writes: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := write(other, time.Minute); err != nil {
		t.Errorf("after that: %v", err)
	}
}

func TestConstraintErrors(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, "INSERT INTO players (id, name, name_key, created_at) VALUES ('1', 'a', 'a', 0)")
		for _, test := range []struct {
			statement string
			unique    bool
		}{
			{statement: "INSERT INTO players (id, name, name_key, created_at) VALUES ('1', 'b', 'b', 0)", unique: true},
			{statement: "INSERT INTO players (id, name, name_key, created_at) VALUES ('2', 'a', 'a', 0)", unique: true},
			{statement: "INSERT INTO names (skeleton, player_id) VALUES ('c', '3')"},       // foreign key
			{statement: "INSERT INTO players (id, name, created_at) VALUES ('4', 'd', 0)"}, // CHECK
		} {
			_, err := d.Write().Exec(test.statement)
			if err == nil || db.IsUnique(err) != test.unique || errors.Is(db.MapError(err), db.ErrUnavailable) {
				t.Errorf("%s: %v", test.statement, err)
			}
		}
	})
}

func exec(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	if _, err := d.Write().Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dsn string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
