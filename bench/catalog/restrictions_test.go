package catalog

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/models"
)

// edited is an instance whose file is edited, read again.
func edited(t *testing.T, in *bench.Instance, edit func(file map[string]any)) *bench.Instance {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(in.JSON, &file); err != nil {
		t.Fatal(err)
	}
	edit(file)
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := in.Problem.ParseInstance(in.Name, data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fewerCopies edits the file of an instance by hand.
var fewerCopies = map[string]func(file map[string]any, most int){
	"cloning": func(file map[string]any, most int) {
		file["max_copies"] = min(float64(most), file["max_copies"].(float64))
		file["max_copies_per_server"] = min(float64(most), file["max_copies_per_server"].(float64))
		for _, j := range file["jobs"].([]any) {
			for _, p := range j.(map[string]any)["phases"].([]any) {
				if h, has := p.(map[string]any)["speedup"].([]any); has {
					p.(map[string]any)["speedup"] = h[:min(most, len(h))]
				}
			}
		}
	},
	"redundancy": func(file map[string]any, most int) {
		h := file["speedup"].([]any)
		for i := most; i < len(h); i++ {
			h[i] = h[most-1]
		}
	},
}

// TestRestrictions: a restriction never helps, more of it never helps more, and the optimum of the restricted class is that of the
// instance whose file was edited by hand. The solutions are solutions of the instance as it is, with the same value.
func TestRestrictions(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	chains := map[string][][]string{
		"flex":       {{"opt", "opt-mps"}, {"opt", "opt-moldable"}},
		"cloning":    {{"opt", "opt@copies=3", "opt@copies=2", "opt@copies=1", "opt-nonpreemptive@copies=1"}, {"opt", "opt-nonpreemptive", "opt-nonpreemptive@copies=1"}},
		"redundancy": {{"opt", "opt@copies=3", "opt@copies=2", "opt@copies=1", "opt@copies=1@sharing=1"}, {"opt", "opt@sharing=1", "opt@copies=1@sharing=1"}},
	}
	params := map[string]map[string]any{
		"flex": {"jobs": 4}, "cloning": {"jobs": 3, "max_copies": 3, "shape": "mapreduce"},
		"redundancy": {"jobs": 4, "multitasking": true, "speedup": "pareto"},
	}
	for name, lists := range chains {
		p, err := registry.Problem(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := models.Resolve(p.Generator.Params, params[name])
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(5) {
			in, err := p.Generate(fmt.Sprint("restricted-", i), v, rand.New(rand.NewPCG(60, i)))
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]float64{}
			value := func(in *bench.Instance, algorithm string) float64 {
				res := p.Run(t.Context(), in, bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}, bench.Observer{})
				if res.Status != bench.Optimal || res.Reference != algorithm || len(res.Proof) > 0 {
					t.Fatalf("%s on %s: %s of %s: %s", algorithm, in.JSON, res.Status, res.Reference, res.Error)
				}
				rep, err := in.Check("solution", res.Solution)
				if err != nil || rep.Worst(nil) != nil || !in.Accuracy.Same(*rep.Objective, *res.Objective) {
					t.Fatalf("%s on %s: the solution is none of the instance: %v, %v", algorithm, in.JSON, err, rep)
				}
				return *res.Objective
			}
			for _, chain := range lists {
				for k, algorithm := range chain {
					if values[algorithm] == 0 {
						values[algorithm] = value(in, algorithm)
					}
					if k > 0 && values[algorithm] < values[chain[k-1]]*(1-1e-9) {
						t.Errorf("%s: %s is %v, and %s is %v: %s", name, algorithm, values[algorithm], chain[k-1], values[chain[k-1]], in.JSON)
					}
					if k > 0 && !p.ReferenceWithin(algorithm, chain[k-1]) {
						t.Errorf("%s: %s is not within %s", name, algorithm, chain[k-1])
					}
				}
			}
			for most := 1; most <= 3 && fewerCopies[name] != nil; most++ {
				want := value(edited(t, in, func(file map[string]any) { fewerCopies[name](file, most) }), "opt")
				if got := values[fmt.Sprintf("opt@copies=%d", most)]; !in.Accuracy.Same(got, want) {
					t.Errorf("%s with %d copies: %v, the edited file %v: %s", name, most, got, want, in.JSON)
				}
			}
		}
	}
}

// TestBlind: what a rule that does not know works does before a job ends, or its first task, does not depend on its work. Each job
// in turn gets more of it, and all that happens before must stay as it is.
func TestBlind(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	kind := map[string]string{"flex": "work", "redundancy": "work", "cloning": "mean"}
	known := map[string]bool{"srpt": true, "srpt+r": true, "svf": true, "spt": true} // those that look
	params := map[string]map[string]any{"cloning": {"shape": "single", "jobs": 5, "arrivals": "online"}, "redundancy": {"multitasking": true}}
	for _, p := range registry.Problems {
		blind := slices.DeleteFunc(slices.Clone(p.Algorithms), func(a bench.Algorithm) bool { return !a.Blind })
		if (len(blind) > 0) != (kind[p.Name] != "") {
			t.Errorf("%s has %d rules that do not know works", p.Name, len(blind))
		}
		for _, a := range p.Algorithms {
			if kind[p.Name] == "" || a.Kind != models.Heuristic || a.Arg != "" && a.Arg != "BETA" || !a.Blind && !known[a.Name] {
				continue
			}
			differs := false
			for i := range uint64(20) {
				differs = differs || changes(t, p, a, kind[p.Name], params[p.Name], i)
			}
			if a.Blind && differs {
				t.Errorf("%s of %s looks at works", a.Name, p.Name)
			}
			if known[a.Name] && !differs {
				t.Errorf("%s of %s does not look at works, as far as the test sees", a.Name, p.Name)
			}
		}
	}
}

// changes reports whether a rule does anything else before a job ends when that job gets more work.
func changes(t *testing.T, p *bench.Problem, a bench.Algorithm, kind string, params map[string]any, i uint64) bool {
	t.Helper()
	v, err := models.Resolve(p.Generator.Params, params)
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Generate("blind", v, rand.New(rand.NewPCG(61, i)))
	if err != nil {
		t.Fatal(err)
	}
	name := a.Name
	if a.Arg != "" {
		name += ":0.5"
	}
	bars := func(in *bench.Instance) (list []models.Bar) {
		res := p.Run(t.Context(), in, bench.Request{Algorithm: name, Seed: 1, Threads: 1}, bench.Observer{})
		if res.Status == bench.Skipped {
			return nil
		}
		chart, err := in.Chart("solution", res.Solution)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range chart.Bars {
			if b.Job == "" {
				b.Job = b.Lane
			}
			list = append(list, b)
		}
		return list
	}
	before := bars(in)
	if len(before) == 0 {
		return false
	}
	for _, job := range jobs(before) {
		end := 0.0 // until then nothing tells how much work the job has
		for _, b := range before {
			if b.Job == job && (end == 0 || kind == "work" && b.End > end || kind != "work" && b.End < end) {
				end = b.End
			}
		}
		longer := edited(t, in, func(file map[string]any) {
			for _, j := range file["jobs"].([]any) {
				if j := j.(map[string]any); j["id"] == job {
					if kind == "work" {
						j["work"] = 3 * j["work"].(float64)
					} else {
						phase := j["phases"].([]any)[0].(map[string]any)
						phase["mean"] = 3 * phase["mean"].(float64)
					}
				}
			}
		})
		cut := func(list []models.Bar) (out []string) {
			for _, b := range list {
				if b.Start < end*(1-1e-9) {
					out = append(out, fmt.Sprintf("%s %s %.9g %.9g %v", b.Lane, b.Job, b.Start, min(b.End, end), b.Amount))
				}
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		if !slices.Equal(cut(before), cut(bars(longer))) {
			return true
		}
	}
	return false
}

func jobs(bars []models.Bar) (list []string) {
	for _, b := range bars {
		list = append(list, b.Job)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
