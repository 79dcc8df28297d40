package flex_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/optimatest"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

func ofFlex(t *testing.T, in *flex.Instance) *verifytest.Claimed {
	t.Helper()
	for j := range in.Jobs {
		in.Jobs[j].ID = "j" + string(rune('a'+j))
	}
	p := &flex.Pass{
		Instance: in, Params: models.Defaults(exactflex.LBPrice.Params), Threads: 1,
		Improved: func(flex.Schedule) {}, Bounded: func(float64) {},
	}
	p.Params["steps"] = 200
	out, err := exactflex.LBPrice.Run(t.Context(), p)
	if err != nil || out.Proof == nil {
		t.Fatalf("no proof: %v", err)
	}
	file, err := flex.Problem.MarshalInstance(in)
	fail.On(t, err)
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{Problem: "flex", Instance: in.Name, SHA256: sha, Reference: flex.Opt, Kind: out.Proof.Kind, Bound: out.Bound},
		Lines:  out.Proof.Lines, Opt: math.NaN(), Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifyflex.Verify(p, in, sha)) },
	}
}

func randomFlex(t *testing.T, rng *rand.Rand, n int) *verifytest.Claimed {
	if n > 4 {
		return ofFlex(t, flexoracle.RandomInstance(rng, n))
	}
	tiny := optimatest.One(t, rng, flex.Problem)
	c := ofFlex(t, tiny.In)
	c.Opt = tiny.Optima["opt"]
	return c
}

// What lb-price proves is verified, and no more.
func TestProofsOfPrices(t *testing.T) {
	rng := trials.Rand(t, 7, 0)
	verifytest.PricesProve(t, func(i int) *verifytest.Claimed { return randomFlex(t, rng, 1+3*i%12) })
}

// A proof by prices in which anything is changed is refused, or what it says is true.
func TestMutatedProofs(t *testing.T) {
	rng := trials.Rand(t, 7, 1)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed { return randomFlex(t, rng, 2+rng.IntN(3)) },
		func(c *verifytest.Claimed) []byte { return verifytest.MutateProof(t, rng, c) }, 1e-9)
}

// Planted falsehoods, each with the reason for which it is refused.
func TestRefused(t *testing.T) {
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum}}
	in.Name = "three"
	due := 3.0
	for _, id := range []string{"a", "b", "c"} {
		in.Jobs = append(in.Jobs, flex.Job{ID: id, Work: 2, Max: 1, Weight: 1, Deadline: &due})
	}
	bound := 1.0
	header := proof.Header{Problem: "flex", Instance: "three", SHA256: "x", Reference: "opt", Kind: proof.Prices, Bound: &bound}
	grid := []float64{0, 1, 2, 3}
	all := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		change func(h *proof.Header)
		lines  []any
		reason string
	}{
		"rising prices":  {nil, []any{proof.Multipliers{Grid: grid, Price: []float64{0, 1, 0}}}, "rising prices"},
		"negative price": {nil, []any{proof.Multipliers{Grid: grid, Price: []float64{1, 1, -1}}}, "negative"},
		"too much":       {nil, []any{proof.Multipliers{Grid: grid, Price: []float64{0, 0, 0}}}, "the prices prove"},
		"no prices":      {nil, nil, "not complete"},
		"false count": {nil, []any{
			proof.Multipliers{Grid: grid, Price: []float64{0, 0, 0}},
			proof.Counts{Jobs: all, Points: []int{3}, Theta: []float64{1}, Most: []int{0}},
		}, "can be done"},
		"a job twice": {nil, []any{
			proof.Multipliers{Grid: grid, Price: []float64{0, 0, 0}},
			proof.Counts{Jobs: []string{"a", "a"}},
		}, "twice"},
		"other instance":  {func(h *proof.Header) { h.SHA256 = "y" }, nil, "another instance"},
		"other reference": {func(h *proof.Header) { h.Reference = "opt-mps" }, nil, "reference"},
		"other kind":      {func(h *proof.Header) { h.Kind = "tree" }, nil, "kind"},
		"no bound":        {func(h *proof.Header) { h.Bound = nil }, nil, "no bound"},
		"a value":         {func(h *proof.Header) { h.Value = &bound }, nil, "no value"},
		"unknown field":   {nil, []any{map[string]any{"grid": grid, "price": []float64{0, 0, 0}, "offset": 1}}, "offset"},
	} {
		h := header
		if c.change != nil {
			c.change(&h)
		}
		var b bytes.Buffer
		fail.On(t, proof.Write(&b, h, c.lines))
		if _, err := verifyflex.Verify(verifytest.Read(t, b.Bytes()), in, "x"); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}
