package cloning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Deriver makes small instances of a trace's finished jobs. The rules are in
// docs/problems/cloning.md#derivation-from-traces.
var Deriver = &models.Deriver[*cloning.Instance]{
	Doc: "finished jobs of a trace, cut down to exactly solvable size, on scaled-down servers\n\n" +
		"Requests make demands, durations make means and deviations, recorded dependencies make graphs; the rules are in " +
		"docs/problems/cloning.md#derivation-from-traces. " + trace.Censoring,
	Params: derivationParams(),
	Derive: derive.Each[*cloning.Instance](newDerivation),
	Idle:   idleCopies,
}

func derivationParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 4, 1, 1e6, "most jobs of an instance"),
		models.Between("min_jobs", 2, 1, 1e6, "least jobs of an instance"),
		models.Between("tasks", 2, 1, 1e5, "most tasks of a phase"),
		models.Between("min_tasks", 2, 1, 1e6, "least tasks of a job in the trace"),
		models.Between("min_phases", 1, 1, 1000, "least phases of a job"),
		models.Between("max_phases", 4, 1, 1000, "most phases of a job"),
		models.Between("spread", 10.0, 1, 1e9, "longest phases of an instance's jobs: greatest over least, at most"),
		models.Between("reduce_share", 0.0, 0, 1,
			"share of a job's tasks that make a second phase, where the trace records no phases; 0: there is one phase"),
		models.Between("cv", 1.0, 0, 100, "standard deviation over the mean, where the trace records phases as a whole"),
		models.Between("slot", 0.0, 0, 1e6, "length of a slot, seconds (the paper: 5); 0: by slots"),
		models.Between("slots", 6, 1, 1e6, "longest mean duration, slots, when slot is 0"),
		models.Choice("arrivals", transient, []string{transient, online},
			"all jobs at slot 0, or at their submissions' distances scaled to span"),
		models.Between("span", 10, 1, 1e9, "slots from the first online arrival to the last"),
		models.Between("servers", 2, 1, 1e6, "servers"),
		models.Between("load", 0.0, 0, 1e3, "offered load of online arrivals; 0: by demand_over_capacity"),
		models.Between("demand_over_capacity", 1.5, 1e-3, 1e3, "demand of all originals at once over the servers"),
	}, copyParams())
}

// A derivation is a frame with its finished jobs.
type derivation struct {
	*derive.Frame
	jobs []*trace.Job
}

func newDerivation(ctx context.Context, r models.DeriveRequest) (derivation, error) {
	var d derivation
	if load := r.Params.Float("load"); load > 0 && r.Params.Text("arrivals") == transient {
		return d, fmt.Errorf("parameter load: %v needs arrivals over time (arrivals=online); demand_over_capacity compares jobs that "+
			"are all there at slot 0 with the servers", load)
	}
	r.Graph = true
	var err error
	d.Frame, err = derive.Load(ctx, r, "min_jobs", "jobs", "min_phases", "max_phases")
	if err != nil {
		return d, err
	}
	d.jobs = d.Trace.FinishedJobs()
	if d.From >= d.To || len(d.jobs) == 0 {
		return d, d.Nothing("finished job")
	}
	return d, nil
}

// A candidate is a job of the trace with its phases, durations still in seconds.
type candidate struct {
	job    cloning.Job
	submit trace.Time
}

// Instance implements derive.Derivation.
func (d derivation) Instance(ctx context.Context, s derive.Stratum) (*cloning.Instance, bool, error) {
	v := d.Request.Params
	var qualified []candidate
	for _, j := range s.Of(d.jobs) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if phases, ok := Phases(d.Trace, j, v.Float("reduce_share"), v.Float("cv")); ok && d.qualifies(j, phases) {
			qualified = append(qualified, candidate{cloning.Job{ID: j.ID, Phases: phases}, j.Submit})
		}
	}
	qualified = alike(qualified, v.Float("spread"), s.Rand)
	if d.Short(len(qualified), "min_jobs", fmt.Sprintf("finished jobs with %d tasks, %d to %d phases and about equal lengths",
		v.Int("min_tasks"), v.Int("min_phases"), v.Int("max_phases"))) {
		return nil, false, nil
	}
	var taken []candidate
	for _, q := range derive.Sample(len(qualified), v.Int("jobs"), s.Rand) {
		taken = append(taken, qualified[q])
	}
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: v.Int("max_copies"), MaxCopiesPerServer: v.Int("max_copies_per_server"),
	}
	slot := d.slot(taken)
	for _, c := range taken {
		in.Jobs = append(in.Jobs, d.settle(c.job, slot, in.MaxCopies))
	}
	if first, last := taken[0].submit, taken[len(taken)-1].submit; v.Text("arrivals") == online && first < last {
		for i, c := range taken {
			in.Jobs[i].Arrival = int(math.Round(float64(v.Int("span")) * float64(c.submit-first) / float64(last-first)))
		}
	}
	in.Servers = d.servers(s.Rand)
	if v.Float("load") > 0 && in.Jobs[len(in.Jobs)-1].Arrival == 0 {
		return nil, false, nil // submitted at once, they offer no load
	}
	scale := scaleServers(in, v)
	d.Fewer("jobs", len(qualified))
	facts := s.Facts(len(qualified))
	facts["slot_seconds"], facts["server_scale"] = slot, scale // by resource
	return in, true, d.Sign(ctx, &in.Header, d.Name(s), facts)
}

// qualifies reports whether a job of the trace has the sizes that the options ask for.
func (d derivation) qualifies(j *trace.Job, phases []cloning.Phase) bool {
	v := d.Request.Params
	return j.Size() >= v.Int("min_tasks") && len(phases) >= v.Int("min_phases") && len(phases) <= v.Int("max_phases")
}

// longest is the mean duration of a candidate's longest phase.
func (c *candidate) longest() float64 {
	longest := 0.
	for k := range c.job.Phases {
		longest = max(longest, c.job.Phases[k].Mean)
	}
	return longest
}

// alike keeps the candidates whose longest phase is about as long as that of one of them.
func alike(all []candidate, spread float64, rng *rand.Rand) []candidate {
	if len(all) == 0 {
		return nil
	}
	middle := all[rng.IntN(len(all))].longest()
	factor := math.Sqrt(spread)
	return slices.DeleteFunc(all, func(c candidate) bool {
		l := c.longest()
		return l < middle/factor || l > middle*factor
	})
}

// slot is the length of a slot in seconds.
func (d derivation) slot(taken []candidate) float64 {
	if slot := d.Request.Params.Float("slot"); slot > 0 {
		return slot
	}
	longest := 0.
	for i := range taken {
		longest = max(longest, taken[i].longest())
	}
	return longest / float64(d.Request.Params.Int("slots"))
}

// settle turns a job's seconds into slots and cuts its phases to size.
func (d derivation) settle(job cloning.Job, slot float64, maxCopies int) cloning.Job {
	for k := range job.Phases {
		p := &job.Phases[k]
		p.Tasks = min(p.Tasks, d.Request.Params.Int("tasks"))
		p.Mean = max(0.001, derive.RoundTo(p.Mean/slot, 3)) // the work of a short task stays positive
		p.SD = derive.RoundTo(p.SD/slot, 3)
		p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, maxCopies)
	}
	return job
}

// servers draws from the trace's machines; where it records none, or not their capacities, servers are equal.
func (d derivation) servers(rng *rand.Rand) []cloning.Server {
	var known [][]float64
	for _, m := range d.Trace.Machines {
		if m.Missing == 0 && m.CPU > 0 && m.Memory > 0 {
			known = append(known, []float64{m.CPU, m.Memory})
		}
	}
	capacities := make([][]float64, d.Request.Params.Int("servers"))
	for i := range capacities {
		capacities[i] = []float64{1, 1}
		if len(known) > 0 {
			capacities[i] = known[rng.IntN(len(known))]
		}
	}
	return servers(capacities)
}

// scaleServers multiplies the capacities of each resource to the load or the demand_over_capacity that is asked for, then all of
// them so that every task fits on some server, and returns the factors.
func scaleServers(in *cloning.Instance, v models.Values) []float64 {
	demand, total, times := make([]float64, len(in.Resources)), in.Total(), v.Float("demand_over_capacity")
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			p := &in.Jobs[j].Phases[k]
			for r, d := range p.Demand {
				demand[r] += float64(float64(p.Tasks) * d)
			}
		}
	}
	if load := v.Float("load"); load > 0 {
		demand, times = in.Work(), load*float64(in.Jobs[len(in.Jobs)-1].Arrival)
	}
	scale := make([]float64, len(in.Resources))
	for r := range scale {
		scale[r] = demand[r] / times / total[r]
		if demand[r] == 0 {
			scale[r] = 1
		}
	}
	grow := 1.
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			least := math.Inf(1) // factor that lets a task of the phase fit somewhere
			for i := range in.Servers {
				need := 0.
				for r, d := range in.Jobs[j].Phases[k].Demand {
					need = max(need, d/(scale[r]*in.Servers[i].Capacity[r]))
				}
				least = min(least, need)
			}
			grow = max(grow, least)
		}
	}
	for r := range scale {
		scale[r] *= grow
		for i := range in.Servers {
			// Rounded up, so that what fits still does.
			in.Servers[i].Capacity[r] = math.Ceil(in.Servers[i].Capacity[r]*scale[r]*1e6) / 1e6
		}
	}
	return scale
}
