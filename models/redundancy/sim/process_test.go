package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/redundancy/sim"
	"schedgap/models/trials/property"
)

// The machines are stationary from the start and their long-run mean speed is 1: over 20,000 machines, the share in an
// available period at time 0 is 0.34·94.35 over that plus 0.19·39.92, the rest of it has the mean of the inspection
// paradox, (1 + shape)·scale/2, and the service up to 1 and to 100 is as long; each within five standard errors.
func TestStationary(t *testing.T) {
	const n = 20_000
	v := resolve(t, nil)
	var share, left, short, long mean
	for i := range n {
		m := sim.NewMachine(v, 3, i, 0)
		if isAvailable, rest := m.Kind(); isAvailable {
			share.add(1)
			left.add(rest)
		} else {
			share.add(0)
		}
		one := m.Advance(1)
		short.add(one)
		long.add(one + m.Advance(100))
	}
	on, off := 0.34*94.35, 0.19*39.92
	share.near(t, "share available", on/(on+off))
	left.near(t, "rest of an available period", 1.34*94.35/2)
	short.near(t, "service in 1", 1)
	long.near(t, "service in 100", 100)
}

// A mean with its standard error.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m *mean) near(t *testing.T, what string, want float64) {
	got := m.sum / m.n
	if se := math.Sqrt((m.squares/m.n - got*got) / m.n); math.Abs(got-want) > 5*se {
		t.Errorf("%s: %v ± %v, want %v", what, got, se, want)
	}
}

// The time at which some service is reached is the one up to which a machine gives it, and looking ahead changes nothing;
// periods of tiny length are passed over.
func TestReach(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		v := resolve(t, map[string]any{"unavailable_shape": rapid.SampledFrom([]float64{0.05, 0.19, 3}).Draw(t, "shape")})
		seed := rapid.Uint64().Draw(t, "seed")
		looks, walks := sim.NewMachine(v, seed, 0, 0), sim.NewMachine(v, seed, 0, 0)
		now := 0.0
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			service, until := rapid.Float64Range(0, 300).Draw(t, "service"), now+rapid.Float64Range(0, 300).Draw(t, "until")
			at, ok := looks.Reach(service, until)
			if at < now || at > until || !ok && at != until {
				t.Fatalf("at %v: %v after %v by %v", now, service, at, until)
			}
			got := walks.Advance(at)
			if other := looks.Advance(at); other != got {
				t.Fatalf("%v and %v between %v and %v", got, other, now, at)
			}
			if ok && math.Abs(got-service) > 1e-9*(1+service) || !ok && got > service {
				t.Fatalf("%v from %v to %v, want %v (%v)", got, now, at, service, ok)
			}
			now = at
		}
	})
}

func speedup(tb fail.Tester, given map[string]any, length float64, most, samples int, seed uint64) []float64 {
	h, err := sim.Speedup(resolve(tb, given), length, most, samples, rand.New(rand.NewPCG(seed, 0)))
	fail.On(tb, err)
	return h
}

// Over short intervals the speed is constant: with speeds U[0.8, 1.2] always, h(r) = 0.8 + 0.4·r/(r+1). On equal machines
// h is 1.
func TestSpeedupInClosedForm(t *testing.T) {
	h := speedup(t, map[string]any{"unavailable_low": 0.8, "unavailable_high": 1.2}, 1e-6, 8, 40_000, 1)
	for i, got := range h {
		if r := float64(i + 1); math.Abs(got-(0.8+0.4*r/(r+1))) > 5*0.12/200 {
			t.Errorf("h(%v) = %v, want %v", r, got, 0.8+0.4*r/(r+1))
		}
	}
	flat := map[string]any{"available_low": 1, "available_high": 1, "unavailable_low": 1, "unavailable_high": 1}
	for i, got := range speedup(t, flat, 50, 5, 10, 1) {
		if math.Abs(got-1) > 1e-12 {
			t.Errorf("equal machines: h(%d) = %v", i+1, got)
		}
	}
}

// There must be something to measure.
func TestSpeedupErrors(t *testing.T) {
	for _, c := range []struct {
		length        float64
		most, samples int
	}{{0, 1, 1}, {1, 0, 1}, {1, 3, 2}} {
		if h, err := sim.Speedup(resolve(t, nil), c.length, c.most, c.samples, rand.New(rand.NewPCG(1, 0))); err == nil {
			t.Errorf("%+v gives %v", c, h)
		}
	}
}

// Lemmas 1 and 2 for any service process: h is non-decreasing, concave with h(0) = 0, at most r times h(1), and at most
// the peak speed. All of it holds on every sample, not only in expectation.
func TestLemmas1And2(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(0, 1).Draw(t, "low")
		given := map[string]any{
			"available_shape": rapid.Float64Range(0.1, 3).Draw(t, "shape"), "available_low": low, "available_high": 1.2,
			"unavailable_high": rapid.Float64Range(0, 1).Draw(t, "high"),
		}
		samples := rapid.IntRange(5, 60).Draw(t, "samples")
		h := speedup(t, given, rapid.Float64Range(0.01, 300).Draw(t, "length"), 5, samples, rapid.Uint64().Draw(t, "seed"))
		a, u := given["available_shape"].(float64)*94.35, 0.19*39.92
		peak := 1.2 / ((a*(low+1.2)/2 + u*given["unavailable_high"].(float64)/2) / (a + u))
		before, rise := 0.0, math.Inf(1)
		for i, x := range h {
			r, d := float64(i+1), x-before
			if d < -1e-12 || d > rise+1e-12 || x > r*h[0]+1e-12 || x > peak+1e-12 {
				t.Fatalf("h = %v with peak speed %v", h, peak)
			}
			before, rise = x, d
		}
	})
}

// Section 3.1: h depends on the length of the interval between checkpoints. Over long intervals all machines give the
// same, and copies gain little.
func TestSpeedupFallsWithTheInterval(t *testing.T) {
	last := math.Inf(1)
	for _, length := range []float64{0.1, 10, 100, 1000, 10_000} {
		h := speedup(t, nil, length, 4, 4000, 1)
		if got := h[3] / h[0]; got >= last {
			t.Errorf("h(4) = %v·h(1) over %v, %v over shorter intervals", got, length, last)
		} else {
			last = got
		}
	}
	if last > 1.1 {
		t.Errorf("h(4) = %v·h(1) over 10,000 units", last)
	}
}
