package simulation

// SplitMixStep is the increment of SplitMix64.
const SplitMixStep = 0x9e3779b97f4a7c15

// SplitMix64 is the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func SplitMix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// SubStream are the random bits of the x-th part, from 0, of a thing with the given bits.
func SubStream(bits, x uint64) uint64 { return SplitMix64(bits + SplitMixStep*(x+1)) }

// Stream is the source of a job's draws: it depends on the seed and the job's place in the file only, so that all policies meet
// the same tasks.
func Stream(seed uint64, place int) uint64 { return SubStream(SubStream(seed, 0), uint64(place)) }

// Unit is the number in (0, 1) of random bits.
func Unit(bits uint64) float64 { return (float64(bits>>11) + 0.5) * (1. / (1 << 53)) }
