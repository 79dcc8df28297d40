package speculation

import (
	"cmp"
	"math"
	"slices"
)

// A facet is a line with all matchings of a node below it: none is worth more than level in its direction, time·ΣΔt + energy·ΣΔE.
type facet struct {
	time, energy, level float64
	at                  *place // a matching of the node on the line; nil: none is known
	other               *place // another one, with more time, if the line is an edge of the hull of the node's matchings
}

func (f *facet) value(p *place) float64 { return f.time*p.time + f.energy*p.energy }

// steeper reports whether f falls faster than g.
func (f *facet) steeper(g *facet) bool { return f.time*g.energy > g.time*f.energy }

// height is the most energy beside some time; +Inf if f does not say.
func (f *facet) height(time float64) float64 {
	if f.energy <= 0 {
		return math.Inf(1)
	}
	return (f.level - f.time*time) / f.energy
}

// insert adds a facet, in place of the one with its direction. Matchings above it are no longer the node's.
func (n *node) insert(f facet) {
	above := func(p *place) bool { return p != nil && f.value(p) > f.level+rounding }
	at := -1
	for k := range n.facets {
		old := &n.facets[k]
		if above(old.other) {
			old.other = nil
		}
		if above(old.at) {
			old.at, old.other = old.other, nil
		}
		if old.time == f.time && old.energy == f.energy {
			at = k
		}
	}
	if at < 0 {
		at, n.facets = len(n.facets), append(n.facets, f)
	}
	n.facets[at] = f
}

// A corner is the lower left one of a quadrant, in which points are looked for.
type corner struct{ time, energy float64 }

// highest finds where a concave hull is worth most in a direction within a quadrant: a place and the facet that it lies on, the
// steepest of several; false where the hull misses the quadrant.
func highest(facets []facet, timeWeight, energyWeight float64, c corner) (at place, on int, ok bool) {
	goal := facet{time: timeWeight, energy: energyWeight}
	last, lastOn := math.Inf(1), -1 // the most time, and what says so
	low, on := math.Inf(1), -1
	for k := range facets {
		f := &facets[k]
		if f.time > 0 {
			if t := (f.level - f.energy*c.energy) / f.time; t < last {
				last, lastOn = t, k
			}
		}
		if h := f.height(c.time); h < low || on >= 0 && h == low && f.steeper(&facets[on]) {
			low, on = h, k
		}
	}
	if on < 0 || lastOn < 0 || last < c.time || low < c.energy {
		return place{}, 0, false
	}
	for t := c.time; ; {
		f := &facets[on]
		if !goal.steeper(f) {
			return place{time: t, energy: f.height(t)}, on, true
		}
		next, then := math.Inf(1), -1
		for k := range facets {
			g := &facets[k]
			if !g.steeper(f) || g.energy <= 0 {
				continue
			}
			// f and g cross where both have their levels.
			x := max(t, (g.level*f.energy-f.level*g.energy)/(g.time*f.energy-f.time*g.energy))
			if x < next || x == next && then >= 0 && g.steeper(&facets[then]) {
				next, then = x, k
			}
		}
		if then < 0 || next >= last {
			return place{time: last, energy: max(c.energy, f.height(last))}, lastOn, true
		}
		t, on = next, then
	}
}

// spanning is the edge, of the concave hull of the known matchings on facets, that is above or below a time; nil where they all
// have less, or more.
func spanning(facets []facet, time float64) (left, right *place) {
	known := make([]*place, 0, 32)
	for k := range facets {
		for _, p := range []*place{facets[k].at, facets[k].other} {
			if p != nil {
				known = append(known, p)
			}
		}
	}
	slices.SortFunc(known, func(a, b *place) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(b.energy, a.energy)) })
	hull := known[:0]
	for _, p := range known {
		if n := len(hull); n > 0 && p.time <= hull[n-1].time+rounding {
			if p.energy <= hull[n-1].energy {
				continue
			}
			hull = hull[:n-1]
		}
		// Cross products tell turns where heights at one time would drown in rounding.
		for n := len(hull); n > 1; n-- {
			a, b := hull[n-2], hull[n-1]
			if (b.time-a.time)*(p.energy-a.energy) < (b.energy-a.energy)*(p.time-a.time) {
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, p)
	}
	for k := 1; k < len(hull); k++ {
		if hull[k-1].time <= time && time < hull[k].time {
			return hull[k-1], hull[k]
		}
	}
	return nil, nil
}

// stale is the facet without a known matching that is next to one, on its flatter or its steeper side; −1: none.
func stale(facets []facet, on int, steeper bool) int {
	best := -1
	for k := range facets {
		f := &facets[k]
		if f.at != nil || k == on {
			continue
		}
		if steeper && !facets[on].steeper(f) && (best < 0 || facets[best].steeper(f)) ||
			!steeper && !f.steeper(&facets[on]) && (best < 0 || f.steeper(&facets[best])) {
			best = k
		}
	}
	return best
}
