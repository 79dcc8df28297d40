package speculation_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactspeculation "schedgap/exact/speculation"
	speculationoracle "schedgap/exact/speculation/oracle"
	verifyspeculation "schedgap/exact/verify/speculation"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

func speculationProof(t *testing.T, in *speculation.Instance, s speculation.Solution) *verifytest.Claimed {
	t.Helper()
	claim, err := exactspeculation.Opt.Methods[0].Prove(t.Context(), in, s, in.Value(s.Assign), in.Value(s.Assign))
	if err != nil || claim == nil {
		t.Fatalf("no proof: %v", err)
	}
	file, err := speculation.Problem.MarshalInstance(in)
	fail.On(t, err)
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "speculation", Instance: in.Name, SHA256: sha, Reference: "opt", Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		Lines: claim.Lines, Opt: speculationoracle.Opt(in), Most: true, Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifyspeculation.Verify(p, in, sha)) },
	}
}

func randomSpeculation(t *testing.T, rng *rand.Rand) *verifytest.Claimed {
	t.Helper()
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 5)
	p := &speculation.Pass{Instance: in, Threads: 1, Improved: func(speculation.Solution) {}, Bounded: func(float64) {}}
	out, err := exactspeculation.Opt.Alone(t.Context(), exactspeculation.Opt.Methods[0], p, nil)
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s: %v", out.Status, err)
	}
	return speculationProof(t, in, out.Solution)
}

// Every optimum is proven, and verified, and neither a better value nor a better bound is.
func TestSpeculationOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 4)
	verifytest.OptimaProve(t, func() *verifytest.Claimed { return randomSpeculation(t, rng) })
}

// Proofs with something changed are refused, or what they say is true.
func TestSpeculationMutated(t *testing.T) {
	rng := trials.Rand(t, 16, 5)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed { return randomSpeculation(t, rng) },
		func(c *verifytest.Claimed) []byte { return verifytest.MutateOptimum(t, rng, c) }, 1e-12) // of the oracle's sums
}

// The method is not fooled by solutions that are no optimum, and what it says of the optimum is refused of another solution.
func TestSpeculationFalse(t *testing.T) {
	rng := trials.Rand(t, 16, 6)
	planted := 0
	for range trials.Count(80) {
		in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 5)
		none := speculation.NoCopies(in)
		c := speculationProof(t, in, speculation.Solution{Assign: none})
		if c.Opt == 0 {
			continue
		}
		planted++
		verifytest.RefuseFalse(t, c, 0, verifyspeculation.Solution{Solution: none})
	}
	if planted < trials.Count(20) {
		t.Errorf("only %d false optima", planted)
	}
}

// What is no proof, each with the reason for which it is refused.
func TestSpeculationRefused(t *testing.T) {
	window := &speculation.Instance{
		Stragglers: []speculation.Straggler{{ID: "s", Finish: 10, Power: 1}, {ID: "t", Finish: 10, Power: 1}},
		Slots:      []speculation.Slot{{ID: "v"}, {ID: "w"}}, CopyTime: [][]float64{{4, 10}, {5, math.NaN()}},
	}
	window.Name = "two"
	six := 6.0
	slots := func(v ...float64) verifyspeculation.Slots { return verifyspeculation.Slots{Prices: v} }
	assign := func(m ...int) verifyspeculation.Solution { return verifyspeculation.Solution{Solution: m} }
	for name, c := range map[string]struct {
		lines  []any
		reason string
	}{
		"":                      {[]any{assign(0, -1), slots(6, 0)}, ""},
		"a slot twice":          {[]any{assign(0, 0), slots(6, 0)}, "taken"},
		"no slot of that kind":  {[]any{assign(2, -1), slots(6, 0)}, "not there"},
		"a copy that is late":   {[]any{assign(1, -1), slots(6, 0)}, "saves nothing"},
		"a pair without a time": {[]any{assign(-1, 1), slots(6, 0)}, "saves nothing"},
		"a worse solution":      {[]any{assign(-1, 0), slots(6, 0)}, "is worth 5"},
		"low prices":            {[]any{assign(0, -1), slots(4, 0)}, "the prices prove 7"},
		"negative price":        {[]any{assign(0, -1), slots(6, -1)}, "negative"},
		"a price less":          {[]any{assign(0, -1), slots(6)}, "1 slots of 2"},
		"no prices":             {[]any{assign(0, -1)}, "not complete"},
	} {
		q := &verifytest.Claimed{Lines: c.lines}
		q.Header = proof.Header{
			Problem: "speculation", Instance: "two", SHA256: "x", Reference: "opt", Kind: verifyspeculation.Prices, Value: &six,
			Bound: &six,
		}
		_, err := verifyspeculation.Verify(verifytest.Read(t, q.File(t)), window, "x")
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("speculation, %s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}
