package redundancy

import (
	"errors"
	"fmt"

	"schedgap/exact/verify/core"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// MostJobs is the largest number of jobs that are followed exactly: rational numbers grow with each event.
const MostJobs = 60

// checkTree checks a tree over windows, orders and copies: prices and, in the last line, the nodes in pre-order that
// these leave open.
func checkTree(r *core.Reader, in *redundancy.Instance) error {
	t, err := readTree(r, len(r.Lines)-1, in)
	if err != nil {
		return err
	}
	var tree proof.Tree
	if err := r.Read(&tree); err != nil {
		return err
	}
	next, bound := 0, *r.Header.Bound
	err = core.Walk(t.Root(), func(n *Node) ([]*Node, error) {
		if n.Closed(bound) {
			return nil, nil
		}
		if next == len(tree.Nodes) {
			return nil, errors.New("the tree ends before all nodes are there")
		}
		node := tree.Nodes[next]
		next++
		if node.Prices > 0 {
			other := node.Window != nil || node.Pair != nil || node.Copies != nil || node.Weights != nil
			if other || node.Prices >= len(t.prices) {
				return nil, fmt.Errorf("the prices %d are not there, or not alone", node.Prices)
			}
			return []*Node{n.Priced(t.prices[node.Prices])}, r.Spent()
		}
		if node.Weights == nil {
			less, more, err := n.Children(node)
			return []*Node{less, more}, err
		}
		if node.Window != nil || node.Pair != nil || node.Copies != nil || node.Set != nil {
			return nil, errors.New("it has weights, and something else")
		}
		v, err := n.Bound(node.Weights)
		if err != nil {
			return nil, err
		}
		r.Spend(n.Steps)
		if r.Spent() != nil {
			return nil, r.Spent()
		}
		return nil, core.Conclude(bound, v, "weights")
	})
	if err != nil {
		return fmt.Errorf("node %d: %v", next-1, err)
	}
	if next < len(tree.Nodes) {
		return fmt.Errorf("the tree has %d nodes, not %d", next, len(tree.Nodes))
	}
	return nil
}

// NewTree is the tree of a search that ends with a proof: its nodes are those that the verifier makes. The lines
// are those of a proof by prices.
func NewTree(in *redundancy.Instance, lines []any) (*Tree, error) {
	r, err := core.Written(lines)
	if err != nil {
		return nil, err
	}
	return readTree(r, len(lines), in)
}

// Children are the two cases of a node that is no leaf: each schedule of n is one of theirs.
func (n *Node) Children(node proof.TreeNode) (less, more *Node, err error) {
	less, more = n.clone(), n.clone()
	job := func(j int) bool { return j >= 0 && j < len(n.Lo) }
	w, p, c := node.Window, node.Pair, node.Copies
	switch {
	case !core.Single(w != nil, p != nil, c != nil) || w != nil && len(w) != 2 || p != nil && len(p) != 2 || c != nil && len(c) != 3,
		node.Set != nil && c == nil:
		err = errors.New("it is neither a window, nor a pair, nor copies, nor weights")
	case c != nil:
		err = n.limit(less, more, node)
	case w != nil && (!job(w[0]) || w[1] <= n.Lo[w[0]] || w[1] > n.Hi[w[0]]):
		err = fmt.Errorf("the window %v leaves nothing on one side", w)
	case w != nil:
		less.Hi[w[0]], more.Lo[w[0]] = w[1]-1, w[1]
	case !job(p[0]) || !job(p[1]) || p[0] == p[1] || n.Ordered(p[0], p[1]) || n.Ordered(p[1], p[0]):
		err = fmt.Errorf("the pair %v is none whose order is open", p)
	default:
		less.order(p[0], p[1])
		more.order(p[1], p[0])
	}
	return less, more, err
}

// limit adds a node's limit of copies to both children.
func (n *Node) limit(less, more *Node, node proof.TreeNode) error {
	k, j, most := node.Copies[0], node.Copies[1], node.Copies[2]
	if k < 0 || k >= len(n.t.here) || j < 0 || j >= len(n.Lo) {
		return fmt.Errorf("the copies %v are of no job or no moment", node.Copies)
	}
	set := uint64(0)
	for _, i := range node.Set {
		if i < 0 || i >= len(n.Lo) || n.t.here[k]>>i&1 == 0 || set>>i&1 == 1 {
			return fmt.Errorf("the set %v is none of jobs that have arrived", node.Set)
		}
		set |= 1 << i
	}
	low, high := n.Copies(k, set, j)
	if len(n.limits) == mostLimits {
		return fmt.Errorf("more than %d limits of copies hold at once", mostLimits)
	}
	if set>>j&1 == 0 || most < low || most >= high {
		return fmt.Errorf("the copies %v leave nothing on one side", node.Copies)
	}
	add := func(to *Node, low, high int) {
		to.limits = append(n.limits[:len(n.limits):len(n.limits)], copyLimit{k, set, j, low, high})
	}
	add(less, low, most)
	add(more, most+1, high)
	return nil
}
