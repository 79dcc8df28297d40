package proof

// RedundancyEvents is the kind of proof about redundancy on whole machines that follows all copies from event to event, see
// docs/proofs.md. Jobs are named by their place in the instance's file, from 0.
const RedundancyEvents = "redundancy-events"

// Copies are the first line: from one event to the next, pairs of a job and the machines that it has.
type Copies struct {
	Solution [][][2]int `json:"solution"`
}

// Held is what jobs hold, with shares of 1.
func (c Copies) Held() [][][3]float64 {
	list := make([][][3]float64, len(c.Solution))
	for i, step := range c.Solution {
		for _, h := range step {
			list[i] = append(list[i], [3]float64{float64(h[0]), float64(h[1]), 1})
		}
	}
	return list
}

// An EventTree is the last line, after those of a proof by prices. Open has one list a node, in pre-order: which of its children, as the
// verifier counts them, are nodes; what the prices or the closed form prove of the others is enough.
type EventTree struct {
	Open [][]int `json:"open"`
}

// RedundancyShares is the kind of proof about redundancy on shared machines, see docs/proofs.md.
const RedundancyShares = "redundancy-shares"

// Shares are the first line: from one event to the next, what jobs hold, a job, its copies and the share that it has of each.
type Shares struct {
	Solution [][][3]float64 `json:"solution"`
}

// Held is what jobs hold.
func (s Shares) Held() [][][3]float64 { return s.Solution }

// A ShareTree is the last line, after those of a proof by prices: the nodes in pre-order that the prices leave open.
type ShareTree struct {
	Nodes []ShareNode `json:"nodes"`
}

// A ShareNode has two children, or is a leaf with weights of a unit of work by job. Exactly one field of Window, Pair, Copies and Weights is
// there; moments are those at which jobs arrive, in their order, from 0.
type ShareNode struct {
	Window  []int     `json:"window,omitempty"` // a job and a moment: it completes before it, or not
	Pair    []int     `json:"pair,omitempty"`   // two jobs: the first completes no later, or the second does
	Copies  []int     `json:"copies,omitempty"` // a moment, a job and a number of copies: it has no more while Set is unfinished, or more
	Set     []int     `json:"set,omitempty"`    // jobs that are there and unfinished between that moment and the next
	Weights []float64 `json:"weights,omitempty"`
}
