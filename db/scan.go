package db

import (
	"database/sql"
	"fmt"
	"time"

	"cruel/account"
)

// What the stores share to read rows and to judge what a statement did.

// playerSQL reads players p with what playerDest scans; where an outer join
// found none the id is empty.
const playerSQL = `COALESCE(p.id, ''), COALESCE(p.name, ''), p.password IS NULL, p.deleted_at IS NOT NULL, p.created_at`

func playerDest(p *account.Player) []any {
	return []any{&p.ID, &p.Name, &p.Guest, &p.Deleted, millis{&p.CreatedAt}}
}

// orNotFound gives account.ErrNotFound where a statement that needs a player
// found none.
func orNotFound(r sql.Result, err error) error { return orElse(r, err, account.ErrNotFound) }

// orRetry makes the transaction start again where a statement found another row
// than it was meant for.
func orRetry(r sql.Result, err error) error { return orElse(r, err, errRetry) }

func orElse(r sql.Result, err, none error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		return none
	}
	return err
}

// collect scans all rows of a query into the destinations that dest gives.
func collect[T any](rows *sql.Rows, err error, dest func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, mapError(err)
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var row T
		if err := rows.Scan(dest(&row)...); err != nil {
			return nil, mapError(err)
		}
		list = append(list, row)
	}
	return list, mapError(rows.Err())
}

// millis scans Unix milliseconds; NULL leaves the time as it is.
type millis struct{ to *time.Time }

func (m millis) Scan(value any) error {
	switch value := value.(type) {
	case nil:
	case int64:
		*m.to = time.UnixMilli(value).UTC()
	default:
		return fmt.Errorf("%T is no time", value)
	}
	return nil
}

// parsed scans a text by the parser of its type; NULL leaves the value as it is.
func parsed[T any](to *T, parse func(string) (T, error)) sql.Scanner {
	return scanFunc(func(value any) (err error) {
		switch value := value.(type) {
		case nil:
		case string:
			*to, err = parse(value)
		default:
			err = fmt.Errorf("%T is no text", value)
		}
		return err
	})
}

type scanFunc func(value any) error

func (f scanFunc) Scan(value any) error { return f(value) }
