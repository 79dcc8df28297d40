package worst

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"schedgap/bench"
)

// CurveFile is the file of a Curve; Point.File and Point.Searched are beside it.
const CurveFile = "curve.json"

// An Axis is what a curve is drawn against, with its values.
type Axis struct {
	Name   string    `json:"axis"` // speed or jobs
	Values []float64 `json:"values"`
	Speed  float64   `json:"speed,omitempty"` // of the algorithm's machines on a curve over jobs; 0: 1
}

// ParseAxis reads speed=1,1.5,2, jobs=2..8, or jobs=2..8@1.5 with a speed.
func ParseAxis(text string) (a Axis, err error) {
	name, list, _ := strings.Cut(text, "=")
	a.Name = name
	if name != "speed" && name != "jobs" {
		return a, fmt.Errorf("curve %q must be speed=A,B,…, jobs=A..B or jobs=A..B@SPEED", text)
	}
	if sizes, speed, fixed := strings.Cut(list, "@"); fixed && name == "jobs" {
		a.Speed, err = strconv.ParseFloat(speed, 64)
		if err != nil || !(a.Speed >= 1 && a.Speed <= 1000) {
			return a, fmt.Errorf("curve %q: the speed %s must be a number from 1 to 1000", text, speed)
		}
		list = sizes
	}
	if from, to, is := strings.Cut(list, ".."); is {
		low, err := strconv.Atoi(from)
		high, err2 := strconv.Atoi(to)
		err = errors.Join(err, err2)
		if err != nil || low > high || high-low >= 100 {
			return a, fmt.Errorf("curve %q: %s must be a range of at most 100 whole numbers, such as 2..8", text, list)
		}
		for v := low; v <= high; v++ {
			a.Values = append(a.Values, float64(v))
		}
	} else {
		for part := range strings.SplitSeq(list, ",") {
			v, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return a, fmt.Errorf("curve %q: %q must be a number", text, part)
			}
			a.Values = append(a.Values, v)
		}
	}
	for i, v := range a.Values {
		if !(v >= 1 && v <= 1000) || i > 0 && v <= a.Values[i-1] || name == "jobs" && v != math.Trunc(v) {
			return a, fmt.Errorf("curve %q: the values must be between 1 and 1000 and rise, those of jobs must be whole; %v is not so", text, v)
		}
	}
	return a, nil
}

// suits says why a problem has no curve over the axis.
func (a Axis) suits(p *bench.Problem) error {
	if (a.Name == "speed" || a.Speed > 0) && p.Augmentation == nil {
		return fmt.Errorf("algorithms of %s are given no more than the optimum: a curve can be over jobs only", p.Name)
	}
	return nil
}

// A Curve is the worst instance found at each value of an axis.
type Curve struct {
	Problem     string         `json:"problem"`
	Algorithm   string         `json:"algorithm"`
	Params      map[string]any `json:"params"`
	Generator   map[string]any `json:"generator"`
	Reference   string         `json:"reference"`
	Jobs        int            `json:"jobs"` // the most of an instance
	Within      []Range        `json:"within"`
	Evaluations int            `json:"evaluations"` // of each search, and of the random instances beside it
	Seed        uint64         `json:"seed"`
	Axis
	Points []Point `json:"points"`
}

// A Point is one value of a curve. Ratios are of values whose optima are proven, so that the ratio is a lower bound on the algorithm's
// competitive ratio there.
type Point struct {
	At       float64 `json:"at"`
	Done     bool    `json:"done"`     // the search is over
	Searched string  `json:"searched"` // file of the instance that the search at this value found; empty: nothing
	File     string  `json:"instance"` // file of the worst of all instances found at any value; empty: none is worse than optimal
	From     float64 `json:"found_at"` // the value at which it was found

	Objective    *float64 `json:"objective"`
	Optimum      *float64 `json:"optimum"`       // without augmentation, proven
	Ratio        *float64 `json:"ratio"`         // of these
	EqualOptimum *float64 `json:"equal_optimum"` // with as much augmentation as the algorithm, proven; null: it is not known
	EqualRatio   *float64 `json:"equal_ratio"`

	Random *float64 `json:"random"` // the worst ratio of as many random instances
	// SuiteMean is the mean over the SuiteSize instances of Options.Suite that the algorithm has a schedule of at every value of the
	// curve; nil means that an optimum is not proven. SuiteDeclined is the number of the others.
	SuiteMean     *float64 `json:"suite_mean"`
	SuiteSize     int      `json:"suite_size"`
	SuiteDeclined int      `json:"suite_declined"`

	Bound          *float64 `json:"paper_bound"` // that the algorithm's source proves there; null: nothing that covers the instance
	Shape          bool     `json:"shape"`       // up to a constant factor only
	Statement      string   `json:"statement,omitempty"`
	CounterExample bool     `json:"counter_example"` // the ratio exceeds a bound whose constant is known
}

// A Shelf keeps the files of a curve by their names. Read returns nil where there is none.
type Shelf struct {
	Read  func(name string) ([]byte, error)
	Write func(name string, data []byte) error
}

// curve is a search at several values.
type curve struct {
	Curve
	o     Options
	shelf Shelf
	found []entry // by point; without an instance where nothing was found
}

// Trace searches at every value of the axis. What is on the shelf already, of a search with the same options, is not searched again.
// When ctx ends, the points that are done are on the shelf.
func Trace(ctx context.Context, o Options, axis Axis, shelf Shelf) (*Curve, error) {
	if err := axis.suits(o.Problem); err != nil {
		return nil, err
	}
	c := &curve{o: o, shelf: shelf, found: make([]entry, len(axis.Values))}
	s, err := newSearch(o)
	if err != nil {
		return nil, err
	}
	c.o.Reference = s.Reference
	c.Curve = Curve{
		o.Problem.Name, o.Request.Algorithm, o.Request.Params, o.Params, s.Reference, o.Jobs, o.Within, o.Evaluations, o.Seed, axis,
		make([]Point, len(axis.Values)),
	}
	if err := c.resume(); err != nil {
		return nil, err
	}
	for i := range c.Points {
		if !c.Points[i].Done {
			if err := c.search(ctx, i); err != nil {
				return nil, err
			}
			if err := c.save(); err != nil {
				return nil, err
			}
		}
	}
	if err := c.typical(ctx); err != nil {
		return nil, err
	}
	for i := range c.Points {
		if err := c.settle(ctx, i); err != nil {
			return nil, err
		}
	}
	return &c.Curve, c.save()
}

// resume reads the points that are done.
func (c *curve) resume() error {
	for i, v := range c.Values {
		c.Points[i].At = v
	}
	data, err := c.shelf.Read(CurveFile)
	if err != nil || data == nil {
		return err
	}
	old, own := Curve{}, c.Curve
	if err := json.Unmarshal(data, &old); err != nil {
		return fmt.Errorf("%s: %w", CurveFile, err)
	}
	points := old.Points
	old.Points, own.Points = nil, nil
	if len(points) != len(c.Points) {
		return fmt.Errorf("%s has %d points for %d values", CurveFile, len(points), len(c.Points))
	}
	if a, b := asJSON(old), asJSON(own); a != b {
		return fmt.Errorf("%s is of another search: %s, and not %s", CurveFile, a, b)
	}
	for i := range points {
		c.Points[i] = points[i]
		if !points[i].Done || points[i].Searched == "" {
			continue
		}
		c.found[i].instance, err = read(c.o.Problem, c.shelf, points[i].Searched)
		if err != nil {
			return err
		}
	}
	return nil
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func read(p *bench.Problem, shelf Shelf, name string) (*bench.Instance, error) {
	data, err := shelf.Read(name)
	if err == nil && data == nil {
		err = fmt.Errorf("%s: there is no such file", name)
	}
	if err != nil {
		return nil, err
	}
	return p.ParseInstance(name, data)
}

func (c *curve) save() error {
	data, err := json.MarshalIndent(c.Curve, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", CurveFile, err)
	}
	return c.shelf.Write(CurveFile, append(data, '\n'))
}

// at are the options of the search at a value, and the factor of augmentation there.
func (c *curve) at(v float64) (Options, float64) {
	o, a := c.o, c.o.Problem.Augmentation
	o.Params, o.Request.Params = maps.Clone(o.Params), maps.Clone(o.Request.Params)
	factor := v
	if c.Name == "jobs" {
		o.Jobs, factor = int(v), max(1, c.Speed)
	}
	switch {
	case c.Name == "jobs" && c.Speed == 0:
	case a.Param != "":
		o.Request.Params[a.Param] = factor
	default:
		o.augment = factor
	}
	return o, factor
}

// search finds the worst instance at a value, and measures random instances beside it.
func (c *curve) search(ctx context.Context, i int) error {
	p := &c.Points[i]
	o, _ := c.at(p.At)
	f, err := Run(ctx, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case errors.Is(err, ErrNothing):
	case err != nil:
		return fmt.Errorf("%s %v: %w", c.Name, p.At, err)
	default:
		c.found[i] = entry{instance: f.Instance, value: f.Value}
	}
	s, err := newSearch(o)
	if err != nil {
		return err
	}
	for k := range uint64(o.Evaluations) {
		in, _, _ := s.source.draw(rand.New(rand.NewPCG(o.Seed, k)))
		if in == nil || in.Size.Jobs > o.Jobs || s.box.beyond(in) > 0 {
			continue
		}
		v, err := s.evaluator.evaluate(ctx, 0, in, Score{})
		if err != nil {
			return err
		}
		if v.Optimum != nil && v.Score.Rank == ByRatio {
			if p.Random == nil || v.Score.Value > *p.Random {
				p.Random = &v.Score.Value
			}
			if own := c.found[i].value; own == nil || own.Score.less(v.Score) { // luck counts, too
				c.found[i] = entry{instance: in, value: v}
			}
		}
	}
	p.Done = true
	if in := c.found[i].instance; in != nil {
		p.Searched = fmt.Sprintf("searched-%g.json", p.At)
		return c.shelf.Write(p.Searched, in.JSON)
	}
	return nil
}

// typical measures the suite at every value. An instance that the algorithm declines or fails at one value is left out at all, so that
// the means of a curve are over the same instances; if an optimum is not proven, there is no mean.
func (c *curve) typical(ctx context.Context) error {
	sums := make([]float64, len(c.Points))
	n, declined := 0, 0
	for _, in := range c.o.Suite {
		values, err := c.along(ctx, in)
		switch {
		case err != nil:
			return err
		case values == nil:
			declined++
			continue
		}
		n++
		for i, v := range values {
			sums[i] += v
		}
	}
	for i := range c.Points {
		p := &c.Points[i]
		p.SuiteMean, p.SuiteSize, p.SuiteDeclined = nil, n, declined
		if mean := sums[i] / float64(n); n > 0 && !math.IsNaN(mean) {
			p.SuiteMean = &mean
		}
	}
	return nil
}

// along are the ratios of an instance at the values of the curve, NaN where the optimum is not proven; nil means that the algorithm
// has no schedule of it at one of them.
func (c *curve) along(ctx context.Context, in *bench.Instance) ([]float64, error) {
	ratios := make([]float64, len(c.Points))
	for i, p := range c.Points {
		o, _ := c.at(p.At)
		_, v, err := measured(ctx, o, in)
		switch {
		case err != nil:
			return nil, err
		case v.Failure != "":
			return nil, nil
		}
		ratios[i] = math.NaN()
		if v.Optimum != nil && v.Score.Rank == ByRatio {
			ratios[i] = v.Score.Value
		}
	}
	return ratios, nil
}

// settle tries the instances of all points at one of them, and keeps the worst: no point is lower than what another one's instance
// shows there.
func (c *curve) settle(ctx context.Context, i int) error {
	p := &c.Points[i]
	o, factor := c.at(p.At)
	best := Score{}
	var kept *bench.Instance
	for k := range c.found {
		in := c.found[k].instance
		if in == nil || in.Size.Jobs > o.Jobs {
			continue
		}
		in, v, err := measured(ctx, o, in)
		if err != nil {
			return err
		}
		if v.Optimum == nil || v.Score.Rank != ByRatio || !best.less(v.Score) {
			continue
		}
		best, kept = v.Score, in
		p.From, p.Objective, p.Optimum, p.Ratio = c.Points[k].At, &v.Objective, v.Optimum, &v.Score.Value
	}
	if kept == nil {
		return nil
	}
	p.File = fmt.Sprintf("point-%g.json", p.At)
	if err := c.shelf.Write(p.File, kept.JSON); err != nil {
		return err
	}
	var err error
	p.EqualOptimum, err = equalOptimum(ctx, o, kept, factor, p.Optimum)
	if err != nil {
		return err
	}
	if p.EqualOptimum != nil {
		p.EqualRatio = new(*p.Objective / *p.EqualOptimum)
	}
	p.promise(o, kept, factor)
	return nil
}

// promise enters what the algorithm's source proves.
func (p *Point) promise(o Options, in *bench.Instance, factor float64) {
	p.Bound, p.Shape, p.Statement, p.CounterExample = nil, false, "", false
	a, arg, err := o.Problem.Find(o.Request.Algorithm)
	if err != nil || a.Guarantee == nil || !a.Guarantee.Covers(asJSON(o.Request.Params)) {
		return
	}
	bound, ok := a.Guarantee.Ratio(in.Features, arg, factor)
	if !ok {
		return
	}
	p.Bound, p.Shape, p.Statement = &bound, a.Guarantee.Shape, a.Guarantee.Statement()
	p.CounterExample = !p.Shape && *p.Ratio > bound*(1+tolerance)
}

// measured is an instance as it is at a point, with the value of the algorithm and the optimum, proven by all means.
func measured(ctx context.Context, o Options, in *bench.Instance) (*bench.Instance, *Value, error) {
	e, err := newEvaluator(o)
	if err == nil && o.augment > 0 {
		in, err = o.Problem.Augmentation.Set(in, o.augment)
	}
	if err != nil {
		return nil, nil, err
	}
	patient := e.patient()
	v, err := patient.evaluate(ctx, 0, in, Score{})
	return in, v, err
}

// equalOptimum is the optimum with as much as the algorithm has, given the one without augmentation; nil means that it is not proven.
func equalOptimum(ctx context.Context, o Options, in *bench.Instance, factor float64, optimum *float64) (*float64, error) {
	if factor == 1 {
		return optimum, nil
	}
	equal, err := o.Problem.Augmentation.Equal(in, factor)
	if err != nil {
		return nil, err
	}
	exact := o.Problem.Exact(o.Reference)
	res := o.Problem.Run(newSteps(ctx, proof*longer), equal, bench.Request{Algorithm: exact, Seed: 1, Threads: 1}, bench.Observer{})
	if res.Status != bench.Optimal {
		return nil, ctx.Err()
	}
	return res.Objective, ctx.Err()
}

// Recheck proves a curve again from its files: every optimum, every value of the algorithm. The error names the first point that is not
// as its file says.
func Recheck(ctx context.Context, p *bench.Problem, stored *Curve, shelf Shelf) error {
	c := &curve{Curve: *stored, o: Options{
		Problem: p, Request: bench.Request{Algorithm: stored.Algorithm, Params: stored.Params, Seed: 1, Threads: 1}, Jobs: stored.Jobs,
		Reference: stored.Reference, Evaluations: stored.Evaluations, Params: stored.Generator,
	}}
	if err := stored.suits(p); err != nil {
		return fmt.Errorf("%s: %w", CurveFile, err)
	}
	for i := range stored.Points {
		want := stored.Points[i]
		if want.File == "" {
			continue
		}
		if want.Objective == nil || want.Optimum == nil || want.Ratio == nil {
			return fmt.Errorf("%s: point %v has an instance and not objective, optimum and ratio", CurveFile, want.At)
		}
		in, err := read(p, shelf, want.File)
		if err != nil {
			return err
		}
		o, factor := c.at(want.At)
		in, v, err := measured(ctx, o, in)
		if err != nil {
			return err
		}
		equal, err := equalOptimum(ctx, o, in, factor, v.Optimum)
		if err != nil {
			return err
		}
		same := func(a, b *float64) bool { return a != nil && b != nil && in.Accuracy.Same(*a, *b) }
		switch {
		case v.Failure != "" || !same(&v.Objective, want.Objective):
			return fmt.Errorf("%s: the value of %s is %v, and not %v %s", want.File, c.Algorithm, v.Objective, *want.Objective, v.Failure)
		case !same(v.Optimum, want.Optimum):
			return fmt.Errorf("%s: the optimum %v is not proven", want.File, *want.Optimum)
		case want.EqualOptimum != nil && !same(equal, want.EqualOptimum):
			return fmt.Errorf("%s: the optimum %v with the algorithm's machines is not proven", want.File, *want.EqualOptimum)
		case math.Abs(*want.Ratio-v.Score.Value) > 1e-9*v.Score.Value:
			return fmt.Errorf("%s: the ratio is %v, and not as the file says", want.File, v.Score.Value)
		}
	}
	return nil
}
