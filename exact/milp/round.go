package milp

import "math"

// Above and Below move a number that was rounded to one side of what it stands for, for models that have to be read exactly: by
// one step, more than the rounding of one operation.
func Above(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

// Below is like Above, downwards.
func Below(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }

// Difference is a − b, rounded up unless it is exact.
func Difference(a, b float64) float64 {
	d := a - b
	if back := d + b; back == a && a-d == b {
		return d
	}
	return Above(d)
}
