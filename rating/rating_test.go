package rating

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The example of the paper, with all the digits that it prints.
func TestPublishedExample(t *testing.T) {
	player := Rating{1500, 200, 0.06}
	opponents := []struct {
		rating           Rating
		points           float64
		weight, expected float64
	}{
		{Rating{1400, 30, 0.06}, 1, 0.9955, 0.639},
		{Rating{1550, 100, 0.06}, 0, 0.9531, 0.432},
		{Rating{1700, 300, 0.06}, 0, 0.7242, 0.303},
	}
	var results []result
	for _, o := range opponents {
		g := weight(o.rating)
		near(t, "weight", g, o.weight, 4)
		near(t, "expected", expected(player, o.rating, g), o.expected, 3)
		results = append(results, result{o.rating, o.points})
	}
	// The paper's period is one of those that Idle counts.
	after := update(Idle(player, idlePeriod), results...)
	near(t, "deviation", after.Deviation, 151.52, 2)
	// Two of its numbers are a unit off in the last digit: it goes on with rounded ones.
	if !(math.Abs(after.Rating-1464.06) < 0.01) || !(math.Abs(after.Volatility-0.05999) < 0.00001) {
		t.Errorf("the rating is %v", after)
	}
	// Its formulas with all the digits, reckoned apart.
	near(t, "rating", after.Rating, 1464.0507, 4)
	near(t, "deviation", after.Deviation, 151.5165, 4)
	near(t, "volatility", update(player, results...).Volatility, 0.0599959844, 10)
}

// near compares to so many digits behind the point.
func near(t *testing.T, what string, got, want float64, digits int) {
	t.Helper()
	if unit := math.Pow10(-digits); !(math.Abs(got-want) <= unit/2) {
		t.Errorf("the %s is %.*f, not %.*f", what, digits+2, got, digits, want)
	}
}

func TestStart(t *testing.T) {
	if got, want := Start(), (Rating{1500, 350, 0.06}); got != want {
		t.Errorf("a player starts at %v, not %v", got, want)
	}
	if !Start().Provisional() {
		t.Error("the start isn't provisional")
	}
}

func TestProvisional(t *testing.T) {
	for _, test := range []struct {
		deviation float64
		want      bool
	}{{50, false}, {110, false}, {110.01, true}, {350, true}} {
		if got := (Rating{1500, test.deviation, 0.06}).Provisional(); got != test.want {
			t.Errorf("a deviation of %v is provisional: %v", test.deviation, got)
		}
	}
}

// The numbers were reckoned apart, with the paper's own formulas and way to the volatility.
func TestAfter(t *testing.T) {
	for _, test := range []struct {
		name         string
		a, b         Rating
		score        Score
		wantA, wantB Rating
	}{
		{
			"two beginners, a win", Start(), Start(), Win,
			Rating{1662.2120, 290.2305, 0.0599996754},
			Rating{1337.7880, 290.2305, 0.0599996754},
		},
		{
			"two beginners, a draw", Start(), Start(), Draw,
			Rating{1500, 290.2305, 0.0599989615},
			Rating{1500, 290.2305, 0.0599989615},
		},
		{
			"the better loses",
			Rating{1700, 80, 0.06},
			Rating{1500, 60, 0.06},
			Loss,
			Rating{1673.6342, 78.5315, 0.0600045924},
			Rating{1514.8205, 59.3847, 0.0600045892},
		},
		{
			"a beginner beats a master", Start(),
			Rating{1900, 90, 0.05},
			Win,
			Rating{1958.4746, 303.1178, 0.0600048740},
			Rating{1874.7487, 89.2244, 0.0500017913},
		},
		{
			"the better draws",
			Rating{1820, 120, 0.07},
			Rating{1640, 75, 0.055},
			Draw,
			Rating{1802.7653, 115.0205, 0.0699972773},
			Rating{1646.5880, 73.8112, 0.0549986765},
		},
		{
			"the worst beats the best",
			Rating{0, 350, 0.06},
			Rating{4000, 50, 0.06},
			Win,
			Rating{696.4525, 350, 0.0600131756},
			Rating{3990.3713, 50, 0.0600060448},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := After(test.a, test.b, test.score)
			for _, r := range []struct{ got, want Rating }{{a, test.wantA}, {b, test.wantB}} {
				near(t, "rating", r.got.Rating, r.want.Rating, 4)
				near(t, "deviation", r.got.Deviation, r.want.Deviation, 4)
				near(t, "volatility", r.got.Volatility, r.want.Volatility, 10)
			}
		})
	}
}

func TestIdle(t *testing.T) {
	for _, test := range []struct {
		name            string
		deviation, days float64
		want            float64
	}{
		{"no day", 80, 0, 80},
		{"a clock that went backwards", 80, -3, 80},
		{"no number", 80, math.NaN(), 80},
		{"half a day", 80, 0.5, 80.08},
		{"a rating period", 80, 4, 80.68},
		{"almost a year from the lowest", 50, 352, 109.82},
		{"a year from the lowest", 50, 354, 110.07},
		{"almost twelve years", 50, 4418, 349.99},
		{"more than twelve years", 50, 4420, 350},
		{"for ever", 50, math.Inf(1), 350},
		{"at the start", 350, 100, 350},
		{"too low", 0, 0, 50},
		{"too high", 400, 0, 350},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Idle(Rating{1700, test.deviation, 0.06}, test.days)
			near(t, "deviation", got.Deviation, test.want, 2)
			if got.Rating != 1700 || got.Volatility != 0.06 {
				t.Errorf("more than the deviation changed: %v", got)
			}
		})
	}
}

// What idlePeriod, minDeviation and provisional were chosen for.
func TestHowOftenOneMustRace(t *testing.T) {
	for _, test := range []struct {
		name        string
		days        float64
		provisional bool
	}{
		{"ten times a day", 0.1, false},
		{"daily", 1, false},
		{"weekly", 7, false},
		{"monthly", 30, false},
		{"quarterly", 91, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := Start(), Start()
			for i := range 1000 {
				a, b = Idle(a, test.days), Idle(b, test.days)
				a, b = After(a, b, []Score{Win, Loss}[i%2])
			}
			if a = Idle(a, test.days); a.Provisional() != test.provisional {
				t.Errorf("the deviation before a race is %.1f", a.Deviation)
			}
		})
	}
	a, b, races := Start(), Start(), 0
	for ; a.Provisional(); races++ {
		a, b = After(a, b, Draw)
	}
	if races != 13 {
		t.Errorf("two beginners are provisional for %d races", races)
	}
}

// Numbers that no race leads to.
func TestExtremes(t *testing.T) {
	numbers := []float64{-math.MaxFloat64, 0, 1500, 4000, math.MaxFloat64}
	deviations := []float64{0, 50, 350, math.MaxFloat64}
	volatilities := []float64{0, 0.06, math.MaxFloat64}
	var all []Rating
	for _, number := range numbers {
		for _, deviation := range deviations {
			for _, volatility := range volatilities {
				all = append(all, Rating{number, deviation, volatility})
			}
		}
	}
	for _, a := range all {
		for _, b := range all {
			for _, score := range []Score{math.MinInt, Loss, Draw, Win, math.MaxInt} {
				x, y := After(a, b, score)
				if !sound(x) || !sound(y) || score > 0 && (x.Rating < a.Rating || y.Rating > b.Rating) || score < 0 && (x.Rating > a.Rating || y.Rating < b.Rating) {
					t.Fatalf("After(%v, %v, %d) = %v, %v", a, b, score, x, y)
				}
			}
		}
		for _, days := range []float64{0, 1, math.MaxFloat64} {
			if x := Idle(a, days); !sound(x) {
				t.Fatalf("Idle(%v, %v) = %v", a, days, x)
			}
		}
	}
}

func sound(r Rating) bool {
	return !math.IsNaN(r.Rating) && !math.IsInf(r.Rating, 0) &&
		50 <= r.Deviation && r.Deviation <= 350 && 0.01 <= r.Volatility && r.Volatility <= 0.1
}

func TestRaceProperties(t *testing.T) {
	ratings := rapid.Custom(func(t *rapid.T) Rating {
		return Rating{
			rapid.Float64Range(0, 4000).Draw(t, "rating"),
			rapid.Float64Range(50, 350).Draw(t, "deviation"),
			rapid.Float64Range(0.01, 0.1).Draw(t, "volatility"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := ratings.Draw(t, "a"), ratings.Draw(t, "b")
		won, lost := After(a, b, Win)
		drawn, drawnToo := After(a, b, Draw)
		loser, winner := After(a, b, Loss)

		for _, r := range []struct{ before, after Rating }{{a, won}, {b, lost}, {a, drawn}, {b, drawnToo}, {a, loser}, {b, winner}} {
			if !sound(r.after) || r.after.Deviation > r.before.Deviation {
				t.Fatalf("%v became %v", r.before, r.after)
			}
		}
		if a.Deviation > 60 && math.Abs(a.Rating-b.Rating) < 400 && won.Deviation >= a.Deviation {
			t.Fatalf("nothing was learnt of %v: %v", a, won)
		}
		if won.Rating < a.Rating || lost.Rating > b.Rating || loser.Rating > a.Rating || winner.Rating < b.Rating {
			t.Fatalf("a winner fell or a loser rose: %v, %v and %v, %v", won, lost, loser, winner)
		}
		if won.Rating < drawn.Rating || drawn.Rating < loser.Rating {
			t.Fatalf("the better score gave less: %v, %v, %v", won, drawn, loser)
		}
		if a.Rating < b.Rating && (drawn.Rating < a.Rating || drawnToo.Rating > b.Rating) {
			t.Fatalf("a draw parted %v and %v further: %v, %v", a, b, drawn, drawnToo)
		}
		if x, y := After(b, a, Loss); x != lost || y != won {
			t.Fatalf("the order of the players matters: %v, %v and %v, %v", won, lost, y, x)
		}
		stronger := b
		stronger.Rating += rapid.Float64Range(1, 400).Draw(t, "more")
		if more, _ := After(a, stronger, Win); more.Rating < won.Rating-1e-9 {
			t.Fatalf("a win over %v gave less than one over %v: %v, %v", stronger, b, more, won)
		}

		equal := b
		equal.Rating = a.Rating
		if x, y := After(a, equal, Draw); x.Rating != a.Rating || y.Rating != a.Rating {
			t.Fatalf("a draw of equals moved them: %v, %v", x, y)
		}
		twin := a
		twin.Rating = b.Rating
		if x, y := After(a, twin, Win); math.Abs(x.Rating+y.Rating-a.Rating-b.Rating) > 1e-9 {
			t.Fatalf("one who is known as well lost another number than was won: %v, %v", x, y)
		}
	})
}

// Days may be counted in one or in many parts.
func TestIdleAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rating{1500, rapid.Float64Range(50, 350).Draw(t, "deviation"), rapid.Float64Range(0.01, 0.1).Draw(t, "volatility")}
		days, more := rapid.Float64Range(0, 5000).Draw(t, "days"), rapid.Float64Range(0, 5000).Draw(t, "more")
		whole, parts := Idle(r, days+more), Idle(Idle(r, days), more)
		if math.Abs(whole.Deviation-parts.Deviation) > 1e-9 {
			t.Fatalf("%v and %v", whole, parts)
		}
		if some := Idle(r, days); some.Deviation < r.Deviation || whole.Deviation < some.Deviation || !sound(whole) {
			t.Fatalf("%v, then %v, then %v", r, some, whole)
		}
	})
}

// A rating is ranked for as long as it says, and no longer.
func TestRankedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rating{1500, rapid.Float64Range(50, 350).Draw(t, "deviation"), rapid.Float64Range(0.01, 0.1).Draw(t, "volatility")}
		days := r.RankedFor()
		if r.Provisional() {
			if days != 0 {
				t.Fatalf("provisional, and ranked for %v days", days)
			}
			return
		}
		if Idle(r, days*(1-1e-9)-1e-6).Provisional() || !Idle(r, days*(1+1e-9)+1e-6).Provisional() {
			t.Fatalf("%+v is ranked for %v days, and then %+v", r, days, Idle(r, days))
		}
	})
}

// What one wins in a long career, the only opponent loses.
func TestCareers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Start(), Start()
		for _, score := range rapid.SliceOfN(rapid.SampledFrom([]Score{Loss, Draw, Win, Win}), 1, 300).Draw(t, "scores") {
			a, b = Idle(a, 1), Idle(b, 1)
			a, b = After(a, b, score)
			if !sound(a) || !sound(b) || math.Abs(a.Rating+b.Rating-3000) > 1e-6 {
				t.Fatalf("%v and %v", a, b)
			}
		}
	})
}
