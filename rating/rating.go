package rating

import "math"

// Rating is what is known of a player's strength. With 95 in 100 chances it is
// within two deviations of the rating.
type Rating struct {
	Rating     float64 // 1500 at the start; no bounds
	Deviation  float64 // from 50, well known, to 350, unknown
	Volatility float64 // how much the strength itself changes, from 0.01 to 0.1
}

// Start returns the rating of a player who hasn't raced: 1500, with a deviation
// of 350 and a volatility of 0.06.
func Start() Rating {
	return Rating{Rating: middle, Deviation: maxDeviation, Volatility: 0.06}
}

const (
	middle = 1500
	// scale is how many points one of Glicko-2's own units has.
	scale = 173.7178
	// tau is how fast a volatility may change: the paper advises 0.3 to 1.2.
	tau = 0.5

	minDeviation, maxDeviation   = 50, 350
	minVolatility, maxVolatility = 0.01, 0.1

	// provisional is the deviation above which a rating says too little to be ranked.
	provisional = 110
	// idlePeriod is how many idle days count as a rating period. With four, and the volatility of the start, a
	// deviation of 50 grows to 110 in a year (354 days) and back to 350 in twelve (4419 days), and a race a month
	// against an equal keeps it below 110.
	idlePeriod = 4
)

// Provisional says whether the strength is known too little to be ranked: the
// deviation is above 110. Two beginners need 13 races with each other to be known.
func (r Rating) Provisional() bool { return r.Deviation > provisional }

// RankedFor returns after how many days without a race r, which isn't
// provisional, becomes so; 0 where it is.
func (r Rating) RankedFor() (days float64) {
	r = r.bounded()
	perPeriod := scale * r.Volatility
	return max(0, (provisional*provisional-r.Deviation*r.Deviation)/(perPeriod*perPeriod)*idlePeriod)
}

// Score is what a race gave the first of two players.
type Score int

// The scores. What the one wins, the other loses.
const (
	Loss Score = -1
	Draw Score = 0
	Win  Score = 1
)

// points is what the first player gets; the second gets the rest of 1.
func (s Score) points() float64 {
	switch {
	case s < Draw:
		return 0
	case s > Draw:
		return 1
	}
	return 0.5
}

// Idle returns r after so many days without a race; parts of days count. Only
// the deviation changes: its square grows by the square of the volatility, on
// Glicko-2's own scale, for every four days, until it is 350. The days of a
// clock that went backwards are none.
func Idle(r Rating, days float64) Rating {
	r = r.bounded()
	if !(days > 0) {
		return r
	}
	r.Deviation = math.Hypot(r.Deviation, scale*r.Volatility*math.Sqrt(days/idlePeriod))
	return r.bounded()
}

// After returns the ratings of two players after a race between them. Both come
// from the ratings before it, each of which is one that Idle has brought to the
// day of the race.
func After(a, b Rating, score Score) (Rating, Rating) {
	a, b = a.bounded(), b.bounded()
	points := score.points()
	return update(a, result{b, points}).bounded(), update(b, result{a, 1 - points}).bounded()
}

// bounded returns r with a deviation and a volatility that the arithmetic can work with.
func (r Rating) bounded() Rating {
	r.Deviation = min(max(r.Deviation, minDeviation), maxDeviation)
	r.Volatility = min(max(r.Volatility, minVolatility), maxVolatility)
	return r
}

// result is a race as one of the two sees it.
type result struct {
	opponent Rating
	points   float64
}

// update returns r after the races of one rating period. A race is one result; the paper's example has three.
//
// The paper's v is 1/information, and its delta is surprise/information. Without the division, races that
// were certain to go one way are no special case: their information is 0.
func update(r Rating, results ...result) Rating {
	var information, surprise float64
	for _, one := range results {
		g := weight(one.opponent)
		e := expected(r, one.opponent, g)
		information += g * g * e * (1 - e)
		surprise += g * (one.points - e)
	}
	variance := square(r.Deviation / scale)
	after := r
	after.Volatility = volatility(r.Volatility, variance, information, surprise)
	after.Deviation = r.Deviation / math.Sqrt(1+variance*information)
	after.Rating += square(after.Deviation) / scale * surprise
	return after
}

// weight is how much a result against an opponent counts: less, the less is known of the opponent. The paper's g.
func weight(opponent Rating) float64 {
	return 1 / math.Sqrt(1+3*square(opponent.Deviation/scale/math.Pi))
}

// expected is what part of the point r should get from an opponent, given the weight of the result. The paper's E.
func expected(r, opponent Rating, weight float64) float64 {
	return 1 / (1 + math.Exp(weight*(opponent.Rating/scale-r.Rating/scale)))
}

// volatility is the one that explains the results best. The logarithm of its square is the x where the paper's f(x) is 0.
//
// Up to maxVolatility f falls all the way: after one race, the slope of its first term is below y, which is at most
// 0.01, and that of the second is -1/tau². So halving finds the only zero, or the bound that is nearest to it. Above,
// f may have more zeros after a great surprise, and an open search may run away to them.
func volatility(before, variance, information, surprise float64) float64 {
	was := 2 * math.Log(before)
	f := func(x float64) float64 {
		y := math.Exp(x)
		doubt := information * (variance + y)
		return y*(square(surprise)-information*(1+doubt))/(2*square(1+doubt)) - (x-was)/square(tau)
	}
	low, high := 2*math.Log(minVolatility), 2*math.Log(maxVolatility)
	const halvings = 53 // as many as a float64 has binary digits
	for range halvings {
		if middle := (low + high) / 2; f(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp((low + high) / 4)
}

func square(x float64) float64 { return x * x }
