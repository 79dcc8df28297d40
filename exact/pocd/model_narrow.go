package pocd

import (
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// A narrowing leaves options out of a knapsack that no decision better than a known one has (docs/design/pocd.md#the-knapsack-narrowed).
type narrowing struct {
	built    *exact.BuiltModel[pocd.Copies]
	menus    []menu
	capacity int // of the extra copies
}

// narrow solves the linear relaxation. The lowest choices in its point and what then fits make a decision, and the price of a copy there
// excludes options. It returns the model that is left and the best decision.
func (n *narrowing) narrow(
	_ context.Context, start *pocd.Copies, solve func(*milp.Model) (*milp.Result, error),
) (*exact.BuiltModel[pocd.Copies], *pocd.Copies, error) {
	most := 0.0
	for _, c := range n.built.Model.Cols {
		most = max(most, c.Cost)
	}
	if most == 0 {
		most = 1
	}
	relaxed := *n.built.Model
	relaxed.Cols, relaxed.Offset = slices.Clone(relaxed.Cols), 0
	for j := range relaxed.Cols {
		relaxed.Cols[j].Integer, relaxed.Cols[j].Cost = false, relaxed.Cols[j].Cost/most
	}
	r, err := solve(&relaxed)
	if err != nil || r.Status != milp.Optimal {
		return nil, start, err
	}
	base, spare := n.base(r.X)
	if spare < 0 {
		return nil, start, nil
	}
	price := n.price(base)
	x := n.point(n.filled(base, spare))
	if start != nil {
		given, err := n.built.Encode(*start)
		if err == nil && n.built.Model.Objective(given) >= n.built.Model.Objective(x) {
			x = given
		}
	}
	best, err := n.built.Decode(x)
	if err != nil {
		return nil, start, fmt.Errorf("pocd: a point of whole copies: %w", err)
	}
	left := *n.built
	left.Model, left.Narrow = n.without(price, n.built.Model.Objective(x)-n.built.Model.Offset), nil
	return &left, &best, nil
}

// worth is the gain of a menu's option i over its first one, as the model states it.
func (n *narrowing) worth(m menu, i int) float64 { return n.built.Model.Cols[m.cols[i]].Cost }

// base has for each menu the first option that a point of the relaxation has a share of, and the copies that are then to spare.
func (n *narrowing) base(x []float64) (base []int, spare int) {
	const some = 1e-6
	base, spare = make([]int, len(n.menus)), n.capacity
	for k, m := range n.menus {
		base[k] = max(0, slices.IndexFunc(m.cols, func(col int) bool { return x[col] > some }))
		spare -= m.low + base[k]
	}
	return base, spare
}

// price is the most that a copy more than the base is worth: the relaxation's dual price where its point is an optimum. No use of it
// depends on that.
func (n *narrowing) price(base []int) float64 {
	price := 0.0
	for k, m := range n.menus {
		for i := base[k] + 1; i < len(m.cols); i++ {
			price = max(price, (n.worth(m, i)-n.worth(m, base[k]))/float64(i-base[k]))
		}
	}
	return price
}

// filled is the base with the options that gain most, one after another, as long as one fits into the copies to spare.
func (n *narrowing) filled(base []int, spare int) []int {
	choice := slices.Clone(base)
	for spare > 0 {
		most, menu, option := 0.0, -1, 0
		for k, m := range n.menus {
			for i := choice[k] + 1; i < len(m.cols) && i-choice[k] <= spare; i++ {
				if gain := n.worth(m, i) - n.worth(m, choice[k]); gain > most {
					most, menu, option = gain, k, i
				}
			}
		}
		if menu < 0 {
			break
		}
		spare -= option - choice[menu]
		choice[menu] = option
	}
	return choice
}

func (n *narrowing) point(choice []int) []float64 {
	x := n.built.Model.Point()
	for k, m := range n.menus {
		x[m.cols[choice[k]]] = 1
	}
	return x
}

// without is the model without the options that make every decision worth less than the value. At any price of copies that is not below 0
// a decision is worth no more than the capacity's price and the most that each job is worth less the price of its copies.
func (n *narrowing) without(price, value float64) *milp.Model {
	const rounding = 1e-10 // of all amounts
	bound := price * float64(n.capacity)
	size := bound + math.Abs(value)
	most := make([]float64, len(n.menus))
	left := func(m menu, i int) float64 { return n.worth(m, i) - price*float64(m.low+i) }
	for k, m := range n.menus {
		most[k] = math.Inf(-1)
		for i := range m.cols {
			most[k] = max(most[k], left(m, i))
		}
		bound, size = bound+most[k], size+math.Abs(most[k])
	}
	model := *n.built.Model
	model.Cols = slices.Clone(model.Cols)
	for k, m := range n.menus {
		for i, col := range m.cols {
			if bound-most[k]+left(m, i) < value-rounding*size {
				model.Cols[col].Hi = 0
			}
		}
	}
	return &model
}
