package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Identified returns the interval of a mean that even the whole population would leave open between two ends, since it is one of
// values known up to intervals [lo_i, hi_i]: it covers the mean, wherever it lies, with the probability b.Level (Imbens and
// Manski, Econometrica 72, 2004). If the ends are the same it is the interval of Mean; if they are far apart twice as much is
// cut off at either end, as only one of them can be missed. None where Mean has none.
func (b Bootstrap) Identified(los, his []float64) Interval {
	if len(los) < MinSample || slices.Equal(los, his) {
		return b.Mean(los)[0]
	}
	meanLo, sdLo := stat.MeanStdDev(los, nil)
	meanHi, sdHi := stat.MeanStdDev(his, nil)
	half := reach((meanHi-meanLo)/stat.StdErr(max(sdLo, sdHi), float64(len(los))), b.Level)
	b.Level = 2*distuv.UnitNormal.CDF(half) - 1
	ends := b.Mean(los, his)
	return Interval{ends[0].Lo, ends[1].Hi}
}

// reach solves Φ(c + width) − Φ(−c) = level, eq. 7 of Imbens and Manski: c falls from the two-sided quantile to the one-sided
// one.
func reach(width, level float64) float64 {
	lo, hi := distuv.UnitNormal.Quantile(level), distuv.UnitNormal.Quantile((1+level)/2)
	if math.IsNaN(width) || width <= 0 {
		return hi
	}
	for range 50 {
		if c := (lo + hi) / 2; distuv.UnitNormal.CDF(c+width)-distuv.UnitNormal.CDF(-c) < level {
			lo = c
		} else {
			hi = c
		}
	}
	return hi
}
