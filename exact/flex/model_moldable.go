package flex

import (
	"fmt"
	"math"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/flex"
)

// Allocation is the paper's resource allocation program as it is printed, F_j(s_j) by a binary for each number of slots.
var Allocation = &exact.Formulation[*flex.Instance, flex.Schedule]{
	Name: "allocation",
	Doc: "one binary a job and number of slots, for moldable schedules\n\n" +
		"Wolf et al. 2010, section 3.2: min Σ_j F_j(s_j) or max_j F_j(s_j) with Σ_j s_j ≤ S and m_j ≤ s_j ≤ M_j, F_j(s) the penalty " +
		"of completing at W_j/s.",
	Applies: func(in *flex.Instance) error {
		least, columns := 0, 0
		for _, job := range in.Jobs {
			least += max(1, job.Min)
			columns += job.Max
		}
		switch {
		case least > in.Slots:
			return fmt.Errorf("every schedule needs %d slots for the minima, of which there are %d", least, in.Slots)
		case columns > allocationColumns:
			return fmt.Errorf("it would have more than %d columns", allocationColumns)
		}
		return nil
	},
	Rows: []exact.Row{
		{Name: "slots", Statement: "Σ_j Σ_s s·x_js ≤ S"},
		{Name: "one", Statement: "Σ_s x_js = 1 for every job: it holds s slots, max(1, m_j) ≤ s ≤ M_j, until it has done W_j"},
		{Name: "penalty", Statement: "z ≥ Σ_s F_j(s)·x_js, max objectives"},
	},
	Build: buildAllocation,
}

// allocationColumns is the largest number of columns that the program is written with.
const allocationColumns = 1_000_000

func buildAllocation(in *flex.Instance, _ exact.BuildOptions) (*exact.BuiltModel[flex.Schedule], error) {
	m := &milp.Model{Name: in.Name + "-allocation"}
	x := make([][]int, len(in.Jobs))
	var slots milp.Sum
	peak := -1
	if in.Objective.Aggregate == flex.Max {
		peak = m.AddCol(milp.Col{Name: "peak", Lo: -milp.Inf, Hi: milp.Inf, Cost: 1})
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		var penalty milp.Sum
		for s := max(1, job.Min); s <= job.Max; s++ {
			col := m.Binary(fmt.Sprintf("x[%s,%d]", job.ID, s), 0)
			x[j] = append(x[j], col)
			slots = append(slots, milp.Of(col, float64(s))...)
			penalty = append(penalty, milp.Of(col, in.Penalty(j, job.Work/float64(s)))...)
		}
		m.Relate(fmt.Sprintf("one[%s]", job.ID), 1, 1, milp.Total(x[j]...))
		if peak >= 0 {
			m.Relate(fmt.Sprintf("penalty[%s]", job.ID), 0, milp.Inf, milp.Of(peak, 1), penalty.Times(-1))
		} else {
			m.Pay(penalty)
		}
	}
	m.Relate("slots", -milp.Inf, float64(in.Slots), slots)
	return &exact.BuiltModel[flex.Schedule]{
		Model: m,
		Decode: func(point []float64) (flex.Schedule, error) {
			held := make([]int, len(x))
			for j, cols := range x {
				held[j] = max(1, in.Jobs[j].Min) + milp.Chosen(point, cols)
			}
			return constantSchedule(in, held), nil
		},
		Encode: func(s flex.Schedule) ([]float64, error) {
			done := flex.Completions(in, s)
			if done == nil {
				return nil, fmt.Errorf("the schedule does not complete every job")
			}
			point := make([]float64, len(m.Cols))
			for j, cols := range x {
				job := &in.Jobs[j]
				i := int(math.Round(job.Work/done[j])) - max(1, job.Min)
				if i < 0 || i >= len(cols) || flex.After(done[j], job.Work/float64(i+max(1, job.Min))) {
					return nil, fmt.Errorf("job %s does not hold one number of slots, so the schedule has no point in the program", job.ID)
				}
				point[cols[i]] = 1
			}
			if peak >= 0 {
				point[peak] = in.Value(done)
			}
			return point, nil
		},
	}, nil
}
