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
	w, n := &Workload{}, 0
	jobs, err := simulation.ReadJobs(file, r, func(f *strict.File) (j Job, ok bool) {
		var head struct {
			Cluster []Servers `json:"cluster,omitempty"`
		}
		n++
		f.Head(&head)
		if head.Cluster != nil {
			f.Read(&struct{}{})
			checkCluster(f, head.Cluster, n == 1)
			w.Cluster = head.Cluster
			return j, false
		}
		f.Read(&j)
		j.check(f)
		return j, true
	})
	w.Jobs = jobs
	return w, err
}

// checkCluster reports errors of a cluster that its single fields do not show.
func checkCluster(f *strict.File, cluster []Servers, first bool) {
	if !first {
		f.Fail("cluster", "the cluster %v must be in the first line", cluster)
	}
	if len(cluster) == 0 {
		f.Fail("cluster", "the list of servers must not be empty")
	}
	n := 0
	for i := range cluster {
		n += cluster[i].Count
		if n > MaxServers {
			f.Fail(strict.At("cluster", i, "servers"), "%d makes more than %d servers in all", cluster[i].Count, MaxServers)
		}
	}
}

// check reports errors of a job that its single fields do not show. An empty list in a phase counts as missing.
func (j *Job) check(f *strict.File) {
	if n := len(j.Phases); n > maxPhases {
		f.Fail("phases", "%d phases must be at most %d", n, maxPhases)
	}
	for k := range j.Phases {
		p := &j.Phases[k]
		for i, q := range p.Parents {
			if q < 0 || q >= k || i > 0 && q <= p.Parents[i-1] {
				f.Fail(strict.At("phases", k, "parents", i), "%d must be one of the phases before phase %d, in increasing order", q, k)
			}
		}
		p.Parents, p.Durations = append([]int(nil), p.Parents...), append([]float64(nil), p.Durations...)
	}
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
