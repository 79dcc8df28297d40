package verify_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactpocd "schedgap/exact/pocd"
	pocdoracle "schedgap/exact/pocd/oracle"
	exactspeculation "schedgap/exact/speculation"
	speculationoracle "schedgap/exact/speculation/oracle"
	verifypocd "schedgap/exact/verify/pocd"
	verifyspeculation "schedgap/exact/verify/speculation"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// pocdProof is what the method proves of a solution.
func pocdProof(t *testing.T, in *pocd.Instance, all bool, s pocd.Copies) *claimed {
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
	if err != nil {
		t.Fatal(err)
	}
	sha := models.Digest(file)
	return &claimed{
		proof.Header{
			Problem: "pocd", Instance: in.Name, SHA256: sha, Reference: target.Reference, Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		claim.Lines, pocdoracle.Opt(in, all), func(p *proof.Proof) error { return refusal(verifypocd.Verify(p, in, sha)) }, string(file),
	}
}

func randomPocd(t *testing.T, rng *rand.Rand) *claimed {
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

func speculationProof(t *testing.T, in *speculation.Instance, s speculation.Solution) *claimed {
	t.Helper()
	claim, err := exactspeculation.Opt.Methods[0].Prove(t.Context(), in, s, in.Value(s.Assign), in.Value(s.Assign))
	if err != nil || claim == nil {
		t.Fatalf("no proof: %v", err)
	}
	file, err := speculation.Problem.MarshalInstance(in)
	if err != nil {
		t.Fatal(err)
	}
	sha := models.Digest(file)
	return &claimed{
		proof.Header{
			Problem: "speculation", Instance: in.Name, SHA256: sha, Reference: "opt", Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		claim.Lines, speculationoracle.Opt(in), func(p *proof.Proof) error { return refusal(verifyspeculation.Verify(p, in, sha)) }, string(file),
	}
}

func randomSpeculation(t *testing.T, rng *rand.Rand) *claimed {
	t.Helper()
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 5)
	p := &speculation.Pass{Instance: in, Threads: 1, Improved: func(speculation.Solution) {}, Bounded: func(float64) {}}
	out, err := exactspeculation.Opt.Alone(t.Context(), exactspeculation.Opt.Methods[0], p, nil)
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s: %v", out.Status, err)
	}
	return speculationProof(t, in, out.Solution)
}

var optima = map[string]func(t *testing.T, rng *rand.Rand) *claimed{"pocd": randomPocd, "speculation": randomSpeculation}

// Every optimum is proven, and verified, and neither a better value nor a better bound is.
func TestProofsOfOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 4)
	for name, random := range optima {
		for range trials.Count(150) {
			c := random(t, rng)
			if c.header.Value == nil || math.Abs(*c.header.Value-c.opt) > 1e-9*math.Abs(c.opt) {
				t.Fatalf("%s: the value %v is not proven\n%s", name, c.opt, c.show)
			}
			if err := c.check(read(t, c.file(t))); err != nil {
				t.Fatalf("%s: refused: %v\n%s", name, err, c.show)
			}
			header := c.header
			for _, by := range []float64{1e-6, 1e-10} {
				more, less := c.opt+by*max(math.Abs(c.opt), 1e-9), c.opt-by*max(math.Abs(c.opt), 1e-9)
				c.header.Value = &more
				if c.check(read(t, c.file(t))) == nil {
					t.Fatalf("%s: the value %v is verified where %v is the optimum\n%s", name, more, c.opt, c.show)
				}
				c.header = header
				c.header.Bound = &less
				if c.check(read(t, c.file(t))) == nil {
					t.Fatalf("%s: the bound %v is verified where %v is the optimum\n%s", name, less, c.opt, c.show)
				}
				c.header = header
			}
		}
	}
}

// Proofs with something changed are refused, or what they say is true.
func TestMutatedOptima(t *testing.T) {
	for name, random := range optima {
		rng := trials.Rand(t, 16, 5)
		refused, kept := 0, 0
		for i := 0; i < trials.Count(300); {
			c := random(t, rng)
			for range 10 {
				i++
				p, err := proof.Read(mutateOptimum(t, rng, c))
				if err != nil || c.check(p) != nil {
					refused++
					continue
				}
				kept++
				slack := 1e-12 * math.Abs(c.opt) // of the oracle's sums
				if h := p.Header; *h.Bound < c.opt-slack || h.Value != nil && *h.Value > c.opt+slack {
					t.Fatalf("%s: %v and %v are verified, the optimum is %v\n%s\n%s", name, h.Value, *h.Bound, c.opt, c.show, p.Lines)
				}
			}
		}
		t.Logf("%s: %d refused, %d verified and true", name, refused, kept)
		if refused == 0 || kept == 0 {
			t.Errorf("%s: %d mutated proofs refused, %d verified: both must happen for this test to say anything", name, refused, kept)
		}
	}
}

// mutateOptimum changes the lines or not, and mostly claims something else, more often better than worse.
func mutateOptimum(t *testing.T, rng *rand.Rand, c *claimed) []byte {
	t.Helper()
	header := c.header
	moved := func(v *float64, better float64) *float64 {
		if v == nil {
			return nil
		}
		by := better * math.Pow(10, -10*rng.Float64())
		if rng.IntN(4) == 0 {
			by = -by
		}
		m := *v + by*math.Abs(*v)
		return &m
	}
	switch rng.IntN(4) {
	case 0:
		header.Value = moved(header.Value, 1)
	case 1:
		header.Bound = moved(header.Bound, -1)
	case 2:
		header.Value, header.Bound = moved(header.Value, 1), moved(header.Bound, -1)
		if rng.IntN(2) == 0 {
			header.Value = nil
		}
	}
	changed := *c
	changed.header, changed.lines = header, verifytest.Mutate(t, rng, c.lines, rng.IntN(3))
	return changed.file(t)
}

// The methods are not fooled by solutions that are no optimum, and what they say of the optimum is refused of another solution.
func TestFalseOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 6)
	planted := 0
	for range trials.Count(80) {
		in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
		c := pocdProof(t, in, false, pocd.NoCopies(in))
		if !(in.Value(pocd.NoCopies(in)) < c.opt-2e-9*math.Abs(c.opt)) {
			continue
		}
		planted++
		refuseFalse(t, "pocd", c, in.Value(pocd.NoCopies(in)), verifypocd.Solution{Solution: pocd.NoCopies(in)})
	}
	for range trials.Count(80) {
		in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 5)
		none := speculation.NoCopies(in)
		c := speculationProof(t, in, speculation.Solution{Assign: none})
		if c.opt == 0 {
			continue
		}
		planted++
		refuseFalse(t, "speculation", c, 0, verifyspeculation.Solution{Solution: none})
	}
	if planted < trials.Count(40) {
		t.Errorf("only %d false optima", planted)
	}
}

// refuseFalse plants a solution of that value: as it is, and as if it were worth the bound.
func refuseFalse(t *testing.T, name string, c *claimed, value float64, line any) {
	t.Helper()
	if c.header.Value != nil {
		t.Fatalf("%s: the value %v is claimed, the optimum is %v\n%s", name, *c.header.Value, c.opt, c.show)
	}
	if err := c.check(read(t, c.file(t))); err != nil {
		t.Fatalf("%s: the bound %v is refused: %v\n%s", name, *c.header.Bound, err, c.show)
	}
	bound := *c.header.Bound
	c.lines = append([]any{line}, c.lines...)
	for _, claim := range []proof.Header{
		{Value: &value, Bound: &bound},
		{Value: &value, Bound: &value},
		{Value: &bound, Bound: &bound},
	} {
		c.header.Value, c.header.Bound = claim.Value, claim.Bound
		if c.check(read(t, c.file(t))) == nil {
			t.Fatalf("%s: %v and %v are verified, the optimum is %v\n%s", name, *claim.Value, *claim.Bound, c.opt, c.show)
		}
	}
}

// What is no proof of pocd or speculation, each with the reason for which it is refused.
func TestRefusedOptima(t *testing.T) {
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
		q := &claimed{lines: c.lines}
		q.header = proof.Header{
			Problem: "pocd", Instance: "one", SHA256: "x", Reference: "opt", Kind: verifypocd.Multiplier, Value: &value, Bound: &bound,
		}
		if c.change != nil {
			c.change(&q.header)
		}
		_, err = verifypocd.Verify(read(t, q.file(t)), in, "x")
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("pocd, %s: %v, want a reason with %q", name, err, c.reason)
		}
	}

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
		q := &claimed{lines: c.lines}
		q.header = proof.Header{
			Problem: "speculation", Instance: "two", SHA256: "x", Reference: "opt", Kind: verifyspeculation.Prices, Value: &six,
			Bound: &six,
		}
		_, err := verifyspeculation.Verify(read(t, q.file(t)), window, "x")
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("speculation, %s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}
