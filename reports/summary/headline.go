package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
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
		return p.lost() + p.nothingCompared()
	}
	rows := p.Ranked(v, Class{})
	text := p.apart(v, rows)
	for _, r := range rows {
		if r != rows[len(rows)-1] && r.Unsolved > 0 && r.Failed() > 0 {
			text += fmt.Sprintf("; %s failed on %s", r.Label, words.Count(p.total(r).lost, "instance"))
			break
		}
	}
	if i := slices.IndexFunc(p.References, func(r Reference) bool { return r.Name == v.Reference }); i >= 0 &&
		p.References[i].Easy > 0 {
		text += fmt.Sprintf("; easy: %d of %s", p.References[i].Easy, words.Count(p.Instances, "instance"))
	}
	return p.lost() + text
}

// lost names the commands without any solution where others have some, and what they did instead; empty: there are none.
func (p *Problem) lost() (text string) {
	if !slices.ContainsFunc(p.Outcomes, func(o Outcome) bool { return o.Solutions > 0 }) {
		return ""
	}
	for i := range p.Outcomes {
		o := &p.Outcomes[i]
		if ran := o.Units - o.Statuses[string(bench.Skipped)]; o.Kind == string(models.External) && o.Solutions == 0 && ran > 0 {
			text += fmt.Sprintf("%s has no solution: of %s %s; ", p.Marked(o.Label), words.Count(o.Units, "unit"), ended(o.Statuses))
		}
	}
	return text
}

// apart is about the best algorithm of a view and the last one, by the same numbers on the same instances; rows is not empty.
func (p *Problem) apart(v *View, rows []*Ratios) string {
	d := p.distance(v)
	mine := slices.IndexFunc(rows, func(r *Ratios) bool { return p.Yours != "" && r.Label == p.Yours })
	lead := ""
	if mine >= 0 {
		marked := *rows[mine]
		marked.Label = p.Marked(marked.Label)
		rows[mine] = &marked
		if mine > 0 {
			lead = d.leading(&marked, rows) + "; "
		}
		if all := p.total(&marked); marked.Unsolved == 0 && all.lost > 0 {
			lead += fmt.Sprintf("%s has no solution on %d of %s; ", marked.Label, all.lost, words.Count(all.instances, "instance"))
		}
	}
	first, last := rows[0], rows[len(rows)-1]
	text := d.of(first, sentence)
	if d.optimal(first) {
		text = p.optimalOn(first)
		if same := slices.IndexFunc(rows, func(r *Ratios) bool { return !d.optimal(r) }); len(rows) > 1 && same < 0 {
			text, last = fmt.Sprintf("all %d algorithms are optimal on %d of %s", len(rows), first.commonOptimal,
				words.Count(p.Instances, "instance")), first
		}
	}
	if last != first && mine != len(rows)-1 {
		text += "; " + d.last(last, rows)
	}
	of := ""
	if d.optimal(first) { // else the sentence names it
		of = v.Objective() + ", "
	}
	return fmt.Sprintf("%s%s (%s%s)", lead, text, of, p.set(v, rows)) + undecided(rows)
}

// leading is about the algorithm that a sentence begins with, but which is not the best.
func (d distance) leading(r *Ratios, rows []*Ratios) string {
	if r.Unsolved > 0 {
		return d.last(r, rows)
	}
	return d.of(r, sentence)
}

// OptimalOf says on how many instances the algorithm has the optimum, of those that it was run on and applies to. Sentences,
// tables and files have both numbers from here.
func (r *Ratios) OptimalOf() (k, n int) {
	if !r.Outside {
		k = int(r.Optimal)
	}
	return k, r.Instances
}

// last says how far the last algorithm is: of one without a solution somewhere on how many instances, and how far it is on those
// that all solved.
func (d distance) last(r *Ratios, rows []*Ratios) string {
	if r.Unsolved == 0 {
		return d.of(r, phrase)
	}
	t := d.problem.total(r)
	text := fmt.Sprintf("%s has no solution on %d of the %s it was run on", r.Label, t.lost, words.Count(t.instances, "instance"))
	if mean, m := onSolved(r, rows); m > 0 {
		what := "instance"
		if r.CommonSize < d.problem.Instances {
			what = "compared instance"
		}
		text += fmt.Sprintf(" and is %s on average on the %s that all solved", d.words(mean, phrase), words.Count(m, what))
	}
	return text
}

// onSolved is an algorithm's leading mean of high ends over the instances that all rows solved, and their number.
func onSolved(r *Ratios, rows []*Ratios) (mean Number, m int) {
	var xs []float64
	for i, x := range r.common {
		if !slices.ContainsFunc(rows, func(o *Ratios) bool { return len(o.common) != len(r.common) || o.lost[i] }) {
			xs = append(xs, x)
		}
	}
	if r.Regret {
		return Number(stats.Mean(xs)), len(xs)
	}
	return Number(stats.GeoMean(xs)), len(xs)
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
	problem *Problem
	view    *View
	max     bool
	optimum string
}

// distance is how a view's distances are put into words.
func (p *Problem) distance(v *View) distance {
	d := distance{problem: p, view: v, max: p.Sense == models.Maximize.String(), optimum: "the optimum"}
	if name := objective(v.Instances); name != "" {
		d.optimum = "the optimal " + name
	}
	if v.Reference != p.References[0].Name {
		d.optimum += " of " + v.Reference
	}
	return d
}

// optimal reports whether an algorithm has the optimum wherever it is compared with others.
func (d distance) optimal(r *Ratios) bool {
	return r.commonProven == r.CommonSize && r.commonOptimal == r.CommonSize
}

// of is an algorithm's mean and worst case on the instances that all have in common. The mean is followed by its confidence
// interval, if the algorithm has no other instances.
func (d distance) of(r *Ratios, length int) string {
	mean := r.Common
	average := d.words(mean.Hi, number)
	way := strings.TrimPrefix(d.words(mean.Hi, length), average)
	if low := d.words(mean.Lo, number); low != average {
		average = strings.TrimSuffix(low, " %") + "–" + average
	}
	if lead := r.Lead(); lead.CILo.Known() && r.Compared+r.Unsolved == r.CommonSize && d.near(lead.CILo) == d.near(lead.CIHi) &&
		d.near(lead.CIHi) == d.near(mean.Hi) {
		average += " " + d.interval(lead)
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
	return fmt.Sprintf("%s is %s, %s at worst", r.Label, average, d.words(r.CommonWorst, far))
}

// interval is the confidence interval of a mean, the smaller distance first. Distances on the other side of the optimum than the
// mean are negative.
func (d distance) interval(mean Span) string {
	if !d.near(mean.Hi) {
		return words.Interval(mean.CILo, mean.CIHi, func(x Number) string { return d.words(x, number) })
	}
	lo, hi := far(d.max, d.view.Regret, float64(mean.CILo)), far(d.max, d.view.Regret, float64(mean.CIHi))
	if far(d.max, d.view.Regret, float64(mean.Hi)) < 0 {
		lo, hi = -hi, -lo
	}
	return words.PercentageInterval(lo, hi)
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

// LeadText is the leading mean as tables and figures write it, in percent: an infinite one with the number of instances that
// make it so.
func (p *Problem) LeadText(r *Ratios) string {
	mean := r.Lead()
	text := words.Percentage(p.Far(r.Regret, float64(mean.Lo)), p.Far(r.Regret, float64(mean.Hi)))
	if math.IsInf(float64(mean.Hi), 1) {
		text += fmt.Sprintf(" (%d of %d)", r.LeadInfinite(), r.Compared+r.Unsolved)
	}
	return text
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

// How much of "12 % above the optimum" is written.
const (
	number = iota
	phrase
	sentence
)

// words writes a ratio as a percentage of the optimum, as tables do, or from twice the optimum on as a multiple.
func (d distance) words(x Number, length int) string {
	f := float64(x)
	way, back := " above ", " below "
	if d.max {
		way, back = back, way
	}
	text := ""
	switch {
	case math.IsInf(f, 1):
		return "∞"
	case !d.near(x):
		text, way = words.Times(f), " "
	default:
		over := far(d.max, d.view.Regret, f)
		if text = words.Percentage(math.Abs(over), math.Abs(over)); over < 0 && text != "0 %" {
			way = back
		}
		if d.view.Regret && length != number {
			text += " of the scale"
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
// the one with more instances; nil: nothing is compared. A report on one command begins with the class of its solutions.
func (p *Problem) LeadView() *View { return p.leadOf(p.Yours) }

// leadOf is LeadView of a report on the algorithm of a label; empty: on all.
func (p *Problem) leadOf(label string) *View {
	var lead, own *View
	for _, v := range p.Views {
		rows := p.Ranked(v, Class{})
		if len(rows) == 0 {
			continue
		}
		if lead == nil || (v.Reference == lead.Reference && len(v.Instances) > len(lead.Instances)) {
			lead = v
		}
		mine := slices.ContainsFunc(rows, func(r *Ratios) bool { return r.Label == label && v.classOf(&r.Variant) == v.Reference })
		if mine && (own == nil || len(v.Instances) > len(own.Instances)) {
			own = v
		}
	}
	return cmp.Or(own, lead)
}

// classOf is the class of a command's solutions; empty: the variant is no command, or its solutions differ in class.
func (v *View) classOf(variant *Variant) string {
	class := ""
	for of, cells := range v.Cells {
		if *of != *variant || of.Kind != string(models.External) {
			continue
		}
		for i := range cells {
			for _, u := range cells[i].Units {
				if class != "" && u.Class != class {
					return ""
				}
				class = u.Class
			}
		}
	}
	return class
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

// ended says how units ended that have no solution.
func ended(statuses map[string]int) string {
	var parts []string
	for _, end := range endings {
		if n := statuses[string(end.status)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, end.words))
		}
	}
	return strings.Join(parts, ", ")
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
		text := fmt.Sprintf("no solution on %s: of %s %s", words.Count(p.Instances, "instance"), words.Count(p.Units, "unit"),
			ended(statuses))
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

// scale says what a regret of 100 % is.
func (p *Problem) scale() string {
	return fmt.Sprintf("100 %% of the scale is %s; see docs/problems/%s.md#objective.", p.ScaleDoc, p.Name)
}

// Reading explains what of the headlines needs it; empty: nothing does.
func (r *Report) Reading() string {
	says := func(what string) bool {
		return slices.ContainsFunc(r.Headlines, func(h Headline) bool { return strings.Contains(h.Text, what) })
	}
	var parts []string
	if says("–") {
		parts = append(parts, "a–b: range of the mean, since some optima are open.")
	}
	if says("[") {
		parts = append(parts, "[c, d]: 95 % confidence interval.")
	}
	if says(" of the scale") {
		for _, p := range r.Problems {
			if v := p.LeadView(); v != nil && v.Regret && p.ScaleDoc != "" {
				parts = append(parts, p.scale())
			}
		}
	}
	return strings.Join(parts, " ")
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

// declared are the metrics that policies are about, the problem's objective first.
var declared = []string{
	"objective", "mean_flowtime", "average_response", "mean_response", "pocd", "mean_execution", "makespan",
}

// conditions are metrics of how a simulation went, rather than of what its policy did.
var conditions = []string{"load", "warm_up", "jobs_at_start", "jobs_at_end", "steady_half_width", "steady_state"}

// Condition reports whether the metric is one of how the simulation went, which tables and figures leave to the last: bounds are,
// since results are divided by them.
func (s *Simulation) Condition() bool {
	return slices.Contains(conditions, s.Metric) || strings.HasSuffix(s.Metric, bound) && !strings.HasSuffix(s.Metric, OverBound)
}

// metricRank orders metrics: the declared ones over their bounds, then these alone, then others, then conditions.
func metricRank(metric string) int {
	base, over := strings.CutSuffix(metric, OverBound)
	i := slices.Index(declared, base)
	switch {
	case i >= 0 && over:
		return i
	case i >= 0:
		return len(declared) + i
	case (&Simulation{Metric: metric}).Condition():
		return 2*len(declared) + 1
	}
	return 2 * len(declared)
}

// Telling is the first simulation of the metric that stands for those of a problem, the declared objective over its bound where
// that is known; nil: it has none.
func (r *Report) Telling(problem string) *Simulation {
	var lead *Simulation
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Problem == problem && (lead == nil || metricRank(s.Metric) < metricRank(lead.Metric)) {
			lead = s
		}
	}
	return lead
}

// simulationHeadline counts the simulations and gives the range of one metric over policies on the first workload.
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
			return words.Percentage(s.Mean, s.Mean)
		}
		return words.Number(s.Mean) + unit
	}
	return fmt.Sprintf("%s; %s from %s (%s) to %s (%s)", text, Words(lead.Metric), write(least), least.Name(), write(most),
		most.Name())
}
