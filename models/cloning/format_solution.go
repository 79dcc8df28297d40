package cloning

import (
	"encoding/json"

	"schedgap/models/strict"
)

// copyFields is a copy in a solution file.
type copyFields struct {
	Task   taskName `json:"task"`
	Server string   `json:"server"`
	Start  int      `json:"start"`
	End    int      `json:"end"`
}

// A taskName is written as ["J1","p",0].
type taskName struct {
	job, phase string
	index      int
}

// MarshalJSON implements json.Marshaler.
func (n taskName) MarshalJSON() ([]byte, error) { return json.Marshal([]any{n.job, n.phase, n.index}) }

// encodeSolution leaves out copies of tasks or on servers that the instance does not have, which have no name.
func encodeSolution(in *Instance, s Solution) any {
	copies := make([]copyFields, 0, len(s.Copies))
	for i := range s.Copies {
		c := &s.Copies[i]
		if !in.has(c) {
			continue
		}
		job := &in.Jobs[c.Task.Job]
		copies = append(copies, copyFields{
			Task:   taskName{job.ID, job.Phases[c.Task.Phase].ID, c.Task.Index},
			Server: in.Servers[c.Server].ID, Start: c.Start, End: c.End,
		})
	}
	factor := s.factor()
	if factor == 1 {
		factor = 0
	}
	return struct {
		Regime         string       `json:"regime,omitempty"`
		CapacityFactor float64      `json:"capacity_factor,omitempty"`
		Copies         []copyFields `json:"copies"`
	}{s.Regime, factor, copies}
}

func decodeSolution(o *strict.Object, in *Instance) (s Solution, err error) {
	if v := o.Get("regime"); v != nil {
		if s.Regime, err = v.Text(); err != nil {
			return s, err
		}
		if s.Regime != Preemptive && s.Regime != Nonpreemptive {
			return s, v.Errorf("%q must be %q or %q", s.Regime, Preemptive, Nonpreemptive)
		}
	}
	if s.CapacityFactor, err = o.FloatOr("capacity_factor", 1); err != nil {
		return s, err
	}
	if s.CapacityFactor < 1 {
		return s, o.Get("capacity_factor").Errorf("%v must be at least 1", s.CapacityFactor)
	}
	list, err := o.Array("copies")
	if err != nil {
		return s, err
	}
	names := indexNames(in)
	s.Copies = make([]Copy, list.Len())
	for i, v := range list.All() {
		if s.Copies[i], err = names.decodeCopy(v); err != nil {
			return s, err
		}
	}
	return s, nil
}

// names finds the indices of an instance's ids.
type names struct {
	in            *Instance
	servers, jobs map[string]int
	phases        []map[string]int // by job
}

func indexNames(in *Instance) *names {
	n := &names{
		in: in, servers: make(map[string]int, len(in.Servers)), jobs: make(map[string]int, len(in.Jobs)),
		phases: make([]map[string]int, len(in.Jobs)),
	}
	for i := range in.Servers {
		n.servers[in.Servers[i].ID] = i
	}
	for j := range in.Jobs {
		n.jobs[in.Jobs[j].ID] = j
		n.phases[j] = make(map[string]int, len(in.Jobs[j].Phases))
		for k := range in.Jobs[j].Phases {
			n.phases[j][in.Jobs[j].Phases[k].ID] = k
		}
	}
	return n
}

func (n *names) decodeCopy(v *strict.Value) (c Copy, err error) {
	o, err := v.Object()
	if err != nil {
		return c, err
	}
	task, err := o.Need("task")
	if err != nil {
		return c, err
	}
	if c.Task, err = n.decodeTask(task); err != nil {
		return c, err
	}
	server, err := o.Text("server")
	if err != nil {
		return c, err
	}
	var ok bool
	if c.Server, ok = n.servers[server]; !ok {
		return c, o.Get("server").Errorf("%q is not the id of a server", server)
	}
	if c.Start, err = o.Int("start"); err != nil {
		return c, err
	}
	if c.End, err = o.Int("end"); err != nil {
		return c, err
	}
	if c.End <= c.Start {
		return c, o.Get("end").Errorf("%d must be greater than the start %d", c.End, c.Start)
	}
	return c, o.Done()
}

func (n *names) decodeTask(v *strict.Value) (t Task, err error) {
	list, err := v.Array()
	if err != nil {
		return t, err
	}
	if list.Len() != 3 {
		return t, v.Errorf("a task must have 3 parts, job, phase and index, not %d", list.Len())
	}
	parts := list.Elements()
	job, err := parts[0].Text()
	if err != nil {
		return t, err
	}
	var ok bool
	if t.Job, ok = n.jobs[job]; !ok {
		return t, parts[0].Errorf("%q is not the id of a job", job)
	}
	phase, err := parts[1].Text()
	if err != nil {
		return t, err
	}
	if t.Phase, ok = n.phases[t.Job][phase]; !ok {
		return t, parts[1].Errorf("%q is not the id of a phase of job %s", phase, job)
	}
	if t.Index, err = parts[2].Int(); err != nil {
		return t, err
	}
	if tasks := n.in.Jobs[t.Job].Phases[t.Phase].Tasks; t.Index < 0 || t.Index >= tasks {
		return t, parts[2].Errorf("%d must be from 0 to %d, the last task of phase %s of job %s", t.Index, tasks-1, phase, job)
	}
	return t, nil
}
