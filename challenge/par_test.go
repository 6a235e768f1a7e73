package challenge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

func TestOver(t *testing.T) {
	par := &Par{Moves: 60, Kind: BestKnown}
	tests := []struct {
		name    string
		par     *Par
		outcome engine.Outcome
		moves   int
		over    int
		ok      bool
	}{
		{"a win", par, engine.Won, 63, 3, true},
		{"on par", par, engine.Won, 60, 0, true},
		{"what a proof says can't be", par, engine.Won, 59, -1, true},
		{"no win", par, engine.Unfinished, 63, 0, false},
		{"stuck", par, engine.Stuck, 63, 0, false},
		{"no par", nil, engine.Won, 63, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			over, ok := test.par.Over(replay.Result{Outcome: test.outcome, Moves: test.moves})
			if over != test.over || ok != test.ok {
				t.Errorf("Over = %d, %v", over, ok)
			}
		})
	}
}

// What is kept of an answer: a win with its log and grade, or that there is none.
func TestFinding(t *testing.T) {
	log, err := replay.ParseLog("R aH R ab R")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		answer solver.Answer
		want   Finding
		proven bool
	}{
		{"open", solver.Answer{Bound: 50, States: 7}, Finding{Effort: Quick, Bound: 50, States: 7}, false},
		{"lost", solver.Answer{Verdict: solver.Lost, States: 7}, Finding{Effort: Quick, Lost: true, States: 7}, false},
		{
			"won",
			solver.Answer{Verdict: solver.Won, Log: log, Bound: 4, States: 7, Width: 24},
			Finding{Effort: Quick, Bound: 4, States: 7, Moves: 5, Log: "R aH R ab R", FoundAt: now, Difficulty: solver.Difficulty(3, 24)},
			false,
		},
		{
			"won, proven",
			solver.Answer{Verdict: solver.Won, Proven: true, Log: log, Bound: 5, Width: 200},
			Finding{Effort: Quick, Bound: 5, Moves: 5, Log: "R aH R ab R", FoundAt: now, Difficulty: solver.Difficulty(3, 200)},
			true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := newFinding(Quick, test.answer, now)
			if diff := cmp.Diff(test.want, got); diff != "" || got.proven() != test.proven {
				t.Errorf("proven %v (-want +got):\n%s", got.proven(), diff)
			}
		})
	}
}
