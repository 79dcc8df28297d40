package worst

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/nearest"
)

// A Range is the least and the greatest value that a quantity may have.
type Range struct {
	Name     string
	From, To float64
}

// ParseRange reads k=a..b.
func ParseRange(text string) (Range, error) {
	name, ends, ok := strings.Cut(text, "=")
	from, to, both := strings.Cut(ends, "..")
	if !ok || !both || name == "" {
		return Range{}, fmt.Errorf("range %q must have the form k=a..b, such as slack=0.2..0.5", text)
	}
	r := Range{Name: name}
	for i, end := range []string{from, to} {
		v, err := strconv.ParseFloat(end, 64)
		if err != nil || math.IsNaN(v) {
			return r, fmt.Errorf("range %q: %q must be a number", text, end)
		}
		*[]*float64{&r.From, &r.To}[i] = v
	}
	if r.From > r.To {
		return r, fmt.Errorf("range %q has no values: %v is greater than %v", text, r.From, r.To)
	}
	return r, nil
}

// A box is what an instance must lie in. The zero box holds all instances.
type box struct {
	features map[string]Range // features and sizes
	kinds    map[string]Range // every number of a kind
	words    map[string][]any // features that are words
}

// quantities are the numbers that describe an instance as a whole: its features, its sizes and the lengths of its lists.
func quantities(in *bench.Instance) map[string]float64 {
	q := map[string]float64{"jobs": float64(in.Size.Jobs), "machines": float64(in.Size.Machines)}
	if in.Size.Tasks > 0 {
		q["tasks"] = float64(in.Size.Tasks)
	}
	for name, v := range in.Features {
		if x, ok := v.(float64); ok {
			q[name] = x
		}
	}
	return q
}

// newBox is the box of ranges on instances like sample. A name is that of a quantity of the instance or of a kind of numbers.
func newBox(sample *bench.Instance, ranges []Range) (*box, error) {
	b := &box{features: map[string]Range{}, kinds: map[string]Range{}, words: map[string][]any{}}
	known, kinds := quantities(sample), kindsOf(sample)
	for _, r := range ranges {
		_, quantity := known[r.Name]
		switch {
		case quantity:
			b.features[r.Name] = r
		case kinds[r.Name]:
			b.kinds[r.Name] = r
		default:
			names := slices.Collect(maps.Keys(known))
			for k := range kinds {
				names = append(names, k)
			}
			slices.Sort(names)
			if near := nearest.Name(r.Name, names); near != "" {
				return nil, fmt.Errorf("--within: unknown quantity %q; did you mean %q?", r.Name, near)
			}
			return nil, fmt.Errorf("--within: unknown quantity %q of %s; there are %s", r.Name, sample.Problem.Name,
				strings.Join(slices.Compact(names), ", "))
		}
	}
	return b, nil
}

func kindsOf(in *bench.Instance) map[string]bool {
	kinds := map[string]bool{}
	for _, n := range partsOf(in).Numbers {
		kinds[n.Kind] = true
	}
	return kinds
}

// partsOf are the parts of an instance; none where it cannot be taken apart.
func partsOf(in *bench.Instance) models.Parts {
	d, err := in.Draft(in.Name)
	if err != nil {
		return models.Parts{}
	}
	return d.Parts()
}

// like narrows b to the ranges that instances span: of their features, but not of their sizes, and of their numbers by kind.
func (b *box) like(instances []*bench.Instance) {
	widen := func(of map[string]Range, name string, v float64) {
		r, ok := of[name]
		if !ok {
			r = Range{name, v, v}
		}
		of[name] = Range{name, min(r.From, v), max(r.To, v)}
	}
	features, kinds := map[string]Range{}, map[string]Range{}
	for _, in := range instances {
		for name, v := range in.Features {
			switch v := v.(type) {
			case float64:
				widen(features, name, v)
			case string:
				if !slices.Contains(b.words[name], any(v)) {
					b.words[name] = append(b.words[name], v)
				}
			}
		}
		for _, n := range partsOf(in).Numbers {
			widen(kinds, n.Kind, n.Get())
		}
	}
	for name, r := range features {
		b.features[name] = meet(b.features, r)
	}
	for name, r := range kinds {
		b.kinds[name] = meet(b.kinds, r)
	}
}

// meet is the part of r within the range that there is already.
func meet(of map[string]Range, r Range) Range {
	if have, ok := of[r.Name]; ok {
		return Range{r.Name, max(r.From, have.From), min(r.To, have.To)}
	}
	return r
}

// narrow makes moves keep numbers within the box.
func (b *box) narrow(numbers []models.Number) {
	if b == nil || len(b.kinds) == 0 {
		return
	}
	for i := range numbers {
		n := &numbers[i]
		if r, ok := b.kinds[n.Kind]; ok {
			n.Least, n.Most = max(n.Least, r.From), min(n.Most, r.To)
		}
	}
}

// slack is what a feature may be outside of its range by rounding.
const slack = 1e-9

// beyond is how far in lies outside of the box, 0: it lies inside.
func (b *box) beyond(in *bench.Instance) float64 {
	if b == nil || len(b.features)+len(b.kinds)+len(b.words) == 0 {
		return 0
	}
	sum := 0.0
	add := func(r Range, v float64) {
		if d := max(r.From-v, v-r.To); d > slack*max(1, math.Abs(v)) {
			sum += d / max(1e-3, math.Abs(r.From), math.Abs(r.To))
		}
	}
	q := quantities(in)
	for _, name := range slices.Sorted(maps.Keys(b.features)) {
		if v, ok := q[name]; ok {
			add(b.features[name], v)
		} else {
			sum++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.words)) {
		if !slices.Contains(b.words[name], in.Features[name]) {
			sum++
		}
	}
	if len(b.kinds) > 0 {
		for _, n := range partsOf(in).Numbers {
			if r, ok := b.kinds[n.Kind]; ok {
				add(r, n.Get())
			}
		}
	}
	return sum
}
