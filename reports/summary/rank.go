package summary

import (
	"cmp"
	"slices"
)

// Table lists the algorithms' ratios, or differences, to a reference over all instances, the best first.
func (p *Problem) Table(reference string, difference bool) []*Ratios {
	var rows []*Ratios
	for i := range p.Ratios {
		r := &p.Ratios[i]
		if r.Reference == reference && r.Difference == difference && r.Class == (Class{}) {
			rows = append(rows, r)
		}
	}
	Rank(rows)
	return rows
}

// Rank puts the best of every class first, and behind the contenders what they are not compared with.
func Rank(rows []*Ratios) {
	class := map[Class]int{}
	for _, r := range rows {
		if _, ok := class[r.Class]; !ok {
			class[r.Class] = len(class)
		}
	}
	apart := func(r *Ratios) int {
		if r.Contender() {
			return 0
		}
		return 1
	}
	quality := func(r *Ratios) float64 {
		if !r.Contender() {
			return 0
		}
		return r.Quality()
	}
	slices.SortStableFunc(rows, func(a, b *Ratios) int {
		return cmp.Or(cmp.Compare(class[a.Class], class[b.Class]), cmp.Compare(apart(a), apart(b)), cmp.Compare(quality(a), quality(b)))
	})
}
