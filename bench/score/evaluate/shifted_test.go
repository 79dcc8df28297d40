package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/library/evidence"
	"schedgap/bench/library/evidence/evidencetest"
	"schedgap/datasets/library"
	"schedgap/models/fail"
	chance "schedgap/models/trials"
)

// shift makes the numbers of a solution use up the tolerances of the checker: times are earlier, shares and slots larger.
func shift(rng *rand.Rand, v any, key string, time, share float64) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			inner := k
			if key == "slots" || key == "copies" {
				inner = key // by job
			}
			v[k] = shift(rng, v[k], inner, time, share)
		}
	case []any:
		for i := range v {
			v[i] = shift(rng, v[i], key, time, share)
		}
	case float64:
		switch key {
		case "start", "end":
			return v * (1 - time)
		case "slots", "share", "copies":
			return v * (1 + share)
		}
	}
	return v
}

// Optimal solutions that are shifted by the checker's tolerances do not become the best known, score no more than the optimum and
// contradict no proof: evaluate, submissions to the library and results all go by a value that no tolerance makes better.
func TestShiftedSolutions(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	for _, p := range registry.Problems {
		rng := chance.Rand(t, 41, uint64(len(p.Name)))
		dir := t.TempDir()
		list := evidencetest.Generated(t, p, "seen", 3, nil)
		examples, err := p.Examples()
		fail.On(t, err)
		for _, in := range examples {
			list = append(list, evidencetest.Entry{Instance: in, Set: "seen", Lineage: json.RawMessage("{}")})
		}
		slices.SortFunc(list, func(a, b evidencetest.Entry) int { return cmp.Compare(a.Instance.Name, b.Instance.Name) })
		evidencetest.Write(t, dir, list)
		open := func() *evidence.Collection {
			l, err := library.Open(os.DirFS(dir), "lib")
			fail.On(t, err)
			return &evidence.Collection{Library: l, Registry: registry}
		}
		judged, accepted := 0, 0
		for i, k := range list {
			in := k.Instance
			b, err := blinded(in, "instance-001", uint64(i))
			fail.On(t, err)
			res := p.Run(t.Context(), b.instance, bench.Request{Algorithm: exact, Seed: 1, Threads: 1}, bench.Observer{})
			if res.Status != bench.Optimal {
				t.Fatalf("%s: %s %s", in.Name, res.Status, res.Error)
			}
			honest, err := b.back.Solution(res.Solution, in.Name)
			fail.On(t, err)
			best := *res.Objective
			size := math.Abs(best)
			if s := in.Scale(p.References[0].Name); s > 0 {
				size = min(size, s)
			}
			// The value of the honest solution is rounded, too.
			rounding := 1e-9*size + 1e-12*math.Abs(best) + in.Accuracy.Rounding
			known := &optimum{Reference: p.References[0].Name, Value: &best, Bound: best}
			for range chance.Count(16) {
				use := func() float64 { return 0.99e-6 * float64(rng.IntN(2)) * rng.Float64() }
				var file map[string]any
				fail.On(t, json.Unmarshal(res.Solution, &file))
				delete(file, "objective")
				data, err := json.Marshal(shift(rng, file, "", use(), use()))
				fail.On(t, err)
				judged++
				c := &trial{instance: in, optimum: known, seen: b, result: p.Blank(bench.Request{Command: []string{"command"}})}
				c.result.Status = bench.Feasible
				if p.Judge(c.result, b.instance, "output", data) != nil {
					continue
				}
				c.judge()
				if c.reason != "" {
					continue
				}
				accepted++
				value := *c.result.Objective
				if excess := float64(p.Sense) * (best - value); !(excess <= rounding) {
					t.Errorf("%s: %v is better than the optimum %v\n%s", in.Name, value, best, data)
				}
				if out := conclude(&Options{}, []*trial{c}); out.Status != Success || out.Score > 1 {
					t.Errorf("%s: %s, score %v", in.Name, out.Status, out.Score)
				}
				solution, err := b.back.Solution(data, in.Name)
				fail.On(t, err)
				collection := open()
				for n, s := range [][]byte{honest, solution} {
					_, err := collection.Submit(t.Context(), t.TempDir(), evidence.Submission{
						ID: in.Name, File: "s", Solution: s, By: "A", Ref: "R", Release: "1",
					})
					if refused := new(evidence.Unacceptable); n == 0 && err != nil || n == 1 && !errors.As(err, &refused) {
						t.Errorf("%s: submission %d of the values %v and %v: %v", in.Name, n, best, value, err)
					}
				}
			}
		}
		t.Logf("%s: %d solutions, %d accepted", p.Name, judged, accepted)
		if (p.Name == "flex" || p.Name == "redundancy") && accepted < judged/4 {
			t.Errorf("%s: too few are accepted to show anything", p.Name)
		}
	}
}
