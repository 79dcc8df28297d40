package redundancy

import (
	"fmt"
	"maps"
)

// A Sweep varies one parameter of the simulator or of the generated workloads: a figure of the paper.
type Sweep struct {
	Name     string // such as fig7
	Doc      string
	Axis     string // what X is
	Policies []string
	Metrics  []string  // of scope run
	CDF      []float64 // flowtimes at which the distribution is shown
	Points   []Point
}

// A Point of a sweep: values of Workloads.Specs and of sim.Params that differ from the defaults.
type Point struct {
	X      float64
	Specs  map[string]any
	Params map[string]any
	Claims []Claim
}

// A Claim is what the paper says about a policy's metric at a point; the list of the paper's claims has its words under ID.
type Claim struct {
	ID     string
	Policy string
	Metric string
}

var (
	withRedundancy = []string{"srpt+r", "fair+r", "laps+r"}
	compared       = []string{"srpt+r", "srpt", "fair+r", "fair", "laps+r", "laps"}
	marks          = []float64{10, 20, 40, 80, 120, 200, 400, 1000}
	betas          = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
)

var (
	inSlots        = map[string]any{"slotted": true}
	inHeavyTraffic = []Claim{{"redundancy-c28", "laps+r", "within_200"}, {"redundancy-c29", "laps+r", "mean_flowtime"}}
)

// Figures returns Figures 5 to 9 of section 6 of Xu, Lau et al. 2018, and variants of ours: a larger β, the remainder of
// LAPS+R as it is printed, and slots, which cost so much that λ = 2.5 lies beyond the limit. Where the text lost its
// numbers: Figures 5 and 6 are at λ = 1 and the default β, Figure 7 in steps of 0.25, Figure 8 at λ = 2.5, Figure 9 at λ
// = 1.
func Figures() []Sweep {
	return []Sweep{
		benefit(),
		arrivals("fig7", "flowtime against the arrival rate", withRedundancy, nil),
		shares("fig8", 2.5, nil, inHeavyTraffic),
		shares("fig9", 1, nil, []Claim{{"redundancy-c30", "laps+r", "within_200"}, {"redundancy-c31", "laps+r", "mean_flowtime"}}),
		arrivals("fig7-beta", "the same at β = 0.9", []string{"laps+r"}, map[string]any{"beta": 0.9}),
		arrivals("fig7-remainder", "the same, the remainder shares", []string{"laps+r"}, map[string]any{"remainder": "share"}),
		arrivals("fig7-slotted", "the same, decided in slots of length 1", withRedundancy, inSlots),
		shares("fig8-slotted", 2.5, inSlots, inHeavyTraffic),
	}
}

// benefit is Figures 5 and 6: the distribution and the mean with redundancy and without.
func benefit() Sweep {
	p := Point{X: 1, Specs: map[string]any{"lambda": 1.0}}
	for _, policy := range withRedundancy {
		p.Claims = append(p.Claims, Claim{"redundancy-c21", policy, "mean_flowtime"})
	}
	p.Claims = append(p.Claims, Claim{"redundancy-c19", "srpt+r", "within_40"}, Claim{"redundancy-c20", "laps+r", "within_40"})
	return Sweep{
		Name: "fig5-6", Doc: "distribution and mean of the flowtime with and without redundancy", Axis: "λ, arrivals per unit",
		Policies: compared, Metrics: []string{"mean_flowtime", "mean_in_time", "within_40", "copies_per_job", "useful"}, CDF: marks,
		Points: []Point{p},
	}
}

func arrivals(name, doc string, policies []string, params map[string]any) Sweep {
	s := Sweep{
		Name: name, Doc: doc, Axis: "λ, arrivals per unit",
		Policies: policies, Metrics: []string{"mean_flowtime", "mean_in_time"},
	}
	for _, lambda := range []float64{1, 1.25, 1.5, 1.75, 2, 2.25, 2.5} {
		p := Point{X: lambda, Specs: map[string]any{"lambda": lambda}, Params: params}
		for _, policy := range policies {
			switch {
			case policy == "srpt+r" && lambda < 2:
				p.Claims = append(p.Claims, Claim{"redundancy-c23", policy, "mean_flowtime"})
			case policy == "srpt+r":
				p.Claims = append(p.Claims, Claim{"redundancy-c24", policy, "mean_flowtime"})
			case policy == "fair+r":
				p.Claims = append(p.Claims, Claim{"redundancy-c27", policy, "mean_flowtime"})
			case lambda >= 2:
				p.Claims = append(p.Claims, Claim{"redundancy-c25", policy, "mean_flowtime"})
			}
			if policy == "srpt+r" && lambda >= 2.25 { // "hardly changes"
				p.Claims = append(p.Claims, Claim{"redundancy-c26", policy, "mean_flowtime"})
			}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// shares is LAPS+R against β.
func shares(name string, lambda float64, params map[string]any, claims []Claim) Sweep {
	s := Sweep{
		Name: name, Doc: fmt.Sprintf("distribution and mean of the flowtime of LAPS+R(β) at λ = %v", lambda), Axis: "β",
		Policies: []string{"laps+r"}, Metrics: []string{"mean_flowtime", "mean_in_time", "within_200"}, CDF: marks,
	}
	for _, beta := range betas {
		given := map[string]any{"beta": beta}
		maps.Copy(given, params)
		s.Points = append(s.Points, Point{X: beta, Specs: map[string]any{"lambda": lambda}, Params: given, Claims: claims})
	}
	return s
}
