package api

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A site of nginx as one writes it who knows nothing of streams. It speaks HTTP/1.0 to the server.
const stockSite = `
server {
    listen 80;
    location / {
        proxy_pass http://127.0.0.1:8080;
    }
}
`

// Scaled down: really these are 15 and 60 s, and 30 s at some other proxies.
const (
	nginxHeartbeat = time.Second
	nginxPatience  = 2 * time.Second
)

// Cases M12, M13, M24: through nginx an event comes in at most a second and isn't packed, an idle stream outlives
// the proxy's timeout for reading, and no token is in the proxy's logs.
func TestStreamThroughNginx(t *testing.T) {
	ours, err := os.ReadFile("../deploy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	for name, site := range map[string]string{"stock": stockSite, "ours": string(ours)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(o *Options) { o.Heartbeat = nginxHeartbeat })
			ana := s.guestRacer()
			code := ana.open(ownSeed).Code
			url, logs := nginx(t, site, s.listen().Listener.Addr())
			r, err := http.NewRequestWithContext(t.Context(), "GET", url+"/v1/variants", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", "gzip")
			packed, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			packed.Body.Close()
			if got := packed.Header.Get("Content-Encoding"); got != "gzip" {
				t.Fatalf("nginx is to pack what it may; the Content-Encoding is %q", got)
			}

			st := s.stream(url, code, ana.auth, "Accept-Encoding: gzip, br")
			for name, want := range map[string]string{
				"Content-Type":                "text/event-stream",
				"Content-Encoding":            "",
				"Content-Length":              "",
				"Cache-Control":               "no-store, no-transform",
				"X-Content-Type-Options":      "nosniff",
				"Access-Control-Allow-Origin": "*",
			} {
				if got := st.response.Header.Get(name); got != want {
					t.Errorf("got %s %q, want %q", name, got, want)
				}
			}
			st.next("state")
			st.beat(int(3*nginxPatience/nginxHeartbeat) + 1)
			asked := time.Now()
			ana.do(code, "ready")
			st.next("ready")
			if took := time.Since(asked); took > time.Second {
				t.Errorf("an event took %s", took)
			}
			st.close()
			s.streams.Wait() // who leaves the proxy is let go of by the server, too

			text, line := logs(), "GET /v1/races/"+code+"/events" // which is written when the stream is over
			for late := time.Now().Add(patient); !strings.Contains(text, line) && time.Now().Before(late); text = logs() {
				time.Sleep(5 * time.Millisecond)
			}
			token := strings.TrimPrefix(string(ana.auth), "Authorization: Bearer ")
			if !strings.Contains(text, line) || strings.Contains(text, token[:20]) {
				t.Errorf("nginx has logged:\n%s", text)
			}
		})
	}

	t.Run("without a heartbeat", func(t *testing.T) { // or the above shows nothing
		t.Parallel()
		s := newSite(t, func(o *Options) { o.Heartbeat = time.Hour })
		code := s.guestRacer().open(ownSeed).Code
		url, _ := nginx(t, stockSite, s.listen().Listener.Addr())
		st := s.stream(url, code)
		st.next("state")
		select {
		case <-st.ended:
		case <-time.After(patient):
			t.Error("the proxy waits for ever")
		}
	})
}

// A site that keeps what it is allowed to.
const cachingSite = `
proxy_cache_path cache keys_zone=kept:1m;
server {
    listen 80;
    location / {
        proxy_pass http://127.0.0.1:8080;
        proxy_cache kept;
        add_header X-Cache $upstream_cache_status;
    }
}
`

// Case D06: a cache in front gives the old day no longer than it was told, and the challenge it gives then is
// wholly of the new one.
func TestDayThroughCache(t *testing.T) {
	s := newSite(t)
	url, _ := nginx(t, cachingSite, s.listen().Listener.Addr())
	get := func() (kept string, c Challenge) {
		t.Helper()
		r, err := http.Get(url + "/v1/daily")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			t.Fatal(err)
		}
		return r.Header.Get("X-Cache"), c
	}
	midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	s.clock.Set(midnight.Add(-2 * time.Second))
	_, old := get()
	if kept, again := get(); kept != "HIT" || again.Id != "cruel-2026-11-30" || again.Seed != old.Seed {
		t.Fatalf("got %s of %s; the test shows nothing", again.Id, kept)
	}

	s.clock.Set(midnight.Add(5 * time.Second))
	_, c := get()
	for late := time.Now().Add(patient); c.Id == old.Id && time.Now().Before(late); _, c = get() {
		time.Sleep(50 * time.Millisecond)
	}
	if c.Id != "cruel-2026-12-01" || c.Seed == old.Seed || !c.OpensAt.Equal(midnight) {
		t.Errorf("got %s on seed %s, opened at %s", c.Id, c.Seed, c.OpensAt)
	}
}

// nginx starts an nginx with a site in front of a server, until the test is over. It has logged what logs answers.
func nginx(t *testing.T, site string, server net.Addr) (url string, logs func() string) {
	t.Helper()
	binary, err := exec.LookPath("nginx")
	if err != nil {
		binary, err = exec.LookPath("/usr/sbin/nginx") // which isn't in everybody's PATH
	}
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("there is no nginx: make deps installs it")
	}
	// It takes the socket from us, as from an nginx that it replaces, so the port is certainly free.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()

	for from, to := range map[string]string{"\n    listen 80;": "\n    listen " + listener.Addr().String() + ";", "127.0.0.1:8080": server.String()} {
		site = strings.ReplaceAll(site, from, to)
		if !strings.Contains(site, to) {
			t.Fatalf("the site has no %q", from)
		}
	}
	folder := t.TempDir()
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // as which alone the folder is open
	}
	config := fmt.Sprintf(`
%s
daemon off;
worker_processes 1;
pid %[2]s/pid;
error_log %[2]s/error.log;
events {}
http {
    access_log %[2]s/access.log;
    client_body_temp_path %[2]s/body;
    proxy_temp_path %[2]s/proxy;
    fastcgi_temp_path %[2]s/fastcgi;
    uwsgi_temp_path %[2]s/uwsgi;
    scgi_temp_path %[2]s/scgi;
    gzip on;
    gzip_types application/json application/problem+json text/plain;
    proxy_read_timeout %[3]dms;
    include %[2]s/site;
}
`, user, folder, nginxPatience.Milliseconds())
	for name, text := range map[string]string{"nginx.conf": config, "site": site} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	logs = func() string {
		access, _ := os.ReadFile(filepath.Join(folder, "access.log"))
		faults, _ := os.ReadFile(filepath.Join(folder, "error.log"))
		return string(access) + string(faults)
	}

	var said strings.Builder
	cmd := exec.Command(binary, "-p", folder, "-e", filepath.Join(folder, "error.log"), "-c", filepath.Join(folder, "nginx.conf"))
	cmd.Stderr, cmd.Env, cmd.ExtraFiles = &said, []string{"NGINX=3;"}, []*os.File{socket}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("nginx: %v\n%s%s", err, said.String(), logs())
		}
	})
	return "http://" + listener.Addr().String(), logs
}
