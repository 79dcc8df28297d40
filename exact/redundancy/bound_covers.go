package redundancy

import (
	"cmp"
	"context"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/proof"
)

// Covers are looked for at mostCoverPoints grid points, over windows of at most coverArrivals arrivals. Jobs of a cover need more
// than there is by proofMargin of it at least.
const (
	mostCoverPoints = 400
	coverArrivals   = 200
	coversAtPoint   = 3
	mostCovers      = 400
	proofMargin     = 1e-9
)

// covers lists count rows that r's columns violate by more than slack, for sets of jobs that need more machine time than there
// is: not all of them are done. Whoever needs no less than all jobs of a cover is counted with it
// (docs/bounds-and-proofs.md#covers).
func covers(ctx context.Context, env *envelope, jobs []pending, r *prices.Relaxation, slack float64) []prices.Row {
	var all []prices.ViolatedRow
	for k := 1; k < len(r.At) && ctx.Err() == nil; k += 1 + len(r.At)/mostCoverPoints {
		var here []prices.ViolatedRow
		var sorted [len(prices.CoverOrders)][]prices.Candidate
		total, taken, dearest := 0.0, 0.0, 0.0
		end, _ := slices.BinarySearchFunc(jobs, r.At[k], func(j pending, t float64) int { return cmp.Compare(j.arrival, t) })
		for j := end - 1; j >= max(0, end-coverArrivals); j-- {
			length := r.At[k] - jobs[j].arrival
			cost, ok := env.machineTime(jobs[j].work, length)
			if !ok {
				continue
			}
			c := prices.Candidate{Job: j, Done: min(1, r.Done(j, k)), Cost: cost}
			total, taken, dearest = total+cost, taken+c.Done*cost, max(dearest, cost)
			capacity := float64(len(env.Gain)) * length * (1 + proofMargin)
			for i, order := range prices.CoverOrders {
				at, _ := slices.BinarySearchFunc(sorted[i], order(c), func(o prices.Candidate,
					v float64,
				) int {
					return cmp.Compare(order(o), v)
				})
				sorted[i] = slices.Insert(sorted[i], at, c)
				if total <= capacity || taken <= capacity-dearest {
					continue // a cover would lack less than the remainder
				}
				row := prices.Cover(sorted[i], capacity)
				slices.Sort(row.Jobs)
				twice := slices.ContainsFunc(here, func(o prices.ViolatedRow) bool {
					return o.Most <= row.Most && slices.Equal(o.Jobs, row.Jobs)
				})
				if row.By > slack && !twice {
					row.Point, row.Proof = k, &proof.CountProof{Grid: []float64{jobs[j].arrival, r.At[k]}, Price: []float64{1}}
					here = append(here, row)
				}
			}
		}
		all = append(all, prices.MostViolated(here, coversAtPoint)...)
	}
	return prices.RowsOf(prices.MostViolated(all, mostCovers))
}

// machineTime is the least that a job needs to do its work in an interval of some length; false: it cannot.
func (e *envelope) machineTime(work, length float64) (time float64, ok bool) {
	for _, g := range e.Gain {
		w := min(work, length*g)
		if w <= 0 {
			break
		}
		time, work = time+w/g, work-w
	}
	return time, work <= 0
}
