package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a private Postgres on a Unix socket in a temporary folder.
type Server struct {
	DSN   string // of its database "postgres"
	dir   string
	cmd   *exec.Cmd
	alive io.Closer
}

// The server lives as long as the script's standard input is open. So it ends
// and is cleared away however this process ends, kill -9 included.
const script = `
dir=$1; shift
"$@" </dev/null >"$dir/log" 2>&1 &
server=$!
read -r _
kill -INT $server
wait $server
rm -rf "$dir"
`

// Start starts a server that forgets everything at its end. As root it runs it
// as the user postgres, or else nobody. The binaries are those of PGBIN, of
// PATH or of Debian's newest version, in this order.
func Start() (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, attr, err := folder()
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	s := &Server{
		DSN: (&url.URL{
			Scheme: "postgres", Path: "/postgres",
			RawQuery: url.Values{"host": {dir}, "user": {"app"}}.Encode(),
		}).String(),
		dir: dir,
	}
	if err := s.start(bin, attr); err != nil {
		err = fmt.Errorf("dbtest: private Postgres: %w", err)
		return nil, errors.Join(err, s.Stop(), os.RemoveAll(dir))
	}
	return s, nil
}

// Stop stops the server and removes its folder.
func (s *Server) Stop() error {
	if s.cmd == nil {
		return nil
	}
	_ = s.alive.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("dbtest: stop the private Postgres: %w", err)
	}
	return nil
}

func (s *Server) start(bin string, attr *syscall.SysProcAttr) error {
	data := filepath.Join(s.dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "app", "-A", "trust",
		"-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions")
	initdb.Dir = s.dir
	initdb.SysProcAttr = attr
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	cmd := exec.Command("/bin/sh", "-c", script, "sh", s.dir,
		filepath.Join(bin, "postgres"), "-D", data, "-k", s.dir,
		"-c", "listen_addresses=", "-c", "max_connections=300",
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
	cmd.Dir = s.dir
	cmd.SysProcAttr = attr
	alive, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.alive = cmd, alive
	return s.wait()
}

// wait waits until the server answers.
func (s *Server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.DSN)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("it doesn't answer: %w\n%s", err, bytes.TrimSpace(log))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// binaries returns the folder with initdb and postgres.
func binaries() (string, error) {
	if dir := os.Getenv("PGBIN"); dir != "" {
		return dir, nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	var newest string
	var version int
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is right
	for _, path := range found {
		dir := filepath.Dir(path)
		if v, err := strconv.Atoi(filepath.Base(filepath.Dir(dir))); err == nil && v > version {
			newest, version = dir, v
		}
	}
	if newest == "" {
		return "", errors.New("dbtest: there is no Postgres for the tests: install Debian's package postgresql, " +
			"or set PGBIN to the folder with initdb, or " + Env + " to the URL of a server")
	}
	return newest, nil
}

// folder makes the folder of a server, with a path that is short enough for a
// Unix socket, and tells as whom to run the server.
func folder() (string, *syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setpgid: true} // ^C is for the tests; the server ends after them
	temp := os.TempDir()
	if len(temp) > 60 {
		temp = "/tmp"
	}
	dir, err := os.MkdirTemp(temp, "pg")
	if err != nil || os.Geteuid() != 0 {
		return dir, attr, err
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return "", nil, err
		}
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2, os.Chown(dir, int(uid), int(gid))); err != nil {
		return "", nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return dir, attr, nil
}

// Environ returns the environment of this process with the server's URL in it.
func (s *Server) Environ() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, Env+"=") {
			env = append(env, v)
		}
	}
	return append(env, Env+"="+s.DSN)
}
