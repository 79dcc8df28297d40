package ratio_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// The rows of instances by hand: who has the value and the bound, the gap between them, and whose proof was accepted. A command's value
// that is beyond the optimum by rounding changes nobody's.
func TestInstanceRows(t *testing.T) {
	proven := fake.Optimal(flex, "c", "opt", 8)
	proven.ProofVerified = fake.Ptr(string(bench.ProvenOptimum))
	other := fake.Solved(flex, "b", "fair", 10)
	other.ProofVerified = fake.Ptr(string(bench.ProvenOptimum)) // of a value that is not the optimum
	records := []bench.Record{
		fake.Bounded(flex, "a", "lb", 8, nil), fake.Solved(flex, "a", "fair", 10), fake.Solved(flex, "a", "flex", 12),
		fake.Optimal(flex, "b", "opt", 8), other, proven, fake.Row(flex, "d", "fair", bench.Crash),
		fake.Bounded(flex, "e", "lb", 20, nil), fake.Optimal(flex, "e", "opt", 10),
		fake.Solved(flex, "f", "a command", 8-4e-9), fake.Optimal(flex, "f", "opt", 8),
	}
	for i := range records {
		if r := &records[i]; r.Instance != "d" {
			r.NJobs, r.NTasks, r.NMachines = fake.Ptr(int64(3)), fake.Ptr(int64(5)), fake.Ptr(int64(2))
		} else {
			r.NJobs = nil
		}
	}
	set := compare(t, nil, records...)
	var file bytes.Buffer
	fail.On(t, set.WriteInstances(t.Context(), &file))
	rows, err := parquet.Read[ratio.InstanceRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
	fail.On(t, err)
	var got []string
	for _, r := range rows {
		if r.Reference != "opt" {
			continue
		}
		text, err := json.Marshal([]any{r.Instance, r.NJobs, r.NTasks, r.NMachines, r.BestValue, r.ValueBy, r.BestBound, r.BoundBy, r.Proven, r.Verified, r.Gap, r.Trouble != nil})
		fail.On(t, err)
		got = append(got, string(text))
	}
	want := []string{
		`["a",3,5,2,10,"fair",8,"lb",false,false,0.2,false]`, `["b",3,5,2,8,"opt",8,"opt",true,false,0,false]`,
		`["c",3,5,2,8,"opt",8,"opt",true,true,0,false]`, `["d",null,null,null,null,null,null,null,false,false,null,false]`,
		`["e",3,5,2,null,null,null,null,false,false,null,true]`, `["f",3,5,2,8,"opt",8,"opt",true,false,0,false]`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, in := range set.Problems[0].Instances {
		if n := in.Jobs(); n != 3 && !(in.Name == "d" && math.IsNaN(n)) {
			t.Errorf("%s has %v jobs", in.Name, n)
		}
		for _, u := range in.Units {
			if d := set.Problems[0].Distance(u, "opt"); in.Name == "f" && (d.RatioLo != 1 || d.DifferenceLo != 0) {
				t.Errorf("f, %s: %v times the optimum, %v more", u.Algorithm, d.RatioLo, d.DifferenceLo)
			}
		}
	}
}

// Of factors those divide instances of a kind of which there are several values, not more than twelve, in the order of numbers; they are
// axes instead of features of their names. What another suite varies has its default.
func TestFactors(t *testing.T) {
	problem := func() *bench.Problem {
		p := fake.Problem()
		p.Generator = &bench.Source{Params: []models.Param{{Name: "load", Default: 5}, {Name: "spread", Default: "wide"}, {Name: "size", Default: int64(6)}}}
		p.Deriver = &bench.Source{Params: []models.Param{{Name: "load", Default: 0.5}}}
		return p
	}
	type instance struct{ name, source, factors string } // empty factors: none are recorded
	var loads []instance
	for i := range 13 {
		loads = append(loads, instance{string(rune('a' + i)), "generate", fmt.Sprintf(`{"load":%d}`, 13-i)})
	}
	strata := func(from, to int) (list []string) {
		for i := from; i <= to; i++ {
			list = append(list, fmt.Sprintf("load=%d", i))
		}
		return list
	}
	for _, c := range []struct {
		name      string
		instances []instance
		strata    []string
		axes      string // of the instances in their order; all have the features load 1000 and word x
		warning   string
	}{
		{
			"in the order of numbers, as JSON writes them; one value divides nothing",
			[]instance{{"a", "generate", `{"load":1000000,"same":1}`}, {"b", "generate", `{"load":9,"same":1}`}, {"c", "generate", `{"load":10,"same":1}`}},
			[]string{"load=9", "load=10", "load=1000000"},
			`[{"load":1000000,"word":"x"},{"load":9,"word":"x"},{"load":10,"word":"x"}]`, "",
		},
		{"twelve values", loads[:12], strata(2, 13), "", ""},
		{
			"thirteen values", loads, nil, "",
			"flex has 13 values of load, which are pooled: up to 12 are reported one by one",
		},
		{
			"not recorded, or not by schedgap: the feature is another quantity, but in files, which have no such factor",
			[]instance{{"a", "generate", `{"load":2}`}, {"b", "generate", `{"load":1}`}, {"c", "generate", ""}, {"d", "generate", "[1]"}, {"e", "files", ""}},
			[]string{"load not recorded", "load=1", "load=2"},
			`[{"load":2,"word":"x"},{"load":1,"word":"x"},{"word":"x"},{"word":"x"},{"load":1000,"word":"x"}]`, "",
		},
		{
			"defaults of the generator, of a trace, and of files, which have none",
			[]instance{
				{"a", "generate", `{"load":2,"size":1}`},
				{"b", "generate", `{"spread":"low"}`},
				{"c", "google", `{"n":1}`},
				{"d", "google", `{"load":3}`},
				{"e", "files", `{"n":1}`},
			},
			[]string{"load=0.5", "load=2, size=1, spread=wide", "load=3", "load=5, size=6, spread=low"},
			`[{"load":2,"size":1,"spread":"wide","word":"x"},{"load":5,"size":6,"spread":"low","word":"x"},{"load":0.5,"word":"x"},` +
				`{"load":3,"word":"x"},{"load":1000,"word":"x"}]`, "",
		},
		{
			"the number of jobs is an axis already",
			[]instance{{"a", "generate", `{"jobs":4}`}, {"b", "generate", `{"jobs":5}`}},
			[]string{"jobs=4", "jobs=5"},
			`[{"load":1000,"word":"x"},{"load":1000,"word":"x"}]`, "",
		},
	} {
		instances := fake.Instances{}
		var records []bench.Record
		for _, in := range c.instances {
			instances.Add(in.name, models.Quotient, map[string]any{"load": 1000.0, "word": "x"})
			r := fake.Solved(flex, in.name, "fair", 1)
			r.Source = in.source
			if in.factors != "" {
				r.Factors = &in.factors
			}
			records = append(records, r)
		}
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{problem()}, Instance: instances.Find})
		fail.On(t, err)
		p := set.Problems[0]
		if d := cmp.Diff(c.strata, p.Strata); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		var axes []map[string]any
		for _, in := range p.Instances {
			axes = append(axes, in.Axes)
			if in.Features["load"] != 1000.0 || len(in.Features) != 2 {
				t.Errorf("%s: %s has the features %v", c.name, in.Name, in.Features)
			}
		}
		text, err := json.Marshal(axes)
		if err != nil || c.axes != "" && string(text) != c.axes {
			t.Errorf("%s: axes %s, want %s; %v", c.name, text, c.axes, err)
		}
		if got := strings.Join(set.Warnings, "; "); got != c.warning {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.warning)
		}
	}
}
