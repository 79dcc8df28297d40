package flex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// Solution, bound and number of nodes do not depend on the number of threads, in searches of several rounds.
func TestThreads(t *testing.T) {
	for _, o := range []flex.Objective{
		{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
		{Metric: flex.SLA, Aggregate: flex.Sum},
	} {
		jobs := 16
		if o.Metric == flex.SLA {
			jobs = 140
		}
		var rounds bool
		for _, in := range generated(t, o, jobs, trials.Count(3)) {
			var first flex.Outcome
			counts := []int{1, 3}
			if trials.Whole() {
				counts = []int{1, 2, 3}
			}
			for _, threads := range counts {
				p := pass(in)
				p.Threads = threads
				out, err := Opt.Alone(t.Context(), Opt.Methods[0], p, nil)
				fail.On(t, err)
				if threads == 1 {
					first = out
					rounds = rounds || *out.Stats.Work.Nodes > 1000
					continue
				}
				if diff := cmp.Diff(first, out); diff != "" {
					t.Errorf("%s, %d threads: %s", in.Name, threads, diff)
				}
			}
		}
		if !rounds {
			t.Errorf("%v: no search had several rounds", o)
		}
	}
}
