package redundancy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

func ofRedundancy(t *testing.T, in *redundancy.Instance) *verifytest.Claimed {
	t.Helper()
	p := &redundancy.Pass{
		Instance: in, Params: models.Defaults(exactredundancy.LBPrice.Params), Threads: 1,
		Improved: func(redundancy.Solution) {}, Bounded: func(float64) {},
	}
	p.Params["steps"] = 200
	out, err := exactredundancy.LBPrice.Run(t.Context(), p)
	if err != nil || out.Proof == nil {
		t.Fatalf("no proof: %v", err)
	}
	file, err := redundancy.Problem.MarshalInstance(in)
	fail.On(t, err)
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "redundancy", Instance: in.Name, SHA256: sha, Reference: redundancy.Opt, Kind: out.Proof.Kind,
			Bound: out.Bound,
		},
		Lines: out.Proof.Lines, Opt: math.NaN(), Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifyredundancy.Verify(p, in, sha)) },
	}
}

func randomRedundancy(t *testing.T, rng *rand.Rand, jobs int) *verifytest.Claimed {
	in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
	if jobs == 0 {
		c := ofRedundancy(t, in)
		c.Opt = redundancyoracle.Opt(in)
		return c
	}
	in.Jobs = nil
	at := 0.0
	for j := range jobs {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: "j" + string(rune('a'+j)), Arrival: at, Work: 1 + 3*rng.ExpFloat64()})
		at += 4 * rng.ExpFloat64() / float64(in.Machines)
	}
	return ofRedundancy(t, in)
}

// What lb-price proves is verified, and no more.
func TestRedundancyProofsOfPrices(t *testing.T) {
	rng := trials.Rand(t, 7, 0)
	verifytest.PricesProve(t, func(i int) *verifytest.Claimed { return randomRedundancy(t, rng, (3*i+1)%15) })
}

// A proof by prices in which anything is changed is refused, or what it says is true.
func TestRedundancyMutatedProofs(t *testing.T) {
	rng := trials.Rand(t, 7, 1)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed { return randomRedundancy(t, rng, 0) },
		func(c *verifytest.Claimed) []byte { return verifytest.MutateProof(t, rng, c) }, 1e-9)
}
