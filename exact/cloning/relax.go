package cloning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Sizes of the linear program, whatever the size of the instance.
const (
	maxMoments = 40  // at which completions are counted
	maxGroups  = 100 // of jobs that are taken for equal
	maxCuts    = 4   // moments before which work that is released later cannot be done
	lpGauges   = 6
)

// A relaxation is the linear program of lb-lp: X[g,q] is how many jobs of group g are done by moment q. It holds
//   - done jobs stay done, and none is done before its earliest end;
//   - by any moment q and for any moment p, the volume of done jobs' phases that cannot start before p fits between p and q,
//     resource by resource (and gauge by gauge);
//   - by any moment no more jobs are done than the bounds on the k-th completions allow.
//
// A job done between two moments counts as done in the first slot after the earlier one, or at its earliest end. The members
// of a group are given the least that any of them has of everything, so the program's value stays a bound.
type relaxation struct {
	v       *view
	gauges  []int
	moments []int
	cuts    []int
	ends    []float64 // bounds on the k-th completions
}

// A group is jobs that are taken for equal.
type group struct {
	jobs     int
	earliest int
	volume   [][]float64 // by gauge and cut, of phases that start no earlier, in slots of the whole cluster
}

func newRelaxation(v *view) *relaxation {
	works := v.works()
	r := &relaxation{v: v, ends: completions(works, len(v.gauges))}
	for g := range v.gauges { // the resources are the first, prices the last
		if g < len(v.in.Resources)+lpGauges || g == len(v.gauges)-1 {
			r.gauges = append(r.gauges, g)
		}
	}
	points := []int{}
	for _, end := range r.ends {
		points = append(points, int(end)-1)
	}
	last := int(slices.Max(r.ends))
	for t := 1.0; t < float64(last); t = math.Ceil(t * 1.5) {
		points = append(points, int(t))
	}
	r.moments = thin(points, maxMoments)
	heads := []int{}
	for k := range v.phases {
		if h := v.phases[k].head; h > 0 && h < last {
			heads = append(heads, h)
		}
	}
	r.cuts = append([]int{0}, thin(heads, maxCuts)...)
	return r
}

// thin sorts positive integers, drops repeated ones, and keeps at most n spread evenly over the rest.
func thin(list []int, n int) []int {
	slices.Sort(list)
	list = slices.Compact(slices.DeleteFunc(list, func(t int) bool { return t <= 0 }))
	if len(list) <= n {
		return list
	}
	kept := make([]int, n)
	for i := range kept {
		kept[i] = list[(i+1)*len(list)/n-1]
	}
	return kept
}

// groups puts jobs of like arrival and volume together.
func (r *relaxation) groups() []group {
	singles := make([]group, len(r.v.in.Jobs))
	order := make([]int, len(singles))
	size := make([]float64, len(singles))
	for j := range singles {
		singles[j] = r.single(j)
		order[j] = j
		for _, volume := range singles[j].volume {
			size[j] = max(size[j], volume[0])
		}
	}
	arrival := func(j int) int {
		at, _ := slices.BinarySearch(r.cuts, r.v.in.Jobs[j].Arrival+1)
		return at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(arrival(a)-arrival(b), cmp.Compare(size[a], size[b])) })
	step := (len(order) + maxGroups - 1) / maxGroups
	var list []group
	for from := 0; from < len(order); from += step {
		g := singles[order[from]]
		for _, j := range order[from+1 : min(from+step, len(order))] {
			g.join(&singles[j])
		}
		list = append(list, g)
	}
	return list
}

func (r *relaxation) single(j int) group {
	g := group{jobs: 1, earliest: r.v.earliest(j)}
	for _, i := range r.gauges {
		gauge := &r.v.gauges[i]
		volume := make([]float64, len(r.cuts))
		for k := r.v.first[j]; k < r.v.until(j); k++ {
			ph := &r.v.phases[k]
			for c, cut := range r.cuts {
				if gauge.weight[k] > 0 && ph.head >= cut {
					volume[c] += gauge.weight[k] * float64(ph.Tasks) * float64(ph.volume) / gauge.capacity
				}
			}
		}
		g.volume = append(g.volume, volume)
	}
	return g
}

// join adds a job to a group.
func (g *group) join(other *group) {
	g.jobs += other.jobs
	g.earliest = min(g.earliest, other.earliest)
	for i, volume := range other.volume {
		for c := range volume {
			g.volume[i][c] = min(g.volume[i][c], volume[c])
		}
	}
}

// model is the linear program; its value is a bound on the sum of completions.
func (r *relaxation) model() *milp.Model {
	m := &milp.Model{Name: r.v.in.Name + "-lb-lp"}
	groups := r.groups()
	cols := make([][]int, len(groups))
	for i, g := range groups {
		n := float64(g.jobs)
		end := func(q int) float64 { // of a job that is done after moment q−1
			if q == 0 {
				return float64(g.earliest)
			}
			return float64(max(g.earliest, r.moments[q-1]+1))
		}
		// Σ_q end(q)·(X_q − X_{q−1}) by parts.
		m.Offset += n * end(len(r.moments))
		for q, t := range r.moments {
			hi := n
			if t < g.earliest {
				hi = 0
			}
			col := m.AddCol(milp.Col{Name: fmt.Sprintf("X[%d,%d]", i, q), Hi: hi, Cost: end(q) - end(q+1)})
			if q > 0 {
				m.AddRow(fmt.Sprintf("stay[%d,%d]", i, q), 0, milp.Inf, milp.Term{Col: col, Coef: 1}, milp.Term{Col: col - 1, Coef: -1})
			}
			cols[i] = append(cols[i], col)
		}
	}
	for q, t := range r.moments {
		row := milp.Row{Name: fmt.Sprintf("jobs[%d]", q), Lo: -milp.Inf}
		for i := range groups {
			row.Terms = append(row.Terms, milp.Term{Col: cols[i][q], Coef: 1})
		}
		for _, end := range r.ends {
			if end <= float64(t) {
				row.Hi++
			}
		}
		m.Rows = append(m.Rows, row)
		for i := range r.gauges {
			for c, cut := range r.cuts {
				if cut < t {
					m.Rows = append(m.Rows, r.volume(groups, cols, i, c, q))
				}
			}
		}
	}
	return m
}

// volume lets the work of done jobs that is released after a cut fit between the cut and moment q.
func (r *relaxation) volume(groups []group, cols [][]int, gauge, cut, q int) milp.Row {
	length := float64(r.moments[q]-r.cuts[cut]) * (1 + gaugeSlack)
	row := milp.Row{Name: fmt.Sprintf("volume[%d,%d,%d]", gauge, cut, q), Lo: -milp.Inf, Hi: length}
	for i := range groups {
		if w := groups[i].volume[gauge][cut]; w > 1e-9*length {
			row.Terms = append(row.Terms, milp.Term{Col: cols[i][q], Coef: w})
		}
	}
	return row
}

// LPBound is a bound on the optimum of both regimes by a linear program of bounded size. When the solver does not come to an
// end, it is PathBound.
func LPBound(ctx context.Context, in *cloning.Instance, solver milp.Solver) (bound float64, status models.Status, err error) {
	in, _ = fromFirst(in)
	v := newView(in)
	m := newRelaxation(v).model()
	res, err := solver.Solve(ctx, m, milp.Options{})
	if err != nil {
		return 0, "", fmt.Errorf("bound of %s by %s: %w", m.Name, solver.Name(), err)
	}
	if res.Status == milp.Optimal {
		// Objectives are integers. What the solver's tolerance may have added is taken off before rounding up. Where arrivals are
		// far apart that is more than a flowtime, and the critical paths, which the program holds, are better.
		bound = math.Ceil(res.Objective - 1e-6*max(1, math.Abs(res.Objective)) - v.arrivals())
		return max(bound, PathBound(in)), models.Feasible, nil
	}
	return PathBound(in), models.Timeout, nil
}

// lbLP is LPBound as an algorithm with a choice of solvers.
func lbLP(solvers []milp.Solver) *cloning.Algorithm {
	a := &cloning.Algorithm{
		Name: "lb-lp",
		Doc: "lower bound: linear program over groups of jobs and moments\n\n" +
			"Volumes by resource and release, earliest ends and bounds on the k-th completions together (exact/cloning/relax.go). " +
			"docs/problems/cloning.md#bounds; valid for both regimes, of the same size for any instance.",
		Kind: models.Bound, Reference: cloning.Opt,
	}
	for _, s := range solvers {
		a.Solvers = append(a.Solvers, s.Name())
	}
	a.Run = func(ctx context.Context, p *cloning.Pass) (cloning.Outcome, error) {
		i := 0
		if p.Solver != "" {
			i = slices.Index(a.Solvers, p.Solver)
		}
		if i < 0 || i >= len(solvers) {
			return cloning.Outcome{}, fmt.Errorf("no solver %q for lb-lp", p.Solver)
		}
		b, status, err := LPBound(ctx, p.Instance, solvers[i])
		if err != nil {
			return cloning.Outcome{}, err
		}
		p.Bounded(b)
		stats := models.Stats{Solver: solvers[i].Name(), SolverVersion: solvers[i].Version()}
		return cloning.Outcome{Status: status, Bound: &b, Stats: stats}, nil
	}
	return a
}
