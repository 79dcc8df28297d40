// Package referee judges solutions and proofs of all problems from files alone. Its Judgement and Verdict are the output of the
// commands check and verify, of schedgap and of schedcheck. It imports the definitions and the verifier, and no method.
package referee

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	verifycloning "schedgap/exact/verify/cloning"
	verifyflex "schedgap/exact/verify/flex"
	verifypocd "schedgap/exact/verify/pocd"
	verifyredundancy "schedgap/exact/verify/redundancy"
	verifyspeculation "schedgap/exact/verify/speculation"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/input"
	"schedgap/models/nearest"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// A Judgement is the checker's report on a solution.
type Judgement struct {
	Feasible   bool               `json:"feasible"`
	Objective  *float64           `json:"objective"` // null only when some job never completes
	Waived     []string           `json:"waived"`
	Violations []models.Violation `json:"violations"`
}

// A Verdict is the verifier's report on a proof.
type Verdict struct {
	Problem   string   `json:"problem"`
	Instance  string   `json:"instance"`
	Reference string   `json:"reference"`
	Value     *float64 `json:"value"` // claimed to be optimal; null: only the bound is claimed
	Bound     *float64 `json:"bound"`
	Verified  bool     `json:"verified"`
	Optimal   bool     `json:"optimal"` // verified, and the bound proves the value
	Gap       *float64 `json:"gap"`     // value − bound; null: only a bound is claimed
	Reason    *string  `json:"reason"`  // why it is not verified; null when it is
}

// Check judges a solution file of an instance file; nothing is waived. The error is bad input in one sentence.
func Check(instance, solution string) (*Judgement, error) {
	_, in, err := read(instance)
	if err != nil {
		return nil, err
	}
	data, err := input.Read(solution, input.MaxData)
	if err != nil {
		return nil, err
	}
	report, err := in.check(solution, data)
	if err != nil {
		return nil, err
	}
	return &Judgement{
		Feasible: report.Feasible(nil), Objective: report.Objective, Waived: []string{},
		Violations: append([]models.Violation{}, report.Violations...),
	}, nil
}

// Verify judges a proof file of an instance file. The error is bad input in one sentence, or that of ctx.
func Verify(ctx context.Context, instance, file string) (*Verdict, error) {
	problem, in, err := read(instance)
	if err != nil {
		return nil, err
	}
	data, err := input.ReadStored(file, input.MaxData)
	if err != nil {
		return nil, err
	}
	p, err := proof.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return in.verdict(ctx, problem, p)
}

// verdict is that on a proof. The error is that of ctx.
func (in *instance) verdict(ctx context.Context, problem string, p *proof.Proof) (*Verdict, error) {
	refusal := make(chan error, 1)
	var proven models.Verdict
	go func() { // which may take long and has no end of its own
		defer func() {
			if fault := recover(); fault != nil {
				refusal <- fmt.Errorf("the verifier failed: %v", fault)
			}
		}()
		var err error
		proven, err = in.verify(p)
		refusal <- err
	}()
	var err error
	select {
	case err = <-refusal:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	h := p.Header
	v := &Verdict{Problem: problem, Instance: in.name, Reference: h.Reference, Value: h.Value, Bound: h.Bound, Verified: err == nil}
	v.Gap, v.Optimal = proven.Gap, proven.Optimal
	if err == nil {
		return v, nil
	}
	reason := err.Error()
	v.Reason = &reason
	if h.Value != nil && h.Bound != nil {
		if gap := *h.Value - *h.Bound; !math.IsInf(gap, 0) {
			v.Gap = &gap
		}
	}
	return v, nil
}

// An instance has the functions that judge files about it.
type instance struct {
	name   string
	check  func(solution string, data []byte) (models.Report, error)
	verify func(*proof.Proof) (models.Verdict, error)
}

// problems have functions that read an instance.
var problems = map[string]func(file string, data []byte) (*instance, error){
	flex.Problem.Name: of(flex.Problem, verifyflex.Verify), pocd.Problem.Name: of(pocd.Problem, verifypocd.Verify),
	cloning.Problem.Name: of(cloning.Problem, verifycloning.Verify), redundancy.Problem.Name: of(redundancy.Problem, verifyredundancy.Verify),
	speculation.Problem.Name: of(speculation.Problem, verifyspeculation.Verify),
}

// of hides the types of a problem.
func of[I models.Instance, S any](p *models.Problem[I, S], rule func(p *proof.Proof, in I, sha256 string) (models.Verdict, error)) func(
	string, []byte) (*instance, error) {
	return func(file string, data []byte) (*instance, error) {
		in, err := p.ParseInstance(file, data)
		if err != nil {
			return nil, err
		}
		canonical, err := p.MarshalInstance(in)
		if err != nil {
			return nil, err
		}
		return &instance{
			name: in.Head().Name,
			check: func(solution string, text []byte) (models.Report, error) {
				s, err := p.ParseSolution(solution, text, in)
				if err != nil {
					return models.Report{}, err
				}
				return p.CheckClaim(in, s.Solution, s.Claimed).Finite(solution)
			},
			verify: func(q *proof.Proof) (models.Verdict, error) { return rule(q, in, models.Digest(canonical)) },
		}, nil
	}
}

// read reads an instance file, which names its problem.
func read(file string) (problem string, in *instance, err error) {
	data, err := input.ReadStored(file, input.MaxData)
	if err != nil {
		return "", nil, err
	}
	problem, err = models.PeekProblem(file, data)
	if err != nil {
		return "", nil, err
	}
	parse, known := problems[problem]
	if !known {
		names := slices.Sorted(maps.Keys(problems))
		return "", nil, fmt.Errorf("%s: problem: %w", file, nearest.Unknown("problem", problem, names))
	}
	in, err = parse(file, data)
	return problem, in, err
}
