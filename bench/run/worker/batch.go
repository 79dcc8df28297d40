package worker

import (
	"cmp"
	"context"
	"time"

	"schedgap/bench"
)

const (
	// pause is how much longer than alone a command may take for an instance of a batch.
	pause = 2 * time.Second
	// probeTime is the longest time that the first answer to a probe may take.
	probeTime = 10 * time.Second
)

// SpeaksBatch finds out by one probe whether a command reads many instances, one per line (see external.Batch). The command must
// answer the instance alone, and then twice from one process, each time in little more than twice the time. One that has read
// an instance and waits, as for the end of its input, does not speak batch, nor does one that fails. alone is the result of the
// instance alone.
func SpeaksBatch(ctx context.Context, o Options, u bench.Unit) (speaks bool, alone *bench.Result, err error) {
	w := New(o)
	defer w.Close()
	u.Request.Batch = false
	u.Limits.Time = min(cmp.Or(u.Limits.Time, probeTime), probeTime)
	alone, err = w.Run(ctx, &u)
	if err != nil || alone.Status != bench.Feasible {
		return false, alone, err
	}
	u.Request.Batch, w.impatient = true, true
	u.Limits.Time = batchTime(u.Limits.Time, alone.WallSeconds)
	for range 2 {
		if res, err := w.Run(ctx, &u); err != nil || res.Status != bench.Feasible {
			return false, alone, err
		}
	}
	return true, alone, nil
}

// batchTime is the time that an instance of a batch may take that took the given seconds alone.
func batchTime(limit time.Duration, alone float64) time.Duration {
	return min(limit, pause+2*time.Duration(alone*float64(time.Second)))
}
