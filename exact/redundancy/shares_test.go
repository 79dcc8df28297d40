package redundancy

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"schedgap/models"
	"schedgap/models/redundancy"
)

// The tree and its solution are the same with any number of threads.
func TestThreadsOfShares(t *testing.T) {
	for _, in := range loaded(7, 3, 6, true) {
		var first redundancy.Outcome
		for threads := 1; threads <= 3; threads++ {
			p := pass(in)
			p.Threads = threads
			out, err := fromFirst(t.Context(), p, nil, solveShares)
			if err != nil || out.Status != models.Optimal {
				t.Fatal(err, out.Status)
			}
			if threads == 1 {
				first = out
				continue
			}
			if *out.Stats.Nodes != *first.Stats.Nodes {
				t.Errorf("%d threads visit %d nodes, one %d", threads, *out.Stats.Nodes, *first.Stats.Nodes)
			}
			for i, iv := range out.Solution.Intervals {
				if want := first.Solution.Intervals[i]; iv.Start != want.Start || iv.End != want.End || !slices.Equal(iv.Alloc, want.Alloc) {
					t.Errorf("%d threads: interval %d is %v, with one %v", threads, i, iv, want)
				}
			}
		}
	}
}

// What is true of an optimal schedule never has a bound above its value: the timelines of its prefixes, with what completes next and what
// does not, and the order of the last jobs.
func TestBoundsOfTimelines(t *testing.T) {
	checked := 0
	for _, in := range loaded(6, 3, 9, true) {
		_, best := optimum(t, in, "bnb")
		v, _ := completionSum(in, best)
		done := redundancy.Completions(in, best)
		env := newEnvelope(t.Context(), in, len(in.Jobs))
		m, root := ascend(t.Context(), in)
		list := newPeriods(t.Context(), in, env)
		list.priced(m, root, math.Inf(1))
		s := &shareSearch{periods: list, order: byArrival(in), limit: math.Inf(1)}
		last := len(s.begin) - 1
		jobs := slices.Clone(s.order)
		slices.SortFunc(jobs, func(a, b int) int { return cmp.Compare(done[a], done[b]) })
		at := func(level int, next bool, after int) *timeline {
			line := &timeline{level: level, ends: make([][]int, level)}
			for _, j := range jobs {
				period := s.of[j]
				for period < last && done[j] >= s.begin[period+1] {
					period++
				}
				switch {
				case period < level:
					line.ends[period] = append(line.ends[period], j)
				case level == last:
					if len(line.after) < after {
						line.after = append(line.after, j)
					}
				case s.of[j] > level || !next:
				case period == level:
					line.now = append(line.now, j)
				default:
					line.later = append(line.later, j)
				}
			}
			return line
		}
		check := func(line *timeline) {
			checked++
			if b := s.program(line).solve(math.Inf(1), make([]float64, len(jobs))); b > v*(1+1e-12) {
				t.Errorf("%+v is bounded by %v, but a schedule has it that is worth %v\n%s", *line, b, v, show(in))
			}
		}
		for level := range last {
			check(at(level, false, 0))
			check(at(level, true, 0))
		}
		for after := range len(jobs) + 1 {
			check(at(last, false, after))
		}
	}
	t.Logf("%d timelines", checked)
}
