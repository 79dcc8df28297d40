package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// RedundancyJobs is the largest number of jobs that are followed exactly: rational numbers grow with each event.
const RedundancyJobs = 60

// checkRedundancyEvents checks a tree over the copies at each event.
func checkRedundancyEvents(p *proof.Proof, in *redundancy.Instance) error {
	if in.Multitasking {
		return refused("proofs of the kind %s are of whole machines, the instance has multitasking", proof.RedundancyEvents)
	}
	if len(in.Jobs) > RedundancyJobs {
		return refused("proofs of the kind %s have at most %d jobs", proof.RedundancyEvents, RedundancyJobs)
	}
	if len(p.Lines) < 3 {
		return refused("%d lines follow the header; there must be a solution, prices and a tree", len(p.Lines))
	}
	var s proof.Copies
	if err := checkRedundancyValue(p, in, &s); err != nil {
		return err
	}
	last := len(p.Lines) - 1
	t, err := newEventTree(in, p.Lines[1:last], *p.Header.Bound)
	if err != nil {
		return err
	}
	var tree proof.EventTree
	if err := proof.Decode(p.Lines[last], &tree); err != nil {
		return refused("line %d: %v", last+2, err)
	}
	next := 0
	err = t.follow(func(closed []bool) ([]int, error) {
		if next == len(tree.Open) {
			return nil, fmt.Errorf("the tree ends before all nodes are there")
		}
		open := tree.Open[next]
		next++
		k := 0
		for c, ok := range closed {
			if k < len(open) && open[k] == c {
				k++
			} else if !ok {
				return nil, fmt.Errorf("node %d: child %d has no bound of %v and is no node", next-1, c, t.bound)
			}
		}
		if k < len(open) {
			return nil, fmt.Errorf("node %d: %v does not list children of %d", next-1, open, len(closed))
		}
		return open, nil
	})
	if err != nil {
		return refused("line %d: %v", last+2, err)
	}
	if next < len(tree.Open) {
		return refused("line %d: the tree has %d nodes, not %d", last+2, next, len(tree.Open))
	}
	return nil
}

// RedundancyTree is the tree by which the lines of a proof by prices and the enumeration of copies prove that no schedule on whole
// machines has a smaller sum of flowtimes than bound; an error when they do not, or when it takes more than a number of nodes.
func RedundancyTree(ctx context.Context, in *redundancy.Instance, prices []any, bound float64, nodes int) (*proof.EventTree, error) {
	raw, err := rawLines(prices)
	if err != nil {
		return nil, err
	}
	t, err := newEventTree(in, raw, bound)
	if err != nil {
		return nil, err
	}
	tree := &proof.EventTree{Open: [][]int{}}
	err = t.follow(func(closed []bool) ([]int, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(tree.Open) == nodes {
			return nil, fmt.Errorf("more than %d nodes", nodes)
		}
		open := []int{}
		for c, ok := range closed {
			if !ok {
				open = append(open, c)
			}
		}
		tree.Open = append(tree.Open, open)
		return open, nil
	})
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// An eventTree follows the states that copies lead to from event to event. States are boxes: times and works are intervals, and where it is
// not clear which event is the next one, each that may be has a child.
type eventTree struct {
	in      *redundancy.Instance
	bound   float64
	groups  [][]int // jobs that arrive together, in the order of their arrivals
	arrival []interval
	rate    []interval
	weight  []float64 // see weights
	prices  *eventPrices
}

// An eventState is a box of states. Times count from the first arrival.
type eventState struct {
	t       interval
	jobs    []int // that have arrived and are not done
	left    []interval
	groups  int     // how many have arrived
	sum     float64 // at most the flowtimes of the jobs that are done
	paid    float64 // at most what they paid for completing when they did
	closing bool    // whether all jobs have arrived
}

func newEventTree(in *redundancy.Instance, prices []json.RawMessage, bound float64) (*eventTree, error) {
	f, r, err := readRedundancyPrices(in, prices)
	if err != nil {
		return nil, err
	}
	t := &eventTree{in: in, bound: bound, arrival: f.arrival, rate: []interval{point(0)}, groups: arrivalGroups(in)}
	for _, h := range in.Speedup {
		t.rate = append(t.rate, point(h))
	}
	t.weight = weights(f.gain, len(in.Jobs))
	t.prices = newEventPrices(f, r)
	return t, nil
}

// arrivalGroups are the jobs that arrive together, in the order of their arrivals.
func arrivalGroups(in *redundancy.Instance) [][]int {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(in.Jobs[i].Arrival, in.Jobs[j].Arrival) })
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

// rawLines are lines of a proof as a file has them.
func rawLines(lines []any) ([]json.RawMessage, error) {
	raw := make([]json.RawMessage, len(lines))
	for i, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			return nil, fmt.Errorf("a line of a proof: %w", err)
		}
		raw[i] = text
	}
	return raw, nil
}

// weights are numbers y_1 ≤ y_2 ≤ … such that k unfinished jobs that weigh y_1 … y_k never earn more than k in a unit of time, work
// times its weight: of the products of a weight and a gain the largest, one a machine, are no more than k together. So a sum
// of flowtimes is at least Σ y_k·(k-th largest work), docs/design/redundancy.md#optimum-once-all-jobs-have-arrived.
func weights(gain []float64, n int) []float64 {
	list := make([]float64, 0, n)
	earned := func(y float64) float64 {
		all := make([]float64, 0, (len(list)+1)*len(gain))
		for _, v := range append(slices.Clone(list), y) {
			for _, g := range gain {
				all = append(all, up(v*g))
			}
		}
		slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
		sum := 0.0
		for _, v := range all[:len(gain)] {
			sum = above(sum, v)
		}
		return sum
	}
	for k := 1; k <= n; k++ {
		// 0 is small enough, as the others earn no more than k − 1.
		lo, hi := 0.0, 2*float64(k)
		for range 80 {
			mid := lo + (hi-lo)/2
			if earned(mid) <= float64(k) {
				lo = mid
			} else {
				hi = mid
			}
		}
		list = append(list, lo)
	}
	for k := n - 2; k >= 0; k-- {
		list[k] = min(list[k], list[k+1]) // less earns less
	}
	return list
}

// follow visits the nodes in pre-order. open gets which children of a node are closed, and says which others to go on with.
func (t *eventTree) follow(open func(closed []bool) ([]int, error)) error {
	root := eventState{t: point(0)}
	t.admit(&root)
	if t.closed(&root) {
		return nil
	}
	if root.closing {
		return fmt.Errorf("all jobs arrive together, and their sum of flowtimes may be below %v", t.bound)
	}
	return t.visit(&root, open)
}

func (t *eventTree) visit(s *eventState, open func(closed []bool) ([]int, error)) error {
	if many := choices(len(s.jobs), t.in.Machines); many > eventChoices {
		return fmt.Errorf("a node has %v choices of machines for %d jobs, %d at most are followed", many, len(s.jobs), eventChoices)
	}
	if err := t.prices.spent(); err != nil {
		return err
	}
	children := t.children(s)
	closed := make([]bool, len(children))
	for c := range children {
		closed[c] = t.closed(&children[c])
	}
	list, err := open(closed)
	if err != nil {
		return err
	}
	for _, c := range list {
		if children[c].closing {
			return fmt.Errorf("a schedule may be worth less than %v", t.bound)
		}
		if err := t.visit(&children[c], open); err != nil {
			return err
		}
	}
	return nil
}

// eventChoices is the largest number of choices of machines that are followed at an event.
const eventChoices = 1_000_000

// choices is the number of ways in which some jobs may have machines.
func choices(jobs, machines int) float64 {
	many := 1.0
	for k := range jobs {
		many *= float64(machines+k+1) / float64(k+1)
	}
	return many
}

// admit lets the next jobs arrive.
func (t *eventTree) admit(s *eventState) {
	for _, j := range t.groups[s.groups] {
		s.jobs, s.left = append(s.jobs, j), append(s.left, point(t.in.Jobs[j].Work))
	}
	s.groups++
	s.closing = s.groups == len(t.groups)
}

// children are the states after each choice of copies. Before the last arrival every choice has an event to come.
func (t *eventTree) children(s *eventState) []eventState {
	var list []eventState
	copies := make([]int, len(s.jobs))
	var try func(k, machines int)
	try = func(k, machines int) {
		if k == len(copies) {
			list = t.after(s, copies, list)
			return
		}
		for r := 0; r <= machines; r++ {
			copies[k] = r
			try(k+1, machines-r)
		}
	}
	try(0, t.in.Machines)
	return list
}

// after appends the states at the next event, one for each that may be the first.
func (t *eventTree) after(s *eventState, copies []int, list []eventState) []eventState {
	arrival := t.arrival[t.groups[s.groups][0]]
	length := make([]interval, len(copies))
	pause := arrival.minus(s.t).positive()
	first := pause.hi
	for k, r := range copies {
		if r > 0 {
			length[k] = s.left[k].over(t.rate[r])
			length[k].lo = max(0, length[k].lo)
			first = min(first, length[k].hi)
		}
	}
	for c := -1; c < len(copies); c++ {
		d := pause
		if c >= 0 {
			if copies[c] == 0 {
				continue
			}
			d = length[c]
		}
		if d.lo > first {
			continue
		}
		d.hi = min(d.hi, first)
		n := eventState{groups: s.groups, sum: s.sum, paid: s.paid}
		n.jobs, n.left = make([]int, 0, len(s.jobs)+1), make([]interval, 0, len(s.jobs)+1)
		n.t = s.t.plus(d)
		if n.t.hi = min(n.t.hi, arrival.hi); c < 0 {
			n.t = arrival
		}
		for k, j := range s.jobs {
			switch {
			case k == c:
				n.sum = below(n.sum, n.t.minus(t.arrival[j]).lo)
				n.paid = below(n.paid, t.prices.completing(j, n.t.hi))
			case copies[k] > 0:
				n.jobs, n.left = append(n.jobs, j), append(n.left, s.left[k].minus(d.times(t.rate[copies[k]])).positive())
			default:
				n.jobs, n.left = append(n.jobs, j), append(n.left, s.left[k])
			}
		}
		if c < 0 {
			t.admit(&n)
		}
		list = append(list, n)
	}
	return list
}

// closed reports whether no schedule from a state on is worth less than the bound.
func (t *eventTree) closed(s *eventState) bool {
	if s.closing {
		works := make([]float64, len(s.left))
		sum := s.sum
		for k, w := range s.left {
			works[k] = w.lo
			sum = below(sum, s.t.minus(t.arrival[s.jobs[k]]).lo)
		}
		slices.SortFunc(works, func(a, b float64) int { return cmp.Compare(b, a) })
		for k, w := range works {
			sum = below(sum, down(t.weight[k]*w))
		}
		return sum >= t.bound
	}
	p := t.prices
	sum := below(below(s.sum, s.paid), -p.worth(s.t.lo))
	for _, group := range t.groups[s.groups:] {
		for _, j := range group {
			sum = below(sum, p.coming[j])
		}
	}
	for k, j := range s.jobs {
		sum = below(sum, -t.arrival[j].hi)
		sum = below(sum, p.cost(j, s.t.lo, s.left[k].lo))
	}
	return !math.IsNaN(sum) && sum >= t.bound
}
