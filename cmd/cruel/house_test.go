package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// border is what packages may import. Names of ours are without the module's name; a name stands for the
// packages below it as well, but for "." and "std".
type border struct {
	ours    []string
	outside []string // besides the standard library
	without []string // of the standard library
}

var (
	// The rules can't depend on anything but their arguments.
	pure = []string{"time", "os", "net", "context", "log", "math/rand"}
	// What people and games are is no matter of files, sockets and statements.
	noEdges = []string{"os", "net", "database/sql", "math/rand"}
)

// borders is the table of who may import whom. A package that isn't in it is refused.
var borders = map[string]border{
	".":         {without: pure}, // embeds the contract
	"engine":    {without: pure},
	"replay":    {ours: []string{"engine"}, without: pure},
	"solver":    {ours: []string{"engine"}, without: noEdges},
	"rating":    {without: pure},
	"account":   {outside: []string{"github.com/golang-jwt/jwt/v5", "golang.org/x/crypto", "golang.org/x/text", "github.com/mtibben/confusables"}, without: noEdges},
	"challenge": {ours: []string{"replay", "engine", "solver", "account"}, without: noEdges},
	"race":      {ours: []string{"replay", "engine", "solver", "rating", "account"}, without: noEdges},
	"db": {
		ours:    []string{"challenge", "race", "account", "replay", "engine"},
		outside: []string{"github.com/jackc/pgx/v5", "modernc.org/sqlite", "github.com/pressly/goose/v3"},
	},
	"db/dbtest": {ours: []string{"db", "db/dbtest"}, outside: []string{"github.com/jackc/pgx/v5"}},
	"api": {
		ours:    []string{".", "account", "challenge", "race", "replay", "engine"},
		outside: []string{"github.com/gin-gonic/gin", "github.com/getkin/kin-openapi", "github.com/oapi-codegen", "github.com/go-json-experiment/json", "github.com/swaggest/swgui"},
		without: []string{"os", "database/sql", "math/rand"},
	},
	"web":   {without: noEdges},                                                                  // embeds the browser client
	"bench": {ours: []string{"engine", "replay"}, outside: []string{"github.com/gin-gonic/gin"}}, // gin is what it compares with
	"cmd/cruel": {
		ours:    []string{"api", "account", "challenge", "race", "db", "solver", "replay", "engine", "web"},
		outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/caarlos0/env/v11"},
		without: []string{"database/sql", "math/rand"},
	},
	"cmd/testserver": { // for the tests of the browser client
		ours:    []string{"api", "account", "challenge", "race", "db", "web"},
		without: []string{"database/sql", "math/rand"},
	},
}

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
}

func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "cruel/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := ours(p.ImportPath)
		row, ok := rowOf(name)
		if !ok {
			t.Errorf("package %s is in no row of the table", name)
			continue
		}
		seen[row] = true
		for _, imported := range p.Imports {
			if reason := borders[row].refuses(imported); reason != "" {
				t.Errorf("package %s imports %s: %s", name, imported, reason)
			}
		}
	}
	for row := range borders {
		if !seen[row] {
			t.Errorf("row %s of the table has no package", row)
		}
	}
}

// The table would refuse each of these.
func TestBordersRefuse(t *testing.T) {
	for _, c := range []struct{ row, imported string }{
		{"engine", "time"},
		{"engine", "net/http"},
		{"engine", "math/rand/v2"},
		{"engine", "cruel/replay"},
		{"engine", "golang.org/x/text/cases"},
		{"replay", "cruel/challenge"},
		{"challenge", "cruel/db"},
		{"challenge", "database/sql"},
		{"account", "cruel/challenge"},
		{"api", "cruel/db"},
		{"api", "cruel/web"},
		{"api", "github.com/jackc/pgx/v5/stdlib"},
		{"cmd/cruel", "modernc.org/sqlite"},
		{"cmd/cruel", "github.com/spf13/cobrax"},
	} {
		if borders[c.row].refuses(c.imported) == "" {
			t.Errorf("%s may import %s", c.row, c.imported)
		}
	}
}

// ours is a package's name in the table, "" where it is none of this module.
func ours(importPath string) string {
	if importPath == "cruel" {
		return "."
	}
	name, _ := strings.CutPrefix(importPath, "cruel/")
	if name == importPath {
		return ""
	}
	return name
}

// rowOf is the row that a package of ours belongs to: its own or that of a folder above it.
func rowOf(name string) (string, bool) {
	for folder := name; ; folder = filepath.Dir(folder) {
		if _, ok := borders[folder]; ok {
			return folder, folder != "." || name == "."
		}
	}
}

// refuses is why a package of the row may not import another; "" if it may.
func (b border) refuses(imported string) string {
	under := func(name string) bool { return imported == name || strings.HasPrefix(imported, name+"/") }
	first, _, _ := strings.Cut(imported, "/")
	switch name := ours(imported); {
	case name != "":
		if !slices.Contains(b.ours, name) {
			return "none of the packages of ours that it may import"
		}
	case strings.Contains(first, "."):
		if !slices.ContainsFunc(b.outside, under) {
			return "none of the packages from outside that it may import"
		}
	case slices.ContainsFunc(b.without, under):
		return "not from the standard library, here"
	}
	return ""
}

// The tree is whole: it needs no file from beside it.
func TestNothingFromOutsideTheTree(t *testing.T) {
	beside := "../" + "shared"
	files := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "bin", "node_modules"}, entry.Name()) {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), "cruel.db") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if bytes.Contains(text, []byte(beside)) {
			t.Errorf("%s says %s", path, beside)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("only %d files were read", files)
	}
}
