package flex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/flex/oracle"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// The packer against the paper's pseudo-code, line by line in exact arithmetic, with minima and without.
func TestPackerIsThePseudoCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 2000 {
		in := oracle.RandomInstance(rng, 1+i%6)
		packer := flex.NewPacker(in)
		order := rng.Perm(len(in.Jobs))
		waive := i%3 == 0
		if waive {
			packer.WaiveMinima()
		}
		want, got := oracle.MPS(in, order, waive), packer.Completions(order)
		for j := range want {
			if !near(got[j], want[j]) {
				t.Fatalf("order %v: job %d completes at %v, the pseudo-code says %v\n%s", order, j, got[j], want[j], show(in))
			}
		}
		if waive {
			continue
		}
		if times := flex.Completions(in, packer.Pack(order)); !slices.EqualFunc(times, want, near) {
			t.Fatalf("order %v: the schedule completes at %v, want %v\n%s", order, times, want, show(in))
		}
	}
}

// Fair against a literal water line in exact arithmetic.
func TestFairIsTheWaterline(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for i := range 1000 {
		in := oracle.RandomInstance(rng, 1+i%6)
		out, err := heuristics.Fair.Run(t.Context(), pass(in))
		if err != nil {
			t.Fatal(err)
		}
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
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
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

// The counter-examples to Lemma 1 (problems.md §1), both references: 4 against 3, 10/3 against 18/7.
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
