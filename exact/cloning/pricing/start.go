package pricing

import (
	"math"
	"slices"

	machine "schedgap/models/simulation/relaxed"
)

// A relaxed schedule keeps the capacity of the whole cluster only: shortest remaining time on one machine of the cluster's
// capacity, by the resource that takes longest. Prices start from it.
type relaxed struct {
	ends  []float64 // in order
	came  []float64 // arrivals, in order
	share []float64 // by resource, how long it takes over all
	last  int       // moment by which everything can be expected to be done
}

func newRelaxed(p *instance) *relaxed {
	total := p.in.Total()
	s := &relaxed{share: make([]float64, len(total))}
	volume := make([]float64, len(p.in.Jobs)) // slots of the whole cluster
	path := 0
	for j := range p.in.Jobs {
		byResource := make([]float64, len(total))
		for k := p.first[j]; k < p.first[j+1]; k++ {
			ph := &p.phases[k]
			path = max(path, ph.span+ph.tail)
			for r, d := range ph.Demand {
				if d > 0 {
					byResource[r] += d * float64(ph.Tasks) * float64(ph.units) / total[r]
				}
			}
		}
		for r, v := range byResource {
			s.share[r] += v
			volume[j] = max(volume[j], v)
		}
	}
	for j := range p.in.Jobs {
		s.came = append(s.came, float64(p.in.Jobs[j].Arrival))
	}
	s.ends = SRPT(s.came, volume)
	slices.Sort(s.came)
	s.last = int(math.Ceil(1.4*s.ends[len(s.ends)-1])) + path
	return s
}

// unfinished is how many jobs are there at a moment and not done in the relaxed schedule, slowed down.
func (s *relaxed) unfinished(t, pace float64) float64 {
	came, _ := slices.BinarySearch(s.came, t+0.5)
	done, _ := slices.BinarySearch(s.ends, t/pace)
	return float64(max(0, came-done))
}

// grid is at most n intervals until the relaxed schedule's last moment: half of their ends where jobs are done in it, half
// farther and farther apart.
func (s *relaxed) grid(n int) []int {
	if s.last <= n {
		at := make([]int, s.last+1)
		for i := range at {
			at[i] = i
		}
		return at
	}
	at := []int{0, s.last}
	for i := 1; i <= n/2; i++ {
		at = append(at, int(math.Round(1.2*s.ends[i*(len(s.ends)-1)/(n/2)])))
		// Lengths grow in proportion to the distance from slot 1, with 8 slots to start with.
		at = append(at, int(math.Round(8*(math.Pow(float64(s.last)/8+1, float64(i)/float64(n/2))-1))))
	}
	slices.Sort(at)
	at = slices.Compact(at)
	for at[len(at)-1] > s.last {
		at = at[:len(at)-1]
	}
	return at
}

// SRPT returns the completion times, in order, of the rule of shortest remaining time on one machine.
func SRPT(release, volume []float64) []float64 {
	jobs := make([]machine.Job, len(release))
	for i := range jobs {
		jobs[i] = machine.Job{Release: release[i], Volume: volume[i]}
	}
	return machine.Shortest(jobs, machine.Constant(1))
}
