package milptest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"schedgap/exact/milp"
)

// limits returns the cases that a limit or the context ends.
func limits() []testCase {
	var last *milp.Result // of the model that takes hours: one answer is enough for several cases
	limited := func(t *testing.T, s milp.Solver, enough func(r *milp.Result) bool) *milp.Result {
		t.Helper()
		if last == nil || last.Status == milp.Limit && !enough(last) {
			last = limited(t, s, enough)
		}
		return last
	}
	return []testCase{
		{"limit-with-incumbent", "at the time limit the incumbent is handed over", func(t *testing.T, s milp.Solver) {
			r := limited(t, s, func(r *milp.Result) bool { return r.X != nil })
			if r.Status != milp.Limit || r.X == nil {
				t.Errorf("got %s, point %v (%s), want limit with a point", r.Status, r.X != nil, r.Raw)
			}
		}},
		{"limit-with-bound", "at the time limit the proven bound is handed over", func(t *testing.T, s milp.Solver) {
			r := limited(t, s, func(r *milp.Result) bool { return r.Bound != nil })
			// The relaxation has 1000, so that no solver's bound is above.
			if r.Status != milp.Limit || r.Bound == nil || *r.Bound > 1000+1e-3 {
				t.Errorf("got %s, bound %v (%s), want limit with a bound of at most 1000", r.Status, r.Bound, r.Raw)
			}
		}},
		{"limit-with-nothing", "a time limit before the first incumbent leaves no point", func(t *testing.T, s milp.Solver) {
			r := solve(context.Background(), t, s, marketSplit(false), milp.Options{TimeLimit: 300 * time.Millisecond})
			if r.Status != milp.Limit || r.X != nil {
				t.Errorf("got %s, point %v (%s), want limit without a point", r.Status, r.X != nil, r.Raw)
			}
		}},
		{"deadline", "the context's deadline is a limit as well", func(t *testing.T, s milp.Solver) {
			prompt(t, func() time.Time {
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				defer cancel()
				r := solve(ctx, t, s, marketSplit(true), milp.Options{TimeLimit: time.Hour})
				if r.Status != milp.Limit {
					t.Errorf("got %s (%s), want limit", r.Status, r.Raw)
				}
				deadline, _ := ctx.Deadline()
				return deadline
			})
		}},
		{"cancelled", "a cancelled context ends a solve within a second", func(t *testing.T, s milp.Solver) {
			for _, slack := range []bool{true, false} {
				prompt(t, func() time.Time {
					ctx, cancel := context.WithCancel(context.Background())
					at := make(chan time.Time, 1)
					timer := time.AfterFunc(300*time.Millisecond, func() {
						at <- time.Now()
						cancel()
					})
					r := solve(ctx, t, s, marketSplit(slack), milp.Options{})
					if timer.Stop() {
						t.Fatalf("%s (%s) before the context was cancelled", r.Status, r.Raw)
					}
					if r.Status != milp.Limit {
						t.Errorf("got %s (%s), want limit", r.Status, r.Raw)
					}
					return <-at
				})
			}
		}},
		{"cancelled-before", "a context that is done already", func(t *testing.T, s milp.Solver) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if r := solve(ctx, t, s, marketSplit(true), milp.Options{}); r.Status != milp.Limit || r.X != nil {
				t.Errorf("got %s, point %v, want limit without a point", r.Status, r.X != nil)
			}
		}},
	}
}

// limited solves a model that takes hours, with a time limit of a second. A busy machine may leave the solver too little of that second;
// longer limits follow until the answer has enough.
func limited(t *testing.T, s milp.Solver, enough func(r *milp.Result) bool) (r *milp.Result) {
	t.Helper()
	for _, limit := range []time.Duration{time.Second, 8 * time.Second, time.Minute} {
		r = solve(context.Background(), t, s, marketSplit(true), milp.Options{TimeLimit: limit})
		if r.Status != milp.Limit || enough(r) {
			break
		}
	}
	return r
}

// prompt checks the promise of milp.Solver to return within a second of its context's end, which try returns. A loaded machine may make
// several of one second, so the best of three counts.
func prompt(t *testing.T, try func() (end time.Time)) {
	t.Helper()
	var late time.Duration
	for range 3 {
		late = time.Since(try())
		if late <= time.Second {
			return
		}
	}
	t.Errorf("returned %s after its context was done, and no earlier in two runs before", late)
}

// marketSplit is a market split problem (Cornuejols and Dawande, A class of hard small 0-1 programs, 1999) of 6 rows
// and 50 binaries: half of each row's sum is to be hit exactly. Branch and bound takes hours or days. With slack, the
// deviations are penalised, so that every 0-1 point is feasible: 1000 minus the sum of deviations is maximised, and the
// relaxation has 1000.
func marketSplit(slack bool) *milp.Model {
	const rows, columns = 6, 50
	rng := rand.New(rand.NewPCG(1, 0))
	m := &milp.Model{Name: "market-split", Maximize: true, Offset: 1000}
	for j := range columns {
		m.Binary(fmt.Sprint("x", j), 0)
	}
	for i := range rows {
		var terms []milp.Term
		sum := 0
		for j := range columns {
			v := rng.IntN(100)
			sum += v
			terms = append(terms, milp.Term{Col: j, Coef: float64(v)})
		}
		if slack {
			for k, sign := range []float64{1, -1} {
				d := m.AddCol(milp.Col{Name: fmt.Sprint("d", i, k), Hi: milp.Inf, Cost: -1})
				terms = append(terms, milp.Term{Col: d, Coef: sign})
			}
		}
		half := float64(sum / 2)
		m.AddRow(fmt.Sprint("r", i), half, half, terms...)
	}
	return m
}
