package stats

// A Time is how long one unit ran.
type Time struct {
	Seconds float64
	Solved  bool
	Limit   float64 // seconds; NaN: none was set
}

// PAR returns the times with every unsolved one replaced by factor times its limit, as in the penalised average run time
// PAR10 of the algorithm selection literature. A unit that was not solved and had no limit becomes NaN.
func PAR(ts []Time, factor float64) []float64 {
	xs := make([]float64, len(ts))
	for i, t := range ts {
		if t.Solved {
			xs[i] = t.Seconds
		} else {
			xs[i] = factor * t.Limit
		}
	}
	return xs
}
