package sim

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
)

// An Observer is called with every copy that ends, and when, in slots.
type Observer = observer

// Watch runs a policy with an observer.
func Watch(ctx context.Context, w *Workload, p Policy, v models.Values, seed uint64, o Observer, emit func(models.Metric)) error {
	e, err := start(&p, w, &models.SimRequest{Policy: p.Name, Params: v, Seed: seed})
	if err != nil {
		return err
	}
	e.observe = o
	if err := e.Run(ctx); err != nil {
		return err
	}
	e.Report(emit)
	return nil
}

// Row answers queries on a row of servers whose room changes.
type Row struct{ tree firstFit }

// NewRow makes a row of servers with the given room.
func NewRow(rooms [][]float64) *Row {
	f := &Row{}
	f.tree.reset(len(rooms), len(rooms[0]))
	for i, room := range rooms {
		f.tree.fill(i, room)
	}
	f.tree.build()
	return f
}

// Set changes a server's room.
func (f *Row) Set(i int, room []float64) { f.tree.set(i, room) }

// Find returns the first server from one on on which demand fits, or −1.
func (f *Row) Find(from int, demand []float64) int { return f.tree.find(from, demand) }

// Last returns the last server on which demand fits, or −1.
func (f *Row) Last(demand []float64) int { return f.tree.last(len(f.tree.levels)-1, 0, demand) }

// Params are the options of every run.
var Params = params

// A FitIndex answers which of its demands has the best fit, or under Blend the greatest sum.
type FitIndex struct{ index fitIndex }

// NewFitIndex makes an index of demands of so many resources, under Blend with ε and the demands' weights and keys.
func NewFitIndex(demands [][]float64, width int, epsilon float64, weights, keys []float64) *FitIndex {
	s := &FitIndex{}
	s.index.reset(width, nil)
	if weights != nil {
		s.index.blend = &blend{epsilon: epsilon, longest: slices.Max(keys)}
	}
	for i, d := range demands {
		n := &entry{demand: d}
		if weights != nil {
			n.weight, n.key = weights[i], keys[i]
		}
		s.index.items = append(s.index.items, item{entry: n, order: int32(i)})
	}
	s.index.arrange()
	return s
}

// Best returns the demand within room of the greatest sum over resources times weights, the first of equals, or −1.
func (s *FitIndex) Best(room, weights []float64) int {
	p := pick{fit: math.Inf(-1)}
	s.index.best(&p, room, weights)
	if p.index == nil {
		return -1
	}
	return int(p.order)
}

// Drop removes a demand.
func (s *FitIndex) Drop(i int) {
	s.index.drop(slices.IndexFunc(s.index.items, func(x item) bool { return x.entry != nil && int(x.order) == i }))
	s.index.compact()
}
