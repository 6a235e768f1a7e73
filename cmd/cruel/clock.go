package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// clock is this machine's clock, set by that of the database, so that all servers of it agree on the time.
type clock struct {
	offsetOf func(context.Context) (time.Duration, error)
	log      *slog.Logger
	offset   atomic.Int64 // nanoseconds that the database is ahead
}

// mostOff is how wrong the machine's clock may be without a word.
const mostOff = 250 * time.Millisecond

// set measures how far the database's clock is ahead.
func (c *clock) set(ctx context.Context) error {
	offset, err := c.offsetOf(ctx)
	if err != nil {
		return err
	}
	if offset.Abs() > mostOff {
		c.log.Warn("the clocks of this machine and of the database differ; the database's counts", "ahead", offset)
	}
	c.offset.Store(int64(offset))
	return nil
}

// Now is the time by the database's clock.
func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }
