package exact

import (
	"math"
	"math/big"
	"slices"

	"schedgap/models"
)

// Rules are those of the solutions of a reference's class: the checker's, with the definition of optimal. grid is a number of which
// all values are whole multiples, exactly; nil means that none is known. ask is Pass.Ask, by which the checker is asked.
func Rules[I models.Instance, S any](
	problem *models.Problem[I, S], reference string, in I, grid *big.Rat, ask func(func() error) error,
) models.Rules[S] {
	var class models.Reference
	for _, r := range problem.References {
		if r.Name == reference {
			class = r
		}
	}
	r := models.Rules[S]{Sense: problem.Sense, Value: func(s S) (value float64, accuracy models.Accuracy, ok bool) {
		var rep models.Report
		check := func() error {
			rep = problem.Check(in, s)
			return rep.Err
		}
		if ask(check) != nil || rep.Objective == nil || math.IsNaN(*rep.Objective) || !rep.Feasible(class.Waives) ||
			class.CheckerDecides && rep.Class != reference && !slices.Contains(rep.Fits, reference) {
			return 0, accuracy, false
		}
		return *rep.Objective, problem.Accuracy(in, rep.Rounding), true
	}}
	if grid != nil {
		r.Round = func(bound float64) float64 { return onGrid(problem.Sense, bound, grid) }
	}
	return r
}

func onGrid(sense models.Sense, b float64, grid *big.Rat) float64 {
	if sense == models.Maximize {
		return -OnGrid(-b, grid)
	}
	return OnGrid(b, grid)
}
