package trace

import (
	"fmt"
	"slices"
	"strings"

	"schedgap/datasets/event"
)

// A LeftOut counts the records of a trace that cannot be used for one reason.
type LeftOut struct {
	Reason  string `json:"reason"`
	Records int    `json:"records"`
	Jobs    int    `json:"jobs"`  // that are left out with them, each for the first of its records
	First   string `json:"first"` // FILE:LINE, the file as in the list of the trace's
	// Graph says that the jobs are left out only where the dependencies of their tasks are needed.
	Graph bool `json:"graph,omitempty"`
}

// mostReasons bounds the list of reasons; those after that many are counted together.
const mostReasons = 50

// note counts a record and returns the place of its reason.
func (a *assembler) note(reason, file string, line int, graph bool) int {
	tr := a.tr
	at := slices.IndexFunc(tr.LeftOut, func(l LeftOut) bool { return l.Reason == reason })
	if at < 0 && len(tr.LeftOut) >= mostReasons {
		reason = "other reasons"
		at = slices.IndexFunc(tr.LeftOut, func(l LeftOut) bool { return l.Reason == reason })
	}
	if at < 0 {
		at = len(tr.LeftOut)
		first := fmt.Sprintf("%s:%d", strings.TrimPrefix(file, a.dir+"/"), line)
		tr.LeftOut = append(tr.LeftOut, LeftOut{Reason: reason, First: first, Graph: graph})
	}
	tr.LeftOut[at].Records++
	return at
}

// bad counts a record that cannot be used, and its job.
func (a *assembler) bad(b *event.Bad) {
	at := a.note(b.Reason, b.File, b.Line, false)
	if a.fault == nil {
		a.fault = b.Err
	}
	if _, known := a.spoilt[b.Job]; !known && b.Job != "" {
		a.spoilt[b.Job] = true
		a.tr.LeftOut[at].Jobs++
	}
}

// link makes the DAG of a job, and counts one that cannot be made.
func (a *assembler) link(d *draft) {
	if len(d.nodes) == 0 {
		return
	}
	dag, flaw := a.dags.link(d.nodes, len(d.job.Tasks))
	d.job.DAG = dag
	if flaw != nil {
		d.job.NoDAG = true
		line := int(d.nodes[flaw.node].line)
		if !a.spoilt[d.job.ID] {
			a.tr.LeftOut[a.note(flaw.reason, d.file, line, true)].Jobs++
		}
		if a.fault == nil {
			a.fault = fmt.Errorf("%s: line %d: %s", d.file, line, flaw.reason)
		}
	}
	a.start(d)
}

// start puts tasks that are recorded by their lengths alone behind their parents.
func (a *assembler) start(d *draft) {
	if !d.placed {
		return
	}
	g := d.job.DAG
	if g == nil {
		g = &DAG{Parents: make([][]int, len(d.nodes))}
	}
	for _, i := range g.order() {
		t := &d.job.Tasks[i]
		t.Schedule = t.Submit
		for _, p := range g.Parents[i] {
			t.Schedule = max(t.Schedule, d.job.Tasks[p].End)
		}
		t.End += t.Schedule
		a.see(t.End)
	}
}

// LeftOutOf are the records that are left out where the dependencies of tasks are needed (graph) or not.
func (tr *Trace) LeftOutOf(graph bool) []LeftOut {
	return slices.DeleteFunc(slices.Clone(tr.LeftOut), func(l LeftOut) bool { return l.Graph && !graph })
}

// Sentence lists the left-out jobs and records in one line, empty if there are none.
func Sentence(list []LeftOut) string {
	records, jobs := 0, 0
	var reasons []string
	for _, l := range list {
		records, jobs = records+l.Records, jobs+l.Jobs
		reasons = append(reasons, fmt.Sprintf("%d × %s (first: %s)", l.Records, l.Reason, l.First))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("records left out: %d, jobs left out with them: %d; %s", records, jobs, strings.Join(reasons, "; "))
}
