package cloning

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// Graphene packs by an order that it plans for every job on its own.
var Graphene = sim.Policy{
	Policy: models.Policy{
		Name: "graphene",
		Doc: "simplified: as tetris, with resource fit weighted by a plan of the job that has troublesome phases first\n\n" +
			"Grandl et al., Graphene: Packing and Dependency-Aware Scheduling for Data-Parallel Clusters, OSDI 2016, sections 4 " +
			"and 5. docs/problems/cloning.md#graphene.",
	},
	Params: []models.Param{epsilonParam},
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		z := newSizes(s, 0)
		weights := make([][]float64, len(s.Instance().Jobs))
		return sim.Rules{
			Changes: sim.OnProgress, Pack: sim.Blend, Epsilon: v.Float(epsilonParam.Name),
			Rank: func(job, phase, copies int) (sim.Rank, bool) {
				if weights[job] == nil {
					weights[job] = planWeights(&s.Instance().Jobs[job], z.phases(job))
				}
				return sim.Rank{Key: z.work(job), Weight: weights[job][phase]}, copies == 0
			},
		}
	},
}

// planWeights turns a job's plan into weights: 1 for the first phase, and 1/n for the last of n.
func planWeights(job *cloning.Job, sizes []phaseSize) []float64 {
	n := len(sizes)
	weights := make([]float64, n)
	for i, k := range plannedOrder(job, sizes) {
		weights[k] = float64(n-i) / float64(n)
	}
	return weights
}

// thresholds bounds the choices of troublesome phases that are tried.
const thresholds = 8

// plannedOrder orders the phases of a job: of several choices of troublesome phases, the longest or the hardest to pack, it takes
// the one whose order makes the job the shortest alone on the cluster.
func plannedOrder(job *cloning.Job, sizes []phaseSize) []int {
	if len(sizes) == 1 {
		return []int{0}
	}
	var best []int
	shortest := math.Inf(1)
	for _, trouble := range [2]func(k int) float64{
		func(k int) float64 { return job.Phases[k].Mean },
		func(k int) float64 { return sizes[k].share },
	} {
		values := make([]float64, len(sizes))
		for k := range values {
			values[k] = trouble(k)
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for i := range min(thresholds, len(values)) {
			least := values[i*len(values)/min(thresholds, len(values))]
			starts, length := alone(job, sizes, troubleFirst(job, sizes, func(k int) bool { return trouble(k) >= least }))
			if length < shortest {
				best, shortest = starts, length
			}
		}
	}
	return best
}

// troubleFirst orders phases: troublesome ones and their ancestors before all others, then by longest path to the end.
func troubleFirst(job *cloning.Job, sizes []phaseSize, troublesome func(k int) bool) []int {
	first := make([]bool, len(sizes))
	order := job.Order()
	for i := len(order) - 1; i >= 0; i-- { // children before parents
		k := order[i]
		first[k] = first[k] || troublesome(k)
		if first[k] {
			for _, p := range job.Phases[k].Parents {
				first[p] = true
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if first[a] != first[b] {
			if first[a] {
				return -1
			}
			return 1
		}
		return cmp.Compare(sizes[b].path, sizes[a].path)
	})
	return order
}

// alone runs a job by list scheduling on a cluster that is one server, and returns the phases by the start of their first tasks,
// and its length.
func alone(job *cloning.Job, sizes []phaseSize, order []int) (starts []int, length float64) {
	type wave struct {
		end          float64
		phase, tasks int
	}
	n := len(sizes)
	waits, left, unstarted := make([]int, n), make([]int, n), make([]int, n)
	for k := range job.Phases {
		waits[k], left[k], unstarted[k] = len(job.Phases[k].Parents), job.Phases[k].Tasks, job.Phases[k].Tasks
	}
	children := job.Children()
	var running []wave
	now, free := 0.0, 1.0
	for done := 0; done < n; {
		for _, k := range order {
			if waits[k] > 0 || unstarted[k] == 0 {
				continue
			}
			tasks := unstarted[k]
			if d := sizes[k].share; d > 0 {
				tasks = int(min(float64(tasks), math.Floor(free/d+1e-8)))
			}
			if tasks <= 0 { // by rounding free may be less than 0, which very small shares make many tasks of
				continue
			}
			if unstarted[k] == job.Phases[k].Tasks {
				starts = append(starts, k)
			}
			unstarted[k] -= tasks
			free -= float64(tasks) * sizes[k].share
			running = append(running, wave{now + job.Phases[k].Mean, k, tasks})
		}
		first := 0
		for i := range running {
			if running[i].end < running[first].end {
				first = i
			}
		}
		w := running[first]
		running = slices.Delete(running, first, first+1)
		now = w.end
		free += float64(w.tasks) * sizes[w.phase].share
		if len(running) == 0 {
			free = 1
		}
		left[w.phase] -= w.tasks
		if left[w.phase] == 0 {
			done++
			for _, c := range children[w.phase] {
				waits[c]--
			}
		}
	}
	return starts, now
}
