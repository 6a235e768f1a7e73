//go:build !linux

package main

import "time"

// apart just does it: other systems have no priority of a thread in the standard library.
func apart(do func()) { do() }

var started = time.Now()

// processorTime is the clock's here.
func processorTime() time.Duration { return time.Since(started) }
