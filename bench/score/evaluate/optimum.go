package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/bench/run/sysinfo"
	"schedgap/bench/run/worker"
	"schedgap/models/proof"
)

// An optimum holds the optimum or a bound of an instance, by a proof that this build has verified.
type optimum struct {
	Reference string          `json:"reference"`
	Value     *float64        `json:"value"`    // nil: the optimum is not known
	Bound     float64         `json:"bound"`    // on it
	Solution  json.RawMessage `json:"solution"` // the best known
	objective *float64        // of it, if it is checked
	// Within is how long it was sought, in nanoseconds: with more time an open one may close.
	Within time.Duration `json:"within"`
	// Proof proves Value or Bound. Builds other than Build verify it again.
	Proof []byte `json:"proof"`
	Build string `json:"build"`
}

// exact proves optima; its reference is the first of every problem.
const exact = "opt"

// priced proves bounds in seconds where exact does not end; not all problems have it.
const priced = "lb-price"

// leastProof is how long a proof may take even where the command gets less.
const leastProof = 10 * time.Second

// optimum takes the optimum or a bound of in from the cache or the library, whose proof is verified, or else proves it. Nil:
// neither is proven within the limit. Where no optimum is proven, priced may give a better bound.
func (o *Options) optimum(ctx context.Context, w *worker.Worker, in *bench.Instance) (*optimum, error) {
	within := max(o.Limits.Time, leastProof)
	if o.Problem.Folder != nil {
		return o.solved(ctx, w, in, within)
	}
	if known := o.cached(in); known != nil && (known.Value != nil || known.Within >= within) {
		return known, nil
	}
	var known *optimum
	for _, algorithm := range []string{bench.FromLibrary, exact, priced} {
		r := bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1, Prove: true}
		if algorithm == exact && known != nil || o.Problem.Validate(in, r) != nil {
			continue // the library has it, or nothing of it
		}
		res, err := w.Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: bench.Limits{Time: within}})
		if err != nil {
			return nil, err
		}
		if res.Verified != bench.ProvenOptimum && res.Verified != bench.ProvenBound {
			continue
		}
		next, err := o.proven(in, res, within, known)
		if err != nil {
			return nil, err
		}
		known = next
		if known.Value != nil {
			break
		}
	}
	if known != nil {
		o.keep(in, known)
	}
	return known, nil
}

// solved is what a MILP solver finds out about an instance of a folder's problem, for which there are no proof files. It is not kept.
func (o *Options) solved(ctx context.Context, w *worker.Worker, in *bench.Instance, within time.Duration) (*optimum, error) {
	r := bench.Request{Algorithm: o.Problem.Exact(o.Problem.References[0].Name), Seed: 1, Threads: 1}
	if err := o.Problem.Validate(in, r); err != nil {
		return nil, fmt.Errorf("%s: evaluate needs a model of the first class: %w", o.Problem.Name, err)
	}
	res, err := w.Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: bench.Limits{Time: within}})
	if err == nil {
		err = res.Fault()
	}
	if err == nil && (res.Status == bench.Error || res.Status == bench.Refuted || res.Status == bench.Infeasible) {
		err = fmt.Errorf("%s: its optimum is not known: %s ends as %s: %s", in.Name, r.Algorithm, res.Status, cmp.Or(res.Error, res.Raw))
	}
	if err != nil || res.Bound == nil {
		return nil, err
	}
	known := &optimum{Reference: res.Reference, Bound: *res.Bound, Solution: res.Solution, Within: within, objective: res.Objective}
	if res.Status == bench.Optimal {
		known.Value, known.Bound = res.Objective, *res.Objective
	}
	return known, nil
}

// proven returns the optimum or bound of a result's verified proof, or before if that is as good. A better bound keeps the
// solution of before, since its own result has none.
func (o *Options) proven(in *bench.Instance, res *bench.Result, within time.Duration, before *optimum) (*optimum, error) {
	p, err := proof.Read(res.Proof)
	if err != nil {
		return nil, err
	}
	h := p.Header
	known := &optimum{
		Reference: h.Reference, Value: h.Value, Solution: res.Solution, Within: within, Proof: res.Proof, Build: sysinfo.BuildID(),
	}
	objective := res.Objective
	if res.Feasible == nil || !*res.Feasible {
		objective = nil
	}
	if before != nil {
		if before.Reference != h.Reference || h.Bound == nil || !(float64(in.Problem.Sense)*(*h.Bound-before.Bound) > 0) {
			return before, nil
		}
		known.Solution, objective = before.Solution, before.objective
	}
	known.objective = objective
	if known.Value == nil && objective != nil && h.Bound != nil && in.Accuracy.Same(*objective, *h.Bound) {
		known.Value = objective // a bound proves a solution that meets it
	}
	switch {
	case known.Value != nil:
		known.Bound = *known.Value
	case h.Bound != nil:
		known.Bound = *h.Bound
	default:
		return nil, errors.New("a proof of nothing")
	}
	return known, nil
}

// optima is the folder of the cache's entries; empty: there is no cache.
func (o *Options) optima() string {
	if o.Cache == "" {
		return ""
	}
	return filepath.Join(o.Cache, "optima")
}

// file is the path of an instance's entry in the cache.
func (o *Options) file(in *bench.Instance) string {
	return filepath.Join(o.optima(), in.SHA256+".json")
}

// cached returns the cache's entry of an instance; nil: there is none, or this build refuses it. A build trusts its own entries. The
// proof of another build is verified again, which takes far less time than the search for it.
func (o *Options) cached(in *bench.Instance) *optimum {
	if o.Cache == "" {
		return nil
	}
	data, err := os.ReadFile(o.file(in))
	known := &optimum{}
	if err != nil || json.Unmarshal(data, known) != nil || known.Reference == "" {
		return nil // it is proven again
	}
	if known.Build != "" && known.Build == sysinfo.BuildID() {
		return known
	}
	file, err := proof.Read(known.Proof)
	if err == nil {
		_, err = in.Verify(file)
	}
	res := &bench.Result{Reference: known.Reference, Proof: known.Proof}
	if err == nil && len(known.Solution) > 0 && string(known.Solution) != "null" {
		err = o.Problem.Judge(res, in, in.Name, known.Solution)
	}
	if err != nil {
		return nil
	}
	known, err = o.proven(in, res, known.Within, nil)
	if err != nil {
		return nil
	}
	o.keep(in, known)
	return known
}

// keep writes into the cache; what cannot be written is proven again the next time.
func (o *Options) keep(in *bench.Instance, known *optimum) {
	if data, err := json.Marshal(known); err == nil && o.Cache != "" {
		if err := store.WriteFile(o.file(in), data); err != nil {
			o.Log.Warn("what is proven is not kept", "because", err)
		}
	}
}

// cut is the relative distance within which a value is optimal.
const cut = 1e-9

// beyond reports whether a value is better than what is proven to be best by more than the tolerances of checkers, which are relative.
func (k *optimum) beyond(in *bench.Instance, value float64) bool {
	return !(float64(in.Problem.Sense)*(k.Bound-value) <= 0) && !in.Accuracy.Near(k.Bound, value)
}

// part is what a value gives to the score, from 0 to 1: optimum/value for a minimum, value/optimum for a maximum, and where only
// differences make sense exp(−regret/scale).
func (k *optimum) part(in *bench.Instance, value float64) float64 {
	regret := float64(in.Problem.Sense) * (value - k.Bound)
	part := 0.0
	switch {
	case in.Comparison.ByRegret():
		part = math.Exp(-max(0, regret) / in.Scale(k.Reference))
	case value > 0 && k.Bound > 0:
		part = math.Pow(k.Bound/value, float64(in.Problem.Sense))
	case regret <= 0:
		part = 1
	}
	if part >= 1-cut {
		return 1
	}
	return max(0, part) // NaN, which no checked value gives, would stay: conclude refuses it
}
