package trace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

// A mixed stream has records of all kinds, and bad ones.
type mixed struct {
	stream
	listed []event.Listed
	bad    []event.Bad
}

func (m *mixed) Read(ctx context.Context, sink event.Sink) error {
	for i := range m.bad {
		if sink.Bad == nil {
			return m.bad[i].Err
		}
		sink.Bad(&m.bad[i])
	}
	return errors.Join(m.stream.Read(ctx, sink), each(m.listed, sink.Listed))
}

// eventful is a job of two finished tasks, one killed job with an update, one that began before the trace and one without an end.
func eventful() *mixed {
	m := &mixed{stream: stream{
		machines: []event.MachineEvent{
			{Machine: 1, Kind: event.Add, CPU: 0.5, Memory: 0.25},
			{Machine: 2, Kind: event.Add, CPU: 0.5, Memory: 0.25},
			{Machine: 3, Kind: event.Add, CPU: 1, Memory: 1},
			{Machine: 3, Kind: event.Update, CPU: 1, Memory: 0.5},
		},
		jobs: []event.JobEvent{{Time: sec, Job: 1, Kind: event.Submit}, {Time: 2 * sec, Job: 2, Kind: event.Submit}, {Time: 2 * sec, Job: 2, Kind: event.Enable}},
		tasks: []event.TaskEvent{
			at(1, 1, 0, event.Submit), at(1, 1, 1, event.Submit), at(2, 1, 0, event.Schedule), at(2, 1, 1, event.Schedule),
			at(4, 1, 0, event.Finish), at(8, 1, 1, event.Finish), at(2, 2, 0, event.Submit), at(3, 2, 0, event.UpdatePending),
			at(5, 2, 0, event.Kill), at(7, 3, 0, event.Schedule), at(9, 3, 0, event.Finish), at(9, 4, 0, event.Submit),
		},
		volumes: []event.Volume{{Job: "v", Submit: 3 * sec, Input: 100, Shuffle: 10, Output: 1}},
	}}
	finished := func(job string, start, end float64, instances int32) event.Batch {
		return event.Batch{
			Job: job, Instances: instances, Submit: event.At(start), Start: event.At(start), End: event.At(end), Kind: event.Finish,
			Missing: event.CPU | event.Memory | event.Class | event.Priority,
		}
	}
	m.batches = []event.Batch{finished("ten", 1, 2, 9), finished("ten", 1, 2.5, 1), finished("even", 1, 2, 1), finished("even", 1, 2.5, 1)}
	m.batches[0].Deadline, m.batches[0].Weight = 7, 2
	m.listed = []event.Listed{{Job: "l", Submit: 4 * sec, Durations: []event.Time{sec}, CPU: 0.5, Memory: 0.125}}
	m.bad = []event.Bad{
		{Reason: "no number", File: "f", Line: 3, Job: "x", Err: errors.New("x")},
		{Reason: "no number", File: "f", Line: 4, Job: "x"},
		{Reason: "no time", File: "g", Line: 5},
	}
	return m
}

// Every number of the table for people, by hand from the records; a trace of nothing but amounts of data has no table of tasks, and
// one without records no table at all.
func TestWriteText(t *testing.T) {
	tr, err := trace.Assemble(t.Context(), eventful(), trace.Options{})
	fail.On(t, err)
	volumes, err := trace.Assemble(t.Context(), &stream{volumes: eventful().volumes}, trace.Options{})
	fail.On(t, err)
	for name, tr := range map[string]*trace.Trace{"all": tr, "volumes": volumes, "none": {Format: "none", First: trace.Never}} {
		var b bytes.Buffer
		fail.On(t, trace.Describe(tr).WriteText(&b))
		var lines []string
		for line := range strings.Lines(b.String()) {
			if words := strings.Fields(line); len(words) > 0 {
				lines = append(lines, strings.Join(words, " "))
			}
		}
		if d := cmp.Diff(texts[name], lines); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, j := range tr.Jobs {
		if j.ID == "ten" && (j.Deadline != 7 || j.Weight != 2) {
			t.Errorf("%+v", j)
		}
	}
	if got := trace.Sentence(tr.LeftOut); got != "records left out: 3, jobs left out with them: 1; 2 × no number (first: f:3); 1 × no time (first: g:5)" {
		t.Error(got)
	}
	if got := trace.Sentence(nil); got != "" {
		t.Errorf("of nothing: %s", got)
	}
}

// Beyond fifty reasons all others are one.
func TestOtherReasons(t *testing.T) {
	m := eventful()
	m.bad = nil
	for i := range 60 {
		m.bad = append(m.bad, event.Bad{Reason: fmt.Sprint("reason ", i%56), File: "f", Line: i + 1})
	}
	tr, err := trace.Assemble(t.Context(), m, trace.Options{})
	fail.On(t, err)
	want := trace.LeftOut{Reason: "other reasons", Records: 6, First: "f:51"}
	if n := len(tr.LeftOut); n != 51 || tr.LeftOut[50] != want || tr.LeftOut[0].Records != 2 || tr.LeftOut[4].Records != 1 {
		t.Errorf("%d reasons, %+v", n, tr.LeftOut)
	}
}

// Many jobs whose rows are not side by side are found again by their ids; those of a window begin with the events of jobs, of which those
// behind the window do not count where the table is sorted.
func TestManyJobs(t *testing.T) {
	const n = 5000
	s := &stream{}
	for k := range 2 * n {
		start := event.At(float64(1 + k%n/100)) // a hundred jobs at a time
		s.batches = append(s.batches, event.Batch{
			Job: fmt.Sprint("j", k%n), Instances: 1, Submit: start, Start: start, End: start + event.Time(1+k/n)*sec, Kind: event.Finish,
		})
	}
	tr := assemble(t, s, trace.Options{})
	if len(tr.Jobs) != n {
		t.Fatalf("%d jobs", len(tr.Jobs))
	}
	for i, j := range tr.Jobs {
		if j.ID != fmt.Sprint("j", i) || len(j.Tasks) != 2 || j.Work() != 3 {
			t.Fatalf("job %d: %+v", i, j)
		}
	}
	for _, sorted := range []bool{true, false} {
		s := &stream{sorted: sorted, jobs: []event.JobEvent{
			{Time: 3 * sec, Job: 1, Kind: event.Queue},
			{Time: 5 * sec, Job: 1, Kind: event.Submit},
			{Time: 9 * sec, Job: 1, Kind: event.Submit},
			{Time: 20 * sec, Job: 2, Kind: event.Submit},
		}, tasks: []event.TaskEvent{at(6, 1, 0, event.Submit), at(7, 2, 0, event.Submit)}}
		tr := assemble(t, s, trace.Options{To: 20})
		want := []trace.Time{5 * sec}
		if sorted { // the submission of 2 is behind the window, and its task's counts
			want = append(want, 7*sec)
		}
		var got []trace.Time
		for _, j := range tr.Jobs {
			got = append(got, j.Submit)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("sorted %v: %s", sorted, d)
		}
	}
}

// texts are the tables of TestWriteText without their spaces.
var texts = map[string][]string{
	"all": {
		"test, 1 s to 9 s",
		"8 jobs with 18 tasks, of which 7 with 17 lie whole inside the trace",
		"records task job machine",
		"submit 4 2",
		"enable 0 1",
		"schedule 3 0",
		"finish 3 0",
		"kill 1 0",
		"update-pending 1 0",
		"add 3",
		"update 1",
		"recorded as a whole 4",
		"jobs of a list 2",
		"left out records jobs first",
		"no number 2 1 f:3",
		"no time 1 0 g:5",
		"whole jobs jobs tasks",
		"unknown 1 0",
		"unfinished 1 1",
		"finished 4 15",
		"killed 1 1",
		"with 2 finished tasks or more 3 14",
		"their tasks tasks",
		"active 1",
		"finished 15",
		"killed 1",
		"quantiles n mean min p5 p25 p50 p75 p90 p95 p99 max",
		"tasks per job 6 2.833 1 1 1 1.5 2 6 8 9.6 10",
		"duration [s] 15 1.467 1 1 1 1 1.25 1.8 3.2 5.44 6",
		"CPU request 5 0.1 0 0 0 0 0 0.3 0.4 0.48 0.5",
		"memory request 5 0.025 0 0 0 0 0 0.075 0.1 0.12 0.125",
		"input [B] 1 100 100 100 100 100 100 100 100 100 100",
		"shuffle [B] 1 10 10 10 10 10 10 10 10 10 10",
		"output [B] 1 1 1 1 1 1 1 1 1 1 1",
		"50.0 % of the jobs have a single task; 4 tasks request no CPU",
		"a straggler (1.5 times the median) is in 0.0 % of 3 finished jobs with 2 tasks or more,",
		"and in 0.0 % of 1 with 10 or more",
		"3 machines when the trace begins",
		"CPU memory machines",
		"0.5 0.25 2",
		"1 0.5 1",
		trace.Censoring,
	},
	"volumes": {
		"test, 3 s to 3 s",
		"1 jobs with 0 tasks, of which 1 with 0 lie whole inside the trace",
		"records task job machine",
		"jobs of a list 1",
		"quantiles n mean min p5 p25 p50 p75 p90 p95 p99 max",
		"input [B] 1 100 100 100 100 100 100 100 100 100 100",
		"shuffle [B] 1 10 10 10 10 10 10 10 10 10 10",
		"output [B] 1 1 1 1 1 1 1 1 1 1 1",
	},
	"none": {
		"none, 0 s to 0 s",
		"0 jobs with 0 tasks, of which 0 with 0 lie whole inside the trace",
		"records task job machine",
	},
}

// Two things that happen at one moment happen in the order in which they are read, and what waits for nothing starts at once.
func TestOneMoment(t *testing.T) {
	tr := assemble(t, &stream{tasks: []event.TaskEvent{
		at(5, 1, 0, event.Submit), at(5, 1, 0, event.Schedule), at(7, 1, 0, event.Fail), at(7, 1, 0, event.Kill),
	}}, trace.Options{})
	if task := tr.Jobs[0].Tasks[0]; task.Outcome != trace.Killed || task.Schedule != 5*sec || task.End != 7*sec {
		t.Errorf("%+v", task)
	}
	active := &trace.Job{Tasks: []trace.Task{task(trace.Active, 25*sec, trace.Never), task(trace.Active, 26*sec, trace.Never)}}
	if peak := active.Peak(); peak != 2 {
		t.Errorf("two active tasks have the peak %d", peak)
	}
	_, err := trace.Assemble(t.Context(), &stream{tasks: []event.TaskEvent{at(5, 1, 0, event.Submit)}}, trace.Options{From: 5, To: 5})
	if err == nil || !strings.Contains(err.Error(), "it must end after it begins") {
		t.Errorf("a window of no length: %v", err)
	}
}

// Jobs may share a graph only if all of their tasks are in it, in the same places; a fault of one shape counts for each job.
func TestSharedGraphs(t *testing.T) {
	first, second, self := &event.Node{Number: 1}, &event.Node{Number: 2, Parents: []int32{1}}, &event.Node{Number: 3, Parents: []int32{3}}
	s := &stream{}
	add := func(job string, nodes ...*event.Node) {
		for i, n := range nodes {
			s.batches = append(s.batches, event.Batch{
				Job: job, Node: n, Instances: 1, Submit: sec, Start: sec, End: 2 * sec, Kind: event.Finish, File: "f", Line: i + 1,
			})
		}
	}
	add("behind", first, second, nil)
	add("before", nil, first, second)
	add("alone", first)
	add("wrong", self)
	add("wrong too", self)
	var many []*event.Node
	for i := range int32(9) { // more than a shape has
		many = append(many, &event.Node{Number: i, Parents: []int32{0}[:min(i, 1)]})
	}
	add("many", many...)
	tr := assemble(t, s, trace.Options{})
	got := map[string][][]int{}
	for _, j := range tr.Jobs {
		if j.DAG != nil {
			got[j.ID] = j.DAG.Parents
		}
	}
	want := map[string][][]int{
		"behind": {nil, {0}, nil}, "before": {nil, nil, {1}}, "alone": {nil}, "many": {nil, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(tr.LeftOut) != 1 || tr.LeftOut[0].Records != 2 || tr.LeftOut[0].Jobs != 2 {
		t.Errorf("%+v", tr.LeftOut)
	}
	if d := trace.Describe(tr).DAGs; d.Jobs != 4 || d.Dependent != 3 || d.Edges != 10 {
		t.Errorf("%+v", d)
	}
}
