package milp

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// WriteLP writes m to w in CPLEX's LP format, as cbc, glpsol, HiGHS, SCIP and Gurobi read it, with the names of Names.
//
// As in WriteMPS, a maximisation is written as the minimisation of the negated objective and an offset as the cost of a
// column fixed at 1. A ranged row is written as two rows, since neither cbc nor glpsol reads ranges in this format, and
// a row without bounds is left out. Every column has a place in the objective, so that the order
// of the columns is m's.
func WriteLP(w io.Writer, m *Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	f, b := newFile(m), bufio.NewWriter(w)
	for _, line := range f.remarks(m) {
		fmt.Fprintf(b, "\\ %s\n", line)
	}
	fmt.Fprintf(b, "\\ Problem %s\nMinimize\n obj:", f.Name)
	f.lpTerms(b, f.Costs())
	fmt.Fprint(b, "\nSubject To\n")
	empty := true
	row := func(name string, terms []Term, relation string, rhs float64) {
		if len(terms) == 0 {
			terms = []Term{{}} // no row without a term in this format
		}
		fmt.Fprintf(b, " %s:", name)
		f.lpTerms(b, terms)
		fmt.Fprintf(b, " %s %s\n", relation, number(rhs))
		empty = false
	}
	for _, r := range f.Rows {
		switch rowType(r) {
		case 'E':
			row(r.Name, r.Terms, "=", r.Lo)
		case 'L':
			row(r.Name, r.Terms, "<=", r.Hi)
		case 'G':
			row(r.Name, r.Terms, ">=", r.Lo)
			if !math.IsInf(r.Hi, 1) {
				row(f.rowNames.name(r.Name+"_hi", ""), r.Terms, "<=", r.Hi)
			}
		}
	}
	if empty {
		row("none", nil, "=", 0) // glpsol wants at least one
	}
	f.lpBounds(b)
	return b.Flush()
}

// lpTerms breaks lines, for which some readers have a limit.
func (f *file) lpTerms(b *bufio.Writer, terms []Term) {
	for i, t := range terms {
		if i > 0 && i%8 == 0 {
			fmt.Fprint(b, "\n  ")
		}
		sign := "+"
		if t.Coef < 0 {
			sign = "-"
		}
		fmt.Fprintf(b, " %s %s %s", sign, number(math.Abs(t.Coef)), f.Cols[t.Col].Name)
	}
}

func (f *file) lpBounds(b *bufio.Writer) {
	fmt.Fprintln(b, "Bounds")
	for _, c := range f.Cols {
		free, open := math.IsInf(c.Lo, -1), math.IsInf(c.Hi, 1)
		switch {
		case free && open:
			fmt.Fprintf(b, " %s free\n", c.Name)
		case c.Lo == c.Hi:
			fmt.Fprintf(b, " %s = %s\n", c.Name, number(c.Lo))
		case free:
			fmt.Fprintf(b, " -inf <= %s <= %s\n", c.Name, number(c.Hi))
		case open && c.Lo != 0:
			fmt.Fprintf(b, " %s >= %s\n", c.Name, number(c.Lo))
		case !open:
			fmt.Fprintf(b, " %s <= %s <= %s\n", number(c.Lo), c.Name, number(c.Hi))
		}
	}
	section := "General\n"
	for _, c := range f.Cols {
		if c.Integer {
			fmt.Fprintf(b, "%s %s\n", section, c.Name)
			section = ""
		}
	}
	fmt.Fprintln(b, "End")
}
