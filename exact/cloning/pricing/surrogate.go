package pricing

import (
	"math"
	"slices"

	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/models/cloning"
)

// A class is servers that are priced together.
type class struct {
	members    []int // of instance.Classes
	largest    []float64
	surrogates []surrogate
}

// A surrogate constraint measures copies on a server so that no server of its class holds more than its own measure, whatever
// fits: a resource, or the function ⌈d/u⌉ − 1 of a resource, which counts the copies that are larger than a share of the
// server. Both are superadditive. Prices of surrogates are prices of copies.
type surrogate struct {
	resource int
	parts    int     // 0: the resource itself; k: u = the largest capacity/(k+1)
	weight   []int64 // by phase, in units of 2^−weightBits, rounded down
	capacity int64   // of all servers of the class, rounded up
}

const (
	weightBits = verifycloning.WeightBits
	maxClasses = 16
	maxParts   = 5
)

// newClasses groups the servers by capacity, like ones together where there are too many.
func newClasses(p *instance) []class {
	var list []class
	order := make([]int, len(p.Classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(p.Classes[a].Capacity, p.Classes[b].Capacity) })
	size := (len(order) + maxClasses - 1) / maxClasses
	for from := 0; from < len(order); from += size {
		c := class{members: order[from:min(from+size, len(order))]}
		c.largest = slices.Clone(p.Classes[c.members[0]].Capacity)
		for _, m := range c.members {
			for r, v := range p.Classes[m].Capacity {
				c.largest[r] = max(c.largest[r], v)
			}
		}
		for r := range c.largest {
			if c.largest[r] <= 0 {
				continue
			}
			for k := 0; k <= maxParts; k++ {
				if g := newSurrogate(p, &c, r, k); g.useful() {
					c.surrogates = append(c.surrogates, g)
				}
			}
		}
		list = append(list, c)
	}
	return list
}

func newSurrogate(p *instance, c *class, resource, parts int) surrogate {
	g := surrogate{resource: resource, parts: parts}
	for k := range p.phases {
		g.weight = append(g.weight, g.measure(p.phases[k].Demand[resource], c.largest[resource]))
	}
	for _, m := range c.members {
		kind := &p.Classes[m]
		g.capacity += g.room(kind.Capacity[resource], c.largest[resource]) * int64(kind.Servers)
	}
	return g
}

func (g *surrogate) useful() bool {
	return g.capacity > 0 && slices.ContainsFunc(g.weight, func(w int64) bool { return w > 0 })
}

// units is an amount in units of u.
func (g *surrogate) units(amount, largest float64) float64 {
	return amount / largest * float64(g.parts+1) / (1 + 2*cloning.FitTolerance)
}

// measure is the weight of a demand, rounded down.
func (g *surrogate) measure(demand, largest float64) int64 {
	if g.parts == 0 {
		return int64(min(1, demand/largest*(1-1e-15)) * (1 << weightBits) * (1 - 1e-15))
	}
	n := math.Ceil(g.units(demand, largest)*(1-1e-15)) - 1
	return max(0, min(int64(n), int64(g.parts))) * (1 << weightBits) / int64(g.parts)
}

// room is the measure of a server of the given capacity, rounded up.
func (g *surrogate) room(capacity, largest float64) int64 {
	capacity = cloning.Limit(capacity)
	if g.parts == 0 {
		return int64(math.Ceil(capacity / largest * (1 << weightBits) * (1 + 1e-15)))
	}
	n := int64(max(0, math.Ceil(g.units(capacity, largest)*(1+1e-15))-1))
	return (n*(1<<weightBits) + int64(g.parts) - 1) / int64(g.parts)
}

// fits reports whether a phase's copies fit on some server of the class.
func (c *class) fits(p *instance, k int) bool {
	return slices.ContainsFunc(c.members, func(m int) bool { return cloning.Fits(p.phases[k].Demand, p.Classes[m].Capacity) })
}

// A relaxation is the surrogates whose prices make the prices of copies.
type relaxation struct {
	classes []class
	starts  []int // by class, its first column: columns are the surrogates of all classes
	columns int
	fit     [][]int32 // by phase, the classes on which it fits
}

func newRelaxation(p *instance) relaxation {
	m := relaxation{classes: newClasses(p)}
	for c := range m.classes {
		m.starts = append(m.starts, m.columns)
		m.columns += len(m.classes[c].surrogates)
	}
	for k := range p.phases {
		var list []int32
		for c := range m.classes {
			if m.classes[c].fits(p, k) {
				list = append(list, int32(c))
			}
		}
		m.fit = append(m.fit, list)
	}
	return m
}

// copyPrice is the price of a copy of phase k on a class, given the class's prices of surrogates.
func (c *class) copyPrice(k int, price []int64) int64 {
	total := int64(0)
	for g := range c.surrogates {
		total += verifycloning.Weighed(price[g], c.surrogates[g].weight[k])
	}
	return total
}

// dual bounds the sales of all servers of the class in a slot at the prices.
func (c *class) dual(price []int64) int64 {
	total := int64(0)
	for g := range c.surrogates {
		total += verifycloning.Weighed(price[g], c.surrogates[g].capacity) + 1
	}
	return total
}
