package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Band is a word for the share of a box's settings at which a claim holds.
type Band int

// The bands, from the least share to the largest.
const (
	Nowhere Band = iota // at most 5 %
	Rarely              // at most a third
	Depends
	Mostly     // at least two thirds
	Everywhere // at least 95 %
)

// Bands are their words.
var Bands = []string{"nowhere", "rarely", "depends", "mostly", "everywhere"}

func (b Band) String() string { return Bands[b] }

func bandOf(share float64) Band {
	switch {
	case share >= 0.95:
		return Everywhere
	case share >= 2./3:
		return Mostly
	case share > 1./3:
		return Depends
	case share > 0.05:
		return Rarely
	}
	return Nowhere
}

// The verdicts that are no band.
const (
	Proven        = "proven"           // an argument shows it
	Refuted       = "refuted"          // a theorem with a counter-example
	NotRefuted    = "not contradicted" // a theorem of which no instance that was tried is a counter-example
	NotMeasurable = "not measurable"   // a value, trace or constant is lost
	NotMeasured   = "not measured"     // nothing is stored of it
	// at more than half of the settings the interval neither lies in the paper's range nor misses it
	TooNoisy      = "too noisy"
	OffEverywhere = "off at every setting"
)

// A Target is a set of values that count as a claim's: a range, or all values outside of it.
type Target struct {
	Bounds
	Outside bool
}

// Holds reports whether all of b is in the target, Misses whether nothing of it is.
func (t Target) Holds(b Bounds) bool {
	if t.Outside {
		return b.Misses(t.Bounds)
	}
	return b.Inside(t.Bounds)
}

// Misses reports whether nothing of b is in the target.
func (t Target) Misses(b Bounds) bool { return Target{t.Bounds, !t.Outside}.Holds(b) }

// A Point is a claim's statistic at one setting of the design.
type Point struct {
	Mean     float64
	Interval Bounds // 95 % over the blocks
}

// at is the mean as a range.
func (p Point) at() Bounds { return Bounds{p.Mean, p.Mean} }

// A Share says at how many settings of a box a target is met.
type Share struct {
	Of             int    // settings
	Held           int    // of these, where the mean is in the target
	Sure, Off      int    // where the whole interval is, and where nothing of it is
	Within         Bounds // 95 % of the share of settings that hold, by Wilson; of a single setting the share itself
	Least, Most    Band   // of the ends of Within
	At             []bool // by setting: whether it holds
	noisy, nowhere bool
}

// ShareOf counts the settings at which a target is met.
func ShareOf(points []Point, t Target) Share {
	s := Share{Of: len(points)}
	for _, p := range points {
		s.At = append(s.At, t.Holds(p.at()))
		if s.At[len(s.At)-1] {
			s.Held++
		}
		if t.Holds(p.Interval) {
			s.Sure++
		} else if t.Misses(p.Interval) {
			s.Off++
		}
	}
	s.noisy, s.nowhere = 2*(s.Of-s.Sure-s.Off) > s.Of, s.Off == s.Of
	s.Within = wilson(s.Held, s.Of)
	s.Least, s.Most = bandOf(s.Within.Low), bandOf(s.Within.High)
	return s
}

// Holding reports whether it holds mostly or everywhere, for certain: this is what is counted.
func (s Share) Holding() bool { return s.Of > 0 && !s.noisy && s.Least >= Mostly }

// Of1 is the share of the settings; NaN: there are none.
func (s Share) Value() float64 { return float64(s.Held) / float64(s.Of) }

// Verdict is the band, or the two between which the share is; or that nothing can be said, or that it is off at every setting.
func (s Share) Verdict() string {
	switch {
	case s.nowhere:
		return OffEverywhere
	case s.noisy:
		return TooNoisy
	case s.Least == s.Most:
		return s.Least.String()
	}
	return s.Least.String() + " to " + s.Most.String()
}

// wilson is the interval of 95 % of a share, k of n. A single setting is all that there is, and has no error.
func wilson(k, n int) Bounds {
	share, m := float64(k)/float64(n), float64(n)
	if n <= 1 {
		return Bounds{share, share}
	}
	z := distuv.UnitNormal.Quantile(0.975)
	middle := (share + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	b := Bounds{max(0, middle-half), min(1, middle+half)}
	if k == 0 {
		b.Low = 0
	}
	if k == n {
		b.High = 1
	}
	return b
}

// A Grade is what was measured of a claim.
type Grade struct {
	Verdict   string
	Value     float64 // at the default; NaN: nothing is measured
	Interval  Bounds  // 95 % over the blocks, at the default
	Envelope  Bounds  // the least to the greatest end of an interval over the design
	Points    []Point // by setting of the design; the first is the default
	Share     *Share  // nil: it has none, as a theorem
	Direction *Share  // of which Sure counts; nil: no direction is claimed
	Decoys    []Decoy // false claims, by the same measurement
}

// A Decoy is a claim that is false if the paper's is true.
type Decoy struct {
	Name   string // double, half or negation
	Target Target
	Share  Share
}

// Measured reports whether the grade rests on a measurement.
func (g Grade) Measured() bool { return len(g.Points) > 0 }

// Grade judges the claim by what was measured: its statistic by setting of a design, then by independent block. The first setting
// is the default. Nil: nothing was.
func (c Claim) Grade(values [][]float64) Grade {
	g := Grade{Verdict: NotMeasured, Value: math.NaN(), Interval: none, Envelope: none}
	switch {
	case c.Argument != "":
		g.Verdict = Proven
		return g
	case c.Missing != "":
		g.Verdict = NotMeasurable
		return g
	case len(values) == 0:
		return g
	}
	for _, blocks := range values {
		p := Point{}
		p.Mean, p.Interval = Interval(blocks)
		g.Envelope = g.Envelope.Union(p.Interval)
		g.Points = append(g.Points, p)
	}
	g.Value, g.Interval = g.Points[0].Mean, g.Points[0].Interval
	target := Target{Bounds: c.Bounds()}
	if c.Kind == Theorem {
		if g.Verdict = NotRefuted; target.Misses(g.Interval) {
			g.Verdict = Refuted
		}
		return g
	}
	share := ShareOf(g.Points, target)
	g.Share, g.Verdict = &share, share.Verdict()
	if direction, ok := c.direction(); ok {
		d := ShareOf(g.Points, direction)
		g.Direction = &d
	}
	for _, d := range c.decoys() {
		d.Share = ShareOf(g.Points, d.Target)
		g.Decoys = append(g.Decoys, d)
	}
	return g
}

// neutral is the value, by unit, that says that there is no effect.
var neutral = map[string]float64{"percent": 0, "points": 0, "difference": 0, "ratio": 1}

// direction is on which side of no effect the paper's value lies; of an order or a shape it is the claim itself.
func (c Claim) direction() (Target, bool) {
	b, p := c.Bounds(), c.Paper
	if c.Kind != Number {
		return Target{Bounds: b}, true
	}
	none, ok := neutral[c.Unit]
	switch {
	case ok && p.Low != nil && *p.Low > none:
		return Target{Bounds: Bounds{none, math.Inf(1)}}, true
	case ok && p.High != nil && *p.High < none:
		return Target{Bounds: Bounds{math.Inf(-1), none}}, true
	}
	return Target{}, false
}

// decoys are the false claims beside a claim: of a number its double and its half, of which a half-line keeps the one that it
// does not imply, and a share the one that there can be; of an order, a shape and a half-line the negation.
func (c Claim) decoys() []Decoy {
	var list []Decoy
	p := c.Paper
	if c.Kind != Number || p.Low == nil || p.High == nil {
		list = append(list, Decoy{Name: "negation", Target: Target{c.Bounds(), true}})
	}
	if c.Kind != Number {
		return list
	}
	for _, f := range []struct {
		name string
		by   float64
	}{{"double", 2}, {"half", 0.5}} {
		d := c
		d.Paper.Low, d.Paper.High = times(p.Low, f.by), times(p.High, f.by)
		implied := p.High == nil && f.by < 1 || p.Low == nil && f.by > 1
		if !implied && !(c.Unit == "share" && d.Paper.Low != nil && *d.Paper.Low > 1) {
			list = append(list, Decoy{Name: f.name, Target: Target{Bounds: d.Bounds()}})
		}
	}
	return list
}

func times(x *float64, by float64) *float64 {
	if x == nil {
		return nil
	}
	y := *x * by
	return &y
}

// Interval is the mean over independent blocks and its interval of 95 % by Student's t. Blocks that do not vary have a point, and
// so has a single block, since only what draws nothing is measured once; a block that is no number excludes nothing.
func Interval(blocks []float64) (mean float64, within Bounds) {
	mean, sd := stat.MeanStdDev(blocks, nil)
	n := float64(len(blocks))
	switch {
	case n == 0 || math.IsNaN(mean) || math.IsInf(mean, 0):
		return math.NaN(), Line()
	case slices.Min(blocks) == slices.Max(blocks):
		return blocks[0], Bounds{blocks[0], blocks[0]}
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	return mean, Bounds{mean - half, mean + half}
}
