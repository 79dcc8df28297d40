package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
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
	rows := p.Ranked(v)
	text := p.best(v, rows)
	for _, r := range rows {
		if r.Compared < len(v.Instances) && r.Compared > 0 && r.Failed() > 0 {
			text += fmt.Sprintf("; %s failed on %s", r.Label, instances(r.NoSolution))
			break
		}
	}
	if rest := p.Instances - len(v.Instances); rest > 0 {
		how := "difference"
		if v.Difference {
			how = "ratio"
		}
		text += fmt.Sprintf("; %s compared by %s", instances(rest), how)
	}
	return text
}

// best is about the best algorithm of a view and the last one; rows is not empty.
func (p *Problem) best(v *View, rows []*Ratios) string {
	first, last := rows[0], rows[len(rows)-1]
	optimum := "the optimum"
	if v.Reference != p.References[0].Name {
		optimum = v.Reference
	}
	known := 0
	for i := range p.cells(v, first) {
		if c := &p.cells(v, first)[i]; c.Compared() && v.Proven(c.In) {
			known++
		}
	}
	proven := fmt.Sprintf("%d proven", known)
	switch known {
	case first.Compared:
		proven = "all proven"
	case 0:
		proven = "none proven"
	}
	on := instances(first.Compared)
	if first.Compared < len(v.Instances) {
		on = fmt.Sprintf("%d of %s", first.Compared, instances(len(v.Instances)))
	}
	d := distance{view: v, max: p.Sense == models.Maximize.String(), optimum: optimum}
	if d.zero(first.Worst.Hi) {
		if len(rows) > 1 && d.zero(last.Worst.Hi) && last.Compared == first.Compared {
			return fmt.Sprintf("all %d algorithms reach %s on %s, %s", len(rows), optimum, on, proven)
		}
		if known == first.Compared && first.Compared > 1 {
			on, proven = "all "+on, ""
		}
		text := fmt.Sprintf("%s reaches %s on %s", first.Label, optimum, on)
		if proven != "" {
			text += ", " + proven
		}
		return text + d.last(first, last)
	}
	return fmt.Sprintf("%s is at most %s on %s, %s", first.Label, d.words(first.Worst.Hi, true, sentence), on, proven) + d.last(first, last)
}

// cells belong to a row's algorithm.
func (p *Problem) cells(v *View, r *Ratios) []Cell {
	for _, variant := range v.Variants {
		if *variant == r.Variant {
			return v.Cells[variant]
		}
	}
	return nil
}

// A distance puts ratios or differences into words.
type distance struct {
	view    *View
	max     bool
	optimum string
}

// last is what follows about the last algorithm, if there are several.
func (d distance) last(first, r *Ratios) string {
	if r == first {
		return ""
	}
	mean := r.Lead()
	average := d.words(mean.Hi, false, phrase)
	if low := d.words(mean.Lo, false, phrase); low != average {
		average = strings.TrimSuffix(d.words(mean.Lo, false, number), " %") + " to " + average
	}
	far := number
	if d.near(mean.Hi) != d.near(r.Worst.Hi) {
		far = phrase
	}
	text := fmt.Sprintf("; %s is %s on average, %s at worst", r.Label, average, d.words(r.Worst.Hi, true, far))
	if r.Compared != first.Compared {
		text += " (" + instances(r.Compared) + ")"
	}
	return text
}

// near reports whether a ratio is written in percent.
func (d distance) near(x Number) bool { return !d.view.Difference && (d.max || x < 2) }

func (d distance) zero(x Number) bool {
	if d.view.Difference {
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
	case d.view.Difference:
		text = digits(math.Abs(f), limit)
		if f < 0 {
			way = map[string]string{" above ": " below ", " below ": " above "}[way]
		}
	case !d.near(x):
		text, way = digits(f, limit)+" times", " "
	default:
		over := f - 1
		if d.max {
			over = 1 - 1/f
		}
		if over < -ratio.Same {
			way, over = map[string]string{" above ": " below ", " below ": " above "}[way], -over
		}
		switch pc := 100 * over; {
		case pc < 1e-7:
			text = "0 %"
		case pc < 0.001:
			text = "less than 0.001 %"
		default:
			text = digits(pc, limit) + " %"
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

// digits writes a number with two significant digits, or all of its integer part; up rounds it up.
func digits(x float64, up bool) string {
	switch {
	case x == 0:
		return "0"
	case x < 0:
		return "\u2212" + digits(-x, false)
	}
	decimals := max(0, 1-int(math.Floor(math.Log10(x))))
	scale := math.Pow10(decimals)
	if up {
		x = math.Ceil(x*scale-1e-6) / scale
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

func instances(n int) string {
	if n == 1 {
		return "1 instance"
	}
	return fmt.Sprintf("%d instances", n)
}

// LeadView is the view that the report begins with: of those with anything to compare the first reference's, and of its two
// the one with more instances; nil: nothing is compared.
func (p *Problem) LeadView() *View {
	var lead *View
	for _, v := range p.Views {
		if len(p.Ranked(v)) == 0 {
			continue
		}
		if lead == nil || (v.Reference == lead.Reference && len(v.Instances) > len(lead.Instances)) {
			lead = v
		}
	}
	return lead
}

// Ranked lists the compared contenders of a view over all of its instances, the best first: by the mean over the instances on
// which all are compared, or by that over their own where there are none.
func (p *Problem) Ranked(v *View) []*Ratios {
	var rows []*Ratios
	for i := range p.Ratios {
		r := &p.Ratios[i]
		if r.Reference == v.Reference && r.Difference == v.Difference && r.Class == (Class{}) && r.Contender() && r.Compared > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *Ratios) int { return cmp.Compare(a.Quality(), b.Quality()) })
	return rows
}

// Quality is what algorithms of a view are sorted by, smaller first.
func (r *Ratios) Quality() float64 {
	switch {
	case r.Compared == 0:
		return math.Inf(1)
	case r.Common.Hi.Known():
		return float64(r.Common.Hi)
	}
	return float64(r.Lead().Hi)
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
		text := fmt.Sprintf("no solution on %s: of %s %s", instances(p.Instances), plural(p.Units, "unit", "units"), strings.Join(parts, ", "))
		if len(p.Reasons) > 0 {
			text += "; most often: " + strings.TrimSuffix(p.Reasons[0].Error, ".")
		}
		return text
	case heuristics == 0:
		return fmt.Sprintf("%s is proven on %d of %s; no heuristic was run", known.Name, known.Proven, instances(p.Instances))
	case known.Untrusted == p.Instances:
		return fmt.Sprintf("the results on all of %s contradict each other or cannot be read", instances(p.Instances))
	}
	return fmt.Sprintf("nothing can be compared on %s: no bound of the optimum is known where a heuristic has a solution", instances(p.Instances))
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
	least, most := lead, lead
	for _, s := range list {
		if s.Workload == lead.Workload && s.Metric == lead.Metric && s.Mean.Known() {
			if !least.Mean.Known() || s.Mean < least.Mean {
				least = s
			}
			if !most.Mean.Known() || s.Mean > most.Mean {
				most = s
			}
		}
	}
	text := fmt.Sprintf("%s simulated on %s, %s each", plural(len(policies), "policy", "policies"),
		plural(len(workloads), "workload", "workloads"), plural(repetitions, "repetition", "repetitions"))
	if !least.Mean.Known() || least.Mean == most.Mean {
		return text
	}
	unit := ""
	if lead.Unit != "" && lead.Unit != "share" {
		unit = " " + lead.Unit
	}
	write := func(s *Simulation) string {
		if lead.Unit == "share" {
			return digits(100*float64(s.Mean), false) + " %"
		}
		return digits(float64(s.Mean), false) + unit
	}
	return fmt.Sprintf("%s; %s from %s (%s) to %s (%s)", text, Words(lead.Metric), write(least), least.Name(), write(most), most.Name())
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
