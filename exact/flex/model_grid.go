package flex

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/flex"
)

// Grid is the model of step penalties without any order: z[j,k] says that job j takes the k-th level of its penalty and then
// ends exactly at that level's time, or when its minimum ends it. The times are known, so there is no product to linearise
// and no large constant.
var Grid = &exact.Formulation[*flex.Instance, flex.Schedule]{
	Name: "grid",
	Doc: "known completion times, one binary a job and penalty level\n\ndocs/problems/flex.md#models; grid property in " +
		"docs/design/flex.md#grid-property-and-water-filling.",
	Applies: func(in *flex.Instance) error {
		if err := oneMetric(in); err != nil {
			return err
		}
		if in.Objective.Metric != flex.Tardy && in.Objective.Metric != flex.SLA {
			return fmt.Errorf("it states step penalties, tardy and sla, not %s", in.Objective.Metric)
		}
		if size := gridSize(in); size > mostNonzeros {
			return fmt.Errorf("its rows would have about %.1g coefficients, more than %.0g", size, mostNonzeros)
		}
		return nil
	},
	Rows: []exact.Row{
		{Name: "slots", Statement: "Σ_j w_jq ≤ S, w_jq the rate of job j in interval q of the grid"},
		{Name: "minimum", Statement: "w_jq ≥ m_j·Σ_(k: t_jk ≥ end of q) z_jk"},
		{Name: "maximum", Statement: "w_jq ≤ M_j·Σ_(k: t_jk ≥ end of q) z_jk"},
		{Name: "work", Statement: "Σ_q w_jq·L_q = W_j"},
		{Name: "level", Statement: "Σ_k z_jk = 1: job j takes one penalty level and ends at its time t_jk"},
	},
	Build: buildGrid,
}

// mostNonzeros is how many coefficients a grid model may have. A larger one fills the memory before a solver begins.
const mostNonzeros = 2e7

// gridSize is about the number of coefficients of a grid model: each level of a job is in one or two rows for each time up to it that is a
// level of any job.
func gridSize(in *flex.Instance) float64 {
	levels := 0.0
	for j := range in.Jobs {
		levels += float64(len(in.StepTimes(j)) + 1)
	}
	return levels * levels
}

// sliver is the length, in units of the horizon, below which an interval has no columns: coefficients of that size are lost
// on solvers, and what could be done in it is less than what rounding may leave undone.
const sliver = flex.RealizeTolerance

// buildGrid states work in units of the horizon.
func buildGrid(in *flex.Instance, _ exact.BuildOptions) (*exact.BuiltModel[flex.Schedule], error) {
	n, unit := len(in.Jobs), flex.Horizon(in)
	m := &milp.Model{Name: in.Name + "-grid"}
	options := make([][]option, n)
	z := make([][]int, n)
	var grid []float64
	for j := range in.Jobs {
		options[j] = optionsOf(in, j, flex.Horizon(in))
		for k, o := range options[j] {
			z[j] = append(z[j], m.Binary(fmt.Sprintf("z[%s,%d]", in.Jobs[j].ID, k), o.penalty))
			grid = append(grid, o.time)
		}
		m.Relate(fmt.Sprintf("level[%s]", in.Jobs[j].ID), 1, 1, milp.Total(z[j]...))
	}
	slices.Sort(grid)
	grid = slices.Compact(grid)
	work, slots := make([][]int, n), make([]milp.Sum, len(grid))
	// w[j,q] is job j's rate in interval q, in slots: numbers of one size in every row.
	for j := range in.Jobs {
		job := &in.Jobs[j]
		var total milp.Sum
		start, last := 0.0, options[j][len(options[j])-1].time
		for q, end := range grid {
			if start >= last {
				break
			}
			if end-start < sliver*unit {
				work[j] = append(work[j], -1)
				start = end
				continue
			}
			label := fmt.Sprintf("[%s,%d]", job.ID, q)
			w := m.AddCol(milp.Col{Name: "w" + label, Hi: float64(job.Max)})
			work[j] = append(work[j], w)
			k := slices.IndexFunc(options[j], func(o option) bool { return o.time >= end })
			still := milp.Total(z[j][k:]...)
			m.Relate("maximum"+label, -milp.Inf, 0, milp.Of(w, 1), still.Times(-float64(job.Max)))
			if job.Min > 0 {
				m.Relate("minimum"+label, 0, milp.Inf, milp.Of(w, 1), still.Times(-float64(job.Min)))
			}
			total = append(total, milp.Of(w, (end-start)/unit)...)
			slots[q] = append(slots[q], milp.Of(w, 1)...)
			start = end
		}
		m.Relate(fmt.Sprintf("work[%s]", job.ID), job.Work/unit, job.Work/unit, total)
	}
	for q := range grid {
		m.Relate(fmt.Sprintf("slots[%d]", q), -milp.Inf, float64(in.Slots), slots[q])
	}

	g := &gridColumns{in, options, z, work, grid, len(m.Cols), flex.NewFilling(in).KeepRates()}
	return &exact.BuiltModel[flex.Schedule]{Model: m, Grain: grain(in), Decode: g.decode, Encode: g.encode}, nil
}

// gridColumns give the meaning of a grid model's columns.
type gridColumns struct {
	in      *flex.Instance
	options [][]option
	z       [][]int // by job and option
	work    [][]int // by job and interval; −1: a sliver
	grid    []float64
	columns int
	fill    *flex.Filling
}

func (g *gridColumns) decode(x []float64) (flex.Schedule, error) {
	times := make([]float64, len(g.z))
	for j := range g.z {
		times[j] = g.options[j][milp.Chosen(x, g.z[j])].time
	}
	plan, _, ok := flex.Realize(g.in, g.fill, times)
	if !ok {
		return nil, errors.New("flex: the levels that the solver chose cannot be met")
	}
	return plan, nil
}

func (g *gridColumns) encode(s flex.Schedule) ([]float64, error) {
	done := flex.Completions(g.in, s)
	if done == nil {
		return nil, errors.New("the schedule does not complete every job")
	}
	x := make([]float64, g.columns)
	times := make([]float64, len(g.z))
	for j := range g.z {
		k := slices.IndexFunc(g.options[j], func(o option) bool { return !flex.After(done[j], o.time) })
		if k < 0 {
			k = len(g.z[j]) - 1
		}
		times[j] = g.options[j][k].time
		x[g.z[j][k]] = 1
	}
	if !g.fill.Fits(times, flex.RealizeTolerance) {
		return nil, fmt.Errorf("the schedule's levels cannot be met at their times: the grid property is broken")
	}
	g.fill.Rates(func(j int, start, end, rate float64) {
		q, _ := slices.BinarySearch(g.grid, start+(end-start)*1e-9)
		for ; q < len(g.work[j]) && start < end; q++ { // the remainder is rounding
			from := 0.0
			if q > 0 {
				from = g.grid[q-1]
			}
			share := (math.Min(end, g.grid[q]) - math.Max(start, from)) / (g.grid[q] - from)
			if share > 0 && g.work[j][q] >= 0 {
				x[g.work[j][q]] += rate * share
			}
			start = g.grid[q]
		}
	})
	return x, nil
}
