package db_test

import (
	"testing"

	"cruel/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
