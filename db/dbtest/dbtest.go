// Package dbtest gives tests fresh, migrated databases: files of SQLite, and
// databases in a private Postgres that it starts itself, or in the one that
// CRUEL_TEST_POSTGRES names. Where there is no Postgres, tests that want one
// fail; they are never skipped.
package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"cruel/db"
)

// Env is the environment variable with the postgres:// URL of a server where
// the tests may create databases.
const Env = "CRUEL_TEST_POSTGRES"

// Main runs the tests of a package and stops what they have started. A package
// that uses Each or Postgres has
//
//	func TestMain(m *testing.M) { dbtest.Main(m) }
func Main(m *testing.M) {
	shared.allowed = true
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// Each runs f on a fresh SQLite and on a fresh Postgres database, as the
// subtests "sqlite" and "postgres".
func Each(t *testing.T, f func(t *testing.T, d *db.DB)) {
	t.Run("sqlite", func(t *testing.T) { f(t, Open(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, open(t, migratedPostgres(t))) })
}

// Open returns a fresh SQLite database.
func Open(t testing.TB) *db.DB {
	d := open(t, filepath.Join(t.TempDir(), "cruel.db"))
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// Postgres returns the URL of a fresh Postgres database without any table.
func Postgres(t testing.TB) string { return create(t, "template0") }

func migratedPostgres(t testing.TB) string {
	server, err := shared.start()
	if err != nil {
		t.Fatal(err)
	}
	return create(t, server.template)
}

func open(t testing.TB, dsn string) *db.DB {
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

// create makes a database for the time of the test and returns its URL.
func create(t testing.TB, template string) string {
	server, err := shared.start()
	if err != nil {
		t.Fatal(err)
	}
	name := randomName()
	if err := server.exec("CREATE DATABASE " + name + " TEMPLATE " + template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return server.url(name)
}

// shared is the server of this test process, started when first wanted.
var shared process

type process struct {
	allowed bool // Main will stop it
	once    sync.Once
	server  *server
	err     error
}

// server is a Postgres and a migrated database in it to copy from.
type server struct {
	dsn      string
	admin    *sql.DB
	template string
	own      *Server // nil if it was there before
}

func (p *process) start() (*server, error) {
	if !p.allowed {
		return nil, fmt.Errorf("dbtest: this package needs func TestMain(m *testing.M) { dbtest.Main(m) }")
	}
	p.once.Do(func() { p.server, p.err = newServer() })
	return p.server, p.err
}

func (p *process) stop() error {
	if p.server == nil {
		return nil
	}
	err := p.server.exec("DROP DATABASE " + p.server.template + " WITH (FORCE)")
	_ = p.server.admin.Close()
	if p.server.own != nil {
		err = p.server.own.Stop()
	}
	return err
}

func newServer() (*server, error) {
	s := &server{dsn: os.Getenv(Env), template: randomName()}
	if s.dsn == "" {
		own, err := Start()
		if err != nil {
			return nil, err
		}
		s.own, s.dsn = own, own.DSN
	}
	err := s.prepare()
	if err != nil && s.own != nil {
		_ = s.own.Stop() // the first error is the one to tell
	}
	return s, err
}

func (s *server) prepare() error {
	var err error
	if s.admin, err = sql.Open("pgx", s.dsn); err != nil {
		return fmt.Errorf("dbtest: %s: %w", Env, err)
	}
	if err := s.exec("CREATE DATABASE " + s.template + " TEMPLATE template0"); err != nil {
		return err
	}
	d, err := db.Open(context.Background(), s.url(s.template))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Migrate(context.Background())
}

func (s *server) exec(statement string) error {
	if _, err := s.admin.Exec(statement); err != nil {
		return fmt.Errorf("dbtest: %s: %w", statement, err)
	}
	return nil
}

// url returns the URL of another database of the server.
func (s *server) url(name string) string {
	u, err := url.Parse(s.dsn)
	if err != nil { // sql.Open has read it before
		panic(err)
	}
	u.Path = "/" + name
	return u.String()
}

func randomName() string { return "test_" + strings.ToLower(rand.Text()) }
