package milp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// infinite is the absolute value from which the readers of both formats take a bound for none, as CPLEX and HiGHS do.
const infinite = 1e20

// ReadLP reads a model in CPLEX's LP format: an objective, rows with constants on one side, ranges, bounds, integer and binary
// columns. Columns are in the order in which the file first names them. Quadratic terms, indicators, semi-continuous columns and
// special ordered sets are refused. Errors name the line.
func ReadLP(name string, data []byte) (*Model, error) {
	r := &lpReader{model: &Model{Name: name}, cols: map[string]int{}}
	if err := r.tokenize(string(data)); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.model, r.model.Validate()
}

// An lpToken is a number, a name or a sign.
type lpToken struct {
	text  string
	line  int
	first bool // of its line
	kind  byte // n: number, w: name, <, > and = of relations, or the sign itself
	value float64
}

type lpReader struct {
	model  *Model
	cols   map[string]int
	tokens []lpToken
	at     int
}

// signs of names are those that CPLEX allows beside letters and digits.
const lpSigns = "!\"#$%&(),.;?@_'`{}~|"

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

func (r *lpReader) tokenize(text string) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "\\")
		first := true
		for i := 0; i < len(line); {
			start, c := i, line[i]
			t := lpToken{line: n, first: first, kind: c}
			switch {
			case strings.IndexByte(" \t\r\n\f", c) >= 0:
				i++
				continue
			case isDigit(c) || c == '.' && i+1 < len(line) && isDigit(line[i+1]):
				i += numberLength(line[i:])
				var err error
				t.value, err = strconv.ParseFloat(line[start:i], 64)
				if err != nil && math.IsInf(t.value, 0) {
					return fmt.Errorf("line %d: the number %s is too large", n, line[start:i])
				}
				t.kind = 'n'
			case isLetter(c) || strings.IndexByte(lpSigns, c) >= 0:
				for i < len(line) && (isLetter(line[i]) || isDigit(line[i]) || strings.IndexByte(lpSigns, line[i]) >= 0) {
					i++
				}
				t.kind = 'w'
			case c == '<' || c == '>' || c == '=':
				for i < len(line) && strings.IndexByte("<>=", line[i]) >= 0 {
					i++
				}
				t.kind = relations[line[start:i]]
				if t.kind == 0 {
					return fmt.Errorf("line %d: %q is no relation", n, line[start:i])
				}
			case c == '-' && i+1 < len(line) && line[i+1] == '>' || c == '[':
				return fmt.Errorf("line %d: %q begins a quadratic term or an indicator, which linear models do not have", n, string(c))
			case strings.IndexByte("+-:*", c) >= 0:
				i++
			default:
				return fmt.Errorf("line %d: %q is no sign of the LP format", n, string(c))
			}
			t.text, first = line[start:i], false
			r.tokens = append(r.tokens, t)
		}
	}
	return nil
}

var relations = map[string]byte{"<": '<', "<=": '<', "=<": '<', ">": '>', ">=": '>', "=>": '>', "=": '='}

// numberLength is the length of the number with which s begins.
func numberLength(s string) int {
	i := 0
	digits := func() {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		whole := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if i == len(s) || !isDigit(s[i]) {
			return whole // a name follows
		}
		digits()
	}
	return i
}

// lpSections are the words that begin a section, in lower case; a space stands for more words.
var lpSections = map[string]string{
	"minimize": "min", "minimise": "min", "minimum": "min", "min": "min",
	"maximize": "max", "maximise": "max", "maximum": "max", "max": "max",
	"subject to": "rows", "such that": "rows", "st": "rows", "st.": "rows", "s.t.": "rows",
	"bounds": "bounds", "bound": "bounds",
	"general": "general", "generals": "general", "gen": "general", "integer": "general", "integers": "general", "int": "general",
	"binary": "binary", "binaries": "binary", "bin": "binary", "end": "end",
	"semi": "semi", "semis": "semi", "semi-continuous": "semi", "sos": "sos", "sos1": "sos", "sos2": "sos",
	"lazy constraints": "lazy", "user cuts": "user",
}

// section is the section that begins at the next token, with the number of its words; empty: none does.
func (r *lpReader) section() (name string, words int) {
	t := r.peek(0)
	if t.kind != 'w' || !t.first || r.peek(1).kind == ':' {
		return "", 0
	}
	if next := r.peek(1); next.kind == 'w' && next.line == t.line {
		if s := lpSections[strings.ToLower(t.text+" "+next.text)]; s != "" {
			return s, 2
		}
	}
	return lpSections[strings.ToLower(t.text)], 1
}

// peek is the token so many places ahead; of kind 0 at the end.
func (r *lpReader) peek(ahead int) lpToken {
	if r.at+ahead < len(r.tokens) {
		return r.tokens[r.at+ahead]
	}
	line := 1
	if n := len(r.tokens); n > 0 {
		line = r.tokens[n-1].line
	}
	return lpToken{text: "the end of the file", line: line}
}

func (r *lpReader) fail(format string, args ...any) error {
	t := r.peek(0)
	return fmt.Errorf("line %d: %s at %q", t.line, fmt.Sprintf(format, args...), t.text)
}

func (r *lpReader) read() error {
	seen := ""
	for r.at < len(r.tokens) {
		section, words := r.section()
		if section == "" {
			return r.fail("a section such as Minimize, Subject To, Bounds, General, Binary or End is expected")
		}
		if seen == "" && section != "min" && section != "max" {
			return r.fail("the file must begin with Minimize or Maximize")
		}
		seen = section
		r.at += words
		var err error
		switch section {
		case "min", "max":
			r.model.Maximize = section == "max"
			err = r.objective()
		case "rows":
			err = r.each(r.row)
		case "bounds":
			err = r.each(r.bound)
		case "general", "binary":
			err = r.each(func() error { return r.integer(section == "binary") })
		case "end":
			return nil
		default:
			r.at -= words
			err = r.fail("sections of this kind are not read")
		}
		if err != nil {
			return err
		}
	}
	if seen != "end" {
		return r.fail("the file must finish with End")
	}
	return nil
}

// each calls one for every statement up to the next section.
func (r *lpReader) each(one func() error) error {
	for r.at < len(r.tokens) {
		if s, _ := r.section(); s != "" {
			return nil
		}
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}

// label reads a name with a colon, if one is there.
func (r *lpReader) label() string {
	if r.peek(0).kind == 'w' && r.peek(1).kind == ':' {
		r.at += 2
		return r.tokens[r.at-2].text
	}
	return ""
}

func (r *lpReader) objective() error {
	r.label()
	terms, constant, err := r.expression(false)
	r.model.Offset = constant
	for _, t := range terms {
		r.model.Cols[t.Col].Cost = t.Coef
	}
	return err
}

// column is the index of a column, which is made when it is first named.
func (r *lpReader) column(name string) int {
	j, known := r.cols[name]
	if !known {
		j = r.model.AddCol(Col{Name: name, Hi: Inf})
		r.cols[name] = j
	}
	return j
}

// expression reads terms and constants up to what is neither. If lines end it, a line that does not begin with a sign does.
func (r *lpReader) expression(linesEnd bool) (terms []Term, constant float64, err error) {
	place := map[int]int{} // in terms, by column
	for n := 0; ; n++ {
		if s, _ := r.section(); s != "" || n > 0 && linesEnd && r.peek(0).first && r.peek(0).kind != '+' && r.peek(0).kind != '-' {
			return terms, constant, nil
		}
		coef, signs := 1.0, 0
		for ; r.peek(0).kind == '+' || r.peek(0).kind == '-'; signs++ {
			if r.peek(0).kind == '-' {
				coef = -coef
			}
			r.at++
		}
		number := r.peek(0).kind == 'n'
		if number {
			coef *= r.peek(0).value
			r.at++
			if r.peek(0).kind == '*' {
				r.at++
			}
		}
		t := r.peek(0)
		name := t.kind == 'w' && !(r.peek(1).kind == ':')
		if s, _ := r.section(); s != "" || number && linesEnd && t.first {
			name = false
		}
		switch {
		case !number && !name && signs == 0:
			return terms, constant, nil
		case !number && !name:
			return nil, 0, r.fail("a number or a name is expected")
		case n > 0 && signs == 0:
			return nil, 0, r.fail("a sign is missing before %q, or a relation", r.tokens[r.at-1].text)
		case !name:
			constant += coef
			continue
		}
		r.at++
		j := r.column(t.text)
		if k, twice := place[j]; twice {
			terms[k].Coef += coef
			continue
		}
		place[j] = len(terms)
		terms = append(terms, Term{j, coef})
	}
}

// constant reads a number with its sign, which may be infinite.
func (r *lpReader) constant() (float64, bool) {
	sign, start := 1.0, r.at
	for ; r.peek(0).kind == '+' || r.peek(0).kind == '-'; r.at++ {
		if r.peek(0).kind == '-' {
			sign = -sign
		}
	}
	switch t := r.peek(0); {
	case t.kind == 'n' && t.value >= infinite:
		r.at++
		return sign * Inf, true
	case t.kind == 'n':
		r.at++
		return sign * t.value, true
	case t.kind == 'w' && (strings.EqualFold(t.text, "inf") || strings.EqualFold(t.text, "infinity")):
		r.at++
		return sign * Inf, true
	}
	r.at = start
	return 0, false
}

// A span is the interval that relations leave.
type span struct{ lo, hi float64 }

// relate narrows the span by value REL x, or by x REL value.
func (s *span) relate(kind byte, value float64, valueFirst bool) {
	if valueFirst && kind != '=' {
		kind = '<' + '>' - kind
	}
	if kind != '>' {
		s.hi = value
	}
	if kind != '<' {
		s.lo = value
	}
}

func isRelation(kind byte) bool { return kind == '<' || kind == '>' || kind == '=' }

func (r *lpReader) row() error {
	name := r.label()
	if name == "" {
		name = fmt.Sprintf("R%d", len(r.model.Rows)+1)
	}
	s := span{-Inf, Inf}
	start, ranged := r.at, false
	if v, ok := r.constant(); ok && isRelation(r.peek(0).kind) {
		s.relate(r.peek(0).kind, v, true)
		r.at++
		ranged = true
	} else {
		r.at = start
	}
	terms, moved, err := r.expression(ranged)
	if err != nil {
		return err
	}
	if t := r.peek(0); isRelation(t.kind) {
		r.at++
		v, others, err := r.right()
		if err != nil {
			return fmt.Errorf("row %s: %w", name, err)
		}
		terms = less(terms, others)
		s.relate(t.kind, v, false)
	} else if !ranged {
		return r.fail("row %s: a relation is expected", name)
	}
	r.model.AddRow(name, s.lo-moved, s.hi-moved, terms...)
	return nil
}

// right reads the right-hand side of a row: a number or, as some programs write, further terms on the same line.
func (r *lpReader) right() (constant float64, terms []Term, err error) {
	start := r.at
	v, ok := r.constant()
	next := r.peek(0)
	if ok && (next.first || next.kind == 0 || isRelation(next.kind) || next.kind == 'w' && r.peek(1).kind == ':') {
		return v, nil, nil
	}
	r.at = start
	terms, constant, err = r.expression(true)
	if err == nil && r.at == start {
		err = r.fail("a number is expected on the right-hand side")
	}
	return constant, terms, err
}

// less takes terms off others.
func less(terms, off []Term) []Term {
	for _, t := range off {
		if k := slices.IndexFunc(terms, func(have Term) bool { return have.Col == t.Col }); k >= 0 {
			terms[k].Coef -= t.Coef
			continue
		}
		terms = append(terms, Term{t.Col, -t.Coef})
	}
	return terms
}

func (r *lpReader) bound() error {
	s := span{math.NaN(), math.NaN()}
	if v, ok := r.constant(); ok {
		if !isRelation(r.peek(0).kind) {
			return r.fail("a relation is expected after a bound")
		}
		s.relate(r.peek(0).kind, v, true)
		r.at++
	}
	t := r.peek(0)
	if t.kind != 'w' {
		return r.fail("the name of a column is expected")
	}
	j, known := r.cols[t.text]
	if !known {
		return r.fail("no row and no objective has the column")
	}
	r.at++
	switch next := r.peek(0); {
	case next.kind == 'w' && strings.EqualFold(next.text, "free"):
		r.at++
		s = span{-Inf, Inf}
	case isRelation(next.kind):
		r.at++
		v, ok := r.constant()
		if !ok {
			return r.fail("a number is expected as the bound of %s", t.text)
		}
		s.relate(next.kind, v, false)
	}
	c := &r.model.Cols[j]
	if !math.IsNaN(s.lo) {
		c.Lo = s.lo
	}
	if !math.IsNaN(s.hi) {
		c.Hi = s.hi
	}
	return nil
}

func (r *lpReader) integer(binary bool) error {
	t := r.peek(0)
	j, known := r.cols[t.text]
	if t.kind != 'w' || !known {
		return r.fail("the name of a column of the objective or of a row is expected")
	}
	r.at++
	c := &r.model.Cols[j]
	c.Integer = true
	if binary {
		c.Lo, c.Hi = 0, 1
	}
	return nil
}
