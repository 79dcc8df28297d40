package redundancy_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

// disciplines are the paper's, by name.
var disciplines = map[string]heuristics.Discipline{
	"srpt+r": {Rule: heuristics.SRPTRule},
	"srpt":   {Rule: heuristics.Single(heuristics.SRPTRule)},
	"fair+r": {Rule: heuristics.FairRule, Latest: true},
	"fair":   {Rule: heuristics.Single(heuristics.FairRule), Latest: true},
	"laps+r": {Rule: heuristics.LAPSWaitingRule(0.4), Latest: true},
	"laps":   {Rule: heuristics.Single(heuristics.LAPSWaitingRule(0.4)), Latest: true},
	"shared": {Rule: heuristics.LAPSSharedRule(0.7), Latest: true},
}

// instance has jobs of the arrivals and works given in turn, called a, b, ….
func instance(machines int, h []float64, jobs ...float64) *redundancy.Instance {
	in := &redundancy.Instance{Machines: machines, Multitasking: true, Speed: 1, Speedup: h}
	in.Name = "test"
	for i := 0; i < len(jobs); i += 2 {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: string(rune('a' + i/2)), Arrival: jobs[i], Work: jobs[i+1]})
	}
	return in
}

// Completion times by hand.
func TestCompletions(t *testing.T) {
	h := []float64{1, 1.5, 1.75}
	for _, c := range []struct {
		name       string
		in         *redundancy.Instance
		discipline string
		want       []float64
	}{
		// a 2, b 1 copies: 1.5 and 1, a done at 2; b has 4 left at 1.75.
		{"fewer jobs than machines", instance(3, h, 0, 3, 0, 6), "srpt+r", []float64{2, 2 + 4/1.75}},
		{"the same without copies", instance(3, h, 0, 3, 0, 6), "srpt", []float64{3, 6}},
		// b arrives with 1 where a has 7−3.5 = 3.5 left: b gets two machines, 1/1.5; a does that much, then the rest alone.
		{"a shorter job arrives", instance(3, h, 0, 7, 2, 1), "srpt+r", []float64{2 + 2./3 + (3.5-2./3)/1.75, 2 + 2./3}},
		// On one machine: a until 1, b until 2, c until 5, a until 9.
		{"the longest waits", instance(1, h[:1], 0, 5, 1, 1, 1, 3), "srpt", []float64{9, 2, 5}},
		// Two of three run; the first done, a, makes room for c. No job's remaining work is less than another's that runs.
		{"the least first", instance(2, h[:2], 0, 1, 0, 2, 0, 3), "srpt", []float64{1, 2, 4}},
		// The later of two that arrive together gets two machines.
		{"the latest first", instance(3, h, 0, 3, 0, 3), "fair+r", []float64{2 + 1/1.75, 2}},
		// Four jobs on two machines: two each, at half speed; b and c are done at 2, d has 1 left and a 2, a machine each.
		{"two on a machine", instance(2, h[:2], 0, 3, 0, 1, 0, 1, 0, 2), "fair", []float64{4, 2, 2, 3}},
		// Three jobs on two machines: the oldest waits until one is done.
		{"the oldest waits", instance(2, h[:2], 0, 1, 0, 1, 0, 1), "fair", []float64{2, 1, 1}},
		// ⌈0.4·3⌉ = 2 of three jobs: c, b, then ⌈0.4·1⌉ = 1.
		{"among the latest", instance(2, h[:2], 0, 3, 0, 1, 0, 1), "laps+r", []float64{3, 1, 1}},
		{"a gap", instance(2, h[:2], 1, 1.5, 5, 3), "fair+r", []float64{2, 7}},
	} {
		s, err := heuristics.Schedule(t.Context(), c.in, disciplines[c.discipline], 1)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := redundancy.Completions(c.in, s)
		for j := range got {
			if math.Abs(got[j]-c.want[j]) > 1e-12 {
				t.Errorf("%s: %s completes at %v, want %v", c.name, c.discipline, got, c.want)
				break
			}
		}
	}
}

// draw draws a small instance with many ties; multitasking.
func draw(t *rapid.T) *redundancy.Instance {
	in := &redundancy.Instance{
		Machines: rapid.IntRange(1, 6).Draw(t, "machines"), Multitasking: true,
		Speed: rapid.SampledFrom([]float64{1, 1.25, 3}).Draw(t, "speed"),
	}
	in.Name = "drawn"
	step, sum := 1.0, 0.0
	for range in.Machines {
		sum += step
		in.Speedup = append(in.Speedup, sum)
		step *= rapid.SampledFrom([]float64{0, 0.5, 0.8, 1}).Draw(t, "step")
	}
	for j := range rapid.IntRange(1, 25).Draw(t, "jobs") {
		in.Jobs = append(in.Jobs, redundancy.Job{
			ID: string(rune('a' + j)), Arrival: float64(rapid.IntRange(0, 30).Draw(t, "arrival")) / 4,
			Work: float64(rapid.IntRange(1, 40).Draw(t, "work")) / 8,
		})
	}
	return in
}

// slow runs a discipline in the plainest way: at every event the active jobs are sorted and each is moved on.
func slow(in *redundancy.Instance, d heuristics.Discipline, speed float64) []float64 {
	times, left := make([]float64, len(in.Jobs)), make([]float64, len(in.Jobs))
	for j := range left {
		left[j] = in.Jobs[j].Work
	}
	now, done := 0.0, 0
	for done < len(in.Jobs) {
		next := math.Inf(1)
		var active []int
		for j := range in.Jobs {
			switch {
			case in.Jobs[j].Arrival > now:
				next = min(next, in.Jobs[j].Arrival)
			case left[j] > 0:
				active = append(active, j)
			}
		}
		if len(active) == 0 {
			now = next
			continue
		}
		slices.SortFunc(active, func(a, b int) int {
			switch x, y := in.Jobs[a], in.Jobs[b]; {
			case d.Latest && x.Arrival == y.Arrival:
				return b - a
			case d.Latest:
				return cmp.Compare(y.Arrival, x.Arrival)
			case math.Abs(left[a]-left[b]) < 1e-9:
				return a - b
			}
			return cmp.Compare(left[a], left[b])
		})
		a := d.Rule(len(active), in.Machines)
		rate := func(i int) float64 {
			if i == 0 {
				return speed * a.Share * in.Speedup[a.First-1]
			}
			return speed * a.Share * in.Speedup[a.Others-1]
		}
		step := next - now
		for i, j := range active[:a.Served] {
			step = min(step, left[j]/rate(i))
		}
		now += step
		for i, j := range active[:a.Served] {
			left[j] -= rate(i) * step
			if left[j] < 1e-10 {
				left[j], times[j] = 0, now
				done++
			}
		}
	}
	return times
}

// Every discipline completes the jobs when the plain way does, and the checker accepts its schedule and counts the same
// flowtimes.
func TestAgainstThePlainWay(t *testing.T) {
	for name, d := range disciplines {
		t.Run(name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				in := draw(t)
				want := slow(in, d, in.Speed)
				s, err := heuristics.Schedule(context.Background(), in, d, in.Speed)
				fail.On(t, err)
				r := redundancy.Problem.Check(in, s)
				if len(r.Violations) > 0 {
					t.Fatalf("%v\n%v", r.Violations, s)
				}
				got := redundancy.Completions(in, s)
				// Two of equal remaining work may change places: the completions are the same, not who has which.
				slices.Sort(want)
				slices.Sort(got)
				for i := range want {
					if math.Abs(got[i]-want[i]) > 1e-9 {
						t.Fatalf("completions %v, want %v", got, want)
					}
				}
			})
		})
	}
}

// Constraint (c) of the paper's OPT: each job has at least 2 checkpoints, its arrival and its completion, and at most 2N with
// those between them, as they come with the arrivals and completions of the N jobs alone.
func TestCheckpoints(t *testing.T) {
	for name, d := range disciplines {
		t.Run(name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				in := draw(t)
				s, err := heuristics.Schedule(context.Background(), in, d, in.Speed)
				fail.On(t, err)
				for j, end := range redundancy.Completions(in, s) {
					n := 2
					for _, interval := range s.Intervals {
						if interval.Start > in.Jobs[j].Arrival && interval.Start < end {
							n++
						}
					}
					if !(end > in.Jobs[j].Arrival) || n > 2*len(in.Jobs) {
						t.Errorf("job %d from %v to %v has %d checkpoints with %d jobs", j, in.Jobs[j].Arrival, end, n, len(in.Jobs))
					}
				}
			})
		})
	}
}

// flowtime is the checker's objective of a discipline's schedule at the instance's speed.
func flowtime(t *rapid.T, in *redundancy.Instance, d heuristics.Discipline) float64 {
	t.Helper()
	s, err := heuristics.Schedule(context.Background(), in, d, in.Speed)
	fail.On(t, err)
	r := redundancy.Problem.Check(in, s)
	if r.Objective == nil || !r.Feasible(nil) {
		t.Fatal(r.Violations)
	}
	return *r.Objective
}

// changed is a copy of an instance.
func changed(in *redundancy.Instance, change func(*redundancy.Instance)) *redundancy.Instance {
	other := *in
	other.Jobs, other.Speedup = slices.Clone(in.Jobs), slices.Clone(in.Speedup)
	change(&other)
	return &other
}

// What must not matter does not, and what must does, for every discipline.
func TestMetamorphic(t *testing.T) {
	scaled := func(in *redundancy.Instance) {
		for j := range in.Jobs {
			in.Jobs[j].Arrival *= 3
			in.Jobs[j].Work *= 3
		}
	}
	together := func(in *redundancy.Instance) {
		for j := range in.Jobs {
			in.Jobs[j].Arrival = 0
		}
	}
	flat := func(in *redundancy.Instance) {
		for r := range in.Speedup {
			in.Speedup[r] = 1
		}
	}
	single := map[string]string{"srpt+r": "srpt", "fair+r": "fair", "laps+r": "laps"}
	same := func(t *rapid.T, name string, got, want float64) {
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, d := range disciplines {
		t.Run(name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				in := draw(t)
				same(t, "another unit of time", flowtime(t, changed(in, scaled), d), 3*flowtime(t, in, d))
				in0 := changed(in, together)
				same(t, "speed when all arrive at once",
					flowtime(t, in0, d), flowtime(t, changed(in0, func(in *redundancy.Instance) { in.Speed = 1 }), d)/in.Speed)
				if plain, ok := single[name]; ok {
					same(t, "copies in vain", flowtime(t, changed(in, flat), d), flowtime(t, changed(in, flat), disciplines[plain]))
				}
			})
		})
	}
}

// SRPT+R is never worse than SRPT: the order is the same and no job has fewer machines (section 4.2.1). File order is nothing to
// either, and LAPS+R(1) is Fair+R.
func TestRelations(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		with, without := flowtime(t, in, disciplines["srpt+r"]), flowtime(t, in, disciplines["srpt"])
		if with > without*(1+1e-9) {
			t.Errorf("srpt+r has %v, srpt %v", with, without)
		}
		reversed := changed(in, func(in *redundancy.Instance) { slices.Reverse(in.Jobs) })
		for name, want := range map[string]float64{"srpt+r": with, "srpt": without} {
			if got := flowtime(t, reversed, disciplines[name]); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: %v in one order, %v in the other", name, want, got)
			}
		}
		fair := flowtime(t, in, disciplines["fair+r"])
		if all := flowtime(t, in, heuristics.Discipline{Rule: heuristics.LAPSWaitingRule(1), Latest: true}); all != fair {
			t.Errorf("laps+r:1 has %v, fair+r %v", all, fair)
		}
	})
}

// Lemma 5: without further arrivals the flowtimes under SRPT add up to Σ_j ⌈(n−j+1)/M⌉·p_j, p ascending.
func TestLemma5(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := changed(draw(t), func(in *redundancy.Instance) {
			for j := range in.Jobs {
				in.Jobs[j].Arrival = 0
			}
			in.Speed = 1
		})
		var works []float64
		for _, job := range in.Jobs {
			works = append(works, job.Work)
		}
		slices.Sort(works)
		want := 0.0
		for i, p := range works {
			want += float64((len(works)-i+in.Machines-1)/in.Machines) * p
		}
		if got := flowtime(t, in, disciplines["srpt"]); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// Without multitasking fair runs until a machine would have to be shared, and says when.
func TestSharingNotApplicable(t *testing.T) {
	in := instance(2, []float64{1, 1}, 0, 10, 1, 10, 2, 10, 3, 10)
	in.Multitasking = false
	_, err := heuristics.Schedule(t.Context(), in, disciplines["fair+r"], 1)
	want := "at time 3 a machine would have to be shared by 2 jobs, but multitasking is false"
	if na := new(models.NotApplicable); !errors.As(err, &na) || na.Reason != want {
		t.Errorf("%v, want %s", err, want)
	}
	in.Jobs = in.Jobs[:3] // the oldest waits at 2
	if _, err := heuristics.Schedule(t.Context(), in, disciplines["fair+r"], 1); err != nil {
		t.Error(err)
	}
}
