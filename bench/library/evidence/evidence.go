// Package evidence works on a library of instances: it makes those again that are not stored, checks solutions and proofs, and
// takes new ones in.
package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/proof"
)

// A Collection is a library with the problems that its instances are of.
type Collection struct {
	*library.Library
	Registry *bench.Registry
	Traces   string // the folder that holds a folder a trace, named by its format; empty: there are none
}

// ErrAbsent says that an instance of a trace cannot be made again because the trace is not there.
var ErrAbsent = errors.New("the trace is not there")

// Instance is the instance of an entry, as it is stored or made again; its hash is checked. The error wraps ErrAbsent where
// it cannot be had on this machine.
func (c *Collection) Instance(ctx context.Context, e *library.Entry) (*bench.Instance, error) {
	p, err := c.Registry.Problem(e.Problem)
	if err != nil {
		return nil, fmt.Errorf("%s: problem: %w", e.ID, err)
	}
	var in *bench.Instance
	if e.Stored {
		data, err := c.Library.Instance(e)
		if err != nil {
			return nil, err
		}
		in, err = p.ParseInstance(c.Path(e.InstanceFile()), data)
		if err != nil {
			return nil, err
		}
	} else {
		in, err = c.again(ctx, p, e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
	}
	if in.SHA256 != e.SHA256 {
		return nil, fmt.Errorf("%s: the instance has the SHA-256 %s, and history says %s", e.ID, in.SHA256, e.SHA256)
	}
	return in, nil
}

// A recipe is the part of a lineage that says how to make the instance again.
type recipe struct {
	Generator string         `json:"generator"`
	Params    map[string]any `json:"params"`
	Seed      uint64         `json:"seed"`
	Index     int            `json:"index"`
	window
}

// A window is a part of a trace that instances are derived from.
type window struct {
	Format string  `json:"format"` // of the trace
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Strata int     `json:"strata"` // that it is cut into
}

// again makes an instance from its lineage.
func (c *Collection) again(ctx context.Context, p *bench.Problem, e *library.Entry) (*bench.Instance, error) {
	var r recipe
	if err := json.Unmarshal(e.Lineage, &r); err != nil {
		return nil, fmt.Errorf("lineage: %w", err)
	}
	if r.Generator != "" {
		values, err := p.Generator.Stored(r.Params)
		if err != nil {
			return nil, fmt.Errorf("lineage: %w", err)
		}
		return generate.One(p, e.ID, values, r.Seed, r.Index)
	}
	if _, err := os.Stat(filepath.Join(c.Traces, r.Format)); c.Traces == "" || err != nil {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, r.Format)
	}
	for in, err := range c.derived(ctx, p, r.window, r.Seed, r.Params) {
		if err != nil {
			return nil, err
		}
		in, err = named(in, e.ID)
		if err != nil || in.SHA256 == e.SHA256 {
			return in, err
		}
	}
	return nil, errors.New("the trace gives no such instance")
}

// derived are the instances that a window gives.
func (c *Collection) derived(ctx context.Context, p *bench.Problem, w window, seed uint64, params map[string]any,
) iter.Seq2[*bench.Instance, error] {
	values, err := p.Deriver.Stored(params)
	if err != nil {
		return func(yield func(*bench.Instance, error) bool) { yield(nil, fmt.Errorf("params: %w", err)) }
	}
	return p.Derive(ctx, models.DeriveRequest{
		Dir: filepath.Join(c.Traces, w.Format), Format: w.Format, From: w.From, To: w.To, N: w.Strata, Seed: seed, Params: values,
	})
}

// named is in under another name.
func named(in *bench.Instance, name string) (*bench.Instance, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(in.JSON, &fields); err != nil {
		return nil, err // of a canonical file
	}
	text, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	fields["name"] = text
	text, err = json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return in.Problem.ParseInstance(name, text)
}

// judged is the value that the checker gives a solution of an entry's reference.
func judged(e *library.Entry, in *bench.Instance, file string, data []byte) (float64, error) {
	rep, err := in.Check(file, data)
	if err != nil {
		return 0, err
	}
	if v := rep.Worst(waived(in.Problem, e.Reference)); v != nil {
		return 0, fmt.Errorf("%s: the checker refuses it: %s at %s by %g", file, v.Constraint, v.Where, v.Amount)
	}
	if rep.Objective == nil {
		return 0, fmt.Errorf("%s: some job never completes", file)
	}
	if rep.Class != "" && !in.Problem.ReferenceWithin(rep.Class, e.Reference) {
		return 0, fmt.Errorf("%s: is a solution of the reference %s, and %s is of %s", file, rep.Class, e.ID, e.Reference)
	}
	return *rep.Objective, nil
}

func waived(p *bench.Problem, reference string) []string {
	for _, r := range p.References {
		if r.Name == reference {
			return r.Waives
		}
	}
	return nil
}

// proven returns the header of a verified proof of an entry's reference.
func proven(e *library.Entry, in *bench.Instance, file string, data []byte) (proof.Header, error) {
	p, err := proof.Read(data)
	if err != nil {
		return proof.Header{}, fmt.Errorf("%s: %w", file, err)
	}
	if p.Header.Reference != e.Reference {
		return p.Header, fmt.Errorf("%s: reference: the proof is of %q, and %s is of %s", file, p.Header.Reference, e.ID, e.Reference)
	}
	if _, err := in.Verify(p); err != nil {
		return p.Header, fmt.Errorf("%s: %w", file, err)
	}
	return p.Header, nil
}
