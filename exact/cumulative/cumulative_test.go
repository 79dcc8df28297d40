package cumulative_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"schedgap/exact/cumulative"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// draw makes a small problem with ties, equal tasks, machines and shares.
func draw(rng *rand.Rand) *cumulative.Problem {
	n := 1 + rng.IntN(6)
	p := &cumulative.Problem{Before: make([][]int, n)}
	for i := range n {
		p.Durations = append(p.Durations, 1+rng.IntN(4))
		p.Same = append(p.Same, -1)
		for j := range i {
			if rng.IntN(5) == 0 {
				p.Before[j] = append(p.Before[j], i)
			}
		}
	}
	for range 1 + rng.IntN(3) {
		r := cumulative.Resource{Room: int64(1 + rng.IntN(4))}
		for range n {
			r.Demands = append(r.Demands, rng.Int64N(r.Room+1))
		}
		p.Resources = append(p.Resources, r)
	}
	return p
}

// end is the end of a schedule, or -1 if it breaks a rule.
func end(p *cumulative.Problem, starts []int) int {
	last := 0
	for i, s := range starts {
		if s < 0 {
			return -1
		}
		last = max(last, s+p.Durations[i])
		for _, j := range p.Before[i] {
			if starts[j] < s+p.Durations[i] {
				return -1
			}
		}
	}
	for _, r := range p.Resources {
		for t := range last {
			taken := int64(0)
			for i, s := range starts {
				if s <= t && t < s+p.Durations[i] {
					taken += r.Demands[i]
				}
			}
			if taken > r.Room {
				return -1
			}
		}
	}
	return last
}

// least tries all starts: tasks in the order of their starts, each at a moment at which another ends, or 0.
func least(p *cumulative.Problem) int {
	n := len(p.Durations)
	best := 0
	for _, d := range p.Durations {
		best += d
	}
	starts := make([]int, n)
	var try func(i int)
	horizon := best
	try = func(i int) {
		if i == n {
			if e := end(p, starts); e >= 0 {
				best = min(best, e)
			}
			return
		}
		for s := 0; s+p.Durations[i] < horizon && s+p.Durations[i] <= best; s++ {
			starts[i] = s
			if fits(p, starts[:i+1]) {
				try(i + 1)
			}
		}
	}
	try(0)
	return best
}

// fits reports whether the first tasks break no rule among themselves.
func fits(p *cumulative.Problem, starts []int) bool {
	part := &cumulative.Problem{Durations: p.Durations[:len(starts)]}
	for i := range starts {
		var list []int
		for _, j := range p.Before[i] {
			if j < len(starts) {
				list = append(list, j)
			}
		}
		part.Before = append(part.Before, list)
	}
	part.Resources = p.Resources
	return end(part, starts) >= 0
}

func solve(ctx context.Context, p *cumulative.Problem, before int, improved func([]int)) (proven bool, deadEnds int64) {
	s := cumulative.New(p)
	for !proven && ctx.Err() == nil { // it goes on where it stopped
		proven = s.Run(ctx, before, 1+s.DeadEnds(), improved)
	}
	return proven, s.DeadEnds()
}

// TestSolve: on tiny problems the last schedule is the shortest of all, and each one keeps the rules.
func TestSolve(t *testing.T) {
	rng := trials.Rand(t, 1, 3000)
	for range trials.Count(3000) {
		p := draw(rng)
		want, got, total := least(p), -1, 1
		for _, d := range p.Durations {
			total += d
		}
		proven, _ := solve(t.Context(), p, total, func(starts []int) {
			e := end(p, starts)
			if e < 0 || got >= 0 && e >= got {
				t.Fatalf("%+v: starts %v end at %d, after %d", p, starts, e, got)
			}
			got = e
		})
		if !proven || got != want {
			t.Fatalf("%+v: %d, proven %v; all starts tried: %d", p, got, proven, want)
		}
		if proven, _ := solve(t.Context(), p, want, func([]int) { t.Fatalf("%+v: below %d", p, want) }); !proven {
			t.Fatalf("%+v: no schedule ends before %d, which is not proven", p, want)
		}
	}
}

// project makes a problem of which dead ends decide.
func project(rng *rand.Rand, n int) *cumulative.Problem {
	p := &cumulative.Problem{Before: make([][]int, n)}
	for i := range n {
		p.Durations = append(p.Durations, 1+rng.IntN(10))
		p.Same = append(p.Same, -1)
		if i > 2 && rng.IntN(4) > 0 {
			j := rng.IntN(i)
			p.Before[j] = append(p.Before[j], i)
		}
	}
	for range 2 {
		r := cumulative.Resource{Room: int64(1 + rng.IntN(12))}
		for range n {
			r.Demands = append(r.Demands, max(0, min(r.Room, rng.Int64N(12)-2)))
		}
		p.Resources = append(p.Resources, r)
	}
	return p
}

// changed is the same problem with tasks in another order, mirrored in time.
func changed(rng *rand.Rand, p *cumulative.Problem) *cumulative.Problem {
	n := len(p.Durations)
	place := rng.Perm(n)
	out := &cumulative.Problem{Durations: make([]int, n), Before: make([][]int, n), Same: make([]int, n)}
	for i, d := range p.Durations {
		out.Durations[place[i]], out.Same[place[i]] = d, -1
		for _, j := range p.Before[i] {
			out.Before[place[j]] = append(out.Before[place[j]], place[i])
		}
	}
	for _, r := range p.Resources {
		demands := make([]int64, n)
		for i, d := range r.Demands {
			demands[place[i]] = d
		}
		out.Resources = append(out.Resources, cumulative.Resource{Room: r.Room, Demands: demands})
	}
	return out
}

// TestChanged: order of tasks and direction of time do not matter to the least length, where learned nogoods decide it.
func TestChanged(t *testing.T) {
	rng := trials.Rand(t, 2, 300)
	learned := int64(0)
	for range trials.Count(300) {
		p := project(rng, 8+rng.IntN(12))
		var ends [2]int
		for k, q := range []*cumulative.Problem{p, changed(rng, p)} {
			total := 1
			for _, d := range p.Durations {
				total += d
			}
			proven, conflicts := solve(t.Context(), q, total, func(starts []int) {
				ends[k] = end(q, starts)
				if ends[k] < 0 {
					t.Fatalf("%+v: starts %v", q, starts)
				}
			})
			if !proven {
				t.Fatalf("%+v: not proven", q)
			}
			learned += conflicts
		}
		if ends[0] != ends[1] {
			t.Fatalf("%+v: %d, mirrored %d", p, ends[0], ends[1])
		}
	}
	if learned == 0 {
		t.Error("nothing was learned")
	}
	t.Logf("%d dead ends", learned)
}

// shops are the job shops 6 x 6 and 10 x 10 of Fisher and Thompson (1963): by job, machine and duration of each operation. Their least
// lengths are 55, and 930 (Carlier and Pinson 1989).
var shops = map[int]string{
	55: `2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1`,
	930: `0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45`,
}

func TestShops(t *testing.T) {
	for want, text := range shops {
		p := &cumulative.Problem{}
		total := 1
		for line := range strings.Lines(text) {
			numbers := strings.Fields(line)
			for k := 0; k < len(numbers); k += 2 {
				machine, err1 := strconv.Atoi(numbers[k])
				d, err2 := strconv.Atoi(numbers[k+1])
				fail.On(t, cmp.Or(err1, err2))
				for machine >= len(p.Resources) {
					p.Resources = append(p.Resources, cumulative.Resource{Room: 1})
				}
				i := len(p.Durations)
				p.Durations, p.Same, p.Before = append(p.Durations, d), append(p.Same, -1), append(p.Before, nil)
				if k > 0 {
					p.Before[i-1] = []int{i}
				}
				for r := range p.Resources {
					list := &p.Resources[r].Demands
					for len(*list) <= i {
						*list = append(*list, 0)
					}
				}
				p.Resources[machine].Demands[i] = 1
				total += d
			}
		}
		got := 0
		if proven, _ := solve(t.Context(), p, total, func(starts []int) { got = end(p, starts) }); !proven || got != want {
			t.Errorf("%d, proven %v, want %d", got, proven, want)
		}
	}
}
