package cloning_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactcloning "schedgap/exact/cloning"
	cloningoracle "schedgap/exact/cloning/oracle"
	"schedgap/exact/optimatest"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
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
	fail.On(t, err)
	if out.Proof == nil {
		return nil
	}
	file, err := cloning.Problem.MarshalInstance(in)
	fail.On(t, err)
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

// What cannot be prices is refused, and what just can be is not.
func TestLimitsOfPrices(t *testing.T) {
	type prices = verifycloning.Prices
	limit := cloning.Limit(1)
	alone := func(p *prices) {
		p.Classes = append(p.Classes, p.Classes[0])
		p.Classes[0].Servers, p.Classes[1].Servers = [][]float64{{1}}, [][]float64{{2}}
		p.Surrogates = [][]int64{{3, 0}, {1, 0}}
	}
	largest := func(p *prices, v float64) { p.Classes[0].Largest = []float64{v} }
	surrogate := func(p *prices, s verifycloning.Surrogate) { p.Classes[0].Surrogates = []verifycloning.Surrogate{s} }
	grid := func(p *prices, points int) {
		p.Grid, p.Surrogates = nil, nil
		for i := range points {
			p.Grid = append(p.Grid, i)
		}
		for range points - 1 {
			p.Surrogates = append(p.Surrogates, []int64{1})
		}
	}
	for name, c := range map[string]struct {
		edit   func(p *prices)
		mean   float64 // of the task, where it is not 1
		reason string
	}{
		"as they are":            {edit: func(*prices) {}},
		"negative bits":          {edit: func(p *prices) { p.Bits = -1 }, reason: "bits -1 must be"},
		"40 bits":                {edit: func(p *prices) { p.Bits = 40 }},
		"41 bits":                {edit: func(p *prices) { p.Bits = 41 }, reason: "bits 41 must be"},
		"one point":              {edit: func(p *prices) { grid(p, 1) }, reason: "grid must begin with 0 and have from 2 to 1508 points"},
		"two points":             {edit: func(p *prices) { grid(p, 2) }},
		"1508 points":            {edit: func(p *prices) { grid(p, 1508) }},
		"1509 points":            {edit: func(p *prices) { grid(p, 1509) }, reason: "from 2 to 1508 points"},
		"a late start":           {edit: func(p *prices) { p.Grid[0] = 1 }, reason: "grid must begin with 0"},
		"no slot":                {edit: func(p *prices) { p.Grid[2] = 2 }, reason: "grid[2] = 2 must be more than grid[1] = 2"},
		"2^40 slots":             {edit: func(p *prices) { p.Grid[2] = 1 << 40 }},
		"more slots":             {edit: func(p *prices) { p.Grid[2] = 1<<40 + 1 }, reason: "at most 2^40"},
		"no row":                 {edit: func(p *prices) { p.Surrogates = nil }, reason: "surrogates has 0 rows and must have 2"},
		"a short row":            {edit: func(p *prices) { p.Surrogates[1] = nil }, reason: "surrogates[1] has 0 prices and must have 1"},
		"a price below 0":        {edit: func(p *prices) { p.Surrogates[1][0] = -1 }, reason: "surrogates[1][0] = -1 must be"},
		"a price of 2^60":        {edit: func(p *prices) { p.Surrogates[1][0] = 1 << 60 }},
		"a price of more":        {edit: func(p *prices) { p.Surrogates[1][0] = 1<<60 + 1 }, reason: "must be from 0 to 2^60"},
		"a task of 2^61":         {edit: func(p *prices) { largest(p, 1); p.Surrogates[1][0] = 1 << 60 }, mean: 2, reason: "too dear"},
		"a task of less":         {edit: func(p *prices) { largest(p, 1); p.Surrogates[1][0] = 1<<60 - 1 }, mean: 2},
		"2^20 slots of 2^40":     {edit: func(p *prices) { p.Bits, p.Grid[2] = 40, 1<<20-2 }, reason: "may take 1048575 slots"},
		"fewer slots of 2^40":    {edit: func(p *prices) { p.Bits, p.Grid[2] = 40, 1<<20-3 }},
		"no resource":            {edit: func(p *prices) { p.Classes[0].Largest = nil }, reason: "classes[0].largest has 0 resources"},
		"a class left out":       {edit: func(p *prices) { p.Classes[0].Servers = [][]float64{{1}} }, reason: "some server is in no class"},
		"an unknown server":      {edit: func(p *prices) { p.Classes[0].Servers[1] = []float64{3} }, reason: "classes[0].servers[1] is no capacity"},
		"a server twice":         {edit: func(p *prices) { p.Classes[0].Servers[1] = []float64{1} }, reason: "in two classes"},
		"a resource below 0":     {edit: func(p *prices) { surrogate(p, verifycloning.Surrogate{Resource: -1}) }, reason: "is no surrogate"},
		"an unknown resource":    {edit: func(p *prices) { surrogate(p, verifycloning.Surrogate{Resource: 1}) }, reason: "is no surrogate"},
		"parts below 0":          {edit: func(p *prices) { surrogate(p, verifycloning.Surrogate{Parts: -1}) }, reason: "is no surrogate"},
		"1000 parts":             {edit: func(p *prices) { surrogate(p, verifycloning.Surrogate{Parts: 1000}) }},
		"1001 parts":             {edit: func(p *prices) { surrogate(p, verifycloning.Surrogate{Parts: 1001}) }, reason: "is no surrogate"},
		"relative to 0":          {edit: func(p *prices) { largest(p, 0) }, reason: "is no surrogate"},
		"relative to infinity":   {edit: func(p *prices) { largest(p, math.Inf(1)) }, reason: "is no surrogate"},
		"relative to nothing":    {edit: func(p *prices) { largest(p, math.NaN()) }, reason: "is no surrogate"},
		"servers of 2^50":        {edit: func(p *prices) { alone(p); largest(p, limit/(1<<19)) }},
		"servers of more":        {edit: func(p *prices) { alone(p); largest(p, limit/(1<<20)) }, reason: "far too small"},
		"nothing is worth a bit": {edit: func(p *prices) { largest(p, 1e300) }},
	} {
		in := onOne(1, jobOf(0, phase(1, 1)), jobOf(0, phase(1, 1)))
		in.Jobs[0].Phases[0].Mean = max(1, c.mean)
		in.Servers = []cloning.Server{{Capacity: []float64{1}}, {Capacity: []float64{2}}, {Capacity: []float64{1}}}
		p := &prices{Bits: 2, Grid: []int{0, 2, 4}, Surrogates: [][]int64{{3}, {1}}, Classes: []verifycloning.Class{
			{Servers: [][]float64{{1}, {2}}, Largest: []float64{2}, Surrogates: []verifycloning.Surrogate{{}}},
		}}
		c.edit(p)
		_, err := verifycloning.Bound(in, p)
		if (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", name, err, c.reason)
		}
	}
	in := onOne(1, jobOf(0, phase(1, 1)))
	in.Jobs[0].Phases[0].Demand[0] = 2
	p := &prices{Grid: []int{0, 1}, Surrogates: [][]int64{{1}}, Classes: []verifycloning.Class{
		{Servers: [][]float64{{1}}, Largest: []float64{1}, Surrogates: []verifycloning.Surrogate{{}}},
	}}
	if _, err := verifycloning.Bound(in, p); err == nil || !strings.Contains(err.Error(), "fits on no server") {
		t.Errorf("a phase that fits on no server: %v", err)
	}
}

// By hand, prices times weights in 2^-30, rounded down, up to 2^62.
func TestWeighed(t *testing.T) {
	for _, c := range [][3]int64{
		{3, 1 << 30, 3},
		{3, 1<<30 - 1, 2},
		{1<<60 - 1, 1 << 31, 1<<61 - 2},
		{1 << 60, 1<<32 + 1, 1 << 62},
		{1 << 60, 1 << 62, 1 << 62},
		{1<<62 - 1, 1 << 30, 1<<62 - 1},
	} {
		if got := verifycloning.Weighed(c[0], c[1]); got != c[2] {
			t.Errorf("%d at %d: %d, want %d", c[1], c[0], got, c[2])
		}
	}
}
