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

// verdict translates HiGHS's model status. Codes for errors, for limits on the objective, which nobody sets, and codes of
// later versions are errors.
func verdict(code int) (milp.Status, string, error) {
	if code < 0 || code >= len(words) {
		return 0, "", fmt.Errorf("highs: unlisted model status %d", code)
	}
	raw := words[code]
	switch code {
	case 7:
		return milp.Optimal, raw, nil
	case 8:
		return milp.Infeasible, raw, nil
	case 9:
		return backend.NoOptimum, raw, nil
	case 10:
		return milp.Unbounded, raw, nil
	case 13, 14, 16, 17, 18:
		return milp.Limit, raw, nil
	}
	return 0, raw, fmt.Errorf("highs: model status %d (%s)", code, raw)
}
