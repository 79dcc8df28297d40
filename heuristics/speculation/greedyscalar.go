package speculation

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
)

// GreedyScalar is a baseline that knows the scalar objective.
var GreedyScalar = &speculation.Algorithm{
	Name: "greedy-scalar",
	Doc: "the pair of straggler and slot that adds most to the scalar objective first\n\n" +
		"docs/problems/speculation.md#algorithm-1. It reaches at least half of the optimum, as every greedy matching by weight (Avis, Networks 13, 1983).",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(GreedyScalarMatching),
}

// GreedyScalarMatching is the decision of GreedyScalar.
func GreedyScalarMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	m := speculation.NoCopies(in)
	var heads queue
	for i := range in.Stragglers {
		if ctx.Err() != nil {
			return m
		}
		if row := helping(in, i); len(row.choices) > 0 {
			heads = append(heads, row)
		}
	}
	heap.Init(&heads)
	taken := make([]bool, len(in.Slots))
	for len(heads) > 0 && ctx.Err() == nil {
		row := &heads[0]
		if j := row.choices[0].slot; !taken[j] {
			m[row.straggler], taken[j] = j, true
			heap.Pop(&heads)
			continue
		}
		row.choices = row.choices[1:]
		if len(row.choices) == 0 {
			heap.Pop(&heads)
		} else {
			heap.Fix(&heads, 0)
		}
	}
	return m
}

// A row is the slots that help a straggler, the best first.
type row struct {
	straggler int
	choices   []choice
}

type choice struct {
	slot  int
	value float64 // scalar
}

func helping(in *speculation.Instance, i int) row {
	r := row{straggler: i}
	for j := range in.Slots {
		if time, energy := in.Gain(i, j); speculation.Helps(time, energy) {
			r.choices = append(r.choices, choice{j, in.Scalar(time, energy)})
		}
	}
	slices.SortStableFunc(r.choices, func(a, b choice) int { return cmp.Compare(b.value, a.value) })
	return r
}

// A queue holds rows, the one with the best next choice first, ties by file order.
type queue []row

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	x, y := q[a].choices[0].value, q[b].choices[0].value
	return x > y || x == y && q[a].straggler < q[b].straggler
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(row)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
