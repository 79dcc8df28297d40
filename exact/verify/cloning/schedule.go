package cloning

import (
	"errors"
	"fmt"

	"schedgap/models/cloning"
)

// A Schedule is the line of a proof with its solution: copies as job, phase, task, server, start, end.
type Schedule struct {
	Copies [][6]int `json:"solution"`
}

// mostCost is the largest cost that proofs speak of: 2^-12 slots of it are counted in whole numbers.
const mostCost = 1 << 50

// Cost is the sum of flowtimes of a schedule that keeps to all constraints of docs/problems/cloning.md. The checker decides in exact
// arithmetic, with its tolerance of 1e-6 of a capacity.
func (s *Schedule) Cost(in *cloning.Instance, fixed bool) (int, error) {
	of, ends, cost := cloning.Solution{}, make([]int, len(in.Jobs)), 0.0
	if fixed {
		of.Regime = cloning.Nonpreemptive
	}
	for i, c := range s.Copies {
		if c[0] < 0 || c[0] >= len(ends) || c[4] < 0 || c[5] > 1<<53 {
			return 0, fmt.Errorf("solution[%d] is no copy of the instance", i)
		}
		ends[c[0]] = max(ends[c[0]], c[5])
		of.Copies = append(of.Copies, cloning.Copy{
			Task: cloning.Task{Job: c[0], Phase: c[1], Index: c[2]}, Server: c[3], Start: c[4], End: c[5],
		})
	}
	report := cloning.Problem.Check(in, of)
	if list := report.Violations; len(list) > 0 {
		return 0, fmt.Errorf("the solution violates %s: %s, by %v", list[0].Constraint, list[0].Where, list[0].Amount)
	}
	for j := range ends {
		cost += float64(ends[j] - in.Jobs[j].Arrival)
	}
	switch {
	case cost != *report.Objective:
		return 0, errors.New("a server has more copies at once than its capacity")
	case cost > mostCost:
		return 0, fmt.Errorf("the solution costs more than %d slots", mostCost)
	}
	return int(cost), nil
}
