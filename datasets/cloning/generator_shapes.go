package cloning

import (
	"math/rand/v2"
	"slices"

	"schedgap/models/cloning"
)

// The shapes of graphs.
const (
	shapeSingle    = "single"    // one phase
	shapeMapReduce = "mapreduce" // a phase and one that waits for it
	shapeChain     = "chain"     // phases one after the other
	shapeForkJoin  = "forkjoin"  // a phase, several that wait for it, one that waits for these
	shapeLayered   = "layered"   // phases in random layers, each waiting for some of the layer before
	shapeMixed     = "mixed"     // each job has one of the others
)

var shapes = []string{shapeSingle, shapeMapReduce, shapeChain, shapeForkJoin, shapeLayered, shapeMixed}

// graph makes phases of a shape with nothing but their parents.
func graph(shape string, phases int, rng *rand.Rand) []cloning.Phase {
	if shape == shapeMixed {
		plain := shapes[:len(shapes)-1]
		shape = plain[rng.IntN(len(plain))]
	}
	switch shape {
	case shapeMapReduce:
		return chain(2)
	case shapeChain:
		return chain(phases)
	case shapeForkJoin:
		list := make([]cloning.Phase, phases+2)
		for k := 1; k <= phases; k++ {
			list[k].Parents = []int{0}
			list[phases+1].Parents = append(list[phases+1].Parents, k)
		}
		return list
	case shapeLayered:
		return layered(phases, rng)
	}
	return chain(1)
}

func chain(phases int) []cloning.Phase {
	list := make([]cloning.Phase, phases)
	for k := 1; k < phases; k++ {
		list[k].Parents = []int{k - 1}
	}
	return list
}

// edge is the probability that a phase of a layered graph waits for a phase of the layer before, besides the one that it
// waits for in any case.
const edge = 0.3

// layered cuts the phases into layers, a new one beginning at each phase with probability one half.
func layered(phases int, rng *rand.Rand) []cloning.Phase {
	list := make([]cloning.Phase, phases)
	var before, layer []int
	for k := range list {
		if rng.IntN(2) == 0 && len(layer) > 0 {
			before, layer = layer, nil
		}
		layer = append(layer, k)
		if len(before) == 0 {
			continue
		}
		sure := before[rng.IntN(len(before))]
		for _, p := range before {
			if also := rng.Float64() < edge; also || p == sure {
				list[k].Parents = append(list[k].Parents, p)
			}
		}
		slices.Sort(list[k].Parents)
	}
	return list
}
