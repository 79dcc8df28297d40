// Package milp states mixed-integer linear programs independently of any solver. A Model has columns, rows and an objective; a
// Solver answers it with a Result. Formulations of the problems (exact) build models; backends (exact/milp/highs, exact/milp/lpsolve,
// exact/milp/command) solve them.
package milp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Inf is an absent bound; -Inf is written as -milp.Inf.
var Inf = math.Inf(1)

// A Col is one variable: Lo ≤ x ≤ Hi with a coefficient in the objective. Lo -Inf makes it free below.
type Col struct {
	Name    string
	Lo, Hi  float64
	Cost    float64
	Integer bool
}

// A Term is a coefficient of one variable in a row.
type Term struct {
	Col  int
	Coef float64
}

// A Row is one constraint Lo ≤ Σ Coef·x ≤ Hi. Equal bounds make an equation; a row without terms is allowed.
type Row struct {
	Name   string
	Terms  []Term
	Lo, Hi float64
}

// A Model asks for x that optimises Offset + Σ Cost·x, subject to the columns' bounds and the rows.
type Model struct {
	Name     string
	Maximize bool
	Offset   float64
	Cols     []Col
	Rows     []Row
}

// AddCol appends a variable and returns its index.
func (m *Model) AddCol(c Col) int {
	m.Cols = append(m.Cols, c)
	return len(m.Cols) - 1
}

// Binary appends a 0-1 variable and returns its index.
func (m *Model) Binary(name string, cost float64) int {
	return m.AddCol(Col{Name: name, Hi: 1, Cost: cost, Integer: true})
}

// WholeObjective reports whether every point with whole integer variables is worth a whole number.
func (m *Model) WholeObjective() bool {
	for i := range m.Cols {
		if c := &m.Cols[i]; c.Cost != math.Trunc(c.Cost) || c.Cost != 0 && !c.Integer {
			return false
		}
	}
	return m.Offset == math.Trunc(m.Offset)
}

// Integers reports whether a column must be whole.
func (m *Model) Integers() bool {
	return slices.ContainsFunc(m.Cols, func(c Col) bool { return c.Integer })
}

// Rounded is a copy of x in which integer columns are whole.
func (m *Model) Rounded(x []float64) []float64 {
	y := slices.Clone(x)
	for j, c := range m.Cols {
		if c.Integer && j < len(y) {
			y[j] = math.Round(y[j]) + 0 // adding 0 turns a negative zero into a plain one
		}
	}
	return y
}

// AddRow appends a constraint and returns its index.
func (m *Model) AddRow(name string, lo, hi float64, terms ...Term) int {
	m.Rows = append(m.Rows, Row{Name: name, Terms: terms, Lo: lo, Hi: hi})
	return len(m.Rows) - 1
}

// Nonzeros counts the terms of all rows.
func (m *Model) Nonzeros() int {
	n := 0
	for _, r := range m.Rows {
		n += len(r.Terms)
	}
	return n
}

// Objective is the value of x, which has one entry a column.
func (m *Model) Objective(x []float64) float64 {
	v := m.Offset
	for j, c := range m.Cols {
		v += c.Cost * x[j]
	}
	return v
}

// A Breach is a bound, row or integrality requirement that a point misses, and by how much.
type Breach struct {
	Where  string
	Amount float64
}

// Violation returns the worst breach of x relative to the row's own magnitude, the larger of 1 and its largest absolute
// term, or the column's value. It is written from the model's definition and trusts no solver.
func (m *Model) Violation(x []float64) Breach {
	if len(x) != len(m.Cols) {
		return Breach{Where: fmt.Sprintf("a point of %d entries for %d columns", len(x), len(m.Cols)), Amount: math.Inf(1)}
	}
	var worst Breach
	see := func(where string, amount float64) {
		if amount > worst.Amount || math.IsNaN(amount) {
			worst = Breach{Where: where, Amount: amount}
		}
	}
	for j, c := range m.Cols {
		scale := max(1, math.Abs(x[j]))
		see("bounds of "+c.Name, max(c.Lo-x[j], x[j]-c.Hi)/scale)
		if c.Integer {
			see("integrality of "+c.Name, math.Abs(x[j]-math.Round(x[j])))
		}
	}
	for _, r := range m.Rows {
		sum, scale := 0.0, 1.0
		for _, t := range r.Terms {
			sum += t.Coef * x[t.Col]
			scale = max(scale, math.Abs(t.Coef*x[t.Col]))
		}
		see("row "+r.Name, max(r.Lo-sum, sum-r.Hi)/scale)
	}
	return worst
}

// Validate reports the first statement in m that no solver can take: crossed or NaN bounds, non-finite costs and
// coefficients, terms of unknown columns, a column twice in a row.
func (m *Model) Validate() error {
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	for j, c := range m.Cols {
		switch {
		case math.IsNaN(c.Lo) || math.IsNaN(c.Hi) || c.Lo > c.Hi || math.IsInf(c.Lo, 1) || math.IsInf(c.Hi, -1):
			return fmt.Errorf("model %s: column %d (%s) has bounds [%g, %g]", m.Name, j, c.Name, c.Lo, c.Hi)
		case bad(c.Cost):
			return fmt.Errorf("model %s: column %d (%s) costs %g", m.Name, j, c.Name, c.Cost)
		}
	}
	seen := make([]int, len(m.Cols))
	for i, r := range m.Rows {
		if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) || r.Lo > r.Hi || math.IsInf(r.Lo, 1) || math.IsInf(r.Hi, -1) {
			return fmt.Errorf("model %s: row %d (%s) has bounds [%g, %g]", m.Name, i, r.Name, r.Lo, r.Hi)
		}
		for _, t := range r.Terms {
			switch {
			case t.Col < 0 || t.Col >= len(m.Cols):
				return fmt.Errorf("model %s: row %d (%s) uses column %d of %d", m.Name, i, r.Name, t.Col, len(m.Cols))
			case bad(t.Coef):
				return fmt.Errorf("model %s: row %d (%s) has coefficient %g", m.Name, i, r.Name, t.Coef)
			case seen[t.Col] == i+1:
				return fmt.Errorf("model %s: row %d (%s) uses column %s twice", m.Name, i, r.Name, m.Cols[t.Col].Name)
			}
			seen[t.Col] = i + 1
		}
	}
	return nil
}

// Options that every solver honours if it can. The zero value proves optimality on one thread without limits.
type Options struct {
	TimeLimit time.Duration // 0: none; a deadline of the context counts as well, the earlier wins
	Threads   int           // 0: one
	// Seed of the solver's random choices; 0: the solver's own. A solver without seeds gets the rows and columns in an order that is
	// drawn with it, see package backend.
	Seed  int64
	Start []float64 // a feasible point to start from; nil: none. Solvers that cannot use one ignore it.
	// Improved, if not nil, is called with every new incumbent that the solver reports on the way. The slice is the callee's.
	Improved func(x []float64, objective float64)
	// Bounded, if not nil, is called with every better bound on the optimum that the solver reports on the way; like
	// Result.Bound, it is as good as the solver's tolerances.
	Bounded func(bound float64)
	// Rooted, if not nil, is called before the end with the solver's bound after the root node, with cuts and before branching.
	Rooted func(bound float64)
}

// A Status says why a solver stopped.
type Status int8

// The zero Status is no status: a solver's answer that nobody listed ends as an error instead.
const (
	Optimal    Status = iota + 1 // X is proven optimal
	Infeasible                   // proven to have no feasible point
	Unbounded                    // proven unbounded
	Limit                        // a time, node or memory limit, or the context; X is the incumbent or nil
)

func (s Status) String() string {
	if s < Optimal || s > Limit {
		return fmt.Sprintf("status(%d)", int8(s))
	}
	return [...]string{Optimal: "optimal", Infeasible: "infeasible", Unbounded: "unbounded", Limit: "limit"}[s]
}

// A Result is a solver's answer.
type Result struct {
	Status    Status
	Raw       string    // the solver's own words
	Own       string    // why it stopped by itself at a limit of its settings, such as a gap; empty: it did not
	X         []float64 // one entry a column, integer columns rounded; nil when no point was found
	Objective float64   // Model.Objective(X), recomputed; meaningless when X is nil
	Bound     *float64  // proven bound on the optimum, lower when minimising; nil when the solver gives none
	Nodes     int64     // branch-and-bound nodes; -1 when the solver does not say
	Seconds   float64   // by the solver's own account, else measured around it
}

// A Solver solves models. Infeasible, unbounded and out of time are results, not errors; an error means that the solver
// could not do its work, gave an answer that nobody listed, or a point that Violation refuses.
type Solver interface {
	// Name is the one used by --solver, such as highs.
	Name() string
	// Version of the solver itself, such as 1.10.0.
	Version() string
	// Solve returns soon after ctx is done: within a second for native code.
	Solve(ctx context.Context, m *Model, opt Options) (*Result, error)
}

// A Tolerance says what a solver forgives, by its settings or its documentation.
type Tolerance struct {
	Rows     float64 `json:"rows" is:">0 <=0.01"`     // how far rows, bounds and reduced costs may be off
	Integers float64 `json:"integers" is:">0 <=0.01"` // how far a number may be from an integer and be taken for it, in the solution or while the model is reduced
}

// ToleranceOf is the solver's own or, where it declares none, what is customary.
func ToleranceOf(s Solver) Tolerance {
	if t, ok := s.(interface{ Tolerance() Tolerance }); ok {
		return t.Tolerance()
	}
	return Tolerance{Rows: 1e-7, Integers: 1e-5}
}

// ErrUnavailable is wrapped when a solver is not installed on this machine.
var ErrUnavailable = errors.New("solver is not available")

// ErrAccuracy says that a solver has given up on a model whose numbers have too many decades for its arithmetic.
var ErrAccuracy = errors.New("the numbers have too many decades for its arithmetic")
