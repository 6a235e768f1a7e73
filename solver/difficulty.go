package solver

// Difficulty grades a deal that can be won from 1 to 5, by the redeals in the
// shortest win known and by the width of the beam that first won, as Answer
// tells it. More of either never makes a deal easier. Each beam that failed
// counts as much as a redeal.
func Difficulty(redeals, width int) int {
	failed := len(decideWidths)
	for i, w := range decideWidths {
		if 0 < width && width <= w {
			failed = i
			break
		}
	}
	return min(max(redeals+failed-2, 1), 5)
}
