package proof

// RedundancyEvents is the kind of proof about redundancy on whole machines that follows all copies from event to event, see
// docs/proofs.md. Jobs are named by their place in the instance's file, from 0.
const RedundancyEvents = "redundancy-events"

// Copies are the first line: from one event to the next, pairs of a job and the machines that it has.
type Copies struct {
	Solution [][][2]int `json:"solution"`
}

// An EventTree is the last line, after those of a proof by prices. Open has one list a node, in pre-order: which of its children, as the
// verifier counts them, are nodes; what the prices or the closed form prove of the others is enough.
type EventTree struct {
	Open [][]int `json:"open"`
}
