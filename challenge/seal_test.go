package challenge

import (
	"testing"
	"time"
)

func TestSeals(t *testing.T) {
	before, opens, until := now.Add(-time.Hour), now, now.Add(time.Hour)
	seal := func(kind Kind, opensAt time.Time) Seal { return Seal{"s", kind, opensAt, until} }
	tests := []struct {
		name                    string
		seals                   []Seal
		logs, challenges, hints bool
	}{
		{"none", nil, false, false, false},
		{"a daily", []Seal{seal(Daily, opens)}, true, true, true},
		{"a race", []Seal{seal(Race, opens)}, true, true, true},
		{"a shared challenge", []Seal{seal(Shared, opens)}, true, false, true},
		{"a shared challenge that opened after the log", []Seal{seal(Shared, opens.Add(2))}, false, false, true},
		{"two, of which one opened before the log", []Seal{seal(Shared, opens.Add(2)), seal(Race, before)}, true, true, true},
		{"a daily, and a shared challenge that ends later", []Seal{seal(Daily, opens), {"s", Shared, opens, until.Add(time.Hour)}}, true, true, true},
		{"two shared challenges", []Seal{seal(Shared, before), seal(Shared, opens)}, true, false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := SealsLog(test.seals, "s", opens.Add(1)); got != test.logs {
				t.Errorf("SealsLog = %v", got)
			}
			if SealsLog(test.seals, "another", opens) {
				t.Error("they seal a log for another seed")
			}
			if end, got := SealsChallenges(test.seals); got != test.challenges || got && end != until {
				t.Errorf("SealsChallenges = %v, %v", end, got)
			}
			if got := SealsHints(test.seals); got != test.hints {
				t.Errorf("SealsHints = %v", got)
			}
		})
	}
}
