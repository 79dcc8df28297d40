// Package models holds what all problems share: the contract of an instance, of a solution, of the independent checker's
// report, of an algorithm and of a source of instances. A problem is a folder of its own below this one.
package models

import (
	"encoding/json"
	"io/fs"
	"slices"

	"schedgap/models/strict"
)

// An Instance is one validated problem instance; it is not changed after it was made.
type Instance interface {
	// Head returns what every instance file begins with.
	Head() Header
}

// A Header has the fields that the instance files of all problems share.
type Header struct {
	Name    string          `json:"name"`
	Lineage json.RawMessage `json:"lineage,omitempty" doc:"where a derived instance comes from"` // a JSON object, or nil
}

// A Sense says whether smaller or larger objective values are better.
type Sense int8

// The two senses.
const (
	Minimize Sense = 1
	Maximize Sense = -1
)

func (s Sense) String() string {
	if s == Maximize {
		return "max"
	}
	return "min"
}

// Better reports whether a is a better objective value than b.
func (s Sense) Better(a, b float64) bool { return float64(s)*a < float64(s)*b }

// A Size counts an instance's parts for the result tables.
type Size struct {
	Jobs     int
	Tasks    int // 0: the problem has none
	Machines int // machines, slots or virtual machines
}

// A Reference is a class of solutions over which an optimum is taken. Feasible values of a class are feasible for the
// classes around it, and bounds on a class are bounds on the classes inside it; never the other way round.
type Reference struct {
	Name           string
	Doc            string
	Within         string // the next wider class; empty for the widest
	CheckerDecides bool   // the checker tells which solutions belong to it, see Report.Fits
	// Waives names the constraints of the instance that the class leaves out by its definition: an algorithm of the class
	// that waives no more than these is an ordinary member of it, and of no class inside.
	Waives []string
}

// A Comparison says how an objective value is compared with an optimum.
type Comparison int8

// Quotient is the usual competitive ratio; Difference suits objectives that pass through zero or below, such as lateness;
// QuotientZero those that may be zero, or too close to it: zero over zero counts as 1, and anything else over zero is infinite.
const (
	Quotient Comparison = iota
	Difference
	QuotientZero
)

// ByRegret reports whether regrets lead: ratios have no ceiling, or no meaning.
func (c Comparison) ByRegret() bool { return c != Quotient }

func (c Comparison) String() string { return [...]string{"quotient", "difference", "quotient-zero"}[c] }

// A Problem ties the types of one problem to its file formats, its objective and its checker.
type Problem[I Instance, S any] struct {
	Name  string // as in flags, file names and records
	Title string // one line
	Doc   string // definition with its source
	Sense Sense

	// References lists the classes of solutions, the default one first.
	References []Reference

	// Constraints are all that a solution can break, in the order of the problem's page under docs/problems.
	Constraints []Constraint

	// InstanceForm and SolutionForm are empty structs whose tags declare the fields that files have beyond their heads; see
	// package strict.
	InstanceForm, SolutionForm any

	// DecodeInstance reads and validates the fields of an instance beyond the header. If f has recorded an error,
	// the result is ignored.
	DecodeInstance func(f *strict.File, h Header) I
	// EncodeInstance returns the fields beyond the header as what marshals to a JSON object, defaults written out; nil func: the
	// instance itself does.
	EncodeInstance func(in I) any
	// DecodeSolution reads the fields of a solution beyond its envelope; unknown ids are errors.
	DecodeSolution func(f *strict.File, in I) S
	// EncodeSolution returns the fields of a solution beyond its envelope as a JSON object.
	EncodeSolution func(in I, s S) any

	// Check recomputes objective and constraints from the instance and the decisions in s only, by the problem's definition.
	// It trusts no value that an algorithm computed, and it does not panic on malformed s.
	Check func(in I, s S) Report

	// Least is the smallest amount of an instance whose values may be 0, or sums that cancel, in the unit of the objective: a
	// billionth of it is no difference between two values, see Accuracy. 0, and a nil func, where a billionth of the value is enough.
	Least func(in I) float64
	// Whole says that all values are whole numbers.
	Whole bool
	// Rounding bounds the objective's floating-point error, which matters when arrivals are large. Nil means zero.
	Rounding func(in I) float64
	// Hopeless lists the jobs that the objective leaves out, for results without a solution; nil func: there are none.
	Hopeless func(in I) []string

	// Size counts the instance's parts.
	Size func(in I) Size
	// Compare says how objective values of in are compared with its optimum.
	Compare func(in I) Comparison
	// Scale is the unit of regret, the distance from an optimum of the reference: a bound or a total that is read off
	// the instance, in the unit of the objective. It is positive, and 1 where all values are 0; 0: values of the instance's
	// objective never come near 0; nil func: no instance's do.
	Scale    func(in I, reference string) float64
	ScaleDoc string // what Scale is, in half a sentence
	// Objective names the objective of an instance in words such as "weighted tardiness".
	Objective func(in I) string
	// Features are numbers and words of the instance against which reports draw ratios, such as slack or the metric. They
	// are derived from the instance only.
	Features func(in I) map[string]any
	// FeatureDocs say what each feature is; they are a table of the problem's page.
	FeatureDocs []FeatureDoc
	// Chart draws a solution that the checker has seen; nil: there are no drawings.
	Chart func(in I, s S) Chart
	// Examples holds small instances, examples/*.json, on which every algorithm can be tried.
	Examples fs.FS
	// Bare says that files may lack what their heads have: instances the problem, the version and the name, which then is the file's,
	// solutions the problem, the instance and the algorithm.
	Bare bool
}

// A FeatureDoc explains a feature. A feature that some instances lack says when.
type FeatureDoc struct{ Name, Doc string }

// Within reports whether the class inner lies inside the class outer of the list, or is it. What restricts both must restrict the
// inner one at least as much.
func Within(list []Reference, inner, outer string) bool {
	inner, own := ParseLimits(inner)
	outer, limits := ParseLimits(outer)
	for name, most := range limits {
		if less, has := own[name]; !has || less > most {
			return false
		}
	}
	for inner != outer {
		i := slices.IndexFunc(list, func(r Reference) bool { return r.Name == inner })
		if i < 0 {
			return false
		}
		inner = list[i].Within
	}
	return inner != ""
}
