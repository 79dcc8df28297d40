package bench

import (
	"context"
	"encoding/json"
	"errors"

	"schedgap/models"
)

// A Request says how an algorithm is to be run on an instance.
type Request struct {
	Algorithm string         `json:"algorithm"` // with its argument, such as mps:a,b
	Params    map[string]any `json:"params,omitempty"`
	Solver    string         `json:"solver,omitempty"` // empty: the algorithm chooses
	Model     string         `json:"model,omitempty"`  // empty: the algorithm chooses
	Seed      uint64         `json:"seed"`
	Threads   int            `json:"threads"` // at least 1
	// Command, when not empty, is an external algorithm; Algorithm is then only its name.
	Command []string `json:"command,omitempty"`
	// Reference is the class that a command declares for its solutions; empty: that which they state, or the problem's first.
	Reference string `json:"reference,omitempty"`
	Prove     bool   `json:"prove,omitempty"` // a proof is wanted of what exact algorithms find; no part of the unit's identity
	Relax     bool   `json:"relax,omitempty"` // models.Work.LPBound is wanted; no part of the unit's identity
	Batch     bool   `json:"batch,omitempty"` // Command reads many instances, see external.Batch; no part of the unit's identity
}

// A Result is the result of a request, with the checker's verdict. Nil means not applicable.
type Result struct {
	Status    Status   `json:"status"`
	Reference string   `json:"reference"`
	Kind      string   `json:"kind"`
	Waived    []string `json:"waived"`

	models.Findings          // Gap is set in the row
	Hopeless        []string `json:"hopeless"`

	// Augmentation is the speed or capacity factor that the solution was given, 1: none; 0 when there is no solution.
	Augmentation float64 `json:"augmentation"`

	WallSeconds  float64 `json:"wall_seconds"`
	models.Stats         // PeakRSSBytes is of the worker process, or of a command and its children

	Error    string          `json:"error,omitempty"`
	Solution json.RawMessage `json:"solution"`           // the solution file; null when there is none
	Proof    []byte          `json:"proof,omitempty"`    // the proof file; empty when there is none
	Verified string          `json:"verified,omitempty"` // what schedgap verify says that Proof proves; empty: it was not asked

	// Progress holds the incumbents and bounds found before the end, see Found.Follow. Its rows name neither run nor unit.
	Progress []ProgressRecord `json:"progress,omitempty"`

	declared string // the class that a command declares for its solutions; empty: none, or the first

	// Passes after the run, nil if there is none: one makes Proof, one solves the model's relaxation.
	prover prover
	relax  func(ctx context.Context) (float64, error)
}

// NotStarted is the raw status of a command that could not be started.
const NotStarted = "not started"

// Faulty is the raw status of an error of the problem: one of its own commands failed, which says nothing about the algorithm.
const Faulty = "fault of the problem"

// Fail makes the result an error. Where a command of the problem's own failed, nothing that the result says of a solution was
// checked, and nothing of it stays.
func (r *Result) Fail(err error) {
	r.Status, r.Error = Error, err.Error()
	if fault := new(models.Fault); errors.As(err, &fault) {
		r.Raw = Faulty
		r.Objective, r.Bound, r.RootBound, r.Feasible, r.MaxViolation, r.WorstConstraint = nil, nil, nil, nil, nil, nil
		r.Solution, r.Claimed = nil, nil
	}
}

// Fault is the error of the problem that the result is; nil: it is none.
func (r *Result) Fault() error {
	if r.Status != Error || r.Raw != Faulty {
		return nil
	}
	return &models.Fault{Reason: r.Error}
}

// Gap is the distance of objective and bound relative to the objective, see models.Accuracy: nil if either is missing, 0 when
// optimal.
func (r *Result) Gap(in *Instance) *float64 {
	if r.Objective == nil || r.Bound == nil {
		return nil
	}
	gap := 0.0
	if r.Status != Optimal {
		gap = in.Accuracy.Gap(*r.Objective, *r.Bound)
	}
	return &gap
}

// An Observer receives a running algorithm's incumbents and bounds, so that they survive the algorithm's death, and the message
// that it has ended, before its solution is checked and written. Its fields are never nil in a running algorithm.
type Observer struct {
	Incumbent func(at Moment, solution json.RawMessage)
	Bound     func(at Moment, bound float64)
	Ended     func()
	// Kept is the size in bytes up to which the result carries its solution; nil: whatever it is. A longer one is judged as it is in
	// memory, and not written.
	Kept *int
}
