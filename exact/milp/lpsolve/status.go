//go:build lpsolve && cgo

package lpsolve

import (
	"fmt"

	"github.com/draffensperger/golp"

	"schedgap/exact/milp"
)

// accuracyError is lp_solve's ACCURACYERROR, which golp does not name.
const accuracyError golp.SolutionType = 25

// verdict translates what solve returned. SUBOPTIMAL comes with an incumbent, but without a proof. Failures, the codes
// of Lagrangian relaxation and presolve, which are not used here, and codes of later versions are errors.
func verdict(code golp.SolutionType) (milp.Status, error) {
	switch code {
	case golp.OPTIMAL:
		return milp.Optimal, nil
	case golp.INFEASIBLE:
		return milp.Infeasible, nil
	case golp.UNBOUNDED:
		return milp.Unbounded, nil
	case golp.SUBOPTIMAL, golp.USERABORT, golp.TIMEOUT, golp.PROCBREAK:
		return milp.Limit, nil
	}
	if code == golp.NUMFAILURE || code == accuracyError {
		return 0, fmt.Errorf("lpsolve: %w", milp.ErrAccuracy)
	}
	return 0, fmt.Errorf("lpsolve: unexpected answer: %s", code)
}
