package redundancy

import (
	"math"
	"math/bits"

	"schedgap/models/redundancy"
)

// stack is the line of Fair and LAPS: the latest arrival comes first. It is a segment tree over the jobs in the order of their
// arrivals. The served jobs are a suffix of the active ones, so that whatever an event does to them, all but the first at the
// same rate, is O(log n).
type stack struct {
	jobs   []int // by position: the jobs by arrival
	size   int   // leaves, a power of two; node v has the children 2v and 2v+1, the leaf of position i is size+i
	least  []float64
	owed   []float64 // work that every job below the node has done and least of the nodes below does not show yet
	active []int     // active jobs below the node
	work   []float64 // by position
	place  []int     // by job: its position
	head   int       // position of the first job
	from   int       // position of the last served job
	rates  [2]float64
}

func newStack(in *redundancy.Instance, arrivals []int) *stack {
	size := 1
	for size < len(arrivals) {
		size *= 2
	}
	s := &stack{
		jobs: arrivals, size: size, least: make([]float64, 2*size), owed: make([]float64, 2*size), active: make([]int, 2*size),
		work: make([]float64, len(arrivals)), place: make([]int, len(arrivals)),
	}
	for v := range s.least {
		s.least[v] = math.Inf(1)
	}
	for i, j := range arrivals {
		s.work[i], s.place[j] = in.Jobs[j].Work, i
	}
	return s
}

func (s *stack) add(j int) { s.set(s.place[j], s.work[s.place[j]], 1) }

func (s *stack) next(served int, first, others float64) float64 {
	s.head, s.from, s.rates = s.nth(1), s.nth(served), [2]float64{first, others}
	_, work := s.argmin(s.head, s.head)
	time := max(0, work) / first
	if s.from < s.head {
		_, work = s.argmin(s.from, s.head-1)
		time = min(time, max(0, work)/others)
	}
	return time
}

func (s *stack) advance(time float64) {
	s.subtract(1, 0, s.size-1, s.head, s.head, s.rates[0]*time)
	s.subtract(1, 0, s.size-1, s.from, s.head-1, s.rates[1]*time)
}

func (s *stack) finish(due bool, done func(int)) {
	for ; s.active[1] > 0; due = false {
		i, work := s.argmin(s.from, s.head)
		if math.IsInf(work, 1) || !due && work > left*s.work[i] {
			return
		}
		s.set(i, math.Inf(1), -1)
		done(s.jobs[i])
	}
}

func (s *stack) served(list []int) []int {
	for i := s.head; i >= s.from; i-- {
		if s.active[s.size+i] > 0 {
			list = append(list, s.jobs[i])
		}
	}
	return list
}

// nth is the position of the k-th active job from the latest on.
func (s *stack) nth(k int) int {
	v := 1
	for v < s.size {
		v = 2*v + 1
		if s.active[v] < k {
			k -= s.active[v]
			v--
		}
	}
	return v - s.size
}

// set gives the job of position i its remaining work and counts it.
func (s *stack) set(i int, work float64, count int) {
	for shift := bits.Len(uint(s.size)) - 1; shift > 0; shift-- {
		s.settle((s.size + i) >> shift)
	}
	v := s.size + i
	s.least[v], s.owed[v] = work, 0
	for ; v > 0; v /= 2 {
		s.active[v] += count
		if v < s.size {
			s.least[v] = min(s.least[2*v], s.least[2*v+1])
		}
	}
}

// settle passes what a node owes on to its children.
func (s *stack) settle(v int) {
	if owed := s.owed[v]; owed != 0 {
		for child := 2 * v; child <= 2*v+1; child++ {
			s.least[child] -= owed
			s.owed[child] += owed
		}
		s.owed[v] = 0
	}
}

// subtract takes work from the jobs of positions from..to, v being the node of positions low..high.
func (s *stack) subtract(v, low, high, from, to int, work float64) {
	switch {
	case to < low || high < from || s.active[v] == 0:
	case from <= low && high <= to:
		s.least[v] -= work
		s.owed[v] += work
	default:
		s.settle(v)
		middle := (low + high) / 2
		s.subtract(2*v, low, middle, from, to, work)
		s.subtract(2*v+1, middle+1, high, from, to, work)
		s.least[v] = min(s.least[2*v], s.least[2*v+1])
	}
}

// argmin finds the job with the least remaining work among positions from..to.
func (s *stack) argmin(from, to int) (int, float64) { return s.search(1, 0, s.size-1, from, to) }

func (s *stack) search(v, low, high, from, to int) (int, float64) {
	switch {
	case to < low || high < from || math.IsInf(s.least[v], 1):
		return -1, math.Inf(1)
	case v >= s.size:
		return v - s.size, s.least[v]
	}
	s.settle(v)
	middle := (low + high) / 2
	if from <= low && high <= to { // the least is below one of the children
		if s.least[2*v] <= s.least[2*v+1] {
			return s.search(2*v, low, middle, from, to)
		}
		return s.search(2*v+1, middle+1, high, from, to)
	}
	i, x := s.search(2*v, low, middle, from, to)
	if k, y := s.search(2*v+1, middle+1, high, from, to); y < x {
		return k, y
	}
	return i, x
}
