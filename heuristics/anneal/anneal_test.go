package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

// sequence is a search with a value that an order and options decide: job j at position i costs cost[j][i], and an option that is
// not the one wanted as much as a whole row.
func sequence(cost [][]float64, wanted []int, seed uint64, evaluations int) (*Search, func(Point, float64) float64, *int) {
	calls := new(int)
	value := func(p Point, _ float64) float64 {
		*calls++
		v := 0.0
		for i, j := range p.Order {
			v += cost[j][i] + math.Abs(float64(p.Option[j]-wanted[j]))
		}
		return v
	}
	return &Search{Rand: rand.New(rand.NewPCG(seed, 0)), Evaluations: evaluations, Items: len(cost)}, value, calls
}

func start(n int) Point {
	p := Point{Option: make([]int, n)}
	for j := range n {
		p.Order = append(p.Order, j)
	}
	return p
}

// What is reported as improved is better, all evaluations are used, no assignment is below the least one, and the same seed finds
// the same.
func TestRun(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		const n = 5
		cost := make([][]float64, n)
		wanted := make([]int, n)
		for j := range cost {
			cost[j] = rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "cost")
			wanted[j] = rapid.IntRange(0, 2).Draw(t, "option")
		}
		const evaluations = 8000
		seed := rapid.Uint64().Draw(t, "seed")
		s, value, calls := sequence(cost, wanted, seed, evaluations)
		last := math.Inf(1)
		s.Improved = func(v float64) {
			if v >= last {
				t.Fatalf("improved from %v to %v", last, v)
			}
			last = v
		}
		list, v := Best(3, value, start(n))
		v, finished := s.Run(context.Background(), list, v)
		if !finished || *calls != evaluations+1 {
			t.Fatalf("%d evaluations instead of %d, finished: %v", *calls, evaluations+1, finished)
		}
		p := list.At
		if got := value(p, 0); got != v {
			t.Fatalf("what is left has %v, not %v", got, v)
		}
		if want := least(cost, 0, 0); v < want-1e-9 {
			t.Fatalf("order %v, options %v have %v; the least is %v", p.Order, p.Option, v, want)
		}
		again, value, _ := sequence(cost, wanted, seed, evaluations)
		list, v = Best(3, value, start(n))
		again.Run(context.Background(), list, v)
		if q := list.At; !slices.Equal(p.Order, q.Order) || !slices.Equal(p.Option, q.Option) {
			t.Fatalf("seed %d finds %v, then %v", seed, p, q)
		}
	})
}

// A search may miss the optimum, but hardly ever does in as many evaluations.
func TestRunFindsOptima(t *testing.T) {
	const n, instances, evaluations = 5, 100, 8000
	rng := rand.New(rand.NewPCG(5, 1))
	found := 0
	for seed := range uint64(instances) {
		cost, wanted := make([][]float64, n), make([]int, n)
		for j := range cost {
			cost[j], wanted[j] = make([]float64, n), rng.IntN(3)
			for k := range cost[j] {
				cost[j][k] = math.Exp2(-float64(rng.IntN(6))) // many ties
			}
		}
		s, value, _ := sequence(cost, wanted, seed, evaluations)
		list, v := Best(3, value, start(n))
		v, _ = s.Run(t.Context(), list, v)
		if v <= least(cost, 0, 0)+1e-9 {
			found++
		}
	}
	if found < instances-3 {
		t.Errorf("%d of %d optima are found", found, instances)
	}
}

func least(cost [][]float64, position int, used uint) float64 {
	if position == len(cost) {
		return 0
	}
	v := math.Inf(1)
	for j := range cost {
		if used&(1<<j) == 0 {
			v = min(v, cost[j][position]+least(cost, position+1, used|1<<j))
		}
	}
	return v
}

// A move leaves a permutation and options in range, and the next one undoes it.
func TestMovesAreUndone(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		options := rapid.IntRange(1, 4).Draw(t, "options")
		if n == 1 {
			options = max(options, 2)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		l, _ := Best(options, func(Point, float64) float64 { return 0 }, start(n))
		before := l.At.clone()
		l.Move(random, 0)
		after := l.At.clone()
		slices.Sort(after.Order)
		if !slices.Equal(after.Order, start(n).Order) {
			t.Fatalf("%+v makes %v", l.last, l.At)
		}
		for _, o := range after.Option {
			if o < 0 || o >= options {
				t.Fatalf("%+v makes options %v of %d", l.last, after.Option, options)
			}
		}
		l.last.undo(l.At)
		if !slices.Equal(l.At.Order, before.Order) || !slices.Equal(l.At.Option, before.Option) {
			t.Fatalf("%+v is undone to %v", l.last, l.At)
		}
	})
}

// A search whose time is over has the best of its starts.
func TestRunEndsWithTheContext(t *testing.T) {
	s, value, calls := sequence([][]float64{{1, 0}, {0, 1}}, []int{0, 0}, 1, 1e9)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	bad, good := start(2), start(2)
	slices.Reverse(good.Order)
	list, v := Best(3, value, bad, good)
	if v, finished := s.Run(ctx, list, v); finished || v != 0 || list.At.Order[0] != 1 || *calls != 2 {
		t.Errorf("%v with value %v after %d evaluations, finished: %v", list.At, v, *calls, finished)
	}
}
