package models

import (
	"context"
	"math"
	"strings"
)

// A Stop is why an algorithm stopped.
type Stop int8

// Done: it has nothing left to do. Limit: its context has ended, or will before it could do more. Cannot: it gave up before that.
const (
	Done Stop = iota
	Limit
	Cannot
)

// An End says why an algorithm stopped and what work it did. What it found is in the ledger, and what that is worth a matter of
// the ledger alone.
type End struct {
	Stop  Stop
	Why   string // why it gave up, for Cannot
	Stats Stats
	// Claimed is the objective that a solver believes its point to have; only stored and compared, never published. Nil: none.
	Claimed *float64
	// Resume goes on where the algorithm stopped, with what the ledger knows by then; the new end's work includes that before. Nil:
	// it would begin again.
	Resume func(ctx context.Context) (End, error)
	// Audit holds the claims of a solver against all that is known, see Outcome.Audit. Nil: no solver claims anything.
	Audit func(ctx context.Context) *Refutation
	// Relax solves the relaxation of the model, see Work.LPBound, in a pass of its own after the run. Nil: there is none.
	Relax func(ctx context.Context) (float64, error)
}

// Ended is the end of an algorithm that stopped by itself, for a reason, or had nothing left to do, for none; where ctx has ended
// that was the reason.
func Ended(ctx context.Context, why string, stats Stats) End {
	switch {
	case ctx.Err() != nil:
		return End{Stop: Limit, Stats: stats}
	case why != "":
		return End{Stop: Cannot, Why: why, Stats: stats}
	}
	return End{Stats: stats}
}

// apart is the reason of an exact algorithm that has nothing left to do while value and bound are two.
const apart = "rounding keeps value and bound apart where all is decided"

// Reason is why an algorithm of a kind ended with its work undone; empty: it did not, or its time was over. Only exact algorithms
// owe a reason when they are done.
func (e End) Reason(kind Kind) string {
	switch {
	case e.Stop == Done && kind == Exact:
		return apart
	case e.Stop == Cannot:
		return e.Why
	}
	return ""
}

// Status is the status of an algorithm of a kind that ended so, and the reason where that is not in the status. This is the only
// place where one is made of what is known:
//
//	known                           done             limit      cannot
//	value and bound meet            optimal          optimal    optimal
//	there is no solution            infeasible       infeasible infeasible
//	else                            feasible, apart  timeout    feasible, why
//
// A refused bound is a reason at every end, a refused solution where there is no other.
func (l *Ledger[S]) Status(kind Kind, end End) (status Status, why string) {
	var reasons []string
	_, _, found := l.Best()
	for _, r := range l.Refused() {
		if !found || !math.IsNaN(r.Value) {
			reasons = append(reasons, r.String())
		}
	}
	switch closed := l.Closed(); {
	case closed && found:
		status = Optimal
	case closed:
		status = Infeasible
	case end.Stop == Limit:
		status = Timeout
	default:
		status = Feasible
		if own := end.Reason(kind); own != "" && (end.Stop == Cannot || len(reasons) == 0) {
			reasons = append(reasons, own)
		}
	}
	return status, strings.Join(reasons, "; ")
}
