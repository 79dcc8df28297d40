package verdicts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
)

// number writes three digits, or all of a whole number.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		return "∞"
	case x == math.Trunc(x) && math.Abs(x) < 1e6:
		return minus(strconv.FormatFloat(x, 'f', -1, 64))
	case math.Abs(x) >= 1e6 || math.Abs(x) < 1e-4:
		return minus(strconv.FormatFloat(x, 'g', 3, 64))
	case math.Abs(x) >= 100:
		return minus(strconv.FormatFloat(x, 'f', 0, 64))
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		short = x
	}
	return minus(strconv.FormatFloat(short, 'f', -1, 64))
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// within writes a range: its ends, or its one value.
func within(b claims.Bounds) string {
	low, high := number(b.Low), number(b.High)
	if math.IsInf(b.Low, -1) {
		low = "−∞"
	}
	if low == high {
		return low
	}
	return low + " … " + high
}

// paper writes the paper's value with its tolerance.
func paper(c *claims.Claim) string {
	r := c.Paper
	var s string
	switch {
	case r.Low == nil && r.High == nil:
		return "–"
	case r.High == nil:
		s = "≥ " + number(*r.Low)
	case r.Low == nil:
		s = "≤ " + number(*r.High)
	case *r.Low == *r.High:
		s = number(*r.Low)
	default:
		s = number(*r.Low) + " … " + number(*r.High)
	}
	switch t := c.Tolerance; {
	case t.Value > 0:
		s += " ± " + number(t.Value)
	case t.Relative > 0:
		s += " ± " + number(100*t.Relative) + " %"
	}
	if r.Unit != "" {
		s += " " + r.Unit
	}
	return s
}

// where says at which settings a claim has the paper's value: how many, and the parameters whose values set them apart.
func (e *Entry) where() string {
	points := e.Grade.Points
	var inside []experiment.Point
	for i, p := range points {
		if p.Inside {
			inside = append(inside, e.Experiment.Measured.Design[i])
		}
	}
	text := fmt.Sprintf("at %d of %d settings", len(inside), len(points))
	var limits []string
	for _, f := range e.Experiment.Untold {
		if limit := narrowed(f, inside); limit != "" {
			limits = append(limits, limit)
		}
	}
	if len(limits) > 0 {
		text += ": " + strings.Join(limits, ", ")
	}
	if points[0].Inside {
		text += "; the default is one"
	}
	return text
}

// narrowed says of a parameter what values it has at the points, if those are less than 60 % of its range.
func narrowed(f experiment.Factor, points []experiment.Point) string {
	if len(f.Choices) > 0 {
		var values []string
		for _, p := range points {
			if v := fmt.Sprint(p.At[f.Name]); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) == len(f.Choices) {
			return ""
		}
		slices.Sort(values)
		return f.Name + " " + strings.Join(values, " or ")
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		v := toFloat(p.At[f.Name])
		low, high = min(low, v), max(high, v)
	}
	scale := func(v float64) float64 { return v }
	if f.Scale == "log" {
		scale = math.Log
	}
	if !finite(low) || scale(high)-scale(low) > 0.6*(scale(*f.High)-scale(*f.Low)) {
		return ""
	}
	return f.Name + " " + within(claims.Bounds{Low: low, High: high})
}

// toFloat is a parameter's value as a number; NaN: it is none.
func toFloat(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	case int64:
		return float64(n)
	case uint64:
		return float64(n)
	}
	return math.NaN()
}

// setting writes the values of the named parameters at a point; none named: all.
func (e *Experiment) setting(point int, names []string) string {
	p := e.Measured.Design[point]
	var list []string
	for _, f := range e.Untold {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		text := fmt.Sprint(p.At[f.Name])
		if v := toFloat(p.At[f.Name]); !math.IsNaN(v) {
			text = number(v)
		}
		list = append(list, f.Name+" "+text)
	}
	text := strings.Join(list, ", ")
	if p.Default {
		text += " (the default)"
	}
	return text
}

// box writes the range of a parameter.
func box(f experiment.Factor) string {
	if len(f.Choices) > 0 {
		list := make([]string, len(f.Choices))
		for i, c := range f.Choices {
			list[i] = fmt.Sprint(c)
		}
		return strings.Join(list, ", ")
	}
	text := within(claims.Bounds{Low: *f.Low, High: *f.High})
	if f.Factor {
		text += " times"
	}
	return text
}
