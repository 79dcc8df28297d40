package claims

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Verdict is what a measurement says of a claim.
type Verdict string

// The verdicts, in the order in which they are tried; the first that fits is given.
const (
	Proof         Verdict = "proof"              // an argument proves it
	NotMeasurable Verdict = "not measurable"     // a value, trace or constant is lost
	Refuted       Verdict = "refuted"            // a theorem with a counter-example, or nothing is untold and the interval misses the paper's value
	Reproduced    Verdict = "reproduced"         // at every setting of what the paper does not tell
	InPart        Verdict = "reproduced in part" // at some settings
	NotReproduced Verdict = "not reproduced"     // at none, not even nearly: the envelope misses the paper's value
	Consistent    Verdict = "consistent"         // neither shown nor excluded
	Unworked      Verdict = "to do"              // not worked out, or not measured yet
)

// Verdicts are all verdicts, from the best to the worst.
var Verdicts = []Verdict{Proof, Reproduced, InPart, Consistent, NotReproduced, Refuted, NotMeasurable, Unworked}

// A Measurement is what an experiment gives for one claim.
type Measurement struct {
	// Values are the statistic by point of the design and by independent block. The first point is the default: what the paper
	// tells, and the declared default of what it does not.
	Values [][]float64
	Untold bool // whether there is anything that the paper does not tell
}

// A Grade is a claim's verdict with what it rests on.
type Grade struct {
	Verdict  Verdict
	Value    float64 // at the default; NaN: nothing is measured
	Interval Bounds  // 95 % over the blocks, at the default
	Envelope Bounds  // the least to the greatest end of an interval over the design
	Points   []Point // by point of the design
}

// A Point is a claim's statistic at one point of the design.
type Point struct {
	Mean     float64
	Interval Bounds
	Inside   bool // the interval lies in the paper's range with its tolerance
}

// Measured reports whether the grade rests on a measurement.
func (g Grade) Measured() bool { return len(g.Points) > 0 }

// Grade judges the claim by a measurement, which may be nil where there is none.
func (c Claim) Grade(m *Measurement) Grade {
	g := Grade{Verdict: Unworked, Value: math.NaN(), Interval: none, Envelope: none}
	switch {
	case c.Todo:
		return g
	case c.Argument != "":
		g.Verdict = Proof
		return g
	case c.Missing != "":
		g.Verdict = NotMeasurable
		return g
	case m == nil || len(m.Values) == 0:
		return g
	}
	paper, inside := c.Bounds(), 0
	for _, blocks := range m.Values {
		p := Point{}
		p.Mean, p.Interval = Interval(blocks)
		if p.Inside = p.Interval.Inside(paper); p.Inside {
			inside++
		}
		g.Envelope = g.Envelope.Union(p.Interval)
		g.Points = append(g.Points, p)
	}
	g.Value, g.Interval = g.Points[0].Mean, g.Points[0].Interval
	switch {
	case (c.Kind == Theorem || !m.Untold) && g.Interval.Misses(paper):
		g.Verdict = Refuted
	case c.Open && inside > 0:
		g.Verdict = Consistent
	case inside == len(g.Points):
		g.Verdict = Reproduced
	case inside > 0:
		g.Verdict = InPart
	case g.Envelope.Misses(paper):
		g.Verdict = NotReproduced
	default:
		g.Verdict = Consistent
	}
	return g
}

// Interval is the mean over independent blocks and its interval of 95 % by Student's t. Blocks that do not vary have a point, and so
// has a single block, since only what draws nothing is measured once; a block that is no number excludes nothing.
func Interval(blocks []float64) (mean float64, within Bounds) {
	mean, sd := stat.MeanStdDev(blocks, nil)
	n := float64(len(blocks))
	switch {
	case n == 0 || math.IsNaN(mean) || math.IsInf(mean, 0):
		return math.NaN(), Line()
	case constant(blocks):
		return blocks[0], Bounds{blocks[0], blocks[0]}
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	return mean, Bounds{mean - half, mean + half}
}

func constant(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}
