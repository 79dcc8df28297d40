package milp_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/milp"
)

// What is left of a solver's bound rounds to the side of the optimum only where every point is worth a whole number.
func TestWholeObjective(t *testing.T) {
	m := &milp.Model{Offset: 2}
	m.Binary("x", 3)
	m.AddCol(milp.Col{Name: "y", Hi: 1})
	if !m.WholeObjective() || !m.Integers() {
		t.Error("3x + 0y + 2 is whole")
	}
	for name, change := range map[string]func(m *milp.Model){
		"a cost":    func(m *milp.Model) { m.Cols[0].Cost = 2.5 },
		"an offset": func(m *milp.Model) { m.Offset = 0.5 },
		"a column":  func(m *milp.Model) { m.Cols[1].Cost = 1 },
	} {
		c := milp.Model{Offset: m.Offset, Cols: slices.Clone(m.Cols)}
		change(&c)
		if c.WholeObjective() {
			t.Errorf("with %s that is not, the objective counts as whole", name)
		}
	}
}

// TestViolation: the worst breach by hand, relative to the size of the column or of the row's terms.
func TestViolation(t *testing.T) {
	m := &milp.Model{Name: "m", Offset: 1}
	x := m.AddCol(milp.Col{Name: "x", Hi: 10, Cost: 2, Integer: true})
	y := m.AddCol(milp.Col{Name: "y", Lo: -4, Hi: 100, Cost: -1})
	m.AddRow("r", 1, 6, milp.Term{Col: x, Coef: 2}, milp.Term{Col: y, Coef: 1})
	for _, c := range []struct {
		x      []float64
		where  string
		amount float64
	}{
		{[]float64{1, 2}, "", 0},
		{[]float64{1, 6}, "row r", 2.0 / 6},
		{[]float64{8, -4}, "row r", 6.0 / 16},
		{[]float64{1, -3}, "row r", 2.0 / 3},
		{[]float64{1, -5}, "row r", 4.0 / 5},
		{[]float64{5, -6}, "bounds of y", 2.0 / 6},
		{[]float64{-0.5, 2}, "bounds of x", 0.5},
		{[]float64{12, -20}, "bounds of y", 16.0 / 20},
		{[]float64{2.25, 1}, "integrality of x", 0.25},
		{[]float64{math.NaN(), 1}, "row r", math.NaN()},
		{[]float64{1}, "a point of 1 entries for 2 columns", math.Inf(1)},
	} {
		v := m.Violation(c.x)
		if v.Where != c.where || !(math.Abs(v.Amount-c.amount) <= 1e-15 || v.Amount == c.amount || math.IsNaN(v.Amount) && math.IsNaN(c.amount)) {
			t.Errorf("%v: %+v, want %s by %v", c.x, v, c.where, c.amount)
		}
	}
	if v := m.Objective([]float64{3, 2}); v != 5 {
		t.Errorf("worth %v", v)
	}
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{2.6, 1.5}, []float64{3, 1.5}},
		{[]float64{-0.2, -0.2}, []float64{0, -0.2}},
		{[]float64{}, []float64{}},
	} {
		if got := m.Rounded(c.x); !slices.Equal(got, c.want) || len(got) > 0 && math.Signbit(got[0]) {
			t.Errorf("%v becomes %v", c.x, got)
		}
	}
}

// TestValidate: what no solver can take, each with its place.
func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	col := func(lo, hi, cost float64) func(m *milp.Model) {
		return func(m *milp.Model) { m.AddCol(milp.Col{Name: "bad", Lo: lo, Hi: hi, Cost: cost}) }
	}
	row := func(lo, hi float64, terms ...milp.Term) func(m *milp.Model) {
		return func(m *milp.Model) { m.AddRow("bad", lo, hi, terms...) }
	}
	for name, c := range map[string]struct {
		change func(m *milp.Model)
		want   string
	}{
		"":                       {func(*milp.Model) {}, ""},
		"fixed":                  {col(1, 1, 0), ""},
		"bounds that cross":      {col(2, 1, 0), "column 2 (bad) has bounds [2, 1]"},
		"no lower bound":         {col(nan, 1, 0), "column 2 (bad) has bounds"},
		"no upper bound":         {col(0, nan, 0), "column 2 (bad) has bounds"},
		"an infinite lower one":  {col(inf, inf, 0), "column 2 (bad) has bounds"},
		"an infinite upper one":  {col(-inf, -inf, 0), "column 2 (bad) has bounds"},
		"an infinite cost":       {col(0, 1, inf), "column 2 (bad) costs +Inf"},
		"no cost":                {col(0, 1, nan), "column 2 (bad) costs NaN"},
		"an equation":            {row(1, 1), ""},
		"a row that crosses":     {row(2, 1), "row 2 (bad) has bounds [2, 1]"},
		"a row from nowhere":     {row(inf, inf), "row 2 (bad) has bounds"},
		"a row to nowhere":       {row(-inf, -inf), "row 2 (bad) has bounds"},
		"a row without bounds":   {row(nan, 1), "row 2 (bad) has bounds"},
		"a row without an upper": {row(1, nan), "row 2 (bad) has bounds"},
		"a column before":        {row(0, 1, milp.Term{Col: -1, Coef: 1}), "row 2 (bad) uses column -1 of 2"},
		"a column behind":        {row(0, 1, milp.Term{Col: 2, Coef: 1}), "row 2 (bad) uses column 2 of 2"},
		"a coefficient":          {row(0, 1, milp.Term{Col: 1, Coef: inf}), "row 2 (bad) has coefficient +Inf"},
		"a column twice":         {row(0, 1, milp.Term{Col: 1, Coef: 1}, milp.Term{Col: 0, Coef: 1}, milp.Term{Col: 1, Coef: 1}), "row 2 (bad) uses column y twice"},
	} {
		m := &milp.Model{Name: "m", Cols: []milp.Col{{Name: "x", Hi: 1}, {Name: "y", Hi: 1}}}
		m.AddRow("a", 0, 1, milp.Term{Col: 0, Coef: 1}, milp.Term{Col: 1, Coef: 1})
		m.AddRow("b", 0, 1, milp.Term{Col: 0, Coef: 1})
		c.change(m)
		if err := m.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	got := fmt.Sprint(milp.Status(0), milp.Optimal, milp.Infeasible, milp.Unbounded, milp.Limit, milp.Limit+1)
	if got != "status(0) optimal infeasible unbounded limit status(5)" {
		t.Error(got)
	}
}

// TestSums: sums become rows whose constants are in the bounds, or a part of the objective.
func TestSums(t *testing.T) {
	m := &milp.Model{Offset: 1}
	x, y := m.AddCol(milp.Col{Name: "x", Lo: 2, Hi: 2, Cost: 1}), m.AddCol(milp.Col{Name: "y", Hi: 5})
	m.Relate("r", 1, 4, milp.Of(x, 3).Times(-2), milp.Of(y, 0), milp.Const(0.5), milp.Total(-1, y, 0, -2))
	want := milp.Row{Name: "r", Lo: 0.5, Hi: 3.5, Terms: []milp.Term{{Col: x, Coef: -6}, {Col: y, Coef: 1}, {Col: x, Coef: 1}}}
	if got := m.Rows[0]; got.Name != want.Name || got.Lo != want.Lo || got.Hi != want.Hi || !slices.Equal(got.Terms, want.Terms) {
		t.Errorf("%+v", got)
	}
	m.Pay(append(milp.Of(x, 2), milp.Const(3)...))
	if !slices.Equal(m.Costs(), milp.Sum{{Col: x, Coef: 3}, {Col: y, Coef: 0}}) || m.Offset != 4 {
		t.Errorf("costs %v and %v", m.Costs(), m.Offset)
	}
	if p := m.Point(); !slices.Equal(p, []float64{2, 0}) {
		t.Errorf("%v", p)
	}
	if got := milp.Chosen([]float64{1}, []int{-1, 0}); got != 1 {
		t.Errorf("the place %d is chosen", got)
	}
	for _, c := range []struct {
		cols []int
		want int
	}{{[]int{-1, 1, 2}, 2}, {[]int{0, 2}, 1}, {[]int{0, 1, 3}, 0}, {[]int{3, 0}, 0}, {nil, 0}, {[]int{-1, 4}, 1}} {
		if got := milp.Chosen([]float64{0, 0.5, 1, 0, 1}, c.cols); got != c.want {
			t.Errorf("of %v the place %d is chosen", c.cols, got)
		}
	}
}
