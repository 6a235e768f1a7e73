package solver_test

import (
	"fmt"
	"testing"

	"cruel/solver"
)

func TestDifficulty(t *testing.T) {
	for _, d := range []struct{ redeals, width, want int }{
		{0, 24, 1},
		{3, 24, 1},
		{4, 24, 2},
		{5, 24, 3},
		{6, 24, 4},
		{7, 24, 5},
		{20, 24, 5},
		{3, 200, 2},
		{3, 2000, 3},
		{3, 20_000, 4},
		{3, 0, 5},
		{0, 200, 1},
		{0, 0, 2},
		{5, 0, 5},
	} {
		t.Run(fmt.Sprintf("%d redeals, width %d", d.redeals, d.width), func(t *testing.T) {
			if got := solver.Difficulty(d.redeals, d.width); got != d.want {
				t.Errorf("got %d, want %d", got, d.want)
			}
		})
	}
}

func TestDifficultyIsMonotone(t *testing.T) {
	widths := []int{1, 24, 25, 200, 2000, 20_000, 80_000, 0}
	for redeals := range 20 {
		for i, width := range widths {
			d := solver.Difficulty(redeals, width)
			if d < 1 || d > 5 {
				t.Errorf("%d redeals and width %d are %d", redeals, width, d)
			}
			if i > 0 && solver.Difficulty(redeals, widths[i-1]) > d || redeals > 0 && solver.Difficulty(redeals-1, width) > d {
				t.Errorf("%d redeals and width %d are %d, but less of one is more", redeals, width, d)
			}
		}
	}
}
