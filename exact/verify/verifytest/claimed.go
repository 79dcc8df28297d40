package verifytest

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// A Claimed is a bound with its proof, and what is known of the instance.
type Claimed struct {
	Header proof.Header
	Lines  []any
	Opt    float64 // NaN: not known
	Most   bool    // the optimum is a maximum
	Check  func(p *proof.Proof) error
	Show   string
}

func (c *Claimed) File(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := proof.Write(&b, c.Header, c.Lines); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func Read(t testing.TB, data []byte) *proof.Proof {
	t.Helper()
	p, err := proof.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Refusal is why a proof is refused.
func Refusal(_ models.Verdict, err error) error { return err }

// PricesProve holds that what lb-price proves is verified, and not a millionth more; and that a proof speaks of its own instance only.
func PricesProve(t testing.TB, random func(i int) *Claimed) {
	t.Helper()
	var before *Claimed
	for i := range trials.Count(20) {
		c := random(i)
		if err := c.Check(Read(t, c.File(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.Show)
		}
		bound := *c.Header.Bound
		size := math.Abs(bound) + 1
		more := bound + 1e-6*size // of cloning: any part of a slot
		c.Header.Bound = &more
		if c.Check(Read(t, c.File(t))) == nil {
			t.Fatalf("%v is verified where lb-price proved %v\n%s", more, bound, c.Show)
		}
		c.Header.Bound = &bound
		if before != nil {
			if err := c.Check(Read(t, before.File(t))); err == nil {
				t.Fatal("the proof of another instance is verified")
			}
		}
		before = c
	}
}

// ChangedProofs holds that a proof in which anything is changed is refused, or what it says is true to a share of the optimum. change is
// called ten times for each proof that random makes.
func ChangedProofs(t testing.TB, random func() *Claimed, change func(c *Claimed) []byte, slack float64) {
	t.Helper()
	refused, kept := 0, 0
	for i := 0; i < trials.Count(300); {
		c := random()
		for range 10 {
			i++
			p, err := proof.Read(change(c))
			if err != nil || c.Check(p) != nil {
				refused++
				continue
			}
			kept++
			tiny, h := slack*math.Abs(c.Opt), p.Header
			less, more := *h.Bound, c.Opt // of a lower bound
			if c.Most {
				less, more = more, less
			}
			if less > more+tiny || h.Value != nil && (c.Most && *h.Value > c.Opt+tiny || !c.Most && *h.Value < c.Opt-tiny) {
				t.Fatalf("%v and %v are verified, the optimum is %v\n%s\n%s", h.Value, *h.Bound, c.Opt, c.Show, p.Lines)
			}
		}
	}
	t.Logf("%d refused, %d verified and true", refused, kept)
	if refused == 0 || kept == 0 {
		t.Errorf("%d changed proofs refused, %d verified: both must happen for this test to say anything", refused, kept)
	}
}

// OptimaProve holds that every optimum, of a maximum, is proven and verified, and neither a better value nor a better bound is.
func OptimaProve(t testing.TB, random func() *Claimed) {
	t.Helper()
	for range trials.Count(150) {
		c := random()
		if c.Header.Value == nil || math.Abs(*c.Header.Value-c.Opt) > 1e-9*math.Abs(c.Opt) {
			t.Fatalf("the value %v is not proven\n%s", c.Opt, c.Show)
		}
		if err := c.Check(Read(t, c.File(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.Show)
		}
		header := c.Header
		for _, by := range []float64{1e-6, 1e-10} {
			more, less := c.Opt+by*max(math.Abs(c.Opt), 1e-9), c.Opt-by*max(math.Abs(c.Opt), 1e-9)
			c.Header.Value = &more
			if c.Check(Read(t, c.File(t))) == nil {
				t.Fatalf("the value %v is verified where %v is the optimum\n%s", more, c.Opt, c.Show)
			}
			c.Header = header
			c.Header.Bound = &less
			if c.Check(Read(t, c.File(t))) == nil {
				t.Fatalf("the bound %v is verified where %v is the optimum\n%s", less, c.Opt, c.Show)
			}
			c.Header = header
		}
	}
}

// MutateProof changes one number, drops a line, or raises the bound.
func MutateProof(t testing.TB, rng *rand.Rand, c *Claimed) []byte {
	t.Helper()
	text, err := json.Marshal(c.Lines)
	if err != nil {
		t.Fatal(err)
	}
	var lines []any
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&lines); err != nil {
		t.Fatal(err)
	}
	header := c.Header
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
	changed.Header, changed.Lines = header, lines
	return changed.File(t)
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

// MutateOptimum changes the lines or not, and mostly claims something else, more often better than worse.
func MutateOptimum(t testing.TB, rng *rand.Rand, c *Claimed) []byte {
	t.Helper()
	header := c.Header
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
	changed.Header, changed.Lines = header, Mutate(t, rng, c.Lines, rng.IntN(3))
	return changed.File(t)
}

// RefuseFalse plants a solution of that value: as it is, and as if it were worth the bound.
func RefuseFalse(t testing.TB, c *Claimed, value float64, line any) {
	t.Helper()
	if c.Header.Value != nil {
		t.Fatalf("the value %v is claimed, the optimum is %v\n%s", *c.Header.Value, c.Opt, c.Show)
	}
	if err := c.Check(Read(t, c.File(t))); err != nil {
		t.Fatalf("the bound %v is refused: %v\n%s", *c.Header.Bound, err, c.Show)
	}
	bound := *c.Header.Bound
	c.Lines = append([]any{line}, c.Lines...)
	for _, claim := range []proof.Header{
		{Value: &value, Bound: &bound},
		{Value: &value, Bound: &value},
		{Value: &bound, Bound: &bound},
	} {
		c.Header.Value, c.Header.Bound = claim.Value, claim.Bound
		if c.Check(Read(t, c.File(t))) == nil {
			t.Fatalf("%v and %v are verified, the optimum is %v\n%s", *claim.Value, *claim.Bound, c.Opt, c.Show)
		}
	}
}

// MutateTree is MutateProof, or takes a line for another one.
func MutateTree(t testing.TB, rng *rand.Rand, c *Claimed) []byte {
	t.Helper()
	if rng.IntN(4) > 0 {
		return MutateProof(t, rng, c)
	}
	changed := *c
	changed.Lines = slices.Clone(c.Lines)
	i, j := rng.IntN(len(c.Lines)), rng.IntN(len(c.Lines))
	switch rng.IntN(3) {
	case 0:
		changed.Lines[i] = changed.Lines[j]
	case 1:
		changed.Lines[i], changed.Lines[j] = changed.Lines[j], changed.Lines[i]
	default:
		changed.Lines = slices.Delete(changed.Lines, min(i, j), max(i, j)+1)
	}
	if rng.IntN(2) == 0 {
		b := *c.Header.Bound + rng.Float64()*1e-3*math.Abs(*c.Header.Bound)
		changed.Header.Bound, changed.Header.Value = &b, nil
	}
	return changed.File(t)
}
