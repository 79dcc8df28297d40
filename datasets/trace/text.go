package trace

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"schedgap/datasets/event"
)

// WriteText writes info as tables for people.
func (info *Info) WriteText(w io.Writer) error {
	t := text{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.line("%s, %s s to %s s", info.Format, clock(info.Span.From), clock(info.Span.To))
	t.line("%d jobs with %d tasks, of which %d with %d lie whole inside the trace",
		info.Jobs.InTrace, info.Jobs.InTraceTasks, info.Jobs.Whole, info.Jobs.WholeTasks)
	t.records(&info.Events)
	if len(info.LeftOut) > 0 {
		t.line("\n%s\trecords\tjobs\t  first", label("left out"))
	}
	for _, l := range info.LeftOut {
		t.line("%s\t%d\t%d\t  %s", label(l.Reason), l.Records, l.Jobs, l.First)
	}
	if info.TasksPerJob.N > 0 {
		t.outcomes(info)
	}
	if info.TasksPerJob.N > 0 || info.Volumes != nil {
		t.quantiles(info)
		t.remarks(info)
	}
	if info.Machines > 0 {
		t.machines(info)
	}
	t.line("")
	for _, f := range info.Files {
		t.line("%s  %9d B  %s", f.SHA256, f.Bytes, f.Name)
	}
	if info.Note != "" {
		t.line("\n%s", info.Note)
	}
	return t.Flush()
}

// clock writes a time with all of its digits, dates included, to a millisecond: lists of jobs begin a microsecond after 0.
func clock(seconds float64) string {
	return strconv.FormatFloat(math.Round(seconds*1e3)/1e3, 'f', -1, 64)
}

// A text is the table being written. What goes wrong with writing surfaces at Flush.
type text struct{ *tabwriter.Writer }

func (t text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// label pads the text of a first column, which stays left-aligned while numbers align right.
func label(s string) string { return fmt.Sprintf("%-30s", s) }

func (t text) records(r *Records) {
	t.line("\n%s\ttask\tjob\tmachine\t", label("records"))
	for k := range event.Kinds {
		name := event.Kind(k).String()
		if r.Task[name]+r.Job[name] > 0 {
			t.line("%s\t%d\t%d\t\t", label(name), r.Task[name], r.Job[name])
		}
	}
	for k := range event.MachineKinds {
		if name := event.MachineKind(k).String(); r.Machine[name] > 0 {
			t.line("%s\t\t\t%d\t", label(name), r.Machine[name])
		}
	}
	if r.Batch > 0 {
		t.line("%s\t%d\t\t\t", label("recorded as a whole"), r.Batch)
	}
	if n := r.Volume + r.Listed; n > 0 {
		t.line("%s\t\t%d\t\t", label("jobs of a list"), n)
	}
}

func (t text) outcomes(info *Info) {
	t.line("\n%s\tjobs\ttasks\t", label("whole jobs"))
	for _, o := range info.Outcomes {
		if o.Jobs > 0 {
			t.line("%s\t%d\t%d\t", label(o.Outcome), o.Jobs, o.Tasks)
		}
	}
	t.line("%s\t%d\t%d\t", label("with 2 finished tasks or more"), info.Jobs.SeveralFinished, info.Jobs.SeveralFinishedTasks)
	t.line("\n%s\ttasks\t", label("their tasks"))
	for _, o := range info.Tasks {
		if o.Tasks > 0 {
			t.line("%s\t%d\t", label(o.Outcome), o.Tasks)
		}
	}
}

func (t text) quantiles(info *Info) {
	t.line("\n%s\tn\tmean\tmin\tp5\tp25\tp50\tp75\tp90\tp95\tp99\tmax\t", label("quantiles"))
	row := func(name string, q Quantiles) {
		if q.N > 0 {
			t.line("%s\t%d\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.5g\t%.5g\t%.5g\t%.5g\t%.5g\t",
				label(name), q.N, q.Mean, q.Min, q.P5, q.P25, q.P50, q.P75, q.P90, q.P95, q.P99, q.Max)
		}
	}
	row("tasks per job", info.TasksPerJob)
	row("duration [s]", info.Durations)
	row("CPU request", info.CPU)
	row("memory request", info.Memory)
	if v := info.Volumes; v != nil {
		row("input [B]", v.Input)
		row("shuffle [B]", v.Shuffle)
		row("output [B]", v.Output)
	}
	if info.DAGs != nil {
		row("DAG depth", info.DAGs.Depth)
	}
}

func (t text) remarks(info *Info) {
	t.line("")
	if d := info.DAGs; d != nil {
		t.line("DAGs: %d jobs with %d nodes of %d tasks, %d of them with dependencies, %d edges, %d references to unrecorded nodes",
			d.Jobs, d.Nodes, d.Tasks, d.Dependent, d.Edges, d.Unrecorded)
	}
	if info.TasksPerJob.N > 0 {
		t.line("%.1f %% of the jobs have a single task; %d tasks request no CPU", 100*info.SingleTask, info.ZeroCPU)
	}
	if s := info.Stragglers; s.Jobs2 > 0 {
		t.line("a straggler (%g times the median) is in %.1f %% of %d finished jobs with 2 tasks or more,",
			StragglerFactor, 100*s.Share2, s.Jobs2)
		t.line("and in %.1f %% of %d with 10 or more", 100*s.Share10, s.Jobs10)
	}
}

func (t text) machines(info *Info) {
	t.line("\n%d machines when the trace begins", info.Machines)
	t.line("CPU\tmemory\tmachines\t")
	for _, c := range info.Capacities {
		t.line("%.4g\t%.4g\t%d\t", c.CPU, c.Memory, c.Machines)
	}
}
