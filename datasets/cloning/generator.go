package cloning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Generator makes random jobs on one of the clusters of ClusterParams.
//
//   - A job's graph has the shape of the option, see generator_shapes.go. Its numbers of tasks are uniform from 1 to tasks, or,
//     with tasks_shape above 0, Pareto with that shape from 1 on and cut at tasks.
//   - The mean duration of a phase is Pareto with shape 1 from mean_min on and cut at mean_max, in slots to one decimal;
//     its standard deviation is a uniform factor from cv_from to cv_to of it. h is the paper's fit, eq. (3).
//   - A task demands of each resource, independently, a uniform share from demand_from to demand_to of the cluster's largest
//     server, so that it fits there.
//   - Transient jobs are all there at slot 0. Online jobs come at exponential distances whose mean makes the offered load
//     (models.Load) the option load or, when that is 0, the originals' dominant shares times durations a slot the option
//     dominant_share_load.
//
// Everything is small at the defaults, so that exact methods finish. Graphs, durations, demands, arrivals and servers have
// random streams of their own, so an option leaves all other draws unchanged.
var Generator = &models.Generator[*cloning.Instance]{
	Doc: "jobs of a chosen shape with heavy-tailed sizes, all at once or online\n\n" +
		"Xu, Liu, Lau, DollyMP, ICPP 2022, sections 3 and 6.1: phases of equal tasks with mean and deviation, speedup by the " +
		"Pareto fit of eq. (3), heterogeneous servers.",
	Params:   generatorParams(),
	Fixed:    models.Fixed{"mean_shape": meanShape},
	Generate: generate,
	Idle:     idleCopies,
}

// meanShape is the Pareto shape of mean durations, decided here.
const meanShape = 1.0

func generatorParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 4, 1, 1e6, "number of jobs"),
		models.Choice("shape", shapeMapReduce, shapes, "of the jobs' graphs; mixed: each job has one of the others"),
		models.Between("phases", 3, 1, 1000, "phases of chains and layered graphs, parallel phases of a fork-join"),
		models.Between("tasks", 2, 1, 1e5, "most tasks of a phase"),
		models.Between("tasks_shape", 0.0, 0, 100, "Pareto shape of numbers of tasks; 0: uniform"),
		models.Between("mean_min", 1.0, 0.1, 1e6, "least mean duration, slots"),
		models.Between("mean_max", 6.0, 0.1, 1e9, "greatest mean duration, slots"),
		models.Between("cv_from", 0.5, 0, 1e3, "least standard deviation over the mean"),
		models.Between("cv_to", 2.0, 0, 1e3, "greatest standard deviation over the mean"),
		models.Between("demand_from", 0.2, 0, 1, "least demand over the largest server"),
		models.Between("demand_to", 0.7, 0, 1, "greatest demand over the largest server"),
		models.Choice("arrivals", transient, []string{transient, online}, "all jobs at slot 0, or one after the other"),
		models.Between("load", 0.0, 0, 1e3, "offered load of online arrivals; 0: by dominant_share_load"),
		dominantShareLoad(1),
	}, copyParams(), ClusterParams())
}

// dominantShareLoad measures load by dominant shares. It is larger than the load of the bottleneck, as the dominant shares of
// different tasks are of different resources.
func dominantShareLoad(usual float64) models.Param {
	return models.Param{
		Name: "dominant_share_load", Default: usual, Min: 1e-3, Max: 1e3, Was: "load",
		Doc: "dominant shares times durations over the time of the arrivals, when load is 0",
	}
}

// The kinds of arrivals.
const (
	transient = "transient"
	online    = "online"
)

func generate(name string, v models.Values, rng *rand.Rand) (*cloning.Instance, error) {
	if err := v.AtMost("mean_min", "mean_max", "cv_from", "cv_to", "demand_from", "demand_to"); err != nil {
		return nil, err
	}
	streams := derive.Streams(rng, 5)
	graphs, durations, demands, arrivals, machines := streams[0], streams[1], streams[2], streams[3], streams[4]

	in := &cloning.Instance{
		Header: models.Header{Name: name}, Resources: cloning.DefaultResources(),
		MaxCopies: v.Int("max_copies"), MaxCopiesPerServer: v.Int("max_copies_per_server"),
		Servers: Cluster(v, machines), Jobs: make([]cloning.Job, v.Int("jobs")),
	}
	largest := largestServer(in.Servers)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.ID = fmt.Sprintf("j%d", j+1)
		job.Phases = graph(v.Text("shape"), v.Int("phases"), graphs)
		for k := range job.Phases {
			p := &job.Phases[k]
			p.ID = fmt.Sprintf("p%d", k+1)
			p.Tasks = drawTasks(v, graphs)
			p.Mean = drawMean(v, durations)
			p.SD = derive.RoundTo(p.Mean*derive.Uniform(v, "cv", durations), 2)
			p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, in.MaxCopies)
			p.Demand = make([]float64, len(largest))
			for r, c := range largest {
				p.Demand[r] = min(c, derive.RoundTo(c*derive.Uniform(v, "demand", demands), 3))
			}
		}
	}
	if v.Text("arrivals") == online {
		arrive(in, v, arrivals)
	}
	return in, nil
}

// largestServer is the capacity of the server with the most of the first resource, then of the next.
func largestServer(list []cloning.Server) []float64 {
	return slices.MaxFunc(list, func(a, b cloning.Server) int { return slices.Compare(a.Capacity, b.Capacity) }).Capacity
}

func drawTasks(v models.Values, rng *rand.Rand) int {
	most := v.Int("tasks")
	if shape := v.Float("tasks_shape"); shape > 0 {
		return int(min(float64(most), pareto(1, shape, rng)))
	}
	return 1 + rng.IntN(most)
}

func drawMean(v models.Values, rng *rand.Rand) float64 {
	return derive.RoundTo(min(v.Float("mean_max"), pareto(v.Float("mean_min"), meanShape, rng)), 1)
}

// pareto draws from the distribution with the given least value and shape.
func pareto(least, shape float64, rng *rand.Rand) float64 {
	return least * math.Pow(1-rng.Float64(), -1/shape)
}

// arrive spreads the jobs so that they offer the load: the first comes at slot 0.
func arrive(in *cloning.Instance, v models.Values, rng *rand.Rand) {
	total := in.Total()
	volume := 0. // slots for which the originals fill the cluster
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			p := &in.Jobs[j].Phases[k]
			volume += float64(float64(p.Tasks) * p.Mean * cloning.DominantShare(p.Demand, total))
		}
	}
	gap := volume / float64(len(in.Jobs)) / v.Float("dominant_share_load")
	if load := v.Float("load"); load > 0 {
		gap = models.Load(in.Work(), total, load) / float64(len(in.Jobs))
	}
	at := 0.
	for j := range in.Jobs {
		in.Jobs[j].Arrival = int(at)
		at += float64(gap * rng.ExpFloat64())
	}
}
