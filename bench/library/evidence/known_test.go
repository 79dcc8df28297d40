package evidence

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/library/renaming"
	"schedgap/bench/plan/suite"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/fail"
)

// attachedTo is a registry that the library in a folder is attached to.
func attachedTo(t *testing.T, dir string) *bench.Registry {
	t.Helper()
	registry, err := catalog.New()
	fail.On(t, err)
	Attach(registry, "", func() (*library.Library, error) { return library.Open(os.DirFS(dir), "lib") })
	return registry
}

// TestLibrarySuites: the library's sets are suites like built-in ones, whose instances are its own and whose answers are its best
// values.
func TestLibrarySuites(t *testing.T) {
	_, dir := made(t)
	registry := attachedTo(t, dir)
	for name, instances := range map[string]int{
		"library-flex": 7, "library-flex-seen": 3, "library-flex-benchmark": 3, "library-flex-open": 1, "library-redundancy-seen": 3,
	} {
		suites, err := suite.Load(name, registry)
		fail.On(t, err)
		plan, err := suites[0].Resolve(t.Context(), registry)
		if err != nil || plan.Instances() != instances {
			t.Fatalf("%s: %d instances, %v", name, plan.Instances(), err)
		}
		text, err := plan.Suites[0].YAML()
		fail.On(t, err)
		if _, err := suite.ParseAll("again.yaml", text); err != nil {
			t.Errorf("%s: what it shows cannot be read: %v\n%s", name, err, text)
		}
		for _, u := range plan.Units {
			if u.Skip != "" && u.Request.Algorithm == bench.FromLibrary {
				t.Errorf("%s: %s: %s", name, u.Instance.Name, u.Skip)
			}
		}
	}
	if _, err := suite.Load("library-flex-sen", registry); err == nil || !strings.Contains(err.Error(), "library-flex-seen") {
		t.Errorf("an unknown set: %v", err)
	}
	bad := []byte("name: x\nproblem: flex\ninstances: [{library: sene}]\nalgorithms: [flex]\n")
	suites, err := suite.ParseAll("x.yaml", bad)
	fail.On(t, err)
	if _, err := suites[0].Resolve(t.Context(), registry); err == nil || !strings.Contains(err.Error(), `unknown set "sene"`) {
		t.Errorf("an unknown set in a file: %v", err)
	}
}

// answer is what the library says of an instance.
func answer(t *testing.T, registry *bench.Registry, in *bench.Instance) *bench.Result {
	t.Helper()
	p, err := registry.Problem(in.Problem.Name)
	fail.On(t, err)
	again, err := p.ParseInstance(in.Name, in.JSON)
	fail.On(t, err)
	return p.Run(t.Context(), again, bench.Request{Algorithm: bench.FromLibrary, Prove: true}, bench.Observer{})
}

// TestKnown: an instance is found by what it is, not by its names or order; what is found is optimal if the proof holds; a proof
// that does not hold is an error and no optimum; an instance that differs in one number is not found.
func TestKnown(t *testing.T) {
	c, dir := made(t)
	registry := attachedTo(t, dir)
	for _, e := range c.Entries {
		in, err := c.Instance(t.Context(), e)
		fail.On(t, err)
		want := bench.Optimal
		if !e.Stored {
			want = bench.Feasible
		}
		res := answer(t, registry, in)
		if res.Status != want || *res.Objective != *e.Value || !(models.Accuracy{}).Same(*res.Bound, *e.Bound) || res.Proof == nil ||
			res.Error != "" {
			t.Errorf("%s: %s %v, bound %v: %s", e.ID, res.Status, res.Objective, res.Bound, res.Error)
		}
		for seed := range uint64(3) {
			other := shuffled(t, in, seed)
			res := answer(t, registry, other)
			if res.Status != want || !(models.Accuracy{}).Same(*res.Objective, *e.Value) || !(models.Accuracy{}).Same(*res.Bound, *e.Bound) || res.Proof != nil {
				t.Errorf("%s under other names: %s %v: %s\n%s", e.ID, res.Status, res.Objective, res.Error, other.JSON)
			}
		}
		work := *e
		changed := changedWork(t, in)
		if res := answer(t, registry, changed); res.Status != bench.Skipped {
			t.Errorf("%s with another number: %s", work.ID, res.Status)
		}
		if names, err := renaming.Between(in.JSON, changed.JSON); names != nil || err != nil {
			t.Errorf("%s and an instance with another number are taken for the same: %v", e.ID, err)
		}
	}
	// Another instance's proof, whose hash history has, is refused by the verifier.
	first, other := c.Entries[0], c.Entries[1]
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(other.ProofFile())))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, filepath.FromSlash(first.ProofFile())), data, 0o600)
	}
	fail.On(t, err)
	for i := range c.Events {
		if v := &c.Events[i]; v.ID == first.ID && v.Event == library.Proof {
			v.SHA256 = models.Digest(data)
		}
	}
	c.Entries, err = library.Derive(c.Events)
	if err == nil {
		err = c.save(dir)
	}
	in, also := c.Instance(t.Context(), first)
	if err != nil || also != nil {
		t.Fatal(err, also)
	}
	if res := answer(t, attachedTo(t, dir), in); res.Status != bench.Error || !strings.Contains(res.Error, "is refused") {
		t.Errorf("a proof that proves nothing: %s, %s", res.Status, res.Error)
	}
}

// edited is an instance after an edit of its file.
func edited(t *testing.T, in *bench.Instance, edit func(v map[string]any)) *bench.Instance {
	t.Helper()
	var v map[string]any
	fail.On(t, json.Unmarshal(in.JSON, &v))
	v["name"] = "other"
	edit(v)
	text, err := json.Marshal(v)
	fail.On(t, err)
	out, err := in.Problem.ParseInstance("other", text)
	fail.On(t, err)
	return out
}

func shuffled(t *testing.T, in *bench.Instance, seed uint64) *bench.Instance {
	t.Helper()
	file, _, err := renaming.Shuffled(in.JSON, "other", seed)
	fail.On(t, err)
	out, err := in.Problem.ParseInstance("other", file)
	fail.On(t, err)
	return out
}

func changedWork(t *testing.T, in *bench.Instance) *bench.Instance {
	return edited(t, in, func(v map[string]any) {
		job := v["jobs"].([]any)[0].(map[string]any)
		job["work"] = job["work"].(float64) * (1 + 1e-12)
	})
}

// TestProofByRecipe: a proof that is too large to be stored is made again by its command, and has to prove what history says.
func TestProofByRecipe(t *testing.T) {
	c, dir := made(t)
	e := c.Entries[0]
	file := filepath.Join(dir, filepath.FromSlash(e.ProofFile()))
	for _, test := range []struct {
		recipe, want string
		bound        float64
	}{
		{"schedgap solve x.json -a opt --proof x.gz", "", *e.Bound},
		{"schedgap solve x.json -a opt --proof x.gz", "and history says", *e.Bound / 2},
		{"schedgap solve x.json -a flex --proof x.gz", "without a proof", *e.Bound},
		{"make proof", "names no algorithm", *e.Bound},
	} {
		for i := range c.Events {
			if v := &c.Events[i]; v.ID == e.ID && v.Event == library.Proof {
				v.Recipe, v.Bound = test.recipe, &test.bound
			}
		}
		entries, err := library.Derive(c.Events)
		fail.On(t, err)
		c.Entries = entries
		fail.On(t, c.save(dir))
		_ = os.Remove(file)
		l := opened(t, dir)
		v, err := l.Verify(t.Context(), VerifyOptions{Entries: l.Entries[:1], Recipes: true})
		fail.On(t, err)
		if test.want == "" {
			if v.Recipes != 1 || v.Proofs != 1 || len(v.Faults) > 0 {
				t.Errorf("%+v", v)
			}
		} else if len(v.Faults) != 1 || !strings.Contains(v.Faults[0].Reason, test.want) {
			t.Errorf("%s: %+v, want %s", test.recipe, v, test.want)
		}
		v, err = l.Verify(t.Context(), VerifyOptions{Entries: l.Entries[:1]})
		if err != nil || len(v.Skipped) != 1 || v.Proofs != 0 {
			t.Errorf("without recipes: %+v, %v", v, err)
		}
	}
}
