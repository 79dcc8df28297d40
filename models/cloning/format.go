package cloning

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

// Limits of instance files, so that tables, task lists, slot numbers and sums of any schedule can be held.
const (
	maxMaxCopies = 10_000
	maxTasks     = 10_000_000 // of an instance
	maxHorizon   = 1 << 53    // slots: the largest integer that JSON numbers hold exactly
	maxAmount    = 1e100      // of resources and deviations: sums of them stay finite
)

// DefaultResources returns the resources of a file that does not name any.
func DefaultResources() []string { return []string{"cpu", "mem"} }

// The keys of servers and phases besides the resources, which must not be called so.
var (
	serverKeys = []string{"id"}
	phaseKeys  = []string{"id", "parents", "tasks", "mean", "sd", "speedup"}
)

// An object is a JSON object whose keys, some of them the instance's resources, keep their order.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		key, err := json.Marshal(f.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.key, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encodeInstance(in *Instance) any {
	var o object
	if !slices.Equal(in.Resources, DefaultResources()) {
		o = append(o, field{"resources", in.Resources})
	}
	withResources := func(o object, values []float64) object {
		for r, name := range in.Resources {
			o = append(o, field{name, values[r]})
		}
		return o
	}
	servers := make([]object, len(in.Servers))
	for i, s := range in.Servers {
		servers[i] = withResources(object{{"id", s.ID}}, s.Capacity)
	}
	jobs := make([]object, len(in.Jobs))
	for j := range in.Jobs {
		job := &in.Jobs[j]
		phases := make([]object, len(job.Phases))
		for k := range job.Phases {
			p := &job.Phases[k]
			parents := make([]string, len(p.Parents))
			for i, parent := range p.Parents {
				parents[i] = job.Phases[parent].ID
			}
			phase := withResources(object{{"id", p.ID}, {"parents", parents}, {"tasks", p.Tasks}}, p.Demand)
			phases[k] = append(phase, field{"mean", p.Mean}, field{"sd", p.SD}, field{"speedup", p.Speedup})
		}
		jobs[j] = object{{"id", job.ID}, {"arrival", job.Arrival}, {"phases", phases}}
	}
	return append(o, field{"max_copies", in.MaxCopies}, field{"max_copies_per_server", in.MaxCopiesPerServer},
		field{"servers", servers}, field{"jobs", jobs})
}

func decodeInstance(f strict.Fields, h models.Header) *Instance {
	in := &Instance{
		Header: h, Resources: decodeResources(f), MaxCopies: f.Int("max_copies", strict.AtLeast(1), strict.AtMost(maxMaxCopies)),
		MaxCopiesPerServer: f.Int("max_copies_per_server", strict.AtLeast(1)),
	}
	in.Servers = strict.List(f, "servers", func(f strict.Fields) Server {
		return Server{ID: f.ID("id"), Capacity: decodeAmounts(f, in.Resources)}
	}, strict.NotEmpty, strict.Unique)
	limits := budget{in: in}
	in.Jobs = strict.List(f, "jobs", limits.decodeJob, strict.NotEmpty, strict.Unique)
	return in
}

func decodeResources(f strict.Fields) []string {
	if !f.Has("resources") {
		return DefaultResources()
	}
	var names []string
	for _, v := range f.Array("resources", strict.NotEmpty).All() {
		name := v.ID()
		if first := slices.Index(names, name); first >= 0 {
			v.Fail("%q is also the name of resources[%d]", name, first)
		}
		if slices.Contains(serverKeys, name) || slices.Contains(phaseKeys, name) {
			v.Fail("%q is the name of another field of servers or phases", name)
		}
		names = append(names, name)
	}
	return names
}

func decodeAmounts(f strict.Fields, resources []string) []float64 {
	amounts := make([]float64, len(resources))
	for r, name := range resources {
		amounts[r] = decodeAmount(f, name)
	}
	return amounts
}

func decodeAmount(f strict.Fields, key string) float64 {
	return f.Float(key, strict.AtLeast(0), strict.AtMost(maxAmount)) + 0 // a negative zero is written as 0
}

// A budget holds an instance under construction to the limits of its whole.
type budget struct {
	in      *Instance
	tasks   int
	arrival int
	work    float64 // slots that all tasks take one after the other
}

func (b *budget) within(v strict.Item, value any) {
	if float64(b.arrival)+b.work > maxHorizon {
		v.Fail("%v makes the tasks, one after the other, end later than slot 2^53", value)
	}
}

func (b *budget) add(f strict.Fields, p *Phase) {
	if p.Tasks > maxTasks-b.tasks {
		f.Fail("tasks", "%d makes more than %d tasks in all", p.Tasks, maxTasks)
	}
	b.tasks += p.Tasks
	b.work += float64(p.Tasks) * math.Ceil(p.Mean)
	b.within(f.Item("mean"), p.Mean)
}

func (b *budget) decodeJob(f strict.Fields) Job {
	job := Job{ID: f.ID("id"), Arrival: f.Int("arrival", strict.AtLeast(0))}
	b.arrival = max(b.arrival, job.Arrival)
	b.within(f.Item("arrival"), job.Arrival)
	var parents []strict.Items
	job.Phases = strict.List(f, "phases", func(f strict.Fields) Phase {
		p := Phase{ID: f.ID("id")}
		parents = append(parents, f.Array("parents"))
		b.decodePhase(f, &p)
		return p
	}, strict.NotEmpty, strict.Unique)
	resolveParents(f, &job, parents)
	return job
}

func (b *budget) decodePhase(f strict.Fields, p *Phase) {
	p.Tasks = f.Int("tasks", strict.AtLeast(1))
	p.Demand = decodeAmounts(f, b.in.Resources)
	if !slices.ContainsFunc(b.in.Servers, func(s Server) bool { return Fits(p.Demand, s.Capacity) }) {
		f.Self().Fail("a task of phase %q demands %s, which no server has", p.ID, amountsText(b.in.Resources, p.Demand))
	}
	p.Mean = f.Float("mean", strict.Above(0))
	p.SD = decodeAmount(f, "sd")
	if f.Err() == nil {
		p.Speedup = decodeSpeedup(f, b.in.MaxCopies, p.Mean, p.SD)
		b.add(f, p)
	}
}

func decodeSpeedup(f strict.Fields, maxCopies int, mean, sd float64) []float64 {
	if !f.Has("speedup") {
		return ParetoSpeedup(mean, sd, maxCopies)
	}
	list := f.Array("speedup")
	if list.Len() != maxCopies {
		f.Fail("speedup", "%d values must be max_copies = %d", list.Len(), maxCopies)
	}
	h := make([]float64, list.Len())
	for i, v := range list.All() {
		h[i] = v.Float()
		if err := checkSpeedup(h[:i+1]); err != nil {
			v.Fail("%v", err)
		}
	}
	return h
}

// resolveParents turns the ids of parents into indices; one that is unknown, doubled or closes a cycle is an error.
func resolveParents(f strict.Fields, job *Job, parents []strict.Items) {
	index := strict.Index(job.Phases, func(p *Phase) string { return p.ID })
	for k, list := range parents {
		for _, v := range list.All() {
			id := v.ID()
			parent, ok := index[id]
			if !ok {
				v.Fail("%q is not the id of a phase of job %s", id, job.ID)
			}
			if slices.Contains(job.Phases[k].Parents, parent) {
				v.Fail("%q is named twice", id)
			}
			job.Phases[k].Parents = append(job.Phases[k].Parents, parent)
		}
	}
	if f.Err() != nil {
		return
	}
	if k, i := job.cycle(); k >= 0 {
		parents[k].Elements()[i].Fail("%q is also a descendant of phase %q: the phases of job %s form a cycle",
			job.Phases[job.Phases[k].Parents[i]].ID, job.Phases[k].ID, job.ID)
	}
}

// amountsText shows amounts of the resources, such as cpu 0.5, mem 2.
func amountsText(resources []string, amounts []float64) string {
	var b []byte
	for r, name := range resources {
		if r > 0 {
			b = append(b, ", "...)
		}
		b = fmt.Appendf(b, "%s %v", name, amounts[r])
	}
	return string(b)
}
