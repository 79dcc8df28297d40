package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"schedgap/models/redundancy"
)

// shareSets is the largest number of sets of unfinished jobs that are looked at between two moments.
const shareSets = 1 << 18

// shareLimits is the largest number of limits of copies that hold at once.
const shareLimits = 1 << 10

// A shareTree is what all nodes of a proof on shared machines have in common. The moments are those at which jobs arrive; interval k lasts from
// moment k to the next, the last one forever.
type shareTree struct {
	effort
	in     *redundancy.Instance
	bound  float64
	length []interval  // of the intervals but the last
	here   []uint64    // jobs that have arrived in interval k
	first  []int       // by job: its first interval
	cost   [][]float64 // by job and interval that it completes in: its least flowtime and payments at the prices, from below
	worth  float64     // of the machines and the counts, from above
	gain   []float64   // of each machine, from above, descending
}

// A shareLimit says that a job has from least to most copies, or none, while exactly the jobs of set are unfinished in an interval.
type shareLimit struct {
	interval         int
	set              uint64
	job, least, most int
}

// A RedundancyShared is what a node of a proof knows of schedules on shared machines.
type RedundancyShared struct {
	Lo, Hi []int // by job: the first and the last interval that it may complete in

	t      *shareTree
	after  []uint64 // by job: those that complete no earlier
	limits []shareLimit
	low    []float64 // by job: the least of its costs between Lo and Hi
	sets   [][]uint64
}

func newShareTree(in *redundancy.Instance, prices []json.RawMessage, bound float64) (*shareTree, error) {
	f, r, err := readRedundancyPrices(in, prices)
	if err != nil {
		return nil, err
	}
	t := &shareTree{in: in, bound: bound, first: make([]int, len(in.Jobs)), worth: r.worth(in.Machines), gain: f.gain}
	var moments []interval
	here := uint64(0)
	for k, group := range arrivalGroups(in) {
		if k > 0 {
			t.length = append(t.length, f.arrival[group[0]].minus(moments[k-1]))
		}
		for _, j := range group {
			t.first[j] = k
			here |= 1 << j
		}
		moments, t.here = append(moments, f.arrival[group[0]]), append(t.here, here)
	}
	for j := range in.Jobs {
		cost := make([]float64, len(moments))
		for k := range moments {
			to := math.Inf(1)
			if k+1 < len(moments) {
				to = moments[k+1].hi
			}
			if cost[k] = math.Inf(1); k >= t.first[j] {
				cost[k] = f.least(j, r, moments[k].lo, to)
			}
		}
		t.cost = append(t.cost, cost)
	}
	return t, nil
}

func (t *shareTree) root() *RedundancyShared {
	n := &RedundancyShared{t: t, Lo: slices.Clone(t.first), Hi: make([]int, len(t.first)), after: make([]uint64, len(t.first))}
	for j := range n.Hi {
		n.Hi[j] = len(t.here) - 1
	}
	return n
}

func (n *RedundancyShared) clone() *RedundancyShared {
	return &RedundancyShared{t: n.t, Lo: slices.Clone(n.Lo), Hi: slices.Clone(n.Hi), after: slices.Clone(n.after), limits: n.limits}
}

// order adds that job j completes no earlier than i, and all that follows.
func (n *RedundancyShared) order(i, j int) {
	add := n.after[j] | 1<<j
	for k := range n.after {
		if k == i || n.after[k]>>i&1 == 1 {
			n.after[k] |= add
		}
	}
}

// Intervals is their number.
func (n *RedundancyShared) Intervals() int { return len(n.t.here) }

// Ordered reports whether it is known that job j completes no earlier than i.
func (n *RedundancyShared) Ordered(i, j int) bool { return n.after[i]>>j&1 == 1 }

// Here are the jobs that have arrived in an interval, as a set.
func (n *RedundancyShared) Here(k int) uint64 { return n.t.here[k] }

// Closed reports whether the prices prove that no schedule of the node is worth less than the bound. If not, windows are left out
// that cost a job so much that, with the least costs of all others, none is.
func (n *RedundancyShared) Closed() bool {
	jobs := len(n.Lo)
	n.low, n.sets = make([]float64, jobs), make([][]uint64, len(n.t.here))
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
			n.low[j] = slices.Min(n.t.cost[j][n.Lo[j] : n.Hi[j]+1])
		}
		changed := false
		for j := range jobs {
			others := -n.t.worth
			for i := range jobs {
				if i != j {
					others = below(others, n.low[i])
				}
			}
			cut := func(k int) bool { return below(others, n.t.cost[j][k]) >= n.t.bound }
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

// Sets are the sets of jobs that may be there and unfinished for some time of an interval, in a schedule of the node that is worth
// less than the bound. The node has been asked whether it is Closed. An error: there are too many.
func (n *RedundancyShared) Sets(k int) ([]uint64, error) {
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
	// What the jobs cost at least that are unfinished, and that are not, and all from job j on.
	stays, goes, rest := make([]float64, jobs), make([]float64, jobs), make([]float64, jobs+1)
	for j := jobs - 1; j >= 0; j-- {
		stays[j], goes[j] = math.Inf(1), math.Inf(1)
		if n.Hi[j] >= k {
			stays[j] = slices.Min(n.t.cost[j][max(k, n.Lo[j]) : n.Hi[j]+1])
		}
		if n.Lo[j] <= k && here>>j&1 == 1 {
			goes[j] = slices.Min(n.t.cost[j][n.Lo[j] : min(k, n.Hi[j])+1])
		}
		rest[j] = below(rest[j+1], min(stays[j], goes[j]))
	}
	list := []uint64{}
	visits := 0
	var extend func(j int, set, done uint64, sum float64) bool
	extend = func(j int, set, done uint64, sum float64) bool {
		if visits++; visits > shareSets {
			return false
		}
		if below(sum, rest[j]) >= n.t.bound {
			return true
		}
		if j == jobs {
			list = append(list, set&here)
			return true
		}
		if n.Lo[j] <= k && here>>j&1 == 1 && before[j]&set == 0 && !extend(j+1, set, done|1<<j, below(sum, goes[j])) {
			return false
		}
		return n.Hi[j] < k || n.after[j]&done != 0 || extend(j+1, set|1<<j, done, below(sum, stays[j]))
	}
	ended := extend(0, 0, 0, -n.t.worth)
	n.t.spend(10 * visits)
	if !ended {
		return nil, fmt.Errorf("more than %d sets of jobs may be unfinished", shareSets)
	}
	n.sets[k] = list
	return list, nil
}

// Copies are the least and the most copies that a job may have, if it has any, while exactly the jobs of set are unfinished.
func (n *RedundancyShared) Copies(k int, set uint64, job int) (least, most int) {
	least, most = 1, n.t.in.Machines
	for _, l := range n.limits {
		if l.interval == k && l.set == set && l.job == job {
			least, most = l.least, l.most
		}
	}
	return least, most
}

// Limited reports whether some job has fewer copies to choose from than there are machines, while exactly the jobs of set are unfinished.
func (n *RedundancyShared) Limited(k int, set uint64) bool {
	for i := range n.limits {
		if n.limits[i].set == set && n.limits[i].interval == k {
			return true
		}
	}
	return false
}

// gains are what the machines of a job gain one after the other, from above and descending, when it has least to most copies, or none: a job
// with a share x of r copies does no more than x·r of these machines together.
func (t *shareTree) gains(least, most int) []float64 {
	if least == 1 {
		return t.gain[:most]
	}
	list := slices.Clone(t.gain[:most])
	mean := up(t.in.Speedup[least-1] / float64(least))
	if least < most {
		mean = max(mean, list[least])
	}
	for r := range least {
		list[r] = mean
	}
	return list
}

// Bound is a sum of flowtimes that no schedule of the node betters, or the bound of the proof if that is less, by weights ≥ 0 of a unit of work
// of each job. While the jobs of set are there and unfinished the sum grows by their number in a unit of time, and the machines do work of
// some weight at most: the difference is at least the least one over the sets that are possible. All work together weighs Σ weight·work.
func (n *RedundancyShared) Bound(weights []float64) (float64, error) {
	if len(weights) != len(n.Lo) {
		return 0, fmt.Errorf("%d weights of %d jobs", len(weights), len(n.Lo))
	}
	if err := multipliers(weights); err != nil {
		return 0, fmt.Errorf("weights: %w", err)
	}
	sum := 0.0
	earning := newShareEarning(n, weights)
	for j, u := range weights {
		sum = below(sum, down(u*n.t.in.Jobs[j].Work))
	}
	for k := range n.t.here {
		sets, err := n.Sets(k)
		if err != nil {
			return 0, err
		}
		least := math.Inf(1)
		n.t.spend(len(sets) * n.t.in.Machines * len(n.Lo))
		if err := n.t.spent(); err != nil {
			return 0, err
		}
		for _, set := range sets {
			least = min(least, below(float64(bits.OnesCount64(set)), -earning.most(k, set)))
		}
		switch {
		case k < len(n.t.length) && least >= 0:
			sum = below(sum, down(n.t.length[k].lo*least))
		case k < len(n.t.length):
			sum = below(sum, down(n.t.length[k].hi*least))
		case least < 0: // that may go on for any time
			return 0, fmt.Errorf("after the last arrival the machines earn more than one for each job")
		}
	}
	return sum, nil
}

// A shareEarning finds what all machines earn at most in a unit of time, each unit of work being worth its job's weight.
type shareEarning struct {
	n           *RedundancyShared
	weights     []float64
	worth       [][]float64 // of each machine of a job with any copies
	best, spare []float64   // by machine, descending
}

func newShareEarning(n *RedundancyShared, weights []float64) *shareEarning {
	e := &shareEarning{n: n, weights: weights, best: make([]float64, n.t.in.Machines), spare: make([]float64, n.t.in.Machines)}
	for _, u := range weights {
		e.worth = append(e.worth, timesUp(u, n.t.gain))
	}
	return e
}

func timesUp(u float64, list []float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = up(u * v)
	}
	return out
}

// most is what they earn while exactly the jobs of set are unfinished in interval k: the machines go where they are worth most, one by one.
func (e *shareEarning) most(k int, set uint64) float64 {
	limited := e.n.Limited(k, set)
	clear(e.best)
	for rest := set; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros64(rest)
		worth := e.worth[j]
		if limited {
			worth = timesUp(e.weights[j], e.n.t.gains(e.n.Copies(k, set, j)))
		}
		a, b := 0, 0
		for i := range e.spare {
			if b < len(worth) && worth[b] > e.best[a] {
				e.spare[i] = worth[b]
				b++
			} else {
				e.spare[i] = e.best[a]
				a++
			}
		}
		e.best, e.spare = e.spare, e.best
	}
	sum := 0.0
	for _, v := range e.best {
		sum = above(sum, v)
	}
	return sum
}
