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
