// Package flex is the malleable slot allocation problem of FLEX (Wolf et al., Middleware 2010): one epoch of jobs that share
// a cluster's slots, each job with a guaranteed minimum and a maximum of slots and linear speedup in between. Problem declares
// it; an Instance is one epoch and a Schedule its solution. exact/flex and heuristics/flex solve it, datasets/flex makes
// instances, and models/flex/sim runs epochs one after the other.
//
// Symbols: S = Slots, W_j = Work, m_j = Min, M_j = Max, d_j = Deadline, w_j = Weight, C_j = completion time.
package flex

import (
	"cmp"
	"fmt"
	"math"

	"schedgap/models"
)

// An Instance is one epoch: all jobs are present at time 0.
type Instance struct {
	models.Header `json:"-"`
	Slots         int       `json:"slots" is:">=1" doc:"S, the number of slots"`
	Objective     Objective `json:"objective"`
	Jobs          []Job     `json:"jobs" is:"some"` // in file order, which breaks ties everywhere
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Job is malleable: at s slots, Min ≤ s ≤ Max, it does s units of work per unit of time until Work is done.
type Job struct {
	ID     string  `json:"id" is:"id,unique"`
	Work   float64 `json:"work" is:"1e-100..1e100" doc:"W_j, in slot-time units"`
	Min    int     `json:"min" is:">=0" default:"0" doc:"m_j, least slots while unfinished"`
	Max    int     `json:"max" is:"optional,>=1" doc:"M_j, most slots; default: all slots"` // max(Min, 1) ≤ Max ≤ Slots
	Weight float64 `json:"weight" is:"1e-100..1e100" default:"1" doc:"w_j"`
	// Metric is the job's own; empty: the objective's.
	Metric   Metric   `json:"metric,omitempty" words:"response|stretch|tardy|tardiness|lateness|sla" doc:"penalty of this job; default: the objective's"`
	Deadline *float64 `json:"deadline,omitempty" doc:"d_j; required by tardy, tardiness and lateness"` // it may have passed already
	Steps    []Step   `json:"steps,omitempty" doc:"required by sla: penalties in force after a time, both ascending"`
}

// A Step of a service level agreement: Penalty is the job's whole penalty when it completes after At and not after the next
// step's At.
type Step struct {
	At      float64 `json:"at"`
	Penalty float64 `json:"penalty"` // ≥ 0
}

// A Metric is the shape of a job's penalty as a function of its completion time (section 2.1 and Figure 1 of the paper).
type Metric string

// The metrics.
const (
	Response  Metric = "response"  // C
	Stretch   Metric = "stretch"   // C / W
	Tardy     Metric = "tardy"     // 1 if C > d, else 0
	Tardiness Metric = "tardiness" // max(0, C − d)
	Lateness  Metric = "lateness"  // C − d
	SLA       Metric = "sla"       // the penalty of the last step passed, 0 before the first
)

// Metrics lists all metrics.
var Metrics = []Metric{Response, Stretch, Tardy, Tardiness, Lateness, SLA}

// NeedsDeadline reports whether every job must have a deadline.
func (m Metric) NeedsDeadline() bool { return m == Tardy || m == Tardiness || m == Lateness }

// Steps reports whether penalties jump at certain times and are constant in between.
func (m Metric) Steps() bool { return m == Tardy || m == SLA }

// An Aggregate makes one objective out of the jobs' penalties.
type Aggregate string

// The aggregates. Makespan is Response with Max.
const (
	Sum Aggregate = "sum"
	Max Aggregate = "max"
)

// An Objective is minimised.
type Objective struct {
	Metric    Metric    `json:"metric" words:"response|stretch|tardy|tardiness|lateness|sla" doc:"penalty of a job's completion time"`
	Aggregate Aggregate `json:"aggregate" words:"sum|max" doc:"one objective out of the penalties; tardy and sla have only sum"`
	// Weighted multiplies each penalty by the job's weight; Stretch ignores it.
	Weighted bool `json:"weighted" doc:"multiply the penalties by the weights; stretch weighs by 1/work"`
}

func (o Objective) String() string {
	s := fmt.Sprintf("%s %s", o.Aggregate, o.Metric)
	if o.Weighted {
		s = "weighted " + s
	}
	return s
}

// Words are the objective as a report names it, such as weighted tardiness.
func (o Objective) Words() string {
	if o.Metric == Tardy {
		return map[bool]string{true: "weight of late jobs", false: "number of late jobs"}[o.Weighted]
	}
	name := map[Metric]string{
		Response: "response time", SLA: "SLA penalty", "mixed": "penalty of mixed metrics",
	}[o.Metric]
	name = cmp.Or(name, string(o.Metric))
	switch {
	case o.Aggregate == Max && o.Weighted:
		return "largest weighted " + name
	case o.Aggregate == Max:
		return "largest " + name
	case o.Weighted:
		return "weighted " + name
	}
	return "total " + name
}

// Tolerance is the relative tolerance of comparisons with deadlines and steps.
const Tolerance = 1e-9

// After reports whether completion time c is later than t, by more than the tolerance.
func After(c, t float64) bool { return c > t+Tolerance*math.Abs(t) }

// JustAfter is a time that After finds later than t, and hardly later.
func JustAfter(t float64) float64 {
	return t + 4*Tolerance*math.Abs(t) + 4*math.SmallestNonzeroFloat64
}

// MetricOf is the metric that job j's penalty has.
func (in *Instance) MetricOf(j int) Metric { return cmp.Or(in.Jobs[j].Metric, in.Objective.Metric) }

// Mixed reports whether jobs have different metrics.
func (in *Instance) Mixed() bool { return in.Any(func(m Metric) bool { return m != in.MetricOf(0) }) }

// Any reports whether the metric of any job is such.
func (in *Instance) Any(such func(Metric) bool) bool {
	for j := range in.Jobs {
		if such(in.MetricOf(j)) {
			return true
		}
	}
	return false
}

// Factor is the factor of job j's penalty: 1 or the weight, 1/W_j for stretch.
func (in *Instance) Factor(j int) float64 {
	switch {
	case in.MetricOf(j) == Stretch:
		return 1 / in.Jobs[j].Work
	case in.Objective.Weighted:
		return in.Jobs[j].Weight
	}
	return 1
}

// Penalty is f_j(c), job j's contribution when it completes at c.
func (in *Instance) Penalty(j int, c float64) float64 {
	job := &in.Jobs[j]
	switch in.MetricOf(j) {
	case Response, Stretch:
		return in.Factor(j) * c
	case Tardy:
		if After(c, *job.Deadline) {
			return in.Factor(j)
		}
		return 0
	case Tardiness:
		return in.Factor(j) * max(0, c-*job.Deadline)
	case Lateness:
		return in.Factor(j) * (c - *job.Deadline)
	}
	p := 0.0
	for _, s := range job.Steps {
		if !After(c, s.At) {
			break
		}
		p = s.Penalty
	}
	return in.Factor(j) * p
}

// Value is the objective of completion times c, one a job.
func (in *Instance) Value(c []float64) float64 {
	v := in.Penalty(0, c[0])
	for j := 1; j < len(c); j++ {
		p := in.Penalty(j, c[j])
		if in.Objective.Aggregate == Max {
			v = max(v, p)
		} else {
			v += p
		}
	}
	return v
}

// TotalMin is Σ m_j, at most Slots.
func (in *Instance) TotalMin() int {
	total := 0
	for i := range in.Jobs {
		total += in.Jobs[i].Min
	}
	return total
}

// DueDate is the time that earliest-due-date orders go by: the deadline, or for sla the first step. It is false when the job
// has neither.
func (in *Instance) DueDate(j int) (float64, bool) {
	job := &in.Jobs[j]
	if in.MetricOf(j) == SLA {
		return job.Steps[0].At, true
	}
	if job.Deadline == nil {
		return 0, false
	}
	return *job.Deadline, true
}

// StepTimes are the times at which job j's penalty jumps, for the metrics tardy and sla; nil for the others.
func (in *Instance) StepTimes(j int) []float64 {
	switch in.MetricOf(j) {
	case Tardy:
		return []float64{*in.Jobs[j].Deadline}
	case SLA:
		times := make([]float64, len(in.Jobs[j].Steps))
		for k, s := range in.Jobs[j].Steps {
			times[k] = s.At
		}
		return times
	}
	return nil
}
