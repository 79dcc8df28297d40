package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Headline says in one sentence how far the algorithms of a problem are from its optimum.
type Headline struct {
	Problem string `json:"problem"`
	Text    string `json:"text"` // with the problem's name in front
}

// headlines makes one sentence a problem, those with results first.
func headlines(r *Report) []Headline {
	out := []Headline{}
	for _, p := range r.Problems {
		out = append(out, Headline{p.Name, p.Name + ": " + p.headline() + "."})
	}
	for _, name := range simulated(r) {
		out = append(out, Headline{name, name + ": " + simulationHeadline(r, name) + "."})
	}
	return out
}

// headline is the sentence of a problem with results, without its name and the full stop.
func (p *Problem) headline() string {
	v := p.LeadView()
	if v == nil {
		return p.nothingCompared()
	}
	rows := p.Ranked(v, Class{})
	text := p.apart(v, rows)
	for _, r := range rows {
		if r.Unsolved > 0 && r.Failed() > 0 {
			text += fmt.Sprintf("; %s failed on %s", r.Label, words.Count(r.NoSolution, "instance"))
			break
		}
	}
	if i := slices.IndexFunc(p.References, func(r Reference) bool { return r.Name == v.Reference }); i >= 0 &&
		p.References[i].Easy > 0 {
		text += fmt.Sprintf("; easy: %d of %s", p.References[i].Easy, words.Count(p.Instances, "instance"))
	}
	if rest := p.Instances - len(v.Instances); rest > 0 {
		how := "regret"
		if v.Regret {
			how = "ratio"
		}
		text += fmt.Sprintf("; %s compared by %s", words.Count(rest, "instance"), how)
	}
	return text
}

// apart is about the best algorithm of a view and the last one, by the same numbers on the same instances; rows is not empty.
func (p *Problem) apart(v *View, rows []*Ratios) string {
	first, last := rows[0], rows[len(rows)-1]
	d := distance{view: v, max: p.Sense == models.Maximize.String(), optimum: "the optimum"}
	if v.Reference != p.References[0].Name {
		d.optimum = v.Reference
	}
	on, proven := p.set(v, first)
	if d.zero(first.CommonWorst) {
		all := fmt.Sprintf("%s reaches", first.Label)
		if d.zero(last.CommonWorst) && last != first {
			all, last = fmt.Sprintf("all %d algorithms reach", len(rows)), first
		}
		text := fmt.Sprintf("%s %s on %s, %s", all, d.optimum, on, proven)
		if last != first {
			text += "; " + d.of(last, phrase)
		}
		return text + undecided(rows)
	}
	text := d.of(first, sentence)
	if last != first {
		text += "; " + d.of(last, phrase)
	}
	return fmt.Sprintf("%s (%s, %s)", text, on, proven) + undecided(rows)
}

// set describes the instances that all algorithms have in common.
func (p *Problem) set(v *View, first *Ratios) (on, proven string) {
	n, known := first.CommonSize, first.commonProven
	on = words.Count(n, "instance")
	if n < len(v.Instances) {
		on = fmt.Sprintf("%d of %s", n, words.Count(len(v.Instances), "instance"))
	}
	switch known {
	case n:
		return on, "all proven"
	case 0:
		return on, "none proven"
	}
	return on, fmt.Sprintf("%d proven", known)
}

// undecided names the algorithms that are not certainly worse than the best.
func undecided(rows []*Ratios) string {
	var names []string
	for _, r := range rows[1:] {
		if r.Best && r.Quality() != rows[0].Quality() {
			names = append(names, r.Label)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case rows[0].CommonSize < stats.MinSample:
		return fmt.Sprintf("; too few instances for a test: it takes %d", stats.MinSample)
	case len(names) > 3:
		return fmt.Sprintf("; %d others are not certainly worse than %s", len(names), rows[0].Label)
	case len(names) == 1:
		return fmt.Sprintf("; %s is not certainly worse than %s", names[0], rows[0].Label)
	}
	return fmt.Sprintf("; %s and %s are not certainly worse than %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1],
		rows[0].Label)
}

// A distance puts ratios or regrets into words.
type distance struct {
	view    *View
	max     bool
	optimum string
}

// of is an algorithm's mean and worst case on the instances that all have in common. The mean is followed by where it lies with
// the sampling of instances, if the algorithm has no other instances.
func (d distance) of(r *Ratios, length int) string {
	mean := r.Common
	average := d.words(mean.Hi, false, number)
	way := strings.TrimPrefix(d.words(mean.Hi, false, length), average)
	short := func(x Number) string { return strings.TrimSuffix(d.words(x, false, number), " %") }
	if low := d.words(mean.Lo, false, number); low != average {
		average = short(mean.Lo) + "–" + average
	}
	if lead := r.Lead(); lead.CILo.Known() && r.Compared+r.Unsolved == r.CommonSize && d.near(lead.CILo) == d.near(lead.CIHi) &&
		d.near(lead.CIHi) == d.near(mean.Hi) {
		average += fmt.Sprintf(" [%s, %s]", short(lead.CILo), short(lead.CIHi))
	}
	average += way
	far := number
	if d.near(mean.Hi) != d.near(r.CommonWorst) {
		far = phrase
	}
	switch {
	case math.IsInf(float64(mean.Hi), 1) && r.Unsolved > 0:
		average += fmt.Sprintf(" on average (no solution on %d of %s)", r.Unsolved, words.Count(r.Compared+r.Unsolved, "instance"))
	case math.IsInf(float64(mean.Hi), 1):
		average += fmt.Sprintf(" on average (infinite on %d of %s)", r.Infinite, words.Count(r.Compared+r.Unsolved, "instance"))
	default:
		average += " on average"
	}
	return fmt.Sprintf("%s is %s, %s at worst", r.Label, average, d.words(r.CommonWorst, true, far))
}

// Apart names the distance of an algorithm from a reference, and Far is that distance as a fraction: of the optimum for a ratio,
// of the scale for a regret.
func (p *Problem) Apart(reference string, regret bool) string {
	switch {
	case regret:
		return "regret to " + reference
	case p.Sense == models.Maximize.String():
		return "below " + reference
	}
	return "above " + reference
}

// Far is defined with Apart.
func (p *Problem) Far(regret bool, x float64) float64 {
	return far(p.Sense == models.Maximize.String(), regret, x)
}

func far(max, regret bool, x float64) float64 {
	switch {
	case regret || math.IsInf(x, 1):
		return x
	case max:
		return 1 - 1/x
	}
	return x - 1
}

// near reports whether a ratio is written in percent.
func (d distance) near(x Number) bool { return d.view.Regret || d.max || x < 2 }

func (d distance) zero(x Number) bool {
	if d.view.Regret {
		return math.Abs(float64(x)) <= ratio.Zero
	}
	return float64(x) <= 1+ratio.Same
}

// How much of "12 % above the optimum" is written.
const (
	number = iota
	phrase
	sentence
)

// words writes a ratio as a percentage of the optimum, or from twice the optimum on as a multiple. A limit is rounded up, so
// that it holds.
func (d distance) words(x Number, limit bool, length int) string {
	f := float64(x)
	way := " above "
	if d.max {
		way = " below "
	}
	text := ""
	switch {
	case math.IsInf(f, 1):
		return "∞"
	case d.view.Regret:
		if f < 0 {
			way = map[string]string{" above ": " below ", " below ": " above "}[way]
		}
		text, way = words.Digits(100*math.Abs(f), limit)+" %", " of the scale"+way
	case !d.near(x):
		text, way = words.Digits(f, limit)+" times", " "
	default:
		over := far(d.max, false, f)
		if over < -ratio.Same {
			way, over = map[string]string{" above ": " below ", " below ": " above "}[way], -over
		}
		switch pc := 100 * over; {
		case pc < 1e-7:
			text = "0 %"
		case pc < 0.001:
			text = "less than 0.001 %"
		default:
			text = words.Digits(pc, limit) + " %"
		}
	}
	switch {
	case length == number:
		return text
	case length == phrase && way != " ":
		return strings.TrimSuffix(text+way, " ")
	}
	return text + way + d.optimum
}

// LeadView is the view that the report begins with: of those with anything to compare the first reference's, and of its two
// the one with more instances; nil: nothing is compared.
func (p *Problem) LeadView() *View {
	var lead *View
	for _, v := range p.Views {
		if len(p.Ranked(v, Class{})) == 0 {
			continue
		}
		if lead == nil || (v.Reference == lead.Reference && len(v.Instances) > len(lead.Instances)) {
			lead = v
		}
	}
	return lead
}

// Ranked lists the compared contenders of a view over a class of its instances, the best first: by the mean over the instances on
// which all are compared, or by that over their own where there are none.
func (p *Problem) Ranked(v *View, class Class) []*Ratios {
	rows := p.Rows(v.Reference, v.Regret, func(r *Ratios) bool { return r.Class == class && r.ranked() })
	slices.SortStableFunc(rows, byQuality)
	return rows
}

// Failed is the number of units that ended with no more than an error; a time limit is no error.
func (r *Ratios) Failed() int { return Failed(r.Statuses) }

// Failed counts the units that ended in a crash, without memory, with an error or with a solution that the checker refused.
func Failed(statuses map[string]int) int {
	n := 0
	for _, s := range []bench.Status{bench.Crash, bench.OOM, bench.Invalid, bench.Error} {
		n += statuses[string(s)]
	}
	return n
}

// endings are the ways to end without a solution, in words.
var endings = []struct {
	status bench.Status
	words  string
}{
	{bench.Infeasible, "were proven infeasible"},
	{bench.Timeout, "ran out of time"},
	{bench.OOM, "ran out of memory"},
	{bench.Crash, "crashed"},
	{bench.Invalid, "were refused by the checker"},
	{bench.Error, "failed with an error"},
	{bench.Skipped, "were not applicable"},
	{bench.Feasible, "gave a bound only"},
}

// nothingCompared says why there are no ratios.
func (p *Problem) nothingCompared() string {
	statuses := map[string]int{}
	solutions, heuristics := 0, 0
	for _, o := range p.Outcomes {
		solutions += o.Solutions
		if o.Contender() {
			heuristics++
		}
		for s, n := range o.Statuses {
			statuses[s] += n
		}
	}
	known := p.References[0]
	switch {
	case solutions == 0:
		var parts []string
		for _, end := range endings {
			if n := statuses[string(end.status)]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, end.words))
			}
		}
		text := fmt.Sprintf("no solution on %s: of %s %s", words.Count(p.Instances, "instance"), words.Count(p.Units, "unit"),
			strings.Join(parts, ", "))
		if len(p.Reasons) > 0 {
			text += "; most often: " + strings.TrimSuffix(p.Reasons[0].Error, ".")
		}
		return text
	case heuristics == 0:
		return fmt.Sprintf("%s is proven on %d of %s; no heuristic was run", known.Name, known.Proven,
			words.Count(p.Instances, "instance"))
	case known.Untrusted == p.Instances:
		return fmt.Sprintf("the results on all of %s contradict each other or cannot be read", words.Count(p.Instances, "instance"))
	}
	return fmt.Sprintf("nothing can be compared on %s: no bound of the optimum is known where a heuristic has a solution",
		words.Count(p.Instances, "instance"))
}

// Reading explains the numbers of headlines; empty: there is nothing to explain.
func (r *Report) Reading() string {
	if !slices.ContainsFunc(r.Headlines, func(h Headline) bool {
		return strings.Contains(h.Text, "–") ||
			strings.Contains(h.Text, "[")
	}) {
		return ""
	}
	return "a–b: between these a mean lies as far as optima are not known. [c, d]: where it lies with the sampling of instances " +
		"as well, at 95 % (Imbens and Manski 2004)."
}

// simulated lists the problems that have simulations and no other results.
func simulated(r *Report) []string {
	var out []string
	for _, s := range r.Simulations {
		if !slices.Contains(out, s.Problem) && !slices.ContainsFunc(r.Problems, func(p *Problem) bool { return p.Name == s.Problem }) {
			out = append(out, s.Problem)
		}
	}
	return out
}

// telling are the metrics that a sentence on simulations is about, the first that there is.
var telling = []string{"mean_flowtime", "mean_response", "pocd", "mean_execution", "makespan"}

// Telling is the first simulation of the metric that stands for those of a problem; nil: it has none.
func (r *Report) Telling(problem string) *Simulation {
	var lead *Simulation
	rank := func(s *Simulation) int {
		if i := slices.Index(telling, s.Metric); i >= 0 {
			return i
		}
		return len(telling)
	}
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Problem == problem && (lead == nil || rank(s) < rank(lead)) {
			lead = s
		}
	}
	return lead
}

// simulationHeadline says what was simulated, and the range of one metric over policies on the first workload.
func simulationHeadline(r *Report, problem string) string {
	var list []*Simulation
	policies, workloads := map[string]bool{}, map[string]bool{}
	repetitions := 0
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Problem == problem {
			list = append(list, s)
			policies[s.Name()], workloads[s.Workload] = true, true
			repetitions = max(repetitions, s.Repetitions)
		}
	}
	lead := r.Telling(problem)
	known := slices.DeleteFunc(list, func(s *Simulation) bool {
		return s.Workload != lead.Workload || s.Metric != lead.Metric || !s.Mean.Known()
	})
	byMean := func(a, b *Simulation) int { return cmp.Compare(a.Mean, b.Mean) }
	text := fmt.Sprintf("%s simulated on %s, %s each", words.Count(len(policies), "policy"),
		words.Count(len(workloads), "workload"), words.Count(repetitions, "repetition"))
	if len(known) == 0 || slices.MinFunc(known, byMean).Mean == slices.MaxFunc(known, byMean).Mean {
		return text
	}
	least, most := slices.MinFunc(known, byMean), slices.MaxFunc(known, byMean)
	unit := ""
	if lead.Unit != "" && lead.Unit != "share" {
		unit = " " + lead.Unit
	}
	write := func(s *Simulation) string {
		if lead.Unit == "share" {
			return words.Digits(100*float64(s.Mean), false) + " %"
		}
		return words.Digits(float64(s.Mean), false) + unit
	}
	return fmt.Sprintf("%s; %s from %s (%s) to %s (%s)", text, Words(lead.Metric), write(least), least.Name(), write(most),
		most.Name())
}
