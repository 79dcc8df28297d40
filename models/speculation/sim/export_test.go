package sim

import (
	"context"

	"schedgap/models"
)

// Hooks are what tests add to a run: an observer, and slowdowns of attempts in place of those drawn, each nil where it is not
// wanted.
type Hooks struct {
	Observe   func(Change)
	Slowdowns func(job, task int, isCopy bool) float64
}

// A Node is what a run draws for a node.
type Node struct{ Slowness, CorePower float64 }

// Watch runs a policy and returns the nodes.
func Watch(
	ctx context.Context, w *Workload, p Policy, v models.Values, seed uint64, h Hooks, emit func(models.Metric),
) ([]Node, error) {
	e := newEngine(w, &p, v, seed)
	e.observe, e.slowdowns = h.Observe, h.Slowdowns
	if err := e.Run(ctx); err != nil {
		return nil, err
	}
	e.Report(emit)
	nodes := make([]Node, len(e.nodes))
	for i := range nodes {
		nodes[i] = Node{e.nodes[i].slowness, e.nodes[i].corePower}
	}
	return nodes, nil
}
