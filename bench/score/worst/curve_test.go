package worst_test

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/score/worst"
	"schedgap/models/fail"
)

// memory is a shelf that calls hook before it writes.
func memory(files map[string][]byte, hook func(name string)) worst.Shelf {
	return worst.Shelf{
		Read: func(name string) ([]byte, error) { return files[name], nil },
		Write: func(name string, data []byte) error {
			hook(name)
			files[name] = data
			return nil
		},
	}
}

// problem is a problem of the catalog.
func problem(tb testing.TB, name string) *bench.Problem {
	tb.Helper()
	registry, err := catalog.New()
	fail.On(tb, err)
	p, err := registry.Problem(name)
	fail.On(tb, err)
	return p
}

// A point is at least as bad as every other point's instance shows; an interrupted curve goes on to the same files; what is stored is
// proven again, and a changed number is found.
func TestCurve(t *testing.T) {
	p := problem(t, "redundancy")
	o := options(p, "srpt+r")
	o.Jobs, o.Evaluations, o.Params = 3, 60, map[string]any{}
	axis, err := worst.ParseAxis("speed=1,1.2,1.5")
	fail.On(t, err)
	whole := map[string][]byte{}
	c, err := worst.Trace(t.Context(), o, axis, memory(whole, func(string) {}))
	fail.On(t, err)
	if c.Points[0].File == "" {
		t.Fatal("nothing is found at speed 1")
	}
	for i, at := range c.Points {
		for _, from := range c.Points {
			if at.File == "" || from.File == "" {
				continue
			}
			var file map[string]any
			fail.On(t, json.Unmarshal(whole[from.File], &file))
			file["speed"] = at.At
			data, err := json.Marshal(file)
			fail.On(t, err)
			in, err := p.ParseInstance("moved", data)
			fail.On(t, err)
			if r := ratio(t, p, in, "srpt+r"); r > *at.Ratio*(1+1e-9) {
				t.Errorf("at speed %v the ratio is %v, but the instance of %v has %v there", at.At, *at.Ratio, from.At, r)
			}
		}
		if at.Random != nil && (at.Ratio == nil || *at.Ratio < *at.Random*(1-1e-9)) {
			t.Errorf("at speed %v a random instance is worse than the worst: %+v", at.At, at)
		}
		if i == 0 && (*at.EqualRatio != *at.Ratio || at.Bound != nil) {
			t.Errorf("at speed 1: %+v", at)
		}
		if i > 0 && at.Bound != nil && (!at.Shape || at.CounterExample) {
			t.Errorf("the paper's bound at speed %v has no constant: %+v", at.At, at)
		}
		if at.EqualOptimum != nil && *at.EqualOptimum > *at.Optimum*(1+1e-9) {
			t.Errorf("faster machines make the optimum worse: %+v", at)
		}
	}

	parts := map[string][]byte{}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := worst.Trace(ctx, o, axis, memory(parts, func(name string) {
		if name == worst.CurveFile {
			cancel()
		}
	})); err == nil {
		t.Error("an interrupted curve has no error")
	}
	if _, err := worst.Trace(t.Context(), o, axis, memory(parts, func(name string) {
		if name == "searched-1.json" {
			t.Error("what was done is searched again")
		}
	})); err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(whole, parts, func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Error("an interrupted curve has other files")
	}

	shelf := memory(whole, func(string) {})
	if err := worst.Recheck(t.Context(), p, c, shelf); err != nil {
		t.Error(err)
	}
	changed := *c
	changed.Points = append([]worst.Point{}, c.Points...)
	changed.Points[0].Optimum = new(*c.Points[0].Optimum * 0.99)
	if err := worst.Recheck(t.Context(), p, &changed, shelf); err == nil || !strings.Contains(err.Error(), "optimum") {
		t.Errorf("a changed optimum: %v", err)
	}
	// A file with more points than values is bad input, and so is a curve over speed of a problem that has none.
	damaged := maps.Clone(whole)
	longer := *c
	longer.Points = append([]worst.Point{{}}, c.Points...)
	damaged[worst.CurveFile], err = json.Marshal(longer)
	fail.On(t, err)
	if _, err := worst.Trace(t.Context(), o, axis, memory(damaged, func(string) {})); err == nil || !strings.Contains(err.Error(), "4 points") {
		t.Errorf("four points at three values: %v", err)
	}
	if err := worst.Recheck(t.Context(), problem(t, "flex"), c, shelf); err == nil || !strings.Contains(err.Error(), "over jobs only") {
		t.Errorf("flex on machines of other speeds: %v", err)
	}
	o.Seed++
	if _, err := worst.Trace(t.Context(), o, axis, shelf); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("another seed on the same shelf: %v", err)
	}
	for _, bad := range []string{"speed", "speed=0.5", "speed=2,1", "jobs=2..x", "jobs=1.5", "size=1", "jobs=2..3@0.5", "jobs=2..3@x", "speed=1@2"} {
		if _, err := worst.ParseAxis(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// With a factor in the instance's place, the equal optimum is that of an instance with more.
func TestEqual(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	for _, p := range registry.Problems {
		if p.Augmentation == nil {
			continue
		}
		list, err := p.Examples()
		fail.On(t, err)
		value := func(in *bench.Instance) float64 {
			return *p.Run(t.Context(), in, bench.Request{Algorithm: "opt", Seed: 1, Threads: 1}, bench.Observer{}).Objective
		}
		for _, in := range list[:3] {
			same, err := p.Augmentation.Equal(in, 1)
			fail.On(t, err)
			more, err := p.Augmentation.Equal(in, 2)
			fail.On(t, err)
			if a, b := value(in), value(same); !in.Accuracy.Same(a, b) || value(more) > a*(1+1e-9) {
				t.Errorf("%s: %v, with the factor 1 %v, with 2 %v", in.Name, a, b, value(more))
			}
		}
	}
}

// A curve over jobs at a speed has that speed at each point, in the instance or as the algorithm's parameter, and the bound there.
func TestJobsAtSpeed(t *testing.T) {
	for name, algorithm := range map[string]string{"redundancy": "srpt+r", "cloning": "dollymp2"} {
		p := problem(t, name)
		o := options(p, algorithm)
		o.Evaluations, o.Params = 20, map[string]any{}
		if name == "cloning" {
			o.Params = map[string]any{"cluster": "single", "cv_from": 0, "cv_to": 0}
		}
		fail.On(t, p.Resolve(&o.Request))
		axis, err := worst.ParseAxis("jobs=2..3@2.5")
		fail.On(t, err)
		shelf := memory(map[string][]byte{}, func(string) {})
		c, err := worst.Trace(t.Context(), o, axis, shelf)
		fail.On(t, err)
		for _, at := range c.Points {
			if at.File == "" {
				t.Fatalf("%s: nothing is found at %v jobs", name, at.At)
			}
			if *at.EqualOptimum > *at.Optimum || at.Bound == nil || *at.Ratio < 1/2.5 {
				t.Errorf("%s: the optimum %v, at equal speed %v, bound %v", name, *at.Optimum, *at.EqualOptimum, at.Bound)
			}
			data, err := shelf.Read(at.File)
			fail.On(t, err)
			if name == "redundancy" && !strings.Contains(string(data), `"speed":2.5`) {
				t.Errorf("%s has another speed: %s", at.File, data)
			}
		}
		if err := worst.Recheck(t.Context(), p, c, shelf); err != nil {
			t.Error(err)
		}
	}
}

// The means of a curve are over the same instances: one on which a rule has no schedule at one speed counts at none.
func TestCurveOfSuite(t *testing.T) {
	p := problem(t, "redundancy")
	o := options(p, "fair")
	o.Jobs, o.Evaluations, o.Params = 2, 5, map[string]any{}
	for name, jobs := range map[string]string{
		"one": `{"id": "a", "arrival": 0, "work": 4}`,
		// At speed 1 the jobs would have to share the machine; at speed 2 the first is done when the second arrives.
		"two": `{"id": "a", "arrival": 0, "work": 4}, {"id": "b", "arrival": 3, "work": 4}`,
	} {
		in, err := p.ParseInstance(name, []byte(`{"problem": "redundancy", "version": 1, "name": "`+name+
			`", "machines": 1, "multitasking": false, "speed": 1, "speedup": [1], "jobs": [`+jobs+`]}`))
		fail.On(t, err)
		o.Suite = append(o.Suite, in)
	}
	axis, err := worst.ParseAxis("speed=1,2")
	fail.On(t, err)
	c, err := worst.Trace(t.Context(), o, axis, memory(map[string][]byte{}, func(string) {}))
	fail.On(t, err)
	for i, want := range []float64{1, .5} {
		if p := c.Points[i]; p.SuiteMean == nil || *p.SuiteMean != want || p.SuiteSize != 1 || p.SuiteDeclined != 1 {
			t.Errorf("at speed %v: %+v", p.At, p)
		}
	}
}
