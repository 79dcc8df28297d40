package cloning

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// Workloads makes the workloads of the simulator.
var Workloads = sim.Source{Specs: workloadSpecs(), Generate: generateWorkload, FromTrace: workloadFromTrace}

const (
	regular  = "regular"
	input    = "input"
	taskTime = "task_seconds"
	gap      = "gap"

	uniformly = "uniform"
	ofTrace   = "trace"
)

// workloadSpecs describe the workloads of section 6 of the paper. mix says where sizes come from, see workload_mixes.go: from the
// paper's applications, from Google's trace or from the options that its Doc names. Whatever the mix, demands are shares of the
// cluster's largest server, on which every task fits. The paper gives no number for stragglers but that they are up to 20 times
// slower: the standard deviation of a phase is, by spread, a factor of its mean that is uniform from cv_from to cv_to, or one by
// the quantiles of Google's trace.
//
// Jobs come a mean of gap seconds apart or, when that is 0, so far apart that their first copies offer the load (models.Load), or
// when that is 0, too, that their dominant shares times durations make dominant_share_load.
//
// Graphs, durations, demands, arrivals and servers have random streams of their own, so an option leaves all
// other draws unchanged.
func workloadSpecs() []models.Param {
	cluster := ClusterParams()
	cluster[0].Default, cluster[1].Default = paperCluster, 30_000
	return slices.Concat([]models.Param{
		models.Between("jobs", 100, 1, 1e7, "number of jobs"),
		models.Choice("mix", mixSuite, []string{mixSuite, mixWordCount, mixPageRank, mixGoogle, mixPareto},
			"suite: WordCount and PageRank jobs, equally likely; google: tasks, durations and requests by the quantiles of "+
				"Google's 2011 trace; pareto: by the options that say so"),
		models.Between(input, 10.0, 1e-3, 1e5,
			"input of WordCount jobs and of half of the PageRank jobs; the other half has a tenth; GB"),
		models.Between(taskTime, 30.0, 0.1, 1e6, "mean duration of the tasks of suite, wordcount and pagerank, seconds"),
		models.Between("mean_within", 0.5, 0, 1,
			"suite, wordcount, pagerank: mean durations of phases are uniform around that of tasks, give or take this share"),
		models.Choice("shape", shapeMapReduce, shapes, "google, pareto: of the graphs; mixed: each job has one of the others"),
		models.Between("phases", 3, 1, 1000,
			"google, pareto: phases of chains and layered graphs, parallel phases of a fork-join"),
		models.Between("tasks", 1000, 1, 1e5, "pareto: most tasks of a phase"),
		models.Between("tasks_shape", 1.0, 0, 100, "pareto: shape of numbers of tasks; 0: uniform"),
		models.Between("mean_min", 10.0, 0.1, 1e6, "pareto: least mean duration, seconds"),
		models.Between("mean_max", 1000.0, 0.1, 1e6, "pareto: greatest mean duration, seconds"),
		models.Between("demand_from", 0.01, 0, 1, "pareto: least demand over the largest server"),
		models.Between("demand_to", 0.1, 0, 1, "pareto: greatest demand over the largest server"),
		models.Between("block", 128.0, 1, 1e6, "suite, wordcount, pagerank: input of a map task, MB"),
		models.Between("rounds", 3, 1, 1000, "rounds of a map and a reduce phase of PageRank jobs"),
		models.Between("wordcount_seconds", 0.0, 0, 1e6, "mean duration of the tasks of WordCount jobs, seconds; 0: task_seconds"),
		models.Between("requested_load", 0.0, 0, 1e3,
			"offered load that a common factor of all requests brings about, when gap is given: the paper tells the gap, "+
				"not the requests; 0: requests as drawn"),
		models.Between("widest", 1.0, 1e-3, 1, "most that requested_load lets a task request, over the largest server"),
		models.Choice("spread", uniformly, []string{uniformly, ofTrace},
			"standard deviations over means: uniform from cv_from to cv_to, or by the quantiles of Google's 2011 trace"),
		models.Between("cv_from", 0.5, 0, 100, "least standard deviation over the mean"),
		models.Between("cv_to", 2.0, 0, 100, "greatest standard deviation over the mean"),
		models.Choice("arrivals", online, []string{online, regular, transient},
			"at exponential distances, at equal ones, or all at time 0"),
		models.Between(gap, 0.0, 0, 1e6,
			"mean distance of arrivals, seconds (the paper: around 200 and around 20); 0: by load or dominant_share_load"),
		models.Between("load", 0.0, 0, 1e3, "offered load of arrivals, when gap is 0; 0: by dominant_share_load"),
		dominantShareLoad(0.5),
	}, cluster)
}

func generateWorkload(v models.Values, rng *rand.Rand) (*sim.Workload, error) {
	if err := v.AtMost("mean_min", "mean_max", "cv_from", "cv_to", "demand_from", "demand_to"); err != nil {
		return nil, err
	}
	streams := derive.Streams(rng, 5)
	list := Cluster(v, streams[4])
	d := &drawing{v: v, graphs: streams[0], durations: streams[1], demands: streams[2], largest: largestServer(list)}
	w := sim.NewWorkload(kinds(list), make([]sim.Job, v.Int("jobs"))...)
	for i := range w.Jobs {
		w.Jobs[i] = sim.Job{ID: fmt.Sprintf("job%d", i+1), Weight: 1, Phases: d.job()}
	}
	if load := v.Float("requested_load"); load > 0 && v.Float(gap) > 0 {
		request(w, load, v.Float(gap)*float64(len(w.Jobs)), d.largest, v.Float("widest"))
	}
	if kind := v.Text("arrivals"); kind != transient {
		between := v.Float(gap)
		if between == 0 {
			between = w.Volume(w.Cluster) / float64(len(w.Jobs)) / v.Float("dominant_share_load")
			if load := v.Float("load"); load > 0 {
				between = w.Load(w.Cluster, load) / float64(len(w.Jobs))
				w.Held = load
			}
		}
		at := 0.
		for i := range w.Jobs {
			w.Jobs[i].Arrival = derive.RoundTo(at, 3)
			if kind == online {
				at += float64(between * streams[3].ExpFloat64())
			} else {
				at += between
			}
		}
	}
	return w, w.Validate()
}

// request multiplies all requests by one factor, up to the share widest of the largest server, so that the jobs offer the load
// in the given time, or as near as they can.
func request(w *sim.Workload, load, time float64, largest []float64, widest float64) {
	var drawn [][2]float64
	for i := range w.Jobs {
		for _, p := range w.Jobs[i].Phases {
			drawn = append(drawn, [2]float64{p.CPU, p.Mem})
		}
	}
	low, high := 0., 1e6
	for range 60 {
		factor, n := (low+high)/2, 0
		for i := range w.Jobs {
			for k := range w.Jobs[i].Phases {
				p := &w.Jobs[i].Phases[k]
				p.CPU = derive.RoundTo(min(widest*largest[0], factor*drawn[n][0]), 5)
				p.Mem = derive.RoundTo(min(widest*largest[1], factor*drawn[n][1]), 5)
				n++
			}
		}
		if w.Load(w.Cluster, time) < load {
			low = factor
		} else {
			high = factor
		}
	}
}

// kinds gathers equal servers, the largest first.
func kinds(list []cloning.Server) []sim.Servers {
	counts := map[[2]float64]int{}
	for i := range list {
		counts[[2]float64(list[i].Capacity)]++
	}
	gathered := make([]sim.Servers, 0, len(counts))
	for capacity, n := range counts {
		gathered = append(gathered, sim.Servers{Count: n, CPU: capacity[0], Mem: capacity[1]})
	}
	slices.SortFunc(gathered, func(a, b sim.Servers) int { return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(b.Mem, a.Mem)) })
	return gathered
}
