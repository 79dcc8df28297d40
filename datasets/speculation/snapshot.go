package speculation

import (
	"math"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/speculation"
)

// snapshotParams are the options that all snapshots share.
func snapshotParams() []models.Param {
	return []models.Param{
		models.Between("energy_weight", 0.01, 0, 1e9, "of the energy saved, in joules, beside the time saved, in seconds"),
	}
}

// A running attempt as the snapshot's rules see it: progress is even over its duration.
type running struct {
	id       string
	elapsed  float64 // seconds, > 0
	duration float64 // of the whole, seconds, > elapsed
	power    float64 // watts
}

// straggler makes the straggler of an attempt. Times are counted from the snapshot, to a millisecond; powers to a hundredth,
// progress to six decimals.
func (r running) straggler() speculation.Straggler {
	return speculation.Straggler{
		ID: r.id, Finish: derive.RoundTo(r.duration-r.elapsed, 3), Power: derive.RoundTo(r.power, 2),
		Progress: min(1-1e-6, max(1e-6, derive.RoundTo(r.elapsed/r.duration, 6))), Duration: seconds(r.elapsed),
	}
}

// seconds is a positive time to a millisecond.
func seconds(x float64) float64 { return max(0.001, derive.RoundTo(x, 3)) }

// noCopies is an instance without estimates.
func noCopies(in *speculation.Instance) [][]float64 {
	times := make([][]float64, len(in.Stragglers))
	for i := range times {
		times[i] = make([]float64, len(in.Slots))
		for j := range times[i] {
			times[i][j] = math.NaN()
		}
	}
	return times
}
