package cloning

import (
	"fmt"
	"math"

	"schedgap/datasets/derive"
	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models/cloning"
)

// Phases makes phases out of a finished job of a trace: in formats that record tasks of many instances as a whole (alibaba),
// one a record with the recorded parents; in others one of all tasks, or two, the second with the share reduceShare of the tasks.
// Means and deviations are in seconds; where only the whole is recorded the deviation is cv times the mean. It is false if a
// duration, a request or a parent of the job is not recorded, or a task takes no time.
func Phases(tr *trace.Trace, j *trace.Job, reduceShare, cv float64) ([]cloning.Phase, bool) {
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if seconds, known := t.Duration(); !known || seconds <= 0 || t.Missing.Has(event.CPU) || t.Missing.Has(event.Memory) {
			return nil, false
		}
	}
	if len(j.Tasks) == 0 {
		return nil, false
	}
	if tr.Events.Batch > 0 {
		return recorded(j, cv)
	}
	n := len(j.Tasks)
	reduces := min(n-1, int(math.Round(reduceShare*float64(n))))
	phases := []cloning.Phase{phaseOf("p1", j.Tasks[:n-reduces])}
	if reduces > 0 {
		reduce := phaseOf("p2", j.Tasks[n-reduces:])
		reduce.Parents = []int{0}
		phases = append(phases, reduce)
	}
	return phases, true
}

// phaseOf is a phase of tasks that are recorded one by one.
func phaseOf(id string, tasks []trace.Task) cloning.Phase {
	n := float64(len(tasks))
	var mean, square, cpu, memory float64
	for i := range tasks {
		seconds, _ := tasks[i].Duration()
		mean += seconds / n
		cpu += tasks[i].CPU / n
		memory += tasks[i].Memory / n
	}
	for i := range tasks {
		seconds, _ := tasks[i].Duration()
		square += float64((seconds - mean) * (seconds - mean))
	}
	return cloning.Phase{
		ID: id, Tasks: len(tasks), Demand: demandOf(cpu, memory), Mean: mean, SD: math.Sqrt(square / n),
	}
}

// recorded makes a phase of every record.
func recorded(j *trace.Job, cv float64) ([]cloning.Phase, bool) {
	if j.DAG != nil && j.DAG.Unrecorded > 0 {
		return nil, false
	}
	phases := make([]cloning.Phase, len(j.Tasks))
	for i := range j.Tasks {
		t := &j.Tasks[i]
		seconds, _ := t.Duration()
		deviation := cv
		if !t.Missing.Has(event.Deviation) {
			deviation = t.Deviation
		}
		phases[i] = cloning.Phase{
			ID: fmt.Sprintf("p%d", i+1), Tasks: int(t.Instances), Demand: demandOf(t.CPU, t.Memory),
			Mean: seconds, SD: deviation * seconds,
		}
		if j.DAG != nil {
			phases[i].Parents = j.DAG.Parents[i]
		}
	}
	return phases, true
}

// demandOf rounds requests to the precision of the traces.
func demandOf(cpu, memory float64) []float64 {
	return []float64{derive.RoundTo(cpu, 6), derive.RoundTo(memory, 6)}
}
