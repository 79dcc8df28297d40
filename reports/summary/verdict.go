package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Verdict says how far one algorithm is from the reference on the instances with the main objective, see Problem.Lead, and whether it
// is better than the best of its rivals.
type Verdict struct {
	Algorithm  string        `json:"algorithm"`
	Reference  string        `json:"reference"`
	Objective  string        `json:"objective"`  // what values measure; empty: the problem does not say
	Regret     bool          `json:"difference"` // the distance is a regret, not a ratio
	Distance   Span          `json:"distance"`   // the leading mean, as in Ratios
	Worst      *Worst        `json:"worst"`
	Instances  int           `json:"instances"`  // that the algorithm was run on and did not decline, compared or not
	Compared   int           `json:"compared"`   // of these
	Optimal    int           `json:"optimal"`    // of these, see Ratios.OptimalOf
	Failed     int           `json:"failed"`     // of these, those without a solution
	Declined   int           `json:"declined"`   // further instances
	Rank       int           `json:"rank"`       // among the algorithms of its kind, see Variant.Search; 1 is the best
	Of         int           `json:"of"`         // their number
	Tied       []string      `json:"tied_with"`  // those of them that share the rank
	Objectives []OfObjective `json:"objectives"` // the same distances for each objective, if there are several
	Rival      string        `json:"rival"`      // the best other algorithm of its kind; empty: there is none
	Against    *Pair         `json:"against"`    // on the instances that both were run on
	// Significant: the two tests of Against agree that one of the two is better, p-values corrected for all pairs of the problem.
	Significant bool `json:"significant"`
	// Enough is about how many instances of this kind it takes to tell the two apart; 0: these do, or no number is known to.
	Enough   int    `json:"enough_instances"`
	Sentence string `json:"sentence"` // how far it is
	Text     string `json:"text"`     // the sentence and all others
}

// An OfObjective is an algorithm's row for the instances with one objective.
type OfObjective struct {
	Objective string `json:"objective"`
	Regret    bool   `json:"difference"`
	Distance  Span   `json:"distance"`
	Worst     *Worst `json:"worst"`
	Optimal   int    `json:"optimal"`
	Instances int    `json:"instances"`
	Compared  int    `json:"compared"`
}

// Verdict judges the algorithm of a label by the reference that a report on it begins with, see Mine. It fails where nothing
// about it is known.
func (p *Problem) Verdict(label string) (*Verdict, error) {
	v, class := p.leadOf(label)
	if v == nil {
		return nil, fmt.Errorf("%s", p.nothingCompared())
	}
	rows := p.Ranked(v, class)
	i := slices.IndexFunc(rows, func(r *Ratios) bool { return r.Label == label })
	if i < 0 || rows[i].Compared == 0 {
		return nil, fmt.Errorf("%s has no value that can be compared with %s", label, v.Reference)
	}
	r := rows[i]
	own, apart := kinds(r, rows)
	out := &Verdict{
		Algorithm: label, Reference: v.Reference, Objective: v.objective(class), Regret: v.Regret, Distance: r.Lead(), Worst: r.Worst,
		Compared: r.Compared, Failed: r.NoSolution, Declined: r.Skipped, Of: len(own), Objectives: []OfObjective{},
		Sentence: say("verdict", p.fact(v, r)),
	}
	out.Optimal, out.Instances = r.OptimalOf()
	out.Rank, out.Tied = r.place(own)
	for _, o := range p.ByObjectives(v.Reference, label) {
		of := OfObjective{o.Objective, o.Regret, o.Lead(), o.Worst, 0, 0, o.Compared}
		of.Optimal, of.Instances = o.OptimalOf()
		out.Objectives = append(out.Objectives, of)
	}
	out.Text = out.Sentence
	if v.Regret && p.ScaleDoc != "" {
		out.Text += " " + say("scale", p)
	}
	if open, _, _ := v.open(class); open > 0 {
		out.Text += fmt.Sprintf(" The optimum of %d of %s is open.", open, words.Count(r.Size(), "instance"))
	}
	if rest := r.Instances - r.Compared - r.NoSolution; rest > 0 {
		out.Text += fmt.Sprintf(" Not compared: %s.", counted([]part{
			{r.NoBound, "without a bound"}, {r.NoValue, "without a value"}, {r.Undefined, "undefined"}, {r.Untrusted, "untrusted"},
		}, ""))
	}
	if r.lost.limit > 0 {
		out.Text += " For more time: --time-limit " + longer(r.lost.limit) + "."
	}
	if len(own) > 1 {
		out.rival(p, own, r)
	}
	if len(apart) > 0 {
		out.Text += " " + p.list(v, apart)
	}
	return out, nil
}

// rival compares the algorithm with the best other one of its kind.
func (v *Verdict) rival(p *Problem, own []*Ratios, r *Ratios) {
	tied := ""
	if len(v.Tied) > 0 {
		tied = and(v.Tied)
	}
	v.Text += " " + say("rank", map[string]any{"Tied": tied, "Place": words.Ordinal(v.Rank), "Of": v.Of, "Kind": r.kind()})
	rival := own[0]
	if rival == r {
		rival = own[1]
	}
	v.Rival = rival.Label
	if pair := p.pair(r.Label, rival.Label); pair != nil {
		v.Against = pair
		v.against(pair, p.Pairs, r.kind())
	}
}

// ByObjectives lists the rows of an algorithm for each objective, if values measure several things: what most instances have first.
func (p *Problem) ByObjectives(reference, label string) (rows []*Ratios) {
	for _, objective := range p.objectives() {
		for _, v := range p.Views {
			class, has := v.with(objective)
			if v.Reference != reference || !has {
				continue
			}
			for _, r := range p.Rows(reference, v.Regret, func(r *Ratios) bool { return r.Label == label && r.Class == class }) {
				row := *r
				row.Objective = objective
				rows = append(rows, &row)
			}
		}
	}
	if len(p.objectives()) < 2 {
		return nil
	}
	return rows
}

// kind names the algorithm's kind.
func (v *Variant) kind() string {
	if v.Search {
		return "search"
	}
	return "one-pass rule"
}

// kinds divides ranked rows into those of r's kind, r among them, and the others. Solutions of a wider class than the reference's
// are no rivals of one inside it, unless there are no others.
func kinds(r *Ratios, rows []*Ratios) (own, apart []*Ratios) {
	inside := func(o *Ratios) bool { return !o.Outside || r.Outside }
	fair := slices.ContainsFunc(rows, func(o *Ratios) bool { return o != r && o.Search == r.Search && inside(o) })
	for _, o := range rows {
		switch {
		case o.Search != r.Search:
			apart = append(apart, o)
		case o == r || !fair || inside(o):
			own = append(own, o)
		}
	}
	return own, apart
}

// mostApart is how many algorithms of the other kind a verdict names.
const mostApart = 3

// list says how far algorithms of one kind are, the best first.
func (p *Problem) list(v *View, rows []*Ratios) string {
	var parts []string
	for _, r := range rows[:min(mostApart, len(rows))] {
		name := r.Label
		if r.Outside {
			name += fmt.Sprintf(" (outside the class %s)", v.Reference)
		}
		parts = append(parts, name+" "+p.LeadText(r))
	}
	text := fmt.Sprintf("Apart, %s: %s", words.Count(len(rows), rows[0].kind()), strings.Join(parts, ", "))
	if rest := len(rows) - len(parts); rest > 0 {
		text += fmt.Sprintf(", %d more", rest)
	}
	return text + "."
}

// pair is the comparison of a with b, from a's side; nil: there is none.
func (p *Problem) pair(a, b string) *Pair {
	for i := range p.Pairs {
		switch q := p.Pairs[i]; {
		case q.A == a && q.B == b:
			return &q
		case q.A == b && q.B == a:
			q.A, q.B, q.Win, q.Loss, q.Quotient = a, b, q.Loss, q.Win, 1/q.Quotient
			q.CILo, q.CIHi = 1/q.CIHi, 1/q.CILo
			n := float64(q.Win + q.Loss)
			q.test.WilcoxonStatistic = n*(n+1)/2 - q.test.WilcoxonStatistic
			return &q
		}
	}
	return nil
}

// against adds the outcome of the tests of a pair.
func (v *Verdict) against(q *Pair, all []Pair, kind string) {
	text := fmt.Sprintf(" Against %s, the best other %s, on the %s of both: better on %d, equal on %d, worse on %d", q.B, kind,
		words.Count(q.Instances, "instance"), q.Win, q.Tie, q.Loss)
	n := q.Win + q.Loss
	p := max(q.SignP, q.WilcoxonP)
	switch {
	case n == 0:
		text += "."
	case n < stats.MinSample:
		text += fmt.Sprintf("; they differ on %s, too few for a test: it takes %d.", words.Count(n, "instance"), stats.MinSample)
	case q.Remark != "":
		text += fmt.Sprintf("; undecided: %s.", q.Remark)
	case p < stats.Significant:
		v.Significant = true
		better := v.Algorithm
		if q.Loss > q.Win {
			better = q.B
		}
		text += fmt.Sprintf("; %s is better (p = %.2g, corrected for %s).", better, float64(p), words.Count(len(all), "pair"))
	default:
		text += fmt.Sprintf("; %s cannot tell these apart (p = %.2g)", words.Count(q.Instances, "instance"), float64(p))
		v.Enough = enough(q, len(all))
		if v.Enough > q.Instances {
			text += fmt.Sprintf("; about %d would", v.Enough)
		} else {
			v.Enough = 0
		}
		text += "."
	}
	v.Text += text
}

// mostInstances is beyond all that anybody runs; with less of a difference two algorithms count as equal.
const mostInstances = 100_000

// enough is the number of instances with which the signed-rank test tells a pair apart with probability .8, at the level that is
// left of .05 for one of so many pairs, if further instances are like these (Noether 1987, equation 4); 0: their number is beyond
// all reason.
func enough(q *Pair, pairs int) int {
	n := float64(q.Win + q.Loss)
	// The share of pairs of differences with a positive mean: W₊ counts these, and single positive differences.
	share := (q.test.WilcoxonStatistic - float64(q.Loss)) / (n * (n - 1) / 2)
	z := distuv.UnitNormal.Quantile(1-stats.Significant/2/float64(max(1, pairs))) + distuv.UnitNormal.Quantile(0.8)
	need := z * z / (3 * (share - 0.5) * (share - 0.5)) * float64(q.Instances) / n
	if math.IsNaN(need) || need > mostInstances {
		return 0
	}
	digits := math.Pow(10, math.Floor(math.Log10(need))-1) // two digits are more than is known
	return int(math.Ceil(need/digits) * digits)
}
