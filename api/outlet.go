package api

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// outlet is where a stream goes to.
type outlet interface {
	io.Writer
	Flush() error
	SetWriteDeadline(time.Time) error

	// wait returns nil at a time, or sooner after a wake, and perhaps without one. The error says that the reader
	// is gone.
	wait(until time.Time) error

	// wake ends a wait, or else the next one, and waits for nothing itself.
	wake()
}

// line is a connection that was taken over from net/http. That would keep a goroutine with a large stack and two
// buffers for each answer; this is a read that waits.
type line struct {
	net.Conn
	woken atomic.Bool
	heard int // bytes that came, though there is nothing to say
	ear   [64]byte
}

// takeOver takes the connection of an answer over, whose head is to be written to it and whose end is the
// connection's. It is nil where that can't be, with HTTP/2 for example.
func takeOver(w http.ResponseWriter) (l *line, head []byte, err error) {
	outer, wraps := w.(interface{ Unwrap() http.ResponseWriter }) // gin's, which says that it can in any case
	if !wraps {
		return nil, nil, nil
	}
	if _, can := outer.Unwrap().(http.Hijacker); !can {
		return nil, nil, nil
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h := w.Header()
	h.Set("Connection", "close")
	if h.Get("Date") == "" {
		h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	text := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(text) // a buffer takes all
	text.WriteString("\r\n")
	return &line{Conn: conn}, text.Bytes(), nil
}

func (l *line) Flush() error { return nil }

// errTalks ends the stream of a client that sends as much as no request has.
var errTalks = errors.New("the reader talks")

// wait listens, since it is a read that tells that a client is gone, and a read with a deadline that can be woken.
// The deadline comes first: a wake that is not seen below sets it after that.
func (l *line) wait(until time.Time) error {
	if err := l.SetReadDeadline(until); err != nil {
		return err
	}
	for !l.woken.Swap(false) {
		n, err := l.Read(l.ear[:])
		l.heard += n
		switch {
		case l.heard > maxBody:
			return errTalks
		case isTimeout(err): // a vanished client's connection says so too, once; the next read tells
			l.woken.Store(false) // before the caller looks for what is new
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func (l *line) wake() {
	l.woken.Store(true)
	_ = l.SetReadDeadline(time.Unix(1, 0)) // fails where the connection is closed
}

// plain is an answer of net/http, where its connection can't be had.
type plain struct {
	io.Writer
	control *http.ResponseController
	gone    <-chan struct{}
	woken   chan struct{}
}

func newPlain(w http.ResponseWriter, gone <-chan struct{}) *plain {
	return &plain{w, http.NewResponseController(w), gone, make(chan struct{}, 1)}
}

func (p *plain) Flush() error { return p.control.Flush() }

func (p *plain) SetWriteDeadline(t time.Time) error {
	err := p.control.SetWriteDeadline(t)
	if errors.Is(err, http.ErrNotSupported) { // tests have such writers
		return nil
	}
	return err
}

func (p *plain) wait(until time.Time) error {
	if err := p.SetWriteDeadline(time.Time{}); err != nil { // at which HTTP/2 ends a stream that is idle, too
		return err
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-p.gone:
		return net.ErrClosed
	case <-p.woken:
	case <-timer.C:
	}
	return nil
}

func (p *plain) wake() {
	select {
	case p.woken <- struct{}{}:
	default: // it is awake already
	}
}
