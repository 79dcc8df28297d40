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

func decodeSolution(f strict.Fields, in *Instance) Solution {
	s := Solution{Regime: f.TextOr("regime", "")}
	if f.Has("regime") && s.Regime != Preemptive && s.Regime != Nonpreemptive {
		f.Fail("regime", "%q must be %q or %q", s.Regime, Preemptive, Nonpreemptive)
	}
	s.CapacityFactor = f.FloatOr("capacity_factor", 1, strict.AtLeast(1))
	s.Copies = strict.List(f, "copies", indexNames(in).decodeCopy)
	return s
}

// names finds the indices of an instance's ids.
type names struct {
	in            *Instance
	servers, jobs map[string]int
	phases        []map[string]int // by job
}

func indexNames(in *Instance) *names {
	n := &names{
		in: in, servers: strict.Index(in.Servers, func(s *Server) string { return s.ID }),
		jobs: strict.Index(in.Jobs, func(j *Job) string { return j.ID }), phases: make([]map[string]int, len(in.Jobs)),
	}
	for j := range in.Jobs {
		n.phases[j] = strict.Index(in.Jobs[j].Phases, func(p *Phase) string { return p.ID })
	}
	return n
}

func (n *names) decodeCopy(f strict.Fields) Copy {
	c := Copy{Task: n.decodeTask(f.Item("task"))}
	server := f.Text("server")
	var ok bool
	if c.Server, ok = n.servers[server]; !ok {
		f.Fail("server", "%q is not the id of a server", server)
	}
	c.Start, c.End = f.Int("start"), f.Int("end")
	if c.End <= c.Start {
		f.Fail("end", "%d must be greater than the start %d", c.End, c.Start)
	}
	return c
}

func (n *names) decodeTask(v strict.Item) (t Task) {
	parts := v.Array().Elements()
	if len(parts) != 3 {
		v.Fail("a task must have 3 parts, job, phase and index, not %d", len(parts))
		return t
	}
	var ok bool
	job := parts[0].Text()
	if t.Job, ok = n.jobs[job]; !ok {
		parts[0].Fail("%q is not the id of a job", job)
	}
	phase := parts[1].Text()
	if t.Phase, ok = n.phases[t.Job][phase]; !ok {
		parts[1].Fail("%q is not the id of a phase of job %s", phase, job)
	}
	t.Index = parts[2].Int()
	if tasks := n.in.Jobs[t.Job].Phases[t.Phase].Tasks; t.Index < 0 || t.Index >= tasks {
		parts[2].Fail("%d must be from 0 to %d, the last task of phase %s of job %s", t.Index, tasks-1, phase, job)
	}
	return t
}
