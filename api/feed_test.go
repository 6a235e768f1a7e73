package api

import (
	"encoding/xml"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"cruel/challenge"
	"cruel/engine"
)

// The feed has the last days that have begun, with links to play them, and nothing of days to come.
func TestFeed(t *testing.T) {
	s := newSite(t)
	v, today := engine.DefaultVariant(), challenge.DayOf(noon)
	for i := -20; i <= 1; i++ {
		day := today.Add(i)
		seed := engine.Seed("seed-" + day.String())
		err := s.db.OpenDaily(t.Context(), challenge.Challenge{
			ID: challenge.DailyID(v, day), Kind: challenge.Daily, Variant: v, RulesVersion: 1, Day: day, Seed: seed,
			OpensAt: day.OpensAt(), ClosesAt: day.ClosesAt(), GraceUntil: day.ClosesAt(), CreatedAt: noon,
			Commitment: &challenge.Commitment{Day: day, Hash: challenge.CommitmentHash(v, day, seed), CommittedAt: noon},
		}, challenge.Finding{})
		if err != nil {
			t.Fatal(err)
		}
	}
	a := s.send("GET", "/feed.atom", "").want(http.StatusOK)
	var feed atomFeed
	if err := xml.Unmarshal(a.body, &feed); err != nil {
		t.Fatal(err)
	}
	if len(feed.Entries) != 14 || !feed.Updated.Equal(today.OpensAt()) {
		t.Fatalf("got %d entries, updated %s", len(feed.Entries), feed.Updated)
	}
	first, last := feed.Entries[0], feed.Entries[13]
	if first.Link.Href != "http://example.com/play/cruel-2026-11-30" || first.Title != "Cruel, 30 November 2026" || !first.Updated.Equal(today.OpensAt()) {
		t.Errorf("the first entry is %+v", first)
	}
	if last.ID != "http://example.com/play/cruel-2026-11-17" {
		t.Errorf("the last entry is %+v", last)
	}
	if got := a.header.Get("Content-Type"); got != "application/atom+xml; charset=utf-8" {
		t.Errorf("got Content-Type %q", got)
	}
	s.send("GET", "/feed.atom", "", header("If-None-Match: "+a.header.Get("ETag"))).want(http.StatusNotModified)
}

// The calendar has lines as RFC 5545 wants them, and no alarm.
func TestCalendar(t *testing.T) {
	s := newSite(t)
	text := string(s.send("GET", "/daily.ics", "").want(http.StatusOK).body)
	for _, want := range []string{"BEGIN:VCALENDAR\r\n", "DTSTART:20260101T000000Z\r\n", "RRULE:FREQ=DAILY\r\n", "URL:http://example.com/\r\n", "END:VCALENDAR\r\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in\n%s", want, text)
		}
	}
	if strings.Contains(text, "VALARM") {
		t.Error("it rings")
	}
	host := strings.Repeat("long.", 40) + "example"
	long := string(calendar("https://" + host))
	for line := range strings.SplitSeq(long, "\r\n") {
		if len(line) > 75 || strings.Contains(line, "\n") {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	if !strings.Contains(strings.ReplaceAll(long, "\r\n ", ""), "\r\nURL:https://"+host+"/\r\n") {
		t.Errorf("a long line isn't whole:\n%s", long)
	}
}

// Links lead to where the client has come from.
func TestOrigin(t *testing.T) {
	s := newSite(t, func(o *Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} }) // httptest's
	for proto, want := range map[string]string{"https": "https://", "http": "http://", "": "https://"} {
		if got := string(s.send("GET", "/daily.ics", "", header("X-Forwarded-Proto: "+proto)).body); !strings.Contains(got, "URL:"+want) {
			t.Errorf("by %q:\n%s", proto, got)
		}
	}
	if got := string(newSite(t).send("GET", "/daily.ics", "", "X-Forwarded-Proto: https").body); !strings.Contains(got, "URL:http://") {
		t.Errorf("a stranger is believed:\n%s", got)
	}
}
