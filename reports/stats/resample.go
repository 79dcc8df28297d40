package stats

import "math/bits"

// A Picker draws the members of a resample, such as a *rand.Rand.
type Picker interface {
	// Uint32N returns a number in [0, n), n > 0.
	Uint32N(n uint32) uint32
}

// A Resampler is the generator sfc32 of PractRand (Doty-Humphrey, 2010).
type Resampler struct{ a, b, c, counter uint32 }

// NewResampler seeds a generator with three words.
func NewResampler(a, b, c uint32) *Resampler {
	r := &Resampler{a, b, c, 1}
	for range 12 {
		r.next()
	}
	return r
}

func (r *Resampler) next() uint32 {
	x := r.a + r.b + r.counter
	r.counter++
	r.a = r.b ^ r.b>>9
	r.b = r.c + r.c<<3
	r.c = bits.RotateLeft32(r.c, 21) + x
	return x
}

// Uint32N is unbiased (Lemire, Fast Random Integer Generation in an Interval, 2019).
func (r *Resampler) Uint32N(n uint32) uint32 {
	product := uint64(r.next()) * uint64(n)
	if low := uint32(product); low < n {
		for least := -n % n; low < least; low = uint32(product) {
			product = uint64(r.next()) * uint64(n)
		}
	}
	return uint32(product >> 32)
}
