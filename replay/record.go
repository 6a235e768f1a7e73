package replay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cruel/engine"
)

// Record is a game as a file, which by custom ends in ".cruel".
type Record struct {
	Variant engine.Variant
	Seed    engine.Seed
	Log     Log

	// Result and Moves are what the record claims; nil is no claim. Verify
	// checks them.
	Result *engine.Outcome
	Moves  *int

	headers []Header // the others, each name once
}

// Header is a line of a record that these rules give no meaning.
type Header struct{ Name, Value string }

// The headers that have a meaning.
const (
	variantHeader = "Variant"
	seedHeader    = "Seed"
	rulesHeader   = "Rules"
	resultHeader  = "Result"
	movesHeader   = "Moves"
)

// maxLine is the most characters that a line of a written log has.
const maxLine = 80

// Headers is the headers that have no meaning here, in their order.
func (r *Record) Headers() []Header { return slices.Clone(r.headers) }

// SetHeader sets a header that has no meaning here, such as Player, where it
// stands or at the end. It refuses a name or value that could not be read
// back, and the names that have a meaning.
func (r *Record) SetHeader(name, value string) error {
	switch name {
	case variantHeader, seedHeader, rulesHeader, resultHeader, movesHeader:
		return fmt.Errorf("the header %s is no free text", name)
	}
	line := name + ": " + value
	if n, v, err := cutHeader(line); err != nil || n != name || v != value {
		return fmt.Errorf("the header %.40q could not be read back", line)
	}
	headers := r.Headers() // a copy of the record may share the old ones
	i := slices.IndexFunc(headers, func(h Header) bool { return h.Name == name })
	if i < 0 {
		i = len(headers)
		headers = append(headers, Header{})
	}
	headers[i] = Header{Name: name, Value: value}
	r.headers = headers
	return nil
}

// Verify replays the record and checks its claims. The error is a
// *RefusedError, or a *ClaimError for the first claim that doesn't hold.
func (r *Record) Verify() (Result, error) {
	result, err := Verify(r.Variant, r.Seed, r.Log.String())
	if err != nil {
		return Result{}, err
	}
	if r.Result != nil && *r.Result != result.Outcome {
		return Result{}, &ClaimError{resultHeader, r.Result.String(), result.Outcome.String(), result}
	}
	if r.Moves != nil && *r.Moves != result.Moves {
		return Result{}, &ClaimError{movesHeader, strconv.Itoa(*r.Moves), strconv.Itoa(result.Moves), result}
	}
	return result, nil
}

// String is the record in its canonical form: the variant and the seed, the
// headers that have no meaning, the claims, and the log in lines of at most 80
// characters.
func (r *Record) String() string {
	var b strings.Builder
	writeHeader(&b, variantHeader, r.Variant.ID)
	writeHeader(&b, seedHeader, string(r.Seed))
	for _, h := range r.headers {
		writeHeader(&b, h.Name, h.Value)
	}
	if r.Result != nil {
		writeHeader(&b, resultHeader, r.Result.String())
	}
	if r.Moves != nil {
		writeHeader(&b, movesHeader, strconv.Itoa(*r.Moves))
	}
	b.WriteByte('\n')
	writeWrapped(&b, r.Log)
	return b.String()
}

func writeHeader(b *strings.Builder, name, value string) {
	b.WriteString(name)
	b.WriteByte(':')
	if value != "" {
		b.WriteString(" " + value)
	}
	b.WriteByte('\n')
}

func writeWrapped(b *strings.Builder, log Log) {
	width := 0
	for _, m := range log {
		token := m.String()
		switch {
		case width == 0:
		case width+1+len(token) > maxLine:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(token)
		width += len(token)
	}
	if width > 0 {
		b.WriteByte('\n')
	}
}

// ParseRecord reads a record. A fault in it is a *RecordError, or a
// *RefusedError where it is in the log; whether the game is legal and the
// claims are true is for Record.Verify to say.
func ParseRecord(data []byte) (Record, error) {
	var p recordParser
	rest := string(data)
	for {
		line, after, complete := strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		p.line++
		if !complete {
			return Record{}, p.fault("an empty line must come between headers and log")
		}
		rest = after
		if line == "" {
			break
		}
		if err := p.header(line); err != nil {
			return Record{}, err
		}
	}
	for _, name := range []string{variantHeader, seedHeader} {
		if !p.seen[name] {
			return Record{}, p.fault("the header %s is missing", name)
		}
	}
	log, err := ParseLog(rest)
	if err != nil {
		return Record{}, err
	}
	p.record.Log = log
	return p.record, nil
}

// recordParser reads the headers of a record.
type recordParser struct {
	record Record
	seen   map[string]bool
	line   int
}

func (p *recordParser) fault(format string, args ...any) error {
	return &RecordError{p.line, fmt.Sprintf(format, args...)}
}

func (p *recordParser) header(line string) error {
	name, value, err := cutHeader(line)
	if err != nil {
		return p.fault("%v", err)
	}
	if p.seen[name] {
		return p.fault("the header %.40q stands there twice", name)
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[name] = true

	switch r := &p.record; name {
	case variantHeader:
		r.Variant, err = engine.ParseVariant(value)
	case seedHeader:
		r.Seed, err = engine.ParseSeed(value)
	case rulesHeader:
		err = checkRules(value)
	case resultHeader:
		var outcome engine.Outcome
		outcome, err = engine.ParseOutcome(value)
		r.Result = &outcome
	case movesHeader:
		var moves int
		moves, err = parseCount(value)
		r.Moves = &moves
	default:
		r.headers = append(r.headers, Header{Name: name, Value: value})
	}
	if err != nil {
		return p.fault("%s: %v", name, err)
	}
	return nil
}

// cutHeader takes a header line apart. Control characters but the tab are
// refused, since records are shown on terminals.
func cutHeader(line string) (name, value string, err error) {
	if !utf8.ValidString(line) || strings.HasPrefix(line, "\ufeff") {
		return "", "", errors.New("a record is in UTF-8 without a byte order mark")
	}
	if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return "", "", errors.New("a header has a control character")
	}
	name, value, found := strings.Cut(line, ":")
	if !found || name == "" || name != strings.TrimSpace(name) {
		return "", "", errors.New("a header must look like Name: value")
	}
	return name, strings.Trim(value, " \t"), nil
}

// checkRules accepts the versions of the rules that this program plays.
func checkRules(version string) error {
	if version != strconv.Itoa(engine.RulesVersion) {
		return fmt.Errorf("version %.20q is not supported; supported: %d", version, engine.RulesVersion)
	}
	return nil
}

// parseCount reads a number as strconv.Itoa writes it, from 0 on.
func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%.20q is not a count", text)
	}
	return n, nil
}
