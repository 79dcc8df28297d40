// Package toyproblem has a tiny problem whose algorithms fail in every way that the harness must survive. They hang, crash and take
// memory inside of the worker process, as linked solvers may, which the commands of a problem in a folder cannot.
package toyproblem

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/strict"
)

// A Toy instance is a list of numbers; a solution picks one, the smaller the better. The constraint range wants an index of
// the list, the constraint even an even one.
type Toy struct {
	models.Header `json:"-"`
	Values        []float64 `json:"values"`
}

// Head returns the header.
func (t *Toy) Head() models.Header { return t.Header }

// Heavy is the name of instances whose solutions take HeavyTime to write.
const (
	Heavy     = "heavy"
	HeavyTime = 500 * time.Millisecond
)

// A Pick is a solution: an index into the values.
type Pick struct {
	Index int `json:"pick"`
}

type (
	algorithm = models.Algorithm[*Toy, Pick]
	pass      = models.Pass[*Toy, Pick]
	outcome   = models.Outcome[Pick]
)

var problem = &models.Problem[*Toy, Pick]{
	Name: "toy", Title: "pick the least number", Sense: models.Minimize,
	References:   []models.Reference{{Name: "opt", Doc: "all picks"}},
	InstanceForm: Toy{}, SolutionForm: Pick{},
	DecodeInstance: func(f *strict.File, h models.Header) *Toy {
		t := &Toy{Header: h}
		f.Read(t)
		return t
	},
	DecodeSolution: func(f *strict.File, _ *Toy) (p Pick) {
		f.Read(&p)
		return p
	},
	EncodeSolution: func(t *Toy, p Pick) any {
		if t.Name == Heavy {
			time.Sleep(HeavyTime)
		}
		return p
	},
	Check: func(t *Toy, p Pick) models.Report {
		var r models.Report
		if p.Index < 0 || p.Index >= len(t.Values) {
			r.Violations = append(r.Violations, models.Violation{Constraint: "range", Where: "pick", Amount: 1})
			return r
		}
		r.Objective = &t.Values[p.Index]
		if p.Index%2 != 0 {
			r.Violations = append(r.Violations, models.Violation{Constraint: "even", Where: "pick", Amount: 1})
		}
		return r
	},
	Size:     func(t *Toy) models.Size { return models.Size{Jobs: len(t.Values)} },
	Compare:  func(*Toy) models.Comparison { return models.Quotient },
	Features: func(*Toy) map[string]any { return nil },
}

// best returns the least of the allowed picks.
func best(t *Toy) int {
	b := 0
	for i := 0; i < len(t.Values); i += 2 {
		if t.Values[i] < t.Values[b] {
			b = i
		}
	}
	return b
}

var generator = &models.Generator[*Toy]{
	Doc:    "uniform numbers in [0, 1)",
	Params: []models.Param{{Name: "size", Doc: "how many numbers", Default: 4, Min: 1, Max: 1000}},
	Generate: func(name string, v models.Values, rng *rand.Rand) (*Toy, error) {
		t := &Toy{Header: models.Header{Name: name}}
		for range v.Int("size") {
			t.Values = append(t.Values, rng.Float64())
		}
		return t, nil
	},
}

// deriver reads a "trace" that is a folder which must exist; the window says which numbers come out.
var deriver = &models.Deriver[*Toy]{
	Doc: "numbers of the window",
	Derive: func(_ context.Context, r models.DeriveRequest) iter.Seq2[*Toy, error] {
		return func(yield func(*Toy, error) bool) {
			if _, err := os.Stat(r.Dir); err != nil {
				yield(nil, err)
				return
			}
			for i := range min(r.N, 3) { // the trace has no more than three
				t := &Toy{
					Header: models.Header{Name: fmt.Sprintf("derived-%d", i), Lineage: []byte(`{"format":"` + r.Format + `"}`)},
					Values: []float64{r.From, r.To, float64(r.Seed)},
				}
				if !yield(t, nil) {
					return
				}
			}
			for range max(0, r.N-3) {
				if r.Missed != nil {
					r.Missed("there are no more numbers")
				}
			}
		}
	},
}

const quick = `name: quick
problem: toy
instances:
  - generate: {n: 2, seed: 1}
algorithms: [good, first]
`

// Registry returns a registry of the toy problem only.
func Registry() *bench.Registry {
	p := bench.Adapt(bench.Definition[*Toy, Pick]{
		Problem: problem, Algorithms: algorithms, Generator: generator, Deriver: deriver,
		Suites: fstest.MapFS{"quick.yaml": &fstest.MapFile{Data: []byte(quick)}},
	})
	return bench.NewRegistry([]*bench.Problem{p}, []bench.Solver{{Name: "alpha", Available: true}, {Name: "beta", Available: true}})
}

// Instance returns a toy instance.
func Instance(t testing.TB, name string, values ...float64) *bench.Instance {
	t.Helper()
	file, err := problem.MarshalInstance(&Toy{Header: models.Header{Name: name}, Values: values})
	if err != nil {
		t.Fatal(err)
	}
	in, err := Registry().ParseInstance(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return in
}
