package replay

import (
	"testing"

	"cruel/engine"
)

// Two won games of cruel: one of 60 moves with four redeals, and one of 101
// with 12.
const (
	seed60 = "fk5t-fp4p"
	log60  = "kD dk gk gH lH fH dH dC jh jg jD bD R dC cC fS jS eS dS R bf gc R gC bC gC aC eS " +
		"R cD dS dS aH eH bf bH gH gS gS gS fS fS dH fH af aD aC eC eC cD hD cD cD fD fD fD eH bH bC dC"
	seed101 = "bench-204"
	log101  = "gj ec ek R fj cj ld ib eD ig ic R gd ce hc R fh bf R ib R ei bf R ce R cj lj R ib lh hS " +
		"hS R ic lg R lk bf bh hS hS hd bh bD aD aD aH R ec ag dc dS dS dS iS ai ae R ai ga gD gi gH hH " +
		"hH iD hH ha aH iD aH iD aH iD aH fH ia fH fH fe eD eD eD eS eC aS aS dS dC dC dC cC cC cC cb bC " +
		"bC bC bC bC"
)

func BenchmarkVerify60(b *testing.B)  { benchmarkVerify(b, seed60, log60, 60) }
func BenchmarkVerify101(b *testing.B) { benchmarkVerify(b, seed101, log101, 101) }

// benchmarkVerify times a log with the deal of its seed and without.
func benchmarkVerify(b *testing.B, seed engine.Seed, log string, moves int) {
	v := engine.DefaultVariant()
	start := engine.Deal(v, seed)
	result, err := Verify(v, seed, log)
	if err != nil || result.Outcome != engine.Won || result.Moves != moves {
		b.Fatal(result, err)
	}
	b.Run("dealt", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := VerifyFrom(v, start, log); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("with deal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Verify(v, seed, log); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParseLog(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseLog(log60); err != nil {
			b.Fatal(err)
		}
	}
}
