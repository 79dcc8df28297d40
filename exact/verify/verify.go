package verify

import (
	"context"
	"encoding/json"
	"errors"
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
	references []string         // whose optimum they speak of
	suits      func(in I) error // why there are no such proofs of an instance; nil: there are of all
	// solution reads the line of a solution and holds it to the header's value; nil: the proofs claim none.
	solution func(r *reader, in I) error
	// check returns why the other lines do not prove the header's bound. Header and instance belong together, and the bound is
	// there and finite.
	check func(r *reader, in I) error
}

// follow checks a proof's header against the instance, then its lines by the rule of its kind. An error says why its claim is not
// proven.
func follow[I models.Instance](p *proof.Proof, problem string, in I, sha256 string, rules map[string]rule[I]) (
	models.Verdict, error,
) {
	lines := &reader{Proof: p}
	r, err := heading(p, problem, in, sha256, rules)
	if err == nil {
		err = r.prove(lines, in)
	}
	switch {
	case err == nil:
		return lines.verdict, nil
	case lines.next > 0:
		err = refused("line %d: %v", lines.next+1, err)
	}
	return models.Verdict{}, refused("%s", strict.Clip(err.Error(), longest)) // it may quote lists of the file
}

// heading returns the rule of a proof's kind, if the header belongs to the instance.
func heading[I models.Instance](p *proof.Proof, problem string, in I, sha256 string, rules map[string]rule[I]) (
	rule[I], error,
) {
	q, head := p.Header, in.Head()
	r, known := rules[q.Kind]
	switch {
	case q.Problem != problem:
		return r, refused("the proof is of the problem %.60q, the instance of %s", q.Problem, problem)
	case q.SHA256 != sha256:
		return r, refused("the proof is of another instance: its hash is %.64q, the instance's %s", q.SHA256, sha256)
	case q.Instance != head.Name:
		return r, refused("the proof is of the instance %.60q, this is %s", q.Instance, head.Name)
	case !known:
		return r, refused("proofs of the kind %.60q are not known of %s; known are: %s", q.Kind, problem,
			strings.Join(slices.Sorted(maps.Keys(rules)), ", "))
	case !slices.Contains(r.references, q.Reference):
		return r, refused("proofs of the kind %s are not of the reference %.60q but of: %s", q.Kind, q.Reference,
			strings.Join(r.references, ", "))
	case q.Bound == nil:
		return r, refused("the proof claims no bound")
	case math.IsNaN(*q.Bound) || math.IsInf(*q.Bound, 0):
		return r, refused("the bound is no number")
	case q.Value != nil && r.solution == nil:
		return r, refused("proofs of the kind %s prove a bound and no value", q.Kind)
	case q.Value != nil && (math.IsNaN(*q.Value) || math.IsInf(*q.Value, 0)):
		return r, refused("the value is no number")
	}
	if r.suits != nil {
		return r, r.suits(in)
	}
	return r, nil
}

func (r *rule[I]) prove(lines *reader, in I) error {
	if r.solution != nil {
		if err := r.solution(lines, in); err != nil {
			return err
		}
	}
	if err := r.check(lines, in); err != nil {
		return err
	}
	lines.next++
	if lines.next <= len(lines.Lines) {
		return errors.New("the proof has ended before")
	}
	return nil
}

// A reader hands out the lines of a proof after the header, in turn.
type reader struct {
	effort
	*proof.Proof
	next    int
	verdict models.Verdict // on the value, if one is claimed
}

// written are lines that are not in a file yet.
func written(lines []any) (*reader, error) {
	p := &proof.Proof{}
	for _, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			return nil, fmt.Errorf("a line of a proof: %w", err)
		}
		p.Lines = append(p.Lines, text)
	}
	return &reader{Proof: p}, nil
}

// read reads the next line.
func (r *reader) read(to any) error {
	if r.next == len(r.Lines) {
		return errors.New("the proof is not complete")
	}
	r.next++
	return proof.Decode(r.Lines[r.next-1], to)
}

// walk visits the nodes of a tree in pre-order. To visit a node is to read its line and return its children, none of a leaf.
func walk[N any](root N, visit func(N) (children []N, err error)) error {
	for open := []N{root}; len(open) > 0; {
		last := len(open) - 1
		children, err := visit(open[last])
		if err != nil {
			return err
		}
		slices.Reverse(children)
		open = append(open[:last], children...)
	}
	return nil
}

// single reports whether just one of some fields is there.
func single(there ...bool) bool {
	n := 0
	for _, t := range there {
		if t {
			n++
		}
	}
	return n == 1
}

// effort counts the steps of one verification, about a nanosecond each: a small file must not take hours.
type effort struct {
	ctx   context.Context // nil: it never ends
	steps int
}

// mostSteps limits the steps of one verification to some minutes.
const mostSteps = 1 << 36

func (e *effort) spend(n int) { e.steps += n }

// spent is an error when there was too much to do, or the context has ended.
func (e *effort) spent() error {
	if e.ctx != nil && e.ctx.Err() != nil {
		return e.ctx.Err()
	}
	if e.steps > mostSteps {
		return refused("to check the proof takes more than %d steps", mostSteps)
	}
	return nil
}

// longest is how many bytes the reason of a refusal has at most.
const longest = 600

// solution reads the solution's line if a value is claimed, or if always is set. It checks that a claimed value is what the solution is
// worth, to the last digit or to the width of an interval, and that the bound proves it optimal.
func solution[S, I any](always bool, value func(in I, s *S, reference string) (interval, models.Accuracy, error)) func(
	*reader, I) error {
	return func(r *reader, in I) error {
		h := r.Header
		if h.Value == nil && !always {
			return nil
		}
		var s S
		if err := r.read(&s); err != nil || h.Value == nil {
			return err
		}
		worth, accuracy, err := value(in, &s, h.Reference)
		if err != nil {
			return err
		}
		value, bound := *h.Value, *h.Bound
		if !(worth.lo <= value && value <= worth.hi) {
			return refused("the solution is worth %v, not %v", worth.hi, value)
		}
		r.verdict = accuracy.Judge(h.Value, bound)
		if !r.verdict.Optimal {
			return refused("the value %v and the bound %v are too far apart for an optimum", value, bound)
		}
		return nil
	}
}

// conclude compares a claimed bound with the bound that prices or leaves prove.
func conclude(claimed, proven float64, by string) error {
	if !(claimed <= proven) {
		return refused("the %s prove %v, not %v", by, proven, claimed)
	}
	return nil
}

// exactly is the rational that a finite v denotes.
func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func natural(v int) *big.Rat { return new(big.Rat).SetInt64(int64(v)) }

// RoundUp is the least float64 that is no less than v; infinite beyond the largest.
func RoundUp(v *big.Rat) float64 {
	f, _ := v.Float64()
	if !math.IsInf(f, 0) && exactly(f).Cmp(v) < 0 {
		f = up(f)
	}
	return f
}

// roundDown is the largest float64 that is no more than v, never −0.
func roundDown(v *big.Rat) float64 { return 0 - RoundUp(new(big.Rat).Neg(v)) }
