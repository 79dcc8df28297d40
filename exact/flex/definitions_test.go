package flex

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/flex/oracle"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// Section 3.1: the packing scheme makes an interval of every completion time, so at most one a job, and jobs need not complete
// in the order of priority.
func TestPackerIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	overtaken := 0
	for i := range 1000 {
		in := oracle.RandomInstance(rng, 1+i%6)
		packer, order := flex.NewPacker(in), rng.Perm(len(in.Jobs))
		ends := slices.Clone(packer.Completions(order))
		if !slices.IsSortedFunc(order, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) }) {
			overtaken++
		}
		slices.Sort(ends)
		ends = slices.Compact(ends)
		s := packer.Pack(order)
		if !slices.EqualFunc(s, ends, func(iv flex.Interval, end float64) bool { return iv.End == end }) {
			t.Fatalf("order %v: completions at %v, intervals %+v\n%s", order, ends, s, show(in))
		}
	}
	if overtaken == 0 {
		t.Error("no job overtook one of higher priority")
	}
}

// Fair against a literal water line in exact arithmetic.
func TestFairIsTheWaterline(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for i := range 1000 {
		in := oracle.RandomInstance(rng, 1+i%6)
		out, err := heuristics.Fair.Run(t.Context(), pass(in))
		fail.On(t, err)
		if got, want := flex.Completions(in, out.Solution), oracle.Fair(in); !slices.EqualFunc(got, want, near) {
			t.Fatalf("fair completes at %v, want %v\n%s", got, want, show(in))
		}
	}
}

// The checker against the oracle's on feasible schedules and on schedules with one thing broken.
func TestCheckersAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	seen := map[string]int{}
	for i := range 2000 {
		in := oracle.RandomInstance(rng, 1+i%4)
		s := flex.NewPacker(in).Pack(rng.Perm(len(in.Jobs)))
		mutate(rng, in, s, i%6)
		r := flex.Problem.Check(in, s)
		value, completes, violations := oracle.Check(in, s)
		if completes != (r.Objective != nil) || completes && !near(value, *r.Objective) {
			t.Fatalf("objective %v, the oracle's %v (%v)\n%s %+v", r.Objective, value, completes, show(in), s)
		}
		names := map[string]bool{}
		for _, v := range r.Violations {
			names[v.Constraint] = true
			seen[v.Constraint]++
			if v.Amount <= 0 || math.IsNaN(v.Amount) {
				t.Fatalf("violation %+v", v)
			}
		}
		for _, v := range violations {
			if name, _, _ := strings.Cut(v, ":"); !names[name] {
				t.Fatalf("the oracle says %q, the checker %+v\n%s %+v", v, r.Violations, show(in), s)
			}
		}
		if len(violations) == 0 && len(r.Violations) > 0 {
			t.Fatalf("the oracle is content, the checker says %+v\n%s %+v", r.Violations, show(in), s)
		}
	}
	for _, name := range []string{"minimum", "maximum", "slots", "work", "contiguity"} {
		if seen[name] == 0 {
			t.Errorf("no schedule broke %s", name)
		}
	}
}

// mutate breaks one thing of a schedule; kind 0 leaves it whole.
func mutate(rng *rand.Rand, in *flex.Instance, s flex.Schedule, kind int) {
	iv := &s[rng.IntN(len(s))]
	switch kind {
	case 1: // a gap or an overlap
		iv.Start += rng.Float64() - 0.5
	case 2: // a longer interval
		iv.End += rng.Float64()
	case 3: // another allocation
		if len(iv.Changes) > 0 {
			iv.Changes[rng.IntN(len(iv.Changes))].Slots += float64(rng.IntN(2*in.Slots) - in.Slots)
		}
	case 4: // a change lost
		if len(iv.Changes) > 0 {
			iv.Changes = iv.Changes[:len(iv.Changes)-1]
		}
	case 5: // half of it for longer
		for i := range iv.Changes {
			iv.Changes[i].Slots /= 2
		}
	}
}

// What must not matter does not, and what can only help does: scaling works and times, renaming and reordering jobs, adding
// slots where maxima do not follow, raising a maximum, dropping a minimum.
func TestMetamorphic(t *testing.T) {
	rng := trials.Rand(t, 3, 4)
	for i := range trials.Count(300) {
		in := oracle.RandomInstance(rng, 2+i%4)
		_, base, _ := solve(t, Opt, in)
		change := func(name string, f func(c *flex.Instance), holds func(v float64) bool) {
			c := *in
			c.Jobs = slices.Clone(in.Jobs)
			f(&c)
			if _, v, _ := solve(t, Opt, &c); !holds(v) {
				t.Fatalf("%s: optimum %v, was %v\n%s", name, v, base, show(in))
			}
		}
		same := func(v float64) bool { return near(v, base) }
		noWorse := func(v float64) bool { return v <= base+1e-9*max(1, math.Abs(base)) }
		scaled := base
		switch in.Objective.Metric {
		case flex.Response, flex.Tardiness, flex.Lateness:
			scaled *= 3
		}
		change("scaling time by 3", func(c *flex.Instance) {
			for j := range c.Jobs {
				job := &c.Jobs[j]
				job.Work *= 3
				if job.Deadline != nil {
					d := *job.Deadline * 3
					job.Deadline = &d
				}
				job.Steps = slices.Clone(job.Steps)
				for k := range job.Steps {
					job.Steps[k].At *= 3
				}
			}
		}, func(v float64) bool { return near(v, scaled) })
		change("reordering jobs", func(c *flex.Instance) {
			rng.Shuffle(len(c.Jobs), func(a, b int) { c.Jobs[a], c.Jobs[b] = c.Jobs[b], c.Jobs[a] })
		}, same)
		change("renaming jobs", func(c *flex.Instance) {
			for j := range c.Jobs {
				c.Jobs[j].ID = fmt.Sprintf("z%d", len(c.Jobs)-j)
			}
		}, same)
		change("adding a slot", func(c *flex.Instance) { c.Slots++ }, noWorse)
		change("raising a maximum", func(c *flex.Instance) {
			j := rng.IntN(len(c.Jobs))
			c.Jobs[j].Max = min(c.Slots, c.Jobs[j].Max+1)
		}, noWorse)
		change("dropping a minimum", func(c *flex.Instance) { c.Jobs[rng.IntN(len(c.Jobs))].Min = 0 }, noWorse)
	}
}

// Section 2.1: a job's lateness is its response time less a constant, so the best schedule for either total is one for the other.
func TestLatenessIsResponse(t *testing.T) {
	rng := trials.Rand(t, 3, 6)
	for i := range trials.Count(200) {
		in := oracle.RandomInstance(rng, 2+i%3)
		in.Objective = flex.Objective{Metric: flex.Response, Aggregate: flex.Sum, Weighted: i%2 == 0}
		late := *in
		late.Objective.Metric = flex.Lateness
		late.Jobs = slices.Clone(in.Jobs)
		shift := 0.0
		for j := range late.Jobs {
			d := float64(rng.IntN(20))
			late.Jobs[j].Deadline = &d
			shift += late.Factor(j) * d
		}
		_, response, _ := solve(t, Opt, in)
		out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(&late), nil)
		fail.On(t, err)
		lateness, again := value(t, &late, out.Solution), value(t, in, out.Solution)
		if out.Status != models.Optimal || !near(lateness+shift, response) || !near(again, response) {
			t.Fatalf("least response %v; least lateness %v + %v, by a schedule of response %v\n%s", response, lateness, shift, again,
				show(&late))
		}
	}
}

// Section 3.2, against its text: of the penalties as functions of a constant allocation, F(s) = f(W/s), those of tardy and of
// sla are not convex, all others are, tardiness among them (docs/problems/flex.md#contradictions-in-the-paper, 2).
func TestConvexPenalties(t *testing.T) {
	rng := trials.Rand(t, 3, 7)
	kinks := map[flex.Metric]int{}
	for range trials.Count(500) {
		in := oracle.RandomInstance(rng, 3)
		for j, job := range in.Jobs {
			f := func(s int) float64 { return in.Penalty(j, job.Work/float64(s)) }
			for s := 2; s < 30; s++ {
				if f(s-1)+f(s+1) < 2*f(s)-1e-9*max(1, math.Abs(f(s))) {
					kinks[in.Objective.Metric]++
				}
			}
		}
	}
	for _, m := range []flex.Metric{flex.Response, flex.Stretch, flex.Tardiness, flex.Lateness, flex.Tardy, flex.SLA} {
		if steps := m == flex.Tardy || m == flex.SLA; steps != (kinks[m] > 0) {
			t.Errorf("%s: %d places where the penalty is not convex in the slots", m, kinks[m])
		}
	}
}

// The counter-examples to Lemma 1 (docs/problems/flex.md#contradictions-in-the-paper), both references: 4 against 3, 10/3
// against 18/7.
func TestLemma1CounterExamples(t *testing.T) {
	makespan := flex.Objective{Metric: flex.Response, Aggregate: flex.Max}
	three := func(slots int, job flex.Job) *flex.Instance {
		in := &flex.Instance{Header: models.Header{Name: "lemma-1"}, Slots: slots, Objective: makespan}
		for _, id := range []string{"a", "b", "c"} {
			job.ID, job.Weight = id, 1
			in.Jobs = append(in.Jobs, job)
		}
		return in
	}
	for _, c := range []struct {
		in       *flex.Instance
		opt, mps float64
	}{
		{three(2, flex.Job{Work: 2, Max: 1}), 3, 4},
		{three(7, flex.Job{Work: 6, Min: 1, Max: 3}), 18. / 7, 10. / 3},
	} {
		if status, v, _ := solve(t, Opt, c.in); status != models.Optimal || !near(v, c.opt) {
			t.Errorf("opt is %v (%s), want %v", v, status, c.opt)
		}
		if status, v, _ := solve(t, OptMPS, c.in); status != models.Optimal || !near(v, c.mps) {
			t.Errorf("opt-mps is %v (%s), want %v", v, status, c.mps)
		}
	}
}
