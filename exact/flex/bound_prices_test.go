package flex

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"schedgap/exact/flex/oracle"
	"schedgap/exact/prices"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// randomPoint draws prices and multipliers that prove something, good or not.
func randomPoint(rng *rand.Rand, r *prices.Relaxation, in *flex.Instance, scale float64) prices.Point {
	p := prices.Point{Price: make([]float64, r.Intervals())}
	level := 0.0
	for i := len(p.Price) - 1; i >= 0; i-- {
		if rng.IntN(3) == 0 {
			level += scale * rng.ExpFloat64() / r.Capacity / float64(len(p.Price))
		}
		p.Price[i] = level
	}
	r.Rows = nil
	for range rng.IntN(6) {
		row := prices.Row{Point: 1 + rng.IntN(r.Intervals()), Jobs: rng.Perm(r.Jobs)[:1+rng.IntN(r.Jobs)]}
		row.Most = most(in, row.Jobs, r.At[row.Point])
		r.Rows = append(r.Rows, row)
		p.Theta = append(p.Theta, scale*rng.ExpFloat64())
	}
	return p
}

func relaxationOf(in *flex.Instance) *prices.Relaxation {
	times, _ := startTimes(in)
	return &prices.Relaxation{
		Oracle: newPricing(in), Jobs: len(in.Jobs), At: priceGrid(in, times), Capacity: float64(in.Slots), Monotone: true,
	}
}

// No prices give more than the oracle's optimum, be they random or ascended, and the ascended ones come near it.
func TestPriceBound(t *testing.T) {
	rng := trials.Rand(t, 9, 0)
	ratios, proven := 0.0, 0
	for i := range trials.Count(150) {
		in := oracle.RandomInstance(rng, 1+i%4)
		in.Objective.Aggregate = flex.Sum
		want := oracle.Opt(in)
		size := 0.0
		for j := range in.Jobs {
			size += math.Abs(in.Penalty(j, flex.Horizon(in)))
		}
		allowed := want + 1e-11*size
		r := relaxationOf(in)
		for range 10 {
			if v := r.Evaluate(t.Context(), randomPoint(rng, r, in, size), 0, nil); v.Safe() > allowed {
				t.Fatalf("random prices give %v, above the optimum %v\n%s", v.Safe(), want, show(in))
			}
		}
		c := priceBound(t.Context(), in, 400, func(b float64) {
			if b > allowed {
				t.Fatalf("bound %v above the optimum %v\n%s", b, want, show(in))
			}
		})
		b := c.Best.Safe()
		if b > allowed {
			t.Fatalf("bound %v above the optimum %v\n%s", b, want, show(in))
		}
		if want > 0 && in.Objective.Metric == flex.Response {
			ratios += b / want
			proven++
		}
	}
	if mean := ratios / float64(proven); proven > 0 && mean < 0.97 {
		t.Errorf("on average the bound is %v of the smallest sum of response times; it was 0.98", mean)
	}
}

// most is how many of jobs can be done by t at most: those that their minima bring there, and the others by work missing.
func most(in *flex.Instance, jobs []int, t float64) (count float64) {
	free, list := missing(in, t)
	slices.SortFunc(list, func(a, b prices.Candidate) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, j := range jobs {
		if float64(in.Jobs[j].Min)*t >= in.Jobs[j].Work {
			count++
		}
	}
	for _, c := range list {
		free += 1e-12 * in.Jobs[c.Job].Work
		if !slices.Contains(jobs, c.Job) {
			continue
		}
		free -= c.Cost
		if free < 0 {
			break
		}
		count++
	}
	return count
}

// recount returns rows with the counts of another instance.
func recount(in *flex.Instance, at []float64, rows []prices.Row) []prices.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Most = most(in, rows[i].Jobs, at[rows[i].Point])
	}
	return rows
}

// More slots never raise the bound of the same multipliers, and twice the work in twice the time doubles it.
func TestPriceRelations(t *testing.T) {
	rng := trials.Rand(t, 9, 1)
	for i := range trials.Count(100) {
		in := oracle.RandomInstanceOf(rng, 1+i%6, flex.Objective{Metric: flex.Response, Aggregate: flex.Sum})
		r := relaxationOf(in)
		p := randomPoint(rng, r, in, 10)
		v := r.Evaluate(t.Context(), p, 0, nil).Bound
		more := *in
		more.Slots++
		wide := *r
		wide.Oracle, wide.Capacity, wide.Rows = newPricing(&more), float64(more.Slots), recount(&more, r.At, r.Rows)
		if w := wide.Evaluate(t.Context(), p, 0, nil).Bound; w > v+1e-9*math.Abs(v) {
			t.Fatalf("a slot more raises the bound from %v to %v\n%s", v, w, show(in))
		}
		twice := *in
		twice.Jobs = append([]flex.Job{}, in.Jobs...)
		for j := range twice.Jobs {
			twice.Jobs[j].Work *= 2
		}
		long := *r
		long.At = nil
		for _, at := range r.At {
			long.At = append(long.At, 2*at)
		}
		long.Oracle, long.Rows = newPricing(&twice), recount(&twice, long.At, r.Rows)
		q := prices.Point{Price: p.Price}
		for _, theta := range p.Theta {
			q.Theta = append(q.Theta, 2*theta)
		}
		if w := long.Evaluate(t.Context(), q, 0, nil).Bound; !near(w, 2*v) {
			t.Fatalf("with twice the work the bound is %v, not twice %v\n%s", w, v, show(in))
		}
	}
}

// Prices that rise with time prove nothing: three jobs of two units of work on two slots, at most one slot each, due at 3,
// are all in time, but at a price of 1 from 1 to 2 alone they would seem to pay 1 more than the slots are worth.
func TestRisingPricesAreRefused(t *testing.T) {
	due := 3.0
	job := flex.Job{Work: 2, Max: 1, Weight: 1, Deadline: &due}
	in := &flex.Instance{
		Slots: 2, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum}, Jobs: []flex.Job{job, job, job},
	}
	r := &prices.Relaxation{Oracle: newPricing(in), Jobs: 3, At: []float64{0, 1, 2, 3}, Capacity: 2, Monotone: true}
	p := prices.Point{Price: []float64{0, 1, 0}}
	if v := r.Evaluate(t.Context(), p, 0, nil); !math.IsInf(v.Bound, -1) {
		t.Errorf("rising prices prove %v", v.Bound)
	}
	r.Monotone = false
	if v := r.Evaluate(t.Context(), p, 0, nil); v.Bound != 1 {
		t.Errorf("the formula gives %v, want 1: what makes it wrong has gone, and so has the reason for this test", v.Bound)
	}
}

// The gradient of the smoothed bound is that of its difference quotients.
func TestPriceGradient(t *testing.T) {
	rng := trials.Rand(t, 9, 2)
	for i := range trials.Count(40) {
		in := oracle.RandomInstance(rng, 1+i%5)
		in.Objective.Aggregate = flex.Sum
		r := relaxationOf(in)
		r.Monotone = false // single prices move
		p := randomPoint(rng, r, in, 10)
		for k := range p.Price {
			p.Price[k] += 1
		}
		grad := prices.Point{Price: make([]float64, len(p.Price)), Theta: make([]float64, len(p.Theta))}
		const temperature, h = 1.0, 1e-5
		r.Evaluate(t.Context(), p, temperature, &grad)
		difference := func(x *float64) float64 {
			was := *x
			*x = was + h
			up := r.Evaluate(t.Context(), p, temperature, nil).Smooth
			*x = was - h
			down := r.Evaluate(t.Context(), p, temperature, nil).Smooth
			*x = was
			return (up - down) / (2 * h)
		}
		for k := range p.Price {
			if d := difference(&p.Price[k]); math.Abs(d-grad.Price[k]) > 1e-4*(1+math.Abs(d)) {
				t.Fatalf("price %d: gradient %v, difference %v\n%s", k, grad.Price[k], d, show(in))
			}
		}
		for k := range p.Theta {
			p.Theta[k] += h
		}
		r.Evaluate(t.Context(), p, temperature, &grad)
		for k := range p.Theta {
			if d := difference(&p.Theta[k]); math.Abs(d-grad.Theta[k]) > 1e-4*(1+math.Abs(d)) {
				t.Fatalf("row %d: gradient %v, difference %v\n%s", k, grad.Theta[k], d, show(in))
			}
		}
	}
}

// At a limit lb-price hands back the best bound so far, soon; without one the same seed gives the same bound.
func TestPriceBoundAnytime(t *testing.T) {
	in := &flex.Instance{Slots: 1000, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	rng := rand.New(rand.NewPCG(9, 3))
	for range 2000 {
		in.Jobs = append(in.Jobs, flex.Job{Work: rng.ExpFloat64() * 10, Max: 1 + rng.IntN(30), Weight: 1})
	}
	p := pass(in)
	p.Params = models.Defaults(LBPrice.Params)
	heard := math.Inf(-1)
	p.Bounded = func(b float64) { heard = max(heard, b) }
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	out, err := LBPrice.Run(ctx, p)
	if err != nil || out.Bound == nil || *out.Bound < heard || *out.Bound <= 0 {
		t.Fatalf("at the limit: %v, %v, heard %v", out.Bound, err, heard)
	}
	p.Params["steps"] = 15
	in.Jobs = in.Jobs[:100]
	var bounds [2]float64
	for i := range bounds {
		out, err := LBPrice.Run(t.Context(), p)
		fail.On(t, err)
		bounds[i] = *out.Bound
	}
	if bounds[0] != bounds[1] {
		t.Errorf("two runs give %v and %v", bounds[0], bounds[1])
	}
}

// A patient ascent proves more where due dates leave it something to find, on a grid that proofs may have.
func TestPatientPrices(t *testing.T) {
	in := &flex.Instance{Slots: 10, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum}}
	rng := rand.New(rand.NewPCG(9, 5))
	for range 20 {
		d := 10 * rng.Float64()
		in.Jobs = append(in.Jobs, flex.Job{Work: rng.ExpFloat64() * 10, Max: 1 + rng.IntN(6), Weight: 1, Deadline: &d})
	}
	quick := priceBound(t.Context(), in, 2000, func(float64) {})
	patient := priceBound(t.Context(), in, 20_000, func(float64) {})
	if q, p := quick.Best.Safe(), patient.Best.Safe(); p <= q*1.0001 {
		t.Errorf("the bound is %v, in a patient ascent %v", q, p)
	}
	if n := len(patient.At); n <= len(quick.At) || n > 1500+4*len(in.Jobs) {
		t.Errorf("the grid has %d points, in a patient ascent %d", len(quick.At), n)
	}
}

// The bound on a max objective is the optimum, less a margin for rounding, and has a proof.
func TestPriceBoundOfMax(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 9))
	for tried := 0; tried < 200; {
		in := oracle.RandomInstance(rng, 1+rng.IntN(8))
		if in.Objective.Aggregate != flex.Max {
			continue
		}
		tried++
		best, claim := maxClaim(t.Context(), in)
		s := newTargets(in)
		lo, hi, _ := s.bisect(t.Context())
		scale := math.Abs(lo)
		for j := range in.Jobs {
			scale = max(scale, in.Factor(j)*s.horizon)
			if d := in.Jobs[j].Deadline; d != nil {
				scale = max(scale, in.Factor(j)*math.Abs(*d))
			}
		}
		if claim == nil || best > hi || best < lo-1e-10*scale {
			t.Fatalf("%v has the proof %v; the optimum is in [%v, %v]\n%+v", best, claim, lo, hi, in)
		}
	}
}

// Of the jobs of a cover no more can be done than its row says, whatever the columns complete.
func TestCoversCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 7))
	found := 0
	for range 3000 {
		in := oracle.RandomInstance(rng, 1+rng.IntN(9))
		at := flex.Horizon(in) * rng.Float64()
		free, list := missing(in, at)
		for i := range list {
			list[i].Done = rng.Float64()
		}
		row := prices.Cover(list, free+coverMargin*float64(in.Slots)*at)
		if row.Jobs == nil {
			continue
		}
		found++
		if most(in, row.Jobs, at) > row.Most {
			t.Fatalf("%v of %v can be done by %v, not %v\n%s", most(in, row.Jobs, at), row.Jobs, at, row.Most, show(in))
		}
	}
	if found < 500 {
		t.Errorf("%d covers only", found)
	}
}
