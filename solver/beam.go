package solver

// score ranks the states of a beam's layer: the more the better.
func score(s *state, l look) int16 {
	n := s.len()
	tops, _ := s.topCards()
	mobile := tops&s.wanted() | tops&(tops>>4)
	return int16(1000 - 8*n - 6*l.blocked - 6*blocked(s, fours(n)) - 12*l.fixed + 2*mobile.len())
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
