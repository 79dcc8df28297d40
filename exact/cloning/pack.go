package cloning

import (
	"cmp"
	"encoding/binary"
	"slices"

	"schedgap/models/cloning"
)

// A packer decides whether copies fit on the servers in one slot, and keeps its answers.
type packer struct {
	v      *view
	gauges []gauge
	rank   []int // phases by their largest demand relative to the cluster
	known  map[string]bool
	loads  cloning.Loads
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
	p.loads = cloning.NewLoads(v.in.Servers...)
	return p
}

// measured reports whether no gauge says that the demands cannot run in one slot.
func (p *packer) measured(list []demand) bool {
	for _, g := range p.gauges {
		sum := 0.0
		for _, d := range list {
			sum += g.weight[d.phase] * float64(d.copies)
		}
		if sum > g.capacity*(1+gaugeSlack) {
			return false
		}
	}
	return true
}

// fits reports whether all demands can run in one slot, as far as it finds out.
func (p *packer) fits(list []demand) bool {
	if len(p.v.in.Servers) == 1 && p.v.in.MaxCopiesPerServer >= p.v.in.MaxCopies {
		return p.onOne(list)
	}
	if !p.measured(list) {
		return false
	}
	sorted := p.sorted(list)
	key := make([]byte, 0, 5*len(list))
	for _, d := range sorted {
		key = append(binary.LittleEndian.AppendUint32(key, uint32(d.phase)), byte(d.copies))
	}
	fits, ok := p.known[string(key)]
	if !ok {
		fits = p.place(sorted, func(int, int) {})
		p.known[string(key)] = fits
	}
	return fits
}

// onOne reports whether all demands fit on the only server.
func (p *packer) onOne(list []demand) bool {
	clear(p.loads.Used)
	for _, d := range list {
		of := p.v.phases[d.phase].Demand
		if !p.loads.Fit(0, of, d.copies) {
			return false
		}
		p.loads.Add(0, of, d.copies)
	}
	return true
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
	clear(p.loads.Used)
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
			if already == p.v.in.MaxCopiesPerServer || !p.loads.Fit(s, need, 1) {
				continue
			}
			twin := false
			for q := from; q < s && !twin; q++ {
				twin = (q > from || here == 0) && slices.Equal(p.loads.On(q), p.loads.On(s)) && same(servers[q].Capacity, servers[s].Capacity)
			}
			if twin {
				continue
			}
			p.loads.Add(s, need, 1)
			chosen = append(chosen, [2]int{i, s})
			if try(i, copy+1, s, already+1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
			p.loads.Add(s, need, -1)
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
