package api

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

// clientRoutes are the addresses that the browser client shows by itself. To the server they are all the one
// page. Whatever else there is nothing at is a 404: the page again, which says so, for who opens it in a browser,
// and else a problem.
var clientRoutes = []string{
	"/", "/play/*rest", "/board", "/board/*rest", "/archive", "/replay/*rest", "/races", "/races/*rest",
	"/players/*rest", "/rules", "/account", "/practice/*rest",
}

// What the browser client may do: load what is beside it and call this server. It has no inline script or
// style.
const clientSecurity = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

const forEver = "public, max-age=31536000, immutable"

// client serves the built browser client: each of its files, and its page at all its addresses.
func (s *server) client(router *gin.Engine, web fs.FS) error {
	index, err := fs.ReadFile(web, "index.html")
	if err != nil {
		return fmt.Errorf("the browser client: %w", err)
	}
	page := newFile(contentTypes[".html"], revalidated, clientSecurity, index)
	for _, route := range clientRoutes {
		s.serve(router, route, page)
	}
	nothing := page
	nothing.cache = "no-store"
	router.NoRoute(func(c *gin.Context) {
		if isOpened(c.Request) {
			nothing.sendAs(c, http.StatusNotFound)
			return
		}
		s.noRoute(c)
	})
	return fs.WalkDir(web, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		kind, ok := contentTypes[path.Ext(name)]
		if !ok {
			return fmt.Errorf("the browser client: no content type is known for %s", name)
		}
		body, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		s.serve(router, "/"+name, newFile(kind, clientCache(name), clientSecurity, body))
		return nil
	})
}

// isOpened reports whether the request opens a page, by a link or an address that was typed. What is asked of
// the API never does.
func isOpened(r *http.Request) bool {
	return r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/v1/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// clientCache is how long a file of the browser client may be kept. A name with a hash in it never means
// another file; an old page or service worker would hold a browser back at an old release.
func clientCache(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return forEver
	case name == "index.html", name == "sw.js":
		return revalidated
	}
	return fiveMinutes
}

// contentTypes are those that a build may have, by the ends of the names. The machine's own table isn't asked,
// since it is another one on each.
var contentTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".webmanifest": "application/manifest+json",
	".txt":         "text/plain; charset=utf-8",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".webp":        "image/webp",
	".ico":         "image/x-icon",
	".woff2":       "font/woff2",
}

// file is a part of the program that is served as it is.
type file struct {
	kind     string // Content-Type
	cache    string // Cache-Control
	security string // Content-Security-Policy
	plain    content
	packed   content // with gzip; none where that would gain nothing
}

type content struct {
	body []byte
	etag string
}

func newContent(body []byte) content { return content{body, etagOf(body)} }

// newFile packs a file, once for all who ask.
func newFile(kind, cache, security string, body []byte) file {
	f := file{kind: kind, cache: cache, security: security, plain: newContent(body)}
	var packed bytes.Buffer
	w := must(gzip.NewWriterLevel(&packed, gzip.BestCompression))
	must(w.Write(body)) // to memory
	if err := w.Close(); err != nil {
		panic(err)
	}
	if packed.Len() < len(body)*9/10 {
		f.packed = newContent(packed.Bytes())
	}
	return f
}

// serve serves a file at a path. It counts apart from the API, so that opening the page takes nothing away
// from playing.
func (s *server) serve(router *gin.Engine, path string, f file) {
	s.routes[http.MethodGet+" "+path] = route{id: "page", operation: operation{limit: &pagePolicy}}
	router.GET(path, f.send)
}

func (f file) send(c *gin.Context) { f.sendAs(c, http.StatusOK) }

// sendAs answers with the file and the status; where that is 200 and the browser has the file, with 304.
func (f file) sendAs(c *gin.Context, status int) {
	h, sent := c.Writer.Header(), f.plain
	if f.packed.body != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(c.GetHeader("Accept-Encoding")) {
			sent = f.packed
		}
	}
	h.Set("ETag", sent.etag)
	h.Set("Cache-Control", f.cache)
	h.Set("Content-Security-Policy", f.security)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if status == http.StatusOK && matches(c.GetHeader("If-None-Match"), sent.etag) {
		c.Status(http.StatusNotModified)
		return
	}
	if f.packed.body != nil && sent.etag == f.packed.etag {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(sent.body)))
	c.Data(status, f.kind, sent.body)
}

// takesGzip reads Accept-Encoding: gzip is named, and not refused with q=0.
func takesGzip(accepted string) bool {
	for coding := range strings.SplitSeq(accepted, ",") {
		name, params, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			weight, found := strings.CutPrefix(strings.ToLower(strings.TrimSpace(params)), "q=")
			q, err := strconv.ParseFloat(weight, 64)
			return !found || err == nil && q > 0
		}
	}
	return false
}
