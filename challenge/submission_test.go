package challenge

import (
	"testing"

	"pgregory.net/rapid"

	"cruel/engine"
	"cruel/replay"
)

func drawResult(t *rapid.T) replay.Result {
	r := replay.Result{Outcome: rapid.SampledFrom([]engine.Outcome{engine.Unfinished, engine.Stuck, engine.Won}).Draw(t, "outcome")}
	if r.Outcome == engine.Won {
		r.Cards, r.Moves = 52, rapid.IntRange(48, replay.MaxMoves).Draw(t, "moves")
	} else {
		r.Cards = rapid.IntRange(4, 51).Draw(t, "cards")
		r.Moves = rapid.IntRange(max(1, r.Cards-4), replay.MaxMoves).Draw(t, "moves")
	}
	return r
}

// The key, by which SQL sorts, sorts as Better does, and is the same exactly
// for results that are equal.
func TestResultKeyOrdersAsBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawResult(t), drawResult(t)
		if rapid.Bool().Draw(t, "alike") {
			b.Outcome, b.Cards = a.Outcome, a.Cards
		}
		ka, kb := ResultKey(a), ResultKey(b)
		if (ka < kb) != a.Better(b) || (kb < ka) != b.Better(a) {
			t.Errorf("keys %d and %d of %+v and %+v", ka, kb, a, b)
		}
		if (ka < WonBelow) != (a.Outcome == engine.Won) {
			t.Errorf("key %d of %+v", ka, a)
		}
	})
}

func TestJudge(t *testing.T) {
	won := replay.Result{Outcome: engine.Won, Moves: 60, Cards: 52}
	key := ResultKey(won)
	tests := []struct {
		name     string
		late     bool
		kept     int
		best     int64
		improved bool
		refused  bool
	}{
		{"the first", false, 0, 0, true, false},
		{"a better one", false, 1, key + 1, true, false},
		{"an equal one", false, 1, key, false, false},
		{"a worse one", false, 1, key - 1, false, false},
		{"the 200th", false, 199, key, false, false},
		{"the 201st", false, 200, key, false, true},
		{"the 201st, and better", false, 200, key + 1, true, false},
		{"a late one", true, 0, 0, false, false},
		{"a late better one", true, 1, key + 1, false, false},
		{"the 201st, late", true, 200, key + 1, false, true},
		{"the first on time of 201", false, 200, 0, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			improved, err := Judge(Submission{Result: won, Late: test.late}, test.kept, test.best)
			if improved != test.improved || (err == ErrTooManySubmissions) != test.refused {
				t.Errorf("Judge = %v, %v", improved, err)
			}
		})
	}
}
