package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"cruel/account"
)

// ErrUnavailable is account.ErrUnavailable: the database can't be reached or
// can't work at this moment.
var ErrUnavailable = account.ErrUnavailable

// Result codes of SQLite that mean something here.
// https://www.sqlite.org/rescode.html
const (
	sqliteError         = 1
	sqliteBusy          = 5
	sqliteLocked        = 6
	sqliteNoMemory      = 7
	sqliteReadOnly      = 8
	sqliteIO            = 10
	sqliteFull          = 13
	sqliteCantOpen      = 14
	sqliteForeignKey    = 787
	sqlitePrimaryKeyHit = 1555
	sqliteUniqueHit     = 2067
)

// mapError wraps err with ErrUnavailable if the database, and not the
// statement, is the reason. Other errors, and a context that its owner
// cancelled, come back as they are. Everything that leaves this package has
// been through it; inTx does it itself.
func mapError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || !isUnavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

func isUnavailable(err error) bool {
	if isRetryable(err) { // inTx has given up
		return true
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case "57014", // statement timeout
			"57P01", "57P02", "57P03", "57P04", // shutdown, crash, start, database dropped
			"55P03", // lock not available
			"25006": // read-only: a standby, or a fail-over in progress
			return true
		}
		switch pg.Code[:min(2, len(pg.Code))] {
		case "08", // connection
			"53", // out of connections, disk or memory
			"58": // the server's own system calls
			return true
		}
	}
	switch sqliteCode(err) & 0xff {
	case sqliteNoMemory, sqliteReadOnly, sqliteIO, sqliteFull, sqliteCantOpen:
		return true
	}
	var dial *pgconn.ConnectError
	var network net.Error // context.DeadlineExceeded is one too
	return errors.As(err, &dial) || errors.As(err, &network) ||
		errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// isRetryable tells whether the same transaction may succeed when it is run
// again.
func isRetryable(err error) bool {
	if errors.Is(err, errRetry) {
		return true
	}
	switch postgresCode(err) {
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	switch sqliteCode(err) & 0xff { // without the extended part: 517 is BUSY_SNAPSHOT
	case sqliteBusy, sqliteLocked:
		return true
	}
	return false
}

// isUnique tells whether a unique index or a primary key refused the row.
func isUnique(err error) bool {
	code := sqliteCode(err)
	return postgresCode(err) == "23505" || code == sqliteUniqueHit || code == sqlitePrimaryKeyHit
}

// isNoTable tells whether a statement named a table that isn't there.
func isNoTable(err error) bool {
	return postgresCode(err) == "42P01" ||
		sqliteCode(err) == sqliteError && strings.Contains(err.Error(), "no such table")
}

func postgresCode(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

func sqliteCode(err error) int {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code()
	}
	return 0
}
