package pocd_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/pocd"
	"schedgap/models/trials"
	"schedgap/models/trials/property"
)

// one is a job of one task.
func one(deadline, elapsed, progress, tMin, beta float64) pocd.Job {
	return pocd.Job{
		ID: "j", Deadline: deadline, Elapsed: elapsed,
		Tasks: []pocd.Task{{ID: "t", Progress: progress, TMin: tMin, Beta: beta, Straggler: true}},
	}
}

// The probabilities of jobs of one task, by hand.
func TestProbabilities(t *testing.T) {
	for _, c := range []struct {
		name   string
		job    pocd.Job
		copies int
		q, p   float64
	}{
		// (1 − 0.3)·120 = 84 of 300 − 60 = 240 s: q = 0.35; with r copies R = 1 − 0.35^(1.5(r+1)).
		{"alone", one(300, 60, 0.3, 120, 1.5), 0, 0.35, 1 - math.Pow(0.35, 1.5)},
		{"two copies", one(300, 60, 0.3, 120, 1.5), 2, 0.35, 1 - math.Pow(0.35, 4.5)},
		// q = 1/2 and β = 1: 1 − 2^−(r+1).
		{"a half", one(200, 0, 0, 100, 1), 0, 0.5, 0.5},
		{"seven eighths", one(200, 0, 0, 100, 1), 2, 0.5, 0.875},
		{"certain to be late", one(100, 0, 0, 150, 1), 3, 1, 0},
	} {
		near(t, c.name+": q", math.Exp(c.job.LogQ(0)), c.q)
		near(t, c.name+": p", math.Exp(c.job.LogP([]int{c.copies})), c.p)
	}
}

// A job is hopeless when its fastest attempt would not end before the deadline; equality counts, also where it is blurred by
// the rounding of decimals.
func TestHopeless(t *testing.T) {
	for _, c := range []struct {
		name string
		job  pocd.Job
		want bool
	}{
		{"past the deadline", one(100, 101, 0.9, 1, 1), true},
		{"at the deadline", one(100, 100, 0.9, 1, 1), true},
		{"at a deadline of 0", one(0, 0, 0.9, 1, 1), true},
		{"within the tolerance of the deadline", one(100, 100-5e-8, 0.999, 1e-9, 1), true},
		{"q above 1", one(100, 50, 0.4, 100, 1), true},
		{"q is 1", one(100, 50, 0.5, 100, 1), true},
		// (1 − 0.1)·120 = 108, and the double nearest to 0.1 is a bit more than 0.1.
		{"q is 1 in decimals", one(108, 0, 0.1, 120, 1), true},
		{"q is 1 up to 1e-10", one(100, 0, 0, 100*(1-1e-10), 1), true},
		{"at the tolerance", one(1e9, 0, 0, 999_999_999, 1), true},
		{"next to the tolerance", one(1e9, 0, 0, math.Nextafter(999_999_999, 0), 1), false},
		{"q is 1 − 1e-8", one(100, 0, 0, 100*(1-1e-8), 1), false},
		{"done soon", one(100, 50, 0.9, 100, 1), false},
	} {
		if got := c.job.Hopeless(); got != c.want {
			t.Errorf("%s: hopeless is %v", c.name, got)
		}
		if p := c.job.LogP([]int{7}); math.IsInf(p, -1) != c.want {
			t.Errorf("%s: ln p is %v", c.name, p)
		}
	}
}

// Whether a job is hopeless is decided exactly, however close its slack is to the tolerance: as the page's
// τ + (1 − φ)·t_min ≥ D·(1 − 10^-9) in rational arithmetic.
func TestHopelessExactly(t *testing.T) {
	rng := trials.Rand(t, 41, 7)
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	hopeless, n := 0, trials.Count(20000)
	for range n {
		deadline := math.Ldexp(1+rng.Float64(), rng.IntN(200)-100)
		elapsed := deadline * rng.Float64() * float64(rng.IntN(2))
		limit := new(big.Rat).Mul(big.NewRat(999_999_999, 1_000_000_000), rat(deadline))
		need := new(big.Rat).Sub(limit, rat(elapsed))
		tMin, _ := need.Float64()
		for rat(tMin).Cmp(need) < 0 {
			tMin = math.Nextafter(tMin, math.Inf(1))
		}
		progress, _ := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Quo(need, rat(tMin))).Float64()
		progress = max(0, progress*(1+(rng.Float64()-0.5)*math.Pow(10, -6-10*rng.Float64())))
		end := new(big.Rat).Sub(big.NewRat(1, 1), rat(progress))
		end.Mul(end, rat(tMin)).Add(end, rat(elapsed))
		job := one(deadline, elapsed, progress, tMin, 10)
		want := end.Cmp(limit) >= 0
		if got := job.Hopeless(); got != want {
			t.Fatalf("hopeless is %v: %+v", got, job)
		}
		if want {
			hopeless++
		}
	}
	if hopeless < n/5 || hopeless > n-n/5 {
		t.Errorf("%d of %d are hopeless: the draw shows nothing", hopeless, n)
	}
}

// Near q = 1 the logarithm keeps its digits: −ln q = s + s²/2 + s³/3 + … with s = 1 − q, taken in rational arithmetic.
func TestLogQNearOne(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		deadline := rapid.Float64Range(1, 1e4).Draw(t, "deadline")
		elapsed := deadline * rapid.Float64Range(0, 0.9).Draw(t, "elapsed")
		progress := rapid.Float64Range(0, 0.99).Draw(t, "progress")
		gap := math.Pow(10, rapid.Float64Range(-7, -3).Draw(t, "log of 1-q"))
		job := one(deadline, elapsed, progress, (deadline-elapsed)/(1-progress)*(1-gap), 1)
		rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
		left := new(big.Rat).Sub(rat(deadline), rat(elapsed))
		need := new(big.Rat).Mul(new(big.Rat).Sub(rat(1), rat(progress)), rat(job.Tasks[0].TMin))
		s, _ := new(big.Rat).Quo(new(big.Rat).Sub(left, need), left).Float64()
		want := 0.0
		for k := 8; k >= 1; k-- {
			want = s * (want + 1/float64(k))
		}
		near(t, "-ln q", -job.LogQ(0), want)
	})
}

// unit is 1 in the units of a Miss.
const unit = 0x1p512

// No time, and no shape, is too small or too large to be told from 0: ln q is 1074 times −ln 2 or a multiple of the other digits.
func TestProbabilitiesOfExtremes(t *testing.T) {
	for name, c := range map[string]struct {
		job        pocd.Job
		logQ, logP float64
	}{
		"q below the normal numbers": {one(0x1p1000, 0, 0, 0x1p-74, 0.001), -1074 * math.Ln2, math.Log(-math.Expm1(-1.074 * math.Ln2))},
		"q below all numbers":        {one(0x1p1000, 0, 0, 0x1p-1000, 0.001), -2000 * math.Ln2, math.Log(-math.Expm1(-2 * math.Ln2))},
		"times below the normal":     {one(0x1p-1060, 0, 0.5, 0x1p-1060, 1), -math.Ln2, -math.Ln2},
		"q near 1 below the normal":  {one(0x1p-1064, 0x1p-1074, 0, 0x1p-1065, 1), math.Log(512. / 1023), math.Log1p(-512. / 1023)},
		// (1 − φ)·t_min is 1.5 times 2^-53, of which φ·t_min as it is rounded makes 2 times.
		"almost done":                   {one(1, 0, 1-0x1p-53, 1.5, 1), math.Log(1.5) - 53*math.Ln2, -1.5 * 0x1p-53},
		"almost done below all numbers": {one(0x1p600, 0, 1-0x1p-53, 1.5, 0.001), math.Log(1.5) - 653*math.Ln2, math.Log(-math.Expm1(0.001*math.Log(1.5) - 0.653*math.Ln2))},
		"a tiny shape":                  {one(200, 0, 0, 100, 0x1p-1074), -math.Ln2, -1074*math.Ln2 + math.Log(math.Ln2)},
		"far too late":                  {one(0x1p-1074, 0, 0.9, math.MaxFloat64, 1), 0, math.Inf(-1)},
		"far past the deadline":         {one(1, math.MaxFloat64, 0.9, 1, 1), 0, math.Inf(-1)},
	} {
		near(t, name+": ln q", c.job.LogQ(0), c.logQ)
		if p := c.job.LogP(nil); p != c.logP {
			near(t, name+": ln p", p, c.logP)
		}
		if c.job.Hopeless() != (c.logQ == 0) {
			t.Errorf("%s: hopeless is %v", name, c.job.Hopeless())
		}
	}
}

// ln R keeps its digits at both ends: ln(1 − e^x) is about −e^x for x far below 0, and ln(−x) + x/2 just below it.
func TestLogRAtTheEnds(t *testing.T) {
	near(t, "R near 1", pocd.LogR(-100*unit, 1), -math.Exp(-200))
	near(t, "R near 0", pocd.LogR(-1e-9*unit, 0), math.Log(1e-9)-0.5e-9)
	near(t, "R = 1/2", pocd.LogR(-math.Ln2/3*unit, 2), -math.Ln2)
	near(t, "R next to 0", pocd.LogR(-0x1p-500, 2), math.Log(3)-1012*math.Ln2)
	if r := pocd.LogR(0, 5); !math.IsInf(r, -1) {
		t.Errorf("R of q = 1 has logarithm %v", r)
	}
}

// More copies never hurt, and each helps less than the one before: ln R is concave in r.
func TestLogRConcave(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		miss := pocd.Miss(-math.Pow(10, rapid.Float64Range(-9, 2).Draw(t, "log miss")) * unit)
		r := rapid.IntRange(0, 50).Draw(t, "r")
		a, b, c := pocd.LogR(miss, r), pocd.LogR(miss, r+1), pocd.LogR(miss, r+2)
		if a > b || b > c || c-b > (b-a)*(1+1e-9)+1e-15 {
			t.Errorf("ln R is %v, %v, %v", a, b, c)
		}
	})
}

// A sum forgets terms that were taken back, whatever came in between and in whatever order, up to rounding at twice the
// precision.
func TestSumForgets(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 30).Draw(t, "terms")
		var s, plain pocd.Sum
		for i, x := range terms {
			s.Add(x)
			if i%2 == 0 {
				plain.Add(x)
			}
		}
		for i := len(terms) - 1; i >= 0; i-- {
			if i%2 == 1 {
				s.Add(-terms[i])
			}
		}
		if math.Abs(s.Value()-plain.Value()) > 1e-15*math.Abs(plain.Value())+1e-24 {
			t.Errorf("%v, want %v", s.Value(), plain.Value())
		}
	})
}
