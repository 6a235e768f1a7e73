package solver_test

import (
	"context"
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
	speedBudget  = flag.Duration("speed.budget", 10*time.Second, "what proving a deal may take of processor time")
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

// within is a context that ends when so much more processor time is used up.
// Its end waits for the goroutine that looks after that.
func within(b *testing.B, budget time.Duration) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancel(b.Context())
	last, watched := processorTime(b)+budget, make(chan struct{})
	go func() {
		defer close(watched)
		for left := budget; left > 0 && ctx.Err() == nil; left = last - processorTime(b) {
			select {
			case <-ctx.Done():
			case <-time.After(min(max(left/2, time.Millisecond), 100*time.Millisecond)):
			}
		}
		cancel()
	}()
	return ctx, func() { cancel(); <-watched }
}

type solverCall = func(context.Context, engine.Variant, engine.Position, solver.Budget, solver.Watch) (solver.Answer, error)

// solveDeals times one call for each of the deals speed-0, speed-1, …, which
// may take so much processor time each.
func solveDeals(b *testing.B, call solverCall, budget time.Duration, memory int64) (answers []solver.Answer, times []time.Duration) {
	v := mustVariant(b, *speedVariant)
	for i := range *speedDeals {
		p := engine.Deal(v, engine.Seed(fmt.Sprintf("speed-%d", i)))
		begun := processorTime(b)
		ctx, end := within(b, budget)
		a, err := call(ctx, v, p, solver.Budget{Memory: memory}, solver.Watch{})
		times = append(times, processorTime(b)-begun)
		end()
		if err != nil {
			b.Fatal(err)
		}
		answers = append(answers, a)
		if testing.Verbose() {
			b.Logf("speed-%d: %v, %d moves, proven %t, bound %d, %d states, width %d, %v", i, a.Verdict, len(a.Log), a.Proven, a.Bound, a.States, a.Width, times[i])
		}
	}
	b.ReportMetric(0, "ns/op") // leaves it out
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
	answers, times := solveDeals(b, solver.Decide, time.Second, solver.DefaultMemory)
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
	answers, times := solveDeals(b, solver.Prove, *speedBudget, 700<<20)
	var won, second, third, ten float64
	for i, a := range answers {
		if a.Verdict == solver.Won {
			won++
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
