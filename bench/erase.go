package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"schedgap/models"
)

// Erase hides the types of d behind closures.
func Erase[I models.Instance, S any](d Definition[I, S]) *Problem {
	mp := d.Problem
	p := &Problem{
		Name: mp.Name, Title: mp.Title, Doc: mp.Doc, Sense: mp.Sense, References: mp.References,
		Simulator: d.Simulator, Suites: d.Suites, examples: mp.Examples,
	}
	wrap := func(in I) (*Instance, error) {
		file, err := mp.MarshalInstance(in)
		if err != nil {
			return nil, err
		}
		head := in.Head()
		rounding := 0.0
		if mp.Rounding != nil {
			rounding = mp.Rounding(in)
		}
		return &Instance{
			Problem: p, Name: head.Name, SHA256: models.Digest(file), JSON: file, Lineage: head.Lineage,
			Size: mp.Size(in), Comparison: mp.Compare(in), Rounding: rounding, Features: mp.Features(in), typed: in,
		}, nil
	}
	p.parse = func(file string, data []byte) (*Instance, error) {
		in, err := mp.ParseInstance(file, data)
		if err != nil {
			return nil, err
		}
		return wrap(in)
	}
	p.check = func(in *Instance, file string, data []byte) (models.Report, error) {
		typed, err := unwrap[I](in)
		if err != nil {
			return models.Report{}, err
		}
		sf, err := mp.ParseSolution(file, data, typed)
		if err != nil {
			return models.Report{}, err
		}
		return finite(file, mp.CheckClaim(typed, sf.Solution, sf.Claimed))
	}
	p.chart = func(in *Instance, file string, data []byte) (models.Chart, error) {
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
		p.Algorithms = append(p.Algorithms, eraseAlgorithm(mp, a))
	}
	if e := d.Exporter; e != nil {
		p.Models = e.Models
		p.export = func(w io.Writer, in *Instance, model, format string) error {
			typed, err := unwrap[I](in)
			if err != nil {
				return err
			}
			return e.Write(w, typed, model, format)
		}
	}
	if g := d.Generator; g != nil {
		p.Generator = &Source{Doc: g.Doc, Params: g.Params}
		p.generate = func(name string, v models.Values, rng *rand.Rand) (*Instance, error) {
			in, err := g.Generate(name, v, rng)
			if err != nil {
				return nil, err
			}
			return wrap(in)
		}
	}
	if dv := d.Deriver; dv != nil {
		p.Deriver = &Source{Doc: dv.Doc, Params: dv.Params}
		p.derive = func(ctx context.Context, r models.DeriveRequest) iter.Seq2[*Instance, error] {
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

func unwrap[I models.Instance](in *Instance) (I, error) {
	typed, ok := in.typed.(I)
	if !ok {
		return typed, fmt.Errorf("instance %s is a %T, want a %T", in.Name, in.typed, typed)
	}
	return typed, nil
}

func eraseAlgorithm[I models.Instance, S any](mp *models.Problem[I, S], a *models.Algorithm[I, S]) Algorithm {
	class := a.Class
	if class == "" {
		class = a.Reference
	}
	return Algorithm{
		Name: a.Name, Doc: a.Doc, Kind: a.Kind, Reference: a.Reference, Class: class, Waives: a.Waives, Params: a.Params,
		Arg: a.Arg, Random: a.Random, Guarantee: a.Guarantee, Models: a.Models, Solvers: a.Solvers,
		applies: func(in *Instance, arg string) error {
			typed, err := unwrap[I](in)
			if err != nil || a.Applies == nil {
				return err
			}
			return a.Applies(typed, arg)
		},
		run: func(ctx context.Context, in *Instance, r Request, obs Observer) *Result {
			res := &Result{Reference: a.Reference, Kind: string(a.Kind), Waived: a.Waives}
			typed, err := unwrap[I](in)
			if err == nil {
				err = runTyped(ctx, mp, a, typed, r, obs, res)
			}
			if err != nil {
				res.Status, res.Error = Error, err.Error()
				var na *models.NotApplicable
				switch {
				case errors.As(err, &na):
					res.Status, res.Error = Skipped, na.Reason
				case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
					res.Status, res.Error = Timeout, ""
				}
			}
			return res
		},
	}
}

// boundTolerance is how far, relatively, an optimum's proven bound may be from the checked objective before the proof is
// disbelieved: solvers work with feasibility tolerances of this order.
const boundTolerance = 1e-6

// quick is what writing an incumbent may take without ever being too late: limits are not kept more exactly than that.
const quick = 50 * time.Millisecond

func runTyped[I models.Instance, S any](
	ctx context.Context, mp *models.Problem[I, S], a *models.Algorithm[I, S], in I, r Request, obs Observer, res *Result,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v", a.Name, p)
		}
	}()
	_, arg, _ := strings.Cut(r.Algorithm, ":")
	values, err := models.Resolve(a.Params, r.Params)
	if err != nil {
		return err
	}
	if r.Solver != "" && !slices.Contains(a.Solvers, r.Solver) {
		return models.NotApplicablef("%s has no solver %q; it has %s", a.Name, r.Solver, listOrNone(a.Solvers))
	}
	if r.Model != "" && !slices.Contains(a.Models, r.Model) {
		return models.NotApplicablef("%s has no model %q; it has %s", a.Name, r.Model, listOrNone(a.Models))
	}
	if a.Applies != nil {
		if err := a.Applies(in, arg); err != nil {
			return models.NotApplicablef("%v", err)
		}
	}
	marshal := func(s S, claimed *float64) (json.RawMessage, error) {
		return mp.MarshalSolution(in, r.Algorithm, claimed, s)
	}
	var took atomic.Int64 // nanoseconds, by the last incumbent's writing
	pass := &models.Pass[I, S]{
		Instance: in, Arg: arg, Params: values, Seed: r.Seed, Threads: max(1, r.Threads), Solver: r.Solver, Model: r.Model,
		Improved: func(s S) {
			// An incumbent that would be late would delay the algorithm's end, too.
			last := time.Duration(took.Load())
			if end, ok := ctx.Deadline(); ok && last > quick && time.Until(end) < last {
				return
			}
			began := time.Now()
			if data, err := marshal(s, nil); err == nil {
				obs.Incumbent(data)
			}
			took.Store(int64(time.Since(began)))
		},
		Bounded: obs.Bound,
	}
	start, cpu := time.Now(), processCPU()
	out, err := a.Run(ctx, pass)
	res.WallSeconds = time.Since(start).Seconds()
	if used := processCPU() - cpu; used >= 0 {
		seconds := used.Seconds()
		res.CPUSeconds = &seconds
	}
	obs.Ended()
	st := out.Stats
	res.Raw, res.Solver, res.SolverVersion, res.Model = st.Raw, st.Solver, st.SolverVersion, st.Model
	res.SolverSeconds, res.BuildSeconds = st.SolverSeconds, st.BuildSeconds
	res.Columns, res.Rows, res.Nonzeros, res.Nodes = st.Columns, st.Rows, st.Nonzeros, st.Nodes
	if err != nil {
		return err
	}
	res.Status, res.Bound = Status(out.Status), out.Bound
	if !out.Found {
		if res.Status == Optimal || (res.Status == Feasible && a.Kind != models.Bound) {
			return fmt.Errorf("%s ended as %s without a solution", a.Name, out.Status)
		}
		if mp.Hopeless != nil {
			res.Hopeless = mp.Hopeless(in)
		}
		return nil
	}
	rep := mp.Check(in, out.Solution)
	solution, err := marshal(out.Solution, rep.Objective)
	if err != nil {
		return err
	}
	res.judge(rep, out.Claimed, solution)
	if res.Status == Optimal {
		if res.Objective == nil {
			return fmt.Errorf("%s claims an optimum without an objective", a.Name)
		}
		allowed := boundTolerance * max(1, math.Abs(*res.Objective))
		if mp.Rounding != nil {
			allowed += mp.Rounding(in)
		}
		for _, claim := range []*float64{out.Bound, out.Claimed} {
			if claim != nil && math.Abs(*claim-*res.Objective) > allowed {
				return fmt.Errorf("%s claims the optimum %v, but the checker finds %v", a.Name, *claim, *res.Objective)
			}
		}
		res.Bound = res.Objective
	}
	return nil
}

func listOrNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Run runs an algorithm in this process. It never fails the harness: whatever goes wrong is in the Result.
func (p *Problem) Run(ctx context.Context, in *Instance, r Request, obs Observer) *Result {
	if obs.Incumbent == nil {
		obs.Incumbent = func(json.RawMessage) {}
	}
	if obs.Bound == nil {
		obs.Bound = func(float64) {}
	}
	if obs.Ended == nil {
		obs.Ended = func() {}
	}
	a, _, err := p.Find(r.Algorithm)
	if err != nil {
		return &Result{Status: Error, Error: err.Error()}
	}
	return a.run(ctx, in, r, obs)
}

// Validate reports why a cannot be run on in as r asks: unknown solver, model or parameter, or not applicable. The harness
// turns it into exit code 2 or a skipped row before any process is started.
func (p *Problem) Validate(in *Instance, r Request) error {
	a, arg, err := p.Find(r.Algorithm)
	if err != nil {
		return err
	}
	if _, err := models.Resolve(a.Params, r.Params); err != nil {
		return fmt.Errorf("algorithm %s: %w", r.Algorithm, err)
	}
	if r.Solver != "" && !slices.Contains(a.Solvers, r.Solver) {
		return fmt.Errorf("algorithm %s has no solver %q; it has %s", a.Name, r.Solver, listOrNone(a.Solvers))
	}
	if r.Model != "" && !slices.Contains(a.Models, r.Model) {
		return fmt.Errorf("algorithm %s has no model %q; it has %s", a.Name, r.Model, listOrNone(a.Models))
	}
	if err := a.applies(in, arg); err != nil {
		return models.NotApplicablef("%s is not applicable to %s: %v", r.Algorithm, in.Name, err)
	}
	return nil
}
