package pocd

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// buildMaxMin states α = inf. The max–min variable is unary: the least p_j has finitely many possible values v_0 < v_1 < …,
// w[i] says that every job reaches v_i, and the objective is v_0 + Σ (v_i − v_(i−1))·w[i]. Row (j,b) says that w[i] needs at
// least b copies of job j for the first v_i that fewer do not reach; as w does not rise with i, one row for each b is enough.
// All coefficients of rows are integers, so that no tolerance of a solver can blur small probabilities. Values that differ
// from the optimum by more than a factor of maxSpan are settled beforehand.
func buildMaxMin(in *pocd.Instance, fs []frontier, all bool) *exact.BuiltModel[pocd.Copies] {
	m := &milp.Model{Name: in.Name + "-knapsack", Maximize: true}
	steps := bracket(in, fs)
	m.Offset = in.Aggregate(nil)
	if len(steps) > 0 {
		m.Offset = math.Exp(steps[0])
	}
	var copies milp.Sum
	menus := make([]menu, len(fs))
	for k := range fs {
		low, high := fs[k].need(steps[0]), fs[k].need(steps[len(steps)-1])
		menus[k] = addMenu(m, in.Jobs[fs[k].job].ID, low, high, func(int) float64 { return 0 })
		copies = append(copies, menus[k].copies()...)
	}
	m.Relate("capacity", -milp.Inf, float64(in.Spare()), copies)
	w := []int{-1} // w[0] is 1
	for i := 1; i < len(steps); i++ {
		w = append(w, m.Binary(fmt.Sprintf("w[%d]", i), math.Exp(steps[i])-math.Exp(steps[i-1])))
		if i > 1 {
			m.Relate(fmt.Sprintf("rise[%d]", i), 0, milp.Inf, milp.Of(w[i-1], 1), milp.Of(w[i], -1))
		}
	}
	for k := range fs {
		for b := menus[k].low + 1; b <= menus[k].high(); b++ {
			first := fs[k].logP[b-1]
			i, reached := slices.BinarySearch(steps, first)
			if reached {
				i++
			}
			if i == len(steps) || fs[k].need(steps[i]) != b {
				continue
			}
			m.Relate(fmt.Sprintf("need[%s,%d]", in.Jobs[fs[k].job].ID, b), 0, milp.Inf,
				milp.Total(menus[k].cols[b-menus[k].low:]...), milp.Of(w[i], -1))
		}
	}
	return &exact.BuiltModel[pocd.Copies]{
		Model:  m,
		Decode: func(x []float64) (pocd.Copies, error) { return decodeMenus(in, fs, menus, x) },
		Encode: func(c pocd.Copies) ([]float64, error) {
			if err := feasible(in, c, all); err != nil {
				return nil, err
			}
			choice := usage(fs, c)
			least := math.Inf(1)
			for k, b := range choice {
				least = min(least, fs[k].logP[b])
			}
			top, reached := slices.BinarySearch(steps, least)
			if !reached {
				top--
			}
			top = max(top, 0) // below the first value the point is that value's own
			for k := range fs {
				choice[k] = fs[k].need(steps[top])
			}
			x := encodeMenus(m, menus, choice)
			for _, col := range w[1 : top+1] {
				x[col] = 1
			}
			return x, nil
		},
	}
}

// bracket returns the values, as logarithms, among which the model searches: the first can be reached, none after the last
// can, and they span at most a factor of maxSpan unless only one or two are left.
func bracket(in *pocd.Instance, fs []frontier) []float64 {
	list := levels(fs)
	for len(list) > 2 && list[len(list)-1]-list[0] > math.Log(maxSpan) {
		// The middle of the span, but neither end.
		i, _ := slices.BinarySearch(list, (list[0]+list[len(list)-1])/2)
		i = min(max(i, 1), len(list)-2)
		if needs(fs, list[i]) <= in.Spare() {
			list = list[i:]
		} else {
			list = list[:i+1]
		}
	}
	return list
}

// maxSpan is the ratio of the largest to the smallest value in a model of α = inf.
const maxSpan = 16
