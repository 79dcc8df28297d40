package speculation

import "fmt"

// A Sweep varies one parameter of the simulator or of the generated workloads: a figure of the paper.
type Sweep struct {
	Name    string // such as fig8
	Doc     string
	Axis    string // what X is
	Runs    []Run
	Metrics []string // of scope run
	Points  []Point
}

// A Run is what is compared at every point of a sweep: a policy under a job scheduler.
type Run struct {
	Name   string // as in the list of the paper's claims
	Policy string
	Params map[string]any
}

// A Point of a sweep: values of Workloads.Specs and of sim.Params that differ from the defaults.
type Point struct {
	X      float64
	Specs  map[string]any
	Params map[string]any
	Claims []Claim
}

// A Claim is a number that the paper reports for a point; the list of the paper's claims has the value under ID.
type Claim struct {
	ID       string
	Run      string
	Baseline string
	Metric   string
	Kind     Kind
	Above    float64 // of kind Share: percent
}

// A Kind says how a claim's number comes about.
type Kind int

// Absolute is the run's metric; Reduction by how many percent it is below the baseline's, Increase above; Ratio is it over the
// baseline's; Share is the share of jobs whose reduction is above a number of percent.
const (
	Absolute Kind = iota
	Reduction
	Increase
	Ratio
	Share
)

const (
	execution  = "mean_execution"
	energy     = "mean_energy"
	copyTime   = "mean_copy_time"
	wonTime    = "mean_copy_won_time" // without the copies that were killed
	candidates = "mean_candidates"
	efficiency = "efficiency_time" // 1/(E·T), what the paper's numbers show
)

// Figures returns Figures 6 to 12 of the paper and, as its cluster, workload and stragglers are not known, Figures 6 and 7 once
// more under other readings of each.
func Figures() []Sweep {
	return []Sweep{
		overall("fig6-7", "the compared policies at the default settings, jobs sharing the cluster at 90 % load", 0.9, nil, nil),
		overall("fig6-7-single", "the same as fig6-7, one job at a time", 0.001, map[string]any{"load": 0.001, "jobs": 50}, nil),
		overall("fig6-7-mild", "the same as fig6-7, no straggler slower than 2.5 times", 0.9, nil, map[string]any{"slowdown": 2.5}),
		overall("fig6-7-copies", "the same as fig6-7, copies never straggle", 0.9, nil, map[string]any{"copies_straggle": false}),
		windows(), contentions(), heterogeneities(), stragglerRatios(), utilisations(),
	}
}

func policies(names ...string) []Run {
	var runs []Run
	for _, n := range names {
		runs = append(runs, Run{Name: n, Policy: n})
	}
	return runs
}

var compared = policies("window", "hete-aware", "default", "none")

func overall(name, doc string, load float64, specs, params map[string]any) Sweep {
	return Sweep{
		Name: name, Doc: doc, Axis: "load", Runs: append(policies("window-k0", "window-blind"), compared...),
		Metrics: []string{
			execution, energy, "energy_normal_success", "energy_strag_success", "energy_strag_killed", "energy_copy_success",
			"energy_copy_killed", copyTime, wonTime, candidates, "efficiency", efficiency, "utilisation",
		},
		Points: []Point{{
			X: load, Specs: specs, Params: params,
			Claims: []Claim{
				{ID: "window-c01", Run: "window", Baseline: "none", Metric: execution, Kind: Reduction},
				{ID: "window-c02", Run: "window", Baseline: "default", Metric: execution, Kind: Reduction},
				{ID: "window-c03", Run: "window", Baseline: "hete-aware", Metric: execution, Kind: Reduction},
				{ID: "window-c04", Run: "window", Baseline: "default", Metric: copyTime, Kind: Reduction},
				{ID: "window-c04", Run: "window", Baseline: "default", Metric: wonTime, Kind: Reduction},
				{ID: "window-c05", Run: "window", Baseline: "hete-aware", Metric: copyTime, Kind: Reduction},
				{ID: "window-c05", Run: "window", Baseline: "hete-aware", Metric: wonTime, Kind: Reduction},
				{ID: "window-c06", Run: "window", Baseline: "none", Metric: energy, Kind: Reduction},
				{ID: "window-c07", Run: "window", Baseline: "default", Metric: energy, Kind: Reduction},
				{ID: "window-c08", Run: "window", Baseline: "hete-aware", Metric: energy, Kind: Reduction},
				{ID: "window-c09", Run: "default", Baseline: "none", Metric: energy, Kind: Ratio},
				{ID: "window-c10", Run: "window", Metric: "energy_strag_success"},
				{ID: "window-c10", Run: "window", Metric: "energy_strag_killed"},
				{ID: "window-c11", Run: "window", Baseline: "none", Metric: "execution", Kind: Share, Above: 30},
				{ID: "window-c12", Run: "window", Baseline: "none", Metric: "energy", Kind: Share, Above: 20},
				{ID: "window-c14", Run: "window", Baseline: "none", Metric: efficiency, Kind: Ratio},
				{ID: "window-c15", Run: "window", Baseline: "default", Metric: efficiency, Kind: Ratio},
				{ID: "window-c16", Run: "window", Baseline: "hete-aware", Metric: efficiency, Kind: Ratio},
				{ID: "window-c17", Run: "hete-aware", Baseline: "none", Metric: efficiency, Kind: Ratio},
				{ID: "window-c18", Run: "hete-aware", Baseline: "default", Metric: efficiency, Kind: Ratio},
				{ID: "window-c30", Run: "window", Metric: candidates},
				{ID: "window-c31", Run: "hete-aware", Metric: candidates},
				{ID: "window-c52", Run: "window-blind", Baseline: "window", Metric: execution, Kind: Increase},
				{ID: "window-c52", Run: "window-blind", Baseline: "window", Metric: energy, Kind: Increase},
			},
		}},
	}
}

func windows() Sweep {
	s := Sweep{
		Name: "fig8", Doc: "copies and energy against the window", Axis: "window, over the job's fastest task",
		Runs: policies("window"), Metrics: []string{copyTime, wonTime, energy, execution, candidates},
	}
	for i := range 10 {
		x := float64(i+1) / 10
		s.Points = append(s.Points, Point{X: x, Params: map[string]any{"window": x}})
	}
	return s
}

// both sets an option of the simulator with which the workload's load reckons.
func both(x float64, name string, claims ...Claim) Point {
	return Point{X: x, Specs: map[string]any{name: x}, Params: map[string]any{name: x}, Claims: claims}
}

func contentions() Sweep {
	s := Sweep{
		Name: "fig9", Doc: "time and energy against contention", Axis: "degree of contention",
		Runs: compared, Metrics: []string{execution, energy},
	}
	for _, x := range []float64{1, 1.5, 2, 2.5} {
		s.Points = append(s.Points, both(x, "contention"))
	}
	for _, i := range []int{0, 3} { // the ends of the printed ranges
		s.Points[i].Claims = []Claim{
			{ID: "window-c22", Run: "window", Baseline: "none", Metric: execution, Kind: Reduction},
			{ID: "window-c23", Run: "window", Baseline: "default", Metric: execution, Kind: Reduction},
			{ID: "window-c24", Run: "window", Baseline: "hete-aware", Metric: execution, Kind: Reduction},
			{ID: "window-c25", Run: "hete-aware", Baseline: "none", Metric: execution, Kind: Reduction},
		}
	}
	return s
}

func heterogeneities() Sweep {
	s := Sweep{
		Name: "fig10", Doc: "time, energy, copies and efficiency against heterogeneity", Axis: "degree of heterogeneity",
		Runs: compared, Metrics: []string{execution, energy, copyTime, wonTime, "efficiency", efficiency, candidates},
	}
	for _, x := range []float64{1, 1.5, 2, 2.5, 3} {
		s.Points = append(s.Points, both(x, "heterogeneity"))
	}
	for _, i := range []int{0, 4} {
		s.Points[i].Claims = []Claim{
			{ID: "window-c27", Run: "window", Baseline: "default", Metric: execution, Kind: Reduction},
			{ID: "window-c28", Run: "window", Baseline: "default", Metric: energy, Kind: Reduction},
			{ID: "window-c29", Run: "window", Metric: copyTime},
		}
	}
	s.Points[4].Claims = append(s.Points[4].Claims,
		Claim{ID: "window-c32", Run: "window", Baseline: "none", Metric: efficiency, Kind: Ratio})
	return s
}

func stragglerRatios() Sweep {
	s := Sweep{
		Name: "fig11", Doc: "time, energy and efficiency against the straggler ratio", Axis: "straggler ratio",
		Runs: compared, Metrics: []string{execution, energy, "efficiency", efficiency},
	}
	for _, x := range []float64{0.05, 0.1, 0.2, 0.3, 0.4} {
		s.Points = append(s.Points, both(x, "stragglers"))
	}
	for _, i := range []int{0, 4} {
		s.Points[i].Claims = []Claim{
			{ID: "window-c33", Run: "window", Baseline: "hete-aware", Metric: execution, Kind: Reduction},
			{ID: "window-c34", Run: "window", Baseline: "hete-aware", Metric: energy, Kind: Reduction},
		}
	}
	s.Points[4].Claims = append(s.Points[4].Claims,
		Claim{ID: "window-c35", Run: "window", Baseline: "none", Metric: efficiency, Kind: Ratio},
		Claim{ID: "window-c36", Run: "window", Baseline: "default", Metric: efficiency, Kind: Ratio},
		Claim{ID: "window-c37", Run: "window", Baseline: "hete-aware", Metric: efficiency, Kind: Ratio})
	return s
}

// utilisations is Figure 12, whose text gives orders but no numbers.
func utilisations() Sweep {
	s := Sweep{
		Name: "fig12", Doc: "job schedulers and policies against the utilisation", Axis: "load",
		Metrics: []string{execution, energy, "efficiency", efficiency, "utilisation"},
	}
	for _, pair := range [][2]string{{"fair", "window"}, {"hopper", "default"}, {"fair", "default"}} {
		s.Runs = append(s.Runs, Run{
			Name: fmt.Sprintf("%s+%s", pair[0], pair[1]), Policy: pair[1], Params: map[string]any{"scheduler": pair[0]},
		})
	}
	for _, percent := range []int{60, 65, 70, 75, 80, 85, 90, 95} {
		x := float64(percent) / 100
		p := Point{X: x, Specs: map[string]any{"load": x}, Claims: []Claim{
			{ID: "window-c38", Run: "fair+window", Baseline: "fair+default", Metric: execution, Kind: Reduction},
			{ID: "window-c38", Run: "fair+window", Baseline: "fair+default", Metric: energy, Kind: Reduction},
			{ID: "window-c42", Run: "hopper+default", Baseline: "fair+default", Metric: execution, Kind: Reduction},
		}}
		order := Claim{ID: "window-c41", Run: "fair+window", Baseline: "hopper+default", Metric: efficiency, Kind: Ratio}
		if percent < 75 {
			order.ID = "window-c40"
		}
		p.Claims = append(p.Claims, order)
		s.Points = append(s.Points, p)
	}
	return s
}
