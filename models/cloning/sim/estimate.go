package sim

import (
	"math"
	"slices"

	"schedgap/models/cloning"
)

// An estimator keeps the times that policies see, which are learned as in section 5.2 of the paper: for a job of a
// kind that ran before, from the durations of its phases then; otherwise from the ended tasks of the phase; and before any has
// ended, from all tasks of ended jobs.
type estimator struct {
	kinds []string // by job
	runs  map[string][]tally
	all   tally
	own   [][]tally // by job that is not done and phase
	prior []bool    // by job: its times are of earlier runs
}

// A tally has the number, mean and squared deviations of durations in slots (Welford).
type tally struct{ n, mean, squares float64 }

func (t *tally) add(n, mean, squares float64) {
	if n == 0 {
		return
	}
	d, all := mean-t.mean, t.n+n
	t.squares += squares + d*d*t.n*n/all
	t.mean += d * n / all
	t.n = all
}

// estimate has State hand out times that need not be true.
func (e *engine) estimate(w *Workload) {
	n := len(e.in.Jobs)
	seen := *e.in
	seen.Jobs = slices.Clone(e.in.Jobs)
	e.seen, e.revisions = &seen, make([]int, n)
	e.guess = &estimator{runs: map[string][]tally{}, own: make([][]tally, n), prior: make([]bool, n)}
	for j := range w.Jobs {
		e.guess.kinds = append(e.guess.kinds, w.Jobs[j].Kind)
	}
}

// judge makes the estimates of a job that arrives.
func (e *engine) judge(j int32) {
	g := e.guess
	if g == nil {
		return
	}
	job := &e.seen.Jobs[j]
	job.Phases = slices.Clone(job.Phases)
	g.own[j] = make([]tally, len(job.Phases))
	before := g.runs[g.kinds[j]]
	g.prior[j] = g.kinds[j] != "" && len(before) == len(job.Phases)
	for k := range job.Phases {
		of := g.all
		if g.prior[j] {
			of = before[k]
		}
		e.see(j, int32(k), of)
	}
}

// see sets what policies see of a phase.
func (e *engine) see(j, k int32, of tally) {
	p := &e.seen.Jobs[j].Phases[k]
	p.Mean, p.SD = 1, 0
	if of.n > 0 { // while nothing ever ended the numbers of tasks have to do
		p.Mean, p.SD = of.mean, math.Sqrt(of.squares/of.n)
	}
	p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, e.in.MaxCopies) // eq. (3)
	e.revisions[j]++
}

// learn notes the time of a task from the start of its first copy to its end.
func (e *engine) learn(j, k int32, took float64) {
	g := e.guess
	if g == nil {
		return
	}
	own := &g.own[j][k]
	own.add(1, took, 0)
	if !g.prior[j] {
		e.see(j, k, *own)
	}
	if e.jobs[j].left > 0 {
		return
	}
	kind, phases := g.kinds[j], g.own[j]
	if len(g.runs[kind]) != len(phases) {
		g.runs[kind] = make([]tally, len(phases))
	}
	for k, t := range phases {
		g.runs[kind][k].add(t.n, t.mean, t.squares)
		g.all.add(t.n, t.mean, t.squares)
	}
	g.own[j] = nil
}

// Instance returns the cluster and all jobs; a policy that is online looks at those in Active only. Times are in slots, and
// estimates where the run says so.
func (s *State) Instance() *cloning.Instance {
	if s.seen != nil {
		return s.seen
	}
	return s.in
}

// Revision changes whenever the times of a job do that Instance has.
func (s *State) Revision(job int) int {
	if s.seen == nil {
		return 0
	}
	return s.revisions[job]
}
