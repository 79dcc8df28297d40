// Package fake makes problems, instances and records for the tests of the reports, without any algorithm or solver.
package fake

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// Problem is a minimisation problem with a restricted class mps and, apart from it, a restricted class moldable, both
// inside opt.
func Problem() *bench.Problem {
	algorithm := func(name string, kind models.Kind, reference, class string) bench.Algorithm {
		return bench.Algorithm{Name: name, Kind: kind, Reference: reference, Class: class}
	}
	return &bench.Problem{
		Name: "flex", Title: "Slot allocation", Sense: models.Minimize,
		References: []models.Reference{
			{Name: "opt", Doc: "all schedules"},
			{Name: "opt-mps", Doc: "packing schedules", Within: "opt"},
			{Name: "opt-moldable", Doc: "constant allocations", Within: "opt"},
		},
		Algorithms: []bench.Algorithm{
			algorithm("opt", models.Exact, "opt", "opt"),
			algorithm("opt-mps", models.Exact, "opt-mps", "opt-mps"),
			algorithm("opt-moldable", models.Exact, "opt-moldable", "opt-moldable"),
			algorithm("lb", models.Bound, "opt", "opt"),
			algorithm("flex", models.Heuristic, "opt", "opt-mps"),
			algorithm("flex-ls", models.Heuristic, "opt", "opt-mps"),
			algorithm("fair", models.Heuristic, "opt", "opt"),
			algorithm("spt", models.Heuristic, "opt", "opt-mps"),
			algorithm("fifo", models.Heuristic, "opt", "opt"),
		},
	}
}

// Maximize is a maximisation problem with one reference.
func Maximize() *bench.Problem {
	return &bench.Problem{
		Name: "pocd", Title: "Deadlines", Sense: models.Maximize,
		References: []models.Reference{{Name: "opt"}},
		Algorithms: []bench.Algorithm{
			{Name: "opt", Kind: models.Exact, Reference: "opt", Class: "opt"},
			{Name: "shed", Kind: models.Heuristic, Reference: "opt", Class: "opt"},
			{Name: "hopper", Kind: models.Heuristic, Reference: "opt", Class: "opt"},
		},
	}
}

// SHA returns a stand-in for the hash of an instance's file.
func SHA(name string) string {
	h := hex.EncodeToString([]byte(name))
	return h + strings.Repeat("0", max(0, 64-len(h)))
}

// Instances finds instances by hash; names that it does not list are plain quotient instances without features.
type Instances map[string]*bench.Instance

// Find is the Instance function of an input.
func (m Instances) Find(sha256 string) (*bench.Instance, error) {
	if in, ok := m[sha256]; ok {
		if in == nil {
			return nil, fmt.Errorf("instances/%s.json: no such file", sha256)
		}
		return in, nil
	}
	return &bench.Instance{SHA256: sha256}, nil
}

// Add registers an instance.
func (m Instances) Add(name string, c models.Comparison, features map[string]any) {
	in := &bench.Instance{Name: name, SHA256: SHA(name), Comparison: c, Features: features}
	if c != models.Quotient { // values may be 0
		in.Accuracy.Least = 1
	}
	m[SHA(name)] = in
}

// Ptr returns a pointer to a copy of v.
func Ptr[T any](v T) *T { return &v }

// Row is a record of an algorithm of p on the named instance that found nothing, with the given status.
func Row(p *bench.Problem, instance, algorithm string, status bench.Status) bench.Record {
	r := bench.Record{
		UnitID: instance + "/" + algorithm, RunID: "run", Suite: "test", Problem: p.Name, Instance: instance,
		InstanceSHA256: SHA(instance), Source: "generate", Seed: 1, Params: "{}", Algorithm: algorithm,
		Kind: string(models.External), Reference: p.References[0].Name, Augmentation: 1, Status: string(status),
		Sense: p.Sense.String(), TimeLimitSeconds: Ptr(60.0), WallSeconds: Ptr(0.5), NJobs: Ptr(int64(10)),
		StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Host: "node1", CPUModel: "cpu", NCPUs: 2,
		GoVersion: "go1.26", BinaryVersion: "v0",
	}
	if a, _, err := p.Find(algorithm); err == nil {
		r.Kind, r.Reference = string(a.Kind), a.Reference
	}
	return r
}

// Solved is a heuristic's checked solution.
func Solved(p *bench.Problem, instance, algorithm string, objective float64) bench.Record {
	r := Row(p, instance, algorithm, bench.Feasible)
	r.Objective, r.Feasible = &objective, Ptr(true)
	return r
}

// Optimal is a checked solution with a proof.
func Optimal(p *bench.Problem, instance, algorithm string, objective float64) bench.Record {
	r := Solved(p, instance, algorithm, objective)
	r.Status, r.Bound, r.Gap = string(bench.Optimal), &objective, Ptr(0.0)
	r.Solver = Ptr("highs")
	return r
}

// Bounded is a timeout that left a bound and, if objective is not nil, an incumbent.
func Bounded(p *bench.Problem, instance, algorithm string, bound float64, objective *float64) bench.Record {
	r := Row(p, instance, algorithm, bench.Timeout)
	r.Bound, r.Objective, r.Solver = &bound, objective, Ptr("highs")
	r.WallSeconds = Ptr(60.0)
	if objective != nil {
		r.Feasible = Ptr(true)
	}
	return r
}

// Waived is a heuristic's solution that ignores a constraint.
func Waived(p *bench.Problem, instance, algorithm string, objective float64, constraint string) bench.Record {
	r := Solved(p, instance, algorithm, objective)
	r.Waived = constraint
	return r
}
