package main

import (
	"net"
	"syscall"
	"testing"
	"time"
)

// Case M15: the connection of a client that has vanished without a word ends within a minute, also while
// heartbeats are sent to it.
func TestVanishedClientsAreGivenUp(t *testing.T) {
	listener, err := (&net.ListenConfig{Control: giveUpSoon}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var got int
	if outer := raw.Control(func(fd uintptr) {
		got, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout)
	}); outer != nil || err != nil {
		t.Fatal(outer, err)
	}
	if limit := time.Duration(got) * time.Millisecond; limit <= 0 || limit >= time.Minute {
		t.Errorf("a connection whose client has vanished stays for %s", limit)
	}
}
