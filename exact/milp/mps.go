package milp

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// WriteMPS writes m to w in free MPS format, as cbc, glpsol, HiGHS, SCIP and Gurobi read it, with the names of Names
// and the columns in m's order.
//
// What these readers do not agree on is avoided: a maximisation is written as the minimisation of the negated
// objective, since cbc and glpsol pass over or refuse OBJSENSE, and an offset as the cost of a further column fixed at
// 1, since glpsol adds a right-hand side of the objective that the others subtract. A comment says so. A ranged row's
// upper end is written as its distance from the lower end, so that it may come back changed in its last digit.
func WriteMPS(w io.Writer, m *Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	f, b := newFile(m), bufio.NewWriter(w)
	for _, line := range f.remarks(m) {
		fmt.Fprintf(b, "* %s\n", line)
	}
	// FREE tells cbc the format, which it would otherwise guess; the others take it for a word of the name's line.
	fmt.Fprintf(b, "NAME %s FREE\nROWS\n N obj\n", f.Name)
	for _, r := range f.Rows {
		fmt.Fprintf(b, " %c %s\n", rowType(r), r.Name)
	}
	f.mpsColumns(b)
	fmt.Fprintln(b, "RHS")
	for _, r := range f.Rows {
		rhs := r.Lo
		if rowType(r) == 'L' {
			rhs = r.Hi
		}
		if rowType(r) != 'N' && rhs != 0 {
			fmt.Fprintf(b, " rhs %s %s\n", r.Name, number(rhs))
		}
	}
	fmt.Fprintln(b, "RANGES")
	for _, r := range f.Rows {
		if rowType(r) == 'G' && !math.IsInf(r.Hi, 1) {
			fmt.Fprintf(b, " rng %s %s\n", r.Name, number(r.Hi-r.Lo))
		}
	}
	fmt.Fprintln(b, "BOUNDS")
	for _, c := range f.Cols {
		f.mpsBounds(b, c)
	}
	fmt.Fprintln(b, "ENDATA")
	return b.Flush()
}

// rowType is the letter of a row; a ranged row is of type G.
func rowType(r Row) byte {
	switch {
	case r.Lo == r.Hi:
		return 'E'
	case !math.IsInf(r.Lo, -1):
		return 'G'
	case !math.IsInf(r.Hi, 1):
		return 'L'
	}
	return 'N'
}

func (f *file) mpsColumns(b *bufio.Writer) {
	type entry struct {
		row  int
		coef float64
	}
	entries := make([][]entry, len(f.Cols))
	for i, r := range f.Rows {
		for _, t := range r.Terms {
			entries[t.Col] = append(entries[t.Col], entry{i, t.Coef})
		}
	}
	fmt.Fprintln(b, "COLUMNS")
	markers, integer := 0, false
	mark := func(kind string) {
		fmt.Fprintf(b, " M%d 'MARKER' '%s'\n", markers, kind)
		markers++
		integer = !integer
	}
	for j, c := range f.Cols {
		if c.Integer && !integer {
			mark("INTORG")
		} else if !c.Integer && integer {
			mark("INTEND")
		}
		// The zero cost of a column that stands nowhere else makes it known.
		if c.Cost != 0 || len(entries[j]) == 0 {
			fmt.Fprintf(b, " %s obj %s\n", c.Name, number(c.Cost))
		}
		for _, e := range entries[j] {
			fmt.Fprintf(b, " %s %s %s\n", c.Name, f.Rows[e.row].Name, number(e.coef))
		}
	}
	if integer {
		mark("INTEND")
	}
}

// mpsBounds leaves nothing to defaults where readers have different ones: integer columns and negative upper bounds.
func (f *file) mpsBounds(b *bufio.Writer, c Col) {
	bound := func(kind string, v ...float64) {
		fmt.Fprintf(b, " %s bnd %s", kind, c.Name)
		for _, v := range v {
			fmt.Fprintf(b, " %s", number(v))
		}
		fmt.Fprintln(b)
	}
	lower, upper := "LO", "UP"
	if c.Integer {
		lower, upper = "LI", "UI"
	}
	switch {
	case c.Lo == c.Hi:
		bound("FX", c.Lo)
		return
	case math.IsInf(c.Lo, -1) && math.IsInf(c.Hi, 1):
		bound("FR")
		return
	case c.Integer && c.Lo == 0 && c.Hi == 1:
		bound("BV")
		return
	case math.IsInf(c.Lo, -1):
		bound("MI")
	case c.Lo != 0:
		bound(lower, c.Lo)
	}
	if !math.IsInf(c.Hi, 1) {
		bound(upper, c.Hi)
	} else if c.Integer {
		bound("PL")
	}
}
