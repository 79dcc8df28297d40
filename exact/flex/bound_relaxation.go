package flex

import (
	"cmp"
	"math"
	"slices"

	"schedgap/exact/lp"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A relaxation bounds the optimum of a sum objective whose penalties are convex (response, stretch, lateness, tardiness). It
// is a linear program over the completion times only; the allocations are left to cuts.
//
// Times are divided by unit, penalties by their sum's scale, so that the program's numbers are of the order of 1.
type relaxation struct {
	in       *flex.Instance
	unit     float64   // of time
	size     float64   // of the objective
	offset   float64   // of the objective: the part that no schedule changes
	costs    []float64 // of the program's variables
	early    []float64 // least completion times, in units
	late     []float64 // largest completion times, in units
	tardyVar []int     // the variable that holds job j's tardiness, or −1
	vars     int
	scaled   *flex.Instance // with works in units
	forced   []breakpoint   // of the work that minima force
	times    []float64
	coef     []float64
	row      []float64
}

type breakpoint struct {
	at  float64 // W_i/m_i, in units
	job int
}

// cutTolerance is the violation above which a cut, its largest coefficient being 1, is worth adding. It is larger than what
// the dual simplex method forgives, so that no cut is added twice.
const cutTolerance = 3 * lp.PivotTolerance

// A program is a linear program of a node.
type program = lp.Program[*rowOrigin]

// A rowOrigin says what makes a row valid: a line of a proof, or that job i completes no later than j. A row of coefficients
// that were divided has a multiplier of unit times as much in the proof. Nil: the ranges of the variables do, or no proof is
// written.
type rowOrigin struct {
	line any
	i, j int
	unit float64
}

// newRelaxation returns the relaxation of in without any order.
func newRelaxation(in *flex.Instance) (*relaxation, *program) {
	n := len(in.Jobs)
	r := &relaxation{
		in: in, unit: flex.Horizon(in), early: make([]float64, n), late: make([]float64, n), tardyVar: make([]int, n),
		times: make([]float64, n), coef: make([]float64, n),
	}
	scaled := *in
	r.scaled, scaled.Jobs = &scaled, slices.Clone(in.Jobs)
	for j := range scaled.Jobs {
		scaled.Jobs[j].Work /= r.unit
		r.early[j] = flex.Earliest(in, j) / r.unit
		r.late[j] = flex.Latest(in, j, r.unit) / r.unit
		r.size += in.Factor(j)
	}
	r.size *= r.unit
	r.vars = n
	costs := make([]float64, n, 2*n)
	for j := range in.Jobs {
		f := in.Factor(j) * r.unit / r.size
		r.tardyVar[j] = -1
		if in.Objective.Metric == flex.Tardiness {
			d := *in.Jobs[j].Deadline / r.unit
			switch {
			case d >= r.late[j]: // never tardy
			case d <= r.early[j]: // always tardy
				costs[j] = f
				r.offset += f * (r.early[j] - d)
			default:
				r.tardyVar[j] = r.vars
				costs = append(costs, f)
				r.vars++
			}
			continue
		}
		costs[j] = f
		r.offset += f * r.early[j]
		if in.Objective.Metric == flex.Lateness {
			r.offset -= f * *in.Jobs[j].Deadline / r.unit
		}
	}
	r.costs = costs
	r.row = make([]float64, r.vars)
	d := lp.New[*rowOrigin](costs)
	for j := range in.Jobs {
		if in.Jobs[j].Min > 0 {
			r.forced = append(r.forced, breakpoint{scaled.Jobs[j].Work / float64(in.Jobs[j].Min), j})
		}
		if r.late[j] < 1 {
			clear(r.coef)
			r.coef[j] = -1
			r.add(d, -r.late[j], true, nil)
		}
		if t := r.tardyVar[j]; t >= 0 {
			clear(r.row)
			r.row[t], r.row[j] = 1, -1
			d.Add(r.row, r.early[j]-*in.Jobs[j].Deadline/r.unit, true, nil)
		}
	}
	slices.SortFunc(r.forced, func(a, b breakpoint) int { return cmp.Compare(a.at, b.at) })
	return r, d
}

// add adds Σ r.coef·C ≥ rhs, scaled so that its largest coefficient is 1.
func (r *relaxation) add(d *program, rhs float64, lasting bool, origin *rowOrigin) {
	clear(r.row)
	scale := 0.0
	for j, v := range r.coef {
		r.row[j] = v
		rhs -= v * r.early[j]
		scale = max(scale, math.Abs(v))
	}
	for j := range r.coef {
		r.row[j] /= scale
	}
	d.Add(r.row, rhs/scale, lasting, origin)
}

// bound is the objective's value, in the instance's own units, of the program's.
func (r *relaxation) bound(d *program) float64 { return (d.Value + r.offset) * r.size }

// cutoff is the program's value at an objective value.
func (r *relaxation) cutoff(objective float64) float64 { return objective/r.size - r.offset }

// separateMachine adds a cut that holds whatever the order: Queyranne's parallel inequality for one machine of speed S, with
// minima and maxima taken in.
//
// Let y_j = ∫ t·r_j(t) dt for job j's rate r_j; it is also the integral of the job's remaining work. A job that completes
// at C_j and holds between m_j and M_j has at most y_j ≤ g_j(C_j): it runs at m_j first and at M_j at the end. The work left
// of a set A at time t is at least W(A) − S·t + Σ_{i∉A} min(m_i·t, W_i), since the others get that much. So
// Σ_{j∈A} g_j(C_j) ≥ f(A), the integral of the positive part. g_j is concave: its tangent makes the cut linear.
func (r *relaxation) separateMachine(d *program) bool {
	in := r.scaled
	n := len(in.Jobs)
	y, slope := make([]float64, n), make([]float64, n)
	for j := range in.Jobs {
		y[j], slope[j] = busy(&in.Jobs[j], r.times[j])
	}
	order := models.OrderBy(n, func(j int) float64 { return y[j] / in.Jobs[j].Work })
	inA := make([]bool, n)
	worst, size := 0.0, 0
	sum := 0.0
	for i, j := range order {
		inA[j] = true
		sum += y[j]
		if gap := (r.leftover(inA) - sum) / float64(in.Slots); gap > worst {
			worst, size = gap, i+1
		}
	}
	if worst <= cutTolerance {
		return false
	}
	clear(r.coef)
	clear(inA)
	sum = 0
	line := &proof.ParallelCut{Jobs: slices.Sorted(slices.Values(order[:size])), At: make([]float64, size)}
	for i, j := range line.Jobs {
		inA[j] = true
		r.coef[j] = slope[j]
		sum += slope[j]*r.times[j] - y[j]
		line.At[i] = r.times[j] * r.unit
	}
	scale := 0.0
	for _, v := range r.coef {
		scale = max(scale, math.Abs(v))
	}
	if scale < 1e-9 {
		return false
	}
	origin := &rowOrigin{line: proof.OrderLine{Parallel: line}, unit: r.size / (r.unit * r.unit * scale)}
	r.add(d, r.leftover(inA)+sum, false, origin)
	return true
}

// busy is g_j(c) with its derivative, see separateMachine.
func busy(job *flex.Job, c float64) (value, slope float64) {
	lo, hi := float64(job.Min), float64(job.Max)
	extra := max(0, job.Work-lo*c)
	value = lo*c*c/2 + extra*c
	if hi > lo {
		value -= extra * extra / (2 * (hi - lo))
		slope = extra * hi / (hi - lo)
	}
	return value, slope
}

// leftover is f(A), see separateMachine.
func (r *relaxation) leftover(inA []bool) float64 {
	in := r.scaled
	left, rate := 0.0, float64(in.Slots)
	for j := range in.Jobs {
		if inA[j] {
			left += in.Jobs[j].Work
		} else {
			rate -= float64(in.Jobs[j].Min)
		}
	}
	// The work left falls at a rate that grows as forced jobs end: once it is 0 it stays so.
	area, now := 0.0, 0.0
	for _, b := range r.forced {
		if inA[b.job] {
			continue
		}
		if dt := b.at - now; left-rate*dt > 0 {
			area += (left - rate*dt/2) * dt
			left -= rate * dt
			now = b.at
			rate += float64(in.Jobs[b.job].Min)
			continue
		}
		break
	}
	return area + left*left/(2*rate)
}
