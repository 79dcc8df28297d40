package sim

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"cluster":[{"servers":2,"cpu":24,"mem":48},{"servers":21,"cpu":8,"mem":16}]}
//	{"job":"a","arrival":0,"phases":[{"tasks":10,"cpu":1,"mem":2,"mean":60,"sd":20},{"parents":[0],"tasks":2,"cpu":1,"mem":4,"mean":30}]}
//
// The line of the cluster may be left out; it is the first or none. weight (default 1) and arrival (default 0) of jobs, and
// parents (default none), sd (default 0) and durations of phases are optional. Errors name the file with the line, the field's
// path and the value. Jobs need not be sorted by arrival.
func ReadWorkload(file string, r io.Reader) (*Workload, error) {
	n := 0
	lines, err := simulation.ReadJobs(file, r, func(o *strict.Object) (line, error) {
		n++
		return decodeLine(o, n == 1)
	})
	if err != nil {
		return nil, err
	}
	w := &Workload{}
	for i := range lines {
		if lines[i].cluster != nil {
			w.Cluster = lines[i].cluster
		} else {
			w.Jobs = append(w.Jobs, lines[i].job)
		}
	}
	if len(w.Jobs) == 0 {
		return nil, strict.Errorf(file, "", "the workload has no jobs")
	}
	return w, nil
}

// A line is a job or the cluster.
type line struct {
	cluster []Servers
	job     Job
}

// Key is the job's id; that of the cluster can be no job's.
func (l line) Key() string {
	if l.cluster != nil {
		return ","
	}
	return l.job.ID
}

// Validate says which field is out of range.
func (l line) Validate() *simulation.FieldError {
	if l.cluster != nil {
		return validateCluster(l.cluster)
	}
	return l.job.Validate()
}

func decodeLine(o *strict.Object, first bool) (l line, err error) {
	v := o.Get("cluster")
	if v == nil {
		l.job, err = decodeJob(o)
		return l, err
	}
	if !first {
		return l, v.Errorf("the cluster %s must be in the first line", v)
	}
	kinds, err := v.Array()
	if err != nil {
		return l, err
	}
	if kinds.Len() == 0 {
		return l, v.Errorf("the list of servers must not be empty")
	}
	l.cluster = make([]Servers, kinds.Len())
	for i, k := range kinds.All() {
		if l.cluster[i], err = decodeServers(k); err != nil {
			return l, err
		}
	}
	return l, o.Done()
}

func decodeServers(v *strict.Value) (s Servers, err error) {
	o, err := v.Object()
	if err != nil {
		return s, err
	}
	if s.Count, err = o.Int("servers"); err != nil {
		return s, err
	}
	if s.CPU, err = o.Float("cpu"); err != nil {
		return s, err
	}
	if s.Mem, err = o.Float("mem"); err != nil {
		return s, err
	}
	return s, o.Done()
}

func decodeJob(o *strict.Object) (j Job, err error) {
	if j.ID, err = o.ID("job"); err != nil {
		return j, err
	}
	if j.Arrival, err = o.FloatOr("arrival", 0); err != nil {
		return j, err
	}
	if j.Weight, err = o.FloatOr("weight", 1); err != nil {
		return j, err
	}
	phases, err := o.Array("phases")
	if err != nil {
		return j, err
	}
	j.Phases = make([]Phase, phases.Len())
	for k, v := range phases.All() {
		if j.Phases[k], err = decodePhase(v); err != nil {
			return j, err
		}
	}
	return j, o.Done()
}

func decodePhase(v *strict.Value) (p Phase, err error) {
	o, err := v.Object()
	if err != nil {
		return p, err
	}
	if list := o.Get("parents"); list != nil {
		if p.Parents, err = numbers(list, (*strict.Value).Int); err != nil {
			return p, err
		}
	}
	if p.Tasks, err = o.Int("tasks"); err != nil {
		return p, err
	}
	for _, f := range []struct {
		key  string
		into *float64
	}{{"cpu", &p.CPU}, {"mem", &p.Mem}, {"mean", &p.Mean}} {
		if *f.into, err = o.Float(f.key); err != nil {
			return p, err
		}
	}
	if p.SD, err = o.FloatOr("sd", 0); err != nil {
		return p, err
	}
	if list := o.Get("durations"); list != nil {
		if p.Durations, err = numbers(list, (*strict.Value).Float); err != nil {
			return p, err
		}
	}
	return p, o.Done()
}

func numbers[N any](v *strict.Value, as func(*strict.Value) (N, error)) ([]N, error) {
	list, err := v.Array()
	if err != nil || list.Len() == 0 {
		return nil, err
	}
	out := make([]N, list.Len())
	for i, e := range list.All() {
		if out[i], err = as(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Encode writes w in the form that ReadWorkload reads, defaults written out.
func (w *Workload) Encode(out io.Writer) error {
	if len(w.Cluster) > 0 {
		buf := bufio.NewWriter(out)
		if err := json.NewEncoder(buf).Encode(struct {
			Cluster []Servers `json:"cluster"`
		}{w.Cluster}); err != nil {
			return fmt.Errorf("cluster of the workload: %w", err)
		}
		if err := buf.Flush(); err != nil {
			return err
		}
	}
	return w.Workload.Encode(out)
}
