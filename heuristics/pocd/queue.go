package pocd

import "math"

// tied rounds a key to 40 bits, about twelve digits, so that keys that are equal on paper and differ by rounding alone are
// ties, which go by file order.
func tied(key float64) float64 {
	const low = 1 << 12
	return math.Float64frombits((math.Float64bits(key) + low/2) &^ (low - 1))
}
