package flex_test

import (
	"fmt"
	"testing"

	"schedgap/models/flex"
)

// Reading a solution of 100,000 intervals, in each of which another of twenty jobs joins and one leaves.
func BenchmarkParseSolution(b *testing.B) {
	const n, jobs = 100_000, 20
	in := instance(100, flex.Response, flex.Sum, make([]flex.Job, jobs)...)
	for j := range in.Jobs {
		in.Jobs[j].ID = fmt.Sprintf("job-%d", j)
	}
	s := make(flex.Schedule, n)
	for q := range s {
		s[q] = flex.Interval{Start: float64(q) / 3, End: float64(q+1) / 3, Changes: []flex.Share{{Job: q % jobs, Slots: 2.5}}}
		if q >= 5 {
			s[q].Changes = append(s[q].Changes, flex.Share{Job: (q - 5) % jobs})
		}
	}
	file, err := flex.Problem.MarshalSolution(in, "mine", nil, s)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := flex.Problem.ParseSolution("s.json", file, in); err != nil {
			b.Fatal(err)
		}
	}
}
