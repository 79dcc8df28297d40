// Package makespantest is P‖C_max, jobs on identical machines, as a sixth problem: the walk that CONTRIBUTING.md shows.
// Tests register it beside the others.
package makespantest

import (
	"embed"
	"fmt"

	"schedgap/models"
	"schedgap/models/strict"
)

// An Instance has jobs of whole processing times and identical machines. The tags are the format of its files.
type Instance struct {
	models.Header `json:"-"`
	Machines      int   `json:"machines" is:"1..1000" doc:"identical machines"`
	Times         []int `json:"times" is:"some,1..1000000" doc:"processing times of the jobs"`
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Solution says on which machine each job runs, from 0.
type Solution struct {
	Machine []int `json:"machine" doc:"by job, from 0"`
}

// files are small instances that tests share, and suites.
//
//go:embed examples/*.json *.yaml
var files embed.FS

// Problem is P‖C_max.
var Problem = &models.Problem[*Instance, Solution]{
	Name: "makespan", Title: "on which of identical machines each job runs", Sense: models.Minimize,
	Doc:        "on which of identical machines each job runs\n\nGraham, Bounds on Multiprocessing Timing Anomalies, 1969.",
	References: []models.Reference{{Name: "opt", Doc: "all assignments"}},
	Constraints: []models.Constraint{
		{Name: "machine", Statement: "Σ_i x_ij = 1 for every job j", Source: "Graham 1969"},
		{Name: "objective", Statement: "a claimed objective is max_i Σ_j p_j·x_ij to 1e-6, relative", Source: "Graham 1969"},
	},
	InstanceForm: Instance{}, SolutionForm: Solution{}, Examples: files,
	DecodeInstance: func(f *strict.File, h models.Header) *Instance {
		in := &Instance{Header: h}
		f.Read(in)
		return in
	},
	DecodeSolution: func(f *strict.File, _ *Instance) (s Solution) {
		f.Read(&s)
		return s
	},
	EncodeSolution: func(_ *Instance, s Solution) any { return s },
	Check:          check,
	Size:           func(in *Instance) models.Size { return models.Size{Jobs: len(in.Times), Machines: in.Machines} },
	Compare:        func(*Instance) models.Comparison { return models.Quotient },
	Features:       func(in *Instance) map[string]any { return map[string]any{"machines": float64(in.Machines)} },
}

// check recomputes the makespan; a job on no machine never completes.
func check(in *Instance, s Solution) (r models.Report) {
	loads, makespan := make([]int, in.Machines), 0
	for j := range max(len(in.Times), len(s.Machine)) {
		if j >= len(in.Times) || j >= len(s.Machine) || s.Machine[j] < 0 || s.Machine[j] >= in.Machines {
			r.Violations = append(r.Violations, models.Violation{Constraint: "machine", Where: fmt.Sprintf("machine[%d]", j), Amount: 1})
			continue
		}
		loads[s.Machine[j]] += in.Times[j]
		makespan = max(makespan, loads[s.Machine[j]])
	}
	if value := float64(makespan); len(r.Violations) == 0 {
		r.Objective = &value
	}
	return r
}
