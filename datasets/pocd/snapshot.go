// Package pocd makes instances of the pocd problem: Generator draws them as in the paper's experiments, Deriver takes snapshots
// of traces, Workloads makes runs of the simulator, and Moves changes instances in searches for worst cases. bench/catalog
// registers all of them.
package pocd

import (
	"fmt"
	"math"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/pocd"
)

// decisionParams are the options for the decision on a snapshot and the room for it.
func decisionParams() []models.Param {
	return []models.Param{
		{Name: "alpha", Default: "0", Doc: "fairness α: a number from 0 to 50, or inf"},
		models.Between("max_copies", 5, 0, 1e6, "most extra copies of a task"),
		models.Between("load", 0.7, 1e-6, 1, "running tasks over machines, which makes the capacity; at least the base load"),
		models.Between("capacity", 0, 0, 1e9, "number of machines; 0: derived, see load"),
	}
}

// alphaOf reads the option alpha.
func alphaOf(v models.Values) (float64, error) {
	alpha, ok := pocd.ParseAlpha(v.Text("alpha"))
	if !ok {
		return 0, fmt.Errorf("parameter alpha: %q must be a number from 0 to %d, or inf", v.Text("alpha"), pocd.MaxAlpha)
	}
	return alpha, nil
}

// settle fills in what decisionParams say of an instance that has its jobs.
func settle(in *pocd.Instance, v models.Values) error {
	var err error
	in.Alpha, err = alphaOf(v)
	if err != nil {
		return err
	}
	in.MaxCopies = v.Int("max_copies")
	base := in.BaseLoad()
	in.Capacity = v.Int("capacity")
	if in.Capacity == 0 {
		in.Capacity = max(base, int(math.Round(float64(base-len(in.Jobs))/v.Float("load"))))
	}
	if in.Capacity < base {
		return fmt.Errorf("parameter capacity: %d is less than the base load %d, one machine for each of %d tasks and %d jobs",
			in.Capacity, base, base-len(in.Jobs), len(in.Jobs))
	}
	return nil
}

// An attempt is a running task as the snapshot's rules see it: its whole duration, which progress at an even speed gives away.
type attempt struct {
	id       string
	duration float64 // seconds
}

// observe makes the tasks of a job that started elapsed ago: those that are not done, progress even over the duration. A task
// straggles when it will end after the deadline. TMin and Beta are the caller's.
func observe(attempts []attempt, elapsed, deadline float64) []pocd.Task {
	var tasks []pocd.Task
	for _, a := range attempts {
		if a.duration > elapsed {
			progress := min(1-1e-6, derive.RoundTo(elapsed/a.duration, 6))
			tasks = append(tasks, pocd.Task{ID: a.id, Progress: progress, Straggler: a.duration > deadline})
		}
	}
	return tasks
}

// elapsedAt is the time at which the mean progress of attempts that start together is progress < 1.
func elapsedAt(attempts []attempt, progress float64) float64 {
	slowness := make([]float64, len(attempts)) // durations, ascending
	speed := 0.0                               // of the mean progress, times the number of attempts
	for i, a := range attempts {
		slowness[i] = a.duration
		speed += 1 / a.duration
	}
	slices.Sort(slowness)
	missing := progress * float64(len(attempts))
	at := 0.0
	for _, d := range slowness {
		if step := (d - at) * speed; step >= missing {
			break
		} else {
			missing -= step
		}
		at = d
		speed -= 1 / d
	}
	if speed <= 0 {
		return at
	}
	return at + missing/speed
}
