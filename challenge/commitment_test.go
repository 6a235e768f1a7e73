package challenge

import (
	"testing"
	"time"

	"cruel/engine"
)

// A hash is the same for ever and for everybody:
//
//	printf 'cruel commitment 1\ncruel\n2026-11-30\n2026-11-30-22kfdl24qiqskbjbbyac' | sha256sum
func TestCommitmentHash(t *testing.T) {
	const want = "7632fb4424571c106a61979ef2c025e0431caeee7c37eaa95418eb98f8309f75"
	v, day := engine.DefaultVariant(), DayOf(now)
	const seed = engine.Seed("2026-11-30-22kfdl24qiqskbjbbyac")
	if got := CommitmentHash(v, day, seed); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, other := range []string{
		CommitmentHash(engine.Variants()[1], day, seed), CommitmentHash(v, day.Add(1), seed), CommitmentHash(v, day, seed+"x"),
	} {
		if other == want {
			t.Error("another variant, day or seed has the same hash")
		}
	}
}

// A commitment counts as beforehand only before its day opens.
func TestBeforehand(t *testing.T) {
	day := DayOf(now)
	for _, test := range []struct {
		at   time.Time
		want bool
	}{
		{day.OpensAt().AddDate(0, 0, -7), true},
		{day.OpensAt().Add(-time.Millisecond), true},
		{day.OpensAt(), false},
		{day.OpensAt().Add(time.Millisecond), false},
		{day.ClosesAt().Add(time.Hour), false},
	} {
		if got := (Commitment{Day: day, CommittedAt: test.at}).Beforehand(); got != test.want {
			t.Errorf("committed to at %v: %v", test.at, got)
		}
	}
}
