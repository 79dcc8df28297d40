package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	datasets "schedgap/datasets/flex"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// flexChecks are the checks for the paper on FLEX.
var flexChecks = map[string]Check{
	"flex-scheme": {
		Doc:    "the packing scheme under random orders on instances of section 4.1, with any slack and total",
		Params: []models.Param{{Name: "instances", Default: 200, Min: 1, Max: 1e5, Doc: "in a block"}},
		Run:    flexScheme,
	},
	"flex-allocation": {
		Doc:    "flex's slots in an epoch: the minima, what is left over, and fair on top of them",
		Params: []models.Param{{Name: "instances", Default: 200, Min: 1, Max: 1e5, Doc: "in a block"}},
		Run:    flexAllocation,
	},
	"flex-rap": {
		Doc:    "the resource allocation problem against all allocations of three jobs on up to nine slots, every metric",
		Params: []models.Param{{Name: "instances", Default: 200, Min: 1, Max: 1e5, Doc: "in a block"}},
		Run:    flexRAP,
	},
	"flex-convexity": {
		Doc:    "places where the penalty is not convex in the slots, of jobs of section 4.1, by metric",
		Params: []models.Param{{Name: "instances", Default: 50, Min: 1, Max: 1e5, Doc: "in a block"}},
		Run:    flexConvexity,
	},
	"flex-larger": {
		Doc: "average response of fair and fifo over that of flex, far beyond ten jobs",
		Params: []models.Param{
			{Name: "instances", Default: 10, Min: 1, Max: 1e4, Doc: "in a block"},
			{Name: "jobs", Default: 100, Min: 1, Max: 1e6, Doc: "number of jobs"},
			{Name: "slots", Default: 1000, Min: 1, Max: 1e6, Doc: "number of slots"},
			{Name: "waves", Default: 10.0, Min: 0.1, Max: 1e6, Doc: "work of all jobs over tasks of one unit on all slots"},
		},
		Run: flexLarger,
	},
	"flex-time": {
		Doc: "milliseconds of one run of flex, the longest over metrics",
		Params: []models.Param{
			{Name: "jobs", Default: 172, Min: 1, Max: 1e6, Doc: "number of jobs"},
			{Name: "slots", Default: 200, Min: 1, Max: 1e6, Doc: "number of slots"},
		},
		Run: flexTime,
	},
}

// drawFlex makes an instance of section 4.1 with what differs from the defaults.
func drawFlex(rng *rand.Rand, given map[string]any) (*flex.Instance, error) {
	v, err := models.Resolve(datasets.Generator.Params, given)
	if err != nil {
		return nil, err
	}
	return datasets.Generator.Generate("check", v, rng)
}

// anyFlex is one with any slack, share of small jobs and total.
func anyFlex(rng *rand.Rand) (*flex.Instance, error) {
	return drawFlex(rng, map[string]any{
		"slack": rng.Float64(), "small": rng.Float64(), "total": math.Pow(10, 2.5+1.5*rng.Float64()),
	})
}

func flexScheme(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	n := v.Int("instances")
	least, most, outOfOrder := math.Inf(1), 0.0, 0.0
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := anyFlex(rng)
		if err != nil {
			return nil, err
		}
		order := rng.Perm(len(in.Jobs))
		packer := flex.NewPacker(in)
		intervals := float64(len(packer.Pack(order))) / float64(len(in.Jobs))
		least, most = min(least, intervals), max(most, intervals)
		times := packer.Completions(order)
		for i := 1; i < len(order); i++ {
			if times[order[i]] < times[order[i-1]] {
				outOfOrder++
				break
			}
		}
	}
	return map[string]float64{"least_intervals": least, "most_intervals": most, "out_of_order": outOfOrder / float64(n)}, nil
}

func flexAllocation(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	least, used, moved := math.Inf(1), math.Inf(1), 0.0
	for range v.Int("instances") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := anyFlex(rng)
		if err != nil {
			return nil, err
		}
		slots, again := make([]float64, len(in.Jobs)), make([]float64, len(in.Jobs))
		heuristics.FlexPolicy.Targets(in, slots)
		sum, usable := 0.0, 0
		for j := range in.Jobs {
			job := &in.Jobs[j]
			least = min(least, slots[j]/float64(job.Min))
			sum, usable = sum+slots[j], usable+job.Max
			job.Min = int(slots[j])
		}
		used = min(used, sum/float64(min(in.Slots, usable)))
		heuristics.FairPolicy.Targets(in, again)
		for j := range slots {
			moved = max(moved, math.Abs(slots[j]-again[j]))
		}
	}
	return map[string]float64{"least_over_minimum": least, "used": used, "moved": moved}, nil
}

// allocations calls visit with every allocation of whole slots between the jobs' minima, at least 1, and maxima.
func allocations(in *flex.Instance, visit func(s []int)) {
	s := make([]int, len(in.Jobs))
	var fill func(j, spare int)
	fill = func(j, spare int) {
		if j == len(s) {
			visit(s)
			return
		}
		for k := max(1, in.Jobs[j].Min); k <= min(spare, in.Jobs[j].Max); k++ {
			s[j] = k
			fill(j+1, spare-k)
		}
	}
	fill(0, in.Slots)
}

// moldableValue is the objective when every job holds its slots to the end.
func moldableValue(in *flex.Instance, s []int) float64 {
	times := make([]float64, len(s))
	for j := range s {
		times[j] = in.Jobs[j].Work / float64(s[j])
	}
	return in.Value(times)
}

// over is a ratio in which two values that agree to 1e-9 are equal, as when both are 0.
func over(a, b float64) float64 {
	if math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) {
		return 1
	}
	return a / b
}

func flexRAP(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	worst := map[flex.Aggregate]float64{flex.Sum: 1, flex.Max: 1}
	metrics := []flex.Metric{flex.Response, flex.Stretch, flex.Tardiness, flex.Tardy, flex.SLA}
	for i := range v.Int("instances") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		aggregate := flex.Sum
		if m := metrics[i%len(metrics)]; i%2 == 1 && m != flex.Tardy && m != flex.SLA {
			aggregate = flex.Max
		}
		in, err := drawFlex(rng, map[string]any{
			"jobs": 3, "slots": 4 + rng.IntN(6), "total": 10 * rng.Float64(), "task_work": 0.1, "slack": rng.Float64(),
			"metric": string(metrics[i%len(metrics)]), "aggregate": string(aggregate), "weighted": i%4 < 2,
		})
		if err != nil {
			return nil, err
		}
		s, ok := flex.Moldable(in)
		if !ok {
			continue
		}
		best := math.Inf(1)
		allocations(in, func(s []int) { best = min(best, moldableValue(in, s)) })
		worst[aggregate] = max(worst[aggregate], over(moldableValue(in, s), best))
	}
	printed, err := printedMinimax(4, 1)
	if err != nil {
		return nil, err
	}
	return map[string]float64{"minisum": worst[flex.Sum], "minimax": worst[flex.Max], "printed": printed}, nil
}

// printedMinimax is the makespan of two jobs on three slots, when G_j(s) = F_j(1) + … + F_j(s) is minimised as printed in section
// 3.2, over the least there is.
func printedMinimax(a, b float64) (float64, error) {
	in := &flex.Instance{
		Slots: 3, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Max},
		Jobs: []flex.Job{{ID: "a", Work: a, Min: 1, Max: 3, Weight: 1}, {ID: "b", Work: b, Min: 1, Max: 3, Weight: 1}},
	}
	least, minimax, best := math.Inf(1), 0.0, math.Inf(1)
	allocations(in, func(s []int) {
		g := 0.0
		for j := range s {
			for i := 1; i <= s[j]; i++ {
				g += in.Jobs[j].Work / float64(i)
			}
		}
		value := moldableValue(in, s)
		best = min(best, value)
		if g < least {
			least, minimax = g, value
		}
	})
	if best <= 0 || math.IsInf(best, 1) {
		return 0, fmt.Errorf("two jobs of works %v and %v have no allocation", a, b)
	}
	return minimax / best, nil
}

func flexConvexity(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	numbers := map[string]float64{}
	for _, metric := range []flex.Metric{flex.Response, flex.Stretch, flex.Tardiness, flex.Lateness, flex.Tardy, flex.SLA} {
		numbers[string(metric)] = 0
		for range v.Int("instances") {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			in, err := drawFlex(rng, map[string]any{"metric": string(metric)})
			if err != nil {
				return nil, err
			}
			for j := range in.Jobs {
				f := func(s int) float64 { return in.Penalty(j, in.Jobs[j].Work/float64(s)) }
				for s := 2; s < in.Jobs[j].Max; s++ {
					if f(s-1)+f(s+1) < 2*f(s)-1e-9*max(1, math.Abs(f(s))) {
						numbers[string(metric)]++
					}
				}
			}
		}
	}
	return numbers, nil
}

func flexLarger(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	n := v.Int("instances")
	fair, fifo := 0.0, 0.0
	for range n {
		in, err := drawFlex(rng, map[string]any{
			"jobs": v.Int("jobs"), "slots": v.Int("slots"), "total": v.Float("waves") * float64(v.Int("slots")),
		})
		if err != nil {
			return nil, err
		}
		var values []float64
		for _, a := range []*flex.Algorithm{heuristics.Flex, heuristics.Fair, heuristics.FIFO} {
			out, err := a.Run(ctx, &flex.Pass{Instance: in, Params: models.Defaults(a.Params)})
			if err != nil {
				return nil, err
			}
			report := flex.Problem.Check(in, out.Solution)
			if report.Objective == nil {
				return nil, fmt.Errorf("%s leaves jobs undone", a.Name)
			}
			values = append(values, *report.Objective)
		}
		fair += values[1] / values[0] / float64(n)
		fifo += values[2] / values[0] / float64(n)
	}
	return map[string]float64{"fair_over_flex": fair, "fifo_over_flex": fifo}, nil
}

func flexTime(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	longest := 0.0
	for _, metric := range []flex.Metric{flex.Response, flex.Tardy, flex.SLA} {
		in, err := drawFlex(rng, map[string]any{
			"jobs": v.Int("jobs"), "slots": v.Int("slots"), "total": 10 * float64(v.Int("slots")), "metric": string(metric),
		})
		if err != nil {
			return nil, err
		}
		pass, least := &flex.Pass{Instance: in, Params: models.Defaults(heuristics.Flex.Params)}, math.Inf(1)
		for range 20 { // the least is the time without what else the machine does
			start := time.Now()
			if _, err := heuristics.Flex.Run(ctx, pass); err != nil {
				return nil, err
			}
			least = min(least, time.Since(start).Seconds())
		}
		longest = max(longest, 1000*least)
	}
	return map[string]float64{"milliseconds": longest}, nil
}
