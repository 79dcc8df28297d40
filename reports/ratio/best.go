package ratio

import (
	"fmt"
	"math"
	"slices"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/words"
)

// A Best holds the best value and bound of one reference on one instance in a result set.
type Best struct {
	Value  *float64 // U: the best feasible value; nil: none
	Bound  *float64 // B: the best proven bound; nil: none
	Proven bool     // U is the optimum; B is then U
	by     struct{ value, bound *Unit }
}

// Same is the relative difference up to which two values are one: that of a rebuilt optimum. A value that is further beyond
// a proven bound contradicts it. Solvers' tolerances need no more: package exact takes them off bounds.
const Same = 1e-9

// Equal reports whether two ratios or regrets, of which 1 is the scale, are the same number up to rounding.
func Equal(a, b float64) bool {
	return a == b || models.Accuracy{Least: 1}.Same(a, b) // nothing is close to infinity
}

// Equal reports whether two objective values of the instance are the same: the one, as a bound, would prove the other, or both count
// as zero.
func (in *Instance) Equal(a, b float64) bool {
	return a == b || in.Accuracy.Same(a, b) || in.Zero(a) && in.Zero(b)
}

// Zero reports whether an objective value or a bound of the instance counts as zero: what differs from it by a billionth of the
// amount by which values near 0 are measured.
func (in *Instance) Zero(x float64) bool {
	near := in.Accuracy
	near.Least = max(near.Least, near.Amount)
	return x == 0 || near.Same(x, 0)
}

// snap is x, or 0 where that is the same.
func (in *Instance) snap(x float64) float64 {
	if in.Zero(x) {
		return 0
	}
	return x
}

// Forgiven is how far, relatively, the value of a solution from outside may be beyond a proven bound before it contradicts the
// bound: the checker accepts solutions that are off by as much, rounded ones for instance. It publishes no value that gains by
// it, but older versions did, and results of theirs may be in the set.
const Forgiven = 1e-6

// Optimal reports whether a value is the optimum, as reports count it: to 1e-6, relatively, the tolerance of the checker. A
// schedule printed with seven digits is optimal if the one that was meant is.
func (in *Instance) Optimal(value, optimum float64) bool {
	return in.Equal(value, optimum) || math.Abs(value-optimum) <= Forgiven*max(math.Abs(value), math.Abs(optimum))
}

// Optimal reports whether the unit has the optimum of a reference: a solution of its class with the proven optimum as value, to
// 1e-6. The question makes no sense of a unit that is not applicable, makes bounds only or makes no solutions of the class.
func (u *Unit) Optimal(reference string) (is, sense bool) {
	if bench.Status(u.Status) == bench.Skipped || u.Kind == string(models.Bound) || !u.Solves(reference) {
		return false, false
	}
	best := u.In.Best(reference)
	return u.Value != nil && u.In.Trouble == "" && best.Proven && u.In.Optimal(*u.Value, *best.Value), true
}

// settle finds the best values and bounds of every reference of the problem.
func (p *Problem) settle(in *Instance) {
	in.best = make([]Best, len(p.References))
	for i := range p.References {
		b := &in.best[i]
		for _, u := range in.Units {
			if u.bound != nil && u.with[i].bounds &&
				(b.Bound == nil || p.Sense.Better(*b.Bound, *u.bound)) {
				b.Bound, b.by.bound = u.bound, u
			}
		}
		for _, u := range in.Units {
			u.Rounded = u.Rounded || b.Bound != nil && u.Solves(p.References[i].Name) && p.forgives(in, u, *b.Bound)
		}
	}
	for i := range p.References {
		b := &in.best[i]
		for _, external := range []bool{false, true} {
			for _, u := range in.Units {
				if u.external() == external && !u.Rounded && u.Value != nil && u.counts() && u.with[i].within && in.improves(p, u, b.Value) {
					b.Value, b.by.value = u.Value, u
				}
			}
		}
		if b.Value != nil && b.Bound != nil && (p.meet(in, i, b) || p.Sense.Better(*b.Value, *b.Bound)) {
			b.Proven, b.Bound = true, b.Value // a value beyond its bound by more than rounding is a contradiction
		}
	}
}

// meet reports whether the best value of the i-th reference is its optimum: the bound is the same, or a solver whose bound has
// lost its tolerances ended with it as optimal.
func (p *Problem) meet(in *Instance, i int, b *Best) bool {
	return in.Equal(*b.Value, *b.Bound) || slices.ContainsFunc(in.Units, func(u *Unit) bool {
		return u.bound != nil && u.with[i].bounds && bench.Status(u.Status) == bench.Optimal && u.Value != nil &&
			in.Equal(*u.Value, *b.Value)
	})
}

// A Claim is one side of a contradiction.
type Claim struct {
	UnitID    string   `json:"unit_id"`
	Side      string   `json:"side,omitempty"` // of several sets of results, the name of the unit's
	Set       int      `json:"-"`              // its number
	Algorithm string   `json:"algorithm"`
	Solver    string   `json:"solver,omitempty"`
	Version   string   `json:"solver_version,omitempty"` // of the solver
	Model     string   `json:"model,omitempty"`          // that the solver solved
	Status    string   `json:"status"`
	Reference string   `json:"reference"` // of a bound its reference, of a value its class
	Value     *float64 `json:"value"`     // null: proven to have no solution
}

// A Contradiction is a feasible value beyond a proven bound: a checker, a proof or a result is wrong, and nothing that
// rests on the instance can be believed. Or it is the claim of a solver that was refuted when the unit ran: then the solver is wrong,
// its claim counts nowhere, and the instance is to be trusted as before.
type Contradiction struct {
	Problem  string `json:"problem"`
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	Proof    Claim  `json:"proof"`
	Value    Claim  `json:"value"`
	Refuted  string `json:"refuted,omitempty"` // what refuted a solver's claim, in a sentence; Value then has the number
}

func (c Contradiction) String() string {
	if c.Refuted != "" {
		return fmt.Sprintf("%s instance %s (%.12s): %s (%s, unit %s)", c.Problem, c.Instance, c.SHA256, c.Refuted, bench.Refuted, c.Proof.UnitID)
	}
	proof := fmt.Sprintf("%s proves that %s has no solution", c.Proof, c.Proof.Reference)
	if c.Proof.Value != nil {
		proof = fmt.Sprintf("%s proves the bound %v on %s", c.Proof, *c.Proof.Value, c.Proof.Reference)
	}
	return fmt.Sprintf("%s instance %s (%.12s): %s, but %s has the value %v in class %s",
		c.Problem, c.Instance, c.SHA256, proof, c.Value, *c.Value.Value, c.Value.Reference)
}

// Meaning is what contradictions mean for the results, a sentence or two for each of their kinds.
func Meaning(list []Contradiction) (says []string) {
	refuted := func(c Contradiction) bool { return c.Refuted != "" }
	if slices.ContainsFunc(list, func(c Contradiction) bool { return !refuted(c) }) {
		says = append(says, "A feasible value lies beyond a proven bound. A checker, a proof or a stored result is wrong. The instances have no ratios; "+
			"whatever rests on the same algorithm or solver is in doubt until this is explained.")
	}
	if slices.ContainsFunc(list, refuted) {
		says = append(says, "A known solution or bound refutes the claim of a solver (refuted). The claim counts nowhere, and its instance is compared as before; "+
			"other claims of the same solver, version and model are in doubt until this is explained.")
	}
	return says
}

func (c Claim) String() string {
	name := c.Algorithm
	if c.Solver != "" {
		name += " by " + c.Solver
	}
	of := ""
	if c.Side != "" {
		of = " of " + c.Side
	}
	return fmt.Sprintf("%s (%s, unit %s%s)", name, c.Status, c.UnitID, of)
}

// A ContradictionError says that results contradict each other.
type ContradictionError []Contradiction

func (e ContradictionError) Error() string {
	msg := "results contradict each other: " + e[0].String()
	if len(e) > 1 {
		msg += fmt.Sprintf("; and %d more", len(e)-1)
	}
	return msg
}

// contradictions compares, for every reference, the best bound proven on it with the best value of the classes inside it,
// and takes the instance out of all ratios if they are on the wrong sides of each other.
func (p *Problem) contradictions(in *Instance) []Contradiction {
	refuted := refutations(p, in)
	var found []Contradiction
	for i, ref := range p.References {
		best := in.best[i]
		if best.Value == nil {
			continue
		}
		value := claim(best.by.value, best.by.value.Class, best.Value)
		for _, u := range in.Units {
			if u.Reference != ref.Name {
				continue
			}
			switch {
			case u.bound != nil && p.beyond(in, *best.Value, *u.bound):
				found = append(found, Contradiction{p.Name, in.Name, in.SHA256, claim(u, ref.Name, u.bound), value, ""})
			case bench.Status(u.Status) == bench.Infeasible && u.counts():
				found = append(found, Contradiction{p.Name, in.Name, in.SHA256, claim(u, ref.Name, nil), value, ""})
			}
		}
	}
	if len(found) > 0 {
		in.Trouble = "contradiction"
		for i := range in.best {
			in.best[i].Proven = false
		}
	}
	return append(found, refuted...)
}

// refutations are the claims of solvers that were refuted when their units ran.
func refutations(p *Problem, in *Instance) (found []Contradiction) {
	for _, u := range in.Units {
		if bench.Status(u.Status) == bench.Refuted {
			found = append(found, Contradiction{
				p.Name, in.Name, in.SHA256, claim(u, u.Reference, u.Claimed), claim(u, u.Reference, u.RefutedBy), words.Text(u.Error),
			})
		}
	}
	return found
}

// beyond reports whether a value is better than a bound on the instance allows.
func (p *Problem) beyond(in *Instance, value, bound float64) bool {
	return p.Sense.Better(value, bound) && !in.Equal(value, bound)
}

// improves reports whether a unit's value is better than the best so far. One from outside must be so by more than rounding, so
// that digits that a solution was not printed with change nobody's ratio.
func (in *Instance) improves(p *Problem, u *Unit, best *float64) bool {
	return best == nil || p.Sense.Better(*u.Value, *best) && !(u.external() && in.Equal(*u.Value, *best))
}

// forgives reports whether a unit's value is beyond a bound by what its tolerance may have gained it.
func (p *Problem) forgives(in *Instance, u *Unit, bound float64) bool {
	return u.external() && u.Value != nil && p.beyond(in, *u.Value, bound) &&
		math.Abs(*u.Value-bound) <= Forgiven*max(math.Abs(*u.Value), math.Abs(bound))
}

func claim(u *Unit, reference string, value *float64) Claim {
	return Claim{
		UnitID: u.UnitID, Set: u.Set, Algorithm: u.Algorithm, Solver: words.Text(u.Solver),
		Version: words.Text(u.SolverVersion), Model: words.Text(u.Model), Status: u.Status,
		Reference: reference, Value: value,
	}
}
