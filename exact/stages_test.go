package exact

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"schedgap/exact/milp"
	"schedgap/models/fail"
)

// recorder answers the models of a solve in turn and keeps them with their options.
type recorder struct {
	answers []milp.Result
	asked   []*milp.Model
	with    []milp.Options
	fails   error // instead of an answer, when they are at an end
}

func (*recorder) Name() string    { return "recorder" }
func (*recorder) Version() string { return "1" }

func (r *recorder) Solve(_ context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	r.asked, r.with = append(r.asked, m), append(r.with, opt)
	if len(r.answers) == 0 {
		return nil, r.fails
	}
	next := r.answers[0]
	r.answers = r.answers[1:]
	return &next, nil
}

// staged is a model of one whole number, worth 2x + 3, with as many relaxations.
func staged(relaxations int) *BuiltModel[float64] {
	one := func() *milp.Model {
		m := &milp.Model{Name: "m", Offset: 3}
		m.AddCol(milp.Col{Name: "x", Hi: 100, Cost: 2, Integer: true})
		return m
	}
	return &BuiltModel[float64]{Model: one(), Relaxation: one(), Refine: func([]float64) *milp.Model {
		relaxations--
		if relaxations == 0 {
			return nil
		}
		return one()
	}}
}

func known(status milp.Status, x, bound float64) milp.Result {
	r := milp.Result{Status: status, Nodes: 10, Seconds: 0.5, Raw: "yes"}
	if !math.IsNaN(x) {
		r.X, r.Objective = []float64{x}, 2*x+3
	}
	if !math.IsNaN(bound) {
		r.Bound = &bound
	}
	return r
}

// own ends at a gap of the solver's own.
func own(r milp.Result) milp.Result {
	r.Own = "stopped at its gap"
	return r
}

// TestStages: each stage knows the best value and the best bound of those before, as a row that leaves the tolerance of bounds on either
// side, and what they found outlasts a stage that finds nothing.
func TestStages(t *testing.T) {
	none, inf := math.NaN(), math.Inf(1)
	g := &margin{absolute: 0.25}
	off := func(v float64) float64 { return g.error(v) }
	type row struct{ lo, hi float64 } // of 2x, without the offset
	free := row{-inf, inf}
	for name, c := range map[string]struct {
		relaxations int
		start       float64 // a point; NaN: none
		answers     []milp.Result
		rows        []row // that the relaxations and the model at last are given; NaN: none
		value       float64
		bound       float64
		status      milp.Status
		nodes       int64
	}{
		"value and bound meet": {
			1, none, []milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 5, 13)}, []row{free, {none, none}}, 13, 13, milp.Optimal, 20,
		},
		"a gap is left": {
			1, none,
			[]milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 6, 15)},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}},
			15, 15, milp.Optimal, 30,
		},
		"a start, which is better": {
			1, 6,
			[]milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 6, 15)},
			[]row{{-inf, 12 + off(15)}, {none, none}, {10 - off(13), 12 + off(15)}},
			15, 15, milp.Optimal, 30,
		},
		"the second bound is worse": {
			2, none,
			[]milp.Result{
				known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 4, 11), known(milp.Optimal, 9, 21),
				known(milp.Limit, none, none),
			},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}, {none, none}, {10 - off(13), 16 + off(19)}},
			19, 13, milp.Limit, 50,
		},
		"the second bound is better": {
			2, none,
			[]milp.Result{
				known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 6, 15), known(milp.Optimal, 7, 17),
				known(milp.Limit, none, 15.5),
			},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}, {none, none}, {12 - off(15), 14 + off(17)}},
			17, 15.5, milp.Limit, 50,
		},
		"a stage that leaves 5.5 of 6 is the last": {
			3, none,
			[]milp.Result{
				known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 5, 13.5), known(milp.Optimal, 9, 21),
				known(milp.Optimal, 7, 17),
			},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}, {none, none}, {10.5 - off(13.5), 16 + off(19)}},
			17, 17, milp.Optimal, 50,
		},
		"after one that leaves 5 the next follows": {
			3, none,
			[]milp.Result{
				known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Optimal, 5, 14), known(milp.Optimal, 9, 21),
				known(milp.Optimal, 5, 15), known(milp.Optimal, 9, 21), known(milp.Limit, none, none),
			},
			[]row{
				free,
				{none, none},
				{10 - off(13), 16 + off(19)},
				{none, none},
				{11 - off(14), 16 + off(19)},
				{none, none},
				{12 - off(15), 16 + off(19)},
			},
			19, 15, milp.Limit, 70,
		},
		"the last has a bound and a point": {
			1, none,
			[]milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Limit, 7, 14)},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}},
			17, 14, milp.Limit, 30,
		},
		"the last has a point and no bound": {
			1, none,
			[]milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Limit, 6, none)},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}},
			15, 13, milp.Limit, 30,
		},
		"the last is worse": {
			1, none,
			[]milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19), known(milp.Limit, 7, 12.5)},
			[]row{free, {none, none}, {10 - off(13), 16 + off(19)}},
			17, 13, milp.Limit, 30,
		},
		"a gap of its own without a bound": {
			1, none,
			[]milp.Result{own(known(milp.Limit, 5, none)), known(milp.Optimal, 5, 13), known(milp.Optimal, 5, 13)},
			[]row{free, {none, none}, {-inf, 10 + off(13)}},
			13, 13, milp.Optimal, 30,
		},
		"a relaxation without a bound": {
			1, none,
			[]milp.Result{known(milp.Limit, none, none)},
			[]row{free},
			none, none, milp.Limit, 10,
		},
	} {
		t.Run(name, func(t *testing.T) {
			solver := &recorder{answers: c.answers}
			opt := milp.Options{Improved: func([]float64, float64) {}, Bounded: func(float64) {}}
			if !math.IsNaN(c.start) {
				opt.Start = []float64{c.start}
			}
			r, err := inStages(t.Context(), solver, staged(c.relaxations), g, opt)
			fail.On(t, err)
			if len(solver.asked) != len(c.rows) {
				t.Fatalf("%d models were solved, want %d", len(solver.asked), len(c.rows))
			}
			for i, want := range c.rows {
				m := solver.asked[i]
				if math.IsNaN(want.lo) { // the model with a relaxation's integers
					if x := c.answers[i-1].X[0]; m.Cols[0].Lo != x || m.Cols[0].Hi != x || len(m.Rows) > 0 || solver.with[i].Bounded != nil {
						t.Errorf("model %d: x in [%v, %v], want %v", i, m.Cols[0].Lo, m.Cols[0].Hi, x)
					}
					continue
				}
				got := m.Rows[len(m.Rows)-1]
				if !same(got.Lo, want.lo) || !same(got.Hi, want.hi) || m.Cols[0].Lo != 0 || m.Cols[0].Hi != 100 {
					t.Errorf("model %d: between %v and %v, want %v", i, got.Lo, got.Hi, want)
				}
			}
			if r.Status != c.status || (r.X != nil) != !math.IsNaN(c.value) || r.X != nil && r.Objective != c.value ||
				(r.Bound != nil) != !math.IsNaN(c.bound) || r.Bound != nil && *r.Bound != c.bound {
				t.Errorf("%+v, want %v in %v", r, c.bound, c.value)
			}
			if r.Nodes != c.nodes || r.Seconds != float64(c.nodes)/20 || r.Raw != "yes" {
				t.Errorf("%d nodes in %v s, %q; want %d", r.Nodes, r.Seconds, r.Raw, c.nodes)
			}
		})
	}
}

func same(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-12 }

// TestStageFails: an error of any stage is that of all.
func TestStageFails(t *testing.T) {
	broken := errors.New("broken")
	answers := []milp.Result{known(milp.Optimal, 5, 13), known(milp.Optimal, 8, 19)}
	for n := range 3 {
		solver := &recorder{answers: slices.Clone(answers[:n]), fails: broken}
		r, err := inStages(t.Context(), solver, staged(1), &margin{}, milp.Options{})
		if !errors.Is(err, broken) || r != nil {
			t.Errorf("after %d answers: %+v, %v", n, r, err)
		}
	}
}
