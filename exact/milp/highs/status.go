//go:build highs && cgo

package highs

import (
	"fmt"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// words are the names of HiGHS's model statuses by code, as its own log prints them.
var words = [...]string{
	"Not Set", "Load error", "Model error", "Presolve error", "Solve error", "Postsolve error", "Empty", "Optimal",
	"Infeasible", "Primal infeasible or unbounded", "Unbounded", "Bound on objective reached", "Target for objective reached",
	"Time limit reached", "Iteration limit reached", "Unknown", "Solution limit reached", "Interrupted by user",
	"Memory limit reached",
}

// say names a model status.
func say(code int) string {
	if code < 0 || code >= len(words) {
		return fmt.Sprintf("model status %d", code)
	}
	return words[code]
}

// verdict translates HiGHS's model status. Codes for errors, for limits on the objective, which nobody sets, and codes
// of later versions are errors.
func verdict(code int) (milp.Status, error) {
	switch code {
	case 7:
		return milp.Optimal, nil
	case 8:
		return milp.Infeasible, nil
	case 9:
		return backend.NoOptimum, nil
	case 10:
		return milp.Unbounded, nil
	case 13, 14, 16, 17, 18:
		return milp.Limit, nil
	}
	return 0, fmt.Errorf("highs: unexpected answer: %s", say(code))
}
