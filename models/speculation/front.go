package speculation

import (
	"cmp"
	"slices"
)

// Hypervolume is the area that points dominate above (0, 0): of all (t, e) ≥ 0 with t ≤ Time and e ≤ Energy of some point.
func Hypervolume(points []Point) float64 {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b Point) int { return cmp.Compare(b.Time, a.Time) })
	area, height := 0.0, 0.0
	for k, p := range sorted {
		height = max(height, p.Energy)
		width := max(0, p.Time)
		if k+1 < len(sorted) {
			width -= max(0, sorted[k+1].Time)
		}
		area += float64(width * height)
	}
	return area
}

// Dominates reports whether p is at least as good as q in both savings and better in one.
func (p *Point) Dominates(q *Point) bool {
	return p.Time >= q.Time && p.Energy >= q.Energy && (p.Time > q.Time || p.Energy > q.Energy)
}
