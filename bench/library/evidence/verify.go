package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/datasets/library"
)

// A Finding is Verify's remark on an entry that it does not simply confirm.
type Finding struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// A Verification counts what Verify did.
type Verification struct {
	Instances int       `json:"instances"`
	Solutions int       `json:"solutions"` // whose value the checker confirms
	Proofs    int       `json:"proofs"`    // that were accepted
	Recipes   int       `json:"recipes"`   // instances and proofs that were made again
	Confirmed int       `json:"confirmed"` // proofs that the second verifier accepted, too
	Skipped   []Finding `json:"skipped"`
	Faults    []Finding `json:"faults"`
}

// VerifyOptions say how far Verify goes.
type VerifyOptions struct {
	Entries []*library.Entry
	// Second, a program beside the verifier that is given an instance and a proof, ends with 0 where it accepts the proof, and
	// with 1 where it refuses it. With anything else, such as a limit that stops it, it gives up, and says nothing of the proof.
	// Empty: none.
	Second []string
	// Recipes: instances and proofs that are not stored are made again. Else they are skipped.
	Recipes bool
}

// Verify checks the instances, solutions and proofs of a library. The index was derived again when the library was opened.
func (c *Collection) Verify(ctx context.Context, o VerifyOptions) (*Verification, error) {
	v := &Verification{Skipped: []Finding{}, Faults: []Finding{}}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, e := range o.Entries {
		g.Go(func() error {
			one, err := c.verify(ctx, e, o)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			v.Instances += one.Instances
			v.Solutions += one.Solutions
			v.Proofs += one.Proofs
			v.Recipes += one.Recipes
			v.Skipped = append(v.Skipped, one.Skipped...)
			v.Confirmed += one.Confirmed
			if err != nil {
				v.Faults = append(v.Faults, Finding{e.ID, err.Error()})
			}
			return nil
		})
	}
	err := g.Wait()
	for _, list := range [][]Finding{v.Skipped, v.Faults} {
		slices.SortFunc(list, func(a, b Finding) int { return strings.Compare(a.ID, b.ID) })
	}
	return v, err
}

func (c *Collection) verify(ctx context.Context, e *library.Entry, o VerifyOptions) (v Verification, err error) {
	skip := func(format string, args ...any) {
		v.Skipped = append(v.Skipped, Finding{e.ID, fmt.Sprintf(format, args...)})
	}
	if !e.Stored && !o.Recipes {
		skip("its instance is made by recipe")
		return v, nil
	}
	in, err := c.Instance(ctx, e)
	if errors.Is(err, ErrAbsent) {
		skip("%v", err)
		return v, nil
	} else if err != nil {
		return v, err
	}
	v.Instances++
	if !e.Stored {
		v.Recipes++
	}
	if e.Solution != nil {
		data, err := c.Solution(e)
		if err != nil {
			return v, err
		}
		value, err := judged(e, in, c.Path(e.SolutionFile()), data)
		if err == nil && value != *e.Value {
			err = fmt.Errorf("%s: the checker's value is %v, and history says %v", c.Path(e.SolutionFile()), value, *e.Value)
		}
		if err != nil {
			return v, err
		}
		v.Solutions++
	}
	data, err := c.Proof(e)
	switch {
	case err != nil:
		return v, err
	case data == nil && e.Proof != nil && e.Proof.Recipe != "" && o.Recipes:
		data, err = remade(ctx, in, e.Proof.Recipe)
		if err != nil {
			return v, fmt.Errorf("%s: its proof cannot be made again by %q: %w", e.ID, e.Proof.Recipe, err)
		}
		v.Recipes++
	case data == nil && e.Proof != nil:
		skip("its bound has no stored proof")
		return v, nil
	case data == nil:
		return v, nil
	}
	if err := ctx.Err(); err != nil {
		return v, err
	}
	h, err := proven(e, in, c.Path(e.ProofFile()), data)
	if err == nil && *h.Bound != *e.Bound && (e.Proof.Recipe == "" || !in.Accuracy.Same(*h.Bound, *e.Bound)) {
		err = fmt.Errorf("%s: proves the bound %v, and history says %v", c.Path(e.ProofFile()), *h.Bound, *e.Bound)
	}
	if err != nil {
		return v, err
	}
	v.Proofs++
	if len(o.Second) == 0 {
		return v, nil
	}
	switch accepts, said, err := second(ctx, o.Second, in, data); {
	case err != nil:
		return v, err
	case accepts:
		v.Confirmed++
	default:
		skip("%s gives its proof up: %s", strings.Join(o.Second, " "), said)
	}
	return v, nil
}

// remade is the proof that a recipe, a command line of solve, makes.
func remade(ctx context.Context, in *bench.Instance, recipe string) ([]byte, error) {
	words := strings.Fields(recipe)
	i := slices.Index(words, "-a") + 1
	if i == 0 || i == len(words) {
		return nil, errors.New("it names no algorithm")
	}
	a, _, err := in.Problem.Find(words[i])
	if err != nil {
		return nil, err
	}
	r := a.Provable(bench.Request{Algorithm: words[i], Seed: 1, Threads: 1, Prove: true})
	if err := in.Problem.Resolve(&r); err != nil {
		return nil, err
	}
	res := in.Problem.Run(ctx, in, r, bench.Observer{})
	in.Problem.Prove(ctx, in, res)
	switch {
	case res.Error != "":
		return nil, errors.New(res.Error)
	case res.Proof == nil:
		return nil, fmt.Errorf("it ends as %s, without a proof", res.Status)
	}
	return res.Proof, nil
}

// second asks a program whether a proof holds, which is an error where it does not, and says why the program gives up where it
// does.
func second(ctx context.Context, program []string, in *bench.Instance, data []byte) (accepts bool, said string, err error) {
	dir, err := os.MkdirTemp("", "schedgap-proof-*")
	if err != nil {
		return false, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	instance, file := filepath.Join(dir, "instance.json"), filepath.Join(dir, "proof.jsonl.gz")
	if err := errors.Join(os.WriteFile(instance, in.JSON, 0o600), os.WriteFile(file, data, 0o600)); err != nil {
		return false, "", err
	}
	cmd := exec.CommandContext(ctx, program[0], append(program[1:len(program):len(program)], instance, file)...)
	output, err := cmd.CombinedOutput()
	said = strings.TrimSpace(string(output))
	var ended *exec.ExitError
	switch {
	case err == nil:
		return true, said, nil
	case !errors.As(err, &ended):
		return false, said, err
	case ended.ExitCode() == 1:
		return false, said, fmt.Errorf("%s refuses the proof: %s", strings.Join(program, " "), said)
	}
	return false, strings.TrimSpace(ended.String() + " " + said), nil
}
