package catalog

import (
	"encoding/json"
	"testing"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/models/trials"
)

// TestDAGSuites: nothing is cloned in the suite dag-small, and both optima of its instances are proven at once: of all every night,
// of each eighth else.
func TestDAGSuites(t *testing.T) {
	r := registry(t)
	suites, err := suite.Load("dag-small", r)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := suites[0].Resolve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	problem, err := r.Problem("cloning")
	if err != nil {
		t.Fatal(err)
	}
	graphs, instances, proven := 0, map[string]int{}, map[string]int{} // by name, by algorithm
	for _, u := range plan.Units {
		name := u.Request.Algorithm
		if name != "opt" && name != "opt-nonpreemptive" {
			continue
		}
		var in struct {
			MaxCopies int `json:"max_copies"`
			Jobs      []struct{ Phases []struct{ Parents []string } }
		}
		if err := json.Unmarshal(u.Instance.JSON, &in); err != nil {
			t.Fatal(err)
		}
		for _, j := range in.Jobs {
			if len(j.Phases) > 1 {
				graphs++
			}
		}
		if in.MaxCopies != 1 {
			t.Errorf("%s: max_copies %d", u.Instance.Name, in.MaxCopies)
		}
		if _, seen := instances[u.Instance.Name]; !seen {
			instances[u.Instance.Name] = len(instances)
		}
		if !trials.Whole() && instances[u.Instance.Name]%8 > 0 {
			continue
		}
		res := solve(problem, u.Instance, bench.Request{Algorithm: name, Seed: 1, Threads: 1})
		if res.Status != bench.Optimal {
			t.Errorf("%s: %s is %s", u.Instance.Name, name, res.Status)
		}
		proven[name]++
	}
	if len(proven) != 2 || proven["opt"] < len(instances)/8 || proven["opt"] != proven["opt-nonpreemptive"] {
		t.Errorf("of %d instances these are proven: %v", len(instances), proven)
	}
	if graphs < 200 {
		t.Errorf("%d jobs have more than one phase", graphs)
	}
}
