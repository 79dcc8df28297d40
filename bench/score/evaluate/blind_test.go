package evaluate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/generate"
	"schedgap/models"
	"schedgap/models/fail"
)

// instances are the examples and some random instances of a problem.
func instances(t *testing.T, p *bench.Problem) []*bench.Instance {
	t.Helper()
	list, err := p.Examples()
	fail.On(t, err)
	values, err := models.Resolve(p.Generator.Params, nil)
	fail.On(t, err)
	for i := range 3 {
		in, err := generate.One(p, generate.Name(p, i), values, 5, i)
		fail.On(t, err)
		list = append(list, in)
	}
	return list
}

// TestBlinded: under other names and in another order an instance of every problem is another file and the same instance:
// whatever a heuristic finds for it is a solution of the original when it is mapped back, with the same value and the same part
// of the score, whatever the permutation. None of the names can be told from the file.
func TestBlinded(t *testing.T) {
	t.Parallel()
	registry, err := catalog.New()
	fail.On(t, err)
	for _, p := range registry.Problems {
		checked, moved := 0, 0
		for _, in := range instances(t, p) {
			optimum := &optimum{Reference: p.References[0].Name, Bound: 1}
			for seed := range uint64(3) {
				b, err := blinded(in, "instance-001", seed)
				if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
				if b.instance.Name != "instance-001" || b.instance.Lineage != nil ||
					strings.Contains(string(b.instance.JSON), `"name":"`+in.Name+`"`) {
					t.Errorf("%s %s: the name or the lineage is seen", p.Name, in.Name)
				}
				if again, _ := blinded(in, "instance-001", seed); string(again.instance.JSON) != string(b.instance.JSON) {
					t.Errorf("%s %s: the same seed, another order", p.Name, in.Name)
				}
				if other, _ := blinded(in, "instance-001", seed+1); string(other.instance.JSON) != string(b.instance.JSON) {
					moved++
				}
				if b.instance.Size != in.Size {
					t.Errorf("%s %s: size %v, want %v", p.Name, in.Name, b.instance.Size, in.Size)
				}
				for _, algorithm := range heuristics(p) {
					res := p.Run(t.Context(), b.instance, bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}, bench.Observer{})
					if res.Status != bench.Feasible || res.Solution == nil {
						continue
					}
					solution, err := b.back.Solution(res.Solution, in.Name)
					fail.On(t, err)
					rep, err := in.Check("solution", solution)
					if err != nil || len(rep.Violations) > 0 {
						t.Fatalf("%s %s %s: %v %v\n%s", p.Name, in.Name, algorithm, err, rep.Violations, solution)
					}
					if math.Abs(*rep.Objective-*res.Objective) > 1e-12*max(1, math.Abs(*res.Objective)) {
						t.Errorf("%s %s %s: %v, and mapped back %v", p.Name, in.Name, algorithm, *res.Objective, *rep.Objective)
					}
					if a, b := optimum.part(in, *rep.Objective), optimum.part(b.instance, *res.Objective); math.Abs(a-b) > 1e-12 {
						t.Errorf("%s %s %s: parts of the score %v and %v", p.Name, in.Name, algorithm, a, b)
					}
					checked++
					// The instance's own names are none that the command may use.
					if _, err := b.instance.Check("solution", solution); err == nil {
						t.Errorf("%s %s %s: the original's names pass", p.Name, in.Name, algorithm)
					}
				}
			}
		}
		if checked < 20 || moved < 10 {
			t.Errorf("%s: %d solutions mapped back, %d orders", p.Name, checked, moved)
		}
	}
}

// heuristics are some that are quick and need nothing.
func heuristics(p *bench.Problem) (names []string) {
	for _, a := range p.Algorithms {
		if a.Kind == models.Heuristic && a.Arg == "" && len(a.Waives) == 0 && p.ReferenceWithin(a.Class, p.References[0].Name) &&
			!slices.Contains([]string{"best", "none", "default"}, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names[:min(3, len(names))]
}

// TestPart: a value's part of the score by hand, at ties and beyond numbers.
func TestPart(t *testing.T) {
	t.Parallel()
	p := func(sense models.Sense) *bench.Problem { return &bench.Problem{Sense: sense} }
	quotient := func(sense models.Sense) *bench.Instance { return &bench.Instance{Problem: p(sense)} }
	regret := &bench.Instance{Problem: p(models.Minimize), Comparison: models.Difference, Scales: map[string]float64{"opt": 4}}
	for name, c := range map[string]struct {
		in           *bench.Instance
		bound, value float64
		want         float64
		beyond       bool
	}{
		"minimum":                  {quotient(models.Minimize), 3, 4, 0.75, false},
		"maximum":                  {quotient(models.Maximize), 4, 3, 0.75, false},
		"optimal":                  {quotient(models.Minimize), 3, 3, 1, false},
		"optimal up to rounding":   {quotient(models.Minimize), 3, 3 + 1e-9, 1, false},
		"not optimal":              {quotient(models.Minimize), 3, 3 + 3e-8, 1 / (1 + 1e-8), false},
		"a bit better":             {quotient(models.Minimize), 3, 3 - 1e-7, 1, false},
		"too good, tiny":           {quotient(models.Minimize), 3e-9, 2.9e-9, 1, true},
		"too good":                 {quotient(models.Minimize), 3, 2.999, 1, true},
		"too good, maximum":        {quotient(models.Maximize), 3, 3.001, 1, true},
		"differences":              {regret, -2, 2, math.Exp(-1), false},
		"differences, optimal":     {regret, -2, -2, 1, false},
		"too good, difference":     {regret, -2, -2.1, 1, true},
		"zero and zero":            {quotient(models.Minimize), 0, 0, 1, false},
		"zero and more":            {quotient(models.Minimize), 0, 1, 0, false},
		"infinite":                 {quotient(models.Minimize), 3, math.Inf(1), 0, false},
		"differences, infinite":    {regret, 3, math.Inf(1), 0, false},
		"infinite the other way":   {quotient(models.Maximize), 3, math.Inf(1), 1, true},
		"no number is no optimum":  {quotient(models.Minimize), 3, math.NaN(), 0, true},
		"the largest number there": {quotient(models.Minimize), 3, math.MaxFloat64, 0, false},
	} {
		k := &optimum{Reference: "opt", Bound: c.bound}
		if got := k.part(c.in, c.value); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := k.beyond(c.in, c.value); got != c.beyond {
			t.Errorf("%s: beyond %t", name, got)
		}
	}
}
