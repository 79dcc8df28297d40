package cloning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
)

// WeightBits: weights of surrogates are whole numbers of 2^-30, those of copies rounded down, those of servers up.
const WeightBits = 30

// measure is a surrogate of an amount relative to largest.
func (g Surrogate) measure(amount, largest float64, up bool) int64 {
	w := core.Exactly(amount)
	if g.Parts == 0 {
		w.Quo(w, core.Exactly(largest))
	} else {
		unit := new(big.Rat).Mul(core.Exactly(largest), big.NewRat(1_000_000_002, 1_000_000_000*int64(g.Parts+1)))
		w.SetFrac64(max(0, kernel.Whole(w.Quo(w, unit), true)-1), int64(g.Parts))
	}
	return kernel.Whole(w.Mul(w, core.Natural(1<<WeightBits)), up)
}

// quote computes the prices of copies and what all servers are worth.
func (c *needs) quote() error {
	c.worth = new(big.Int)
	intervals := len(c.prices.Grid) - 1
	for k := range c.phases {
		c.phases[k].price = make([]int64, intervals)
	}
	if err := c.surrogates(); err != nil {
		return err
	}
	for k := range c.phases {
		ph := &c.phases[k]
		top := big.NewInt(slices.Max(ph.price))
		if top.Mul(top, big.NewInt(ph.long)).Mul(top, big.NewInt(int64(len(ph.gain)))).BitLen() > 61 {
			return fmt.Errorf("the copies of phase %s are too dear", ph.ID)
		}
		for i := range ph.price {
			ph.order = append(ph.order, i)
		}
		slices.SortFunc(ph.order, func(a, b int) int { return cmp.Or(cmp.Compare(ph.price[a], ph.price[b]), b-a) })
	}
	return nil
}

// surrogates prices copies by surrogates. Every server must be in one class.
func (c *needs) surrogates() error {
	for k := range c.phases {
		for i := range c.phases[k].price {
			c.phases[k].price[i] = math.MaxInt64
		}
	}
	placed := make([]bool, len(c.limits))
	column := 0
	for q, class := range c.prices.Classes {
		if len(class.Largest) != len(c.in.Resources) {
			return fmt.Errorf("classes[%d].largest has %d resources and must have %d", q, len(class.Largest), len(c.in.Resources))
		}
		var members []kernel.Class
		for s, capacity := range class.Servers {
			i := slices.IndexFunc(c.limits, func(l kernel.Class) bool { return slices.Equal(l.Capacity, capacity) })
			if i < 0 || placed[i] {
				return fmt.Errorf("classes[%d].servers[%d] is no capacity of the instance or in two classes", q, s)
			}
			placed[i] = true
			members = append(members, c.limits[i])
		}
		for s, g := range class.Surrogates {
			if g.Resource < 0 || g.Resource >= len(class.Largest) || g.Parts < 0 || g.Parts > 1000 || !(class.Largest[g.Resource] > 0) ||
				math.IsInf(class.Largest[g.Resource], 0) {
				return fmt.Errorf("classes[%d].surrogates[%d] is no surrogate", q, s)
			}
		}
		if err := c.surrogateClass(&class, members, column); err != nil {
			return fmt.Errorf("classes[%d]%w", q, err)
		}
		column += len(class.Surrogates)
	}
	if slices.Contains(placed, false) {
		return errors.New("some server is in no class")
	}
	for k := range c.phases {
		if slices.Contains(c.phases[k].price, math.MaxInt64) {
			return fmt.Errorf("phase %s fits on no server", c.phases[k].ID)
		}
	}
	return nil
}

func (c *needs) surrogateClass(class *Class, members []kernel.Class, column int) error {
	room := make([]int64, len(class.Surrogates))
	for g, s := range class.Surrogates {
		for _, m := range members {
			one := s.measure(cloning.Limit(m.Capacity[s.Resource]), class.Largest[s.Resource], true)
			if one > 1<<50/int64(m.Servers) {
				return fmt.Errorf(".largest[%d] is far too small for its servers", s.Resource)
			}
			room[g] += one * int64(m.Servers)
		}
		for i, row := range c.prices.Surrogates {
			sold := new(big.Int).Mul(big.NewInt(row[column+g]), big.NewInt(room[g]))
			sold.Add(sold, big.NewInt(1<<WeightBits-1)).Rsh(sold, WeightBits)
			c.worth.Add(c.worth, sold.Mul(sold, big.NewInt(int64(c.prices.Grid[i+1]-c.prices.Grid[i]))))
		}
	}
	for k := range c.phases {
		ph := &c.phases[k]
		if !slices.ContainsFunc(members, func(l kernel.Class) bool { return cloning.Fits(ph.Demand, l.Capacity) }) {
			continue
		}
		weight := make([]int64, len(class.Surrogates))
		for g, s := range class.Surrogates {
			weight[g] = s.measure(ph.Demand[s.Resource], class.Largest[s.Resource], false)
		}
		for i, row := range c.prices.Surrogates {
			total := int64(0)
			for g, w := range weight {
				total = min(1<<61, total+min(1<<61, Weighed(row[column+g], w)))
			}
			ph.price[i] = min(ph.price[i], total)
		}
	}
	return nil
}
