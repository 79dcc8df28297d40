package exact_test

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
)

// A sayer is a solver that says what it was given, of a model that it keeps.
type sayer struct {
	says  float64 // in the costs that it sees
	end   milp.Status
	rows  float64 // tolerance of rows; 0: 1e-9
	least float64 // lower bound of its first column; 0: none
	asked *milp.Model
}

func (*sayer) Name() string    { return "sayer" }
func (*sayer) Version() string { return "1.2" }
func (s *sayer) Tolerance() milp.Tolerance {
	return milp.Tolerance{Rows: cmp.Or(s.rows, 1e-9), Integers: 1e-6}
}

func (s *sayer) Solve(_ context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	s.asked = m
	scale := m.Cols[0].Cost
	v := s.says * scale
	opt.Rooted(v)
	return &milp.Result{Status: s.end, X: []float64{s.says, 0}, Objective: v, Bound: &v, Nodes: 3, Raw: "done"}, nil
}

// by solves a problem of one number, worth what it is, by a model with its cost on a continuous column beside a binary without one.
func by(t *testing.T, s *sayer, cost, grain, decoded float64, parts exact.Deps[number, float64], params models.Values) models.Outcome[float64] {
	t.Helper()
	m := &milp.Model{Name: "number"}
	m.AddCol(milp.Col{Name: "x", Lo: cmp.Or(s.least, -milp.Inf), Hi: milp.Inf, Cost: cost})
	m.Binary("b", 0)
	target := &exact.Target[number, float64]{
		Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "", "one" },
		Formulations: []*exact.Formulation[number, float64]{{
			Name: "one", Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
				return &exact.BuiltModel[float64]{
					Model: m, Grain: grain, Decode: func([]float64) (float64, error) { return decoded, nil },
					Encode: func(v float64) ([]float64, error) { return []float64{v, 0}, nil },
				}, nil
			},
		}},
	}
	parts.Solvers = []milp.Solver{s}
	out, err := target.Algorithm(parts).Run(t.Context(), &models.Pass[number, float64]{
		Threads: 1, Params: params, Improved: func(float64) {}, Bounded: func(float64) {}, Known: new(models.Known),
	})
	fail.On(t, err)
	return out
}

// TestAudit: a solver's claim stands unless a solution or bound that it was not given contradicts it by more than its tolerances. The
// refutation has both numbers and names solver, version, model and who knew better. A second audit of the instance says the same, and
// does not ask the heuristic again.
func TestAudit(t *testing.T) {
	none := models.Values{"start": "none"}
	lower := func(v float64) func(context.Context, number) (float64, error) {
		return func(context.Context, number) (float64, error) { return v, nil }
	}
	for name, c := range map[string]struct {
		end           milp.Status
		says, decoded float64
		known         float64 // of a heuristic; 0: none
		bound         float64 // that is known
		params        models.Values
		by            string // who refutes it; empty: nobody
		evidence      float64
		start         float64 // of Deps; 0: none
		witness       float64 // of Deps; 0: none
		prices        float64 // a bound; 0: none
		speaks        string  // the reference of that bound
		only          bool    // the heuristic is for other instances
	}{
		"true":                                  {end: milp.Optimal, says: 5, decoded: 5, known: 6, bound: 4, params: none},
		"within the tolerance":                  {end: milp.Optimal, says: 5, decoded: 5, known: 5 - 5e-7, bound: 5 + 1e-6, params: none},
		"a better heuristic":                    {end: milp.Optimal, says: 5, decoded: 5, known: 4, params: none, by: "known", evidence: 4},
		"slightly better":                       {end: milp.Optimal, says: 5, decoded: 5, known: 5 - 1e-5, params: none, by: "known", evidence: 5 - 1e-5},
		"a bound at a limit":                    {end: milp.Limit, says: 5, decoded: 6, known: 4, params: none, by: "known", evidence: 4},
		"the start":                             {end: milp.Optimal, says: 5, decoded: 5, known: 4, by: "the start", evidence: 4},
		"its own solution":                      {end: milp.Optimal, says: 5, decoded: 4.9, params: none, by: "its own solution", evidence: 4.9},
		"an optimum below a bound":              {end: milp.Optimal, says: 5, decoded: 5, bound: 5.1, params: none, by: "the bound at once", evidence: 5.1},
		"no solution, where one is":             {end: milp.Infeasible, says: 5, decoded: 5, known: 7, by: "its own solution", evidence: 5},
		"within a millionth of a bound":         {end: milp.Optimal, says: 5, decoded: 5, bound: 5 + 4e-6, params: none},
		"beyond a millionth of a bound":         {end: milp.Optimal, says: 5, decoded: 5, bound: 5 + 6e-6, params: none, by: "the bound at once", evidence: 5 + 6e-6},
		"another heuristic":                     {end: milp.Optimal, says: 5, decoded: 5, known: 4, only: true, params: none},
		"the heuristic start":                   {end: milp.Optimal, says: 5, decoded: 5, start: 4, params: none, by: "the heuristic start", evidence: 4},
		"a start that fails":                    {end: milp.Optimal, says: 5, decoded: 5, start: -4, params: none},
		"the start before the heuristic start":  {end: milp.Optimal, says: 5, decoded: 5, start: 4, by: "the start", evidence: 4},
		"a witness":                             {end: milp.Optimal, says: 5, decoded: 5, witness: 4, params: none, by: "the method that needs no solver", evidence: 4},
		"a witness after the start":             {end: milp.Optimal, says: 5, decoded: 5, start: 4, witness: 3, params: none, by: "the heuristic start", evidence: 4},
		"a witness that fails":                  {end: milp.Optimal, says: 5, decoded: 5, witness: -4, params: none},
		"a bound by prices":                     {end: milp.Optimal, says: 5, decoded: 5, prices: 5.1, speaks: "opt", params: none, by: "the bound by prices", evidence: 5.1},
		"a bound by prices that holds":          {end: milp.Optimal, says: 5, decoded: 5, bound: 4, prices: 4.9, speaks: "opt", params: none},
		"prices of another class":               {end: milp.Optimal, says: 5, decoded: 5, prices: 5.1, speaks: "small", params: none},
		"prices that say nothing":               {end: milp.Optimal, says: 5, decoded: 5, prices: -1, speaks: "opt", params: none},
		"prices that have no proof":             {end: milp.Optimal, says: 5, decoded: 5, prices: -2, speaks: "opt", params: none},
		"prices that fail":                      {end: milp.Optimal, says: 5, decoded: 5, prices: -3, speaks: "opt", params: none},
		"a value that its solution lacks is ok": {end: milp.Limit, says: 5, decoded: 8, known: 6, params: none},
	} {
		t.Run(name, func(t *testing.T) {
			parts := exact.Deps[number, float64]{}
			asked := 0
			if c.known != 0 {
				h := finds("opt", c.known)
				h.Name = "known"
				find := h.Run
				h.Run = func(ctx context.Context, p *models.Pass[number, float64]) (models.Outcome[float64], error) {
					asked++
					return find(ctx, p)
				}
				parts.Heuristics = append(parts.Heuristics, h)
			}
			if c.only {
				parts.Heuristics[0].Applies = func(number, string) error { return errNot }
			}
			if c.bound != 0 {
				parts.Bound = lower(c.bound)
			}
			offers := func(v float64) func(context.Context, number) (float64, error) {
				if v == 0 {
					return nil
				}
				return func(context.Context, number) (float64, error) {
					if v < 0 {
						return -v, errNot
					}
					asked++
					return v, nil
				}
			}
			parts.Start, parts.Witness = offers(c.start), offers(c.witness)
			if c.prices != 0 {
				parts.Prices = func(context.Context, number) (*proof.Claim, error) {
					if c.prices == -3 {
						return &proof.Claim{Bound: at(6), Reference: c.speaks}, errNot
					}
					asked++
					switch c.prices {
					case -1:
						return &proof.Claim{Reference: c.speaks}, nil
					case -2:
						return nil, nil
					}
					return &proof.Claim{Bound: &c.prices, Reference: c.speaks}, nil
				}
			}
			out := by(t, &sayer{says: c.says, end: c.end}, 1, 0, c.decoded, parts, c.params)
			r, before := out.Audit(t.Context()), asked
			if c.only && before > 0 {
				t.Error("a heuristic for other instances is asked")
			}
			if again := out.Audit(t.Context()); !reflect.DeepEqual(r, again) || asked != before {
				t.Errorf("the second audit says %+v after %+v, and asked the heuristic %d times", again, r, asked-before)
			}
			if c.by == "" {
				if r != nil || c.end == milp.Optimal && out.Status != models.Optimal {
					t.Fatalf("%s, %v", out.Status, r)
				}
				return
			}
			if r == nil || r.By != c.by || r.Evidence != c.evidence || c.end != milp.Infeasible && r.Claim != c.says ||
				c.end == milp.Infeasible != strings.Contains(r.String(), "that there is no solution") ||
				!strings.Contains(r.String(), "sayer 1.2 on model one") || !strings.Contains(r.String(), c.by) {
				t.Fatalf("%+v", r)
			}
		})
	}
}

// TestMargins: what a solver sees has a largest cost of about 65,000, whatever the instance's is, and its bounds, the root's too, come
// back in the instance's units, less 2e-7 of their size and its tolerances. Claims that would lose more than a millionth are not made.
func TestMargins(t *testing.T) {
	none := models.Values{"start": "none"}
	for _, c := range []struct {
		cost, grain, says float64
		why               string
	}{
		{1, 0, 5, ""},
		{0x1p-30, 0, 5, ""},
		{0x1p40, 1, 5, ""},
		{1, 1e-3, 5, ""},
		{1, 1e-6, 5, "works span 10^6"},
		{1, 0, 3e-6, "small beside"},
	} {
		s := &sayer{says: c.says, end: milp.Optimal}
		value := c.says * c.cost
		out := by(t, s, c.cost, c.grain, value, exact.Deps[number, float64]{}, none)
		if seen := s.asked.Cols[0].Cost; c.cost != 1 && !(seen >= 1<<15 && seen <= 1<<16) {
			t.Errorf("%+v: the solver sees a cost of %v", c, seen)
		}
		if c.why != "" {
			if out.Status != models.Feasible || out.Bound != nil || out.Stats.RootBound != nil || !strings.Contains(out.Stats.Raw, c.why) {
				t.Errorf("%+v: %+v", c, out)
			}
			continue
		}
		if out.Status != models.Optimal || out.Bound == nil || out.Stats.RootBound == nil || *out.Stats.RootBound != *out.Bound {
			t.Fatalf("%+v: %+v", c, out)
		}
		if lost := (value - *out.Bound) / value; !(lost >= 2e-7 && lost <= 1e-6) || math.Abs(*out.Claimed-value) > 1e-12*value {
			t.Errorf("%+v: the bound is %v of %v", c, *out.Bound, value)
		}
	}
}

// TestTrivialBounds: a bound that needs no solver takes the place of one that loses more, and what remains of the solver's claim says
// why it proves nothing.
func TestTrivialBounds(t *testing.T) {
	none := models.Values{"start": "none"}
	for name, c := range map[string]struct {
		rows, grain, least float64
		status             models.Status
		why                string
	}{
		"within the tolerance":  {1e-9, 0, 5 - 1e-7, models.Optimal, ""},
		"tolerances of rows":    {1e-5, 0, 5 - 1.05e-5, models.Feasible, "not claimed: the value 5 is small beside the model's numbers"},
		"tolerance of integers": {1e-5, 1e-6, 5 - 1.05e-5, models.Feasible, "not claimed: works span 10^6"},
	} {
		out := by(t, &sayer{says: 5, end: milp.Optimal, rows: c.rows, least: c.least}, 1, c.grain, 5, exact.Deps[number, float64]{}, none)
		if out.Status != c.status || out.Bound == nil || *out.Bound != c.least || !strings.Contains(out.Stats.Raw, c.why) {
			t.Errorf("%s: %s, bound %v, %q", name, out.Status, out.Bound, out.Stats.Raw)
		}
	}
}

// TestAgreement: the claim of an optimum is about the solution in the solver's point, where its value is within twice the tolerance; the
// claim of a bound is not.
func TestAgreement(t *testing.T) {
	none := models.Values{"start": "none"}
	for _, c := range []struct {
		end           milp.Status
		says, decoded float64
		status        models.Status
		raw           string
	}{
		{milp.Optimal, 5, 5 + 1.5e-6, models.Optimal, ""},
		{milp.Optimal, 5, 5 + 2.5e-6, models.Feasible, exact.OtherValue},
		{milp.Optimal, 5, 5 - 1.5e-6, models.Feasible, "refused"}, // better by more than the bound allows
		{milp.Limit, 5, 5 + 1.5e-6, models.Timeout, ""},
		{milp.Limit, 3e-6, 3e-6, models.Timeout, "done; not claimed: the value 3e-06 is small beside"},
	} {
		out := by(t, &sayer{says: c.says, end: c.end}, 1, 0, c.decoded, exact.Deps[number, float64]{}, none)
		if out.Status != c.status || !strings.Contains(out.Stats.Raw, c.raw) || out.Solution != c.decoded {
			t.Errorf("%+v: %s, %v, %q", c, out.Status, out.Solution, out.Stats.Raw)
		}
	}
}
