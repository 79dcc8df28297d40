package redundancy

import (
	"fmt"
	"math"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// Moves take redundancy instances apart. The speed of the algorithms' machines and multitasking stay as they are.
var Moves = &models.Moves[*redundancy.Instance]{
	Parts: parts, Mend: mend, Jobs: "jobs",
}

// The values worth trying: ratios do not depend on the unit of time.
const (
	leastWork, mostWork = 1e-2, 1e3
	mostMachines        = 12
)

func parts(in *redundancy.Instance) models.Parts {
	jobs := models.ListOf("jobs", "jobs", "j", &in.Jobs)
	jobs.Split = func(j int, share float64) {
		jobs.Copy(j)
		in.Jobs[j].Work, in.Jobs[j+1].Work = in.Jobs[j].Work*share, in.Jobs[j].Work*(1-share)
	}
	jobs.Merge = func(i, j int) {
		in.Jobs[i].Work += in.Jobs[j].Work
		jobs.Drop(j)
	}
	p := models.Parts{Lists: []models.List{jobs}}
	machines := models.NumberOf("machines", "machines", "", &in.Machines, 1, mostMachines)
	machines.Set = func(v float64) { in.Machines = int(v); mend(in) }
	p.Numbers = append(p.Numbers, machines)
	for r := 1; r < len(in.Speedup); r++ {
		p.Numbers = append(p.Numbers, models.NumberOf(fmt.Sprintf("speedup[%d]", r), "speedup", "", &in.Speedup[r], 1,
			float64(r+1)).Or(in.Speedup[r-1]))
	}
	for j := range in.Jobs {
		job, at := &in.Jobs[j], fmt.Sprintf("jobs[%d].", j)
		p.Numbers = append(p.Numbers,
			models.NumberOf(at+"arrival", "arrival", "work", &job.Arrival, 0, 10*mostWork).Or(0),
			models.NumberOf(at+"work", "work", "work", &job.Work, leastWork, mostWork))
	}
	return p
}

// mend keeps the table of speedups as long as there are machines, concave, and to three decimals.
func mend(in *redundancy.Instance) {
	in.Machines = max(1, in.Machines)
	for len(in.Speedup) < in.Machines {
		in.Speedup = append(in.Speedup, math.Inf(1)) // as much as concavity allows
	}
	in.Speedup = in.Speedup[:in.Machines]
	derive.Concave(in.Speedup)
}
