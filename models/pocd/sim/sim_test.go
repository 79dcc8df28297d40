package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// The rules, one policy at a time, on clusters of a few VMs. times are by job, task and attempt.
func TestByHand(t *testing.T) {
	one := func(deadline float64) []sim.Job { return []sim.Job{job("a", 0, deadline, 1)} }
	repeat := make([]float64, 400)
	for i := range repeat {
		repeat[i] = 9000
	}
	repeat[0] = 10000
	for _, c := range []struct {
		name   string
		jobs   []sim.Job
		times  [][][]float64
		policy sim.Policy
		params map[string]any
		want   map[string]float64
	}{
		{
			// The attempt processes from 10 on and has progressed by 0.1 at 30. It would end at 210: a copy starts at 30, takes
			// over at 0.1 + 10/200 = 0.15 at 40 and ends at 40 + 0.85·50. Busy: the master and the first VM 82.5, the copy 52.5,
			// of 4 VMs.
			"a copy goes on from the straggler's progress", one(100),
			[][][]float64{{{200, 50}}},
			rounds,
			map[string]any{"launch": 10, "slaves": 4, "theta": 1.0},
			map[string]float64{
				"response a": 82.5, "execution a": 82.5, "met a": 1, "pocd": 1, "copies": 1, "copies_won": 1, "attempts_killed": 1,
				"killed_launching": 0, "jobs_killed": 0, "checks": 1, "utilisation": (2*82.5 + 52.5) / 330, "makespan": 82.5,
				"planned_utilisation": 0.75, "peak_utilisation": 0.75, "active_jobs": 1, "mean_wait": 0,
			},
		},
		{
			// At 22 the attempt has progressed by 0.1 and ends at 40, before a copy would be launched.
			"no copy that would come too late", one(35),
			[][][]float64{{{20, 1}}},
			rounds,
			map[string]any{"launch": 20, "theta": 1.0},
			map[string]float64{"response a": 40, "copies": 0, "met a": 0, "planned_utilisation": 3. / 138},
		},
		{
			// Checks every 5 s; from 110 on, where the progress is 0.01, each kills a copy that needs 10 s to launch and starts
			// another, until at 1000 the job is killed: (995 − 110)/5 + 1 = 178 copies, and the first attempt dies too.
			"checks faster than launches", one(1000),
			[][][]float64{{repeat}},
			rounds,
			map[string]any{"launch": 10, "interval": "deadline", "theta": 0.005, "xi": 0.01},
			map[string]float64{
				"response a": 1000, "met a": 0, "jobs_killed": 1, "pocd": 0, "copies": 178, "attempts_killed": 179, "killed_launching": 178,
			},
		},
		{
			// The copy of 110 stays, overtakes, and the first attempt stays beside it; both die at 1000.
			"unless launching copies are spared", one(1000),
			[][][]float64{{repeat}},
			rounds,
			map[string]any{"launch": 10, "interval": "deadline", "theta": 0.005, "xi": 0.01, "kill": "surplus"},
			map[string]float64{"jobs_killed": 1, "copies": 1, "attempts_killed": 2, "killed_launching": 0},
		},
		{
			// The speeds 1/20 and 1/200 make a mean progress of 0.1 at 10 + 0.2/0.055 = 13.64, when nothing is done to compare
			// with. At 33.64 one task is done, after 30 s, and the other has 176 s to go: a copy starts from zero and ends at
			// 43.64 + 30. Nothing is killed at 53.64, and the first attempt when the copy ends.
			"blind to the deadline",
			[]sim.Job{job("a", 0, 100, 2)},
			[][][]float64{{{20}, {200, 30}}},
			blind,
			map[string]any{"launch": 10, "interval": "deadline", "theta": 0.2},
			map[string]float64{"response a": 10 + 0.2/0.055 + 20 + 40, "copies": 1, "attempts_killed": 1, "checks": 3},
		},
		{
			// Of four VMs a takes three; b needs three, and c, for which two would do from 40 on, does not overtake it.
			"jobs wait in order of arrival",
			[]sim.Job{job("a", 0, 100, 2), job("b", 0, 150, 2), job("c", 1, 100, 1)},
			[][][]float64{{{40}, {100}}, {{50}, {50}}, {{30}}},
			nothing,
			map[string]any{"launch": 0, "slaves": 4},
			map[string]float64{
				"response a": 100, "response b": 150, "response c": 179, "execution c": 30, "met b": 1, "met c": 0, "pocd": 2. / 3,
				"mean_wait": (100. + 149) / 3, "max_execution": 100, "mean_execution": 60,
			},
		},
		{
			// The faster attempts of the two tasks take 60 and 50; at 50 b finds two VMs, none for a clone.
			"clones start with the job",
			[]sim.Job{job("a", 0, 100, 2), job("b", 0, 100, 1)},
			[][][]float64{{{100, 60}, {50, 80}}, {{10, 20}}},
			cloned,
			map[string]any{"launch": 0, "slaves": 5},
			map[string]float64{"response a": 60, "response b": 60, "copies": 2, "copies_won": 1, "attempts_killed": 2},
		},
		{
			// One VM short for two clones: none at all.
			"clones that do not all fit",
			[]sim.Job{job("a", 0, 100, 2)},
			[][][]float64{{{100, 60}, {50, 80}}},
			cloned,
			map[string]any{"launch": 0, "slaves": 4},
			map[string]float64{"response a": 100, "copies": 0},
		},
		{
			// At 40, when b arrives, a's copy is ahead with 0.5, the other is killed, and a new copy goes on from there to 40 +
			// 35. b's faster attempt takes 20.
			"every task has a copy, again at arrivals",
			[]sim.Job{job("a", 0, 100, 1), job("b", 40, 100, 1)},
			[][][]float64{{{100, 80, 70}}, {{60, 20}}},
			arrivals,
			map[string]any{"launch": 0, "slaves": 6},
			map[string]float64{"response a": 75, "response b": 20, "copies": 3, "attempts_killed": 3, "checks": 2},
		},
		{
			// At 40, when b arrives, a is known to end at 100, too late: its copy goes on to 40 + 0.6·80. b is new and no
			// straggler.
			"or every task of jobs with stragglers",
			[]sim.Job{job("a", 0, 90, 1), job("b", 40, 100, 1)},
			[][][]float64{{{100, 80}}, {{60, 20}}},
			arrivals,
			map[string]any{"launch": 0, "slaves": 6, "clone": "straggling"},
			map[string]float64{"response a": 88, "response b": 60, "copies": 1, "attempts_killed": 1, "checks": 2},
		},
		{
			"foresight", one(61),
			[][][]float64{{{100, 60, 70}}},
			clairvoyant,
			map[string]any{"launch": 1, "max_copies": 2},
			map[string]float64{"response a": 61, "met a": 1, "copies": 0, "attempts_killed": 0},
		},
		{
			"foresight that the deadline is missed", one(60),
			[][][]float64{{{100, 60, 70}}},
			clairvoyant,
			map[string]any{"launch": 1, "max_copies": 2},
			map[string]float64{"response a": 0, "met a": 0, "jobs_killed": 1},
		},
		{
			// b, which waits, is killed with a at the check at 100 = 20 + 80.
			"late jobs are killed, waiting ones too",
			[]sim.Job{job("a", 0, 80, 1), job("b", 0, 90, 1)},
			[][][]float64{{{200, 500}}, {{1}}},
			rounds,
			map[string]any{"launch": 0, "slaves": 2, "interval": "deadline", "theta": 1.0},
			map[string]float64{"response a": 100, "response b": 100, "jobs_killed": 2, "attempts_killed": 1, "mean_wait": 50},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := watch(t, &sim.Workload{Jobs: c.jobs}, c.policy, 1, c.params, sim.Hooks{Times: table(c.times)})
			for name, want := range c.want {
				if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-9 {
					t.Errorf("%s is %v, want %v", name, v, want)
				}
			}
		})
	}
}

// What a policy sees at a check, in numbers of the case above: at 30 the task has progressed by 0.1 and eq. (14) makes β
// 200/(200 − 20); a blind policy sees a deadline that is not the job's.
func TestSnapshot(t *testing.T) {
	var seen []pocd.Instance
	spy := rounds
	spy.Copies = func(ctx context.Context, in *pocd.Instance) pocd.Copies {
		seen = append(seen, pocd.Instance{Capacity: in.Capacity, MaxCopies: in.MaxCopies, Jobs: []pocd.Job{in.Jobs[0]}})
		seen[len(seen)-1].Jobs[0].Tasks = append([]pocd.Task(nil), in.Jobs[0].Tasks...)
		return rounds.Copies(ctx, in)
	}
	w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 100, 1)}}
	watch(t, w, spy, 1, map[string]any{"launch": 10, "slaves": 9, "lambda": 0.5, "max_copies": 3, "theta": 1.0},
		sim.Hooks{Times: table([][][]float64{{{200, 50}}})})
	want := []pocd.Instance{{
		Capacity: 4, MaxCopies: 3,
		Jobs: []pocd.Job{{ID: "a", Deadline: 100, Elapsed: 30, Tasks: []pocd.Task{{
			ID: "0", Progress: 0.1, TMin: 20, Beta: 200. / 180, Straggler: true,
		}}}},
	}}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	if d := cmp.Diff(want, seen, near); d != "" {
		t.Error(d)
	}
}

// within fails when a share of n trials is further than 4 standard errors from its expectation.
func within(t *testing.T, what string, got, want float64, n int) {
	t.Helper()
	if error4 := 4 * math.Sqrt(want*(1-want)/float64(n)); math.Abs(got-want) > error4 {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, error4)
	}
}

// Jobs that start with r extra attempts of every task meet their deadlines with probability (1 − (t_min/D)^(β(r+1)))^N, eqs. (3)
// and (4) with r = 0.
func TestClosedForm(t *testing.T) {
	const n = 20_000
	for _, c := range []struct {
		tasks, r       int
		deadline, beta float64
	}{{1, 0, 30, 1.5}, {1, 1, 30, 1.5}, {1, 4, 24, 0.8}, {10, 0, 80, 2}, {10, 2, 30, 1.5}, {20, 5, 22, 1}} {
		w := &sim.Workload{}
		for i := range n {
			j := job(fmt.Sprint(i), float64(i), c.deadline, c.tasks)
			j.Beta = c.beta
			w.Jobs = append(w.Jobs, j)
		}
		p := cloned
		p.Clones = func(sim.Start) int { return c.r }
		got := watch(t, w, p, 7, map[string]any{"launch": 0, "slaves": 1 << 20, "slots": 8}, sim.Hooks{})["pocd"]
		want := math.Pow(1-math.Pow(20/c.deadline, c.beta*float64(c.r+1)), float64(c.tasks))
		within(t, fmt.Sprintf("PoCD of %+v", c), got, want, n)
	}
}

// A straggler of 200 s has progressed by 0.5 at 100, when its deadline is 25 s away: each of r copies misses it with probability
// q^β, q = 0.5·20/25 (eq. 7), and so does the straggler.
func TestResumedClosedForm(t *testing.T) {
	const n = 20_000
	for _, r := range []int{1, 3} {
		w := &sim.Workload{}
		for i := range n {
			w.Jobs = append(w.Jobs, job(fmt.Sprint(i), float64(1000*i), 125, 1))
		}
		p := rounds
		p.Copies = gives(r, false)
		first := func(_, _, attempt int) float64 {
			if attempt == 0 {
				return 200
			}
			return -1
		}
		got := watch(t, w, p, 3, map[string]any{"launch": 0, "xi": 0.5, "interval": "deadline", "theta": 1.0}, sim.Hooks{Times: first})
		within(t, fmt.Sprintf("PoCD with %d copies", r), got["pocd"], 1-math.Pow(0.4, 1.5*float64(r)), n)
	}
}

func mixed(n int, gap float64) *sim.Workload {
	w := &sim.Workload{}
	for i := range n {
		w.Jobs = append(w.Jobs, job(fmt.Sprint(i), gap*float64(i), 60, []int{5, 10, 20}[i%3]))
	}
	return w
}

// All policies meet the same first attempts: with VMs for all, clones make no job slower, and foresight among the same attempts
// is as good as running them. So too when launch times and speeds vary.
func TestSameTimes(t *testing.T) {
	for _, vary := range []bool{false, true} {
		given := map[string]any{"launch": 5, "slaves": 1 << 16, "max_copies": 1}
		if vary {
			given["launch_cv"], given["speed_every"] = 0.8, 15
		}
		sameTimes(t, given, vary)
	}
}

func sameTimes(t *testing.T, given map[string]any, vary bool) {
	t.Helper()
	w := mixed(60, 1)
	alone, both := watch(t, w, nothing, 9, given, sim.Hooks{}), watch(t, w, cloned, 9, given, sim.Hooks{})
	patient := &sim.Workload{Jobs: append([]sim.Job(nil), w.Jobs...)}
	for i := range patient.Jobs {
		patient.Jobs[i].Deadline = 1e9 // so that foresight drops none
	}
	foresight := watch(t, patient, clairvoyant, 9, given, sim.Hooks{})
	for _, j := range w.Jobs {
		name := "response " + j.ID
		if near := math.Abs(both[name]-foresight[name]) < 1e-9; both[name] > alone[name] || !near || !vary &&
			both[name] != foresight[name] {
			t.Errorf("job %s: %v alone, %v with clones, %v with foresight", j.ID, alone[name], both[name], foresight[name])
		}
	}
}

// A run ends soon after its context.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	changes := 0
	h := sim.Hooks{Observe: func(sim.Change) {
		changes++
		if changes == 5000 {
			cancel()
		}
	}}
	err := sim.Watch(ctx, mixed(5000, 20), rounds, resolve(t, map[string]any{"launch": 5}), 1, h, func(models.Metric) {
		t.Error("a metric of a cancelled run")
	})
	if !errors.Is(err, context.Canceled) || changes > 10_000 {
		t.Errorf("error %v after %d changes", err, changes)
	}
}

func TestRunErrors(t *testing.T) {
	greedy := named("greedy", rounds)
	greedy.Copies = func(_ context.Context, in *pocd.Instance) pocd.Copies {
		c := pocd.NoCopies(in)
		c[0][0] = 2
		return c
	}
	relative := named("relative", cloned)
	relative.Baseline = "nobody"
	s := sim.New([]sim.Policy{nothing, greedy, relative}, sim.Source{})
	w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 25, 2)}}
	for _, c := range []struct {
		workload any
		policy   string
		params   map[string]any
		want     string
	}{
		{w, "relative", nil, `baseline of policy relative: unknown policy "nobody"`},
		{
			w, "nothing",
			map[string]any{"launch": 20, "launch_within": true},
			`job "a" has t_min 20, which contains no launch of 20 seconds`,
		},
		{w, "nothing", map[string]any{"slaves": 2}, `job "a" needs 3 VMs, one a task and one for its master, and the cluster has 2`},
		{w, "nothing", map[string]any{"lambda": 0}, `job "a" needs 3 VMs, one a task and one for its master, and the cluster has 0`},
	} {
		r := models.SimRequest{Workload: c.workload, Policy: c.policy, Params: resolve(t, c.params), Seed: 1}
		err := s.Run(context.Background(), r, func(models.Metric) {})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	// At 2 the task of 20 s that has the deadline 15 gets two copies where the cluster has one VM left.
	w.Jobs[0].Deadline = 15
	err := sim.Watch(context.Background(), w, greedy, resolve(t, map[string]any{"slaves": 4, "launch": 0, "theta": 1}), 1,
		sim.Hooks{Times: func(_, _, _ int) float64 { return 20 }}, func(models.Metric) {})
	if want := "policy greedy at time 2: 5 attempts and masters for 4 VMs"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
