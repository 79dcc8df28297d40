package sim

import (
	"fmt"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/simulation"
)

// Volume is tasks times mean duration times dominant share on the given servers, summed: seconds.
func (w *Workload) Volume(cluster []Servers) float64 {
	sum, total := 0., capacity(cluster)
	for i := range w.Jobs {
		for k := range w.Jobs[i].Phases {
			p := &w.Jobs[i].Phases[k]
			sum += float64(float64(p.Tasks) * p.Mean * cloning.DominantShare([]float64{p.CPU, p.Mem}, total))
		}
	}
	return sum
}

// Load is the load that the first copies of w's tasks offer the given servers in a time, seconds (models.Load).
func (w *Workload) Load(cluster []Servers, time float64) float64 {
	work := make([]float64, 2)
	for i := range w.Jobs {
		for k := range w.Jobs[i].Phases {
			p := &w.Jobs[i].Phases[k]
			seconds := float64(p.Tasks) * p.Mean
			work[0] += float64(seconds * p.CPU)
			work[1] += float64(seconds * p.Mem)
		}
	}
	return models.Load(work, capacity(cluster), time)
}

func capacity(cluster []Servers) []float64 {
	total := make([]float64, 2)
	for _, s := range cluster {
		total[0] += float64(float64(s.Count) * s.CPU)
		total[1] += float64(float64(s.Count) * s.Mem)
	}
	return total
}

// atLeast returns the workload without the jobs of fewer tasks than least.
func (w *Workload) atLeast(least int) (*Workload, error) {
	if least <= 1 {
		return w, nil
	}
	some := NewWorkload(w.Cluster)
	for i := range w.Jobs {
		tasks := 0
		for k := range w.Jobs[i].Phases {
			tasks += w.Jobs[i].Phases[k].Tasks
		}
		if tasks >= least {
			some.Jobs = append(some.Jobs, w.Jobs[i])
		}
	}
	if len(some.Jobs) == 0 {
		return nil, fmt.Errorf("no job of the workload has as many as least_tasks, %d", least)
	}
	return some, nil
}

// serversFor returns on how many servers, of the given kinds in their proportions, the first copies of w's tasks offer the load
// nearest to the given one between the first arrival and the last. It is an error when not every task fits on one of them.
func (w *Workload) serversFor(kinds []Servers, load float64) (int, error) {
	first, last := math.Inf(1), 0.
	for i := range w.Jobs {
		first, last = min(first, w.Jobs[i].Arrival), max(last, w.Jobs[i].Arrival)
	}
	all := 0
	for _, s := range kinds {
		all += s.Count
	}
	exact := float64(all) * w.Load(kinds, last-first) / load
	if last == first || exact > MaxServers {
		return 0, &simulation.Fault{Err: fmt.Errorf("load %v cannot be met by at most %d servers between the first arrival, at %v, and "+
			"the last, at %v", load, MaxServers, first, last)}
	}
	n := models.Units(exact, 1)
	some := Scale(kinds, n)
	for i := range w.Jobs {
		if !Fit(some, w.Jobs[i].Phases) {
			return 0, &simulation.Fault{Job: w.Jobs[i].ID, Err: fmt.Errorf("load %v takes %d servers, and a task of job %q fits on none "+
				"of them", load, n, w.Jobs[i].ID)}
		}
	}
	return n, nil
}

// Fit reports whether a task of each of the phases fits on some server when that is empty.
func Fit(cluster []Servers, phases []Phase) bool {
	return !slices.ContainsFunc(phases, func(p Phase) bool {
		return !slices.ContainsFunc(cluster, func(s Servers) bool { return p.CPU <= s.CPU && p.Mem <= s.Mem })
	})
}
