package pricing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	machine "schedgap/models/simulation/relaxed"
)

// A relaxed schedule keeps the capacity of some classes of servers only, and the work that fits nowhere else: shortest remaining
// time on one machine, by the surrogate that takes longest. Prices start from relaxed schedules.
type relaxed struct {
	fit  []int32   // the classes
	ends []float64 // in order
	came []float64 // arrivals, in order
	// By resource and parts of surrogates, the classes' capacity and its part in the price of a slot of the classes.
	room, share []float64
}

// scarcity is the exponent with which scarce surrogates take a larger share of the first prices.
const scarcity = 8

// newRelaxed are the relaxed schedules of all sets of classes to which some phase is confined, and a moment by which everything
// can be expected to be done.
func newRelaxed(p *instance, m relaxation) (list []*relaxed, last int) {
	path, known := 0, map[string]bool{}
	work := make([][]float64, len(p.phases)) // by resource and parts, of all tasks on the classes where they take least
	for k := range p.phases {
		ph := &p.phases[k]
		path = max(path, ph.Span+ph.Tail)
		for i, c := range m.fit[k] {
			own := m.classes[c].amounts(len(p.In.Resources), func(g *surrogate) int64 { return g.weight[k] })
			for g := range own {
				own[g] *= float64(ph.Tasks) * float64(ph.Units)
				if i > 0 {
					own[g] = min(own[g], work[k][g])
				}
			}
			work[k] = own
		}
	}
	for k := range p.phases {
		if key := fmt.Sprint(m.fit[k]); !known[key] {
			known[key] = true
			s := m.relaxed(p, m.fit[k], work)
			last = max(last, int(math.Ceil(1.4*s.ends[len(s.ends)-1])))
			list = append(list, s)
		}
	}
	return list, last + path
}

// relaxed is the relaxed schedule of some classes.
func (m *relaxation) relaxed(p *instance, fit []int32, work [][]float64) *relaxed {
	room := make([]float64, len(p.In.Resources)*(maxParts+1))
	for _, c := range fit {
		for g, v := range m.classes[c].amounts(len(p.In.Resources), func(g *surrogate) int64 { return g.capacity }) {
			room[g] += v
		}
	}
	s := &relaxed{fit: fit, room: room, share: make([]float64, len(room))}
	jobs := make([]machine.Job, len(p.In.Jobs)) // volumes are slots of the classes
	for j := range p.In.Jobs {
		jobs[j].Release = float64(p.In.Jobs[j].Arrival)
		s.came = append(s.came, jobs[j].Release)
		for g := range room {
			own := 0.0
			for k := p.First[j]; k < p.First[j+1] && room[g] > 0; k++ {
				if !slices.ContainsFunc(m.fit[k], func(c int32) bool { return !slices.Contains(fit, c) }) {
					own += work[k][g] / room[g]
				}
			}
			s.share[g] += own
			jobs[j].Volume = max(jobs[j].Volume, own)
		}
	}
	s.ends = machine.Shortest(jobs, machine.Constant(1))
	slices.Sort(s.came)
	worst, weights := max(slices.Max(s.share), math.SmallestNonzeroFloat64), 0.0
	for g, v := range s.share {
		s.share[g] = math.Pow(v/worst, scarcity)
		weights += s.share[g]
	}
	for g := range s.share {
		if s.share[g] > 0 {
			s.share[g] /= weights
		}
		if room[g] == 0 {
			room[g] = math.Inf(1)
		}
	}
	return s
}

// amounts are measures of a class's surrogates by resource and parts.
func (c *class) amounts(resources int, of func(g *surrogate) int64) []float64 {
	list := make([]float64, resources*(maxParts+1))
	for i := range c.surrogates {
		g := &c.surrogates[i]
		list[g.column()] = measured(of(g)) * c.unit(g)
	}
	return list
}

// column is a surrogate's place by resource and parts.
func (g *surrogate) column() int { return g.resource*(maxParts+1) + g.parts }

// unit is a class's measure of 1 in units that all classes share.
func (c *class) unit(g *surrogate) float64 {
	if g.parts == 0 {
		return c.largest[g.resource]
	}
	return 1
}

// unfinished is how many jobs are there at a moment and not done in the relaxed schedule, slowed down.
func (s *relaxed) unfinished(t, pace float64) float64 {
	came, _ := slices.BinarySearch(s.came, t+0.5)
	done, _ := slices.BinarySearch(s.ends, t/pace)
	return float64(max(0, came-done))
}

// newGrid is at most n intervals until the last moment: half of their ends where jobs are done in a relaxed schedule, half
// farther and farther apart.
func newGrid(list []*relaxed, last, n int) []int {
	at := []int{0, last}
	if last <= n {
		for i := range last {
			at = append(at, i)
		}
	} else {
		longest := slices.MaxFunc(list, func(a, b *relaxed) int { return cmp.Compare(a.ends[len(a.ends)-1], b.ends[len(b.ends)-1]) })
		for i := 1; i <= n/2; i++ {
			at = append(at, min(last, int(math.Round(1.2*longest.ends[i*(len(longest.ends)-1)/(n/2)]))))
			// Lengths grow in proportion to the distance from slot 1, with 8 slots to start with.
			at = append(at, int(math.Round(8*(math.Pow(float64(last)/8+1, float64(i)/float64(n/2))-1))))
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
