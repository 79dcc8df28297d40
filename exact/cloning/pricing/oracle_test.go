package pricing

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models/cloning"
)

// one makes an oracle for an instance with one job of two phases at random prices.
func one(rng *rand.Rand, longest float64) *oracle {
	in := &cloning.Instance{Resources: []string{"cpu"}, MaxCopies: 1 + rng.IntN(3), MaxCopiesPerServer: 3}
	in.Servers = []cloning.Server{{ID: "s", Capacity: []float64{1}}}
	job := cloning.Job{ID: "j", Arrival: rng.IntN(3)}
	for k := range 2 {
		ph := cloning.Phase{ID: "p", Tasks: 1 + rng.IntN(2)*rng.IntN(60), Demand: []float64{0.1}, Mean: 0.5 + longest*rng.Float64()}
		if rng.IntN(2) == 0 {
			ph.Mean = math.Ceil(ph.Mean)
		}
		ph.Speedup = cloning.ParetoSpeedup(ph.Mean, 3*ph.Mean*rng.Float64(), in.MaxCopies)
		if k == 1 && rng.IntN(3) > 0 {
			ph.Parents = []int{0}
		}
		job.Phases = append(job.Phases, ph)
	}
	in.Jobs = []cloning.Job{job}
	at := []int{0}
	for len(at) < 6 {
		at = append(at, at[len(at)-1]+1+rng.IntN(3))
	}
	o := newOracle(preprocess(in), at, 1000)
	for k := range o.phases {
		for i := range o.price[k] {
			o.price[k][i] = rng.Int64N(1500)
		}
		o.sort(k)
	}
	return o
}

// cheapest tries every number of copies in every slot.
func (o *oracle) cheapest(k, from, to int, done cloning.Progress) int64 {
	ph := &o.phases[k]
	if ph.Done(done) {
		return 0
	}
	if from == to {
		return infinite
	}
	price := int64(0)
	for i, p := range o.price[k] {
		if o.at[i] <= from && from < o.at[i+1] {
			price = p
		}
	}
	best := int64(infinite)
	for r := 0; r <= o.In.MaxCopies; r++ {
		best = min(best, int64(r)*price+o.cheapest(k, from+1, to, ph.After(done, 1, r)))
	}
	return best
}

// A short task's price is the least of all schedules in its window, a long one's never more.
func TestTaskAgainstAllSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	exact := 0
	for range 400 {
		o := one(rng, 4)
		from := rng.IntN(4)
		to := from + 1 + rng.IntN(7)
		got, want := o.task(0, from, to, nil), o.cheapest(0, from, to, cloning.Progress{})
		if got != want {
			t.Fatalf("a task of %v with %v pays %d in (%d, %d], the least is %d", o.phases[0].Mean, o.phases[0].Speedup, got, from, to,
				want)
		}
		exact++
		o.phases[0].Profiles = nil
		if got := o.task(0, from, to, nil); got > want {
			t.Fatalf("the relaxation of %v with %v pays %d in (%d, %d], the least is %d", o.phases[0].Mean, o.phases[0].Speedup, got, from,
				to, want)
		}
	}
	t.Logf("%d tasks", exact)
}

// What a task is said to buy costs what it pays.
func TestPurchasesCostWhatIsPaid(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	for range 400 {
		o := one(rng, 40)
		from := rng.IntN(4)
		to := from + 40 + rng.IntN(40)
		bought := 0.0
		paid := o.task(0, from, to, func(i int, units float64) { bought += units * float64(o.price[0][i]) })
		if paid < infinite && math.Abs(bought-float64(paid)) > 1 {
			t.Fatalf("a task of %v pays %d for what costs %v", o.phases[0].Mean, paid, bought)
		}
	}
}

// The search over completions finds the least of all, with a chain split at the best slot.
func TestJobAgainstAllCompletions(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 5))
	for range 300 {
		o := one(rng, 6)
		o.phaseByPhase = rng.IntN(2) != 0
		want := int64(infinite)
		last := o.at[len(o.at)-1] + 140
		cost := func(k, from, to int) int64 { return o.phaseCost(k, from, to) }
		arrival := o.In.Jobs[0].Arrival
		for end := o.earliest(0); end <= last; end++ {
			flow := int64(end-arrival) * o.slot
			if o.phaseByPhase || !o.chain(0) {
				total := int64(0)
				for k := range o.phases {
					total += cost(k, o.phases[k].Head, end-o.phases[k].Tail)
				}
				want = min(want, flow+total)
				continue
			}
			for turn := arrival + o.phases[0].Span; turn <= end-o.phases[1].Span; turn++ {
				want = min(want, flow+cost(0, arrival, turn)+cost(1, turn, end))
			}
		}
		// From wherever the last search ended.
		o.prior[0] = completion{end: rng.IntN(30), firstPhaseEnd: rng.IntN(30)}
		if got := o.job(0, 0); got != want {
			t.Fatalf("job %+v costs %d, the least is %d", o.In.Jobs[0], got, want)
		}
		if got := o.job(0, 500); got > want || got < want-500 {
			t.Fatalf("job %+v costs %d within 500, the least is %d", o.In.Jobs[0], got, want)
		}
	}
}
