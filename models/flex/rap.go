package flex

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"

	"schedgap/models"
	"schedgap/models/heap"
)

// Moldable solves the paper's Resource Allocation Problem (section 3.2, generic scheme): every job gets one constant integer
// allocation s_j, max(1, m_j) ≤ s_j ≤ M_j, Σ s_j ≤ S, all jobs start at 0, C_j = W_j/s_j. The allocation is optimal for the
// instance's objective. It is false when Σ max(1, m_j) > S: then there is no moldable schedule.
//
// Convex minisum metrics (response, stretch, lateness and, against the paper's text, tardiness:
// docs/problems/flex.md#contradictions-in-the-paper, 2) and the minimax ones go by marginal gains, the former's being the
// decrease of the penalty, the latter's the penalty itself (the tail-sum form of the paper's G_j,
// docs/problems/flex.md#contradictions-in-the-paper, 3). Step metrics go by dynamic programming, see MoldableFits.
func Moldable(in *Instance) ([]int, bool) {
	spare := in.Slots
	s := make([]int, len(in.Jobs))
	for j := range in.Jobs {
		s[j] = max(1, in.Jobs[j].Min)
		spare -= s[j]
	}
	if spare < 0 {
		return nil, false
	}
	switch {
	case in.Any(Metric.Steps):
		stepAllocation(in, s, spare)
	default:
		r := rap{in: in, s: s, spare: spare}
		r.solve()
	}
	return s, true
}

// MoldableBound is a bound on the values of all moldable schedules, given the allocation s of Moldable. Floats chose that, so it may
// miss the optimum where they cannot tell gains apart; the bound is proven in numbers of 256 bits, see allocation.
func MoldableBound(in *Instance, s []int) float64 {
	if in.Any(Metric.Steps) {
		return stepBound(in, s)
	}
	a := allocation{in: in, s: slices.Clone(s)}
	for j := range s {
		a.spare -= s[j]
	}
	a.spare += in.Slots
	bound := a.sum
	if in.Objective.Aggregate == Max {
		bound = a.most
	}
	v, _ := bound().Float64()
	return v - models.Unit*math.Abs(v) // the factors of stretch are rounded, too
}

// An allocation of constant numbers of slots, with what it proves. Its numbers have 203 bits more than a float, so that their
// rounding is lost in that of the result.
type allocation struct {
	in    *Instance
	s     []int
	spare int
}

func wide() *big.Float { return new(big.Float).SetPrec(256) }

// penalty is that of job j with s slots; times are not rounded.
func (a *allocation) penalty(j, s int) *big.Float {
	job := &a.in.Jobs[j]
	v := wide().SetFloat64(job.Work)
	v.Quo(v, wide().SetInt64(int64(s)))
	switch a.in.MetricOf(j) {
	case Tardiness:
		v.Sub(v, wide().SetFloat64(*job.Deadline))
		if v.Sign() < 0 {
			return wide()
		}
	case Lateness:
		v.Sub(v, wide().SetFloat64(*job.Deadline))
	}
	return v.Mul(v, wide().SetFloat64(a.in.Factor(j)))
}

// gain is what one slot more than s is worth to job j; it falls with s.
func (a *allocation) gain(j, s int) *big.Float {
	v := a.penalty(j, s)
	return v.Sub(v, a.penalty(j, s+1))
}

func (a *allocation) least(j int) int { return max(1, a.in.Jobs[j].Min) }

// sum is a bound for sums. At a price of a slot, Σ slots · price less the price of all slots is added to the value; each job has the
// slots that are best for it alone, so no allocation costs less. The price is the largest gain that was missed.
func (a *allocation) sum() *big.Float {
	price, total := wide(), wide()
	for j, s := range a.s {
		if s < a.in.Jobs[j].Max {
			if gain := a.gain(j, s); gain.Cmp(price) > 0 {
				price = gain
			}
		}
	}
	left := a.spare
	for j, s := range a.s {
		for ; s > a.least(j) && a.gain(j, s-1).Cmp(price) < 0; s-- {
			left++
		}
		total.Add(total, a.penalty(j, s))
	}
	return total.Sub(total, price.Mul(price, wide().SetInt64(int64(left))))
}

// most is a bound for maxima. Below the worst penalty the worst job needs a slot more than it has, if it can have one; none
// is left over, then. Jobs that have more than their least slots spare none below what they would cost with one less.
func (a *allocation) most() *big.Float {
	worst, at := a.penalty(0, a.s[0]), 0
	for j := 1; j < len(a.s); j++ {
		if p := a.penalty(j, a.s[j]); p.Cmp(worst) > 0 {
			worst, at = p, j
		}
	}
	if a.s[at] == a.in.Jobs[at].Max {
		return worst
	}
	for j, s := range a.s {
		if j != at && s > a.least(j) {
			if p := a.penalty(j, s-1); p.Cmp(worst) < 0 {
				worst = p
			}
		}
	}
	return worst
}

// stepBound is the bound where penalties are constants between steps. The value of the dynamic program is exact except for the rounding of
// its sums and of penalties that are no steps. Where rounding may decide whether a job is in time, steps are later in it.
func stepBound(in *Instance, s []int) float64 {
	if later, other := laterSteps(in); other {
		in = later
		s, _ = Moldable(in)
	}
	ends, terms, own := make([]float64, len(s)), 0.0, false
	for j := range s {
		job := &in.Jobs[j]
		ends[j] = job.Work / float64(s[j])
		if metric := in.MetricOf(j); !metric.Steps() {
			own = own || metric == Lateness
			late := job.Work / float64(max(1, job.Min))
			if job.Deadline != nil {
				late += math.Abs(*job.Deadline)
			}
			terms += in.Factor(j) * late
		}
	}
	v := in.Value(ends)
	v -= models.Unit*terms + float64(len(s))*0x1p-52*math.Abs(v)
	if own {
		return v
	}
	return max(v, 0)
}

// laterSteps is in with steps that are later by more than the rounding of a time; other: a job passes a step by fewer slots then.
func laterSteps(in *Instance) (later *Instance, other bool) {
	copied := *in
	copied.Jobs = slices.Clone(in.Jobs)
	for j := range copied.Jobs {
		if !in.MetricOf(j).Steps() {
			continue
		}
		job := &copied.Jobs[j]
		if job.Deadline != nil {
			job.Deadline = new(*job.Deadline + models.Unit*math.Abs(*job.Deadline))
		}
		job.Steps = slices.Clone(job.Steps)
		for k := range job.Steps {
			job.Steps[k].At += models.Unit * math.Abs(job.Steps[k].At)
		}
		before := in.StepTimes(j)
		for k, t := range copied.StepTimes(j) {
			slots, ok := slotsFor(job, before[k])
			fewer, possible := slotsFor(job, t)
			other = other || slots != fewer || ok != possible
		}
	}
	return &copied, other
}

// rap gives spare slots away one by one, in effect, to the job with the largest gain; ties go in file order.
type rap struct {
	in    *Instance
	s     []int
	spare int
}

// gain is the improvement of job j by one more slot on top of s: non-increasing in s.
func (r *rap) gain(j, s int) float64 {
	job := &r.in.Jobs[j]
	now := r.in.Penalty(j, job.Work/float64(s))
	if r.in.Objective.Aggregate == Max {
		return now
	}
	if r.in.MetricOf(j) != Tardiness {
		// W/s − W/(s+1) without cancellation.
		return r.in.Factor(j) * job.Work / (float64(s) * float64(s+1))
	}
	return now - r.in.Penalty(j, job.Work/float64(s+1))
}

// upTo is the allocation of job j in which every slot beyond its first ones gains more than threshold.
func (r *rap) upTo(j int, threshold float64) int {
	lo, hi := r.s[j], r.in.Jobs[j].Max
	if r.in.Objective.Aggregate == Sum && r.in.MetricOf(j) != Tardiness {
		// W·w/(s(s+1)) > threshold up to about s = sqrt(W·w/threshold): start the search there.
		guess := int(min(float64(hi), max(float64(lo), math.Sqrt(r.in.Factor(j)*r.in.Jobs[j].Work/threshold))))
		lo2, hi2 := max(lo, guess-2), min(hi, guess+2)
		if (lo2 == lo || r.gain(j, lo2-1) > threshold) && (hi2 == hi || r.gain(j, hi2) <= threshold) {
			lo, hi = lo2, hi2
		}
	}
	return lo + sort.Search(hi-lo, func(i int) bool { return r.gain(j, lo+i) <= threshold })
}

// solve first finds, by bisection, a gain that every given slot exceeds (Galil and Megiddo's idea), so that only about one
// slot a job is left for the heap.
func (r *rap) solve() {
	n := len(r.s)
	if r.spare > 4*n {
		hi := 0.0
		for j := range r.s {
			hi = max(hi, r.gain(j, r.s[j]))
		}
		lo := 0.0 // gains up to lo are not looked at: lateness may have negative ones, the heap deals with them
		for range 60 {
			mid := (lo + hi) / 2
			if mid <= lo || mid >= hi {
				break
			}
			used := 0
			for j := range r.s {
				used += r.upTo(j, mid) - r.s[j]
			}
			if used > r.spare {
				lo = mid
				continue
			}
			hi = mid
			if r.spare-used <= n {
				break
			}
		}
		for j := range r.s {
			s := r.upTo(j, hi)
			r.spare -= s - r.s[j]
			r.s[j] = s
		}
	}
	queue := heap.NewIndexed(len(r.s)) // by the gain of one slot more
	for j := range r.s {
		if r.s[j] < r.in.Jobs[j].Max {
			queue.Set(int32(j), -r.gain(j, r.s[j]))
		}
	}
	for ; r.spare > 0 && !queue.Empty(); r.spare-- {
		j := queue.Top()
		r.s[j]++
		if r.s[j] == r.in.Jobs[j].Max {
			queue.Pop()
		} else {
			queue.Set(j, -r.gain(int(j), r.s[j]))
		}
	}
}

// slotsFor is the least number of slots at which job j alone completes by t, up to its maximum; false if even that is late.
func slotsFor(job *Job, t float64) (int, bool) {
	if After(job.Work/float64(job.Max), t) {
		return 0, false
	}
	s := int(math.Ceil(job.Work / (t * (1 + Tolerance))))
	for !After(job.Work/float64(s-1), t) { // 0 slots take infinite time, and s is 1 or more: numbers are within 1e±100
		s--
	}
	for After(job.Work/float64(s), t) {
		s++
	}
	return s, true
}

// The most that the dynamic program of Moldable may take: cells of its table (a gigabyte), and sums in all (some ten seconds).
const mostCells, mostSums = 1e8, 1e10

// MoldableFits returns why Moldable cannot be asked for in: its dynamic program has a cell for each job and spare slot, and a job
// whose penalties are no steps has as many options as it can get slots. Nil: it can.
func MoldableFits(in *Instance) error {
	if !in.Any(Metric.Steps) {
		return nil
	}
	spare := in.Slots
	for j := range in.Jobs {
		spare -= max(1, in.Jobs[j].Min)
	}
	usable, cells, sums := 0., 0., 0.
	for j := range in.Jobs {
		job := &in.Jobs[j]
		least := max(1, job.Min)
		most, options := 0, 1.
		if in.MetricOf(j).Steps() {
			for _, t := range in.StepTimes(j) {
				if k, ok := slotsFor(job, t); ok && k > least && k-least <= spare {
					most, options = max(most, k-least), options+1
				}
			}
		} else {
			most = max(0, min(job.Max-least, spare))
			options += float64(most)
		}
		usable = min(float64(spare), usable+float64(most))
		cells, sums = cells+usable+1, sums+(usable+1)*options
	}
	if cells > mostCells || sums > mostSums {
		return fmt.Errorf("its dynamic program for %d spare slots would take %.1g sums in a table of %.1g cells", spare, sums, cells)
	}
	return nil
}

// stepAllocation is the dynamic program over slots where penalties are step functions. Such a job has one useful allocation a
// step, so it takes O(S) for each of them rather than the O(S²) of the general program, which jobs of other metrics take.
func stepAllocation(in *Instance, s []int, spare int) {
	type option struct {
		extra   int // slots beyond s[j]
		penalty float64
	}
	// best[c] is the least penalty of the jobs so far when they get c of the spare slots; more than they can use is not
	// tabulated.
	best := []float64{0}
	choice := make([][]int32, len(s)) // extra slots of job j when the jobs up to j get c
	for j := range in.Jobs {
		job := &in.Jobs[j]
		options := []option{{0, in.Penalty(j, job.Work/float64(s[j]))}}
		for _, t := range in.StepTimes(j) {
			if k, ok := slotsFor(job, t); ok && k > s[j] && k-s[j] <= spare {
				options = append(options, option{k - s[j], in.Penalty(j, job.Work/float64(k))})
			}
		}
		for k := s[j] + 1; !in.MetricOf(j).Steps() && k <= min(job.Max, s[j]+spare); k++ {
			options = append(options, option{k - s[j], in.Penalty(j, job.Work/float64(k))})
		}
		slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(a.extra, b.extra) })
		usable := min(spare, len(best)-1+options[len(options)-1].extra)
		next, chosen := make([]float64, usable+1), make([]int32, usable+1)
		for i, o := range options {
			for c := o.extra; c <= usable; c++ {
				if p := best[min(c-o.extra, len(best)-1)] + o.penalty; i == 0 || p < next[c] {
					next[c], chosen[c] = p, int32(o.extra)
				}
			}
		}
		best, choice[j] = next, chosen
	}
	for j, c := len(s)-1, spare; j >= 0; j-- {
		extra := int(choice[j][min(c, len(choice[j])-1)])
		s[j] += extra
		c -= extra
	}
}
