package models

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Restriction narrows instances: every solution of a narrowed instance is a solution of the instance, with the same value. The
// class of these solutions is named by what it restricts: opt@copies=1 holds the solutions of opt with one copy at most.
type Restriction[I Instance, S any] struct {
	Name string // in classes, such as copies
	Doc  string // what it limits, such as "running copies of a task"
	// Narrow returns a copy of in that is restricted to at most this much, at least 1. It keeps the order of all lists.
	Narrow func(in I, most int) I
	// Lift makes a solution of the narrowed instance one of in; nil: it is one.
	Lift func(s S, most int) S
}

// ParseLimits cuts the name of a class, or of an algorithm, into what it restricts and the limits; nil: it has none.
func ParseLimits(name string) (of string, limits map[string]int) {
	of, rest, _ := strings.Cut(name, "@")
	for part := range strings.SplitSeq(rest, "@") {
		key, value, _ := strings.Cut(part, "=")
		most, err := strconv.Atoi(value)
		if err != nil || most < 1 || key == "" {
			return name, nil
		}
		if limits == nil {
			limits = map[string]int{}
		}
		limits[key] = most
	}
	return of, limits
}

// Limited is the name of the class, or of the algorithm, that limits restrict. Equal limits give equal names.
func Limited(of string, limits map[string]int) string {
	for _, key := range slices.Sorted(maps.Keys(limits)) {
		of += fmt.Sprintf("@%s=%d", key, limits[key])
	}
	return of
}

// Restricted is the exact algorithm a on narrowed instances. Its class is the narrowed one, and it makes no proofs, whose files
// speak of the instance as it is. A solution that is none of the narrowed instance is refused.
func (p *Problem[I, S]) Restricted(a *Algorithm[I, S], list []*Restriction[I, S], limits map[string]int) *Algorithm[I, S] {
	narrow := func(in I) I {
		for _, r := range list {
			if most, has := limits[r.Name]; has {
				in = r.Narrow(in, most)
			}
		}
		return in
	}
	lift := func(s S) S {
		for _, r := range list {
			if most, has := limits[r.Name]; has && r.Lift != nil {
				s = r.Lift(s, most)
			}
		}
		return s
	}
	b := *a
	b.Name, b.Reference, b.Class = Limited(a.Name, limits), Limited(a.Reference, limits), Limited(a.Smallest(), limits)
	b.Proves, b.Provers = false, nil
	b.Applies = func(in I, arg string) error {
		if a.Applies == nil {
			return nil
		}
		return a.Applies(narrow(in), arg)
	}
	b.Run = func(ctx context.Context, pass *Pass[I, S]) (Outcome[S], error) {
		inner := *pass
		inner.Instance, inner.Prove = narrow(pass.Instance), false
		inner.Improved = func(s S) { pass.Improved(lift(s)) }
		out, err := a.Run(ctx, &inner)
		out.Proof, out.Prove = nil, nil
		if err != nil || !out.Found {
			return out, err
		}
		out.Solution = lift(out.Solution)
		if v := p.Check(inner.Instance, out.Solution).Worst(b.Waives); v != nil {
			err = fmt.Errorf("%s: its solution is not of its class: %s at %s by %g", b.Name, v.Constraint, v.Where, v.Amount)
		}
		return out, err
	}
	return &b
}
