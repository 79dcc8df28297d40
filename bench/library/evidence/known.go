package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"schedgap/bench"
	"schedgap/bench/library/renaming"
	"schedgap/datasets/library"
	"schedgap/models"
)

// Attach adds a library to its registry, see bench.Registry; it is opened when something is first asked of it.
func Attach(registry *bench.Registry, traces string, open func() (*library.Library, error)) {
	registry.Attach(attached{sync.OnceValues(func() (*Collection, error) {
		l, err := open()
		return &Collection{Library: l, Registry: registry, Traces: traces}, err
	})})
}

// attached is a bench.Library. All that it tells is about each problem's first class of solutions.
type attached struct {
	open func() (*Collection, error)
}

// Sets implements bench.Library.
func (a attached) Sets(problem string) (sets []string, err error) {
	c, err := a.open()
	if err != nil {
		return nil, err
	}
	for _, e := range c.Entries {
		if e.Problem == problem && !slices.Contains(sets, e.Set) {
			sets = append(sets, e.Set)
		}
	}
	return sets, nil
}

// Release implements bench.Library.
func (a attached) Release() (string, error) {
	c, err := a.open()
	if err != nil || len(c.Events) == 0 {
		return "", err
	}
	return c.Events[len(c.Events)-1].Release, nil
}

// Set implements bench.Library.
func (a attached) Set(ctx context.Context, p *bench.Problem, set string) (list []*bench.Instance, skipped []string, err error) {
	c, err := a.open()
	if err != nil {
		return nil, nil, err
	}
	for _, e := range c.Entries {
		if e.Problem != p.Name || set != "" && e.Set != set || e.Reference != p.References[0].Name {
			continue
		}
		in, err := c.Instance(ctx, e)
		switch {
		case errors.Is(err, ErrAbsent):
			skipped = append(skipped, err.Error())
		case err != nil:
			return nil, nil, err
		default:
			list = append(list, in)
		}
	}
	return list, skipped, nil
}

// Known implements bench.Library.
func (a attached) Known(ctx context.Context, in *bench.Instance, reference string) (*bench.Known, error) {
	c, err := a.open()
	if err != nil {
		return nil, err
	}
	entries := slices.DeleteFunc(slices.Clone(c.Entries), func(e *library.Entry) bool {
		return e.Problem != in.Problem.Name || e.Reference != reference || e.Solution == nil
	})
	if i := slices.IndexFunc(entries, func(e *library.Entry) bool { return e.SHA256 == in.SHA256 }); i >= 0 {
		return c.known(entries[i], in)
	}
	for _, e := range entries {
		if !resembles(e, in) {
			continue
		}
		of, err := c.Instance(ctx, e)
		if errors.Is(err, ErrAbsent) {
			continue
		} else if err != nil {
			return nil, err
		}
		names, err := renaming.Between(of.JSON, in.JSON)
		if err != nil {
			return nil, err
		}
		if names == nil {
			continue
		}
		k, err := c.known(e, of)
		if err == nil {
			// Sums in another order may end in another digit.
			k.Solution, err = names.Solution(k.Solution, in.Name, "objective")
		}
		if err != nil {
			return nil, err
		}
		// A solution has its instance's ids in places that only its problem knows; the checker has the last word.
		rep, err := in.Check(in.Name, k.Solution)
		if err == nil && rep.Objective != nil && rep.Feasible(waived(in.Problem, reference)) && in.Accuracy.Same(*rep.Objective, *e.Value) {
			return k, nil
		}
	}
	return nil, nil
}

// known reads the stored solution and proof of an entry.
func (c *Collection) known(e *library.Entry, of *bench.Instance) (*bench.Known, error) {
	solution, err := c.Solution(e)
	if err != nil {
		return nil, err
	}
	proof, err := c.Proof(e)
	return &bench.Known{Solution: solution, Proof: proof, Of: of}, err
}

// resembles says whether an instance may be an entry's under other names: of the same size and with the same features, which the
// order of sums may change a little.
func resembles(e *library.Entry, in *bench.Instance) bool {
	if e.Jobs != in.Size.Jobs || e.Tasks != in.Size.Tasks || e.Machines != in.Size.Machines {
		return false
	}
	text, err := json.Marshal(in.Features)
	var features map[string]any
	if err != nil || json.Unmarshal(text, &features) != nil {
		return false
	}
	// A yes too many costs a comparison only, so shares of 0 and 1e-17 may pass for one.
	same := models.Accuracy{Least: 1}.Same
	for name, value := range features {
		a, number := value.(float64)
		b, known := e.Features[name].(float64)
		if number != known || number && !same(a, b) || !number && fmt.Sprint(value) != fmt.Sprint(e.Features[name]) {
			return false
		}
	}
	return true
}
