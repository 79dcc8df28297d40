package simulation

import (
	"math"
	"math/rand/v2"

	"schedgap/models"
)

// Noise is the option of all simulators that makes the times wrong which policies see, while the engine keeps the true ones.
var Noise = models.Param{
	Name: "noise", Default: 0.0, Min: 0, Max: 10,
	Doc: "error of the times that policies see: each is the estimate times a lognormal factor of mean 1, whose logarithm has this " +
		"standard deviation; the same for all policies, 0: none",
}

// NoiseFactor is the factor by which policies misjudge the thing at the given places, such as a job and its phase. It depends
// on the seed and the places only. Its mean is 1, the standard deviation of its logarithm noise.
func NoiseFactor(seed uint64, noise float64, places ...int) float64 {
	if noise == 0 {
		return 1
	}
	stream := uint64(len(places))
	for _, p := range places {
		stream = stream*0x9e3779b97f4a7c15 + uint64(p) + 1
	}
	z := rand.New(rand.NewPCG(^seed, stream)).NormFloat64()
	return math.Exp(noise*z - noise*noise/2)
}
