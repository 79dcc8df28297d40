package speculation

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// drawNode draws a searcher and a node of it, some pairs dropped, some stragglers and slots bound to be used; nil where no pair
// helps.
func drawNode(t *rapid.T) (*searcher, *node) {
	pairs := newPairs(t.Context(), draw(t))
	if len(pairs.list) == 0 {
		return nil, nil
	}
	s := newSearcher(t.Context(), pairs)
	return s, drawPart(t, s, s.root())
}

func drawPart(t *rapid.T, s *searcher, n *node) *node {
	c := n.clone()
	c.drop(func(int32) bool { return rapid.IntRange(0, 4).Draw(t, "drop") == 0 })
	for i := range c.must {
		c.must[i] = c.must[i] || rapid.IntRange(0, 4).Draw(t, "must") == 0
	}
	for j := range c.use {
		c.use[j] = c.use[j] || rapid.IntRange(0, 4).Draw(t, "use") == 0
	}
	return c
}

// matchings calls see with what each matching of a node saves, in units.
func matchings(s *searcher, n *node, see func(time, energy float64)) {
	helps := make(map[int32]bool)
	for _, cell := range n.cells {
		helps[cell+1] = true
	}
	taken := make([]bool, len(n.use))
	var visit func(i int, time, energy float64)
	visit = func(i int, time, energy float64) {
		if i == len(n.must) {
			for j, use := range n.use {
				if use && !taken[j] {
					return
				}
			}
			see(time, energy)
			return
		}
		if !n.must[i] {
			visit(i+1, time, energy)
		}
		for j := range taken {
			if k := s.at[i*len(taken)+j]; helps[k] && !taken[j] {
				taken[j] = true
				visit(i+1, time+s.time[k-1], energy+s.energy[k-1])
				taken[j] = false
			}
		}
	}
	visit(0, 0, 0)
}

// Relaxations find the greatest matching of a node, or that there is none, whatever earlier ones of it and of its parents left.
func TestRelaxations(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		s, n := drawNode(t)
		if n == nil {
			return
		}
		for range 3 {
			for range 3 {
				timeWeight, energyWeight := rapid.Float64Range(0, 1).Draw(t, "time"), rapid.Float64Range(0, 1).Draw(t, "energy")
				best := math.Inf(-1)
				matchings(s, n, func(time, energy float64) { best = max(best, timeWeight*time+energyWeight*energy) })
				f, ok := s.relax(t.Context(), timeWeight, energyWeight, n)
				if ok == math.IsInf(best, -1) || ok && (math.Abs(f.level-best) > rounding || math.Abs(f.value(f.at)-best) > rounding) {
					t.Fatalf("found %v: %v, enumerated %v\n%s", ok, f.level, best, show(s.in))
				}
			}
			n = drawPart(t, s, n)
		}
	})
}

// highest is the greatest of all corners of the lines that are in the quadrant and below all lines.
func TestHighest(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		number := func(label string) float64 { return float64(rapid.IntRange(0, 8).Draw(t, label)) / 8 }
		facets := []facet{{energy: 1, level: 1 + number("top")}, {time: 1, level: 1 + number("right")}}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			facets = append(facets, facet{time: 1 + number("time"), energy: 1 + number("energy"), level: 2 + number("level")})
		}
		c := corner{2 * number("left"), 2 * number("bottom")}
		timeWeight, energyWeight := 0.1+number("by time"), 0.1+number("by energy")
		lines := append([]facet{{time: -1, level: -c.time}, {energy: -1, level: -c.energy}}, facets...)
		best := math.Inf(-1)
		for i := range lines {
			for k := range i {
				f, g := &lines[i], &lines[k]
				det := f.time*g.energy - g.time*f.energy
				p := &place{(f.level*g.energy - g.level*f.energy) / det, (g.level*f.time - f.level*g.time) / det, speculation.Matching(nil)}
				inside := det != 0
				for l := range lines {
					inside = inside && lines[l].value(p) <= lines[l].level+1e-12
				}
				if inside {
					best = max(best, timeWeight*p.time+energyWeight*p.energy)
				}
			}
		}
		at, on, ok := highest(facets, timeWeight, energyWeight, c)
		if ok == math.IsInf(best, -1) {
			t.Fatalf("found %v, enumerated %v", ok, best)
		}
		if got := timeWeight*at.time + energyWeight*at.energy; ok &&
			(math.Abs(got-best) > 1e-12 || math.Abs(facets[on].value(&at)-facets[on].level) > 1e-12) {
			t.Fatalf("%v at %v on %v, enumerated %v", got, at, facets[on], best)
		}
	})
}
