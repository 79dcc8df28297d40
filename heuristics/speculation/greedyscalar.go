package speculation

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/heap"
	"schedgap/models/speculation"
)

// GreedyScalar is a baseline that knows the scalar objective.
var GreedyScalar = &speculation.Algorithm{
	Name: "greedy-scalar",
	Doc: "the pair of straggler and slot that adds most to the scalar objective first\n\n" +
		"It reaches at least half of the optimum, as every greedy matching by weight (Avis, Networks 13, 1983).",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(GreedyScalarMatching),
}

// GreedyScalarMatching is the decision of GreedyScalar.
func GreedyScalarMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	m := speculation.NoCopies(in)
	rows, heads := make([][]choice, len(in.Stragglers)), heap.NewIndexed(len(in.Stragglers))
	for i := range in.Stragglers {
		if ctx.Err() != nil {
			return m
		}
		rows[i] = helping(in, i)
		if len(rows[i]) > 0 {
			heads.Set(int32(i), -rows[i][0].value)
		}
	}
	taken := make([]bool, len(in.Slots))
	for !heads.Empty() && ctx.Err() == nil {
		i := heads.Top()
		row := &rows[i]
		j := (*row)[0].slot
		if !taken[j] {
			m[i], taken[j] = j, true
			*row = nil
		} else {
			*row = (*row)[1:]
		}
		if len(*row) == 0 {
			heads.Pop()
		} else {
			heads.Set(i, -(*row)[0].value)
		}
	}
	return m
}

type choice struct {
	slot  int
	value float64 // scalar
}

// helping are the slots that help a straggler, the best first.
func helping(in *speculation.Instance, i int) (choices []choice) {
	for j, value := range in.Helping(i) {
		choices = append(choices, choice{j, value})
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.value, a.value) })
	return choices
}
