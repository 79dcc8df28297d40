package simulation

// Golden is the increment of SplitMix64.
const Golden = 0x9e3779b97f4a7c15

// Mix is the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Mixed are the random bits of the x-th part, from 0, of a thing with the given bits.
func Mixed(bits, x uint64) uint64 { return Mix(bits + Golden*(x+1)) }

// Stream is the source of a job's draws: it depends on the seed and the job's place in the file only, so that all policies meet
// the same tasks.
func Stream(seed uint64, place int) uint64 { return Mixed(Mixed(seed, 0), uint64(place)) }

// Unit is the number in (0, 1) of random bits.
func Unit(bits uint64) float64 { return (float64(bits>>11) + 0.5) * (1. / (1 << 53)) }
