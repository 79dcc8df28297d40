package sim

import (
	"math"
	"slices"

	"schedgap/models/cloning"
)

// servers holds the free capacity of every server.
type servers struct {
	kinds   []kind
	kind    []int32   // by server
	running []int32   // copies, by server
	free    []float64 // by server and resource, for the resource fit
	used    []int64   // by server and resource, in units of the kind's scale: what fits
	tree    firstFit
	scratch []float64 // of room

	// The servers on which copies ended since the last decision.
	dirty  []int32
	marks  []bool  // by server
	place  []int32 // by server, in window
	window firstFit
}

// A kind is a group of servers of equal capacity.
type kind struct {
	capacity []float64
	scale    []cloning.Scale
	square   []float64 // of the capacity; 0 where a float64 has no such number, +∞ for none
}

func newServers(in *cloning.Instance, factor float64) *servers {
	n, width := len(in.Servers), len(in.Resources)
	s := &servers{
		kind: make([]int32, n), running: make([]int32, n), free: make([]float64, 0, n*width), scratch: make([]float64, width),
		used: make([]int64, n*width), marks: make([]bool, n), place: make([]int32, n),
	}
	s.tree.reset(n, width)
	var given [][]float64 // capacities, by kind
	for i := range in.Servers {
		capacity := in.Servers[i].Capacity
		k := len(given) - 1
		for oldest := max(0, len(given)-fewKinds); k >= oldest && !slices.Equal(given[k], capacity); k-- {
		}
		if k < 0 || len(given)-k > fewKinds {
			k = len(given)
			given = append(given, capacity)
			s.kinds = append(s.kinds, newKind(capacity, factor))
		}
		s.kind[i] = int32(k)
		s.free = append(s.free, s.kinds[k].capacity...)
		s.tree.fill(i, s.room(i))
	}
	s.tree.build()
	return s
}

// fewKinds bounds the kinds that a server is compared with; one that comes again after so many others may be listed twice.
const fewKinds = 8

func newKind(capacity []float64, factor float64) kind {
	k := kind{capacity: slices.Clone(capacity)}
	for r := range capacity {
		k.capacity[r] *= factor
		c := k.capacity[r]
		k.scale = append(k.scale, cloning.NewScale(c))
		square := c * c
		if c == 0 {
			square = math.Inf(1)
		} else if square < 0x1p-1022 {
			square = 0
		}
		k.square = append(k.square, square)
	}
	return k
}

// capacity is server i's, by resource.
func (s *servers) capacity(i int) []float64 { return s.kinds[s.kind[i]].capacity }

// isDirty reports whether copies ended on server i since the last decision.
func (s *servers) isDirty(i int) bool { return s.marks[i] }

// room returns the largest demand that fits on a server. It is valid until the next call.
func (s *servers) room(i int) []float64 {
	scale, room := s.kinds[s.kind[i]].scale, s.scratch
	for r, used := range s.used[i*len(room) : (i+1)*len(room)] {
		room[r] = scale[r].Most(scale[r].Room - used)
	}
	return room
}

// take starts a copy on server i. Searches find its room as it was until renew.
func (s *servers) take(i int, demand []float64) {
	free, used, scale := s.free[i*len(demand):(i+1)*len(demand)], s.used[i*len(demand):(i+1)*len(demand)], s.kinds[s.kind[i]].scale
	for r, d := range demand {
		free[r] -= d
		used[r] += scale[r].Size(d)
	}
	s.running[i]++
}

// renew has searches find the room of server i as it is.
func (s *servers) renew(i int) {
	room := s.room(i)
	s.tree.set(i, room)
	if s.isDirty(i) {
		s.window.set(int(s.place[i]), room)
	}
}

// give ends a copy on server i. Its room is found by the next decision.
func (s *servers) give(i int, demand []float64) {
	free, used, scale := s.free[i*len(demand):(i+1)*len(demand)], s.used[i*len(demand):(i+1)*len(demand)], s.kinds[s.kind[i]].scale
	s.running[i]--
	for r, d := range demand {
		free[r] += d
		used[r] -= scale[r].Size(d)
	}
	if s.running[i] == 0 {
		copy(free, s.capacity(i)) // rounding errors do not outlive an idle moment
	}
	if !s.isDirty(i) {
		s.dirty = append(s.dirty, int32(i))
		s.marks[i] = true
	}
}

// open has searches find the room that copies left which ended, and makes the window.
func (s *servers) open() {
	slices.Sort(s.dirty)
	s.window.reset(len(s.dirty), s.tree.width)
	for p, i := range s.dirty {
		room := s.room(int(i))
		s.tree.set(int(i), room)
		s.window.fill(p, room)
		s.place[i] = int32(p)
	}
	s.window.build()
}

// close ends the decision for which the window was.
func (s *servers) close() {
	for _, i := range s.dirty {
		s.marks[i] = false
	}
	s.dirty = s.dirty[:0]
}

// weights returns the contribution of a unit of each resource to the resource fit on server i, in the given slice if it is large
// enough.
func (s *servers) weights(i int, w []float64) []float64 {
	kind := &s.kinds[s.kind[i]]
	w = slices.Grow(w[:0], len(kind.square))[:len(kind.square)]
	for r, f := range s.free[i*len(w) : (i+1)*len(w)] {
		w[r] = f / kind.square[r]
		if kind.square[r] == 0 {
			w[r] = min(f/kind.capacity[r]/kind.capacity[r], math.MaxFloat64)
		}
	}
	return w
}

// fit is the resource fit of a demand on the server of the weights.
func fit(demand, weights []float64) float64 {
	sum := 0.0
	for r, d := range demand {
		sum += d * weights[r]
	}
	return sum
}
