package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cruel/engine"
)

// game is a log of the vectors and what it must give.
type game struct {
	Variant, Seed, Log string
	Result             struct {
		Outcome                                       string
		Moves, Plays, Builds, Returns, Redeals, Cards int
		Error, Token                                  string
		Index                                         int
	}
}

func readGames(t testing.TB, name string) []game {
	t.Helper()
	data, err := os.ReadFile("../engine/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Games []game }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Games) == 0 {
		t.Fatalf("%s has no games", name)
	}
	return file.Games
}

func (g game) variant(t testing.TB) engine.Variant {
	t.Helper()
	v, err := engine.ParseVariant(g.Variant)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wonGames is the winning logs of the vectors.
func wonGames(t testing.TB) []game {
	games := slices.DeleteFunc(readGames(t, "games.json"), func(g game) bool {
		return g.Result.Outcome != "won"
	})
	if len(games) < 20 {
		t.Fatalf("only %d won games", len(games))
	}
	return games
}

func mustRefuse(t testing.TB, err error) *RefusedError {
	t.Helper()
	refused, ok := errors.AsType[*RefusedError](err)
	if !ok {
		t.Fatalf("%v is no *RefusedError", err)
	}
	return refused
}

func TestGameVectors(t *testing.T) {
	for _, name := range []string{"games.json", "edge.json"} {
		t.Run(name, func(t *testing.T) {
			for i, g := range readGames(t, name) {
				result, err := Verify(g.variant(t), engine.Seed(g.Seed), g.Log)
				got := g
				got.Result = game{}.Result
				if err != nil {
					refused := mustRefuse(t, err)
					got.Result.Error, got.Result.Index, got.Result.Token = string(refused.Code), refused.Index, refused.Token
				} else {
					got.Result.Outcome = result.Outcome.String()
					got.Result.Moves, got.Result.Plays, got.Result.Builds = result.Moves, result.Plays, result.Builds
					got.Result.Returns, got.Result.Redeals, got.Result.Cards = result.Returns, result.Redeals, result.Cards
				}
				if diff := cmp.Diff(g.Result, got.Result); diff != "" {
					t.Errorf("game %d, %s %s: %s", i, g.Variant, g.Seed, diff)
				}
			}
		})
	}
}

// The refusals: which token is named, with which code, and in which words.
func TestRefusals(t *testing.T) {
	won := wonGames(t)[0]
	end := len(strings.Fields(won.Log)) + 1
	cases := []struct {
		name, variant, seed, log string
		want                     RefusedError
	}{
		{"syntax", "cruel", "0", "R aX R", RefusedError{2, "aX", Syntax, "this is no move; moves look like aH, ab, ab4, Ha or R"}},
		{"illegal", "cruel", "0", "R aa R", RefusedError{2, "aa", Illegal, "a card cannot go onto its own pile"}},
		{"syntax goes before illegal", "cruel", "0", "aa R R x", RefusedError{4, "x", Syntax, "this is no move; moves look like aH, ab, ab4, Ha or R"}},
		{"the first illegal one", "cruel", "0", "R aa bb cc", RefusedError{2, "aa", Illegal, "a card cannot go onto its own pile"}},
		{"after the win", won.Variant, won.Seed, won.Log + " R", RefusedError{end, "R", AfterWin, "the game is won, and nothing may follow"}},
		{"after the win, illegal too", won.Variant, won.Seed, won.Log + " aa", RefusedError{end, "aa", AfterWin, "the game is won, and nothing may follow"}},
		{"syntax goes before a win", won.Variant, won.Seed, won.Log + " R x", RefusedError{end + 1, "x", Syntax, "this is no move; moves look like aH, ab, ab4, Ha or R"}},
		{"too long goes before illegal", "cruel", "0", "aa" + strings.Repeat(" R", MaxMoves), RefusedError{MaxMoves + 1, "R", TooLong, "a log has at most 5000 moves"}},
		{"too long stops the reading", "cruel", "0", strings.Repeat("R ", MaxMoves) + "? !", RefusedError{MaxMoves + 1, "?", TooLong, "a log has at most 5000 moves"}},
		{"long token", "cruel", "0", strings.Repeat("é", 100_000), RefusedError{1, strings.Repeat("é", 20), Syntax, "this is no move; moves look like aH, ab, ab4, Ha or R"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := game{Variant: c.variant}.variant(t)
			result, err := Verify(v, engine.Seed(c.seed), c.log)
			if diff := cmp.Diff(c.want, *mustRefuse(t, err)); diff != "" {
				t.Error(diff)
			}
			if result != (Result{}) {
				t.Errorf("a result beside an error: %+v", result)
			}
		})
	}
}

// case K20: what a log says can't drive the terminal that an error is shown on.
func TestRefusalIsPrintable(t *testing.T) {
	_, err := ParseLog("R \x1b[2J\xff\u202e")
	if want := `move 2, "\x1b[2J\xff\u202e": this is no move; moves look like aH, ab, ab4, Ha or R`; err.Error() != want {
		t.Errorf("got %s, want %s", err, want)
	}
}

// case R05: a redeal while a card can be moved, with its index.
func TestRedealWithMoves(t *testing.T) {
	for _, v := range engine.Variants() {
		result, err := Verify(v, "cruel", "R")
		if v.When == engine.AnyTime {
			if err != nil || result.Redeals != 1 || result.Moves != 1 {
				t.Errorf("%s: %+v, %v", v.ID, result, err)
			}
			continue
		}
		if refused := mustRefuse(t, err); refused.Index != 1 || refused.Code != Illegal {
			t.Errorf("%s: %v", v.ID, err)
		}
	}
}

// case R04: redeals that change nothing count a move and a redeal each.
func TestRedealsCount(t *testing.T) {
	got, err := Verify(engine.DefaultVariant(), "cruel", "R R R")
	want := Result{Outcome: engine.Unfinished, Moves: 3, Redeals: 3, Cards: 4}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// case R12: a count is illegal in any variant but `perseverance`, and there it
// never goes to a foundation. case R13: returns are for `cruel-returns` only.
func TestVariantsRefuse(t *testing.T) {
	for _, v := range engine.Variants() {
		start := engine.Deal(v, "cruel")
		if v.Unit == engine.OneCard {
			for count := 2; count <= 12; count++ {
				_, err := VerifyFrom(v, start, fmt.Sprintf("R ab%d", count))
				if v.When == engine.NoCardMoves {
					_, err = VerifyFrom(v, start, fmt.Sprintf("ab%d", count))
				}
				if mustRefuse(t, err).Code != Illegal {
					t.Errorf("%s: %v", v.ID, err)
				}
			}
		}
		_, err := VerifyFrom(v, start, "aH2")
		if mustRefuse(t, err).Code != Syntax {
			t.Errorf("%s: %v", v.ID, err)
		}
		for _, suit := range "CDHS" {
			for pile := 'a'; pile <= 'l'; pile++ {
				_, err := VerifyFrom(v, start, string(suit)+string(pile))
				if mustRefuse(t, err).Code != Illegal {
					t.Errorf("%s: %v", v.ID, err)
				}
			}
		}
	}
}

// case V02: no proper prefix of a winning log wins, none is a panic, and what
// is cut inside a token is refused or is the shorter game.
func TestPrefixesOfWins(t *testing.T) {
	for _, g := range wonGames(t)[:20] {
		start := engine.Deal(g.variant(t), engine.Seed(g.Seed))
		for n := range len(g.Log) {
			result, err := VerifyFrom(g.variant(t), start, g.Log[:n])
			if err == nil && (result.Outcome == engine.Won || result.Moves != len(strings.Fields(g.Log[:n]))) {
				t.Fatalf("%s %s: %d bytes give %+v", g.Variant, g.Seed, n, result)
			}
			if err != nil && mustRefuse(t, err).Index != len(strings.Fields(g.Log[:n])) {
				t.Fatalf("%s %s: %d bytes give %v", g.Variant, g.Seed, n, err)
			}
		}
	}
}

// case V03: any illegal alternative to any move of a winning log is refused at
// its place. Of the variants but the default every tenth move is changed.
func TestChangedMoves(t *testing.T) {
	done := map[string]bool{}
	for _, g := range wonGames(t) {
		if done[g.Variant] {
			continue
		}
		done[g.Variant] = true
		v := g.variant(t)
		start := engine.Deal(v, engine.Seed(g.Seed))
		p := start
		tokens := strings.Fields(g.Log)
		for i, token := range tokens {
			legal := engine.LegalMoves(v, p)
			before, after := strings.Join(tokens[:i], " ")+" ", " "+strings.Join(tokens[i+1:], " ")
			for _, m := range universe() {
				if slices.Contains(legal, m) || v != engine.DefaultVariant() && i%10 != 0 {
					continue
				}
				_, err := VerifyFrom(v, start, before+m.String()+after)
				if refused := mustRefuse(t, err); refused.Index != i+1 || refused.Code != Illegal || refused.Token != m.String() {
					t.Fatalf("%s %s: %v, want move %d", g.Variant, g.Seed, err, i+1)
				}
			}
			m, _ := engine.ReadMove(token)
			if err := engine.Apply(v, &p, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(done) != len(engine.Variants()) {
		t.Errorf("only %d variants have a won game", len(done))
	}
}

// universe is every move that notation can write.
func universe() []engine.Move {
	moves := []engine.Move{{Kind: engine.RedealMove}}
	for from := range uint8(engine.PileCount) {
		for suit := range uint8(4) {
			moves = append(moves,
				engine.Move{Kind: engine.PlayMove, From: from, To: suit},
				engine.Move{Kind: engine.ReturnMove, From: suit, To: from})
		}
		for to := range uint8(engine.PileCount) {
			for count := range uint8(12) {
				moves = append(moves, engine.Move{Kind: engine.BuildMove, From: from, To: to, Count: count + 1})
			}
		}
	}
	return moves
}

// case V08: a log at the limit is taken, one over it is refused, and a million
// moves cost no more than the limit does. The time is a hundred times what is
// needed.
func TestLongLogs(t *testing.T) {
	v := engine.DefaultVariant()
	start := engine.Deal(v, "cruel")
	if result, err := VerifyFrom(v, start, strings.Repeat("R ", MaxMoves)); err != nil || result.Moves != MaxMoves {
		t.Errorf("%d moves: %+v, %v", MaxMoves, result, err)
	}
	flood := strings.Repeat("R ", 1_000_000)
	var err error
	begin := time.Now()
	allocs := testing.AllocsPerRun(1, func() { _, err = VerifyFrom(v, start, flood) })
	if took := time.Since(begin); took > 100*time.Millisecond {
		t.Errorf("two refusals took %v", took)
	}
	if allocs > 10 {
		t.Errorf("a refusal allocates %v times", allocs)
	}
	if refused := mustRefuse(t, err); refused.Code != TooLong || refused.Index != MaxMoves+1 {
		t.Errorf("got %v", err)
	}
	if log, err := ParseLog(flood); log != nil || mustRefuse(t, err).Code != TooLong {
		t.Errorf("ParseLog: %d moves, %v", len(log), err)
	}
}

// case V11: texts that are no logs.
func TestMalformedLogs(t *testing.T) {
	for _, text := range []string{
		"1.5", "1e400", `"3"`, "null", "true", "-0", "9223372036854775808", strings.Repeat("[", 10_000),
		"x", "r", "RR", "AB", "\ufeffR", "R\x00", "\x00R\x00", "R\x00 \x00R\x00", "\xff\xfeR\x00", "R\u00a0R", "R\vR", "R,R",
	} {
		if log, err := ParseLog(text); log != nil || mustRefuse(t, err).Code != Syntax {
			t.Errorf("%.20q: %v, %v", text, log, err)
		}
		result, err := Verify(engine.DefaultVariant(), "0", text)
		if refused := mustRefuse(t, err); refused.Code != Syntax || result != (Result{}) {
			t.Errorf("%.20q: %+v, %v", text, result, err)
		}
	}
	if result, err := Verify(engine.DefaultVariant(), "0", ""); err != nil || result.Moves != 0 {
		t.Errorf("the empty log: %+v, %v", result, err)
	}
}

func TestBetter(t *testing.T) {
	results := []Result{ // from the best to the worst
		{Outcome: engine.Won, Moves: 48, Cards: 52},
		{Outcome: engine.Won, Moves: 90, Cards: 52},
		{Outcome: engine.Stuck, Moves: 10, Cards: 30},
		{Outcome: engine.Unfinished, Moves: 11, Cards: 30},
		{Outcome: engine.Unfinished, Moves: 0, Cards: 4},
		{Outcome: engine.Stuck, Moves: 1, Cards: 4},
	}
	for i, a := range results {
		for j, b := range results {
			if got := a.Better(b); got != (i < j) {
				t.Errorf("%+v better than %+v: %v", a, b, got)
			}
		}
	}
	won, stuck := results[0], results[2]
	won.Redeals, stuck.Outcome = 7, engine.Unfinished
	if won.Better(results[0]) || results[0].Better(won) || stuck.Better(results[2]) || results[2].Better(stuck) {
		t.Error("of two equal results one is better")
	}
}

// Verify gives what playing by hand gives, and a written log reads back.
func TestVerifyAgreesWithPlaying(t *testing.T) {
	for _, v := range engine.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "game"), 0))
				start := engine.Deal(v, engine.Seed(fmt.Sprint(random.Uint64())))
				p := start
				var log Log
				want := Result{}
				for range rapid.IntRange(0, 200).Draw(t, "moves") {
					moves := engine.LegalMoves(v, p)
					if len(moves) == 0 {
						break
					}
					m := moves[random.IntN(len(moves))]
					if err := engine.Apply(v, &p, m); err != nil {
						t.Fatal(err)
					}
					log = append(log, m)
					want.Moves++
					switch m.Kind {
					case engine.PlayMove:
						want.Plays++
					case engine.BuildMove:
						want.Builds++
					case engine.ReturnMove:
						want.Returns++
					case engine.RedealMove:
						want.Redeals++
					}
				}
				want.Outcome, want.Cards = engine.OutcomeOf(v, p), p.Cards()
				text := log.String()
				if got, err := VerifyFrom(v, start, text); err != nil || got != want {
					t.Fatalf("got %+v, %v, want %+v", got, err, want)
				}
				if got, err := ParseLog(text); err != nil || !slices.Equal(got, log) {
					t.Fatalf("%q reads as %v, %v", text, got, err)
				}
			})
		})
	}
}

func FuzzVerify(f *testing.F) {
	for i, g := range readGames(f, "games.json") {
		if i%50 == 0 {
			f.Add(g.Variant, g.Seed, g.Log)
		}
	}
	f.Add("perseverance", "0", "ab12 ab2\r\nR\tR x")
	f.Fuzz(func(t *testing.T, id, text, log string) {
		v, err := engine.ParseVariant(id)
		if err != nil {
			v = engine.Variants()[len(id)%len(engine.Variants())]
		}
		seed, err := engine.ParseSeed(text)
		if err != nil {
			seed = "fuzz"
		}
		result, err := Verify(v, seed, log)
		parsed, parseErr := ParseLog(log)
		if err != nil {
			refused := mustRefuse(t, err)
			if result != (Result{}) {
				t.Fatalf("%+v beside %v", result, err)
			}
			if refused.Index < 1 || refused.Index > MaxMoves+1 || refused.Token == "" || refused.Reason == "" {
				t.Fatalf("%+v", refused)
			}
			if syntax := refused.Code == Syntax || refused.Code == TooLong; syntax != (parseErr != nil) {
				t.Fatalf("Verify says %v, ParseLog %v", err, parseErr)
			}
			if parseErr != nil && *refused != *mustRefuse(t, parseErr) {
				t.Fatalf("Verify says %v, ParseLog %v", err, parseErr)
			}
			return
		}
		if parseErr != nil || len(parsed) != result.Moves {
			t.Fatalf("%d moves are %+v; %v", len(parsed), result, parseErr)
		}
		if again, err := Verify(v, seed, parsed.String()); err != nil || again != result {
			t.Fatalf("%+v, written again %+v, %v", result, again, err)
		}
		if sum := result.Plays + result.Builds + result.Returns + result.Redeals; sum != result.Moves ||
			result.Cards != 4+result.Plays-result.Returns || (result.Outcome == engine.Won) != (result.Cards == 52) {
			t.Fatalf("%+v does not add up", result)
		}
	})
}
