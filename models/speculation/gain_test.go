package speculation_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// oneCopy is an instance of one pair.
func oneCopy(finish, power, start, slotPower, copyTime float64) *speculation.Instance {
	return &speculation.Instance{
		Stragglers: []speculation.Straggler{{ID: "s", Finish: finish, Power: power}},
		Slots:      []speculation.Slot{{ID: "v", Start: start, Power: slotPower}}, CopyTime: [][]float64{{copyTime}},
	}
}

// cancelling draws a pair of which a few units in the last place are saved, of time, energy or both, at scales from 1e-200 to
// 1e100.
func cancelling(rng *rand.Rand) *speculation.Instance {
	pick := func(list ...float64) float64 { return list[rng.IntN(len(list))] }
	unit := pick(1, 1, 1, 1e-200, 1e-150, 1e100)
	finish := pick(1, 1+rng.Float64(), 1e6*rng.Float64())
	gap := finish * pick(0.3, 5e-3, 1e-4, 1e-7, 1-3e-9, 4e-15*rng.Float64(), 4e-15*rng.Float64())
	start := finish * pick(0.02+0.88*rng.Float64(), 0.02+0.88*rng.Float64(), 1e-9, 1-4e-15*rng.Float64())
	copyTime := math.Nextafter(max(finish-start-gap, finish*pick(1e-3, 1e-9, 4e-16)), pick(0, math.Inf(1)))
	power := 1 + 2*rng.Float64()
	slot := power * (finish - start - copyTime) / copyTime * (1 - pick(1, 0.7, 2e-3, 1e-5, 4e-15*rng.Float64()))
	return oneCopy(finish*unit, power*unit, start*unit, max(0, slot)*unit, copyTime*unit)
}

// Savings are exact but for one rounding, and whether a pair may be used is decided exactly, however close the terms are to each
// other and the saving to 1e-15 of them.
func TestGainIsExact(t *testing.T) {
	rng := trials.Rand(t, 41, 8)
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	settled := func(of []*big.Rat) *big.Rat {
		difference, sum := new(big.Rat).Set(of[0]), new(big.Rat).Set(of[0])
		for _, term := range of[1:] {
			difference.Sub(difference, term)
			sum.Add(sum, term)
		}
		if least := new(big.Rat).Mul(sum, big.NewRat(1, 1_000_000_000_000_000)); new(big.Rat).Abs(difference).Cmp(least) < 0 {
			return new(big.Rat)
		}
		return difference
	}
	helps, n := 0, trials.Count(20000)
	for range n {
		in := cancelling(rng)
		s, v, copyTime := &in.Stragglers[0], &in.Slots[0], rat(in.CopyTime[0][0])
		terms := []*big.Rat{rat(s.Finish), rat(v.Start), copyTime}
		wantTime := settled(terms)
		for k := range terms {
			terms[k] = new(big.Rat).Mul(terms[k], rat(s.Power))
		}
		wantEnergy := settled(append(terms, new(big.Rat).Mul(copyTime, rat(v.Power))))
		time, energy := in.Gain(0, 0)
		for name, c := range map[string]struct {
			got  float64
			want *big.Rat
		}{"time": {time, wantTime}, "energy": {energy, wantEnergy}} {
			near, _ := c.want.Float64()
			least := math.SmallestNonzeroFloat64 * float64(c.want.Sign()*c.want.Sign())
			if rat(c.got).Sign() != c.want.Sign() || math.Abs(c.got-near) > max(4e-13*math.Abs(near), least) {
				t.Fatalf("%s: %v, want %v: %+v", name, c.got, near, in)
			}
		}
		if speculation.Helps(time, energy) {
			helps++
		}
	}
	if helps < n/4 || helps > n-n/4 {
		t.Errorf("%d of %d help: the draw shows nothing", helps, n)
	}
}

// A saving is none from below 1e-15 of the sum of its terms on; and where it underflows it keeps its sign.
func TestGainAtTheLimits(t *testing.T) {
	for _, c := range []struct {
		in           *speculation.Instance
		time, energy float64
	}{
		{oneCopy(1e15+1, 0, 1e15-2, 0, 1), 2, 0},
		{oneCopy(1e15+2, 0, 1e15-1, 0, 1), 0, 0},
		{oneCopy(1, 0, 0.5, 1e-200, 1e-200), 0.5, -math.SmallestNonzeroFloat64},
	} {
		if time, energy := c.in.Gain(0, 0); time != c.time || energy != c.energy {
			t.Errorf("%+v: %v, %v, want %v, %v", c.in, time, energy, c.time, c.energy)
		}
	}
}

// Savings that have their digits, and energy without power, need no long numbers.
func TestGainIsCheap(t *testing.T) {
	for _, in := range []*speculation.Instance{oneCopy(30, 20, 2, 15, 11), oneCopy(30, 0, 2, 0, 11), oneCopy(30, 0, 2, 15, 11)} {
		if n := testing.AllocsPerRun(10, func() { in.Gain(0, 0) }); n > 0 {
			t.Errorf("%+v: %v allocations", in, n)
		}
	}
}

func BenchmarkGainOfTies(b *testing.B) {
	in := oneCopy(30, 11, 2, 17*11/11., 11)
	for b.Loop() {
		in.Gain(0, 0)
	}
}
