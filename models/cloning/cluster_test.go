package cloning

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"schedgap/models/trials"
)

// Sizes are whole units, 2^-60 to 2^-59 of a capacity, rounded up, and Most is the largest demand of a size, whatever the
// capacity's magnitude: in rational arithmetic.
func TestScaleExactly(t *testing.T) {
	rng := trials.Rand(t, 41, 11)
	for range trials.Count(4000) {
		capacity := math.Ldexp(0.5+rng.Float64()/2, []int{0, 1, 330, -330, -1000, -1040, -1060, -1073, rng.IntN(1400) - 1060}[rng.IntN(9)])
		limit := Limit(capacity)
		if plain := capacity * (1 + FitTolerance); limit < plain || limit < capacity+float64(FitTolerance*capacity) || limit > plain*(1+1e-15) {
			t.Fatalf("limit %v of %v", limit, capacity)
		}
		_, exponent := math.Frexp(capacity)
		inUnits := func(x float64) *big.Int { // rounded up
			v, rest := new(big.Rat).SetFloat64(x), new(big.Int)
			scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(0, 60-exponent))))
			v.Mul(v, scale).Quo(v, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(0, exponent-60)))))
			n, _ := new(big.Int).DivMod(v.Num(), v.Denom(), rest)
			if rest.Sign() > 0 {
				n.Add(n, big.NewInt(1))
			}
			return n
		}
		s := NewScale(capacity)
		if room := inUnits(limit); room.Cmp(big.NewInt(s.Room)) != 0 {
			t.Fatalf("room %v of %v, want %v", s.Room, capacity, room)
		}
		for _, share := range []float64{0, 1e-20, rng.Float64(), rng.Float64() / 1000, 0.5, 1} {
			demand := limit * share
			if size := inUnits(demand); size.Cmp(big.NewInt(s.Size(demand))) != 0 {
				t.Fatalf("size %v of %v in %v, want %v", s.Size(demand), demand, capacity, size)
			}
			units := int64(float64(s.Room) * share)
			units = max(0, min(s.Room, units+int64(rng.IntN(5))-2))
			most := s.Most(units)
			if s.Size(most) > units || s.Size(math.Nextafter(most, math.Inf(1))) <= units {
				t.Fatalf("most of %v units of %v is %v, which has %v", units, capacity, most, s.Size(most))
			}
		}
		if s.Size(math.Nextafter(limit, math.Inf(1))) != s.Room+1 {
			t.Fatalf("more than %v fits", limit)
		}
	}
}

// Copies that fill servers exactly: of two resources, the one that is scarcer decides, and one that is not asked for does not.
func TestLoads(t *testing.T) {
	whole := Limit(1)
	servers := []Server{{Capacity: []float64{1, 1}}, {Capacity: []float64{4, 1.5}}}
	l := NewLoads(servers...)
	demand := []float64{whole / 4, whole / 2}
	sizes := []int64{l.scales[0].Size(demand[0]), l.scales[0].Size(demand[1])}
	expect := func(when string, server, room int) {
		t.Helper()
		if got := l.Most(server, demand, 10); got != room {
			t.Errorf("%s: room for %d copies on %d, want %d", when, got, server, room)
		}
		for n := 1; n <= 4; n++ {
			if got := l.Fit(server, demand, n); got != (n <= room) {
				t.Errorf("%s: %d copies fit on %d: %v", when, n, server, got)
			}
		}
	}
	expect("empty", 0, 2)
	expect("empty", 1, 3)
	if got := l.Most(0, demand, 1); got != 1 {
		t.Errorf("%d copies of at most 1", got)
	}
	l.Add(0, demand, 1)
	expect("one", 0, 1)
	l.Add(0, demand, 1)
	expect("full", 0, 0)
	expect("full", 1, 3)
	if !slices.Equal(l.On(0), []int64{2 * sizes[0], 2 * sizes[1]}) || !slices.Equal(l.On(1), []int64{0, 0}) {
		t.Errorf("loads %v", l.Used)
	}
	l.Add(1, demand, 2)
	l.Add(0, demand, -2)
	if !slices.Equal(l.On(0), []int64{0, 0}) || slices.Equal(l.On(1), []int64{0, 0}) || !slices.Equal(l.Empty().Used, make([]int64, 4)) {
		t.Errorf("loads %v", l.Used)
	}
	l.Add(0, []float64{whole, 0}, 1)
	demand = []float64{0, whole / 2}
	expect("without the first", 0, 2)
	if got := Copies(demand, []float64{0, 1}, 10); got != 2 || !Fits(demand, []float64{0, 1}) || Fits([]float64{0, 2}, []float64{0, 1}) {
		t.Errorf("%d copies on an empty server", got)
	}
	if got := DominantShare([]float64{1, 3, 0}, []float64{4, 6, 0}); got != 0.5 {
		t.Errorf("dominant share %v", got)
	}
}

// Amounts of more than an int64 of units fit if and only if the sum of their sizes does.
func TestAmounts(t *testing.T) {
	rng := trials.Rand(t, 41, 12)
	fit, n := 0, trials.Count(4000)
	for range n {
		a := amount{scale: NewScale(0.5 + rng.Float64())}
		total := new(big.Int)
		add := func(demand float64, copies int) {
			a.add(demand, copies)
			total.Add(total, new(big.Int).Mul(big.NewInt(int64(copies)), big.NewInt(a.scale.Size(demand))))
		}
		left := a.scale.Room
		for range rng.IntN(4) { // what fits to the last unit, or is a few beside it
			size := rng.Int64N(left + 1)
			add(a.scale.Most(size), 1)
			left = a.scale.Room - total.Int64()
		}
		add(a.scale.Most(max(0, left+int64(rng.IntN(3))-1)), 1)
		for range rng.IntN(3) {
			add(a.scale.limit*[]float64{1e-19, 1e-9, 1, 1}[rng.IntN(4)], 1+rng.IntN(20))
		}
		want := total.Cmp(big.NewInt(a.scale.Room)) <= 0
		if a.fits() != want {
			t.Fatalf("%v of %v fits: %v", total, a.scale.Room, a.fits())
		}
		if want {
			fit++
		}
	}
	if fit < n/10 || fit > n-n/10 {
		t.Errorf("%d of %d fit: the draw shows nothing", fit, n)
	}
}
