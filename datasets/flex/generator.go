// Package flex makes instances of the flex problem: Generator draws them as in the paper, Deriver takes them out of traces,
// Workloads makes runs of the simulator, and Moves changes instances in searches for worst cases. bench/catalog registers all of
// them.
package flex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/flex"
)

// Generator is the generator of the paper's simulation experiments: Wolf et al., FLEX, Middleware 2010, section 4.1.
//
// What the paper says: work is bimodal, small and large jobs, each a left truncated normal with a standard deviation of a
// third of its mean, the large mean ten times the small one; then all work is normalised to a fixed total. A job's work over
// the average work of a task is its demand, and its maximum is the smaller of demand and slots. Minima come from another
// truncated normal with a mean chosen by the slack and a third of it as standard deviation, none is 0, one above the maximum
// is discarded and drawn again. Weights, deadlines, pseudo-deadlines and step heights are uniform, the last two sorted.
//
// docs/problems/flex.md#generator has our choices where the paper leaves them open:
//
//   - Exactly round(small·jobs) jobs are small, in random places of the file, since FIFO follows the file's order.
//   - The default total is 1000 tasks of one slot-time unit, ten waves of tasks on 100 slots. At the defaults small jobs
//     have about 36 tasks and large ones about 357, so both of the paper's cases occur: the maximum of small jobs is
//     their demand, that of large jobs is all slots. 80 % of the maxima are below the slots.
//   - Minima are drawn one by one around (1 − slack)·slots/jobs and scaled together, as the works are, so that they add up to
//     (1 − slack)·slots: exactly after rounding by largest remainders, but never less than min_floor a job nor more than
//     the maxima. So Σ m_j ≤ S always holds and the slack of an instance is the parameter's. With minima=drawn each is
//     rounded as it was drawn, and all are scaled only where they exceed the slots.
//   - Deadlines and steps are uniform over ranges given in units of total/slots, the time in which the whole cluster does all
//     the work. At the defaults, (0, 1), 22 % of the jobs are tardy under flex.
//
// Works have five significant digits of the mean work, times five of total/slots, weights and step heights four decimals.
// Sizes, weights, deadlines, steps and minima have random streams of their own, so an option leaves all other draws
// unchanged, and instances of one seed can be compared along the axes of Figure 5.
var Generator = &models.Generator[*flex.Instance]{
	Doc: "bimodal jobs with truncated normal sizes and minima\n\n" +
		"Wolf et al., FLEX: A Slot Allocation Scheduling Optimizer for MapReduce Workloads, Middleware 2010, section 4.1; " +
		"docs/problems/flex.md#generator has the choices that it leaves open.",
	Params:   generatorParams(),
	Fixed:    models.Fixed{"deadline_from": 0., "step_from": 0., "steps": float64(flex.Steps)},
	Generate: generate,
}

func generatorParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 10, 1, 1e6, "number of jobs"),
		models.Between("slots", 100, 1, 1e6, "number of slots"),
		models.Between("small", 0.8, 0, 1, "share of small jobs; round(small·jobs) jobs are small"),
		models.Between("total", 1000.0, 1e-6, 1e12, "work of all jobs together, in slot-time units"),
		models.Between("task_work", 1.0, 1e-6, 1e12,
			"work of one task, in slot-time units; a job's maximum is min(ceil(work/task_work), slots)"),
		models.Between("ratio", 10.0, 1, 1e6, "mean work of a large job over that of a small one"),
		models.Between("cv", 1./3, 0, 10, "standard deviation of the works of one size over their mean, before truncation"),
	}, minimaParams(), []models.Param{{
		Name: "minima", Default: minimaScaled, Choices: []string{minimaScaled, minimaDrawn},
		Doc: "drawn minima are scaled together to the slots that the slack leaves, or kept as drawn and scaled only where they " +
			"exceed the slots",
	}}, flex.ObjectiveParams(), flex.DateParams("total/slots"))
}

func generate(name string, v models.Values, rng *rand.Rand) (*flex.Instance, error) {
	objective, own, err := flex.ReadObjective(v)
	if err != nil {
		return nil, err
	}
	n, slots, floor := v.Int("jobs"), v.Int("slots"), v.Int("min_floor")
	if n*floor > slots {
		return nil, fmt.Errorf("parameter jobs: %d jobs with a minimum of at least %d need more than the %d slots", n, floor, slots)
	}
	streams := derive.Streams(rng, 5)
	sizes, weights, deadlines, steps, minima := streams[0], streams[1], streams[2], streams[3], streams[4]

	in := &flex.Instance{Header: models.Header{Name: name}, Slots: slots, Objective: objective, Jobs: make([]flex.Job, n)}
	works := drawWorks(v, sizes)
	horizon := v.Float("total") / float64(slots)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.ID = fmt.Sprintf("j%d", j+1)
		job.Work = works[j]
		job.Max = demand(job.Work, v.Float("task_work"), slots)
		job.Weight = flex.DrawUnit(weights)
		job.Metric = own(deadlines)
		if in.MetricOf(j).NeedsDeadline() {
			d := flex.DrawDate(v.Float("deadline_to"), horizon, deadlines)
			job.Deadline = &d
		}
		if in.MetricOf(j) == flex.SLA {
			job.Steps = flex.DrawSteps(v.Float("step_to"), horizon, steps)
		}
	}
	drawMinima(in, v, minima)
	return in, nil
}

// drawWorks draws the jobs' work, normalised to the total.
func drawWorks(v models.Values, rng *rand.Rand) []float64 {
	n, total := v.Int("jobs"), v.Float("total")
	exp := flex.Exponent(total / float64(n))
	units := int(math.Round(total / math.Pow10(exp)))
	shares, most := make([]float64, n), make([]int, n)
	small := int(math.Round(v.Float("small") * float64(n)))
	for place, j := range rng.Perm(n) {
		shares[j], most[j] = 1, units
		if place >= small {
			shares[j] = v.Float("ratio")
		}
	}
	for j := range shares {
		shares[j] *= truncatedNormal(v.Float("cv"), math.Inf(1), rng)
	}
	works := make([]float64, n)
	for j, k := range apportion(shares, units, 1, most) {
		works[j] = flex.Decimal(float64(k), exp)
	}
	return works
}

// drawMinima draws the jobs' minima. Drawing again what exceeds the maximum takes some 75·slots draws in the worst case,
// where every job could only use one slot.
func drawMinima(in *flex.Instance, v models.Values, rng *rand.Rand) {
	slack, floor := v.Float("slack"), v.Int("min_floor")
	mean := (1 - slack) * float64(in.Slots) / float64(len(in.Jobs))
	total := guaranteed(slack, in.Slots)
	drawn := 0
	shares, most := make([]float64, len(in.Jobs)), make([]int, len(in.Jobs))
	for j := range in.Jobs {
		most[j] = in.Jobs[j].Max
		limit := math.Inf(1)
		if mean > 0 {
			limit = float64(most[j]) / mean
		}
		shares[j] = truncatedNormal(1./3, limit, rng)
		if v.Text("minima") == minimaDrawn {
			in.Jobs[j].Min = min(max(floor, int(mean*shares[j]+0.5)), most[j])
			drawn += in.Jobs[j].Min
		}
	}
	if v.Text("minima") == minimaDrawn {
		if drawn <= in.Slots {
			return
		}
		total = in.Slots
	}
	for j, m := range apportion(shares, total, floor, most) {
		in.Jobs[j].Min = m
	}
}

// demand is the number of tasks that work makes, up to the number of slots.
func demand(work, taskWork float64, slots int) int {
	tasks := math.Ceil(work / taskWork * (1 - 1e-12)) // an exact multiple may come out a bit above
	return int(max(1, min(tasks, float64(slots))))
}

// truncatedNormal draws from the normal distribution of mean 1 and standard deviation sd, given that the value lies in
// (0, limit], by rejection. Here and below the conversion of products keeps compilers from fusing them into the sum, so that
// all machines make the same bytes.
func truncatedNormal(sd, limit float64, rng *rand.Rand) float64 {
	if sd == 0 {
		return 1
	}
	for {
		if x := 1 + float64(sd*rng.NormFloat64()); x > 0 && x <= limit {
			return x
		}
	}
}
