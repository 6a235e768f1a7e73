package solver

// arena holds the states of a search, each once. States are named by their
// index, from 0 on, and never move. It holds no pointers into itself, so the
// garbage collector has nothing to look at.
type arena struct {
	chunks [][]state
	n      int
	slots  []uint64 // open addressing: hash's low half above, index+1 below; 0 is free
	most   int      // states that the memory allows

	fetched uint64 // of no meaning; it keeps fetch's loads from being left out
}

const (
	chunkBits = 12 // 4096 states, 256 KiB
	chunkSize = 1 << chunkBits
	stateSize = 64
	slotSize  = 8
	minSlots  = 1 << 14
)

// newArena makes an arena that takes at most so many bytes.
func newArena(memory int64) *arena {
	return &arena{slots: make([]uint64, minSlots), most: mostStates(memory)}
}

// mostStates is how many states fit into so many bytes, with their slots, of
// which three quarters are used at most. Before the slots are doubled there
// must be room for the old ones, the new ones and what the collector may not
// yet have freed, which together is four times the old.
func mostStates(memory int64) int {
	slots := int64(minSlots)
	for slots*3/4*stateSize+4*slots*slotSize <= memory {
		slots *= 2
	}
	room := (memory - 2*slots*slotSize) / stateSize
	return int(max(min(room, slots*3/4), chunkSize))
}

// reset forgets all states and keeps the memory.
func (a *arena) reset() {
	a.n = 0
	clear(a.slots)
}

func (a *arena) at(i uint32) *state { return &a.chunks[i>>chunkBits][i&(chunkSize-1)] }

// fetch loads what find will look at for the first n hashes. Most of it isn't
// in the processor's cache, and loads that don't depend on each other wait for
// memory at the same time.
func (a *arena) fetch(hashes *[queueSize]uint64, n int) {
	var entries [queueSize]uint64
	mask := uint64(len(a.slots) - 1)
	for i, hash := range hashes[:n] {
		entries[i] = a.slots[hash&mask]
	}
	for i, entry := range entries[:n] {
		if entry != 0 && entry>>32 == hashes[i]&0xffff_ffff {
			a.fetched ^= a.at(uint32(entry) - 1).ends
		}
	}
}

// find looks for a state. Where it isn't there, slot is where add puts it.
func (a *arena) find(s *state, hash uint64) (slot int, found bool) {
	mask := uint64(len(a.slots) - 1)
	tag := hash << 32
	for i := hash & mask; ; i = (i + 1) & mask {
		switch entry := a.slots[i]; {
		case entry == 0:
			return int(i), false
		case entry&^0xffff_ffff == tag && a.at(uint32(entry)-1).sameKey(s):
			return int(i), true
		}
	}
}

// holds says whether a state is there and has an index below so many.
func (a *arena) holds(s *state, below uint32) bool {
	slot, found := a.find(s, s.hash())
	return found && uint32(a.slots[slot])-1 < below
}

// add puts in a state that find has not found, and gives its index. The slots
// must not be crowded.
func (a *arena) add(s *state, hash uint64, slot int) uint32 {
	if a.n>>chunkBits == len(a.chunks) {
		a.chunks = append(a.chunks, make([]state, chunkSize))
	}
	i := uint32(a.n)
	*a.at(i) = *s
	a.n++
	a.slots[slot] = hash<<32 | uint64(i+1)
	return i
}

// crowded says whether the slots must grow before the next add.
func (a *arena) crowded() bool { return a.n >= len(a.slots)/4*3 && a.n < a.most }

// grow doubles the slots. The half of the hash that they keep is enough to
// find their new places. Where stop says so it ends early and is false; the
// arena finds nothing any more then, until it is reset.
func (a *arena) grow(stop func() bool) bool {
	old := a.slots
	a.slots = make([]uint64, 2*len(old))
	mask := uint64(len(a.slots) - 1)
	for k, entry := range old {
		if k&0xffff == 0xffff && stop() {
			return false
		}
		if entry == 0 {
			continue
		}
		i := entry >> 32 & mask
		for a.slots[i] != 0 {
			i = (i + 1) & mask
		}
		a.slots[i] = entry
	}
	return true
}
