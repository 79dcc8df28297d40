// Package datasettest has the checks that the tests of all problems' datasets share. A Kit makes every instance twice, which
// must give the same bytes, and reads it back, which must give the same again. Only tests import it.
package datasettest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/synthetic/sampletest"
	"schedgap/models"
)

// A Kit is a problem's generator, deriver and simulator, whose workloads are W.
type Kit[I models.Instance, S, W any] struct {
	Problem   *models.Problem[I, S]
	Generator *models.Generator[I]
	Deriver   *models.Deriver[I]
	Simulator *models.Simulator
}

// Encode returns the file of an instance, which the reader accepts and writes again byte for byte.
func (k Kit[I, S, W]) Encode(tb rapid.TB, in I) []byte {
	tb.Helper()
	data, err := k.Problem.MarshalInstance(in)
	if err != nil {
		tb.Fatal(err)
	}
	back, err := k.Problem.ParseInstance("test.json", data)
	if err != nil {
		tb.Fatalf("%v\n%s", err, data)
	}
	if again, err := k.Problem.MarshalInstance(back); err != nil || !bytes.Equal(data, again) {
		tb.Fatalf("not canonical: %v\n%s%s", err, data, again)
	}
	return data
}

// Generate makes an instance with the given options.
func (k Kit[I, S, W]) Generate(tb rapid.TB, given map[string]any, seed uint64) I {
	tb.Helper()
	v := resolve(tb, k.Generator.Params, given)
	made := func() I {
		in, err := k.Generator.Generate("test", v, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			tb.Fatalf("%v: %v", given, err)
		}
		return in
	}
	in := made()
	if d := cmp.Diff(string(k.Encode(tb, in)), string(k.Encode(tb, made()))); d != "" {
		tb.Fatalf("%v: the same seed gives another instance\n%s", given, d)
	}
	return in
}

// Derive derives instances out of a trace, up to the first error. That there are none is no error.
func (k Kit[I, S, W]) Derive(tb rapid.TB, r models.DeriveRequest, given map[string]any) ([]I, error) {
	tb.Helper()
	r.Params = resolve(tb, k.Deriver.Params, given)
	var ins []I
	for in, err := range k.Deriver.Derive(context.Background(), r) {
		if none := models.NoInstance(""); errors.As(err, &none) {
			return nil, nil
		}
		if err != nil {
			return ins, err
		}
		k.Encode(tb, in)
		ins = append(ins, in)
	}
	return ins, nil
}

// Synthetic derives instances out of the synthetic trace and looks at their lineage; each must pass check, which may read more
// of its lineage.
func (k Kit[I, S, W]) Synthetic(t *testing.T, given map[string]any, check func(t *testing.T, in I)) {
	t.Helper()
	r := models.DeriveRequest{Dir: Synthetic(t), Format: "google2011", N: 5, Seed: 3}
	ins, err := k.Derive(t, r, given)
	again, err2 := k.Derive(t, r, given)
	if err != nil || err2 != nil || len(ins) == 0 || len(again) != len(ins) {
		t.Fatalf("%d instances, %v; at the second time %d, %v", len(ins), err, len(again), err2)
	}
	for i, in := range ins {
		if d := cmp.Diff(string(k.Encode(t, in)), string(k.Encode(t, again[i]))); d != "" {
			t.Errorf("%s: the same seed gives another instance\n%s", in.Head().Name, d)
		}
		var lineage struct {
			Format string
			Files  []struct{ SHA256 string }
			Seed   uint64
			Params map[string]any
		}
		Lineage(t, in, &lineage)
		if lineage.Format != r.Format || len(lineage.Files) == 0 || lineage.Seed != r.Seed ||
			len(lineage.Params) != len(k.Deriver.Params) {
			t.Errorf("%s: lineage %+v", in.Head().Name, lineage)
		}
		for name, v := range given {
			if n, ok := v.(int); ok {
				v = float64(n)
			}
			if lineage.Params[name] != v {
				t.Errorf("%s: lineage has %s = %v, want %v", in.Head().Name, name, lineage.Params[name], v)
			}
		}
		check(t, in)
	}
}

// Windowed reads that an instance of so many jobs comes from a window of at least as many.
func Windowed(t *testing.T, in models.Instance, jobs int) {
	t.Helper()
	var l struct {
		Begin, End float64
		Qualified  int
	}
	Lineage(t, in, &l)
	if l.Begin >= l.End || l.Qualified < jobs {
		t.Errorf("%s: lineage %+v of %d jobs", in.Head().Name, l, jobs)
	}
}

// TooFew has the synthetic trace hold too few jobs for the options; the error must say how many there are.
func (k Kit[I, S, W]) TooFew(t *testing.T, given map[string]any) {
	t.Helper()
	r := models.DeriveRequest{Dir: Synthetic(t), Format: "google2011", N: 5, Seed: 3}
	r.Params = resolve(t, k.Deriver.Params, given)
	for _, err := range k.Deriver.Derive(t.Context(), r) {
		if none := models.NoInstance(""); !errors.As(err, &none) || !strings.Contains(err.Error(), "are there more than ") {
			t.Errorf("%v: an instance, or %v", given, err)
		}
	}
}

// Lineage reads an instance's lineage.
func Lineage(tb rapid.TB, in models.Instance, into any) {
	tb.Helper()
	if err := json.Unmarshal(in.Head().Lineage, into); err != nil {
		tb.Fatal(err)
	}
}

// Workload makes a workload with the given options.
func (k Kit[I, S, W]) Workload(tb rapid.TB, seed uint64, given map[string]any) *W {
	tb.Helper()
	v := resolve(tb, k.Simulator.Specs, given)
	made := func() *W {
		w, err := k.Simulator.Generate(v, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			tb.Fatalf("%v: %v", given, err)
		}
		return w.(*W)
	}
	w := made()
	if text, again := k.Text(tb, w), k.Text(tb, made()); text != again {
		tb.Fatalf("%v: the same seed gives\n%s\nand\n%s", given, text, again)
	}
	return w
}

// Text returns the file of a workload.
func (k Kit[I, S, W]) Text(tb rapid.TB, w *W) string {
	tb.Helper()
	var out bytes.Buffer
	if err := k.Simulator.Encode(&out, w); err != nil {
		tb.Fatal(err)
	}
	read, err := k.Simulator.ReadWorkload("w.jsonl", bytes.NewReader(out.Bytes()))
	if err != nil {
		tb.Fatal(err)
	}
	held := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Held" }, cmp.Ignore()) // a file does not have it
	if d := cmp.Diff(w, read, held); d != "" {
		tb.Fatal(d)
	}
	return out.String()
}

// FromTrace compares the file of a workload out of a trace with the one wanted, or the error with the sentence wanted.
func (k Kit[I, S, W]) FromTrace(t *testing.T, r models.DeriveRequest, want string) {
	t.Helper()
	var got string
	w, err := k.Simulator.FromTrace(t.Context(), r)
	if err != nil {
		got = err.Error()
	} else {
		got = k.Text(t, w.(*W))
	}
	if got != want {
		t.Errorf("%+v: got\n%s\nwant\n%s", r, got, want)
	}
}

// Refusals are options that must fail, by a part of the sentence that says why.
type Refusals map[string]map[string]any

// RefuseInstances has the generator refuse options.
func (k Kit[I, S, W]) RefuseInstances(t *testing.T, refusals Refusals) {
	t.Helper()
	refused(t, refusals, func(given map[string]any) error {
		_, err := k.Generator.Generate("test", resolve(t, k.Generator.Params, given), rand.New(rand.NewPCG(1, 0)))
		return err
	})
}

// RefuseWorkloads has the generator of workloads refuse options.
func (k Kit[I, S, W]) RefuseWorkloads(t *testing.T, refusals Refusals) {
	t.Helper()
	refused(t, refusals, func(given map[string]any) error {
		_, err := k.Simulator.Generate(resolve(t, k.Simulator.Specs, given), rand.New(rand.NewPCG(1, 0)))
		return err
	})
}

// RefuseDerivation has the deriver refuse options, or a trace.
func (k Kit[I, S, W]) RefuseDerivation(t *testing.T, dir string, refusals Refusals) {
	t.Helper()
	refused(t, refusals, func(given map[string]any) error {
		_, err := k.Derive(t, models.DeriveRequest{Dir: dir, Format: "google2011", N: 1, Seed: 1}, given)
		return err
	})
}

func refused(t *testing.T, refusals Refusals, try func(given map[string]any) error) {
	t.Helper()
	for want, given := range refusals {
		if err := try(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", given, err, want)
		}
	}
}

func resolve(tb rapid.TB, params []models.Param, given map[string]any) models.Values {
	tb.Helper()
	v, err := models.Resolve(params, given)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// TaskEvents is the only part of a small trace in Google's 2011 format.
const TaskEvents = "task_events/part-00000-of-00001.csv"

// Folder writes files by name into a folder.
func Folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Synthetic returns a folder with the synthetic trace.
func Synthetic(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := sampletest.Extract(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}
