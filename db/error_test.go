package db_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cruel/account"
	"cruel/db"
)

func TestMapError(t *testing.T) {
	postgres := func(code string) error { return fmt.Errorf("query: %w", &pgconn.PgError{Code: code}) }
	for _, test := range []struct {
		name        string
		err         error
		unavailable bool
	}{
		{"shutdown", postgres("57P01"), true},
		{"starting up", postgres("57P03"), true},
		{"too many connections", postgres("53300"), true},
		{"disk full", postgres("53100"), true},
		{"connection failure", postgres("08006"), true},
		{"I/O error", postgres("58030"), true},
		{"read-only standby", postgres("25006"), true},
		{"statement timeout", postgres("57014"), true},
		{"deadlock, again and again", postgres("40P01"), true},
		{"serialization failure", postgres("40001"), true},
		{"refused", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, true},
		{"cut off", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		{"bad connection", driver.ErrBadConn, true},
		{"deadline", context.DeadlineExceeded, true},
		{"cancelled", context.Canceled, false},
		{"cancelled while connecting", &net.OpError{Op: "dial", Err: context.Canceled}, false},
		{"no rows", sql.ErrNoRows, false},
		{"unique violation", postgres("23505"), false},
		{"syntax error", postgres("42601"), false},
		{"error of ours", account.ErrNameTaken, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := db.MapError(test.err)
			if !errors.Is(got, test.err) || errors.Is(got, account.ErrUnavailable) != test.unavailable {
				t.Errorf("got %v", got)
			}
		})
	}
	if err := db.MapError(nil); err != nil {
		t.Errorf("nil becomes %v", err)
	}
}
