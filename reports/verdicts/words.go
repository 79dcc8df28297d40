package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
	"schedgap/reports/words"
)

// within writes a range: its ends, or its one value.
func within(b claims.Bounds) string {
	return words.Range(words.Significant(b.Low), " … ", words.Significant(b.High))
}

// paper writes the paper's value with its tolerance.
func paper(c *claims.Claim) string {
	r := c.Paper
	var s string
	switch {
	case r.Low == nil && r.High == nil:
		return words.None
	case r.High == nil:
		s = "≥ " + words.Significant(*r.Low)
	case r.Low == nil:
		s = "≤ " + words.Significant(*r.High)
	default:
		s = within(claims.Bounds{Low: *r.Low, High: *r.High})
	}
	switch t := c.Tolerance; {
	case t.Value > 0:
		s += " ± " + words.Significant(t.Value)
	case t.Relative > 0:
		s += " ± " + words.Significant(100*t.Relative) + " %"
	}
	if r.Unit != "" {
		s += " " + r.Unit
	}
	return s
}

// where says at which settings a claim has the paper's value: how many, and the parameters that tell them best from the others.
func (e *Entry) where() string {
	points, design := e.Grade.Points, e.Experiment.Measured.Design
	var inside []experiment.Point
	for i, p := range points {
		if p.Inside {
			inside = append(inside, design[i])
		}
	}
	text := fmt.Sprintf("at %d of %d settings", len(inside), len(points))
	type limit struct {
		text  string
		share float64 // of the settings within the limit that have the paper's value
	}
	var limits []limit
	for _, f := range e.Experiment.Untold {
		if text, holds := narrowed(f, inside); text != "" {
			n := 0
			for _, p := range design {
				if holds(p) {
					n++
				}
			}
			limits = append(limits, limit{text, float64(len(inside)) / float64(n)})
		}
	}
	slices.SortStableFunc(limits, func(a, b limit) int { return cmp.Compare(b.share, a.share) })
	var shown []string
	for _, l := range limits {
		if all := float64(len(inside)) / float64(len(points)); l.share > 1.4*all && len(shown) < 2 {
			shown = append(shown, l.text)
		}
	}
	if len(shown) > 0 {
		text += ", only with " + strings.Join(shown, ", ")
	}
	if points[0].Inside {
		text += "; the default is one"
	}
	return text
}

// inside are the points of the design at which the claim has the paper's value; 0 is the default.
func (e *Entry) inside() []int {
	var list []int
	for i, p := range e.Grade.Points {
		if p.Inside {
			list = append(list, i)
		}
	}
	return list
}

// numbers writes a list of whole numbers.
func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// fewest is the least number of settings that say something of a parameter: of fewer, chance narrows every one.
const fewest = 3

// narrowed says of a parameter what values it has at the points, with a function for whether it has such a one at another; empty: as
// good as all of its range.
func narrowed(f experiment.Factor, points []experiment.Point) (text string, holds func(experiment.Point) bool) {
	if len(points) < fewest {
		return "", nil
	}
	if len(f.Choices) > 0 {
		var values []string
		for _, p := range points {
			if v := fmt.Sprint(p.At[f.Name]); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) == len(f.Choices) {
			return "", nil
		}
		slices.Sort(values)
		return f.Name + " " + strings.Join(values, " or "), func(p experiment.Point) bool { return slices.Contains(values, fmt.Sprint(p.At[f.Name])) }
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		v := toFloat(p.At[f.Name])
		low, high = min(low, v), max(high, v)
	}
	return f.Name + " " + within(claims.Bounds{Low: low, High: high}), func(p experiment.Point) bool {
		v := toFloat(p.At[f.Name])
		return low <= v && v <= high
	}
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
			text = words.Significant(v)
		}
		list = append(list, f.Name+" "+text)
	}
	text := strings.Join(list, ", ")
	switch {
	case len(list) == 0:
		return "the only one"
	case p.Default:
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
