package verify

import (
	"errors"
	"fmt"
	"slices"
)

// tariffUnit is a slot in the units of prices of copies by slot.
const tariffUnit = 1 << 12

// Limits of a tariff.
const (
	tariffCells   = 40_000_000 // of tables
	tariffSets    = 20_000     // of copies on servers, all classes together
	tariffChoices = 4_000      // of sets for all servers in one slot
	tariffMost    = 1 << 23    // price
	tariffSlots   = 1 << 13
)

// A cloningTariff is prices of copies by phase and slot with what follows from them: by job, moment and node the least that the job
// still pays for its slots in the system and its copies; and what the servers can earn at most after a moment.
type cloningTariff struct {
	sp     *CloningSpace
	price  [][]int64 // by phase and slot
	tables [][][]int64
	sets   [][][]jobBuy // by class of servers, maximal sets of copies
	limit  []int        // by phase, copies that run at once at most
	apart  []uint64     // by phase, those that come before or after it
	earned map[uint64]*earnings
	worth  [][]int64
	most   []int64
	total  []int64
	count  []int
	at     int // slot under consideration
	open   uint64
	best   int64
	steps  int
}

// earnings are by moment, from the last one on down.
type earnings struct{ list []int64 }

// addTariff adds prices.
func (sp *CloningSpace) addTariff(price [][]int64) error {
	if len(price) != len(sp.phases) {
		return fmt.Errorf("prices of %d phases, and there are %d", len(price), len(sp.phases))
	}
	slots := len(price[0])
	if slots > tariffSlots {
		return fmt.Errorf("prices of %d slots, more than %d", slots, tariffSlots)
	}
	for k, row := range price {
		if len(row) != slots {
			return fmt.Errorf("copies[%d] has %d prices and copies[0] %d", k, len(row), slots)
		}
		for t, p := range row {
			if p < 0 || p > tariffMost {
				return fmt.Errorf("copies[%d][%d] = %d must be from 0 to %d", k, t, p, tariffMost)
			}
		}
	}
	if err := sp.addGraphs(); err != nil {
		return err
	}
	f := &cloningTariff{sp: sp, price: price, earned: map[uint64]*earnings{}, count: make([]int, len(sp.phases))}
	cells := 0
	for _, g := range sp.graphs {
		cells += (slots + 1) * len(g.nodes)
	}
	if cells > tariffCells {
		return errGraphs
	}
	for j := range sp.graphs {
		f.tables = append(f.tables, f.table(j, slots))
	}
	if err := f.measure(); err != nil {
		return err
	}
	sp.tariff = f
	return nil
}

// table computes a job's least payments, from the last slot on down. After it everything is free.
func (f *cloningTariff) table(j, slots int) [][]int64 {
	g := f.sp.graphs[j]
	rows := make([][]int64, slots+1)
	rows[slots] = make([]int64, len(g.nodes))
	for s := range g.nodes {
		rows[slots][s] = tariffUnit * g.free[s]
	}
	for t := slots - 1; t >= 0; t-- {
		next, here := rows[t+1], make([]int64, len(g.nodes))
		for s := range g.nodes {
			if int32(s) == g.end {
				continue
			}
			best := int64(-1)
			for i := range g.nodes[s].arcs {
				a := &g.nodes[s].arcs[i]
				cost := next[a.next] + tariffUnit
				for _, b := range a.buys {
					cost += int64(b.copies) * f.price[b.phase][t]
				}
				if best < 0 || cost < best {
					best = cost
				}
			}
			here[s] = best
		}
		rows[t] = here
	}
	return rows
}

// value is what a job pays at least from a moment and node on.
func (f *cloningTariff) value(j, now int, node int32) int64 {
	rows := f.tables[j]
	return rows[min(max(now, f.sp.jobs[j].arrival), len(rows)-1)][node]
}

// measure lists the maximal sets of copies of each class of servers. Of two phases one of which comes before the other, copies never
// run at once.
func (f *cloningTariff) measure() error {
	sp := f.sp
	if f.apart = make([]uint64, len(sp.phases)); len(sp.phases) <= 64 {
		for _, k := range sp.order {
			for _, p := range sp.phases[k].parents {
				f.apart[k] |= f.apart[p] | 1<<p
			}
		}
		for k := range sp.phases {
			for q := range k {
				if f.apart[k]>>q&1 == 1 {
					f.apart[q] |= 1 << k
				}
				if f.apart[q]>>k&1 == 1 {
					f.apart[k] |= 1 << q
				}
			}
		}
	}
	all, held, dearest := 0, int64(0), f.dearest()
	for k := range sp.phases {
		f.limit = append(f.limit, (sp.phases[k].to-sp.phases[k].from)*len(sp.phases[k].gain))
	}
	for c := range sp.classes {
		s := setSearch{f: f, class: c, now: make([]int, len(sp.phases)), free: slices.Clone(sp.rooms[c]), steps: 200 * tariffSets}
		if s.try(0); s.steps < 0 || all+len(s.list) > tariffSets {
			return errors.New("the servers hold too many sets of copies for prices by slot")
		}
		all += len(s.list)
		if held += int64(sp.classes[c].servers) * mostCopiesOf(s.list); held > 1<<61/dearest {
			return errors.New("the servers could earn more than can be counted")
		}
		f.sets = append(f.sets, s.list)
		f.worth, f.most = append(f.worth, make([]int64, len(s.list))), append(f.most, 0)
	}
	f.total = make([]int64, len(sp.classes)+1)
	return nil
}

// dearest is the price of one copy in every slot, at least 1.
func (f *cloningTariff) dearest() int64 {
	sum := int64(1)
	for t := range f.price[0] {
		most := int64(0)
		for _, row := range f.price {
			most = max(most, row[t])
		}
		sum += most
	}
	return sum
}

// mostCopiesOf is the largest number of copies of a set.
func mostCopiesOf(sets [][]jobBuy) int64 {
	most := 0
	for _, set := range sets {
		n := 0
		for _, b := range set {
			n += b.copies
		}
		most = max(most, n)
	}
	return int64(most)
}

// A setSearch lists the maximal sets of copies on a server of a class.
type setSearch struct {
	f     *cloningTariff
	class int
	now   []int
	free  []int64
	list  [][]jobBuy
	steps int
}

// adds reports whether one more copy of phase k finds room.
func (s *setSearch) adds(k int) bool {
	ph := &s.f.sp.phases[k]
	size := ph.size[s.class]
	if size == nil || s.now[k] >= (ph.to-ph.from)*min(s.f.sp.in.MaxCopiesPerServer, len(ph.gain)) || !within(size, s.free) {
		return false
	}
	for q := range s.now {
		if s.now[q] > 0 && s.f.apart[k]>>q&1 == 1 {
			return false
		}
	}
	return true
}

func (s *setSearch) put(k, n int) {
	s.now[k] += n
	for r, d := range s.f.sp.phases[k].size[s.class] {
		s.free[r] -= int64(n) * d
	}
}

func (s *setSearch) try(k int) {
	if s.steps--; s.steps < 0 || len(s.list) > tariffSets {
		return
	}
	if k == len(s.now) {
		var set []jobBuy
		for q, n := range s.now {
			if s.adds(q) {
				return
			}
			if n > 0 {
				set = append(set, jobBuy{q, n})
			}
		}
		s.list = append(s.list, set)
		return
	}
	for s.adds(k) {
		s.put(k, 1)
	}
	for ; ; s.put(k, -1) {
		if s.try(k + 1); s.now[k] == 0 {
			return
		}
	}
}

// after is what the servers earn at most in all slots after a moment, from copies of open phases.
func (f *cloningTariff) after(open uint64, now int) int64 {
	slots := len(f.price[0])
	if now >= slots {
		return 0
	}
	e := f.earned[open]
	if e == nil {
		if len(f.earned)*slots > tariffCells {
			clear(f.earned)
		}
		e = &earnings{list: []int64{0}}
		f.earned[open] = e
	}
	for t := slots - len(e.list); t >= now; t-- {
		f.at, f.open = t, open
		e.list = append(e.list, e.list[len(e.list)-1]+f.slot())
	}
	return e.list[slots-now]
}

// slot is what the servers earn at most in a slot: the most over one set for each server. Copies beyond a phase's limit are worth
// nothing, and of two phases that never run together only the dearer one counts. Past some choices it is the sum of the servers'
// dearest sets.
func (f *cloningTariff) slot() int64 {
	sp := f.sp
	for c := len(sp.classes) - 1; c >= 0; c-- {
		f.most[c] = 0
		for i, set := range f.sets[c] {
			sum := int64(0)
			for _, b := range set {
				if len(sp.phases) > 64 || f.open>>b.phase&1 == 1 {
					sum += int64(b.copies) * f.price[b.phase][f.at]
				}
			}
			f.worth[c][i] = sum
			f.most[c] = max(f.most[c], sum)
		}
		f.total[c] = f.total[c+1] + int64(sp.classes[c].servers)*f.most[c]
	}
	f.best, f.steps = -1, tariffChoices
	clear(f.count)
	if f.choose(0, 0, 0, 0); f.steps < 0 {
		return f.total[0]
	}
	return f.best
}

// choose takes sets for the servers from the n-th of class c on; of one class in the order of the sets.
func (f *cloningTariff) choose(c, n, from int, worth int64) {
	if c < len(f.sets) && n == f.sp.classes[c].servers {
		c, n, from = c+1, 0, 0
	}
	if c == len(f.sets) {
		f.best = max(f.best, f.offer())
		return
	}
	rest := f.total[c] - int64(n+1)*f.most[c]
	for i := from; i < len(f.sets[c]); i++ {
		if worth+f.worth[c][i]+rest <= f.best {
			continue
		}
		if f.steps--; f.steps < 0 {
			return
		}
		for _, b := range f.sets[c][i] {
			f.count[b.phase] += b.copies
		}
		f.choose(c, n+1, i, worth+f.worth[c][i])
		for _, b := range f.sets[c][i] {
			f.count[b.phase] -= b.copies
		}
	}
}

// offer is what the chosen sets are worth together.
func (f *cloningTariff) offer() int64 {
	sum := int64(0)
	earns := func(k int) int64 {
		if f.count[k] == 0 || len(f.sp.phases) <= 64 && f.open>>k&1 == 0 {
			return 0
		}
		return int64(min(f.count[k], f.limit[k])) * f.price[k][f.at]
	}
	for _, job := range f.sp.jobs {
		drop := int64(0)
		for k := job.from; k < job.to; k++ {
			here := earns(k)
			if here == 0 {
				continue
			}
			sum += here
			for q := job.from; q < k; q++ {
				if f.apart[k]>>q&1 == 1 {
					drop = max(drop, min(here, earns(q)))
				}
			}
		}
		sum -= drop
	}
	return sum
}

// bound is at most the cost of every schedule that goes on from the jobs' nodes, in units.
func (f *cloningTariff) bound(nodes []int32, now, cost int) int64 {
	sum, open := int64(cost)*tariffUnit, uint64(0)
	for j, s := range nodes {
		sum += f.value(j, now, s)
		open |= f.sp.graphs[j].nodes[s].open
	}
	return sum - f.after(open, now)
}

// nodesOf finds the jobs' nodes of a state; false: a job has none.
func (sp *CloningSpace) nodesOf(st *CloningState, nodes []int32) ([]int32, bool) {
	n := len(sp.servers)
	for j, job := range sp.jobs {
		from, to := sp.phases[job.from].from, sp.phases[job.to-1].to
		var placed []uint8
		progress := slices.Clone(st.Progress[from:to])
		if sp.fixed {
			placed = slices.Clone(st.placed[from*n : to*n])
		}
		s, ok := sp.graphs[j].at[string(sp.jobKey(nil, sp.task[from:to], progress, placed))]
		if !ok {
			return nil, false
		}
		nodes = append(nodes, s)
	}
	return nodes, true
}
