package models

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// A Generator makes random instances.
type Generator[I Instance] struct {
	Doc    string // title line, blank line, source
	Params []Param
	Fixed  Fixed
	// Generate makes one instance named name. The same values and the same state of rng give the same instance, byte for byte.
	Generate func(name string, v Values, rng *rand.Rand) (I, error)
	Idle     Idle // may be nil
}

// An Idle says, in a sentence, why a parameter that was given decides nothing in any instance, as another one has the last word;
// empty: all decide something. given are the parameters that somebody chose, v all. A default is no more than a limit, and nobody is
// told that it is not reached.
type Idle func(given map[string]any, v Values) string

// A Deriver makes instances out of a cluster trace.
type Deriver[I Instance] struct {
	Doc    string // title line, blank line, the rules of the derivation
	Params []Param
	Fixed  Fixed
	// Derive yields up to r.N instances, fewer when the trace has no more, each with its lineage.
	Derive func(ctx context.Context, r DeriveRequest) iter.Seq2[I, error]
	Idle   Idle // may be nil
}

// A DeriveRequest says what to derive instances from.
type DeriveRequest struct {
	Dir    string // the folder that holds task_events/ or the like
	Format string // a name of a format; empty: found out
	// From and To bound the part of the trace that is used, in seconds of the trace's own clock; To 0: to the end.
	From, To float64
	N        int
	Seed     uint64
	Params   Values
	// Fewer is called for every instance with fewer things than a parameter such as jobs asks for; it may be nil.
	Fewer func(param string, there int)
	// Missed is called for every part of the window that gives no instance, with the reason, a clause such as "there are fewer than
	// 5 finished jobs"; it may be nil.
	Missed func(reason string)
	// Warn is called with a sentence on omitted parts of the trace; it may be nil. Params of a workload are the simulation's.
	Warn func(sentence string)
	// Strict has the first record that cannot be used be an error.
	Strict bool
	// Graph leaves out the jobs whose dependencies cannot be used.
	Graph bool
}

// NoInstance is the error of a trace that gives no instance: why.
type NoInstance string

func (e NoInstance) Error() string { return string(e) }

// Watch has sentences collected about the parameters among given that ask for more than the trace has.
func (r *DeriveRequest) Watch(given map[string]any) (sentences func() []string) {
	there := map[string][]int{}
	r.Fewer = func(param string, n int) { there[param] = append(there[param], n) }
	return func() (list []string) {
		for _, param := range slices.Sorted(maps.Keys(there)) {
			if _, asked := given[param]; !asked {
				continue // a default is no more than a limit
			}
			least, most := slices.Min(there[param]), slices.Max(there[param])
			some := strconv.Itoa(least)
			if most > least {
				some += " to " + strconv.Itoa(most)
			}
			list = append(list, fmt.Sprintf("the trace has only %s of the %s that %s=%v asks for, in %d of the instances",
				some, param, param, r.Params[param], len(there[param])))
		}
		return list
	}
}

// An Exporter writes the exact models of a problem's instances.
type Exporter[I Instance] struct {
	Models []string
	// Write writes in's model to w in format mps or lp. A model that does not fit in is a NotApplicable error.
	Write func(w io.Writer, in I, model, format string) error
}

// A Simulator runs policies on a workload over time. Its results are metrics, never compared with an optimum of the
// deterministic model.
type Simulator struct {
	Doc      string
	Policies []Policy
	Params   []Param // of the simulation
	Specs    []Param // of the generated workload
	// Run simulates one repetition of one policy and hands every metric to emit.
	Run func(ctx context.Context, r SimRequest, emit func(Metric)) error
	// ReadWorkload validates a workload file, one JSON object a line, and returns what Run takes.
	ReadWorkload func(file string, r io.Reader) (any, error)
	// Generate makes the workload of one repetition from values of Specs.
	Generate func(v Values, rng *rand.Rand) (any, error)
	// FromTrace makes a workload out of a trace.
	FromTrace func(ctx context.Context, r DeriveRequest) (any, error)
	// Encode writes a workload in the form that ReadWorkload reads.
	Encode func(w io.Writer, workload any) error
}

// A Policy is a scheduler that a simulator can run.
type Policy struct {
	Name string
	Doc  string
	// Arg is the parameter of the simulation that a name of the form NAME:VALUE sets for this policy only; empty: there is none.
	Arg string
}

// Listed returns p; the policies of simulators, which embed one, have it too.
func (p Policy) Listed() Policy { return p }

// A SimRequest is one repetition of one policy on one workload.
type SimRequest struct {
	Workload any
	Policy   string
	Params   Values
	Seed     uint64 // of this repetition
	// Ask, unless nil, makes Policy the name of a policy of the user's, whose decisions it asks for.
	Ask Ask
	// Keep holds the wanted metrics as keys; nil means all. Work for other metrics alone is skipped.
	Keep func(Metric) bool
}

// Wants reports whether a metric of scope run is wanted.
func (r *SimRequest) Wants(name string) bool {
	return r.Keep == nil || r.Keep(Metric{Scope: "run", Name: name})
}

// Ask sends one line to a user's policy and returns the line that it answers, neither with its end.
type Ask func(question []byte) (answer []byte, err error)

// A Metric is one measured number. Scope is run or job; Job is empty for run.
type Metric struct {
	Scope string
	Job   string
	Name  string
	Unit  string
	Value float64
}
