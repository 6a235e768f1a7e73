package solver

// score ranks the states of a beam's layer: the more the better.
func (b *bounds) score(s *state, l look) int16 {
	tops, _ := s.topCards()
	mobile := tops & (s.wanted() | b.guestsOf(tops))
	return int16(1000 - 8*s.len() - 6*l.blocked - 6*b.blockedNext(s) - 12*l.fixed + 2*mobile.len())
}

// blockedNext is how many cards would be blocked after a redeal, where one is
// left.
func (b *bounds) blockedNext(s *state) int {
	switch {
	case s.redealsLeft() == 0:
		return s.blockedIf(s.tops())
	case b.fixedFour:
		return s.blockedIf(fours(s.len()))
	default:
		t := *s
		t.redeal(b.variant)
		return t.blockedIf(t.tops())
	}
}

// choose takes the best of a layer.
func (s *search) choose(l *layer) {
	if l.len() <= s.width {
		return
	}
	s.cut = true
	var counts [2048]int32
	for _, sc := range s.scores {
		counts[sc]++
	}
	least, room := int16(len(counts)), s.width
	for room > 0 {
		least--
		room -= int(counts[least])
	}
	l.chosen = make([]uint32, 0, s.width)
	for i, sc := range s.scores {
		if sc > least || sc == least && room+int(counts[least]) > 0 {
			if sc == least {
				room--
			}
			l.chosen = append(l.chosen, uint32(l.first+i))
		}
	}
}
