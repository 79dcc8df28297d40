package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Step is a place of a series where its level changes.
type Step struct {
	At            int      // the first value after it
	Before, After float64  // mean levels of the values up to the neighbouring steps
	Interval      Interval // of After − Before, 95 %
	// P is how likely noise alone makes a step as clear somewhere in the series.
	P float64
}

// What it takes to tell noise from change: values of a series, and values on each side of a step, since fewer may be a bad night
// or two.
const (
	fewestValues = 8
	shortestPart = 3
)

// FindSteps finds the steps of a noisy series, which are those with a p-value of at most believed, and none below eight values.
// A step is found when three values have it; a slow drift is none.
//
// Outliers are taken out first (Hampel). Steps are added one after another, the clearest first (binary segmentation, Vostrikova
// 1981), as long as Student's t for the difference of mean levels is clear enough at the best of all places (Bonferroni, as
// Worsley 1979). The noise is that of neighbours' differences inside the parts (von Neumann 1941), which steps that are not
// found yet disturb little. Values count for less where each is correlated with the next. Where a straight line fits the two
// parts as well as two levels, there is no step.
func FindSteps(xs []float64, correlation, believed float64) []Step {
	sd := Noise(xs) / math.Sqrt(1-correlation)
	if len(xs) < fewestValues || !(sd > 0) {
		return nil
	}
	inflation := (1 + correlation) / ((1 - correlation) * (1 - correlation))
	s := splitter{ys: Hampel(xs, sd), cuts: []int{0, len(xs)}, inflation: inflation}
	for {
		at := s.clearest(believed)
		if at == 0 {
			break
		}
		s.cuts = append(s.cuts, at)
		slices.Sort(s.cuts)
	}
	var out []Step
	for _, cut := range s.cuts[1 : len(s.cuts)-1] {
		before, after, se, t := s.test(cut)
		size, half := after-before, t.Quantile((1+level95)/2)*se
		out = append(out, Step{cut, before, after, Interval{size - half, size + half}, s.p(t, size/se)})
	}
	return out
}

// A splitter is a series with the places of the steps that are believed so far, its beginning and its end.
type splitter struct {
	ys        []float64
	cuts      []int
	inflation float64 // of a mean's variance over what differences say, by an autoregressive noise of first order
}

// clearest is the place of the clearest step that is believed; 0: there is none.
func (s *splitter) clearest(believed float64) (place int) {
	clearest := 0.0 // in standard errors
	for i, to := range s.cuts[1:] {
		for at := s.cuts[i] + shortestPart; at <= to-shortestPart; at++ {
			before, after, se, t := s.test(at)
			errors := math.Abs(after-before) / se
			if errors > clearest && s.p(t, errors) <= believed && !s.slopes(s.cuts[i], at, to) {
				place, clearest = at, errors
			}
		}
	}
	return place
}

// test compares the levels on both sides of a place, up to the cuts next to it: the standard error of their difference, and the
// distribution of the difference over it without a step.
func (s *splitter) test(at int) (before, after, se float64, t distuv.StudentsT) {
	i, is := slices.BinarySearch(s.cuts, at)
	from, to := s.cuts[i-1], s.cuts[i]
	if is {
		to = s.cuts[i+1]
	}
	squares, m := 0.0, 0.0
	for k := 1; k < len(s.ys); k++ {
		if _, cut := slices.BinarySearch(s.cuts, k); !cut && k != at {
			squares, m = squares+(s.ys[k]-s.ys[k-1])*(s.ys[k]-s.ys[k-1]), m+1
		}
	}
	se = math.Sqrt(s.inflation * squares / (2 * m) * (1/float64(at-from) + 1/float64(to-at)))
	// The mean square of m differences varies by (3m − 1)/m² of its square, one with nu degrees of freedom by 2/nu.
	t = distuv.StudentsT{Sigma: 1, Nu: 2 * m * m / (3*m - 1)}
	return stat.Mean(s.ys[from:at], nil), stat.Mean(s.ys[at:to], nil), se, t
}

// p is how likely noise alone makes a step of so many standard errors at any place (Bonferroni).
func (s *splitter) p(t distuv.StudentsT, errors float64) float64 {
	return min(1, 2*t.Survival(math.Abs(errors))*float64(len(s.ys)))
}

// slopes reports whether a straight line fits [from, to) at least as well as two levels that change at a place.
func (s *splitter) slopes(from, at, to int) bool {
	ys, places := s.ys[from:to], make([]float64, to-from)
	for i := range places {
		places[i] = float64(i)
	}
	level, slope := stat.LinearRegression(places, ys, nil, false)
	before, after, _, _ := s.test(at)
	line, levels := 0.0, 0.0
	for i, y := range ys {
		mean := before
		if from+i >= at {
			mean = after
		}
		line, levels = line+math.Pow(y-level-slope*places[i], 2), levels+math.Pow(y-mean, 2)
	}
	return line <= levels
}

// level95 is the level of intervals.
const level95 = 0.95
