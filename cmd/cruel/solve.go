package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// solution is what `cruel solve` says of a position.
type solution struct {
	Winnable   *bool   `json:"winnable"` // null where the budget ended before it was known
	Moves      *int    `json:"moves"`    // of the log
	Proven     bool    `json:"proven"`   // no win has fewer moves, or there is none
	LowerBound *int    `json:"lower_bound"`
	Log        *string `json:"log"`
	States     int     `json:"states"` // positions that the last search kept
}

// task is what `cruel solve` is told.
type task struct {
	variant  engine.Variant
	position engine.Position
	prove    bool
	budget   solver.Budget
}

func newSolve() *cobra.Command {
	var variantID, memory string
	var t task
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "solve SEED|FILE",
		Short: "Win a deal, or prove that nothing does",
		Long: `Find moves that win the deal of a seed, or prove that none do. With --prove,
find the fewest, with the proof that fewer don't. Where the budget ends before,
or Ctrl-C, the answer is the best that is known, and a bound.

A FILE is a record, a .cruel file: what is solved is the position after its log,
in its variant. - reads standard input. What can be read as a seed is one; write
./game for a file whose name has no dot.

The answer in JSON has winnable (null: not known), moves, proven, lower_bound
(no win has fewer moves), log, and states, the positions that the last search
kept.

Exit codes: 0 it can be won, and here is how; 1 it can't, or the budget ended
before that was known; 2 what the command was told can't be used.`,
		Example: `  cruel solve 2026-11-30
  cruel solve ada --prove --budget 1m --memory 2GiB
  cruel solve game.cruel --json | jq -r .log`,
		Args: takes("SEED|FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if t.budget.Memory, err = parseBytes(memory); err != nil {
				return usagef("--memory: %w", err)
			}
			if t.budget.Time <= 0 {
				return usagef("--budget: it must be more than nothing")
			}
			if err := t.read(cmd, args[0], variantID); err != nil {
				return &usageError{err}
			}
			s, err := t.solve(cmd.Context(), newProgress(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), s)
			} else {
				err = s.write(cmd.OutOrStdout())
			}
			if err == nil && (s.Winnable == nil || !*s.Winnable) {
				err = errAnsweredNo
			}
			return err
		},
	}
	cmd.Flags().StringVar(&variantID, "variant", engine.DefaultVariant().ID, "the `ID` of the variant of a seed")
	cmd.Flags().BoolVar(&t.prove, "prove", false, "find the fewest moves, and prove it")
	cmd.Flags().DurationVar(&t.budget.Time, "budget", 10*time.Second, "how long it may take at most")
	cmd.Flags().StringVar(&memory, "memory", "700MiB", "how much it may keep at most: a number of KiB, MiB or GiB")
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// read takes the position from a seed or a record.
func (t *task) read(cmd *cobra.Command, from, variantID string) (err error) {
	if seed, err := engine.ParseSeed(typedSeed(from)); err == nil {
		t.variant, err = engine.ParseVariant(variantID)
		t.position = engine.Deal(t.variant, seed)
		return err
	}
	if cmd.Flags().Changed("variant") {
		return fmt.Errorf("%s is no seed, and a record names its variant itself", shortened(from))
	}
	data, err := readRecord(cmd.InOrStdin(), from)
	if err != nil {
		return err
	}
	record, err := replay.ParseRecord(data)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	t.variant, t.position = record.Variant, engine.Deal(record.Variant, record.Seed)
	for i, m := range record.Log {
		if err := engine.Apply(t.variant, &t.position, m); err != nil {
			return fmt.Errorf("%s: move %d, %q: %w", from, i+1, m, err)
		}
	}
	return nil
}

// solve works until the budget ends or Ctrl-C.
func (t *task) solve(ctx context.Context, p *progress) (solution, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	call := solver.Decide
	if t.prove {
		call = solver.Prove
	}
	answer, err := call(ctx, t.variant, t.position, t.budget, solver.Watch{Progress: p.show})
	p.clear()
	if err != nil {
		return solution{}, err
	}
	s := solution{Proven: answer.Proven || answer.Verdict == solver.Lost, States: answer.States}
	if answer.Verdict != solver.Open {
		s.Winnable = new(answer.Verdict == solver.Won)
	}
	if answer.Verdict != solver.Lost {
		s.LowerBound = &answer.Bound
	}
	if answer.Verdict == solver.Won {
		s.Moves, s.Log = new(len(answer.Log)), new(replay.Log(answer.Log).String())
	}
	return s, nil
}

// write prints the answer, and the log after it.
func (s solution) write(w io.Writer) error {
	states := counted(s.States, "position")
	var text string
	switch {
	case s.Winnable == nil:
		text = fmt.Sprintf("open: the budget ended after %s; a win has at least %s\n", states, counted(*s.LowerBound, "move"))
	case !*s.Winnable && s.States == 0:
		text = "lost: nothing wins, as the position itself shows\n"
	case !*s.Winnable:
		text = fmt.Sprintf("lost: nothing wins; proven with %s\n", states)
	case s.Proven:
		text = fmt.Sprintf("won in %s, the fewest there are; proven with %s\n%s\n", counted(*s.Moves, "move"), states, *s.Log)
	default:
		text = fmt.Sprintf("won in %s; at least %d are needed\n%s\n", counted(*s.Moves, "move"), *s.LowerBound, *s.Log)
	}
	_, err := io.WriteString(w, text)
	return err
}

// progress is a line on a terminal that is written again and again. On
// anything else it is nothing.
type progress struct {
	to    io.Writer
	begun time.Time
	shown time.Time
}

func newProgress(to io.Writer) *progress {
	p := &progress{to: io.Discard, begun: time.Now()}
	if file, ok := to.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.to = to
		}
	}
	return p
}

func (p *progress) show(now solver.Progress) {
	const often = 200 * time.Millisecond
	if time.Since(p.shown) < often {
		return
	}
	p.shown = time.Now()
	best := "no win yet"
	if now.Moves > 0 {
		best = fmt.Sprintf("won in %d", now.Moves)
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s, at least %d; %d positions, %.0f s",
		best, now.Bound, now.States, time.Since(p.begun).Seconds())
}

func (p *progress) clear() {
	if !p.shown.IsZero() {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

// parseBytes reads a size such as "700MiB".
func parseBytes(text string) (int64, error) {
	for shift, unit := range []string{10: "KiB", 20: "MiB", 30: "GiB"} {
		number, found := strings.CutSuffix(text, unit)
		if unit == "" || !found {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err == nil && n > 0 && n <= math.MaxInt64>>shift && n<<shift >= leastMemory {
			return n << shift, nil
		}
	}
	return 0, fmt.Errorf("%q is no size from 1MiB on, such as 700MiB or 2GiB", shortened(text))
}

const leastMemory = 1 << 20
