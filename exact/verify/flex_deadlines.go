package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// flexDeadlines is the bound that a tree over the penalty levels of jobs proves.
func flexDeadlines(in *flex.Instance, lines []json.RawMessage) (float64, error) {
	if in.Objective.Metric != flex.Tardy && in.Objective.Metric != flex.SLA {
		return 0, refused("trees over penalty levels prove sums of tardy and sla, not %s", in.Objective)
	}
	t := &deadlineTree{flexTree: newFlexTree(in, lines)}
	from, to, last := make([]int, len(in.Jobs)), make([]int, len(in.Jobs)), flexHorizon(in)
	for j := range in.Jobs {
		t.levels = append(t.levels, flexLevels(in, j, last))
		to[j] = len(t.levels[j]) - 1
	}
	return t.bound(t.node(from, to))
}

// A flexLevel is a level of a job's penalty, with the time, from above, by which the job completes if it has no higher one,
// in some optimal schedule: one that wastes nothing.
type flexLevel struct {
	due     float64
	penalty float64 // from below
}

func flexLevels(in *flex.Instance, j int, last *big.Rat) []flexLevel {
	var list []flexLevel
	penalty, factor, end := 0.0, flexFactor(in, j), enclose(flexEnd(in, j, last)).hi
	for k, t := range in.StepTimes(j) {
		list = append(list, flexLevel{min(passed(t).hi, end), penalty})
		after := 1.0
		if in.Objective.Metric == flex.SLA {
			after = in.Jobs[j].Steps[k].Penalty
		}
		penalty = factor.times(point(after)).lo
	}
	return append(list, flexLevel{end, penalty})
}

// A deadlineTree is a tree of nodes that leave jobs some levels.
type deadlineTree struct {
	flexTree
	levels [][]flexLevel
}

// node checks the subtree of schedules in which job j has one of the levels from[j] to to[j].
func (t *deadlineTree) node(from, to []int) error {
	var l proof.DeadlineLine
	if err := t.read(&l); err != nil {
		return err
	}
	if (l.Level == nil) == (l.Leaf == nil) {
		return fmt.Errorf("it must be one of level and leaf")
	}
	if l.Leaf != nil {
		return t.leaf(from, to, l.Leaf)
	}
	j, k := l.Level.Job, l.Level.Level
	if j < 0 || j >= len(from) || k < from[j] || k >= to[j] {
		return fmt.Errorf("job %d, level %d: it must be a level of the job below its highest", j, k)
	}
	last, first := to[j], from[j]
	to[j] = k
	if err := t.node(from, to); err != nil {
		return err
	}
	from[j], to[j] = k+1, last
	if err := t.node(from, to); err != nil {
		return err
	}
	from[j] = first
	return nil
}

// leaf notes what prices prove: all jobs together pay for what they have done at least by the moments, which is no more than
// the slots can do.
func (t *deadlineTree) leaf(from, to []int, l *proof.DeadlineLeaf) error {
	if len(l.At) != len(l.Price) {
		return fmt.Errorf("leaf: %d moments and %d prices", len(l.At), len(l.Price))
	}
	if err := multipliers(slices.Concat(l.At, l.Price)); err != nil {
		return fmt.Errorf("leaf: %w", err)
	}
	worth := 0.0
	for i, at := range l.At {
		worth = above(worth, integer(t.in.Slots).times(point(at)).times(point(l.Price[i])).hi)
	}
	sum := 0.0
	for j := range t.in.Jobs {
		best := math.Inf(1)
		for _, level := range t.levels[j][from[j] : to[j]+1] {
			if level.due < point(t.in.Jobs[j].Work).over(integer(t.in.Jobs[j].Max)).lo {
				continue // not even at its maximum
			}
			cost := level.penalty
			if l.Empty {
				cost = 0
			}
			for i, at := range l.At {
				cost = below(cost, point(l.Price[i]).times(point(t.done(j, level.due, at))).lo)
			}
			best = min(best, cost)
		}
		sum = below(sum, best)
	}
	return t.close(below(sum, -worth), l.Empty)
}

// done bounds from below what job j has done by a moment if it completes by due: what its minimum does, and what it cannot do
// at its maximum from then on.
func (t *deadlineTree) done(j int, due, at float64) float64 {
	job := &t.in.Jobs[j]
	if at >= due {
		return job.Work
	}
	early := least(integer(job.Min).times(point(at)), point(job.Work)).lo
	return max(early, point(job.Work).minus(integer(job.Max).times(point(due).minus(point(at)))).lo)
}
