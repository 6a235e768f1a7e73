package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cruel/api"
)

const (
	// A page of a board takes about 100 kB, the longest replay 30 kB.
	maxAnswer = 1 << 20

	answerPatience = 30 * time.Second // for one answer
	busyTries      = 5                // a server that is busy is asked so often,
	busyPatience   = 2 * time.Minute  // if it asks for no longer wait
)

// serverURL is the address of a server, without a slash at its end.
type serverURL string

func (s *serverURL) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("server %q: write its address as in http://localhost:8080", shortened(string(text)))
	}
	*s = serverURL(strings.TrimRight(u.String(), "/"))
	return nil
}

// remote is a server that isn't trusted: what is read of it is bounded in size and time.
type remote struct {
	url      serverURL
	progress *progress
}

// get reads the JSON of a path. It waits where the server is busy and says for how long.
func (r *remote) get(ctx context.Context, path string, answer any) error {
	for try := 1; ; try++ {
		err := r.ask(ctx, path, answer)
		refused, ok := errors.AsType[*statusError](err)
		if !ok || !refused.busy() || try == busyTries || refused.wait > busyPatience {
			return err
		}
		r.progress.say("the server is busy; waiting %s", refused.wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(refused.wait):
		}
	}
}

// stay is a client that goes where it is told to and nowhere else.
var stay = http.Client{
	Timeout:       answerPatience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (r *remote) ask(ctx context.Context, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(r.url)+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	response, err := stay.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", request.URL, err)
	case len(body) > maxAnswer:
		return fmt.Errorf("%s: the answer is over 1 MiB", request.URL)
	case response.StatusCode != http.StatusOK:
		return newStatusError(request.URL, response, body)
	}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return fmt.Errorf("%s: the answer isn't JSON", request.URL)
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("%s: the answer isn't what a Cruel server says: %w", request.URL, err)
	}
	return nil
}

// statusError is an answer other than 200.
type statusError struct {
	url    *url.URL
	status int
	detail string        // what the server says about it
	wait   time.Duration // 429 and 503: when it may be asked again
}

func newStatusError(from *url.URL, response *http.Response, body []byte) *statusError {
	e := &statusError{url: from, status: response.StatusCode, wait: time.Second}
	if to := response.Header.Get("Location"); to != "" {
		e.detail = quoted(to) + " is elsewhere; give that as --server if it is meant"
	}
	var problem api.Problem
	if json.Unmarshal(body, &problem) == nil && problem.Detail != "" {
		e.detail = quoted(problem.Detail)
	}
	if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 31); err == nil {
		e.wait = time.Duration(seconds) * time.Second
	}
	return e
}

func (e *statusError) busy() bool {
	return e.status == http.StatusTooManyRequests || e.status == http.StatusServiceUnavailable
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answers %d %s", e.url, e.status, http.StatusText(e.status))
	if e.detail != "" {
		text += ": " + e.detail
	}
	if e.busy() {
		text += fmt.Sprintf("; try again in %s", e.wait)
	}
	return text
}

// answered reports whether an error is an answer with the status.
func answered(err error, status int) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && e.status == status
}
