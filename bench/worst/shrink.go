package worst

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/models"
)

// What a simplified instance keeps of the ratio, and of its excess over 1: of small excesses the first says little.
const (
	keepRatio  = 0.99
	keepExcess = 0.9
)

// A shrinker simplifies an instance by delta debugging (Zeller and Hildebrandt, IEEE TSE 2002): as long as the score stays near
// that of the first, elements are dropped from lists, many at once and then one by one, and numbers replaced by simpler ones.
type shrinker struct {
	evaluator   *evaluator
	box         *box
	evaluations int
	seen        map[string]bool // hashes of what was tried already
	least       Score
}

func (h *shrinker) value(ctx context.Context, in *bench.Instance, atLeast Score) (*Value, error) {
	h.evaluations++
	return h.evaluator.evaluate(ctx, in, atLeast)
}

// shrink returns the simplest instance found with a proven score of at least the share of e's that is kept. When it is done no
// single step that it knows makes the result simpler. At the end of ctx it returns what it has.
func (h *shrinker) shrink(ctx context.Context, e *entry) *entry {
	h.least, h.seen = e.value.Score.least(keepRatio, keepExcess), map[string]bool{}
	for ctx.Err() == nil {
		next := h.lists(ctx, e)
		next = h.numbers(ctx, next)
		next = h.kinds(ctx, next)
		next = h.units(ctx, next)
		if next == e {
			break
		}
		e = next
	}
	if named := h.try(ctx, e, func(d *bench.Draft) bool {
		for _, l := range d.Parts().Lists {
			if l.Rename != nil {
				l.Rename()
			}
		}
		return true
	}); named != nil {
		e = named
	}
	return e
}

// try returns e changed by do, or nil where that is not valid, not in the box or not bad enough.
func (h *shrinker) try(ctx context.Context, e *entry, do func(d *bench.Draft) bool) *entry {
	if ctx.Err() != nil {
		return nil
	}
	in := changed(e.instance, e.instance.Name, func(d *bench.Draft) bool {
		if !do(d) {
			return false
		}
		d.Mend()
		return true
	})
	if in == nil || in.SHA256 == e.instance.SHA256 || h.seen[in.SHA256] || h.box.beyond(in) > 0 {
		return nil
	}
	v, err := h.value(ctx, in, h.least)
	if err != nil {
		return nil
	}
	h.seen[in.SHA256] = true
	if v.Failure != "" || v.Optimum == nil || v.Score.less(h.least) || v.Score.Rank != h.least.Rank {
		return nil
	}
	return &entry{in, v, e.origin}
}

// lists drops elements.
func (h *shrinker) lists(ctx context.Context, e *entry) *entry {
	for l := 0; l < len(partsOf(e.instance).Lists); l++ {
		for chunk := max(1, partsOf(e.instance).Lists[l].Len()/2); chunk >= 1; chunk /= 2 {
			for i := math.MaxInt; ; i-- {
				lists := partsOf(e.instance).Lists // dropping a job drops its lists
				if l >= len(lists) {
					return e
				}
				if i = min(i, lists[l].Len()-chunk); i < 0 {
					break
				}
				n := h.try(ctx, e, func(d *bench.Draft) bool {
					list := d.Parts().Lists[l]
					for range chunk {
						list.Drop(i)
					}
					return true
				})
				if n != nil {
					e = n
				}
			}
		}
	}
	return e
}

// cost is how complicated a number is: the default is simplest, then small integers with few digits, then fractions.
func cost(n *models.Number, v float64) float64 {
	if n.Default != nil && v == *n.Default {
		return 0
	}
	significant, _, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	c := 1 + float64(len(strings.ReplaceAll(significant, ".", "")))
	if v != math.Trunc(v) {
		c += 2
	}
	if v < 0 {
		c += 0.5
	}
	if v != 0 {
		c += 0.2 * math.Abs(math.Log10(math.Abs(v)))
	}
	return c
}

// simpler are values that are simpler than v, the simplest first.
func simpler(n *models.Number, v float64) []float64 {
	var list []float64
	add := func(x float64) {
		if n.Integer {
			x = math.Round(x)
		}
		if x < n.Least || x > n.Most || cost(n, x) >= cost(n, v) {
			return
		}
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	if n.Default != nil {
		add(*n.Default)
	}
	for _, x := range []float64{0, 1, 2, n.Least} {
		add(x)
	}
	for _, x := range []float64{v / 2, round(v, 1), math.Floor(v), math.Ceil(v), round(v, 2), v - 1, v + 1, 0.5, 0.1, round(v, 3)} {
		add(x)
	}
	return list
}

// numbers replaces one number after the other by simpler ones.
func (h *shrinker) numbers(ctx context.Context, e *entry) *entry {
	for i := 0; i < len(partsOf(e.instance).Numbers); i++ {
		for again := true; again; {
			all := partsOf(e.instance).Numbers
			if again = false; i >= len(all) {
				break
			}
			n := all[i]
			for _, x := range simpler(&n, n.Get()) {
				if next := h.try(ctx, e, func(d *bench.Draft) bool { d.Parts().Numbers[i].Set(x); return true }); next != nil {
					e, again = next, true
					break
				}
			}
		}
	}
	return e
}

// kinds gives all numbers of a kind their default or 1, or subtracts the least of them, so that for example the first arrival is
// at 0.
func (h *shrinker) kinds(ctx context.Context, e *entry) *entry {
	least := map[string]float64{}
	var names []string
	for _, n := range partsOf(e.instance).Numbers {
		low, ok := least[n.Kind]
		if !ok {
			names, low = append(names, n.Kind), n.Get()
		}
		least[n.Kind] = min(low, n.Get())
	}
	for _, kind := range names {
		for _, change := range []func(n *models.Number) float64{
			func(n *models.Number) float64 {
				if n.Default != nil {
					return *n.Default
				}
				return 1
			},
			func(*models.Number) float64 { return 1 },
			func(n *models.Number) float64 { return round(n.Get()-least[kind], digits) },
		} {
			if next := h.together(ctx, e, func(n *models.Number) bool { return n.Kind == kind }, change); next != nil {
				e = next
				break
			}
		}
	}
	return e
}

// together changes some numbers at once, if all together become simpler.
func (h *shrinker) together(ctx context.Context, e *entry, which func(n *models.Number) bool,
	change func(n *models.Number) float64,
) *entry {
	return h.try(ctx, e, func(d *bench.Draft) bool {
		before, after := 0.0, 0.0
		all := d.Parts().Numbers
		for i := range all {
			if n := &all[i]; which(n) {
				v, x := n.Get(), change(n)
				before += cost(n, v)
				after += cost(n, x)
				n.Set(x)
			}
		}
		return after < before
	})
}

// units multiplies all numbers of a unit so that the least or the greatest is 1 or 10, and makes the others integers, where all
// together become simpler.
func (h *shrinker) units(ctx context.Context, e *entry) *entry {
	for {
		units := map[string][]float64{}
		var names []string
		for _, n := range partsOf(e.instance).Numbers {
			if v := math.Abs(n.Get()); n.Unit != "" && v > 0 {
				if units[n.Unit] == nil {
					names = append(names, n.Unit)
				}
				units[n.Unit] = append(units[n.Unit], v)
			}
		}
		next := e
		for _, unit := range names {
			low, high := slices.Min(units[unit]), slices.Max(units[unit])
			for _, f := range []float64{1 / low, 1 / high, 10 / high, 2 / low, 100 / high, 10 / low} {
				for _, whole := range []bool{true, false} {
					if n := h.rescale(ctx, next, unit, f, whole); n != nil {
						next = n
					}
				}
			}
		}
		if next == e {
			return e
		}
		e = next
	}
}

func (h *shrinker) rescale(ctx context.Context, e *entry, unit string, f float64, whole bool) *entry {
	return h.together(ctx, e, func(n *models.Number) bool { return n.Unit == unit }, func(n *models.Number) float64 {
		x := round(n.Get()*f, digits)
		if r := math.Round(x); r != 0 && (whole || n.Integer) {
			x = r
		}
		return x
	})
}
