package verify

import (
	"encoding/json"
	"fmt"
	"math"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// checkFlexTree is the check of a kind of tree, given what bound such a tree proves: the least of its leaves.
func checkFlexTree(prove func(in *flex.Instance, lines []json.RawMessage) (float64, error)) func(*proof.Proof,
	*flex.Instance) error {
	return func(p *proof.Proof, in *flex.Instance) error {
		if err := flexSolution(p, in); err != nil {
			return err
		}
		bound, err := prove(in, p.Lines[1:])
		if err != nil {
			return err
		}
		return conclude(*p.Header.Bound, bound, "leaves")
	}
}

// FlexBound is the bound that the lines after the solution prove in a proof of a kind with a tree.
func FlexBound(kind string, in *flex.Instance, lines []any) (float64, error) {
	raw, err := encoded(lines)
	switch {
	case err != nil:
		return 0, err
	case kind == proof.FlexDeadlines:
		return flexDeadlines(in, raw)
	}
	return flexOrders(in, raw)
}

// encoded are lines as they are in a file.
func encoded(lines []any) ([]json.RawMessage, error) {
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

// A flexTree reads the lines of a tree, which is in pre-order, and keeps the least bound of its leaves.
type flexTree struct {
	in    *flex.Instance
	lines []json.RawMessage
	next  int // line
	least float64
}

func newFlexTree(in *flex.Instance, lines []json.RawMessage) flexTree {
	return flexTree{in: in, lines: lines, least: math.Inf(1)}
}

// read reads the next line.
func (t *flexTree) read(line any) error {
	if t.next == len(t.lines) {
		return fmt.Errorf("the tree is not complete")
	}
	t.next++
	return proof.Decode(t.lines[t.next-1], line)
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

// bound is what the tree proves, given what came of its root.
func (t *flexTree) bound(err error) (float64, error) {
	switch {
	case err != nil:
		return 0, refused("line %d: %v", t.next+2, err)
	case t.next < len(t.lines):
		return 0, refused("line %d: the tree has ended before", t.next+3)
	}
	return t.least, nil
}
