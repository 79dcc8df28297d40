package milp

import (
	"math"
	"strconv"
)

// integral is how far an integer column's bound may be from an integer and still be taken for it.
const integral = 1e-9

// Range returns the column's bounds, those of an integer column moved inward to integers; a bound within 1e-9 of an
// integer is that integer. Some solvers refuse, and some mistreat, integer columns with fractional bounds. lo > hi says
// that there is no integer in between.
func (c Col) Range() (lo, hi float64) {
	if c.Integer {
		// Adding 0 turns a negative zero into a plain one.
		return math.Ceil(c.Lo-integral) + 0, math.Floor(c.Hi + integral)
	}
	return c.Lo, c.Hi
}

// A file is a model in the form that both formats can express for every reader: a minimisation without offset, integer
// columns with integer bounds, names that are unique and legal, and at least one column.
type file struct {
	Model
	rowNames *namer
}

func newFile(m *Model) *file {
	f := &file{rowNames: newNamer()}
	f.Name = sanitize(m.Name)
	if f.Name == "" {
		f.Name = "model"
	}
	colNames := newNamer()
	f.rowNames.used["obj"] = true
	sign := 1.0
	if m.Maximize {
		sign = -1
	}
	for _, r := range m.Rows {
		row := Row{Name: f.rowNames.name(r.Name, "row"), Lo: r.Lo, Hi: r.Hi}
		for _, t := range r.Terms {
			if t.Coef != 0 {
				row.Terms = append(row.Terms, t)
			}
		}
		f.Rows = append(f.Rows, row)
	}
	for j, c := range m.Cols {
		lo, hi := c.Range()
		if lo > hi {
			// Readers refuse crossed bounds as a mistake; a row says the same as part of the model.
			f.AddRow(f.rowNames.name(c.Name, "col"), math.Inf(-1), hi, Term{Col: j, Coef: 1})
			hi = lo
		}
		f.AddCol(Col{Name: colNames.name(c.Name, "col"), Lo: lo, Hi: hi, Cost: sign*c.Cost + 0, Integer: c.Integer})
	}
	if m.Offset != 0 {
		f.AddCol(Col{Name: colNames.name("offset", ""), Lo: 1, Hi: 1, Cost: sign * m.Offset})
	}
	if len(f.Cols) == 0 {
		f.AddCol(Col{Name: "none"})
	}
	return f
}

// remarks tells the reader of a file what differs from the model that it was written from.
func (f *file) remarks(m *Model) []string {
	var lines []string
	if m.Maximize {
		lines = append(lines, "The model maximises; this file minimises the negated objective.")
	}
	if m.Offset != 0 {
		lines = append(lines, "Column "+f.Cols[len(m.Cols)].Name+", fixed at 1, carries the objective's constant: readers"+
			" disagree on how else to write it.")
	}
	return lines
}

// number writes v so that reading it as a double gives v again.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
