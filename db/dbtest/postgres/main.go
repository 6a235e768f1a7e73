// Command postgres runs a command with a private Postgres, whose URL the
// command finds in CRUEL_TEST_POSTGRES, so that all test packages share one:
//
//	go run ./db/dbtest/postgres -- go test ./...
//
// It ends with the exit code of the command.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"cruel/db/dbtest"
)

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: postgres [--] COMMAND [ARGUMENT…]")
		os.Exit(2)
	}
	code, err := run(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run returns the exit code of the command, and what went wrong besides.
func run(args []string) (code int, err error) {
	server, err := dbtest.Start()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // the command gets it as well and decides
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = server.Environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}
