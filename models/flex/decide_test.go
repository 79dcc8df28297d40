package flex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// drawn is a small instance, of jobs of one metric or of all.
func drawn(rng *rand.Rand, slots int) *Instance {
	in := &Instance{Slots: slots, Objective: Objective{Response, Sum, rng.IntN(2) == 0}}
	if rng.IntN(3) == 0 {
		in.Objective.Aggregate = Max
	}
	pool := Metrics
	if rng.IntN(2) == 0 {
		pool = []Metric{Metrics[rng.IntN(len(Metrics))]}
	}
	spare := slots
	for j := range 1 + rng.IntN(min(4, slots)) {
		job := Job{ID: fmt.Sprint("j", j), Work: 0.1 + 4*rng.Float64(), Weight: 0.5 + rng.Float64(), Metric: pool[rng.IntN(len(pool))]}
		job.Min = rng.IntN(1 + min(2, spare))
		spare -= job.Min
		job.Max = max(job.Min, 1) + rng.IntN(slots-max(job.Min, 1)+1)
		job.Deadline = new(4 * rng.Float64())
		job.Steps = []Step{{rng.Float64(), 1 + rng.Float64()}, {1 + rng.Float64(), 3}}
		if in.Objective.Aggregate == Max && job.Metric.Steps() {
			job.Metric = Lateness
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// Constant allocations against all of them: Moldable's is the best, and its bound is the best value except for rounding.
func TestMoldableAgainstAll(t *testing.T) {
	rng := trials.Rand(t, 41, 14)
	for range trials.Count(3000) {
		in := drawn(rng, []int{1, 2, 4, 6, 30, 240}[rng.IntN(6)])
		if in.Slots >= 30 {
			in.Jobs = in.Jobs[:min(2, len(in.Jobs))]
		}
		if in.Slots == 240 { // gains of one slot more fall slowly
			for j := range in.Jobs {
				in.Jobs[j].Min, in.Jobs[j].Max = 90+rng.IntN(20), 110+rng.IntN(100)
			}
		}
		best, ends := math.Inf(1), make([]float64, len(in.Jobs))
		var each func(j, spare int)
		each = func(j, spare int) {
			if j == len(ends) {
				best = min(best, in.Value(ends))
				return
			}
			for s := max(1, in.Jobs[j].Min); s <= min(spare, in.Jobs[j].Max); s++ {
				ends[j] = in.Jobs[j].Work / float64(s)
				each(j+1, spare-s)
			}
		}
		each(0, in.Slots)
		s, ok := Moldable(in)
		if ok != !math.IsInf(best, 1) {
			t.Fatalf("an allocation: %v, best %v: %+v", ok, best, in)
		}
		if !ok {
			continue
		}
		used := 0
		for j := range s {
			ends[j] = in.Jobs[j].Work / float64(s[j])
			used += s[j]
			if s[j] < max(1, in.Jobs[j].Min) || s[j] > in.Jobs[j].Max {
				t.Fatalf("%v slots: %+v", s, in)
			}
		}
		close := 1e-9 * max(1, math.Abs(best))
		if v := in.Value(ends); used > in.Slots || v > best+close {
			t.Fatalf("%v has %v, best %v: %+v", s, v, best, in)
		}
		if bound := MoldableBound(in, s); bound > best || bound < best-close {
			t.Fatalf("bound %v, best %v: %+v", bound, best, in)
		}
		fail.On(t, MoldableFits(in))
	}
}

// The table of the dynamic program: 50 jobs with one step each on a million slots fit, 200 do not, nor a few that may have any
// number of slots.
func TestMoldableFits(t *testing.T) {
	for _, c := range []struct {
		steps, other, slots int
		fits                bool
	}{{50, 0, 1_000_000, true}, {200, 0, 1_000_000, false}, {1, 1, 50_000, true}, {1, 1, 200_000, false}, {0, 3, 1_000_000_000, true}} {
		in := &Instance{Slots: c.slots, Objective: Objective{Metric: Tardy, Aggregate: Sum}}
		for range c.steps {
			in.Jobs = append(in.Jobs, Job{Work: float64(c.slots), Max: c.slots, Deadline: new(1.5)})
		}
		for range c.other {
			in.Jobs = append(in.Jobs, Job{Work: 1, Max: c.slots, Metric: Response})
		}
		if err := MoldableFits(in); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c, err)
		}
	}
	// A job that needs 600,000 slots by its step has 500,000 anyway: rows of 100,000 cells for it and those behind it. With 300 steps
	// there are 301 sums a cell. A job that may get ten slots more has 11 options, and 900 of them use 9,000 slots.
	big := Job{Work: 600_000, Min: 500_000, Max: 1_000_000, Deadline: new(1.)}
	many := Job{Work: 600_000, Min: 500_000, Max: 1_000_000, Metric: SLA}
	for k := range 300 {
		many.Steps = append(many.Steps, Step{1 + float64(k)/10_000, float64(k + 1)})
	}
	narrow := Job{Work: 1, Min: 1000, Max: 1010, Metric: Response}
	for _, c := range []struct {
		first, other Job
		n            int
		fits         bool
	}{
		{big, Job{Work: 1, Max: 1, Deadline: new(1.)}, 900, true},
		{big, Job{Work: 1, Max: 1, Deadline: new(1.)}, 1100, false},
		{many, Job{Work: 1, Max: 1, Deadline: new(1.)}, 900, true},
		{Job{Work: 1, Max: 1, Deadline: new(1.)}, narrow, 900, true},
		{Job{Work: 200, Max: 1_000_000, Deadline: new(0.001)}, many, 1, true},
	} {
		in := &Instance{Slots: 1_000_000, Objective: Objective{Metric: Tardy, Aggregate: Sum}}
		in.Jobs = append(slices.Repeat([]Job{c.other}, c.n), c.first)
		in.Jobs[0], in.Jobs[c.n] = in.Jobs[c.n], in.Jobs[0]
		if err := MoldableFits(in); (err == nil) != c.fits {
			t.Errorf("%d of %+v: %v", c.n, c.other, err)
		}
	}
	steps := &Instance{Slots: 200_000, Objective: Objective{Metric: SLA, Aggregate: Sum}}
	for range 150 { // some 100,000 cells each, with 300 to 301 options
		job := Job{Work: 100_000, Max: 200_000}
		for k := range 800 {
			job.Steps = append(job.Steps, Step{1 + float64(k)/10_000, float64(k + 1)})
		}
		steps.Jobs = append(steps.Jobs, job)
	}
	if MoldableFits(steps) == nil {
		t.Error("150 jobs of 800 steps on 200,000 slots fit")
	}
}

// The bounds of an allocation that is not the best, by hand. Works 4 and 1 on 1 and 3 slots: the first would gain 2 by a slot more. At
// that price the second has one: 4 + 1 less twice 2. Of the larger time the second, with a slot less, would be worth 1/2.
func TestMoldableBoundOfOthers(t *testing.T) {
	in := &Instance{Slots: 4, Jobs: []Job{{Work: 4, Max: 4}, {Work: 1, Max: 4}}}
	for of, want := range map[Aggregate]float64{Sum: 1, Max: 0.5} {
		in.Objective = Objective{Metric: Response, Aggregate: of}
		if got := MoldableBound(in, []int{1, 3}); got != want*(1-models.Unit) {
			t.Errorf("%s: %v, want %v", of, got, want)
		}
	}
	// The first is late for 5, the second costs 3·4; its own rounding is that of 3·(4 + 103).
	late := &Instance{Slots: 3, Objective: Objective{Tardy, Sum, true}, Jobs: []Job{
		{Work: 1, Max: 1, Weight: 5, Deadline: new(0.5)},
		{Work: 8, Min: 2, Max: 2, Weight: 3, Metric: Response, Deadline: new(103.)},
	}}
	if got, want := MoldableBound(late, []int{1, 2}), 17-(321*models.Unit+2*0x1p-52*17); got != want {
		t.Errorf("%v, want 17 less %v", got, 17-want)
	}
}

// The least slots for a time are those of a search one by one, where rounding decides, too. A step that a job passes by a slot less if
// it is later by rounding is seen, and one that is earlier by more is not.
func TestSlotsForTimesOfSlots(t *testing.T) {
	for _, work := range []float64{2e6, 3, 1e-8, 1e12} {
		for s := 1; s <= 60; s++ {
			at := work / float64(s) / (1 + Tolerance)
			for range 4 {
				at = math.Nextafter(at, 0)
			}
			job := Job{Work: work, Max: 60}
			for range 9 {
				want := 1
				for want <= job.Max && After(work/float64(want), at) {
					want++
				}
				got, ok := slotsFor(&job, at)
				if ok != (want <= job.Max) || ok && got != want {
					t.Fatalf("%v slots, %v, do %v by %v, want %v", got, ok, work, at, want)
				}
				at = math.Nextafter(at, math.Inf(1))
			}
		}
		if n, ok := slotsFor(&Job{Work: work, Max: 60}, -1); ok {
			t.Errorf("%d slots do %v by -1", n, work)
		}
		at := work / (1 + Tolerance)
		for !After(work, at) {
			at = math.Nextafter(at, 0)
		}
		for _, job := range []Job{
			{Work: work, Max: 2, Metric: Tardy, Deadline: &at}, {Work: work, Max: 2, Metric: SLA, Steps: []Step{{At: at, Penalty: 1}}},
		} {
			if _, other := laterSteps(&Instance{Slots: 2, Jobs: []Job{job}}); !other {
				t.Errorf("%s at %v is not seen", job.Metric, at)
			}
			if job.Metric == Tardy {
				job.Deadline = new(at * (1 - 1e-12))
			} else {
				job.Steps = []Step{{At: at * (1 - 1e-12), Penalty: 1}}
			}
			if _, other := laterSteps(&Instance{Slots: 2, Jobs: []Job{job}}); other {
				t.Errorf("%s at %v is seen earlier", job.Metric, at)
			}
		}
	}
}

// flows is the most work beyond their minima that jobs can do until their times, which are exactly their ends: the largest flow from
// the jobs to the spans between times, found path by path.
func flows(in *Instance, times []float64) float64 {
	order := slices.Sorted(slices.Values(times))
	n := len(times)
	source, sink := 2*n, 2*n+1
	room := make([][]float64, 2*n+2)
	for i := range room {
		room[i] = make([]float64, 2*n+2)
	}
	from := 0.0
	for q, to := range order {
		length, free := to-from, float64(in.Slots)
		for j := range in.Jobs {
			if times[j] >= to {
				room[j][n+q] = float64(in.Jobs[j].Max-in.Jobs[j].Min) * length
				free -= float64(in.Jobs[j].Min)
			}
		}
		room[n+q][sink] = free * length
		from = to
	}
	for j := range in.Jobs {
		room[source][j] = in.Jobs[j].Work - float64(in.Jobs[j].Min)*times[j]
	}
	total := 0.0
	for {
		parent := map[int]int{source: source}
		for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
			for v, r := range room[queue[0]] {
				if _, seen := parent[v]; !seen && r > 1e-12 {
					parent[v] = queue[0]
					queue = append(queue, v)
				}
			}
		}
		if _, reached := parent[sink]; !reached {
			return total
		}
		by := math.Inf(1)
		for v := sink; v != source; v = parent[v] {
			by = min(by, room[parent[v]][v])
		}
		for v := sink; v != source; v = parent[v] {
			room[parent[v]][v] -= by
			room[v][parent[v]] += by
		}
		total += by
	}
}

// Times fit if and only if a flow does all work until them; the schedules of both builders then keep all constraints and end at
// the times, and times that fit are possible.
func TestFillingAgainstFlows(t *testing.T) {
	rng := trials.Rand(t, 41, 15)
	fit, n := 0, trials.Count(6000)
	for range n {
		in := drawn(rng, 1+rng.IntN(6))
		times, need := make([]float64, len(in.Jobs)), 0.0
		h, share := Horizon(in), rng.Float64()
		for j := range times {
			early, late := Earliest(in, j), Latest(in, j, h)
			times[j] = early + (late-early)*(share+(1-share)*rng.Float64())
			if rng.IntN(3) == 0 && j > 0 {
				times[j] = min(max(times[j-1], early), late)
			}
			need += in.Jobs[j].Work - float64(in.Jobs[j].Min)*times[j]
		}
		missing := need - flows(in, times)
		if missing > 1e-10 && missing < 1e-6 {
			continue // rounding would decide
		}
		p := NewFilling(in)
		if p.Fits(times, 1e-9) != (missing <= 1e-10) {
			t.Fatalf("%v of work are missing: %+v, times %v", missing, in, times)
		}
		if missing > 1e-10 {
			continue
		}
		fit++
		p.KeepRates()
		if !p.Fits(times, 1e-9) || !Possible(in, times) {
			t.Fatalf("%+v: %v does not fit with rates", in, times)
		}
		work := make([]float64, len(times))
		p.Rates(func(j int, start, end, rate float64) {
			if !(end > start) {
				t.Errorf("a rate from %v to %v", start, end)
			}
			work[j] += rate * (end - start)
		})
		for j := range work {
			if math.Abs(work[j]-in.Jobs[j].Work) > 1e-8*in.Jobs[j].Work {
				t.Fatalf("rates do %v: %+v", work, in)
			}
		}
		for name, s := range map[string]Schedule{"filling": p.Schedule(times), "sparse": Sparse(in, times)} {
			if r := Problem.Check(in, s); len(r.Violations) > 0 {
				t.Fatalf("%s: %v: %+v, times %v", name, r.Violations, in, times)
			}
			for j, at := range Completions(in, s) {
				if math.Abs(at-times[j]) > 1e-6*times[j] {
					t.Fatalf("%s: job %d ends at %v, not %v: %+v", name, j, at, times[j], in)
				}
			}
		}
	}
	if fit < n/10 || fit > n-n/10 {
		t.Errorf("%d of %d fit: the draw shows nothing", fit, n)
	}
}

// What floats say of times that can be met, exact numbers say, too, unless the times are next to ones that cannot; and so do all
// jobs' own times of a schedule.
func TestMeetsAgainstExactNumbers(t *testing.T) {
	rng := trials.Rand(t, 41, 16)
	met, n := 0, trials.Count(6000)
	for range n {
		in := drawn(rng, 1+rng.IntN(6))
		times, fixed := make([]float64, len(in.Jobs)), make([]bool, len(in.Jobs))
		h, share := Horizon(in), 0.7*rng.Float64()
		for j := range times {
			early := Earliest(in, j)
			times[j] = early*(1-0.01*rng.Float64()) + share*(h-early)*rng.Float64()
			fixed[j] = rng.IntN(2) == 0
		}
		by := func(factor float64) []float64 {
			other := slices.Clone(times)
			for j := range other {
				other[j] *= factor
				if fixed[j] {
					other[j] *= 1 + Tolerance
				}
			}
			return other
		}
		low, high := meets(in, by(1-1e-11)), meets(in, by(1+1e-11))
		if low && !high {
			t.Fatalf("later times cannot be met: %+v, %v", in, times)
		}
		if got := meetsSharply(in, times, fixed); low == high && got != low {
			t.Fatalf("exactly %v, in floats %v: %+v, %v", got, low, in, times)
		}
		if low {
			met++
		}
	}
	if met < n/10 || met > n-n/10 {
		t.Errorf("%d of %d can be met: the draw shows nothing", met, n)
	}
}

// Times by hand that are met exactly, and not by a bit less: two works of 3 on 2 slots, the first at 1.5 with both; with minima of
// 1 both at 3, where none leaves the other more; a work of 3 at a maximum of 2.
func TestMeetsByHand(t *testing.T) {
	for _, c := range []struct {
		slots int
		jobs  []Job
		times []float64
	}{
		{2, []Job{{Work: 3, Max: 2}, {Work: 3, Max: 2}}, []float64{1.5, 3}},
		{2, []Job{{Work: 3, Min: 1, Max: 2}, {Work: 3, Min: 1, Max: 2}}, []float64{3, 3}},
		{4, []Job{{Work: 3, Max: 2}}, []float64{1.5}},
		{4, []Job{{Work: 3, Min: 2, Max: 2}}, []float64{1.5}},
		// The first holds 1 and gets 2 more of 3 slots less the other's minimum of 1, until 2: (3 − 1)·2 = 4.
		{3, []Job{{Work: 4, Min: 1, Max: 3}, {Work: 5, Min: 1, Max: 3}}, []float64{2, 3}},
	} {
		in := &Instance{Slots: c.slots, Jobs: c.jobs}
		if !meets(in, c.times) || !meetsSharply(in, c.times, make([]bool, len(c.jobs))) || !Possible(in, c.times) {
			t.Errorf("%+v cannot be met", c)
		}
		for j := range c.times {
			if j < len(c.times)-1 {
				continue
			}
			c.times[j] *= 1 - 1e-10
			if meets(in, c.times) || meetsSharply(in, c.times, make([]bool, len(c.jobs))) || Possible(in, c.times) {
				t.Errorf("%+v can be met", c)
			}
		}
	}
}

// Units of regret, comparisons and features by hand: works 4, 2 and 6 on 2 slots with maxima of 1, 2 and 2.
func TestDescription(t *testing.T) {
	in := func(metric Metric, aggregate Aggregate, weighted bool) *Instance {
		jobs := []Job{
			{Work: 4, Max: 1, Weight: 2}, {Work: 2, Max: 2, Weight: 0.5, Min: 1}, {Work: 6, Max: 2, Weight: 1},
		}
		for j := range jobs {
			jobs[j].Deadline, jobs[j].Steps = new(float64(3)), []Step{{At: 1, Penalty: 1}, {At: 2, Penalty: 5}}
		}
		return &Instance{Slots: 2, Objective: Objective{metric, aggregate, weighted}, Jobs: jobs}
	}
	mixed := in(Response, Sum, false)
	mixed.Jobs[0].Metric = Tardy
	for _, c := range []struct {
		in      *Instance
		scale   float64
		compare models.Comparison
		words   string
	}{
		{in(Response, Sum, false), 0, models.Quotient, "total response time"},
		{in(Tardy, Sum, false), 3, models.QuotientZero, "number of late jobs"},
		{in(Tardy, Sum, true), 3.5, models.QuotientZero, "weight of late jobs"},
		{in(SLA, Sum, false), 15, models.QuotientZero, "total SLA penalty"},
		{in(SLA, Sum, true), 17.5, models.QuotientZero, "weighted SLA penalty"},
		// In the order 2, 4, 6 ends are 1, 3 and 6, alone 1, 4 and 3.
		{in(Tardiness, Sum, false), 10, models.QuotientZero, "total tardiness"},
		// In the order of W/w, 2, 4 and 6, ends are 2, 3 and 6 with weights 2, 0.5 and 1.
		{in(Lateness, Sum, true), 11.5, models.Difference, "weighted lateness"},
		{in(Lateness, Max, false), 6, models.Difference, "largest lateness"},             // the last job ends at 6
		{in(Tardiness, Max, true), 8, models.QuotientZero, "largest weighted tardiness"}, // 2·4 alone, against 0.5·6
		{mixed, 10, models.QuotientZero, "penalty of mixed metrics"},
	} {
		name := c.in.Objective.String()
		if got := scale(c.in, ""); math.Abs(got-c.scale) > 1e-12 {
			t.Errorf("%s: scale %v, want %v", name, got, c.scale)
		}
		if got := compare(c.in); got != c.compare {
			t.Errorf("%s: %v, want %v", name, got, c.compare)
		}
		if got := uniformObjective(c.in).Words(); got != c.words && got != "total "+c.words {
			t.Errorf("%s: %s, want %s", name, got, c.words)
		}
	}
	want := map[string]any{"metric": "sum response", "slack": 0.5, "small_share": 1. / 3} // 2 < 4 = the mean
	if d := cmp.Diff(want, features(in(Response, Sum, false))); d != "" {
		t.Error(d)
	}
	many := in(Tardiness, Sum, false)
	many.Slots = 100
	if got := scale(many, ""); got != 8 { // alone: 4 + 1 + 3
		t.Errorf("on 100 slots the scale is %v", got)
	}
	if got, ok := many.DueDate(0); got != 3 || !ok {
		t.Errorf("due at %v", got)
	}
	if got, ok := in(SLA, Sum, false).DueDate(0); got != 1 || !ok {
		t.Errorf("due at %v", got)
	}
	many.Jobs[0].Deadline = nil
	if _, ok := many.DueDate(0); ok {
		t.Error("a due date without a deadline")
	}
	for _, at := range []float64{0, 1, -1, 1e100, -3e-320, 5e-324} {
		if next := JustAfter(at); !After(next, at) || next > at+1e-8*math.Abs(at)+1e-300 {
			t.Errorf("just after %v is %v", at, next)
		}
	}
}

// Dates that are drawn are multiples within their range, and steps increase, by one digit at least.
func TestDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	most := 0.0
	for range 1000 {
		if u := DrawUnit(rng); u <= 0 || u > 1 || math.Abs(u*1e4-math.Round(u*1e4)) > 1e-9 {
			t.Fatalf("unit %v", u)
		}
		date := DrawDate(2, 100, rng)
		most = max(most, date)
		if date < 0 || date > 200 || math.Abs(date*100-math.Round(date*100)) > 1e-9 {
			t.Fatalf("date %v", date)
		}
		steps := DrawSteps(1e-5, 100, rng) // 0, 0.01 or more where rounding makes them equal
		for k := 1; k < Steps; k++ {
			if steps[k].At < steps[k-1].At+0.0099 || steps[k].Penalty < steps[k-1].Penalty+0.000099 {
				t.Fatalf("steps %v", steps)
			}
		}
	}
	if most < 190 {
		t.Errorf("of 1000 dates up to 200 the last is %v", most)
	}
	values := []float64{1, 1, 0.9999}
	spread(values, -4)
	if !slices.Equal(values, []float64{0.9999, 1, 1.0001}) {
		t.Errorf("%v", values)
	}
	if got := []float64{RoundTo(123456, 2), RoundTo(0.123456, -4), Decimal(7, 3), Decimal(7, -1)}; !slices.Equal(got, []float64{123500, 0.1235, 7000, 0.7}) {
		t.Errorf("%v", got)
	}
}

// What the checker forgives, next to its limits, of work 6 on 2 to 3 of 4 slots and of work 4: a millionth of the work, of the
// minimum, the maximum and the slots, and of the time for starts; in late dates their rounding, but never half of a work.
func TestCheckAtItsTolerances(t *testing.T) {
	a, b := Job{ID: "a", Work: 6, Min: 2, Max: 3}, Job{ID: "b", Work: 4, Max: 4}
	one := func(job Job, slots, end float64) ([]Job, Schedule) {
		return []Job{job}, Schedule{{0, end, []Share{{0, slots}}}}
	}
	both := func(slots, start, end float64) ([]Job, Schedule) {
		return []Job{{ID: "a", Work: 6, Max: 4}, b}, Schedule{{0, 2, []Share{{0, slots}, {1, slots}}}, {start, end, []Share{{0, 2}, {1, 0}}}}
	}
	const late = 0x1p23
	after := func(work, length float64) ([]Job, Schedule) {
		return []Job{{ID: "a", Work: work, Max: 4}}, Schedule{{0, late, nil}, {late, late + length, []Share{{0, 1}}}}
	}
	type jobs = []Job
	for name, c := range map[string]struct {
		make func() (jobs, Schedule)
		want []string
	}{
		"more work":            {func() (jobs, Schedule) { return one(a, 2, 3+2e-6) }, nil},
		"too much work":        {func() (jobs, Schedule) { return one(a, 2, 3+4e-6) }, []string{"work"}},
		"less work":            {func() (jobs, Schedule) { return one(a, 2, 3-2e-6) }, nil},
		"too little work":      {func() (jobs, Schedule) { return one(a, 2, 3-4e-6) }, []string{"work"}},
		"less than minimum":    {func() (jobs, Schedule) { return one(a, 2-1e-6, 6/(2-1e-6)) }, nil},
		"too little":           {func() (jobs, Schedule) { return one(a, 2-3e-6, 6/(2-3e-6)) }, []string{"minimum"}},
		"more than maximum":    {func() (jobs, Schedule) { return one(a, 3+2e-6, 6/(3+2e-6)) }, nil},
		"too many":             {func() (jobs, Schedule) { return one(a, 3+4e-6, 6/(3+4e-6)) }, []string{"maximum"}},
		"more slots":           {func() (jobs, Schedule) { return both(2+1e-6, 2, 3) }, nil},
		"too many slots":       {func() (jobs, Schedule) { return both(2+3e-6, 2, 3-3e-6) }, []string{"work", "slots"}},
		"a gap":                {func() (jobs, Schedule) { return both(2, 2+2e-6, 3) }, nil},
		"a large gap":          {func() (jobs, Schedule) { return both(2, 2+4e-6, 3+4e-6) }, []string{"contiguity"}},
		"an overlap":           {func() (jobs, Schedule) { return both(2, 2-2e-6, 3) }, nil},
		"a large overlap":      {func() (jobs, Schedule) { return both(2, 2-4e-6, 3-4e-6) }, []string{"contiguity"}},
		"late rounding":        {func() (jobs, Schedule) { return after(0x1p-10, 0x1p-10+0x1p-28) }, nil},
		"late, too much":       {func() (jobs, Schedule) { return after(0x1p-10, 0x1p-10+0x1p-24) }, []string{"work"}},
		"late, less than half": {func() (jobs, Schedule) { return after(1e-8, 0x1p-29) }, []string{"work"}},
		"slots after the end": {func() (jobs, Schedule) {
			return jobs{b}, Schedule{{0, 1, []Share{{0, 4}}}, {1, 1 + 3e-6, []Share{{0, 1}}}}
		}, nil},
		"slots long after the end": {func() (jobs, Schedule) {
			return jobs{b}, Schedule{{0, 1, []Share{{0, 4}}}, {1, 1 + 5e-6, []Share{{0, 1}}}}
		}, []string{"work", "maximum"}},
		"a gap, later": {func() (jobs, Schedule) {
			return jobs{{ID: "a", Work: 100, Max: 4}}, Schedule{{0, 50, []Share{{0, 1}}}, {50 + 2e-5, 100 + 2e-5, nil}}
		}, nil},
	} {
		list, s := c.make()
		in := &Instance{Slots: 4, Objective: Objective{Metric: Response, Aggregate: Sum}, Jobs: list}
		var got []string
		for _, v := range Problem.Check(in, s).Violations {
			got = append(got, v.Constraint)
			if !(v.Amount > 0) {
				t.Errorf("%s: %+v", name, v)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A job that is late by 6e-7 of its step is in time if a fault of the schedule can have moved its time by as much: four times a
// fault of 2e-7 can, four times one of 1e-7 cannot, whether it is one of work, of a start, of the slots or of a minimum.
func TestCheckInTimeByFaults(t *testing.T) {
	const late = 6e-7
	for _, fault := range []float64{0, 1e-7, 2e-7} {
		for name, c := range map[string]struct {
			slots int
			jobs  []Job
			s     Schedule
		}{
			"work": {4, []Job{{Work: 4, Max: 4, Deadline: new(1.)}}, Schedule{{0, 1 + late, []Share{{0, 4 * (1 + fault) / (1 + late)}}}}},
			"start": {1, []Job{{Work: 10, Max: 1, Deadline: new(10.)}}, Schedule{
				{10 * fault, 10 * (1 + late), []Share{{0, 1 / (1 + late - fault)}}},
			}},
			"slots": {4, []Job{{Work: 2, Max: 4, Deadline: new(1.)}, {Work: 2, Max: 4, Deadline: new(9.)}}, Schedule{
				{0, 2 / (4*(1+fault) - 2/(1+late)), []Share{{0, 2 / (1 + late)}, {1, 4*(1+fault) - 2/(1+late)}}},
				{2 / (4*(1+fault) - 2/(1+late)), 1 + late, []Share{{1, 0}}},
			}},
			"maximum": {4, []Job{{Work: 2, Max: 4, Deadline: new(1.)}, {Work: 2 * (1 + fault) * (1 + late), Max: 2, Deadline: new(9.)}}, Schedule{
				{0, 1 + late, []Share{{0, 2 / (1 + late)}, {1, 2 * (1 + fault)}}},
			}},
			"minimum": {4, []Job{{Work: 2 * (1 - fault) * (1 + late), Min: 2, Max: 4, Deadline: new(1.)}}, Schedule{
				{0, 1 + late, []Share{{0, 2 * (1 - fault)}}},
			}},
		} {
			in := &Instance{Slots: c.slots, Objective: Objective{Metric: Tardy, Aggregate: Sum}, Jobs: c.jobs}
			r := Problem.Check(in, c.s)
			want := 1.0
			if fault == 2e-7 {
				want = 0
			}
			if len(r.Violations) > 0 || *r.Objective != want {
				t.Errorf("%s, fault %v: worth %v, %v, want %v", name, fault, *r.Objective, r.Violations, want)
			}
		}
	}
}

// greedy are the completion times of the packing scheme as the paper's Figure 3 states it, event by event.
func greedy(in *Instance, order []int) []float64 {
	left, done := make([]float64, len(order)), make([]float64, len(order))
	for j := range left {
		left[j] = in.Jobs[j].Work
	}
	for at := 0.0; ; {
		slack, rate, next := float64(in.Slots), make([]float64, len(order)), math.Inf(1)
		for j := range left {
			if left[j] > 0 {
				slack -= float64(in.Jobs[j].Min)
			}
		}
		for _, j := range order {
			if left[j] == 0 {
				continue
			}
			extra := min(slack, float64(in.Jobs[j].Max-in.Jobs[j].Min))
			slack -= extra
			rate[j] = float64(in.Jobs[j].Min) + extra
			if rate[j] > 0 {
				next = min(next, left[j]/rate[j])
			}
		}
		if math.IsInf(next, 1) {
			return done
		}
		at += next
		for j := range left {
			left[j] -= rate[j] * next
			if left[j] < 1e-11*in.Jobs[j].Work && rate[j] > 0 && done[j] == 0 {
				left[j], done[j] = 0, at
			}
		}
	}
}

// Packings end when the scheme, followed event by event, ends them, and their schedules keep all constraints, with minima and without.
func TestPackerAgainstGreedy(t *testing.T) {
	rng := trials.Rand(t, 41, 17)
	for range trials.Count(3000) {
		in := drawn(rng, 1+rng.IntN(9))
		if rng.IntN(2) == 0 {
			for j := range in.Jobs {
				in.Jobs[j].Work = math.Ceil(in.Jobs[j].Work) // ties
			}
		}
		order, p := rng.Perm(len(in.Jobs)), NewPacker(in)
		if rng.IntN(4) == 0 {
			p.WaiveMinima()
			for j := range in.Jobs {
				in.Jobs[j].Min = 0
			}
		}
		want := greedy(in, order)
		got := slices.Clone(p.Completions(order))
		s := p.Pack(order)
		r := Problem.Check(in, s)
		for name, times := range map[string][]float64{"completions": got, "schedule": Completions(in, s)} {
			for j := range want {
				if len(r.Violations) > 0 || !(math.Abs(times[j]-want[j]) <= 1e-9*want[j]) {
					t.Fatalf("%s %v, want %v, %v: %+v, order %v", name, times, want, r.Violations, in, order)
				}
			}
		}
	}
	one := func(works ...float64) *Instance {
		in := &Instance{Slots: 1}
		for _, w := range works {
			in.Jobs = append(in.Jobs, Job{Work: w, Max: 1})
		}
		return in
	}
	want := Schedule{{0, 1, []Share{{0, 1}}}, {1, 3, []Share{{0, 0}, {1, 1}}}, {3, 4, []Share{{1, 0}, {2, 1}}}}
	if d := cmp.Diff(want, NewPacker(one(1, 2, 1)).Pack([]int{0, 1, 2})); d != "" {
		t.Error(d)
	}
	// One slot each until 1e6, except for the last 5e-7: that is a tie of as long jobs, and 5e-4 of the work of 1000 on 1000 slots is not.
	tie := &Instance{Slots: 2, Jobs: []Job{{Work: 1e6, Max: 1}, {Work: 1e6 * (1 + 5e-13), Max: 1}}}
	if times := NewPacker(tie).Completions([]int{0, 1}); times[0] != 1e6 || times[1] != 1e6 {
		t.Errorf("a tie ends at %v", times)
	}
	fast := &Instance{Slots: 1001, Jobs: []Job{{Work: 1e6, Max: 1}, {Work: 1000 * (999_999 + 5e-7), Max: 1000}, {Work: 1000, Max: 1000}}}
	if times := NewPacker(fast).Completions([]int{0, 1, 2}); times[0] != 1e6 || !(times[2] > 1e6+4e-7) {
		t.Errorf("no tie ends at %v", times)
	}
	if times := NewPacker(one(1e7, 1e-12)).Completions([]int{0, 1}); !(times[1] > 1e7) {
		t.Errorf("a short job that comes late ends at %v", times[1])
	}
	order := make([]int, 80)
	for j := range order {
		order[j] = j
	}
	p := NewPacker(one(slices.Repeat([]float64{1}, 80)...))
	p.Mark(order, 0)
	var marks []int
	for i := range p.marks {
		marks = append(marks, p.marks[i].next)
	}
	if !slices.Equal(marks, []int{11, 22, 33, 44, 55, 66, 77}) {
		t.Errorf("marks at %v", marks)
	}
}

// Times that lack a little are met a little later, by up to 1e-10 of the horizon, which is 2.000001 here; a job that is late by
// less than the tolerance is moved to its due date if it can be, and one that is too short for its time to its earliest time.
func TestRealize(t *testing.T) {
	in := &Instance{Slots: 1, Objective: Objective{Metric: Response, Aggregate: Sum}, Jobs: []Job{{Work: 1, Max: 1}, {Work: 1e-6, Max: 1}}}
	for _, unit := range []float64{1, 1e6, 1e-6} {
		in.Jobs[0].Work, in.Jobs[1].Work = unit, 1e-6*unit
		for lack, want := range map[float64]bool{0: true, 1e-11: true, 1e-9: false} {
			plan, v, ok := Realize(in, NewFilling(in).KeepRates(), []float64{unit, (1 + 1e-6 - lack) * unit})
			if ok != want || ok && (math.Abs(v-2.000001*unit) > 1e-9*unit || len(Problem.Check(in, plan).Violations) > 0) {
				t.Errorf("without %v of work: %v, %v", lack*unit, v, ok)
			}
		}
	}
	long := &Instance{Slots: 2, Jobs: []Job{{Work: 100, Min: 1, Max: 2}}}
	if p := NewFilling(long); !p.Fits([]float64{100 * (1 + 5e-10)}, 1e-9) || p.Fits([]float64{100 * (1 + 2e-9)}, 1e-9) {
		t.Error("a minimum that does more than the work by 5e-10 of it does not fit, or one by 2e-9 does")
	}
	many := &Instance{Slots: mostClose + 1, Objective: Objective{Metric: Tardiness, Aggregate: Sum}}
	many.Jobs = slices.Repeat([]Job{{Work: 1, Max: 1, Deadline: new(1.)}}, mostClose+1)
	if p := NewFilling(many); !p.Prompt(slices.Repeat([]float64{1 + 5e-10}, mostClose+1)) ||
		slices.Index(p.Prompted(), 1+5e-10) != mostClose {
		t.Errorf("of many jobs moved to %v", p.Prompted())
	}
	tardy := func(due float64) *Instance {
		in := &Instance{Slots: 1, Objective: Objective{Metric: Tardiness, Aggregate: Sum, Weighted: true}, Jobs: []Job{
			{Work: 1, Max: 1, Weight: 1e9, Deadline: new(due)}, {Work: 1, Max: 1, Weight: 1, Deadline: new(9.)},
		}}
		return in
	}
	for _, c := range []struct {
		due, first, want float64
		moved            bool
	}{
		{1.5, 1.5 * (1 + 5e-10), 1.5, true},
		{1, 1 + 5e-10, 1, true}, // as soon as it can end
		{1.5, 1.5, 1.5, false},
		{1.5, 1.5 * (1 + 2e-9), 1.5 * (1 + 2e-9), false},
		{1 - 1e-10, 1, 1, false}, // before it can end
	} {
		in := tardy(c.due)
		p := NewFilling(in)
		times := []float64{c.first, 2}
		if got := p.Prompt(times); got != c.moved || p.Prompted()[0] != c.want || p.Prompted()[1] != 2 || times[0] != c.first {
			t.Errorf("%+v: moved %v to %v", c, got, p.Prompted())
		}
	}
	if _, v, ok := Realize(tardy(1.5), NewFilling(tardy(1.5)).KeepRates(), []float64{1.5 * (1 + 5e-10), 2}); !ok || v != 0 {
		t.Errorf("a tardiness of 5e-10 that need not be: %v, %v", v, ok)
	}
	mixed := tardy(1.5) // lateness may make the value negative
	mixed.Jobs[1].Metric, mixed.Jobs[1].Deadline = Lateness, new(1002.)
	if _, v, ok := Realize(mixed, NewFilling(mixed).KeepRates(), []float64{1.5 * (1 + 5e-10), 2}); !ok || v != -1000 {
		t.Errorf("a tardiness of 5e-10 that need not be, beside lateness: %v, %v", v, ok)
	}
	busy := &Instance{Slots: 1, Objective: tardy(1).Objective, Jobs: []Job{{Work: 1, Max: 1, Deadline: new(1.)}, {Work: 1, Max: 1, Deadline: new(2 - 1e-9)}}}
	if p := NewFilling(busy); p.Prompt([]float64{1, 2}) || p.Prompted()[1] != 2 {
		t.Errorf("moved to %v, where there is no room", p.Prompted())
	}
	short := &Instance{Slots: 1, Jobs: []Job{{Work: 1e-9, Max: 1}, {Work: 1e-7, Max: 1}, {Work: 1, Max: 1}}}
	p := NewFilling(short)
	if moved := p.hasten([]float64{10, 10, 20}); !moved || !slices.Equal(p.times, []float64{1e-9, 10, 20}) {
		t.Errorf("moved %v to %v", moved, p.times)
	}
	if p.hasten([]float64{1e-9, 10, 20}) {
		t.Errorf("moved to %v", p.times)
	}
}

// The horizon and its parts by hand: (3 + 5)/4 + 3, and the latest times by the minima.
func TestHorizon(t *testing.T) {
	in := &Instance{Slots: 4, Jobs: []Job{{Work: 3, Min: 1, Max: 1}, {Work: 5, Max: 2}}}
	if h := Horizon(in); h != 5 || Earliest(in, 1) != 2.5 || Latest(in, 0, h) != 3 || Latest(in, 1, h) != 5 {
		t.Errorf("%v, %v, %v, %v", h, Earliest(in, 1), Latest(in, 0, h), Latest(in, 1, h))
	}
}

// Amounts at the ends of their ranges are accepted, and what is beyond them, or does not increase, is not.
func TestFormatAtItsLimits(t *testing.T) {
	const head = `{"problem":"flex","version":1,"name":"x","slots":1,"objective":{"metric":"%s","aggregate":"sum","weighted":false},` +
		`"jobs":[{"id":"a","work":1,%s}]}`
	steps := func(text string) string { return fmt.Sprintf(head, SLA, `"steps":[`+text+`]`) }
	due := func(text string) string { return fmt.Sprintf(head, Tardy, `"deadline":`+text) }
	for text, want := range map[string]string{
		steps(`{"at":0,"penalty":0},{"at":1,"penalty":1e100}`): "",
		steps(`{"at":0,"penalty":-1}`):                         "f: jobs[0].steps[0].penalty: -1 must be at least 0",
		steps(`{"at":0,"penalty":1.1e100}`):                    "f: jobs[0].steps[0].penalty: 1.1e+100 must be at most 1e+100",
		steps(`{"at":1,"penalty":1},{"at":1,"penalty":2}`):     "f: jobs[0].steps[1].at: 1 must be greater than the step before it, 1",
		steps(`{"at":1,"penalty":1},{"at":2,"penalty":1}`):     "f: jobs[0].steps[1].penalty: 1 must be greater than the step before it, 1",
		due("1e100"): "", due("-1e100"): "",
		due("-1.1e100"): "f: jobs[0].deadline: -1.1e+100 must be between -1e+100 and 1e+100",
	} {
		_, err := Problem.ParseInstance("f", []byte(text))
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// What counts for schedules with faults, by hand. Each has work that is not done, which the checker forgives.
func TestProjectionByHand(t *testing.T) {
	const lack = 1e-7
	job := func(metric Metric, work, due float64) Job {
		return Job{Work: work, Max: 1, Weight: 1, Metric: metric, Deadline: new(due)}
	}
	sla := func(steps ...Step) Job { return Job{Work: 1, Max: 1, Metric: SLA, Steps: steps} }
	row := func(ends ...float64) (s Schedule) { // one job after the other on one slot
		from := 0.0
		for j, to := range ends {
			iv := Interval{from, to, []Share{{j, 1}}}
			if j > 0 {
				iv.Changes = append(iv.Changes, Share{j - 1, 0})
			}
			s, from = append(s, iv), to
		}
		return s
	}
	side := Schedule{{0, 1 - lack, []Share{{0, 1}, {1, 1}}}, {1 - lack, 1, []Share{{1, 0}}}}
	// As many as are looked at one by one and one more, all at their steps; the last keeps its step if it need not do all its work.
	var many []Job
	var ends []float64
	for j := range mostClose + 1 {
		many, ends = append(many, job(Tardy, 1, float64(j+1))), append(ends, float64(j+1))
	}
	ends[mostClose] -= 2 * lack
	*many[mostClose].Deadline -= 4 * lack
	many, ends = append(many, job(Response, 1, 0)), append(ends, mostClose+2-2*lack)
	edge := 1 + 1e-9 // as an allocation that is forgiven has it, a bit more is late
	over := math.Nextafter(math.Nextafter(edge, 2), 2)
	if after := math.Nextafter(edge, 0); !After(over, 1) || After(after, 1) {
		t.Fatal("the edge is elsewhere")
	}
	for name, c := range map[string]struct {
		slots int
		jobs  []Job
		s     Schedule
		want  float64
	}{
		// All are later by the lack.
		"later": {1, []Job{job(Response, 1e6, 0)}, row(1e6 * (1 - lack)), 1e6},
		// A job that is done at its date is not late for another's lack, which has time or is late in any case.
		"date": {2, []Job{job(Tardiness, 1, 1), job(Tardiness, 1, 10)}, side, 0},
		"step": {2, []Job{job(Tardy, 1, 1), job(Tardy, 1, 0.1)}, side, 1},
		// Both are in time by what is forgiven, but together cannot be: the second pays its first step.
		"close": {1, []Job{sla(Step{1, 3}, Step{5, 7}), sla(Step{2 - 2*lack, 1}, Step{3, 5})}, row(1, 2-lack), 1},
		"many":  {1, many, row(ends...), mostClose + 1 + mostClose + 2},
		// Exact numbers decide whether a job meets its step to the last bit.
		"exact":  {1, []Job{job(Tardy, math.Nextafter(edge, 0), 1)}, row(math.Nextafter(edge, 0)), 0},
		"behind": {1, []Job{job(Tardy, over, 1)}, Schedule{{0, over, []Share{{0, 1 + lack}}}}, 1},
	} {
		in := &Instance{Slots: c.slots, Objective: Objective{Metric: Response, Aggregate: Sum}, Jobs: c.jobs}
		r := Problem.Check(in, c.s)
		if len(r.Violations) > 0 || !(math.Abs(*r.Objective-c.want) <= 1e-9*c.want) {
			t.Errorf("%s: worth %v, %v, want %v", name, *r.Objective, r.Violations, c.want)
		}
	}
	// A lack within the tolerance of values is none.
	short := 1 - 5e-10
	in := &Instance{Slots: 1, Objective: Objective{Metric: Response, Aggregate: Sum}, Jobs: []Job{job(Response, 1, 0)}}
	if r := Problem.Check(in, row(short)); *r.Objective != short {
		t.Errorf("worth %v, want %v", *r.Objective, short)
	}
}

// What is no whole job: an end at a quarter of the work of a job so late that rounding hides all of it; a recorder's moment of no
// length; an allocation that many more or a far larger job may be worse than; a least amount with its weight.
func TestSmallThings(t *testing.T) {
	late := &Instance{Slots: 1, Jobs: []Job{{Work: 1, Max: 1}}}
	const far = 0x1p52
	if times := Completions(late, Schedule{{0, far, nil}, {far, far + 1, []Share{{0, 0.25}}}}); times != nil {
		t.Errorf("a quarter of the work ends at %v", times)
	}
	var rec Recorder
	rec.Advance(0)
	rec.Set(0, 1)
	rec.Advance(1)
	rec.Set(0, 2)
	rec.Advance(1)
	if got := rec.Schedule(); len(got) != 1 {
		t.Errorf("%v", got)
	}
	// The second is better by a rounding of its terms: 1e6 of its time and as much of its due date.
	far6 := &Instance{Slots: 1, Objective: Objective{Lateness, Max, false}, Jobs: []Job{
		{Work: 1, Max: 1, Deadline: new(0.)}, {Work: 1, Max: 1, Deadline: new(1e6)},
	}}
	times := []float64{1, math.Nextafter(1e6+1, 0)}
	if got, want := far6.Rounding(times, func(int) bool { return true }), models.Unit*(times[1]+1e6); got != want {
		t.Errorf("rounding %v, want %v", got, want)
	}
	heavy := &Instance{Slots: 1, Objective: Objective{Lateness, Sum, true}, Jobs: []Job{{Work: 2, Max: 1, Weight: 3}}}
	if got := least(heavy); got != 6 {
		t.Errorf("the least amount is %v", got)
	}
}

// Jobs have metrics of their own where that is asked for, of those that the aggregate allows.
func TestReadObjective(t *testing.T) {
	for _, c := range []struct {
		metric string
		of     Aggregate
		kinds  int // 0: refused
	}{{"tardy", Max, 0}, {"tardy", Sum, 1}, {"lateness", Max, 1}, {MixedMetrics, Sum, len(Metrics)}, {MixedMetrics, Max, len(Metrics) - 2}} {
		o, metric, err := ReadObjective(models.Values{"metric": c.metric, "aggregate": string(c.of), "weighted": true})
		if (err != nil) != (c.kinds == 0) {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil {
			continue
		}
		rng, kinds := rand.New(rand.NewPCG(1, 2)), map[Metric]bool{}
		for range 200 {
			kinds[metric(rng)] = true
		}
		if len(kinds) != c.kinds || kinds[""] != (c.metric != MixedMetrics) || !o.Weighted {
			t.Errorf("%+v: %v, %+v", c, kinds, o)
		}
	}
}
