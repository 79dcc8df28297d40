package cloning_test

import (
	"math"
	"math/rand/v2"
	"testing"

	exactcloning "schedgap/exact/cloning"
	cloningoracle "schedgap/exact/cloning/oracle"
	"schedgap/exact/optimatest"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// ofCloning is nil where prices prove less than the other bounds do.
func ofCloning(t *testing.T, in *cloning.Instance) *verifytest.Claimed {
	t.Helper()
	p := &cloning.Pass{
		Instance: in, Params: models.Defaults(exactcloning.LBPrice.Params), Threads: 1,
		Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
	}
	p.Params["steps"] = 40
	out, err := exactcloning.LBPrice.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if out.Proof == nil {
		return nil
	}
	file, err := cloning.Problem.MarshalInstance(in)
	if err != nil {
		t.Fatal(err)
	}
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "cloning", Instance: in.Name, SHA256: sha, Reference: cloning.Opt, Kind: out.Proof.Kind,
			Bound: out.Bound,
		},
		Lines: out.Proof.Lines, Opt: math.NaN(), Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifycloning.Verify(p, in, sha)) },
	}
}

func randomCloning(t *testing.T, rng *rand.Rand, tasks int) *verifytest.Claimed {
	for {
		if tasks <= 4 {
			tiny := optimatest.One(t, rng, cloning.Problem)
			if c := ofCloning(t, tiny.In); c != nil {
				c.Opt = tiny.Optima["opt"]
				return c
			}
		} else if c := ofCloning(t, cloningoracle.RandomInstance(rng, tasks)); c != nil {
			return c
		}
	}
}

// What lb-price proves is verified, and no more.
func TestCloningProofsOfPrices(t *testing.T) {
	rng := trials.Rand(t, 7, 0)
	verifytest.PricesProve(t, func(i int) *verifytest.Claimed { return randomCloning(t, rng, 2+(3*i+2)%12) })
}

// A proof by prices in which anything is changed is refused, or what it says is true.
func TestCloningMutatedProofs(t *testing.T) {
	rng := trials.Rand(t, 7, 1)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed { return randomCloning(t, rng, 4) },
		func(c *verifytest.Claimed) []byte { return verifytest.MutateProof(t, rng, c) }, 1e-9)
}
