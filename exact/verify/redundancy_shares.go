package verify

import (
	"context"
	"fmt"
	"slices"

	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// checkRedundancyShares checks a tree over windows, orders and copies on shared machines.
func checkRedundancyShares(p *proof.Proof, in *redundancy.Instance) error {
	if !in.Multitasking {
		return refused("proofs of the kind %s are of shared machines, the instance has no multitasking", proof.RedundancyShares)
	}
	if len(in.Jobs) > RedundancyJobs {
		return refused("proofs of the kind %s have at most %d jobs", proof.RedundancyShares, RedundancyJobs)
	}
	if len(p.Lines) < 3 {
		return refused("%d lines follow the header; there must be a solution, prices and a tree", len(p.Lines))
	}
	var s proof.Shares
	if err := checkRedundancyValue(p, in, &s); err != nil {
		return err
	}
	last := len(p.Lines) - 1
	t, err := newShareTree(in, p.Lines[1:last], *p.Header.Bound)
	if err != nil {
		return err
	}
	var tree proof.ShareTree
	if err := proof.Decode(p.Lines[last], &tree); err != nil {
		return refused("line %d: %v", last+2, err)
	}
	next := 0
	err = t.follow(func(*RedundancyShared) (proof.ShareNode, error) {
		if next == len(tree.Nodes) {
			return proof.ShareNode{}, fmt.Errorf("the tree ends before all nodes are there")
		}
		next++
		return tree.Nodes[next-1], nil
	})
	if err != nil {
		return refused("line %d: node %d: %v", last+2, next-1, err)
	}
	if next < len(tree.Nodes) {
		return refused("line %d: the tree has %d nodes, not %d", last+2, next, len(tree.Nodes))
	}
	return nil
}

// RedundancyShareTree is the tree by which the lines of a proof by prices prove, with the nodes that choose returns, that no schedule on shared
// machines has a smaller sum of flowtimes than bound.
func RedundancyShareTree(
	ctx context.Context, in *redundancy.Instance, prices []any, bound float64, choose func(*RedundancyShared) (proof.ShareNode, error),
) (*proof.ShareTree, error) {
	raw, err := rawLines(prices)
	if err != nil {
		return nil, err
	}
	t, err := newShareTree(in, raw, bound)
	if err != nil {
		return nil, err
	}
	tree := &proof.ShareTree{Nodes: []proof.ShareNode{}}
	err = t.follow(func(n *RedundancyShared) (proof.ShareNode, error) {
		if ctx.Err() != nil {
			return proof.ShareNode{}, ctx.Err()
		}
		node, err := choose(n)
		tree.Nodes = append(tree.Nodes, node)
		return node, err
	})
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// follow visits the nodes that the prices leave open in pre-order; choose says what they are.
func (t *shareTree) follow(choose func(*RedundancyShared) (proof.ShareNode, error)) error {
	return t.visit(t.root(), choose)
}

func (t *shareTree) visit(n *RedundancyShared, choose func(*RedundancyShared) (proof.ShareNode, error)) error {
	if n.Closed() {
		return nil
	}
	node, err := choose(n)
	if err != nil {
		return err
	}
	if node.Weights != nil {
		if node.Window != nil || node.Pair != nil || node.Copies != nil || node.Set != nil {
			return fmt.Errorf("it has weights, and something else")
		}
		v, err := n.Bound(node.Weights)
		if err != nil {
			return err
		}
		return conclude(t.bound, v, "weights")
	}
	children, err := n.Children(node)
	if err != nil {
		return err
	}
	for _, c := range children {
		if err := t.visit(c, choose); err != nil {
			return err
		}
	}
	return nil
}

// Children are the two cases of a node that is no leaf: each schedule of n is one of theirs.
func (n *RedundancyShared) Children(node proof.ShareNode) ([]*RedundancyShared, error) {
	jobs := len(n.Lo)
	job := func(j int) bool { return j >= 0 && j < jobs }
	less, more := n.clone(), n.clone()
	switch {
	case len(node.Window) == 2 && node.Pair == nil && node.Copies == nil && node.Set == nil:
		j, m := node.Window[0], node.Window[1]
		if !job(j) || m <= n.Lo[j] || m > n.Hi[j] {
			return nil, fmt.Errorf("the window %v leaves nothing on one side", node.Window)
		}
		less.Hi[j], more.Lo[j] = m-1, m
	case len(node.Pair) == 2 && node.Window == nil && node.Copies == nil && node.Set == nil:
		i, j := node.Pair[0], node.Pair[1]
		if !job(i) || !job(j) || i == j || n.after[i]>>j&1 == 1 || n.after[j]>>i&1 == 1 {
			return nil, fmt.Errorf("the pair %v is none whose order is open", node.Pair)
		}
		less.order(i, j)
		more.order(j, i)
	case len(node.Copies) == 3 && node.Window == nil && node.Pair == nil:
		m, j, most := node.Copies[0], node.Copies[1], node.Copies[2]
		if m < 0 || m >= len(n.t.here) || !job(j) {
			return nil, fmt.Errorf("the copies %v are of no job or no moment", node.Copies)
		}
		set := uint64(0)
		for _, i := range node.Set {
			if !job(i) || n.t.here[m]>>i&1 == 0 || set>>i&1 == 1 {
				return nil, fmt.Errorf("the set %v is none of jobs that have arrived", node.Set)
			}
			set |= 1 << i
		}
		low, high := n.Copies(m, set, j)
		if len(n.limits) == shareLimits {
			return nil, fmt.Errorf("more than %d limits of copies hold at once", shareLimits)
		}
		if set>>j&1 == 0 || most < low || most >= high {
			return nil, fmt.Errorf("the copies %v leave nothing on one side", node.Copies)
		}
		less.limits = append(slices.Clip(n.limits), shareLimit{m, set, j, low, most})
		more.limits = append(slices.Clip(n.limits), shareLimit{m, set, j, most + 1, high})
	default:
		return nil, fmt.Errorf("it is neither a window, nor a pair, nor copies, nor weights")
	}
	return []*RedundancyShared{less, more}, nil
}
