package formulations

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/milp"
	"schedgap/exact/verify/cloning/kernel"
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

func tooLong(v *bounds.Outlook) error {
	for k := range v.Phases {
		if err := tooClose(&v.Phases[k]); err != nil {
			return fmt.Errorf("it is meant for numbers that solvers tell apart; phase %s of job %s %w", v.Phases[k].ID,
				v.In.Jobs[v.Phases[k].Job].ID, err)
		}
		if ph := &v.Phases[k]; ph.Most > 1 && ph.Alone > maxModelMean {
			return fmt.Errorf("it is meant for tasks with clones of at most %d slots; phase %s of job %s has mean %g",
				maxModelMean, ph.ID, v.In.Jobs[ph.Job].ID, ph.Mean)
		}
	}
	return tooFull(v)
}

// tooFull reports a set of copies that fits on a server only thanks to the definition's tolerance. No row can state such a set, since a
// solver may use up its own tolerance to cut it off. The search is limited and may miss one.
func tooFull(v *bounds.Outlook) error {
	for i := range v.In.Servers {
		server := &v.In.Servers[i]
		if i > 0 && slices.Equal(server.Capacity, v.In.Servers[i-1].Capacity) {
			continue
		}
		for r, capacity := range server.Capacity {
			var shares []float64
			for k := range v.Phases {
				if d := v.Phases[k].Demand[r]; d > 0 && d <= cloning.Limit(capacity) {
					shares = append(shares, d/capacity)
				}
			}
			slices.Sort(shares)
			if sum := justBeyond(slices.Compact(shares)); sum > 0 {
				return fmt.Errorf("it is meant for demands that solvers tell apart; copies on server %s take %v of its %s", server.ID, sum,
					v.In.Resources[r])
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
func tooClose(ph *kernel.Listed) error {
	for r := 1; r < len(ph.Speedup); r++ {
		if gain := ph.Speedup[r] - ph.Speedup[r-1]; gain > 0 && gain < solverDigits {
			return fmt.Errorf("gains %.3g by its copy %d", gain, r+1)
		}
	}
	if lacks := required(ph.Phase) - short(ph); lacks < solverDigits {
		return fmt.Errorf("may lack %.3g slots of progress", lacks)
	}
	return nil
}

// short is the greatest progress of whole slots with which a task is not done, or less if a limited search does not find it.
func short(ph *kernel.Listed) float64 {
	need, best := required(ph.Phase), 0.0
	sums(ph, 20_000, func(sum float64) {
		if sum < need {
			best = max(best, sum+math.Ceil(need-sum)-1)
		}
	})
	return best
}

// sums calls visit with sums of gains, of slots in 2, 3, … copies, that a task can come to, each up to the first that is enough. It reports
// whether these were all, in so many steps.
func sums(ph *kernel.Listed, limit int, visit func(sum float64)) bool {
	need, steps := required(ph.Phase), 0
	var add func(r int, sum float64)
	add = func(r int, sum float64) {
		steps++
		if steps > limit {
			return
		}
		for ; r > 0 && sum < need && steps <= limit; sum += ph.Speedup[r] {
			add(r-1, sum)
		}
		if r == 0 || sum >= need {
			visit(sum)
		}
	}
	add(ph.Most-1, 0)
	return steps <= limit
}

// required is the progress at which a task is done; the first slot of any task brings 1.
func required(p *cloning.Phase) float64 { return max(1, p.Required()) }

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
	count map[schedule.Place]int
}

// slotsOf cuts a solution into slots, those without copies left out.
func slotsOf(copies []cloning.Copy) []slot {
	byEnd := map[int]map[schedule.Place]int{}
	var ends []int
	for _, c := range copies {
		for t := c.Start + 1; t <= c.End; t++ {
			if byEnd[t] == nil {
				byEnd[t] = map[schedule.Place]int{}
				ends = append(ends, t)
			}
			byEnd[t][schedule.Place{Task: c.Task, Server: c.Server}]++
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
	v        *bounds.Outlook
	index    map[cloning.Task]int // place in progress
	phase    []int
	progress []cloning.Progress
	left     []int // by phase, tasks that are not done
}

func newPlayer(v *bounds.Outlook) *player {
	p := &player{v: v, index: make(map[cloning.Task]int, v.Tasks)}
	for k := range v.Phases {
		for i := range v.Phases[k].Tasks {
			p.index[cloning.Task{Job: v.Phases[k].Job, Phase: v.Phases[k].Index, Index: i}] = len(p.phase)
			p.phase = append(p.phase, k)
		}
		p.left = append(p.left, v.Phases[k].Tasks)
	}
	p.progress = make([]cloning.Progress, len(p.phase))
	return p
}

func (p *player) done(i int) bool { return p.v.Phases[p.phase[i]].Done(p.progress[i]) }

// run lets a task run for a slot in some copies and reports whether it is done then.
func (p *player) run(i, copies int) bool {
	k := p.phase[i]
	p.progress[i] = p.v.Phases[k].After(p.progress[i], 1, copies)
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
			ph := &p.v.Phases[k]
			return fmt.Errorf("cloning: the point leaves %d tasks of phase %s of job %s undone", left, ph.ID, p.v.In.Jobs[ph.Job].ID)
		}
	}
	return nil
}

// replay keeps the copies that a schedule may have in some slots: copies of tasks that are not done.
func replay(v *bounds.Outlook, slots []slot, regime string) (cloning.Solution, error) {
	p := newPlayer(v)
	var rec schedule.Recorder
	for _, sl := range slots {
		copies := map[int]int{}
		for at, n := range sl.count {
			if i := p.index[at.Task]; !p.done(i) {
				copies[i] += n
				for range n {
					rec.Add(at.Task, at.Server)
				}
			}
		}
		rec.Flush(sl.now)
		for i, n := range copies {
			p.run(i, n)
		}
	}
	return cloning.Solution{Copies: rec.Finish(), Regime: regime}, p.finished()
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
func sharp(ph *kernel.Listed) float64 {
	need, best := required(ph.Phase), math.Inf(1)
	if !sums(ph, 100_000, func(sum float64) { best = min(best, sum+max(0, math.Ceil(need-sum))) }) {
		return stated(ph.Phase)
	}
	if whole := math.Round(best); math.Abs(best-whole) < 1e-9 {
		best = whole
	}
	return best
}
