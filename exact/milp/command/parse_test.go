package command

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/models/fail"
)

// parsed runs the parser of format on a model of columns x and y, the first of them integer.
func parsed(t *testing.T, format Format, solution, log string, values ...float64) (backend.Answer, error) {
	t.Helper()
	m := &milp.Model{Cols: []milp.Col{{Name: "x", Hi: 9, Integer: true}, {Name: "y", Hi: 9}}}
	m.AddRow("c", 0, 9, milp.Term{Coef: 1})
	path := filepath.Join(t.TempDir(), "solution")
	write := func(path string, b []byte) {
		fail.On(t, os.WriteFile(path, b, 0o600))
	}
	if solution != "" {
		write(path, []byte(solution))
	}
	if values != nil {
		var b bytes.Buffer
		binary.Write(&b, binary.NativeEndian, [2]int32{1, 2})
		binary.Write(&b, binary.NativeEndian, append([]float64{0, 0, 0}, values...))
		write(path+".bin", b.Bytes())
	}
	return output{model: m, path: path, log: strings.Split(log, "\n")}.read(format)
}

type parseCase struct {
	solution, log string
	values        []float64
	want          milp.Status // 0: an error
	x             []float64
	bound, root   float64 // 0: none
	nodes         int64   // 0: unknown
	own           string
}

func (c parseCase) run(t *testing.T, format Format) {
	t.Helper()
	a, err := parsed(t, format, c.solution, c.log, c.values...)
	if c.want == 0 {
		if err == nil {
			t.Errorf("%q with log %q is not refused but %+v", c.solution, c.log, a)
		}
		return
	}
	bound, nodes, root := a.Bound, a.Nodes, 0.0
	if a.Root != nil {
		root = *a.Root
	}
	if math.IsNaN(bound) {
		bound = 0
	}
	if c.nodes == 0 {
		c.nodes = -1
	}
	right := a.Status == c.want && slices.Equal(a.X, c.x) && math.Abs(bound-c.bound) < 1e-12 && nodes == c.nodes &&
		root == c.root && a.Own == c.own
	if err != nil || !right || a.Raw == "" {
		t.Errorf("%q with log %q: %+v, %v, want %+v", c.solution, c.log, a, err, c)
	}
}

func TestParseCBC(t *testing.T) {
	two := []float64{2, .5, 0, 0}
	const stopped = "Lower bound:                    1.500\nEnumerated nodes:               42\n"
	for _, c := range []parseCase{
		{solution: "Optimal - objective value 2.5\n", values: two, want: milp.Optimal, x: two[:2]},
		{
			solution: "Optimal - objective value 2.5\n", values: two, want: milp.Optimal, x: two[:2], root: 2.25,
			log: "Welcome\nCbc0013I At root node, 12 cuts changed objective from 2.125 to 2.25 in 100 passes\n",
		},
		{solution: "Infeasible - objective value 2\n", values: two, want: milp.Infeasible},
		{solution: "Integer infeasible - objective value 2\n", want: milp.Infeasible},
		{solution: "Unbounded - objective value 0\n", want: milp.Unbounded},
		{
			solution: "Stopped on time - objective value 2\n", log: stopped, values: two,
			want: milp.Limit, x: two[:2], bound: 1.4995, nodes: 42,
		},
		{
			solution: "Optimal (within gap tolerance) - objective value 2\n", log: "ratioGap was changed from 0 to 0.01\n" + stopped, values: two,
			want: milp.Limit, x: two[:2], bound: 1.4995, nodes: 42, own: "stopped at its gap of 1 %",
		},
		{
			solution: "Optimal (within gap tolerance) - objective value 2\n", log: "ratioGap was changed from 0.01 to 0\nallowableGap was changed from 1e-10 to 2",
			values: two,
			want:   milp.Limit, x: two[:2], own: "stopped at its gap",
		},
		{solution: "Optimal (no integer solution - continuous used) - objective value 2\n", values: two, want: milp.Optimal},
		{solution: "Stopped on iterations - objective value 2\n", values: two, want: milp.Limit, x: two[:2]},
		{
			solution: "Stopped on time (no integer solution - continuous used) - objective value 2\n", log: stopped, values: two,
			want: milp.Limit, bound: 1.4995, nodes: 42,
		},
		{
			solution: "Stopped on time - objective value 2\n", log: "Lower bound:                    -1e+50", values: two,
			want: milp.Limit, x: two[:2],
		},
		{
			solution: "Stopped on time - objective value 2\n", log: "Lower bound:                    -1e+30", values: two,
			want: milp.Limit, x: two[:2],
		},
		{solution: "Stopped on difficulties - objective value 2\n", values: two},
		{solution: "Optimal (nearly) - objective value 2\n", values: two},
		{solution: "Optimal\n", values: two},
		{solution: "Optimal - objective value 2\n"},                       // no values
		{solution: "Optimal - objective value 2\n", values: []float64{2}}, // cut short
		{log: "Optimal - objective value 2"},                              // no file
	} {
		c.run(t, FormatCBC)
	}
}

func TestParseGLPK(t *testing.T) {
	mip := func(letter string) string {
		return "c text\ns mip 1 2 " + letter + " 2.5\ni 1 2\nj 1 2\nj 2 0.5\ne o f\n"
	}
	bas := func(letters string) string {
		return "s bas 1 2 " + letters + " 2.5\ni 1 b 2 0\nj 1 b 2 0\nj 2 u 0.5 -1\ne o f\n"
	}
	x := []float64{2, .5}
	const progress = "+    28: mip =     not found yet >=              -inf        (1; 0)\n" +
		"+   148: >>>>>   1.540000000e+02 >=   1.500000000e+01 100.0% (48; 0)\n"
	const lp = "     86: obj =   2.750000000e+00 inf =   2.943e-14 (0)\n*   171: obj =   2.250000000e+00 inf =   2.400e-14 (0) 1\n"
	const timeout = "TIME LIMIT EXCEEDED; SEARCH TERMINATED\nTime used:   1.0 secs"
	for _, c := range []parseCase{
		{solution: mip("o"), log: "OPTIMAL LP SOLUTION FOUND\nINTEGER OPTIMAL SOLUTION FOUND", want: milp.Optimal, x: x},
		{solution: mip("o"), log: "INTEGER OPTIMAL SOLUTION FOUND BY MIP PREPROCESSOR", want: milp.Optimal, x: x},
		{solution: bas("f f"), log: "OPTIMAL LP SOLUTION FOUND", want: milp.Optimal, x: x},
		{solution: bas("f f"), log: "OPTIMAL SOLUTION FOUND", want: milp.Optimal, x: x},
		{solution: bas("f f"), log: "OPTIMAL SOLUTION FOUND BY LP PREPROCESSOR", want: milp.Optimal, x: x},
		{solution: mip("f"), log: progress + timeout, want: milp.Limit, x: x, bound: 15 - 15e-9},
		{solution: mip("f"), log: lp + "OPTIMAL LP SOLUTION FOUND\n" + timeout, want: milp.Limit, x: x, root: 2.25},
		{solution: mip("u"), log: lp + timeout, want: milp.Limit}, // the relaxation is not solved
		{solution: mip("u"), log: timeout, want: milp.Limit},
		{
			solution: mip("f"), log: " --freemps k.mps\n --mipgap 0.025 --write s\nRELATIVE MIP GAP TOLERANCE REACHED; SEARCH TERMINATED",
			want: milp.Limit, x: x, own: "stopped at its gap of 2.5 %",
		},
		{solution: mip("n"), log: "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION", want: milp.Infeasible},
		{solution: mip("n"), log: "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION", want: milp.Infeasible},
		{solution: bas("n u"), log: "PROBLEM HAS NO FEASIBLE SOLUTION", want: milp.Infeasible},
		{solution: bas("n u"), log: "LP HAS NO PRIMAL FEASIBLE SOLUTION", want: milp.Infeasible},
		{solution: bas("u u"), log: "PROBLEM HAS NO DUAL FEASIBLE SOLUTION", want: backend.NoOptimum},
		{solution: bas("u u"), log: "LP HAS NO DUAL FEASIBLE SOLUTION", want: backend.NoOptimum},
		{solution: mip("u"), log: "LP RELAXATION HAS NO DUAL FEASIBLE SOLUTION", want: backend.NoOptimum},
		{solution: bas("f n"), log: "LP HAS UNBOUNDED PRIMAL SOLUTION", want: milp.Unbounded},
		{solution: bas("f n"), log: "PROBLEM HAS UNBOUNDED SOLUTION", want: milp.Unbounded},
		{solution: mip("u"), log: "OPTIMAL LP SOLUTION FOUND"}, // ended between relaxation and search
		{solution: mip("f"), log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: bas("f i"), log: "OPTIMAL SOLUTION FOUND"},
		{solution: mip("o"), log: "NUMERIC INSTABILITY; SEARCH TERMINATED"},
		{solution: mip("o"), log: "Time limit exhausted; search terminated"},
		{solution: mip("o")},
		{log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: strings.TrimSuffix(mip("o"), "e o f\n"), log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: strings.Replace(mip("o"), "j 2 0.5\n", "", 1), log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: strings.Replace(mip("o"), "j 2 0.5", "j 3 0.5", 1), log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: strings.Replace(mip("o"), "j 2 0.5", "j 1 0.5", 1), log: "INTEGER OPTIMAL SOLUTION FOUND"},
		{solution: mip("n") + "cut short", log: "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION"},
	} {
		c.run(t, FormatGLPK)
	}
}

// The files are as SCIP 9, Gurobi 11 and HiGHS 1.10 write them; SCIP leaves out zeros.
func TestParseSol(t *testing.T) {
	const highs = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 2.5\n# Columns 2\nx 2\ny 0.5\n" +
		"# Rows 1\nx 7\n\n# Dual solution values\nNone\n"
	const gurobi = "# Solution for model\n# Objective value = 2.5\nx 2\ny 0.5\n"
	x := []float64{2, .5}
	for _, c := range []parseCase{
		{solution: highs, want: milp.Optimal, x: x},
		{solution: strings.Replace(highs, "Optimal", "Time limit reached", 1), want: milp.Limit, x: x},
		{solution: "Model status\nInfeasible\n\n# Primal solution values\nNone\n", want: milp.Infeasible},
		{solution: "Model status\nPrimal infeasible or unbounded\n", want: backend.NoOptimum},
		{solution: "Model status\nUnknown\n"},
		{solution: "Model status\n"},
		{
			solution: "solution status: optimal solution found\nobjective value:       2\nx       2 \t(obj:1)\n",
			want:     milp.Optimal, x: []float64{2, 0},
		},
		{solution: "solution status: optimal solution found\nobjective value:       0\n", want: milp.Optimal, x: []float64{0, 0}},
		{solution: "solution status: time limit reached\nno solution available\n", want: milp.Limit},
		{solution: "solution status: gap limit reached\nobjective value:  0\n", want: milp.Limit, x: []float64{0, 0}, own: "stopped at its gap"},
		{
			solution: "solution status: total node limit reached\nobjective value: 2\nx 2 \t(obj:1)\n", want: milp.Limit, x: []float64{2, 0},
			own: "stopped at a limit of its own",
		},
		{solution: strings.Replace(highs, "Optimal", "Solution limit reached", 1), want: milp.Limit, x: x, own: "stopped at a limit of its own"},
		{solution: highs, log: "  Gap               4.76% (tolerance: 5%)", want: milp.Limit, x: x, own: "stopped at its gap of 5 %"},
		{solution: highs, log: "  Gap               0% (tolerance: 5%)", want: milp.Optimal, x: x},
		{
			solution: gurobi, log: "Optimal solution found (tolerance 5.00e-02)\nBest objective 2.5e+00, best bound 2.4e+00, gap 4.0000%",
			want: milp.Limit, x: x, own: "stopped at its gap of 5 %",
		},
		{solution: "solution status: limit of patience\nobjective value: 0\n"},
		{solution: gurobi, log: "Optimal solution found (tolerance 0.00e+00)", want: milp.Optimal, x: x},
		{solution: gurobi, log: "Optimal objective  2.500000000e+00", want: milp.Optimal, x: x},
		{solution: gurobi, log: "Time limit reached\nBest objective 2.5, best bound 2", want: milp.Limit, x: x},
		{log: "Time limit reached", want: milp.Limit},
		{log: "Model is infeasible", want: milp.Infeasible},
		{log: "Model is infeasible or unbounded", want: backend.NoOptimum},
		{log: "Optimal solution found"},
		{solution: gurobi, log: "Sub-optimal termination"},
		{solution: gurobi, log: "Optimal solution founded"},
		{solution: gurobi, log: "Optimal solution found\nTime limit reached"},
		{solution: gurobi + "x 3\n", log: "Optimal solution found"},
	} {
		c.run(t, FormatSol)
	}
}

// The point's values are those of the file to the last digit. No node is a number of nodes.
func TestCBCValuesAreExact(t *testing.T) {
	third := []float64{1, 1. / 3, 0, 0}
	a, err := parsed(t, FormatCBC, "Optimal - objective value 1.33333333\n", "Enumerated nodes:               0", third...)
	if err != nil || a.X[1] != 1./3 || a.Nodes != 0 {
		t.Errorf("%v after %d nodes, %v, want 1/3 exactly after 0", a.X, a.Nodes, err)
	}
}
