package solver_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

var parAll = flag.Bool("par.all", false, "prove every deal of par.json, not only the quick ones")

// parDeal is a deal of par.json.
type parDeal struct {
	Variant, Seed string
	Winnable      bool
	Optimum       int
}

func parDeals(t testing.TB) []parDeal {
	t.Helper()
	data, err := os.ReadFile("../engine/testdata/par.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Par []parDeal }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Par) == 0 {
		t.Fatal("no deals")
	}
	return file.Par
}

// slowPar are the deals whose proof keeps more than about 20,000 positions.
var slowPar = map[string]bool{
	"cruel/byyu": true, "cruel/65b": true, "cruel/o2drvau-k7vwzzu-tkw95r2": true, "cruel/s4rfgy": true, "cruel/n7yf-td8n-g1ab": true, "cruel/bbld63i": true, "cruel/ux": true,
	"cruel-returns/g-n": true, "cruel-returns/bsrpw-gliie": true, "cruel-returns/x": true, "cruel-returns/0m-9k": true, "cruel-returns/2z-i4-gh": true, "cruel-returns/6z-dt": true, "cruel-returns/1lqi-b5cv-39zk": true, "cruel-returns/u": true, "cruel-returns/oow5-gs7p-nrtd": true, "cruel-returns/2f31iuef": true, "cruel-returns/g-p-o": true,
	"limited-cruel-3/4l-vu": true, "limited-cruel-3/w": true, "limited-cruel-3/hgqb-t8z0": true, "limited-cruel-3/tx7-4m8-2gd": true, "limited-cruel-3/afc5-nwok-1epc": true,
	"limited-cruel-5/0q-7u": true, "limited-cruel-5/3qf4dje5": true, "limited-cruel-5/c0-d9-zh": true, "limited-cruel-5/28vrhqk": true, "limited-cruel-5/v5z-c3x": true, "limited-cruel-5/aggaac-rhqoh0-3lpg2y": true, "limited-cruel-5/a8m-xbs": true, "limited-cruel-5/9v": true, "limited-cruel-5/sdj5d-it4qh": true,
	"perseverance/6": true, "perseverance/uonv-s938-erw3": true,
	"ripple-fan/j": true, "ripple-fan/0t": true, "ripple-fan/4qs6-u58p-apxc": true, "ripple-fan/pj4c-4p9d": true, "ripple-fan/u": true, "ripple-fan/8m": true, "ripple-fan/ustpo": true, "ripple-fan/m": true, "ripple-fan/e5exfh": true, "ripple-fan/bcl0ufed-tbeoz7hb": true, "ripple-fan/k6ztri-xrksvs": true,
}

func mustVariant(t testing.TB, id string) engine.Variant {
	t.Helper()
	v, err := engine.ParseVariant(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The optima and the lost deals are those of par.json, which came from another
// program.
func TestParVectors(t *testing.T) {
	for _, d := range parDeals(t) {
		t.Run(d.Variant+"/"+d.Seed, func(t *testing.T) {
			if slowPar[d.Variant+"/"+d.Seed] && !*parAll {
				t.Skip("a slow proof; -par.all runs it")
			}
			v := mustVariant(t, d.Variant)
			p := engine.Deal(v, engine.Seed(d.Seed))
			begun := time.Now()
			a, err := solver.Prove(t.Context(), v, p, solver.Budget{Memory: 700 << 20}, solver.Watch{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v %d moves, %d states, width %d, %v", a.Verdict, len(a.Log), a.States, a.Width, time.Since(begun))
			if !d.Winnable {
				if a.Verdict != solver.Lost {
					t.Errorf("%v, want lost", a.Verdict)
				}
				return
			}
			if a.Verdict != solver.Won || !a.Proven || len(a.Log) != d.Optimum {
				t.Errorf("%v, %d moves, proven %t; want %d proven", a.Verdict, len(a.Log), a.Proven, d.Optimum)
			}
			result, err := replay.VerifyFrom(v, p, replay.Log(a.Log).String())
			if err != nil || result.Outcome != engine.Won {
				t.Errorf("the log gives %v, %v", result, err)
			}
		})
	}
}
