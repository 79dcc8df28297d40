package verify

import (
	"fmt"
	"math"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// haveLevels refuses trees over penalty levels of objectives without any.
func haveLevels(in *flex.Instance) error {
	if !in.Objective.Metric.Steps() {
		return refused("trees over penalty levels prove sums of tardy and sla, not %s", in.Objective)
	}
	return nil
}

// flexDeadlines is the bound that a tree over the penalty levels of jobs proves.
func flexDeadlines(r *reader, in *flex.Instance) (float64, error) {
	t := &deadlineTree{flexTree: newFlexTree(r, in)}
	for j := range t.jobs {
		t.levels = append(t.levels, t.jobs[j].levels())
	}
	err := walk(nil, t.visit)
	return t.least, err
}

// A flexLevel is a level of a job's penalty. due bounds, from above, the completion of a job that passes no higher step, in some optimal
// schedule without waste.
type flexLevel struct {
	due     float64
	penalty float64 // from below
}

func (f *flexJob) levels() []flexLevel {
	var list []flexLevel
	penalty := 0.0
	for _, s := range f.steps {
		list = append(list, flexLevel{min(s.at.hi, f.last), penalty})
		penalty = f.factor.times(point(s.penalty)).lo
	}
	return append(list, flexLevel{f.last, penalty})
}

// A deadlineTree is a tree of nodes that leave jobs some levels.
type deadlineTree struct {
	flexTree
	levels [][]flexLevel
}

// A deadlineNode leaves a job the levels from one to another, and the other jobs the levels of the node above; nil leaves all.
type deadlineNode struct {
	above         *deadlineNode
	job, from, to int
}

// left returns the levels that a node leaves: from[j] to to[j] of job j.
func (t *deadlineTree) left(n *deadlineNode) (from, to []int) {
	from, to = make([]int, len(t.jobs)), make([]int, len(t.jobs))
	for j := range to {
		to[j] = len(t.levels[j]) - 1
	}
	var path []*deadlineNode
	for ; n != nil; n = n.above {
		path = append(path, n)
	}
	for _, n := range slices.Backward(path) {
		from[n.job], to[n.job] = n.from, n.to
	}
	t.spend(4 * (len(path) + len(to)))
	return from, to
}

func (t *deadlineTree) visit(n *deadlineNode) ([]*deadlineNode, error) {
	var l proof.DeadlineLine
	if err := t.read(&l); err != nil {
		return nil, err
	}
	from, to := t.left(n)
	switch {
	case !single(l.Level != nil, l.Leaf != nil):
		return nil, fmt.Errorf("it must be one of level and leaf")
	case l.Leaf != nil:
		return nil, t.leaf(from, to, l.Leaf)
	}
	j, k := l.Level.Job, l.Level.Level
	if j < 0 || j >= len(from) || k < from[j] || k >= to[j] {
		return nil, fmt.Errorf("job %d, level %d: it must be a level of the job below its highest", j, k)
	}
	return []*deadlineNode{{n, j, from[j], k}, {n, j, k + 1, to[j]}}, t.spent()
}

// leaf notes what prices prove: all jobs together pay for what they have done at least by the moments, which is no more than
// the slots can do.
func (t *deadlineTree) leaf(from, to []int, l *proof.DeadlineLeaf) error {
	if most := gridPoints + 4*len(t.jobs); len(l.At) != len(l.Price) || len(l.At) > most {
		return fmt.Errorf("leaf: %d moments, which may be %d, and %d prices", len(l.At), most, len(l.Price))
	}
	if err := multipliers(slices.Concat(l.At, l.Price)); err != nil {
		return fmt.Errorf("leaf: %w", err)
	}
	worth := 0.0
	for i, at := range l.At {
		worth = above(worth, integer(t.in.Slots).times(point(at)).times(point(l.Price[i])).hi)
	}
	sum := 0.0
	for j := range t.jobs {
		f, best := &t.jobs[j], math.Inf(1)
		for _, level := range t.levels[j][from[j] : to[j]+1] {
			if level.due < f.work.over(f.high).lo {
				continue // not even at its maximum
			}
			cost := level.penalty
			if l.Empty {
				cost = 0
			}
			for i, at := range l.At {
				cost = below(cost, point(l.Price[i]).times(point(f.done(level.due, at))).lo)
			}
			best = min(best, cost)
		}
		t.spend(16 * (to[j] + 1 - from[j]) * (1 + len(l.At)))
		sum = below(sum, best)
	}
	if err := t.spent(); err != nil {
		return err
	}
	return t.close(below(sum, -worth), l.Empty)
}

// done bounds from below what a job has done by a moment if it completes by due: what its minimum does, and what it cannot do
// at its maximum from then on.
func (f *flexJob) done(due, at float64) float64 {
	if at >= due {
		return f.Work
	}
	early := least(f.low.times(point(at)), f.work).lo
	return max(early, f.work.minus(f.high.times(point(due).minus(point(at)))).lo)
}
