package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"cruel/race"
)

const (
	oldestPostgres = 15

	// Three servers stay well below the 100 connections of a Postgres that
	// nobody has tuned.
	postgresConns = 16

	connectTimeout   = 5 * time.Second
	statementTimeout = 15 * time.Second

	// A transaction is tried again for so long and so often.
	retryFor   = 10 * time.Second
	retryTimes = 100
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	dsn   DSN
	write *sql.DB // for inTx only
	read  *sql.DB // for single SELECTs; on Postgres the same pool as write
}

// DSN names a database: a file of SQLite, or a Postgres. ParseDSN makes it.
type DSN struct {
	path     string          // of the SQLite file, absolute
	postgres *pgx.ConnConfig // nil for SQLite
}

// looksLikePostgres finds addresses of a Postgres in a form that isn't taken, so
// that none is taken for the name of a file.
var looksLikePostgres = regexp.MustCompile(`^postgres(ql)?:|(^|\s)(host|hostaddr|port|dbname|user|password|service)\s*=`)

// ParseDSN reads the path of a file or a postgres:// URL. It looks at the text
// only and creates nothing. Its errors don't repeat a password.
func ParseDSN(text string) (DSN, error) {
	switch scheme, _, isURL := strings.Cut(text, "://"); {
	case text == "":
		return DSN{}, errors.New("database: no file and no postgres:// URL is given")
	case isURL && (scheme == "postgres" || scheme == "postgresql"):
		config, err := pgx.ParseConfig(text)
		if err != nil {
			return DSN{}, fmt.Errorf("database: %w", err)
		}
		return DSN{postgres: config}, nil
	case looksLikePostgres.MatchString(text): // and may hold a password
		return DSN{}, errors.New("database: write the address of a Postgres as postgres://USER@HOST:PORT/NAME")
	case strings.Contains(text, ":memory:"):
		return DSN{}, errors.New("database: :memory: would be another database on each connection; give a file")
	case strings.HasPrefix(text, "file:"):
		return DSN{}, errors.New("database: give the plain path of the file, without file: and settings")
	case isURL:
		return DSN{}, fmt.Errorf("database: %q is neither a file nor a postgres:// URL", scheme+"://")
	case strings.ContainsRune(text, 0):
		return DSN{}, errors.New("database: the path has a NUL character in it")
	case os.IsPathSeparator(text[len(text)-1]):
		return DSN{}, fmt.Errorf("database: %s is a folder; give a file", text)
	}
	path, err := filepath.Abs(text)
	if err != nil {
		return DSN{}, fmt.Errorf("database: %w", err)
	}
	return DSN{path: path}, nil
}

// String names the database for people, without a password.
func (d DSN) String() string {
	if d.postgres == nil {
		return d.path
	}
	return fmt.Sprintf("Postgres %s at %s:%d", d.postgres.Database, d.postgres.Host, d.postgres.Port)
}

// Postgres tells whether the database is a Postgres, and not a SQLite file.
func (d DSN) Postgres() bool { return d.postgres != nil }

// Open opens the database that dsn (see ParseDSN) names, and makes the SQLite
// file if it isn't there. It doesn't migrate. The error says in one line why
// the database can't be used.
func Open(ctx context.Context, dsn string) (*DB, error) {
	parsed, err := ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	d := &DB{dsn: parsed}
	open := d.openSQLite
	if parsed.Postgres() {
		open = d.openPostgres
	}
	if err := open(ctx); err != nil {
		_ = d.Close() // the first error is the one to tell
		return nil, fmt.Errorf("database %s: %w", parsed, mapError(err))
	}
	return d, nil
}

// Close closes all connections.
func (d *DB) Close() error {
	var err error
	if d.write != nil {
		err = d.write.Close()
	}
	if d.read != nil && d.read != d.write {
		err = errors.Join(err, d.read.Close())
	}
	return err
}

// Ping asks the database for a sign of life. Its error wraps
// account.ErrUnavailable.
func (d *DB) Ping(ctx context.Context) error {
	var one int
	return mapError(d.read.QueryRowContext(ctx, "SELECT 1").Scan(&one))
}

// errRetry makes inTx roll back and start again: what the transaction was
// founded on has changed meanwhile.
var errRetry = errors.New("start the transaction again")

// inTx runs f in a write transaction and commits it if f returns nil. Where
// the database asks for it (serialization failure, deadlock, busy), or f by
// errRetry, it rolls back and runs f again, so f must set its results anew each
// time. When that goes on for too long, the error wraps account.ErrUnavailable.
// A nil means that the changes are on disk.
func (d *DB) inTx(ctx context.Context, f func(tx *sql.Tx) error) error {
	deadline := time.Now().Add(retryFor)
	for try := 1; ; try++ {
		err := d.tryTx(ctx, f)
		if !isRetryable(err) || try == retryTimes || time.Now().After(deadline) {
			return mapError(err)
		}
		select {
		case <-ctx.Done():
			return mapError(ctx.Err())
		case <-time.After(rand.N(time.Duration(min(try, 10)) * 5 * time.Millisecond)):
		}
	}
}

func (d *DB) tryTx(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (d *DB) openSQLite(ctx context.Context) error {
	if err := makeFile(d.dsn.path); err != nil {
		return err
	}
	// One connection writes, so that writers queue here, where a context ends
	// the wait, and BEGIN IMMEDIATE takes the lock before anything is read, so
	// that no transaction fails at its first write (SQLITE_BUSY_SNAPSHOT).
	var err error
	if d.write, err = sql.Open("sqlite", d.dsn.sqlite("_txlock=immediate")); err != nil {
		return err
	}
	d.write.SetMaxOpenConns(1)
	// The first connection turns the file into WAL mode. SQLite doesn't wait
	// for another process that is just doing the same.
	for try := 1; ; try++ {
		if err = d.write.PingContext(ctx); !isRetryable(err) || try == retryTimes {
			break
		}
		time.Sleep(rand.N(50 * time.Millisecond))
	}
	if err != nil {
		return err
	}
	if d.read, err = sql.Open("sqlite", d.dsn.sqlite("_query_only=1")); err != nil {
		return err
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	d.read.SetMaxOpenConns(readers)
	d.read.SetMaxIdleConns(readers)
	return d.read.PingContext(ctx)
}

// sqlite returns the driver's name for the file, with the settings of every
// connection and the given one. The path is escaped, so that it may hold any
// character.
func (d DSN) sqlite(setting string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(d.path)}
	// synchronous=FULL: with NORMAL a commit survives the end of the process,
	// but not a power cut, and a player who has read "accepted" would find the
	// game gone. FULL costs one fsync a commit: 1 ms on the disk where this was
	// measured, against 0.03 ms, for the one writer that there is.
	u.RawQuery = "_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_dqs=0&" + setting
	return u.String()
}

// makeFile makes the file unless it is there, for the eyes of its owner only:
// it holds the signing key. SQLite gives the -wal and -shm files the same mode.
func makeFile(path string) error {
	switch dir, err := os.Stat(filepath.Dir(path)); {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist", filepath.Dir(path))
	case err != nil:
		return err
	case !dir.IsDir():
		return fmt.Errorf("%s is not a folder", filepath.Dir(path))
	}
	if file, err := os.Stat(path); err == nil && file.IsDir() {
		return errors.New("it is a folder; give a file")
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

func (d *DB) openPostgres(ctx context.Context) error {
	d.write = stdlib.OpenDB(*d.dsn.pooled())
	d.read = d.write
	d.write.SetMaxOpenConns(postgresConns)
	d.write.SetMaxIdleConns(postgresConns)
	d.write.SetConnMaxIdleTime(5 * time.Minute)
	d.write.SetConnMaxLifetime(time.Hour) // so that load moves to a server that came back

	var version int
	var encoding string
	const query = "SELECT current_setting('server_version_num'), current_setting('server_encoding')"
	if err := d.write.QueryRowContext(ctx, query).Scan(&version, &encoding); err != nil {
		return err
	}
	return checkPostgres(version, encoding)
}

// checkPostgres refuses servers that aren't fit for this program. The version
// is server_version_num: 150014 is 15.14.
func checkPostgres(version int, encoding string) error {
	if version < oldestPostgres*10_000 {
		return fmt.Errorf("it is Postgres %d; version %d or newer is needed", version/10_000, oldestPostgres)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("its encoding is %s; create it with ENCODING 'UTF8'", encoding)
	}
	return nil
}

// pooled returns the settings of a pool's connection.
func (d DSN) pooled() *pgx.ConnConfig {
	config := d.single()
	if d.behindPooler() {
		return config
	}
	for name, value := range map[string]string{
		"statement_timeout": fmt.Sprint(statementTimeout.Milliseconds()),
		// Each statement is served by an index whatever its arguments, so it is
		// planned once and not each time, which took longer than to run it.
		"plan_cache_mode": "force_generic_plan",
	} {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
	return config
}

// single returns the settings of a connection that may take its time.
func (d DSN) single() *pgx.ConnConfig {
	config := d.postgres.Copy()
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if _, set := config.RuntimeParams["application_name"]; !set {
		config.RuntimeParams["application_name"] = "cruel"
	}
	return config
}

// behindPooler tells whether the DSN avoids prepared statements, as is needed
// behind a transaction pooler. Those refuse most settings at connect as well.
func (d DSN) behindPooler() bool {
	mode := d.postgres.DefaultQueryExecMode
	return mode == pgx.QueryExecModeExec || mode == pgx.QueryExecModeSimpleProtocol
}

// racesChannel is where Postgres tells of changed races.
const racesChannel = "cruel_races"

// tell lets those who Listen know of a change that is committed. It is no part
// of the transaction, since Postgres commits those that notify one after the
// other. Where it fails, and with SQLite, which can't, polling finds out.
func (d *DB) tell(ctx context.Context, code string, version int) {
	if d.dsn.Postgres() {
		_, _ = d.write.ExecContext(ctx, `SELECT pg_notify('`+racesChannel+`', $1)`, fmt.Sprintf("%s %d", code, version))
	}
}

// Listen is described at race.Store.
func (d *DB) Listen(ctx context.Context, wake func(code string, version int)) error {
	if !d.dsn.Postgres() {
		return nil
	}
	if d.dsn.behindPooler() {
		return race.ErrPolled
	}
	conn, err := pgx.ConnectConfig(ctx, d.dsn.single())
	if err != nil {
		return mapError(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+racesChannel); err != nil {
		return mapError(err)
	}
	for {
		told, err := conn.WaitForNotification(ctx)
		if err != nil {
			return mapError(err)
		}
		var code string
		var version int
		if _, err := fmt.Sscanf(told.Payload, "%s %d", &code, &version); err == nil {
			wake(code, version)
		}
	}
}

// Offset measures how far the clock of the database is ahead of this machine's.
// All servers add it to their own, so that they agree on the time. With SQLite
// there is one clock.
func (d *DB) Offset(ctx context.Context) (time.Duration, error) {
	if !d.dsn.Postgres() {
		return 0, nil
	}
	conn, err := d.read.Conn(ctx) // the wait for one is no part of the way there
	if err != nil {
		return 0, mapError(err)
	}
	defer conn.Close()
	var offset time.Duration
	least := time.Duration(math.MaxInt64)
	for range 5 { // the quickest answer tells the most
		asked := time.Now()
		var micros int64
		if err := conn.QueryRowContext(ctx, `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&micros); err != nil {
			return 0, mapError(err)
		}
		if took := time.Since(asked); took < least {
			least, offset = took, time.UnixMicro(micros).Sub(asked.Add(took/2))
		}
	}
	return offset, nil
}

// Secret returns the secret with the name. At its first use it is made and
// stored; all servers on the database get the same.
func (d *DB) Secret(ctx context.Context, name string, generate func() []byte) ([]byte, error) {
	stored, err := d.secret(ctx, name)
	if !errors.Is(err, sql.ErrNoRows) {
		return stored, err
	}
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO secrets (name, value) VALUES ($1, $2)
			ON CONFLICT DO NOTHING`,
			name, generate())
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.secret(ctx, name)
}

func (d *DB) secret(ctx context.Context, name string) (value []byte, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT value FROM secrets WHERE name = $1`, name).Scan(&value)
	return value, mapError(err)
}
