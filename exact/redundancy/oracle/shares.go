package oracle

import (
	"math/big"

	"schedgap/models/redundancy"
)

// shares tries all orders of arrivals and completions, and in every interval between two all numbers of copies for each
// active job. For each of these a linear program finds the lengths of the intervals and the machine time of each job: at
// most r times the length and M times it for all, h(r)/r of work for a unit of it.
type shares struct {
	in    *redundancy.Instance
	h     []*big.Rat
	order []int // of arrival
	gaps  []gap
	done  []bool
	sums  *big.Rat // of all completion times, the best so far
}

// A gap is an interval between two events, with the jobs active in it and their copies.
type gap struct {
	jobs, copies []int
	unfinished   int64
	arrived      int // jobs that arrived before
}

func newShares(in *redundancy.Instance) *shares {
	return &shares{in: in, h: speedups(in), order: byArrival(in), done: make([]bool, len(in.Jobs))}
}

func (s *shares) opt() *big.Rat {
	s.event(1)
	return s.sums
}

// event follows one at which the number of arrived jobs is given.
func (s *shares) event(arrived int) {
	g := gap{arrived: arrived}
	for i, j := range s.order {
		if !s.done[j] {
			g.unfinished++
			if i < arrived {
				g.jobs = append(g.jobs, j)
			}
		}
	}
	if g.unfinished == 0 {
		s.solve()
		return
	}
	// Jobs that arrive together arrive one after another with nothing in between.
	if arrived < len(s.order) && s.arrival(arrived).Cmp(s.arrival(arrived-1)) == 0 {
		s.event(arrived + 1)
		return
	}
	g.copies = make([]int, len(g.jobs))
	var try func(k int)
	try = func(k int) {
		if k < len(g.jobs) {
			least := 1
			if len(g.jobs) == 1 {
				least = s.in.Machines // alone, a share of all machines gives every rate that there is
			}
			for r := least; r <= s.in.Machines; r++ {
				g.copies[k] = r
				try(k + 1)
			}
			return
		}
		s.gaps = append(s.gaps, gap{g.jobs, append([]int(nil), g.copies...), g.unfinished, g.arrived})
		for _, j := range g.jobs {
			s.done[j] = true
			s.event(arrived)
			s.done[j] = false
		}
		if arrived < len(s.order) {
			s.event(arrived + 1)
		}
		s.gaps = s.gaps[:len(s.gaps)-1]
	}
	try(0)
}

func (s *shares) arrival(i int) *big.Rat { return rat(s.in.Jobs[s.order[i]].Arrival) }

// solve finds the best times for the gaps, if there are any: columns are the lengths, then the machine times.
func (s *shares) solve() {
	columns := len(s.gaps)
	for _, g := range s.gaps {
		columns += len(g.jobs)
	}
	p := newProgram(columns)
	work := make([]map[int]*big.Rat, len(s.in.Jobs))
	for j := range work {
		work[j] = map[int]*big.Rat{}
	}
	between := make([]map[int]*big.Rat, len(s.order)) // lengths of the gaps after the i-th arrival
	col := len(s.gaps)
	for q, g := range s.gaps {
		p.cost[q].SetInt64(g.unfinished)
		if g.arrived < len(s.order) {
			if between[g.arrived] == nil {
				between[g.arrived] = map[int]*big.Rat{}
			}
			between[g.arrived][q] = big.NewRat(1, 1)
		}
		all := map[int]*big.Rat{q: big.NewRat(-int64(s.in.Machines), 1)}
		for k, j := range g.jobs {
			r := int64(g.copies[k])
			p.row(map[int]*big.Rat{col: big.NewRat(1, 1), q: big.NewRat(-r, 1)}, false, new(big.Rat))
			work[j][col] = new(big.Rat).Quo(s.h[r], big.NewRat(r, 1))
			all[col] = big.NewRat(1, 1)
			col++
		}
		p.row(all, false, new(big.Rat))
	}
	for j := range work {
		p.row(work[j], true, rat(s.in.Jobs[j].Work))
	}
	for i, lengths := range between {
		if lengths != nil {
			p.row(lengths, true, new(big.Rat).Sub(s.arrival(i), s.arrival(i-1)))
		}
	}
	v, ok := p.minimum()
	if !ok {
		return
	}
	// Unfinished jobs grow older by the lengths, from the first arrival on.
	v.Add(v, new(big.Rat).Mul(s.arrival(0), big.NewRat(int64(len(s.in.Jobs)), 1)))
	if s.sums == nil || v.Cmp(s.sums) < 0 {
		s.sums = v
	}
}
