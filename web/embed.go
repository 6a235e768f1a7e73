// Package web holds the browser client as it was built: its page, and the scripts, styles and icons that go
// with it. The source is beside it, in TypeScript; the build is committed, so that a clone needs no Node.
//
// The promise: what is in Files is all that the page loads. It asks no other host.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files is the built client, index.html and all. The names in assets have a hash of what is in them, so they
// never stand for anything else.
var Files = built()

func built() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is one
	}
	return files
}
