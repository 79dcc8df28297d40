package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// Gates say what counts as a regression. The zero value lets everything pass.
type Gates struct {
	// Ratio is by how much the mean ratio of an algorithm may grow, such as 0.01; nil: by anything. Values do not vary from
	// run to run, so no test stands between a change and the verdict.
	Ratio *float64 `json:"ratio"`
	// Gap is by how much the mean ratio − 1, or the mean regret, may grow, relative to what it was; nil: by anything. It tells
	// changes near the optimum apart, of which the ratio hardly speaks.
	Gap *float64 `json:"gap"`
	// Time is by how much the mean time of an algorithm may grow. Times vary, so the growth must be certain, too: the 95 %
	// interval of the mean change above 1, or with fewer than six instances every change above the threshold. Processor times
	// decide where both sides have them.
	Time        *float64 `json:"time"`
	Correctness bool     `json:"correctness"` // any Finding, and any Contradiction that base does not have already
	Missing     bool     `json:"missing"`     // units of base that head does not have
}

// DefaultGates is what ParseGates reads when nothing else is asked for.
const DefaultGates = "ratio=1%,time=20%,correctness"

// ParseGates reads a list such as ratio=1%,time=0.2,correctness,missing; none, by itself, lets everything pass.
func ParseGates(list string) (Gates, error) {
	var g Gates
	if list == "none" {
		return g, nil
	}
	thresholds := map[string]**float64{"ratio": &g.Ratio, "gap": &g.Gap, "time": &g.Time}
	switches := map[string]*bool{"correctness": &g.Correctness, "missing": &g.Missing}
	for item := range strings.SplitSeq(list, ",") {
		name, text, valued := strings.Cut(strings.TrimSpace(item), "=")
		threshold, on := thresholds[name], switches[name]
		switch x, ok := parseThreshold(text); {
		case threshold == nil && on == nil:
			return g, fmt.Errorf("%q is none of ratio=X, gap=X, time=X, correctness, missing, or none alone", name)
		case threshold != nil && *threshold != nil || on != nil && *on:
			return g, fmt.Errorf("%s is given twice", name)
		case threshold != nil && !ok:
			return g, fmt.Errorf("%s needs a threshold of 0 or more such as %s=5%% or %s=0.05, not %q", name, name, name, text)
		case threshold != nil:
			*threshold = &x
		case valued:
			return g, fmt.Errorf("%s takes no threshold, not %q", name, text)
		default:
			*on = true
		}
	}
	return g, nil
}

func parseThreshold(s string) (x float64, ok bool) {
	number, percent := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	return x, err == nil && x >= 0 && stats.IsFinite(x)
}

// A Regression is one reason to refuse head.
type Regression struct {
	Gate      string `json:"gate"` // correctness, ratio, gap, time or missing
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm,omitempty"`
	Text      string `json:"text"`
}

// rounding is how far a mean may be above its threshold: 1.01 is 1 % more than 1 however it is computed.
const rounding = 1e-9

// judge lists what is beyond the gates.
func (g Gates) judge(r *Report) []Regression {
	var out []Regression
	if g.Correctness {
		out = append(out, correctness(r)...)
	}
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		say := func(when bool, gate, format string, args ...any) {
			if when {
				out = append(out, Regression{gate, a.Problem, a.Algorithm, fmt.Sprintf(format, args...)})
			}
		}
		q, t := &a.Quality, &a.Time
		say(g.Ratio != nil && float64(q.Change) > 1+*g.Ratio+rounding, "ratio", "mean ratio %s over %d instances, worse on %d",
			percent(q.Change), q.Quotients, q.Worse)
		say(g.Ratio != nil && float64(q.Shift) > *g.Ratio+rounding, "ratio",
			"values %s in the mean of the %d instances without a quotient, worse on %d in all", percent(1+q.Shift), q.Differences, q.Worse)
		say(g.Gap != nil && float64(q.HeadGap) > (1+*g.Gap)*float64(q.BaseGap)+rounding, "gap",
			"mean ratio − 1 or regret %.3g → %.3g over %d instances, worse on %d", float64(q.BaseGap), float64(q.HeadGap),
			q.RatioInstances, q.Worse)
		say(g.Time != nil && t.slow(*g.Time), "time", "%s", t.words())
	}
	if g.Missing {
		for _, u := range r.BaseOnly {
			out = append(out, Regression{"missing", u.Problem, u.Algorithm, fmt.Sprintf("%d units of base are not in head", u.Units)})
		}
	}
	return out
}

// belowThreshold lists the algorithms whose values are worse for certain, by the interval or by the signed rank test, though no
// gate says so.
func belowThreshold(r *Report) []Improvement {
	var out []Improvement
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		q := &a.Quality
		worse := q.Change > 1+rounding || q.Shift > rounding
		certain := q.ChangeCI.Lo > 1 || q.ShiftCI.Lo > 0 || q.WilcoxonP < stats.Significant || q.Worse >= fewest && q.Better == 0
		if !worse || !certain || slices.ContainsFunc(r.Regressions, func(g Regression) bool {
			return g.Problem == a.Problem && g.Algorithm == a.Algorithm && (g.Gate == "ratio" || g.Gate == "gap")
		}) {
			continue
		}
		gap := ""
		if q.RatioInstances > 0 { // bounds have no distance from the optimum
			gap = fmt.Sprintf("ratio − 1 or regret %.3g → %.3g, ", float64(q.BaseGap), float64(q.HeadGap))
		}
		out = append(out, Improvement{a.Problem, a.Algorithm, fmt.Sprintf("ratio %s, %sworse on %d of %d instances",
			percent(q.Change), gap, q.Worse, q.Instances)})
	}
	return out
}

// correctness lists one regression a problem, algorithm and kind, with the first case of each.
func correctness(r *Report) []Regression {
	type key struct{ problem, algorithm, what string }
	var order []key
	count, such := map[key]int{}, map[key]string{}
	add := func(k key, example string) {
		if count[k]++; count[k] == 1 {
			order, such[k] = append(order, k), example
		}
	}
	for _, c := range r.Contradictions {
		if !c.Before {
			add(key{c.Problem, c.Value.Algorithm, "contradictions"}, c.String())
		}
	}
	for _, f := range r.Findings {
		add(key{f.Problem, f.Algorithm, f.Kind}, f.String())
	}
	var out []Regression
	for _, k := range order {
		text := fmt.Sprintf("%d %s, such as %s", count[k], k.what, such[k])
		out = append(out, Regression{"correctness", k.problem, k.algorithm, text})
	}
	return out
}

// threshold is what the verdicts on times go by.
func (g Gates) threshold() float64 {
	if g.Time == nil {
		return 0.2
	}
	return *g.Time
}

// verdict says what is certain of the change, whatever the machine did.
func (t *Time) verdict(threshold float64) Verdict {
	change, ci := t.decisive()
	limit := summary.Number((1 + threshold) * t.Machine)
	switch {
	case t.slow(threshold):
		return Slower
	case t.Instances < stats.MinSample:
		return NotEnough
	case change < 1/limit && ci.Hi < 1:
		return Faster
	case ci.Hi <= limit:
		return Similar
	}
	return NotEnough
}

// decisive is the change that verdicts go by: of processor times if all instances have them, else of wall times.
func (t *Time) decisive() (summary.Number, CI) {
	if t.CPUs == t.Instances {
		return t.CPUChange, t.CPUChangeCI
	}
	return t.Change, t.ChangeCI
}

// slow reports whether times grew for certain by more than the threshold, whatever the machine did.
func (t *Time) slow(threshold float64) bool {
	change, ci := t.decisive()
	limit := summary.Number((1+threshold)*t.Machine) + rounding
	if t.Instances < stats.MinSample {
		return t.Instances >= fewest && t.Least > limit && change > limit
	}
	return change > limit && ci.Lo > summary.Number(t.Machine)
}

// fewest is how many instances a verdict on times takes when all of them agree.
const fewest = 3

// words are what a change of times is reported by.
func (t *Time) words() string {
	change, _ := t.decisive()
	return fmt.Sprintf("%s over %d instances %s, median %s → %s", percent(change), t.Instances, t.certainty(),
		words.Seconds(t.BaseMedian), words.Seconds(t.HeadMedian))
}

func (t *Time) certainty() string {
	if t.Instances < stats.MinSample {
		return "(too few for an interval, but all slower by at least " + strings.TrimPrefix(percent(t.Least), "+") + ")"
	}
	_, ci := t.decisive()
	what := ""
	if t.CPUs == t.Instances {
		what = " of processor time"
	}
	return fmt.Sprintf("(95 %% interval%s %s to %s)", what, percent(ci.Lo), percent(ci.Hi))
}
