// Package worker runs units in processes of their own, so that a crash, a leak or a hang of an algorithm costs one row and
// never the run. Serve is the child's side, Worker the parent's.
package worker

import (
	"encoding/json"
	"time"

	"schedgap/bench"
)

// A job is one line from the parent to the child.
type job struct {
	ID int64 `json:"id"`
	// Instance is the instance file; empty: the same as for the job before.
	Instance json.RawMessage `json:"instance,omitempty"`
	SHA256   string          `json:"sha256"`
	Request  bench.Request   `json:"request"`
	Limits   bench.Limits    `json:"limits"`
	// Folder is that of the instance's problem, if it has one.
	Folder string `json:"folder,omitempty"`
	// What follows is for the commands of a supervisor.
	Grace time.Duration `json:"grace,omitempty"` // nanoseconds
	Dir   string        `json:"dir,omitempty"`
	// Solution is the size in bytes up to which the result is to carry its solution.
	Solution int `json:"solution"`
	// Progress says that the result is to carry the solutions that a command printed before its end.
	Progress bool `json:"progress,omitempty"`
	// Impatient ends a batch whose command waits, see external.Options.
	Impatient bool `json:"impatient,omitempty"`
}

// The kinds of messages. ready comes once and before any job; the others belong to a job: start when the algorithm is about
// to run, incumbent and bound while it runs, ended when it has returned, judged when its solution is checked and written and a
// proof is still to be made, result when all is done.
const (
	ready     = "ready"
	start     = "start"
	incumbent = "incumbent"
	bound     = "bound"
	ended     = "ended"
	judged    = "judged"
	result    = "result"
)

// A message is one line from the child to the parent.
type message struct {
	Kind string `json:"kind"`
	ID   int64  `json:"id,omitempty"`
	// Bytes is the length of the solution, an incumbent or the result's, which follows the line as it is: it may have millions of
	// numbers, and is not to be read and written again on its way.
	Bytes    int             `json:"bytes,omitempty"`
	Solution json.RawMessage `json:"-"`
	Bound    *float64        `json:"bound,omitempty"`
	At       *bench.Moment   `json:"at,omitempty"` // of an incumbent or a bound
	Result   *bench.Result   `json:"result,omitempty"`
	CPU      time.Duration   `json:"cpu"`             // nanoseconds that the child has used until now, its children's included
	Build    string          `json:"build,omitempty"` // sysinfo.BuildID of the child, when it is ready
	Dirty    bool            `json:"dirty,omitempty"` // the algorithm left goroutines behind: this process should end
	// What confines a supervisor's commands, when it is ready, and why nothing does, if that was asked.
	Confined   string `json:"confined,omitempty"`
	Unconfined string `json:"unconfined,omitempty"`
}

// mostBytes is more than the length of any solution.
const mostBytes = 1 << 32

// cut takes the solution out of what is written as the line, and returns both.
func (m message) cut() (line message, solution []byte) {
	solution = m.Solution
	if m.Result != nil {
		solution = m.Result.Solution
		res := *m.Result
		res.Solution = nil
		m.Result = &res
	}
	m.Bytes = len(solution)
	return m, solution
}

// paste gives m the solution that followed its line.
func (m *message) paste(solution []byte) {
	if m.Bytes == 0 {
		solution = nil
	}
	m.Solution = solution
	if m.Result != nil {
		m.Result.Solution = solution
	}
}

// complete reports whether m holds what its kind needs.
func (m *message) complete() bool {
	return m.Bytes >= 0 && m.Bytes <= mostBytes && (m.Kind != bound || m.Bound != nil && m.At != nil) &&
		(m.Kind != incumbent || m.At != nil) &&
		(m.Kind != result && m.Kind != judged || m.Result != nil)
}
