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

// size is the larger of the ends that are numbers.
func (r Range) size() (size float64) {
	for _, end := range []float64{r.From, r.To} {
		if !math.IsInf(end, 0) {
			size = max(size, math.Abs(end))
		}
	}
	return size
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

// A box restricts instances by ranges of features. The zero box holds all instances.
type box struct {
	ranges map[string]Range    // of what values gives
	words  map[string][]string // features that are words
}

// each begins the names of quantities that every number of a kind has.
const each = "each "

// quantities are the numbers that describe an instance as a whole: its features and its sizes.
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

// values are the quantities of an instance and, below each KIND, its numbers of that kind.
func values(in *bench.Instance) map[string][]float64 {
	all := map[string][]float64{}
	for name, x := range quantities(in) {
		all[name] = []float64{x}
	}
	for _, n := range partsOf(in).Numbers {
		all[each+n.Kind] = append(all[each+n.Kind], n.Get())
	}
	return all
}

// newBox is the box of ranges on instances like sample, which is also within the ranges that some instances span: of their
// features, but not of their sizes, and of their numbers by kind.
func newBox(sample *bench.Instance, within []Range, like []*bench.Instance) (*box, error) {
	b := &box{map[string]Range{}, map[string][]string{}}
	known := values(sample)
	for _, r := range within {
		name := r.Name
		if known[name] == nil {
			name = each + name
		}
		if known[name] == nil {
			var names []string
			for name := range known {
				names = append(names, strings.TrimPrefix(name, each))
			}
			slices.Sort(names)
			return nil, fmt.Errorf("--within: %w", nearest.Unknown("quantity", r.Name, slices.Compact(names)))
		}
		b.ranges[name] = r
	}
	spans := map[string]Range{}
	for _, in := range like {
		for name, list := range values(in) {
			if _, feature := in.Features[name]; !feature && !strings.HasPrefix(name, each) {
				continue
			}
			low, high := slices.Min(list), slices.Max(list)
			if r, seen := spans[name]; seen {
				low, high = min(low, r.From), max(high, r.To)
			}
			spans[name] = Range{name, low, high}
		}
		for name, v := range in.Features {
			if word, ok := v.(string); ok {
				b.words[name] = append(b.words[name], word)
			}
		}
	}
	for name, r := range spans {
		if own, given := b.ranges[name]; given {
			r.From, r.To = max(r.From, own.From), min(r.To, own.To)
		}
		b.ranges[name] = r
		if r.From > r.To {
			return nil, errNoInstances
		}
	}
	return b, nil
}

// partsOf are the parts of an instance; none where it cannot be taken apart.
func partsOf(in *bench.Instance) models.Parts {
	d, err := in.Draft(in.Name)
	if err != nil {
		return models.Parts{}
	}
	return d.Parts()
}

// narrow makes moves keep numbers within the box.
func (b *box) narrow(numbers []models.Number) {
	for i := 0; i < len(numbers) && len(b.ranges) > 0; i++ {
		n := &numbers[i]
		if r, ok := b.ranges[each+n.Kind]; ok {
			n.Least, n.Most = max(n.Least, r.From), min(n.Most, r.To)
		}
	}
}

// slack is the distance outside its range that a feature may have by rounding, relative to the size of the range.
const slack = 1e-9

// beyond is how far in lies outside of the box, 0: it lies inside.
func (b *box) beyond(in *bench.Instance) (sum float64) {
	if len(b.ranges)+len(b.words) == 0 {
		return 0
	}
	all := values(in)
	for _, name := range slices.Sorted(maps.Keys(b.ranges)) {
		r := b.ranges[name]
		if all[name] == nil && !strings.HasPrefix(name, each) {
			sum++
		}
		for _, v := range all[name] {
			if d := max(r.From-v, v-r.To); d > slack*r.size() {
				sum += d / max(1e-3, math.Abs(r.From), math.Abs(r.To))
			}
		}
	}
	for name, words := range b.words {
		if word, ok := in.Features[name].(string); !ok || !slices.Contains(words, word) {
			sum++
		}
	}
	return sum
}
