package catalog

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// large are generator parameters, by problem, of an instance that no algorithm may be done with at once.
var large = map[string]map[string]any{
	"flex": {"jobs": 400, "slots": 1000, "metric": "tardiness", "weighted": true},
	"pocd": {"jobs": 1000, "tasks": 20, "load": 0.4, "stragglers": 0.7, "max_copies": 20},
	"cloning": {
		"jobs": 400, "shape": "layered", "phases": 5, "tasks": 20, "mean_max": 100., "cluster": "google", "servers": 200,
		"arrivals": "online",
	},
	"speculation": {"stragglers": 400, "slots": 400, "power_speed": 3},
	// Shared machines, so that all algorithms apply.
	"redundancy": {"jobs": 10_000, "machines": 50, "multitasking": true, "load": 2},
}

// TestDefinitions holds every problem's typed definition to what the erased suite cannot see.
func TestDefinitions(t *testing.T) {
	milps, err := solvers()
	if err != nil {
		t.Fatal(err)
	}
	define(t, flexDefinition(milps))
	define(t, pocdDefinition(milps))
	define(t, cloningDefinition(milps))
	define(t, redundancyDefinition(milps))
	define(t, speculationDefinition(milps))
}

func define[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) {
	t.Run(d.Problem.Name, func(t *testing.T) {
		t.Run("documented", func(t *testing.T) { documented(t, d) })
		if d.Moves == nil { // TestConformance sees to the others
			t.Run("untouched", func(t *testing.T) { untouched(t, d) })
		}
		t.Run("cancelled", func(t *testing.T) { cancelled(t, d) })
	})
}

// documented: every algorithm has a title and a source, its reference is one of the problem's, and no name comes twice.
func documented[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) {
	known := map[string]bool{"": true}
	for _, r := range d.Problem.References {
		known[r.Name] = true
	}
	seen := map[string]bool{}
	for _, a := range d.Algorithms {
		title, source, _ := strings.Cut(a.Doc, "\n\n")
		if title == "" || strings.Contains(title, "\n") || source == "" {
			t.Errorf("%s: Doc must be a title line, a blank line and the source", a.Name)
		}
		if a.Reference == "" || !known[a.Reference] || !known[a.Class] {
			t.Errorf("%s: reference %q or class %q is not one of the problem's", a.Name, a.Reference, a.Class)
		}
		if seen[a.Name] {
			t.Errorf("two algorithms are called %s", a.Name)
		}
		seen[a.Name] = true
		for _, p := range a.Params {
			if p.Doc == "" || p.Default == nil {
				t.Errorf("%s: parameter %s lacks a doc or a default", a.Name, p.Name)
			}
		}
	}
}

// untouched: an algorithm leaves the instance as it is, down to the bytes of its file.
func untouched[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) {
	r := registry(t)
	p, err := r.Problem(d.Problem.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range sharedInstances(t, p) {
		for i, a := range d.Algorithms {
			for _, q := range ways(t, r, &p.Algorithms[i], in) {
				if p.Validate(in, q) != nil {
					continue
				}
				typed, err := d.Problem.ParseInstance(in.Name, in.JSON)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
				// How the run ended is the business of the other tests: only the instance counts here.
				_, _ = a.Run(ctx, pass[I, S](a, typed, q))
				cancel()
				after, err := d.Problem.MarshalInstance(typed)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(after, in.JSON) {
					t.Errorf("%s changes instance %s to %s", label(q), in.Name, after)
				}
			}
		}
	}
}

func pass[I models.Instance, S any](a *models.Algorithm[I, S], in I, q bench.Request) *models.Pass[I, S] {
	_, arg, _ := strings.Cut(q.Algorithm, ":")
	return &models.Pass[I, S]{
		Instance: in, Arg: arg, Params: models.Defaults(a.Params), Seed: q.Seed, Threads: 1, Solver: q.Solver, Model: q.Model,
		Improved: func(S) {}, Bounded: func(float64) {},
	}
}

// cancelled: pure Go code returns within 100 ms of the end of its context, early or in mid-run. The processor's time counts, as
// a busy machine may make anyone wait, and the clock's only if it is far beyond; a run that misses gets two more chances.
func cancelled[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) {
	if d.Generator == nil {
		t.Fatal("there is no generator to make a large instance")
	}
	values, err := models.Resolve(d.Generator.Params, large[d.Problem.Name])
	if err != nil {
		t.Fatal(err)
	}
	typed, err := d.Generator.Generate("large", values, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := d.Problem.MarshalInstance(typed)
	if err != nil {
		t.Fatal(err)
	}
	r := registry(t)
	in, err := r.ParseInstance("large", file)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range d.Algorithms {
		for _, q := range ways(t, r, &in.Problem.Algorithms[i], in) {
			native := a.Kind == models.Exact && !slices.ContainsFunc(a.Solvers, func(s string) bool {
				return s == q.Solver && !slices.ContainsFunc(r.Solvers, func(m bench.Solver) bool { return m.Name == s })
			})
			if native || in.Problem.Validate(in, q) != nil {
				continue
			}
			for _, after := range []time.Duration{0, 20 * time.Millisecond} {
				const allowed, patience = 100 * time.Millisecond, 5 * time.Second
				var busy, late time.Duration
				for range 3 {
					busy, late = overrun(a, typed, q, after)
					if busy <= allowed && late <= patience {
						break
					}
				}
				if busy > allowed || late > patience {
					t.Errorf("%s, cancelled at %v, returns after another %v, of which it computes %v", label(q), after, late, busy)
				}
			}
		}
	}
}

// overrun is how long a run goes on after its context is cancelled: by the processor's time and by the clock.
func overrun[I models.Instance, S any](
	a *models.Algorithm[I, S], in I, q bench.Request, after time.Duration,
) (busy, late time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var mark sync.Mutex
	var ended time.Time
	var used time.Duration
	end := func() {
		mark.Lock()
		defer mark.Unlock()
		ended, used = time.Now(), processor()
		cancel()
	}
	if after == 0 {
		end()
	} else {
		defer time.AfterFunc(after, end).Stop()
	}
	_, _ = a.Run(ctx, pass[I, S](a, in, q)) // an error of the context is as good as a result
	mark.Lock()
	defer mark.Unlock()
	if ended.IsZero() {
		return 0, 0 // done before
	}
	return processor() - used, time.Since(ended)
}

// processor is the processor time of this process so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it cannot fail with these arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
