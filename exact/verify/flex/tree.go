package flex

import (
	"fmt"
	"math"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A tree is the tree of a proof, in pre-order, with the least bound of its leaves.
type tree struct {
	*core.Reader
	in    *flex.Instance
	jobs  []exactJob
	least float64
}

func newTree(r *core.Reader, in *flex.Instance) tree {
	return tree{Reader: r, in: in, jobs: exactJobs(in), least: math.Inf(1)}
}

// close takes a leaf whose multipliers prove sum, of penalties, or without them that no schedule is there.
func (t *tree) close(sum float64, empty bool) error {
	if !empty {
		t.least = min(t.least, sum)
	} else if !(sum > 0) {
		return fmt.Errorf("leaf: it is not empty by these multipliers")
	}
	return nil
}

// leaves is the check of a kind of tree, or of steps, given what bound such lines prove.
func leaves(prove func(r *core.Reader, in *flex.Instance) (float64, error)) func(*core.Reader, *flex.Instance) error {
	return func(r *core.Reader, in *flex.Instance) error {
		bound, err := prove(r, in)
		if err != nil {
			return err
		}
		return core.Conclude(*r.Header.Bound, optimum(in, bound), "leaves")
	}
}

// Bound is the bound that the lines after the solution prove in a proof of a kind with leaves or steps.
func Bound(kind string, in *flex.Instance, lines []any) (float64, error) {
	r, err := core.Written(lines)
	if err != nil {
		return 0, err
	}
	prove := orders
	switch kind {
	case proof.FlexDeadlines:
		prove = deadlines
	case proof.FlexMachine:
		prove = machine
	}
	bound, err := prove(r, in)
	return optimum(in, bound), err
}
