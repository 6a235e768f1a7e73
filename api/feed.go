package api

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/challenge"
	"cruel/engine"
)

// feedDays is how many days are in the feed.
const feedDays = 14

// feeds serves what brings a player back who wants it: the last days as an Atom feed, and a calendar to
// subscribe to. Neither needs an account, and nothing is sent to anybody.
func (s *server) feeds(router *gin.Engine) {
	serve := func(path, kind, cache string, write func(context.Context, string) ([]byte, error)) {
		router.GET(path, func(c *gin.Context) {
			body, err := write(c.Request.Context(), s.origin(c.Request))
			if err != nil {
				s.writeProblem(c, err)
				return
			}
			file{kind: kind, cache: cache, security: contentSecurity, plain: newContent(body)}.send(c)
		})
	}
	serve("/feed.atom", "application/atom+xml; charset=utf-8", revalidated, s.atom)
	serve("/daily.ics", "text/calendar; charset=utf-8", fiveMinutes, func(_ context.Context, origin string) ([]byte, error) {
		return calendar(origin), nil
	})
}

// origin is where the client has reached this server. Behind a proxy, which does TLS unless it says otherwise,
// only the proxy knows.
func (s *server) origin(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || s.trusted(remoteAddr(r)) && r.Header.Get("X-Forwarded-Proto") != "http" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated time.Time   `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string    `xml:"id"`
	Title   string    `xml:"title"`
	Updated time.Time `xml:"updated"`
	Link    atomLink  `xml:"link"`
}

// atom is the feed of the last dailies that have begun, the newest first.
func (s *server) atom(ctx context.Context, origin string) ([]byte, error) {
	today := challenge.DayOf(s.now())
	days, err := s.Challenges.Dailies(ctx, engine.DefaultVariant(), today.Add(1-feedDays), today)
	if err != nil {
		return nil, err
	}
	slices.Reverse(days)
	feed := atomFeed{
		ID: origin + "/feed.atom", Title: "Cruel: the deal of the day", Author: "Cruel", Updated: today.OpensAt(),
		Links: []atomLink{{"self", origin + "/feed.atom"}, {"", origin + "/"}},
	}
	for _, c := range days {
		link := origin + "/play/" + c.ID
		feed.Entries = append(feed.Entries, atomEntry{link, "Cruel, " + c.OpensAt.Format("2 January 2006"), c.OpensAt, atomLink{"", link}})
	}
	return append([]byte(xml.Header), must(xml.MarshalIndent(feed, "", " "))...), nil
}

// calendar is one event that comes each midnight UTC, takes no time and rings no bell.
func calendar(origin string) []byte {
	_, host, _ := strings.Cut(origin, "://")
	var text strings.Builder
	for _, line := range []string{
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"PRODID:-//Cruel//The deal of the day//EN",
		"X-WR-CALNAME:Cruel",
		"BEGIN:VEVENT",
		"UID:daily@" + host,
		"DTSTAMP:20260101T000000Z",
		"DTSTART:20260101T000000Z",
		"RRULE:FREQ=DAILY",
		"SUMMARY:Cruel: the deal of the day",
		"URL:" + origin + "/",
		"TRANSP:TRANSPARENT",
		"END:VEVENT",
		"END:VCALENDAR",
	} {
		const most = 75 // bytes of a line, by RFC 5545; the rest goes on after a space
		for ; len(line) > most; line = " " + line[most:] {
			fmt.Fprintf(&text, "%s\r\n", line[:most])
		}
		fmt.Fprintf(&text, "%s\r\n", line)
	}
	return []byte(text.String())
}
