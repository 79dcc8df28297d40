package tree_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/parallel"
	"schedgap/exact/tree"
	"schedgap/models"
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
	v.Undecided = o.depth == 40
	if v.Undecided {
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
		fresh := func() tree.Search[*toyNode, int] { return &toy{tree.NewIncumbent[int](nil)} }
		s := &tree.Tree[*toyNode, int]{
			Search: fresh(), Worker: fresh, Threads: threads, Budget: 300_000,
			Bounded: func(b float64) { r.Bounds = append(r.Bounds, b) },
		}
		s.Plant(&toyNode{})
		s.Run(t.Context())
		r.Nodes, r.Open = s.Nodes, s.Open()
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
		l := models.NewLedger(models.Rules[[]int]{Sense: models.Minimize}, func(taken []int) {
			sum := 0.0
			for _, i := range taken {
				sum += numbers[i]
			}
			if sum >= last {
				t.Errorf("%d threads: %v is passed on after %v", threads, sum, last)
			}
			last = sum
		}, nil)
		main := &least{tree.NewIncumbent(l.Announce), numbers, 9}
		s := &tree.Tree[*chosen, []int]{
			Search: main, Threads: threads, Budget: 1 << 40, Bounded: func(float64) {},
			Worker: func() tree.Search[*chosen, []int] { w := *main; return &w },
		}
		s.Plant(&chosen{})
		s.Run(t.Context())
		if !main.Found || main.Best != want || last != want || len(s.Left) > 0 {
			t.Errorf("%d threads: %v, the least is %v", threads, main.Best, want)
		}
	}
}

// Of what many threads find, the values passed on fall, and the last one is the least.
func TestIncumbents(t *testing.T) {
	var told []float64
	l := models.NewLedger(models.Rules[float64]{Sense: models.Minimize}, func(v float64) { told = append(told, v) }, nil)
	known := tree.NewIncumbent(l.Announce)
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

// Searches that are resumed again and again, at other nodes' ends and in the middle of visits, visit what one search visits but for
// the order, and find the least.
func TestResume(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	numbers := make([]float64, 24)
	for i := range numbers {
		numbers[i] = float64(1 + rng.IntN(1000))
	}
	want := 0.0
	for _, v := range slices.Sorted(slices.Values(numbers))[:9] {
		want += v
	}
	main := &least{tree.NewIncumbent[[]int](nil), numbers, 9}
	s := &tree.Tree[*chosen, []int]{
		Search: main, Threads: 2, Bounded: func(float64) {}, Worker: func() tree.Search[*chosen, []int] { w := *main; return &w },
	}
	s.Plant(&chosen{})
	runs, bound := 0, 0.0
	for ; len(s.Left) > 0; runs++ {
		ctx, cancel := context.WithCancel(t.Context())
		if runs%3 == 0 {
			cancel() // it visits nothing, and loses nothing
		}
		s.Budget = s.Nodes + 1000
		s.Run(ctx)
		cancel()
		if open := s.Open(); open < bound {
			t.Fatalf("the bound %v after %v", open, bound)
		} else {
			bound = open
		}
	}
	if !main.Found || main.Best != want || runs < 4 {
		t.Errorf("%v after %d runs, the least is %v", main.Best, runs, want)
	}
}

// A stopping search cannot decide its only node, and its context ends in the first visit.
type stopping struct {
	tree.Incumbent[int]
	cancel context.CancelFunc
	visits int
}

func (s *stopping) Known() *tree.Incumbent[int]        { return &s.Incumbent }
func (s *stopping) Threshold() float64                 { return 5 }
func (*stopping) Bound(float64) float64                { return 3 }
func (*stopping) Begin(context.Context, float64, bool) {}
func (s *stopping) Visit(context.Context, float64) (v tree.Visited[float64]) {
	s.visits++
	s.cancel()
	v.Undecided = s.visits == 1
	return v
}

// A node whose visit was cut short is open, not undecided.
func TestCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	search := &stopping{tree.NewIncumbent[int](nil), cancel, 0}
	s := &tree.Tree[float64, int]{
		Search: search, Threads: 1, Budget: 100, Bounded: func(float64) {}, Worker: func() tree.Search[float64, int] { return search },
	}
	s.Plant(0)
	s.Run(ctx)
	if len(s.Left) != 1 || s.Open() != 3 {
		t.Fatalf("%d open, bound %v", len(s.Left), s.Open())
	}
	s.Run(t.Context())
	if len(s.Left) != 0 || !math.IsInf(s.Open(), 1) {
		t.Errorf("%d open, bound %v", len(s.Left), s.Open())
	}
}
