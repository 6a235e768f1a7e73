package challenge

import (
	"context"
	"errors"
	"runtime"
	"time"

	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

const (
	hintTime   = 50 * time.Millisecond
	hintMemory = 32 << 20 // bytes
)

// Hint says how a game may go on.
type Hint struct {
	Winnable bool   // there is a win from here
	Lost     bool   // there is none; proven
	Move     string // the next one of a win; empty where the game is over, or where the win comes to a position that the game has been at
	Moves    int    // that the win has from here
}

// Hint looks for a win from the position that a log leads to. The error is a
// refusal of replay.Verify, a *SealedSeedError or ErrBusy.
func (s *Service) Hint(ctx context.Context, v engine.Variant, seed engine.Seed, text string) (Hint, error) {
	seals, err := s.store.Sealed(ctx, SealQuery{Now: s.now(), Coming: true, Seeds: []engine.Seed{seed}})
	if err != nil {
		return Hint{}, err
	}
	if SealsHints(seals) {
		return Hint{}, &SealedSeedError{lastUntil(seals)}
	}
	deal, err := s.store.Deal(ctx, v, seed)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Hint{}, err
	}
	leave, err := s.hints.enter(ctx)
	if err != nil {
		return Hint{}, err
	}
	defer leave()
	game, err := positions(v, seed, text)
	if err != nil {
		return Hint{}, err
	}
	if hint, ok := along(deal, game); ok {
		return hint, nil
	}
	advice, err := solver.Hint(ctx, v, game, solver.Budget{Time: s.options.HintTime, Memory: hintMemory})
	if err != nil {
		return Hint{}, err
	}
	hint := Hint{Winnable: advice.Verdict == solver.Won, Lost: advice.Verdict == solver.Lost, Moves: advice.Moves}
	if len(advice.Log) > 0 {
		hint.Move = advice.Log[0].String()
	}
	return hint, nil
}

// positions returns the positions that a log comes by, that of the deal and
// the last among them. The error is that of replay.Verify.
func positions(v engine.Variant, seed engine.Seed, text string) ([]engine.Position, error) {
	p := engine.Deal(v, seed)
	if _, err := replay.VerifyFrom(v, p, text); err != nil {
		return nil, err
	}
	log, err := replay.ParseLog(text)
	if err != nil {
		return nil, err
	}
	game := []engine.Position{p}
	for _, m := range log {
		if err := engine.Apply(v, &p, m); err != nil {
			return nil, err
		}
		game = append(game, p)
	}
	return game, nil
}

// along returns the hint of the shortest win known for a deal. ok is false
// where there is none, the last position of the game isn't on it, or the game
// has been at what follows.
func along(d Deal, game []engine.Position) (hint Hint, ok bool) {
	if d.Moves == 0 {
		return Hint{}, false
	}
	way, err := positions(d.Variant, d.Seed, d.Log)
	if err != nil {
		return Hint{}, false
	}
	log, err := replay.ParseLog(d.Log)
	if err != nil {
		return Hint{}, false
	}
	been := map[engine.Position]bool{}
	for _, p := range game {
		been[p] = true
	}
	for at := len(way) - 2; at >= 0 && !been[way[at+1]]; at-- {
		if way[at] == game[len(game)-1] {
			return Hint{Winnable: true, Move: log[at].String(), Moves: len(log) - at}, true
		}
	}
	return Hint{}, false
}

// queue lets some in at once, and some more wait.
type queue struct {
	inside  chan struct{} // with those who wait
	working chan struct{}
}

// newQueue leaves half of the processors to others.
func newQueue() *queue {
	atOnce := max(1, runtime.GOMAXPROCS(0)/2)
	return &queue{make(chan struct{}, 20*atOnce), make(chan struct{}, atOnce)}
}

// enter waits for its turn. The caller calls leave, unless there is an error:
// ErrBusy, or that of ctx.
func (q *queue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case q.inside <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	select {
	case q.working <- struct{}{}:
		return func() { <-q.working; <-q.inside }, nil
	case <-ctx.Done():
		<-q.inside
		return nil, ctx.Err()
	}
}
