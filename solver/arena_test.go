package solver

import (
	"testing"
	"unsafe"
)

func TestStateIsACacheLine(t *testing.T) {
	if got := unsafe.Sizeof(state{}); got != stateSize {
		t.Errorf("a state has %d bytes, want %d", got, stateSize)
	}
}

// An arena that is filled to its end has kept to its memory, while its slots
// grew too, and finds all that was put in.
func TestArenaKeepsToItsMemory(t *testing.T) {
	never := func() bool { return false }
	for _, memory := range []int64{1 << 20, 5 << 20} {
		a := newArena(memory)
		var peak int64
		numbered := func(i int) *state { return &state{ends: uint64(i)*0x9e3779b97f4a7c15 | 1} }
		for i := range a.most {
			if a.crowded() {
				peak = max(peak, a.bytes()+2*int64(len(a.slots))*slotSize) // the new ones beside
				a.grow(never)
			}
			s := numbered(i)
			slot, found := a.find(s, s.hash())
			if found {
				t.Fatalf("state %d is there already", i)
			}
			a.add(s, s.hash(), slot)
		}
		for i := range a.most {
			s := numbered(i)
			if _, found := a.find(s, s.hash()); !found {
				t.Fatalf("state %d is not found", i)
			}
		}
		if peak = max(peak, a.bytes()); peak > memory {
			t.Errorf("%d bytes were used of %d", peak, memory)
		}
		if used := a.bytes(); used < memory/2 {
			t.Errorf("only %d bytes are used of %d", used, memory)
		}
	}
}

// bytes is what the arena holds.
func (a *arena) bytes() int64 {
	return int64(len(a.chunks))*chunkSize*stateSize + int64(len(a.slots))*slotSize
}
