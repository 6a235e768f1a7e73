package api

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Cases K12, V11: whatever is sent to whatever operation, the answer is one that the contract lists, and
// never a fault of the server.
func FuzzRequest(f *testing.F) {
	f.Add(uint8(0), "cruel-2026-11-30", "limit=1&cursor=AA", `{"log":"aH"}`)
	f.Add(uint8(3), "cruel", "around=me", `{"variant":"cruel","seed":"2","log":"R R"}`)
	f.Add(uint8(9), "%00", "variant=cruel", `{"name":"ada","transport":"cookie"}`)
	f.Add(uint8(20), "a/b", "a=1&a=2", "{\"log\":\"\xff\"}")
	s := newSite(f)
	_, me := s.guest()
	keys := make([]string, 0, len(s.routes))
	for key := range s.routes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	f.Fuzz(func(t *testing.T, operation uint8, parameter, query, body string) {
		method, pattern, _ := strings.Cut(keys[int(operation)%len(keys)], " ")
		if method == http.MethodDelete {
			return // the player would be gone
		}
		var segments []string
		for segment := range strings.SplitSeq(pattern, "/") {
			if strings.HasPrefix(segment, ":") {
				segment = parameter
			}
			segments = append(segments, segment)
		}
		r := httptest.NewRequest(method, "/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery = strings.Join(segments, "/"), query
		r.Header.Set("Content-Type", "application/json")
		_, token, _ := strings.Cut(string(me), ": ")
		r.Header.Set("Authorization", token)
		s := *s
		s.t = t
		if a := s.do(r); a.status >= http.StatusInternalServerError {
			t.Fatalf("%s %s?%s %q: got %d: %s", method, r.URL.Path, query, body, a.status, a.body)
		}
	})
}

// A cursor opens only as it was made, and only for its list.
func FuzzCursor(f *testing.F) {
	s := &server{cursorKey: []byte("key")}
	made := *s.sealCursor("board x", boardPlace{48, 1, "a", false})
	f.Add("board x", made)
	f.Add("board y", made)
	f.Add("board x", made+"A")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, list, cursor string) {
		var place boardPlace
		if err := s.openCursor(list, cursor, &place); err == nil && (list != "board x" || place != boardPlace{48, 1, "a", false}) {
			t.Fatalf("a cursor that nobody made opens: %q of %q: %+v", cursor, list, place)
		}
	})
}
