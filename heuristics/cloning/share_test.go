package cloning_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/models/cloning"
)

// crowded draws a cluster of 40 servers of four kinds with so many resources, and 60 jobs that come faster than they can be
// served.
func crowded(seed uint64, resources, perServer int) *cloning.Instance {
	rng := rand.New(rand.NewPCG(seed, 1))
	in := &cloning.Instance{Resources: []string{"cpu", "mem", "disk"}[:resources], MaxCopies: 4, MaxCopiesPerServer: perServer}
	vector := func(low, high int) []float64 {
		v := make([]float64, resources)
		for r := range v {
			v[r] = float64(low+rng.IntN(high-low+1)) / 10
		}
		return v
	}
	var kinds [][]float64
	for range 4 {
		kinds = append(kinds, vector(5, 20))
	}
	for range 40 {
		in.Servers = append(in.Servers, cloning.Server{Capacity: kinds[rng.IntN(len(kinds))]})
	}
	arrival := 0
	for range 60 {
		var job cloning.Job
		job.Arrival = arrival
		arrival += rng.IntN(4)
		for k := range 1 + rng.IntN(3) {
			p := cloning.Phase{Tasks: 1 + rng.IntN(30), Demand: vector(0, 5), Mean: 1 + 10*rng.ExpFloat64()}
			p.SD = p.Mean * rng.Float64()
			p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, in.MaxCopies)
			if k > 0 {
				p.Parents = []int{k - 1}
			}
			job.Phases = append(job.Phases, p)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// Clones never hold more than their share of the cluster: of the copies of a task all but the first to start, in every slot.
func TestCloneShare(t *testing.T) {
	const share = 0.3
	for seed := range uint64(4) {
		in := crowded(seed, 2, 1)
		s, _ := schedule(t, algorithm(t, "dollymp2"), in, map[string]any{"clone_share": share})
		slices.SortFunc(s.Copies, func(a, b cloning.Copy) int { return cmp.Compare(a.Start, b.Start) })
		started, held := map[cloning.Task]bool{}, map[int][2]float64{} // by slot
		for _, c := range s.Copies {
			if !started[c.Task] {
				started[c.Task] = true
				continue
			}
			demand := in.Jobs[c.Task.Job].Phases[c.Task.Phase].Demand
			for slot := c.Start; slot < c.End; slot++ {
				h := held[slot]
				held[slot] = [2]float64{h[0] + demand[0], h[1] + demand[1]}
			}
		}
		total := in.Total()
		if len(held) == 0 {
			t.Errorf("seed %d: no clones", seed)
		}
		for slot, h := range held {
			if h[0] > share*total[0]+1e-6 || h[1] > share*total[1]+1e-6 {
				t.Errorf("seed %d: after slot %d clones hold %v of %v", seed, slot, h, total)
			}
		}
	}
}
