package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Verdict says in one sentence each how far one algorithm is from the reference, and whether it is better than the best of its
// rivals.
type Verdict struct {
	Algorithm string `json:"algorithm"`
	Reference string `json:"reference"`
	Regret    bool   `json:"difference"` // the distance is a regret, not a ratio
	Distance  Span   `json:"distance"`   // the leading mean, as in Ratios
	Worst     *Worst `json:"worst"`
	Over      Over   `json:"over"`
	Instances int    `json:"instances"` // that the algorithm was run on and applies to, compared or not
	Optimal   int    `json:"optimal"`   // of these, see Ratios.OptimalOf
	Failed    int    `json:"failed"`    // units without a usable solution
	Rival     string `json:"rival"`     // the best other algorithm of its kind, see Variant.Search; empty: there is none
	Against   *Pair  `json:"against"`
	// Significant: the two tests of Against agree that one of the two is better, p-values corrected for all pairs of the problem.
	Significant bool `json:"significant"`
	// Enough is about how many instances of this kind it takes to tell the two apart; 0: these do, or no number is known to.
	Enough int    `json:"enough_instances"`
	Text   string `json:"text"`
}

// Verdict judges the algorithm of a label by the reference that a report on it begins with, see Mine. It fails where nothing
// about it is known.
func (p *Problem) Verdict(label string) (*Verdict, error) {
	v := p.leadOf(label)
	if v == nil {
		return nil, fmt.Errorf("%s", p.nothingCompared())
	}
	rows := p.Ranked(v, Class{})
	i := slices.IndexFunc(rows, func(r *Ratios) bool { return r.Label == label })
	if i < 0 {
		return nil, fmt.Errorf("%s has no value that can be compared with %s", label, v.Reference)
	}
	r := rows[i]
	d := p.distance(v)
	out := &Verdict{
		Algorithm: label, Reference: v.Reference, Regret: v.Regret, Distance: r.Lead(), Worst: r.Worst, Over: p.over(v, rows),
		Text: fmt.Sprintf("%s (%s).", d.of(r, sentence), p.set(v, rows)),
	}
	all := p.total(r)
	out.Optimal, out.Instances, out.Failed = all.optimal, all.instances, all.lost
	switch {
	case d.optimal(r):
		out.Text = fmt.Sprintf("%s (%s, %s).", p.optimalOn(r), v.Objective(), p.set(v, rows))
	case r.Unsolved > 0:
		out.Text = d.last(r, rows) + fmt.Sprintf(" (%s, %s).", v.Objective(), p.set(v, rows))
	}
	if v.Regret && p.ScaleDoc != "" {
		out.Text += " " + p.scale()
	}
	out.Text += p.failures(v.Reference, r)
	own, apart := kinds(r, rows)
	if len(own) > 1 {
		better := len(slices.DeleteFunc(slices.Clone(own), func(o *Ratios) bool { return byQuality(o, r) >= 0 }))
		rival := own[0]
		if rival == r {
			rival = own[1]
		}
		out.Rival = rival.Label
		out.Text += fmt.Sprintf(" It is %s of %s.", words.Ordinal(better+1), words.Count(len(own), r.kind()))
		if pair := p.pair(label, rival.Label); pair != nil {
			out.Against = pair
			out.against(pair, p.Pairs, r.kind())
		}
	}
	if len(apart) > 0 {
		out.Text += " " + d.list(apart)
	}
	return out, nil
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
func (d distance) list(rows []*Ratios) string {
	var parts []string
	for _, r := range rows[:min(mostApart, len(rows))] {
		mean, _ := r.Even()
		name := r.Label
		if r.Outside {
			name += fmt.Sprintf(" (outside the class %s)", d.view.Reference)
		}
		parts = append(parts, name+" "+d.words(mean.Hi, phrase))
	}
	text := fmt.Sprintf("Apart, %s: %s", words.Count(len(rows), rows[0].kind()), strings.Join(parts, ", "))
	if rest := len(rows) - len(parts); rest > 0 {
		text += fmt.Sprintf(", %d more", rest)
	}
	return text + "."
}

// failures says how the algorithm's units ended that have no solution, and what may help; empty: all have one.
func (p *Problem) failures(reference string, r *Ratios) string {
	statuses, units, limit := map[bench.Status]int{}, 0, 0.0
	for _, u := range p.unitsOf(reference, &r.Variant) {
		status := bench.Status(u.Status)
		if status == bench.Skipped {
			continue
		}
		units++
		if u.Value != nil {
			continue
		}
		statuses[status]++
		if status == bench.Timeout && u.TimeLimitSeconds != nil {
			limit = max(limit, *u.TimeLimitSeconds)
		}
	}
	var parts []string
	for _, end := range endings {
		n := statuses[end.status]
		switch {
		case n == 0:
		case end.status == bench.Timeout && limit > 0:
			parts = append(parts, fmt.Sprintf("%d of %s timed out at %g s", n, words.Count(units, "unit"), limit))
		default:
			parts = append(parts, fmt.Sprintf("%d of %s %s", n, words.Count(units, "unit"), end.words))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, ", ")
	if limit > 0 {
		text += "; --time-limit " + longer(limit)
	}
	return " " + text + "."
}

// unitsOf lists the units of a variant in the views of a reference.
func (p *Problem) unitsOf(reference string, of *Variant) (units []*ratio.Unit) {
	for _, v := range p.Views {
		for variant, cells := range v.Cells {
			if v.Reference == reference && *variant == *of {
				for i := range cells {
					units = append(units, cells[i].Units...)
				}
			}
		}
	}
	return units
}

// longer is five times a time limit, as a flag takes it.
func longer(seconds float64) string {
	text := (5 * time.Duration(seconds*float64(time.Second))).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
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
	text := fmt.Sprintf(" Against %s, the best other %s: better on %d, equal on %d, worse on %d", q.B, kind, q.Win, q.Tie, q.Loss)
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
		if v.Enough = enough(q, len(all)); v.Enough > q.Instances {
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
