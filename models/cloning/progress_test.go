package cloning

import (
	"math"
	"math/big"
	"testing"

	"schedgap/models/trials"
)

// Progress is exact, and what it lacks of a work, or exceeds it by, is right to the last digit of its second number, in rational
// arithmetic; so is the number of slots of a work that is next to a multiple of the rate, which a division may miss by one.
func TestProgressExactly(t *testing.T) {
	rng := trials.Rand(t, 41, 13)
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for range trials.Count(2000) {
		p := &Phase{Speedup: ParetoSpeedup(1+rng.Float64(), rng.Float64(), 4)}
		exact, done := new(big.Rat), Progress{}
		copies := 1 + rng.IntN(5)
		for range rng.IntN(30) {
			n := 1 + rng.IntN(1_000_000)
			done = p.After(done, n, copies)
			exact.Add(exact, new(big.Rat).Mul(rat(p.Rate(copies)), big.NewRat(int64(n), 1)))
		}
		if sum := new(big.Rat).Add(rat(done.most), rat(done.rest)); sum.Cmp(exact) != 0 {
			t.Fatalf("progress %v of %v", sum, exact)
		}
		left := 1 + rng.IntN(1_000_000)
		require(p, done.most+float64(left)*p.Rate(copies))
		missing := new(big.Rat).Sub(rat(p.Required()), exact)
		want := new(big.Rat).Quo(missing, rat(p.Rate(copies)))
		whole := new(big.Int).Div(want.Num(), want.Denom())
		if !want.IsInt() {
			whole.Add(whole, big.NewInt(1))
		}
		if got := p.Slots(done, copies); big.NewInt(int64(got)).Cmp(whole) != 0 {
			t.Fatalf("%d slots, want %v", got, whole)
		}
		require(p, done.most)
		missing.Sub(rat(p.Required()), exact)
		if got := p.missing(done); rat(got).Sign() != missing.Sign() || p.Done(done) != (done.most > 0 && missing.Sign() <= 0) {
			t.Fatalf("%v is missing, want %v", got, missing)
		}
	}
}

// require sets the mean so that the progress required is next to a number.
func require(p *Phase, progress float64) {
	for p.Mean = progress + max(1e-9, 1e-14*progress); p.Required() > progress; {
		p.Mean = math.Nextafter(p.Mean, 0)
	}
}
