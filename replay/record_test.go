package replay

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cruel/engine"
)

// wonRecord is a won game in its canonical form.
const wonRecord = `Variant: cruel
Seed: fk5t-fp4p
Player: Ada
Result: won
Moves: 60

kD dk gk gH lH fH dH dC jh jg jD bD R dC cC fS jS eS dS R bf gc R gC bC gC aC eS
R cD dS dS aH eH bf bH gH gS gS gS fS fS dH fH af aD aC eC eC cD hD cD cD fD fD
fD eH bH bC dC
`

func TestRecordReadsBack(t *testing.T) {
	record, err := ParseRecord([]byte(wonRecord))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wonRecord, record.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Header{{"Player", "Ada"}}, record.Headers()); diff != "" {
		t.Error(diff)
	}
	result, err := record.Verify()
	want := Result{Outcome: engine.Won, Moves: 60, Plays: 48, Builds: 8, Redeals: 4, Cards: 52}
	if err != nil || result != want {
		t.Errorf("got %+v, %v, want %+v", result, err, want)
	}
}

// Reading takes other forms of the same record; writing makes one of them.
func TestRecordIsMadeCanonical(t *testing.T) {
	const want = "Variant: cruel\nSeed: a-1\nB: x: y\nEmpty:\nA: \u00e9\nMoves: 1\n\nR\n"
	cases := map[string]string{
		"as written":      want,
		"CRLF":            strings.ReplaceAll(want, "\n", "\r\n"),
		"other order":     "B: x: y\nMoves: 1\nEmpty:\nSeed: a-1\nA: \u00e9\nVariant: cruel\n\nR",
		"rules named":     "Rules: 1\n" + want,
		"spaces":          "Variant:cruel\t\nSeed:   a-1 \nB:x: y\nEmpty: \t \nA:\u00e9\nMoves: 1\n\n \n\tR\r\n\n",
		"moves of a line": strings.Replace(want, "\nR\n", "\n"+strings.Repeat(" ", 200)+"R", 1),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			record, err := ParseRecord([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, record.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseRecordRefuses(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"nothing", "", "line 1: an empty line must come between headers and log"},
		{"only an empty line", "\n", "line 1: the header Variant is missing"},
		{"no variant", "Seed: a\n\n", "line 2: the header Variant is missing"},
		{"no seed", "Variant: cruel\n\nR\n", "line 2: the header Seed is missing"},
		{"no empty line", "Variant: cruel\nSeed: a\n", "line 3: an empty line must come between headers and log"},
		{"cut off", "Variant: cruel\nSee", "line 2: an empty line must come between headers and log"},
		{"log in the headers", "Variant: cruel\nSeed: a\nR R\n\n", "line 3: a header must look like Name: value"},
		{"no name", "Variant: cruel\n: a\n\n", "line 2: a header must look like Name: value"},
		{"space before the name", " Variant: cruel\n\n", "line 1: a header must look like Name: value"},
		{"space after the name", "Variant : cruel\n\n", "line 1: a header must look like Name: value"},
		{"line of spaces", "Variant: cruel\nSeed: a\n  \nR", "line 3: a header must look like Name: value"},
		{"header twice", "Variant: cruel\nSeed: a\nSeed: a\n\n", "line 3: the header \"Seed\" stands there twice"},
		{"unknown header twice", "X: 1\nx: 1\nX: 2\n\n", "line 3: the header \"X\" stands there twice"},
		{"unknown variant", "Variant: Cruel\n\n", "line 1: Variant: unknown variant: \"Cruel\"; known are cruel, cruel-returns, " +
			"cruel-stuck, limited-cruel-3, limited-cruel-5, perseverance, ripple-fan, royal-family, cruel-top-first"},
		{"bad seed", "Seed: A\n\n", "line 1: Seed: a seed is 1 to 64 of a-z and 0-9, with single hyphens between them"},
		{"unknown rules", "Rules: 2\n\n", "line 1: Rules: version \"2\" is not supported; supported: 1"},
		{"rules in another form", "Rules: 01\n\n", "line 1: Rules: version \"01\" is not supported; supported: 1"},
		{"no rules", "Rules:\n\n", "line 1: Rules: version \"\" is not supported; supported: 1"},
		{"unknown result", "Result: lost\n\n", "line 1: Result: \"lost\" is not an outcome; they are unfinished, stuck, won"},
		{"moves with a sign", "Moves: +1\n\n", "line 1: Moves: \"+1\" is not a count"},
		{"moves below zero", "Moves: -1\n\n", "line 1: Moves: \"-1\" is not a count"},
		{"moves with a zero", "Moves: 01\n\n", "line 1: Moves: \"01\" is not a count"},
		{"too many moves to count", "Moves: 99999999999999999999\n\n", "line 1: Moves: \"99999999999999999999\" is not a count"},
		{"byte order mark", "\ufeffVariant: cruel\n\n", "line 1: a record is in UTF-8 without a byte order mark"},
		{"UTF-16", "V\x00a\x00\n\x00\n\x00", "line 1: a header has a control character"},
		{"not UTF-8", "Variant: cruel\nPlayer: \xff\n\n", "line 2: a record is in UTF-8 without a byte order mark"},
		{"escape", "Player: \x1b[2J\n\n", "line 1: a header has a control character"},
		{"lone CR", "Variant: cruel\rSeed: a\n\n", "line 1: a header has a control character"},
		{"no-break space before a name", "\u00a0Variant: cruel\n\n", "line 1: a header must look like Name: value"},
		{"log not UTF-8", "Variant: cruel\nSeed: a\n\nR \xff\n", "move 2, \"\\xff\": this is no move; moves look like aH, ab, ab4, Ha or R"},
		{"syntax", "Variant: cruel\nSeed: a\n\nR aX\n", "move 2, \"aX\": this is no move; moves look like aH, ab, ab4, Ha or R"},
		{"too long", "Variant: cruel\nSeed: a\n\n" + strings.Repeat("R\n", MaxMoves+1), "move 5001, \"R\": a log has at most 5000 moves"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			record, err := ParseRecord([]byte(c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if diff := cmp.Diff(Record{}, record, cmp.AllowUnexported(Record{})); diff != "" {
				t.Errorf("a record beside an error: %s", diff)
			}
		})
	}
}

// case V04, for files: a claim counts for nothing against the log.
func TestClaims(t *testing.T) {
	const head = "Variant: cruel\nSeed: cruel\n"
	cases := []struct{ name, text, want string }{
		{"none", head + "\nR\n", ""},
		{"true", head + "Result: unfinished\nMoves: 1\n\nR\n", ""},
		{"false result", head + "Result: won\n\nR\n", `the record claims "Result: won", but its log gives unfinished`},
		{"false moves", head + "Moves: 88\n\nR R\n", `the record claims "Moves: 88", but its log gives 2`},
		{"both false", head + "Moves: 88\nResult: stuck\n\n", `the record claims "Result: stuck", but its log gives unfinished`},
		{"illegal", head + "Result: won\n\naa\n", `move 1, "aa": a card cannot go onto its own pile`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			record, err := ParseRecord([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			result, err := record.Verify()
			if got := errorText(err); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if err != nil && result != (Result{}) {
				t.Errorf("%+v beside %v", result, err)
			}
			if claim, ok := errors.AsType[*ClaimError](err); ok && claim.Result.Moves != len(record.Log) {
				t.Errorf("the claim's error holds %+v", claim.Result)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestSetHeader(t *testing.T) {
	record := Record{Variant: engine.DefaultVariant(), Seed: "a"}
	for _, h := range []Header{{"Player", "Ada"}, {"Note", ""}, {"Player", "Bob"}} {
		if err := record.SetHeader(h.Name, h.Value); err != nil {
			t.Fatal(err)
		}
	}
	earlier := record
	if err := record.SetHeader("Player", "Eve"); err != nil {
		t.Fatal(err)
	}
	if want := "Variant: cruel\nSeed: a\nPlayer: Bob\nNote:\n\n"; earlier.String() != want {
		t.Errorf("got %q, want %q", earlier.String(), want)
	}
	for _, h := range []Header{
		{"Variant", "cruel"},
		{"Seed", "a"},
		{"Rules", "1"},
		{"Result", "won"},
		{"Moves", "1"},
		{"", "x"},
		{" A", "x"},
		{"A ", "x"},
		{"A:", "x"},
		{"A\n", "x"},
		{"A", "x\ny"},
		{"A", " x"},
		{"A", "x\t"},
		{"A", "\x1b"},
		{"A", "\xff"},
	} {
		if err := record.SetHeader(h.Name, h.Value); err == nil {
			t.Errorf("%q is accepted", h)
		}
	}
	if want := "Variant: cruel\nSeed: a\nPlayer: Eve\nNote:\n\n"; record.String() != want {
		t.Errorf("got %q, want %q", record.String(), want)
	}
}

// A written log has lines of at most 80 characters, and of no fewer than fit.
func TestRecordWraps(t *testing.T) {
	for _, g := range readGames(t, "games.json") {
		log, err := ParseLog(g.Log)
		if err != nil {
			continue // a refused one
		}
		record := Record{Variant: g.variant(t), Seed: engine.Seed(g.Seed), Log: log}
		_, text, _ := strings.Cut(record.String(), "\n\n")
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if len(line) > 80 {
				t.Errorf("%d characters: %s", len(line), line)
			}
			if i+1 < len(lines) && lines[i+1] != "" {
				next, _, _ := strings.Cut(lines[i+1], " ")
				if len(line)+1+len(next) <= 80 {
					t.Errorf("%q would fit after %q", next, line)
				}
			}
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add([]byte(wonRecord))
	f.Add([]byte("Variant: cruel\r\nSeed: a\r\nRules: 1\r\nX:\r\n\r\nR\r\n"))
	f.Add([]byte("Seed: a\nVariant: perseverance\nResult: stuck\n\nab2 R"))
	f.Add([]byte("\ufeffSeed: a\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := ParseRecord(data)
		if err != nil {
			if diff := cmp.Diff(Record{}, record, cmp.AllowUnexported(Record{})); diff != "" {
				t.Fatalf("%s beside %v", diff, err)
			}
			return
		}
		written := record.String()
		again, err := ParseRecord([]byte(written))
		if err != nil {
			t.Fatalf("%q is written %q: %v", data, written, err)
		}
		if diff := cmp.Diff(record, again, cmp.AllowUnexported(Record{})); diff != "" || again.String() != written {
			t.Fatalf("%q is written %q: %s", data, written, diff)
		}
		if result, err := record.Verify(); err != nil && result != (Result{}) {
			t.Fatalf("%+v beside %v", result, err)
		}
	})
}
