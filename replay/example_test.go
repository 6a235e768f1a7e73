package replay_test

import (
	"errors"
	"fmt"

	"cruel/engine"
	"cruel/replay"
)

func ExampleVerify() {
	result, err := replay.Verify(engine.DefaultVariant(), "fk5t-fp4p", "kD dk gk R")
	fmt.Println(result.Outcome, result.Moves, result.Cards, err)

	_, err = replay.Verify(engine.DefaultVariant(), "fk5t-fp4p", "kD dk gk aH")
	if refused, ok := errors.AsType[*replay.RefusedError](err); ok {
		fmt.Println(refused.Index, refused.Token, refused.Code)
		fmt.Println(refused.Reason)
	}
	// Output:
	// unfinished 4 5 <nil>
	// 4 aH illegal
	// the top card of pile a is 8C; the hearts foundation needs 2H
}
