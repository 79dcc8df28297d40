package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// Gates say what counts as a regression. The zero value lets everything pass.
type Gates struct {
	// Ratio is the largest allowed growth of an algorithm's mean ratio, such as 0.01; nil means any. Values do not vary from
	// run to run, so no test stands between a change and the verdict.
	Ratio *float64 `json:"ratio"`
	// Gap is the largest allowed relative growth of the mean ratio − 1, or of the mean regret; nil means any. It tells
	// changes near the optimum apart, which hardly alter the ratio; growth by less than 1e-6 passes.
	Gap *float64 `json:"gap"`
	// Time is the largest allowed growth of an algorithm's mean processor time. Times vary, so the growth must be certain, too:
	// the 95 % interval of the mean change above 1, or with fewer than six instances every change above the threshold.
	Time        *float64 `json:"time"`
	Correctness bool     `json:"correctness"` // any Finding, and any Contradiction that base does not have already
	Missing     bool     `json:"missing"`     // units that the suites of both sides ask for, and only base has
	Changed     bool     `json:"changed"`     // units whose conditions changed, which are not compared; any Changed
}

// DefaultGates are the gates without --fail-on.
const DefaultGates = "ratio=1%,gap=10%,time=20%,correctness,missing"

// ParseGates reads a list such as ratio=1%,time=0.2,correctness,missing; none, by itself, lets everything pass.
func ParseGates(list string) (Gates, error) {
	var g Gates
	if list == "none" {
		return g, nil
	}
	thresholds := map[string]**float64{"ratio": &g.Ratio, "gap": &g.Gap, "time": &g.Time}
	switches := map[string]*bool{"correctness": &g.Correctness, "missing": &g.Missing, "changed": &g.Changed}
	for item := range strings.SplitSeq(list, ",") {
		name, text, valued := strings.Cut(strings.TrimSpace(item), "=")
		threshold, on := thresholds[name], switches[name]
		switch x, ok := parseThreshold(text); {
		case threshold == nil && on == nil:
			return g, fmt.Errorf("%q is none of ratio=X, gap=X, time=X, correctness, missing, changed, or none alone", name)
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
	Gate      string `json:"gate"` // correctness, ratio, gap, time, missing or changed
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm,omitempty"`
	Text      string `json:"text"`
}

const (
	// rounding is how far a mean may be above its threshold: 1.01 is 1 % more than 1 however it is computed.
	rounding = 1e-9
	// leastGap is the growth of a mean distance from the optimum that the gate gap lets pass whatever it was before.
	leastGap = 1e-6
)

// judge lists the violated gates.
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
		lost := ""
		if q.Lost > 0 {
			lost = fmt.Sprintf(", no result any more of %s, which counts as infinite", words.Count(q.Lost, "unit"))
		}
		say(g.Ratio != nil && float64(q.Change) > 1+*g.Ratio+rounding, "ratio", "mean ratio %s over %d instances, worse on %d%s",
			percent(q.Change), q.Quotients, q.Worse, lost)
		say(g.Ratio != nil && float64(q.Shift) > *g.Ratio+rounding, "ratio",
			"values %s in the mean of the %d instances without a quotient, worse on %d in all%s", percent(1+q.Shift), q.Differences,
			q.Worse, lost)
		say(g.Gap != nil && g.widened(q), "gap", "mean ratio − 1 or regret %s → %s, worse on %d of %d instances%s",
			words.Significant(float64(q.BaseGap)), words.Significant(float64(q.HeadGap)), q.Worse, q.Instances, lost)
		say(g.Time != nil && t.slow(*g.Time), "time", "%s", t.words())
	}
	if g.Missing {
		for _, u := range r.Missing {
			out = append(out, Regression{"missing", u.Problem, u.Algorithm, fmt.Sprintf(
				"head lacks %s of base, on %s", words.Count(u.Units, "unit"), u.names())})
		}
	}
	if g.Changed {
		for _, u := range r.Changed {
			out = append(out, Regression{"changed", u.Problem, u.Algorithm, fmt.Sprintf("%s a new %s", words.Have(u.Units, "unit"), u.What)})
		}
	}
	return out
}

// widened reports whether the mean distance from the optimum grew by more than the gate allows.
func (g Gates) widened(q *Quality) bool {
	base, head := float64(q.BaseGap), float64(q.HeadGap)
	return head > (1+*g.Gap)*base+rounding && head-base >= leastGap
}

// belowThreshold lists the algorithms whose values are worse for certain though no gate says so, and why they pass.
func belowThreshold(r *Report) []Note {
	var out []Note
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		q := &a.Quality
		if !q.worse() || slices.ContainsFunc(r.Regressions, func(g Regression) bool {
			return g.Problem == a.Problem && g.Algorithm == a.Algorithm && g.Gate != "time" && g.Gate != "missing"
		}) {
			continue
		}
		out = append(out, Note{a.Problem, a.Algorithm, fmt.Sprintf("%s, worse on %d of %d instances; it passes since %s and %s",
			a.change(), q.Worse, q.Instances, r.Gates.whyRatio(), r.Gates.whyGap(q))})
	}
	return out
}

// whyRatio says why the gate of ratios lets an algorithm pass.
func (g Gates) whyRatio() string {
	if g.Ratio == nil {
		return "the gate ratio is off"
	}
	return fmt.Sprintf("ratio=%g%% allows that", 100**g.Ratio)
}

// whyGap says why the gate of gaps lets an algorithm pass.
func (g Gates) whyGap(q *Quality) string {
	base, head := float64(q.BaseGap), float64(q.HeadGap)
	switch {
	case g.Gap == nil:
		return "the gate gap is off"
	case math.IsNaN(base):
		return "its distance from the optimum is not known"
	case head-base < leastGap:
		return "its distance from the optimum grew by less than 1e-6"
	}
	return fmt.Sprintf("gap=%g%% allows a distance from the optimum of %s after %s", 100**g.Gap, words.Significant(head),
		words.Significant(base))
}

// improvements lists changes that would be regressions in the other direction.
func improvements(r *Report) []Note {
	var out []Note
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		say := func(when bool, format string, args ...any) {
			if when {
				out = append(out, Note{a.Problem, a.Algorithm, fmt.Sprintf(format, args...)})
			}
		}
		q, limit, proved := &a.Quality, 0.0, 0
		if r.Gates.Ratio != nil {
			limit = *r.Gates.Ratio
		}
		for _, p := range a.pairs {
			if !p.found() && !p.base.Proved() && p.head.Proved() {
				proved++
			}
		}
		say(float64(q.Change) < 1/(1+limit)-rounding, "mean ratio %s over %d instances, better on %d", percent(q.Change), q.Quotients,
			q.Better)
		say(float64(q.Shift) < -limit-rounding, "values %s in the mean of the %d instances without a quotient, better on %d in all",
			percent(1+q.Shift), q.Differences, q.Better)
		say(a.Time.Verdict == Faster, "%s", a.Time.words())
		say(q.Found > 0, "%s a result that had none", have(q.Found))
		say(proved > 0, "%s a proof that had none", have(proved))
	}
	return out
}

func have(units int) string { return words.Have(units, "unit") }

// correctness lists one regression a problem, algorithm and kind, with the first case of each.
func correctness(r *Report) []Regression {
	type key struct{ problem, algorithm, what string }
	var order []key
	count, such := map[key]int{}, map[key]string{}
	add := func(k key, example string) {
		count[k]++
		if count[k] == 1 {
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

// threshold is the change of times that counts.
func (g Gates) threshold() float64 {
	if g.Time == nil {
		return 0.2
	}
	return *g.Time
}

// A Finding is a unit that is less correct than before.
type Finding struct {
	Kind       string `json:"kind"`
	Problem    string `json:"problem"`
	Algorithm  string `json:"algorithm"`
	Instance   string `json:"instance"`
	SHA256     string `json:"instance_sha256"`
	Seed       int64  `json:"seed"`
	UnitID     string `json:"unit_id"`
	BaseStatus string `json:"base_status"`
	HeadStatus string `json:"head_status"`
	Error      string `json:"error,omitempty"` // of head, its first line and, of more, the last: what stderr ended with
	Command    string `json:"command"`         // that runs the unit again
}

// The kinds of findings, the worst first; a unit has one.
const (
	Failed     = "failed"     // invalid, crash, error or oom, and it was none of these
	Lost       = "lost"       // there was a checked solution, or a bound, and there is none
	Unproven   = "unproven"   // it was proven optimal or infeasible
	Unfinished = "unfinished" // it ran to its end and now runs into a limit
)

// findings lists the units of an algorithm that are less correct than before.
func findings(a *Algorithm) []Finding {
	var out []Finding
	for _, p := range a.pairs {
		if kind := p.finding(); kind != "" {
			out = append(out, Finding{
				Kind: kind, Problem: a.Problem, Algorithm: a.Algorithm, Instance: p.head.Instance, SHA256: p.head.InstanceSHA256,
				Seed: p.head.Seed, UnitID: p.id, BaseStatus: p.base.Status, HeadStatus: p.head.Status,
				Error: brief(words.Text(p.head.Error)), Command: summary.Command(p.head.Record),
			})
		}
	}
	rank := []string{Failed, Lost, Unproven, Unfinished}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)) })
	return out
}

func (p *pair) finding() string {
	base, head := bench.Status(p.base.Status), bench.Status(p.head.Status)
	switch {
	case head.Broken() && !base.Broken():
		return Failed
	case p.lost():
		return Lost
	case p.base.Proved() && !p.head.Proved():
		return Unproven
	case base == bench.Feasible && head != bench.Feasible && head != bench.Optimal:
		return Unfinished
	}
	return ""
}

// brief is the first line of an error and the last one that says something.
func brief(whole string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(whole), "\n")
	last := rest[strings.LastIndexByte(rest, '\n')+1:]
	last = strings.TrimSpace(last)
	if last != "" {
		return first + " … " + last
	}
	return first
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s on %s, seed %d: %s → %s", f.Algorithm, f.Instance, f.Seed, f.BaseStatus, f.HeadStatus)
	if f.Error != "" {
		s += " (" + f.Error + ")"
	}
	return s
}
