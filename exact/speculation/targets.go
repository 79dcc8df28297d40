package speculation

import (
	"schedgap/exact"
	"schedgap/models/speculation"
)

type (
	target = exact.Target[*speculation.Instance, speculation.Solution]
	method = exact.Method[*speculation.Instance, speculation.Solution]
	parts  = exact.Deps[*speculation.Instance, speculation.Solution]
)

// Opt is the optimum of the scalar objective.
var Opt = &target{
	Name: speculation.Opt,
	Doc: "optimum of the scalar objective\n\n" +
		"The assignment problem: shortest augmenting paths (exact/speculation/bound_matching.go; Kuhn, Naval Research Logistics 2, " +
		"1955; Jonker and Volgenant, Computing 38, 1987), or the assignment model.",
	Problem:      speculation.Problem,
	Reference:    speculation.Opt,
	Formulations: []*formulation{assignment},
	Methods: []*method{{
		Name:  "hungarian",
		Doc:   "shortest augmenting paths",
		Solve: solveScalar,
		Prove: proveScalar,
	}},
	Choose: func(*speculation.Instance) (string, string) { return "hungarian", "" },
}

// Algorithms are the exact algorithms of speculation. parts brings the solvers and the heuristic start.
func Algorithms(parts parts) []*speculation.Algorithm {
	parts.Bound = upperBound
	return []*speculation.Algorithm{Opt.Algorithm(parts)}
}

// Models writes the formulation of opt.
var Models = exact.Exporter(Opt.Formulations...)
