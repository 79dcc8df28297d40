package flex

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// haveLevels refuses trees over penalty levels of objectives without any.
func haveLevels(in *flex.Instance) error {
	if !in.Objective.Metric.Steps() {
		return fmt.Errorf("trees over penalty levels prove sums of tardy and sla, not %s", in.Objective)
	}
	return nil
}

// deadlines is the bound that a tree over the penalty levels of jobs proves.
func deadlines(r *core.Reader, in *flex.Instance) (float64, error) {
	t := &deadlineTree{tree: newTree(r, in)}
	for j := range t.jobs {
		t.levels = append(t.levels, t.jobs[j].levels())
	}
	err := core.Walk(nil, t.visit)
	return t.least, err
}

// A level is a level of a job's penalty. due bounds, from above, the completion of a job that passes no higher step, in some optimal
// schedule without waste.
type level struct {
	due     float64
	penalty float64 // from below
}

func (f *exactJob) levels() []level {
	var list []level
	penalty := 0.0
	for _, s := range f.steps {
		list = append(list, level{min(s.at.Hi, f.last), penalty})
		penalty = f.factor.Times(core.Point(s.penalty)).Lo
	}
	return append(list, level{f.last, penalty})
}

// A deadlineTree is a tree of nodes that leave jobs some levels.
type deadlineTree struct {
	tree
	levels [][]level
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
	t.Spend(4 * (len(path) + len(to)))
	return from, to
}

func (t *deadlineTree) visit(n *deadlineNode) ([]*deadlineNode, error) {
	var l proof.DeadlineLine
	if err := t.Read(&l); err != nil {
		return nil, err
	}
	from, to := t.left(n)
	switch {
	case !core.Single(l.Level != nil, l.Leaf != nil):
		return nil, fmt.Errorf("it must be one of level and leaf")
	case l.Leaf != nil:
		return nil, t.leaf(from, to, l.Leaf)
	}
	j, k := l.Level.Job, l.Level.Level
	if j < 0 || j >= len(from) || k < from[j] || k >= to[j] {
		return nil, fmt.Errorf("job %d, level %d: it must be a level of the job below its highest", j, k)
	}
	return []*deadlineNode{{n, j, from[j], k}, {n, j, k + 1, to[j]}}, t.Spent()
}

// leaf notes what prices prove: all jobs together pay for what they have done at least by the moments, which is no more than
// the slots can do.
func (t *deadlineTree) leaf(from, to []int, l *proof.DeadlineLeaf) error {
	if most := core.GridPoints + 4*len(t.jobs); len(l.At) != len(l.Price) || len(l.At) > most {
		return fmt.Errorf("leaf: %d moments, which may be %d, and %d prices", len(l.At), most, len(l.Price))
	}
	if err := core.Multipliers(slices.Concat(l.At, l.Price)); err != nil {
		return fmt.Errorf("leaf: %w", err)
	}
	worth := 0.0
	for i, at := range l.At {
		worth = core.Above(worth, core.Integer(t.in.Slots).Times(core.Point(at)).Times(core.Point(l.Price[i])).Hi)
	}
	sum := 0.0
	for j := range t.jobs {
		f, best := &t.jobs[j], math.Inf(1)
		for _, level := range t.levels[j][from[j] : to[j]+1] {
			if level.due < f.work.Over(f.high).Lo {
				continue // not even at its maximum
			}
			cost := level.penalty
			if l.Empty {
				cost = 0
			}
			for i, at := range l.At {
				cost = core.Below(cost, core.Point(l.Price[i]).Times(core.Point(f.done(level.due, at))).Lo)
			}
			best = min(best, cost)
		}
		t.Spend(16 * (to[j] + 1 - from[j]) * (1 + len(l.At)))
		sum = core.Below(sum, best)
	}
	if err := t.Spent(); err != nil {
		return err
	}
	return t.close(core.Below(sum, -worth), l.Empty)
}

// done bounds from below what a job has done by a moment if it completes by due: what its minimum does, and what it cannot do
// at its maximum from then on.
func (f *exactJob) done(due, at float64) float64 {
	if at >= due {
		return f.Work
	}
	early := core.Least(f.low.Times(core.Point(at)), f.work).Lo
	return max(early, f.work.Minus(f.high.Times(core.Point(due).Minus(core.Point(at)))).Lo)
}
