package verdicts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
	"schedgap/models"
	"schedgap/reports/words"
)

// within writes a range: its ends, or its one value.
func within(b claims.Bounds) string {
	return words.Range(words.Significant(b.Low), " … ", words.Significant(b.High))
}

// paper writes the paper's value with its tolerance.
func (e *Entry) paper() string {
	r := e.Paper
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
	switch t := e.Tolerance; {
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

// percent writes a share.
func percent(part, of int) string {
	if of == 0 {
		return words.None
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(of))
}

// verdict is the verdict with the one number that belongs to it: of how many settings, or of a theorem the worst that was found.
func (e *Entry) verdict() string {
	g := e.Grade
	switch {
	case g.Share != nil && g.Share.Of > 1:
		text := fmt.Sprintf("%s, %d of %d", g.Verdict, g.Share.Held, g.Share.Of)
		if len(e.Circular) > 0 || e.Unscored != "" {
			text += ", no evidence"
		} else if e.Experiment.Chance() {
			text += ", cannot tell from chance"
		}
		return text
	case g.Verdict == claims.NotRefuted:
		text := g.Verdict + ": worst found " + words.Significant(g.Value)
		if e.Paper.Low != nil || e.Paper.High != nil {
			text += ", stated " + e.paper()
		}
		return text
	}
	return g.Verdict
}

// The most that the chance of a split may be that is printed, and the least number of settings within it.
const (
	mostChance  = 0.01
	leastWithin = 3
)

// split is the smallest assumption on one parameter under which a claim holds at every setting; empty: none that chance would not
// make as well. The chance is that of so many settings beyond a limit, or with a choice, all being among those where the claim
// holds if these were drawn at random, times the number of limits and choices that there are (Bonferroni).
func (e *Entry) split() string {
	s := e.Grade.Share
	if s == nil || s.Held == 0 || s.Held == s.Of || e.Experiment == nil {
		return ""
	}
	design := e.Experiment.Measured.Design
	best, text, tried := mostChance, "", 0
	chance := func(within int) float64 {
		p := 1.
		for i := range within {
			p *= float64(s.Held-i) / float64(s.Of-i)
		}
		return p
	}
	try := func(within int, what string) {
		if p := chance(within); within >= leastWithin && p <= best {
			best, text = p, fmt.Sprintf("at all %d settings with %s", within, what)
		}
	}
	for _, f := range e.Experiment.Untold {
		if len(f.Choices) > 0 {
			tried += len(f.Choices)
			for _, choice := range f.Choices {
				n, all := 0, true
				for i, p := range design {
					if fmt.Sprint(p.At[f.Name]) == fmt.Sprint(choice) {
						n, all = n+1, all && s.At[i]
					}
				}
				if all {
					try(n, fmt.Sprintf("%s %v", f.Name, choice))
				}
			}
			continue
		}
		tried += 2
		value := func(i int) float64 { return toFloat(design[i].At[f.Name]) }
		for _, sign := range []float64{1, -1} {
			order := models.OrderBy(s.Of, func(i int) float64 { return sign * value(i) })
			n := slices.IndexFunc(order, func(i int) bool { return !s.At[i] })
			for n > 0 && value(order[n-1]) == value(order[n]) {
				n--
			}
			if n > 0 {
				try(n, f.Name+map[float64]string{1: " ≤ ", -1: " ≥ "}[sign]+words.Significant(value(order[n-1])))
			}
		}
	}
	if best*float64(tried) > mostChance {
		return ""
	}
	return text
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

// setting writes the values of the parameters at a point.
func (e *Experiment) setting(point int) string {
	p := e.Measured.Design[point]
	var list []string
	for _, f := range e.Untold {
		text := fmt.Sprint(p.At[f.Name])
		if v := toFloat(p.At[f.Name]); !math.IsNaN(v) {
			text = words.Significant(v)
		}
		list = append(list, f.Name+" "+text)
	}
	switch {
	case len(list) == 0:
		return "the only one"
	case p.Default:
		return "the default"
	}
	return strings.Join(list, ", ")
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
