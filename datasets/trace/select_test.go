package trace_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models/trials/property"
)

func task(outcome trace.Outcome, schedule, end trace.Time) trace.Task {
	return trace.Task{Instances: 1, Outcome: outcome, Submit: 1 * sec, Schedule: schedule, End: end}
}

func ids(jobs []*trace.Job) string {
	s := ""
	for _, j := range jobs {
		s += j.ID
	}
	return s
}

// Jobs are selected by what happened to them and when.
func TestSelections(t *testing.T) {
	tr := &trace.Trace{Jobs: []trace.Job{
		{ID: "a", Submit: 1 * sec, Whole: true, Tasks: []trace.Task{
			task(trace.Finished, 1*sec, 5*sec),
			task(trace.Finished, 1*sec, 8*sec),
		}},
		{ID: "b", Submit: 2 * sec, Whole: true, Tasks: []trace.Task{
			task(trace.Finished, 2*sec, 3*sec),
			task(trace.Killed, 2*sec, 4*sec),
		}},
		{ID: "c", Submit: 3 * sec, Whole: true, Tasks: []trace.Task{task(trace.Active, 3*sec, trace.Never)}},
		{ID: "d", Submit: trace.BeforeWindow, Tasks: []trace.Task{task(trace.Finished, trace.BeforeWindow, 3*sec)}},
	}}
	if got := ids(tr.FinishedJobs()); got != "a" {
		t.Errorf("finished: %s", got)
	}
}

// The first outcome that applies is the job's.
func TestJobOutcome(t *testing.T) {
	for _, tc := range []struct {
		tasks []trace.Outcome
		want  trace.JobOutcome
	}{
		{nil, trace.Unknown},
		{[]trace.Outcome{trace.Finished, trace.Active}, trace.Unfinished},
		{[]trace.Outcome{trace.Finished, trace.Finished}, trace.AllFinished},
		{[]trace.Outcome{trace.Killed, trace.Finished}, trace.PartlyFinished},
		{[]trace.Outcome{trace.Killed, trace.Killed}, trace.AllKilled},
		{[]trace.Outcome{trace.Failed}, trace.AllFailed},
		{[]trace.Outcome{trace.Failed, trace.Killed}, trace.Aborted},
		{[]trace.Outcome{trace.Evicted}, trace.Aborted},
		{[]trace.Outcome{trace.Lost}, trace.Aborted},
	} {
		var j trace.Job
		for _, o := range tc.tasks {
			j.Tasks = append(j.Tasks, trace.Task{Outcome: o})
		}
		if got := j.Outcome(); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.tasks, got, tc.want)
		}
	}
}

// Work, durations and stragglers come from the finished tasks whose start was seen; the peak from all last runs.
func TestJobMeasures(t *testing.T) {
	j := &trace.Job{Tasks: []trace.Task{
		task(trace.Finished, 10*sec, 14*sec),
		task(trace.Finished, 12*sec, 14*sec),
		task(trace.Killed, 14*sec, 20*sec),
		task(trace.Killed, trace.Never, 20*sec),               // never ran
		task(trace.Finished, trace.BeforeWindow, 11*sec),      // of unknown duration
		task(trace.Active, 25*sec, trace.Never),               // runs on
		task(trace.Finished, 30*sec, 30*sec+event.Second*7/2), // 3.5 s
	}}
	if d := cmp.Diff([]float64{2, 3.5, 4}, j.Durations()); d != "" {
		t.Errorf("durations: %s", d)
	}
	if w := j.Work(); w != 9.5 { // 4 + 2 + 3.5
		t.Errorf("work %v", w)
	}
	if p := j.Peak(); p != 2 {
		t.Errorf("peak %d", p)
	}
	if j.Straggles() { // 4 ≤ 1.5 × 3.5
		t.Error("straggles")
	}
	j.Tasks[0].End = 16 * sec // durations 2, 3.5, 6 > 5.25
	if !j.Straggles() {
		t.Error("does not straggle")
	}
}

// The peak is the most that runs at the start of some task; a task that ends then does not count, nor does one that takes no time.
func TestPeak(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var j trace.Job
		for range rapid.IntRange(1, 20).Draw(t, "tasks") {
			start := trace.Time(rapid.IntRange(1, 30).Draw(t, "start")) * sec
			length := trace.Time(rapid.IntRange(0, 30).Draw(t, "length")) * sec
			j.Tasks = append(j.Tasks, trace.Task{
				Instances: int32(rapid.IntRange(1, 3).Draw(t, "instances")), Outcome: trace.Finished, Schedule: start, End: start + length,
			})
		}
		want := 0
		for _, at := range j.Tasks {
			running := 0
			for _, k := range j.Tasks {
				if k.Schedule <= at.Schedule && at.Schedule < k.End {
					running += int(k.Instances)
				}
			}
			want = max(want, running)
		}
		if p := j.Peak(); p != want {
			t.Fatalf("peak %d, want %d", p, want)
		}
	})
}

// Quantiles interpolate between order statistics.
func TestQuantile(t *testing.T) {
	sample := []float64{1, 2, 4, 8}
	for _, tc := range []struct{ p, want float64 }{
		{0, 1}, {1, 8}, {.5, 3}, {1. / 3, 2}, {.25, 1.75}, {.9, 6.8}, // position 3·p: 1.5, 1, 0.75, 2.7
	} {
		if got := trace.Quantile(sample, tc.p); got < tc.want-1e-12 || got > tc.want+1e-12 {
			t.Errorf("p = %v: %v, want %v", tc.p, got, tc.want)
		}
	}
	var s, empty trace.Sample
	for _, v := range []float64{8, 1, 4, 2} {
		s.Add(v, 1)
	}
	if q := s.Quantiles(); q.N != 4 || q.Mean != 3.75 || q.Min != 1 || q.P50 != 3 || q.Max != 8 {
		t.Errorf("%+v", q)
	}
	if q := empty.Quantiles(); q != (trace.Quantiles{}) {
		t.Errorf("empty: %+v", q)
	}
}

// A value that occurs several times counts as if it were added so often, in any order.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		var grouped, single trace.Sample
		for range 1 + rng.IntN(8) {
			v, times := float64(rng.IntN(5))/7, rng.IntN(4)
			grouped.Add(v, times)
			for range times {
				single.Add(v, 1)
			}
		}
		if g, s := grouped.Quantiles(), single.Quantiles(); g != s {
			t.Fatalf("%+v, one by one %+v", g, s)
		}
	}
}
