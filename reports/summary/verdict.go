package summary

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

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
	Instances int    `json:"instances"` // on which the distance is known
	Optimal   int    `json:"optimal"`
	Failed    int    `json:"failed"` // units without a usable solution
	Rival     string `json:"rival"`  // the best other algorithm; empty: there is none
	Against   *Pair  `json:"against"`
	// Significant: the two tests of Against agree that one of the two is better, p-values corrected for all pairs of the problem.
	Significant bool `json:"significant"`
	// Enough is about how many instances of this kind it takes to tell the two apart; 0: these do, or no number is known to.
	Enough int    `json:"enough_instances"`
	Text   string `json:"text"`
}

// Verdict judges the algorithm of a label by the reference that the report begins with. It fails where nothing about it is known.
func (p *Problem) Verdict(label string) (*Verdict, error) {
	v := p.LeadView()
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
		Algorithm: label, Reference: v.Reference, Regret: v.Regret, Distance: r.Lead(), Worst: r.Worst, Instances: r.Compared,
		Optimal: r.Optimal,
		Failed:  r.NoSolution, Text: fmt.Sprintf("%s (%s).", d.of(r, sentence), p.set(v, rows)),
	}
	switch {
	case d.optimal(r):
		out.Text = fmt.Sprintf("%s (%s, %s).", optimalOn(label, r), v.Objective(), p.set(v, rows))
	case r.Unsolved > 0:
		out.Text = d.last(r, rows) + fmt.Sprintf(" (%s, %s).", v.Objective(), p.set(v, rows))
	}
	if v.Regret && p.ScaleDoc != "" {
		out.Text += fmt.Sprintf(" The scale is %s.", p.ScaleDoc)
	}
	if len(rows) == 1 {
		return out, nil
	}
	rival := rows[min(1, len(rows)-1)]
	if i > 0 {
		rival = rows[0]
	}
	out.Rival = rival.Label
	if pair := p.pair(label, rival.Label); pair != nil {
		out.Against = pair
		out.against(pair, p.Pairs)
	}
	return out, nil
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

// against adds what the tests say of a pair, one of all.
func (v *Verdict) against(q *Pair, all []Pair) {
	text := fmt.Sprintf(" Against %s, the best rival: better on %d, equal on %d, worse on %d", q.B, q.Win, q.Tie, q.Loss)
	n := q.Win + q.Loss
	p := max(q.SignP, q.WilcoxonP)
	switch {
	case n == 0:
		text += "."
	case n < stats.MinSample:
		text += fmt.Sprintf("; they differ on %s, too few for a test: it takes %d.", words.Count(n, "instance"), stats.MinSample)
	case q.Remark != "":
		text += fmt.Sprintf("; the tests disagree: %s.", q.Remark)
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
