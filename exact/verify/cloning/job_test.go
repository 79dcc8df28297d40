package cloning

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/optimatest"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// TestCheapestSlots: by hand, what a task pays for in the cheapest slots of a window: prices of 3 until 2 and of 1 until 4, then nothing.
func TestCheapestSlots(t *testing.T) {
	for _, c := range []struct {
		from, to       int64
		units, profile int64
	}{
		{0, 4, 4*1 + 1*3, (1 + 1 + 3) + 1}, // 5 units of 2 copies a slot; 3 slots, one of which has 2 copies
		{1, 4, 4*1 + 1*3, (1 + 1 + 3) + 1},
		{1, 5, 2*0 + 3*1, (0 + 1 + 1) + 0},
		{2, 9, 0, 0},
		{5, 8, 0, 0},
		{0, 3, 2*1 + 3*3, (1 + 3 + 3) + 1},
	} {
		w := cheapestSlots{
			Effort: &core.Effort{}, Need: &Need{Gain: []float64{1, 1}, Units: 5},
			price: []int64{3, 1}, order: []int{1, 0}, grid: []int{0, 2, 4}, from: c.from, to: c.to,
		}
		w.each(func(int64, int64) bool { return true })
		if w.Steps != 8*2*2 {
			t.Errorf("%d steps for two intervals and copies", w.Steps)
		}
		if units, profile := w.units(), w.profile([]int{3, 1}); units != c.units || profile != c.profile {
			t.Errorf("from %d to %d: %d for units, %d for a profile; want %d and %d", c.from, c.to, units, profile, c.units, c.profile)
		}
	}
}

// TestMinFlowtime: the search for the cheapest ends of two phases against all of them; wider windows cost no more.
func TestMinFlowtime(t *testing.T) {
	rng := trials.Rand(t, 57, 4)
	falling := func() []int64 {
		list := make([]int64, 24)
		v := int64(100)
		for i := range list {
			list[i] = v
			v = max(0, v-rng.Int64N(20))
		}
		return list
	}
	for range trials.Count(2000) {
		one, two := falling(), falling()
		span, slot, arrival := 1+rng.Int64N(3), 1+rng.Int64N(6), rng.Int64N(3)
		turn0, turn1, end0, end1 := rng.Int64N(6), 6+rng.Int64N(6), rng.Int64N(8), 8+rng.Int64N(8)
		s := minFlowtime{
			Effort: &core.Effort{}, slot: slot, arrival: arrival, best: never,
			first:  func(turn int64) int64 { return one[turn] },
			second: func(turn, end int64) int64 { return two[end-turn] },
		}
		s.search(turn0, turn1, end0, end1, span)
		want := int64(math.MaxInt64)
		for turn := turn0; turn <= turn1; turn++ {
			for end := max(end0, turn+span); end <= end1; end++ {
				want = min(want, (end-arrival)*slot+one[turn]+two[end-turn])
			}
		}
		if s.best != want {
			t.Fatalf("%d, want %d", s.best, want)
		}
	}
}

// TestProfiles: the minimal numbers of slots with at least 1, 2, … copies that complete a task against all such numbers, up to a limit.
func TestProfiles(t *testing.T) {
	rng := trials.Rand(t, 57, 11)
	several := 0
	for i := range trials.Count(400) {
		in := oracle.RandomInstance(rng, 4)
		if i%2 == 1 {
			in = oracle.ExtremeInstance(rng, 4)
		}
		for k, n := range Measure(in, mostProfiles).Need {
			want := profilesOf(&n)
			got := slices.Clone(n.Profiles)
			slices.SortFunc(got, slices.Compare)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("phase %d: %v, want %v\n%s", k, got, want, oracle.Show(in))
			}
			least := max(len(want), n.Alone)
			if Measure(in, least).Need[k].Profiles == nil || Measure(in, least-1).Need[k].Profiles != nil {
				t.Fatalf("phase %d of %d profiles and %d slots: with a limit of %d and one fewer", k, len(want), n.Alone, least)
			}
			if len(want) > 1 {
				several++
			}
		}
	}
	if several < trials.Count(40) {
		t.Errorf("%d phases with several profiles: too few for this test to say anything", several)
	}
	// Of 24 slots of one copy and gains of 1, 0.75 and 0.5 there are more than 24 profiles.
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 3, MaxCopiesPerServer: 3, Servers: []cloning.Server{{Capacity: []float64{1}}},
		Jobs: []cloning.Job{{Phases: []cloning.Phase{{Tasks: 1, Demand: []float64{0}, Mean: 24, Speedup: []float64{1, 1.75, 2.25}}}}},
	}
	n := Measure(in, 1000).Need[0]
	most := len(profilesOf(&n))
	if len(n.Profiles) != most || most <= 24 || Measure(in, most).Need[0].Profiles == nil || Measure(in, most-1).Need[0].Profiles != nil {
		t.Errorf("%d of %d profiles", len(n.Profiles), most)
	}
}

// profilesOf tries all profiles, and sorts the minimal ones.
func profilesOf(n *Need) (list [][]int) {
	var all [][]int
	now := make([]int, len(n.Gain)+1)
	var from func(r int)
	from = func(r int) { // chooses how many slots have at least r copies
		if r > 0 {
			for now[r-1] = now[r]; now[r-1] <= n.Alone; now[r-1]++ {
				from(r - 1)
			}
			return
		}
		done := cloning.Progress{}
		for copies := range n.Gain {
			done = n.After(done, now[copies]-now[copies+1], copies+1)
		}
		if n.Done(done) {
			all = append(all, slices.Clone(now[:len(n.Gain)]))
		}
	}
	from(len(n.Gain))
	for _, a := range all {
		if !slices.ContainsFunc(all, func(b []int) bool { return kernel.NoMore(b, a) && !slices.Equal(a, b) }) {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// randomPrices are prices of few intervals and surrogates, of all servers in one class or each capacity in its own.
func randomPrices(rng *rand.Rand, in *cloning.Instance) *Prices {
	p := &Prices{Bits: 6, Grid: []int{0}}
	for range 1 + rng.IntN(6) {
		p.Grid = append(p.Grid, p.Grid[len(p.Grid)-1]+1+rng.IntN(2))
	}
	classes, _ := kernel.Group(in.Servers)
	alone := rng.IntN(2) == 0
	columns := 0
	for c, class := range classes {
		if c == 0 || alone {
			p.Classes = append(p.Classes, Class{Largest: slices.Repeat([]float64{0}, len(in.Resources))})
		}
		q := &p.Classes[len(p.Classes)-1]
		q.Servers = append(q.Servers, class.Capacity)
		for r, v := range class.Capacity {
			q.Largest[r] = max(q.Largest[r], v)
		}
	}
	for c := range p.Classes {
		for range 1 + rng.IntN(3) {
			p.Classes[c].Surrogates = append(p.Classes[c].Surrogates, Surrogate{rng.IntN(len(in.Resources)), rng.IntN(4)})
			columns++
		}
	}
	for range p.Grid[1:] {
		row := make([]int64, columns)
		for g := range row {
			row[g] = rng.Int64N(3) * rng.Int64N(200)
		}
		p.Surrogates = append(p.Surrogates, row)
	}
	return p
}

// TestBoundByPrices: the worth of the servers, the prices of copies, and the least payments of jobs against docs/bounds-and-proofs.md, with
// all ends of phases tried; what they prove is no more than the optimum.
func TestBoundByPrices(t *testing.T) {
	rng := trials.Rand(t, 57, 12)
	chains, paid := 0, 0
	for range trials.Count(1600) {
		tiny := optimatest.One(t, rng, cloning.Problem)
		moved, _ := kernel.FromFirst(tiny.In)
		if rng.IntN(2) == 0 {
			reverseChains(moved)
		}
		p := randomPrices(rng, moved)
		c := &priced{Needs: Measure(moved, []int{0, mostProfiles}[rng.IntN(2)]), prices: p}
		fail.On(t, c.quote())
		price, worth := quoted(c)
		if fmt.Sprint(c.price) != fmt.Sprint(price) || c.worth.Cmp(worth) != 0 {
			t.Fatalf("prices %v and worth %v, want %v and %v\n%+v\n%s", c.price, c.worth, price, worth, p, oracle.Show(moved))
		}
		value := new(big.Int).Neg(worth)
		for j := range moved.Jobs {
			got, err := c.job(j)
			fail.On(t, err)
			want, chain := leastPayment(c, j)
			if got != want {
				t.Fatalf("job %d pays %d, want %d\n%+v\n%s", j, got, want, p, oracle.Show(moved))
			}
			if chain {
				chains++
			}
			value.Add(value, big.NewInt(want))
			if want > int64(c.In.Jobs[j].Arrival)<<p.Bits {
				paid++
			}
		}
		if c.Need[0].Profiles == nil {
			continue
		}
		bound, _ := new(big.Rat).SetFrac(value, big.NewInt(1<<p.Bits)).Float64()
		got, err := Bound(moved, p)
		if err != nil || float64(got.Int64()) != math.Ceil(bound) || float64(got.Int64()) > tiny.Optima["opt"] {
			t.Fatalf("the bound is %v, want ⌈%v⌉, the optimum %v; %v\n%s", got, bound, tiny.Optima["opt"], err, oracle.Show(moved))
		}
	}
	if chains < trials.Count(160) || paid < trials.Count(800) {
		t.Errorf("%d chains, %d jobs that pay: too few for this test to say anything", chains, paid)
	}
}

// reverseChains lists the second phase of jobs of two before the first.
func reverseChains(in *cloning.Instance) {
	for j := range in.Jobs {
		if list := in.Jobs[j].Phases; len(list) == 2 && len(list[1].Parents) == 1 {
			list[0], list[1] = list[1], list[0]
			list[0].Parents, list[1].Parents = []int{1}, nil
		}
	}
}

// quoted are prices of copies and the worth of servers in exact numbers.
func quoted(c *priced) (price [][]int64, worth *big.Int) {
	p, worth := c.prices, new(big.Int)
	whole := func(r *big.Rat) (down, up *big.Int) {
		down = new(big.Int).Div(r.Num(), r.Denom())
		up = new(big.Int).Set(down)
		if !r.IsInt() {
			up.Add(up, big.NewInt(1))
		}
		return down, up
	}
	weight := func(s Surrogate, class *Class, amount float64) *big.Rat {
		w := new(big.Rat).SetFloat64(amount)
		largest := new(big.Rat).SetFloat64(class.Largest[s.Resource])
		if s.Parts == 0 {
			return w.Quo(w, largest)
		}
		unit := largest.Mul(largest, big.NewRat(1_000_000_002, 1_000_000_000))
		_, up := whole(w.Quo(w, unit.Quo(unit, new(big.Rat).SetInt64(int64(s.Parts+1)))))
		up.Sub(up, big.NewInt(1))
		if up.Sign() < 0 {
			up.SetInt64(0)
		}
		return w.SetFrac(up, big.NewInt(int64(s.Parts)))
	}
	bits := new(big.Rat).SetInt64(1 << 30)
	times := func(v int64, w *big.Int) *big.Rat {
		r := new(big.Rat).SetInt64(v)
		return r.Quo(r.Mul(r, new(big.Rat).SetInt(w)), bits)
	}
	for k := range c.Phases {
		price = append(price, nil)
		for _, row := range p.Surrogates {
			least, column := int64(math.MaxInt64), 0
			for q := range p.Classes {
				class, sum, holds := &p.Classes[q], int64(0), false
				for _, s := range class.Servers {
					holds = holds || cloning.Fits(c.Phases[k].Demand, s)
				}
				for g, s := range class.Surrogates {
					w, _ := whole(new(big.Rat).Mul(weight(s, class, c.Phases[k].Demand[s.Resource]), bits))
					down, _ := whole(times(row[column+g], w))
					sum += down.Int64()
				}
				if holds {
					least = min(least, sum)
				}
				column += len(class.Surrogates)
			}
			price[k] = append(price[k], least)
		}
	}
	for i, row := range p.Surrogates {
		column := 0
		for q := range p.Classes {
			class := &p.Classes[q]
			for g, s := range class.Surrogates {
				sum := new(big.Int)
				for v := range c.In.Servers {
					if capacity := c.In.Servers[v].Capacity; slices.ContainsFunc(class.Servers, func(s []float64) bool { return slices.Equal(s, capacity) }) {
						_, up := whole(new(big.Rat).Mul(weight(s, class, cloning.Limit(capacity[s.Resource])), bits))
						sum.Add(sum, up)
					}
				}
				_, up := whole(times(row[column+g], sum))
				worth.Add(worth, up.Mul(up, big.NewInt(int64(p.Grid[i+1]-p.Grid[i]))))
			}
			column += len(class.Surrogates)
		}
	}
	return price, worth
}

// leastPayment tries all ends of a job, and of a chain of two phases those of the first.
func leastPayment(c *priced, j int) (best int64, chain bool) {
	from, to := c.First[j], c.First[j+1]
	first, last := 0, c.prices.Grid[len(c.prices.Grid)-1]+c.In.Jobs[j].Arrival
	for k := from; k < to; k++ {
		n := &c.Need[k]
		first, last = max(first, n.Head+n.Span+n.Tail), last+max(n.Span, n.Alone)
	}
	slot := func(end int) int64 { return int64(end-c.In.Jobs[j].Arrival) << c.prices.Bits }
	best = math.MaxInt64
	a, b := from, to-1
	if to == from+2 && len(c.Phases[a].Preds)+len(c.Phases[b].Preds) == 1 {
		if len(c.Phases[a].Preds) == 1 {
			a, b = b, a
		}
		for turn := c.Need[a].Head + c.Need[a].Span; turn <= last; turn++ {
			for end := turn + c.Need[b].Span; end <= last; end++ {
				best = min(best, slot(end)+tasksPay(c, a, c.Need[a].Head, turn)+tasksPay(c, b, turn, end))
			}
		}
		return best, true
	}
	for end := first; end <= last; end++ {
		sum := slot(end)
		for k := from; k < to; k++ {
			sum += tasksPay(c, k, c.Need[k].Head, end-c.Need[k].Tail)
		}
		best = min(best, sum)
	}
	return best, false
}

// tasksPay is what the tasks of a phase pay at least in a window.
func tasksPay(c *priced, k, from, to int) int64 {
	n, grid := &c.Need[k], c.prices.Grid
	var prices []int64 // by slot
	for t := from; t < to; t++ {
		if i, _ := slices.BinarySearch(grid, t+1); i < len(grid) {
			prices = append(prices, c.price[k][i-1])
		} else {
			prices = append(prices, 0)
		}
	}
	slices.Sort(prices)
	best := int64(math.MaxInt64)
	for _, profile := range n.Profiles {
		if profile[0] > len(prices) {
			continue
		}
		sum := int64(0)
		for _, slots := range profile {
			for _, v := range prices[:slots] {
				sum += v
			}
		}
		best = min(best, sum)
	}
	if n.Profiles == nil {
		best = 0
		for i := range n.Units {
			best += prices[i/len(n.Gain)]
		}
		w := cheapestSlots{&core.Effort{}, n, c.price[k], c.order[k], grid, int64(from), int64(to)}
		best = max(best, w.gains())
	}
	return best * int64(n.Tasks)
}
