package measure

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// redundancyChecks are the checks for the paper on redundancy.
var redundancyChecks = map[string]Check{
	"redundancy-speedup": {
		Doc: "h of four copies over intervals of different lengths",
		Params: slices.Concat(
			[]models.Param{{Name: "samples", Default: 2000, Min: 10, Max: 1e6, Doc: "machines that are observed"}}, sim.Params,
		),
		Run: redundancySpeedup,
	},
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
