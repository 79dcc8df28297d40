package formulations

import (
	"fmt"

	"schedgap/exact"
	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/milp"
	"schedgap/models/cloning"
)

// literalOf is the paper's program as it stands: copies x of every task on every server in every slot of a common horizon,
// its speedup by increments z_r weighted h(r) − h(r−1), binaries for completions. Nothing is known of bounds or symmetry.
// Encode closes slots in which nothing runs where a solution is longer than the horizon.
func literalOf(fixed bool) *Formulation {
	return &Formulation{
		Name: "literal",
		Doc: "copies by task, server and slot, over one horizon\n\n" +
			"Eqs. 4 to 8 of Xu et al. 2022, ≥ instead of the equality of eq. 6; docs/problems/cloning.md#models.",
		Applies: func(in *cloning.Instance) error {
			v := bounds.Of(in)
			if err := tooLong(v); err != nil {
				return err
			}
			return tooLarge(float64(v.Tasks) * float64(v.Serial()) * float64(len(in.Servers)+in.MaxCopies+2))
		},
		Rows: literalRows(fixed),
		Build: func(in *cloning.Instance, _ exact.BuildOptions) (*exact.BuiltModel[cloning.Solution], error) {
			return buildLiteral(in, fixed), nil
		},
	}
}

func literalRows(fixed bool) []exact.Row {
	rows := []exact.Row{
		{Name: "capacity", Statement: "Σ_k x_kit·d_kr ≤ C_ir"},
		{Name: "parent", Statement: "Σ_i x_kit ≤ max_copies·y_k′(t−1) for every task k′ of every parent phase"},
		{Name: "copies", Statement: "Σ_i x_kit = Σ_(r=1..max_copies) z_krt, z_krt ≤ 1"},
		{Name: "work", Statement: "p_kt ≥ θ_k·y_kt"},
		{Name: "gain", Statement: "p_kt = p_k(t−1) + Σ_r (h(r) − h(r−1))·z_krt"},
		{Name: "finish", Statement: "f_jt ≤ y_kt for every task k of job j"},
		{Name: "stay_y", Statement: "y_kt ≥ y_k(t−1)"},
		{Name: "stay_f", Statement: "f_jt ≥ f_j(t−1)"},
	}
	if fixed {
		rows = append(rows, exact.Row{
			Name:      "regime",
			Statement: "x_kit ≥ x_ki(t−1) − max·y_k(t−1): copies stop only when the task is done",
		})
	}
	return rows
}

// A literal is the model with its columns, by task and slot.
type literal struct {
	*milp.Model
	v        *bounds.Outlook
	horizon  int
	arrival  []int // by task
	x        [][][]int
	z        [][][]int
	progress [][]int
	done     []clock
	job      []clock
}

func buildLiteral(in *cloning.Instance, fixed bool) *exact.BuiltModel[cloning.Solution] {
	v := bounds.Of(in)
	l := &literal{Model: &milp.Model{Name: in.Name + "-literal"}, v: v, horizon: v.Serial()}
	p := newPlayer(v)
	for i := range p.phase {
		l.addTask(p.phase[i], i, fixed)
	}
	l.precede(p)
	l.capacities(p)
	for j := range in.Jobs {
		a := in.Jobs[j].Arrival
		l.Offset += float64(l.horizon - a)
		c := newClock(l.Model, fmt.Sprintf("f[%s]", in.Jobs[j].ID), a+1, l.horizon, true, -1)
		l.job = append(l.job, c)
		for t := a + 1; t < l.horizon; t++ {
			for i, k := range p.phase {
				if v.Phases[k].Job == j {
					l.done[i].bounded(l.Model, fmt.Sprintf("finish[%d,%d]", i, t), t, 1, milp.Of(c.cols[t-a-1], 1))
				}
			}
		}
	}
	return &exact.BuiltModel[cloning.Solution]{
		Model: l.Model,
		Decode: func(x []float64) (cloning.Solution, error) {
			return replay(v, l.slots(p, x), schedule.Regime(fixed))
		},
		Encode: func(s cloning.Solution) ([]float64, error) {
			s, _, err := schedule.Feasible(in, s, fixed)
			if err != nil {
				return nil, err
			}
			return l.encode(s), nil
		},
	}
}

// addTask adds a task's copies, increments, progress and completion (eqs. 3, 4 and 6). Task i is of phase k.
func (l *literal) addTask(k, i int, fixed bool) {
	in, ph := l.v.In, &l.v.Phases[k]
	a := in.Jobs[ph.Job].Arrival
	name := fmt.Sprintf("%s,%s,%d", in.Jobs[ph.Job].ID, ph.ID, i)
	l.arrival = append(l.arrival, a)
	l.done = append(l.done, newClock(l.Model, "y["+name+"]", a+1, l.horizon, true, 0))
	most := float64(min(in.MaxCopies, in.MaxCopiesPerServer))
	need := min(stated(ph.Phase), sharp(ph)) // a task may be done with 1e-9 less than its mean
	var xs, zs [][]int
	var sums []int
	for t := a + 1; t <= l.horizon; t++ {
		var x, z []int
		var gain milp.Sum
		for s := range in.Servers {
			x = append(x, l.AddCol(milp.Col{Name: fmt.Sprintf("x[%s,%s,%d]", name, in.Servers[s].ID, t), Hi: most, Integer: true}))
		}
		before := 0.0
		for r, h := range ph.Speedup {
			z = append(z, l.AddCol(milp.Col{Name: fmt.Sprintf("z[%s,%d,%d]", name, r+1, t), Hi: 1}))
			gain = append(gain, milp.Of(z[r], h-before)...)
			before = h
		}
		sum := l.AddCol(milp.Col{Name: fmt.Sprintf("p[%s,%d]", name, t), Hi: milp.Inf})
		if t > a+1 {
			gain = append(gain, milp.Of(sums[len(sums)-1], 1)...)
		}
		l.Relate(fmt.Sprintf("copies[%s,%d]", name, t), 0, 0, milp.Total(x...), milp.Total(z...).Times(-1))
		l.Relate(fmt.Sprintf("gain[%s,%d]", name, t), 0, 0, gain, milp.Of(sum, -1))
		sums = append(sums, sum)
		l.done[i].reaches(l.Model, fmt.Sprintf("work[%s,%d]", name, t), t, need, milp.Of(sum, 1))
		if fixed && t > a+1 {
			l.persist(i, t, x, xs[len(xs)-1])
		}
		xs, zs = append(xs, x), append(zs, z)
	}
	l.x, l.z, l.progress = append(l.x, xs), append(l.z, zs), append(l.progress, sums)
}

// persist lets copies stop only when the task is done: x(t) ≥ x(t−1) − max·y(t−1).
func (l *literal) persist(i, t int, now, before []int) {
	for s := range now {
		l.done[i].bounded(l.Model, fmt.Sprintf("regime[%d,%d,%d]", i, s, t), t-1, l.Cols[now[s]].Hi,
			append(milp.Of(before[s], 1), milp.Of(now[s], -1)...))
	}
}

// precede lets a task run only after every task of every parent phase (eq. 7).
func (l *literal) precede(p *player) {
	for i, k := range p.phase {
		for _, parent := range l.v.Phases[k].Preds {
			for q, other := range p.phase {
				if other != parent {
					continue
				}
				for s, x := range l.x[i] {
					t := l.arrival[i] + 1 + s
					l.done[q].bounded(l.Model, fmt.Sprintf("parent[%d,%d,%d]", i, q, t), t-1, float64(l.v.In.MaxCopies), milp.Total(x...))
				}
			}
		}
	}
}

// capacities bounds every server's resources in every slot (eq. 5).
func (l *literal) capacities(p *player) {
	for t := 1; t <= l.horizon; t++ {
		for s := range l.v.In.Servers {
			for r, c := range l.v.In.Servers[s].Capacity {
				var terms []milp.Term
				for i, k := range p.phase {
					if d := l.v.Phases[k].Demand[r]; d > 0 && t > l.arrival[i] {
						terms = append(terms, milp.Term{Col: l.x[i][t-l.arrival[i]-1][s], Coef: d})
					}
				}
				addCapacity(l.Model, fmt.Sprintf("capacity[%s,%s,%d]", l.v.In.Servers[s].ID, l.v.In.Resources[r], t), c, terms)
			}
		}
	}
}

// slots reads the copies of a point.
func (l *literal) slots(p *player, x []float64) []slot {
	list := make([]slot, l.horizon)
	tasks := make([]cloning.Task, len(p.phase))
	for t, i := range p.index {
		tasks[i] = t
	}
	for t := range list {
		list[t] = slot{now: t + 1, count: map[schedule.Place]int{}}
	}
	for i, xs := range l.x {
		for t, cols := range xs {
			for s, col := range cols {
				if n := count(x[col]); n > 0 {
					list[l.arrival[i]+t].count[schedule.Place{Task: tasks[i], Server: s}] = n
				}
			}
		}
	}
	return list
}

func (l *literal) encode(s cloning.Solution) []float64 {
	slots := slotsOf(s.Copies)
	if n := len(slots); n > 0 && slots[n-1].now > l.horizon {
		last := 0
		for _, a := range l.arrival {
			last = max(last, a)
		}
		for i := range slots {
			if slots[i].now > last+1 {
				slots[i].now = last + 1
				if i > 0 {
					slots[i].now = max(slots[i].now, slots[i-1].now+1)
				}
			}
		}
	}
	x := make([]float64, len(l.Cols))
	p := newPlayer(l.v)
	end := make([]int, len(l.v.In.Jobs))
	for _, sl := range slots {
		copies := map[int]int{}
		for at, n := range sl.count {
			i := p.index[at.Task]
			copies[i] += n
			x[l.x[i][sl.now-l.arrival[i]-1][at.Server]] = float64(n)
		}
		for i, n := range copies {
			for r := range n {
				x[l.z[i][sl.now-l.arrival[i]-1][r]] = 1
			}
			if p.run(i, n) {
				l.done[i].set(x, sl.now)
				j := l.v.Phases[p.phase[i]].Job
				end[j] = max(end[j], sl.now)
			}
		}
		for i := range copies {
			x[l.progress[i][sl.now-l.arrival[i]-1]] = p.progress[i].Value()
		}
	}
	for i := range l.progress { // progress stays where nothing runs
		for t := 1; t < len(l.progress[i]); t++ {
			x[l.progress[i][t]] = max(x[l.progress[i][t]], x[l.progress[i][t-1]])
		}
	}
	for j := range end {
		l.job[j].set(x, end[j])
	}
	return x
}
