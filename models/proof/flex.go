package proof

// The kinds of proofs about flex beside prices, see docs/bounds-and-proofs.md. Jobs are named by their place in the instance's
// file, from 0.
const (
	FlexPrices    = "flex-prices"    // completions, and the lines of prices
	FlexOrders    = "flex-orders"    // completions, and a tree over orders of completion
	FlexDeadlines = "flex-deadlines" // completions, and a tree over the penalty levels of jobs
	FlexMachine   = "flex-machine"   // completions, if a value is claimed, and steps of a dynamic program for one machine
)

// Completions are the first line of a proof of a value: times by which the jobs can complete, one a job.
type Completions struct {
	Times []float64 `json:"times"`
}

// An OrderLine is a further line of a proof of the kind FlexOrders: a cut, or the next node of the tree in pre-order. One field
// is set.
type OrderLine struct {
	Moment   *MomentCut   `json:"moment,omitempty"`
	Parallel *ParallelCut `json:"parallel,omitempty"`
	// a node with two children: the first job completes no later than the second, or no earlier
	Pair []int      `json:"pair,omitempty"`
	Leaf *OrderLeaf `json:"leaf,omitempty"`
}

// A MomentCut says that until job End completes no more is done than the slots can do. Job j counts with the least work that it has
// done when job From[j] completes, which is no later than End and than j; with From[j] −1 nothing counts. The jobs of Late are
// taken to run at their maximum from then on, the others at their minimum until then.
type MomentCut struct {
	End  int   `json:"end"`
	From []int `json:"from"`
	Late []int `json:"late"`
}

// A ParallelCut is the parallel inequality of a set of jobs, linear by tangents at times, one a job.
type ParallelCut struct {
	Jobs []int     `json:"jobs"`
	At   []float64 `json:"at"`
}

// An OrderLeaf closes a node: no schedule in it has a lesser value than the bound by multipliers of cuts and of pairs of jobs
// whose first completes no later than the second. With Empty there is no schedule in it.
type OrderLeaf struct {
	Cuts  []int     `json:"cuts,omitempty"` // numbered from 0 as they come in the file
	By    []float64 `json:"by,omitempty"`
	Pairs [][2]int  `json:"pairs,omitempty"`
	Of    []float64 `json:"of,omitempty"` // the pairs' multipliers
	Empty bool      `json:"empty,omitempty"`
}

// A DeadlineLine is a further line of a proof of the kind FlexDeadlines: the next node of the tree in pre-order. One field is
// set.
type DeadlineLine struct {
	Level *Level        `json:"level,omitempty"`
	Leaf  *DeadlineLeaf `json:"leaf,omitempty"`
}

// A Level is a node with two children: the job has this level of its penalty or a lesser one, or a higher one. Levels are
// numbered from 0, before the first step.
type Level struct {
	Job   int `json:"job"`
	Level int `json:"level"`
}

// A DeadlineLeaf closes a node: at prices of the slots until moments no schedule in it has a lesser value than they prove. With
// Empty there is no schedule in it.
type DeadlineLeaf struct {
	At    []float64 `json:"at,omitempty"`
	Price []float64 `json:"price,omitempty"`
	Empty bool      `json:"empty,omitempty"`
}

// A MachineLine is a further line of a proof of the kind FlexMachine: the first one says how costs are made whole and what is proven,
// the others are steps of the dynamic program (docs/bounds-and-proofs.md). One field is set.
type MachineLine struct {
	Start    *MachineStart `json:"start,omitempty"`
	Prune    []int64       `json:"prune,omitempty"`    // multipliers, one a job
	Remember bool          `json:"remember,omitempty"` // the job before
	Count    *int          `json:"count,omitempty"`    // a job
}

// A MachineStart says that costs are penalties times 2^Bits, rounded down, and that no sequence costs less than Target.
type MachineStart struct {
	Bits   int   `json:"bits"`
	Target int64 `json:"target"`
}
