package milp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ReadMPS reads a model in free MPS format. Where the readers of this format disagree it refuses what a file leaves open: an
// integer column without a bound, and a negative upper bound without a lower one. Errors name the line.
func ReadMPS(name string, data []byte) (*Model, error) {
	r := &mpsReader{
		model: &Model{Name: name}, cols: map[string]int{}, rows: map[string]int{}, bounded: map[int]bool{}, lowered: map[int]bool{},
	}
	for line := range strings.Lines(string(data)) {
		r.line++
		fields := strings.Fields(line)
		if len(fields) == 0 || line[0] == '*' {
			continue
		}
		if r.section == "ENDATA" {
			break
		}
		if err := r.take(fields, line[0] != ' ' && line[0] != '\t'); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	switch {
	case r.section != "ENDATA":
		return nil, fmt.Errorf("line %d: the file must finish with ENDATA", r.line)
	case r.objective == "":
		return nil, fmt.Errorf("section ROWS: there is no row of type N, the objective")
	}
	for j, c := range r.model.Cols {
		if c.Integer && !r.bounded[j] {
			return nil, fmt.Errorf("section BOUNDS: the integer column %s has no bound, which some readers take for 1 and some for infinite; state one",
				c.Name)
		}
		if c.Hi < 0 && !r.lowered[j] {
			return nil, fmt.Errorf("section BOUNDS: the column %s has a negative upper bound and no lower one, which readers take differently; state both",
				c.Name)
		}
	}
	return r.model, r.model.Validate()
}

type mpsReader struct {
	model     *Model
	cols      map[string]int
	rows      map[string]int // -1: the objective, -2: another row without bounds
	types     []byte         // of rows
	objective string
	section   string
	line      int
	integers  bool         // between markers
	bounded   map[int]bool // columns with a bound
	lowered   map[int]bool // columns with a lower bound
}

func (r *mpsReader) take(f []string, header bool) error {
	if header {
		r.section = strings.ToUpper(f[0])
		switch r.section {
		case "NAME", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA":
			return nil
		case "OBJSENSE":
			if len(f) > 1 {
				return r.sense(f[1])
			}
			return nil
		}
		return fmt.Errorf("the section %q is not read", f[0])
	}
	switch r.section {
	case "OBJSENSE":
		return r.sense(f[0])
	case "ROWS":
		return r.row(f)
	case "COLUMNS":
		if len(f) >= 3 && strings.Trim(f[1], "'") == "MARKER" {
			r.integers = strings.Trim(f[2], "'") == "INTORG"
			return nil
		}
		if len(f)%2 == 0 {
			return fmt.Errorf("a column's name and pairs of a row and a number are expected, not %d words", len(f))
		}
		j, known := r.cols[f[0]]
		if !known {
			j = r.model.AddCol(Col{Name: f[0], Hi: Inf, Integer: r.integers})
			r.cols[f[0]] = j
		}
		return r.pairs(f[1:], func(i int, v float64) {
			if i == -1 {
				r.model.Cols[j].Cost += v
			} else if i >= 0 {
				r.model.Rows[i].Terms = append(r.model.Rows[i].Terms, Term{j, v})
			}
		})
	case "RHS":
		return r.pairs(f[len(f)%2:], func(i int, v float64) {
			switch {
			case i == -1:
				r.model.Offset = -v
			case i >= 0:
				r.rhs(&r.model.Rows[i], v)
			}
		})
	case "RANGES":
		return r.pairs(f[len(f)%2:], func(i int, v float64) {
			if i >= 0 {
				r.ranged(&r.model.Rows[i], r.types[i], v)
			}
		})
	case "BOUNDS":
		return r.bound(f)
	}
	return fmt.Errorf("%q stands in no section with such lines", f[0])
}

func (r *mpsReader) sense(word string) error {
	switch strings.ToUpper(word) {
	case "MAX", "MAXIMIZE":
		r.model.Maximize = true
	case "MIN", "MINIMIZE":
	default:
		return fmt.Errorf("OBJSENSE %q must be MIN or MAX", word)
	}
	return nil
}

func (r *mpsReader) row(f []string) error {
	if len(f) != 2 {
		return fmt.Errorf("a row's type and name are expected, not %d words", len(f))
	}
	if _, twice := r.rows[f[1]]; twice {
		return fmt.Errorf("the row %s stands there twice", f[1])
	}
	kind := strings.ToUpper(f[0])
	switch {
	case kind == "N" && r.objective == "":
		r.objective, r.rows[f[1]] = f[1], -1
		return nil
	case kind == "N":
		r.rows[f[1]] = -2
		return nil
	case kind != "L" && kind != "G" && kind != "E":
		return fmt.Errorf("the row %s has the type %q; it must be N, L, G or E", f[1], f[0])
	}
	r.types = append(r.types, kind[0])
	i := r.model.AddRow(f[1], -Inf, Inf)
	r.rows[f[1]] = i
	r.rhs(&r.model.Rows[i], 0)
	return nil
}

func (r *mpsReader) rhs(row *Row, v float64) {
	switch kind := r.types[r.rows[row.Name]]; kind {
	case 'L':
		row.Hi = v
	case 'G':
		row.Lo = v
	default:
		row.Lo, row.Hi = v, v
	}
}

// ranged widens a row by a range, whose sign counts for equations only.
func (r *mpsReader) ranged(row *Row, kind byte, v float64) {
	switch {
	case kind == 'L':
		row.Lo = row.Hi - math.Abs(v)
	case kind == 'G':
		row.Hi = row.Lo + math.Abs(v)
	case v < 0:
		row.Lo += v
	default:
		row.Hi += v
	}
}

// pairs reads pairs of a row's name and a number.
func (r *mpsReader) pairs(f []string, see func(row int, v float64)) error {
	for k := 0; k+1 < len(f); k += 2 {
		i, known := r.rows[f[k]]
		if !known {
			return fmt.Errorf("the row %q is not declared", f[k])
		}
		v, err := strconv.ParseFloat(f[k+1], 64)
		if err != nil {
			return fmt.Errorf("row %s: %q must be a number", f[k], f[k+1])
		}
		see(i, v)
	}
	return nil
}

func (r *mpsReader) bound(f []string) error {
	kind := strings.ToUpper(f[0])
	values := 1
	switch kind {
	case "FR", "MI", "PL", "BV":
		values = 0
	case "UP", "LO", "FX", "LI", "UI":
	default:
		return fmt.Errorf("the bound's type %q must be UP, LO, FX, FR, MI, PL, BV, LI or UI", f[0])
	}
	at := len(f) - 1 - values // of the column's name, before which the set of bounds may have one
	if at != 1 && at != 2 {
		at = 1 // a value may stand where none is needed
		if _, known := r.cols[f[min(1, len(f)-1)]]; !known {
			at = 2
		}
	}
	if at+values >= len(f) {
		return fmt.Errorf("a bound's type, a column and perhaps a number are expected, not %d words", len(f))
	}
	j, known := r.cols[f[at]]
	if !known {
		return fmt.Errorf("the column %q is not declared", f[at])
	}
	c, v := &r.model.Cols[j], 0.0
	if values == 1 {
		var err error
		v, err = strconv.ParseFloat(f[at+1], 64)
		if err != nil || math.IsNaN(v) {
			return fmt.Errorf("column %s: the bound %q must be a number", f[at], f[at+1])
		}
		if math.Abs(v) >= infinite {
			v = math.Inf(int(math.Copysign(1, v)))
		}
	}
	r.bounded[j] = true
	r.lowered[j] = r.lowered[j] || kind != "UP" && kind != "UI" && kind != "PL"
	c.Integer = c.Integer || kind == "BV" || kind == "LI" || kind == "UI"
	switch kind {
	case "UP", "UI":
		c.Hi = v
	case "LO", "LI":
		c.Lo = v
	case "FX":
		c.Lo, c.Hi = v, v
	case "FR":
		c.Lo, c.Hi = -Inf, Inf
	case "MI":
		c.Lo = -Inf
	case "PL":
		c.Hi = Inf
	case "BV":
		c.Lo, c.Hi = 0, 1
	}
	return nil
}
