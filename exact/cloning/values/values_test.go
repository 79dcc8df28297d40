package values

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// A tiny relaxation: one server of some capacity, jobs of one or two phases of one or two tasks, each copy with a demand.
type tiny struct {
	*Relaxation
	demand   []int // by phase
	capacity int
}

func (m *tiny) fits(buys []Buy) bool {
	sum := 0
	for _, b := range buys {
		sum += int(b.Copies) * m.demand[b.Phase]
	}
	return sum <= m.capacity
}

func newTiny(t *testing.T, rng *rand.Rand) *tiny {
	t.Helper()
	m := &tiny{capacity: 2 + rng.IntN(2)}
	in := &cloning.Instance{
		Resources: []string{"r"}, MaxCopies: 2, MaxCopiesPerServer: 2,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{float64(m.capacity)}}},
	}
	for j := range 2 + rng.IntN(2) {
		job := cloning.Job{ID: fmt.Sprint("j", j), Arrival: min(j, rng.IntN(2))} // the first at 0
		for k := range 1 + rng.IntN(2) {
			demand := 1 + rng.IntN(m.capacity)
			ph := cloning.Phase{ID: fmt.Sprint("p", k), Tasks: 1 + rng.IntN(2), Mean: 1 + float64(rng.IntN(15))/10}
			ph.Demand, ph.Speedup = []float64{float64(demand)}, []float64{1, 1.4}
			if k > 0 {
				ph.Parents = []int{0}
			}
			job.Phases, m.demand = append(job.Phases, ph), append(m.demand, demand)
		}
		in.Jobs = append(in.Jobs, job)
	}
	sp, err := kernel.New(in, false)
	fail.On(t, err)
	m.Relaxation = NewRelaxation(t.Context(), sp, 1_000_000)
	if m.Relaxation == nil {
		t.Fatal("no market")
	}
	return m
}

// optimum is the least cost from a state of all jobs on, by all ways slot by slot.
func (m *tiny) optimum(now int, nodes [3]int32, known map[[4]int32]int) int {
	key := [4]int32{int32(now), nodes[0], nodes[1], nodes[2]}
	if cost, ok := known[key]; ok {
		return cost
	}
	done, present := true, 0
	for j, g := range m.Graphs {
		if nodes[j] != g.End {
			done = false
			if m.Arrival[j] <= now {
				present++
			}
		}
	}
	if done {
		return 0
	}
	if now > 60 {
		return math.MaxInt32
	}
	best := math.MaxInt32
	var try func(j int, next [3]int32, buys []Buy)
	try = func(j int, next [3]int32, buys []Buy) {
		if !m.fits(buys) {
			return
		}
		if j == len(m.Graphs) {
			// To wait alone leads to the same nodes for ever.
			if next != nodes || present == 0 {
				best = min(best, present+m.optimum(now+1, next, known))
			}
			return
		}
		if nodes[j] == m.Graphs[j].End || m.Arrival[j] > now {
			try(j+1, next, buys)
			return
		}
		for _, a := range m.Graphs[j].Nodes[nodes[j]].Arcs {
			more := buys[:len(buys):len(buys)]
			for _, b := range a.Buys {
				more = append(more, Buy{Phase: int32(m.First[j]) + b.Phase, Copies: b.Copies})
			}
			next[j] = a.Next
			try(j+1, next, more)
		}
	}
	try(0, nodes, nil)
	known[key] = best
	return best
}

// bound is what follows from prices for the cost from a state on, in units.
func (m *tiny) bound(prices Prices, now int, nodes [3]int32) int64 {
	sum := int64(0)
	open := make([]bool, len(m.demand))
	for j, tab := range m.Tables(prices, now) {
		sum += int64(tab.At(max(now, m.Arrival[j]), nodes[j]))
		for k := m.First[j]; k < m.First[j+1]; k++ {
			open[k] = m.Graphs[j].open(nodes[j], k)
		}
	}
	return sum - m.Worth(prices, now, func(k int) bool { return open[k] })[min(now, len(prices[0]))]
}

func randomPrices(rng *rand.Rand, phases, slots int) Prices {
	p := make(Prices, phases)
	for k := range p {
		for range slots {
			p[k] = append(p[k], int32(rng.IntN(Unit)))
		}
	}
	return p
}

// Prices bound what is still to come from every state, whatever they are; those of an ascent and of a climb prove what these
// claim, and neither falls.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(172, 0))
	gained := 0
	for range 60 {
		m := newTiny(t, rng)
		known := map[[4]int32]int{}
		best := m.optimum(0, [3]int32{}, known)
		slots := 4 + rng.IntN(8)
		prices := randomPrices(rng, len(m.demand), slots)
		for state, cost := range known {
			nodes := [3]int32(state[1:])
			if b := m.bound(prices, int(state[0]), nodes); cost < math.MaxInt32 && b > int64(cost)*Unit {
				t.Fatalf("state %v: bound %v, optimum %d", state, float64(b)/Unit, cost)
			}
		}
		a := NewAscent(m.Relaxation, slots)
		a.Begin(prices, 0, nil)
		for range 5 {
			last := a.Best
			a.Run(t.Context(), 4, int64(best)*Unit, false)
			if a.Best < last || a.Best > int64(best)*Unit || m.bound(a.Prices, 0, [3]int32{}) < a.Best {
				t.Fatalf("bound %d after %d, by its prices %d, optimum %d", a.Best, last, m.bound(a.Prices, 0, [3]int32{}), best*Unit)
			}
		}
		p := NewAscent(m.Relaxation, slots)
		for state, cost := range known {
			now, nodes := int(state[0]), [3]int32(state[1:])
			if cost == math.MaxInt32 || now >= slots || rng.IntN(10) > 0 {
				continue
			}
			first := m.bound(a.Prices, now, nodes)
			p.Begin(a.Prices, now, nodes[:len(m.Graphs)])
			p.Run(t.Context(), 12, int64(cost)*Unit, true)
			if p.Best < first || p.Best > int64(cost)*Unit || m.bound(p.Prices, now, nodes) != p.Best {
				t.Fatalf("state %v: bound %d after %d, by its prices %d, optimum %d", state, p.Best, first, m.bound(p.Prices, now, nodes),
					cost*Unit)
			}
			if p.Best > first {
				gained++
			}
		}
	}
	if gained == 0 {
		t.Error("no climb has gained anything")
	}
}

// A table has the cheapest way from every node and moment, by the definition.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(172, 1))
	for range 100 {
		m := newTiny(t, rng)
		slots := 1 + rng.IntN(8)
		prices := randomPrices(rng, len(m.demand), slots)
		from := 2 + rng.IntN(3) // all have arrived
		for j, tab := range m.Tables(prices, from) {
			g := m.Graphs[j]
			var cheapest func(now int, s int32) int32
			cheapest = func(now int, s int32) int32 {
				if s == g.End {
					return 0
				}
				if now >= slots {
					return Unit * g.Free[s]
				}
				least := int32(math.MaxInt32)
				for _, a := range g.Nodes[s].Arcs {
					cost := Unit + cheapest(now+1, a.Next)
					for _, b := range a.Buys {
						cost += b.Copies * prices[m.First[j]+int(b.Phase)][now]
					}
					least = min(least, cost)
				}
				return least
			}
			for now := max(from, slots-3); now <= slots+1; now++ {
				for s := range g.Nodes {
					if got, want := tab.At(now, int32(s)), cheapest(now, int32(s)); got != want {
						t.Fatalf("moment %d of %d, node %d: %d, by the definition %d", now, slots, s, got, want)
					}
				}
			}
		}
	}
}
