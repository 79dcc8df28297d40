package pocd

import (
	"fmt"
	"slices"
)

// A Sweep varies one parameter of the simulator or of the generated workloads: a figure or table of the paper.
type Sweep struct {
	Name     string // such as fig6
	Doc      string
	Axis     string // what X is
	Policies []string
	Metrics  []string // of scope run
	Points   []Point
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
	ID     string
	Policy string
	Metric string
}

var compared = []string{"shed+", "shed", "dolly", "hopper", "hadoop", "none", "clairvoyant"}

// Figures returns the experiments of section VI-B of the paper that the simulator can stand in for: Figures 2 and 4 to 11, Table
// II, an ablation of section V, and two figures with an option of ours. The benchmarks (TermVector, WordCount, …) differ in
// nothing the paper states, so the parts of a figure that differ by benchmark only are one sweep. Loads of Figure 6 and
// deadlines are not in the text: light load is taken as 20 % and heavy load as 80 %, deadlines go up to the default of Workloads.
func Figures() []Sweep {
	sweeps := []Sweep{clones(), jobSizes(), deadlines(), loads(), utilisation(), cloud()}
	sweeps = append(append(sweeps, intervals()...), resumption())
	return append(sweeps, sparing(jobSizes()), sparing(loads()))
}

// sparing is a figure with the option kill=surplus. As Algorithm 1 is written, each new job's ξ kills the copies that still
// launch: where jobs arrive faster than the launch time, shed+ suffers what eq. (17) was made to prevent.
func sparing(s Sweep) Sweep {
	s.Name += "-surplus"
	s.Doc += "; checks spare the attempts that they would start again"
	s.Policies = []string{"shed+", "shed"}
	for i := range s.Points {
		p := &s.Points[i]
		p.Params = map[string]any{"kill": "surplus"}
		p.Claims = slices.DeleteFunc(p.Claims, func(c Claim) bool { return !slices.Contains(s.Policies, c.Policy) })
	}
	return s
}

// clones is Figure 2: every task has r attempts from the start, which dolly does when p is near 1.
func clones() Sweep {
	s := Sweep{
		Name: "fig2", Doc: "average execution time against the number of attempts that start together, 10 tasks, no contention",
		Axis: "r, attempts", Policies: []string{"dolly"}, Metrics: []string{"mean_execution"},
	}
	for r := 1; r <= 8; r++ {
		s.Points = append(s.Points, Point{
			X: float64(r), Specs: map[string]any{"tasks": 10, "load": 0.001},
			Params: map[string]any{"miss_rate": 0.999999, "max_copies": r - 1},
		})
	}
	return s
}

func jobSizes() Sweep {
	s := Sweep{
		Name: "fig4", Doc: "PoCD against the size of the jobs at 40 % load", Axis: "tasks of a job",
		Policies: compared, Metrics: []string{"pocd"},
	}
	for _, n := range []int{5, 10, 20} {
		s.Points = append(s.Points, Point{
			X: float64(n), Specs: map[string]any{"tasks": n},
			Claims: []Claim{
				{"shed-c18", "shed+", "pocd"}, {"shed-c19", "shed", "pocd"}, {"shed-c20", "dolly", "pocd"},
			},
		})
	}
	return s
}

func deadlines() Sweep {
	s := Sweep{
		Name: "fig5", Doc: "PoCD against the deadline, mixed sizes at 40 % load", Axis: "deadline, factor as in Workloads",
		Policies: compared, Metrics: []string{"pocd"},
	}
	for _, d := range []float64{0.9, 1, 1.1, 1.2, 1.3} {
		s.Points = append(s.Points, Point{
			X: d, Specs: map[string]any{"deadline": d}, Claims: []Claim{{"shed-c22", "shed+", "pocd"}},
		})
	}
	return s
}

func loads() Sweep {
	s := Sweep{
		Name: "fig6", Doc: "PoCD against the load, mixed sizes", Axis: "load, tasks with one attempt over VMs",
		Policies: compared, Metrics: []string{"pocd"},
	}
	for _, load := range []float64{0.2, 0.4, 0.6, 0.8} {
		s.Points = append(s.Points, Point{X: load, Specs: map[string]any{"load": load}})
	}
	s.Points[0].Claims = []Claim{
		{"shed-c06", "shed+", "pocd"},
		{"shed-c07", "shed", "pocd"},
		{"shed-c08", "dolly", "pocd"},
		{"shed-c09", "hopper", "pocd"},
		{"shed-c10", "hadoop", "pocd"},
	}
	s.Points[3].Claims = []Claim{
		{"shed-c01", "shed+", "pocd"},
		{"shed-c02", "shed", "pocd"},
		{"shed-c03", "dolly", "pocd"},
		{"shed-c04", "hopper", "pocd"},
		{"shed-c05", "hadoop", "pocd"},
	}
	return s
}

// utilisation is Figures 7 to 9, which show one experiment.
func utilisation() Sweep {
	return Sweep{
		Name: "fig7-9", Doc: "utilisation planned and measured, active jobs, execution times; 10 tasks at 40 % load",
		Axis: "load", Policies: compared,
		Metrics: []string{
			"planned_utilisation", "utilisation", "peak_utilisation", "active_jobs", "mean_execution", "max_execution",
		},
		Points: []Point{{
			X: 0.4, Specs: map[string]any{"tasks": 10},
			Claims: []Claim{
				{"shed-c29", "shed", "utilisation"},
				{"shed-c30", "shed+", "peak_utilisation"},
				{"shed-c31", "hadoop", "utilisation"},
				{"shed-c31", "dolly", "utilisation"},
				{"shed-c31", "hopper", "utilisation"},
				{"shed-c36", "dolly", "max_execution"},
				{"shed-c37", "hadoop", "max_execution"},
				{"shed-c38", "shed+", "mean_execution"},
				{"shed-c39", "shed", "mean_execution"},
				{"shed-c40", "dolly", "mean_execution"},
				{"shed-c41", "hadoop", "mean_execution"},
			},
		}},
	}
}

// cloud is Figures 10 and 11, two benchmarks: larger jobs that arrive faster, on the 120 workers of EC2.
func cloud() Sweep {
	s := Sweep{
		Name: "fig10-11", Doc: "PoCD against the deadline, 20 tasks at 60 % load on 120 workers",
		Axis:     "deadline, factor as in Workloads",
		Policies: compared, Metrics: []string{"pocd"},
	}
	for _, d := range []float64{0.9, 1.1, 1.3} {
		s.Points = append(s.Points, Point{
			X: d, Specs: map[string]any{"tasks": 20, "load": 0.6, "vms": 120, "deadline": d},
			Params: map[string]any{"slaves": 120}, Claims: []Claim{{"shed-c42", "shed+", "pocd"}},
		})
	}
	return s
}

// intervals is Table II, a sweep for each ξ; its claims are numbered by rows.
func intervals() []Sweep {
	var sweeps []Sweep
	claim := 44
	for _, xi := range []int{10, 20, 30} {
		s := Sweep{
			Name: fmt.Sprintf("table2-xi%d", xi), Axis: "θ', percent of the deadline between two checks",
			Doc:      fmt.Sprintf("PoCD against the interval at ξ = %d %%, 10 tasks at 40 %% load", xi),
			Policies: []string{"shed+", "hadoop"}, Metrics: []string{"pocd", "killed_launching"},
		}
		for _, theta := range []int{5, 7, 10, 15, 20, 25, 30, 40} {
			s.Points = append(s.Points, Point{
				X: float64(theta), Specs: map[string]any{"tasks": 10},
				Params: map[string]any{"interval": "deadline", "theta": float64(theta) / 100, "xi": float64(xi) / 100},
				Claims: []Claim{{fmt.Sprintf("shed-c%d", claim), "shed+", "pocd"}},
			})
			claim++
		}
		sweeps = append(sweeps, s)
	}
	return sweeps
}

// resumption is the ablation of section V that the paper claims an improvement for but does not show.
func resumption() Sweep {
	s := Sweep{
		Name: "resume", Doc: "PoCD when copies start from zero, 0, or go on from the straggler's progress, 1; mixed sizes at 40 % load",
		Axis: "resume", Policies: []string{"shed+", "shed"}, Metrics: []string{"pocd"},
	}
	for x, how := range []string{"never", "always"} {
		s.Points = append(s.Points, Point{X: float64(x), Params: map[string]any{"resume": how}})
	}
	return s
}
