package cloning

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models/cloning"
)

// maxColumns bounds models, so that an instance for which none can be solved does not fill the memory either.
const maxColumns = 2_000_000

func tooLarge(columns float64) error {
	if columns > maxColumns {
		return fmt.Errorf("it would have about %.3g columns, more than %d", columns, maxColumns)
	}
	return nil
}

// maxModelMean bounds the slots of tasks with clones, which models add up one by one: rounding must not reach the 1e-9 by which
// a task may miss its mean.
const maxModelMean = 2_000

func tooLong(v *preprocessed) error {
	for k := range v.phases {
		if err := v.phases[k].tooClose(); err != nil {
			return fmt.Errorf("it is meant for numbers that solvers tell apart; phase %s of job %s %w", v.phases[k].ID,
				v.in.Jobs[v.phases[k].job].ID, err)
		}
		if ph := &v.phases[k]; ph.most > 1 && ph.alone > maxModelMean {
			return fmt.Errorf("it is meant for tasks with clones of at most %d slots; phase %s of job %s has mean %g",
				maxModelMean, ph.ID, v.in.Jobs[ph.job].ID, ph.Mean)
		}
	}
	return tooFull(v)
}

// tooFull reports a set of copies that fits on a server only thanks to the definition's tolerance. No row can state such a set, since a
// solver may use up its own tolerance to cut it off. The search is limited and may miss one.
func tooFull(v *preprocessed) error {
	for i := range v.in.Servers {
		server := &v.in.Servers[i]
		if i > 0 && slices.Equal(server.Capacity, v.in.Servers[i-1].Capacity) {
			continue
		}
		for r, capacity := range server.Capacity {
			var shares []float64
			for k := range v.phases {
				if d := v.phases[k].Demand[r]; d > 0 && d <= cloning.Limit(capacity) {
					shares = append(shares, d/capacity)
				}
			}
			slices.Sort(shares)
			if sum := justBeyond(slices.Compact(shares)); sum > 0 {
				return fmt.Errorf("it is meant for demands that solvers tell apart; copies on server %s take %v of its %s", server.ID, sum,
					v.in.Resources[r])
			}
		}
	}
	return nil
}

// justBeyond is a sum of shares, each any number of times, that is more than 1 and fits by the tolerance; 0: none was found.
func justBeyond(shares []float64) float64 {
	const rounding, limit = 1e-12, 20_000
	steps, found := 0, 0.0
	var add func(n int, sum float64)
	add = func(n int, sum float64) {
		steps++
		if steps > limit || found > 0 {
			return
		}
		if sum > 1+rounding {
			found = sum
			return
		}
		for i := n - 1; i >= 0; i-- {
			if more := sum + shares[i]; more <= (1+cloning.FitTolerance)*(1+rounding) {
				add(i+1, more)
			}
		}
	}
	add(len(shares), 0)
	return found
}

// solverDigits is more than solvers' tolerances of rows and of coefficients.
const solverDigits = 2e-6

// tooClose is an error where solvers' tolerances take a task for done that is not, or a copy's gain for none.
func (ph *phase) tooClose() error {
	for r := 1; r < len(ph.Speedup); r++ {
		if gain := ph.Speedup[r] - ph.Speedup[r-1]; gain > 0 && gain < solverDigits {
			return fmt.Errorf("gains %.3g by its copy %d", gain, r+1)
		}
	}
	if lacks := required(ph.Phase) - ph.short(); lacks < solverDigits {
		return fmt.Errorf("may lack %.3g slots of progress", lacks)
	}
	return nil
}

// short is the greatest progress of whole slots with which a task is not done, or less if a limited search does not find it.
func (ph *phase) short() float64 {
	need, best, steps := required(ph.Phase), 0.0, 0
	var add func(r int, sum float64)
	add = func(r int, sum float64) {
		steps++
		if steps > 20_000 {
			return
		}
		if r == 0 {
			best = max(best, sum+math.Ceil(need-sum)-1)
			return
		}
		for ; sum < need && steps <= 20_000; sum += ph.Speedup[r] {
			add(r-1, sum)
		}
	}
	add(ph.most-1, 0)
	return best
}

// required is the progress at which a task is done; the first slot of any task brings 1.
func required(p *cloning.Phase) float64 { return max(1, p.Required()) }

// feasible returns the solution to encode: s as a member of the model's regime on the capacities as they are. A solution that
// breaks a constraint is an error.
func feasible(in *cloning.Instance, s cloning.Solution, fixed bool) (cloning.Solution, float64, error) {
	s = member(s, fixed)
	r := cloning.Problem.Check(in, s)
	if v := r.Worst(nil); v != nil {
		return s, 0, fmt.Errorf("the solution breaks %s at %s by %g, so it has no point in the model", v.Constraint, v.Where, v.Amount)
	}
	return s, *r.Objective, nil
}

// member is s stated as one of the regime on the capacities as they are.
func member(s cloning.Solution, fixed bool) cloning.Solution {
	s.CapacityFactor = 0
	if fixed {
		s.Regime = cloning.Nonpreemptive
	}
	return s
}

// stated is the progress that models ask of a task: its mean, or the first slot's 1. The checker's 1e-9 less is for the
// solver's tolerance to cover; as a coefficient it leads solvers astray.
func stated(p *cloning.Phase) float64 { return max(1, p.Mean) }

// addCapacity adds Σ terms ≤ capacity in shares of the capacity, so that units do not matter to the solver's tolerances, which
// cover what rounding makes of demands that just fit. Shares that are less than that are left out. With that tolerance in solvers'
// rows, too, small examples took memory without end; see tooFull.
func addCapacity(m *milp.Model, name string, capacity float64, terms []milp.Term) {
	row := milp.Row{Name: name, Lo: -milp.Inf, Hi: 1}
	if capacity == 0 {
		capacity, row.Hi = 1, 0
	}
	for _, t := range terms {
		t.Coef /= capacity
		if t.Coef > cloning.FitTolerance {
			row.Terms = append(row.Terms, t)
		}
	}
	if row.Terms != nil {
		m.Rows = append(m.Rows, row)
	}
}

// A slot has the copies that run in it, by task and server.
type slot struct {
	now   int // its end
	count map[place]int
}

// slotsOf cuts a solution into slots, those without copies left out.
func slotsOf(copies []cloning.Copy) []slot {
	byEnd := map[int]map[place]int{}
	var ends []int
	for _, c := range copies {
		for t := c.Start + 1; t <= c.End; t++ {
			if byEnd[t] == nil {
				byEnd[t] = map[place]int{}
				ends = append(ends, t)
			}
			byEnd[t][place{c.Task, c.Server}]++
		}
	}
	slices.Sort(ends)
	list := make([]slot, len(ends))
	for i, t := range ends {
		list[i] = slot{t, byEnd[t]}
	}
	return list
}

// A player runs slots one after the other and knows what tasks have done.
type player struct {
	v        *preprocessed
	index    map[cloning.Task]int // place in progress
	phase    []int
	progress []cloning.Progress
	left     []int // by phase, tasks that are not done
}

func newPlayer(v *preprocessed) *player {
	p := &player{v: v, index: make(map[cloning.Task]int, v.tasks)}
	for k := range v.phases {
		for i := range v.phases[k].Tasks {
			p.index[cloning.Task{Job: v.phases[k].job, Phase: v.phases[k].index, Index: i}] = len(p.phase)
			p.phase = append(p.phase, k)
		}
		p.left = append(p.left, v.phases[k].Tasks)
	}
	p.progress = make([]cloning.Progress, len(p.phase))
	return p
}

func (p *player) done(i int) bool { return p.v.phases[p.phase[i]].Done(p.progress[i]) }

// run lets a task run for a slot in some copies and reports whether it is done then.
func (p *player) run(i, copies int) bool {
	k := p.phase[i]
	p.progress[i] = p.v.phases[k].After(p.progress[i], 1, copies)
	if !p.done(i) {
		return false
	}
	p.left[k]--
	return true
}

// finished is an error when some task is not done.
func (p *player) finished() error {
	for k, left := range p.left {
		if left > 0 {
			ph := &p.v.phases[k]
			return fmt.Errorf("cloning: the point leaves %d tasks of phase %s of job %s undone", left, ph.ID, p.v.in.Jobs[ph.job].ID)
		}
	}
	return nil
}

// replay keeps the copies that a schedule may have in some slots: copies of tasks that are not done.
func replay(v *preprocessed, slots []slot, regime string) (cloning.Solution, error) {
	p := newPlayer(v)
	var rec recorder
	for _, sl := range slots {
		copies := map[int]int{}
		for at, n := range sl.count {
			if i := p.index[at.task]; !p.done(i) {
				copies[i] += n
				for range n {
					rec.add(at.task, at.server)
				}
			}
		}
		rec.flush(sl.now)
		for i, n := range copies {
			p.run(i, n)
		}
	}
	return cloning.Solution{Copies: rec.finish(), Regime: regime}, p.finished()
}

func regime(fixed bool) string {
	if fixed {
		return cloning.Nonpreemptive
	}
	return cloning.Preemptive
}

// A clock is a completion by moment: 0 before from, a column of the model until to, then 1.
type clock struct {
	from, to int
	cols     []int // of moments from..to−1
}

// newClock adds the columns of a completion, which stays once it has come.
func newClock(m *milp.Model, name string, from, to int, integer bool, cost float64) clock {
	c := clock{from: from, to: to}
	for t := from; t < to; t++ {
		col := m.AddCol(milp.Col{Name: fmt.Sprintf("%s[%d]", name, t), Hi: 1, Integer: integer, Cost: cost})
		if t > from {
			m.Relate(fmt.Sprintf("stay_%s[%d]", name, t), 0, milp.Inf, milp.Of(col, 1), milp.Of(col-1, -1))
		}
		c.cols = append(c.cols, col)
	}
	return c
}

// at is the clock at a moment; nil: 0.
func (c *clock) at(t int) milp.Sum {
	switch {
	case t < c.from:
		return nil
	case t >= c.to:
		return milp.Const(1)
	}
	return milp.Of(c.cols[t-c.from], 1)
}

// set marks a completion at a moment in a point.
func (c *clock) set(x []float64, done int) {
	for t := max(c.from, done); t < c.to; t++ {
		x[c.cols[t-c.from]] = 1
	}
}

// bounded adds sum ≤ factor·clock(t).
func (c *clock) bounded(m *milp.Model, name string, t int, factor float64, sum milp.Sum) {
	m.Relate(name, -milp.Inf, 0, sum, c.at(t).Times(-factor))
}

// reaches adds sum ≥ factor·clock(t), where that is more than 0.
func (c *clock) reaches(m *milp.Model, name string, t int, factor float64, sum milp.Sum) {
	if at := c.at(t); at != nil {
		m.Relate(name, 0, milp.Inf, sum, at.Times(-factor))
	}
}

func count(x float64) int { return int(math.Round(x)) }

// sharp is the smallest sum of gains, over slots in 1, 2, … copies, that reaches the mean. A completed task has at least that.
func sharp(ph *phase) float64 {
	const limit = 100_000
	need, best, steps := required(ph.Phase), math.Inf(1), 0
	var add func(r int, sum float64)
	add = func(r int, sum float64) {
		steps++
		if steps > limit {
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
	if steps > limit {
		return stated(ph.Phase)
	}
	if whole := math.Round(best); math.Abs(best-whole) < 1e-9 {
		best = whole
	}
	return best
}
