package speculation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"schedgap/datasets/derive"
	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/speculation"
)

// Deriver makes one window of stragglers and freed slots of an instant of a trace. The rules are in
// docs/problems/speculation.md#derivation-from-traces.
var Deriver = &models.Deriver[*speculation.Instance]{
	Doc: "the stragglers of an instant of a trace and the slots that become free in a window after it\n\n" +
		"Running tasks that turn out to be far slower than their job's median straggle, tasks that end within the window leave " +
		"slots, whose pace makes the estimates of copies; the rules are in " +
		"docs/problems/speculation.md#derivation-from-traces. " + trace.Censoring,
	Params: slices.Concat([]models.Param{
		models.Between("stragglers", 20, 1, 1e6, "most stragglers of an instance"),
		models.Between("min_stragglers", 3, 1, 1e6, "least stragglers of an instance"),
		models.Between("slots", 20, 1, 1e6, "most slots of an instance"),
		models.Between("load", 0.0, 0, 1,
			"running attempts, which are the stragglers, over these and the slots, which makes the number of slots; 0: slots says it"),
		models.Between("min_tasks", 5, 2, 1e6, "least finished tasks of a job"),
		models.Between("window", 0.2, 1e-6, 1e3, "window over the least of the stragglers' medians"),
	}, snapshotParams()),
	Fixed: models.Fixed{
		"threshold": trace.StragglerFactor, "pace_limit": paceLimit, "machine_power": machinePower, "least_power": leastPower,
	},
	Derive: derive.Each[*speculation.Instance](newDerivation),
}

// What traces do not record, decided here.
const (
	paceLimit    = 3.0   // most by which a slot counts as faster or slower than the median
	machinePower = 300.0 // of the largest machine when busy, watts, as servers of two sockets draw
	leastPower   = 0.01  // share of that for one attempt
)

// A derivation is a frame with its counted tasks.
type derivation struct {
	*derive.Frame
	ending []counted // by end
	slow   []counted // those that straggle, by start
}

// counted is a counted task.
type counted struct {
	*trace.Task
	job              *trace.Job
	duration, median float64 // its own and its job's, seconds
}

func (k *counted) id() string { return fmt.Sprintf("%s/%d", k.job.ID, k.Index) }

func newDerivation(ctx context.Context, r models.DeriveRequest) (derivation, error) {
	var d derivation
	var err error
	d.Frame, err = derive.Load(ctx, r, "min_stragglers", "stragglers")
	if err != nil {
		return d, err
	}
	least := r.Params.Int("min_tasks")
	for j := range d.Trace.Jobs {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		d.count(&d.Trace.Jobs[j], least)
	}
	if d.From >= d.To || len(d.ending) == 0 {
		return d, d.Nothing(fmt.Sprintf("job with %d tasks from start to finish", least))
	}
	// Tasks that end or start together keep the order of the trace.
	slices.SortStableFunc(d.ending, func(a, b counted) int { return cmp.Compare(a.End, b.End) })
	slices.SortStableFunc(d.slow, func(a, b counted) int { return cmp.Compare(a.Schedule, b.Schedule) })
	return d, nil
}

// count adds the counted tasks of a job.
func (d *derivation) count(j *trace.Job, least int) {
	var tasks []counted
	var durations []float64
	for i := range j.Tasks {
		if seconds, known := j.Tasks[i].Duration(); known && seconds > 0 {
			tasks = append(tasks, counted{Task: &j.Tasks[i], job: j, duration: seconds})
			durations = append(durations, seconds)
		}
	}
	if len(tasks) < least {
		return
	}
	slices.Sort(durations)
	median := trace.Quantile(durations, 0.5)
	if durations[0] == durations[len(durations)-1] {
		d.Equal++
	}
	for _, k := range tasks {
		k.median = median
		d.ending = append(d.ending, k)
		if k.duration > trace.StragglerFactor*median {
			d.slow = append(d.slow, k)
		}
	}
}

// Instance implements derive.Derivation.
func (d derivation) Instance(ctx context.Context, s derive.Stratum) (*speculation.Instance, bool, error) {
	v := d.Request.Params
	for range derive.Redraws {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		now := d.Instant(s)
		stragglers := d.straggling(now)
		if d.Short(len(stragglers), "min_stragglers", fmt.Sprintf("running tasks of more than %v medians of their jobs", trace.StragglerFactor)) {
			continue
		}
		taken := pick(stragglers, derive.Sample(len(stragglers), v.Int("stragglers"), s.Rand))
		freed := d.freed(now, taken)
		if len(freed) == 0 {
			continue
		}
		slots, facts := v.Int("slots"), map[string]any{
			"instant": now.Seconds(), "straggling": len(stragglers), "freed": len(freed), // the trace's clock; tasks to choose from
		}
		if load := v.Float("load"); load > 0 {
			n := float64(len(taken))
			slots = models.Units(n, load) - len(taken)
			if slots < 1 || slots > len(freed) {
				continue // no load without a slot, or too few of them
			}
			facts["load"] = n / (n + float64(slots)) // the realised one
		}
		in := d.build(now, taken, pick(freed, derive.Sample(len(freed), slots, s.Rand)))
		d.Fewer("stragglers", len(stragglers))
		d.Fewer("slots", len(freed))
		return in, true, d.Sign(ctx, &in.Header, fmt.Sprintf("%s-at%ds", d.Name(s), now/event.Second), facts)

	}
	return nil, false, nil
}

func pick(from []counted, indices []int) []counted {
	list := make([]counted, len(indices))
	for k, i := range indices {
		list[k] = from[i]
	}
	return list
}

// straggling lists the stragglers that run at an instant, for at least a millisecond by then and after it.
func (d derivation) straggling(now trace.Time) []counted {
	const least = event.Second / 1000
	var list []counted
	for _, k := range d.slow {
		if k.Schedule+least > now {
			break
		}
		if k.End >= now+least {
			list = append(list, k)
		}
	}
	return list
}

// freed lists the tasks that leave slots within the window after an instant; none of them straggles.
func (d derivation) freed(now trace.Time, stragglers []counted) []counted {
	fastest := stragglers[0].median
	for _, k := range stragglers {
		fastest = min(fastest, k.median)
	}
	end := now + trace.Time(d.Request.Params.Float("window")*fastest*float64(event.Second))
	var list []counted
	for _, k := range d.ending[sort.Search(len(d.ending), func(i int) bool { return d.ending[i].End >= now }):] {
		if k.End > end {
			break
		}
		if k.duration <= trace.StragglerFactor*k.median {
			list = append(list, k)
		}
	}
	return list
}

func (d derivation) build(now trace.Time, stragglers, freed []counted) *speculation.Instance {
	v := d.Request.Params
	power := func(k *counted) float64 { return machinePower * max(k.CPU, leastPower) }
	in := &speculation.Instance{EnergyWeight: v.Float("energy_weight")}
	for i := range stragglers {
		k := &stragglers[i]
		in.Stragglers = append(in.Stragglers, running{
			id: k.id(), elapsed: (now - k.Schedule).Seconds(), duration: k.duration, power: power(k),
		}.straggler())
	}
	paces := make([]float64, len(freed))
	for j := range freed {
		k := &freed[j]
		paces[j] = min(max(k.duration/k.median, 1/paceLimit), paceLimit)
		in.Slots = append(in.Slots, speculation.Slot{
			ID: k.id(), Start: derive.RoundTo((k.End - now).Seconds(), 3), Power: derive.RoundTo(power(k), 2),
		})
	}
	in.CopyTime = noCopies(in)
	for i, row := range in.CopyTime {
		for j := range row {
			row[j] = seconds(stragglers[i].median * paces[j])
		}
	}
	return in
}
