package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// flexJobs is the largest number of jobs whose orders a proof may distinguish: a node takes its square, and there may be as
// many nodes on a path.
const flexJobs = 100

// flexOrders is the bound that a tree over orders of completion proves.
func flexOrders(in *flex.Instance, lines []json.RawMessage) (float64, error) {
	n := len(in.Jobs)
	if in.Objective.Aggregate == flex.Max || in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA {
		return 0, refused("trees over orders of completion prove sums of response, stretch, tardiness and lateness, not %s",
			in.Objective)
	}
	if n > flexJobs {
		return 0, refused("proofs of the kind %s have at most %d jobs", proof.FlexOrders, flexJobs)
	}
	t := &orderTree{flexTree: newFlexTree(in, lines), n: n, early: make([]float64, n), late: make([]float64, n)}
	leq, last := make([]bool, n*n), flexHorizon(in)
	for i, list := range FlexPairs(in) {
		t.early[i], t.late[i] = enclose(flexEarly(in, i)).lo, enclose(flexEnd(in, i, last)).hi
		copy(leq[i*n:], list)
		leq[i*n+i] = true
	}
	return t.bound(t.node(leq))
}

// An orderTree is a tree of nodes that order jobs, with cuts in between.
type orderTree struct {
	flexTree
	n           int
	early, late []float64
	cuts        []orderCut
}

// An orderCut is an inequality Σ coef·C ≥ rhs. That of a moment holds where the jobs of from complete as it says.
type orderCut struct {
	jobs   []int
	coef   []interval
	rhs    float64 // from below
	moment *proof.MomentCut
}

// node checks the subtree of schedules in which jobs complete as leq[i·n+j] says: i no later than j. leq is reflexive and
// transitive.
func (t *orderTree) node(leq []bool) error {
	for {
		var l proof.OrderLine
		if err := t.read(&l); err != nil {
			return err
		}
		switch {
		case l.Moment != nil && l.Parallel == nil && l.Pair == nil && l.Leaf == nil:
			c, err := t.moment(l.Moment)
			if err != nil {
				return err
			}
			t.cuts = append(t.cuts, c)
		case l.Parallel != nil && l.Moment == nil && l.Pair == nil && l.Leaf == nil:
			c, err := t.parallel(l.Parallel)
			if err != nil {
				return err
			}
			t.cuts = append(t.cuts, c)
		case l.Pair != nil && l.Moment == nil && l.Parallel == nil && l.Leaf == nil:
			return t.branch(leq, l.Pair)
		case l.Leaf != nil && l.Moment == nil && l.Parallel == nil && l.Pair == nil:
			return t.leaf(leq, l.Leaf)
		default:
			return fmt.Errorf("it must be one of moment, parallel, pair and leaf")
		}
	}
}

// branch checks both children: the jobs of the pair complete in one order, or in the other.
func (t *orderTree) branch(leq []bool, pair []int) error {
	n := t.n
	if len(pair) != 2 || !t.jobs(pair) || leq[pair[0]*n+pair[1]] || leq[pair[1]*n+pair[0]] {
		return fmt.Errorf("pair %v: it must be two jobs of which neither is known to complete first", pair)
	}
	for _, p := range [2][2]int{{pair[0], pair[1]}, {pair[1], pair[0]}} {
		child := slices.Clone(leq)
		for a := range n {
			if !leq[a*n+p[0]] {
				continue
			}
			for b := range n {
				child[a*n+b] = child[a*n+b] || leq[p[1]*n+b]
			}
		}
		if err := t.node(child); err != nil {
			return err
		}
	}
	return nil
}

// jobs reports whether list are jobs, each once.
func (t *orderTree) jobs(list []int) bool {
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
	if m.End < 0 || m.End >= t.n || len(m.From) != t.n || !t.jobs(m.Late) {
		return c, fmt.Errorf("moment: jobs must be from 0 to %d, late ones come once, and from has one for each", t.n-1)
	}
	coef := make([]int, t.n)
	coef[m.End] = t.in.Slots
	late := make([]bool, t.n)
	for _, j := range m.Late {
		late[j] = true
	}
	for j, from := range m.From {
		job := &t.in.Jobs[j]
		switch {
		case from < -1 || from >= t.n || from < 0 && late[j]:
			return c, fmt.Errorf("moment: from %d is no job", from)
		case from < 0:
		case late[j]:
			c.rhs = below(c.rhs, job.Work)
			coef[j] += job.Max
			coef[from] -= job.Max
		default:
			coef[from] -= job.Min
		}
	}
	for j, v := range coef {
		if v != 0 {
			c.jobs, c.coef = append(c.jobs, j), append(c.coef, integer(v))
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
	if !t.jobs(l.Jobs) || len(l.Jobs) != len(l.At) || len(l.Jobs) == 0 {
		return c, fmt.Errorf("parallel: it must have jobs from 0 to %d, each once, and a time for each", t.n-1)
	}
	constant := point(0) // Σ of what the tangents are at 0
	for i, j := range l.Jobs {
		job, at := &t.in.Jobs[j], point(l.At[i])
		if math.IsInf(l.At[i], 0) {
			return c, fmt.Errorf("parallel: the time %v is none", l.At[i])
		}
		low, high, work := integer(job.Min), integer(job.Max), point(job.Work)
		if job.Min == job.Max { // it runs at its maximum until W/M
			constant = constant.plus(work.times(work).over(point(2).times(high)))
			continue
		}
		spread := high.minus(low)
		extra := work.minus(low.times(at))
		slope := extra.times(high).over(spread)
		value := low.times(at).times(at).over(point(2)).plus(extra.times(at)).minus(extra.times(extra).over(point(2).times(spread)))
		constant = constant.plus(value.minus(slope.times(at)))
		c.jobs, c.coef = append(c.jobs, j), append(c.coef, slope)
	}
	c.rhs = below(t.left(l.Jobs), -constant.hi)
	return c, nil
}

// left bounds the integral of the work of a set that is left from below. The work left is concave in time: once 0 it stays so.
func (t *orderTree) left(set []int) float64 {
	in := t.in
	inside := make([]bool, t.n)
	left := 0.0
	for _, j := range set {
		inside[j] = true
		left = below(left, in.Jobs[j].Work)
	}
	rate := in.Slots
	var ends []int // jobs outside that their minima bring to an end
	for j := range in.Jobs {
		if !inside[j] && in.Jobs[j].Min > 0 {
			rate -= in.Jobs[j].Min
			ends = append(ends, j)
		}
	}
	end := func(j int) interval { return point(in.Jobs[j].Work).over(integer(in.Jobs[j].Min)) }
	slices.SortFunc(ends, func(a, b int) int { return cmp.Compare(end(a).lo, end(b).lo) })
	area, now := 0.0, 0.0
	for _, j := range ends {
		// Cutting an interval short, or rate once more than it is, makes the area less.
		at := max(now, end(j).lo)
		dt := point(at).minus(point(now)).positive()
		next := below(left, -integer(rate).times(dt).hi)
		if next <= 0 {
			break
		}
		area = below(area, point(left).plus(point(next)).over(point(2)).times(dt).lo)
		left, now = next, at
		rate += in.Jobs[j].Min
	}
	return below(area, point(left).times(point(left)).over(point(2).times(integer(rate))).lo)
}

// leaf notes what a leaf proves.
func (t *orderTree) leaf(leq []bool, l *proof.OrderLeaf) error {
	if len(l.Cuts) != len(l.By) || len(l.Pairs) != len(l.Of) {
		return fmt.Errorf("leaf: %d cuts and %d multipliers, %d pairs and %d multipliers", len(l.Cuts), len(l.By), len(l.Pairs),
			len(l.Of))
	}
	if err := multipliers(slices.Concat(l.By, l.Of)); err != nil {
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
		by := point(l.By[i])
		for x, j := range c.jobs {
			a[j] = above(a[j], by.times(c.coef[x]).hi)
		}
		sum = below(sum, by.times(point(c.rhs)).lo)
	}
	for i, p := range l.Pairs {
		if !t.jobs(p[:]) || !leq[p[0]*t.n+p[1]] {
			return fmt.Errorf("leaf: the first of the jobs %v is not known to complete first", p)
		}
		a[p[1]] = above(a[p[1]], l.Of[i])
		a[p[0]] = above(a[p[0]], -l.Of[i])
	}
	for j, v := range a {
		sum = below(sum, t.leastOf(j, v, l.Empty))
	}
	return t.close(sum, l.Empty)
}

// leastOf bounds penalty less v·C of job j from below, over its completion times: it is convex, and bends at most at the due
// date.
func (t *orderTree) leastOf(j int, v float64, empty bool) float64 {
	at := []float64{t.early[j], t.late[j]}
	if t.in.Objective.Metric == flex.Tardiness {
		at = append(at, min(max(*t.in.Jobs[j].Deadline, t.early[j]), t.late[j]))
	}
	least := math.Inf(1)
	for _, c := range at {
		f := 0.0
		if !empty {
			f = flexLeast(t.in, j, c)
		}
		least = min(least, below(f, -point(v).times(point(c)).hi))
	}
	return least
}
