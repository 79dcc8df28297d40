package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"schedgap/models"
	"schedgap/models/proof"
)

// A Library is a collection of instances by problem and set, with the best solutions and the proofs known.
type Library interface {
	// Sets names the sets that have instances of a problem.
	Sets(problem string) ([]string, error)
	// Set returns the instances of a set, or of all sets where it is empty. What cannot be made on this machine is left out, and
	// a sentence each says why.
	Set(ctx context.Context, p *Problem, set string) (list []*Instance, skipped []string, err error)
	// Release names the release that it is at; empty: none.
	Release() (string, error)
	// Known returns the stored answer for the instance, or for one equal to it up to renaming and order, among the solutions of a
	// reference. Nil: there is none.
	Known(ctx context.Context, in *Instance, reference string) (*Known, error)
}

// Known is a library's answer for an instance.
type Known struct {
	Solution json.RawMessage // of the instance
	Proof    []byte          // of Of; nil: none is stored
	Of       *Instance       // the instance itself, or the one of the library that is the same under other names
}

// FromLibrary is the algorithm that answers from a library.
const FromLibrary = "library"

// Attach adds a library, and to each problem the algorithm FromLibrary.
func (r *Registry) Attach(l Library) {
	r.Library = l
	for _, p := range r.Problems {
		p.Algorithms = append(p.Algorithms, p.answers(l))
	}
}

// answers is the algorithm FromLibrary of a problem, over its first reference.
func (p *Problem) answers(l Library) Algorithm {
	reference := p.References[0].Name
	known := func(ctx context.Context, in *Instance) (*Known, error) {
		k, err := l.Known(ctx, in, reference)
		if err == nil && k == nil {
			err = models.NotApplicablef("the library has no solution of %s", in.Name)
		}
		return k, err
	}
	return Algorithm{
		Name: FromLibrary, Kind: models.Exact, Reference: reference, Class: reference, Proves: true,
		Doc: "The best solution that the library holds\n\nWhatever its instances are called and in whichever order they are. It is " +
			"said to be optimal, and a bound\n" +
			"is given, where the library has a proof, which is verified first; docs/library.md.",
		applies: func(in *Instance, _ string) error {
			_, err := known(context.Background(), in)
			return err
		},
		run: func(ctx context.Context, in *Instance, _ string, _ models.Values, r Request, obs Observer, res *Result) error {
			start, cpu := time.Now(), ProcessCPU()
			k, err := known(ctx, in)
			if err == nil {
				err = p.answer(in, k, r, res)
			}
			res.WallSeconds = time.Since(start).Seconds()
			if used := (ProcessCPU() - cpu).Seconds(); used >= 0 {
				res.CPUSeconds = &used
			}
			obs.Ended()
			return err
		},
	}
}

// answer enters the library's answer for an instance into a result. Only proofs that it verifies count.
func (p *Problem) answer(in *Instance, k *Known, r Request, res *Result) error {
	res.Status = Feasible
	if err := p.Judge(res, in, in.Name, k.Solution); err != nil || res.Status == Invalid || k.Proof == nil {
		return err
	}
	pf, err := proof.Read(k.Proof)
	if err == nil {
		_, err = k.Of.Verify(pf)
	}
	switch {
	case err != nil:
		return fmt.Errorf("the library's proof of %s is refused: %w", k.Of.Name, err)
	case pf.Header.Reference != res.Reference || pf.Header.Bound == nil:
		return nil
	}
	bound := *pf.Header.Bound
	res.Bound = &bound
	if in.Accuracy.Same(bound, *res.Objective) {
		res.Status, res.Bound = Optimal, res.Objective
	} else if p.Sense.Better(*res.Objective, bound) {
		return fmt.Errorf("the library's solution of %s has the value %v, beyond the bound %v", k.Of.Name, *res.Objective, bound)
	}
	if r.Prove && k.Of.SHA256 == in.SHA256 {
		res.Proof = k.Proof
	}
	return nil
}
