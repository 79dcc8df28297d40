package bench

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/proof"
)

// Adapt hides the types of d behind closures.
func Adapt[I models.Instance, S any](d Definition[I, S]) *Problem {
	mp := d.Problem
	p := &Problem{
		Name: mp.Name, Title: mp.Title, Doc: mp.Doc, Sense: mp.Sense, References: mp.References,
		Constraints: mp.Constraints, InstanceSchema: mp.InstanceSchemaFile, SolutionSchema: mp.SolutionSchemaFile,
		Simulator: d.Simulator, Suites: d.Suites, Successors: d.Successors, examples: mp.Examples,
	}
	wrapFile := func(in I, file []byte) *Instance {
		head := in.Head()
		rounding := 0.0
		if mp.Rounding != nil {
			rounding = mp.Rounding(in)
		}
		return &Instance{
			Problem: p, Scales: scales(mp, in), Name: head.Name, SHA256: models.Digest(file), JSON: file, Lineage: head.Lineage,
			Size: mp.Size(in), Comparison: mp.Compare(in), Rounding: rounding, Features: mp.Features(in), typed: in,
		}
	}
	wrap := func(in I) (*Instance, error) {
		file, err := mp.MarshalInstance(in)
		if err != nil {
			return nil, err
		}
		return wrapFile(in, file), nil
	}
	if m := d.Moves; m != nil {
		p.Moves = &Moves{Start: m.Start, Jobs: m.Jobs, draft: func(in *Instance, name string) (Draft, error) {
			typed, err := unwrap[I](in)
			if err != nil {
				return nil, err
			}
			return &draft[I, S]{models.Copy(typed, models.Header{Name: name}), name, mp, m, wrapFile}, nil
		}}
	}
	p.ParseInstance = func(file string, data []byte) (*Instance, error) {
		in, err := mp.ParseInstance(file, data)
		if err != nil {
			return nil, err
		}
		return wrap(in)
	}
	p.check = func(in *Instance, file string, data []byte) (rep models.Report, claimed *float64, err error) {
		typed, err := unwrap[I](in)
		if err != nil {
			return rep, nil, err
		}
		sf, err := mp.ParseSolution(file, data, typed)
		if err != nil {
			return rep, nil, err
		}
		rep, err = mp.CheckClaim(typed, sf.Solution, sf.Claimed).Finite(file)
		return rep, sf.Claimed, err
	}
	if d.Verify != nil {
		p.verify = func(in *Instance, pf *proof.Proof) error {
			typed, err := unwrap[I](in)
			if err != nil {
				return err
			}
			return d.Verify(pf, typed, in.SHA256)
		}
	}
	p.Chart = func(in *Instance, file string, data []byte) (models.Chart, error) {
		typed, err := unwrap[I](in)
		if err != nil || mp.Chart == nil {
			return models.Chart{}, err
		}
		sf, err := mp.ParseSolution(file, data, typed)
		if err != nil {
			return models.Chart{}, err
		}
		return mp.Chart(typed, sf.Solution), nil
	}
	for _, a := range d.Algorithms {
		p.Algorithms = append(p.Algorithms, adaptAlgorithm(mp, a))
	}
	if e := d.Exporter; e != nil {
		p.Models = e.Models
		p.export = func(w io.Writer, in *Instance, model, format string, exactly bool) error {
			typed, err := unwrap[I](in)
			if err != nil {
				return err
			}
			return e.Write(w, typed, model, format, exactly)
		}
	}
	if g := d.Generator; g != nil {
		p.Generator = &Source{Doc: g.Doc, Params: g.Params}
		p.Generate = func(name string, v models.Values, rng *rand.Rand) (*Instance, error) {
			in, err := g.Generate(name, v, rng)
			if err != nil {
				return nil, err
			}
			return wrap(in)
		}
	}
	if dv := d.Deriver; dv != nil {
		p.Deriver = &Source{Doc: dv.Doc, Params: dv.Params}
		p.Derive = func(ctx context.Context, r models.DeriveRequest) iter.Seq2[*Instance, error] {
			return func(yield func(*Instance, error) bool) {
				for in, err := range dv.Derive(ctx, r) {
					var wrapped *Instance
					if err == nil {
						wrapped, err = wrap(in)
					}
					if !yield(wrapped, err) || err != nil {
						return
					}
				}
			}
		}
	}
	return p
}

// scales are those of an instance by reference; nil: it needs none.
func scales[I models.Instance, S any](mp *models.Problem[I, S], in I) map[string]float64 {
	var out map[string]float64
	for _, r := range mp.References {
		if mp.Scale == nil {
			break
		}
		if s := mp.Scale(in, r.Name); s > 0 {
			if out == nil {
				out = map[string]float64{}
			}
			out[r.Name] = s
		}
	}
	return out
}

func unwrap[I models.Instance](in *Instance) (I, error) {
	typed, ok := in.typed.(I)
	if !ok {
		return typed, fmt.Errorf("instance %s is a %T, want a %T", in.Name, in.typed, typed)
	}
	return typed, nil
}

func adaptAlgorithm[I models.Instance, S any](mp *models.Problem[I, S], a *models.Algorithm[I, S]) Algorithm {
	return Algorithm{
		Name: a.Name, Doc: a.Doc, Kind: a.Kind, Reference: a.Reference, Class: a.Smallest(), Waives: a.Waives, Params: a.Params,
		Arg: a.Arg, Random: a.Random, Proves: a.Proves, Provers: a.Provers, Guarantee: a.Guarantee, Models: a.Models,
		Solvers: a.Solvers,
		applies: func(in *Instance, arg string) error {
			typed, err := unwrap[I](in)
			if err != nil || a.Applies == nil {
				return err
			}
			return a.Applies(typed, arg)
		},
		run: func(ctx context.Context, in *Instance, arg string, v models.Values, r Request, obs Observer, res *Result) error {
			typed, err := unwrap[I](in)
			if err != nil {
				return err
			}
			return (&execution[I, S]{mp, a, in, typed, r, arg, v, res}).execute(ctx, obs)
		},
	}
}
