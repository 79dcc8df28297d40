package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Mean is the arithmetic mean; NaN for an empty sample.
func Mean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return stat.Mean(xs, nil)
}

// GeoMean is the geometric mean; NaN for an empty sample or one with a value that is not positive.
func GeoMean(xs []float64) float64 { return math.Exp(Mean(Logs(xs))) }

// ShiftedGeoMean is exp(mean(ln(x+shift))) − shift. The shift, in the unit of xs, keeps values far below it from dominating
// the mean, as is usual for solver times; NaN for an empty sample or one with a value of −shift or less.
func ShiftedGeoMean(xs []float64, shift float64) float64 {
	shifted := make([]float64, len(xs))
	for i, x := range xs {
		shifted[i] = x + shift
	}
	return GeoMean(shifted) - shift
}

// An Interval is a two-sided confidence interval; both ends are NaN when there is none.
type Interval struct{ Lo, Hi float64 }

// NoInterval is the interval of a sample that supports none.
func NoInterval() Interval { return Interval{math.NaN(), math.NaN()} }

// A Bootstrap draws percentile bootstrap intervals (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, §13.3).
type Bootstrap struct {
	Draws int     // resamples, such as 1000
	Level float64 // coverage, such as 0.95
	Seed  uint64
}

// largeSample is the size beyond which the distribution of resampled means is taken to be its limit, the normal one with the
// sample's standard error: drawing a million numbers to find that out again takes longer than all the rest of a report.
const largeSample = 2_000

// Mean returns the interval of the arithmetic mean of each series, none below MinSample values or with a value that is not
// finite. The series are of equal length and resampled together; beyond 2,000 values the interval is the normal one, to
// which the bootstrap's tends. The interval depends on the values and the seed alone: the values are sorted first, and the
// resamples depend only on their number. So equal data have equal intervals, whatever they are called and however they come.
func (b Bootstrap) Mean(series ...[]float64) []Interval {
	out := make([]Interval, len(series))
	means := make([][]float64, len(series)) // nil where nothing is to be drawn
	n, draw := 0, false
	for k, xs := range series {
		n = len(xs)
		switch {
		case n < MinSample || len(Finite(xs)) < n:
			out[k] = NoInterval()
		case slices.Min(xs) == slices.Max(xs): // every resample is the sample
			out[k] = Interval{xs[0], xs[0]}
		case n > largeSample:
			mean, sd := stat.MeanStdDev(xs, nil)
			half := distuv.UnitNormal.Quantile((1+b.Level)/2) * stat.StdErr(sd, float64(n))
			out[k] = Interval{mean - half, mean + half}
		default:
			means[k], draw = make([]float64, b.Draws), true
		}
	}
	if !draw {
		return out
	}
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(i, j uint32) int {
		for _, xs := range series {
			if c := cmp.Compare(xs[i], xs[j]); c != 0 {
				return c
			}
		}
		return 0
	})
	rng := NewResampler(uint32(b.Seed>>32), uint32(b.Seed), uint32(n))
	resample := make([]uint32, n)
	for d := range b.Draws {
		for i := range resample {
			resample[i] = order[rng.Uint32N(uint32(n))]
		}
		for k, xs := range series {
			if means[k] == nil {
				continue
			}
			sum := 0.0
			for _, i := range resample {
				sum += xs[i]
			}
			means[k][d] = sum / float64(n)
		}
	}
	tail := (1 - b.Level) / 2
	for k, ms := range means {
		if ms != nil {
			slices.Sort(ms)
			out[k] = Interval{Quantile(ms, tail), Quantile(ms, 1-tail)}
		}
	}
	return out
}

// ShiftedGeoMean returns the interval of ShiftedGeoMean, none where that is NaN.
func (b Bootstrap) ShiftedGeoMean(xs []float64, shift float64) Interval {
	shifted := make([]float64, len(xs))
	for i, x := range xs {
		shifted[i] = x + shift
	}
	i := b.Mean(Logs(shifted))[0]
	return Interval{math.Exp(i.Lo) - shift, math.Exp(i.Hi) - shift}
}

// Logs returns the logarithms of xs, whose mean is the logarithm of the geometric mean. NaN stands for a value that has none.
func Logs(xs []float64) []float64 {
	ls := make([]float64, len(xs))
	for i, x := range xs {
		ls[i] = math.NaN()
		if x > 0 {
			ls[i] = math.Log(x)
		}
	}
	return ls
}

// Quantile returns the p-quantile of a sorted sample by linear interpolation between order statistics, type 7 of Hyndman
// and Fan (1996): the default of R, NumPy and spreadsheets, which gonum/stat does not have. It is infinite where the upper of the
// two is and has a part in it; NaN for an empty sample.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := p * float64(len(sorted)-1)
	i := int(h)
	if share := h - float64(i); share > 0 && sorted[i] != sorted[i+1] { // infinities are not subtracted from each other
		return sorted[i] + share*(sorted[i+1]-sorted[i])
	}
	return sorted[i]
}
