package stats

import "slices"

// Of returns the interval of a statistic of n rows, such as a ratio of two means or the least of several: the statistic is
// computed again for every resample, whose rows are drawn together. None below two rows.
func (b Bootstrap) Of(rng Picker, n int, statistic func(rows []uint32) float64) Interval {
	if n < 2 {
		return NoInterval()
	}
	values, rows := make([]float64, b.Draws), make([]uint32, n)
	for d := range values {
		for i := range rows {
			rows[i] = rng.Uint32N(uint32(n))
		}
		values[d] = statistic(rows)
	}
	if len(Finite(values)) < len(values) {
		return NoInterval()
	}
	slices.Sort(values)
	tail := (1 - b.Level) / 2
	return Interval{Quantile(values, tail), Quantile(values, 1-tail)}
}
