package stats

import "math"

// A Segment is a part of a series, [From, To), with the line that fits it best: of Slope a value, 0 for a level one, through Level at
// its middle.
type Segment struct {
	From, To     int
	Level, Slope float64
	squares      float64 // of the residuals
}

// middle is where the line has its Level.
func (s Segment) middle() float64 { return float64(s.From+s.To-1) / 2 }

// At is the line's value at a place, which may be outside or between values.
func (s Segment) At(place float64) float64 { return s.Level + s.Slope*(place-s.middle()) }

// The shortest segments. What is shorter may be a bad night or two, or a slope of anything.
const (
	ShortestLevel = 3
	ShortestSlope = 8
)

// Segments splits a series of noise sd > 0 into level and sloping segments by optimal partitioning (Jackson et al. 2005; with the
// pruning that short series do not need, it is the PELT of Killick, Fearnhead and Eckley 2012): of all partitions the one with
// the least sum of squared residuals over sd² and penalties, those of the modified BIC of Zhang and Siegmund (2007) for a change,
// 3 log n, and twice the logarithm for a slope.
func Segments(xs []float64, sd float64) []Segment {
	f := newFitter(xs)
	n := len(xs)
	change, slope := 3*math.Log(float64(n)), slopePenalty(n)
	least := make([]float64, n+1) // of the values before
	last := make([]Segment, n+1)
	for to := 1; to <= n; to++ {
		least[to] = math.Inf(1)
		for from := 0; from == 0 || from <= to-ShortestLevel; from++ {
			if from > 0 && math.IsInf(least[from], 1) {
				continue
			}
			s, cost := f.best(from, to, sd, slope)
			if from > 0 {
				cost += least[from] + change
			}
			if cost < least[to] && (from > 0 || to >= ShortestLevel || to == n) {
				least[to], last[to] = cost, s
			}
			if from == 0 && to < ShortestLevel {
				break
			}
		}
	}
	var back []Segment
	for to := n; to > 0; to = last[to].From {
		back = append(back, last[to])
	}
	segments := make([]Segment, 0, len(back))
	for i := range back {
		segments = append(segments, back[len(back)-1-i])
	}
	return segments
}

func slopePenalty(n int) float64 { return 2 * math.Log(float64(n)) }

// A fitter fits lines to any part of a series in constant time.
type fitter struct{ sum, square, product []float64 } // of the values before: Σx, Σx², Σix

func newFitter(xs []float64) *fitter {
	f := &fitter{make([]float64, len(xs)+1), make([]float64, len(xs)+1), make([]float64, len(xs)+1)}
	for i, x := range xs {
		f.sum[i+1], f.square[i+1], f.product[i+1] = f.sum[i]+x, f.square[i]+x*x, f.product[i]+float64(i)*x
	}
	return f
}

// best is the better of a level and a sloping line, which costs more, with its cost.
func (f *fitter) best(from, to int, sd, slope float64) (Segment, float64) {
	s := f.fit(from, to, false)
	cost := s.squares / (sd * sd)
	if to-from >= ShortestSlope {
		if t := f.fit(from, to, true); t.squares/(sd*sd)+slope < cost {
			return t, t.squares/(sd*sd) + slope
		}
	}
	return s, cost
}

func (f *fitter) fit(from, to int, sloping bool) Segment {
	n := float64(to - from)
	s := Segment{From: from, To: to}
	sum := f.sum[to] - f.sum[from]
	s.Level = sum / n
	s.squares = f.square[to] - f.square[from] - sum*s.Level
	if sloping {
		across := f.product[to] - f.product[from] - s.middle()*sum
		s.Slope = across / s.spread()
		s.squares -= s.Slope * across
	}
	s.squares = max(0, s.squares)
	return s
}

// spread is the sum of squares of the places around the middle.
func (s Segment) spread() float64 {
	n := float64(s.To - s.From)
	return n * (n*n - 1) / 12
}

// variance is that of the line at a place, for noise of variance 1.
func (s Segment) variance(place float64) float64 {
	v := 1 / float64(s.To-s.From)
	if s.Slope != 0 {
		d := place - s.middle()
		v += d * d / s.spread()
	}
	return v
}
