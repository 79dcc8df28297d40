package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/library/evidence/evidencetest"
	"schedgap/datasets/library"
	"schedgap/datasets/synthetic"
	"schedgap/models/fail"
)

// made is a library of a few instances in a folder, with solutions and proofs of all.
func made(t *testing.T) (*Collection, string) {
	t.Helper()
	registry, err := catalog.New()
	fail.On(t, err)
	dir := t.TempDir()
	var list []evidencetest.Entry
	for _, k := range []struct {
		problem, set string
		n            int
		params       map[string]any
	}{
		{"flex", "seen", 3, map[string]any{"jobs": 5, "small": 0.5}},
		{"flex", "benchmark", 3, map[string]any{"metric": "tardiness", "jobs": 5, "deadline_to": 0.6}},
		{"flex", "open", 1, map[string]any{"jobs": 12}},
		{"redundancy", "seen", 3, map[string]any{"jobs": 5}},
		{"redundancy", "benchmark", 3, map[string]any{"jobs": 4}},
	} {
		p, err := registry.Problem(k.problem)
		fail.On(t, err)
		drawn := evidencetest.Generated(t, p, k.set, k.n, k.params)
		for i := range drawn {
			drawn[i].Recipe = k.set == library.OpenSet
		}
		list = append(list, drawn...)
	}
	evidencetest.Write(t, dir, list)
	c := opened(t, dir)
	for _, e := range c.Entries {
		in, err := c.Instance(t.Context(), e)
		fail.On(t, err)
		algorithms := []string{"opt"}
		if !e.Stored {
			algorithms = []string{"flex", "lb-price"} // a value and a bound that leave a gap
		}
		for _, a := range algorithms {
			res := solved(t, in, a)
			submit(t, c, dir, Submission{ID: e.ID, File: "solution", Solution: res.Solution, By: "A", Ref: "R", Release: "1", Seconds: 1})
			submit(t, c, dir, Submission{ID: e.ID, File: "proof", Proof: res.Proof, By: "A", Ref: "R", Release: "1", Seconds: 1})
		}
	}
	return opened(t, dir), dir
}

func solved(t *testing.T, in *bench.Instance, algorithm string) *bench.Result {
	t.Helper()
	a, _, err := in.Problem.Find(algorithm)
	fail.On(t, err)
	r := a.Provable(bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1, Prove: true})
	fail.On(t, in.Problem.Resolve(&r))
	res := in.Problem.Run(t.Context(), in, r, bench.Observer{})
	if res.Error != "" {
		t.Fatal(res.Error)
	}
	in.Problem.Prove(t.Context(), in, res)
	return res
}

func submit(t *testing.T, c *Collection, dir string, s Submission) {
	t.Helper()
	if len(s.Solution) == 0 && len(s.Proof) == 0 {
		return
	}
	if _, err := c.Submit(t.Context(), dir, s); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, dir string) *Collection {
	t.Helper()
	l, err := library.Open(os.DirFS(dir), "lib")
	fail.On(t, err)
	registry, err := catalog.New()
	fail.On(t, err)
	return &Collection{Library: l, Registry: registry}
}

// TestLibrary goes the way of a library: it is filled, read again, and verified.
func TestLibrary(t *testing.T) {
	c, _ := made(t)
	if len(c.Entries) != 13 {
		t.Fatalf("%d entries", len(c.Entries))
	}
	sets := map[string]int{}
	for _, e := range c.Entries {
		sets[e.Set]++
		switch {
		case e.Stored && (e.Status() != "optimal" || e.Tier() != library.Easy || *e.Gap() != 0 || e.BoundBy() != "proof"):
			t.Errorf("%s: %s, %s, gap %v", e.ID, e.Status(), e.Tier(), *e.Gap())
		case !e.Stored && (e.Status() != "feasible" || e.Tier() != library.Scale || !(*e.Gap() > 0) || e.BoundBy() != "prices"):
			t.Errorf("%s: %s, %s, gap %v by %s", e.ID, e.Status(), e.Tier(), *e.Gap(), e.BoundBy())
		}
	}
	if sets["seen"] != 6 || sets["benchmark"] != 6 || sets["open"] != 1 {
		t.Errorf("sets: %v", sets)
	}
	v, err := c.Verify(t.Context(), VerifyOptions{Entries: c.Entries, Recipes: true, Second: []string{"true"}})
	if err != nil || len(v.Faults) > 0 || v.Instances != 13 || v.Solutions != 13 || v.Proofs != 13 || v.Recipes != 1 || v.Confirmed != 13 {
		t.Errorf("verified: %+v, %v", v, err)
	}
	if v, err := c.Verify(t.Context(), VerifyOptions{Entries: c.Entries, Second: []string{"false"}}); err != nil ||
		len(v.Faults) != 12 || len(v.Skipped) != 1 {
		t.Errorf("with a second verifier that refuses: %+v, %v", v, err)
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			files[name], err = os.ReadFile(path)
		}
		return err
	})
	fail.On(t, err)
	return files
}

// TestTraceRecipe: an instance of a trace is not stored but made again from its lineage, the second stratum's no less than the
// first's, and skipped where the trace is not there.
func TestTraceRecipe(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	p, err := registry.Problem("flex")
	fail.On(t, err)
	traces, dir := t.TempDir(), t.TempDir()
	if err := synthetic.Write(filepath.Join(traces, "google2011"), synthetic.Params{Hours: 1},
		rand.New(rand.NewPCG(1, 0))); err != nil {
		t.Fatal(err)
	}
	c := &Collection{Registry: registry, Traces: traces}
	var list []evidencetest.Entry
	for in, err := range c.derived(t.Context(), p, window{Format: "google2011", Strata: 3}, 0, map[string]any{"jobs": 4}) {
		fail.On(t, err)
		// The lineage says all but how many strata there are.
		lineage := append([]byte(`{"strata":3,`), in.Lineage[1:]...)
		in, err = named(in, fmt.Sprintf("flex-open-%03d", len(list)+1))
		fail.On(t, err)
		list = append(list, evidencetest.Entry{Instance: in, Set: library.OpenSet, Lineage: lineage, Recipe: true})
	}
	evidencetest.Write(t, dir, list)
	c.Library = opened(t, dir).Library
	if len(c.Entries) < 2 || c.Entries[0].Stored {
		t.Fatalf("%d entries, stored: %v", len(c.Entries), c.Entries[0].Stored)
	}
	v, err := c.Verify(t.Context(), VerifyOptions{Entries: c.Entries, Recipes: true})
	if err != nil || len(v.Faults) > 0 || v.Recipes != len(c.Entries) {
		t.Errorf("%+v, %v", v, err)
	}
	c.Traces = t.TempDir()
	v, err = c.Verify(t.Context(), VerifyOptions{Entries: c.Entries, Recipes: true})
	if err != nil || len(v.Faults) > 0 || len(v.Skipped) != len(c.Entries) {
		t.Errorf("without the trace: %+v, %v", v, err)
	}
}

// TestRefusals: what is damaged, of another instance or reference, not better, or in contradiction to a proof is refused in
// a sentence, and nothing is written.
func TestRefusals(t *testing.T) {
	c, dir := made(t)
	before := contents(t, dir)
	first, other := c.Entries[0], c.Entries[1]
	solution, err := c.Solution(first)
	fail.On(t, err)
	proof, err := c.Proof(first)
	fail.On(t, err)
	in, err := c.Instance(t.Context(), first)
	fail.On(t, err)
	var claim map[string]json.RawMessage
	fail.On(t, json.Unmarshal(solution, &claim))
	claim["objective"] = json.RawMessage("1")
	lie, err := json.Marshal(claim)
	fail.On(t, err)
	worse := solved(t, in, "fair").Solution
	for _, test := range []struct {
		name, want string
		s          Submission
	}{
		{"an unknown id", `unknown id "nobody"`, Submission{ID: "nobody", Solution: solution}},
		{"a solution of another instance", "instance", Submission{ID: other.ID, Solution: solution}},
		{"a proof of another instance", "another instance", Submission{ID: other.ID, Proof: proof}},
		{"a solution that is known", "does not better", Submission{ID: first.ID, Solution: solution}},
		{"a worse solution", "does not better", Submission{ID: first.ID, Solution: worse}},
		{"a false claim", "objective", Submission{ID: first.ID, Solution: lie}},
		{"a truncated solution", "mine", Submission{ID: first.ID, Solution: solution[:len(solution)/2]}},
		{"a truncated proof", "damaged", Submission{ID: first.ID, Proof: proof[:len(proof)/2]}},
		{"a proof that is known", "does not better", Submission{ID: first.ID, Proof: proof}},
	} {
		test.s.File, test.s.By, test.s.Ref, test.s.Release = "mine", "A", "R", "2"
		_, err := c.Submit(t.Context(), dir, test.s)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	after := contents(t, dir)
	for name, data := range before {
		if !bytes.Equal(after[name], data) {
			t.Errorf("%s was written", name)
		}
	}
	entry := *first
	better := *entry.Value / 2
	if err := entry.Add(library.Event{ID: entry.ID, Event: library.Solution, Value: &better}); err == nil ||
		!strings.Contains(err.Error(), "proven") {
		t.Errorf("a value below a proven optimum: %v", err)
	}
	for _, id := range []string{"../mine", "a/b", ".hidden", ""} {
		about := library.Instance{Problem: "flex"}
		if _, err := library.Derive([]library.Event{{ID: id, Event: library.Added, Instance: &about}}); err == nil {
			t.Errorf("the id %q, which names files, is taken", id)
		}
	}
	above := *entry.Value * 2
	if err := entry.Add(library.Event{ID: entry.ID, Event: library.Proof, Bound: &above}); err == nil ||
		!strings.Contains(err.Error(), "contradicts") {
		t.Errorf("a bound above a solution: %v", err)
	}

	damage := map[string]struct {
		file, want string
		to         func([]byte) []byte
	}{
		"an index out of step": {
			library.IndexFile, "out of step with history.jsonl: line 2",
			func(b []byte) []byte { return bytes.Replace(b, []byte("easy"), []byte("hard"), 1) },
		},
		"a line of no event":     {library.HistoryFile, "history.jsonl:", func(b []byte) []byte { return append(b, "{}x\n"...) }},
		"a truncated instance":   {first.InstanceFile(), "damaged", func(b []byte) []byte { return b[:len(b)/2] }},
		"another solution":       {first.SolutionFile(), "SHA-256", func([]byte) []byte { b, _ := pack(worse); return b }},
		"a proof of wrong bytes": {first.ProofFile(), "SHA-256", func(b []byte) []byte { return append(b, 0) }},
	}
	for name, d := range damage {
		path := filepath.Join(dir, filepath.FromSlash(d.file))
		fail.On(t, os.WriteFile(path, d.to(bytes.Clone(before[filepath.FromSlash(d.file)])), 0o600))
		said := ""
		if l, err := library.Open(os.DirFS(dir), "lib"); err != nil {
			said = err.Error()
		} else if v, err := (&Collection{
			Library:  l,
			Registry: c.Registry,
		}).Verify(t.Context(), VerifyOptions{Entries: l.Entries[:1]}); err != nil {
			t.Error(err)
		} else if len(v.Faults) == 1 {
			said = v.Faults[0].Reason
		}
		if !strings.Contains(said, d.want) {
			t.Errorf("%s: %q, want %s", name, said, d.want)
		}
		fail.On(t, os.WriteFile(path, before[filepath.FromSlash(d.file)], 0o600))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Verify(ctx, VerifyOptions{Entries: c.Entries}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
