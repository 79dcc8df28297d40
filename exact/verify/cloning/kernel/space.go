package kernel

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"schedgap/models/cloning"
)

// A Space is an instance in whole numbers. Time is counted from the first arrival.
type Space struct {
	In      *cloning.Instance
	Fixed   bool // nonpreemptive: copies run until their task completes
	Jobs    []Job
	Phases  []Phase
	Servers []int // by server, its class
	Classes []Class
	Horizon int64    // by which all is done, if only one task runs at a time
	Apart   []uint64 // by phase, those of up to 64 that come before or after it, so that they never run in the same slot
	Level   bool     // preemptive tasks without clones run least progress first, by which a phase is done no later
	Arcs    int      // of all jobs' graphs together, beyond which they have too many states
	Tries   int      // to find arcs and packings, so far
	arcs    int      // that were found
	sums    [][]int64
	Packings
}

// A Job is a range of phases.
type Job struct{ Arrival, From, To int }

// A Phase has its tasks' needs and gains. Parents are numbered through all jobs.
type Phase struct {
	Job      int
	Parents  []int
	From, To int     // tasks
	Need     int64   // units of progress
	Gain     []int64 // of a slot in 1, 2, … copies, as many as matter
	size     [][]int64
}

// Tasks is their number.
func (ph *Phase) Tasks() int { return ph.To - ph.From }

// Use is the number of copies that a task of some progress has a use for in a slot of the preemptive regime: none where it is done, no more
// than it is done with.
func (ph *Phase) Use(progress int64) int {
	if progress >= ph.Need {
		return 0
	}
	for r, g := range ph.Gain {
		if progress+g >= ph.Need {
			return r + 1
		}
	}
	return len(ph.Gain)
}

// A Class is servers of equal capacity.
type Class struct {
	Capacity []float64
	Servers  int
	room     []int64
}

// Sizes beyond which there is no space.
const (
	mostTasks  = 100_000
	mostCells  = 1_000_000 // tasks by servers
	mostMean   = 1 << 30   // slots
	mostCopies = 250
)

// New is the space of a regime, an error where the instance is too large for one.
func New(in *cloning.Instance, fixed bool) (*Space, error) {
	sp := &Space{In: in, Fixed: fixed, Arcs: mostArcs}
	tasks, longest, first, last := 0, 1.0, in.Jobs[0].Arrival, 0
	for j := range in.Jobs {
		first = min(first, in.Jobs[j].Arrival)
		for k := range in.Jobs[j].Phases {
			tasks += in.Jobs[j].Phases[k].Tasks
			longest = max(longest, in.Jobs[j].Phases[k].Mean)
		}
	}
	if tasks > mostTasks || tasks*len(in.Servers) > mostCells || longest > mostMean {
		return nil, errors.New("the instance is too large to list the states of its jobs")
	}
	sp.Classes, sp.Servers = Group(in.Servers)
	tasks = 0
	unit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(60-bits.Len64(uint64(longest)))))
	for j := range in.Jobs {
		job := &in.Jobs[j]
		base := len(sp.Phases)
		for k := range job.Phases {
			ph, err := sp.phase(&job.Phases[k], unit)
			if err != nil {
				return nil, fmt.Errorf("phase %s of job %s %w", job.Phases[k].ID, job.ID, err)
			}
			ph.Job, ph.From = j, tasks
			tasks += job.Phases[k].Tasks
			ph.To = tasks
			for i := range ph.Parents {
				ph.Parents[i] += base
			}
			sp.Phases = append(sp.Phases, ph)
			sp.Horizon += int64(ph.Tasks()) * Slots(ph.Need, ph.Gain[0])
		}
		sp.Jobs = append(sp.Jobs, Job{job.Arrival - first, base, len(sp.Phases)})
		last = max(last, job.Arrival-first)
	}
	sp.Horizon += int64(last)
	copies := int64(1)
	for k := range sp.Phases {
		copies += int64(sp.Phases[k].Tasks() * len(sp.Phases[k].Gain))
	}
	if last > mostMean || sp.Horizon > 1<<62/copies { // the sum of all starts
		return nil, errors.New("the instance is too long to list the states of its jobs")
	}
	sp.conflicts()
	sp.sums = make([][]int64, len(sp.Phases))
	sp.Packings.begin(sp)
	return sp, nil
}

// Group are the classes of servers, and by server its class.
func Group(servers []cloning.Server) (classes []Class, of []int) {
	known := map[string]int{}
	for s := range servers {
		key := fmt.Sprint(servers[s].Capacity)
		c, ok := known[key]
		if !ok {
			c = len(classes)
			known[key] = c
			classes = append(classes, Class{Capacity: servers[s].Capacity, room: roomOn(servers[s].Capacity)})
		}
		classes[c].Servers++
		of = append(of, c)
	}
	return classes, of
}

// phase finds how many copies of a task matter. No further copy does where it adds no progress, has no room in the empty cluster,
// or the task is done in one slot without it. If all copies finish a task in as many slots as one, one is enough.
func (sp *Space) phase(p *cloning.Phase, unit *big.Rat) (Phase, error) {
	ph := Phase{Parents: slices.Clone(p.Parents), Need: max(1, Whole(new(big.Rat).Mul(Required(p), unit), false))}
	room := int64(0)
	for _, c := range sp.Classes {
		ph.size = append(ph.size, sizesOn(p.Demand, c.Capacity))
		room += int64(cloning.Copies(p.Demand, c.Capacity, min(sp.In.MaxCopies, sp.In.MaxCopiesPerServer))) * int64(c.Servers)
	}
	most := int(min(room, int64(sp.In.MaxCopies)))
	if most < 1 {
		return ph, errors.New("fits on no server")
	}
	for r := range most {
		ph.Gain = append(ph.Gain, Whole(new(big.Rat).Mul(Rat(p.Speedup[r]), unit), true))
		if ph.Gain[r] >= ph.Need {
			break
		}
	}
	for n := len(ph.Gain) - 1; n > 0 && ph.Gain[n] == ph.Gain[n-1]; n-- {
		ph.Gain = ph.Gain[:n]
	}
	if len(ph.Gain) > mostCopies {
		return ph, fmt.Errorf("may run in more than %d copies that matter", mostCopies)
	}
	if last := ph.Gain[len(ph.Gain)-1]; Slots(ph.Need, last) == Slots(ph.Need, ph.Gain[0]) {
		ph.Gain = ph.Gain[:1]
	}
	return ph, nil
}

// conflicts finds the phases that never run in the same slot.
func (sp *Space) conflicts() {
	sp.Apart = make([]uint64, len(sp.Phases))
	if len(sp.Phases) > 64 {
		return
	}
	for j := range sp.Jobs {
		for _, k := range sp.In.Jobs[j].Order() {
			k += sp.Jobs[j].From
			for _, p := range sp.Phases[k].Parents {
				sp.Apart[k] |= sp.Apart[p] | 1<<p
			}
		}
	}
	for k := range sp.Phases {
		for q := range sp.Phases {
			if sp.Apart[k]>>q&1 == 1 {
				sp.Apart[q] |= 1 << k
			}
		}
	}
}

// Required is the progress at which a task is done. None is done before it has run for a slot, which is another rule.
func Required(p *cloning.Phase) *big.Rat { return Rat(max(0, p.Required())) }

// Rat is the rational that a finite v denotes.
func Rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Whole is ⌈r⌉ or ⌊r⌋ of a rational from 0 on, at most 2^62.
func Whole(r *big.Rat, up bool) int64 {
	q, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if up && rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() || q.Int64() > 1<<62 {
		return 1 << 62
	}
	return q.Int64()
}

// Slots is ⌈amount / rate⌉.
func Slots(amount, rate int64) int64 { return (amount + rate - 1) / rate }

// roomOn is a server's capacity in the whole numbers of the definition.
func roomOn(capacity []float64) []int64 {
	room := make([]int64, len(capacity))
	for r, c := range capacity {
		room[r] = cloning.NewScale(c).Room
	}
	return room
}

// sizesOn is the amount that a copy takes there; nil if it does not fit.
func sizesOn(demand, capacity []float64) []int64 {
	if !cloning.Fits(demand, capacity) {
		return nil
	}
	size := make([]int64, len(demand))
	for r, d := range demand {
		size[r] = cloning.NewScale(capacity[r]).Size(d)
	}
	return size
}
