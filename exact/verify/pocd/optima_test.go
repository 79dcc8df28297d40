package pocd_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactpocd "schedgap/exact/pocd"
	pocdoracle "schedgap/exact/pocd/oracle"
	verifypocd "schedgap/exact/verify/pocd"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// pocdProof is what the method proves of a solution.
func pocdProof(t *testing.T, in *pocd.Instance, all bool, s pocd.Copies) *verifytest.Claimed {
	t.Helper()
	target := exactpocd.Opt
	if all {
		target = exactpocd.OptAll
	}
	claim, err := target.Methods[0].Prove(t.Context(), in, s, in.Value(s), in.Value(s))
	if err != nil || claim == nil {
		t.Fatalf("no proof of %v of %+v: %v", s, in, err)
	}
	file, err := pocd.Problem.MarshalInstance(in)
	fail.On(t, err)
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "pocd", Instance: in.Name, SHA256: sha, Reference: target.Reference, Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		Lines: claim.Lines, Opt: pocdoracle.Opt(in, all), Most: true, Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifypocd.Verify(p, in, sha)) },
	}
}

func randomPocd(t *testing.T, rng *rand.Rand) *verifytest.Claimed {
	t.Helper()
	in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
	all := rng.IntN(2) == 0
	target := exactpocd.Opt
	if all {
		target = exactpocd.OptAll
	}
	p := &pocd.Pass{Instance: in, Threads: 1, Improved: func(pocd.Copies) {}, Bounded: func(float64) {}}
	out, err := target.Alone(t.Context(), target.Methods[0], p, nil)
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s: %v", out.Status, err)
	}
	return pocdProof(t, in, all, out.Solution)
}

// Every optimum is proven, and verified, and neither a better value nor a better bound is.
func TestPocdOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 4)
	verifytest.OptimaProve(t, func() *verifytest.Claimed { return randomPocd(t, rng) })
}

// Proofs with something changed are refused, or what they say is true.
func TestPocdMutated(t *testing.T) {
	rng := trials.Rand(t, 16, 5)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed { return randomPocd(t, rng) },
		func(c *verifytest.Claimed) []byte { return verifytest.MutateOptimum(t, rng, c) }, 1e-12) // of the oracle's sums
}

// The method is not fooled by solutions that are no optimum, and what it says of the optimum is refused of another solution.
func TestPocdFalse(t *testing.T) {
	rng := trials.Rand(t, 16, 6)
	planted := 0
	for range trials.Count(80) {
		in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
		c := pocdProof(t, in, false, pocd.NoCopies(in))
		if !(in.Value(pocd.NoCopies(in)) < c.Opt-2e-9*math.Abs(c.Opt)) {
			continue
		}
		planted++
		verifytest.RefuseFalse(t, c, in.Value(pocd.NoCopies(in)), verifypocd.Solution{Solution: pocd.NoCopies(in)})
	}
	if planted < trials.Count(20) {
		t.Errorf("only %d false optima", planted)
	}
}

// What is no proof, each with the reason for which it is refused.
func TestPocdRefused(t *testing.T) {
	in := &pocd.Instance{Capacity: 4, MaxCopies: 1, Jobs: []pocd.Job{{ID: "j", Deadline: 200, Tasks: []pocd.Task{
		{ID: "a", TMin: 100, Beta: 1, Straggler: true}, {ID: "b", TMin: 100, Beta: 1},
	}}}}
	in.Name = "one"
	value, err := verifypocd.Value(in, false, pocd.Copies{{1, 0}}) // (1 − 1/4)/2
	if err != nil || math.Abs(value-0.375) > 1e-14 {
		t.Fatal(value, err)
	}
	bound := 0.3750000001
	price := verifypocd.Price{}
	copies := func(c ...int) verifypocd.Solution { return verifypocd.Solution{Solution: pocd.Copies{c}} }
	for name, c := range map[string]struct {
		change func(h *proof.Header)
		lines  []any
		reason string
	}{
		"":                    {nil, []any{copies(1, 0), price}, ""},
		"no solution":         {nil, []any{price}, "solution: required"},
		"no multiplier":       {nil, []any{copies(1, 0)}, "not complete"},
		"a copy of no use":    {nil, []any{copies(0, 1), price}, "not allowed"},
		"too many copies":     {nil, []any{copies(2, 0), price}, "not allowed"},
		"a task less":         {nil, []any{copies(1), price}, "1 tasks of 2"},
		"a worse solution":    {nil, []any{copies(0, 0), price}, "is worth"},
		"negative multiplier": {nil, []any{copies(1, 0), verifypocd.Price{Multiplier: -1}}, "multiplier"},
		"large multiplier":    {nil, []any{copies(1, 0), verifypocd.Price{Multiplier: 1e300}}, "too large"},
		"unknown field":       {nil, []any{copies(1, 0), map[string]any{"multiplier": 0, "gap": 1}}, "gap"},
		"other reference":     {func(h *proof.Header) { h.Reference = "optimum" }, nil, "reference"},
		"far apart":           {func(h *proof.Header) { b := 0.38; h.Bound = &b }, []any{copies(1, 0), price}, "too far apart"},
		"a worse value":       {func(h *proof.Header) { v := value - 1e-11; h.Value = &v }, []any{copies(1, 0), price}, "is worth"},
	} {
		q := &verifytest.Claimed{Lines: c.lines}
		q.Header = proof.Header{
			Problem: "pocd", Instance: "one", SHA256: "x", Reference: "opt", Kind: verifypocd.Multiplier, Value: &value, Bound: &bound,
		}
		if c.change != nil {
			c.change(&q.Header)
		}
		_, err = verifypocd.Verify(verifytest.Read(t, q.File(t)), in, "x")
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("pocd, %s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}
