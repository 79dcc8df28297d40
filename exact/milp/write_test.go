package milp_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/milp"
	"schedgap/exact/milp/highs"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/models/fail"
)

// everything has every kind of column and row that the writers tell apart. Its optimum: a, b and the general integer n
// are bound by 2a + 3b + n <= 4.5, the free f by f >= -2 (a ranged row), the rest is fixed or has no cost: max 3 + 4a +
// 5b + n - f = 3 + 5 + 1 + 2 = 11 at b = n = 1, f = -2 (a = 1, n = 2 ties, a = b = 1 does not fit).
func everything() *milp.Model {
	inf := milp.Inf
	m := &milp.Model{Name: "every thing", Maximize: true, Offset: 3}
	a, b := m.Binary("take[a]", 4), m.Binary("take[b]", 5)
	n := m.AddCol(milp.Col{Name: "n", Hi: inf, Cost: 1, Integer: true})
	f := m.AddCol(milp.Col{Name: "free", Lo: -inf, Hi: inf, Cost: -1})
	m.AddCol(milp.Col{Name: "3 fixed", Lo: -2.5, Hi: -2.5})
	m.AddCol(milp.Col{Name: "below", Lo: -inf, Hi: -1})
	k := m.AddCol(milp.Col{Name: "box", Lo: -3.5, Hi: 7, Integer: true})
	u := m.AddCol(milp.Col{Name: "above", Lo: 0.1, Hi: inf})
	m.AddRow("cap, total", -inf, 4.5, milp.Term{Col: a, Coef: 2}, milp.Term{Col: b, Coef: 3}, milp.Term{Col: n, Coef: 1})
	m.AddRow("range", -2, 1e6, milp.Term{Col: f, Coef: 1})
	m.AddRow("equal", 0, 0, milp.Term{Col: k, Coef: 1}, milp.Term{Col: u, Coef: -1}, milp.Term{Col: f, Coef: 0})
	m.AddRow("", 0, 3)
	m.AddRow("nothing", -inf, inf, milp.Term{Col: a, Coef: 1})
	return m
}

func TestWriteMPSGolden(t *testing.T) {
	const want = `* The model maximises; this file minimises the negated objective.
* Column offset, fixed at 1, carries the objective's constant: readers disagree on how else to write it.
NAME every_thing FREE
ROWS
 N obj
 L cap_total
 G _range
 E equal
 G row
 N nothing
COLUMNS
 M0 'MARKER' 'INTORG'
 take_a obj -4
 take_a cap_total 2
 take_a nothing 1
 take_b obj -5
 take_b cap_total 3
 n obj -1
 n cap_total 1
 M1 'MARKER' 'INTEND'
 _free obj 1
 _free _range 1
 _3_fixed obj 0
 below obj 0
 M2 'MARKER' 'INTORG'
 box equal 1
 M3 'MARKER' 'INTEND'
 above equal -1
 offset obj -3
RHS
 rhs cap_total 4.5
 rhs _range -2
RANGES
 rng _range 1.000002e+06
 rng row 3
BOUNDS
 BV bnd take_a
 BV bnd take_b
 PL bnd n
 FR bnd _free
 FX bnd _3_fixed -2.5
 MI bnd below
 UP bnd below -1
 LI bnd box -3
 UI bnd box 7
 LO bnd above 0.1
 FX bnd offset 1
ENDATA
`
	var b bytes.Buffer
	fail.On(t, milp.WriteMPS(&b, everything()))
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestWriteLPGolden(t *testing.T) {
	const want = `\ The model maximises; this file minimises the negated objective.
\ Column offset, fixed at 1, carries the objective's constant: readers disagree on how else to write it.
\ Problem every_thing
Minimize
 obj: - 4 take_a - 5 take_b - 1 n + 1 _free + 0 _3_fixed + 0 below + 0 box + 0 above
   - 3 offset
Subject To
 cap_total: + 2 take_a + 3 take_b + 1 n <= 4.5
 _range: + 1 _free >= -2
 _range_hi: + 1 _free <= 1e+06
 equal: + 1 box - 1 above = 0
 row: + 0 take_a >= 0
 row_hi: + 0 take_a <= 3
Bounds
 0 <= take_a <= 1
 0 <= take_b <= 1
 _free free
 _3_fixed = -2.5
 -inf <= below <= -1
 -3 <= box <= 7
 above >= 0.1
 offset = 1
General
 take_a
 take_b
 n
 box
End
`
	var b bytes.Buffer
	fail.On(t, milp.WriteLP(&b, everything()))
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// Names are legal in both formats, unique, and those of the model where they can be.
func TestNames(t *testing.T) {
	long := strings.Repeat("long", 20)
	m := &milp.Model{Offset: 1}
	for _, name := range []string{"x", "x", "x_2", "a b", "a,b", "e5", "E", "e_5", "Max", "", "é", ".5", "offset", long, long, "azAZ09", "0x", "9x"} {
		m.AddCol(milp.Col{Name: name})
	}
	m.AddRow("obj", 0, 0)
	m.AddRow("x", 0, 0)
	cols, rows := milp.Names(m)
	cut := long[:48]
	wantCols := []string{
		"x", "x_2", "x_2_2", "a_b", "a_b_2", "_e5", "_E", "e_5", "_Max", "col", "col_2", "_.5", "offset", cut, cut + "_2", "azAZ09", "_0x",
		"_9x",
	}
	if diff := cmp.Diff(wantCols, cols); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"obj_2", "x"}, rows); diff != "" {
		t.Error(diff)
	}
}

func TestWriteRefusesInvalidModels(t *testing.T) {
	m := &milp.Model{Cols: []milp.Col{{Name: "x", Lo: 2, Hi: 1}}}
	for name, write := range writers {
		if err := write(new(bytes.Buffer), m); err == nil || !strings.Contains(err.Error(), "[2, 1]") {
			t.Errorf("%s: %v, want an error that names the bounds", name, err)
		}
	}
}

var writers = map[string]func(*bytes.Buffer, *milp.Model) error{
	"mps": func(b *bytes.Buffer, m *milp.Model) error { return milp.WriteMPS(b, m) },
	"lp":  func(b *bytes.Buffer, m *milp.Model) error { return milp.WriteLP(b, m) },
}

// Every file gives cbc and glpsol the optimum that HiGHS finds for the model through its API.
func TestRoundTrip(t *testing.T) {
	linkedtest.Need(t, "highs")
	inf := milp.Inf
	one := func(c milp.Col, rows ...milp.Row) *milp.Model {
		c.Name = "x"
		return &milp.Model{Cols: []milp.Col{c}, Rows: rows}
	}
	term := []milp.Term{{Coef: 1}}
	models := map[string]*milp.Model{
		"everything":            everything(),
		"no rows":               one(milp.Col{Lo: -3, Hi: 4, Cost: 2}),
		"no rows, integer":      one(milp.Col{Lo: -3.5, Hi: 4, Cost: 2, Integer: true}),
		"no columns":            {Offset: -2.5},
		"nothing at all":        {},
		"empty objective":       one(milp.Col{Hi: inf}, milp.Row{Lo: 2, Hi: 3, Terms: term}),
		"empty rows":            one(milp.Col{Hi: 2, Cost: -1}, milp.Row{}, milp.Row{Lo: -1, Hi: 1}, milp.Row{Lo: -inf, Hi: 1}),
		"infeasible empty row":  one(milp.Col{Hi: 2, Cost: -1}, milp.Row{Lo: 1, Hi: 1}),
		"no integer in between": one(milp.Col{Lo: .2, Hi: .8, Integer: true}),
		"free integer":          one(milp.Col{Lo: -inf, Hi: inf, Cost: 1, Integer: true}, milp.Row{Lo: -7.5, Hi: inf, Terms: term}),
		"integer below zero":    one(milp.Col{Lo: -inf, Hi: -4, Cost: 1, Integer: true}, milp.Row{Lo: -7.5, Hi: inf, Terms: term}),
		"big integer":           one(milp.Col{Hi: 3e9, Cost: -1, Integer: true}),
		"digits":                one(milp.Col{Lo: 1. / 3, Hi: inf, Cost: 1e-7}, milp.Row{Lo: 123456.789, Hi: inf, Terms: term}),
		"many columns":          wide(40),
	}
	for name, m := range models {
		want, err := highs.Solver{}.Solve(context.Background(), m, milp.Options{})
		fail.On(t, err)
		if name == "everything" && want.Objective != 11 {
			t.Errorf("HiGHS finds %g for everything, want 11", want.Objective)
		}
		for format, write := range writers {
			for _, solver := range []string{"cbc", "glpsol"} {
				t.Run(fmt.Sprintf("%s/%s/%s", name, format, solver), func(t *testing.T) {
					if _, err := exec.LookPath(solver); err != nil {
						t.Skipf("%s is not installed", solver)
					}
					var b bytes.Buffer
					fail.On(t, write(&b, m))
					objective, feasible := external(t, solver, format, b.Bytes())
					if m.Maximize {
						objective = -objective
					}
					if feasible != (want.Status == milp.Optimal) {
						t.Fatalf("feasible: %v, HiGHS says %s\n%s", feasible, want.Status, &b)
					}
					// cbc prints eight decimals.
					if feasible && math.Abs(objective-want.Objective) > 1e-8*max(1, math.Abs(objective)) {
						t.Errorf("optimum %.12g, HiGHS has %.12g\n%s", objective, want.Objective, &b)
					}
				})
			}
		}
	}
}

// wide is a covering model with n columns: each of n/2 rows needs two of four neighbours.
func wide(n int) *milp.Model {
	m := &milp.Model{Name: "wide"}
	for j := range n {
		m.Binary(fmt.Sprintf("x[%d]", j), float64(1+j%3))
	}
	for i := range n / 2 {
		var terms []milp.Term
		for k := range 4 {
			terms = append(terms, milp.Term{Col: (2*i + k) % n, Coef: 1})
		}
		m.AddRow("cover", 2, milp.Inf, terms...)
	}
	return m
}

// external solves a file and returns its minimum, or that there is none.
func external(t *testing.T, solver, format string, file []byte) (objective float64, feasible bool) {
	t.Helper()
	dir := t.TempDir()
	model, solution := filepath.Join(dir, "model."+format), filepath.Join(dir, "solution")
	fail.On(t, os.WriteFile(model, file, 0o600))
	args := []string{model, "-ratioGap", "0", "-solve", "-solution", solution}
	if solver == "glpsol" {
		args = []string{map[string]string{"mps": "--freemps", "lp": "--lp"}[format], model, "--write", solution}
	}
	log, err := exec.Command(solver, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, log, file)
	}
	text, err := os.ReadFile(solution)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, log, file)
	}
	var word string
	if solver == "cbc" {
		line, _, _ := strings.Cut(string(text), "\n")
		var status string
		status, word, _ = strings.Cut(line, " - objective value ")
		feasible = status == "Optimal"
	} else {
		for _, line := range strings.Split(string(text), "\n") {
			if f := strings.Fields(line); len(f) > 5 && f[0] == "s" {
				feasible, word = f[4] == "o" || f[4] == "f" && f[5] == "f", f[len(f)-1]
			}
		}
		feasible = feasible || bytes.Contains(log, []byte("OPTIMAL SOLUTION FOUND"))
	}
	objective, err = strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatalf("no objective: %v\n%s\n%s\n%s", err, text, log, file)
	}
	return objective, feasible
}
