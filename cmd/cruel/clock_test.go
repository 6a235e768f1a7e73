package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// The database's clock counts: this machine's is set by it, and a large difference is said in the log.
func TestClock(t *testing.T) {
	gone := errors.New("the database is gone")
	for _, test := range []struct {
		name      string
		ahead     time.Duration
		err       error
		want      time.Duration
		wantWords bool
	}{
		{"a little behind", -250 * time.Millisecond, nil, -250 * time.Millisecond, false},
		{"ahead", 251 * time.Millisecond, nil, 251 * time.Millisecond, true},
		{"behind", -46 * time.Second, nil, -46 * time.Second, true},
		{"unknown", time.Hour, gone, time.Minute, false}, // what was known before stays
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			c := &clock{
				offsetOf: func(context.Context) (time.Duration, error) { return test.ahead, test.err },
				log:      slog.New(slog.NewTextHandler(&log, nil)),
			}
			c.offset.Store(int64(time.Minute))
			if err := c.set(t.Context()); !errors.Is(err, test.err) {
				t.Errorf("got the error %v, want %v", err, test.err)
			}
			before, now, after := time.Now(), c.Now(), time.Now()
			if now.Before(before.Add(test.want)) || now.After(after.Add(test.want)) {
				t.Errorf("it is %s ahead, want %s", now.Sub(before), test.want)
			}
			if got := strings.Contains(log.String(), "level=WARN"); got != test.wantWords {
				t.Errorf("the log says: %q", log.String())
			}
		})
	}
}
