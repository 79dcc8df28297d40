package verifytest

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/proof"
)

// A recorder is a test that may fail.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Logf(string, ...any)   {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatal(...any)          { r.failed = true; runtime.Goexit() }
func (r *recorder) Fatalf(string, ...any) { r.failed = true; runtime.Goexit() }

func fails(t *testing.T, property func(t testing.TB)) bool {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		property(r)
	}()
	<-done
	return r.failed
}

// A verifier reads proofs of numbers. The proof of the optimum x is the line [x, 1], of which the 1 may be anything.
type verifier struct {
	nothing, anyLine, anyValue, anyBound bool    // what it does not do, or not look at
	slack                                float64 // a share of the optimum
}

// claim states an optimum, a minimum by its bound and a maximum by its value, too.
func (v verifier) claim(x float64, most bool) *Claimed {
	c := &Claimed{Opt: x, Most: most, Lines: []any{[]float64{x, 1}}}
	c.Header = proof.Header{Format: proof.Format, Version: proof.Version, Bound: &x}
	if most {
		c.Header.Value = &x
	}
	c.Check = func(p *proof.Proof) error {
		var line []float64
		good := len(p.Lines) == 1 && json.Unmarshal(p.Lines[0], &line) == nil && len(line) == 2 && line[0] == x
		sign := 1.0
		if most {
			sign = -1
		}
		value, bound := p.Header.Value, *p.Header.Bound
		valued := value == nil || sign*(x-*value) <= v.slack*x
		bounded := sign*(bound-x) <= v.slack*x
		if v.nothing || !good && !v.anyLine || !valued && !v.anyValue || !bounded && !v.anyBound {
			return errors.New("refused")
		}
		return nil
	}
	return c
}

// Each property fails with the verifiers that it is there to find, and with no others.
func TestProperties(t *testing.T) {
	verifiers := map[string]verifier{
		"honest": {}, "nothing": {nothing: true}, "lines": {anyLine: true}, "values": {anyValue: true}, "bounds": {anyBound: true},
		"5 %": {slack: 0.05}, "1e-8": {slack: 1e-8}, "5e-11": {slack: 5e-11},
	}
	for name, c := range map[string]struct {
		property func(t testing.TB, v verifier, rng *rand.Rand)
		finds    string
	}{
		"PricesProve": {func(t testing.TB, v verifier, _ *rand.Rand) {
			PricesProve(t, func(i int) *Claimed { return v.claim(float64(500*i+1), false) })
		}, "5 % bounds lines nothing"},
		"OptimaProve": {func(t testing.TB, v verifier, rng *rand.Rand) {
			OptimaProve(t, func() *Claimed {
				c := v.claim(1000*(1+rng.Float64()), true)
				c.Opt *= 1 + 1e-11 // it is rounded
				return c
			})
		}, "1e-8 5 % bounds nothing values"},
		"OptimaProve without a value": {func(t testing.TB, v verifier, _ *rand.Rand) {
			OptimaProve(t, func() *Claimed { return v.claim(1, false) })
		}, "1e-8 5 % 5e-11 bounds honest lines nothing values"},
		"OptimaProve with a wrong value": {func(t testing.TB, v verifier, _ *rand.Rand) {
			OptimaProve(t, func() *Claimed {
				c := v.claim(1, true)
				c.Opt = 1 - 1e-8
				return c
			})
		}, "1e-8 5 % 5e-11 bounds honest lines nothing values"},
		"ChangedProofs of minima": {func(t testing.TB, v verifier, rng *rand.Rand) {
			ChangedProofs(t, func() *Claimed { return v.claim(1+rng.Float64(), false) },
				func(c *Claimed) []byte { return MutateProof(t, rng, c) }, 1e-9)
		}, "5 % bounds nothing"},
		"ChangedProofs of maxima": {func(t testing.TB, v verifier, rng *rand.Rand) {
			ChangedProofs(t, func() *Claimed { return v.claim(1+rng.Float64(), true) },
				func(c *Claimed) []byte { return MutateOptimum(t, rng, c) }, 1e-6)
		}, "5 % bounds nothing values"},
		"ChangedProofs of minima with values": {func(t testing.TB, v verifier, rng *rand.Rand) {
			ChangedProofs(t, func() *Claimed {
				c := v.claim(1+rng.Float64(), false)
				c.Header.Value = &c.Opt
				return c
			}, func(c *Claimed) []byte { return MutateOptimum(t, rng, c) }, 1e-6)
		}, "5 % bounds nothing values"},
		"ChangedProofs, a share": {func(t testing.TB, v verifier, rng *rand.Rand) {
			ChangedProofs(t, func() *Claimed { return v.claim(1+rng.Float64(), true) },
				func(c *Claimed) []byte { return MutateOptimum(t, rng, c) }, 0.06)
		}, "bounds nothing values"},
		"ChangedProofs without changes": {func(t testing.TB, v verifier, _ *rand.Rand) {
			ChangedProofs(t, func() *Claimed { return v.claim(1, false) }, func(c *Claimed) []byte { return c.File(t) }, 0)
		}, "1e-8 5 % 5e-11 bounds honest lines nothing values"},
		"RefuseFalse": {func(t testing.TB, v verifier, _ *rand.Rand) {
			RefuseFalse(t, v.claim(2, false), 3, "planted")
		}, "lines nothing"},
		"RefuseFalse of an optimum": {func(t testing.TB, v verifier, _ *rand.Rand) {
			RefuseFalse(t, v.claim(2, true), 3, "planted")
		}, "1e-8 5 % 5e-11 bounds honest lines nothing values"},
	} {
		var found []string
		for of, v := range verifiers {
			if fails(t, func(t testing.TB) { c.property(t, v, rand.New(rand.NewPCG(1, 2))) }) {
				found = append(found, of)
			}
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != c.finds {
			t.Errorf("%s finds %q, want %q", name, got, c.finds)
		}
	}
}

// Each way to change a proof comes to every kind of change.
func TestChanges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(rng *rand.Rand, c *Claimed) []byte
		want   string
	}{
		"MutateProof": {
			func(rng *rand.Rand, c *Claimed) []byte { return MutateProof(t, rng, c) },
			"bound+ dropped minus1 negated other plus1 same zero",
		},
		"MutateTree": {
			func(rng *rand.Rand, c *Claimed) []byte { return MutateTree(t, rng, c) },
			"bound+ dropped minus1 moved negated other plus1 same zero",
		},
		"MutateOptimum": {
			func(rng *rand.Rand, c *Claimed) []byte { return MutateOptimum(t, rng, c) },
			"bound+ bound- doubled dropped little+ little- minus1 moved negated other plus1 repeated same value+ value- zero",
		},
	} {
		rng, seen := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
		for range 500 {
			x := 3.0
			before := &Claimed{Header: proof.Header{Format: proof.Format, Version: proof.Version, Value: &x, Bound: &x}}
			before.Lines = []any{[]any{5.0}, map[string]any{"a": []any{7.0}}}
			p := Read(t, c.change(rng, before))
			if x != 3 || before.Lines[0].([]any)[0] != 5.0 {
				t.Fatalf("%s changes the proof itself", name)
			}
			differs(seen, "value", p.Header.Value)
			differs(seen, "bound", p.Header.Bound)
			first := "[]"
			if len(p.Lines) > 0 {
				first = string(p.Lines[0])
			}
			switch {
			case len(p.Lines) < 2 || first == "[]":
				seen["dropped"] = true
			case len(p.Lines) > 2 || strings.Count(first, ",") > 0:
				seen["repeated"] = true
			case strings.HasPrefix(first, "{"):
				seen["moved"] = true
			default:
				var v []float64
				fail.On(t, json.Unmarshal([]byte(first), &v))
				kind, known := map[float64]string{5: "same", -5: "negated", 6: "plus1", 4: "minus1", 0: "zero", 10: "doubled"}[v[0]]
				switch {
				case known:
					seen[kind] = true
				case v[0] > 5 && v[0] < 5.001:
					seen["little+"] = true
				case v[0] < 5 && v[0] > 4.999:
					seen["little-"] = true
				default:
					seen["other"] = true
				}
			}
		}
		var got []string
		for kind := range seen {
			got = append(got, kind)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// differs notes how a claim of 3 was changed.
func differs(seen map[string]bool, name string, v *float64) {
	if v != nil && *v > 3 {
		seen[name+"+"] = true
	} else if v != nil && *v < 3 {
		seen[name+"-"] = true
	}
}

func TestAltered(t *testing.T) {
	x := 3.0
	c := &Claimed{Header: proof.Header{Format: proof.Format, Version: proof.Version, Value: &x, Bound: &x}}
	c.Lines = []any{map[string]any{"solution": 1}, 2}
	file := c.File(t)
	for name, k := range map[string]struct {
		edit  func(map[string]any)
		lines int
	}{
		"nothing": {nil, 2},
		"bound":   {func(h map[string]any) { h["bound"] = 4 }, 2},
		"value":   {func(h map[string]any) { h["value"] = nil }, 1},
	} {
		p := Read(t, Altered(t, file, k.edit))
		if len(p.Lines) != k.lines || (*p.Header.Bound == 4) != (name == "bound") {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
