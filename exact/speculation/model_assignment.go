package speculation

import (
	"fmt"
	"math/big"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/speculation"
)

type formulation = exact.Formulation[*speculation.Instance, speculation.Solution]

// assignment is the assignment problem: x[i,j] says that straggler i gets a copy on slot j. Only pairs that save time and energy
// have a column, and only a straggler or slot of more than one column has a row. The rows are those of a bipartite graph, so
// every vertex is whole, and a linear program is all that there is to solve.
var assignment = &formulation{
	Name: "assignment",
	Doc: "assignment of stragglers to slots, one column a pair that saves time and energy\n\n" +
		"docs/problems/speculation.md#models; max Σ (Δt_ij + energy_weight·ΔE_ij)·x_ij, Σ_j x_ij ≤ 1, Σ_i x_ij ≤ 1.",
	Rows: []exact.Row{
		{Name: "slot", Statement: "Σ_i x_ij ≤ 1 for every slot j that several stragglers could use"},
		{Name: "straggler", Statement: "Σ_j x_ij ≤ 1 for every straggler i that could use several slots"},
	},
	Build: func(in *speculation.Instance, as exact.Form) (*exact.Built[speculation.Solution], error) {
		a := newPairs(in)
		m := a.model()
		for k, p := range a.list {
			if as.Exactly {
				m.Cols[k].Cost = dearest(in, p.straggler, p.slot)
			}
		}
		return &exact.Built[speculation.Solution]{
			Model:  m,
			Decode: func(x []float64) (speculation.Solution, error) { return speculation.Solution{Assign: a.decode(x)}, nil },
			Encode: func(s speculation.Solution) ([]float64, error) { return a.encode(s.Assign) },
		}, nil
	},
}

// dearest is the scalar objective of a pair, computed in rationals and rounded up.
func dearest(in *speculation.Instance, i, j int) float64 {
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], rat(in.CopyTime[i][j])
	time := rat(s.Finish)
	time.Sub(time, rat(v.Start)).Sub(time, copyTime)
	energy := rat(s.Power)
	energy.Mul(energy, time).Sub(energy, copyTime.Mul(copyTime, rat(v.Power)))
	value, _ := time.Add(time, energy.Mul(energy, rat(in.EnergyWeight))).Float64()
	if rat(value).Cmp(time) < 0 {
		value = milp.Above(value)
	}
	return value
}

// pairs are an instance's pairs that save time and energy, by straggler, then slot.
type pairs struct {
	in   *speculation.Instance
	list []pair // a column each
}

type pair struct {
	straggler, slot int
	value           float64
}

func newPairs(in *speculation.Instance) *pairs {
	a := &pairs{in: in}
	for i := range in.Stragglers {
		for j := range in.Slots {
			if time, energy := in.Gain(i, j); speculation.Helps(time, energy) {
				a.list = append(a.list, pair{i, j, in.Scalar(time, energy)})
			}
		}
	}
	return a
}

// model states the assignment problem.
func (a *pairs) model() *milp.Model {
	m := &milp.Model{Name: a.in.Name + "-assignment", Maximize: true}
	stragglers, slots := make([][]milp.Term, len(a.in.Stragglers)), make([][]milp.Term, len(a.in.Slots))
	for _, p := range a.list {
		name := fmt.Sprintf("x[%s,%s]", a.in.Stragglers[p.straggler].ID, a.in.Slots[p.slot].ID)
		term := milp.Term{Col: m.AddCol(milp.Col{Name: name, Hi: 1, Cost: p.value}), Coef: 1}
		stragglers[p.straggler] = append(stragglers[p.straggler], term)
		slots[p.slot] = append(slots[p.slot], term)
	}
	once := func(kind, id string, terms []milp.Term) {
		if len(terms) > 1 {
			m.AddRow(fmt.Sprintf("%s[%s]", kind, id), -milp.Inf, 1, terms...)
		}
	}
	for i, terms := range stragglers {
		once("straggler", a.in.Stragglers[i].ID, terms)
	}
	for j, terms := range slots {
		once("slot", a.in.Slots[j].ID, terms)
	}
	return m
}

func (a *pairs) decode(x []float64) speculation.Matching {
	m := speculation.NoCopies(a.in)
	for col, p := range a.list {
		if x[col] > 0.5 {
			m[p.straggler] = p.slot
		}
	}
	return m
}

func (a *pairs) encode(m speculation.Matching) ([]float64, error) {
	if v := speculation.Problem.Check(a.in, speculation.Solution{Assign: m}).Worst(nil); v != nil {
		return nil, fmt.Errorf("the matching breaks %s at %s by %g, so it has no point in the model", v.Constraint, v.Where, v.Amount)
	}
	x := make([]float64, len(a.list))
	for col, p := range a.list {
		if p.straggler < len(m) && m[p.straggler] == p.slot {
			x[col] = 1
		}
	}
	return x, nil
}
