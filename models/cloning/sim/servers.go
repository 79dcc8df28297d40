package sim

import (
	"slices"

	"schedgap/models/cloning"
)

// servers is what is free where.
type servers struct {
	capacity [][]float64
	free     []float64 // by server and resource
	running  []int32   // copies
	tree     firstFit

	// The servers on which copies ended since the last decision.
	dirty  []int32
	place  []int32 // in window, of a dirty server; −1 of others
	window firstFit
	most   []float64 // room of any in the window, by resource
	fewer  bool      // most may be more than there is
}

func newServers(in *cloning.Instance, factor float64) *servers {
	n, width := len(in.Servers), len(in.Resources)
	s := &servers{
		capacity: make([][]float64, n), free: make([]float64, 0, n*width), running: make([]int32, n), place: make([]int32, n),
		most: make([]float64, width),
	}
	s.tree.reset(n, width)
	for i := range in.Servers {
		s.place[i] = -1
		s.capacity[i] = in.Servers[i].Capacity
		if factor != 1 {
			scaled := make([]float64, width)
			for r, c := range s.capacity[i] {
				scaled[r] = factor * c
			}
			s.capacity[i] = scaled
		}
		s.free = append(s.free, s.capacity[i]...)
		s.tree.fill(i, s.room(i))
	}
	s.tree.build()
	return s
}

// renewLeaf is renew, but in the window only the server's own room is renewed.
func (s *servers) renewLeaf(i int) {
	room := s.room(i)
	s.tree.set(i, room)
	if p := s.place[i]; p >= 0 {
		s.window.fill(int(p), room)
		s.fewer = true
	}
}

// mostRoom is the most room of any server where copies ended, by resource.
func (s *servers) mostRoom(p Pack) []float64 {
	if p != BestFit {
		return s.window.root()
	}
	if s.fewer {
		s.window.mostOfLeaves(s.most)
		s.fewer = false
	}
	return s.most
}

// room is what a demand may be at most to fit on a server.
func (s *servers) room(i int) []float64 {
	width := s.tree.width
	room := s.tree.scratch
	for r, f := range s.free[i*width : (i+1)*width] {
		room[r] = f + cloning.FitTolerance*s.capacity[i][r]
	}
	return room
}

// take starts a copy on server i. Searches find its room as it was until renew.
func (s *servers) take(i int, demand []float64) {
	free := s.free[i*len(demand) : (i+1)*len(demand)]
	for r, d := range demand {
		free[r] -= d
	}
	s.running[i]++
}

// renew has searches find the room of server i as it is.
func (s *servers) renew(i int) {
	room := s.room(i)
	s.tree.set(i, room)
	if p := s.place[i]; p >= 0 {
		s.window.set(int(p), room)
	}
}

// give ends a copy on server i. Its room is found by the next decision.
func (s *servers) give(i int, demand []float64) {
	free := s.free[i*len(demand) : (i+1)*len(demand)]
	s.running[i]--
	if s.running[i] == 0 {
		copy(free, s.capacity[i]) // rounding errors do not outlive an idle moment
	} else {
		for r, d := range demand {
			free[r] += d
		}
	}
	if s.place[i] < 0 {
		s.place[i] = 0
		s.dirty = append(s.dirty, int32(i))
	}
}

// weights returns what a unit of each resource adds to the resource fit on server i, in the given slice if it is large enough.
func (s *servers) weights(i int, w []float64) []float64 {
	capacity := s.capacity[i]
	w = slices.Grow(w[:0], len(capacity))[:len(capacity)]
	for r, f := range s.free[i*len(w) : (i+1)*len(w)] {
		w[r] = 0
		if c := capacity[r]; c > 0 {
			w[r] = f / (c * c)
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
