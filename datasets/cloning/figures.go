package cloning

import (
	"fmt"
	"math"
	"slices"

	"schedgap/models/cloning/sim"
)

// A Sweep varies one parameter of the simulator or of the generated workloads: a figure of the paper.
type Sweep struct {
	Name     string // such as fig8-9
	Doc      string
	Axis     string // what X is
	Policies []string
	Metrics  []string // of scope run
	Points   []Point
	// Replay says that a trace can stand in for the generated jobs: its jobs on so many of its servers, ServersFor, that the points'
	// loads hold.
	Replay bool
}

// A Point of a sweep: values of Workloads.Specs and of sim.Params that differ from the defaults.
type Point struct {
	X      float64
	Specs  map[string]any
	Params map[string]any
	Load   float64       // offered, of Replay
	Jobs   *sim.Workload // in place of generated ones, if not nil
	Claims []Claim
}

// A Claim is what the paper says about a policy at a point; the list of the paper's claims has its value and words under ID.
type Claim struct {
	ID       string
	Policy   string
	Baseline string // empty: none
	Of       Statistic
	Metric   string  // of scope run or job, as Of says
	From, To float64 // of Share
}

// A Statistic is a number that a run gives, or two runs on the same workload.
type Statistic string

// The statistics.
const (
	Value         Statistic = "value"          // of a metric of the run
	Reduction     Statistic = "reduction"      // percent by which a metric of the run is below the baseline's
	Ratio         Statistic = "ratio"          // of a metric of the run to the baseline's
	MeanReduction Statistic = "mean reduction" // mean over jobs of the percent by which the job's metric is below the baseline's
	// Share is the share of the jobs whose metric is from From to To, or, with a baseline, is so many times the baseline's.
	Share Statistic = "share"
	// Deviation is the standard deviation over the mean of a metric of the jobs.
	Deviation Statistic = "deviation"
)

// A Run holds the metrics of one or more repetitions, those of jobs in one order whatever the policy.
type Run struct {
	Metrics map[string]float64 // means of the run metrics
	Jobs    map[string][]float64
}

// Measure computes a claim's number; base is the baseline's run on the same workloads, nil without one.
func (c *Claim) Measure(run, base *Run) float64 {
	jobs := run.Jobs[c.Metric]
	n := float64(len(jobs))
	switch c.Of {
	case Reduction:
		return 100 * (1 - run.Metrics[c.Metric]/base.Metrics[c.Metric])
	case Ratio:
		return run.Metrics[c.Metric] / base.Metrics[c.Metric]
	case MeanReduction:
		sum := 0.
		for i, v := range jobs {
			sum += 100 * (1 - v/base.Jobs[c.Metric][i])
		}
		return sum / n
	case Share:
		within := 0
		for i, v := range jobs {
			if base != nil {
				v /= base.Jobs[c.Metric][i]
			}
			if v >= c.From && v <= c.To {
				within++
			}
		}
		return float64(within) / n
	case Deviation:
		var mean, square float64
		for _, v := range jobs {
			mean += v / n
		}
		for _, v := range jobs {
			square += (v - mean) * (v - mean) / n
		}
		return math.Sqrt(square) / mean
	}
	return run.Metrics[c.Metric]
}

// String tells what the claim's number is.
func (c *Claim) String() string {
	text := fmt.Sprintf("%s of %s", c.Of, c.Metric)
	if c.Of == Share {
		text += fmt.Sprintf(" in %v…%v", c.From, c.To)
	}
	if text += ", " + c.Policy; c.Baseline != "" {
		text += " to " + c.Baseline
	}
	return text
}

// ServersFor returns on how many servers, of the kinds of w's cluster in their proportions, the first copies of w's tasks offer
// the load between the first arrival and the last: at least so many that every task fits on one of them.
func ServersFor(w *sim.Workload, load float64) int {
	first, last := math.Inf(1), 0.
	for i := range w.Jobs {
		first, last = min(first, w.Jobs[i].Arrival), max(last, w.Jobs[i].Arrival)
	}
	all := 0
	for _, s := range w.Cluster {
		all += s.Count
	}
	n := sim.MaxServers
	if last > first {
		n = int(min(sim.MaxServers, math.Ceil(float64(all)*volume(w)/(last-first)/load)))
	}
	for ; n < all; n++ {
		some := sim.Scale(w.Cluster, n)
		if !slices.ContainsFunc(w.Jobs, func(j sim.Job) bool { return !fit(some, j.Phases) }) {
			break
		}
	}
	return n
}

// The policies that the paper compares, and all baselines with it.
var (
	testbed = []string{"capacity", "tetris", "drf", "dollymp0", "dollymp1", "dollymp2"}
	all     = []string{
		"dollymp0", "dollymp1", "dollymp2", "dollymp3", "tetris", "drf", "capacity", "carbyne", "graphene", "srpt", "svf", "hrdf",
		"fifo", "random",
	}
)

const (
	meanFlowtime  = "mean_flowtime"
	totalFlowtime = "total_flowtime"
	meanRunning   = "mean_running_time"
	flowtime      = "flowtime"
	runningTime   = "running_time"
	usage         = "usage"
)

// The offered loads. The paper names none: low is a tenth of high, as with Figure 10 and as the arrival gaps of 200 and 20 s of
// the testbed's two regimes. The flowtimes of thousands of seconds in its heavy regime are those of a queue that grows, so heavy
// is above 1.
const (
	low, moderate, high = 0.1, 0.5, 1.
	light, heavy        = 0.15, 1.5
)

// Figures returns the experiments of sections 2 and 6 that the simulator can stand in for: Figures 1, 2 and 4 to 11, those at
// scale of the given size, and three of ours that vary the spread of durations, the share of clones and the load.
// docs/claims/cloning.md says what stands for what.
func Figures(size Size) []Sweep {
	return []Sweep{
		repeated(), example(), lightly(), spreads(), heavily("fig5a-7a", mixPageRank), heavily("fig5b-7b", mixWordCount),
		size.moderately(), size.fewerCores(), size.altruism(), size.cloneShares(), size.chains(), size.loads(),
	}
}

// A Size is how large the figures at scale are; the paper has more than 30,000 servers. With fewer than some ten jobs a server the last
// one comes before the cluster has filled up, so that loads are not reached.
type Size struct{ Servers, Jobs int }

// repeated is Figure 1.
func repeated() Sweep {
	reduction := func(id, policy string) Claim {
		return Claim{ID: id, Policy: policy, Baseline: "capacity", Of: Reduction, Metric: meanRunning}
	}
	p := Point{
		X: 8, Specs: map[string]any{"mix": mixWordCount, input: 4., "jobs": 8, "arrivals": regular, gap: 1e4},
		Claims: []Claim{reduction("dollymp-c06", "dollymp2")},
	}
	for _, policy := range []string{"dollymp0", "dollymp1", "dollymp2"} {
		p.Claims = append(p.Claims, reduction("dollymp-c07", policy),
			Claim{ID: "dollymp-c07", Policy: policy, Of: Deviation, Metric: runningTime})
	}
	return Sweep{
		Name: "fig1", Doc: "running time of WordCount jobs of 4 GB, one after the other", Axis: "jobs",
		Policies: []string{"capacity", "dollymp0", "dollymp1", "dollymp2"}, Metrics: []string{meanRunning}, Points: []Point{p},
	}
}

// example is Figure 2 in the model of expected progress. Its text counts means only, so r is 0; and its Tetris takes the job of the
// most work first whatever the weight, as ours does when ε is small.
func example() Sweep {
	sd := 8 / math.Sqrt(1.25) // shape 2.5
	jobs := &sim.Workload{Cluster: []sim.Servers{{Count: 1, CPU: 1, Mem: 1}}}
	for i, p := range []sim.Phase{
		{Tasks: 1, CPU: 0.8, Mem: 0.8, Mean: 10},
		{Tasks: 1, CPU: 0.25, Mem: 0.25, Mean: 8, SD: sd},
		{Tasks: 1, CPU: 0.25, Mem: 0.25, Mean: 8, SD: sd},
	} {
		jobs.Jobs = append(jobs.Jobs, sim.Job{ID: fmt.Sprintf("J%d", i+1), Weight: 1, Phases: []sim.Phase{p}})
	}
	s := Sweep{
		Name: "fig2", Doc: "total flowtime of three jobs on one server", Axis: "-",
		Policies: []string{"tetris", "dollymp0", "dollymp1"}, Metrics: []string{totalFlowtime},
		Points: []Point{{
			Jobs: jobs,
			Params: map[string]any{
				"model": "expected", "slot": 1., "max_copies_per_server": 2, "r": 0., "epsilon": 0.1,
			},
		}},
	}
	for i, id := range []string{"dollymp-c08", "dollymp-c10", "dollymp-c11"} {
		s.Points[0].Claims = append(s.Points[0].Claims, Claim{ID: id, Policy: s.Policies[i], Of: Value, Metric: totalFlowtime})
	}
	return s
}

// lightly is Figure 4.
func lightly() Sweep {
	within := func(id, policy string) Claim {
		return Claim{ID: id, Policy: policy, Of: Share, Metric: runningTime, To: 350}
	}
	return Sweep{
		Name: "fig4", Doc: "100 jobs of the suite on the 30 nodes, light load", Axis: "offered load",
		Policies: testbed, Metrics: []string{meanFlowtime, meanRunning, usage, "cloned_share"},
		Points: []Point{{
			X: light, Specs: map[string]any{"load": light},
			Claims: []Claim{
				{ID: "dollymp-c05", Policy: "dollymp2", Baseline: "capacity", Of: Reduction, Metric: meanFlowtime},
				within("dollymp-c26", "dollymp2"), within("dollymp-c27", "capacity"),
				{ID: "dollymp-c28", Policy: "dollymp2", Baseline: "dollymp1", Of: Reduction, Metric: meanFlowtime},
			},
		}},
	}
}

// spreads is Figure 4 under other spreads of durations, which the paper does not tell but on which its gain hangs.
func spreads() Sweep {
	s := Sweep{
		Name: "fig4-spread", Doc: "the same, all phases as spread", Axis: "standard deviation over mean",
		Policies: []string{"capacity", "dollymp1", "dollymp2"}, Metrics: []string{meanFlowtime, usage},
	}
	for _, cv := range []float64{0.1, 0.25, 0.5, 1, 2} {
		s.Points = append(s.Points, Point{
			X: cv, Specs: map[string]any{"load": light, "cv_from": cv, "cv_to": cv},
			Claims: []Claim{{ID: "dollymp-c05", Policy: "dollymp2", Baseline: "capacity", Of: Reduction, Metric: meanFlowtime}},
		})
	}
	return s
}

// heavily is Figures 5 to 7, one application.
func heavily(name, mix string) Sweep {
	s := Sweep{
		Name: name, Doc: "500 jobs of " + mix + " on the 30 nodes", Axis: "offered load",
		Policies: testbed, Metrics: []string{meanFlowtime, meanRunning, usage, "cloned_share"},
	}
	for _, load := range []float64{light, 0.75, 1, heavy} {
		s.Points = append(s.Points, Point{X: load, Specs: map[string]any{"mix": mix, "jobs": 500, "load": load}})
	}
	s.Points[0].Claims = []Claim{{ID: "dollymp-c32", Policy: "dollymp2", Of: Share, Metric: runningTime, To: 200}}
	claims := []Claim{
		{ID: "dollymp-c01", Policy: "dollymp2", Baseline: "capacity", Of: Reduction, Metric: totalFlowtime},
		{ID: "dollymp-c02", Policy: "dollymp2", Baseline: "tetris", Of: Reduction, Metric: totalFlowtime},
		{ID: "dollymp-c03", Policy: "dollymp2", Baseline: "drf", Of: Reduction, Metric: meanFlowtime},
		{ID: "dollymp-c32", Policy: "dollymp2", Of: Share, Metric: runningTime, To: 200},
	}
	for _, policy := range []string{"dollymp2", "tetris", "capacity"} {
		claims = append(claims, Claim{ID: "dollymp-c31", Policy: policy, Of: Share, Metric: flowtime, To: 6000})
	}
	if mix == mixPageRank {
		claims = append(claims, Claim{ID: "dollymp-c29", Policy: "dollymp2", Of: Share, Metric: runningTime, To: 200},
			Claim{ID: "dollymp-c30", Policy: "tetris", Of: Share, Metric: runningTime, To: 200})
	}
	s.Points[len(s.Points)-1].Claims = claims
	return s
}

// at is a point of a figure at scale: the jobs come at the load.
func (size Size) at(x, load float64, claims ...Claim) Point {
	return Point{
		X: x, Load: load, Claims: claims, Specs: map[string]any{
			"mix": mixGoogle, "cluster": googleCluster, "servers": size.Servers, "jobs": size.Jobs, "load": load,
		},
	}
}

// fewer is a point of a figure at scale: the jobs come at the low load, on so few servers that it is the given one, as in
// Figure 10.
func (size Size) fewer(x, load float64, claims ...Claim) Point {
	p := size.at(x, low, claims...)
	p.Load = load
	p.Params = map[string]any{"servers": max(1, int(math.Round(float64(size.Servers)*low/load)))}
	return p
}

// jobsWithin claims a share of jobs whose metric is from so many to so many times the baseline's.
func jobsWithin(id, policy, baseline, metric string, from, to float64) Claim {
	return Claim{ID: id, Policy: policy, Baseline: baseline, Of: Share, Metric: metric, From: from, To: to}
}

// moderately is Figures 8 and 9. The baseline of the makespan is not named: both.
func (size Size) moderately() Sweep {
	one := func(id, policy, baseline string, of Statistic, metric string) Claim {
		return Claim{ID: id, Policy: policy, Baseline: baseline, Of: of, Metric: metric}
	}
	return Sweep{
		Name: "fig8-9", Doc: "flowtimes and usage at moderate load, all policies; zero, one, two and three clones",
		Axis: "offered load", Policies: all, Metrics: []string{meanFlowtime, "makespan", usage, "cloned_share"}, Replay: true,
		Points: []Point{size.at(moderate, moderate,
			jobsWithin("dollymp-c35", "dollymp2", "tetris", flowtime, 0, 0.7),
			one("dollymp-c36", "dollymp2", "tetris", MeanReduction, flowtime),
			one("dollymp-c36", "dollymp2", "tetris", Reduction, meanFlowtime),
			jobsWithin("dollymp-c37", "dollymp2", "drf", usage, 1.8, math.Inf(1)),
			one("dollymp-c38", "dollymp2", "drf", Ratio, usage),
			one("dollymp-c39", "dollymp2", "drf", Reduction, "makespan"),
			one("dollymp-c39", "dollymp2", "tetris", Reduction, "makespan"),
			one("dollymp-c40", "drf", "tetris", Reduction, meanFlowtime),
			jobsWithin("dollymp-c41", "dollymp2", "dollymp1", flowtime, 0, 0.8),
			jobsWithin("dollymp-c42", "dollymp3", "dollymp1", flowtime, 0, 0.8),
			one("dollymp-c43", "dollymp3", "dollymp2", Ratio, usage),
		)},
	}
}

// fewerCores is Figure 10: the jobs of low load on fewer servers, X times the load.
func (size Size) fewerCores() Sweep {
	s := Sweep{
		Name: "fig10", Doc: "cloning under rising load", Axis: "offered load over the low one",
		Policies: []string{"dollymp0", "dollymp2"}, Metrics: []string{meanFlowtime, usage, "cloned_share", "clones"}, Replay: true,
	}
	for _, x := range []float64{1, 2, 5, 10} {
		s.Points = append(s.Points, size.fewer(x, low*x))
	}
	s.Points[3].Claims = []Claim{
		{ID: "dollymp-c44", Policy: "dollymp2", Baseline: "dollymp0", Of: Reduction, Metric: totalFlowtime},
		{ID: "dollymp-c45", Policy: "dollymp2", Baseline: "dollymp0", Of: Ratio, Metric: usage},
		jobsWithin("dollymp-c46", "dollymp2", "dollymp0", flowtime, 0, 0.8),
		{ID: "dollymp-c47", Policy: "dollymp2", Of: Value, Metric: "cloned_share"},
	}
	return s
}

// altruism is Figure 11, whose load is "heavy".
func (size Size) altruism() Sweep {
	s := Sweep{
		Name: "fig11", Doc: "DollyMP and Carbyne at high load", Axis: "offered load",
		Policies: []string{"dollymp2", "carbyne"}, Metrics: []string{meanFlowtime, usage, "cloned_share"}, Replay: true,
	}
	for _, load := range []float64{high, heavy} {
		s.Points = append(s.Points, size.fewer(load, load,
			Claim{ID: "dollymp-c04", Policy: "dollymp2", Baseline: "carbyne", Of: Reduction, Metric: meanFlowtime},
			jobsWithin("dollymp-c48", "dollymp2", "carbyne", flowtime, 0, 0.2),
			jobsWithin("dollymp-c49", "dollymp2", "carbyne", usage, 0.95, 1.05),
		))
	}
	return s
}

// cloneShares is one reading of the paper's δ = 0.3, which it never defines: clones, which hold their servers until their task is
// done, may take no more than the share X of the cluster; 0: no bound.
func (size Size) cloneShares() Sweep {
	s := Sweep{
		Name: "delta", Doc: "a bound on clones at heavy load", Axis: "δ",
		Policies: []string{"dollymp2"}, Metrics: []string{meanFlowtime, usage, "cloned_share"},
	}
	for _, delta := range []float64{0, 0.1, 0.3} {
		p := size.fewer(delta, heavy)
		p.Params["clone_share"] = delta
		s.Points = append(s.Points, p)
	}
	return s
}

// chains is what section 6.3.2 says of Graphene.
func (size Size) chains() Sweep {
	p := size.fewer(high, high,
		Claim{ID: "dollymp-c50", Policy: "graphene", Baseline: "tetris", Of: Reduction, Metric: meanFlowtime})
	p.Specs["shape"] = shapeChain
	return Sweep{
		Name: "graphene", Doc: "jobs of three phases one after the other at high load", Axis: "offered load",
		Policies: []string{"graphene", "tetris"}, Metrics: []string{meanFlowtime}, Points: []Point{p},
	}
}

// loads is DollyMP against all baselines.
func (size Size) loads() Sweep {
	s := Sweep{
		Name: "loads", Doc: "all policies, graphs of all shapes", Axis: "offered load",
		Policies: all, Metrics: []string{meanFlowtime},
	}
	for _, load := range []float64{moderate, high, heavy} {
		p := size.fewer(load, load)
		p.Specs["shape"] = shapeMixed
		s.Points = append(s.Points, p)
	}
	return s
}
