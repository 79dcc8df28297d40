package cloning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/cloning"
)

// strongOf is our model: windows from an incumbent, alike tasks and servers as one where that is exact, maximal patterns of
// servers, cuts. docs/design/cloning.md#what-may-be-aggregated has the proofs. Encode maps a solution that is worse than the
// model's own incumbent to the incumbent's point, which is worth less.
func strongOf(fixed bool) *formulation {
	return &formulation{
		Name: "strong",
		Doc: "windows from an incumbent, alike tasks and servers as one, cuts\n\n" +
			"docs/design/cloning.md#what-may-be-aggregated.",
		Applies: func(in *cloning.Instance) error {
			v := preprocess(in)
			if v.tasks > maxStrongTasks || v.tasks*len(in.Servers) > maxStrongCells {
				return fmt.Errorf("it is meant for at most %d tasks and %d pairs of task and server", maxStrongTasks, maxStrongCells)
			}
			if err := tooLong(v); err != nil {
				return err
			}
			f := newFrame(v, fixed, false)
			if fixed {
				return tooLarge(f.columnsOfRuns())
			}
			return tooLarge(f.columnsOfSlots())
		},
		Rows: strongRows(fixed),
		Build: func(in *cloning.Instance, as exact.Form) (*exact.Built[cloning.Solution], error) {
			return buildStrong(in, fixed, as.Exactly, as.Bare)
		},
	}
}

// Sizes of instances that the strong model is meant for.
const (
	maxStrongTasks = 2_000
	maxStrongCells = 100_000 // tasks times servers
)

// buildStrong builds the model, bare: without what the incumbent and the bound on the objective bring, windows and cutoff.
func buildStrong(in *cloning.Instance, fixed, exactly, bare bool) (*exact.Built[cloning.Solution], error) {
	v := preprocess(in)
	v.exact = exactly
	f := newFrame(v, fixed, bare)
	if bare { // windows are wider than what Applies has seen
		columns := f.columnsOfSlots
		if fixed {
			columns = f.columnsOfRuns
		}
		if err := tooLarge(columns()); err != nil {
			return nil, models.NotApplicablef("model strong without a start: %v", err)
		}
	}
	f.build(in.Name + "-strong")
	if fixed {
		return f.buildRuns()
	}
	return f.buildSlots()
}

// strongRows are the rows of the strong model of a regime. Copies are grouped by tasks that are alike; c_kt says that phase k is
// done by slot t.
func strongRows(fixed bool) []exact.Row {
	both := []exact.Row{
		{Name: "capacity", Statement: "Σ copies·d_kr ≤ C_ir in every slot, on servers whose fillings are not enumerated"},
		{Name: "parent", Statement: "Σ copies (starts) of phase k ≤ n·c_k′t for every parent k′"},
		{Name: "cutoff", Statement: "lower bound ≤ objective ≤ that of the incumbent"},
		{Name: "jobs", Statement: "Σ_j f_jt ≤ jobs that the bounds on k-th completions allow by t", Cut: true},
		{Name: "finish", Statement: "f_jt ≤ c_kt for every last phase k of job j"},
		{Name: "stay_c", Statement: "c_kt ≥ c_k(t−1)"},
		{Name: "stay_f", Statement: "f_jt ≥ f_j(t−1)"},
		{Name: "servers", Statement: "Σ_fillings l ≤ servers of a class"},
		{Name: "room", Statement: "copies of a kind ≤ Σ_fillings l·copies in the filling (or placed on servers)"},
	}
	if fixed {
		return append(both, []exact.Row{
			{Name: "work", Statement: "Σ_profiles Σ_starts s = n_k: every task starts once, with enough copies"},
			{Name: "copies_per_server", Statement: "Σ_spans y ≤ max_copies_per_server on a server in a slot"},
			{Name: "ended", Statement: "Σ ends by slot t ≥ n_k·c_kt"},
			{Name: "run", Statement: "Σ_servers y = copies that the starts have in a span of slots"},
			{Name: "surrogate", Statement: "Σ copies·weight ≤ capacity of the whole cluster in a slot", Cut: true},
		}...)
	}
	return append(both, []exact.Row{
		{Name: "work", Statement: "Σ_t Σ_r (h(r) − h(r−1))·z_krt ≥ θ_k·c_kt"},
		{Name: "volume", Statement: "Σ_t Σ_r z_krt ≥ n_k·⌈least copies times slots of a task⌉·c_kt"},
		{Name: "slots", Statement: "Σ_t z_k1t ≥ least slots with all copies·c_kt", Cut: true},
		{Name: "order", Statement: "z_krt ≤ z_k(r−1)t"},
	}...)
}

// A frame is the part that the strong models of both regimes share: the incumbent, windows, completions and the objective.
type frame struct {
	*milp.Model
	v      *preprocessed
	bare   bool
	best   *incumbent // nil: none was found, and windows are as wide as the serial horizon
	lower  float64
	jobDue []int   // moments by which jobs must be done if the objective is to be no worse than the incumbent's
	due    []int   // the same by phase
	done   []clock // by phase
	job    []clock
	ends   []float64 // the k-th of all completions is no earlier
}

func newFrame(v *preprocessed, fixed, bare bool) *frame {
	f := &frame{v: v, bare: bare}
	if !bare {
		f.best = v.narrowed(fixed)
	}
	works := v.works()
	f.ends = completions(works, len(v.surrogates))
	sum := 0.0
	for _, end := range f.ends {
		sum += end
	}
	f.lower = sum - v.arrivals()
	for j := range works {
		f.jobDue = append(f.jobDue, f.deadline(works, j))
	}
	for k := range v.phases {
		f.due = append(f.due, f.jobDue[v.phases[k].job]-v.phases[k].tail)
	}
	return f
}

// deadline is the latest end of job j in a schedule as good as the incumbent: all others together take at least their bound.
func (f *frame) deadline(works []work, j int) int {
	serial := f.v.serial()
	if f.best == nil {
		return serial
	}
	others := 0.0
	if len(works) <= maxDeadlines {
		others = together(slices.Delete(slices.Clone(works), j, j+1), len(f.v.surrogates))
	} else {
		for i := range works {
			if i != j {
				others += works[i].earliest
			}
		}
	}
	return int(min(float64(serial), float64(f.best.cost)+f.v.arrivals()-others+f.rounded(others)))
}

// narrowed is the best list schedule, improved by one narrow pass of the search. Nothing is taken from the pass but a schedule.
func (v *preprocessed) narrowed(fixed bool) *incumbent {
	ctx := context.Background()
	best := v.incumbent(ctx)
	if best == nil || v.tasks > maxNarrowTasks {
		return best
	}
	sp := newSweep(ctx, v, best.solution, fixed, maxNarrowArcSlots, 1)
	if sp == nil {
		return best
	}
	sp.best, sp.bounded, sp.improved = best.cost, func(int) {}, func(s cloning.Solution) {
		if s, cost, err := feasible(v.in, s, fixed); err == nil && int(cost) < best.cost {
			best = &incumbent{s, int(cost)}
		}
	}
	sp.narrow(ctx, efforts[0])
	return best
}

// Efforts before a model is built, which no context bounds.
const (
	maxNarrowTasks    = 40
	maxNarrowArcSlots = 2_000_000
	maxDeadlines      = 300 // jobs, for deadlines with the bound on all others together
)

// window is the number of slots in which phase k may run.
func (f *frame) window(k int) int { return f.due[k] - f.v.phases[k].head }

// build adds completions, the objective between its bounds, and the cut that by any moment no more jobs are done than the
// bounds on the k-th completions allow.
func (f *frame) build(name string) {
	v := f.v
	f.Model = &milp.Model{Name: name}
	for k := range v.phases {
		ph := &v.phases[k]
		cost := 0.0
		if f.only(k) {
			cost = -1
		}
		c := newClock(f.Model, fmt.Sprintf("c[%s,%s]", v.in.Jobs[ph.job].ID, ph.ID), ph.head+ph.span, f.due[k], true, cost)
		f.done = append(f.done, c)
	}
	objective := milp.Row{Name: "cutoff"}
	for j := range v.in.Jobs {
		f.Offset += float64(f.jobDue[j] - v.in.Jobs[j].Arrival)
		f.job = append(f.job, f.newJob(j))
		for _, col := range f.job[j].cols {
			objective.Terms = append(objective.Terms, milp.Term{Col: col, Coef: -1})
		}
	}
	objective.Lo, objective.Hi = f.lower-f.Offset, milp.Inf
	if f.v.exact {
		objective.Lo = math.Ceil(f.lower-f.rounded(f.lower)) - f.Offset
	}
	if f.best != nil {
		objective.Hi = float64(f.best.cost) - f.Offset
	}
	if !f.bare {
		f.Rows = append(f.Rows, objective)
	}
	f.addCounts()
}

// addCounts bounds the number of jobs that are done by each moment.
func (f *frame) addCounts() {
	last := slices.Max(f.jobDue)
	for t := 1; t < last; t++ {
		most := 0.0
		for _, end := range f.ends {
			if end <= float64(t)+f.rounded(end) {
				most++
			}
		}
		var terms []milp.Term
		for j := range f.job {
			if col, value := f.job[j].at(t); col >= 0 {
				terms = append(terms, milp.Term{Col: col, Coef: 1})
			} else {
				most -= value
			}
		}
		if float64(len(terms)) > most {
			f.AddRow(fmt.Sprintf("jobs[%d]", t), -milp.Inf, most, terms...)
		}
	}
}

// rounded is more than rounding may have added to a bound that sums make, where the model has to be exact.
func (f *frame) rounded(bound float64) float64 {
	if f.v.exact {
		return 1e-6 * max(1, bound)
	}
	return 0
}

// only reports whether phase k is its job's only one without children.
func (f *frame) only(k int) bool {
	ph := &f.v.phases[k]
	for q := f.v.first[ph.job]; q < f.v.until(ph.job); q++ {
		if len(f.v.phases[q].children) == 0 && q != k {
			return false
		}
	}
	return len(ph.children) == 0
}

// newJob is the job's completion, that of its last phase where there is only one.
func (f *frame) newJob(j int) clock {
	for k := f.v.first[j]; k < f.v.until(j); k++ {
		if f.only(k) {
			return f.done[k]
		}
	}
	c := newClock(f.Model, fmt.Sprintf("f[%s]", f.v.in.Jobs[j].ID), f.v.earliest(j), f.jobDue[j], true, -1)
	for k := f.v.first[j]; k < f.v.until(j); k++ {
		if len(f.v.phases[k].children) == 0 {
			for t, col := range c.cols {
				f.done[k].bounded(f.Model, fmt.Sprintf("finish[%d,%d]", k, t), c.from+t, 1, milp.Term{Col: col, Coef: 1})
			}
		}
	}
	return c
}

// wrap makes a built model of the frame. encode is given solutions that are as good as the incumbent.
func (f *frame) wrap(
	fixed bool, decode func(x []float64) (cloning.Solution, error), encode func(s cloning.Solution) ([]float64, error),
) *exact.Built[cloning.Solution] {
	return &exact.Built[cloning.Solution]{
		Model:  f.Model,
		Decode: decode,
		Encode: func(s cloning.Solution) ([]float64, error) {
			s, cost, err := feasible(f.v.in, s, fixed)
			if err != nil {
				return nil, err
			}
			switch {
			case f.best != nil && cost > float64(f.best.cost):
				s = f.best.solution
			case f.best == nil:
				for _, c := range s.Copies {
					if c.End > f.jobDue[c.Task.Job] {
						return nil, fmt.Errorf("the solution is longer than the model's horizon, %d slots", f.jobDue[c.Task.Job])
					}
				}
			}
			return encode(s)
		},
	}
}

// setClocks marks the completions of phases, and of their jobs, in a point.
func (f *frame) setClocks(x []float64, ends []int) {
	job := make([]int, len(f.job))
	for k, end := range ends {
		f.done[k].set(x, end)
		j := f.v.phases[k].job
		job[j] = max(job[j], end)
	}
	for j, end := range job {
		f.job[j].set(x, end)
	}
}

// sharp is the least progress of at least the mean that some numbers of slots in 1, 2, … copies bring: no task is done with
// less.
func sharp(ph *phase, exactly bool) float64 {
	const limit = 100_000
	need, best, steps := required(ph.Phase), math.Inf(1), 0
	if exactly {
		need = met(ph.Phase)
	}
	var add func(r int, sum float64)
	add = func(r int, sum float64) {
		if steps++; steps > limit {
			return
		}
		if r == 0 {
			best = min(best, sum+max(0, math.Ceil(need-sum)))
			return
		}
		for ; sum < need; sum += ph.Speedup[r] {
			add(r-1, sum)
		}
		best = min(best, sum)
	}
	add(ph.most-1, 0)
	switch {
	case exactly && steps > limit:
		return need
	case exactly:
		return best * (1 - 1e-12) // the sums are rounded
	case steps > limit:
		return stated(ph.Phase)
	}
	if whole := math.Round(best); math.Abs(best-whole) < 1e-9 {
		best = whole
	}
	return best
}
