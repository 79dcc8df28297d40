package pocd

import (
	"fmt"
	"math"
	"sort"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

type formulation = exact.Formulation[*pocd.Instance, pocd.Copies]

// knapsackOf is the multiple-choice knapsack over (job, copies): x[j,b] says that job j gets b extra copies, which it gives to
// the tasks of its frontier. Encode maps a decision to the number of copies that each of its jobs has a use for, so its point
// is worth at least as much; a decision below the model's floor becomes the floor's point.
func knapsackOf(all bool) *formulation {
	return &formulation{
		Name: "knapsack",
		Doc: "multiple-choice knapsack over (job, copies), max–min in unary steps for α = inf\n\n" +
			"docs/problems/pocd.md#models; the frontiers p_j(b) are in exact/pocd/search_frontier.go. It does not apply where α > 1 " +
			"takes the optimum beyond 1e300.",
		Applies: func(in *pocd.Instance) error {
			if in.Alpha <= 1 || math.IsInf(in.Alpha, 1) {
				return nil
			}
			f := newFloor(in, modelFrontiers(in, all))
			return f.applies()
		},
		Rows: []exact.Row{
			{Name: "capacity", Statement: "Σ_j Σ_b b·x_jb ≤ capacity − Σ_j (|tasks of j| + 1)"},
			{Name: "copies", Statement: "Σ_b x_jb = 1: job j gets b extra copies, which its frontier hands to its stragglers"},
			{Name: "need", Statement: "Σ_(b′≥b) x_jb′ ≥ w_i for the first value v_i that fewer than b copies of job j do not reach; α = " +
				"inf"},
			{Name: "rise", Statement: "w_i ≤ w_(i−1): the unary max–min variable; α = inf"},
		},
		Build: func(in *pocd.Instance, _ exact.BuildOptions) (*exact.BuiltModel[pocd.Copies], error) {
			build := buildKnapsack
			if math.IsInf(in.Alpha, 1) {
				build = buildMaxMin
			}
			return build(in, modelFrontiers(in, all), all), nil
		},
	}
}

func buildKnapsack(in *pocd.Instance, fs []frontier, all bool) *exact.BuiltModel[pocd.Copies] {
	f := newFloor(in, fs)
	m := &milp.Model{Name: in.Name + "-knapsack", Maximize: true}
	var copies milp.Sum
	menus := make([]menu, len(fs))
	for k := range fs {
		utility := func(b int) float64 { return pocd.Utility(in.Alpha, fs[k].logP[b]) }
		low := sort.Search(fs[k].most(), func(b int) bool { return f.above(utility(b)) })
		menus[k] = addMenu(m, in.Jobs[fs[k].job].ID, low, fs[k].most(), utility)
		copies = append(copies, menus[k].copies()...)
	}
	m.Relate("capacity", -milp.Inf, float64(in.Spare()), copies)
	built := &exact.BuiltModel[pocd.Copies]{
		Model:  m,
		Decode: func(x []float64) (pocd.Copies, error) { return decodeMenus(in, fs, menus, x) },
		Encode: func(c pocd.Copies) ([]float64, error) {
			if err := feasible(in, c, all); err != nil {
				return nil, err
			}
			choice := usage(fs, c)
			for k, b := range choice {
				if b < menus[k].low {
					choice = f.choice
					break
				}
			}
			return encodeMenus(m, menus, choice), nil
		},
	}
	if in.Alpha < 1 { // values of larger ones span too many decades for prices; the floor narrows them
		built.Narrow = (&narrowing{built, menus, in.Spare()}).narrow
	}
	return built
}

// feasible refuses to encode a decision that breaks a constraint of the model's class.
func feasible(in *pocd.Instance, c pocd.Copies, all bool) error {
	var waived []string
	if all {
		waived = []string{"straggler"}
	}
	if v := pocd.Problem.Check(in, c).Worst(waived); v != nil {
		return fmt.Errorf("the decision breaks %s at %s by %g, so it has no point in the model", v.Constraint, v.Where, v.Amount)
	}
	return nil
}

func decodeMenus(in *pocd.Instance, fs []frontier, menus []menu, x []float64) (pocd.Copies, error) {
	choice, total := make([]int, len(fs)), 0
	for k := range fs {
		choice[k] = menus[k].chosen(x)
		total += choice[k]
	}
	if total > in.Spare() {
		return nil, fmt.Errorf("pocd: the point gives %d copies to %d spare machines", total, in.Spare())
	}
	return spread(in, fs, choice), nil
}

func encodeMenus(m *milp.Model, menus []menu, choice []int) []float64 {
	x := make([]float64, len(m.Cols))
	for k, b := range choice {
		x[menus[k].cols[min(b, menus[k].high())-menus[k].low]] = 1
	}
	return x
}
