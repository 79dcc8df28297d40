package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/cloning"
	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// dollympChecks are the checks for the paper on DollyMP.
var dollympChecks = map[string]Check{
	"dollymp-schemes": {
		Doc: "the three schemes of section 4.1 for three jobs as schedules that the checker measures: flowtimes in mean durations",
		Params: []models.Param{
			models.Between("alpha", 1.5, 1.5, 100, "shape of the durations"),
		},
		Run: dollympSchemes,
	},
	"dollymp-hold-up": {
		Doc: "long jobs that start at once on capacity 2 + ε hold up short ones that come later, one a slot; flowtime over that of a " +
			"schedule on capacity 1 that runs the short ones first",
		Params: []models.Param{
			models.Between("epsilon", 1.0, 1e-3, 1, "ε"),
			models.Choice("policy", "dollymp0", []string{"dollymp0", "dollymp2"}, "which runs on capacity 2 + ε"),
			models.Between("size", 500, 1, 4000, "short jobs; long ones take twice as many slots"),
		},
		Run: dollympHoldUp,
	},
	"dollymp-pass": {
		Doc: "processor time of one scheduling pass of DollyMP, milliseconds: classes, order and placement of jobs of ten tasks that " +
			"come at once; the best of five",
		Params: []models.Param{
			models.Between("jobs", 1000, 1, 10_000, "jobs"),
			models.Choice("cluster", "google", []string{"google", "paper"}, "servers of Google's mix, or the paper's 30 nodes"),
			models.Between("servers", 30_000, 1, 100_000, "servers of Google's mix"),
		},
		Run: dollympPass,
	},
	"dollymp-stragglers": {
		Doc: "tasks of Google's 2011 trace that take much longer than their phase's median, in the jobs that finished",
		Params: []models.Param{
			{Name: "dir", Default: "$SCHEDGAP_TRACES/google2011", Doc: "folder of the trace"},
			models.Between("factor", 1.5, 1, 100, "of the median from which on a task is a straggler"),
			models.Between("least_tasks", 10, 2, 10_000, "phases of fewer tasks are left out"),
		},
		Run: dollympStragglers,
	},
}

// withShape is a phase of one task whose durations are Pareto of shape alpha, in up to most copies.
func withShape(mean, alpha float64, most int) cloning.Phase {
	h := make([]float64, most)
	for i := range h {
		h[i] = 1 + (1-1/float64(i+1))/(alpha-1)
	}
	return cloning.Phase{ID: "p", Tasks: 1, Mean: mean, Speedup: h}
}

// judged is the objective of a solution that the checker accepts.
func judged(in *cloning.Instance, s cloning.Solution) (float64, error) {
	r := cloning.Problem.Check(in, s)
	if len(r.Violations) > 0 || r.Objective == nil {
		return 0, fmt.Errorf("the checker refuses the schedule: %v", r.Violations)
	}
	return *r.Objective, nil
}

// oneServer is an instance of one server of capacity 1 and jobs of one phase that demand so much of both resources.
func oneServer(most int, phases []cloning.Phase, demands []float64) *cloning.Instance {
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: most, MaxCopiesPerServer: most,
		Servers: []cloning.Server{{ID: "s1", Capacity: []float64{1, 1}}},
	}
	for j := range phases {
		phases[j].Demand = []float64{demands[j], demands[j]}
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("J", j+1), Phases: phases[j : j+1]})
	}
	return in
}

// launch adds copies of the only task of a job from a slot on, and returns when it ends.
func launch(s *cloning.Solution, in *cloning.Instance, job, copies, start int) int {
	end := start + in.Jobs[job].Phases[0].Slots(cloning.Progress{}, copies)
	for range copies {
		s.Copies = append(s.Copies, cloning.Copy{Task: cloning.Task{Job: job}, Start: start, End: end})
	}
	return end
}

func dollympSchemes(_ context.Context, _ *rand.Rand, v models.Values) (map[string]float64, error) {
	const n, length = 3, 12 * 19 * 13 * 79 * 5 * 11 // jobs; slots, for α = 1.5 and 2.5 a multiple of all h(2^j)
	var phases []cloning.Phase
	var demands []float64
	for j := 1; j <= n; j++ {
		phases, demands = append(phases, withShape(length, v.Float("alpha"), 1<<n)), append(demands, math.Ldexp(1, -j))
	}
	in := oneServer(1<<n, phases, demands)
	var first, second, third cloning.Solution
	for j := 1; j <= n; j++ { // all at once, job N, which leaves its own demand free, twice
		launch(&first, in, j-1, 1+j/n, 0)
	}
	for at, j := 0, n; j >= 1; j-- { // one after the other from the smallest on, each in as many copies as fit
		at = launch(&second, in, j-1, 1<<j, at)
	}
	end := 0
	for j := 2; j <= n; j++ { // two copies each, jobs 2 to N first
		end = launch(&third, in, j-1, 2, 0)
	}
	launch(&third, in, 0, 2, end)
	values := map[string]float64{}
	for i, s := range []cloning.Solution{first, second, third} {
		flow, err := judged(in, s)
		if err != nil {
			return nil, fmt.Errorf("scheme %d: %w", i+1, err)
		}
		values[fmt.Sprint("flow ", i+1)] = flow / length
	}
	return values, nil
}

// flowOf is the flowtime of an algorithm of this project's.
func flowOf(ctx context.Context, name string, in *cloning.Instance, given map[string]any) (float64, error) {
	i := slices.IndexFunc(heuristics.All, func(a *cloning.Algorithm) bool { return a.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("there is no algorithm %s", name)
	}
	a := heuristics.All[i]
	params, err := models.Resolve(a.Params, given)
	if err != nil {
		return 0, err
	}
	out, err := a.Run(ctx, &cloning.Pass{
		Instance: in, Params: params, Seed: 1, Threads: 1, Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
	})
	if err == nil && !out.Found {
		err = errors.Join(fmt.Errorf("%s found no schedule", name), ctx.Err())
	}
	if err != nil {
		return 0, err
	}
	return judged(in, out.Solution)
}

// fixedTime is a phase of one task without stragglers.
func fixedTime(slots float64) cloning.Phase {
	return cloning.Phase{ID: "p", Tasks: 1, Mean: slots, Speedup: []float64{1}}
}

// dollympHoldUp has as many long jobs as capacity 2 + ε holds of demand 1, two of them or, at ε = 1, three.
func dollympHoldUp(ctx context.Context, _ *rand.Rand, v models.Values) (map[string]float64, error) {
	epsilon, short := v.Float("epsilon"), v.Int("size")
	long := int(2 + epsilon)
	var phases []cloning.Phase
	var demands []float64
	for range long {
		phases, demands = append(phases, fixedTime(float64(2*short))), append(demands, 1)
	}
	for range short {
		phases, demands = append(phases, fixedTime(1)), append(demands, 1)
	}
	in := oneServer(1, phases, demands)
	for j := range short {
		in.Jobs[long+j].Arrival = j + 1
	}
	flow, err := flowOf(ctx, v.Text("policy"), in, map[string]any{"capacity_factor": 2 + epsilon})
	if err != nil {
		return nil, err
	}
	var s cloning.Solution
	end := 0
	for j := range short {
		end = launch(&s, in, long+j, 1, j+1)
	}
	for j := range long {
		end = launch(&s, in, j, 1, end)
	}
	better, err := judged(in, s)
	if err != nil {
		return nil, err
	}
	return map[string]float64{"ratio": flow / better, "stated": (3 + 3*epsilon) / epsilon}, nil
}

// errPassed ends a run after the pass that was timed.
var errPassed = errors.New("the pass is over")

func dollympPass(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: 4, MaxCopiesPerServer: 1, Servers: datasets.PaperCluster(),
	}
	if v.Text("cluster") == "google" {
		in.Servers = datasets.GoogleCluster(v.Int("servers"), rng)
	}
	largest := 0.
	for _, s := range in.Servers {
		largest = max(largest, s.Capacity[0])
	}
	for range v.Int("jobs") + 1 {
		// Demands of 1/400 to 1/10 of the largest server, means of 20 s on from slots of 5 s.
		p := cloning.Phase{
			Tasks: 10, Demand: []float64{largest * float64(1+rng.IntN(40)) / 400, largest * float64(1+rng.IntN(40)) / 400},
			Mean: 4 + 36*rng.ExpFloat64(), SD: 1,
		}
		p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, in.MaxCopies)
		in.Jobs = append(in.Jobs, cloning.Job{Phases: []cloning.Phase{p}})
	}
	in.Jobs[len(in.Jobs)-1].Arrival = 1 // ends the pass
	values := map[string]float64{}
	for _, clones := range []int{0, 2} {
		least := math.Inf(1)
		for range 5 {
			spent, err := timedPass(ctx, in, heuristics.DollyMP(clones), rng)
			if err != nil {
				return nil, err
			}
			least = min(least, spent)
		}
		values[fmt.Sprint("dollymp", clones)] = least
	}
	return values, nil
}

// timedPass is the processor time, in milliseconds, from the arrival of the first jobs to that of the last.
func timedPass(ctx context.Context, in *cloning.Instance, p sim.Policy, rng *rand.Rand) (float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	start, spent := bench.ProcessCPU(), bench.ProcessCPU()
	plain := p.New
	p.New = func(s *sim.State, v models.Values, rng *rand.Rand) sim.Rules {
		rules := plain(s, v, rng)
		arrived := rules.Arrived
		rules.Arrived = func() {
			if s.Now() > 0 {
				spent = bench.ProcessCPU() - start
				cancel(errPassed)
			} else {
				start = bench.ProcessCPU()
			}
			arrived()
		}
		return rules
	}
	_, err := sim.Schedule(ctx, in, &p, models.Defaults(p.Params), 1, rng)
	if !errors.Is(context.Cause(ctx), errPassed) {
		return 0, fmt.Errorf("%s: the pass did not end: %w", p.Name, errors.Join(err, ctx.Err()))
	}
	return 1000 * spent.Seconds(), nil
}

func dollympStragglers(ctx context.Context, _ *rand.Rand, v models.Values) (map[string]float64, error) {
	dir := os.ExpandEnv(v.Text("dir"))
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoTrace, v.Text("dir"))
	}
	w, err := datasets.Workloads.FromTrace(ctx, models.DeriveRequest{Dir: dir, Format: "google2011"})
	if err != nil {
		return nil, err
	}
	var phases, many, slowest float64
	for _, j := range w.Jobs {
		times := slices.Sorted(slices.Values(j.Phases[0].Durations))
		n := len(times)
		if n < v.Int("least_tasks") {
			continue
		}
		phases++
		median := (times[(n-1)/2] + times[n/2]) / 2
		first, _ := slices.BinarySearch(times, math.Nextafter(v.Float("factor")*median, math.Inf(1)))
		if float64(n-first) > 0.15*float64(n) {
			many++
		}
		slowest = max(slowest, times[n-1]/median)
	}
	return map[string]float64{"phases": phases, "share": many / phases, "slowest": slowest}, nil
}
