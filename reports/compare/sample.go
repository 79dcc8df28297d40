package compare

import (
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A sample collects numbers by instance, several seeds of one together.
type sample struct {
	at    map[*ratio.Instance][]float64 // nil: it is left out
	order []*ratio.Instance
}

// add enters a number; an instance without one for some seed is left out.
func (s *sample) add(in *ratio.Instance, x float64, known bool) {
	if s.at == nil {
		s.at = map[*ratio.Instance][]float64{}
	}
	xs, seen := s.at[in]
	if !seen {
		s.order = append(s.order, in)
	}
	if !known || seen && xs == nil {
		s.at[in] = nil
	} else {
		s.at[in] = append(xs, x)
	}
}

// means are those of the instances, in the order in which they came.
func (s *sample) means(mean func([]float64) float64) []float64 {
	var out []float64
	for _, in := range s.order {
		if xs := s.at[in]; xs != nil {
			out = append(out, mean(xs))
		}
	}
	return out
}

// mean is the arithmetic mean of the instances' arithmetic means.
func (s *sample) mean() float64 { return stats.Mean(s.means(stats.Mean)) }
