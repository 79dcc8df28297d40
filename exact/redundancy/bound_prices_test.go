package redundancy

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"schedgap/exact/prices"
	"schedgap/exact/redundancy/oracle"
	verifyredundancy "schedgap/exact/verify/redundancy"
	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// relaxationOf is the relaxation at random count rows, proven ones, with random multipliers.
func relaxationOf(t *testing.T, rng *rand.Rand, in *redundancy.Instance) (*prices.Relaxation, prices.Point) {
	t.Helper()
	jobs := pendings(in)
	env := newEnvelope(t.Context(), in, len(jobs))
	flow, m, ok := startPrices(t.Context(), in, env)
	if !ok {
		t.Fatal("no start")
	}
	at, _ := distinct(m.at, m.price)
	r := &prices.Relaxation{Oracle: &pricing{subproblem: m, jobs: jobs}, Jobs: len(jobs), At: at, Capacity: float64(in.Machines)}
	p := prices.Point{}
	for range r.Intervals() {
		p.Price = append(p.Price, float64(rng.IntN(3))*rng.ExpFloat64()/float64(in.Machines))
	}
	for range 16 {
		k, first := 1+rng.IntN(r.Intervals()), rng.IntN(len(jobs))
		var sorted []prices.Candidate
		for j := first; j < len(jobs) && jobs[j].arrival < at[k]; j++ {
			if time, ok := env.machineTime(jobs[j].work, at[k]-jobs[j].arrival); ok {
				sorted = append(sorted, prices.Candidate{Job: j, Done: rng.Float64(), Cost: time})
			}
		}
		rng.Shuffle(len(sorted), func(a, b int) { sorted[a], sorted[b] = sorted[b], sorted[a] })
		if row := prices.Cover(sorted, r.Capacity*(at[k]-jobs[first].arrival)*(1+proofMargin)); row.Jobs != nil {
			row.Point = k
			r.Rows, p.Theta = append(r.Rows, row.Row), append(p.Theta, rng.ExpFloat64()*flow)
			*coversDrawn++
		}
	}
	return r, p
}

// coversDrawn counts the covers among the random rows.
var coversDrawn = new(int)

// Covers raise the bound of instances in which large jobs wait, and what they prove is verified.
func TestCoversRaiseTheBound(t *testing.T) {
	in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.5, 1.75}}
	in.Name = "covers"
	rng := trials.Rand(t, 8, 5)
	at := 0.0
	for i := range trials.Count(60) {
		work := 20 / math.Sqrt(1-rng.Float64())
		in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint(i), Arrival: at, Work: work})
		at += 12 * rng.ExpFloat64()
	}
	c := priceBound(t.Context(), in, 1000, func(float64) {})
	ids, with, covered := []string{}, c.Best.Safe(), -1
	for _, j := range redundancy.ByArrival(in) {
		ids = append(ids, in.Jobs[j].ID)
	}
	for i, row := range c.Rows {
		if row.Jobs != nil && c.Point.Theta[i] > 0 {
			covered = i
		}
	}
	if covered < 0 {
		t.Fatal("no cover has a multiplier")
	}
	check := func() error {
		claim := c.Claim(ids)
		p := &proof.Proof{Header: proof.Header{
			Problem: "redundancy", Instance: in.Name, Bound: &with, Kind: claim.Kind, Reference: redundancy.Opt,
		}}
		for _, line := range claim.Lines {
			data, err := json.Marshal(line)
			fail.On(t, err)
			p.Lines = append(p.Lines, data)
		}
		_, err := verifyredundancy.Verify(p, in, "")
		return err
	}
	if err := check(); err != nil {
		t.Error(err)
	}
	c.Rows[covered].Most--
	if err := check(); err == nil || !strings.Contains(err.Error(), "can pay") {
		t.Errorf("a cover of which one job fewer can be done is believed: %v", err)
	}
}

// No prices give more than the optimum, be they random or ascended; half of the instances are the oracle's, tiny, the others have
// up to six jobs, and the optimum is the search's.
func TestPriceBound(t *testing.T) {
	rng := trials.Rand(t, 8, 0)
	for i := range trials.Count(60) {
		in := oracle.RandomInstance(rng, i%4 < 2)
		if i%2 == 1 {
			for n := rng.IntN(4); n > 0 && !in.Multitasking; n-- {
				in.Jobs = append(in.Jobs, redundancy.Job{
					ID: "more" + string(rune('a'+n)), Arrival: rng.Float64() * 6, Work: 0.1 + rng.ExpFloat64()*3,
				})
			}
		}
		var want float64
		if i%2 == 0 {
			want = oracle.Opt(in)
		} else {
			want, _ = optimum(t, in, "bnb")
		}
		allowed := want + 1e-9*want
		for range 5 {
			r, p := relaxationOf(t, rng, in)
			if v := r.Evaluate(t.Context(), p, 0, nil); v.Safe() > allowed {
				t.Fatalf("random prices give %v, above the optimum %v\n%s", v.Safe(), want, show(in))
			}
		}
		if c := priceBound(t.Context(), in, 300, func(float64) {}); c.Best.Safe() > allowed {
			t.Fatalf("bound %v above the optimum %v\n%s", c.Best.Safe(), want, show(in))
		}
	}
	if *coversDrawn < trials.Count(60) {
		t.Errorf("only %d covers were drawn", *coversDrawn)
	}
}

// The bound is at least that of a short ascent, below any schedule, and doubles with work and arrivals.
func TestPriceRelations(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 6 {
		in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.5, 1.75}}
		at := 0.0
		for range 12 {
			in.Jobs = append(in.Jobs, redundancy.Job{Arrival: at, Work: 20 + 20*rng.ExpFloat64()})
			at += 13 * rng.ExpFloat64()
		}
		s, err := heuristics.Schedule(t.Context(), in, heuristics.Discipline{Rule: heuristics.SRPTRule}, 1)
		fail.On(t, err)
		got := priceBound(t.Context(), in, 600, func(float64) {}).Best.Safe()
		if short := priceBound(t.Context(), in, 60, func(float64) {}).Best.Safe(); got < short || got > value(t, in, s) {
			t.Errorf("the bound is %v, after 60 steps %v, a schedule's value %v", got, short, value(t, in, s))
		}
		twice := *in
		twice.Jobs = nil
		for _, j := range in.Jobs {
			twice.Jobs = append(twice.Jobs, redundancy.Job{Arrival: 2 * j.Arrival, Work: 2 * j.Work})
		}
		if b := priceBound(t.Context(), &twice, 600, func(float64) {}).Best.Safe(); math.Abs(b-2*got) > 1e-6*b {
			t.Errorf("with all times doubled the bound is %v, not twice %v", b, got)
		}
	}
}

// More machines never raise the bound of the same prices without rows.
func TestPricesOfMoreMachines(t *testing.T) {
	rng := trials.Rand(t, 8, 2)
	for range trials.Count(100) {
		in := oracle.RandomInstance(rng, false)
		r, p := relaxationOf(t, rng, in)
		r.Rows, p.Theta = nil, nil
		few := r.Evaluate(t.Context(), p, 0, nil).Bound
		more := *in
		more.Machines++
		more.Speedup = append(append([]float64{}, in.Speedup...), in.Speedup[len(in.Speedup)-1])
		env := newEnvelope(t.Context(), &more, len(in.Jobs))
		r.Oracle = &pricing{subproblem: newSubproblem(env, []float64{0}, []float64{0}), jobs: pendings(&more)}
		r.Capacity++
		if many := r.Evaluate(t.Context(), p, 0, nil).Bound; many > few+1e-9*math.Abs(few) {
			t.Fatalf("a machine more raises the bound from %v to %v\n%s", few, many, show(in))
		}
	}
}

// The gradient of the smoothed bound is that of its difference quotients.
func TestPriceGradient(t *testing.T) {
	rng := trials.Rand(t, 8, 3)
	for range trials.Count(30) {
		in := oracle.RandomInstance(rng, false)
		r, p := relaxationOf(t, rng, in)
		for k := range p.Price {
			p.Price[k] += 0.01 * (1 + rng.Float64())
		}
		grad := prices.Point{Price: make([]float64, len(p.Price)), Theta: make([]float64, len(p.Theta))}
		const temperature, h = 0.5, 1e-7
		r.Evaluate(t.Context(), p, temperature, &grad)
		for k, x := range p.Price {
			p.Price[k] = x + h
			up := r.Evaluate(t.Context(), p, temperature, nil).Smooth
			p.Price[k] = x - h
			down := r.Evaluate(t.Context(), p, temperature, nil).Smooth
			p.Price[k] = x

			if d := (up - down) / (2 * h); math.Abs(d-grad.Price[k]) > 1e-3*(1+math.Abs(d)) {
				t.Fatalf("price %d: gradient %v, difference %v\n%s", k, grad.Price[k], d, show(in))
			}
		}
	}
}

// At a limit lb-price hands back the best bound so far, soon.
func TestPriceBoundAnytime(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	in := &redundancy.Instance{Machines: 10, Speed: 1, Speedup: []float64{1}}
	for r := 1; r < 10; r++ {
		in.Speedup = append(in.Speedup, in.Speedup[r-1]+1/float64(2*r))
	}
	at := 0.0
	for range 2000 {
		in.Jobs = append(in.Jobs, redundancy.Job{Arrival: at, Work: 20 + 20*rng.ExpFloat64()})
		at += 4 * rng.ExpFloat64()
	}
	p := pass(in)
	p.Params = models.Defaults(LBPrice.Params)
	heard := 0.0
	p.Bounded = func(b float64) { heard = max(heard, b) }
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	out, err := LBPrice.Run(ctx, p)
	if err != nil || out.Bound == nil || *out.Bound < heard || heard <= 0 {
		t.Fatalf("at the limit: %v, %v, heard %v", out.Bound, err, heard)
	}
}

// Tables may miss being concave by 1e-9: a first copy more may gain nothing and the next one something. No bound passes
// over that.
func TestBoundsOfTablesThatRiseAgain(t *testing.T) {
	in := &redundancy.Instance{
		Machines: 4, Multitasking: true, Speed: 1, Speedup: []float64{1, 1, 1.0000000009, 1.0000000016444257},
		Jobs: []redundancy.Job{
			{ID: "j0", Arrival: 137438953245.99185, Work: 137438953472},
			{ID: "j1", Arrival: 43750701649.331055, Work: 274877906944},
		},
	}
	want, _ := optimum(t, in, "bnb")
	for name, b := range map[string]float64{
		"lb-price": priceBound(t.Context(), in, 2000, func(float64) {}).Best.Safe(), "lb-srpt": srptBound(t.Context(), in),
	} {
		if b > want {
			t.Errorf("%s is %v, a schedule has %v", name, b, want)
		}
	}
	steep := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 2.000000001}}
	for range 3 {
		steep.Jobs = append(steep.Jobs, redundancy.Job{Work: 1e9})
	}
	if b := srptBound(t.Context(), steep); b > (1+2+3)*1e9/2.000000001 {
		t.Errorf("lb-srpt is %v, one job after the other has %v", b, (1+2+3)*1e9/2.000000001)
	}
}
