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
)

func (d *DB) InTx(ctx context.Context, f func(tx *sql.Tx) error) error { return d.inTx(ctx, f) }
func (d *DB) Write() *sql.DB                                           { return d.write }
func (d *DB) Read() *sql.DB                                            { return d.read }
