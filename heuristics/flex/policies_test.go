package flex_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	hflex "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

func simulate(tb testing.TB, w *sim.Workload, policy string, seed uint64, given map[string]any) map[string]float64 {
	tb.Helper()
	s := sim.New(hflex.Policies, sim.Source{})
	params, err := models.Resolve(s.Params, given)
	fail.On(tb, err)
	got := map[string]float64{}
	r := models.SimRequest{Workload: w, Policy: policy, Params: params, Seed: seed}
	err = s.Run(context.Background(), r, func(m models.Metric) { got[m.Name+m.Job] = m.Value })
	fail.On(tb, err)
	return got
}

// Two jobs of eight tasks of 10 s on four slots, one slot each guaranteed.
func TestPoliciesByHand(t *testing.T) {
	phase := sim.Phase{Tasks: 8, Mean: 10}
	w := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Map: phase, Deadline: 50, Weight: 1},
		{ID: "b", Map: phase, Deadline: 45, Weight: 2},
	}}
	for _, c := range []struct {
		policy string
		a, b   float64
	}{
		// Equal work: a first. Slots of a and b: 3+1 until 20, then 2+2, as a has only two tasks left, then b's four run at once.
		{"flex", 30, 40},
		{"flex-generic", 30, 40},
		{"spt", 30, 40},
		{"fifo-min", 30, 40},
		// b is due first.
		{"edd", 40, 30},
		{"moore-hodgson", 40, 30},
		// b weighs twice as much.
		{"wspt", 40, 30},
		// 2+2 all the time.
		{"fair", 40, 40},
		// a takes all slots until 20, then b.
		{"fifo", 20, 40},
	} {
		got := simulate(t, w, c.policy, 1, map[string]any{"map_slots": 4, "slack": 1, "weighted": c.policy == "wspt"})
		if got["responsea"] != c.a || got["responseb"] != c.b {
			t.Errorf("%s: a %v, b %v; want %v, %v", c.policy, got["responsea"], got["responseb"], c.a, c.b)
		}
	}
}

func drawInstance(t *rapid.T) *flex.Instance {
	in := &flex.Instance{Slots: rapid.IntRange(1, 30).Draw(t, "slots"), Objective: rapid.SampledFrom([]flex.Objective{
		{Metric: flex.Response, Aggregate: flex.Sum},
		{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
		{Metric: flex.Response, Aggregate: flex.Max},
		{Metric: flex.Lateness, Aggregate: flex.Max},
		{Metric: flex.Tardiness, Aggregate: flex.Sum, Weighted: true},
		{Metric: flex.Tardy, Aggregate: flex.Sum},
		{Metric: flex.SLA, Aggregate: flex.Sum},
	}).Draw(t, "objective")}
	spare := in.Slots
	for j := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		job := flex.Job{ID: fmt.Sprint("j", j), Work: float64(rapid.IntRange(1, 50).Draw(t, "work")), Weight: 1 + float64(j%3)}
		job.Min = rapid.IntRange(0, min(spare, 4)).Draw(t, "min")
		job.Max = rapid.IntRange(max(1, job.Min), in.Slots).Draw(t, "max")
		due := float64(rapid.IntRange(-10, 90).Draw(t, "deadline")) // it may have passed
		job.Deadline, job.Steps = &due, []flex.Step{{At: due - 5, Penalty: 1}, {At: due, Penalty: 4}}
		spare -= job.Min
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// Whatever the jobs and the metric, policies put into force the first interval of the schedules that the algorithms of these
// names return.
func TestPoliciesAgreeWithAlgorithms(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		for _, scheduler := range hflex.Schedulers {
			a, policy := scheduler.OnInstance, scheduler.OnWorkload
			if policy == nil {
				continue
			}
			if a.Name != policy.Name {
				t.Fatalf("the policy of %s is called %s", a.Name, policy.Name)
			}
			out, err := a.Run(context.Background(), &flex.Pass{Instance: in, Params: models.Defaults(a.Params)})
			fail.On(t, err)
			want, got := make([]float64, len(in.Jobs)), make([]float64, len(in.Jobs))
			for _, share := range out.Solution[0].Changes {
				want[share.Job] = share.Slots
			}
			policy.Targets(in, got)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: %s", a.Name, d)
			}
		}
	})
}

// Section 1.1: flex keeps the minima and leaves no slack that the maxima would take, so that its slots, passed back to fair as
// minima, are all that fair gives.
func TestNeutralisesTheWaterline(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		got, again := make([]float64, len(in.Jobs)), make([]float64, len(in.Jobs))
		hflex.FlexPolicy.Targets(in, got)
		total, usable := 0.0, 0
		for j := range in.Jobs {
			job := &in.Jobs[j]
			if got[j] < float64(job.Min) {
				t.Fatalf("job %s has %v slots, its minimum is %d", job.ID, got[j], job.Min)
			}
			total, usable = total+got[j], usable+job.Max
			job.Min = int(got[j])
		}
		if want := float64(min(in.Slots, usable)); total != want {
			t.Fatalf("flex hands out %v slots of %v", total, want)
		}
		hflex.FairPolicy.Targets(in, again)
		if d := cmp.Diff(got, again); d != "" {
			t.Fatalf("fair on top of flex: %s", d)
		}
	})
}

// With a guaranteed 2 of 4 slots for each of the two jobs nothing is left to optimise: flex is fair.
func TestNoSlack(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Map: sim.Phase{Tasks: 20, Mean: 10, CV: 0.3}}, {ID: "b", Map: sim.Phase{Tasks: 9, Mean: 10, CV: 0.3}},
	}}
	given := map[string]any{"map_slots": 4, "slack": 0}
	if d := cmp.Diff(simulate(t, w, "fair", 1, given), simulate(t, w, "flex", 1, given)); d != "" {
		t.Error(d)
	}
}

// Section 2.5: with many short tasks an epoch's malleable schedule is what happens. flex comes within 2 % of the average
// completion time of the packing it takes at time 0, and fair and fifo within 2 % of their schedules in the fluid model.
func TestFluidLimit(t *testing.T) {
	const slots, taskTime = 20, 0.1
	in := &flex.Instance{Slots: slots, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	w := &sim.Workload{}
	for j, work := range []float64{900, 150, 400, 3000, 75, 1200, 600, 250, 2000, 500} {
		id := fmt.Sprint("j", j)
		in.Jobs = append(in.Jobs, flex.Job{ID: id, Work: work, Min: 1, Max: slots, Weight: 1})
		w.Jobs = append(w.Jobs, sim.Job{ID: id, Map: sim.Phase{Tasks: int(math.Round(work / taskTime)), Mean: taskTime}})
	}
	packer := flex.NewPacker(in)
	mean := in.Value(packer.Completions(hflex.Best(in, packer))) / float64(len(in.Jobs))
	want := map[string]float64{"flex": mean}
	for _, a := range []*flex.Algorithm{hflex.Fair, hflex.FIFO} {
		out, err := a.Run(context.Background(), &flex.Pass{Instance: in, Params: models.Defaults(a.Params)})
		fail.On(t, err)
		want[a.Name] = *flex.Problem.Check(in, out.Solution).Objective / float64(len(in.Jobs))
	}
	for policy, want := range want {
		for _, estimate := range []string{"exact", "extrapolated"} {
			got := simulate(t, w, policy, 1, map[string]any{"map_slots": slots, "slack": 1, "estimate": estimate})["average_response"]
			t.Logf("%s, %s: average response %.1f s, in the fluid model %.1f s", policy, estimate, got, want)
			if math.Abs(got-want) > 0.02*want {
				t.Errorf("%s, %s: average response %v, in the fluid model %v", policy, estimate, got, want)
			}
		}
	}
}

// flex-ls ends nowhere above flex or fair; where maxima are tight, fair's schedule is the better one of the makespan: three jobs
// of work 2 and maximum 1 on two slots end at 3 under fair, and at 4 in every priority order.
func TestLocalSearchStartsFromTheBetter(t *testing.T) {
	value := func(in *flex.Instance, a *flex.Algorithm) float64 {
		out, err := a.Run(context.Background(), &flex.Pass{Instance: in, Params: models.Defaults(a.Params)})
		fail.On(t, err)
		return in.Value(flex.Completions(in, out.Solution))
	}
	job := flex.Job{Work: 2, Max: 1, Weight: 1}
	tight := &flex.Instance{
		Slots: 2, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Max},
		Jobs: []flex.Job{job, job, job},
	}
	if ls, f := value(tight, hflex.LocalSearch), value(tight, hflex.Flex); ls != 3 || f != 4 {
		t.Errorf("flex-ls %v, flex %v; want 3, 4", ls, f)
	}
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		if ls := value(in, hflex.LocalSearch); ls > min(value(in, hflex.Flex), value(in, hflex.Fair))+1e-9 {
			t.Fatalf("flex-ls %v, flex %v, fair %v", ls, value(in, hflex.Flex), value(in, hflex.Fair))
		}
	})
}
