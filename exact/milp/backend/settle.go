package backend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"schedgap/exact/milp"
)

// grace is the time for repairing a point once the context is done.
const grace = 300 * time.Millisecond

// settle returns x with its integers rounded. Where that breaks a row, the continuous columns are chosen again for those
// integers; a point that cannot be repaired is an error.
func (s *solve) settle(ctx context.Context, x []float64) ([]float64, error) {
	if len(x) != len(s.model.Cols) {
		return nil, fmt.Errorf("it has %d entries for %d columns", len(x), len(s.model.Cols))
	}
	x = s.model.Rounded(x)
	v := s.model.Violation(x)
	if v.Amount <= Tolerance {
		return x, nil
	}
	broken := fmt.Errorf("it misses %s by %.3g", v.Where, v.Amount)
	fixed, whole := *s.reduced, true
	fixed.Cols = append([]milp.Col(nil), fixed.Cols...)
	for j, c := range fixed.Cols {
		if c.Integer {
			fixed.Cols[j].Lo, fixed.Cols[j].Hi, fixed.Cols[j].Integer = x[j], x[j], false
		} else {
			whole = false
		}
	}
	if whole || !s.reduced.Integers() || math.IsNaN(v.Amount) {
		return nil, broken
	}
	if ctx.Err() != nil || !s.end.IsZero() && time.Until(s.end) < grace {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		rest := *s
		rest.end = time.Now().Add(grace)
		s = &rest
	}
	a, err := s.call(ctx, &fixed, false)
	if err != nil {
		return nil, errors.Join(broken, err)
	}
	if a.Status != milp.Optimal || len(a.X) != len(x) {
		return nil, fmt.Errorf("%w; for its integers: %s", broken, a.Raw)
	}
	x = s.model.Rounded(a.X)
	if v := s.model.Violation(x); !(v.Amount <= Tolerance) {
		return nil, fmt.Errorf("%w, and by %.3g (%s) after choosing the continuous columns again", broken, v.Amount, v.Where)
	}
	return x, nil
}
