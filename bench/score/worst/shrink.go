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

// The shares of the ratio, and of its excess over 1, that a simplified instance must keep. For a small excess the first share is a
// weak condition.
const (
	keepRatio  = 0.99
	keepExcess = 0.9
)

// A shrinker simplifies an instance by delta debugging (Zeller and Hildebrandt, IEEE TSE 2002): as long as the score stays near
// that of the first, elements are dropped from lists, many at once and then one by one, and numbers replaced by simpler ones.
type shrinker struct {
	evaluator   evaluator
	box         *box
	evaluations int
	seen        map[string]bool // hashes of the instances tried already
	least       Score
	at          *entry // the simplest found
}

func (h *shrinker) value(ctx context.Context, in *bench.Instance, atLeast Score) (*Value, error) {
	h.evaluations++
	return h.evaluator.evaluate(ctx, 0, in, atLeast)
}

// shrink returns the simplest instance found whose proven score is at least the required share of e's. No single known step
// makes the result simpler. At the end of ctx shrink returns the simplest one so far.
func (h *shrinker) shrink(ctx context.Context, e *entry) *entry {
	h.at, h.least, h.seen = e, e.value.Score.least(keepRatio, keepExcess), map[string]bool{}
	for before := (*entry)(nil); h.at != before && ctx.Err() == nil; {
		before = h.at
		h.lists(ctx)
		h.numbers(ctx)
		h.kinds(ctx)
		h.units(ctx)
	}
	h.try(ctx, func(p models.Parts) bool {
		for _, l := range p.Lists {
			if l.Rename != nil {
				l.Rename()
			}
		}
		return true
	})
	return h.at
}

// try changes what there is by do, which may say no, and keeps it if it is valid, in the box and bad enough.
func (h *shrinker) try(ctx context.Context, do func(p models.Parts) bool) bool {
	if ctx.Err() != nil {
		return false
	}
	from := h.at.instance
	in := changed(from, from.Name, func(d *bench.Draft) bool {
		done := do(d.Parts())
		d.Mend()
		return done
	})
	if in == nil || in.SHA256 == from.SHA256 || h.seen[in.SHA256] || h.box.beyond(in) > 0 {
		return false
	}
	v, err := h.value(ctx, in, h.least)
	if err != nil {
		return false
	}
	h.seen[in.SHA256] = true
	if v.Failure != "" || v.Optimum == nil || v.Score.less(h.least) || v.Score.Rank != h.least.Rank {
		return false
	}
	h.at = &entry{in, v, h.at.origin}
	return true
}

func (h *shrinker) parts() models.Parts { return partsOf(h.at.instance) }

// lists drops elements. Dropping a job drops its lists.
func (h *shrinker) lists(ctx context.Context) {
	for l := 0; l < len(h.parts().Lists); l++ {
		for chunk := max(1, h.parts().Lists[l].Len()/2); chunk >= 1; chunk /= 2 {
			for i := math.MaxInt; ; i-- {
				lists := h.parts().Lists
				if l >= len(lists) {
					return
				}
				i = min(i, lists[l].Len()-chunk)
				if i < 0 {
					break
				}
				h.try(ctx, func(p models.Parts) bool {
					for range chunk {
						p.Lists[l].Drop(i)
					}
					return true
				})
			}
		}
	}
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

// simpler are values that are simpler than that of n, the simplest first.
func simpler(n *models.Number) (list []float64) {
	v := n.Get()
	candidates := []float64{
		0, 1, 2, n.Least, v / 2, round(v, 1), math.Floor(v), math.Ceil(v), round(v, 2), v - 1, v + 1, 0.5, 0.1, round(v, 3),
	}
	if n.Default != nil {
		candidates = slices.Insert(candidates, 0, *n.Default)
	}
	for _, x := range candidates {
		if n.Integer {
			x = math.Round(x)
		}
		if x >= n.Least && x <= n.Most && cost(n, x) < cost(n, v) && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// numbers replaces one number after the other by simpler ones.
func (h *shrinker) numbers(ctx context.Context) {
	for i := 0; i < len(h.parts().Numbers); i++ {
		for again := true; again && i < len(h.parts().Numbers); {
			again = slices.ContainsFunc(simpler(&h.parts().Numbers[i]), func(x float64) bool {
				return h.try(ctx, func(p models.Parts) bool { p.Numbers[i].Set(x); return true })
			})
		}
	}
}

// groups are the values of numbers by a key, with the keys in order.
func (h *shrinker) groups(key func(n *models.Number) string) (names []string, of map[string][]float64) {
	of = map[string][]float64{}
	numbers := h.parts().Numbers
	for i := range numbers {
		name := key(&numbers[i])
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], numbers[i].Get())
	}
	return names, of
}

// kinds gives all numbers of a kind their default or 1, or subtracts the least of them, so that for example the first arrival is
// at 0.
func (h *shrinker) kinds(ctx context.Context) {
	kind := func(n *models.Number) string { return n.Kind }
	names, of := h.groups(kind)
	for _, name := range names {
		least := slices.Min(of[name])
		for _, change := range []func(n *models.Number) float64{
			func(n *models.Number) float64 {
				if n.Default != nil {
					return *n.Default
				}
				return 1
			},
			func(*models.Number) float64 { return 1 },
			func(n *models.Number) float64 { return round(n.Get()-least, digits) },
		} {
			if h.together(ctx, kind, name, change) {
				break
			}
		}
	}
}

// together changes the numbers of a key, if all together become simpler.
func (h *shrinker) together(ctx context.Context, key func(n *models.Number) string, name string,
	change func(n *models.Number) float64,
) bool {
	return h.try(ctx, func(p models.Parts) bool {
		before, after := 0.0, 0.0
		for i := range p.Numbers {
			if n := &p.Numbers[i]; key(n) == name {
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
func (h *shrinker) units(ctx context.Context) {
	unit := func(n *models.Number) string { return n.Unit }
	for before := (*entry)(nil); h.at != before; {
		before = h.at
		names, of := h.groups(unit)
		for _, name := range names {
			sizes := slices.DeleteFunc(of[name], func(v float64) bool { return v == 0 })
			for i := range sizes {
				sizes[i] = math.Abs(sizes[i])
			}
			if name == "" || len(sizes) == 0 {
				continue
			}
			low, high := slices.Min(sizes), slices.Max(sizes)
			for _, f := range []float64{1 / low, 1 / high, 10 / high, 2 / low, 100 / high, 10 / low} {
				for _, whole := range []bool{true, false} {
					h.together(ctx, unit, name, func(n *models.Number) float64 {
						x := round(n.Get()*f, digits)
						if r := math.Round(x); r != 0 && (whole || n.Integer) {
							x = r
						}
						return x
					})
				}
			}
		}
	}
}
