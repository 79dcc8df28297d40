package proof

// RedundancyTree is the kind of proof about redundancy that follows a tree over completion windows, completion orders and
// copies, see docs/bounds-and-proofs.md. Jobs are named by their place in the instance's file, from 0.
const RedundancyTree = "redundancy-tree"

// A Schedule is the first line: from one event to the next, what jobs hold, a job, its copies and the share that it has of
// each, 1 on whole machines.
type Schedule struct {
	Solution [][][3]float64 `json:"solution"`
}

// A Tree is the last line, after those of a proof by prices: the nodes in pre-order that the prices leave open.
type Tree struct {
	Nodes []TreeNode `json:"nodes"`
}

// A TreeNode has two children, or one that other prices judge, or is a leaf with weights of a unit of work by job. Exactly one
// field of Prices, Window, Pair, Copies and Weights is there; moments are those at which jobs arrive, in their order, from 0.
type TreeNode struct {
	Prices int   `json:"prices,omitempty"` // of the lines before: the root's are 0
	Window []int `json:"window,omitempty"` // a job and a moment: it completes before it, or not
	Pair   []int `json:"pair,omitempty"`   // two jobs: the first completes no later, or the second does
	// a moment, a job and a number of copies: it has no more while Set is unfinished, or more
	Copies  []int     `json:"copies,omitempty"`
	Set     []int     `json:"set,omitempty"` // jobs that are there and unfinished between that moment and the next
	Weights []float64 `json:"weights,omitempty"`
}
