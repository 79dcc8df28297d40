package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	datasets "schedgap/datasets/speculation"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/speculation"
)

// windowChecks are the checks for the paper on speculation.
var windowChecks = map[string]Check{
	"window-complexity": {
		Doc: "the exponent with which looks of Algorithm 1 at pairs of a straggler and a slot grow with |S| > |V|, where no slot " +
			"helps anybody",
		Params: []models.Param{{Name: "slots", Default: 20, Min: 1, Max: 1000, Doc: "|V|"}},
		Run:    windowComplexity,
	},
	"window-early": {
		Doc: "windows in which the copy on the slot that is free first takes more than 1.5 times the mean over the slots (share)",
		Params: append([]models.Param{
			{Name: "windows", Default: 100, Min: 1, Max: 1e4, Doc: "number of windows"},
		}, generatorParams("slots", "heterogeneity", "contention", "data", "locality")...),
		Run: windowEarly,
	},
}

// generatorParams are some of the generator's.
func generatorParams(names ...string) []models.Param {
	var list []models.Param
	for _, p := range datasets.Generator.Params {
		for _, name := range names {
			if p.Name == name {
				list = append(list, p)
			}
		}
	}
	return list
}

func windowComplexity(ctx context.Context, _ *rand.Rand, params models.Values) (map[string]float64, error) {
	slots := params.Int("slots")
	looks := func(stragglers int) float64 {
		in := uniform(stragglers, slots, 1) // nobody saves anything
		return float64(heuristics.Looks(ctx, in, heuristics.DefaultCandidates, heuristics.Printed))
	}
	few, many := 10*slots, 1000*slots
	return map[string]float64{"exponent": math.Log(looks(many)/looks(few)) / math.Log(float64(many)/float64(few))}, ctx.Err()
}

// uniform is an instance of equal stragglers and equal slots, each free at once for a copy of one second.
func uniform(stragglers, slots int, finish float64) *speculation.Instance {
	in := &speculation.Instance{}
	row := make([]float64, slots)
	for j := range row {
		row[j] = 1
		in.Slots = append(in.Slots, speculation.Slot{ID: fmt.Sprint("v", j), Power: 1})
	}
	for i := range stragglers {
		in.Stragglers = append(in.Stragglers, speculation.Straggler{
			ID: fmt.Sprint("s", i), Finish: finish, Power: 1, Progress: 0.5, Duration: 1,
		})
		in.CopyTime = append(in.CopyTime, row)
	}
	return in
}

func windowEarly(ctx context.Context, rng *rand.Rand, params models.Values) (map[string]float64, error) {
	given := map[string]any{"stragglers": 1}
	for _, p := range generatorParams("slots", "heterogeneity", "contention", "data", "locality") {
		given[p.Name] = params[p.Name]
	}
	windows, slow := params.Int("windows"), 0
	for range windows {
		in, err := generated(ctx, given, rng)
		if err != nil {
			return nil, err
		}
		first, start, sum, n := 0.0, math.Inf(1), 0.0, 0.0
		for j, v := range in.Slots {
			if !in.Allowed(0, j) {
				continue
			}
			took := in.CopyTime[0][j]
			sum, n = sum+took, n+1
			if v.Start < start {
				first, start = took, v.Start
			}
		}
		if n > 0 && first > 1.5*sum/n {
			slow++
		}
	}
	return map[string]float64{"share": float64(slow) / float64(windows)}, nil
}

// generated is an instance of the generator.
func generated(ctx context.Context, given map[string]any, rng *rand.Rand) (*speculation.Instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	values, err := models.Resolve(datasets.Generator.Params, given)
	if err != nil {
		return nil, err
	}
	return datasets.Generator.Generate("window", values, rng)
}
