// Package milptest is the conformance suite of the MILP backends. Every backend passes the same cases with known
// optima; a random part compares it with an oracle that enumerates.
package milptest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/milp"
)

// Config lists the abilities that a backend lacks.
type Config struct {
	// Skip maps names of cases to the reason why the backend cannot pass them. A name of no case fails the suite.
	Skip map[string]string
}

// exact is the relative error allowed in an objective with a known optimum.
const exact = 1e-9

// Run runs the suite on solvers that newSolver makes, one a case.
func Run(t *testing.T, newSolver func(t *testing.T) milp.Solver, cfg Config) {
	t.Helper()
	cases := append(optima(), limits()...)
	cases = append(cases,
		testCase{"random", "random models have the status and optimum that enumeration finds", random},
		testCase{"seeds", "a seed changes neither status nor optimum", seeds},
		testCase{"identity", "the solver has the name and version of its contract", identity},
	)
	if unknown := cfg.unknown(cases); len(unknown) > 0 {
		t.Errorf("Config.Skip names what are no cases: %q", unknown)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why := cfg.Skip[c.name]; why != "" {
				t.Skip(why)
			}
			t.Log(c.purpose)
			c.run(t, newSolver(t))
		})
	}
}

// unknown returns the skips that name no case.
func (cfg Config) unknown(cases []testCase) []string {
	names := maps.Clone(cfg.Skip)
	for _, c := range cases {
		delete(names, c.name)
	}
	return slices.Sorted(maps.Keys(names))
}

type testCase struct {
	name, purpose string
	run           func(t *testing.T, s milp.Solver)
}

func identity(t *testing.T, s milp.Solver) {
	if s.Name() == "" || s.Version() == "" {
		t.Errorf("name %q, version %q: neither may be empty", s.Name(), s.Version())
	}
}

// solve solves m and checks every promise of milp.Result that holds for all models.
func solve(ctx context.Context, t *testing.T, s milp.Solver, m *milp.Model, opt milp.Options) *milp.Result {
	t.Helper()
	before := clone(m)
	r, err := s.Solve(ctx, m, opt)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	if diff := cmp.Diff(before, m); diff != "" {
		t.Errorf("%s: the model was changed:\n%s", m.Name, diff)
	}
	if err := wellFormed(m, r); err != nil {
		t.Fatalf("%s: %v in %+v", m.Name, err, r)
	}
	return r
}

func wellFormed(m *milp.Model, r *milp.Result) error {
	switch r.Status {
	case milp.Optimal:
		if r.X == nil || r.Bound == nil || *r.Bound != r.Objective {
			return fmt.Errorf("an optimum without point, or not its own bound")
		}
	case milp.Infeasible, milp.Unbounded:
		if r.X != nil || r.Bound != nil {
			return fmt.Errorf("a point or bound of a model without optimum")
		}
	case milp.Limit:
	default:
		return fmt.Errorf("status %d is not listed", r.Status)
	}
	if r.Raw == "" || r.Nodes < -1 || r.Seconds < 0 {
		return fmt.Errorf("no words, or nonsensical nodes or seconds")
	}
	if r.X == nil {
		return nil
	}
	if v := m.Violation(r.X); !(v.Amount <= 1e-6) {
		return fmt.Errorf("a point that misses %s by %g", v.Where, v.Amount)
	}
	if r.Objective != m.Objective(r.X) {
		return fmt.Errorf("an objective that is not the point's %g", m.Objective(r.X))
	}
	for j, c := range m.Cols {
		if c.Integer && (r.X[j] != math.Trunc(r.X[j]) || r.X[j] == 0 && math.Signbit(r.X[j])) {
			return fmt.Errorf("%s = %g in an integer column", c.Name, r.X[j])
		}
	}
	if r.Bound != nil && !m.Maximize && *r.Bound > r.Objective || r.Bound != nil && m.Maximize && *r.Bound < r.Objective {
		return fmt.Errorf("a bound %g on the wrong side", *r.Bound)
	}
	return nil
}

func clone(m *milp.Model) *milp.Model {
	c := *m
	c.Cols = append([]milp.Col(nil), m.Cols...)
	c.Rows = append([]milp.Row(nil), m.Rows...)
	for i := range c.Rows {
		c.Rows[i].Terms = append([]milp.Term(nil), c.Rows[i].Terms...)
	}
	return &c
}

func near(a, b float64) bool { return math.Abs(a-b) <= exact*max(1, math.Abs(a), math.Abs(b)) }

// random compares the solver with the oracle on models that are the same in every run: solvers have faults that strike
// one in some ten thousand such models, and a suite that meets them by chance helps nobody.
func random(t *testing.T, s milp.Solver) {
	enumerated(t, s, 200, func(int) int64 { return 0 })
}

// seeds compares with the oracle too, each model with a seed of its own, the largest among them.
func seeds(t *testing.T, s milp.Solver) {
	enumerated(t, s, 60, func(i int) int64 { return []int64{1, 2, 3, math.MaxInt64}[i%4] })
}

func enumerated(t *testing.T, s milp.Solver, n int, seed func(i int) int64) {
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range n {
		m := small(rng)
		m.Name = fmt.Sprint("random-", i)
		status, objective := enumerate(m)
		r := solve(context.Background(), t, s, m, milp.Options{TimeLimit: time.Minute, Seed: seed(i)})
		// A point may use the solver's feasibility tolerance, some 1e-9 a row.
		if r.Status != status || status == milp.Optimal && math.Abs(r.Objective-objective) > 1e-8*max(1, math.Abs(objective)) {
			t.Errorf("%s %g (%s), enumeration finds %s %g in\n%+v", r.Status, r.Objective, r.Raw, status, objective, m)
		}
	}
}
