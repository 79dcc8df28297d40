package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/models/proof"
)

// Adapt hides the types of d: its problem's instances are typed ones behind an interface.
func Adapt[I models.Instance, S any](d Definition[I, S]) *Problem {
	mp := d.Problem
	p := &Problem{
		Name: mp.Name, Title: mp.Title, Doc: mp.Doc, ScaleDoc: mp.ScaleDoc, Sense: mp.Sense, References: mp.References,
		Constraints: mp.Constraints, InstanceSchema: mp.InstanceSchemaFile, SolutionSchema: mp.SolutionSchemaFile,
		Simulator: d.Simulator, Suites: d.Suites, Successors: d.Successors, Without: d.Without, examples: mp.Examples,
	}
	for _, r := range d.Restrictions {
		p.Restrictions = append(p.Restrictions, Restriction{r.Name, r.Doc})
	}
	p.restrict = func(name string, limits map[string]int) *Algorithm {
		i := slices.IndexFunc(d.Algorithms, func(a *models.Algorithm[I, S]) bool { return a.Name == name })
		return new(adaptAlgorithm(mp.Restricted(d.Algorithms[i], d.Restrictions, limits)))
	}
	wrap := func(in I) (*Instance, error) {
		file, err := mp.MarshalInstance(in)
		if err != nil {
			return nil, err
		}
		return d.instance(p, in, file), nil
	}
	p.ParseInstance = func(file string, data []byte) (*Instance, error) {
		in, err := mp.ParseInstance(file, data)
		if err != nil {
			return nil, err
		}
		return wrap(in)
	}
	for _, a := range d.Algorithms {
		p.Algorithms = append(p.Algorithms, adaptAlgorithm[I, S](a))
		p.Algorithms[len(p.Algorithms)-1].Blind = slices.Contains(d.Blind, a.Name)
	}
	if a := d.Augmentation; a != nil {
		changed := func(change func(I, float64) I) func(in *Instance, factor float64) (*Instance, error) {
			return func(in *Instance, factor float64) (*Instance, error) {
				return wrap(change(in.typedInstance.(*typed[I, S]).in, factor))
			}
		}
		p.Augmentation = &Augmentation{Param: a.Param, Equal: changed(a.Equal)}
		if a.Set != nil {
			p.Augmentation.Set = changed(a.Set)
		}
	}
	if m := d.Moves; m != nil {
		p.Moves = &Moves{Start: m.Start, Jobs: m.Jobs}
	}
	if e := d.Exporter; e != nil {
		p.Models = e.Models
	}
	if g := d.Generator; g != nil {
		p.Generator = &Source{g.Doc, g.Params, g.Fixed, g.Idle}
		p.Generate = func(name string, v models.Values, rng *rand.Rand) (*Instance, error) {
			in, err := g.Generate(name, v, rng)
			if err != nil {
				return nil, err
			}
			return wrap(in)
		}
	}
	if dv := d.Deriver; dv != nil {
		p.Deriver = &Source{dv.Doc, dv.Params, dv.Fixed, dv.Idle}
		p.Derive = func(ctx context.Context, r models.DeriveRequest) iter.Seq2[*Instance, error] {
			r.Params = dv.Fixed.Join(r.Params)
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

func adaptAlgorithm[I models.Instance, S any](a *models.Algorithm[I, S]) Algorithm {
	return Algorithm{
		Name: a.Name, Doc: a.Doc, Kind: a.Kind, Reference: a.Reference, Class: a.Smallest(), Waives: a.Waives, Params: a.Params,
		Arg: a.Arg, Random: a.Random, Search: a.Search, Proves: a.Proves, Provers: a.Provers, Guarantee: a.Guarantee, Models: a.Models,
		Solvers: a.Solvers, Command: a.Command, fixed: a.Fixed,
		applies: func(in *Instance, arg string) error {
			if a.Applies == nil {
				return nil
			}
			return a.Applies(in.typedInstance.(*typed[I, S]).in, arg)
		},
		run: func(ctx context.Context, in *Instance, arg string, v models.Values, r Request, obs Observer, res *Result) error {
			e := &execution[I, S]{in.typedInstance.(*typed[I, S]), a, r, arg, v, res, math.MaxInt}
			if obs.Kept != nil {
				e.kept = *obs.Kept
			}
			return e.execute(ctx, obs)
		},
	}
}

// typed is a typedInstance.
type typed[I models.Instance, S any] struct {
	*Definition[I, S]
	erased *Instance
	in     I
	known  models.Known
}

// instance is one of d's instances, whose canonical file is given.
func (d *Definition[I, S]) instance(p *Problem, in I, file []byte) *Instance {
	mp, head := d.Problem, in.Head()
	out := &Instance{
		Problem: p, Name: head.Name, SHA256: models.Digest(file), JSON: file, Lineage: head.Lineage,
		Size: mp.Size(in), Comparison: mp.Compare(in), Features: mp.Features(in),
	}
	if mp.Objective != nil {
		out.Objective = mp.Objective(in)
	}
	rounding := 0.0
	if mp.Rounding != nil {
		rounding = mp.Rounding(in)
	}
	out.Accuracy = mp.Accuracy(in, rounding)
	out.Accuracy.Amount = mp.Amount(in)
	for _, r := range mp.References {
		if mp.Scale == nil {
			break
		}
		if s := mp.Scale(in, r.Name); s > 0 {
			if out.Scales == nil {
				out.Scales = map[string]float64{}
			}
			out.Scales[r.Name] = s
		}
	}
	out.typedInstance = &typed[I, S]{Definition: d, erased: out, in: in}
	return out
}

func (t *typed[I, S]) check(file string, data []byte) (rep models.Report, claimed *float64, err error) {
	sf, err := t.Problem.ParseSolution(file, data, t.in)
	if err != nil {
		return rep, nil, err
	}
	rep, err = t.Problem.CheckClaim(t.in, sf.Solution, sf.Claimed).Finite(file)
	return rep, sf.Claimed, err
}

// Read reports whether a solution file can be read; it is not checked.
func (t *typed[I, S]) Read(file string, data []byte) error {
	_, err := t.Problem.ParseSolution(file, data, t.in)
	return err
}

// Chart draws the contents of a solution file; without bars where the problem has no drawings.
func (t *typed[I, S]) Chart(file string, data []byte) (models.Chart, error) {
	if t.Problem.Chart == nil {
		return models.Chart{}, nil
	}
	sf, err := t.Problem.ParseSolution(file, data, t.in)
	if err != nil {
		return models.Chart{}, err
	}
	return t.Problem.Chart(t.in, sf.Solution), nil
}

// Verify checks a proof. The error says why it does not prove its claims about the instance.
func (t *typed[I, S]) Verify(pf *proof.Proof) (models.Verdict, error) {
	if t.Definition.Verify == nil {
		return models.Verdict{}, fmt.Errorf("proofs about %s are not known", t.Problem.Name)
	}
	return t.Definition.Verify(pf, t.in, t.erased.SHA256)
}

// Export writes an exact model of the instance.
func (t *typed[I, S]) Export(w io.Writer, model, format string) error {
	if known := t.erased.Problem.Models; !slices.Contains(known, model) {
		return fmt.Errorf("%s: %w", t.Problem.Name, nearest.Unknown("model", model, known))
	}
	return t.Exporter.Write(w, t.in, model, format)
}

// Draft is a copy of the instance called name, without a lineage.
func (t *typed[I, S]) Draft(name string) (*Draft, error) {
	m, mp := t.Moves, t.Problem
	if m == nil {
		return nil, errors.New("instances of " + mp.Name + " cannot be taken apart")
	}
	in := models.Copy(t.in, models.Header{Name: name})
	return &Draft{
		Parts: func() models.Parts { return m.Parts(in) },
		Mend: func() {
			if m.Mend != nil {
				m.Mend(in)
			}
		},
		Instance: func() (*Instance, error) {
			file, err := mp.MarshalInstance(in)
			if err != nil {
				return nil, err
			}
			read, err := mp.ParseInstance(name, file)
			if err != nil {
				return nil, err
			}
			return t.instance(t.erased.Problem, read, file), nil
		},
	}, nil
}
