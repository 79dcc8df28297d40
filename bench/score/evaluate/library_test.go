package evaluate

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/library/evidence"
	"schedgap/bench/library/evidence/evidencetest"
	"schedgap/bench/run/worker"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/fail"
)

// TestMain makes the test binary a worker when one is started.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	r, err := catalog.New()
	if err == nil {
		if dir := os.Getenv(libraryFolder); dir != "" {
			evidence.Attach(r, "", func() (*library.Library, error) { return library.Open(os.DirFS(dir), "lib") })
		}
		err = worker.Serve(context.Background(), r, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// libraryFolder names the folder of the library that workers of the tests know.
const libraryFolder = "SCHEDGAP_TEST_LIBRARY"

// TestLibrarySet: train is the library's seen as soon as that has instances, with the optima of its proofs, which are verified
// here; test is drawn with the parameters of seen, and is another with another seed.
func TestLibrarySet(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	p, err := registry.Problem("flex")
	fail.On(t, err)
	dir := t.TempDir()
	t.Setenv(libraryFolder, dir)
	params := map[string]any{"jobs": 5}
	evidencetest.Write(t, dir, slices.Concat(evidencetest.Generated(t, p, "seen", 2, params),
		evidencetest.Generated(t, p, "benchmark", 2, params)))
	l, err := library.Open(os.DirFS(dir), "lib")
	fail.On(t, err)
	c := &evidence.Collection{Library: l, Registry: registry}
	values := map[string]float64{}
	for i, e := range c.Entries {
		in, err := c.Instance(t.Context(), e)
		fail.On(t, err)
		res := in.Problem.Run(t.Context(), in, bench.Request{Algorithm: exact, Seed: 1, Threads: 1, Prove: true}, bench.Observer{})
		in.Problem.Prove(t.Context(), in, res)
		if i > 1 || e.Set != "seen" { // the second has no proof
			if _, err := c.Submit(t.Context(), dir, evidence.Submission{
				ID: e.ID, File: "p", Proof: res.Proof, By: "A", Ref: "R",
				Release: "1",
			}); err != nil {
				t.Fatal(err)
			}
		}
		if e.Set == "seen" {
			values[e.ID] = *res.Objective
		}
	}
	evidence.Attach(registry, "", func() (*library.Library, error) { return library.Open(os.DirFS(dir), "lib") })
	o := &Options{
		Registry: registry, Problem: p, Set: Train, Stage: 2, Seed: 1, Cache: t.TempDir(), Log: slog.New(slog.DiscardHandler),
		Limits: bench.Limits{Time: 10 * time.Second},
	}
	cases, err := o.cases(t.Context())
	if err != nil || len(cases) != 2 || len(values) != 2 {
		t.Fatalf("%d of %d instances: %v", len(cases), len(values), err)
	}
	for _, k := range cases {
		if k.optimum.Value == nil || !(models.Accuracy{}).Same(*k.optimum.Value, values[k.instance.Name]) || k.hidden {
			t.Errorf("%s: %+v, want %v", k.instance.Name, k.optimum, values[k.instance.Name])
		}
	}
	kept, err := filepath.Glob(filepath.Join(o.Cache, "optima", "*.json"))
	if err != nil || len(kept) != 2 {
		t.Errorf("%v, %v", kept, err)
	}
	for _, k := range cases {
		if again := o.cached(k.instance); again == nil || *again.Value != *k.optimum.Value {
			t.Errorf("%s: %+v is kept", k.instance.Name, again)
		}
		// Another build's words count as much as their proof.
		lie := *k.optimum
		low := *lie.Value / 2
		lie.Build, lie.Value, lie.Bound = "another", &low, low
		o.keep(k.instance, &lie)
		if again := o.cached(k.instance); again == nil || !(models.Accuracy{}).Same(*again.Value, *k.optimum.Value) {
			t.Errorf("%s: %+v is taken from another build's proof", k.instance.Name, again)
		}
		lie.Proof = nil
		o.keep(k.instance, &lie)
		if again := o.cached(k.instance); again != nil {
			t.Errorf("%s: %+v is taken without a proof", k.instance.Name, again)
		}
	}
	drawn := map[string]bool{}
	for _, o.Seed = range []uint64{1, 2} {
		o.Set = Test
		cases, err := o.cases(t.Context())
		if err != nil || len(cases) != testSize {
			t.Fatalf("%d: %v", len(cases), err)
		}
		for _, k := range cases {
			if drawn[string(k.instance.JSON)] || !k.hidden || k.instance.Size.Jobs != 5 {
				t.Errorf("%s: drawn twice, shown or not like those of seen", k.instance.Name)
			}
			drawn[string(k.instance.JSON)] = true
		}
	}
	o.Set = "sen"
	if _, err := o.cases(t.Context()); err == nil || !strings.Contains(err.Error(), `did you mean "seen"?`) {
		t.Errorf("%v", err)
	}
}
