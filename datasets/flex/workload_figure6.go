package flex

// A Sweep varies one parameter of the simulator or of the generated workloads.
type Sweep struct {
	Name   string // such as fig6a
	Doc    string
	Axis   string // the parameter's name and unit
	Points []Point
}

// A Point of a sweep: values of Workloads.Specs and of sim.Params that differ from the defaults.
type Point struct {
	X      float64
	Specs  map[string]any
	Params map[string]any
}

// Figure6 returns the three sweeps of Figure 6 of the paper: average response of flex and fair.
//
// The paper does not say what holds the other parameters. Since it reports "almost 50 %" of large slack, of λ = 0 and of
// σ = 1 alike, the first two sweeps meet in slack 95 %, λ = 0, σ = 1. In the third, large jobs take all Reduce slots while
// their Maps run, which needs jobs that come later, λ = 0.5, and Reduces that start before the Maps end, slowstart 0.05 as
// in Hadoop 0.20.
func Figure6() []Sweep {
	slack := Sweep{Name: "fig6a", Doc: "average response against slack", Axis: "slack, share of the slots"}
	for _, x := range []float64{0.15, 0.35, 0.55, 0.75, 0.95} {
		slack.Points = append(slack.Points, point(x, x, 0, 1, 1))
	}
	lambda := Sweep{Name: "fig6b", Doc: "average response against the mean time between arrivals", Axis: "lambda, minutes"}
	for _, x := range []float64{0, 0.5, 1, 1.5, 2, 3, 5} {
		lambda.Points = append(lambda.Points, point(x, 0.95, x, 1, 1))
	}
	sigma := Sweep{Name: "fig6c", Doc: "average response against the spread of the job sizes", Axis: "sigma"}
	for _, x := range []float64{0, 1, 2, 3, 4} {
		sigma.Points = append(sigma.Points, point(x, 0.95, 0.5, x, 0.05))
	}
	return []Sweep{slack, lambda, sigma}
}

func point(x, slack, lambda, sigma, slowstart float64) Point {
	return Point{
		X:      x,
		Specs:  map[string]any{"lambda": lambda, "sigma": sigma},
		Params: map[string]any{"slack": slack, "slowstart": slowstart},
	}
}
