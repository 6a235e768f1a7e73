package db

import "context"

// Version returns the number of the last migration that the database has, 0 if none.
func (d *DB) Version(ctx context.Context) (int64, error) {
	version, err := schemaVersion(ctx, d.read)
	return version, mapError(err)
}
