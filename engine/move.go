package engine

// Kind is what a move does.
type Kind uint8

// The kinds of moves. The zero Kind is no move.
const (
	PlayMove   Kind = iota + 1 // From a pile To the foundation of a suit
	BuildMove                  // Count cards From a pile To a pile
	ReturnMove                 // From the foundation of a suit To a pile
	RedealMove
)

// Move is what a player asks for. Piles are 0 to 11, foundations are suits.
// Count is 1 for a build and 2 to 12 for a run, which is a build of more than
// one card; fields that a kind doesn't need are zero.
type Move struct {
	Kind     Kind
	From, To uint8
	Count    uint8
}

// maxRun is the most cards that a move can name.
const maxRun = 12

// String is the move in notation: "cH", "ab", "ab4", "Sd" or "R".
func (m Move) String() string { return string(m.Append(nil)) }

// Append appends the move in notation to text.
func (m Move) Append(text []byte) []byte {
	switch m.Kind {
	case PlayMove:
		return append(text, pileLetter(m.From), suitLetter(m.To))
	case BuildMove:
		text = append(text, pileLetter(m.From), pileLetter(m.To))
		switch {
		case m.Count >= 10:
			text = append(text, '1', '0'+m.Count-10)
		case m.Count != 1:
			text = append(text, '0'+m.Count)
		}
		return text
	case ReturnMove:
		return append(text, suitLetter(m.From), pileLetter(m.To))
	case RedealMove:
		return append(text, 'R')
	}
	return append(text, '?')
}

func pileLetter(pile uint8) byte {
	if pile >= PileCount {
		return '?'
	}
	return 'a' + pile
}

func suitLetter(suit uint8) byte { return Suit(suit).String()[0] }

// ReadMove reads the move that text begins with, and how many bytes it has.
// The size is zero where there is none. A move ends at a space, tab, LF, CR
// or the end of the text.
func ReadMove(text string) (m Move, size int) {
	if len(text) < 2 || letters[text[1]] == spaceClass {
		if len(text) > 0 && text[0] == 'R' {
			return Move{Kind: RedealMove}, 1
		}
		return Move{}, 0
	}
	from, to := letters[text[0]], letters[text[1]]
	form := forms[from>>4][to>>4]
	if form.kind == 0 {
		return Move{}, 0
	}
	m = Move{Kind: form.kind, From: from & 0xf, To: to & 0xf, Count: form.count}
	if len(text) == 2 || letters[text[2]] == spaceClass {
		// The size is a constant, not a column of forms, so that a processor
		// need not wait for the lookup before it goes on to the next move.
		return m, 2
	}
	if m.Kind != BuildMove {
		return Move{}, 0
	}
	m.Count, size = readCount(text)
	return m, size
}

// readCount reads the count after the two piles that text begins with, and
// where the whole move ends.
func readCount(text string) (count uint8, size int) {
	count = text[2] - '0'
	if len(text) == 3 || letters[text[3]] == spaceClass {
		if 2 <= count && count <= 9 {
			return count, 3
		}
		return 0, 0
	}
	if count == 1 && '0' <= text[3] && text[3] <= '2' && (len(text) == 4 || letters[text[4]] == spaceClass) {
		return 10 + text[3] - '0', 4
	}
	return 0, 0
}

// letters says what a byte means in notation: the upper half is its class,
// the lower half the number of the pile or the suit.
var letters = func() (letters [256]uint8) {
	for i := range letters {
		letters[i] = otherClass
	}
	for i := range uint8(PileCount) {
		letters['a'+i] = pileClass | i
	}
	for i := range uint8(4) {
		letters[suitLetters[i]] = foundationClass | i
	}
	letters[' '], letters['\t'], letters['\n'], letters['\r'] = spaceClass, spaceClass, spaceClass, spaceClass
	return letters
}()

const (
	pileClass       = 0x00
	foundationClass = 0x10
	spaceClass      = 0x20
	otherClass      = 0x30
)

// forms is the kind of move that two letters make, by their classes, and the
// count that it has by itself.
var forms = [16][16]struct {
	kind  Kind
	count uint8
}{
	pileClass >> 4:       {pileClass >> 4: {BuildMove, 1}, foundationClass >> 4: {PlayMove, 0}},
	foundationClass >> 4: {pileClass >> 4: {ReturnMove, 0}},
}
