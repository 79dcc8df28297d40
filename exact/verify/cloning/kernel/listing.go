package kernel

import (
	"sort"

	"schedgap/models/cloning"
)

// A Listing is an instance with the phases of all jobs in one list, and with what their tasks need.
type Listing struct {
	In      *cloning.Instance
	Classes []Class // of servers
	Phases  []Listed
	First   []int // index of each job's first phase; one more at the end
	Order   []int // phases, parents before children
	Tasks   int
}

// A Listed is a phase of a listing. Slots are counted from slot 1, moments are the ends of slots.
type Listed struct {
	*cloning.Phase
	Job, Index int
	Preds      []int // parents, as indices of Listing.Phases
	succs      []int // children
	Useful     int   // copies of a task that add progress and find room when nothing else runs, at least 1
	Most       int   // copies beyond which no further one makes a task take fewer slots
	Least      int   // slots of a task that runs in as many copies as help
	Alone      int   // slots of a task that runs in one copy
}

// List is the listing of an instance.
func List(in *cloning.Instance) *Listing {
	v := &Listing{In: in}
	v.Classes, _ = Group(in.Servers)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		base := len(v.Phases)
		v.First = append(v.First, base)
		children := job.Children()
		for k := range job.Phases {
			ph := Listed{Phase: &job.Phases[k], Job: j, Index: k}
			for _, p := range ph.Parents {
				ph.Preds = append(ph.Preds, base+p)
			}
			for _, c := range children[k] {
				ph.succs = append(ph.succs, base+c)
			}
			ph.Useful = v.useful(ph.Phase)
			ph.Most = 1 + sort.Search(ph.Useful-1, func(before int) bool { return ph.Slots(cloning.Progress{}, 1+before) == 1 })
			ph.Least, ph.Alone = ph.Slots(cloning.Progress{}, ph.Most), ph.Slots(cloning.Progress{}, 1)
			if ph.Least == ph.Alone {
				ph.Most = 1 // no task is done sooner
			}
			v.Tasks += ph.Tasks
			v.Phases = append(v.Phases, ph)
		}
		for _, k := range job.Order() {
			v.Order = append(v.Order, base+k)
		}
	}
	v.First = append(v.First, len(v.Phases))
	return v
}

// useful is the number of copies of a task that add progress and find room when nothing else runs.
func (v *Listing) useful(p *cloning.Phase) int {
	room := 0
	for _, c := range v.Classes {
		n := cloning.Copies(p.Demand, c.Capacity, min(v.In.MaxCopies, v.In.MaxCopiesPerServer))
		room = min(v.In.MaxCopies, room+n*min(c.Servers, v.In.MaxCopies))
	}
	return max(1, p.Helpful(room))
}

// Holds is how many copies of a demand the servers hold at a time, at most 2^60.
func (v *Listing) Holds(demand []float64) int {
	fit := 0
	for _, c := range v.Classes {
		fit = min(fit+cloning.Copies(demand, c.Capacity, cloning.MostCopies)*c.Servers, 1<<60)
	}
	return fit
}

// Arrivals is the sum of arrivals, which the sum of completions exceeds by the objective.
func (v *Listing) Arrivals() float64 {
	sum := 0.0
	for j := range v.In.Jobs {
		sum += float64(v.In.Jobs[j].Arrival)
	}
	return sum
}

// Serial is a horizon within which some optimal schedule ends, in both regimes: the last arrival and all tasks one after the
// other. A slot after the last arrival in which nothing runs can be cut out of any schedule, and in all others some task
// advances by 1 or more, a task at most ⌈θ⌉ times.
func (v *Listing) Serial() int {
	last, work := 0, 0
	for j := range v.In.Jobs {
		last = max(last, v.In.Jobs[j].Arrival)
	}
	for k := range v.Phases {
		work += v.Phases[k].Tasks * v.Phases[k].Alone
	}
	return last + work
}

// Paths are heads and tails of phases of the given spans, by longest paths: the moment before which a phase cannot start, and the slots
// that must pass after its completion until its job is done. None is beyond Farthest.
func (v *Listing) Paths(span []int) (head, tail []int) {
	head, tail = make([]int, len(v.Phases)), make([]int, len(v.Phases))
	for _, k := range v.Order {
		head[k] = v.In.Jobs[v.Phases[k].Job].Arrival
		for _, p := range v.Phases[k].Preds {
			head[k] = min(Farthest, max(head[k], head[p]+span[p]))
		}
	}
	for i := len(v.Order) - 1; i >= 0; i-- {
		k := v.Order[i]
		for _, c := range v.Phases[k].succs {
			tail[k] = min(Farthest, max(tail[k], tail[c]+span[c]))
		}
	}
	return head, tail
}

// Farthest bounds numbers of slots that are lower bounds: the sum of a head, a span and a tail fits into 64 bits.
const Farthest = 1 << 60
