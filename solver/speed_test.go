package solver_test

import (
	"flag"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"cruel/engine"
	"cruel/solver"
)

var (
	speedDeals   = flag.Int("speed.deals", 60, "how many deals the speed benchmarks solve")
	speedVariant = flag.String("speed.variant", "cruel", "their `id` of a variant")
	speedBudget  = flag.Duration("speed.budget", 10*time.Second, "what proving a deal may take")
)

// processorTime is what this process has used so far, which tells more than
// the clock on a machine that others use as well.
func processorTime(b *testing.B) time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// solveDeals times one call for each of the deals speed-0, speed-1, …
func solveDeals(b *testing.B, call func(engine.Variant, engine.Position) solver.Answer) (answers []solver.Answer, times []time.Duration) {
	v := mustVariant(b, *speedVariant)
	for i := range *speedDeals {
		p := engine.Deal(v, engine.Seed(fmt.Sprintf("speed-%d", i)))
		begun := processorTime(b)
		answers = append(answers, call(v, p))
		times = append(times, processorTime(b)-begun)
	}
	return answers, times
}

// limit reports a measurement and its part of the limit, of which 1 is all.
func limit(b *testing.B, value, limit float64, unit string) {
	b.ReportMetric(value, unit)
	b.ReportMetric(value/limit, unit+"/limit")
}

// BenchmarkDecide prints how fast deals are decided, in processor time, and
// the ratios to the limits: a median of 2 ms, 99 % within 50 ms, and 0.3 %
// open after a second.
func BenchmarkDecide(b *testing.B) {
	answers, times := solveDeals(b, func(v engine.Variant, p engine.Position) solver.Answer {
		a, err := solver.Decide(b.Context(), v, p, solver.Budget{Time: time.Second}, solver.Watch{})
		if err != nil {
			b.Fatal(err)
		}
		return a
	})
	counts := map[solver.Verdict]float64{}
	for _, a := range answers {
		counts[a.Verdict]++
	}
	slices.Sort(times)
	n := float64(len(answers))
	limit(b, milliseconds(times[len(times)/2]), 2, "ms-median")
	limit(b, milliseconds(times[len(times)*99/100]), 50, "ms-p99")
	limit(b, 100*counts[solver.Open]/n, 0.3, "%open")
	b.ReportMetric(100*counts[solver.Won]/n, "%won")
	b.ReportMetric(100*counts[solver.Lost]/n, "%lost")
}

// BenchmarkProve prints how many of the deals that can be won have their
// optimum proven in a second and in ten of processor time, and the ratios to
// the limits, which are 66 % and 97 %: more than 1 is better.
func BenchmarkProve(b *testing.B) {
	answers, times := solveDeals(b, func(v engine.Variant, p engine.Position) solver.Answer {
		a, err := solver.Prove(b.Context(), v, p, solver.Budget{Time: *speedBudget, Memory: 700 << 20}, solver.Watch{})
		if err != nil {
			b.Fatal(err)
		}
		return a
	})
	var won, second, third, ten float64
	for i, a := range answers {
		if a.Verdict != solver.Won {
			continue
		}
		won++
		if testing.Verbose() {
			b.Logf("%d: %d moves, proven %t, bound %d, %d states, width %d, %v", i, len(a.Log), a.Proven, a.Bound, a.States, a.Width, times[i])
		}
		if !a.Proven {
			continue
		}
		if times[i] <= time.Second {
			second++
		}
		if times[i] <= 3*time.Second {
			third++
		}
		if times[i] <= 10*time.Second {
			ten++
		}
	}
	limit(b, 100*second/won, 66, "%in1s")
	b.ReportMetric(100*third/won, "%in3s")
	limit(b, 100*ten/won, 97, "%in10s")
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
