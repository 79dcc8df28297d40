package trace

import (
	"cmp"
	"context"
	"slices"

	"schedgap/datasets/event"
)

// Info describes a trace in numbers. A record that stands for several tasks counts as so many, as in derivations. Tasks, Outcomes,
// the quantiles and the stragglers are of the jobs that lie whole inside the trace (Job.Whole), as the beginning of the others is
// missing.
type Info struct {
	Format string  `json:"format"`
	Files  []File  `json:"files"`
	Span   Span    `json:"span"`
	Events Records `json:"events"`
	// LeftOut are the records that cannot be used. Neither they nor their jobs are in any number but those of Events.
	LeftOut []LeftOut `json:"left_out"`

	Jobs     JobCounts   `json:"jobs"`
	Outcomes []JobGroup  `json:"job_outcomes"`
	Tasks    []TaskGroup `json:"task_outcomes"`

	TasksPerJob Quantiles  `json:"tasks_per_job"`
	SingleTask  float64    `json:"single_task_share"`
	Durations   Quantiles  `json:"duration_seconds"` // of finished tasks, last SCHEDULE to FINISH
	CPU         Quantiles  `json:"cpu_request"`
	ZeroCPU     int        `json:"zero_cpu_requests"`
	Memory      Quantiles  `json:"memory_request"`
	Stragglers  Stragglers `json:"stragglers"`

	Machines   int        `json:"machines"` // in the cluster when the trace begins
	Capacities []Capacity `json:"machine_capacities"`

	DAGs    *DAGs    `json:"dags"`    // null in formats without dependencies
	Volumes *Volumes `json:"volumes"` // null in formats without amounts of data
	Note    string   `json:"note"`    // on facts that the numbers on tasks do not show
}

// A Span is the time between the first and the last record of a task, in seconds of the trace's clock; zeros without any.
type Span struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Records counts the records of each table by kind.
type Records struct {
	Task    map[string]int64 `json:"task"`
	Job     map[string]int64 `json:"job"`
	Machine map[string]int64 `json:"machine"`
	Batch   int64            `json:"batch"`  // records that stand for one task or several
	Volume  int64            `json:"volume"` // jobs recorded by their amounts of data
	Listed  int64            `json:"listed"` // jobs recorded as a row of a list
}

// JobCounts counts jobs and their tasks.
type JobCounts struct {
	InTrace      int `json:"in_trace"` // with any record of a task, or of an amount of data
	InTraceTasks int `json:"in_trace_tasks"`
	Whole        int `json:"whole"`
	WholeTasks   int `json:"whole_tasks"`
	// SeveralFinished are the jobs with two or more finished tasks, from which spreads within a job can be had.
	SeveralFinished      int `json:"several_finished"`
	SeveralFinishedTasks int `json:"several_finished_tasks"`
}

// A JobGroup counts the whole jobs that ended in one way, and all of their tasks.
type JobGroup struct {
	Outcome string `json:"outcome"`
	Jobs    int    `json:"jobs"`
	Tasks   int    `json:"tasks"`
}

// A TaskGroup counts the tasks of whole jobs that ended in one way.
type TaskGroup struct {
	Outcome string `json:"outcome"`
	Tasks   int    `json:"tasks"`
}

// StragglerFactor times the median of a job's durations is exceeded by stragglers.
const StragglerFactor = 1.5

// Stragglers says how many jobs have one: a task that took more than StragglerFactor times their median. Only jobs all of
// whose tasks finished are looked at, and no DAGs, whose tasks do different things.
type Stragglers struct {
	Jobs2        int     `json:"jobs_2"` // with at least 2 tasks
	Straggling2  int     `json:"straggling_2"`
	Share2       float64 `json:"share_2"`
	Jobs10       int     `json:"jobs_10"` // with at least 10 tasks
	Straggling10 int     `json:"straggling_10"`
	Share10      float64 `json:"share_10"`
}

// A Capacity counts machines of one size, in the trace's units. Zeros also stand for sizes that are not recorded.
type Capacity struct {
	CPU      float64 `json:"cpu"`
	Memory   float64 `json:"memory"`
	Machines int     `json:"machines"`
}

// DAGs counts dependencies.
type DAGs struct {
	Jobs       int       `json:"jobs"`      // whose tasks are named as parts of a DAG
	Dependent  int       `json:"dependent"` // with at least one dependency
	Tasks      int       `json:"tasks"`     // as they count elsewhere, several where a node stands for several
	Nodes      int       `json:"nodes"`
	Edges      int       `json:"edges"`
	Depth      Quantiles `json:"depth"`      // nodes on the longest path
	Unrecorded int       `json:"unrecorded"` // references to tasks that the trace does not hold
}

// Volumes are the quantiles of the amounts of data, in bytes.
type Volumes struct {
	Jobs    int       `json:"jobs"`
	Input   Quantiles `json:"input_bytes"`
	Shuffle Quantiles `json:"shuffle_bytes"`
	Output  Quantiles `json:"output_bytes"`
}

// ReadInfo reads a whole trace and describes it.
func ReadInfo(ctx context.Context, s *Source, strict bool) (*Info, error) {
	tr, err := Assemble(ctx, s, Options{Strict: strict})
	if err != nil {
		return nil, err
	}
	info := Describe(tr)
	info.Files, err = s.Hashes(ctx)
	if err != nil {
		return nil, err
	}
	return info, nil
}

// Describe describes an assembled trace, without its files.
func Describe(tr *Trace) *Info {
	info := &Info{Format: tr.Format, Files: []File{}, LeftOut: append([]LeftOut{}, tr.LeftOut...)}
	if tr.First != Never {
		info.Span = Span{tr.First.Seconds(), tr.Last.Seconds()}
	}
	info.Events = records(tr.Events)
	whole := tr.Select(func(j *Job) bool { return j.Whole })
	info.Jobs.InTrace, info.Jobs.Whole = len(tr.Jobs), len(whole)
	for i := range tr.Jobs {
		info.Jobs.InTraceTasks += tr.Jobs[i].Size()
	}
	if info.Jobs.InTraceTasks > 0 {
		info.Note = note(tr.Format)
	}
	info.measure(whole)
	info.Machines, info.Capacities = len(tr.Machines), capacities(tr.Machines)
	info.DAGs = countDAGs(tr.Jobs)
	info.Volumes = sumVolumes(tr.Jobs)
	return info
}

func records(e Events) Records {
	r := Records{
		Task: map[string]int64{}, Job: map[string]int64{}, Machine: map[string]int64{}, Batch: e.Batch, Volume: e.Volume,
		Listed: e.Listed,
	}
	for k := range event.Kinds {
		r.Task[event.Kind(k).String()] = e.Task[k]
		r.Job[event.Kind(k).String()] = e.Job[k]
	}
	for k := range event.MachineKinds {
		r.Machine[event.MachineKind(k).String()] = e.Machine[k]
	}
	return r
}

func (info *Info) measure(jobs []*Job) {
	info.Outcomes, info.Tasks = make([]JobGroup, JobOutcomes), make([]TaskGroup, Outcomes)
	for o := range info.Outcomes {
		info.Outcomes[o].Outcome = JobOutcome(o).String()
	}
	for o := range info.Tasks {
		info.Tasks[o].Outcome = Outcome(o).String()
	}
	var sizes, durations, cpu, memory Sample
	single := 0
	for _, j := range jobs {
		for i := range j.Tasks {
			t := &j.Tasks[i]
			n := int(t.Instances)
			info.Tasks[t.Outcome].Tasks += n
			if d, known := t.Duration(); known {
				durations.Add(d, n)
			}
			if !t.Missing.Has(event.CPU) {
				cpu.Add(t.CPU, n)
				if t.CPU == 0 {
					info.ZeroCPU += n
				}
			}
			if !t.Missing.Has(event.Memory) {
				memory.Add(t.Memory, n)
			}
		}
		if n := j.Size(); n > 0 { // others are known by their amounts of data only
			sizes.Add(float64(n), 1)
			if n == 1 {
				single++
			}
		}
		info.count(j)
	}
	info.TasksPerJob = sizes.Quantiles()
	info.SingleTask = share(single, info.TasksPerJob.N)
	info.Durations, info.CPU, info.Memory = durations.Quantiles(), cpu.Quantiles(), memory.Quantiles()
	s := &info.Stragglers
	s.Share2, s.Share10 = share(s.Straggling2, s.Jobs2), share(s.Straggling10, s.Jobs10)
}

// count counts a whole job by how it and its tasks ended, and whether it has a straggler.
func (info *Info) count(j *Job) {
	finished, outcome := 0, j.Outcome()
	for i := range j.Tasks {
		if j.Tasks[i].Outcome == Finished {
			finished += int(j.Tasks[i].Instances)
		}
	}
	if finished >= 2 {
		info.Jobs.SeveralFinished++
		info.Jobs.SeveralFinishedTasks += finished
	}
	size := j.Size()
	info.Jobs.WholeTasks += size
	info.Outcomes[outcome].Jobs++
	info.Outcomes[outcome].Tasks += size
	if j.DAG != nil || outcome != AllFinished || j.durations().Quantiles().N < 2 {
		return
	}
	straggles, s := 0, &info.Stragglers
	if j.Straggles() {
		straggles = 1
	}
	s.Jobs2++
	s.Straggling2 += straggles
	if size >= 10 {
		s.Jobs10++
		s.Straggling10 += straggles
	}
}

func share(part, all int) float64 { return float64(part) / float64(max(all, 1)) }

// Straggles reports whether the longest of the job's finished tasks took more than StragglerFactor times their median.
func (j *Job) Straggles() bool {
	q := j.durations().Quantiles()
	return q.Max > StragglerFactor*q.P50
}

// capacities counts machines by size, the most frequent first.
func capacities(machines []Machine) []Capacity {
	count := map[Capacity]int{}
	for _, m := range machines {
		count[Capacity{CPU: m.CPU, Memory: m.Memory}]++
	}
	list := make([]Capacity, 0, len(count))
	for c, n := range count {
		c.Machines = n
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Capacity) int {
		return cmp.Or(cmp.Compare(b.Machines, a.Machines), cmp.Compare(a.CPU, b.CPU), cmp.Compare(a.Memory, b.Memory))
	})
	return list
}

func countDAGs(jobs []Job) *DAGs {
	var d DAGs
	var depths Sample
	known := map[*DAG]float64{} // jobs of one shape share a DAG
	for i := range jobs {
		j := &jobs[i]
		if j.DAG == nil {
			continue
		}
		d.Jobs++
		d.Tasks += j.Size()
		d.Nodes += len(j.Tasks)
		d.Unrecorded += j.DAG.Unrecorded
		if edges := j.DAG.Edges(); edges > 0 {
			d.Dependent++
			d.Edges += edges
		}
		depth, computed := known[j.DAG]
		if !computed {
			depth = float64(j.DAG.Depth())
			known[j.DAG] = depth
		}
		depths.Add(depth, 1)
	}
	if d.Jobs == 0 {
		return nil
	}
	d.Depth = depths.Quantiles()
	return &d
}

func sumVolumes(jobs []Job) *Volumes {
	var in, shuffle, out Sample
	for _, j := range jobs {
		if v := j.Volume; v != nil {
			in.Add(float64(v.Input), 1)
			shuffle.Add(float64(v.Shuffle), 1)
			out.Add(float64(v.Output), 1)
		}
	}
	q := in.Quantiles()
	if q.N == 0 {
		return nil
	}
	return &Volumes{Jobs: q.N, Input: q, Shuffle: shuffle.Quantiles(), Output: out.Quantiles()}
}
