package flex_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"schedgap/models/flex"
)

func instance(slots int, metric flex.Metric, agg flex.Aggregate, jobs ...flex.Job) *flex.Instance {
	in := &flex.Instance{Slots: slots, Objective: flex.Objective{Metric: metric, Aggregate: agg}, Jobs: jobs}
	in.Name = "test"
	for j := range in.Jobs {
		in.Jobs[j].ID = string(rune('a' + j))
		if in.Jobs[j].Max == 0 {
			in.Jobs[j].Max = slots
		}
		if in.Jobs[j].Weight == 0 {
			in.Jobs[j].Weight = 1
		}
	}
	return in
}

// From and Mark, from wherever the orders are the same, give the times of Completions to the last bit.
func TestMarkedPackings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		in := instance(1+rng.IntN(30), flex.Response, flex.Sum)
		total := 0
		for j := range 1 + rng.IntN(40) {
			job := flex.Job{ID: strconv.Itoa(j), Work: float64(1 + rng.IntN(20)), Max: 1 + rng.IntN(in.Slots), Weight: 1}
			job.Min = rng.IntN(min(job.Max, 1+in.Slots-total) + 1)
			if total+job.Min > in.Slots {
				job.Min = 0
			}
			total += job.Min
			in.Jobs = append(in.Jobs, job)
		}
		n := len(in.Jobs)
		fresh, marked := flex.NewPacker(in), flex.NewPacker(in)
		order := rng.Perm(n)
		marked.Mark(order, 0)
		for range 20 {
			next, a, b := slices.Clone(order), rng.IntN(n), rng.IntN(n)
			next[a], next[b] = next[b], next[a]
			want := fresh.Completions(next)
			if got := marked.From(next, min(a, b)); !slices.Equal(got, want) {
				t.Fatalf("%v, not %v", got, want)
			}
			if rng.IntN(2) == 0 {
				order = next
				if got := marked.Mark(order, min(a, b)); !slices.Equal(got, want) {
					t.Fatalf("marked: %v, not %v", got, want)
				}
			}
		}
	}
}
