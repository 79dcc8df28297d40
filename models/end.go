package models

import (
	"context"
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

// Status is the status of an algorithm of a kind that ended so, and the reason where that is not in the status. This is the only
// place where one is made of what is known:
//
//	known                           done             limit      cannot
//	value and bound meet            optimal          optimal    optimal
//	there is no solution            infeasible       infeasible infeasible
//	else                            feasible, apart  timeout    feasible, why
//
// Only exact algorithms owe a reason when they are done. A refused claim is a reason at every end.
func (l *Ledger[S]) Status(kind Kind, end End) (status Status, why string) {
	var reasons []string
	for _, r := range l.Refused() {
		reasons = append(reasons, r.String())
	}
	_, _, found := l.Best()
	switch closed := l.Closed(); {
	case closed && found:
		return Optimal, strings.Join(reasons, "; ")
	case closed:
		return Infeasible, strings.Join(reasons, "; ")
	case end.Stop == Limit:
		status = Timeout
	case end.Stop == Cannot:
		status, reasons = Feasible, append(reasons, end.Why)
	default:
		if status = Feasible; kind == Exact && len(reasons) == 0 {
			reasons = append(reasons, apart)
		}
	}
	return status, strings.Join(reasons, "; ")
}
