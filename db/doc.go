// Package db keeps everything that outlives the process, in a file of SQLite
// or in Postgres. It is the only place with SQL. One DB implements the Store
// of each noun.
//
// It refuses to be half right: a method is one transaction that is either
// wholly there or not at all, and what it has acknowledged survives the end of
// the process.
//
// # Statements
//
// A statement is one text for both databases, beside the method that uses it.
// Whatever must differ, differs in db.go, error.go and migrate.go. The portable
// subset is: parameters $1, $2 (never in a bare SELECT list), listed columns,
// ids made by us, ON CONFLICT with RETURNING, row values as keysets, RANK()
// OVER, UPDATE with FROM and RETURNING, FILTER, partial and expression indexes,
// and the types TEXT, BIGINT, BOOLEAN and BYTEA. Times are Unix milliseconds.
// Not in it: FOR UPDATE (an UPDATE of the row locks it), = ANY, changes inside
// a WITH, identity columns, now(), ILIKE, casts by ::.
//
// To add a statement: write it in a method that is one call of inTx, or one
// SELECT on the read pool whose error goes through mapError, and test the
// method through dbtest.Each.
//
// # Postgres behind a transaction pooler
//
// PgBouncer in transaction mode works if the DSN says
// default_query_exec_mode=exec (or simple_protocol):
//
//	postgres://cruel@pooler:6432/cruel?default_query_exec_mode=exec
//
// No statement is prepared then, and no statement timeout is sent at connect,
// since poolers refuse it; give the role one instead: ALTER ROLE cruel SET
// statement_timeout = '15s'.
package db
