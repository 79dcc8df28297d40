package backend

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/milp"
	"schedgap/models/fail"
)

// script answers calls one after the other and keeps the models that it saw.
type script struct {
	answers []Answer
	models  []*milp.Model
	opts    []milp.Options
}

func (s *script) native(_ context.Context, m *milp.Model, opt milp.Options) (Answer, error) {
	s.models, s.opts = append(s.models, m), append(s.opts, opt)
	if len(s.models) > len(s.answers) {
		return Answer{}, errors.New("one call too many")
	}
	return s.answers[len(s.models)-1], nil
}

// mixed: max 2x + y + 10, x integer in [0, 3.5], y in [0, 1], 0 <= x + y <= 3, and rows that say nothing.
func mixed() *milp.Model {
	m := &milp.Model{Name: "mixed", Maximize: true, Offset: 10}
	x := m.AddCol(milp.Col{Name: "x", Hi: 3.5, Cost: 2, Integer: true})
	y := m.AddCol(milp.Col{Name: "y", Hi: 1, Cost: 1})
	m.AddRow("empty", -1, 1, milp.Term{Col: x})
	m.AddRow("free", -milp.Inf, milp.Inf, milp.Term{Col: x, Coef: 1})
	m.AddRow("sum", 0, 3, milp.Term{Col: x, Coef: 1}, milp.Term{Col: y, Coef: 1})
	return m
}

// A solver sees a minimisation without offset, empty rows and fractional bounds of integers.
func TestNativeSeesTheReducedModel(t *testing.T) {
	s := &script{answers: []Answer{{Status: milp.Optimal, Raw: "done", X: []float64{3, 0}, Nodes: -1}}}
	if _, err := Solve(context.Background(), mixed(), milp.Options{TimeLimit: time.Hour}, s.native); err != nil {
		t.Fatal(err)
	}
	want := &milp.Model{Name: "mixed"}
	want.AddCol(milp.Col{Name: "x", Hi: 3, Cost: -2, Integer: true})
	want.AddCol(milp.Col{Name: "y", Hi: 1, Cost: -1})
	want.AddRow("sum", 0, 3, milp.Term{Col: 0, Coef: 1}, milp.Term{Col: 1, Coef: 1})
	if diff := cmp.Diff(want, s.models[0]); diff != "" {
		t.Error(diff)
	}
	if o := s.opts[0]; o.Threads != 1 || o.TimeLimit <= 0 || o.TimeLimit > time.Hour {
		t.Errorf("options %+v, want one thread and the rest of an hour", o)
	}
}

// What becomes of answers: the point rounded and repaired, bound and objective in the model's own terms (sense max,
// offset 10, so that an internal -6 is 16), and refusals.
func TestAnswers(t *testing.T) {
	nan := math.NaN()
	point := func(x, y float64) []float64 { return []float64{x, y} }
	sixteen, fifteen := 16., 15.
	for name, c := range map[string]struct {
		answers []Answer
		want    milp.Result
		err     string
	}{
		"optimum": {
			answers: []Answer{{Status: milp.Optimal, Raw: "o", X: point(3, 0), Nodes: 4, Seconds: 1}},
			want:    milp.Result{Status: milp.Optimal, Raw: "o", X: point(3, 0), Objective: 16, Bound: &sixteen, Nodes: 4, Seconds: 1},
		},
		"rounded": {
			answers: []Answer{{Status: milp.Optimal, Raw: "o", X: point(2.9999999, 0), Seconds: 1}},
			want:    milp.Result{Status: milp.Optimal, Raw: "o", X: point(3, 0), Objective: 16, Bound: &sixteen, Seconds: 1},
		},
		"repaired: rounding x to 3 leaves 0 to y": {
			answers: []Answer{
				{Status: milp.Limit, Raw: "l", X: point(2.99, .01), Bound: nan, Seconds: 1},
				{Status: milp.Optimal, Raw: "lp", X: point(3, 0)},
			},
			want: milp.Result{Status: milp.Limit, Raw: "l", X: point(3, 0), Objective: 16, Seconds: 1},
		},
		"not repaired": {
			answers: []Answer{
				{Status: milp.Limit, Raw: "l", X: point(2.99, .01), Bound: nan},
				{Status: milp.Infeasible, Raw: "no"},
			},
			err: `refusing the point of "l": it misses row sum by 0.00333; for its integers: no`,
		},
		"worth less than claimed once rounded": {
			answers: []Answer{{Status: milp.Optimal, Raw: "o", X: point(2.4, .6)}},
			err:     "the optimum -5.4 becomes -4.6 when integers are rounded",
		},
		"not a number": {answers: []Answer{{Status: milp.Optimal, Raw: "o", X: point(nan, 0)}}, err: "refusing"},
		"too short":    {answers: []Answer{{Status: milp.Optimal, Raw: "o", X: []float64{1}}}, err: "1 entries for 2 columns"},
		"no point":     {answers: []Answer{{Status: milp.Optimal, Raw: "o"}}, err: "without a point"},
		"no status":    {answers: []Answer{{Raw: "?"}}, err: "status(0) is no answer"},
		"incumbent and bound": {
			answers: []Answer{{Status: milp.Limit, Raw: "l", X: point(2, 1), Bound: -6, Seconds: 1}},
			want:    milp.Result{Status: milp.Limit, Raw: "l", X: point(2, 1), Objective: 15, Bound: &sixteen, Seconds: 1},
		},
		"a bound within tolerance of the incumbent is cut to it": {
			answers: []Answer{{Status: milp.Limit, Raw: "l", X: point(2, 1), Bound: -5 + 1e-7, Seconds: 1}},
			want:    milp.Result{Status: milp.Limit, Raw: "l", X: point(2, 1), Objective: 15, Bound: &fifteen, Seconds: 1},
		},
		"a bound beyond the incumbent": {
			answers: []Answer{{Status: milp.Limit, Raw: "l", X: point(2, 1), Bound: -4}},
			err:     "the bound -4 contradicts the incumbent's -5",
		},
		"nothing found": {
			answers: []Answer{{Status: milp.Limit, Raw: "l", Bound: math.Inf(-1), Nodes: -1, Seconds: 1}},
			want:    milp.Result{Status: milp.Limit, Raw: "l", Nodes: -1, Seconds: 1},
		},
		"unbounded, but infeasible": {
			answers: []Answer{{Status: milp.Unbounded, Raw: "u"}, {Status: milp.Infeasible, Raw: "i"}},
			want:    milp.Result{Status: milp.Infeasible, Raw: "u; without objective: i"},
		},
		"unbounded indeed": {
			answers: []Answer{{Status: NoOptimum, Raw: "u"}, {Status: milp.Optimal, Raw: "o", X: point(0, 0)}},
			want:    milp.Result{Status: milp.Unbounded, Raw: "u; without objective: o"},
		},
		"unbounded without objective": {
			answers: []Answer{{Status: NoOptimum, Raw: "u"}, {Status: milp.Unbounded, Raw: "u"}}, err: "contradictory answers",
		},
		"out of time for the difference": {
			answers: []Answer{{Status: NoOptimum, Raw: "u"}, {Status: milp.Limit, Raw: "l"}},
			want:    milp.Result{Status: milp.Limit, Raw: "u; without objective: l"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: c.answers}
			r, err := Solve(context.Background(), mixed(), milp.Options{}, s.native)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			fail.On(t, err)
			if r.Seconds > 0 {
				r.Seconds = c.want.Seconds
			}
			if diff := cmp.Diff(&c.want, r); diff != "" {
				t.Error(diff)
			}
			if len(s.models) != len(c.answers) {
				t.Errorf("%d calls, want %d", len(s.models), len(c.answers))
			}
		})
	}
}

// The repair fixes the integers and nothing else; the feasibility model has no costs.
func TestFurtherModels(t *testing.T) {
	s := &script{answers: []Answer{{Status: milp.Limit, X: []float64{2.99, .01}, Bound: math.NaN()}, {Status: milp.Limit}}}
	Solve(context.Background(), mixed(), milp.Options{}, s.native)
	want := []milp.Col{{Name: "x", Lo: 3, Hi: 3, Cost: -2}, {Name: "y", Hi: 1, Cost: -1}}
	if diff := cmp.Diff(want, s.models[1].Cols); diff != "" {
		t.Errorf("repair: %s", diff)
	}
	s = &script{answers: []Answer{{Status: NoOptimum}, {Status: milp.Limit}}}
	Solve(context.Background(), mixed(), milp.Options{}, s.native)
	for _, c := range s.models[1].Cols {
		if c.Cost != 0 {
			t.Errorf("feasibility model has column %+v", c)
		}
	}
	if s.models[0].Cols[0].Cost != -2 {
		t.Error("the model itself was changed")
	}
}

// Incumbents are passed on rounded, checked, and only when better, in the model's own terms.
func TestImproved(t *testing.T) {
	var got []float64
	opt := milp.Options{Improved: func(x []float64, objective float64) {
		if m := mixed(); objective != m.Objective(x) || x[0] != math.Round(x[0]) {
			t.Errorf("%v as %g", x, objective)
		}
		got = append(got, objective)
	}}
	_, err := Solve(context.Background(), mixed(), opt, func(_ context.Context, _ *milp.Model, o milp.Options) (Answer, error) {
		for _, x := range [][]float64{{1, 0}, {.99999999, 0}, {0, 1}, {4, 0}, {math.NaN(), 0}, {2, 1}} {
			o.Improved(x, math.NaN())
		}
		return Answer{Status: milp.Limit, Bound: math.NaN()}, nil
	})
	fail.On(t, err)
	if !slices.Equal(got, []float64{12, 15}) {
		t.Errorf("incumbents %v, want 12 and 15", got)
	}
}

// The earlier of time limit and deadline is the solver's time limit.
func TestTimeLimit(t *testing.T) {
	for _, c := range []struct{ limit, deadline, want time.Duration }{
		{0, 0, 0},
		{time.Hour, 0, time.Hour},
		{0, time.Hour, time.Hour},
		{time.Hour, 2 * time.Hour, time.Hour},
		{2 * time.Hour, time.Hour, time.Hour},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if c.deadline > 0 {
			ctx, cancel = context.WithTimeout(ctx, c.deadline)
		}
		s := &script{answers: []Answer{{Status: milp.Limit, Bound: math.NaN()}}}
		if _, err := Solve(ctx, mixed(), milp.Options{TimeLimit: c.limit}, s.native); err != nil {
			t.Error(err)
		}
		cancel()
		if got := s.opts[0].TimeLimit; got > c.want || got < c.want-time.Minute {
			t.Errorf("limit %s, deadline %s: solver gets %s", c.limit, c.deadline, got)
		}
	}
}

// The bound of the root node is the optimum if there was no second one, and none if the search ended in it.
func TestRooted(t *testing.T) {
	root := -7.
	for _, c := range []struct {
		answer Answer
		want   []float64
	}{
		{Answer{Status: milp.Optimal, X: []float64{3, 0}, Root: &root, Nodes: 5}, []float64{17}},
		{Answer{Status: milp.Optimal, X: []float64{3, 0}, Root: &root, Nodes: 1}, []float64{16}},
		{Answer{Status: milp.Optimal, X: []float64{3, 0}, Nodes: 5}, nil},
		{Answer{Status: milp.Limit, Bound: -6.5, Root: &root, Nodes: 5}, []float64{17}},
		{Answer{Status: milp.Limit, Bound: -6.5, Root: &root, Nodes: -1}, []float64{17}},
		{Answer{Status: milp.Limit, Bound: -6.5, Root: &root, Nodes: 0}, nil},
	} {
		var got []float64
		c.answer.Raw = "done"
		opt := milp.Options{Rooted: func(b float64) { got = append(got, b) }}
		if _, err := Solve(t.Context(), mixed(), opt, (&script{answers: []Answer{c.answer}}).native); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.answer, got, c.want)
		}
	}
}

// The minimisation is of −2x − y. Its bounds −9, −9.5, −8 and, beyond the point (3, 0) of −6, −5 are 19 and 18 to a caller who
// maximises 2x + y + 10.
func TestBoundsOnTheWay(t *testing.T) {
	var got []float64
	native := func(_ context.Context, _ *milp.Model, opt milp.Options) (Answer, error) {
		opt.Bounded(math.Inf(-1))
		opt.Bounded(-9)
		opt.Improved([]float64{3, 0}, math.NaN())
		for _, b := range []float64{-9.5, -8, -5, math.NaN()} {
			opt.Bounded(b)
		}
		return Answer{Status: milp.Optimal, Raw: "done", X: []float64{3, 0}, Nodes: -1}, nil
	}
	opt := milp.Options{Improved: func([]float64, float64) {}, Bounded: func(b float64) { got = append(got, b) }}
	if _, err := Solve(context.Background(), mixed(), opt, native); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []float64{19, 18}) {
		t.Errorf("got %v, want 19 and 18", got)
	}
	got = nil
	opt.Start = []float64{2, 1} // −5: bounds may come up to it, and −4 is beyond
	native = func(_ context.Context, _ *milp.Model, opt milp.Options) (Answer, error) {
		opt.Bounded(-5)
		opt.Bounded(-4)
		return Answer{Status: milp.Optimal, Raw: "done", X: []float64{2, 1}, Nodes: -1}, nil
	}
	if _, err := Solve(context.Background(), mixed(), opt, native); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []float64{15}) {
		t.Errorf("after a start got %v, want 15", got)
	}
}
