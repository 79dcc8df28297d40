package cloning

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// The mixes of jobs.
//
//   - The paper's suite (sections 6.1 and 6.2) is known by its applications, input sizes and the origin of its requests. Its job
//     sizes are said to come from the Google trace as well, which the inputs contradict: here the input decides, a map task for
//     every block and a reduce task for every four maps, a fixed portion as in the paper. WordCount is one map and one
//     reduce phase, PageRank some such rounds, one after the other. A job's tasks request what one of the trace's does, of the
//     cluster's largest server. The durations are not told; a phase's mean is uniform around task_seconds, give or take
//     mean_within.
//   - google takes the number of tasks and the requests of each job, and the mean duration of each of its phases, from the
//     marginal quantiles of the trace's window, independently. The tasks are divided among the phases of a graph of the chosen
//     shape: the trace records none.
//   - pareto is heavy-tailed by options, like Generator.
const (
	mixSuite     = "suite"
	mixWordCount = "wordcount"
	mixPageRank  = "pagerank"
	mixGoogle    = "google"
	mixPareto    = "pareto"
)

const (
	megabytes     = 1024 // of a GB
	mapsPerReduce = 4
)

// A drawing draws jobs.
type drawing struct {
	v                          models.Values
	graphs, durations, demands *rand.Rand
	largest                    []float64 // capacity of the largest server
}

func (d *drawing) job() []sim.Phase {
	mix := d.v.Text("mix")
	if mix == mixSuite {
		mix = []string{mixWordCount, mixPageRank}[d.graphs.IntN(2)]
	}
	size, seconds := d.v.Float(input), d.v.Float(taskTime)
	switch mix {
	case mixPageRank:
		if d.graphs.IntN(2) == 0 {
			size /= 10
		}
		return d.application(size, d.v.Int("rounds"), seconds)
	case mixWordCount:
		return d.application(size, 1, cmp.Or(d.v.Float("wordcount_seconds"), seconds))
	case mixGoogle:
		return d.google()
	}
	list := d.graph()
	for k := range list {
		d.size(&list[k], drawTasks(d.v, d.graphs), drawMean(d.v, d.durations),
			[]float64{derive.Uniform(d.v, "demand", d.demands), derive.Uniform(d.v, "demand", d.demands)})
	}
	return list
}

// application is rounds of maps and reduces over an input of so many GB, their tasks of about so many seconds.
func (d *drawing) application(size float64, rounds int, seconds float64) []sim.Phase {
	maps := max(1, int(math.Round(size*megabytes/d.v.Float("block"))))
	demand := d.request()
	list := make([]sim.Phase, 2*rounds)
	for k := range list {
		tasks := maps
		if k%2 == 1 {
			tasks = max(1, maps/mapsPerReduce)
		}
		if k > 0 {
			list[k].Parents = []int{k - 1}
		}
		d.size(&list[k], tasks, seconds*(1+float64(d.v.Float("mean_within")*(2*d.durations.Float64()-1))), demand)
	}
	return list
}

func (d *drawing) google() []sim.Phase {
	list, demand := d.graph(), d.request()
	tasks := int(googleTasks.draw(d.graphs))
	for k := range list {
		share := (k+1)*tasks/len(list) - k*tasks/len(list)
		d.size(&list[k], max(1, share), googleSeconds.draw(d.durations), demand)
	}
	return list
}

// graph makes the phases of the shape that the options ask for, with nothing but their parents.
func (d *drawing) graph() []sim.Phase {
	var list []sim.Phase
	for _, p := range graph(d.v.Text("shape"), d.v.Int("phases"), d.graphs) {
		list = append(list, sim.Phase{Parents: p.Parents})
	}
	return list
}

// request draws what all tasks of a job of Google's trace request, over the largest server.
func (d *drawing) request() []float64 {
	return []float64{googleCPU.draw(d.demands), googleMemory.draw(d.demands)}
}

// size fills in a phase; demand is over the largest server.
func (d *drawing) size(p *sim.Phase, tasks int, mean float64, demand []float64) {
	p.Tasks = tasks
	p.Mean = max(0.001, derive.RoundTo(mean, 3))
	cv := derive.Uniform(d.v, "cv", d.durations)
	if d.v.Text("spread") == ofTrace {
		cv = googleSpread.draw(d.durations)
	}
	p.SD = derive.RoundTo(p.Mean*cv, 3)
	p.CPU = min(d.largest[0], derive.RoundTo(demand[0]*d.largest[0], 5))
	p.Mem = min(d.largest[1], derive.RoundTo(demand[1]*d.largest[1], 5))
}

// A marginal is the inverse of a distribution function, by some quantiles; between two of them it is geometric.
type marginal []struct{ p, value float64 }

func (m marginal) draw(rng *rand.Rand) float64 {
	u := rng.Float64()
	i := slices.IndexFunc(m, func(q struct{ p, value float64 }) bool { return u < q.p })
	a, b := m[i-1], m[i] // the first p is 0 and the last 1
	return a.value * math.Pow(b.value/a.value, (u-a.p)/(b.p-a.p))
}

// Marginals of ClusterData 2011-2 (Google, CC-BY 4.0), parts 0 to 13 of task_events: tasks of the jobs submitted there,
// durations of finished tasks from last SCHEDULE to FINISH, requests of tasks over the largest machine.
var (
	googleTasks = marginal{
		{0, 1}, {.793, 1}, {.85, 10}, {.9, 18}, {.95, 100}, {.98, 243}, {.99, 967}, {.995, 1050}, {.999, 4000}, {1, 10_500},
	}
	googleSeconds = marginal{
		{0, 12.79}, {.05, 42.4}, {.25, 181.3}, {.5, 471.6}, {.75, 1552}, {.95, 8375}, {.99, 14_006}, {1, 48_534},
	}
	// Standard deviations over means of the durations of the 346 finished jobs of several tasks.
	googleSpread = marginal{{0, .001}, {.1, .0052}, {.25, .0215}, {.5, .0769}, {.75, .315}, {.9, .547}, {.99, 1.18}, {1, 3.4}}
	googleCPU    = marginal{
		{0, .00625}, {.05, .00625}, {.25, .0125}, {.5, .02499}, {.75, .0625}, {.95, .09998}, {.99, .125}, {1, .5},
	}
	googleMemory = marginal{
		{0, .00155}, {.05, .00249}, {.25, .01102}, {.5, .02545}, {.75, .03339}, {.95, .1243}, {.99, .1592}, {1, .2544},
	}
)
