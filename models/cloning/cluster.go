package cloning

import "math"

// FitTolerance is the excess over a capacity, relative to it, that the definition puts down to rounding. It lies well within what
// the checker forgives.
const FitTolerance = 1e-9

// Limit is the largest total demand of copies on a server for a resource of the given capacity: 1 + FitTolerance times the
// capacity. The float64 1 + FitTolerance is rounded up, so adding FitTolerance times the capacity gives no more.
func Limit(capacity float64) float64 { return capacity * (1 + FitTolerance) }

// A Scale counts amounts of one resource of a server in whole units, between 2^-60 and 2^-59 of its capacity. Whether copies fit
// is a matter of these numbers alone, so that neither order nor rounding matters: all sizes together are at most Room. Sizes of
// 1/128 of the capacity and more, and Room, are exact.
type Scale struct {
	Room  int64
	limit float64
	unit  float64
	per   float64 // units by amount, 0 where a float64 has no such number
	shift int
}

const scaleBits = 60

// NewScale is the scale of a capacity ≥ 0. Its Room is at most 2^61.
func NewScale(capacity float64) Scale {
	_, exponent := math.Frexp(capacity)
	s := Scale{limit: Limit(capacity), unit: math.Ldexp(1, exponent-scaleBits), shift: scaleBits - exponent}
	s.Room = int64(math.Ldexp(s.limit, s.shift))
	s.per = math.Ldexp(1, s.shift)
	if math.IsInf(s.per, 0) {
		s.per = 0
	}
	return s
}

// Size is a demand ≥ 0 in units, rounded up; more than Room where the demand alone does not fit.
func (s Scale) Size(demand float64) int64 {
	switch {
	case demand == 0:
		return 0
	case demand > s.limit:
		return s.Room + 1
	}
	units := demand * s.per
	if s.per == 0 {
		units = math.Ldexp(demand, s.shift)
	}
	return max(1, int64(math.Ceil(units)))
}

// Most is the largest demand of at most so many units, 0 to Room.
func (s Scale) Most(units int64) float64 {
	if units == s.Room {
		return s.limit
	}
	whole := float64(units)
	if int64(whole) > units {
		whole = math.Nextafter(whole, 0)
	}
	demand := whole * s.unit
	if s.unit < leastUnit {
		demand = math.Ldexp(whole, -s.shift)
		if s.Size(demand) > units {
			demand = math.Nextafter(demand, 0)
		}
	}
	return demand
}

// leastUnit is the least unit whose products are exact.
const leastUnit = 0x1p-1022

// Copies is how many copies of a demand fit on an empty server of the given capacity, both by resource, at most limit.
func Copies(demand, capacity []float64, limit int) int {
	for r, d := range demand {
		if d > 0 {
			s := NewScale(capacity[r])
			limit = int(min(int64(limit), s.Room/s.Size(d)))
		}
	}
	return limit
}

// Fits reports whether a copy of a demand fits on an empty server of the given capacity.
func Fits(demand, capacity []float64) bool { return Copies(demand, capacity, 1) == 1 }

// MostCopies bounds the copies of all tasks of an instance file together.
const MostCopies = maxTasks * maxMaxCopies

// Loads are the demands of the copies running on servers.
type Loads struct {
	Used   []int64 // whole units, by server and resource
	scales []Scale
	width  int
}

// NewLoads returns the loads of empty servers.
func NewLoads(servers ...Server) Loads {
	l := Loads{width: len(servers[0].Capacity)}
	for i := range servers {
		for _, c := range servers[i].Capacity {
			l.scales = append(l.scales, NewScale(c))
		}
	}
	l.Used = make([]int64, len(l.scales))
	return l
}

// Empty are loads of the same servers with nothing on them.
func (l Loads) Empty() Loads {
	l.Used = make([]int64, len(l.scales))
	return l
}

// On returns the load of a server.
func (l Loads) On(server int) []int64 { return l.Used[server*l.width : (server+1)*l.width] }

// Fit reports whether n ≥ 1 copies of a demand find room on a server.
func (l Loads) Fit(server int, demand []float64, n int) bool {
	at := server * l.width
	for r, d := range demand {
		if d == 0 {
			continue
		}
		size, left := l.scales[at+r].Size(d), l.scales[at+r].Room-l.Used[at+r]
		if size > left || n > 1 && int64(n) > left/size {
			return false
		}
	}
	return true
}

// Most is how many copies of a demand find room on a server, at most limit.
func (l Loads) Most(server int, demand []float64, limit int) int {
	at := server * l.width
	for r, d := range demand {
		if size := l.scales[at+r].Size(d); size > 0 {
			limit = int(min(int64(limit), (l.scales[at+r].Room-l.Used[at+r])/size))
		}
	}
	return limit
}

// Add puts n copies that fit on a server, or takes −n away.
func (l Loads) Add(server int, demand []float64, n int) {
	at := server * l.width
	for r, d := range demand {
		l.Used[at+r] += int64(n) * l.scales[at+r].Size(d)
	}
}

// Total returns the cluster's summed capacity by resource.
func (in *Instance) Total() []float64 {
	total := make([]float64, len(in.Resources))
	for i := range in.Servers {
		for r, c := range in.Servers[i].Capacity {
			total[r] += c
		}
	}
	return total
}

// Work returns for each resource the amount that the originals hold, in its units times slots, if all take their mean durations.
func (in *Instance) Work() []float64 {
	work := make([]float64, len(in.Resources))
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			p := &in.Jobs[j].Phases[k]
			for r, d := range p.Demand {
				work[r] += float64(float64(p.Tasks) * p.Mean * d)
			}
		}
	}
	return work
}

// DominantShare is d, the largest share of the cluster's capacity that demand takes of a resource (DollyMP eq. 15); total is
// Instance.Total.
func DominantShare(demand, total []float64) float64 {
	share := 0.0
	for r, d := range demand {
		if d > 0 {
			share = max(share, d/total[r])
		}
	}
	return share
}
