package main

import (
	"errors"
	"syscall"
	"time"
)

// unacknowledged is how long what was sent may go without a sign that it came. Else a client that has vanished
// without a word keeps its stream for a quarter of an hour, since the heartbeats are sent again and again.
const unacknowledged = 45 * time.Second

const tcpUserTimeout = 0x12 // TCP_USER_TIMEOUT, which package syscall lacks

// giveUpSoon sets up a listener so that its connections end when their client has vanished.
func giveUpSoon(_, _ string, c syscall.RawConn) (err error) {
	outer := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(unacknowledged.Milliseconds()))
	})
	return errors.Join(outer, err)
}
