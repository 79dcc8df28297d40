package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/models"
)

// Speedup measures h(r), r = 1..most, over intervals of the given length: the mean service of the best of r machines, eq.
// (1) of the paper, over the length. v are values of Params. samples ≥ most machines are drawn; every h(r) is the mean
// over all choices of r of them, so that the sequence is smooth: concave (Lemma 1) and at most min(r, peak speed) (Lemma
// 2), the latter up to the deviation of h(1) from its expectation, 1.
func Speedup(v models.Values, length float64, most, samples int, rng *rand.Rand) ([]float64, error) {
	if !(length > 0) || most < 1 || samples < most {
		return nil, fmt.Errorf("speedup of 1 to %d copies over intervals of %v from %d samples: there must be a copy, a "+
			"positive length, and a sample for each copy", most, length, samples)
	}
	l, err := readLaw(v)
	if err != nil {
		return nil, err
	}
	service := make([]float64, samples)
	for i := range service {
		p := newProcess(l, rand.NewPCG(rng.Uint64(), rng.Uint64()), 0)
		service[i] = p.advance(length)
	}
	slices.Sort(service)
	h := make([]float64, most)
	for r := 1; r <= most; r++ {
		// The greatest of a choice is sample i with probability C(i, r−1)/C(n, r): r/n for the last, then in ratios
		// of (i−r+1)/i.
		p := float64(r) / float64(samples)
		for i := samples - 1; i >= r-1; i-- {
			h[r-1] += p * service[i] / length
			p *= float64(i-r+1) / float64(max(i, 1))
		}
	}
	return h, nil
}
