package pocd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plain is the textbook dynamic program over capacity: the value of the best choices.
func plain(k *knapsack) float64 {
	best := make([]float64, k.capacity+1)
	for _, v := range k.value {
		next := make([]float64, len(best))
		for c := range next {
			next[c] = math.Inf(-1)
			for b := 0; b <= min(c, len(v)-1); b++ {
				next[c] = max(next[c], best[c-b]+v[b])
			}
		}
		best = next
	}
	return best[k.capacity]
}

// randomKnapsack has S-shaped, stepped, concave and constant values; twins and ties are common.
func randomKnapsack(rng *rand.Rand) *knapsack {
	k := &knapsack{}
	total := 0
	for j := range 1 + rng.IntN(12) {
		if j > 0 && rng.IntN(4) == 0 {
			k.value = append(k.value, k.value[rng.IntN(j)])
		} else {
			v := []float64{float64(rng.IntN(3))}
			for range rng.IntN(10) {
				switch last := v[len(v)-1]; rng.IntN(3) {
				case 0:
					v = append(v, last)
				case 1:
					v = append(v, last+float64(rng.IntN(3)))
				case 2:
					v = append(v, last+rng.Float64()*math.Exp(-3*rng.Float64()))
				}
			}
			k.value = append(k.value, v)
		}
		total += len(k.value[j]) - 1
	}
	k.capacity = rng.IntN(total + 2)
	return k
}

// The core search finds what the plain dynamic program finds, whatever it starts from; the relaxation is no smaller.
func TestCoreAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 5000 {
		k := randomKnapsack(rng)
		want := plain(k)
		start := make([]int, len(k.value))
		for j, left := 0, k.capacity; j < len(start); j++ {
			start[j] = rng.IntN(min(left, len(k.value[j])-1) + 1)
			left -= start[j]
		}
		if i%2 == 0 {
			start = nil
		}
		told := math.Inf(-1)
		r := k.relax()
		bound := k.bound(r)
		choice, proven := k.solve(t.Context(), r, start, func(c []int) {
			if w := k.total(c); w < told-1e-12 {
				t.Fatalf("an incumbent of %v after one of %v", w, told)
			}
			told = k.total(c)
		})
		used := 0
		for _, b := range choice {
			used += b
		}
		got := k.total(choice)
		if !proven || used > k.capacity || math.Abs(got-want) > 1e-12*want || bound < want*(1-1e-15) || told != got {
			t.Fatalf("worth %v with %d copies (proven %v, told %v), want %v, bound %v: %+v",
				got, used, proven, told, want, bound, k)
		}
	}
}

// Two jobs of the same step a copy too wide for both: 3 copies for 1 in either, 5 in all. The relaxation takes one step and
// two thirds of the other, 5/3; whole steps reach 1, and the second job's first copies are worth 0.1 each: 1.2 in all.
func TestRelaxationByHand(t *testing.T) {
	k := &knapsack{value: [][]float64{{0, 0, 0, 1}, {0, 0.1, 0.2, 1}}, capacity: 5}
	r := k.relax()
	if !slices.Equal(r.base, []int{3, 0}) || r.spare != 2 || math.Abs(k.bound(r)-5./3) > 1e-15 {
		t.Errorf("relaxation %+v of value %v", r, k.bound(r))
	}
	choice, proven := k.solve(t.Context(), r, nil, func([]int) {})
	if !slices.Equal(choice, []int{3, 2}) || !proven {
		t.Errorf("choices %v, proven %v", choice, proven)
	}
}

// An ended context leaves an incumbent and a valid bound, unless there is nothing left to prove.
func TestCoreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rng, open := rand.New(rand.NewPCG(5, 6)), 0
	for range 500 {
		k := randomKnapsack(rng)
		r := k.relax()
		bound := k.bound(r)
		choice, proven := k.solve(ctx, r, nil, func([]int) {})
		want := plain(k)
		if got := k.total(choice); got > want*(1+1e-12) || bound < want*(1-1e-12) || proven && got < want*(1-1e-12) {
			t.Fatalf("worth %v, bound %v, proven %v, want %v: %+v", got, bound, proven, want, k)
		}
		if !proven {
			open++
		}
	}
	if open == 0 {
		t.Error("no instance was interrupted")
	}
}
