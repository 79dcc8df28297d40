package experiment

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// The scales of factors.
const (
	linear      = "linear"
	logarithmic = "log"
)

// designSeed makes all designs the same ones every time.
const designSeed = 14

// A Point of a design: the value of each factor, by its name.
type Point struct {
	At      map[string]any `json:"at"`
	Default bool           `json:"default,omitempty"`
}

func (e *Experiment) defaults() map[string]any {
	at := map[string]any{}
	for _, f := range e.Untold {
		at[f.Name] = f.Default
	}
	return at
}

// Design returns the default point and a Latin hypercube of points over the box of what is untold: each of as many equal slices
// of every factor's range has one point. Points that fall together, such as those of few choices, are one.
func (e *Experiment) Design() []Point { return e.design(e.Points) }

func (e *Experiment) design(points int) []Point {
	design := []Point{{e.defaults(), true}}
	if points < 1 || len(e.Untold) == 0 {
		return design
	}
	src := rand.NewPCG(designSeed, uint64(points))
	sample := mat.NewDense(points, len(e.Untold), nil)
	samplemv.LatinHypercube{Q: distmv.NewUnitUniform(len(e.Untold), src), Src: src}.Sample(sample)
	seen := map[string]bool{fmt.Sprint(design[0].At): true}
	for i := range points {
		at := map[string]any{}
		for k, f := range e.Untold {
			at[f.Name] = f.quantile(sample.At(i, k))
		}
		if key := fmt.Sprint(at); !seen[key] {
			seen[key] = true
			design = append(design, Point{At: maps.Clone(at)})
		}
	}
	return design
}

// quantile is the value at a share u, in [0, 1), of the factor's range.
func (f Factor) quantile(u float64) any {
	if n := len(f.Choices); n > 0 {
		return f.Choices[min(n-1, int(u*float64(n)))]
	}
	lo, hi := *f.Low, *f.High
	v := lo + u*(hi-lo)
	if f.Scale == logarithmic {
		v = math.Exp(math.Log(lo) + u*(math.Log(hi)-math.Log(lo)))
	}
	return min(hi, max(lo, digits(v, 4)))
}

// digits rounds to so many significant digits.
func digits(v float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return r
}
