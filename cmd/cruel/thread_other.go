//go:build !linux

package main

import "time"

// yieldThread does nothing here: other systems have no priority of a thread in the standard library.
func yieldThread() error { return nil }

var started = time.Now()

// processorTime is the clock's here.
func processorTime() time.Duration { return time.Since(started) }
