package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"schedgap/models/proof"
)

// A Kind is the promise of an algorithm.
type Kind string

// The kinds of algorithms.
const (
	Heuristic Kind = "heuristic" // a feasible solution
	Exact     Kind = "exact"     // a proven optimum of its reference, given time
	Bound     Kind = "bound"     // a proven bound on its reference, no solution
	External  Kind = "external"  // a command of the user's
)

// A Status says why an algorithm stopped. What its solution is worth is the checker's to say.
type Status string

// The statuses an algorithm can end with; the harness has further ones for events from outside.
const (
	Optimal    Status = "optimal"    // with a proof
	Feasible   Status = "feasible"   // at its natural end, without a proof; also a bound's end
	Infeasible Status = "infeasible" // with a proof that there is no solution
	Timeout    Status = "timeout"    // at a limit; Found tells whether there is an incumbent
	Refuted    Status = "refuted"    // a solver's claim contradicts a known solution or bound; only Outcome.Audit finds that
)

// An Outcome is the result of one run of an algorithm.
type Outcome[S any] struct {
	Solution S
	Found    bool // false: Solution is meaningless
	Status   Status
	Bound    *float64 // proven bound on the reference's optimum, nil: none. For Optimal the harness fills it in.
	// Proof is the evidence for the bound or the optimum; nil means none. Algorithms that have one say so by Proves.
	Proof *proof.Claim
	// Prove makes such a proof in a pass of its own after the run has ended, so that the run need not be trusted; value is the
	// checker's objective of the solution. When ctx ends early the claim proves less. Nil: there is no such pass. Set where
	// Pass.Prove asks for it.
	Prove func(ctx context.Context, value float64) (*proof.Claim, error)
	// Audit holds the claims of a solver against all that is known, in a pass of its own after the run has ended, and returns the
	// first contradiction; nil: there is none. A nil func: no solver claims anything.
	Audit func(ctx context.Context) *Refutation
	// Relax solves the relaxation of the model, see Work.LPBound, in a pass of its own after the run has ended. Nil: there is none.
	Relax func(ctx context.Context) (float64, error)
	// Claimed is the objective that the algorithm believes in; only stored and compared, never published. Nil: none.
	Claimed *float64
	Stats   Stats
}

// Stats describe the work behind an outcome; empty means not applicable.
type Stats struct {
	Raw           string // the solver's own words on why it stopped
	Solver        string // highs, lpsolve, cbc, …, or a combinatorial method such as bnb
	SolverVersion string
	Model         string // the MILP formulation
	Work
}

// A Pass is the interface between one run of an algorithm and its driver.
type Pass[I Instance, S any] struct {
	Instance I
	Arg      string // what follows the colon in names such as mps:a,b
	Params   Values // resolved against the algorithm's Params
	Seed     uint64
	Threads  int    // at least 1
	Solver   string // the method asked for by --solver; empty: the algorithm chooses
	Model    string // the formulation asked for by --model; empty: the algorithm chooses
	Prove    bool   // a proof is asked for: an exact algorithm picks a method that has one
	// Ledger is where an exact method writes what it finds; nil for other algorithms.
	*Ledger[S]
	// Improved is called with every new incumbent, and Bounded with every better bound, so that both survive a kill. Never nil.
	Improved func(s S)
	Bounded  func(bound float64)
	// Outside runs what asks a command of the problem, such as a checker, which has a time of its own: the end of the algorithm's
	// waits for it. A Fault ends the algorithm. Nil: nothing waits.
	Outside func(ask func() error) error
	// Known is what earlier runs found out about the instance, for what a run does not have to find out by itself. Nil: nothing.
	Known *Known
}

// Ask runs what asks a command of the problem, as Outside says.
func (p *Pass[I, S]) Ask(ask func() error) error {
	if p.Outside == nil {
		return ask()
	}
	return p.Outside(ask)
}

// Rand returns the run's only source of randomness.
func (p *Pass[I, S]) Rand() *rand.Rand { return rand.New(rand.NewPCG(p.Seed, 0)) }

// An Algorithm works on the instances of one problem.
type Algorithm[I Instance, S any] struct {
	Name string
	Doc  string // title line, blank line, source: paper with section, equation or algorithm number
	Kind Kind
	// Reference is the class whose optimum the algorithm's bound speaks of and its value is compared with.
	Reference string
	// Class is the smallest class its solutions belong to; empty: Reference.
	Class string
	// Waives names the constraints that the algorithm's source ignores.
	Waives []string
	Params []Param
	Fixed  Fixed
	// Arg names what follows a colon in the algorithm's name; empty: nothing may follow.
	Arg string
	// Random says that the seed matters.
	Random bool
	// Search says that it tries solutions one after the other until its evaluations are spent; exact methods do not start from it. Best
	// says that it is a search for best-known values, which a portfolio runs beside the exact methods.
	Search, Best bool
	// Proves says that outcomes come with proofs, though perhaps not on every instance.
	Proves bool
	// Provers lists those of Solvers that come with proofs.
	Provers []string
	// Guarantee is the bound on its ratio that the algorithm's source proves; nil means none.
	Guarantee *Guarantee
	// Command, unless empty, is run in the problem's folder in place of Run, as the commands of users are.
	Command []string
	// Models and Solvers list what Pass.Model and Pass.Solver may name.
	Models, Solvers []string

	// Applies returns why the algorithm is not defined for in, one clause such as "it needs deadlines"; nil func or nil: it is.
	Applies func(in I, arg string) error
	Run     func(ctx context.Context, p *Pass[I, S]) (Outcome[S], error)
}

// Decided is the Run of a rule that decides at once. When its context ends it stops early, with what it has decided so far.
func Decided[I Instance, S any](rule func(ctx context.Context, in I) S) func(context.Context, *Pass[I, S]) (Outcome[S], error) {
	return func(ctx context.Context, p *Pass[I, S]) (Outcome[S], error) {
		out := Outcome[S]{Solution: rule(ctx, p.Instance), Found: true, Status: Feasible}
		if ctx.Err() != nil {
			out.Status = Timeout
		}
		return out, nil
	}
}

// AtDefaults runs a with its parameters' defaults on one thread. Incumbents and bounds are not reported.
func (a *Algorithm[I, S]) AtDefaults(ctx context.Context, in I, seed uint64) (Outcome[S], error) {
	return a.Run(ctx, &Pass[I, S]{
		Instance: in, Params: Defaults(a.Params), Seed: seed, Threads: 1, Improved: func(S) {}, Bounded: func(float64) {},
	})
}

// Smallest is the smallest class that the algorithm's solutions belong to.
func (a *Algorithm[I, S]) Smallest() string {
	if a.Class != "" {
		return a.Class
	}
	return a.Reference
}

// A Guarantee is a competitive ratio that an algorithm's source proves, for reports to draw beside the measured ratios.
type Guarantee struct {
	Doc string // the statement with its source, such as "Theorem 2: (3+3ε)/ε-competitive on capacity 2+ε"
	// Ratio returns the proven ratio on an instance with the given features, for the algorithm with what follows its name's
	// colon at an augmentation (speed or capacity factor, 1: none); false where nothing is proven.
	Ratio func(features map[string]any, arg string, augmentation float64) (ratio float64, ok bool)
	// Params are the values that the algorithm's parameters must have, numbers as float64; those that are not named may have any.
	Params map[string]any
	// Shape says that the source proves Ratio up to a constant factor only.
	Shape bool
}

// Statement is the statement of the proof, for captions.
func (g *Guarantee) Statement() string {
	if g.Shape {
		return g.Doc + " (shape of the bound, constant unknown)"
	}
	return g.Doc
}

// Covers says whether the proof is about runs with the given parameters, a JSON object as in a record.
func (g *Guarantee) Covers(params string) bool {
	if len(g.Params) == 0 {
		return true
	}
	var given map[string]any
	if err := json.Unmarshal([]byte(params), &given); err != nil {
		return false
	}
	for name, value := range g.Params {
		if given[name] != value {
			return false
		}
	}
	return true
}

// ErrPoint is wrapped when a solver's point breaks its own model, or no solution has the decisions in it: the run is invalid then,
// as when the checker refuses a solution.
var ErrPoint = errors.New("refusing the point")

// A NotApplicable error says that an algorithm is not defined for an instance. Algorithms may also return one in mid-run.
type NotApplicable struct{ Reason string }

func (e *NotApplicable) Error() string { return "not applicable: " + e.Reason }

// NotApplicablef returns a NotApplicable error.
func NotApplicablef(format string, args ...any) error {
	return &NotApplicable{Reason: fmt.Sprintf(format, args...)}
}
