package speculation

import (
	"math"

	"schedgap/models/speculation"
)

// A place is the savings of a matching, in the searcher's units.
type place struct {
	time, energy float64
	assign       speculation.Matching
}

// margin is by how much a point has to be better than another in one of the savings to count as better: more than the rounding
// of sums, less than what shows.
const margin = 1e-11

// A box is the part of the plane above two neighbours of a front: more time than the left one and more energy than the right
// one, both by more than margin. No point in it is worth more than level in the box's direction.
type box struct {
	left, right *place
	nodes       []*node // each point of the box is a matching of one of them
	// Nothing in the box exceeds levelTime·time + levelEnergy·energy = level; it comes from the box that this one was cut from.
	levelTime, levelEnergy, level float64
}

// direction is normal to the line from the left to the right corner; the corners are worth the same in it.
func (b *box) direction() (time, energy float64) {
	return b.left.energy - b.right.energy, b.right.time - b.left.time
}

func (b *box) empty() bool {
	return len(b.nodes) == 0 || b.right.time-b.left.time <= 2*margin || b.left.energy-b.right.energy <= 2*margin
}

func (b *box) holds(p *place) bool {
	return p.time-b.left.time-margin > 0 && p.energy-b.right.energy-margin > 0
}

// take gives the box copies of the nodes that may have points in it.
func (b *box) take(nodes []*node) {
	for _, n := range nodes {
		if _, _, ok := highest(n.facets, 1, 1, b.corner()); ok {
			b.nodes = append(b.nodes, n.clone())
		}
	}
}

// area is what the points of the box can add to the hypervolume at most: the part of it below its level.
func (b *box) area() float64 {
	width, height := b.right.time-b.left.time, b.left.energy-b.right.energy
	room := b.level - b.levelTime*b.left.time - b.levelEnergy*b.right.energy
	if math.IsInf(room, 1) || b.levelTime <= 0 || b.levelEnergy <= 0 {
		return width * height
	}
	at := func(x float64) float64 { return (room - b.levelTime*x) / b.levelEnergy }
	full := min(max(0, (room-b.levelEnergy*height)/b.levelTime), width)
	last := min(max(full, room/b.levelTime), width)
	return full*height + (last-full)*(max(0, at(full))+max(0, at(last)))/2
}
