package pricing

import (
	"math"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// An instance is preprocessed for the bound by prices.
type instance struct {
	in     *cloning.Instance
	phases []phase
	first  []int          // index of each job's first phase, and the number of phases
	kinds  []kernel.Class // servers of equal capacity
}

// A phase is a phase of any job. Moments are the ends of slots, from 0 on.
type phase struct {
	*cloning.Phase
	job      int
	parents  []int // indices of instance.phases
	need     float64
	long     int           // slots of a task that runs in one copy
	units    int           // copies times slots that a task takes at least
	gain     []float64     // h(r) − h(r−1) by r − 1, as many as add progress and find room
	profiles []copyProfile // nil: too many
	depth    int           // the most slots of a profile
	least    int           // slots of a task that runs in all copies
	span     int           // slots of the phase, given the cluster
	head     int           // moment before which it cannot start
	tail     int           // slots from its completion to that of its job, at least
}

// A copyProfile is a minimal number of slots in which a task runs in at least 1, 2, … copies so that it is done.
type copyProfile []int

// maxProfiles bounds the profiles of a phase that are distinguished. Tasks with more are long, and lose little where they are bounded.
const maxProfiles = 48

// slack is the relative error that sums and quotients of a task's progress are granted.
const slack = 1e-14

func preprocess(in *cloning.Instance) *instance {
	p := &instance{in: in}
	p.kinds, _ = kernel.Group(in.Servers)
	total := in.Total()
	for j := range in.Jobs {
		job := &in.Jobs[j]
		base := len(p.phases)
		p.first = append(p.first, base)
		for k := range job.Phases {
			ph := phase{Phase: &job.Phases[k], job: j}
			for _, parent := range ph.Parents {
				ph.parents = append(ph.parents, base+parent)
			}
			p.measure(&ph, total)
			p.phases = append(p.phases, ph)
		}
		order := job.Order()
		for _, k := range order {
			ph := &p.phases[base+k]
			ph.head = job.Arrival
			for _, parent := range ph.parents {
				ph.head = max(ph.head, p.phases[parent].head+p.phases[parent].span)
			}
		}
		for i := len(order) - 1; i >= 0; i-- {
			ph := &p.phases[base+order[i]]
			for _, parent := range ph.parents {
				before := &p.phases[parent]
				before.tail = max(before.tail, ph.tail+ph.span)
			}
		}
	}
	p.first = append(p.first, len(p.phases))
	return p
}

// measure fills in a phase's needs.
func (p *instance) measure(ph *phase, total []float64) {
	room, fit := 0, 0.0 // copies of a task, and of all tasks, that run at once when nothing else does
	for _, kind := range p.kinds {
		n := fitting(ph.Demand, kind.Capacity)
		fit += n * float64(kind.Servers)
		if room < p.in.MaxCopies {
			room += int(min(n, float64(p.in.MaxCopiesPerServer)) * float64(min(kind.Servers, p.in.MaxCopies)))
		}
	}
	most := max(1, min(room, p.in.MaxCopies))
	for most > 1 && ph.Speedup[most-1] == ph.Speedup[most-2] {
		most--
	}
	before := 0.0
	for _, h := range ph.Speedup[:most] {
		ph.gain = append(ph.gain, h-before)
		before = h
	}
	ph.need = ph.Required() * (1 - slack)
	ph.long, ph.units = max(1, int(math.Ceil(ph.need))), ph.Volume(most)
	ph.least = max(1, int(math.Ceil(ph.need/before*(1-slack))))
	ph.profiles = profilesOf(ph.need, ph.gain)
	for _, w := range ph.profiles {
		ph.depth = max(ph.depth, w[0])
	}
	ph.span = ph.least
	volume := float64(ph.Tasks) * float64(ph.units)
	if fit >= 1 {
		ph.span = max(ph.span, ceil(volume/fit))
	}
	for r, d := range ph.Demand {
		if d > 0 {
			ph.span = max(ph.span, ceil(volume*d/total[r]))
		}
	}
}

// ceil rounds a number of slots up, less the possible effect of the capacities' tolerance.
func ceil(x float64) int { return int(math.Ceil(x - 2*cloning.FitTolerance*max(1, x))) }

// fitting is how many copies fit into a capacity at once.
func fitting(demand, capacity []float64) float64 {
	return float64(cloning.Copies(demand, capacity, cloning.MostCopies))
}

// profilesOf lists the minimal profiles of a task; nil means more than maxProfiles.
func profilesOf(need float64, gain []float64) []copyProfile {
	if need > maxProfiles {
		return nil
	}
	var list []copyProfile
	now := make(copyProfile, len(gain))
	var add func(r, least int, left float64) bool
	add = func(r, least int, left float64) bool {
		if r == 0 {
			now[0] = max(1, least+max(0, int(math.Ceil(left/gain[0]*(1-slack)-slack))))
			for _, w := range list {
				if kernel.NoMore(w, now) {
					return true
				}
			}
			kept := list[:0]
			for _, w := range list {
				if !kernel.NoMore(now, w) {
					kept = append(kept, w)
				}
			}
			list = append(kept, append(copyProfile{}, now...))
			return len(list) <= maxProfiles
		}
		for n := least; ; n++ {
			now[r] = n
			after := left - float64(n-least)*sum(gain[:r+1])
			if !add(r-1, n, after) {
				return false
			}
			if after <= 0 {
				return true
			}
		}
	}
	if !add(len(gain)-1, 0, need) {
		return nil
	}
	return list
}

func sum(list []float64) float64 {
	total := 0.0
	for _, v := range list {
		total += v
	}
	return total
}
