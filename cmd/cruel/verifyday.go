package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cruel/api"
	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

// maxFaults is how many faults of a check are told; then it is over.
const maxFaults = 10

// verifyDayConfig is what `cruel verify-day` is told of the server.
type verifyDayConfig struct {
	Server serverURL `env:"CRUEL_SERVER" envDefault:"http://localhost:8080"`
}

// dayVerdict is what `cruel verify-day` says of a day.
type dayVerdict struct {
	Verdict string      `json:"verdict"` // right, false or unchecked
	Server  serverURL   `json:"server"`
	Variant string      `json:"variant"`
	Date    string      `json:"date"`
	Seed    engine.Seed `json:"seed"`
	Checks  []finding   `json:"checks"`
}

// finding is what one check found out.
type finding struct {
	Check   string   `json:"check"`
	Verdict string   `json:"verdict"` // ok, false, none (there is nothing to check) or unchecked
	Says    string   `json:"says"`    // what was checked
	Faults  []string `json:"faults"`  // what is false
}

func (f *finding) fault(format string, args ...any) {
	f.Verdict = "false"
	if len(f.Faults) < maxFaults {
		f.Faults = append(f.Faults, fmt.Sprintf(format, args...))
	}
}

// spent reports that there are faults enough.
func (f *finding) spent() bool { return len(f.Faults) == maxFaults }

func (f finding) String() string {
	verdict, text := f.Verdict, f.Says
	if verdict == "false" {
		verdict, text = "FALSE", strings.Join(f.Faults, "; ")
	}
	return fmt.Sprintf("%-11s %s: %s", f.Check+":", verdict, oneLine(text))
}

func newVerifyDay() *cobra.Command {
	var a audit
	var variantID string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify-day DATE",
		Short: "Check a daily challenge that is over, believing nothing",
		Long: `Check what a server says of a day that is over. It replays all games itself,
with the rules of this program, and says of each of these whether it is ok or
FALSE:

  challenge    it is the one of the day
  commitment   the hash published of the seed is that of the seed, and, with
               --hash, the one that was noted before the day
  deal         the piles are those of the seed
  par          its log wins in so many moves
  board        each row's log proves its result, the rows are in order, each
               player has one, and all are counted

That nothing wins in fewer moves than a proven par is checked by solving the
deal: cruel solve SEED --prove. docs/fair-play.md says what all this shows, and
what it doesn't.

Exit codes: 0 all that was checked is right; 1 something is false, or couldn't
be checked; 2 what the command was told can't be used.`,
		Example: `  cruel verify-day 2026-11-30
  cruel verify-day 2026-11-30 --server https://cruel.example.org --hash "$noted"
  cruel verify-day 2026-11-30 --top 10 --json | jq -c '.checks[] | [.check, .verdict]'`,
		Args: takes("DATE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.read(cmd, args[0], variantID); err != nil {
				return err
			}
			a.site.progress = newProgress(cmd.ErrOrStderr())
			out := cmd.OutOrStdout()
			if asJSON {
				out = io.Discard
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			v, err := a.run(ctx, out)
			if ctx.Err() != nil {
				err = errors.New("stopped before everything was checked")
			}
			if asJSON && v.Checks != nil {
				err = cmp.Or(writeJSON(cmd.OutOrStdout(), v), err)
			}
			if err == nil && v.Verdict != "right" {
				err = errAnsweredNo
			}
			return err
		},
	}
	cmd.Flags().String("server", "http://localhost:8080", "the `URL` of the server (CRUEL_SERVER)")
	cmd.Flags().StringVar(&variantID, "variant", engine.DefaultVariant().ID, "the `ID` of the variant")
	cmd.Flags().StringVar(&a.noted, "hash", "", "the hash in `HEX` that was noted before the day")
	cmd.Flags().IntVar(&a.top, "top", 0, "check only the first `N` rows of the board")
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// audit is the check of a day.
type audit struct {
	site    remote
	variant engine.Variant
	day     challenge.Day
	noted   string // the hash; empty if none was given
	top     int    // rows of the board; 0 for all

	found api.Challenge // what the server says
	seed  engine.Seed
	deal  engine.Position // of the seed
}

var hexHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// read takes what the command is told.
func (a *audit) read(cmd *cobra.Command, date, variantID string) error {
	var cfg verifyDayConfig
	err := load(cmd, &cfg)
	if err != nil {
		return err
	}
	a.site.url = cfg.Server
	if a.day, err = challenge.ParseDay(date); err != nil {
		return &usageError{err}
	}
	if a.variant, err = engine.ParseVariant(variantID); err != nil {
		return &usageError{err}
	}
	a.noted = strings.ToLower(a.noted)
	if a.noted != "" && !hexHash.MatchString(a.noted) {
		return usagef("--hash: %q is no SHA-256 in hex, 64 of 0 to 9 and a to f", shortened(a.noted))
	}
	if cmd.Flags().Changed("top") && a.top < 1 {
		return usagef("--top: it must be at least 1")
	}
	return nil
}

func (a *audit) id() string { return challenge.DailyID(a.variant, a.day) }

// run does one check after the other and writes a line about each. An error ends it: what is left can't be
// checked.
func (a *audit) run(ctx context.Context, out io.Writer) (dayVerdict, error) {
	v := dayVerdict{Verdict: "unchecked", Server: a.site.url, Variant: a.variant.ID, Date: a.day.String()}
	if err := a.fetch(ctx); err != nil {
		return v, err
	}
	v.Seed = a.seed
	verdict := "right"
	for _, check := range []struct {
		name string
		do   func(context.Context, *finding) error
	}{
		{"challenge", a.challenge},
		{"commitment", a.commitment},
		{"deal", a.dealt},
		{"par", a.par},
		{"board", a.board},
	} {
		f := finding{Check: check.name, Verdict: "ok", Faults: []string{}}
		err := check.do(ctx, &f)
		a.site.progress.clear()
		if answered(err, http.StatusForbidden) && f.Verdict == "ok" { // others can be checked all the same
			f.Verdict, f.Says, err = "unchecked", err.Error(), nil
		}
		if err == nil || f.Verdict == "false" {
			v.Checks = append(v.Checks, f)
			if _, writeErr := fmt.Fprintln(out, f); writeErr != nil {
				return v, writeErr
			}
		}
		if f.Verdict == "false" {
			v.Verdict = "false"
		}
		if err != nil {
			return v, fmt.Errorf("%s: %w", check.name, err)
		}
		if f.Verdict == "unchecked" {
			verdict = "unchecked"
		}
	}
	if v.Verdict != "false" {
		v.Verdict = verdict
	}
	return v, nil
}

// fetch gets the challenge. The error says why nothing can be checked.
func (a *audit) fetch(ctx context.Context) error {
	err := a.site.get(ctx, "/v1/daily/"+a.day.String()+"?variant="+a.variant.ID, &a.found)
	if answered(err, http.StatusNotFound) {
		return fmt.Errorf("%s has no %s: the day is to come, or nobody opened it", a.site.url, a.id())
	}
	if err != nil {
		return err
	}
	until := a.found.GraceUntil
	if until.Before(a.day.ClosesAt()) {
		until = a.day.ClosesAt()
	}
	if time.Now().Before(until) {
		return fmt.Errorf("%s is open until %s, and its logs are sealed: nothing was checked", a.id(), instant(until))
	}
	if a.found.RulesVersion != engine.RulesVersion {
		return fmt.Errorf("%s has version %d of the rules, and this program knows version %d: nothing was checked",
			a.id(), a.found.RulesVersion, engine.RulesVersion)
	}
	if a.seed, err = engine.ParseSeed(a.found.Seed); err != nil {
		return fmt.Errorf("the seed of %s is %s: %w", a.id(), quoted(a.found.Seed), err)
	}
	a.deal = engine.Deal(a.variant, a.seed)
	return nil
}

// challenge checks that it is the challenge of the day.
func (a *audit) challenge(_ context.Context, f *finding) error {
	f.Says = fmt.Sprintf("%s, seed %s, over since %s", a.id(), a.seed, instant(a.found.GraceUntil))
	date := "null"
	if a.found.Date != nil {
		date = *a.found.Date
	}
	for _, field := range []struct{ name, got, want string }{
		{"id", a.found.Id, a.id()},
		{"kind", string(a.found.Kind), string(challenge.Daily)},
		{"variant", string(a.found.Variant), a.variant.ID},
		{"date", date, a.day.String()},
		{"opens_at", instant(a.found.OpensAt), instant(a.day.OpensAt())},
		{"closes_at", instant(a.found.ClosesAt), instant(a.day.ClosesAt())},
	} {
		if field.got != field.want {
			f.fault("%s is %s, not %s", field.name, quoted(field.got), field.want)
		}
	}
	if a.found.GraceUntil.Before(a.day.ClosesAt()) {
		f.fault("grace_until is %s, before the end of the day", instant(a.found.GraceUntil))
	}
	return nil
}

// commitment checks the hash that was published of the seed.
func (a *audit) commitment(ctx context.Context, f *finding) error {
	var list api.CommitmentPage
	err := a.site.get(ctx, fmt.Sprintf("/v1/commitments?variant=%s&from=%s&limit=1", a.variant.ID, a.day), &list)
	if err != nil {
		return err
	}
	shown, date := a.found.Commitment, a.day.String()
	var listed *api.Commitment
	if len(list.Items) > 0 && list.Items[0].Date == date {
		listed = &list.Items[0]
	}
	hash := challenge.CommitmentHash(a.variant, a.day, a.seed)
	if a.noted != "" && a.noted != hash {
		f.fault("--hash is %s, but the seed gives %s", a.noted, hash)
	}
	switch {
	case shown != nil && listed != nil:
		f.committed("the challenge", *shown, hash, a.day)
		f.committed("/v1/commitments", *listed, hash, a.day)
		if !shown.CommittedAt.Equal(listed.CommittedAt) {
			f.fault("the challenge says it was published at %s, /v1/commitments at %s",
				instant(shown.CommittedAt), instant(listed.CommittedAt))
		}
		f.Says = a.published(*shown)
	case shown != nil || listed != nil:
		f.fault("only one of the challenge and /v1/commitments shows a hash")
	case a.noted != "":
		f.fault("--hash was noted, but the server shows no hash")
	default:
		f.Verdict, f.Says = "none", "no hash of the seed was published"
	}
	return nil
}

// committed holds a commitment against the seed's hash and against itself.
func (f *finding) committed(where string, c api.Commitment, hash string, day challenge.Day) {
	if c.Hash != hash {
		f.fault("%s has the hash %s, but the seed gives %s", where, quoted(c.Hash), hash)
	}
	if c.Date != day.String() {
		f.fault("%s has a commitment to the day %s", where, quoted(c.Date))
	}
	if c.Beforehand != c.CommittedAt.Before(day.OpensAt()) {
		f.fault("%s says beforehand: %t, but it was published at %s and the day began at %s",
			where, c.Beforehand, instant(c.CommittedAt), instant(day.OpensAt()))
	}
}

// published says what a right commitment shows.
func (a *audit) published(c api.Commitment) string {
	when := "before the day"
	if !c.Beforehand {
		when = "only after the day had begun"
	}
	text := fmt.Sprintf("the seed has the hash %s, published %s, at %s, as the server says", c.Hash, when, instant(c.CommittedAt))
	if a.noted != "" {
		text += "; it is the one that was noted"
	}
	return text
}

// dealt checks the piles.
func (a *audit) dealt(_ context.Context, f *finding) error {
	want := newDealt(a.seed, a.variant).Piles
	f.Says = fmt.Sprintf("the %d piles are those of the seed", len(want))
	if len(a.found.Deal) != len(want) {
		f.fault("there are %d piles", len(a.found.Deal))
		return nil
	}
	for i, pile := range want {
		if got := a.found.Deal[i]; !slices.Equal(got, pile) {
			f.fault("pile %c is %s, but the seed gives %s", 'a'+i, quoted(strings.Join(got, " ")), strings.Join(pile, " "))
		}
	}
	return nil
}

// par checks the log of the par.
func (a *audit) par(ctx context.Context, f *finding) error {
	if a.found.Par == nil {
		f.Verdict, f.Says = "none", "no win is known"
		if w := a.found.Winnable; w != nil && !*w {
			f.Says = "the deal can't be won, as the server says; that is checked by: " + a.solve()
		}
		return nil
	}
	var game api.ParReplay
	err := a.site.get(ctx, "/v1/challenges/"+a.id()+"/par", &game)
	if answered(err, http.StatusNotFound) {
		f.fault("it is said to be %s, but no log shows it", counted(a.found.Par.Moves, "move"))
		return nil
	}
	if err != nil {
		return err
	}
	if same, err := a.samePar(ctx, &game.Par); err != nil {
		return err
	} else if !same {
		f.fault("the challenge says %s, its log is given for %s", parText(a.found.Par), parText(&game.Par))
	}
	f.played(game.ChallengeId, a.id(), "challenge")
	f.played(string(game.Variant), a.variant.ID, "variant")
	f.played(game.Seed, string(a.seed), "seed")
	result, err := replay.VerifyFrom(a.variant, a.deal, game.Log)
	switch {
	case err != nil:
		f.fault("its log is refused: %v", err)
	case result.Outcome != engine.Won || result.Moves != game.Par.Moves:
		f.fault("it is said to be %s, but its log gives %s in %s",
			counted(game.Par.Moves, "move"), result.Outcome, counted(result.Moves, "move"))
	case game.Result != resultOf(result):
		f.fault("the result that is said of its log isn't what it proves")
	}
	if w := a.found.Winnable; err == nil && (w == nil || !*w) {
		f.fault("the challenge doesn't say that the deal can be won")
	}
	a.claimed(f, game)
	return nil
}

// claimed checks what can't be replayed, that nothing is shorter, only against itself.
func (a *audit) claimed(f *finding, game api.ParReplay) {
	moves, bound := game.Par.Moves, game.LowerBound
	switch {
	case game.Par.Kind == api.Proven && bound == moves:
		f.Says = fmt.Sprintf("its log wins in %s; that nothing wins in fewer is checked by: %s --prove", counted(moves, "move"), a.solve())
	case game.Par.Kind == api.BestKnown && bound < moves:
		f.Says = fmt.Sprintf("its log wins in %s, the fewest that are known; at least %d are needed, as the server says",
			counted(moves, "move"), bound)
	default:
		f.fault("its kind is %s, with %s and a lower bound of %d", quoted(string(game.Par.Kind)), counted(moves, "move"), bound)
	}
}

// solve is the command that solves the deal.
func (a *audit) solve() string {
	return fmt.Sprintf("cruel solve %s --variant %s", a.seed, a.variant.ID)
}

// samePar reports whether a par is that of the challenge, which is read again if it isn't: a best known par
// may fall at any time.
func (a *audit) samePar(ctx context.Context, par *api.Par) (bool, error) {
	if parText(par) == parText(a.found.Par) {
		return true, nil
	}
	var again api.Challenge
	if err := a.site.get(ctx, "/v1/challenges/"+a.id(), &again); err != nil {
		return false, err
	}
	if p := a.found.Par; p == nil || p.Kind == api.BestKnown {
		a.found.Par = again.Par
	}
	return parText(par) == parText(a.found.Par), nil
}

func parText(p *api.Par) string {
	if p == nil {
		return "no par"
	}
	return fmt.Sprintf("%d (%s)", p.Moves, quoted(string(p.Kind)))
}

// played holds what a log is said to be for against what it is asked for.
func (f *finding) played(got, want, what string) {
	if got != want {
		f.fault("its log is for the %s %s", what, quoted(got))
	}
}

// board checks the rows, all or the first of them.
func (a *audit) board(ctx context.Context, f *finding) error {
	b := boardCheck{audit: a, finding: f, seen: map[string]bool{}}
	for cursor := ""; ; {
		more, err := b.page(ctx, cursor)
		if err != nil || f.spent() {
			return err
		}
		if more == "" {
			break
		}
		cursor = more
	}
	f.Says = fmt.Sprintf("%s, %s: each replayed and in its place", counted(b.rows, "row"), counted(b.winners, "win"))
	if a.top > 0 && b.rows == a.top {
		f.Says += "; what is below wasn't read"
		return nil
	}
	f.Says += ", and all counted"
	if b.rows != a.found.Players || b.winners != a.found.Winners {
		f.fault("the challenge has %d players and %d winners, the board %d and %d",
			a.found.Players, a.found.Winners, b.rows, b.winners)
	}
	return nil
}

// boardCheck reads a board from its top.
type boardCheck struct {
	*audit
	*finding
	seen     map[string]bool // players
	rows     int
	winners  int
	last     replay.Result // of the row above
	lastRank int
}

// page checks a page, and returns the cursor of the next one; empty at the end.
func (b *boardCheck) page(ctx context.Context, cursor string) (string, error) {
	limit := 200
	if b.top > 0 {
		limit = min(limit, b.top-b.rows)
	}
	path := fmt.Sprintf("/v1/challenges/%s/leaderboard?limit=%d", b.id(), limit)
	if cursor != "" {
		path += "&cursor=" + url.QueryEscape(cursor)
	}
	var page api.Leaderboard
	if err := b.site.get(ctx, path, &page); err != nil {
		return "", err
	}
	if page.ChallengeId != b.id() {
		b.fault("the board is that of %s", quoted(page.ChallengeId))
	}
	if page.Players != b.found.Players || page.Winners != b.found.Winners {
		b.fault("the board says %d players and %d winners, the challenge %d and %d",
			page.Players, page.Winners, b.found.Players, b.found.Winners)
	}
	if same, err := b.samePar(ctx, page.Par); err != nil {
		return "", err
	} else if !same {
		b.fault("the board says %s, the challenge %s", parText(page.Par), parText(b.found.Par))
	}
	for _, row := range page.Items {
		if err := b.row(ctx, row, page.Par); err != nil || b.spent() || b.rows == b.top {
			return "", err
		}
	}
	switch {
	case page.NextCursor == nil:
		return "", nil
	case len(page.Items) == 0 || *page.NextCursor == "":
		return "", errors.New("a page of the board has no rows and says that there are more")
	case b.rows >= b.found.Players: // a board without end
		b.fault("after %s there are more, but %d players", counted(b.rows, "row"), b.found.Players)
		return "", nil
	}
	return *page.NextCursor, nil
}

// row checks a row: where it stands, and what its log proves.
func (b *boardCheck) row(ctx context.Context, row api.Standing, par *api.Par) error {
	b.rows++
	b.site.progress.say("row %d of %d", b.rows, b.found.Players)
	name := "a deleted player"
	if row.Player.Name != nil {
		name = quoted(*row.Player.Name)
	}
	fault := func(format string, args ...any) {
		b.fault("row %d, %s: %s", b.rows, name, fmt.Sprintf(format, args...))
	}
	if b.seen[row.Player.Id] {
		fault("the player has a row above")
	}
	b.seen[row.Player.Id] = true

	outcome, err := engine.ParseOutcome(string(row.Outcome))
	if err != nil {
		fault("%v", err)
		return nil
	}
	claim := replay.Result{Outcome: outcome, Moves: row.Moves, Redeals: row.Redeals, Cards: row.Cards}
	if outcome == engine.Won {
		b.winners++
	}
	b.stands(claim, row.Rank, fault)
	if got, want := number(row.OverPar), number(overPar(claim, par)); got != want {
		fault("over_par is %s, not %s", got, want)
	}
	if par != nil && outcome == engine.Won && row.Moves < par.Moves {
		fault("it wins in %s, fewer than par %s", counted(row.Moves, "move"), parText(par))
	}
	return b.proves(ctx, row, claim, fault)
}

// stands checks the order, and the rank: one more than there are rows above with a better result.
func (b *boardCheck) stands(claim replay.Result, rank int, fault func(string, ...any)) {
	want := b.rows
	if b.rows > 1 {
		if claim.Better(b.last) {
			fault("it is better than the row above")
		} else if !b.last.Better(claim) {
			want = b.lastRank
		}
	}
	if rank != want {
		fault("the rank is %d, not %d", rank, want)
	}
	b.last, b.lastRank = claim, want
}

var submissionID = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

// proves replays the log of a row.
func (b *boardCheck) proves(ctx context.Context, row api.Standing, claim replay.Result, fault func(string, ...any)) error {
	if !submissionID.MatchString(row.SubmissionId) {
		fault("the submission_id is %s", quoted(row.SubmissionId))
		return nil
	}
	var game api.Replay
	err := b.site.get(ctx, "/v1/submissions/"+row.SubmissionId+"/replay", &game)
	if answered(err, http.StatusNotFound) {
		fault("there is no log")
		return nil
	}
	if err != nil {
		return err
	}
	if game.SubmissionId != row.SubmissionId || game.ChallengeId != b.id() || game.Player.Id != row.Player.Id ||
		string(game.Variant) != b.variant.ID || game.Seed != string(b.seed) {
		fault("the log is for another submission, challenge, player, variant or seed")
	}
	result, err := replay.VerifyFrom(b.variant, b.deal, game.Log)
	if err != nil {
		fault("the log is refused: %v", err)
		return nil
	}
	proven := replay.Result{Outcome: result.Outcome, Moves: result.Moves, Redeals: result.Redeals, Cards: result.Cards}
	if proven != claim {
		fault("the row says %s, the log proves %s", resultText(claim), resultText(proven))
	}
	if game.Result != resultOf(result) {
		fault("the result that is said of the log isn't what it proves")
	}
	return nil
}

func resultText(r replay.Result) string {
	return fmt.Sprintf("%s in %s (%s), %d cards", r.Outcome, counted(r.Moves, "move"), counted(r.Redeals, "redeal"), r.Cards)
}

func resultOf(r replay.Result) api.Result {
	return api.Result{
		Outcome: api.Outcome(r.Outcome.String()), Moves: r.Moves, Plays: r.Plays, Builds: r.Builds,
		Returns: r.Returns, Redeals: r.Redeals, Cards: r.Cards,
	}
}

// overPar is how many moves more than par a win has; nil where it is no win or there is no par.
func overPar(r replay.Result, par *api.Par) *int {
	if par == nil || r.Outcome != engine.Won {
		return nil
	}
	return new(r.Moves - par.Moves)
}

func number(n *int) string {
	if n == nil {
		return "null"
	}
	return strconv.Itoa(*n)
}

// quoted is a text of the server as it may be shown on a terminal.
func quoted(text string) string { return strconv.Quote(shortened(text)) }

func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// say shows how far a long check has come.
func (p *progress) say(format string, args ...any) {
	p.shown = time.Now()
	fmt.Fprintf(p.to, "\r\x1b[K"+format, args...)
}
