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
	lines, err := simulation.ReadJobs(file, r, func(f *strict.File) line {
		n++
		return decodeLine(f, n == 1)
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

func decodeLine(f *strict.File, first bool) (l line) {
	var file struct {
		Cluster []Servers `json:"cluster,omitempty"`
	}
	if f.Head(&file); file.Cluster == nil {
		f.Read(&l.job)
		for k := range l.job.Phases {
			p := &l.job.Phases[k] // an empty list is none
			p.Parents, p.Durations = append([]int(nil), p.Parents...), append([]float64(nil), p.Durations...)
		}
		return l
	}
	f.Read(&struct{}{})
	if !first {
		f.Fail("cluster", "the cluster %v must be in the first line", file.Cluster)
	}
	if len(file.Cluster) == 0 {
		f.Fail("cluster", "the list of servers must not be empty")
	}
	return line{cluster: file.Cluster}
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
