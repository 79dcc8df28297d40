package pocd

import (
	"fmt"
	"math"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// A factor is a straggler's part of its job's utility: the job's is a constant times the product of its stragglers' shares. A share is
// R_i(r)^(1−α) over the largest of these, so that all shares and products are in (0, 1].
type factor struct {
	task  int
	share []float64 // by number of extra copies
}

// smallest is the least product of shares that a model is written for. Rows state products to the solvers' 1e-9 and 1e-7, which must be
// little beside them.
const smallest = 1e-6

// factorsOf splits the utility of job j: constant times the product of the factors' shares. least is the smallest product.
func factorsOf(in *pocd.Instance, j int, all bool) (list []factor, constant, least float64) {
	job, power := &in.Jobs[j], 1-in.Alpha
	logs, least := 0.0, 1.0
	for i := range job.Tasks {
		miss := job.LogMiss(i)
		if !all && !job.Tasks[i].Straggler {
			logs += power * pocd.LogR(miss, 0)
			continue
		}
		at, most := factor{task: i}, math.Inf(-1)
		for r := range min(in.MaxCopies, in.Spare()) + 1 {
			at.share = append(at.share, power*pocd.LogR(miss, r))
			most = max(most, at.share[r])
		}
		lowest := 1.0
		for r := range at.share {
			at.share[r] = math.Exp(at.share[r] - most)
			lowest = min(lowest, at.share[r])
		}
		logs, least = logs+most, least*lowest
		list = append(list, at)
	}
	return list, math.Exp(logs) / power, least
}

// productsApply says why the linearised products do not suit an instance.
func productsApply(in *pocd.Instance, all bool) error {
	for j := range in.Jobs {
		if in.Jobs[j].Hopeless() {
			continue
		}
		_, constant, least := factorsOf(in, j, all)
		if least < smallest || math.Abs(constant) > 1/smallest {
			return fmt.Errorf("job %s may be worth from %.3g to %.3g, and products are stated for values up to %g and within a factor of %g",
				in.Jobs[j].ID, constant*least, constant, 1/smallest, 1/smallest)
		}
	}
	return nil
}

// buildProducts states Σ_j p_j^(1−α)/(1−α) for finite α other than 1. y_ijr is x_ijr times the product of the shares of the tasks before
// i: `pick` and `chain` leave it no other value, as one x_ijr of a task is 1.
func buildProducts(in *pocd.Instance, all bool) *exact.BuiltModel[pocd.Copies] {
	type chosen struct {
		taskMenu
		share []float64 // the factor's
		y     []int     // columns; those of the first task are x
	}
	most := min(in.MaxCopies, in.Spare())
	m := &milp.Model{Name: in.Name + "-literal", Maximize: true}
	var copies milp.Sum
	var items []chosen
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Hopeless() {
			continue // worth 0 or, for α > 1, left out
		}
		list, constant, _ := factorsOf(in, j, all)
		product := milp.Const(1)
		for i, f := range list {
			id := fmt.Sprintf("%s,%s", job.ID, job.Tasks[f.task].ID)
			it := chosen{taskMenu: taskMenu{j, f.task, addMenu(m, id, 0, most, func(int) float64 { return 0 })}, share: f.share}
			it.y = it.cols
			copies = append(copies, it.copies()...)
			if i > 0 {
				it.y = nil
				for r, x := range it.cols {
					y := m.AddCol(milp.Col{Name: fmt.Sprintf("y[%s,%d]", id, r), Hi: 1})
					m.Relate(fmt.Sprintf("pick[%s,%d]", id, r), -milp.Inf, 0, milp.Of(y, 1), milp.Of(x, -1))
					it.y = append(it.y, y)
				}
				m.Relate("chain["+id+"]", 0, 0, milp.Total(it.y...), product.Times(-1))
			}
			product = nil
			for r, y := range it.y {
				product = append(product, milp.Of(y, f.share[r])...)
			}
			items = append(items, it)
		}
		m.Pay(product.Times(constant))
	}
	m.Relate("capacity", -milp.Inf, float64(in.Spare()), copies)
	return &exact.BuiltModel[pocd.Copies]{
		Model: m,
		Decode: func(x []float64) (pocd.Copies, error) {
			c := pocd.NoCopies(in)
			for _, it := range items {
				it.decode(x, c)
			}
			return c, nil
		},
		Encode: func(c pocd.Copies) ([]float64, error) {
			if err := feasible(in, c, all); err != nil {
				return nil, err
			}
			x := make([]float64, len(m.Cols))
			product, last := 1.0, -1
			for _, it := range items {
				if it.job != last {
					product, last = 1, it.job
				}
				r := c[it.job][it.task]
				x[it.cols[r]], x[it.y[r]] = 1, product
				product *= it.share[r]
			}
			return x, nil
		},
	}
}
