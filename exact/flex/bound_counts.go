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

// A counter bounds how many of the first jobs of each order can be done by each grid point t, whatever the schedule: those whose
// minimum brings them there, and of the others the most that fit, by work still missing, into what the minima leave of S·t.
type counter struct {
	in     *flex.Instance
	chains []*prices.Chain
	at     []float64
	most   [][][]float64 // by chain, set and grid point
}

func newCounter(in *flex.Instance) *counter {
	n := len(in.Jobs)
	c := &counter{in: in}
	for _, order := range countedSets(in) {
		chain := &prices.Chain{First: make([]int, n), Sets: min(n, sizesOfSets)}
		for rank, j := range order {
			chain.First[j] = rank * chain.Sets / n
		}
		c.chains = append(c.chains, chain)
	}
	return c
}

// violated lists the count rows that r's columns violate by more than slack, the most violated first, mostRows at most.
func (c *counter) violated(r *prices.Relaxation, slack float64) []prices.Row {
	c.count(r.At)
	type excess struct {
		row prices.Row
		by  float64
	}
	var found []excess
	for i, sets := range c.most {
		for s, most := range sets {
			for k := 1; k < len(most); k++ {
				if by := r.Counted(i, s, k) - most[k]; by > slack {
					found = append(found, excess{prices.Row{Chain: i, Set: s, Point: k, Most: most[k]}, by})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b excess) int { return cmp.Compare(b.by, a.by) })
	var rows []prices.Row
	for _, e := range found[:min(len(found), mostRows)] {
		rows = append(rows, e.row)
	}
	return rows
}

// mostRows is the largest number of rows that are added at a time.
const mostRows = 1000

// count fills most for a grid.
func (c *counter) count(at []float64) {
	if slices.Equal(at, c.at) {
		return
	}
	in, n := c.in, len(c.in.Jobs)
	c.at, c.most = at, make([][][]float64, len(c.chains))
	for i, chain := range c.chains {
		c.most[i] = make([][]float64, chain.Sets)
		for s := range c.most[i] {
			c.most[i][s] = make([]float64, len(at))
		}
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
	counts, left := make([]float64, sizesOfSets), make([]float64, sizesOfSets)
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
		for i, chain := range c.chains {
			clear(counts)
			for s := range left {
				left[s] = free
			}
			for _, m := range able {
				for s := chain.First[m.job]; s < chain.Sets; s++ {
					if m.work <= left[s] {
						left[s] -= m.work
						counts[s]++
					} else {
						left[s] = math.Inf(-1)
					}
				}
			}
			for s := range c.most[i] {
				c.most[i][s][k] = counts[s]
			}
		}
	}
}

// countTolerance is the relative slack, a job, by which work may be more than fits: counts may err upwards only.
const countTolerance = 1e-12
