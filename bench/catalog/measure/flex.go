package measure

import (
	"context"
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
	"flex-rap": {
		Doc:    "the resource allocation problem against all allocations of three jobs on up to nine slots, every metric",
		Params: []models.Param{{Name: "instances", Default: 200, Min: 1, Max: 1e5, Doc: "in a block"}},
		Run:    flexRAP,
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
	return map[string]float64{"minisum": worst[flex.Sum], "minimax": worst[flex.Max]}, nil
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
