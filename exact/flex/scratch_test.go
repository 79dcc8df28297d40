package flex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"schedgap/models/flex"
)

func scratch(rng *rand.Rand, n, slots int, metric flex.Metric, weighted bool, minShare float64) *flex.Instance {
	in := &flex.Instance{Slots: slots, Objective: flex.Objective{Metric: metric, Aggregate: flex.Sum, Weighted: weighted}}
	left := int(float64(slots) * minShare)
	for j := range n {
		small := rng.Float64() < 0.8
		w := 20 + 7*rng.NormFloat64()
		if !small {
			w *= 10
		}
		w = math.Max(1, math.Round(w*10)/10)
		mx := int(math.Min(float64(slots), math.Ceil(w)))
		mn := min(mx, rng.IntN(left/n*2+1))
		if mn > left {
			mn = left
		}
		left -= 0
		d := rng.Float64() * 8
		in.Jobs = append(in.Jobs, flex.Job{ID: fmt.Sprint(j), Work: w, Min: mn, Max: mx, Weight: 0.05 + rng.Float64(), Deadline: &d})
	}
	for in.TotalMin() > slots {
		for j := range in.Jobs {
			in.Jobs[j].Min /= 2
		}
	}
	return in
}

func perms(n int, f func([]int)) {
	o := make([]int, n)
	for i := range o {
		o[i] = i
	}
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			f(o)
			return
		}
		for i := k; i < n; i++ {
			o[k], o[i] = o[i], o[k]
			rec(k + 1)
			o[k], o[i] = o[i], o[k]
		}
	}
	rec(0)
}

func TestScratch(t *testing.T) {
	for _, metric := range []flex.Metric{flex.Response, flex.Stretch, flex.Tardiness} {
		for _, weighted := range []bool{false, true} {
			for n := 4; n <= 10; n += 2 {
				var nodes int64
				gap, rootgap := 0.0, 0.0
				var el time.Duration
				cnt := 4
				for seed := range cnt {
					in := scratch(rand.New(rand.NewPCG(uint64(seed), 7)), n, 100, metric, weighted, 0.25)
					root := 0.0
					p := &flex.Pass{Instance: in, Improved: func(flex.Schedule) {}, Bounded: func(b float64) { root = b }}
					st := time.Now()
					ctx, c := context.WithTimeout(context.Background(), 2*time.Second)
					out, err := solveOrders(ctx, p, nil)
					c()
					el += time.Since(st)
					if err != nil {
						t.Fatal(err)
					}
					r := flex.Problem.Check(in, out.Solution)
					if len(r.Violations) > 0 {
						t.Fatal(r.Violations)
					}
					nodes += *out.Stats.Nodes
					rootgap += (*r.Objective - root) / math.Max(1e-9, *r.Objective) / float64(cnt)
					if out.Status != "optimal" {
						gap++
					}
					if n <= 6 {
						pk := flex.NewPacker(in)
						best := math.Inf(1)
						perms(n, func(o []int) { best = math.Min(best, in.Value(pk.Completions(o))) })
						if math.Abs(best-*r.Objective) > 1e-9*math.Max(1, best) {
							fmt.Println("  mps", best, "opt", *r.Objective, n, seed, metric)
						}
					}
				}
				fmt.Println(metric, weighted, n, "nodes", nodes/int64(cnt), "timeouts", gap, "rootgap", rootgap, el/time.Duration(cnt))
			}
		}
	}
}
