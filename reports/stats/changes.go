package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Change is a step or a drift of a series.
type Change struct {
	Drift bool
	// From is the first value after a step or of a drift, To the one behind the last value of a drift.
	From, To      int
	Before, After float64  // what the series was, without noise, and then is
	Size          float64  // After − Before
	Interval      Interval // of Size, 95 %
	// P is how likely noise alone makes a change as clear somewhere in the series.
	P float64
}

// fewestValues is what it takes to tell noise from change.
const fewestValues = 8

// level95 is the level of intervals.
const level95 = 0.95

// FindChanges finds the steps and drifts of a noisy series in which values after another are one apart; none below eight values. A step is found
// when three values have it.
//
// Outliers are taken out first (Hampel). The series is then split into level and sloping segments. A step is two segments that do
// not meet: Student's t for the difference of their lines between the two values, with the p-value multiplied by the number of places
// where a step may be (Bonferroni, as Worsley 1979). A drift is a segment whose order the Mann–Kendall test does not believe
// to be chance, with the slope of Theil and Sen. Both tests count values for less where each is correlated with the next. What
// has a p-value above believed is merged with its neighbour. Several series are judged together by BenjaminiHochberg.
func FindChanges(xs []float64, correlation, believed float64) []Change {
	if len(xs) < fewestValues {
		return nil
	}
	sd := Noise(xs) / math.Sqrt(1-correlation)
	if !(sd > 0) {
		return nil
	}
	base := Median(xs)
	ys := make([]float64, len(xs)) // near zero, where sums of squares keep their digits
	for i, x := range Hampel(xs, sd) {
		ys[i] = x - base
	}
	d := detector{ys: ys, fitter: newFitter(ys), noise: sd, inflation: (1 + correlation) / (1 - correlation)}
	d.segments = Segments(ys, d.effective(sd))
	for d.prune(believed) {
	}
	var out []Change
	for i, s := range d.segments {
		if i > 0 {
			out = append(out, d.step(i))
		}
		if s.Slope != 0 {
			out = append(out, d.drift(s))
		}
	}
	for i := range out {
		out[i].Before += base
		out[i].After += base
	}
	return out
}

// A detector is a series with the segments that are believed so far.
type detector struct {
	ys        []float64
	fitter    *fitter
	noise     float64 // standard deviation, by differences
	inflation float64 // of the variance of a mean of many values, by their correlation as in an autoregressive noise of first order
	segments  []Segment
}

// effective is the standard deviation of uncorrelated values whose means would vary as much.
func (d *detector) effective(sd float64) float64 { return sd * math.Sqrt(d.inflation) }

// prune merges or levels the segment that is believed least, if it is not believed.
func (d *detector) prune(believed float64) bool {
	worst, p, isStep := -1, believed, false
	for i, s := range d.segments {
		if i > 0 {
			if c := d.step(i); c.P > p {
				worst, p, isStep = i, c.P, true
			}
		}
		if s.Slope != 0 {
			if c := d.drift(s); c.P > p {
				worst, p, isStep = i, c.P, false
			}
		}
	}
	switch {
	case worst < 0:
		return false
	case isStep:
		a, b := d.segments[worst-1], d.segments[worst]
		s, _ := d.fitter.best(a.From, b.To, d.effective(d.noise), slopePenalty(len(d.ys)))
		d.segments = append(append(d.segments[:worst-1:worst-1], s), d.segments[worst+1:]...)
	default:
		s := d.segments[worst]
		d.segments[worst] = d.fitter.fit(s.From, s.To, false)
	}
	return true
}

// sd is that of what is left around the segments, with its degrees of freedom, but no less than half of what differences say.
func (d *detector) sd() (sd, freedom float64) {
	squares, parameters := 0.0, 0
	for _, s := range d.segments {
		squares += s.squares
		parameters++
		if s.Slope != 0 {
			parameters++
		}
	}
	freedom = math.Max(1, float64(len(d.ys)-parameters))
	return d.effective(math.Sqrt(max(squares/freedom, d.noise*d.noise/4))), freedom
}

// step is the change between a segment and the one before.
func (d *detector) step(i int) Change {
	a, b := d.segments[i-1], d.segments[i]
	place := float64(b.From) - 0.5
	sd, freedom := d.sd()
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}
	c := Change{From: b.From, To: b.From + 1, Before: a.At(place), After: b.At(place)}
	c.Size = c.After - c.Before
	se := sd * math.Sqrt(a.variance(place)+b.variance(place))
	half := t.Quantile((1+level95)/2) * se
	c.Interval = Interval{c.Size - half, c.Size + half}
	c.P = min(1, 2*t.Survival(math.Abs(c.Size)/se)*float64(len(d.ys)))
	return c
}

// drift is the change along a sloping segment.
func (d *detector) drift(s Segment) Change {
	part := d.ys[s.From:s.To]
	slope, interval := TheilSen(part, level95, d.inflation)
	long := float64(s.To - s.From - 1)
	c := Change{
		Drift: true, From: s.From, To: s.To, Before: s.Level - slope*long/2, After: s.Level + slope*long/2,
		Size: slope * long, Interval: Interval{interval.Lo * long, interval.Hi * long},
	}
	_, c.P = MannKendall(part, d.inflation)
	c.P = min(1, c.P*float64(len(d.ys))/ShortestSlope) // as many drifts might be beside each other
	return c
}
