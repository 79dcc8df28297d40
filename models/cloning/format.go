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

func decodeInstance(o *strict.Object, h models.Header) (*Instance, error) {
	in := &Instance{Header: h}
	var err error
	if in.Resources, err = decodeResources(o); err != nil {
		return nil, err
	}
	if in.MaxCopies, err = atLeast(o, "max_copies", 1); err != nil {
		return nil, err
	}
	if in.MaxCopies > maxMaxCopies {
		return nil, o.Get("max_copies").Errorf("%d must be at most %d", in.MaxCopies, maxMaxCopies)
	}
	if in.MaxCopiesPerServer, err = atLeast(o, "max_copies_per_server", 1); err != nil {
		return nil, err
	}
	servers, err := filled(o, "servers")
	if err != nil {
		return nil, err
	}
	in.Servers = make([]Server, servers.Len())
	ids := uniqueIDs{}
	for i, v := range servers.All() {
		if in.Servers[i], err = decodeServer(v, in.Resources); err != nil {
			return nil, err
		}
		if err := ids.add(v, in.Servers[i].ID, "servers[%d]", i); err != nil {
			return nil, err
		}
	}
	jobs, err := filled(o, "jobs")
	if err != nil {
		return nil, err
	}
	in.Jobs = make([]Job, jobs.Len())
	ids = uniqueIDs{}
	limits := budget{in: in}
	for j, v := range jobs.All() {
		if in.Jobs[j], err = decodeJob(v, &limits); err != nil {
			return nil, err
		}
		if err := ids.add(v, in.Jobs[j].ID, "jobs[%d]", j); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func decodeResources(o *strict.Object) ([]string, error) {
	if o.Get("resources") == nil {
		return DefaultResources(), nil
	}
	list, err := filled(o, "resources")
	if err != nil {
		return nil, err
	}
	names := make([]string, list.Len())
	for i, v := range list.All() {
		if names[i], err = v.ID(); err != nil {
			return nil, err
		}
		if first := slices.Index(names[:i], names[i]); first >= 0 {
			return nil, v.Errorf("%q is also the name of resources[%d]", names[i], first)
		}
		if slices.Contains(serverKeys, names[i]) || slices.Contains(phaseKeys, names[i]) {
			return nil, v.Errorf("%q is the name of another field of servers or phases", names[i])
		}
	}
	return names, nil
}

func decodeServer(v *strict.Value, resources []string) (s Server, err error) {
	o, err := v.Object()
	if err != nil {
		return s, err
	}
	if s.ID, err = o.ID("id"); err != nil {
		return s, err
	}
	if s.Capacity, err = decodeAmounts(o, resources); err != nil {
		return s, err
	}
	return s, o.Done()
}

func decodeAmounts(o *strict.Object, resources []string) ([]float64, error) {
	amounts := make([]float64, len(resources))
	for r, name := range resources {
		var err error
		if amounts[r], err = decodeAmount(o, name); err != nil {
			return nil, err
		}
	}
	return amounts, nil
}

func decodeAmount(o *strict.Object, key string) (float64, error) {
	amount, err := o.Float(key)
	switch {
	case err != nil:
		return 0, err
	case amount < 0:
		return 0, o.Get(key).Errorf("%v must be at least 0", amount)
	case amount > maxAmount:
		return 0, o.Get(key).Errorf("%v must be at most %v", amount, maxAmount)
	}
	return amount + 0, nil // a negative zero is written as 0
}

// A budget holds an instance under construction to the limits of its whole.
type budget struct {
	in      *Instance
	tasks   int
	arrival int
	work    float64 // slots that all tasks take one after the other
}

func (b *budget) arrive(v *strict.Value, arrival int) error {
	b.arrival = max(b.arrival, arrival)
	return b.within(v, arrival)
}

func (b *budget) within(v *strict.Value, value any) error {
	if float64(b.arrival)+b.work > maxHorizon {
		return v.Errorf("%v makes the tasks, one after the other, end later than slot 2^53", value)
	}
	return nil
}

func (b *budget) add(o *strict.Object, p *Phase) error {
	if p.Tasks > maxTasks-b.tasks {
		return o.Get("tasks").Errorf("%d makes more than %d tasks in all", p.Tasks, maxTasks)
	}
	b.tasks += p.Tasks
	b.work += float64(p.Tasks) * math.Ceil(p.Mean)
	return b.within(o.Get("mean"), p.Mean)
}

func decodeJob(v *strict.Value, limits *budget) (job Job, err error) {
	o, err := v.Object()
	if err != nil {
		return job, err
	}
	if job.ID, err = o.ID("id"); err != nil {
		return job, err
	}
	if job.Arrival, err = atLeast(o, "arrival", 0); err != nil {
		return job, err
	}
	if err = limits.arrive(o.Get("arrival"), job.Arrival); err != nil {
		return job, err
	}
	phases, err := filled(o, "phases")
	if err != nil {
		return job, err
	}
	job.Phases = make([]Phase, phases.Len())
	parents := make([]*strict.Array, phases.Len())
	ids := uniqueIDs{}
	for k, v := range phases.All() {
		if job.Phases[k], parents[k], err = decodePhase(v, limits); err != nil {
			return job, err
		}
		if err := ids.add(v, job.Phases[k].ID, "phases[%d] of this job", k); err != nil {
			return job, err
		}
	}
	if err := resolveParents(&job, parents, ids); err != nil {
		return job, err
	}
	return job, o.Done()
}

func decodePhase(v *strict.Value, limits *budget) (p Phase, parents *strict.Array, err error) {
	in := limits.in
	o, err := v.Object()
	if err != nil {
		return p, nil, err
	}
	if p.ID, err = o.ID("id"); err != nil {
		return p, nil, err
	}
	if parents, err = o.Array("parents"); err != nil {
		return p, nil, err
	}
	if p.Tasks, err = atLeast(o, "tasks", 1); err != nil {
		return p, nil, err
	}
	if p.Demand, err = decodeAmounts(o, in.Resources); err != nil {
		return p, nil, err
	}
	if !slices.ContainsFunc(in.Servers, func(s Server) bool { return Fits(p.Demand, s.Capacity, s.Capacity) }) {
		return p, nil, v.Errorf("a task of phase %q demands %s, which no server has", p.ID, amountsText(in.Resources, p.Demand))
	}
	if p.Mean, err = o.Float("mean"); err != nil {
		return p, nil, err
	}
	if p.Mean <= 0 {
		return p, nil, o.Get("mean").Errorf("%v must be greater than 0", p.Mean)
	}
	if p.SD, err = decodeAmount(o, "sd"); err != nil {
		return p, nil, err
	}
	if p.Speedup, err = decodeSpeedup(o, in.MaxCopies, p.Mean, p.SD); err != nil {
		return p, nil, err
	}
	if err := limits.add(o, &p); err != nil {
		return p, nil, err
	}
	return p, parents, o.Done()
}

func decodeSpeedup(o *strict.Object, maxCopies int, mean, sd float64) ([]float64, error) {
	v := o.Get("speedup")
	if v == nil {
		return ParetoSpeedup(mean, sd, maxCopies), nil
	}
	list, err := v.Array()
	if err != nil {
		return nil, err
	}
	if list.Len() != maxCopies {
		return nil, v.Errorf("%d values must be max_copies = %d", list.Len(), maxCopies)
	}
	h := make([]float64, list.Len())
	for i, e := range list.All() {
		if h[i], err = e.Float(); err != nil {
			return nil, err
		}
		if err := checkSpeedup(h[:i+1]); err != nil {
			return nil, e.Errorf("%v", err)
		}
	}
	return h, nil
}

// resolveParents turns the ids of parents into indices; one that is unknown, doubled or closes a cycle is an error.
func resolveParents(job *Job, parents []*strict.Array, ids uniqueIDs) error {
	for k, list := range parents {
		for _, v := range list.All() {
			id, err := v.ID()
			if err != nil {
				return err
			}
			parent, ok := ids[id]
			if !ok {
				return v.Errorf("%q is not the id of a phase of job %s", id, job.ID)
			}
			if slices.Contains(job.Phases[k].Parents, parent) {
				return v.Errorf("%q is named twice", id)
			}
			job.Phases[k].Parents = append(job.Phases[k].Parents, parent)
		}
	}
	if k, i := job.cycle(); k >= 0 {
		return parents[k].Elements()[i].Errorf("%q is also a descendant of phase %q: the phases of job %s form a cycle",
			job.Phases[job.Phases[k].Parents[i]].ID, job.Phases[k].ID, job.ID)
	}
	return nil
}

// atLeast returns a required integer field that must not be less than low.
func atLeast(o *strict.Object, key string, low int) (int, error) {
	n, err := o.Int(key)
	if err != nil {
		return 0, err
	}
	if n < low {
		return 0, o.Get(key).Errorf("%d must be at least %d", n, low)
	}
	return n, nil
}

// filled returns a required array field that must not be empty.
func filled(o *strict.Object, key string) (*strict.Array, error) {
	list, err := o.Array(key)
	if err != nil {
		return nil, err
	}
	if list.Len() == 0 {
		return nil, o.Get(key).Errorf("the list of %s must not be empty", key)
	}
	return list, nil
}

// uniqueIDs are ids with the index that each was first seen at.
type uniqueIDs map[string]int

func (u uniqueIDs) add(v *strict.Value, id, where string, i int) error {
	if first, twice := u[id]; twice {
		o, err := v.Object()
		if err != nil {
			return err
		}
		return o.Get("id").Errorf("%q is also the id of "+where, id, first)
	}
	u[id] = i
	return nil
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
