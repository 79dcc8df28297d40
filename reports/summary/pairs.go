package summary

import (
	"math"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Pair is two algorithms, A and B, on the instances that both solved. Their values are compared with each other, so no
// reference is needed. Both tests work on (a − b)/max(|a|, |b|), which is free of the instance's scale and defined for
// zeros and negative values.
type Pair struct {
	A         string `json:"a"`
	B         string `json:"b"`
	Instances int    `json:"instances"`
	Unmatched int    `json:"unmatched"` // instances that only one of the two solved
	Win       int    `json:"win"`       // A better, beyond 1e-9
	Tie       int    `json:"tie"`
	Loss      int    `json:"loss"`
	// Quotient is the geometric mean of a/b, mirrored for maximisation: below 1 where A is better. It is over Positive
	// instances, those that are compared by ratio and whose two values are positive.
	Quotient Number `json:"quotient"`
	Positive int    `json:"positive"`
	SignP    Number `json:"sign_p"`
	// WilcoxonP is adjusted by Holm's method for the number of pairs of the problem.
	WilcoxonP Number `json:"wilcoxon_p"`
}

// pairs compares every two contenders of a problem whose classes are related.
func pairs(p *ratio.Problem, of variants, list []*Variant) []Pair {
	var contenders []*Variant
	values := map[*Variant][]float64{} // by instance; NaN: it has none
	seeds := map[*Variant]*[]float64{} // of one instance
	class := map[*Variant]string{}
	for _, v := range list {
		if v.Contender() {
			contenders = append(contenders, v)
			values[v], seeds[v] = make([]float64, len(p.Instances)), new([]float64)
		}
	}
	for i, in := range p.Instances {
		if in.Trouble == "" {
			for _, u := range in.Units {
				if xs := seeds[of[u.Setup]]; xs != nil && u.Value != nil && !u.Rounded {
					*xs = append(*xs, *u.Value)
					class[of[u.Setup]] = u.Class
				}
			}
		}
		for v, xs := range seeds {
			values[v][i] = stats.Mean(*xs)
			*xs = (*xs)[:0]
		}
	}
	var out []Pair
	var ps []float64
	for i, a := range contenders {
		for _, b := range contenders[i+1:] {
			if !p.Related(class[a], class[b]) {
				continue
			}
			pair := compare(p, values[a], values[b])
			pair.A, pair.B = a.Label, b.Label
			out = append(out, pair)
			ps = append(ps, float64(pair.WilcoxonP))
		}
	}
	for i, adjusted := range stats.Holm(ps) {
		out[i].WilcoxonP = Number(adjusted)
	}
	return out
}

func compare(p *ratio.Problem, a, b []float64) Pair {
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
		d := 0.0
		if !ratio.Equal(x, y) {
			d = float64(p.Sense) * (x - y) / max(math.Abs(x), math.Abs(y))
		}
		diffs = append(diffs, d)
		if in.Comparison != models.Difference && x > 0 && y > 0 {
			logs = append(logs, float64(p.Sense)*math.Log(x/y))
		}
	}
	t := stats.ComparePaired(diffs)
	pair.Instances, pair.Win, pair.Tie, pair.Loss = t.N, t.Win, t.Tie, t.Loss
	pair.SignP, pair.WilcoxonP = Number(t.SignP), Number(t.WilcoxonP)
	pair.Quotient, pair.Positive = Number(math.Exp(stats.Mean(logs))), len(logs)
	return pair
}
