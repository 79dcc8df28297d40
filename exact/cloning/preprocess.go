package cloning

import "schedgap/models/cloning"

// A preprocessed instance is an instance with its phases in one list and with what follows from them alone.
type preprocessed struct {
	in         *cloning.Instance
	phases     []phase
	first      []int // index of each job's first phase
	surrogates []surrogate
	simple     int   // of the surrogates, resources and counts of copies, which come first
	order      []int // phases, parents before children
	tasks      int
}

// A phase is a phase of a preprocessed instance. Slots are counted from slot 1, moments are the ends of slots.
type phase struct {
	*cloning.Phase
	job, index int
	parents    []int // indices of preprocessed.phases
	children   []int
	// most is the number of copies beyond which no further copy of a task makes it faster, or there is room for none.
	most  int
	least int // slots of a task that runs in most copies
	span  int // slots that the phase takes at least, given the cluster
	alone int // slots of a task that runs in one copy
	// volume is how many copies times slots a task takes at least.
	volume int
	head   int // moment before which it cannot start
	tail   int // slots that must pass after its completion until its job is done
}

func preprocess(in *cloning.Instance) *preprocessed {
	v := &preprocessed{in: in}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		base := len(v.phases)
		v.first = append(v.first, base)
		children := job.Children()
		for k := range job.Phases {
			ph := phase{Phase: &job.Phases[k], job: j, index: k}
			for _, p := range ph.Parents {
				ph.parents = append(ph.parents, base+p)
			}
			for _, c := range children[k] {
				ph.children = append(ph.children, base+c)
			}
			ph.most = v.useful(ph.Phase)
			ph.least, ph.alone = ph.Slots(cloning.Progress{}, ph.most), ph.Slots(cloning.Progress{}, 1)
			if ph.least == ph.alone {
				ph.most = 1 // no task is done sooner
			}
			ph.volume = ph.Volume(ph.most)
			v.tasks += ph.Tasks
			v.phases = append(v.phases, ph)
		}
		for _, k := range job.Order() {
			v.order = append(v.order, base+k)
		}
	}
	v.surrogates = v.newSurrogates()
	for k := range v.phases {
		v.phases[k].span = v.span(k, v.phases[k].least, float64(v.phases[k].Tasks)*float64(v.phases[k].volume))
	}
	v.paths()
	return v
}

// span is the least number of slots in which the cluster does a volume, in copies times slots, of phase k, at least least.
func (v *preprocessed) span(k, least int, volume float64) int {
	for g := range v.surrogates {
		if d := v.surrogates[g].weight[k]; d > 0 {
			least = max(least, int(ceil(d*volume/v.surrogates[g].capacity)))
		}
	}
	return least
}

// useful is the number of copies of a task that add progress and find room when nothing else runs.
func (v *preprocessed) useful(p *cloning.Phase) int {
	room, most := 0, 1
	for s := range v.in.Servers {
		if room >= v.in.MaxCopies {
			break
		}
		room += cloning.Copies(p.Demand, v.in.Servers[s].Capacity, min(v.in.MaxCopies, v.in.MaxCopiesPerServer))
	}
	for most < min(room, v.in.MaxCopies) && p.Slots(cloning.Progress{}, most) > 1 {
		most++
	}
	for most > 1 && p.Speedup[most-1] == p.Speedup[most-2] {
		most--
	}
	return most
}

// paths fills in heads and tails.
func (v *preprocessed) paths() {
	for _, k := range v.order {
		ph := &v.phases[k]
		ph.head = v.in.Jobs[ph.job].Arrival
		for _, p := range ph.parents {
			ph.head = max(ph.head, v.phases[p].head+v.phases[p].span)
		}
	}
	for i := len(v.order) - 1; i >= 0; i-- {
		ph := &v.phases[v.order[i]]
		for _, c := range ph.children {
			ph.tail = max(ph.tail, v.phases[c].tail+v.phases[c].span)
		}
	}
}

// earliest is the moment before which job j cannot be done.
func (v *preprocessed) earliest(j int) int {
	end := 0
	for k := v.first[j]; k < v.until(j); k++ {
		end = max(end, v.phases[k].head+v.phases[k].span)
	}
	return end
}

// until is the index after job j's last phase.
func (v *preprocessed) until(j int) int {
	if j+1 < len(v.first) {
		return v.first[j+1]
	}
	return len(v.phases)
}

// arrivals is the sum of arrivals, which the sum of completions exceeds by the objective.
func (v *preprocessed) arrivals() float64 {
	sum := 0.0
	for j := range v.in.Jobs {
		sum += float64(v.in.Jobs[j].Arrival)
	}
	return sum
}

// serial is a horizon within which some optimal schedule ends, in both regimes: the last arrival and all tasks one after the
// other. A slot after the last arrival in which nothing runs can be cut out of any schedule, and in all others some task
// advances by 1 or more, a task at most ⌈θ⌉ times.
func (v *preprocessed) serial() int {
	last, work := 0, 0
	for j := range v.in.Jobs {
		last = max(last, v.in.Jobs[j].Arrival)
	}
	for k := range v.phases {
		work += v.phases[k].Tasks * v.phases[k].alone
	}
	return last + work
}
