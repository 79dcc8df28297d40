package cloning

import (
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
)

// DefaultResources returns the resources of a file that does not name any.
func DefaultResources() []string { return []string{"cpu", "mem"} }

// The keys of servers and phases besides the resources, which must not be called so.
var (
	serverKeys = []string{"id"}
	phaseKeys  = []string{"id", "parents", "tasks", "mean", "sd", "speedup"}
)

// instanceFields are an instance file's keys beyond the header. Sums of amounts and deviations stay finite.
type instanceFields struct {
	Resources          []string       `json:"resources,omitempty" is:"id,some" default:"[\"cpu\",\"mem\"]" doc:"names of the resources; each is a field of every server and phase"`
	MaxCopies          int            `json:"max_copies" is:">=1,<=10000" doc:"most copies of a task at once, the first included"`
	MaxCopiesPerServer int            `json:"max_copies_per_server" is:">=1" doc:"most copies of a task on one server"`
	Servers            []serverFields `json:"servers" is:"some" doc:"with their capacity of each resource"`
	Jobs               []jobFields    `json:"jobs" is:"some"`
}

type amounts = strict.Map[float64] // by resource

type serverFields struct {
	serverHead
	Capacity amounts `json:"-" is:"rest,>=0,<=1e100"`
}

type serverHead struct {
	ID string `json:"id" is:"id,unique"`
}

// MarshalJSON implements json.Marshaler.
func (s serverFields) MarshalJSON() ([]byte, error) { return strict.Join(s.serverHead, s.Capacity) }

type jobFields struct {
	ID      string        `json:"id" is:"id,unique"`
	Arrival int           `json:"arrival" is:">=0" doc:"a_j, the slot after which the job may run"`
	Phases  []phaseFields `json:"phases" is:"some" doc:"with a task's demand of each resource"`
}

type phaseFields struct {
	phaseHead
	Demand amounts `json:"-" is:"rest,>=0,<=1e100"`
	phaseTail
}

type phaseHead struct {
	ID      string   `json:"id" is:"id,unique"`
	Parents []string `json:"parents" is:"id" doc:"phases of the job that must be done before"`
	Tasks   int      `json:"tasks" is:">=1" schema:"<=10000000" doc:"n_k, number of equal tasks"`
}

type phaseTail struct {
	Mean    float64   `json:"mean" is:">0" doc:"θ_k, slots that a task takes in one copy on average"`
	SD      float64   `json:"sd" is:">=0,<=1e100" doc:"σ_k, standard deviation of that"`
	Speedup []float64 `json:"speedup" is:"optional" doc:"h(1), …, h(max_copies); default: that of the Pareto distribution with the mean and deviation"`
}

// MarshalJSON implements json.Marshaler.
func (p phaseFields) MarshalJSON() ([]byte, error) {
	return strict.Join(p.phaseHead, p.Demand, p.phaseTail)
}

func encodeInstance(in *Instance) any {
	f := instanceFields{
		MaxCopies: in.MaxCopies, MaxCopiesPerServer: in.MaxCopiesPerServer,
		Servers: make([]serverFields, len(in.Servers)), Jobs: make([]jobFields, len(in.Jobs)),
	}
	if !slices.Equal(in.Resources, DefaultResources()) {
		f.Resources = in.Resources
	}
	byResource := func(values []float64) (m amounts) {
		for r, name := range in.Resources {
			m = append(m, strict.Entry[float64]{Key: name, Value: values[r]})
		}
		return m
	}
	for i, s := range in.Servers {
		f.Servers[i] = serverFields{serverHead{s.ID}, byResource(s.Capacity)}
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		phases := make([]phaseFields, len(job.Phases))
		for k := range job.Phases {
			p := &job.Phases[k]
			parents := make([]string, len(p.Parents))
			for i, parent := range p.Parents {
				parents[i] = job.Phases[parent].ID
			}
			phases[k] = phaseFields{phaseHead{p.ID, parents, p.Tasks}, byResource(p.Demand), phaseTail{p.Mean, p.SD, p.Speedup}}
		}
		f.Jobs[j] = jobFields{job.ID, job.Arrival, phases}
	}
	return f
}

func decodeInstance(f *strict.File, h models.Header) *Instance {
	var file instanceFields
	if !f.Read(&file) {
		return nil
	}
	in := &Instance{
		Header: h, Resources: file.Resources, MaxCopies: file.MaxCopies, MaxCopiesPerServer: file.MaxCopiesPerServer,
		Servers: make([]Server, len(file.Servers)), Jobs: make([]Job, len(file.Jobs)),
	}
	for i, name := range in.Resources {
		if first := slices.Index(in.Resources, name); first < i {
			f.Fail(strict.At("resources", i), "%q is also the name of resources[%d]", name, first)
		}
		if slices.Contains(serverKeys, name) || slices.Contains(phaseKeys, name) {
			f.Fail(strict.At("resources", i), "%q is the name of another field of servers or phases", name)
		}
	}
	d := decoder{f: f, in: in}
	for i, s := range file.Servers {
		in.Servers[i] = Server{s.ID, d.amounts(strict.At("servers", i), s.Capacity)}
	}
	for j := range file.Jobs {
		if f.Err() != nil {
			break
		}
		in.Jobs[j] = d.job(strict.At("jobs", j), &file.Jobs[j])
	}
	return in
}

// A decoder makes the jobs and holds the instance to the limits of its whole.
type decoder struct {
	f       *strict.File
	in      *Instance
	tasks   int
	arrival int
	work    float64 // slots that all tasks take one after the other
}

// amounts returns the amounts of all resources. A negative zero becomes 0.
func (d *decoder) amounts(path string, given amounts) []float64 {
	list := make([]float64, len(d.in.Resources))
	for r, name := range d.in.Resources {
		i := slices.IndexFunc(given, func(e strict.Entry[float64]) bool { return e.Key == name })
		if i < 0 {
			d.f.Fail(path+"."+strict.At(name), "required field is missing")
			return list
		}
		list[r] = given[i].Value + 0
	}
	for _, e := range given {
		if !slices.Contains(d.in.Resources, e.Key) {
			d.f.Fail(path+"."+strict.At(e.Key), "unknown field (value %v)", e.Value)
		}
	}
	return list
}

func (d *decoder) within(path string, value any) {
	if float64(d.arrival)+d.work > maxHorizon {
		d.f.Fail(path, "%v makes the tasks, one after the other, end later than slot 2^53", value)
	}
}

func (d *decoder) job(path string, f *jobFields) Job {
	job := Job{ID: f.ID, Arrival: f.Arrival, Phases: make([]Phase, len(f.Phases))}
	d.arrival = max(d.arrival, job.Arrival)
	d.within(path+".arrival", job.Arrival)
	for k := range f.Phases {
		job.Phases[k] = d.phase(fmt.Sprintf("%s.phases[%d]", path, k), &f.Phases[k])
	}
	d.resolveParents(path, &job, f.Phases)
	return job
}

func (d *decoder) phase(path string, f *phaseFields) Phase {
	p := Phase{ID: f.ID, Tasks: f.Tasks, Demand: d.amounts(path, f.Demand), Mean: f.Mean, SD: f.SD + 0, Speedup: f.Speedup}
	if !slices.ContainsFunc(d.in.Servers, func(s Server) bool { return Fits(p.Demand, s.Capacity) }) {
		d.f.Fail(path, "a task of phase %q demands %s, which no server has", p.ID, amountsText(d.in.Resources, p.Demand))
	}
	if p.Tasks > maxTasks-d.tasks {
		d.f.Fail(path+".tasks", "%d makes more than %d tasks in all", p.Tasks, maxTasks)
	}
	d.tasks += p.Tasks
	d.work += float64(p.Tasks) * math.Ceil(p.Mean)
	d.within(path+".mean", p.Mean)
	if p.Speedup == nil {
		if d.f.Err() == nil {
			p.Speedup = ParetoSpeedup(p.Mean, p.SD, d.in.MaxCopies)
		}
		return p
	}
	if len(p.Speedup) != d.in.MaxCopies {
		d.f.Fail(path+".speedup", "%d values must be max_copies = %d", len(p.Speedup), d.in.MaxCopies)
	}
	for i := range p.Speedup {
		if err := checkSpeedup(p.Speedup[:i+1]); err != nil {
			d.f.Fail(fmt.Sprintf("%s.speedup[%d]", path, i), "%v", err)
		}
	}
	return p
}

// resolveParents turns the ids of parents into indices; one that is unknown, doubled or closes a cycle is an error.
func (d *decoder) resolveParents(path string, job *Job, phases []phaseFields) {
	fail := func(k, i int, format string, args ...any) {
		d.f.Fail(fmt.Sprintf("%s.phases[%d].parents[%d]", path, k, i), format, args...)
	}
	index := strict.Index(job.Phases, func(p *Phase) string { return p.ID })
	for k := range phases {
		for i, id := range phases[k].Parents {
			parent, ok := index[id]
			if !ok {
				fail(k, i, "%q is not the id of a phase of job %s", id, job.ID)
			}
			if slices.Contains(job.Phases[k].Parents, parent) {
				fail(k, i, "%q is named twice", id)
			}
			job.Phases[k].Parents = append(job.Phases[k].Parents, parent)
		}
	}
	if d.f.Err() != nil {
		return
	}
	if k, i := job.cycle(); k >= 0 {
		fail(k, i, "%q is also a descendant of phase %q: the phases of job %s form a cycle",
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
