// Command cruel is the whole product in one program: the server, and the commands of those who run it or
// check a game. A command is in the file of its name or, as migrate and backup, of what it works on;
// config.go reads the settings. Nothing else knows all parts, and nothing here decides anything about the
// game.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() { os.Exit(run(os.Args[1:])) }

// run carries a command line out and answers the exit code.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return 0
	}
	if !errors.Is(err, errAnsweredNo) {
		fmt.Fprintln(root.ErrOrStderr(), "cruel: "+oneLine(err.Error()))
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return 2
	}
	return 1
}

// usageError is a fault in what the command was told: exit code 2. Every other error is exit code 1.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// errAnsweredNo ends a command whose answer, already printed, is a no: exit code 1.
var errAnsweredNo = errors.New("the answer is no")

// oneLine is a text on one line, without what could drive a terminal.
func oneLine(text string) string {
	printable := func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return ' '
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(printable, text)), " ")
}

func newRoot() *cobra.Command {
	root := group(&cobra.Command{
		Use:   "cruel",
		Short: "Seeded challenges and leaderboards for the patience Cruel",
		Long: `Seeded challenges and leaderboards for the patience Cruel.

The server deals every player of a day the same cards, takes the log of a game,
never a score, replays it, and ranks what it proves. The other commands show a
deal, check a game without a server, and look after a database.

Settings: a flag wins over the environment variable of the same name (--listen,
CRUEL_LISTEN), and that over the default.

Exit codes of all commands: 0 done, or the answer is yes; 1 it failed, or the
answer is no; 2 what the command was told can't be used, and nothing was done.`,
		Example: `  cruel serve                      start the server on http://localhost:8080
  cruel deal 2026-11-30            show the twelve piles of a seed
  cruel verify game.cruel          check a game offline
  cruel verify-day 2026-11-30      check a day that is over, game by game
  cruel solve ada --prove          win a deal in the fewest moves`,
	})
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = serverVersion()
	root.SetVersionTemplate("cruel {{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok { // its text is that of Go's parser
			err = fmt.Errorf("--%s can't be %q", wrong.GetFlag().Name, wrong.GetValue())
		}
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(
		newServe(), newDeal(), newVerify(), newVerifyDay(), newSolve(),
		newMigrate(), newBackup(), newAdmin(),
		newHealthcheck(), newVersion(),
	)
	return root
}

// group makes a command whose work is in its subcommands: alone it prints its help.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("unknown command %q; see %s --help", args[0], cmd.CommandPath())
		}
		return nil
	}
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// newHelp replaces cobra's command, for which a command that isn't there is no error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]...",
		Short: "Say more about a command",
		Long: `Say more about a command: what it does, its flags, and examples. It is the same
as COMMAND --help.

Exit codes: 0 done; 2 there is no such command.`,
		Example: `  cruel help serve
  cruel help admin rename`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, unknown, err := cmd.Root().Find(args)
			if err != nil {
				return &usageError{err}
			}
			if len(unknown) > 0 {
				return usagef("unknown command %q; see %s --help", unknown[0], about.CommandPath())
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// takes refuses every number of arguments but that of the names.
func takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing; see %s --help", names[len(args)], cmd.CommandPath())
		case len(args) > len(names):
			return usagef("%q is one argument too many; see %s --help", args[len(names)], cmd.CommandPath())
		}
		return nil
	}
}

// writeJSON prints an answer for programs: one object on one line.
func writeJSON(w io.Writer, answer any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(answer)
}
