package verify

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/strict"
)

// refused says why a proof proves less than it claims.
func refused(format string, args ...any) error { return fmt.Errorf(format, args...) }

// A rule reads the proofs of one kind about the instances of one problem.
type rule[I any] struct {
	references []string // whose optimum they speak of
	optimal    bool     // whether they may claim a value, of a solution that nothing betters
	successor  string   // the kind that came after this one, which is refused
	// check returns why the lines do not prove the header's bound and, unless it is nil, its value. Header and instance belong
	// together, the bound is there, and both are finite.
	check func(p *proof.Proof, in I) error
}

// follow checks what a proof says of itself against the instance that it is held against, then its lines by the rule of its kind.
func follow[I models.Instance](p *proof.Proof, problem string, in I, sha256 string, rules map[string]rule[I]) error {
	q, head := p.Header, in.Head()
	r, known := rules[q.Kind]
	switch {
	case q.Problem != problem:
		return refused("the proof is of the problem %.60q, the instance of %s", q.Problem, problem)
	case q.SHA256 != sha256:
		return refused("the proof is of another instance: its hash is %.64q, the instance's %s", q.SHA256, sha256)
	case q.Instance != head.Name:
		return refused("the proof is of the instance %.60q, this is %s", q.Instance, head.Name)
	case r.successor != "":
		return refused("proofs of the kind %s are of an earlier language; --proof now makes proofs of the kind %s", q.Kind, r.successor)
	case !known:
		kinds := slices.Sorted(maps.Keys(rules))
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return rules[kind].successor != "" })
		return refused("proofs of the kind %.60q are not known of %s; known are: %s", q.Kind, problem, strings.Join(kinds, ", "))
	case !slices.Contains(r.references, q.Reference):
		return refused("proofs of the kind %s are not of the reference %.60q but of: %s", q.Kind, q.Reference,
			strings.Join(r.references, ", "))
	case q.Bound == nil:
		return refused("the proof claims no bound")
	case math.IsNaN(*q.Bound) || math.IsInf(*q.Bound, 0):
		return refused("the bound is no number")
	case q.Value != nil && !r.optimal:
		return refused("proofs of the kind %s prove a bound and no value", q.Kind)
	case q.Value != nil && (math.IsNaN(*q.Value) || math.IsInf(*q.Value, 0)):
		return refused("the value is no number")
	}
	if err := r.check(p, in); err != nil {
		return refused("%s", strict.Clip(err.Error(), longest)) // it may quote lists of the file
	}
	return nil
}

// effort counts what the verification of one proof has done, in steps of about a nanosecond: a small file must not make it go on
// for hours.
type effort struct{ steps int }

// mostSteps is what is spent on a proof at most, some minutes.
const mostSteps = 1 << 36

func (e *effort) spend(n int) { e.steps += n }

// spent is an error when there was too much to do.
func (e *effort) spent() error {
	if e.steps > mostSteps {
		return refused("to check the proof takes more than %d steps", mostSteps)
	}
	return nil
}

// longest is how many bytes the reason of a refusal has at most.
const longest = 600

// meet checks that a value, if one is claimed, is what the proof's solution is worth to the last digit, or to the width of an
// interval, and that the bound makes it the optimum by the wording of docs/proofs.md: they differ by 1e-9 of scale at most, 0 for
// whole numbers.
func meet(h proof.Header, worth interval, scale float64) error {
	value, bound := *h.Value, *h.Bound
	switch {
	case !(worth.lo <= value && value <= worth.hi):
		return refused("line 2: the solution is worth %v, not %v", worth.hi, value)
	case !(math.Abs(value-bound) <= 1e-9*math.Abs(scale)) || math.IsInf(scale, 0):
		return refused("the value %v and the bound %v are too far apart for an optimum", value, bound)
	}
	return nil
}

// exactly is the rational that a finite v denotes.
func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func natural(v int) *big.Rat { return new(big.Rat).SetInt64(int64(v)) }

// roundUp is the least float64 that is no less than v; infinite beyond the largest.
func roundUp(v *big.Rat) float64 {
	f, _ := v.Float64()
	if !math.IsInf(f, 0) && exactly(f).Cmp(v) < 0 {
		f = up(f)
	}
	return f
}
