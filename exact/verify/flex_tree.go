package verify

import (
	"fmt"
	"math"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A flexTree is the tree of a proof, in pre-order, with the least bound of its leaves.
type flexTree struct {
	*reader
	in    *flex.Instance
	jobs  []flexJob
	least float64
}

func newFlexTree(r *reader, in *flex.Instance) flexTree {
	return flexTree{reader: r, in: in, jobs: flexJobs(in), least: math.Inf(1)}
}

// close takes a leaf whose multipliers prove sum, of penalties, or without them that no schedule is there.
func (t *flexTree) close(sum float64, empty bool) error {
	if !empty {
		t.least = min(t.least, sum)
	} else if !(sum > 0) {
		return fmt.Errorf("leaf: it is not empty by these multipliers")
	}
	return nil
}

// flexLeaves is the check of a kind of tree, or of steps, given what bound such lines prove.
func flexLeaves(prove func(r *reader, in *flex.Instance) (float64, error)) func(*reader, *flex.Instance) error {
	return func(r *reader, in *flex.Instance) error {
		bound, err := prove(r, in)
		if err != nil {
			return err
		}
		return conclude(*r.Header.Bound, flexOptimum(in, bound), "leaves")
	}
}

// FlexBound is the bound that the lines after the solution prove in a proof of a kind with leaves or steps.
func FlexBound(kind string, in *flex.Instance, lines []any) (float64, error) {
	r, err := written(lines)
	if err != nil {
		return 0, err
	}
	prove := flexOrders
	switch kind {
	case proof.FlexDeadlines:
		prove = flexDeadlines
	case proof.FlexMachine:
		prove = flexMachine
	}
	bound, err := prove(r, in)
	return flexOptimum(in, bound), err
}
