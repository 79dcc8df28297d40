package exact

import (
	"context"
	"fmt"
	"math"
	"strings"

	"schedgap/models"
)

// Start is the parameter of exact algorithms that chooses what a method or solver knows beforehand.
var Start = models.Choice("start", "best", []string{"best", "none"},
	"best: it starts from the best solution of the heuristics and a bound that is computed at once; none: it gets neither")

// bare reports whether a pass starts from nothing.
func bare[I models.Instance, S any](p *models.Pass[I, S]) bool { return p.Params[Start.Name] == "none" }

// start is the best solution that Parts.Start and the heuristics of t's class find; nil: none. It is the search's first
// incumbent.
func (t *Target[I, S]) start(ctx context.Context, parts Parts[I, S], p *models.Pass[I, S]) (best *S, err error) {
	value := math.NaN()
	offer := func(s S) {
		v, ok := math.NaN(), true
		if parts.Problem != nil {
			v, ok = t.value(parts.Problem, p.Instance, s)
		}
		if ok && (best == nil || parts.Problem.Sense.Better(v, value)) {
			best, value = &s, v
		}
	}
	if parts.Start != nil {
		s, err := parts.Start(ctx, p.Instance)
		switch {
		case err == nil:
			offer(s)
		case ctx.Err() == nil:
			return nil, fmt.Errorf("start of %s: %w", t.Name, err)
		}
	}
	for _, h := range parts.Heuristics {
		if ctx.Err() != nil {
			break
		}
		if h.Arg != "" || !models.Within(parts.Problem.References, h.Smallest(), t.Reference) || h.Applies != nil &&
			h.Applies(p.Instance, "") != nil {
			continue
		}
		out, err := h.AtDefaults(ctx, p.Instance, p.Seed)
		if err == nil && out.Found { // one that ends as not applicable, or without a solution, has no say
			offer(out.Solution)
		}
	}
	if best != nil {
		p.Improved(*best)
	}
	return best, nil
}

// value is the checker's objective of a solution of t's class; false: it is none.
func (t *Target[I, S]) value(problem *models.Problem[I, S], in I, s S) (float64, bool) {
	rep := problem.Check(in, s)
	var waived []string
	for _, r := range problem.References {
		if r.Name == t.Reference {
			waived = r.Waives
		}
	}
	if rep.Objective == nil || math.IsNaN(*rep.Objective) || !rep.Feasible(waived) {
		return 0, false
	}
	return *rep.Objective, true
}

// compare refuses the claims of an outcome that a known solution contradicts: that there is none, a worse optimum, and a bound
// beyond its value.
func (t *Target[I, S]) compare(ctx context.Context, problem *models.Problem[I, S], in I, start S, out *models.Outcome[S]) {
	known, ok := t.value(problem, in, start)
	if !ok {
		return
	}
	value := known
	if out.Found {
		value, ok = t.value(problem, in, out.Solution)
	}
	better := !ok || problem.Sense.Better(known, value)
	if !out.Found || better {
		out.Solution, out.Found, out.Claimed = start, true, nil
	}
	refuted := out.Status == models.Infeasible
	if out.Bound != nil && problem.Sense.Better(known, *out.Bound) {
		refuted = refuted || !t.same(problem, in, known, *out.Bound)
		out.Bound = &known
	} else if out.Bound == nil && better {
		refuted = refuted || !t.same(problem, in, known, value)
	}
	if !refuted {
		return
	}
	out.Bound = nil
	out.Stats.Raw = strings.TrimPrefix(fmt.Sprintf("%s; refused, as a solution of value %v is known", out.Stats.Raw, known), "; ")
	if out.Status = models.Feasible; ctx.Err() != nil {
		out.Status = models.Timeout
	}
}

// same reports whether two values are one, near 0 by the instance's scale: where works and weights are tiny, all values are.
func (t *Target[I, S]) same(problem *models.Problem[I, S], in I, a, b float64) bool {
	scale := 0.0
	if problem.Scale != nil {
		scale = problem.Scale(in, t.Reference)
	}
	return models.SameIn(scale, a, b)
}

// close makes an outcome optimal whose value and bound are one.
func (t *Target[I, S]) close(problem *models.Problem[I, S], in I, out *models.Outcome[S]) {
	if !out.Found || out.Bound == nil || out.Status == models.Optimal {
		return
	}
	rounding := 0.0 // which may put the value on the wrong side of the bound
	if problem.Rounding != nil {
		rounding = problem.Rounding(in)
	}
	value, ok := t.value(problem, in, out.Solution)
	if ok && (t.same(problem, in, value, *out.Bound) || math.Abs(value-*out.Bound) <= rounding) {
		out.Status = models.Optimal
	}
}
