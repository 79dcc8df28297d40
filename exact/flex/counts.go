package flex

import (
	"cmp"
	"math"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/flex"
)

// countedSets are the orders whose leading jobs are the sets of count rows: by descending work and, where there are due dates
// or steps, by each of them.
func countedSets(in *flex.Instance) [][]int {
	orders := [][]int{flex.OrderBy(in, func(j int) float64 { return -in.Jobs[j].Work })}
	switch in.Objective.Metric {
	case flex.Tardiness, flex.Tardy:
		orders = append(orders, flex.OrderBy(in, func(j int) float64 { return *in.Jobs[j].Deadline }))
	case flex.SLA:
		levels := 0
		for j := range in.Jobs {
			levels = max(levels, len(in.Jobs[j].Steps))
		}
		for k := range min(levels, countedSteps) {
			orders = append(orders, flex.OrderBy(in, func(j int) float64 {
				steps := in.Jobs[j].Steps
				return steps[min(k, len(steps)-1)].At
			}))
		}
	}
	return orders
}

// countedSteps is the largest number of steps of a job by which there are sets, sizesOfSets that of sets in an order.
const (
	countedSteps = 4
	sizesOfSets  = 40
)

// countRows bounds how many of the first jobs of each order can be done by each grid point t, whatever the schedule: those whose
// minimum brings them there, and of the others the most that fit, by work still missing, into what the minima leave of S·t.
func countRows(in *flex.Instance, orders [][]int, at []float64) []*prices.Chain {
	n := len(in.Jobs)
	sets := min(n, sizesOfSets)
	chains := make([]*prices.Chain, len(orders))
	for i, order := range orders {
		c := &prices.Chain{First: make([]int, n), Most: make([][]float64, sets)}
		for rank, j := range order {
			c.First[j] = rank * sets / n
		}
		for s := range c.Most {
			c.Most[s] = make([]float64, len(at))
		}
		chains[i] = c
	}
	total := 0.0
	for j := range in.Jobs {
		total += in.Jobs[j].Work
	}
	type missing struct {
		job  int
		work float64
	}
	var able []missing
	counts := make([]int, sets)
	left := make([]float64, sets)
	for k, t := range at {
		slots := float64(in.Slots) * t
		free := slots + countTolerance*float64(n)*(slots+total)
		able = able[:0]
		for j := range in.Jobs {
			job := &in.Jobs[j]
			forced := float64(job.Min) * t
			free -= min(forced, job.Work)
			if job.Work <= float64(job.Max)*t*(1+1e-12) {
				able = append(able, missing{j, max(0, job.Work-forced)})
			}
		}
		slices.SortFunc(able, func(a, b missing) int { return cmp.Compare(a.work, b.work) })
		for _, c := range chains {
			clear(counts)
			for s := range left {
				left[s] = free
			}
			for _, m := range able {
				for s := c.First[m.job]; s < sets; s++ {
					if m.work <= left[s] {
						left[s] -= m.work
						counts[s]++
					} else {
						left[s] = math.Inf(-1)
					}
				}
			}
			for s, v := range counts {
				c.Most[s][k] = float64(v)
			}
		}
	}
	return chains
}

// countTolerance is the relative slack, a job, by which work may be more than fits: counts may err upwards only.
const countTolerance = 1e-12
