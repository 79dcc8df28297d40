package sim

import (
	"fmt"
	"math"

	"schedgap/models"
)

// saves says when jobs are checkpointed: at events, at times of its own, or never.
type saves struct {
	atEvents    bool
	writing     bool    // a periodic checkpoint is being written, and machines stand still
	next        float64 // time at which writing begins, or else ends; +Inf: never
	every, cost float64
	dropped     []dropped // copies taken away in this division, where jobs are not saved at events
}

// A dropped copy had so much work left.
type dropped struct {
	job, machine int32
	left         float64
}

func newSaves(v models.Values, start float64) (saves, error) {
	s := saves{atEvents: v.Text("checkpoints") == checkpointEvents, next: math.Inf(1)}
	s.every, s.cost = v.Float("checkpoint_every"), v.Float("checkpoint_cost")
	periodic := v.Text("checkpoints") == checkpointPeriodic
	switch {
	case s.cost > 0 && !periodic:
		return s, fmt.Errorf("parameter checkpoint_cost: %v needs checkpoints=%s", s.cost, checkpointPeriodic)
	case periodic && s.cost >= s.every:
		return s, fmt.Errorf("parameter checkpoint_cost: %v must be less than checkpoint_every, %v, or nothing is ever done", s.cost,
			s.every)
	case periodic:
		s.next = start + s.every
	}
	return s, nil
}

// save begins a periodic checkpoint, or ends one.
func (e *engine) save() {
	s := &e.saves
	s.writing = !s.writing && s.cost > 0
	if s.writing {
		s.next += s.cost
	} else {
		s.next += s.every - s.cost
	}
	if s.writing || s.cost == 0 {
		for j := range e.Arrived {
			if len(e.states[j].on) > 0 {
				e.checkpoint(int32(j))
			}
		}
	}
}

// checkpoint saves the state of a job's most advanced copy and lets the others go on from it.
func (e *engine) checkpoint(j int32) {
	s := &e.states[j]
	s.remaining = math.Inf(1)
	for _, i := range s.on {
		m := &e.machines[i]
		s.remaining = min(s.remaining, m.copies[m.find(j)].target-m.clock)
	}
	for _, i := range s.on {
		m := &e.machines[i]
		m.copies[m.find(j)].target = m.clock + s.remaining
		m.findNext()
	}
}

// startsWith is the work that a job's copy on a machine has left at its start. One that makes room in the course of a division
// and returns has never left.
func (e *engine) startsWith(j, machine int32) float64 {
	for _, d := range e.saves.dropped {
		if d.job == j && d.machine == machine {
			return d.left
		}
	}
	return e.saved(j)
}
