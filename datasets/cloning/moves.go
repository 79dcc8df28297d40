package cloning

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Moves take cloning instances apart. The regime is the reference's, not the instance's.
var Moves = &models.Moves[*cloning.Instance]{
	Parts: parts, Mend: mend,
	Start: map[string]any{"shape": "mixed", "phases": 2, "tasks": 1, "mean_max": 4}, Jobs: "jobs",
}

// The values worth trying: optima of longer or larger jobs are not proven in a moment.
const (
	mostSlots   = 60
	mostTasks   = 8
	mostCopies  = 4
	mostServers = 5
)

func parts(in *cloning.Instance) models.Parts {
	jobs := models.ListOf("jobs", "jobs", "j", &in.Jobs)
	servers := models.ListOf("servers", "servers", "s", &in.Servers)
	double := servers.Copy
	servers.Copy = func(i int) {
		if len(in.Servers) < mostServers {
			double(i)
		}
	}
	p := models.Parts{Lists: []models.List{jobs, servers}}
	copies := models.NumberOf("max_copies", "max_copies", "", &in.MaxCopies, 1, mostCopies)
	copies.Set = func(v float64) { in.MaxCopies = int(v); mend(in) }
	p.Numbers = append(p.Numbers, copies,
		models.NumberOf("max_copies_per_server", "max_copies_per_server", "", &in.MaxCopiesPerServer, 1, mostCopies).Or(1))
	for i := range in.Servers {
		for r, name := range in.Resources {
			p.Numbers = append(p.Numbers, models.NumberOf(
				fmt.Sprintf("servers[%d].%s", i, name), "capacity "+name, name, &in.Servers[i].Capacity[r], 0, 100))
		}
	}
	for j := range in.Jobs {
		job, at := &in.Jobs[j], fmt.Sprintf("jobs[%d].", j)
		p.Lists = append(p.Lists, phaseList(at, job))
		p.Numbers = append(p.Numbers, models.NumberOf(at+"arrival", "arrival", "", &job.Arrival, 0, mostSlots).Or(0))
		for k := range job.Phases {
			p.Numbers = append(p.Numbers, phaseNumbers(in, fmt.Sprintf("%sphases[%d].", at, k), &job.Phases[k])...)
		}
	}
	p.Changes = []models.Change{{Name: "add or drop an edge of a job's graph", Do: func(rng *rand.Rand) {
		job := &in.Jobs[rng.IntN(len(in.Jobs))]
		k, parent := rng.IntN(len(job.Phases)), rng.IntN(len(job.Phases))
		phase := &job.Phases[k]
		if i := slices.Index(phase.Parents, parent); i >= 0 {
			phase.Parents = slices.Delete(phase.Parents, i, i+1)
		} else if k != parent { // a cycle is refused when the draft is read
			phase.Parents = append(phase.Parents, parent)
		}
	}}}
	return p
}

func phaseNumbers(in *cloning.Instance, at string, p *cloning.Phase) []models.Number {
	list := []models.Number{
		models.NumberOf(at+"tasks", "tasks", "", &p.Tasks, 1, mostTasks).Or(1),
		models.NumberOf(at+"mean", "mean", "time", &p.Mean, 0.1, mostSlots),
		models.NumberOf(at+"sd", "sd", "time", &p.SD, 0, mostSlots).Or(0),
	}
	for r, name := range in.Resources {
		list = append(list, models.NumberOf(at+name, name, name, &p.Demand[r], 0, 100))
	}
	for r := 1; r < len(p.Speedup); r++ {
		list = append(list, models.NumberOf(fmt.Sprintf("%sspeedup[%d]", at, r), "speedup", "", &p.Speedup[r], 1, float64(r+1)).Or(1))
	}
	return list
}

// phaseList is the list of a job's phases. The children of a dropped phase wait for its parents instead; a copy has the
// parents of its original.
func phaseList(at string, job *cloning.Job) models.List {
	l := models.ListOf(at+"phases", "phases", "p", &job.Phases)
	drop, double := l.Drop, l.Copy
	renumber := func(to func(k int) int) {
		for k := range job.Phases {
			for i := range job.Phases[k].Parents {
				job.Phases[k].Parents[i] = to(job.Phases[k].Parents[i])
			}
		}
	}
	l.Drop = func(i int) {
		inherited := job.Phases[i].Parents
		for k := range job.Phases {
			p := &job.Phases[k]
			at := slices.Index(p.Parents, i)
			if at < 0 {
				continue
			}
			p.Parents = slices.Delete(p.Parents, at, at+1)
			for _, parent := range inherited {
				if !slices.Contains(p.Parents, parent) {
					p.Parents = append(p.Parents, parent)
				}
			}
		}
		drop(i)
		renumber(func(k int) int {
			if k > i {
				return k - 1
			}
			return k
		})
	}
	l.Copy = func(i int) {
		double(i)
		renumber(func(k int) int {
			if k > i {
				return k + 1
			}
			return k
		})
	}
	l.Swap = func(i, j int) { // without their parents
		a, b := &job.Phases[i], &job.Phases[j]
		*a, *b = *b, *a
		a.Parents, b.Parents = b.Parents, a.Parents
		a.ID, b.ID = b.ID, a.ID
	}
	return l
}

// mend gives every phase a concave table of speedups of the right length, and brings demands down to the room of the
// largest server.
func mend(in *cloning.Instance) {
	if len(in.Servers) == 0 {
		return
	}
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			p := &in.Jobs[j].Phases[k]
			for len(p.Speedup) < in.MaxCopies {
				p.Speedup = append(p.Speedup, p.Speedup[len(p.Speedup)-1])
			}
			p.Speedup = p.Speedup[:in.MaxCopies]
			derive.Concave(p.Speedup)
			if !slices.ContainsFunc(in.Servers, func(s cloning.Server) bool { return cloning.Fits(p.Demand, s.Capacity) }) {
				largest := largestServer(in.Servers)
				for r := range p.Demand {
					p.Demand[r] = min(p.Demand[r], largest[r])
				}
			}
		}
	}
}
