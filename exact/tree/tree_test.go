package tree_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/parallel"
	"schedgap/exact/tree"
)

// A toy is a search whose nodes have bounds by chance and nothing to find.
type toy struct{ tree.Incumbent[int] }

type toyNode struct {
	bound float64
	depth int
}

func (s *toy) Known() *tree.Incumbent[int]         { return &s.Incumbent }
func (*toy) Threshold() float64                    { return 1e9 }
func (*toy) Bound(o *toyNode) float64              { return o.bound }
func (*toy) Begin(context.Context, *toyNode, bool) {}
func (*toy) Visit(_ context.Context, o *toyNode) (v tree.Visited[*toyNode]) {
	if v.Undecided = o.depth == 40; v.Undecided {
		return v
	}
	rng := rand.New(rand.NewPCG(uint64(o.depth), uint64(o.bound)))
	for range 2 {
		v.Children = append(v.Children, &toyNode{o.bound + float64(rng.IntN(5)), o.depth + 1})
	}
	return v
}

// A search that is stopped by its nodes finds on any number of threads the same; what it reports is the least bound of what
// is open, which does not fall.
func TestTree(t *testing.T) {
	type result struct {
		Nodes  int64
		Open   float64
		Bounds []float64
	}
	searched := func(threads int) (r result) {
		fresh := func() tree.Search[*toyNode, int] { return &toy{tree.NewIncumbent(func(int) {})} }
		s := &tree.Tree[*toyNode, int]{
			Search: fresh(), Worker: fresh, Threads: threads, Budget: 300_000,
			Bounded: func(b float64) { r.Bounds = append(r.Bounds, b) },
		}
		s.Run(t.Context(), &toyNode{})
		r.Nodes, r.Open = s.Nodes, s.Open
		return r
	}
	one := searched(1)
	if len(one.Bounds) < 20 || one.Nodes < 300_000 || !slices.IsSorted(one.Bounds) || one.Bounds[len(one.Bounds)-1] != one.Open ||
		one.Open == 0 {
		t.Errorf("%d nodes, %v open, bounds %v", one.Nodes, one.Open, one.Bounds)
	}
	for threads := 2; threads < 5; threads++ {
		if diff := cmp.Diff(one, searched(threads)); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
}

// A knapsack of equal weights: the search chooses some of the numbers, of which it takes the least of any size.
type least struct {
	tree.Incumbent[[]int]
	numbers []float64
	size    int
}

type chosen struct {
	taken []int
	sum   float64
	next  int
}

func (s *least) Known() *tree.Incumbent[[]int]      { return &s.Incumbent }
func (s *least) Threshold() float64                 { return s.Best }
func (*least) Bound(o *chosen) float64              { return o.sum }
func (*least) Begin(context.Context, *chosen, bool) {}
func (s *least) Visit(_ context.Context, o *chosen) (v tree.Visited[*chosen]) {
	switch {
	case o.sum >= s.Threshold() || len(o.taken)+len(s.numbers)-o.next < s.size:
		return v
	case len(o.taken) == s.size:
		s.Keep(o.taken, o.sum)
		return v
	}
	with := append(slices.Clone(o.taken), o.next)
	v.Children = []*chosen{{with, o.sum + s.numbers[o.next], o.next + 1}, {o.taken, o.sum, o.next + 1}}
	return v
}

// What is found is the least, whatever the number of threads, and each incumbent that is passed on is better than those before.
func TestLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	numbers := make([]float64, 24)
	for i := range numbers {
		numbers[i] = float64(1 + rng.IntN(1000))
	}
	want := 0.0
	for _, v := range slices.Sorted(slices.Values(numbers))[:9] {
		want += v
	}
	for threads := 1; threads < 5; threads++ {
		last := 1e9
		main := &least{tree.NewIncumbent(func(taken []int) {
			sum := 0.0
			for _, i := range taken {
				sum += numbers[i]
			}
			if sum >= last {
				t.Errorf("%d threads: %v is passed on after %v", threads, sum, last)
			}
			last = sum
		}), numbers, 9}
		s := &tree.Tree[*chosen, []int]{
			Search: main, Threads: threads, Budget: 1 << 40, Bounded: func(float64) {},
			Worker: func() tree.Search[*chosen, []int] { w := *main; return &w },
		}
		s.Run(t.Context(), &chosen{})
		if !main.Found || main.Best != want || last != want || len(s.Left) > 0 {
			t.Errorf("%d threads: %v, the least is %v", threads, main.Best, want)
		}
	}
}

// Of what many threads find, the values passed on fall, and the last one is the least.
func TestIncumbents(t *testing.T) {
	var told []float64
	known := tree.NewIncumbent(func(v float64) { told = append(told, v) })
	parallel.Each(4, 1000, func(_, part int) {
		mine := known
		v := float64(part * 389 % 1000)
		mine.Keep(v, v)
	})
	for i, v := range told {
		if i > 0 && v >= told[i-1] {
			t.Fatalf("passed on: %v", told)
		}
	}
	if len(told) == 0 || told[len(told)-1] != 0 {
		t.Errorf("passed on: %v, 0 is the least", told)
	}
}
