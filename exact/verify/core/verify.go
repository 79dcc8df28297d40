package core

import (
	"cmp"
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

// A Rule reads the proofs of one kind about the instances of one problem.
type Rule[I any] struct {
	References []string         // whose optimum they speak of
	Suits      func(in I) error // why there are no such proofs of an instance; nil: there are of all
	// Solution reads the line of a solution and holds it to the header's value; nil: the proofs claim none.
	Solution func(r *Reader, in I) error
	// Check returns why the other lines do not prove the header's bound. Header and instance belong together, and the bound is
	// there and finite.
	Check func(r *Reader, in I) error
}

// Follow checks a proof's header against the instance, then its lines by the rule of its kind. An error says why its claim is not
// proven.
func Follow[I models.Instance](p *proof.Proof, problem string, in I, sha256 string, rules map[string]Rule[I]) (
	models.Verdict, error,
) {
	lines := &Reader{Proof: p}
	r, err := heading(p, problem, in, sha256, rules)
	if err == nil {
		err = r.prove(lines, in)
	}
	switch {
	case err == nil:
		return lines.verdict, nil
	case lines.Next > 0:
		err = fmt.Errorf("line %d: %v", lines.Next+1, err)
	}
	return models.Verdict{}, fmt.Errorf("%s", strict.Clip(err.Error(), longest)) // it may quote lists of the file
}

// heading returns the rule of a proof's kind, if the header belongs to the instance.
func heading[I models.Instance](p *proof.Proof, problem string, in I, sha256 string, rules map[string]Rule[I]) (
	Rule[I], error,
) {
	q, head := p.Header, in.Head()
	r, known := rules[q.Kind]
	switch {
	case q.Problem != problem:
		return r, fmt.Errorf("the proof is of the problem %.60q, the instance of %s", q.Problem, problem)
	case q.SHA256 != sha256:
		return r, fmt.Errorf("the proof is of another instance: its hash is %.64q, the instance's %s", q.SHA256, sha256)
	case q.Instance != head.Name:
		return r, fmt.Errorf("the proof is of the instance %.60q, this is %s", q.Instance, head.Name)
	case !known:
		return r, fmt.Errorf("proofs of the kind %.60q are not known of %s; known are: %s", q.Kind, problem,
			strings.Join(slices.Sorted(maps.Keys(rules)), ", "))
	case !slices.Contains(r.References, q.Reference):
		return r, fmt.Errorf("proofs of the kind %s are not of the reference %.60q but of: %s", q.Kind, q.Reference,
			strings.Join(r.References, ", "))
	case q.Bound == nil:
		return r, fmt.Errorf("the proof claims no bound")
	case math.IsNaN(*q.Bound) || math.IsInf(*q.Bound, 0):
		return r, fmt.Errorf("the bound is no number")
	case q.Value != nil && r.Solution == nil:
		return r, fmt.Errorf("proofs of the kind %s prove a bound and no value", q.Kind)
	case q.Value != nil && (math.IsNaN(*q.Value) || math.IsInf(*q.Value, 0)):
		return r, fmt.Errorf("the value is no number")
	}
	if r.Suits != nil {
		return r, r.Suits(in)
	}
	return r, nil
}

func (r *Rule[I]) prove(lines *Reader, in I) error {
	if r.Solution != nil {
		if err := r.Solution(lines, in); err != nil {
			return err
		}
	}
	if err := r.Check(lines, in); err != nil {
		return err
	}
	lines.Next++
	if lines.Next <= len(lines.Lines) {
		return errors.New("the proof has ended before")
	}
	return nil
}

// A Reader hands out the lines of a proof after the header, in turn. Next counts those that were read.
type Reader struct {
	Effort
	*proof.Proof
	Next    int
	verdict models.Verdict // on the value, if one is claimed
}

// Written reads lines that are not in a file yet. An error: a line is no JSON.
func Written(lines []any) (*Reader, error) {
	p := &proof.Proof{}
	for _, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			return nil, fmt.Errorf("a line of a proof: %w", err)
		}
		p.Lines = append(p.Lines, text)
	}
	return &Reader{Proof: p}, nil
}

// Read reads the next line. An error: there is none, or it is not of the form.
func (r *Reader) Read(to any) error {
	if r.Next == len(r.Lines) {
		return errors.New("the proof is not complete")
	}
	r.Next++
	return proof.Decode(r.Lines[r.Next-1], to)
}

// Walk visits the nodes of a tree in pre-order. To visit a node is to read its line and return its children, none of a leaf.
func Walk[N any](root N, visit func(N) (children []N, err error)) error {
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

// Single reports whether just one of some fields is there.
func Single(there ...bool) bool {
	n := 0
	for _, t := range there {
		if t {
			n++
		}
	}
	return n == 1
}

// An Effort counts the steps of one verification, about a nanosecond each: a small file must not take hours.
type Effort struct {
	Ctx   context.Context // nil: it never ends
	Steps int
}

// Context is what ends the verification.
func (e *Effort) Context() context.Context { return cmp.Or(e.Ctx, context.Background()) }

// Left is how many steps there may still be.
func (e *Effort) Left() int { return max(0, mostSteps-e.Steps) }

// mostSteps limits the steps of one verification to some minutes.
const mostSteps = 1 << 36

// Spend counts n steps more.
func (e *Effort) Spend(n int) { e.Steps += n }

// Spent is an error when there was too much to do, or the context has ended.
func (e *Effort) Spent() error {
	if e.Ctx != nil && e.Ctx.Err() != nil {
		return e.Ctx.Err()
	}
	if e.Steps > mostSteps {
		return fmt.Errorf("to check the proof takes more than %d steps", mostSteps)
	}
	return nil
}

// longest is how many bytes the reason of a refusal has at most.
const longest = 600

// Solution reads the solution's line if a value is claimed, or if always is set. It checks that a claimed value is what the solution is
// worth, to the last digit or to the width of an interval, and that the bound proves it optimal.
func Solution[S, I any](always bool, value func(in I, s *S, reference string) (Interval, models.Accuracy, error)) func(
	*Reader, I) error {
	return func(r *Reader, in I) error {
		h := r.Header
		if h.Value == nil && !always {
			return nil
		}
		var s S
		if err := r.Read(&s); err != nil || h.Value == nil {
			return err
		}
		worth, accuracy, err := value(in, &s, h.Reference)
		if err != nil {
			return err
		}
		value, bound := *h.Value, *h.Bound
		if !(worth.Lo <= value && value <= worth.Hi) {
			return fmt.Errorf("the solution is worth %v, not %v", worth.Hi, value)
		}
		r.verdict = accuracy.Judge(h.Value, bound)
		if !r.verdict.Optimal {
			return fmt.Errorf("the value %v and the bound %v are too far apart for an optimum", value, bound)
		}
		return nil
	}
}

// Conclude compares a claimed lower bound with the one that prices or leaves prove. An error: it is more.
func Conclude(claimed, proven float64, by string) error {
	if !(claimed <= proven) {
		return fmt.Errorf("the %s prove %v, not %v", by, proven, claimed)
	}
	return nil
}

// Exactly is the rational that a finite v denotes.
func Exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Natural is v as a rational.
func Natural(v int) *big.Rat { return new(big.Rat).SetInt64(int64(v)) }

// RoundUp is the least float64 that is no less than v; infinite beyond the largest, never −∞.
func RoundUp(v *big.Rat) float64 {
	f, _ := v.Float64()
	if math.IsInf(f, -1) {
		return -math.MaxFloat64
	}
	if !math.IsInf(f, 0) && Exactly(f).Cmp(v) < 0 {
		f = Up(f)
	}
	return f
}

// RoundDown is the largest float64 that is no more than v, never −0 nor +∞.
func RoundDown(v *big.Rat) float64 { return 0 - RoundUp(new(big.Rat).Neg(v)) }

// OnGrid raises a bound to the next multiple of a grid, and lowers that to a float64. Nil: there is no grid.
func OnGrid(bound float64, grid *big.Rat) float64 {
	if grid == nil || math.IsInf(bound, 0) || math.IsNaN(bound) {
		return bound
	}
	q := new(big.Rat).Quo(Exactly(bound), grid)
	k := new(big.Int).Neg(q.Num())
	k.Neg(k.Div(k, q.Denom())) // Div rounds down where the divisor is positive
	return RoundDown(q.Mul(grid, new(big.Rat).SetInt(k)))
}
