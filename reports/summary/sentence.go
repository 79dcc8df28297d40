package summary

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"schedgap/bench"
	"schedgap/models"
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

//go:embed sentences.tmpl
var sentencesText string

var sentences = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("sentences").Funcs(template.FuncMap{"count": words.Count}).Parse(sentencesText))
})

// say fills in a sentence.
func say(name string, about any) string {
	var b strings.Builder
	if err := sentences().ExecuteTemplate(&b, name, about); err != nil {
		return err.Error() // a test makes all of them
	}
	return b.String()
}

// A fact is what sentences say of algorithms with equal rows, mostly of one: their texts are those of tables.
type fact struct {
	Names          string
	Are, Have      string
	They           string
	Mean, Interval string // over the instances with a solution
	Worst          string
	Way, Optimum   string // above the optimal total flowtime
	Regret         bool
	K, N           int // optimal on K of N instances that it took
	Outside        bool
	Of             int    // instances of the class
	Missing        int    // of these, those without a solution
	Lost           string // on how many there is none, and why
	All            int    // algorithms in the table, if these are all of them
}

// Optimal reports whether the algorithms have the optimum of every instance of the class.
func (f *fact) Optimal() bool { return f.Missing == 0 && !f.Outside && f.K == f.N }

// fact makes the fact of a row of a view, and of the rows that share its rank.
func (p *Problem) fact(v *View, r *Ratios, tied ...string) *fact {
	f := &fact{
		Names: and(append([]string{r.Label}, tied...)), Are: "is", Have: "has", They: "it is",
		Mean: p.Percent(r.Regret, r.Solved.Lo, r.Solved.Hi), Worst: words.None, Way: "above", Optimum: "the optimum", Regret: r.Regret,
		Outside: r.Outside, Of: v.Size(r.Class), Missing: r.Missing, Lost: r.Lost(),
	}
	f.K, f.N = r.OptimalOf()
	if len(tied) > 0 {
		f.Are, f.Have, f.They = "are", "have", "they are"
	}
	if r.Solved.CILo.Known() && r.Solved.CIHi.Known() && r.Missing == 0 {
		f.Interval = " " + p.Interval(r.Regret, r.Solved)
	}
	if r.SolvedWorst != nil {
		f.Worst = p.Percent(r.Regret, r.SolvedWorst.Lo, r.SolvedWorst.Hi)
	}
	if p.Sense == models.Maximize.String() {
		f.Way = "below"
	}
	if name := v.objective(r.Class); name != "" {
		f.Optimum = "the optimal " + name
	}
	if v.Reference != p.References[0].Name {
		f.Optimum += " of " + v.Reference
	}
	return f
}

// and lists names.
func and(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

// headline is the sentence of a problem with results, without its name and the full stop: the best algorithms, the worst one, and
// which have no solution where. On a command it is what bench says of it.
func (p *Problem) headline() string {
	v, class := p.Lead()
	if v == nil {
		return p.nothingCompared()
	}
	rows := p.Ranked(v, class)
	known := slices.DeleteFunc(slices.Clone(rows), func(r *Ratios) bool { return r.Compared == 0 })
	if i := slices.IndexFunc(known, func(r *Ratios) bool { return r.Label == p.Yours }); i >= 0 {
		return strings.TrimSuffix(say("verdict", p.fact(v, known[i])), ".")
	}
	first := known[0]
	best := p.fact(v, first, first.Tied...)
	if len(rows) > 1 && len(first.Tied) == len(rows)-1 {
		best.All = len(rows)
	}
	parts := []string{say("best", best)}
	whole := slices.DeleteFunc(known, func(r *Ratios) bool { return r.Missing > first.Missing })
	if worst := whole[len(whole)-1]; worst.Rank > 1 {
		f := p.fact(v, worst, worst.Tied...)
		if !best.Optimal() {
			f.Optimum = "it"
		}
		parts = append(parts, say("worst", f))
	}
	for _, r := range rows {
		lost := say("lost", p.fact(v, r))
		switch {
		case r.Missing == 0 || r.Rank == 1:
		case r.Kind == string(models.External) && r.Compared == 0:
			parts = slices.Insert(parts, 0, lost)
		default:
			parts = append(parts, lost)
		}
	}
	text := strings.Join(parts, "; ")
	if scope := v.scope(class); scope != words.Count(best.Of, "instance") || !best.Optimal() {
		text += " (" + scope + ")"
	}
	return text
}

// scope says how many instances a class has, and how many of their optima are not known.
func (v *View) scope(class Class) string {
	text := words.Count(v.Size(class), "instance")
	if all := len(v.Problem.Instances); v.Size(class) < all {
		text = fmt.Sprintf("%d of %s", v.Size(class), words.Count(all, "instance"))
	}
	open, unbounded, untrusted := v.open(class)
	return text + counted([]part{
		{open, "with an open optimum"}, {unbounded, "without a bound"}, {untrusted, "untrusted"},
	}, "", ", ")
}

// open counts the instances of a class whose optimum is not known: it is between a value and a bound, there is no bound, or the results
// contradict each other or cannot be read.
func (v *View) open(class Class) (open, unbounded, untrusted int) {
	for _, in := range v.Instances {
		best := in.Best(v.Reference)
		switch {
		case !class.Has(in) || best.Proven:
		case in.Trouble != "":
			untrusted++
		case best.Bound == nil:
			unbounded++
		default:
			open++
		}
	}
	return open, unbounded, untrusted
}

// A part is a number of instances or units with what they are.
type part struct {
	n    int
	what string
}

// counted lists the parts that are not 0; none: nothing. What is in front of it stands there only if there is something.
func counted(parts []part, none string, front ...string) string {
	var out []string
	for _, part := range parts {
		if part.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if len(out) == 0 {
		return none
	}
	return strings.Join(front, "") + strings.Join(out, ", ")
}

// endings are the ways to end without a solution, in words.
var endings = []struct {
	status bench.Status
	words  string
}{
	{bench.Infeasible, "proven infeasible"},
	{bench.Timeout, "timed out"},
	{bench.OOM, "out of memory"},
	{bench.Crash, "crashed"},
	{bench.Invalid, "refused by the checker"},
	{bench.Refuted, "with a claim that is refuted"},
	{bench.Error, "failed"},
	{bench.Skipped, "not applicable"},
	{bench.Feasible, "with a bound only"},
}

// ended says how units ended.
func ended[K ~string](units map[K]int) string {
	var parts []part
	for _, end := range endings {
		parts = append(parts, part{units[K(end.status)], end.words})
	}
	return counted(parts, "")
}

// Lost says on how many instances of the class an algorithm has no solution, and why.
func (r *Ratios) Lost() string {
	var parts []part
	for _, end := range endings {
		what := end.words
		switch {
		case end.status == bench.Skipped:
			what = r.declined()
		case end.status == bench.Timeout && r.lost.limit > 0:
			what += fmt.Sprintf(" at %g s", r.lost.limit)
		}
		parts = append(parts, part{r.lost.units[end.status], what})
	}
	why := counted(append(parts, part{r.lost.notRun, "not run"}), "")
	return fmt.Sprintf("no solution on %d of %s (%s)", r.Missing, words.Count(r.Size(), "instance"), why)
}

// Failed counts the units that ended in a crash, without memory, with an error, with a solution that the checker refused or with
// a claim that is refuted.
func Failed(statuses map[string]int) int {
	n := 0
	for _, s := range []bench.Status{bench.Crash, bench.OOM, bench.Invalid, bench.Refuted, bench.Error} {
		n += statuses[string(s)]
	}
	return n
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

// Reading explains what of the headlines needs it; empty: nothing does.
func (r *Report) Reading() string {
	says := func(what string) bool {
		return slices.ContainsFunc(r.Headlines, func(h Headline) bool { return strings.Contains(h.Text, what) })
	}
	var parts []string
	if says("–") {
		parts = append(parts, "a–b: range, since some optima are open.")
	}
	if says("[") {
		parts = append(parts, "[c, d]: 95 % confidence interval.")
	}
	if says(" of the scale") {
		for _, p := range r.Problems {
			if v, _ := p.Lead(); v != nil && v.Regret && p.ScaleDoc != "" {
				parts = append(parts, say("scale", p))
			}
		}
	}
	return strings.Join(parts, " ")
}

// longer is five times a time limit, as a flag takes it.
func longer(seconds float64) string {
	text := time.Duration(min(5*seconds*float64(time.Second), math.MaxInt64/2)).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
