package challenge

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// Of those who ask at once some are served, some more wait, and the others are
// told that it is too much.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		var leave []func()
		for range cap(q.working) {
			out, err := q.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			leave = append(leave, out)
		}
		waiting, giveUp := context.WithCancel(t.Context())
		ended := make(chan error, cap(q.inside))
		for range cap(q.inside) - cap(q.working) {
			go func() {
				out, err := q.enter(waiting)
				if err == nil {
					defer out()
				}
				ended <- err
			}()
		}
		synctest.Wait()
		if len(ended) != 0 {
			t.Error("somebody didn't wait")
		}
		if _, err := q.enter(t.Context()); !errors.Is(err, ErrBusy) {
			t.Errorf("one too many: %v", err)
		}
		leave[0]()
		synctest.Wait() // each of those who wait has its turn
		if len(ended) != cap(q.inside)-cap(q.working) {
			t.Errorf("%d had their turn", len(ended))
		}
		for len(ended) > 0 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}

		out, err := q.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := q.enter(waiting)
			ended <- err
		}()
		synctest.Wait()
		giveUp()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("who gives up: %v", err)
		}
		out()
		for _, out := range leave[1:] {
			out()
		}
		if len(q.inside) != 0 || len(q.working) != 0 {
			t.Errorf("%d are inside, %d working", len(q.inside), len(q.working))
		}
	})
}
