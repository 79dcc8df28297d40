package claims

import (
	"math"
	"testing"
)

// TestGrade: every verdict, and the order in which they are tried.
func TestGrade(t *testing.T) {
	at := func(x float64) *float64 { return &x }
	number := Claim{Kind: Number, Experiment: "e", Paper: Range{Low: at(10), High: at(10)}, Tolerance: Tolerance{Value: 1}}
	order := Claim{Kind: Order, Experiment: "e", Paper: Range{Low: at(0)}}
	theorem := Claim{Kind: Theorem, Experiment: "e", Paper: Range{High: at(6)}}
	box := func(points ...[]float64) *Measurement { return &Measurement{points, true} }
	told := func(blocks ...float64) *Measurement { return &Measurement{[][]float64{blocks}, false} }
	near, off, wide := []float64{9.9, 10.1, 10}, []float64{19, 20, 21}, []float64{0, 10, 20}

	for name, c := range map[string]struct {
		claim Claim
		m     *Measurement
		want  Verdict
	}{
		"an argument":                                          {Claim{Kind: Theorem, Argument: "a"}, nil, Proof},
		"an argument comes before a measurement":               {Claim{Kind: Theorem, Argument: "a", Paper: theorem.Paper}, told(9, 9), Proof},
		"nothing to measure":                                   {Claim{Kind: Number, Missing: "lost"}, nil, NotMeasurable},
		"nothing to measure comes before refuted":              {Claim{Kind: Number, Missing: "lost", Paper: number.Paper}, told(off...), NotMeasurable},
		"a theorem with a counter-example":                     {theorem, box([]float64{9, 9}), Refuted},
		"a theorem with a counter-example, elsewhere inside":   {theorem, box([]float64{9, 9}, []float64{1, 1}), Refuted},
		"nothing untold, outside":                              {number, told(off...), Refuted},
		"nothing untold, inside":                               {number, told(near...), Reproduced},
		"nothing untold, too wide an interval":                 {number, told(wide...), Consistent},
		"at every point":                                       {number, box(near, near), Reproduced},
		"a half-line at every point":                           {order, box(near, off), Reproduced},
		"the end belongs to the half-line":                     {order, box([]float64{0, 0}), Reproduced},
		"at the default only":                                  {number, box(near, off), InPart},
		"not at the default":                                   {number, box(off, near), InPart},
		"at some, and elsewhere undecided":                     {number, box(wide, near), InPart},
		"at none, box outside":                                 {number, box(off, off), NotReproduced},
		"a theorem that is undecided at the default":           {theorem, box([]float64{5, 6, 7}), Consistent},
		"outside on both sides: the envelope covers the value": {number, box(off, []float64{0, 0}), Consistent},
		"undecided":                             {number, box(wide, off), Consistent},
		"open, at every point":                  {Claim{Kind: Theorem, Open: true, Experiment: "e", Paper: theorem.Paper}, box([]float64{5, 5}), Consistent},
		"what draws nothing has a single block": {number, box([]float64{20}), NotReproduced},
		"a block without a number":              {number, box([]float64{10, math.NaN(), 10}), Consistent},
		"not measured yet":                      {number, nil, Unworked},
		"not worked out":                        {Claim{Todo: true, Argument: "a"}, told(near...), Unworked},
		"a relative tolerance, inside":          {Claim{Kind: Number, Paper: number.Paper, Tolerance: Tolerance{Relative: 0.2}}, told(11.9, 11.9), Reproduced},
		"a relative tolerance, beyond":          {Claim{Kind: Number, Paper: number.Paper, Tolerance: Tolerance{Relative: 0.2}}, told(12.1, 12.1), Refuted},
	} {
		if got := c.claim.Grade(c.m).Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestGradeShows: value, interval and envelope are those of the design, worked out by hand: three blocks 1, 2, 3 have mean 2 and
// standard deviation 1, and t at two degrees of freedom is 4.30265.
func TestGradeShows(t *testing.T) {
	one := 1.0
	g := Claim{Kind: Number, Experiment: "e", Paper: Range{Low: &one}}.Grade(&Measurement{[][]float64{{1, 2, 3}, {5, 5, 5}}, true})
	half := 4.30265 / math.Sqrt(3)
	close := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	if g.Value != 2 || !close(g.Interval.Low, 2-half) || !close(g.Interval.High, 2+half) || !close(g.Envelope.Low, 2-half) || g.Envelope.High != 5 {
		t.Errorf("value %g, interval %v, envelope %v", g.Value, g.Interval, g.Envelope)
	}
	if g.Points[0].Inside || !g.Points[1].Inside {
		t.Errorf("points %v", g.Points)
	}
}
