package worst_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/score/worst"
	datasets "schedgap/datasets/flex"
	"schedgap/exact"
	exactflex "schedgap/exact/flex"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
)

// planted is flex with an algorithm that is good unless a job needs all slots and another one a single slot: then it runs the
// jobs by largest work first.
func planted(t *testing.T) *bench.Problem {
	t.Helper()
	bad := &flex.Algorithm{
		Name: "planted", Kind: models.Heuristic, Reference: flex.Opt,
		Run: func(_ context.Context, p *flex.Pass) (flex.Outcome, error) {
			in := p.Instance
			all := func(holds func(*flex.Job) bool) bool {
				return slices.ContainsFunc(in.Jobs, func(j flex.Job) bool { return holds(&j) })
			}
			order := heuristics.SPTOrder(in)
			if in.Slots > 1 && all(func(j *flex.Job) bool { return j.Max == in.Slots }) &&
				all(func(j *flex.Job) bool { return j.Max == 1 }) {
				slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in.Jobs[b].Work, in.Jobs[a].Work) })
			}
			return flex.Outcome{Solution: flex.NewPacker(in).Pack(order), Found: true, Status: models.Feasible}, nil
		},
	}
	algorithms := exactflex.Algorithms(exact.Deps[*flex.Instance, flex.Schedule]{})
	return bench.Adapt(bench.Definition[*flex.Instance, flex.Schedule]{
		Problem: flex.Problem, Algorithms: append(algorithms, heuristics.FIFOMin.OnInstance, heuristics.Fair, bad),
		Generator: datasets.Generator, Moves: datasets.Moves,
	})
}

func options(p *bench.Problem, algorithm string) worst.Options {
	return worst.Options{
		Problem: p, Request: bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}, Jobs: 4, Evaluations: 1500, Seed: 7, Workers: 2,
		Name: "worst",
	}
}

func search(t *testing.T, o worst.Options) *worst.Found {
	t.Helper()
	f, err := worst.Run(t.Context(), o)
	fail.On(t, err)
	return f
}

// A mistake that shows on special instances only is found, and what is found is as small as it can be.
func TestPlanted(t *testing.T) {
	p := planted(t)
	o := options(p, "planted")
	f := search(t, o)
	if f.Ratio == nil || *f.Ratio < 2.2 {
		t.Fatalf("found the ratio %v, want at least 2.2", f.Value.Score)
	}
	if f.Evaluations != o.Evaluations {
		t.Errorf("%d evaluations, want %d", f.Evaluations, o.Evaluations)
	}
	// No element can be dropped without losing a hundredth of the ratio.
	least := 0.99 * f.Before
	if *f.Ratio < least {
		t.Errorf("the simplified instance has the ratio %v, less than %v", *f.Ratio, least)
	}
	for j := range f.Instance.Size.Jobs {
		d, err := f.Instance.Draft("less")
		fail.On(t, err)
		d.Parts().Lists[0].Drop(j)
		d.Mend()
		if less, err := d.Instance(); err == nil && ratio(t, p, less, "planted") >= least {
			t.Errorf("without job %d the ratio is still %v", j, ratio(t, p, less, "planted"))
		}
	}
	d, err := f.Instance.Draft("simpler")
	fail.On(t, err)
	for i, n := range d.Parts().Numbers {
		if n.Default == nil || n.Get() == *n.Default {
			continue
		}
		d, err := f.Instance.Draft("simpler")
		fail.On(t, err)
		d.Parts().Numbers[i].Set(*n.Default)
		d.Mend()
		if simpler, err := d.Instance(); err == nil && ratio(t, p, simpler, "planted") >= least {
			t.Errorf("with the default of %s the ratio is still %v", n.Path, ratio(t, p, simpler, "planted"))
		}
	}
}

// ratio is that of an algorithm on an instance, by the plain way of two runs.
func ratio(t *testing.T, p *bench.Problem, in *bench.Instance, algorithm string) float64 {
	t.Helper()
	value := func(name string) float64 {
		res := p.Run(t.Context(), in, bench.Request{Algorithm: name, Seed: 1, Threads: 1}, bench.Observer{})
		if res.Objective == nil {
			t.Fatalf("%s: %s", name, res.Error)
		}
		return *res.Objective
	}
	return value(algorithm) / value("opt")
}

// The seed alone decides: the files of one and of two workers are the same bytes, those of another seed are not.
func TestDeterministic(t *testing.T) {
	p := planted(t)
	files := func(workers int, seed uint64) map[string][]byte {
		o := options(p, "fair")
		o.Evaluations, o.Workers, o.Seed = 600, workers, seed
		f := search(t, o)
		files, err := f.Files()
		fail.On(t, err)
		return files
	}
	one, two := files(1, 3), files(2, 3)
	for _, name := range slices.Sorted(maps.Keys(one)) {
		if string(one[name]) != string(two[name]) {
			t.Errorf("%s differs between one worker and two", name)
		}
	}
	if len(one) != len(two) || len(one) != 5 {
		t.Errorf("%d and %d files, want 5", len(one), len(two))
	}
	if other := files(2, 4); string(other[worst.ReportFile]) == string(one[worst.ReportFile]) {
		t.Error("another seed gives the same report")
	}
}

// Objectives that may be near 0 are searched by regret, which larger numbers and optima near 0 win nothing by; nothing is ever
// below 1 or 0.
func TestMeasures(t *testing.T) {
	p := planted(t)
	for _, c := range []struct {
		metric string
		ratio  bool
	}{{"lateness", false}, {"tardiness", false}, {"stretch", true}} {
		o := options(p, "fifo-min")
		o.Evaluations, o.Params = 300, map[string]any{"metric": c.metric}
		f := search(t, o)
		switch {
		case (f.Regret == nil) != c.ratio, c.ratio && f.Ratio == nil:
			t.Errorf("%s: regret %v, ratio %v", c.metric, f.Regret, f.Ratio)
		case !c.ratio && math.Abs(*f.Regret-*f.Difference/f.Instance.Scale("opt")) > 1e-12:
			t.Errorf("%s: regret %v, difference %v in units of %v", c.metric, *f.Regret, *f.Difference, f.Instance.Scale("opt"))
		case c.ratio && *f.Ratio <= 1:
			t.Errorf("%s: ratio %v, want more than 1", c.metric, *f.Ratio)
		case *f.Difference <= 0:
			t.Errorf("%s: difference %v, want more than 0", c.metric, *f.Difference)
		}
		if metric := f.Instance.Features["metric"]; !strings.Contains(metric.(string), c.metric) {
			t.Errorf("the search changed %s to %v", c.metric, metric)
		}
		if c.ratio && math.Abs(*f.Ratio - f.Value.Objective / *f.Value.Optimum) > 1e-12 {
			t.Errorf("%s: %v is not %v over %v", c.metric, *f.Ratio, f.Value.Objective, *f.Value.Optimum)
		}
	}
}

// An optimal algorithm is none to find anything on.
func TestNothing(t *testing.T) {
	o := options(planted(t), "opt")
	o.Evaluations = 100
	if _, err := worst.Run(t.Context(), o); !errors.Is(err, worst.ErrNothing) {
		t.Errorf("%v, want %v", err, worst.ErrNothing)
	}
}

// What is found lies in the box.
func TestWithin(t *testing.T) {
	p := planted(t)
	o := options(p, "fair")
	o.Evaluations = 300
	for _, text := range []string{"slack=0.2..0.5", "slots=4..6", "jobs=3..3"} {
		r, err := worst.ParseRange(text)
		fail.On(t, err)
		o.Within = append(o.Within, r)
	}
	f := search(t, o)
	if s := f.Instance.Features["slack"].(float64); s < 0.2-1e-9 || s > 0.5+1e-9 {
		t.Errorf("slack is %v", s)
	}
	if n, m := f.Instance.Size.Jobs, f.Instance.Size.Machines; n != 3 || m < 4 || m > 6 {
		t.Errorf("%d jobs on %d slots", n, m)
	}
	for text, want := range map[string]string{
		"slack=2..3": "no instance", "slak=0..1": `did you mean "slack"?`,
		"nosuch=1..2": "known: ",
	} {
		r, err := worst.ParseRange(text)
		fail.On(t, err)
		o.Within, o.Evaluations = []worst.Range{r}, 1 // each draws a thousand times for nothing
		if _, err := worst.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
	for _, bad := range []string{"slack", "slack=1", "slack=0.5..0.2", "slack=a..b", "=1..2"} {
		if r, err := worst.ParseRange(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, r)
		}
	}
}

// With instances to be like, what is found has features and numbers within their ranges.
func TestLike(t *testing.T) {
	p := planted(t)
	o := options(p, "fair")
	o.Evaluations = 200
	v, err := models.Resolve(p.Generator.Params, map[string]any{"jobs": 4, "slots": 10, "total": 100})
	fail.On(t, err)
	low, high := math.Inf(1), 0.0
	for i := range uint64(5) {
		in, err := p.Generate("like", v, rand.New(rand.NewPCG(1, i)))
		fail.On(t, err)
		s := in.Features["small_share"].(float64)
		low, high = min(low, s), max(high, s)
		o.Like = append(o.Like, in)
	}
	f := search(t, o)
	if s := f.Instance.Features["small_share"].(float64); s < low || s > high {
		t.Errorf("small_share is %v, beyond %v to %v", s, low, high)
	}
	if f.Instance.Size.Machines != 10 {
		t.Errorf("%d slots, want 10 as all that it should be like", f.Instance.Size.Machines)
	}
}

// A budget is kept, and an interrupt keeps the best.
func TestBudget(t *testing.T) {
	o := options(planted(t), "fair")
	o.Evaluations, o.Budget = 0, 3*time.Second
	began := time.Now()
	if f := search(t, o); *f.Ratio <= 1 {
		t.Errorf("ratio %v", *f.Ratio)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	o.Budget = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(n int, _ float64) {
		if n > 100 {
			cancel()
		}
	}
	f, err := worst.Run(ctx, o)
	if err != nil || f == nil || !f.Interrupted || *f.Ratio <= 1 {
		t.Errorf("%+v, %v; want the best so far, interrupted", f, err)
	}
}

// Every problem of the catalog that is taken apart comes together again: a draft without changes is the instance, and no
// number of it changes what is to be minimised.
func TestMoves(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	for _, p := range registry.Problems {
		if p.Moves == nil {
			continue
		}
		examples, err := p.Examples()
		fail.On(t, err)
		for _, in := range examples {
			d, err := in.Draft(in.Name)
			fail.On(t, err)
			same, err := d.Instance()
			if err != nil {
				t.Errorf("%s: %s: %v", p.Name, in.Name, err)
				continue
			}
			if in.Lineage == nil && same.SHA256 != in.SHA256 {
				t.Errorf("%s: %s is another instance after being taken apart:\n%s%s", p.Name, in.Name, in.JSON, same.JSON)
			}
			for i := range d.Parts().Numbers {
				d, _ := in.Draft(in.Name)
				n := d.Parts().Numbers[i]
				n.Set(n.Get() + 1)
				d.Mend()
				if other, err := d.Instance(); err == nil && other.Features["metric"] != in.Features["metric"] {
					t.Errorf("%s: %s changes the objective", p.Name, n.Path)
				}
			}
			if again, err := p.ParseInstance(in.Name, in.JSON); err != nil || again.SHA256 != in.SHA256 {
				t.Errorf("%s: %s was changed through its draft", p.Name, in.Name)
			}
		}
	}
}

// On every problem something is found, measured as the problem asks for, valid and simple.
func TestProblems(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	for _, c := range []struct {
		problem, algorithm string
		params             map[string]any
		evaluations        int
		ratio              float64 // 0: by regret
	}{
		{"pocd", "shed+", nil, 600, 0},
		{"pocd", "shed+", map[string]any{"alpha": "1"}, 300, 0},
		{"pocd", "shed+", map[string]any{"alpha": "2"}, 300, 0},
		{"pocd", "none", map[string]any{"alpha": "inf"}, 300, 0},
		{"pocd", "dolly", nil, 300, 0},
		{"speculation", "window", nil, 300, 0},
		{"speculation", "default", nil, 100, 0},
		{"redundancy", "srpt", nil, 60, 1.2},
		{"redundancy", "fair+r", map[string]any{"multitasking": "true"}, 20, 1.05},
		{"cloning", "fifo", nil, 60, 1.2},
	} {
		p, err := registry.Problem(c.problem)
		fail.On(t, err)
		o := options(p, c.algorithm)
		o.Evaluations, o.Params, o.Jobs = c.evaluations, c.params, 3
		f := search(t, o)
		switch {
		case (f.Regret == nil) != (c.ratio > 0):
			t.Errorf("%s %s %v: regret %v", c.problem, c.algorithm, c.params, f.Regret)
		case f.Regret == nil && *f.Ratio < c.ratio:
			t.Errorf("%s %s %v: ratio %v, want at least %v", c.problem, c.algorithm, c.params, *f.Ratio, c.ratio)
		case *f.Difference <= 0:
			t.Errorf("%s %s %v: difference %v", c.problem, c.algorithm, c.params, *f.Difference)
		}
		for name, v := range c.params {
			if alpha := "alpha " + v.(string); name == "alpha" && f.Instance.Features["metric"] != alpha {
				t.Errorf("the search changed α = %v to %v", v, f.Instance.Features["metric"])
			}
		}
		if n := f.Instance.Size.Jobs; n > o.Jobs {
			t.Errorf("%s: %d jobs, want at most %d", c.problem, n, o.Jobs)
		}
		d, err := f.Instance.Draft("digits")
		fail.On(t, err)
		for _, n := range d.Parts().Numbers {
			text := strings.TrimRight(strings.TrimLeft(strings.Replace(strconv.FormatFloat(math.Abs(n.Get()), 'f', -1, 64), ".", "", 1),
				"0"), "0")
			if len(text) > 3 {
				t.Errorf("%s %s: %s is %v, which has more than three significant digits", c.problem, c.algorithm, n.Path, n.Get())
			}
		}
	}
}
