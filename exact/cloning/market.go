package cloning

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/cloning/values"
	"schedgap/models/cloning"
)

// maxSets bounds the sets of copies that servers are listed to hold.
const maxSets = 20_000

// maxJobPhases is the number of a job's phases that a sweep can tell from each other when they end.
const maxJobPhases = 64

// newMarket makes the jobs' graphs and the servers' sets of copies of a regime, nil if one of them is too large or ctx ends.
func newMarket(ctx context.Context, st *states, fixed bool) *values.Market {
	v := st.v
	if slices.ContainsFunc(v.phases, func(ph phase) bool { return ph.most > math.MaxUint8 }) {
		return nil
	}
	m := &values.Market{}
	packer := newPacker(v, st.gauges)
	before := make([][]int, len(v.phases))
	for _, k := range v.order {
		for _, p := range v.phases[k].parents {
			before[k] = append(append(before[k], p), before[p]...)
		}
	}
	m.Conflicts(before)
	servers := 0
	if fixed {
		servers = len(v.in.Servers)
	}
	for j := range v.in.Jobs {
		job := &values.Job{Arrival: v.in.Jobs[j].Arrival}
		for k := v.first[j]; k < v.until(j); k++ {
			ph := values.Phase{Tasks: v.phases[k].Tasks, Need: st.need[k], Gain: st.gain[k]}
			for _, p := range v.phases[k].parents {
				ph.Parents = append(ph.Parents, p-v.first[j])
			}
			job.Phases = append(job.Phases, ph)
		}
		if len(job.Phases) > maxJobPhases {
			return nil
		}
		g := values.NewGraph(ctx, job, servers, st.alone(packer, v.first[j], servers))
		if g == nil || packer.gaveUp {
			return nil
		}
		m.Graphs, m.Arrival, m.First = append(m.Graphs, g), append(m.Arrival, job.Arrival), append(m.First, v.first[j])
	}
	m.First = append(m.First, len(v.phases))
	for k := range v.phases {
		m.Limit = append(m.Limit, int32(v.phases[k].Tasks*v.phases[k].most))
	}
	total := 0
	for _, class := range v.classes(maxSets) {
		loads := cloning.NewLoads(v.in.Servers[class[0]])
		limits := make([]int, len(v.phases))
		for k := range limits {
			limits[k] = v.phases[k].Tasks * min(v.phases[k].most, v.in.MaxCopiesPerServer)
		}
		sets := values.Sets(ctx, limits, maxSets, func(now []int, k int) bool {
			for q, n := range now {
				if n > 0 && m.Apart(q, k) {
					return false
				}
			}
			clear(loads.Used)
			for q, n := range now {
				if n > 0 {
					loads.Add(0, v.phases[q].Demand, n)
				}
			}
			return loads.Fit(0, v.phases[k].Demand, 1)
		})
		if total += len(sets); sets == nil || total > maxSets {
			return nil
		}
		m.Servers = append(m.Servers, values.Server{Count: len(class), Sets: sets})
	}
	return m
}

// alone says what the cluster holds of a job whose first phase is first, by task and, unless servers is 0, server.
func (st *states) alone(packer *packer, first, servers int) func(phase []int, copies []uint8) bool {
	v := st.v
	if servers == 0 {
		var list []demand
		return func(phase []int, copies []uint8) bool {
			list = list[:0]
			for i, r := range copies {
				if r > 0 {
					list = append(list, demand{first + phase[i], int(r)})
				}
			}
			return packer.fits(list)
		}
	}
	loads := cloning.NewLoads(v.in.Servers...)
	return func(phase []int, copies []uint8) bool {
		clear(loads.Used)
		for c, r := range copies {
			k, s := phase[c/servers], c%servers
			if int(r) > v.in.MaxCopiesPerServer || r > 0 && !loads.Fit(s, v.phases[first+k].Demand, int(r)) {
				return false
			}
			loads.Add(s, v.phases[first+k].Demand, int(r))
		}
		return true
	}
}
