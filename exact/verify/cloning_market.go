package verify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/models/cloning"
)

// weightBits: weights of gauges are whole numbers of 2^-30, those of copies rounded down, those of servers up.
const weightBits = 30

// measure is a gauge of an amount relative to largest.
func (g CloningGauge) measure(amount *big.Rat, largest float64, up bool) int64 {
	one := new(big.Rat).SetInt64(1 << weightBits)
	if g.Parts == 0 {
		w := new(big.Rat).Quo(amount, rat(largest))
		return whole(w.Mul(w, one), up)
	}
	unit := new(big.Rat).Mul(rat(largest), big.NewRat(1_000_000_002, 1_000_000_000*int64(g.Parts+1)))
	n := whole(new(big.Rat).Quo(amount, unit), true) - 1
	w := new(big.Rat).SetFrac64(max(0, n), int64(g.Parts))
	return whole(w.Mul(w, one), up)
}

// quote computes the prices of copies and what all servers are worth.
func (c *cloningProof) quote() error {
	c.worth = new(big.Int)
	intervals := len(c.prices.Grid) - 1
	for k := range c.phases {
		c.phases[k].price = make([]int64, intervals)
	}
	if err := c.gauges(); err != nil {
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
		slices.SortStableFunc(ph.order, func(a, b int) int {
			switch {
			case ph.price[a] < ph.price[b]:
				return -1
			case ph.price[a] > ph.price[b]:
				return 1
			}
			return b - a
		})
	}
	return nil
}

// gauges prices copies by gauges. Every server must be in one class.
func (c *cloningProof) gauges() error {
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
		var members []cloningLimit
		for s, capacity := range class.Servers {
			i := slices.IndexFunc(c.limits, func(l cloningLimit) bool { return slices.Equal(l.capacity, capacity) })
			if i < 0 || placed[i] {
				return fmt.Errorf("classes[%d].servers[%d] is no capacity of the instance or in two classes", q, s)
			}
			placed[i] = true
			members = append(members, c.limits[i])
		}
		for s, g := range class.Gauges {
			if g.Resource < 0 || g.Resource >= len(class.Largest) || g.Parts < 0 || g.Parts > 1000 || !(class.Largest[g.Resource] > 0) ||
				math.IsInf(class.Largest[g.Resource], 0) {
				return fmt.Errorf("classes[%d].gauges[%d] is no gauge", q, s)
			}
		}
		if err := c.gaugeClass(&class, members, column); err != nil {
			return fmt.Errorf("classes[%d]%w", q, err)
		}
		column += len(class.Gauges)
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

func (c *cloningProof) gaugeClass(class *CloningClass, members []cloningLimit, column int) error {
	room := make([]int64, len(class.Gauges))
	for g, gauge := range class.Gauges {
		for _, m := range members {
			one := gauge.measure(limit(m.capacity[gauge.Resource]), class.Largest[gauge.Resource], true)
			if one > 1<<50/int64(m.servers) {
				return fmt.Errorf(".largest[%d] is far too small for its servers", gauge.Resource)
			}
			room[g] += one * int64(m.servers)
		}
		for i, row := range c.prices.Gauges {
			sold := new(big.Int).Mul(big.NewInt(row[column+g]), big.NewInt(room[g]))
			sold.Add(sold, big.NewInt(1<<weightBits-1)).Rsh(sold, weightBits)
			c.worth.Add(c.worth, sold.Mul(sold, big.NewInt(int64(c.prices.Grid[i+1]-c.prices.Grid[i]))))
		}
	}
	for k := range c.phases {
		ph := &c.phases[k]
		if !slices.ContainsFunc(members, func(l cloningLimit) bool { return cloning.Fits(ph.Demand, l.capacity) }) {
			continue
		}
		weight := make([]int64, len(class.Gauges))
		for g, gauge := range class.Gauges {
			weight[g] = gauge.measure(rat(ph.Demand[gauge.Resource]), class.Largest[gauge.Resource], false)
		}
		for i, row := range c.prices.Gauges {
			total := int64(0)
			for g, w := range weight {
				total = min(1<<61, total+min(1<<61, muldiv(row[column+g], w, false)))
			}
			ph.price[i] = min(ph.price[i], total)
		}
	}
	return nil
}

// roomOn is what there is on a server, in the whole numbers of the definition.
func roomOn(capacity []float64) []int64 {
	room := make([]int64, len(capacity))
	for r, c := range capacity {
		room[r] = cloning.NewScale(c).Room
	}
	return room
}

// sizesOn is what a copy takes there; nil where it does not fit.
func sizesOn(demand, capacity []float64) []int64 {
	if !cloning.Fits(demand, capacity) {
		return nil
	}
	size := make([]int64, len(demand))
	for r, d := range demand {
		size[r] = cloning.NewScale(capacity[r]).Size(d)
	}
	return size
}

// A filling search takes items in turn, as many of each as fit down to none.
type filling struct {
	items []fillingItem
	rate  [][]float64 // by item and measure: the greatest price by size of it and of all after it
	all   []int64     // by item, the price of all copies of it and of all after it
	best  int64       // found
	most  int64       // of branches left out
	nodes int
	mixed []float64
}

type fillingItem struct {
	price int64
	size  []int64
	limit int64
	rank  float64
}

const (
	fillingNodes = 200_000
	mostWorth    = 1 << 60
)

// dearest is an upper bound on the price of a set of copies that fits, exact where the search ends; false: sums of its prices may
// leave an int64.
func (f *filling) dearest(room []int64) (int64, bool) {
	resources := len(room)
	if len(f.items) == 0 {
		return 0, true
	}
	f.all = make([]int64, len(f.items)+1)
	// The last measure is the mixture of the resources, out of a few, whose dearest item is cheapest.
	mixed, least := []float64(nil), math.Inf(1)
	try := func(mix []float64) {
		top := 0.0
		for _, it := range f.items {
			if size := measureBy(it.size, mix); size > 0 {
				top = max(top, float64(it.price)/size)
			}
		}
		if top < least {
			mixed, least = slices.Clone(mix), top
		}
	}
	mix := make([]float64, resources)
	const parts = 64
	var spread func(r, left int)
	spread = func(r, left int) {
		if r == resources-1 {
			mix[r] = float64(left) / parts
			try(mix)
			return
		}
		step := 1
		if resources > 2 {
			step = parts / 8
		}
		for n := 0; n <= left; n += step {
			mix[r] = float64(n) / parts
			spread(r+1, left-n)
		}
	}
	if resources <= 4 {
		spread(0, parts)
	} else {
		for r := range mix {
			mix[r] = 1 / float64(resources)
		}
		try(mix)
	}
	for i := range f.items {
		f.items[i].rank = float64(f.items[i].price) / measureBy(f.items[i].size, mixed)
	}
	slices.SortStableFunc(f.items, func(a, b fillingItem) int {
		switch {
		case a.rank > b.rank:
			return -1
		case a.rank < b.rank:
			return 1
		}
		return 0
	})
	f.mixed = mixed
	f.rate = make([][]float64, len(f.items)+1)
	f.rate[len(f.items)] = make([]float64, resources+1)
	for i := len(f.items) - 1; i >= 0; i-- {
		f.rate[i] = slices.Clone(f.rate[i+1])
		it := &f.items[i]
		if it.price > (mostWorth-f.all[i+1])/max(1, it.limit) {
			return 0, false
		}
		f.all[i] = f.all[i+1] + it.price*it.limit
		for r, s := range it.size {
			f.rate[i][r] = max(f.rate[i][r], float64(it.price)/float64(s))
		}
		f.rate[i][resources] = max(f.rate[i][resources], it.rank)
	}
	f.nodes = fillingNodes
	f.search(0, 0, room)
	return max(f.best, f.most), true
}

func measureBy(size []int64, mix []float64) float64 {
	total := 0.0
	for r, s := range size {
		total += mix[r] * float64(s)
	}
	return total
}

// rest bounds the price of what items i, i+1, … can add: by all their copies, and by the price of what is free, a product of numbers that
// are rounded by less than 2^-50 for each resource. Rates are infinite where an item takes nothing.
func (f *filling) rest(i int, room []int64) int64 {
	least := float64(mostWorth)
	for r, left := range room {
		if rate := f.rate[i][r]; rate < math.MaxFloat64 {
			least = min(least, rate*float64(left))
		}
	}
	if rate := f.rate[i][len(room)]; rate < math.MaxFloat64 {
		least = min(least, rate*measureBy(room, f.mixed))
	}
	return min(f.all[i], int64(least*(1+float64(len(room)+4)*0x1p-50))+1)
}

func (f *filling) search(from int, worth int64, room []int64) {
	f.best = max(f.best, worth)
	for i := from; i < len(f.items); i++ {
		bound := worth + f.rest(i, room)
		if bound <= f.best {
			return
		}
		if f.nodes--; f.nodes <= 0 {
			f.most = max(f.most, bound)
			return
		}
		it := &f.items[i]
		n := it.limit
		for r, s := range it.size {
			if s > 0 {
				n = min(n, room[r]/s)
			}
		}
		left := make([]int64, len(room))
		for ; n >= 1; n-- {
			for r, s := range it.size {
				left[r] = room[r] - n*s
			}
			f.search(i+1, worth+n*it.price, left)
		}
	}
}
