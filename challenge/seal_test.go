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
		{"a shared challenge that opened after the log", []Seal{seal(Shared, opens.Add(1))}, false, false, true},
		{"two, of which one opened before the log", []Seal{seal(Shared, opens.Add(1)), seal(Race, before)}, true, true, true},
		{"two shared challenges", []Seal{seal(Shared, before), seal(Shared, opens)}, true, false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := SealsLog(test.seals, "s", opens); got != test.logs {
				t.Errorf("SealsLog = %v", got)
			}
			if SealsLog(test.seals, "another", opens) {
				t.Error("they seal a log for another seed")
			}
			if got := SealsChallenges(test.seals); got != test.challenges {
				t.Errorf("SealsChallenges = %v", got)
			}
			if got := SealsHints(test.seals); got != test.hints {
				t.Errorf("SealsHints = %v", got)
			}
			if got := lastUntil(test.seals); len(test.seals) > 0 && got != until {
				t.Errorf("lastUntil = %v", got)
			}
		})
	}
}
