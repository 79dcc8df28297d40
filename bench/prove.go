package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"schedgap/models"
	"schedgap/models/proof"
)

// The outcomes of verifying a proof.
const (
	ProvenOptimum = "optimum"
	ProvenBound   = "bound"
	ProofRefused  = "refused"
)

// A prover makes the proof of a judged result, see models.Outcome.
type prover func(ctx context.Context, value float64) (*proof.Claim, error)

// attach writes the proof file of a claim on in.
func (r *Result) attach(in *Instance, claim *proof.Claim) error {
	h := proof.Header{
		Problem: in.Problem.Name, Instance: in.Name, SHA256: in.SHA256, Reference: claim.Reference, Kind: claim.Kind,
		Value: claim.Value, Bound: claim.Bound,
	}
	if h.Reference == "" {
		h.Reference = r.Reference
	}
	if h.Bound == nil {
		h.Bound = r.Bound
	}
	if h.Bound == nil {
		return nil
	}
	var file bytes.Buffer
	err := proof.Write(&file, h, claim.Lines)
	r.Proof = file.Bytes()
	return err
}

// Prove makes the proof of a result of Run whose request asked for one, in a pass of its own, and has the bytes of its file
// verified. What goes wrong is in the result's Error; the rest of the result stays as it is.
func (p *Problem) Prove(ctx context.Context, in *Instance, r *Result) {
	err := r.makeProof(ctx, in)
	if err == nil && len(r.Proof) > 0 {
		var file *proof.Proof
		var verdict models.Verdict
		file, err = proof.Read(r.Proof)
		if err == nil {
			verdict, err = in.Verify(file)
		}
		switch {
		case err != nil:
			r.Verified, err = ProofRefused, fmt.Errorf("the proof was refused: %w", err)
		case verdict.Optimal:
			r.Verified = ProvenOptimum
		default:
			r.Verified = ProvenBound
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
}

// relaxing is how long the relaxation of a model may take.
const relaxing = time.Minute

// Relaxes reports whether Relax has something to do.
func (r *Result) Relaxes() bool { return r.relax != nil }

// Relax enters the optimum of the relaxation of the model that was solved; null if it cannot be had.
func (r *Result) Relax(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, relaxing)
	defer cancel()
	if v, err := r.relax(ctx); err == nil {
		r.LPBound = &v
	}
}

func (r *Result) makeProof(ctx context.Context, in *Instance) (err error) {
	if r.prover == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = panicked("while the proof was made", p)
		}
	}()
	claim, err := r.prover(ctx, *r.Objective)
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("the proof was not made in time")
	case err != nil:
		return fmt.Errorf("the proof was not made: %w", err)
	case claim == nil:
		return nil
	}
	return r.attach(in, claim)
}
