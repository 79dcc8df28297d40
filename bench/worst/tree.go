package worst

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
)

// samples are instances of the search by their quantities: all of them, or once there are too many every second, fourth, …
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
	s.seen++
	if s.seen%s.every != 0 || v.Score.Rank < ByRegret {
		return
	}
	if len(s.list) == maxSample {
		kept := s.list[:0]
		for i := range s.list {
			if i%2 == 1 {
				kept = append(kept, s.list[i])
			}
		}
		s.list, s.every = kept, 2*s.every
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
	of := map[string][]float64{}
	for _, n := range partsOf(in).Numbers {
		of[n.Kind] = append(of[n.Kind], n.Get())
	}
	for kind, list := range of {
		low, high, sum := slices.Min(list), slices.Max(list), 0.0
		for _, v := range list {
			sum += v
		}
		if len(list) > 1 && high > 0 && low >= 0 {
			q["largest "+kind+" in the sum"] = high / sum
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

func (c Condition) String() string {
	if c.Above {
		return fmt.Sprintf("%s > %.3g", c.Quantity, c.Value)
	}
	return fmt.Sprintf("%s ≤ %.3g", c.Quantity, c.Value)
}

// String is the rule as a sentence.
func (r *Rule) String() string {
	var all []string
	for _, c := range r.Conditions {
		all = append(all, c.String())
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
	for i := range s.list {
		p := &s.list[i]
		if p.score.Rank != best.Rank {
			continue
		}
		if p.features = describe(p.instance); held(p.instance) {
			out = append(out, p)
		} else {
			fit = append(fit, p)
		}
	}
	if len(fit) < leastOf || len(out) < leastOf/3 {
		return nil
	}
	names := map[string]bool{}
	for _, p := range fit {
		for name := range p.features {
			names[name] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(names))
	r := &Rule{Measure: best.Rank.String(), Instances: len(fit) + len(out)}
	node := fit
	for range depth {
		c, in := split(node, sorted)
		if in == nil {
			break
		}
		r.Conditions = append(r.Conditions, c)
		node = in
	}
	if len(r.Conditions) == 0 {
		return nil
	}
	r.Conditions = tighten(r.Conditions)
	r.Mean = mean(node)
	from := 0.0
	if best.Rank == ByRatio {
		from = 1
	}
	r.Above = round(from+(mean(node)-from)/2, 2)
	if all := mean(fit); r.Above < all {
		r.Above = round(all, 3)
	}
	hits, bad := 0, 0
	for _, p := range out {
		if p.score.Value > r.Above {
			bad++
		}
		if !r.meets(p) {
			continue
		}
		r.Held++
		if p.score.Value > r.Above {
			hits++
		}
	}
	if r.Held == 0 {
		return nil
	}
	r.Precision, r.Base = float64(hits)/float64(r.Held), float64(bad)/float64(len(out))
	return r
}

func (r *Rule) meets(p *sample) bool {
	for _, c := range r.Conditions {
		if v, ok := p.features[c.Quantity]; !ok || v > c.Value != c.Above {
			return false
		}
	}
	return true
}

// tighten leaves of several conditions on one side of a quantity the last, which implies the others.
func tighten(list []Condition) []Condition {
	var out []Condition
	for i, c := range list {
		if !slices.ContainsFunc(list[i+1:], func(d Condition) bool { return d.Quantity == c.Quantity && d.Above == c.Above }) {
			out = append(out, c)
		}
	}
	return out
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
		before := math.NaN()
		for q := 1; q < cuts && len(values) >= 2*leaf; q++ {
			at := values[q*len(values)/cuts]
			if at == before {
				continue
			}
			before = at
			var low, high, missing []*sample
			for _, p := range node {
				switch v, ok := p.features[name]; {
				case !ok:
					missing = append(missing, p)
				case v > at:
					high = append(high, p)
				default:
					low = append(low, p)
				}
			}
			if len(low) < leaf || len(high) < leaf {
				continue
			}
			a, b := mean(low), mean(high)
			if g := float64(len(low)) * float64(len(high)) / float64(len(node)-len(missing)) * (a - b) * (a - b); g > gain {
				gain = g
				best, in = Condition{name, b > a, round(at, 3)}, high
				if a >= b {
					in = low
				}
			}
		}
	}
	return best, in
}
