package catalog

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// decades draws a number between two powers of ten.
func decades(rng *rand.Rand, from, to float64) float64 {
	return math.Pow(10, from+(to-from)*rng.Float64())
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func quotient(w float64, slots int) *big.Rat {
	return new(big.Rat).Quo(rational(w), new(big.Rat).SetInt64(int64(slots)))
}

// exactValue is the objective of exact completion times, and what its rounding errors are measured by.
func exactValue(in *flex.Instance, times []*big.Rat) (value *big.Rat, size float64) {
	value = new(big.Rat)
	for j, c := range times {
		job, metric := &in.Jobs[j], in.MetricOf(j)
		factor, f := big.NewRat(1, 1), new(big.Rat)
		if metric == flex.Stretch {
			factor.Inv(rational(job.Work))
		} else if in.Objective.Weighted {
			factor = rational(job.Weight)
		}
		at := func(t, tolerance float64) *big.Rat {
			due := rational(math.Abs(t))
			return due.Add(due.Mul(due, rational(tolerance)), rational(t))
		}
		size += in.Factor(j)
		switch metric {
		case flex.Response, flex.Stretch:
			f.Set(c)
		case flex.Tardy:
			if c.Cmp(at(*job.Deadline, flex.Tolerance)) > 0 {
				f.SetInt64(1)
			}
		case flex.SLA:
			for _, s := range job.Steps {
				if c.Cmp(at(s.At, flex.Tolerance)) > 0 {
					f = rational(s.Penalty)
				}
			}
		default:
			f.Sub(c, rational(*job.Deadline))
			if metric == flex.Tardiness && f.Sign() < 0 {
				f.SetInt64(0)
			}
		}
		end, _ := c.Float64()
		if !metric.Steps() {
			size += in.Factor(j) * end
		}
		f.Mul(f, factor)
		if in.Objective.Aggregate == flex.Sum {
			value.Add(value, f)
		} else if j == 0 || f.Cmp(value) > 0 {
			value.Set(f)
		}
	}
	return value, size
}

// extreme is an instance with works, weights and slots of many decades and due dates beside what can be met, its optimal
// completion times, exactly, and their value. Jobs that may all have every slot go one after the other, in the best of all
// orders; beside a job that takes all slots at least, those whose maxima are no more than the slots all begin when it ends.
func extreme(rng *rand.Rand) (in *flex.Instance, times []*big.Rat, value *big.Rat, size float64) {
	n := 1 + rng.IntN(4)
	objectives := flexObjectives()
	in = &flex.Instance{Header: models.Header{Name: "extreme"}, Objective: objectives[rng.IntN(len(objectives))]}
	in.Slots = int(decades(rng, 0, 9))
	hog := rng.IntN(2) == 0 && in.Slots >= n
	middle, spread := -8+20*rng.Float64(), 10*rng.Float64()
	for j := range n {
		job := flex.Job{ID: fmt.Sprintf("j%d", j), Max: in.Slots, Weight: decades(rng, -8, 12)}
		job.Work = min(1e12, max(1e-8, decades(rng, middle-spread, middle+spread)))
		if hog && j == 0 {
			job.Min = in.Slots
		} else if hog {
			job.Max = 1 + rng.IntN(1+(in.Slots-1)/n)
		}
		in.Jobs = append(in.Jobs, job)
	}
	var orders [][]int
	if hog {
		orders = [][]int{nil}
	} else {
		orders = permutations(n)
	}
	ends := func(order []int) []*big.Rat {
		list, now := make([]*big.Rat, n), new(big.Rat)
		for _, j := range order {
			now.Add(now, quotient(in.Jobs[j].Work, in.Slots))
			list[j] = new(big.Rat).Set(now)
		}
		if hog {
			list[0] = quotient(in.Jobs[0].Work, in.Slots)
			for j := 1; j < n; j++ {
				list[j] = quotient(in.Jobs[j].Work, in.Jobs[j].Max)
				list[j].Add(list[j], list[0])
			}
		}
		return list
	}
	some := ends(orders[rng.IntN(len(orders))])
	mixed := rng.IntN(2) == 0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if mixed {
			job.Metric = flex.Metrics[rng.IntN(len(flex.Metrics))]
			if in.Objective.Aggregate == flex.Max && job.Metric.Steps() {
				job.Metric = flex.Lateness
			}
		}
		near, _ := some[j].Float64()
		offsets := []float64{0, 1e-16, 5e-10, 1e-9, 1.5e-9, 2e-9, 1e-7, 1e-6, 0.1, -9, -999}
		d := near * (1 - offsets[rng.IntN(len(offsets))])
		job.Deadline = &d
		job.Steps = []flex.Step{{At: d / 2, Penalty: decades(rng, -8, 0)}, {At: d, Penalty: decades(rng, 0, 8)}}
	}
	for _, order := range orders {
		list := ends(order)
		if v, s := exactValue(in, list); value == nil || v.Cmp(value) < 0 {
			times, value, size = list, v, s
		}
	}
	return in, times, value, size
}

func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

// carriedOut is a schedule in which jobs run at their most until their times, from the end of those that leave them no slots on.
func carriedOut(in *flex.Instance, times []*big.Rat) flex.Schedule {
	var rec flex.Recorder
	ends := make([]float64, len(times))
	for j, t := range times {
		ends[j], _ = t.Float64()
	}
	running := 0
	for _, j := range flex.OrderBy(in, func(j int) float64 { return ends[j] }) {
		if in.Jobs[j].Max < in.Slots && running == 0 { // all that are left, beside each other
			for i := range in.Jobs {
				if in.Jobs[i].Max < in.Slots || ends[i] >= ends[j] {
					rec.Set(i, float64(in.Jobs[i].Max))
					running++
				}
			}
		} else if running == 0 {
			rec.Set(j, float64(in.Slots))
		}
		rec.Advance(ends[j])
		rec.Set(j, 0)
	}
	return rec.Schedule()
}

// beside is a schedule in which jobs that have no slots hold a share of those that the tolerance of all slots grants them, and so
// complete early if it is enough.
func beside(rng *rand.Rand, in *flex.Instance, s flex.Schedule) flex.Schedule {
	small, share := rng.IntN(len(in.Jobs)), decades(rng, -17, -6)
	work := in.Jobs[small].Work
	rate := min(float64(in.Jobs[small].Max), float64(in.Slots)*share)
	if rate <= 0 || len(s) == 0 || work/rate >= s[len(s)-1].End {
		return s
	}
	var out flex.Schedule
	done := work / rate
	for _, iv := range s {
		changes := slices.DeleteFunc(slices.Clone(iv.Changes), func(c flex.Share) bool { return c.Job == small })
		if iv.Start == 0 {
			changes = append(changes, flex.Share{Job: small, Slots: rate})
		}
		if iv.Start < done && done < iv.End {
			out = append(out, flex.Interval{Start: iv.Start, End: done, Changes: changes})
			iv.Start, changes = done, []flex.Share{{Job: small}}
		} else if iv.Start == done {
			changes = append(changes, flex.Share{Job: small})
		}
		out = append(out, flex.Interval{Start: iv.Start, End: iv.End, Changes: changes})
	}
	return out
}

// printed has times and slots with few digits.
func printed(s flex.Schedule, print func(float64) string) flex.Schedule {
	again := func(x float64) float64 {
		v, _ := strconv.ParseFloat(print(x), 64)
		return v
	}
	var out flex.Schedule
	for _, iv := range s {
		next := flex.Interval{Start: again(iv.Start), End: again(iv.End)}
		for _, ch := range iv.Changes {
			next.Changes = append(next.Changes, flex.Share{Job: ch.Job, Slots: again(ch.Slots)})
		}
		out = append(out, next)
	}
	return out
}

// No schedule that the checker accepts, honest, printed with few digits or shifted by all tolerances, is better than the optimum
// by more than 1e-9, whatever the decades and metrics; and honest ones are valued at the optimum, printed ones within 1e-6 of it.
func TestAttackExtremes(t *testing.T) {
	rng := trials.Rand(t, 41, 1)
	attacks, accepted, ahead := 0, 0, 0
	for range trials.Count(6000) {
		in, times, value, size := extreme(rng)
		optimum, _ := value.Float64()
		rounding := 1e-9 * math.Abs(optimum) // and of what regrets are measured in, which late due dates do not make larger
		if scale := flex.Problem.Scale(in, ""); scale > 0 {
			rounding = min(rounding, 1e-9*scale)
		}
		rounding += 1e-14 * size
		for j := range in.Jobs {
			rounding += 1e-15 * in.Factor(j) * *in.Jobs[j].Deadline
		}
		s := carriedOut(in, times)
		check := func(what string, s flex.Schedule, off float64) {
			r := flex.Problem.Check(in, s)
			attacks++
			if len(r.Violations) > 0 || r.Objective == nil {
				return
			}
			accepted++
			if in.Value(flex.Completions(in, s)) < optimum-10*rounding {
				ahead++
			}
			if got := *r.Objective; !(got >= optimum-rounding) || got > optimum+off {
				data, _ := flex.Problem.MarshalInstance(in)
				t.Errorf("%s: %v, the optimum is %v\n%s\n%+v", what, got, optimum, data, s)
			}
		}
		// A due date within 1e-12 of the tolerance's end may count as passed.
		knife := slices.ContainsFunc(in.Jobs, func(j flex.Job) bool { return j.Deadline != nil }) && nearStep(in, times)
		within := func(by float64) float64 {
			if knife {
				return math.Inf(1)
			}
			return rounding + by*size
		}
		check("honest", s, within(1e-12))
		for name, print := range prints {
			off := within(4e-6)
			if name == "%.6g" {
				off = math.Inf(1) // it may miss a due date by more than a millionth
			}
			check(name, printed(s, print), off)
		}
		for range 8 {
			early := beside(rng, in, s)
			check("beside", early, math.Inf(1))
			for _, base := range []flex.Schedule{s, early} {
				if flex.Completions(in, base) != nil {
					check("squeezed", squeeze(rng, in, base), math.Inf(1))
				}
			}
		}
	}
	t.Logf("%d schedules, %d accepted, %d ahead at their own times", attacks, accepted, ahead)
	if accepted < attacks/4 || ahead < attacks/50 {
		t.Error("the attacks are too weak to show anything")
	}
}

// nearStep reports whether some time is within rounding of the tolerance's end of a step.
func nearStep(in *flex.Instance, times []*big.Rat) bool {
	for j, c := range times {
		end, _ := c.Float64()
		for _, s := range in.StepTimes(j) {
			if d := end/s - 1 - flex.Tolerance; math.Abs(d) < 1e-11 {
				return true
			}
		}
	}
	return false
}

// The same of redundancy: one machine, where the least work left first is best.
func TestAttackExtremesOfRedundancy(t *testing.T) {
	rng := trials.Rand(t, 41, 2)
	accepted := 0
	for range trials.Count(1200) {
		in := &redundancy.Instance{
			Header: models.Header{Name: "extreme"}, Machines: 1, Multitasking: rng.IntN(2) == 0, Speed: 1, Speedup: []float64{1},
		}
		for j := range 1 + rng.IntN(4) {
			in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprintf("j%d", j), Work: decades(rng, -8, 12)})
		}
		now := new(big.Rat)
		optimum := new(big.Rat)
		order := slices.Clone(in.Jobs)
		slices.SortFunc(order, func(a, b redundancy.Job) int { return rational(a.Work).Cmp(rational(b.Work)) })
		s, from := redundancy.Solution{Speed: 1}, 0.0
		for _, job := range order {
			optimum.Add(optimum, now.Add(now, rational(job.Work)))
			end, _ := now.Float64()
			j := slices.IndexFunc(in.Jobs, func(i redundancy.Job) bool { return i.ID == job.ID })
			s.Intervals = append(s.Intervals, redundancy.Interval{
				Start: from, End: end, Alloc: []redundancy.Allocation{{Job: j, Copies: 1, Share: 1}},
			})
			from = end
		}
		best, _ := optimum.Float64()
		for i := range 20 {
			attack := s
			if i > 0 {
				attack = hurry(rng, in, s)
			}
			r := redundancy.Problem.Check(in, attack)
			if len(r.Violations) > 0 || r.Objective == nil {
				continue
			}
			accepted++
			if *r.Objective < best*(1-1e-9) {
				t.Errorf("%v, the optimum is %v: %+v %+v", *r.Objective, best, in.Jobs, attack)
			}
		}
	}
	if accepted < 500 {
		t.Error("too few attacks are accepted")
	}
}
