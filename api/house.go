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

	"github.com/gin-gonic/gin"
	"github.com/swaggest/swgui/v5/static"

	"cruel"
	"cruel/account"
)

//go:embed pages
var pageFiles embed.FS

// The pages run no inline script and reach no other host; Swagger UI sets styles inline.
const contentSecurity = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// pages serves what a person opens besides the browser client: the rendered contract, and a page for each
// problem.
func (s *server) pages(router *gin.Engine) {
	html, css, script := contentTypes[".html"], contentTypes[".css"], contentTypes[".js"]
	serve := func(path, kind string, body []byte) {
		s.serve(router, path, newFile(kind, fiveMinutes, contentSecurity, body))
	}
	serve("/pages.css", css, must(pageFiles.ReadFile("pages/pages.css")))
	serve("/docs", html, must(pageFiles.ReadFile("pages/docs.html")))
	serve("/docs/docs.js", script, must(pageFiles.ReadFile("pages/docs.js")))
	serve("/openapi.yaml", "application/yaml; charset=utf-8", cruel.Contract)
	packed := func(path, kind, name string) { // comes packed; packing a megabyte at each start would be felt
		body := must(fs.ReadFile(static.FS, name))
		plain := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(body)))))
		s.serve(router, path, file{kind, fiveMinutes, contentSecurity, newContent(plain), newContent(body)})
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
