package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/bench/run/worker"
	"schedgap/bench/score/worst"
	"schedgap/models/input"
)

// SetFile is the suite in which an adversary keeps its instances.
const SetFile = "set.yaml"

// adversary searches for instances on which the command is worst, and keeps the ones whose optimum is proven. It returns a
// sentence about the search.
func (r *runner) adversary(ctx context.Context) (string, error) {
	o := r.options
	prover := worker.New(worker.Options{Solutions: bench.DefaultOutput})
	defer prover.Close()
	reference := o.Problem.References[0].Name
	var said []string
	for i := range o.Adversarial {
		found, err := worst.Run(ctx, worst.Options{
			Problem: o.Problem, Request: r.slots[0].request, Reference: reference, Jobs: adversaryJobs,
			Evaluations: max(1, o.Evaluations/o.Adversarial), Seed: o.Seed + uint64(i), Workers: len(r.slots), Name: "worst",
			Command: func(ctx context.Context, w int, in *bench.Instance, _ bench.Request) (*bench.Result, error) {
				c := &trial{instance: in, optimum: &optimum{Reference: reference}}
				if err := r.try(ctx, r.slots[w], c, "instance-001"); err != nil || c.reason == "" {
					return c.result, err
				}
				res := in.Problem.Blank(r.slots[0].request)
				res.Status, res.Error = bench.Error, c.reason
				return res, nil
			},
		})
		var failed *worst.FailedError
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, worst.ErrNothing), errors.Is(err, worst.ErrUnproven), errors.As(err, &failed):
			said = append(said, err.Error())
			continue
		case err != nil:
			return "", err
		}
		in, err := r.named(found.Instance)
		if err != nil {
			return "", err
		}
		known, err := o.optimum(ctx, prover, in)
		if err != nil {
			return "", err
		}
		if known == nil || known.Value == nil {
			said = append(said, "an optimum was not proven")
			continue
		}
		file := filepath.Join(o.Out, in.Name+".json")
		if err := store.WriteFile(file, in.JSON); err != nil {
			return "", err
		}
		said = append(said, fmt.Sprintf("%s: %.6g, optimum %.6g", filepath.Base(file), found.Value.Objective, *known.Value))
	}
	set := fmt.Sprintf("name: adversarial\nproblem: %s\ninstances: [{files: 'worst-*.json'}]\nalgorithms: [%s]\n",
		o.Problem.Name, exact)
	if files, _ := input.Glob(o.Out, "worst-*.json"); len(files) > 0 { // the pattern is one
		if err := store.WriteFile(filepath.Join(o.Out, SetFile), []byte(set)); err != nil && !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return strings.Join(said, "; "), nil
}

// named is an instance under a name of its own, which stays the same when it is found again.
func (r *runner) named(in *bench.Instance) (*bench.Instance, error) {
	d, err := in.Draft("worst-" + in.SHA256[:12])
	if err != nil {
		return nil, err
	}
	return d.Instance()
}

// adversaryJobs is the most jobs of an adversarial instance: few, so that their optima are proven at once.
const adversaryJobs = 6
