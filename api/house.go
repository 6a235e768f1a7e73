package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/swaggest/swgui/v5/static"

	"cruel"
	"cruel/account"
)

//go:embed pages
var pageFiles embed.FS

// The pages run no inline script and reach no other host; Swagger UI sets styles inline.
const contentSecurity = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// pages serves what a person opens: the first page, the rendered contract, and a page for each problem.
func (s *server) pages(router *gin.Engine) {
	serve := func(path, kind string, body []byte) {
		etag := etagOf(body)
		router.GET(path, func(c *gin.Context) {
			c.Header("Content-Security-Policy", contentSecurity)
			sendPage(c, kind, etag, body)
		})
	}
	const html, css, script = "text/html; charset=utf-8", "text/css; charset=utf-8", "text/javascript; charset=utf-8"
	serve("/", html, must(pageFiles.ReadFile("pages/home.html")))
	serve("/pages.css", css, must(pageFiles.ReadFile("pages/pages.css")))
	serve("/docs", html, must(pageFiles.ReadFile("pages/docs.html")))
	serve("/docs/docs.js", script, must(pageFiles.ReadFile("pages/docs.js")))
	serve("/openapi.yaml", "application/yaml; charset=utf-8", cruel.Contract)
	packed := func(path, kind, file string) {
		body := must(fs.ReadFile(static.FS, file))
		plain := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(body)))))
		packedTag, plainTag := etagOf(body), etagOf(plain)
		router.GET(path, func(c *gin.Context) {
			c.Header("Vary", "Accept-Encoding")
			if strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
				c.Header("Content-Encoding", "gzip")
				sendPage(c, kind, packedTag, body)
				return
			}
			sendPage(c, kind, plainTag, plain)
		})
	}
	packed("/docs/swagger-ui.css", css, "swagger-ui.css.gz")
	packed("/docs/swagger-ui-bundle.js", script, "swagger-ui-bundle.js.gz")
	page := must(template.ParseFS(pageFiles, "pages/problem.html"))
	for _, k := range kinds {
		var body bytes.Buffer
		if err := page.Execute(&body, map[string]any{"Title": k.title, "Status": k.status, "Slug": k.slug, "Text": k.text}); err != nil {
			panic(err)
		}
		serve("/problems/"+k.slug, html, body.Bytes())
	}
}

// sendPage answers with a part of the program, or 304 where the browser has it.
func sendPage(c *gin.Context, kind, etag string, body []byte) {
	c.Header("ETag", etag)
	c.Header("Cache-Control", fiveMinutes)
	if matches(c.GetHeader("If-None-Match"), etag) {
		c.Status(http.StatusNotModified)
		return
	}
	c.Data(http.StatusOK, kind, body)
}

// must is for what is part of the program: it can't fail in one build and work in another.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// GetHealth says that the process is alive.
func (s *server) GetHealth(context.Context, GetHealthRequestObject) (GetHealthResponseObject, error) {
	return GetHealth200JSONResponse{StatusJSONResponse{Status: "ok", Version: s.version}}, nil
}

// GetReady says that the database can be used.
func (s *server) GetReady(ctx context.Context, _ GetReadyRequestObject) (GetReadyResponseObject, error) {
	ctx, _ = enter(ctx)
	if err := s.Ready(ctx); err != nil {
		return nil, errors.Join(account.ErrUnavailable, err)
	}
	return GetReady200JSONResponse{StatusJSONResponse{Status: "ok", Version: s.version}}, nil
}
