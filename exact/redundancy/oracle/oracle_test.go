package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/redundancy"
)

func instance(multitasking bool, speedup []float64, jobs ...redundancy.Job) *redundancy.Instance {
	in := &redundancy.Instance{Machines: len(speedup), Multitasking: multitasking, Speed: 2, Speedup: speedup, Jobs: jobs}
	in.Name = "by-hand"
	return in
}

// same are n jobs of the same work, from 0 on.
func same(n int, work float64) (jobs []redundancy.Job) {
	for j := range n {
		jobs = append(jobs, redundancy.Job{ID: string(rune('a' + j)), Work: work})
	}
	return jobs
}

func TestByHand(t *testing.T) {
	job := func(id string, arrival, work float64) redundancy.Job {
		return redundancy.Job{ID: id, Arrival: arrival, Work: work}
	}
	for _, tc := range []struct {
		name             string
		speedup          []float64
		jobs             []redundancy.Job
		exclusive, share float64
	}{
		{"alone on both machines, from 3 to 5", []float64{1, 1.5}, []redundancy.Job{job("a", 3, 3)}, 2, 2},
		{"speed is the algorithm's: 1, then 2 more", []float64{1}, []redundancy.Job{job("a", 0, 2), job("b", 0, 1)}, 4, 4},
		{"SRPT: b from 1 to 2, a until 5", []float64{1}, []redundancy.Job{job("a", 0, 4), job("b", 1, 1)}, 6, 6},
		{"a machine each beats 2/3 + 4/3 by turns", []float64{1, 1.2}, same(2, 1), 2, 2},
		{"by turns, 1/1.8 + 2/1.8, beats a machine each", []float64{1, 1.8}, same(2, 1), 3 / 1.8, 3 / 1.8},
		{"a on both for 0.75, b on both for 0.75", []float64{1, 2}, same(2, 1.5), 2.25, 2.25},
		// Without sharing no event lets the third job begin before 1; a third of 2/3 of a machine each ends all at 1.5
		// as well.
		{"three on two: 1, 1, and what is left on both", []float64{1, 1}, same(3, 1), 4, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for multitasking, want := range map[bool]float64{false: tc.exclusive, true: tc.share} {
				if got := Opt(instance(multitasking, tc.speedup, tc.jobs...)); math.Abs(got-want) > 1e-14 {
					t.Errorf("multitasking %v: %v, want %v", multitasking, got, want)
				}
			}
		})
	}
}

// Every random instance survives the reader of instance files, and all traits occur.
func TestRandomInstances(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(1, 1)), map[string]int{}
	for range 500 {
		in := RandomInstance(rng, rng.IntN(2) == 0)
		data, err := redundancy.Problem.MarshalInstance(in)
		fail.On(t, err)
		if _, err := redundancy.Problem.ParseInstance("random.json", data); err != nil {
			t.Fatal(err)
		}
		last := in.Speedup[in.Machines-1]
		for trait, holds := range map[string]bool{
			"flat": in.Machines > 1 && last == 1, "linear": in.Machines > 1 && last == float64(in.Machines),
			"concave": last > 1 && last < float64(in.Machines), "one machine": in.Machines == 1,
			"together": len(in.Jobs) > 1 && in.Jobs[0].Arrival == in.Jobs[1].Arrival,
			"apart":    len(in.Jobs) > 1 && in.Jobs[0].Arrival != in.Jobs[1].Arrival,
		} {
			if holds {
				seen[trait]++
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("traits %v", seen)
	}
}
