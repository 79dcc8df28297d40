package cloning

import (
	"encoding/json"

	"schedgap/models/strict"
)

// solutionFields are a solution file's keys beyond its head.
type solutionFields struct {
	Regime         string                  `json:"regime,omitempty" words:"preemptive|nonpreemptive" doc:"what is asked of copies that stop"`
	CapacityFactor float64                 `json:"capacity_factor,omitempty" is:">=1" default:"1" doc:"by which all capacities are multiplied"`
	Copies         strict.List[copyFields] `json:"copies"`
}

type copyFields struct {
	Task   taskName `json:"task" doc:"job, phase and index from 0"`
	Server string   `json:"server"`
	Start  int      `json:"start" doc:"the copy runs in the slots start+1, …, end"`
	End    int      `json:"end"`
}

// A taskName is written as ["J1","p",0].
type taskName struct {
	job, phase string
	index      int
}

// MarshalJSON implements json.Marshaler.
func (n taskName) MarshalJSON() ([]byte, error) { return json.Marshal([]any{n.job, n.phase, n.index}) }

// ReadValue implements strict.Reader.
func (n *taskName) ReadValue(v *strict.Value) error {
	return v.Tuple("a task must have 3 parts, job, phase and index", &n.job, &n.phase, &n.index)
}

// FormSchema implements strict.Described.
func (*taskName) FormSchema() strict.Schema {
	return strict.Tuple(strict.Words(), strict.Words(), strict.Schema{"type": "integer", "minimum": 0})
}

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
	return solutionFields{s.Regime, factor, strict.ListOf(copies)}
}

func decodeSolution(f *strict.File, in *Instance) Solution {
	s := Solution{Copies: []Copy{}}
	names := indexNames(in)
	var file solutionFields
	file.Copies.Each = func(i int, c *copyFields) { s.Copies = append(s.Copies, names.copy(f, i, c)) }
	f.Read(&file)
	s.Regime, s.CapacityFactor = file.Regime, file.CapacityFactor
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

func (n *names) copy(f *strict.File, i int, given *copyFields) Copy {
	c := Copy{Task: Task{Index: given.Task.index}, Start: given.Start, End: given.End}
	job, phase := given.Task.job, given.Task.phase
	c.Task.Job, _ = f.Find(n.jobs, job, "a job", "copies", i, "task", 0)
	c.Task.Phase, _ = f.Find(n.phases[c.Task.Job], phase, "a phase of job "+job, "copies", i, "task", 1)
	if last := n.in.Jobs[c.Task.Job].Phases[c.Task.Phase].Tasks - 1; c.Task.Index < 0 || c.Task.Index > last {
		f.Fail(strict.At("copies", i, "task", 2), "%d must be from 0 to %d, the last task of phase %s of job %s",
			c.Task.Index, last, phase, job)
	}
	c.Server, _ = f.Find(n.servers, given.Server, "a server", "copies", i, "server")
	if c.End <= c.Start {
		f.Fail(strict.At("copies", i, "end"), "%d must be greater than the start %d", c.End, c.Start)
	}
	return c
}
