package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/bench/sysinfo"
	"schedgap/bench/worker"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/proof"
)

// An optimum is what is proven of an instance, by a proof that this build has verified.
type optimum struct {
	Reference string          `json:"reference"`
	Value     *float64        `json:"value"`    // nil: the optimum is not known
	Bound     float64         `json:"bound"`    // on it
	Solution  json.RawMessage `json:"solution"` // the best known
	// Within is how long it was sought, in nanoseconds: with more time an open one may close.
	Within time.Duration `json:"within"`
}

// exact proves optima; its reference is the first of every problem.
const exact = "opt"

// leastProof is how long a proof may take even where the command gets less.
const leastProof = 10 * time.Second

// optimum takes what is proven of in from the cache, or verifies the proof that the library has, or proves it; nil: neither an optimum nor a
// bound is proven within the limit. The entry is nil for an instance that is not the library's.
func (o *Options) optimum(ctx context.Context, w *worker.Worker, in *bench.Instance, e *library.Entry) (*optimum, error) {
	within := max(o.Limits.Time, leastProof)
	if known := o.cached(in); known != nil && (known.Value != nil || known.Within >= within) {
		return known, nil
	}
	if e != nil {
		known, err := o.stored(in, e)
		if known != nil {
			known.Within = math.MaxInt64 // the library knows best
			o.keep(in, known)
		}
		if known != nil || err != nil {
			return known, err
		}
	}
	res, err := w.Run(ctx, &bench.Unit{
		Instance: in, Request: bench.Request{Algorithm: exact, Seed: 1, Threads: 1, Prove: true}, Limits: bench.Limits{Time: within},
	})
	if err != nil || res.Verified != bench.ProvenOptimum && res.Verified != bench.ProvenBound {
		return nil, err
	}
	known, err := claimed(res.Proof, res.Solution)
	if err == nil {
		known.Within = within
		o.keep(in, known)
	}
	return known, err
}

// stored is what the library's proof of an entry says, which is verified here; nil: it has none.
func (o *Options) stored(in *bench.Instance, e *library.Entry) (*optimum, error) {
	data, err := o.Library.Proof(e)
	if data == nil || err != nil {
		return nil, err
	}
	var solution []byte
	if e.Solution != nil {
		if solution, err = o.Library.Solution(e); err != nil {
			return nil, err
		}
	}
	p, err := proof.Read(data)
	if err == nil {
		err = in.Problem.Verify(in, p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: its proof: %w", e.ID, err)
	}
	known, err := claimed(data, solution)
	if err == nil && known.Value == nil && solution != nil { // a bound proves a solution that meets it
		rep, err := in.Problem.Check(in, e.ID, solution)
		if err == nil && rep.Feasible(nil) && rep.Objective != nil && models.Same(*rep.Objective, known.Bound) {
			known.Value, known.Bound = rep.Objective, *rep.Objective
		}
	}
	return known, err
}

// claimed is what a proof that is verified says.
func claimed(file, solution []byte) (*optimum, error) {
	p, err := proof.Read(file)
	if err != nil {
		return nil, err
	}
	h := p.Header
	known := &optimum{Reference: h.Reference, Value: h.Value, Solution: solution}
	switch {
	case h.Value != nil:
		known.Bound = *h.Value
	case h.Bound != nil:
		known.Bound = *h.Bound
	default:
		return nil, errors.New("a proof of nothing")
	}
	return known, nil
}

// file is where the cache has an instance. Another build trusts no proof that this one has verified.
func (o *Options) file(in *bench.Instance) string {
	return filepath.Join(o.Cache, "optima", sysinfo.BuildID(), in.SHA256+".json")
}

func (o *Options) cached(in *bench.Instance) *optimum {
	if o.Cache == "" || sysinfo.BuildID() == "" { // a build that cannot tell itself from others
		return nil
	}
	data, err := os.ReadFile(o.file(in))
	known := &optimum{}
	if err != nil || json.Unmarshal(data, known) != nil || known.Reference == "" {
		return nil // it is proven again
	}
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

const (
	// tolerance is the relative error up to which a value beyond a bound is owed to rounding: checkers allow as much.
	tolerance = 1e-6
	// cut is the relative distance within which a value is optimal.
	cut = 1e-9
)

// beyond reports whether a value is better than what is proven to be best.
func (k *optimum) beyond(in *bench.Instance, value float64) bool {
	excess := float64(in.Problem.Sense) * (k.Bound - value)
	return !(excess <= tolerance*max(1, math.Abs(k.Bound))+in.Rounding)
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
