package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cruel/db"
)

// serveConfig is what `cruel serve` is told.
type serveConfig struct {
	Listen         listenAddress `env:"CRUEL_LISTEN" envDefault:":8080"`
	Database       database      `env:"CRUEL_DATABASE" envDefault:"./cruel.db"`
	TrustedProxies proxies       `env:"CRUEL_TRUSTED_PROXIES"`
	RateLimits     onOff         `env:"CRUEL_RATE_LIMITS" envDefault:"on"`
	PrepareDays    days          `env:"CRUEL_PREPARE_DAYS" envDefault:"7"`
	SolverMemory   byteSize      `env:"CRUEL_SOLVER_MEMORY" envDefault:"256MiB"`
}

// databaseConfig is what the commands on a database are told.
type databaseConfig struct {
	Database database `env:"CRUEL_DATABASE" envDefault:"./cruel.db"`
}

// listenConfig is what `cruel healthcheck` is told.
type listenConfig struct {
	Listen listenAddress `env:"CRUEL_LISTEN" envDefault:":8080"`
}

func addListenFlag(flags *pflag.FlagSet) {
	flags.String("listen", ":8080", "the `ADDRESS` of the server, host:port or :port (CRUEL_LISTEN)")
}

func addDatabaseFlag(flags *pflag.FlagSet) {
	flags.String("database", "./cruel.db", "an SQLite `FILE`, or the postgres://… address of a Postgres (CRUEL_DATABASE)")
}

// load fills one of the structs above: a flag wins over the environment variable of its name, and that over
// the default. The error is a *usageError.
func load(cmd *cobra.Command, settings any) error {
	environment := env.ToMap(os.Environ())
	var empty error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		if value == "" && empty == nil {
			empty = usagef("--%s is empty", f.Name)
		}
		environment["CRUEL_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))] = value
	})
	if empty != nil {
		return empty
	}
	err := env.ParseWithOptions(settings, env.Options{Environment: environment})
	if wrong, ok := errors.AsType[env.ParseError](err); ok {
		err = wrong.Err // without the names of Go's types
	}
	if err != nil {
		return &usageError{err}
	}
	return nil
}

// listenAddress is a host and a port; an empty host means all addresses of the machine.
type listenAddress struct{ host, port string }

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

func (a *listenAddress) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	_, portErr := strconv.ParseUint(port, 10, 16)
	_, ipErr := netip.ParseAddr(host)
	if err != nil || portErr != nil || host != "" && ipErr != nil && !hostName.MatchString(host) {
		return fmt.Errorf("listen address %q: write host:port or :port, as in 127.0.0.1:8080 or :8080", text)
	}
	*a = listenAddress{host, port}
	return nil
}

func (a listenAddress) String() string { return net.JoinHostPort(a.host, a.port) }

// url is where a program on the same machine reaches the server, by the given name where the server
// listens on all addresses.
func (a listenAddress) url(everywhere string) string {
	host := a.host
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = everywhere
	}
	return "http://" + net.JoinHostPort(host, a.port)
}

// proxies are the networks whose X-Forwarded-For is believed.
type proxies []netip.Prefix

func (p *proxies) UnmarshalText(text []byte) error {
	for word := range strings.SplitSeq(string(text), ",") {
		word = strings.TrimSpace(word)
		prefix, err := netip.ParsePrefix(word)
		if err != nil {
			return fmt.Errorf("trusted proxy %q: write a network as in 10.0.0.0/8, or one address as in 10.0.0.1/32", word)
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

func (p proxies) String() string {
	words := make([]string, len(p))
	for i, prefix := range p {
		words[i] = prefix.String()
	}
	return strings.Join(words, ", ")
}

// onOff is a switch.
type onOff bool

func (s *onOff) UnmarshalText(text []byte) error {
	if word := string(text); word != "on" && word != "off" {
		return fmt.Errorf("CRUEL_RATE_LIMITS is %q: write on or off", text)
	}
	*s = string(text) == "on"
	return nil
}

// days is a number of days.
type days int

const mostDays = 60

func (d *days) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil || n > mostDays {
		return fmt.Errorf("days to prepare: %q is no number from 0 to %d", text, mostDays)
	}
	*d = days(n)
	return nil
}

// byteSize is a size of memory.
type byteSize int64

func (b *byteSize) UnmarshalText(text []byte) error {
	n, err := parseBytes(string(text))
	if err != nil {
		return fmt.Errorf("memory of the solver: %w", err)
	}
	*b = byteSize(n)
	return nil
}

func (b byteSize) String() string {
	if b%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", int64(b>>20))
	}
	return fmt.Sprintf("%d KiB", int64(b>>10))
}

// database says where the database is. The text may hold a password; String, of the DSN, never does.
type database struct {
	text string
	db.DSN
}

func (d *database) UnmarshalText(text []byte) error {
	parsed, err := db.ParseDSN(string(text))
	if err != nil {
		return err
	}
	*d = database{string(text), parsed}
	if parsed.Postgres() {
		return nil
	}
	folder := filepath.Dir(parsed.String())
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("database %s: there is no folder %s", text, folder)
	}
	return nil
}
