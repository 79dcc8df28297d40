package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"schedgap/models"
)

// Blank returns the result of a request that has not run yet. Only the fields known beforehand are filled in.
func (p *Problem) Blank(r Request) *Result {
	res := &Result{Stats: models.Stats{Solver: r.Solver, Model: r.Model}}
	own, _, err := p.Find(r.Algorithm)
	if len(r.Command) > 0 && (err != nil || !slices.Equal(own.Command, r.Command)) {
		first := p.References[0].Name
		res.Kind, res.Reference = string(models.External), cmp.Or(r.Reference, first)
		if r.Reference != first { // every solution belongs to the first
			res.declared = r.Reference
		}
		return res
	}
	if err == nil {
		res.Kind, res.Reference, res.Waived = string(own.Kind), own.Reference, own.Waives
		// In a folder's problem every solution belongs to the first class, and to no other unless the checker says so.
		if p.Folder != nil && own.Class != p.References[0].Name {
			res.declared = own.Class
		}
	}
	return res
}

// Judge enters into r the checker's verdict on a solution file that did not come out of Run: a command's output, or the last
// incumbent of a dead process. r.Waived is honoured, and a refused solution makes r Invalid. The error says why data is no
// solution file of in.
func (p *Problem) Judge(r *Result, in *Instance, file string, data []byte) error {
	rep, claimed, err := in.check(file, data)
	if err == nil {
		r.judge(rep, claimed, data)
	}
	return err
}

// judge enters the checker's report on a solution file; a refused solution proves nothing, so its bound is dropped too.
func (r *Result) judge(rep models.Report, claimed *float64, solution json.RawMessage) {
	bound := r.Bound
	r.Findings, r.Hopeless, r.Solution = rep.Findings, rep.Hopeless, solution
	r.Claimed, r.Bound = claimed, bound
	r.Augmentation = cmp.Or(rep.Augmentation, 1)
	if r.Kind == string(models.External) && rep.Class != "" {
		r.Reference = rep.Class
	}
	ok, worst := true, 0.0
	if d := r.declared; d != "" && rep.Class == "" && !slices.Contains(rep.Fits, d) {
		ok, r.Status, r.Bound = false, Invalid, nil
		r.Error = fmt.Sprintf("solutions of the class %s are declared, and this is none", d)
	}
	if v := rep.Worst(r.Waived); v != nil {
		ok, worst, r.WorstConstraint = false, v.Amount, &v.Constraint
		r.Status, r.Bound = Invalid, nil
		r.Error = "the checker refused the solution: " + refusal(v, claimed, rep.Objective)
	}
	r.Feasible, r.MaxViolation = &ok, &worst
}

// refusal puts a violation into words.
func refusal(v *models.Violation, claimed, objective *float64) string {
	if v.Constraint == "objective" && v.Where == "objective" && claimed != nil && objective != nil {
		return fmt.Sprintf("it claims the objective %v, the checker says %v", *claimed, *objective)
	}
	return fmt.Sprintf("%s at %s by %g", v.Constraint, v.Where, v.Amount)
}
