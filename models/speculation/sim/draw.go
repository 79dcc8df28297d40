package sim

import (
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models/simulation"
)

// The draws of a task.
const (
	drawSize = iota
	drawOriginal
	drawCopy
	drawReplica // and those that follow
)

func bits(stream uint64, task int32, what int) uint64 {
	return simulation.SubStream(stream, uint64(task)<<32|uint64(what))
}

// uniform is in (0, 1).
func uniform(stream uint64, task int32, what int) float64 {
	return simulation.Unit(bits(stream, task, what))
}

// size is t_req of eq. (1), lognormal.
func (e *engine) size(id, i int32) float64 {
	j := &e.Jobs[id]
	if j.CV == 0 {
		return j.Mean
	}
	sigma := e.states[id].sigma
	z := math.Sqrt2 * math.Erfinv(2*uniform(e.states[id].stream, i, drawSize)-1)
	return j.Mean * math.Exp(sigma*z-sigma*sigma/2)
}

// slower is the slowdown of an attempt, more than 1 if it straggles.
func (e *engine) slower(id, i int32, isCopy bool) float64 {
	if e.slowdowns != nil {
		return e.slowdowns(e.File[id], int(i), isCopy)
	}
	what := drawOriginal
	if isCopy {
		if !e.CopiesStraggle {
			return 1
		}
		what = drawCopy
	}
	u := uniform(e.states[id].stream, i, what)
	if u >= e.Ratio {
		return 1
	}
	return e.slowdown(u / e.Ratio)
}

// replicasOf lists the nodes that have a task's input; a node may come twice. It is valid until the next call.
func (e *engine) replicasOf(id, i int32) []int32 {
	e.homes = e.homes[:0]
	for r := range e.Replicas {
		e.homes = append(e.homes, int32(bits(e.states[id].stream, i, drawReplica+r)%uint64(e.NodeCount)))
	}
	return e.homes
}

// loads reports whether an attempt on a node must load its input, which has replicas on homes.
func (e *engine) loads(homes []int32, node int32) bool {
	return e.Replicas < e.NodeCount && !slices.Contains(homes, node)
}

// unequal returns n values from low to high at even distances, in an order drawn from rng.
func unequal(n int, low, high float64, rng *rand.Rand) []float64 {
	v := make([]float64, n)
	for i, place := range rng.Perm(n) {
		v[i] = low
		if n > 1 {
			v[i] += (high - low) * float64(place) / float64(n-1)
		}
	}
	return v
}
