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
func (c *priced) quote() error {
	c.worth = new(big.Int)
	intervals := len(c.prices.Grid) - 1
	for range c.Phases {
		c.price = append(c.price, slices.Repeat([]int64{math.MaxInt64}, intervals))
	}
	if err := c.surrogates(); err != nil {
		return err
	}
	for k, price := range c.price {
		n, order := &c.Need[k], make([]int, intervals)
		top := big.NewInt(slices.Max(price))
		if top.Mul(top, big.NewInt(int64(n.Alone))).Mul(top, big.NewInt(int64(len(n.Gain)))).BitLen() > 61 {
			return fmt.Errorf("the copies of phase %s are too dear", n.ID)
		}
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(price[a], price[b]), b-a) })
		c.order = append(c.order, order)
	}
	return nil
}

// surrogates prices copies by surrogates. Every server must be in one class.
func (c *priced) surrogates() error {
	placed := make([]bool, len(c.Classes))
	column := 0
	for q, class := range c.prices.Classes {
		if len(class.Largest) != len(c.In.Resources) {
			return fmt.Errorf("classes[%d].largest has %d resources and must have %d", q, len(class.Largest), len(c.In.Resources))
		}
		var members []kernel.Class
		for s, capacity := range class.Servers {
			i := slices.IndexFunc(c.Classes, func(l kernel.Class) bool { return slices.Equal(l.Capacity, capacity) })
			if i < 0 || placed[i] {
				return fmt.Errorf("classes[%d].servers[%d] is no capacity of the instance or in two classes", q, s)
			}
			placed[i] = true
			members = append(members, c.Classes[i])
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
	for k, price := range c.price {
		if slices.Contains(price, math.MaxInt64) {
			return fmt.Errorf("phase %s fits on no server", c.Phases[k].ID)
		}
	}
	return nil
}

func (c *priced) surrogateClass(class *Class, members []kernel.Class, column int) error {
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
	for k := range c.Phases {
		ph := &c.Phases[k]
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
			c.price[k][i] = min(c.price[k][i], total)
		}
	}
	return nil
}
