package verify_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	exactcloning "schedgap/exact/cloning"
	cloningoracle "schedgap/exact/cloning/oracle"
	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/optimatest"
	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	verifycloning "schedgap/exact/verify/cloning"
	verifyflex "schedgap/exact/verify/flex"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// A claimed is a bound with its proof, and what is known of the instance.
type claimed struct {
	header proof.Header
	lines  []any
	opt    float64 // NaN: not known
	check  func(p *proof.Proof) error
	show   string
}

func (c *claimed) file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := proof.Write(&b, c.header, c.lines); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t *testing.T, data []byte) *proof.Proof {
	t.Helper()
	p, err := proof.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ofFlex(t *testing.T, in *flex.Instance) *claimed {
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
	if err != nil {
		t.Fatal(err)
	}
	sha := models.Digest(file)
	return &claimed{
		proof.Header{Problem: "flex", Instance: in.Name, SHA256: sha, Reference: flex.Opt, Kind: out.Proof.Kind, Bound: out.Bound},
		out.Proof.Lines, math.NaN(), func(p *proof.Proof) error { return refusal(verifyflex.Verify(p, in, sha)) }, string(file),
	}
}

func ofRedundancy(t *testing.T, in *redundancy.Instance) *claimed {
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
	if err != nil {
		t.Fatal(err)
	}
	sha := models.Digest(file)
	return &claimed{
		proof.Header{
			Problem: "redundancy", Instance: in.Name, SHA256: sha, Reference: redundancy.Opt, Kind: out.Proof.Kind,
			Bound: out.Bound,
		},
		out.Proof.Lines, math.NaN(), func(p *proof.Proof) error { return refusal(verifyredundancy.Verify(p, in, sha)) }, string(file),
	}
}

// ofCloning is nil where prices prove less than the other bounds do.
func ofCloning(t *testing.T, in *cloning.Instance) *claimed {
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
	return &claimed{
		proof.Header{
			Problem: "cloning", Instance: in.Name, SHA256: sha, Reference: cloning.Opt, Kind: out.Proof.Kind,
			Bound: out.Bound,
		},
		out.Proof.Lines, math.NaN(), func(p *proof.Proof) error { return refusal(verifycloning.Verify(p, in, sha)) }, string(file),
	}
}

func randomCloning(t *testing.T, rng *rand.Rand, tasks int) *claimed {
	for {
		if tasks <= 4 {
			tiny := optimatest.One(t, rng, cloning.Problem)
			if c := ofCloning(t, tiny.In); c != nil {
				c.opt = tiny.Optima["opt"]
				return c
			}
		} else if c := ofCloning(t, cloningoracle.RandomInstance(rng, tasks)); c != nil {
			return c
		}
	}
}

func randomFlex(t *testing.T, rng *rand.Rand, n int) *claimed {
	if n > 4 {
		return ofFlex(t, flexoracle.RandomInstance(rng, n))
	}
	tiny := optimatest.One(t, rng, flex.Problem)
	c := ofFlex(t, tiny.In)
	c.opt = tiny.Optima["opt"]
	return c
}

func randomRedundancy(t *testing.T, rng *rand.Rand, jobs int) *claimed {
	in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
	if jobs == 0 {
		c := ofRedundancy(t, in)
		c.opt = redundancyoracle.Opt(in)
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

// What lb-price proves is verified, and not a millionth more; and a proof speaks of its own instance only.
func TestProofsOfPrices(t *testing.T) {
	rng := trials.Rand(t, 7, 0)
	var before *claimed
	for i := range trials.Count(60) {
		var c *claimed
		switch i % 3 {
		case 0:
			c = randomFlex(t, rng, 1+i%12)
		case 1:
			c = randomRedundancy(t, rng, i%15)
		default:
			c = randomCloning(t, rng, 2+i%12)
		}
		if err := c.check(read(t, c.file(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.show)
		}
		bound := *c.header.Bound
		size := math.Abs(bound) + 1
		more := bound + 1e-6*size // of cloning: any part of a slot
		c.header.Bound = &more
		if c.check(read(t, c.file(t))) == nil {
			t.Fatalf("%v is verified where lb-price proved %v\n%s", more, bound, c.show)
		}
		c.header.Bound = &bound
		if before != nil {
			if err := c.check(read(t, before.file(t))); err == nil {
				t.Fatal("the proof of another instance is verified")
			}
		}
		before = c
	}
}

// A proof in which anything is changed is refused, or what it says is true.
func TestMutatedProofs(t *testing.T) {
	rng := trials.Rand(t, 7, 1)
	for name, make := range map[string]func() *claimed{
		"flex":       func() *claimed { return randomFlex(t, rng, 2+rng.IntN(3)) },
		"redundancy": func() *claimed { return randomRedundancy(t, rng, 0) },
		"cloning":    func() *claimed { return randomCloning(t, rng, 4) },
	} {
		refused, kept := 0, 0
		for i := 0; i < trials.Count(300); {
			c := make()
			for range 10 {
				i++
				data := mutate(t, rng, c)
				p, err := proof.Read(data)
				if err != nil {
					refused++
					continue
				}
				if err := c.check(p); err != nil {
					refused++
					continue
				}
				kept++
				if b := *p.Header.Bound; b > c.opt+1e-9*math.Abs(c.opt) {
					t.Fatalf("%s: %v is verified, the optimum is %v\n%s\n%s", name, b, c.opt, c.show, p.Lines)
				}
			}
		}
		t.Logf("%s: %d refused, %d verified and true", name, refused, kept)
		if refused == 0 || kept == 0 {
			t.Errorf("%s: %d mutated proofs refused, %d verified: both must happen for this test to say anything", name, refused, kept)
		}
	}
}

// mutate changes one number, drops a line, or raises the bound.
func mutate(t *testing.T, rng *rand.Rand, c *claimed) []byte {
	t.Helper()
	text, err := json.Marshal(c.lines)
	if err != nil {
		t.Fatal(err)
	}
	var lines []any
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&lines); err != nil {
		t.Fatal(err)
	}
	header := c.header
	switch rng.IntN(6) {
	case 0:
		b := *header.Bound * (1 + 0.2*rng.Float64())
		header.Bound = &b
	case 1:
		i := rng.IntN(len(lines))
		lines = append(lines[:i], lines[i+1:]...)
	default:
		var places []func(f func(v float64) float64)
		for _, l := range lines {
			collect(l, &places)
		}
		for range 1 + rng.IntN(3) {
			places[rng.IntN(len(places))](func(v float64) float64 {
				switch rng.IntN(6) {
				case 0:
					return -v
				case 1:
					return v + 1
				case 2:
					return v - 1
				case 3:
					return 0
				}
				return v * (0.5 + rng.Float64())
			})
		}
		if rng.IntN(2) == 0 { // and takes advantage of it
			b := *header.Bound * (1 + 0.1*rng.Float64())
			header.Bound = &b
		}
	}
	changed := *c
	changed.header, changed.lines = header, lines
	return changed.file(t)
}

// collect lists the numbers of a JSON value as ways to change them.
func collect(v any, places *[]func(f func(v float64) float64)) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			if x, ok := v[i].(float64); ok {
				*places = append(*places, func(f func(float64) float64) { v[i] = f(x) })
			} else {
				collect(v[i], places)
			}
		}
	case map[string]any:
		for _, e := range v {
			collect(e, places)
		}
	}
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
		if err := proof.Write(&b, h, c.lines); err != nil {
			t.Fatal(err)
		}
		if _, err := verifyflex.Verify(read(t, b.Bytes()), in, "x"); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}

// refusal is why a proof is refused.
func refusal(_ models.Verdict, err error) error { return err }
