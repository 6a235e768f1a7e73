package challenge

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"cruel/engine"
	"cruel/solver"
)

const (
	// So much a daily may take that is drawn while somebody waits, and each of
	// the deals that are tried for it.
	drawTime   = 2 * time.Second
	decideTime = drawTime / 4
	drawMemory = 64 << 20

	// So many deals that can be won are tried to find one with a proven par;
	// then the first of them is taken.
	proofTries = 4

	// A claim is renewed every third of its life. If its holder is killed,
	// others wait for its end.
	claimLife = 9 * time.Second
)

// spend returns what an effort may take: time of the processor, and bytes.
func (s *Service) spend(e Effort) (time.Duration, int64) {
	if e == Quick {
		return time.Second, min(64<<20, s.options.SolverMemory)
	}
	return 15 * time.Second, s.options.SolverMemory
}

// asideFor is how long a piece of work that failed waits, while others are done.
const asideFor = time.Minute

// SolveNext does the next thing that is to be solved and that no other server
// is at, and reports whether there was any. First come the dailies of today and
// the days to come, each on the first deal whose par it can prove; then the
// deals that players brought, the cheapest first. It takes up to minutes and is
// to be called in a loop, on every server. When ctx ends it ends within a
// second; what it was at is begun again later.
func (s *Service) SolveNext(ctx context.Context) (bool, error) {
	work, err := s.work(ctx)
	if err != nil {
		return false, err
	}
	for _, w := range work {
		if s.isAside(w.name) {
			continue
		}
		claim := s.claim(w.name)
		claimed, err := s.store.Claim(ctx, claim)
		if err != nil {
			return false, err
		}
		if claimed {
			err := s.hold(ctx, claim, w.do)
			if err != nil && ctx.Err() == nil {
				s.setAside(w.name)
			}
			return true, err
		}
	}
	return false, nil
}

func (s *Service) isAside(work string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, failed := s.aside[work]
	if failed && !s.now().Before(until) {
		delete(s.aside, work)
		return false
	}
	return failed
}

func (s *Service) setAside(work string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aside[work] = s.now().Add(asideFor)
}

// piece is a piece of work. What it does is nothing where it has been done
// since it was listed.
type piece struct {
	name string
	do   func(context.Context) error
}

// work lists what is to be solved, the most urgent first.
func (s *Service) work(ctx context.Context) ([]piece, error) {
	var ids []string
	today := DayOf(s.now())
	for i := range s.options.PrepareDays + 1 {
		for _, v := range engine.Variants() {
			ids = append(ids, DailyID(v, today.Add(i)))
		}
	}
	deals, err := s.store.Deals(ctx, ids)
	if err != nil {
		return nil, err
	}
	var list []piece
	for _, id := range ids {
		switch d, there := deals[id]; {
		case !there:
			list = append(list, piece{id, func(ctx context.Context) error { return s.prepareDaily(ctx, id) }})
		case d.Effort < Full:
			list = append(list, s.solving(d, Full))
		}
	}
	unsolved, err := s.store.Unsolved(ctx, 20)
	for _, d := range unsolved {
		list = append(list, s.solving(d, d.Effort+1))
	}
	return list, err
}

// solving is the effort for a deal as a piece of work. All efforts for a deal
// have the same name, so that no two are made at once.
func (s *Service) solving(d Deal, e Effort) piece {
	return piece{d.Variant.ID + " " + string(d.Seed), func(ctx context.Context) error {
		return s.solveDeal(ctx, d.Variant, d.Seed, e)
	}}
}

func (s *Service) claim(work string) Claim {
	now := s.now()
	return Claim{Work: work, Holder: s.holder, Now: now, Until: now.Add(claimLife)}
}

// hold does a piece of work and renews the claim on it meanwhile.
func (s *Service) hold(ctx context.Context, c Claim, do func(context.Context) error) error {
	working, done := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticker := time.NewTicker(claimLife / 3)
		defer ticker.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-ticker.C:
				if _, err := s.store.Claim(working, s.claim(c.Work)); err != nil && working.Err() == nil {
					s.options.Log.Warn("a claim isn't renewed", "work", c.Work, "error", err)
				}
			}
		}
	})
	err := do(working)
	done()
	renewing.Wait()
	// Also at the end of ctx, so that another server can go on at once.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second/2)
	defer cancel()
	return errors.Join(err, s.store.Release(last, s.claim(c.Work)))
}

// prepareDaily opens a daily, unless it is there.
func (s *Service) prepareDaily(ctx context.Context, id string) error {
	v, d, _ := parseDailyID(id)
	if _, err := s.store.Challenge(ctx, id); !errors.Is(err, ErrNotFound) {
		return err
	}
	var first Challenge
	var found Finding
	for n, tried := 0, 0; tried < proofTries; n++ {
		if !s.now().Before(d.ClosesAt()) {
			return nil // nobody has asked for it in time
		}
		c := newDaily(s.options.DailySecret, v, d, n)
		f, err := s.look(ctx, v, c.Seed, Full)
		if err != nil {
			return err
		}
		if f.proven() {
			return s.open(ctx, c, f)
		}
		if f.Moves == 0 {
			continue
		}
		if tried == 0 {
			first, found = c, f
		}
		tried++
	}
	return s.open(ctx, first, found)
}

// drawAtOnce opens a daily that somebody asks for, unless it is there: on the
// first deal that is found to be winnable, without looking for the shortest
// win. All who ask at once wait for the first of them. The error is ErrDrawing
// where that takes too long.
func (s *Service) drawAtOnce(ctx context.Context, v engine.Variant, d Day) error {
	id := DailyID(v, d)
	drawn, mine := s.beginDrawing(id)
	if mine {
		defer s.endDrawing(id)
		return s.draw(context.WithoutCancel(ctx), v, d) // not for the first alone
	}
	select {
	case <-drawn:
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := s.store.Challenge(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return ErrDrawing
	}
	return err
}

// beginDrawing returns what is closed when the drawing of a daily ends, and
// whether it is the caller's to do.
func (s *Service) beginDrawing(id string) (drawn <-chan struct{}, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	going, ok := s.drawings[id]
	if !ok {
		going = make(chan struct{})
		s.drawings[id] = going
	}
	return going, !ok
}

func (s *Service) endDrawing(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.drawings[id])
	delete(s.drawings, id)
}

// draw draws a daily, one variant after the other. Where the time ends before
// that is done, who asks next goes on from there.
func (s *Service) draw(ctx context.Context, v engine.Variant, d Day) error {
	id := DailyID(v, d)
	if _, err := s.store.Challenge(ctx, id); !errors.Is(err, ErrNotFound) {
		return err
	}
	drawing, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-drawing.Done():
	}
	for drawing.Err() == nil {
		c := newDaily(s.options.DailySecret, v, d, s.drawFrom[id])
		a, err := solver.Decide(drawing, v, engine.Deal(v, c.Seed), solver.Budget{Time: decideTime, Memory: drawMemory}, solver.Watch{})
		if err != nil {
			return err
		}
		if a.Verdict == solver.Won {
			delete(s.drawFrom, id)
			return s.open(ctx, c, newFinding(Untouched, a, s.now()))
		}
		s.drawFrom[id]++
	}
	return ErrDrawing
}

// open commits to a daily, which is there from then on.
func (s *Service) open(ctx context.Context, c Challenge, f Finding) error {
	c.CreatedAt = s.now()
	c.Commitment = &Commitment{c.Day, CommitmentHash(c.Variant, c.Day, c.Seed), c.CreatedAt}
	return s.store.OpenDaily(ctx, c, f)
}

// solveDeal makes an effort for a deal, unless that has been done.
func (s *Service) solveDeal(ctx context.Context, v engine.Variant, seed engine.Seed, e Effort) error {
	switch deal, err := s.store.Deal(ctx, v, seed); {
	case errors.Is(err, ErrNotFound): // a server of the release before has made the challenge
	case err != nil || deal.Effort >= e:
		return err
	}
	f, err := s.look(ctx, v, seed, e)
	if err != nil {
		return err
	}
	return s.store.KeepFinding(ctx, v, seed, f)
}

// look solves a deal as far as the effort goes. The error is that of ctx: what
// was found by its end is not all that the effort would find.
func (s *Service) look(ctx context.Context, v engine.Variant, seed engine.Seed, e Effort) (Finding, error) {
	spend, memory := s.spend(e)
	working, stop := context.WithCancel(ctx)
	defer stop()
	var answer solver.Answer
	var err error
	s.options.Apart(func() {
		defer func() {
			if r := recover(); r != nil { // a fault of the solver must not end the server, again and again
				err = fmt.Errorf("solving %s %s: panic: %v\n%s", v.ID, seed, r, debug.Stack())
			}
		}()
		begun := s.options.ProcessorTime()
		answer, err = solver.Prove(working, v, engine.Deal(v, seed), solver.Budget{
			Time:   4 * spend, // on a machine that is that busy, less will do
			Memory: memory,
		}, solver.Watch{Progress: func(solver.Progress) {
			if s.options.ProcessorTime()-begun >= spend {
				stop()
			}
		}})
	})
	if err == nil {
		err = ctx.Err()
	}
	f := newFinding(e, answer, s.now())
	if f.Lost || f.proven() {
		f.Effort = Full
	}
	return f, err
}
