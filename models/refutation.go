package models

import (
	"fmt"
	"math"
)

// A Refutation is a solver's claim with the solution or the bound that contradicts it by more than the solver's tolerances.
type Refutation struct {
	Claim    float64 // the value that the solver calls optimal, else its bound; infinite: that there is no solution
	Bound    float64 // the bound that is refuted, less the solver's tolerances
	Evidence float64 // the value of a solution that the checker accepts or, where Proven, a bound that it is beyond
	Who      string  // claims it: solver, version and model
	By       string  // found the evidence
	Proven   bool
}

func (r Refutation) String() string {
	if r.Proven {
		return fmt.Sprintf("%s claims the optimum %v, which %v refutes, %s", r.Who, r.Claim, r.Evidence, r.By)
	}
	if math.IsInf(r.Claim, 0) {
		return fmt.Sprintf("%s claims that there is no solution, which one of value %v refutes, by %s", r.Who, r.Evidence, r.By)
	}
	return fmt.Sprintf("%s claims %v, so that nothing is better than %v, which a solution of value %v refutes, by %s",
		r.Who, r.Claim, r.Bound, r.Evidence, r.By)
}
