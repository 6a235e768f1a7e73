package db

import (
	"context"
	"database/sql"
)

// What the tests of this package may see.
var (
	ErrRetry      = errRetry
	MapError      = mapError
	IsUnique      = isUnique
	CheckPostgres = checkPostgres
	RacePageSQL   = racePageSQL
)

// MigrateTo applies the migrations up to a version.
func (d *DB) MigrateTo(ctx context.Context, version int64) error {
	provider, err := newProvider(d.write, d.dsn.dialect())
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}

func (d *DB) InTx(ctx context.Context, f func(tx *sql.Tx) error) error { return d.inTx(ctx, f) }
func (d *DB) Write() *sql.DB                                           { return d.write }
func (d *DB) Read() *sql.DB                                            { return d.read }

// Source returns what Open has been given, or as good.
func (d *DB) Source() string {
	if d.dsn.Postgres() {
		return d.dsn.postgres.ConnString()
	}
	return d.dsn.path
}
