package catalog

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	cloningoracle "schedgap/exact/cloning/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// anyDecade draws a number from 1e-8 to 1e12, mostly of few decades from a middle.
func anyDecade(rng *rand.Rand, middle, spread float64) float64 {
	return min(1e12, max(1e-8, decades(rng, middle-spread, middle+spread)))
}

// An oddity is an instance with numbers of many decades and, where a closed form knows it, its optimum.
type oddity struct {
	in      *bench.Instance
	optimum float64 // NaN: not known
	within  float64 // what rounding may make of it
}

// odd draws an instance of a problem.
func odd(t *testing.T, rng *rand.Rand, problem string) oddity {
	t.Helper()
	middle, spread := -8+20*rng.Float64(), []float64{0, 1, 4, 10}[rng.IntN(4)]
	number := func() float64 { return anyDecade(rng, middle, spread) }
	unknown := func(in *bench.Instance) oddity { return oddity{in, math.NaN(), 0} }
	switch problem {
	case "flex":
		in, times, value, size := extreme(rng) // WSPT, EDD and all other orders on one machine
		if known := rng.IntN(2) == 0; known && nearStep(in, times) {
			return unknown(file(t, flex.Problem, in)) // rounding decides whether jobs are in time
		} else if known {
			best, _ := value.Float64()
			return oddity{file(t, flex.Problem, in), best, 1e-9*math.Abs(best) + 1e-12*size}
		}
		in.Slots = 1 + rng.IntN(1000)
		left := in.Slots
		for j := range in.Jobs {
			job := &in.Jobs[j]
			job.Max = 1 + rng.IntN(in.Slots)
			job.Min = rng.IntN(min(left, job.Max) + 1)
			left -= job.Min
			job.Work = number()
			near := job.Work / float64(in.Slots) * (0.5 + 2*rng.Float64())
			job.Deadline, job.Steps = &near, []flex.Step{{At: near, Penalty: number()}}
		}
		if rng.IntN(3) == 0 {
			best := mcNaughton(in)
			return oddity{file(t, flex.Problem, in), best, 1e-9 * best}
		}
		return unknown(file(t, flex.Problem, in))
	case "redundancy":
		in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
		for j := range in.Jobs {
			in.Jobs[j].Work = number()
			if in.Jobs[j].Arrival > 0 {
				in.Jobs[j].Arrival = number()
			}
		}
		if data, err := redundancy.Problem.MarshalInstance(in); err != nil {
			t.Fatal(err)
		} else if _, err := redundancy.Problem.ParseInstance("odd", data); err != nil {
			return odd(t, rng, problem) // a job is too short for a float64 so late
		}
		known := unknown(file(t, redundancy.Problem, in))
		if in.Machines == 1 {
			known.optimum, known.within = leastLeft(in)
		}
		return known
	case "pocd":
		in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
		for j := range in.Jobs {
			job := &in.Jobs[j]
			job.Deadline, job.Elapsed = number(), min(job.Elapsed, 1)*number()
			job.Tasks = slices.Clone(job.Tasks)
			for k := range job.Tasks {
				job.Tasks[k].TMin = number()
			}
		}
		return unknown(file(t, pocd.Problem, in))
	case "cloning":
		in := cloningoracle.RandomInstance(rng, 4)
		begin, long := decades(rng, 0, 12), decades(rng, -8, 8)
		for j := range in.Jobs {
			in.Jobs[j].Arrival += int(begin)
			for k := range in.Jobs[j].Phases {
				in.Jobs[j].Phases[k].Mean *= long
			}
		}
		return unknown(file(t, cloning.Problem, in))
	}
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 4)
	in.EnergyWeight = []float64{0, number()}[rng.IntN(2)]
	for i := range in.Stragglers {
		s := &in.Stragglers[i]
		s.Finish, s.Power = number(), number()
		for j := range in.Slots {
			if in.CopyTime[i][j] > 0 {
				in.CopyTime[i][j] = number()
			}
		}
	}
	for j := range in.Slots {
		in.Slots[j].Start, in.Slots[j].Power = number(), number()
	}
	return unknown(file(t, speculation.Problem, in))
}

// mcNaughton makes the makespan of jobs without minima the objective, and returns the least one: that of the longest job alone,
// or that of all slots at work all the time (McNaughton 1959).
func mcNaughton(in *flex.Instance) float64 {
	in.Objective = flex.Objective{Metric: flex.Response, Aggregate: flex.Max}
	longest, work := new(big.Rat), new(big.Rat)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Min, job.Metric = 0, ""
		work.Add(work, quotient(job.Work, in.Slots))
		if alone := quotient(job.Work, job.Max); alone.Cmp(longest) > 0 {
			longest = alone
		}
	}
	if work.Cmp(longest) > 0 {
		longest = work
	}
	best, _ := longest.Float64()
	return best
}

// leastLeft is the least sum of flowtimes on one machine, where the job with the least work left runs, and what rounding may make of it.
func leastLeft(in *redundancy.Instance) (sum, within float64) {
	now, total := new(big.Rat), new(big.Rat)
	left := make([]*big.Rat, len(in.Jobs))
	for j := range in.Jobs {
		left[j] = rational(in.Jobs[j].Work)
	}
	for {
		run, next := -1, (*big.Rat)(nil) // the job that runs, and the next arrival
		for j := range in.Jobs {
			a := rational(in.Jobs[j].Arrival)
			switch {
			case left[j].Sign() == 0:
			case a.Cmp(now) > 0:
				if next == nil || a.Cmp(next) < 0 {
					next = a
				}
			case run < 0 || left[j].Cmp(left[run]) < 0:
				run = j
			}
		}
		if run < 0 && next == nil {
			break
		}
		if run < 0 {
			now.Set(next)
			continue
		}
		end := new(big.Rat).Add(now, left[run])
		if next != nil && next.Cmp(end) < 0 {
			left[run].Sub(left[run], new(big.Rat).Sub(next, now))
			now.Set(next)
			continue
		}
		left[run].SetInt64(0)
		now.Set(end)
		total.Add(total, end.Sub(end, rational(in.Jobs[run].Arrival)))
	}
	sum, _ = total.Float64()
	last, _ := now.Float64()
	return sum, 1e-9*sum + 1e-14*last*float64(len(in.Jobs))
}

// No algorithm panics, fails or gives an invalid solution, whatever the decades of works, weights and dates; it may say that it does
// not suit an instance of more than eight. No value is better than the optimum of a closed form, and no bound or optimum that an
// exact algorithm claims is beyond it.
func TestExtremesOfAlgorithms(t *testing.T) {
	r := registry(t)
	for _, p := range r.Problems {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			rng := trials.Rand(t, 43, uint64(len(p.Name)))
			runs, skipped, known := 0, 0, 0
			for range trials.Count(32) {
				o := odd(t, rng, p.Name)
				if !math.IsNaN(o.optimum) {
					known++
				}
				for i := range p.Algorithms {
					a := &p.Algorithms[i]
					for _, q := range ways(t, r, a, o.in) {
						if q.Solver != "" && (!trials.Whole() || rng.IntN(8) > 0) {
							continue // programs in linear numbers take most of the time
						}
						runs++
						if withstand(t, p, a, o, q) {
							skipped++
						}
					}
				}
			}
			t.Logf("%d runs, %d of them skipped; %d optima known", runs, skipped, known)
		})
	}
}

// withstand runs an algorithm on an odd instance, and reports whether it does not suit it.
func withstand(t *testing.T, p *bench.Problem, a *bench.Algorithm, o oddity, q bench.Request) (skipped bool) {
	t.Helper()
	if err := p.Validate(o.in, q); err != nil {
		if na := new(models.NotApplicable); !errors.As(err, &na) {
			t.Errorf("%s: %v", label(q), err)
		}
		return true
	}
	q.Prove = a.Kind != models.Heuristic && q.Solver == "" && p.Validate(o.in, proving(q)) == nil
	limit := time.Second
	if q.Solver == "bnb" {
		limit = 20 * time.Second // it proves all of flex, which a loaded machine makes longer
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	res := p.Run(ctx, o.in, q, bench.Observer{})
	if res.Status == bench.Invalid && slack(q) > 0 && strings.Contains(res.Error, models.ErrPoint.Error()) {
		t.Logf("%s: %s", label(q), res.Error) // a wrong point of a solver, and stated to be
		return false
	}
	p.Prove(ctx, o.in, res)
	if res.Status.Broken() || res.Verified == bench.ProofRefused {
		t.Errorf("%s: %s %s\n%s", label(q), res.Status, res.Error, o.in.JSON)
		return false
	}
	fail := func(what string, v float64) {
		t.Errorf("%s: the %s %v, the optimum is %v\n%s", label(q), what, v, o.optimum, o.in.JSON)
	}
	if math.IsNaN(o.optimum) || res.Augmentation != 1 || len(a.Waives) > 0 || p.Name == "flex" && a.Class != "opt" {
		return res.Status == bench.Skipped
	}
	if res.Objective != nil && *res.Objective < o.optimum-o.within {
		fail("value", *res.Objective)
	}
	if res.Bound != nil && *res.Bound > o.optimum+o.within+slack(q)*math.Abs(o.optimum) {
		fail("bound", *res.Bound)
	}
	if q.Solver == "bnb" && a.Name == flex.Opt && res.Status == bench.Feasible {
		fail("value is not proven in time left over:", *res.Objective)
	}
	if res.Status == bench.Optimal && *res.Objective > o.optimum+o.within+slack(q)*math.Abs(o.optimum) {
		fail("value", *res.Objective)
	}
	return res.Status == bench.Skipped
}

// slack is what a solver's tolerances may come to.
func slack(q bench.Request) float64 {
	if q.Solver == "" || q.Solver == "bnb" {
		return 0
	}
	return 1e-6
}

func proving(q bench.Request) bench.Request {
	q.Prove = true
	return q
}
