package summary

import (
	"math"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Pair is two algorithms, A and B, on the instances that both were run on and apply to. Their values are compared with each
// other, so no reference is needed. One that ended without a solution is worse than any value, by an infinite difference. Both
// tests work on (a − b)/max(|a|, |b|), which is free of the instance's scale and defined for zeros and negative values.
type Pair struct {
	A         string `json:"a"`
	B         string `json:"b"`
	Instances int    `json:"instances"`
	Unmatched int    `json:"unmatched"` // instances that only one of the two was run on
	Win       int    `json:"win"`       // A better, beyond 1e-9
	Tie       int    `json:"tie"`
	Loss      int    `json:"loss"`
	// Quotient is the geometric mean of a/b, mirrored for maximisation: below 1 where A is better. It is over Positive instances,
	// those of whose values a ratio has a meaning. It is null where one of them is infinite, 0/0 is 1.
	Quotient Number `json:"quotient"`
	Positive int    `json:"positive"`
	// CILo and CIHi are the ends of its 95 % interval with the sampling of instances, by bootstrap; null: too few instances.
	CILo Number `json:"ci_lo"`
	CIHi Number `json:"ci_hi"`
	// Both p-values are multiplied by the number of pairs of the problem (Bonferroni), so that they depend on A and B alone. Remark says
	// why they lead to different conclusions; empty: they do not.
	SignP     Number `json:"sign_p"`
	WilcoxonP Number `json:"wilcoxon_p"`
	Remark    string `json:"remark"`

	test stats.Paired
}

// pairs compares every two contenders of a problem whose classes are related.
func pairs(p *ratio.Problem, of Variants, list []*Variant, boot stats.Bootstrap) []Pair {
	var contenders []*Variant
	values := map[*Variant][]float64{} // by instance; NaN: it was not run there
	seeds := map[*Variant]*[]float64{} // of one instance
	class := map[*Variant]string{}
	for _, v := range list {
		if v.Contender() {
			contenders = append(contenders, v)
			values[v], seeds[v] = make([]float64, len(p.Instances)), new([]float64)
		}
	}
	for i, in := range p.Instances {
		for _, u := range in.Units {
			class[of[u.Setup]] = u.Class // of all units: the number of pairs does not depend on how they ended
		}
		if in.Trouble == "" {
			for _, u := range in.Units {
				xs := seeds[of[u.Setup]]
				if xs == nil || u.Rounded || u.Status == string(bench.Skipped) {
					continue
				}
				value := float64(p.Sense) * math.Inf(1) // without a solution
				if u.Value != nil {
					value = *u.Value
				}
				*xs = append(*xs, value)
			}
		}
		for v, xs := range seeds {
			values[v][i] = stats.Mean(*xs)
			*xs = (*xs)[:0]
		}
	}
	var out []Pair
	for i, a := range contenders {
		for _, b := range contenders[i+1:] {
			if !p.Related(class[a], class[b]) {
				continue
			}
			pair := compare(p, values[a], values[b], boot)
			pair.A, pair.B = a.Label, b.Label
			out = append(out, pair)
		}
	}
	for i := range out {
		q := &out[i]
		sign, wilcoxon := stats.Bonferroni(q.test.SignP, len(out)), stats.Bonferroni(q.test.WilcoxonP, len(out))
		q.SignP, q.WilcoxonP = Number(sign), Number(wilcoxon)
		q.Remark = q.test.Disagreement(sign, wilcoxon, q.A, q.B)
	}
	return out
}

func compare(p *ratio.Problem, a, b []float64, boot stats.Bootstrap) Pair {
	var pair Pair
	diffs, logs := make([]float64, 0, len(p.Instances)), make([]float64, 0, len(p.Instances))
	for i, in := range p.Instances {
		x, y := a[i], b[i]
		hasA, hasB := !math.IsNaN(x), !math.IsNaN(y)
		if hasA != hasB {
			pair.Unmatched++
		}
		if !hasA || !hasB {
			continue
		}
		d, worse := 0.0, float64(p.Sense)*math.Inf(1)
		switch {
		case in.Equal(x, y): // both may have failed
		case x == worse || y == worse:
			d = float64(p.Sense) * (x - y)
		default:
			d = float64(p.Sense) * (x - y) / max(math.Abs(x), math.Abs(y))
		}
		diffs = append(diffs, d)
		switch {
		case in.Comparison == models.Difference || x < 0 && x != worse || y < 0 && y != worse:
		case d == 0:
			logs = append(logs, 0)
		case math.IsInf(d, 0):
			logs = append(logs, d)
		default:
			logs = append(logs, float64(p.Sense)*math.Log(x/y))
		}
	}
	pair.test = stats.ComparePaired(diffs)
	pair.Instances, pair.Win, pair.Tie, pair.Loss = pair.test.N, pair.test.Win, pair.test.Tie, pair.test.Loss
	ci := boot.Mean(logs)[0]
	pair.CILo, pair.CIHi = Number(math.Exp(ci.Lo)), Number(math.Exp(ci.Hi))
	pair.Quotient, pair.Positive = Number(math.Exp(stats.Mean(logs))), len(logs)
	return pair
}
