package kernel

// Patterns are, by class of servers, the maximal sets of copies of phases that may run together in a slot. Earn is the
// servers' part of the Lagrangian relaxation of capacity. One goroutine uses them.
type Patterns struct {
	Sets [][][]Buy // by class
	Take []int64   // by phase, the copies that the dearest patterns found last are paid for
	Work int       // steps of Earn so far

	sp      *Space
	choices int
	limit   []int64 // by phase, copies that run at once at most
	count   []int64 // by phase, copies of the patterns under consideration
	price   []int64
	worth   [][]int64 // by class and pattern
	most    []int64   // by class
	total   []int64   // by class, the most that the servers of it and those after it are worth
	best    int64
	left    int
	idle    []int
}

// Patterns returns the patterns; nil where there are more than limit of all classes. Earn tries at most some choices for all
// servers together.
func (sp *Space) Patterns(limit, choices int) *Patterns {
	p, all := &Patterns{sp: sp, choices: choices}, 0
	for c := range sp.Classes {
		sets := sp.Sets(c, limit)
		all += len(sets)
		if sets == nil || all > limit {
			return nil
		}
		p.Sets = append(p.Sets, sets)
	}
	for k := range sp.Phases {
		p.limit = append(p.limit, int64(sp.Phases[k].Tasks()*len(sp.Phases[k].Gain)))
	}
	return p.work()
}

// work makes the work space.
func (p *Patterns) work() *Patterns {
	phases := len(p.limit)
	p.Take, p.count = make([]int64, phases), make([]int64, phases)
	p.most, p.total, p.worth = make([]int64, len(p.Sets)), make([]int64, len(p.Sets)+1), make([][]int64, len(p.Sets))
	for c, sets := range p.Sets {
		p.worth[c] = make([]int64, len(sets))
	}
	return p
}

// With are patterns of sets by class in place of these, for one goroutine more.
func (p *Patterns) With(sets [][][]Buy) *Patterns {
	return (&Patterns{sp: p.sp, choices: p.choices, limit: p.limit, Sets: sets}).work()
}

// Earn is the most that one pattern for each server is worth together, given the price of a copy of each phase, none
// negative. Copies beyond a phase's limit are worth nothing, and of two phases that never run together only the dearer one
// counts: what real copies pay is no more. Past some choices it is the sum of the servers' dearest patterns, which is no
// less.
func (p *Patterns) Earn(price []int64) int64 {
	p.price, p.best, p.left = price, -1, p.choices
	clear(p.count)
	for c := len(p.Sets) - 1; c >= 0; c-- {
		p.most[c] = -1
		dearest, servers := 0, int64(p.sp.Classes[c].Servers)
		for i, set := range p.Sets[c] {
			sum := int64(0)
			for _, b := range set {
				sum += int64(b.Copies) * price[b.Phase]
			}
			p.Work += 1 + len(set)
			p.worth[c][i] = sum
			if sum > p.most[c] {
				p.most[c], dearest = sum, i
			}
		}
		p.total[c] = p.total[c+1] + servers*p.most[c]
		for _, b := range p.Sets[c][dearest] {
			p.count[b.Phase] += servers * int64(b.Copies)
		}
	}
	p.offer()
	if p.best < p.total[0] {
		clear(p.count)
		p.choose(0, 0, 0, 0)
		if p.left < 0 {
			return p.total[0]
		}
	}
	return p.best
}

// choose takes patterns for the servers from the n-th of class c on; of one class in their order.
func (p *Patterns) choose(c, n, from int, worth int64) {
	if n == p.sp.Classes[c].Servers {
		c, n, from = c+1, 0, 0
	}
	if c == len(p.Sets) {
		p.offer()
		return
	}
	rest := p.total[c] - int64(n+1)*p.most[c]
	for i := from; i < len(p.Sets[c]); i++ {
		if worth+p.worth[c][i]+rest <= p.best {
			continue
		}
		p.left--
		if p.left < 0 {
			return
		}
		for _, b := range p.Sets[c][i] {
			p.count[b.Phase] += int64(b.Copies)
		}
		p.choose(c, n+1, i, worth+p.worth[c][i])
		for _, b := range p.Sets[c][i] {
			p.count[b.Phase] -= int64(b.Copies)
		}
	}
}

// offer takes the worth of the chosen patterns if it is more than before.
func (p *Patterns) offer() {
	sum := int64(0)
	p.idle = p.idle[:0]
	p.Work += len(p.count)
	for _, job := range p.sp.Jobs {
		drop, idle := int64(0), -1
		for k := job.From; k < job.To; k++ {
			n := min(p.count[k], p.limit[k])
			if n == 0 {
				continue
			}
			here := n * p.price[k]
			sum += here
			for q := job.From; q < k; q++ {
				if p.count[q] > 0 && p.sp.Apart[k]>>q&1 == 1 {
					there := min(p.count[q], p.limit[q]) * p.price[q]
					if cheaper := min(here, there); idle < 0 || cheaper > drop {
						drop, idle = cheaper, q
						if here < there {
							idle = k
						}
					}
				}
			}
		}
		sum -= drop
		if idle >= 0 {
			p.idle = append(p.idle, idle)
		}
	}
	if sum > p.best {
		p.best = sum
		for k := range p.Take {
			p.Take[k] = min(p.count[k], p.limit[k])
		}
		for _, k := range p.idle {
			p.Take[k] = 0
		}
	}
}

// Held is the number of copies on all servers at most.
func (p *Patterns) Held() int64 {
	held := int64(0)
	for c, sets := range p.Sets {
		largest := int64(0)
		for _, set := range sets {
			n := int64(0)
			for _, b := range set {
				n += int64(b.Copies)
			}
			largest = max(largest, n)
		}
		held += largest * int64(p.sp.Classes[c].Servers)
	}
	return held
}
