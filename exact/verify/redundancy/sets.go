package redundancy

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// mostSets is the largest number of sets of unfinished jobs that are looked at between two moments, mostLimits
// the largest number of limits of copies that hold at once.
const (
	mostSets   = 1 << 18
	mostLimits = 1 << 10
)

// A Tree has the data that all nodes of a proof share. The moments are the times of arrivals; interval k
// lasts from moment k to the next, the last one forever.
type Tree struct {
	in      *redundancy.Instance
	moments []core.Interval
	length  []core.Interval // of the intervals but the last
	here    []uint64        // jobs that have arrived in interval k
	first   []int           // by job: its first interval
	gain    []float64       // of each machine, from above, descending
	prices  []*Prices
}

// Prices are prices and counts that a node may be judged by.
type Prices struct {
	*purchases
	worth float64 // of the machines and the counts, from above
}

// A copyLimit says that a job has from least to most copies while exactly the jobs of set are unfinished in an interval:
// on shared machines, if it has any.
type copyLimit struct {
	interval         int
	set              uint64
	job, least, most int
}

// A Node has the facts known about the schedules of a node.
type Node struct {
	core.Effort
	Lo, Hi []int // by job: the first and the last interval that it may complete in

	t      *Tree
	cost   [][]float64 // by job and interval of its window: its least flowtime and payments at the node's prices, from below
	worth  float64
	bound  float64  // schedules of this value or more are of no interest
	after  []uint64 // by job: those that complete no earlier
	limits []copyLimit
	low    []float64 // by job: the least of its costs between Lo and Hi
	sets   [][]uint64
}

// readTree reads the lines up to one, which are of prices: those of the root, and of nodes that ask for them.
func readTree(r *core.Reader, to int, in *redundancy.Instance) (*Tree, error) {
	t := &Tree{in: in, first: make([]int, len(in.Jobs)), gain: core.Gains(in.Speedup)}
	for more := true; more; more = r.Next < to {
		end := r.Next + 1
		for end < to && !strings.HasPrefix(strings.TrimLeft(string(r.Lines[end]), "{ "), `"grid"`) {
			end++
		}
		p, err := t.read(r, end)
		if err != nil {
			return nil, err
		}
		t.prices = append(t.prices, p)
	}
	arrival, here := t.prices[0].arrival, uint64(0)
	for k, group := range arrivalGroups(in) {
		if k > 0 {
			t.length = append(t.length, arrival[group[0]].Minus(t.moments[k-1]))
		}
		for _, j := range group {
			t.first[j] = k
			here |= 1 << j
		}
		t.moments, t.here = append(t.moments, arrival[group[0]]), append(t.here, here)
	}
	return t, nil
}

func (t *Tree) read(r *core.Reader, to int) (*Prices, error) {
	f, err := readPurchases(r, to, t.in)
	if err != nil {
		return nil, err
	}
	return &Prices{f, f.r.Worth(t.in.Machines)}, nil
}

// Prices are those of lines of a proof by prices, for a search.
func (t *Tree) Prices(lines []any) (*Prices, error) {
	r, err := core.Written(lines)
	if err != nil {
		return nil, err
	}
	return t.read(r, len(lines))
}

// arrivalGroups are the jobs that arrive together, in the order of their arrivals.
func arrivalGroups(in *redundancy.Instance) [][]int {
	order := models.OrderBy(len(in.Jobs), func(j int) float64 { return in.Jobs[j].Arrival })
	var groups [][]int
	for i, j := range order {
		if i == 0 || in.Jobs[j].Arrival != in.Jobs[order[i-1]].Arrival {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], j)
	}
	return groups
}

// Root orders pairs of jobs at no loss. Equal jobs keep the file order, since they may change places. A job of the last arrival completes
// after every job of no more work: once all have arrived it is best to complete jobs in the order of the work that they have left. The
// latter needs a table that is concave to the last digit.
func (t *Tree) Root() *Node {
	jobs, last, concave := t.in.Jobs, len(t.here)-1, isConcave(t.in.Speedup)
	n := &Node{t: t, Lo: slices.Clone(t.first), Hi: slices.Repeat([]int{last}, len(jobs))}
	n.after = make([]uint64, len(jobs))
	for i := range jobs {
		for j := range jobs {
			twins := t.first[i] == t.first[j] && jobs[i].Work == jobs[j].Work
			if twins && i < j || !twins && concave && t.first[j] == last && jobs[i].Work <= jobs[j].Work {
				n.order(i, j)
			}
		}
	}
	return n.Priced(t.prices[0])
}

// Priced is the node judged by other prices: its schedules are the same.
func (n *Node) Priced(p *Prices) *Node {
	c := n.clone()
	c.cost, c.worth = make([][]float64, len(n.Lo)), p.worth
	for j, lo := range n.Lo {
		c.cost[j] = append(slices.Repeat([]float64{math.Inf(1)}, lo), p.costs(j, n.t.moments[lo:], n.Hi[j]+1-lo)...)
	}
	return c
}

// Least is a lower bound on the schedules of a node that has been asked whether it is Closed.
func (n *Node) Least() float64 {
	sum := -n.worth
	for _, v := range n.low {
		sum = core.Below(sum, v)
	}
	return sum
}

// isConcave reports whether each machine more gains no more than the one before it, in rationals.
func isConcave(speedup []float64) bool {
	h, before := new(big.Rat), (*big.Rat)(nil)
	for _, v := range speedup {
		gain := new(big.Rat).Sub(core.Exactly(v), h)
		if before != nil && gain.Cmp(before) > 0 {
			return false
		}
		h, before = core.Exactly(v), gain
	}
	return true
}

func (n *Node) clone() *Node {
	return &Node{
		t: n.t, cost: n.cost, worth: n.worth, Lo: slices.Clone(n.Lo), Hi: slices.Clone(n.Hi), after: slices.Clone(n.after),
		limits: n.limits,
	}
}

// order adds that job j completes no earlier than i, and all that follows.
func (n *Node) order(i, j int) {
	add := n.after[j] | 1<<j
	for k := range n.after {
		if k == i || n.after[k]>>i&1 == 1 {
			n.after[k] |= add
		}
	}
}

// Intervals is their number.
func (n *Node) Intervals() int { return len(n.t.here) }

// Ordered reports whether it is known that job j completes no earlier than i.
func (n *Node) Ordered(i, j int) bool { return n.after[i]>>j&1 == 1 }

// Here are the jobs that have arrived in an interval, as a set.
func (n *Node) Here(k int) uint64 { return n.t.here[k] }

// Closed reports whether the prices prove that no schedule of the node is worth less than bound. If not, windows are left
// out that cost a job so much that, with the least costs of all others, none is; from then on the node speaks of schedules
// worth less than bound only.
func (n *Node) Closed(bound float64) bool {
	jobs := len(n.Lo)
	n.bound, n.low, n.sets = bound, make([]float64, jobs), make([][]uint64, len(n.t.here))
	for {
		for i, after := range n.after { // who completes no earlier
			for j := range jobs {
				if after>>j&1 == 1 {
					n.Lo[j], n.Hi[i] = max(n.Lo[j], n.Lo[i]), min(n.Hi[i], n.Hi[j])
				}
			}
		}
		for j := range jobs {
			if n.Lo[j] > n.Hi[j] {
				return true
			}
			n.low[j] = slices.Min(n.cost[j][n.Lo[j] : n.Hi[j]+1])
		}
		changed := false
		for j := range jobs {
			others := -n.worth
			for i := range jobs {
				if i != j {
					others = core.Below(others, n.low[i])
				}
			}
			cut := func(k int) bool { return core.Below(others, n.cost[j][k]) >= bound }
			for n.Lo[j] <= n.Hi[j] && cut(n.Lo[j]) {
				n.Lo[j]++
				changed = true
			}
			for n.Lo[j] <= n.Hi[j] && cut(n.Hi[j]) {
				n.Hi[j]--
				changed = true
			}
			if n.Lo[j] > n.Hi[j] {
				return true
			}
		}
		if !changed {
			return false
		}
	}
}

// Sets are the sets of jobs that may be there and unfinished for some time of an interval, in a schedule of the node that
// is worth less than the bound. The node has been asked whether it is Closed. An error: there are too many.
func (n *Node) Sets(k int) ([]uint64, error) {
	if n.sets[k] != nil {
		return n.sets[k], nil
	}
	jobs, here := len(n.Lo), n.t.here[k]
	before := make([]uint64, jobs)
	for i, after := range n.after {
		for j := range jobs {
			if after>>j&1 == 1 {
				before[j] |= 1 << i
			}
		}
	}
	// The least costs of each job if it is unfinished, and if it is not, and of all jobs from j on.
	stays, goes, suffix := make([]float64, jobs), make([]float64, jobs), make([]float64, jobs+1)
	for j := jobs - 1; j >= 0; j-- {
		stays[j], goes[j] = math.Inf(1), math.Inf(1)
		if n.Hi[j] >= k {
			stays[j] = slices.Min(n.cost[j][max(k, n.Lo[j]) : n.Hi[j]+1])
		}
		if n.Lo[j] <= k && here>>j&1 == 1 {
			goes[j] = slices.Min(n.cost[j][n.Lo[j] : min(k, n.Hi[j])+1])
		}
		suffix[j] = core.Below(suffix[j+1], min(stays[j], goes[j]))
	}
	list := []uint64{}
	visits := 0
	var extend func(j int, set, done uint64, sum float64) bool
	extend = func(j int, set, done uint64, sum float64) bool {
		visits++
		if visits > mostSets {
			return false
		}
		if core.Below(sum, suffix[j]) >= n.bound {
			return true
		}
		if j == jobs {
			set &= here
			if !n.skipped(k, set) {
				list = append(list, set)
			}
			return true
		}
		if n.Lo[j] <= k && here>>j&1 == 1 && before[j]&set == 0 && !extend(j+1, set, done|1<<j, core.Below(sum, goes[j])) {
			return false
		}
		return n.Hi[j] < k || n.after[j]&done != 0 || extend(j+1, set|1<<j, done, core.Below(sum, stays[j]))
	}
	ended := extend(0, 0, 0, -n.worth)
	n.Spend(10 * visits)
	if !ended {
		return nil, fmt.Errorf("more than %d sets of jobs may be unfinished", mostSets)
	}
	n.sets[k] = list
	return list, nil
}

// skipped reports whether a job of none would have to complete for a set to come about: its copies are limited to 0 on
// whole machines while a larger set is unfinished, which lasts for some time, and no other job can be the first of the
// larger set to complete.
func (n *Node) skipped(k int, set uint64) bool {
	for _, l := range n.limits {
		gone := l.set &^ set
		if l.interval == k && l.most == 0 && set&^l.set == 0 && gone&^n.after[l.job] == 1<<l.job {
			return true
		}
	}
	return false
}

// Copies are the least and the most copies that a job may have while exactly the jobs of set are unfinished; on shared
// machines, if it has any.
func (n *Node) Copies(k int, set uint64, job int) (least, most int) {
	least, most = 0, n.t.in.Machines
	if n.t.in.Multitasking {
		least = 1
	}
	for _, l := range n.limits {
		if l.interval == k && l.set == set && l.job == job {
			least, most = l.least, l.most
		}
	}
	return least, most
}

// Limited reports whether some job has fewer copies to choose from than there are machines, while exactly the jobs of set
// are unfinished.
func (n *Node) Limited(k int, set uint64) bool {
	return slices.ContainsFunc(n.limits, func(l copyLimit) bool { return l.set == set && l.interval == k })
}
