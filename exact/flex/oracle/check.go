package oracle

import (
	"fmt"
	"math"
	"math/big"

	"schedgap/models/flex"
)

// tolerance is relative to the magnitude of the row that is checked.
const tolerance = 1e-6

// Check is the definition of a feasible schedule, read literally: every interval's allocation is written out in full and
// every rule is tested in it. A violation begins with its constraint's name, minimum, maximum, slots, work or contiguity,
// and says where it is. The objective is NaN if some job never completes.
//
// A job completes at the end of the first interval in which its work reaches W_j within the tolerance. Slots that it holds
// afterwards break the maximum, which is then 0, once they take its work past W_j by more than the tolerance: an interval
// so short that it does less than that cannot be told from rounding.
func Check(in *flex.Instance, s flex.Schedule) (objective float64, completes bool, violations []string) {
	n := len(in.Jobs)
	report := func(constraint, where string, args ...any) {
		violations = append(violations, constraint+": "+fmt.Sprintf(where, args...))
	}
	slots, work, done := make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range done {
		done[j] = math.NaN()
	}
	now, end := 0.0, 0.0
	if len(s) > 0 {
		end = s[len(s)-1].End
	}
	for k, iv := range s {
		if !(math.Abs(iv.Start-now) <= tolerance*math.Abs(end)) || !(iv.End >= iv.Start) || math.IsInf(iv.End, 0) {
			report("contiguity", "interval %d is [%v, %v] after %v", k, iv.Start, iv.End, now)
		}
		for _, c := range iv.Changes {
			slots[c.Job] = c.Slots
		}
		total := 0.0
		for j, job := range in.Jobs {
			total += slots[j]
			work[j] += slots[j] * (iv.End - iv.Start)
			lo, hi := float64(job.Min), float64(job.Max)
			finished := !math.IsNaN(done[j])
			switch {
			case finished && slots[j] > 0 && work[j] > job.Work*(1+tolerance):
				report("maximum", "finished job %s has %v slots in interval %d", job.ID, slots[j], k)
			case !(slots[j] <= hi*(1+tolerance)):
				report("maximum", "job %s has %v slots in interval %d", job.ID, slots[j], k)
			}
			if finished {
				lo = 0
			}
			if !(slots[j] >= lo-tolerance*max(lo, 1)) {
				report("minimum", "job %s has %v slots in interval %d", job.ID, slots[j], k)
			}
			if !finished && work[j] >= job.Work*(1-tolerance) {
				done[j] = iv.End
			}
		}
		if !(total <= float64(in.Slots)*(1+tolerance)) {
			report("slots", "interval %d uses %v", k, total)
		}
		now = iv.End
	}
	completes = true
	for j, job := range in.Jobs {
		if !(math.Abs(work[j]-job.Work) <= tolerance*job.Work) {
			report("work", "job %s does %v", job.ID, work[j])
		}
		completes = completes && !math.IsNaN(done[j]) && !math.IsInf(done[j], 0)
	}
	if !completes {
		return math.NaN(), false, violations
	}
	c := make([]*big.Rat, n)
	for j := range c {
		c[j] = exactly(done[j])
	}
	return rounded(value(in, c, big.NewRat(1, 1_000_000_000))), true, violations
}
