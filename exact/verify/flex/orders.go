package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// mostOrdered is the largest number of jobs whose orders a proof may distinguish: a node takes its square, and there may be as
// many nodes on a path.
const mostOrdered = 100

// haveOrders refuses trees over orders of objectives that are no sums of convex penalties, and of too many jobs.
func haveOrders(in *flex.Instance) error {
	if in.Objective.Aggregate == flex.Max || in.Objective.Metric.Steps() {
		return fmt.Errorf("trees over orders of completion prove sums of response, stretch, tardiness and lateness, not %s",
			in.Objective)
	}
	if len(in.Jobs) > mostOrdered {
		return fmt.Errorf("proofs of the kind %s have at most %d jobs", proof.FlexOrders, mostOrdered)
	}
	return nil
}

// orders is the bound that a tree over orders of completion proves.
func orders(r *core.Reader, in *flex.Instance) (float64, error) {
	n := len(in.Jobs)
	t := &orderTree{tree: newTree(r, in), n: n}
	leq := make([]bool, n*n)
	for i, list := range Pairs(in) {
		copy(leq[i*n:], list)
		leq[i*n+i] = true
	}
	err := core.Walk(leq, t.visit)
	return t.least, err
}

// An orderTree is a tree of nodes that order jobs, with cuts in between.
type orderTree struct {
	tree
	n    int
	cuts []orderCut
}

// An orderCut is an inequality Σ coef·C ≥ rhs. A cut with a moment holds only where the orders that it assumes are known (holds).
type orderCut struct {
	jobs   []int
	coef   []core.Interval
	rhs    float64 // from below
	moment *proof.MomentCut
}

// visit reads a node of the schedules in which jobs complete as leq[i·n+j] says: i no later than j. leq is reflexive and
// transitive. Cuts may come before its line.
func (t *orderTree) visit(leq []bool) ([][]bool, error) {
	for {
		var l proof.OrderLine
		var c orderCut
		err := t.Read(&l)
		switch {
		case err != nil:
		case !core.Single(l.Moment != nil, l.Parallel != nil, l.Pair != nil, l.Leaf != nil):
			return nil, fmt.Errorf("it must be one of moment, parallel, pair and leaf")
		case l.Leaf != nil:
			return nil, t.leaf(leq, l.Leaf)
		case l.Pair != nil:
			return t.branch(leq, l.Pair)
		case l.Moment != nil:
			c, err = t.moment(l.Moment)
		default:
			c, err = t.parallel(l.Parallel)
		}
		if err != nil {
			return nil, err
		}
		t.cuts = append(t.cuts, c)
	}
}

// branch makes both children: the jobs of the pair complete in one order, or in the other. leq is transitive, so one pass closes a child.
func (t *orderTree) branch(leq []bool, pair []int) (children [][]bool, err error) {
	n := t.n
	if len(pair) != 2 || !t.distinct(pair) || leq[pair[0]*n+pair[1]] || leq[pair[1]*n+pair[0]] {
		return nil, fmt.Errorf("pair %v: it must be two jobs of which neither is known to complete first", pair)
	}
	for _, p := range [2][2]int{{pair[0], pair[1]}, {pair[1], pair[0]}} {
		child := slices.Clone(leq)
		for a := range n {
			for b := range n {
				child[a*n+b] = child[a*n+b] || leq[a*n+p[0]] && leq[p[1]*n+b]
			}
		}
		children = append(children, child)
	}
	return children, nil
}

// distinct reports whether list are jobs, each once.
func (t *orderTree) distinct(list []int) bool {
	seen := make(map[int]bool, len(list))
	for _, j := range list {
		if j < 0 || j >= t.n || seen[j] {
			return false
		}
		seen[j] = true
	}
	return true
}

// moment reads a cut at the end of a job, see proof.MomentCut. By the end of From[j], before which job j does not complete, a
// job j of Late has done at least W_j − M_j (C_j − C_From[j]), another one at least m_j C_From[j]; together they have not
// done more than S·C_End.
func (t *orderTree) moment(m *proof.MomentCut) (orderCut, error) {
	c := orderCut{moment: m}
	if m.End < 0 || m.End >= t.n || len(m.From) != t.n || !t.distinct(m.Late) {
		return c, fmt.Errorf("moment: jobs must be from 0 to %d, late ones come once, and from has one for each", t.n-1)
	}
	coef := make([]int, t.n)
	coef[m.End] = t.in.Slots
	late := make([]bool, t.n)
	for _, j := range m.Late {
		late[j] = true
	}
	for j, from := range m.From {
		job := &t.jobs[j]
		switch {
		case from < -1 || from >= t.n || from < 0 && late[j]:
			return c, fmt.Errorf("moment: from %d is no job", from)
		case from < 0:
		case late[j]:
			c.rhs = core.Below(c.rhs, job.Work)
			coef[j] += job.Max
			coef[from] -= job.Max
		default:
			coef[from] -= job.Min
		}
	}
	for j, v := range coef {
		if v != 0 {
			c.jobs, c.coef = append(c.jobs, j), append(c.coef, core.Integer(v))
		}
	}
	return c, nil
}

// holds reports whether jobs are known to complete as the cut takes for granted.
func (t *orderTree) holds(c *orderCut, leq []bool) bool {
	if c.moment == nil {
		return true
	}
	for j, from := range c.moment.From {
		if from >= 0 && !(leq[from*t.n+c.moment.End] && leq[from*t.n+j]) {
			return false
		}
	}
	return true
}

// parallel reads a parallel inequality. Of job j the integral of the work left is at most g(C) = m C²/2 + e C − e²/(2(M −
// m)), e = W − m C, since it is most when the minimum comes first; g is concave, so its tangents are above it. What is left
// of the set at time t is at least its work less what the slots can do beyond the least that the others get.
func (t *orderTree) parallel(l *proof.ParallelCut) (orderCut, error) {
	var c orderCut
	if !t.distinct(l.Jobs) || len(l.Jobs) != len(l.At) || len(l.Jobs) == 0 {
		return c, fmt.Errorf("parallel: it must have jobs from 0 to %d, each once, and a time for each", t.n-1)
	}
	constant := core.Point(0) // sum of the tangents' values at 0
	for i, j := range l.Jobs {
		f, at := &t.jobs[j], core.Point(l.At[i])
		if math.IsInf(l.At[i], 0) {
			return c, fmt.Errorf("parallel: the time %v is none", l.At[i])
		}
		if f.Min == f.Max { // it runs at its maximum until W/M
			constant = constant.Plus(f.work.Times(f.work).Over(core.Point(2).Times(f.high)))
			continue
		}
		spread := f.high.Minus(f.low)
		extra := f.work.Minus(f.low.Times(at))
		slope := extra.Times(f.high).Over(spread)
		value := f.low.Times(at).Times(at).Over(core.Point(2)).Plus(extra.Times(at)).Minus(extra.Times(extra).Over(core.Point(2).Times(spread)))
		constant = constant.Plus(value.Minus(slope.Times(at)))
		c.jobs, c.coef = append(c.jobs, j), append(c.coef, slope)
	}
	c.rhs = core.Below(t.left(l.Jobs), -constant.Hi)
	return c, nil
}

// left bounds the integral of the work of a set that is left from below. The work left is concave in time: once 0 it stays so.
func (t *orderTree) left(set []int) float64 {
	inside := make([]bool, t.n)
	left := 0.0
	for _, j := range set {
		inside[j] = true
		left = core.Below(left, t.jobs[j].Work)
	}
	rate := t.in.Slots
	type ending struct {
		at  float64
		min int
	}
	var ends []ending // jobs outside that their minima bring to an end
	for j := range t.jobs {
		if f := &t.jobs[j]; !inside[j] && f.Min > 0 {
			rate -= f.Min
			ends = append(ends, ending{f.work.Over(f.low).Lo, f.Min})
		}
	}
	slices.SortFunc(ends, func(a, b ending) int { return cmp.Compare(a.at, b.at) })
	area, now := 0.0, 0.0
	for _, e := range ends {
		// Cutting an interval short, or rate once more than it is, makes the area less.
		at := max(now, e.at)
		dt := core.Point(at).Minus(core.Point(now)).Positive()
		next := core.Below(left, -core.Integer(rate).Times(dt).Hi)
		if next <= 0 {
			break
		}
		area = core.Below(area, core.Point(left).Plus(core.Point(next)).Over(core.Point(2)).Times(dt).Lo)
		left, now = next, at
		rate += e.min
	}
	return core.Below(area, core.Point(left).Times(core.Point(left)).Over(core.Point(2).Times(core.Integer(rate))).Lo)
}

// leaf notes what a leaf proves.
func (t *orderTree) leaf(leq []bool, l *proof.OrderLeaf) error {
	if len(l.Cuts) != len(l.By) || len(l.Pairs) != len(l.Of) {
		return fmt.Errorf("leaf: %d cuts and %d multipliers, %d pairs and %d multipliers", len(l.Cuts), len(l.By), len(l.Pairs),
			len(l.Of))
	}
	if err := core.Multipliers(slices.Concat(l.By, l.Of)); err != nil {
		return fmt.Errorf("leaf: %w", err)
	}
	a, sum := make([]float64, t.n), 0.0 // Σ a·C ≥ sum, a from above
	for i, k := range l.Cuts {
		if k < 0 || k >= len(t.cuts) {
			return fmt.Errorf("leaf: there is no cut %d before it", k)
		}
		c := &t.cuts[k]
		if !t.holds(c, leq) {
			return fmt.Errorf("leaf: the cut %d takes an order for granted that is not known", k)
		}
		by := core.Point(l.By[i])
		for x, j := range c.jobs {
			a[j] = core.Above(a[j], by.Times(c.coef[x]).Hi)
		}
		sum = core.Below(sum, by.Times(core.Point(c.rhs)).Lo)
	}
	for i, p := range l.Pairs {
		if !t.distinct(p[:]) || !leq[p[0]*t.n+p[1]] {
			return fmt.Errorf("leaf: the first of the jobs %v is not known to complete first", p)
		}
		a[p[1]] = core.Above(a[p[1]], l.Of[i])
		a[p[0]] = core.Above(a[p[0]], -l.Of[i])
	}
	for j, v := range a {
		sum = core.Below(sum, t.jobs[j].leastLess(v, l.Empty))
	}
	return t.close(sum, l.Empty)
}

// leastLess is a lower bound, over the completion times C, on penalty(C) − v·C or, if empty, on −v·C. The function is convex, and
// bends at most at the due date.
func (f *exactJob) leastLess(v float64, empty bool) float64 {
	at := []float64{f.first, f.last}
	if f.metric == flex.Tardiness {
		at = append(at, min(max(f.due, f.first), f.last))
	}
	least := math.Inf(1)
	for _, c := range at {
		cost := 0.0
		if !empty {
			cost = f.least(c)
		}
		least = min(least, core.Below(cost, -core.Point(v).Times(core.Point(c)).Hi))
	}
	return least
}
