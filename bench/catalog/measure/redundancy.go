package measure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	datasets "schedgap/datasets/redundancy"
	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// redundancyChecks are the checks for the paper on redundancy.
var redundancyChecks = map[string]Check{
	"redundancy-rules": {
		Doc:    "the rules of SRPT+R and Fair+R against sections 4.1 and 5.1, every number of jobs and machines",
		Params: []models.Param{{Name: "most", Default: 60, Min: 2, Max: 1000, Doc: "jobs and machines, at the most"}},
		Run:    redundancyRules,
	},
	"redundancy-speedup": {
		Doc: "h of four copies over intervals of different lengths",
		Params: slices.Concat(
			[]models.Param{{Name: "samples", Default: 2000, Min: 10, Max: 1e6, Doc: "machines that are observed"}}, sim.Params,
		),
		Run: redundancySpeedup,
	},
	"redundancy-flowtimes": {
		Doc: "flowtimes of SRPT+R and SRPT on instances of every family of speedups, and the sum of Lemma 5 without arrivals",
		Params: []models.Param{
			{Name: "instances", Default: 100, Min: 1, Max: 1e5, Doc: "of each kind in a block"},
		},
		Run: redundancyFlowtimes,
	},
}

func redundancyRules(_ context.Context, _ *rand.Rand, v models.Values) (map[string]float64, error) {
	most := v.Int("most")
	srpt, fair, busy, all := 0.0, 0.0, 0.0, 0.0
	for machines := 1; machines <= most; machines++ {
		for n := 1; n <= most; n++ {
			all++
			least := heuristics.SRPTRule(n, machines)
			want := sim.Allotment{Served: machines, First: 1, Others: 1, Share: 1}
			if n < machines {
				want = sim.Allotment{Served: n, First: machines - (n-1)*(machines/n), Others: machines / n, Share: 1}
			}
			if least == want {
				srpt++
			}
			latest := heuristics.FairRule(n, machines)
			if n >= machines {
				want = sim.Allotment{Served: machines * (n / machines), First: 1, Others: 1, Share: 1 / float64(n/machines)}
			}
			if latest == want {
				fair++
			}
			if math.Abs(latest.Share*float64(latest.First+(latest.Served-1)*latest.Others)-float64(machines)) < 1e-9*float64(machines) {
				busy++
			}
		}
	}
	return map[string]float64{"srpt": srpt / all, "fair": fair / all, "fair_busy": busy / all}, nil
}

func redundancySpeedup(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	numbers := map[string]float64{}
	for _, length := range []float64{0.1, 10, 100, 1000, 10_000} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := sim.Speedup(v, length, 4, v.Int("samples"), rng)
		if err != nil {
			return nil, err
		}
		numbers["h_"+strconv.FormatFloat(length, 'f', -1, 64)] = h[3] / h[0]
	}
	return numbers, nil
}

func redundancyFlowtimes(ctx context.Context, rng *rand.Rand, v models.Values) (map[string]float64, error) {
	worst, flat, lemma := 0.0, 0.0, 0.0
	for i := range v.Int("instances") {
		for _, family := range []string{"linear", "flat", "pareto", "concave"} {
			in, err := drawRedundancy(rng, map[string]any{
				"jobs": 2 + i%20, "machines": 1 + i%7, "load": 0.3 + 2*rng.Float64(), "speedup": family,
			})
			if err != nil {
				return nil, err
			}
			with, err := flowtime(ctx, in, heuristics.SRPTRule)
			if err != nil {
				return nil, err
			}
			without, err := flowtime(ctx, in, heuristics.Single(heuristics.SRPTRule))
			if err != nil {
				return nil, err
			}
			if worst = max(worst, over(with, without)); family == "flat" {
				flat = max(flat, math.Abs(with/without-1))
			}
		}
		in, err := drawRedundancy(rng, map[string]any{"jobs": 1 + i%30, "machines": 1 + i%7, "load": 0.0})
		if err != nil {
			return nil, err
		}
		got, err := flowtime(ctx, in, heuristics.Single(heuristics.SRPTRule))
		if err != nil {
			return nil, err
		}
		lemma = max(lemma, math.Abs(got/lemma5(in)-1))
	}
	return map[string]float64{"srpt+r_over_srpt": worst, "flat": flat, "lemma5": lemma}, nil
}

func drawRedundancy(rng *rand.Rand, given map[string]any) (*redundancy.Instance, error) {
	v, err := models.Resolve(datasets.Generator.Params, given)
	if err != nil {
		return nil, err
	}
	return datasets.Generator.Generate("check", v, rng)
}

// flowtime is the sum of the flowtimes under a rule over the jobs by remaining work, at speed 1.
func flowtime(ctx context.Context, in *redundancy.Instance, rule sim.Rule) (float64, error) {
	ends, err := heuristics.Completions(ctx, in, heuristics.Discipline{Rule: rule}, 1)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for j, end := range ends {
		sum += end - in.Jobs[j].Arrival
	}
	return sum, nil
}

// lemma5 is Σ ⌈(n−j+1)/M⌉·W_j over the jobs by work.
func lemma5(in *redundancy.Instance) float64 {
	works := make([]float64, len(in.Jobs))
	for j := range works {
		works[j] = in.Jobs[j].Work
	}
	slices.Sort(works)
	sum := 0.0
	for j, work := range works {
		sum += math.Ceil(float64(len(works)-j)/float64(in.Machines)) * work
	}
	return sum
}
