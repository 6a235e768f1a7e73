package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the key of the advisory lock that migrating servers take.
const migrationLock = 0x637275656c // "cruel"

// Migrate brings the database to the newest migration of this program.
// Several servers may do it at once. It refuses a database that is newer than
// the program.
func (d *DB) Migrate(ctx context.Context) error {
	migrate := d.migrateSQLite
	if d.dsn.Postgres() {
		migrate = d.migratePostgres
	}
	if err := migrate(ctx); err != nil {
		return fmt.Errorf("migrate database %s: %w", d.dsn, mapError(err))
	}
	return nil
}

// Migrated tells whether the database has all migrations of this program. A
// newer one has, since each release runs on the schema of the next.
func (d *DB) Migrated(ctx context.Context) (bool, error) {
	version, err := schemaVersion(ctx, d.read)
	if err != nil {
		return false, mapError(err)
	}
	provider, err := newProvider(d.read, d.dsn.dialect())
	if err != nil {
		return false, err
	}
	return version >= newest(provider), nil
}

// Version returns the number of the last migration that the database has, 0 if none.
func (d *DB) Version(ctx context.Context) (int64, error) {
	version, err := schemaVersion(ctx, d.read)
	return version, mapError(err)
}

// migratePostgres holds a lock meanwhile, on a connection of its own. It is the
// lock of a transaction and not of a session, since it then works behind a
// transaction pooler too.
func (d *DB) migratePostgres(ctx context.Context) error {
	pool := stdlib.OpenDB(*d.dsn.single()) // no statement timeout: an index may take long
	defer pool.Close()
	lock, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer lock.Rollback() // gives the lock back
	if _, err := lock.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return err
	}
	if _, err := lock.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
		return err
	}
	return up(ctx, pool, d.dsn.dialect())
}

// migrateSQLite has no lock to hold. A migration is one transaction, so of two
// processes one gets it done and the other fails without a trace; that one
// sees that the version has moved on and goes on from there.
func (d *DB) migrateSQLite(ctx context.Context) error {
	for {
		before, err := schemaVersion(ctx, d.write)
		if err != nil {
			return err
		}
		failed := up(ctx, d.write, d.dsn.dialect())
		if failed == nil {
			return nil
		}
		after, err := schemaVersion(ctx, d.write)
		if err != nil || after == before {
			return errors.Join(failed, err)
		}
	}
}

// up applies all migrations that the database doesn't have yet.
func up(ctx context.Context, pool *sql.DB, dialect goose.Dialect) error {
	provider, err := newProvider(pool, dialect)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if newest := newest(provider); version > newest {
		return fmt.Errorf("it has version %d and this program knows versions up to %d; use a newer program",
			version, newest)
	}
	_, err = provider.Up(ctx)
	return err
}

func newProvider(pool *sql.DB, dialect goose.Dialect) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, pool, files, goose.WithDisableGlobalRegistry(true))
}

// newest returns the version of the last migration of this program.
func newest(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

// schemaVersion returns the version of the last migration that the database
// has, 0 if none.
func schemaVersion(ctx context.Context, pool *sql.DB) (int64, error) {
	var version int64
	err := pool.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&version)
	if isNoTable(err) {
		return 0, nil
	}
	return version, err
}

func (d DSN) dialect() goose.Dialect {
	if d.Postgres() {
		return goose.DialectPostgres
	}
	return goose.DialectSQLite3
}

// Backup writes a copy of the SQLite database to file, which must not exist
// yet, while the server may go on. The copy is whole: it holds what was
// committed when it began. On Postgres it refuses and names the tool to use.
func (d *DB) Backup(ctx context.Context, file string) (err error) {
	if d.dsn.Postgres() {
		return errors.New("backup: the database is a Postgres; use pg_dump")
	}
	// Made here and not by SQLite, for the mode, and so that nothing is
	// overwritten. SQLite takes an empty file for none.
	if file, err = filepath.Abs(file); err != nil { // so that "file:x" is a name and no URI
		return fmt.Errorf("backup: %w", err)
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer func() {
		if err == nil {
			err = out.Sync()
		}
		err = errors.Join(err, out.Close())
		if err != nil {
			err = fmt.Errorf("backup: %w", errors.Join(mapError(err), os.Remove(file)))
		}
	}()
	// A connection of its own, since the readers' are query_only.
	pool, err := sql.Open("sqlite", d.dsn.sqlite("_txlock=deferred"))
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "VACUUM INTO $1", file)
	return err
}
