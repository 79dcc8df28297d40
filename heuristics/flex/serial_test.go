package flex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/models/flex"
)

// uneven is an instance of 1 to 7 jobs, or 40: rigid ones, without minima, of little and much work, with due dates and steps.
func uneven(rng *rand.Rand) *flex.Instance {
	in := &flex.Instance{
		Slots: 4 + rng.IntN(8),
		Objective: flex.Objective{
			Metric:    []flex.Metric{flex.Tardiness, flex.Tardy, flex.SLA, flex.Response}[rng.IntN(4)],
			Aggregate: flex.Sum,
		},
	}
	left := in.Slots
	jobs := 1 + rng.IntN(7)
	if rng.IntN(100) == 0 {
		jobs = 40 // marks are some jobs apart
	}
	for range jobs {
		job := flex.Job{Work: 0.5 + 20*rng.Float64()*rng.Float64(), Min: rng.IntN(min(3, left+1)), Weight: 1}
		left -= job.Min
		job.Max = max(job.Min, 1) + rng.IntN(in.Slots-max(job.Min, 1)+1)
		if rng.IntN(5) == 0 && job.Min > 0 {
			job.Max = job.Min
		}
		due := 8 * rng.Float64()
		job.Deadline = &due
		job.Steps = []flex.Step{{At: due, Penalty: 1}, {At: due + rng.Float64(), Penalty: 3}}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// Each job of an order completes as early as water filling allows beside those before it, and those behind it at their minima; or
// as late as costs no more. An order that another one goes on from is placed as if it were alone.
func TestSerialPlacesEachJobAsEarlyAsItCan(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 11))
	for range 3000 {
		in := uneven(rng)
		n := len(in.Jobs)
		order, s := rng.Perm(n), newSerial(in)
		times := slices.Clone(s.Mark(order, 0))
		filling, far := flex.NewFilling(in), 10*flex.Horizon(in)
		trial := make([]float64, n)
		for j := range trial {
			trial[j] = flex.Latest(in, j, far)
		}
		for _, j := range order {
			trial[j] = times[j]
			if !filling.Fits(trial, flex.RealizeTolerance) {
				t.Fatalf("order %v: job %d cannot complete at %v\n%+v", order, j, times[j], in)
			}
			first, last := flex.Earliest(in, j), times[j]
			for range 60 {
				trial[j] = (first + last) / 2
				if filling.Fits(trial, flex.RealizeTolerance) {
					last = trial[j]
				} else {
					first = trial[j]
				}
			}
			if p := in.Penalty(j, last); in.Penalty(j, times[j]) > p+1e-6 || in.Objective.Metric == flex.Response && times[j] > last+1e-6 {
				t.Fatalf("order %v: job %d completes at %v, which costs more than at %v\n%+v", order, j, times[j], last, in)
			}
			trial[j] = times[j]
		}
		if _, v, ok := flex.Realize(in, flex.NewFilling(in).KeepRates(), times); !ok || v > in.Value(times)+1e-7 {
			t.Fatalf("times %v worth %v: %v, %v\n%+v", times, in.Value(times), v, ok, in)
		}
		for range 5 {
			from := rng.IntN(n)
			next := slices.Clone(order)
			rng.Shuffle(n-from, func(a, b int) { next[from+a], next[from+b] = next[from+b], next[from+a] })
			if got, want := s.From(next, from), newSerial(in).Completions(next); !slices.Equal(got, want) {
				t.Fatalf("orders %v and %v: %v, alone %v\n%+v", order, next, got, want, in)
			}
			if rng.IntN(3) == 0 {
				s.Mark(next, from)
				order = next
			}
		}
	}
}
