package bench_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"schedgap/bench"
	"schedgap/bench/toyproblem"
)

// Incumbents take half a second each to write: of a limit of 1.3 s two are handed on, at 0.5 s and 1.01 s, and a third, which
// would be late, does not keep the algorithm from ending in time. That it has ended is announced before its solution is written.
func TestLateIncumbent(t *testing.T) {
	in := toyproblem.Instance(t, toyproblem.Heavy, 1)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1300*time.Millisecond)
		defer cancel()
		began, told := time.Now(), 0
		var ended time.Duration
		res := in.Problem.Run(ctx, in, bench.Request{Algorithm: "improves"}, bench.Observer{
			Incumbent: func(bench.Moment, json.RawMessage) { told++ },
			Ended:     func() { ended = time.Since(began) },
		})
		if told != 2 || ended > 1310*time.Millisecond || time.Since(began) != ended+toyproblem.HeavyTime {
			t.Errorf("%d incumbents, ended at %v, all done at %v", told, ended, time.Since(began))
		}
		if res.Status != bench.Timeout || res.Objective == nil {
			t.Errorf("%+v", res)
		}
	})
}

// A solution that is not kept is judged and not written, which takes Heavy half a second; one that is longer than what is kept is
// judged and left out.
func TestUnkept(t *testing.T) {
	in := toyproblem.Instance(t, toyproblem.Heavy, 1)
	for kept, want := range map[int]time.Duration{0: 0, 5: toyproblem.HeavyTime, 1000: toyproblem.HeavyTime} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			res := in.Problem.Run(t.Context(), in, bench.Request{Algorithm: "good"}, bench.Observer{Kept: &kept})
			if took := time.Since(began); took != want {
				t.Errorf("%d bytes: took %v, want %v", kept, took, want)
			}
			if res.Feasible == nil || !*res.Feasible || res.Objective == nil || (res.Solution != nil) != (kept == 1000) {
				t.Errorf("%d bytes: %+v", kept, res)
			}
		})
	}
}
