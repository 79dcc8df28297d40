package cloning

import (
	"cmp"
	"slices"

	"schedgap/models/cloning"
)

// A packer decides whether copies fit on the servers in one slot, and keeps its answers.
type packer struct {
	v      *view
	gauges []gauge
	rank   []int // phases by their largest demand relative to the cluster
	known  map[string]bool
	free   [][]float64
	steps  int  // of the search that is under way
	gaveUp bool // some search was too long, so that what does not fit is not known for certain any more
}

// maxPackSteps ends the search for a packing.
const maxPackSteps = 20_000

// A demand is a task in one slot: the number of copies in which it runs.
type demand struct{ phase, copies int }

func newPacker(v *view, gauges []gauge) *packer {
	p := &packer{v: v, gauges: gauges, rank: make([]int, len(v.phases)), known: map[string]bool{}}
	total, order := v.in.Total(), make([]int, len(v.phases))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return -cmp.Compare(cloning.DominantShare(v.phases[a].Demand, total), cloning.DominantShare(v.phases[b].Demand, total))
	})
	for i, k := range order {
		p.rank[k] = i
	}
	p.free = make([][]float64, len(v.in.Servers))
	for s := range p.free {
		p.free[s] = make([]float64, len(total))
	}
	return p
}

// measured reports whether no gauge says that the demands cannot run in one slot.
func (p *packer) measured(list []demand) bool {
	for _, g := range p.gauges {
		sum := 0.0
		for _, d := range list {
			sum += g.weight[d.phase] * float64(d.copies)
		}
		if sum > g.capacity*(1+cloning.FitTolerance) {
			return false
		}
	}
	return true
}

// fits reports whether all demands can run in one slot, as far as it finds out.
func (p *packer) fits(list []demand) bool {
	if !p.measured(list) {
		return false
	}
	if len(p.free) == 1 && p.v.in.MaxCopiesPerServer >= p.v.in.MaxCopies {
		return true // the resources are the first gauges
	}
	sorted := p.sorted(list)
	key := make([]byte, 0, 3*len(list))
	for _, d := range sorted {
		key = append(key, byte(d.phase), byte(d.phase>>8), byte(d.copies))
	}
	fits, ok := p.known[string(key)]
	if !ok {
		fits = p.place(sorted, func(int, int) {})
		p.known[string(key)] = fits
	}
	return fits
}

func (p *packer) sorted(list []demand) []demand {
	sorted := make([]demand, len(list))
	for i, at := range p.order(list) {
		sorted[i] = list[at]
	}
	return sorted
}

// order is the order in which demands are placed: the largest first.
func (p *packer) order(list []demand) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(p.rank[list[a].phase]-p.rank[list[b].phase], list[b].copies-list[a].copies)
	})
	return order
}

// place searches servers for all copies and calls put with the index of each copy's demand and its server when it finds them.
// Servers of equal capacity with equal room are alike unless they hold a copy of the same task, so one of them is tried.
func (p *packer) place(list []demand, put func(i, server int)) bool {
	servers := p.v.in.Servers
	// One order for the same demands, so that what was found to fit is found again.
	order := p.order(list)
	list = p.sorted(list)
	p.steps = 0
	for s := range p.free {
		copy(p.free[s], servers[s].Capacity)
	}
	var chosen [][2]int
	var try func(i, copy, from, here int) bool
	try = func(i, copy, from, here int) bool {
		if i == len(list) {
			return true
		}
		if copy == list[i].copies {
			return try(i+1, 0, 0, 0)
		}
		if p.steps++; p.steps > maxPackSteps {
			p.gaveUp = true
			return false
		}
		need := p.v.phases[list[i].phase].Demand
		for s := from; s < len(servers); s++ {
			already := 0
			if s == from {
				already = here
			}
			if already == p.v.in.MaxCopiesPerServer || !cloning.Fits(need, p.free[s], servers[s].Capacity) {
				continue
			}
			twin := false
			for q := from; q < s && !twin; q++ {
				twin = (q > from || here == 0) && slices.Equal(p.free[q], p.free[s]) && same(servers[q].Capacity, servers[s].Capacity)
			}
			if twin {
				continue
			}
			before := slices.Clone(p.free[s])
			for r, d := range need {
				p.free[s][r] -= d
			}
			chosen = append(chosen, [2]int{i, s})
			if try(i, copy+1, s, already+1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
			p.free[s] = before
		}
		return false
	}
	if !try(0, 0, 0, 0) {
		return false
	}
	for _, c := range chosen {
		put(order[c[0]], c[1])
	}
	return true
}
