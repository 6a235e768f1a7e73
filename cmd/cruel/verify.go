package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cruel/engine"
	"cruel/replay"
)

// maxRecord bounds what is read of a file. The longest log takes 25 kB; headers may be long.
const maxRecord = 1 << 20

// verdict is what `cruel verify` says of a record. Its words are those of the API.
type verdict struct {
	Verdict string          `json:"verdict"` // right, refused or false_claim
	Variant string          `json:"variant,omitempty"`
	Seed    engine.Seed     `json:"seed,omitempty"`
	Result  *verdictResult  `json:"result,omitempty"` // what the log proves
	Move    *verdictRefusal `json:"move,omitempty"`   // refused: where and why
	Claim   *verdictClaim   `json:"claim,omitempty"`  // false_claim: which
}

type verdictResult struct {
	Outcome string `json:"outcome"`
	Moves   int    `json:"moves"`
	Plays   int    `json:"plays"`
	Builds  int    `json:"builds"`
	Returns int    `json:"returns"`
	Redeals int    `json:"redeals"`
	Cards   int    `json:"cards"`
}

type verdictRefusal struct {
	Index  int         `json:"index"`
	Token  string      `json:"token"`
	Code   replay.Code `json:"code"`
	Reason string      `json:"reason"`
}

type verdictClaim struct {
	Header  string `json:"header"`
	Claimed string `json:"claimed"`
	Proven  string `json:"proven"`
}

func newVerify() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check the record of a game offline",
		Long: `Check a record, a .cruel file, without any server: replay its log on the deal of
its seed, and compare what the log proves with what the record claims (Result
and Moves). - reads standard input. docs/notation.md describes the format.

Exit codes: 0 the game is right; 1 a move is refused, or a claim is false, and
the answer says which and why; 2 the file can't be read or is no record of rules
that this program knows.`,
		Example: `  cruel verify game.cruel
  cruel verify --json - <game.cruel | jq .result.moves
  printf 'Variant: cruel\nSeed: 2\n\njS cH R cd\n' | cruel verify -`,
		Args: takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readRecord(cmd.InOrStdin(), args[0])
			if err != nil {
				return &usageError{err}
			}
			v, err := judge(data)
			if err != nil {
				return usagef("%s: %w", args[0], err)
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), v)
			} else {
				err = v.write(cmd.OutOrStdout())
			}
			if err == nil && v.Verdict != "right" {
				err = errAnsweredNo
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

func readRecord(stdin io.Reader, name string) ([]byte, error) {
	from := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, maxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxRecord {
		return nil, fmt.Errorf("%s: over 1 MiB, so it is no record", name)
	}
	return data, nil
}

// judge replays a record. An error means that it is no record.
func judge(data []byte) (verdict, error) {
	record, err := replay.ParseRecord(data)
	var result replay.Result
	if err == nil {
		result, err = record.Verify()
	}
	v := verdict{Verdict: "right", Variant: record.Variant.ID, Seed: record.Seed}
	if refused, ok := errors.AsType[*replay.RefusedError](err); ok {
		v.Verdict = "refused"
		v.Move = &verdictRefusal{refused.Index, refused.Token, refused.Code, refused.Reason}
		return v, nil
	}
	if claim, ok := errors.AsType[*replay.ClaimError](err); ok {
		v.Verdict = "false_claim"
		v.Claim = &verdictClaim{claim.Header, claim.Claim, claim.Proven}
		result, err = claim.Result, nil
	}
	v.Result = &verdictResult{
		Outcome: result.Outcome.String(), Moves: result.Moves, Plays: result.Plays, Builds: result.Builds,
		Returns: result.Returns, Redeals: result.Redeals, Cards: result.Cards,
	}
	return v, err
}

// write prints the verdict in one or two lines.
func (v verdict) write(w io.Writer) error {
	var text string
	switch {
	case v.Move != nil:
		text = fmt.Sprintf("refused: move %d, %q: %s\n", v.Move.Index, v.Move.Token, v.Move.Reason)
	case v.Claim != nil:
		text = fmt.Sprintf("false claim: the record says %q, but its log gives %s\nthe log proves: %s\n",
			v.Claim.Header+": "+v.Claim.Claimed, v.Claim.Proven, v.Result)
	default:
		text = fmt.Sprintf("right: %s\n", v.Result)
	}
	_, err := io.WriteString(w, text)
	return err
}

func (r verdictResult) String() string {
	return fmt.Sprintf("%s in %s (%s, %s, %s, %s), %d cards on the foundations",
		r.Outcome, counted(r.Moves, "move"), counted(r.Plays, "play"), counted(r.Builds, "build"),
		counted(r.Returns, "return"), counted(r.Redeals, "redeal"), r.Cards)
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
