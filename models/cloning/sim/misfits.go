package sim

import "slices"

// knownMisfits holds demands for which no server has room. As room only shrinks during a decision, what demands no less of any
// resource need not be tried until the next one.
type knownMisfits struct {
	demands [][]float64 // none within another
}

// maxNowhere bounds the demands that are kept, which are gone through one by one.
const maxNowhere = 16

func (l *knownMisfits) clear() { l.demands = l.demands[:0] }

func (l *knownMisfits) add(demand []float64) {
	if l.has(demand) {
		return
	}
	l.demands = slices.DeleteFunc(l.demands, func(d []float64) bool { return within(demand, d) })
	if len(l.demands) < maxNowhere {
		l.demands = append(l.demands, demand)
	}
}

// has reports whether a demand is known to fit on no server.
func (l *knownMisfits) has(demand []float64) bool {
	for _, d := range l.demands {
		if within(d, demand) {
			return true
		}
	}
	return false
}
