package worst

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"schedgap/bench"
)

// samples are instances of the search: all of them, or once there are too many every second, fourth, …
type samples struct {
	list  []sample
	every int
	seen  int
}

type sample struct {
	instance *bench.Instance
	score    Score
	features map[string]float64
}

func (s *samples) add(in *bench.Instance, v *Value) {
	if s.seen++; s.seen%s.every != 0 || v.Score.Rank < ByRegret {
		return
	}
	if len(s.list) == maxSample {
		for i := range maxSample / 2 {
			s.list[i] = s.list[2*i+1]
		}
		s.list, s.every = s.list[:maxSample/2], 2*s.every
	}
	s.list = append(s.list, sample{instance: in, score: v.Score})
}

// held reports whether an instance is not for fitting: a rule is tried on it.
func held(in *bench.Instance) bool {
	h := fnv.New32a()
	h.Write([]byte(in.SHA256))
	return h.Sum32()%10 < 3
}

// describe is what rules speak of: the quantities of an instance and, of the numbers of each kind, the share of the largest in
// their sum and the smallest over the largest.
func describe(in *bench.Instance) map[string]float64 {
	q := quantities(in)
	for name, list := range values(in) {
		kind, numbers := strings.CutPrefix(name, each)
		if !numbers {
			continue
		}
		low, high := slices.Min(list), slices.Max(list)
		if len(list) > 1 && high > 0 && low >= 0 {
			q["largest "+kind+" in the sum"] = high / floats.Sum(list)
			q["smallest over largest "+kind] = low / high
		}
		if m := q["machines"]; m > 0 && (kind == "min" || kind == "max") {
			q["largest "+kind+" over machines"] = high / m
		}
	}
	return q
}

// A Rule is a leaf of a regression tree: conditions under which the scores are large.
type Rule struct {
	Measure    string      `json:"measure"` // ratio or regret
	Above      float64     `json:"above"`   // the score that the rule predicts to be exceeded
	Conditions []Condition `json:"conditions"`
	// Of the instances held out from fitting: how many meet the conditions, which share of these exceeds Above, and which share
	// of all.
	Held      int     `json:"held_out"`
	Precision float64 `json:"precision"`
	Base      float64 `json:"base_rate"`
	Mean      float64 `json:"mean"` // of the scores that meet the conditions, when fitting
	Instances int     `json:"instances"`
}

// A Condition bounds one quantity.
type Condition struct {
	Quantity string  `json:"quantity"`
	Above    bool    `json:"above"` // else at most
	Value    float64 `json:"value"`
}

// of are the samples that meet the condition, and those that have the quantity and do not.
func (c Condition) of(list []*sample) (met, not []*sample) {
	for _, p := range list {
		switch v, ok := p.features[c.Quantity]; {
		case ok && v > c.Value == c.Above:
			met = append(met, p)
		case ok:
			not = append(not, p)
		}
	}
	return met, not
}

// String is the rule as a sentence.
func (r *Rule) String() string {
	var all []string
	for _, c := range r.Conditions {
		all = append(all, fmt.Sprintf("%s %s %.3g", c.Quantity, map[bool]string{true: ">", false: "≤"}[c.Above], c.Value))
	}
	return fmt.Sprintf("%s > %.3g when %s", r.Measure, r.Above, strings.Join(all, " and "))
}

const (
	depth   = 3  // of the tree
	leaf    = 20 // the fewest instances of a leaf
	cuts    = 16 // thresholds tried of a quantity
	leastOf = 60 // the fewest instances that a rule is fitted to
)

// rule fits a regression tree to the instances whose score is of the same rank as best, and returns its best leaf as a rule.
func (s *samples) rule(best Score) *Rule {
	var fit, out []*sample
	names := map[string]bool{}
	for i := range s.list {
		p := &s.list[i]
		if p.score.Rank != best.Rank {
			continue
		}
		if p.features = describe(p.instance); held(p.instance) {
			out = append(out, p)
			continue
		}
		fit = append(fit, p)
		for name := range p.features {
			names[name] = true
		}
	}
	if len(fit) < leastOf || len(out) < leastOf/3 {
		return nil
	}
	r := &Rule{Measure: best.Rank.String(), Instances: len(fit) + len(out)}
	node, sorted := fit, slices.Sorted(maps.Keys(names))
	for range depth {
		c, in := split(node, sorted)
		if in == nil {
			break
		}
		node = in
		// Of conditions on one side of a quantity the last implies the others.
		r.Conditions = append(slices.DeleteFunc(r.Conditions, func(d Condition) bool {
			return d.Quantity == c.Quantity && d.Above == c.Above
		}), c)
	}
	if len(r.Conditions) == 0 {
		return nil
	}
	r.Mean = mean(node)
	from := 0.0
	if best.Rank == ByRatio {
		from = 1
	}
	r.Above = round(from+(r.Mean-from)/2, 2)
	if all := mean(fit); r.Above < all {
		r.Above = round(all, 3)
	}
	share := func(list []*sample) float64 {
		hits := slices.DeleteFunc(slices.Clone(list), func(p *sample) bool { return p.score.Value <= r.Above })
		return float64(len(hits)) / float64(len(list))
	}
	met := out
	for _, c := range r.Conditions {
		met, _ = c.of(met)
	}
	if len(met) == 0 {
		return nil
	}
	r.Held, r.Precision, r.Base = len(met), share(met), share(out)
	return r
}

func mean(list []*sample) float64 {
	sum := 0.0
	for _, p := range list {
		sum += p.score.Value
	}
	return sum / float64(len(list))
}

// split finds the threshold that explains most of the variance and returns the condition of the side with the larger mean, and
// who meets it; nil: no split leaves enough on both sides.
func split(node []*sample, names []string) (best Condition, in []*sample) {
	gain := 1e-12
	for _, name := range names {
		var values []float64
		for _, p := range node {
			if v, ok := p.features[name]; ok {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		for q := 1; q < cuts && len(values) >= 2*leaf; q++ {
			c := Condition{name, true, values[q*len(values)/cuts]}
			if q > 1 && c.Value == values[(q-1)*len(values)/cuts] { // tried already
				continue
			}
			high, low := c.of(node)
			if len(low) < leaf || len(high) < leaf {
				continue
			}
			a, b := mean(low), mean(high)
			if g := float64(len(low)) * float64(len(high)) / float64(len(values)) * (a - b) * (a - b); g > gain {
				gain, in, c.Above = g, low, b > a
				if c.Above {
					in = high
				}
				best = Condition{name, c.Above, round(c.Value, 3)}
			}
		}
	}
	return best, in
}
