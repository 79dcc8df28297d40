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

// A candidate is a job that may be in a cover.
type candidate struct {
	job  int
	done float64 // how much of it the columns complete before the point
	cost float64 // machine time that it needs at least to be done from its arrival to the point
}

// covers lists count rows that r's columns violate by more than slack, for sets of jobs that need more machine time than there
// is: not all of them are done. Whoever needs no less than all jobs of a cover is counted with it (docs/bounds.md#covers).
func covers(ctx context.Context, env *envelope, jobs []pending, r *prices.Relaxation, slack float64) []prices.Row {
	type violated struct {
		prices.Row
		by float64
	}
	most := func(list []violated, n int) []violated {
		slices.SortStableFunc(list, func(a, b violated) int { return cmp.Compare(b.by, a.by) })
		return list[:min(n, len(list))]
	}
	// A cover lacks little and needs much: jobs come by what they lack, for themselves or for their cost.
	orders := [2]func(candidate) float64{
		func(c candidate) float64 { return (1 - c.done) / c.cost }, func(c candidate) float64 { return 1 - c.done },
	}
	var all []violated
	for k := 1; k < len(r.At) && ctx.Err() == nil; k += 1 + len(r.At)/mostCoverPoints {
		var here []violated
		var sorted [len(orders)][]candidate
		total, taken, dearest := 0.0, 0.0, 0.0
		end, _ := slices.BinarySearchFunc(jobs, r.At[k], func(j pending, t float64) int { return cmp.Compare(j.arrival, t) })
		for j := end - 1; j >= max(0, end-coverArrivals); j-- {
			length := r.At[k] - jobs[j].arrival
			cost, ok := env.machineTime(jobs[j].work, length)
			if !ok {
				continue
			}
			c := candidate{j, min(1, r.Done(j, k)), cost}
			total, taken, dearest = total+cost, taken+c.done*cost, max(dearest, cost)
			capacity := float64(len(env.gain)) * length * (1 + proofMargin)
			for i, order := range orders {
				at, _ := slices.BinarySearchFunc(sorted[i], order(c), func(o candidate, v float64) int { return cmp.Compare(order(o), v) })
				sorted[i] = slices.Insert(sorted[i], at, c)
				if total <= capacity || taken <= capacity-dearest {
					continue // what is left is more than a cover would lack
				}
				if row, count := cover(sorted[i], capacity); count-row.Most > slack {
					row.Point, row.Proof = k, &proof.CountProof{Grid: []float64{jobs[j].arrival, r.At[k]}, Price: []float64{1}}
					here = append(here, violated{row, count - row.Most})
				}
			}
		}
		all = append(all, most(here, coversAtPoint)...)
	}
	var rows []prices.Row
	for _, v := range most(all, mostCovers) {
		rows = append(rows, v.Row)
	}
	return rows
}

// cover takes candidates as they come until they need more than the capacity and leaves out again whom it can. With them go all
// who need as much as each of them; of these jobs, one fewer than the cover has can be done. It returns the row and how many the
// columns complete.
func cover(sorted []candidate, capacity float64) (row prices.Row, count float64) {
	sum, n, dearest := 0.0, 0, 0.0
	for n < len(sorted) && sum <= capacity {
		sum += sorted[n].cost
		n++
	}
	if sum <= capacity {
		return row, 0
	}
	rest := slices.Clone(sorted[:n])
	slices.SortStableFunc(rest, func(a, b candidate) int { return cmp.Compare(a.done, b.done) })
	kept := map[int]bool{}
	for _, c := range rest {
		if sum-c.cost > capacity {
			sum -= c.cost
			continue
		}
		kept[c.job], dearest = true, max(dearest, c.cost)
	}
	row.Most = float64(len(kept) - 1)
	for _, c := range sorted {
		if kept[c.job] || c.cost >= dearest {
			row.Jobs = append(row.Jobs, c.job)
			count += c.done
		}
	}
	return row, count
}

// machineTime is the least that a job needs to do its work in an interval of some length; false: it cannot.
func (e *envelope) machineTime(work, length float64) (time float64, ok bool) {
	for _, g := range e.gain {
		w := min(work, length*g)
		if w <= 0 {
			break
		}
		time, work = time+w/g, work-w
	}
	return time, work <= 0
}
