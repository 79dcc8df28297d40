package exact

import (
	"context"
	"fmt"

	"schedgap/models"
)

// Start is the parameter of exact algorithms that chooses what a method or solver knows beforehand.
var Start = models.Choice("start", "best", []string{"best", "none"},
	"best: it starts from the best solution of the heuristics and a bound that is computed at once; none: it gets neither")

// bare reports whether a pass starts from nothing.
func bare[I models.Instance, S any](p *models.Pass[I, S]) bool { return p.Params[Start.Name] == "none" }

// start offers what Parts.Start finds, the search's first incumbent.
func (t *Target[I, S]) start(ctx context.Context, parts Deps[I, S], p *models.Pass[I, S]) error {
	if parts.Start == nil {
		return nil
	}
	s, err := parts.Start(ctx, p.Instance)
	switch {
	case err == nil:
		p.Offer(s)
	case ctx.Err() == nil:
		return fmt.Errorf("start of %s: %w", t.Name, err)
	}
	return nil
}

// rivals offers the solutions of the heuristics of t's class, until ctx ends: on an instance of 10^5 jobs each takes seconds to run and
// check.
func (t *Target[I, S]) rivals(ctx context.Context, parts Deps[I, S], p *models.Pass[I, S]) {
	for _, h := range parts.Heuristics {
		if ctx.Err() != nil {
			return
		}
		if h.Arg != "" || !models.Within(t.Problem.References, h.Smallest(), t.Reference) || h.Applies != nil &&
			h.Applies(p.Instance, "") != nil {
			continue
		}
		out, err := h.AtDefaults(ctx, p.Instance, p.Seed)
		if err == nil && out.Found { // one that ends as not applicable, or without a solution, has no say
			p.Offer(out.Solution)
		}
	}
}
