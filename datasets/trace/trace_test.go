package trace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

// stream is a trace in memory.
type stream struct {
	machines []event.MachineEvent
	jobs     []event.JobEvent
	tasks    []event.TaskEvent
	batches  []event.Batch
	volumes  []event.Volume
	sorted   bool
}

func (s *stream) Dir() string     { return "" }
func (s *stream) Format() string  { return "test" }
func (s *stream) Files() []string { return nil }
func (s *stream) Sorted() bool    { return s.sorted }

func (s *stream) Read(_ context.Context, sink event.Sink) error {
	for _, err := range []error{
		each(s.machines, sink.Machine), each(s.jobs, sink.Job), each(s.tasks, sink.Task),
		each(s.batches, sink.Batch), each(s.volumes, sink.Volume),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func each[E any](events []E, sink func(*E) error) error {
	for _, ev := range events {
		if err := sink(&ev); err != nil {
			return err
		}
	}
	return nil
}

func assemble(t *testing.T, s *stream, opt trace.Options) *trace.Trace {
	t.Helper()
	tr, err := trace.Assemble(t.Context(), s, opt)
	fail.On(t, err)
	return tr
}

const sec = event.Second

// at is an event of a task, requests and the like left at zero.
func at(seconds float64, job int64, index int32, kind event.Kind) event.TaskEvent {
	return event.TaskEvent{Time: event.At(seconds), Job: job, Index: index, Kind: kind}
}

// A task that was evicted and submitted again counts from its first submission to the end of its last run.
func TestAssembleResubmitted(t *testing.T) {
	tr := assemble(t, &stream{tasks: []event.TaskEvent{
		at(10, 1, 0, event.Submit), at(11, 1, 0, event.Schedule), at(20, 1, 0, event.Evict),
		at(20, 1, 0, event.Submit), at(25, 1, 0, event.Schedule), at(40, 1, 0, event.Finish),
	}}, trace.Options{})
	want := []trace.Job{{
		ID: "1", Submit: 10 * sec, Whole: true,
		Tasks: []trace.Task{{
			Instances: 1, Outcome: trace.Finished, Submit: 10 * sec, Schedule: 25 * sec, End: 40 * sec,
		}},
	}}
	if d := cmp.Diff(want, tr.Jobs); d != "" {
		t.Error(d)
	}
	if d, known := tr.Jobs[0].Tasks[0].Duration(); d != 15 || !known { // 40 - 25
		t.Errorf("duration %v, %v", d, known)
	}
}

// What the last record says decides on the outcome, updates of requests apart.
func TestAssembleOutcomes(t *testing.T) {
	for _, tc := range []struct {
		name     string
		kinds    []event.Kind // one a second, from second 1
		outcome  trace.Outcome
		schedule trace.Time
		end      trace.Time
	}{
		{"waits", []event.Kind{event.Submit}, trace.Active, trace.Never, trace.Never},
		{"runs", []event.Kind{event.Submit, event.Schedule}, trace.Active, 2 * sec, trace.Never},
		{"updated while running", []event.Kind{event.Submit, event.Schedule, event.UpdateRunning}, trace.Active, 2 * sec, trace.Never},
		{"finished", []event.Kind{event.Submit, event.Schedule, event.Finish}, trace.Finished, 2 * sec, 3 * sec},
		{"killed in the queue", []event.Kind{event.Submit, event.Kill}, trace.Killed, trace.Never, 2 * sec},
		{"failed", []event.Kind{event.Submit, event.Schedule, event.Fail}, trace.Failed, 2 * sec, 3 * sec},
		{"lost", []event.Kind{event.Submit, event.Schedule, event.Lost}, trace.Lost, 2 * sec, 3 * sec},
		{"evicted", []event.Kind{event.Submit, event.Schedule, event.Evict}, trace.Evicted, 2 * sec, 3 * sec},
		{"waits again", []event.Kind{event.Submit, event.Schedule, event.Evict, event.Submit}, trace.Active, trace.Never, trace.Never},
		{
			"killed in the queue after a run",
			[]event.Kind{event.Submit, event.Schedule, event.Evict, event.Submit, event.Kill},
			trace.Killed, trace.Never, 5 * sec,
		},
		{"queued and enabled", []event.Kind{event.Submit, event.Queue, event.Enable}, trace.Active, trace.Never, trace.Never},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &stream{}
			for i, k := range tc.kinds {
				s.tasks = append(s.tasks, at(float64(i+1), 1, 0, k))
			}
			got := assemble(t, s, trace.Options{}).Jobs[0].Tasks[0]
			if got.Outcome != tc.outcome || got.Schedule != tc.schedule || got.End != tc.end {
				t.Errorf("%v, scheduled %d, ended %d; want %v, %d, %d",
					got.Outcome, got.Schedule, got.End, tc.outcome, tc.schedule, tc.end)
			}
		})
	}
}

// The requests of a task are the last ones recorded; fields that no record has stay marked.
func TestAssembleRequests(t *testing.T) {
	tr := assemble(t, &stream{tasks: []event.TaskEvent{
		{Time: 1, Job: 1, Kind: event.Submit, CPU: .5, Priority: 2, Missing: event.Memory | event.Class},
		{Time: 2, Job: 1, Kind: event.UpdatePending, CPU: .25, Priority: 3, Missing: event.Memory | event.Class},
		{Time: 3, Job: 1, Kind: event.Schedule, Priority: 3, Missing: event.CPU | event.Class | event.Memory},
	}}, trace.Options{})
	got := tr.Jobs[0].Tasks[0]
	if got.CPU != .25 || got.Priority != 3 || got.Missing != event.Memory|event.Class {
		t.Errorf("%+v", got)
	}
}

// A job lies whole inside the trace if all of its tasks were seen from their submission on, and it takes its submission
// from the job events when there are some.
func TestAssembleWhole(t *testing.T) {
	tr := assemble(t, &stream{
		jobs: []event.JobEvent{
			{Time: 5 * sec, Job: 4, Kind: event.Submit},
			{Time: 5 * sec, Job: 99, Kind: event.Submit},
		},
		tasks: []event.TaskEvent{
			at(0, 1, 0, event.Submit), at(0, 1, 0, event.Schedule), at(9, 1, 0, event.Finish), // before the trace
			at(6, 2, 0, event.Submit), at(6, 2, 3, event.Schedule), // task 3 from nowhere
			at(6, 3, 1, event.Submit), at(6, 3, 0, event.Submit),
			at(7, 4, 0, event.Submit),
		},
	}, trace.Options{})
	type row struct {
		ID     string
		Submit trace.Time
		Whole  bool
		Tasks  []int32
	}
	var got []row
	for _, j := range tr.Jobs {
		r := row{ID: j.ID, Submit: j.Submit, Whole: j.Whole}
		for _, task := range j.Tasks {
			r.Tasks = append(r.Tasks, task.Index)
		}
		got = append(got, r)
	}
	want := []row{
		{"1", trace.BeforeWindow, false, []int32{0}},
		{"4", 5 * sec, true, []int32{0}},
		{"2", 6 * sec, false, []int32{0, 3}},
		{"3", 6 * sec, true, []int32{0, 1}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if tr.First != 6*sec || tr.Last != 9*sec { // the special time 0 is outside
		t.Errorf("span %v to %v", tr.First, tr.Last)
	}
	if _, known := tr.Jobs[0].Tasks[0].Duration(); known {
		t.Error("the duration of a task that started before the trace is known")
	}
}

// Formats whose tables have no order give the same jobs as sorted ones.
func TestAssembleUnsorted(t *testing.T) {
	s := &stream{tasks: []event.TaskEvent{
		at(1, 1, 0, event.Submit), at(2, 1, 1, event.Submit), at(3, 1, 0, event.Schedule), at(4, 1, 0, event.Evict),
		at(5, 1, 0, event.Submit), at(6, 1, 1, event.Schedule), at(7, 1, 0, event.Schedule), at(8, 1, 1, event.Finish),
		at(9, 2, 5, event.Submit), at(10, 1, 0, event.Finish), at(11, 2, 5, event.Kill),
	}}
	want := assemble(t, s, trace.Options{}).Jobs
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		rng.Shuffle(len(s.tasks), func(i, j int) { s.tasks[i], s.tasks[j] = s.tasks[j], s.tasks[i] })
		if d := cmp.Diff(want, assemble(t, s, trace.Options{}).Jobs); d != "" {
			t.Fatal(d)
		}
	}
}

// A window keeps the jobs whose life meets it, with what happened to them later, whether the reader skips or not.
func TestAssembleWindow(t *testing.T) {
	for _, sorted := range []bool{true, false} {
		s := &stream{sorted: sorted, tasks: []event.TaskEvent{
			at(1, 1, 0, event.Submit), at(2, 1, 0, event.Kill), // ended before
			at(3, 2, 0, event.Submit), at(4, 2, 0, event.Schedule),
			at(4, 5, 0, event.Submit), at(10, 5, 0, event.Finish), // 5 ends as the window begins, so not before
			at(12, 3, 0, event.Submit), at(20, 4, 0, event.Submit), // 4 begins as the window ends
			at(30, 2, 0, event.Finish), at(31, 3, 0, event.Kill),
		}}
		tr := assemble(t, s, trace.Options{From: 10, To: 20})
		if len(tr.Jobs) != 3 || tr.Jobs[0].ID != "2" || tr.Jobs[1].ID != "5" || tr.Jobs[2].ID != "3" || tr.Jobs[0].End() != 30*sec {
			t.Errorf("sorted %v: %+v", sorted, tr.Jobs)
		}
	}
	for _, opt := range []trace.Options{{From: -1}, {From: 5, To: 5}, {From: 5, To: 4}} {
		if _, err := trace.Assemble(t.Context(), &stream{}, opt); err == nil {
			t.Errorf("%+v is accepted", opt)
		}
	}
}

// The cluster is that of the moment at which the window begins.
func TestAssembleMachines(t *testing.T) {
	s := &stream{machines: []event.MachineEvent{
		{Time: 0, Machine: 2, Kind: event.Add, CPU: .5, Memory: .25},
		{Time: 0, Machine: 1, Kind: event.Add, CPU: 1, Memory: 1},
		{Time: 5 * sec, Machine: 1, Kind: event.Remove},
		{Time: 5 * sec, Machine: 2, Kind: event.Update, CPU: .5, Memory: .5},
		{Time: 9 * sec, Machine: 1, Kind: event.Add, CPU: 1, Memory: 1},
	}}
	for _, tc := range []struct {
		from float64
		want []trace.Machine
	}{
		{0, []trace.Machine{{ID: 1, CPU: 1, Memory: 1}, {ID: 2, CPU: .5, Memory: .25}}},
		{5, []trace.Machine{{ID: 2, CPU: .5, Memory: .5}}},
	} {
		if d := cmp.Diff(tc.want, assemble(t, s, trace.Options{From: tc.from}).Machines); d != "" {
			t.Errorf("from %v: %s", tc.from, d)
		}
	}
}

// batch is a finished task of a DAG.
func batch(job string, line int, number int32, parents ...int32) event.Batch {
	return event.Batch{
		Job: job, Node: &event.Node{Number: number, Parents: parents}, Instances: 2, Submit: trace.Never, Start: 5 * sec, End: 8 * sec,
		Kind: event.Finish, File: "f", Line: line,
	}
}

// Parents are found by their numbers; references to tasks that are not recorded are counted.
func TestAssembleDAG(t *testing.T) {
	tr := assemble(t, &stream{batches: []event.Batch{
		batch("j", 1, 1), batch("j", 2, 4, 1, 3, 9), batch("j", 3, 3, 1, 1),
	}}, trace.Options{})
	want := &trace.DAG{Parents: [][]int{nil, {0, 2}, {0}}, Unrecorded: 1}
	if d := cmp.Diff(want, tr.Jobs[0].DAG); d != "" {
		t.Error(d)
	}
	if j := tr.Jobs[0]; j.Submit != 5*sec || !j.Whole || j.Outcome() != trace.AllFinished || j.Work() != 18 { // 3 tasks × 2 × 3 s
		t.Errorf("%+v", j)
	}
	if d := want.Depth(); d != 3 { // M1, M3_1_1, R4
		t.Errorf("depth %d", d)
	}
}

// A job whose names contradict each other stays a job without a graph; its fault is counted with its place, or is the error of strict
// reading.
func TestAssembleFlawedDAG(t *testing.T) {
	right := batch("right", 9, 1)
	for _, tc := range []struct {
		name    string
		batches []event.Batch
		reason  string
		line    int
	}{
		{"number twice", []event.Batch{batch("j", 1, 1), batch("j", 2, 1)}, "another task of the job has the same number or name", 2},
		{"self", []event.Batch{batch("j", 1, 2), batch("j", 2, 1, 1)}, "the task waits for itself", 2},
		{
			"circle, and a task behind it",
			[]event.Batch{batch("j", 1, 1), batch("j", 2, 4, 2), batch("j", 3, 2, 3), batch("j", 4, 3, 2)},
			"tasks of the job wait for each other in a circle", 4,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &stream{batches: append(tc.batches, right)}
			tr := assemble(t, s, trace.Options{})
			want := []trace.LeftOut{{
				Reason: tc.reason + ", so that its graph is not used", Records: 1, Jobs: 1, First: fmt.Sprintf("f:%d", tc.line), Graph: true,
			}}
			if d := cmp.Diff(want, tr.LeftOut); d != "" {
				t.Error(d)
			}
			if j := tr.Jobs[0]; len(tr.Jobs) != 2 || j.DAG != nil || !j.NoDAG || !j.Whole || len(j.Tasks) != len(tc.batches) {
				t.Errorf("%+v", tr.Jobs)
			}
			if left := tr.LeftOutOf(false); len(left) > 0 {
				t.Errorf("%+v is left out of what needs no graph", left)
			}
			_, err := trace.Assemble(t.Context(), s, trace.Options{Strict: true})
			if want := fmt.Sprintf("f: line %d: %s", tc.line, want[0].Reason); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}
