package ratio

import (
	"fmt"
	"math"

	"schedgap/bench"
)

// A Best is what a result set knows of the optimum of one reference on one instance.
type Best struct {
	Value  *float64 // U: the best feasible value; nil: none
	Bound  *float64 // B: the best proven bound; nil: none
	Proven bool     // U is the optimum; B is then U
	by     struct{ value, bound *Unit }
}

// Same is the relative difference up to which two values are one: that of a rebuilt optimum. A value that is further beyond
// a proven bound contradicts it. Solvers' tolerances need no more: an optimum's bound is its rebuilt objective, and package
// exact takes what a solver may be wrong by off the bounds of timeouts.
const Same = 1e-9

// Equal reports whether two objective values are the same number up to rounding.
func Equal(a, b float64) bool { return math.Abs(a-b) <= max(Zero, Same*max(math.Abs(a), math.Abs(b))) }

// Equal reports whether two objective values of the instance are the same number up to rounding.
func (in *Instance) Equal(a, b float64) bool { return Equal(a, b) || math.Abs(a-b) <= in.Rounding }

// settle finds the best values and bounds of every reference of the problem.
func (p *Problem) settle(in *Instance) {
	in.best = make([]Best, len(p.References))
	for i := range p.References {
		b := &in.best[i]
		for _, u := range in.Units {
			if u.counts() && u.Value != nil && u.with[i].within &&
				(b.Value == nil || p.Sense.Better(*u.Value, *b.Value)) {
				b.Value, b.by.value = u.Value, u
			}
			if u.bound != nil && u.with[i].bounds &&
				(b.Bound == nil || p.Sense.Better(*b.Bound, *u.bound)) {
				b.Bound, b.by.bound = u.bound, u
			}
		}
		if b.Value != nil && b.Bound != nil && (in.Equal(*b.Value, *b.Bound) || p.Sense.Better(*b.Value, *b.Bound)) {
			b.Proven, b.Bound = true, b.Value // what is beyond its bound by more than rounding is a contradiction
		}
	}
}

// A Claim is one side of a contradiction.
type Claim struct {
	UnitID    string   `json:"unit_id"`
	Algorithm string   `json:"algorithm"`
	Solver    string   `json:"solver,omitempty"`
	Status    string   `json:"status"`
	Reference string   `json:"reference"` // of a bound its reference, of a value its class
	Value     *float64 `json:"value"`     // null: proven to have no solution
}

// A Contradiction is a feasible value beyond a proven bound: a checker, a proof or a result is wrong, and nothing that
// rests on the instance can be believed.
type Contradiction struct {
	Problem  string `json:"problem"`
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	Proof    Claim  `json:"proof"`
	Value    Claim  `json:"value"`
}

func (c Contradiction) String() string {
	proof := fmt.Sprintf("%s proves that %s has no solution", c.Proof, c.Proof.Reference)
	if c.Proof.Value != nil {
		proof = fmt.Sprintf("%s proves the bound %v on %s", c.Proof, *c.Proof.Value, c.Proof.Reference)
	}
	return fmt.Sprintf("%s instance %s (%.12s): %s, but %s has the value %v in class %s",
		c.Problem, c.Instance, c.SHA256, proof, c.Value, *c.Value.Value, c.Value.Reference)
}

func (c Claim) String() string {
	name := c.Algorithm
	if c.Solver != "" {
		name += " by " + c.Solver
	}
	return fmt.Sprintf("%s (%s, unit %s)", name, c.Status, c.UnitID)
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
				found = append(found, Contradiction{p.Name, in.Name, in.SHA256, claim(u, ref.Name, u.bound), value})
			case bench.Status(u.Status) == bench.Infeasible && u.counts():
				found = append(found, Contradiction{p.Name, in.Name, in.SHA256, claim(u, ref.Name, nil), value})
			}
		}
	}
	if len(found) > 0 {
		in.Trouble = "contradiction"
	}
	return found
}

// beyond reports whether a value is better than a bound on the instance allows.
func (p *Problem) beyond(in *Instance, value, bound float64) bool {
	return p.Sense.Better(value, bound) && !in.Equal(value, bound)
}

func claim(u *Unit, reference string, value *float64) Claim {
	return Claim{
		UnitID: u.UnitID, Algorithm: u.Algorithm, Solver: text(u.Solver), Status: u.Status,
		Reference: reference, Value: value,
	}
}
