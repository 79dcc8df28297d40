package papers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/reports/stats"
)

// A Quantity is a column of the results, reduced to one number.
type Quantity struct {
	Column  string   `yaml:"column"`
	Of      []string `yaml:"of"`      // policies or algorithms
	Against []string `yaml:"against"` // those that it is compared with
	As      string   `yaml:"as"`      // ratio, reduction in percent, difference, or the ratio of each job; empty: the value
	Stat    string   `yaml:"stat"`    // within a block: max, share of the values up to Within; empty: mean; worst: max of all blocks
	Within  float64  `yaml:"within"`
	At      *float64 `yaml:"at"`   // a case; nil: all
	From    *float64 `yaml:"from"` // by how much it is more At than here
	Rest    string   `yaml:"rest"` // by how much it is more At than the most, or the least, of the other cases
	Over    string   `yaml:"over"` // of several cases or names: mean, least or most, of the means over blocks
}

// orNone returns the names, or one that is empty.
func orNone(list []string) []string {
	if len(list) == 0 {
		return []string{""}
	}
	return list
}

// A pair is a quantity of one policy in one case, over blocks, and that of the policy that it is compared with.
type pair struct{ of, against []float64 }

// pairs evaluates a quantity on the blocks of a setting.
func (q *Quantity) pairs(e *Entry, blocks []samples, x float64) (list []pair, err error) {
	for _, of := range q.Of {
		for _, base := range orNone(q.Against) {
			p := pair{make([]float64, len(blocks)), make([]float64, len(blocks))}
			for i, b := range blocks {
				one, err := b.values(e, place{x, of, q.Column})
				if err != nil {
					return nil, err
				}
				other := one
				if base != "" {
					other, err = b.values(e, place{x, base, q.Column})
					if err != nil {
						return nil, err
					}
				}
				if q.As == "job-ratio" {
					one, err = jobRatios(one, other)
					if err != nil {
						return nil, err
					}
				}
				p.of[i], p.against[i] = q.reduce(one.values), q.reduce(other.values)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// reduce is the statistic within a block.
func (q *Quantity) reduce(xs []float64) float64 {
	switch q.Stat {
	case "max", "worst":
		return slices.Max(xs)
	case "share":
		return stats.Distribution(xs, len(xs)).At(q.Within)
	}
	return stats.Mean(xs)
}

// jobRatios are the values of jobs over those of the same jobs; a job that has only one, as it was killed, is left out.
func jobRatios(one, other *column) (*column, error) {
	base, ratios := map[string]float64{}, &column{}
	for i, id := range other.jobs {
		base[id] = other.values[i]
	}
	for i, id := range one.jobs {
		if w, ok := base[id]; ok && w != 0 {
			ratios.values = append(ratios.values, one.values[i]/w)
		}
	}
	if len(ratios.values) == 0 {
		return nil, errors.New("no job has a value under both policies")
	}
	return ratios, nil
}

// value is a pair over some blocks.
func (q *Quantity) value(p pair, rows []uint32) float64 {
	if q.Stat == "worst" {
		worst := math.Inf(-1)
		for _, i := range rows {
			worst = max(worst, p.of[i])
		}
		return worst
	}
	v, w := 0.0, 0.0
	for _, i := range rows {
		v, w = v+p.of[i], w+p.against[i]
	}
	switch q.As {
	case "ratio":
		return v / w
	case "reduction":
		return 100 * (1 - v/w)
	case "difference":
		return (v - w) / float64(len(rows))
	}
	return v / float64(len(rows))
}

// statistic is a quantity as a function of the blocks.
func (q *Quantity) statistic(e *Entry, blocks []samples) (func(rows []uint32) float64, error) {
	xs := e.places()
	if q.At != nil {
		xs = []float64{*q.At}
	}
	pairs, err := q.over(e, blocks, xs)
	if err != nil {
		return nil, err
	}
	var from, rest []pair
	if q.From != nil {
		from, err = q.pairs(e, blocks, *q.From)
		if err != nil {
			return nil, err
		}
	}
	if q.Rest != "" {
		others := slices.DeleteFunc(e.places(), func(x float64) bool { return x == *q.At })
		rest, err = q.over(e, blocks, others)
		if err != nil {
			return nil, err
		}
	}
	return func(rows []uint32) float64 {
		values := q.values(pairs, rows)
		for k := range values {
			if from != nil {
				values[k] -= q.value(from[k%len(from)], rows)
			}
			if rest != nil {
				values[k] -= extreme(q.Rest, q.values(rest, rows))
			}
		}
		return extreme(q.Over, values)
	}, nil
}

// over evaluates a quantity in several cases.
func (q *Quantity) over(e *Entry, blocks []samples, xs []float64) (list []pair, err error) {
	for _, x := range xs {
		pairs, err := q.pairs(e, blocks, x)
		if err != nil {
			return nil, err
		}
		list = append(list, pairs...)
	}
	return list, nil
}

// values are those of pairs over some blocks.
func (q *Quantity) values(pairs []pair, rows []uint32) []float64 {
	list := make([]float64, len(pairs))
	for k, p := range pairs {
		list[k] = q.value(p, rows)
	}
	return list
}

// extreme makes one number of several.
func extreme(over string, values []float64) float64 {
	switch over {
	case "least":
		return slices.Min(values)
	case "most":
		return slices.Max(values)
	}
	return stats.Mean(values)
}

// evaluate takes a quantity on blocks, with the interval of a joint bootstrap over them.
func (e *Entry) evaluate(q Quantity, blocks []samples) (Row, error) {
	r := missing(e.ID)
	r.Count = len(blocks)
	statistic, err := q.statistic(e, blocks)
	if err != nil {
		return r, err
	}
	r.Value = statistic(indices(len(blocks)))
	if !stats.IsFinite(r.Value) {
		return r, fmt.Errorf("%s: %s of %v is %v", e.ID, q.Column, q.Of, r.Value)
	}
	iv := stats.Bootstrap{Draws: 2000, Level: 0.95}.Of(stats.NewResampler(1, 2, 3), len(blocks), statistic)
	r.Low, r.High = iv.Lo, iv.Hi
	return r, nil
}

// check finds faults of a quantity at a path of the file. It is about the cases xs; nil means that it is a drawing's.
func (q *Quantity) check(e *Entry, path string, xs []float64) error {
	if q.At != nil && xs != nil {
		xs = []float64{*q.At}
	}
	cases := strings.Fields(strings.Trim(fmt.Sprint(e.places()), "[]"))
	in := func(key string, list []string, names ...string) error {
		for _, name := range names {
			if err := known(path+"."+key, key, name, list); err != nil {
				return err
			}
		}
		return nil
	}
	err := cmp.Or(
		in("of", e.names, q.Of...), in("against", e.names, q.Against...), in("stat", []string{"", "max", "worst", "share"}, q.Stat),
		in("as", []string{"", "ratio", "reduction", "difference", "job-ratio"}, q.As),
		in("over", []string{"", "mean", "least", "most"}, q.Over), in("rest", []string{"", "least", "most"}, q.Rest),
	)
	for _, x := range []*float64{q.At, q.From} {
		if x != nil && err == nil {
			err = in("at", cases, fmt.Sprint(*x))
		}
	}
	switch several := len(q.Of) * len(orNone(q.Against)) * len(xs); {
	case err != nil:
		return err
	case len(q.Of) == 0 || (q.As == "") != (len(q.Against) == 0):
		return wrong(path, "of, as, against: it must name a policy, and the last two belong together")
	case q.Rest != "" && (q.At == nil || q.From != nil || len(e.places()) < 2):
		return wrong(path, "rest: it needs at, another case, and no from")
	case several > 1 && q.Over == "":
		return wrong(path, "over: it must say how %d numbers become one: mean, least or most", several)
	}
	return nil
}
