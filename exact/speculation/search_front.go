package speculation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
)

// solveFront is the combinatorial method of pareto. It starts with the box of everything.
func solveFront(ctx context.Context, p *speculation.Pass, start *speculation.Solution) (speculation.Outcome, error) {
	pairs := newPairs(ctx, p.Instance)
	if pairs == nil {
		return unfinished(p, nil, start, math.Inf(1)), nil
	}
	f := newFront(ctx, pairs, nil)
	if f == nil {
		return unfinished(p, nil, start, above(pairs.most(byTime)*pairs.most(byEnergy))), nil
	}
	return f.solve(ctx, p, start), nil
}

// front is what is known of a front: some points, and boxes that may hold more of them. The greatest point of a box, in the
// direction of its diagonal, is a point of the front and leaves two boxes beside it; a box without a point is done. At a limit
// what lies in the boxes that are left bounds the hypervolume.
type front struct {
	*searcher
	points []speculation.Point
	boxes  []*box
	least  float64 // of the bounds so far
}

// newFront is a front of which points by ascending time are known, nil when the context ends first.
func newFront(ctx context.Context, pairs *pairs, points []speculation.Point) *front {
	f := &front{points: points, least: math.Inf(1)}
	if len(pairs.list) == 0 {
		f.searcher = &searcher{in: pairs.in, pairs: pairs}
		f.points = []speculation.Point{pairs.in.Point(speculation.NoCopies(pairs.in))}
		return f
	}
	if f.searcher = newSearcher(ctx, pairs); f.searcher == nil {
		return nil
	}
	// The corners are no matchings: one takes no energy, the other no time, and no matching saves more.
	left := &place{time: 0, energy: 1}
	for k := range len(points) + 1 {
		right := &place{time: 1, energy: 0}
		if k < len(points) {
			right = &place{points[k].Time / f.timeUnit, points[k].Energy / f.energyUnit, points[k].Assign}
		}
		f.add(&box{left: left, right: right, nodes: []*node{f.root()}, levelTime: 1, levelEnergy: 1, level: 2})
		left = right
	}
	return f
}

func (f *front) add(b *box) {
	if !b.empty() {
		f.boxes = append(f.boxes, b)
	}
}

// solve searches all boxes.
func (f *front) solve(ctx context.Context, p *speculation.Pass, start *speculation.Solution) speculation.Outcome {
	told := int64(0) // Writing an incumbent takes as long as a relaxation for each of its points.
	for len(f.boxes) > 0 {
		k := f.largest()
		b := f.boxes[k]
		found := f.search(ctx, b)
		if f.interrupted {
			return f.outcome(p, start, models.Timeout)
		}
		f.boxes = slices.Delete(f.boxes, k, k+1)
		if found == nil {
			continue
		}
		f.points = append(f.points, f.in.Point(found.assign))
		f.cut(b, found)
		if f.relaxations >= told+8*int64(len(f.points)) {
			told = f.relaxations
			p.Improved(speculation.Solution{Front: sortedFront(f.points)})
		}
		p.Bounded(f.bound())
	}
	return f.outcome(p, start, models.Optimal)
}

// largest is the box to search next. Going by what a box may add makes the bound fall fastest.
func (f *front) largest() int {
	best := 0
	for k := range f.boxes {
		if f.boxes[k].area() > f.boxes[best].area() {
			best = k
		}
	}
	return best
}

// cut adds the two parts of a box that its greatest point leaves.
func (f *front) cut(b *box, found *place) {
	byTime, byEnergy := b.direction()
	level := byTime*found.time + byEnergy*found.energy
	for _, part := range []*box{
		{left: b.left, right: found, levelTime: byTime, levelEnergy: byEnergy, level: level},
		{left: found, right: b.right, levelTime: byTime, levelEnergy: byEnergy, level: level},
	} {
		part.take(b.nodes)
		f.add(part)
	}
}

// bound is an upper bound on the hypervolume of the whole front: that of the points and what the boxes can add. What the margin
// leaves out of the boxes is granted for each point. A box keeps one level, so a new bound need not be better than the last.
func (f *front) bound() float64 {
	room := float64(len(f.points)+1) * 4 * margin
	for k := range f.boxes {
		room += f.boxes[k].area()
	}
	f.least = min(f.least, above(speculation.Hypervolume(f.points)+room*f.timeUnit*f.energyUnit))
	return f.least
}

func (f *front) outcome(p *speculation.Pass, start *speculation.Solution, status models.Status) speculation.Outcome {
	out := speculation.Outcome{Found: true, Status: status}
	out.Stats.Nodes = &f.relaxations
	out.Solution.Front = sortedFront(f.points)
	if len(f.points) == 0 && start != nil {
		out.Solution = *start
	}
	value := speculation.Hypervolume(out.Solution.Front)
	bound := value
	if status != models.Optimal {
		bound = f.bound()
	}
	out.Claimed, out.Bound = &value, &bound
	p.Improved(out.Solution)
	p.Bounded(bound)
	return out
}

// unfinished is the outcome of a search that was interrupted with some points, or with none but its start, and a bound.
func unfinished(p *speculation.Pass, points []speculation.Point, start *speculation.Solution, bound float64) speculation.Outcome {
	out := speculation.Outcome{Status: models.Timeout, Found: true}
	switch {
	case len(points) > 0:
		out.Solution.Front = points
	case start != nil:
		out.Solution = *start
	default:
		return speculation.Outcome{Status: models.Timeout}
	}
	value := speculation.Hypervolume(out.Solution.Front)
	out.Claimed = &value
	if !math.IsInf(bound, 1) {
		out.Bound = &bound
		p.Bounded(bound)
	}
	p.Improved(out.Solution)
	return out
}

// sortedFront is the points by ascending time, without those that another equals or dominates, up to margin.
func sortedFront(points []speculation.Point) []speculation.Point {
	var most speculation.Point
	for _, p := range points {
		most.Time, most.Energy = max(most.Time, p.Time), max(most.Energy, p.Energy)
	}
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b speculation.Point) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Energy, a.Energy))
	})
	kept := make([]speculation.Point, 0, len(sorted))
	for _, p := range sorted {
		if n := len(kept); n > 0 {
			last := &kept[n-1]
			if p.Energy <= last.Energy+margin*most.Energy {
				continue
			}
			if p.Time >= last.Time-margin*most.Time {
				*last = p
				continue
			}
		}
		kept = append(kept, p)
	}
	slices.Reverse(kept)
	return kept
}
