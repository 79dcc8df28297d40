// Package speculation solves the window problem exactly: the scalar objective as an assignment problem, by a combinatorial
// method and as a MILP, and the whole front of time against energy.
package speculation

import (
	"context"
	"fmt"

	"schedgap/exact"
	"schedgap/exact/milp/costscale"
	"schedgap/models"
	"schedgap/models/speculation"
)

type (
	target = exact.Target[*speculation.Instance, speculation.Solution]
	method = exact.Method[*speculation.Instance, speculation.Solution]
	parts  = exact.Parts[*speculation.Instance, speculation.Solution]
)

// Opt is the optimum of the scalar objective.
var Opt = &target{
	Name: speculation.Opt,
	Doc: "optimum of the scalar objective\n\n" +
		"The assignment problem: shortest augmenting paths (exact/speculation/bound_matching.go; Kuhn, Naval Research Logistics 2, " +
		"1955; Jonker and Volgenant, Computing 38, 1987), or the assignment model. docs/problems/speculation.md#references.",
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
	parts.Solvers = costscale.All(parts.Solvers)
	scalar := parts
	scalar.Sense, scalar.Bound = models.Maximize, upperBound
	return []*speculation.Algorithm{Opt.Algorithm(scalar), pareto(parts)}
}

// pareto is the whole front. A MILP solver is a method of its own, as it solves a model for each point.
func pareto(parts parts) *speculation.Algorithm {
	front := &target{
		Name: speculation.Pareto,
		Doc: "the whole front of time saved against energy saved\n\n" +
			"By hungarian: branch and bound in boxes between neighbours of the front (exact/speculation/search.go). By a MILP solver: " +
			"ε-constraint over the assignment model (exact/speculation/search_epsilon.go; Haimes, Lasdon, Wismer 1971), completed by " +
			"hungarian. docs/problems/speculation.md#references.",
		Reference: speculation.Pareto,
		Methods: []*method{{
			Name: "hungarian", Doc: "branch and bound in boxes between points, bounds by augmenting paths",
			Solve: solveFront,
		}},
		Choose: func(*speculation.Instance) (string, string) { return "hungarian", "" },
	}
	for _, s := range parts.Solvers {
		front.Methods = append(front.Methods, epsilonConstraint(s))
	}
	matching := parts.Start
	if matching != nil {
		parts.Start = func(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
			s, err := matching(ctx, in)
			return speculation.Solution{Front: []speculation.Point{in.Point(s.Assign)}}, err
		}
	}
	a := front.Algorithm(parts)
	a.Models = []string{assignment.Name}
	run := a.Run
	a.Run = func(ctx context.Context, p *speculation.Pass) (speculation.Outcome, error) {
		if p.Model == "" {
			return run(ctx, p)
		}
		modelled := *p
		modelled.Model = ""
		switch {
		case p.Solver == front.Methods[0].Name:
			return speculation.Outcome{}, models.NotApplicablef("%s by %s has no use for a model, %q", front.Name, p.Solver, p.Model)
		case p.Solver == "" && len(parts.Solvers) == 0:
			return speculation.Outcome{}, fmt.Errorf("no MILP solver for model %s", p.Model)
		case p.Solver == "":
			modelled.Solver = parts.Solvers[0].Name()
		}
		return run(ctx, &modelled)
	}
	return a
}

// Models writes the formulation of opt.
var Models = exact.Exporter(Opt.Formulations...)
