// Package decoder turns keys of phases into preemptive schedules of cloning, as random keys are decoded (Bean, Genetic Algorithms
// and Random Keys for Sequencing and Optimization, ORSA Journal on Computing 1994), and searches over keys.
//
// In every slot the r-th copies of the tasks of each phase that may run are an item with a key of its own. Items, least key
// first, are put on the first servers with room, small servers first, all copies of an item that fit on a server at once. Copies
// may stop and move between slots, so the copies of a slot depend only on the number of tasks left in each phase.
package decoder

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/cloning"
)

// A Model is the immutable description of an instance that its decoders share.
type Model struct {
	in        *cloning.Instance
	phases    []phase
	first     []int32 // by job, its first phase; one more at the end
	itemPhase []int32 // by item
	arrivals  []int32 // jobs by arrival
	total     []float64

	width   int
	servers []int32         // of the instance, small ones first
	room    []int64         // by server in that order and resource
	scales  []cloning.Scale // by class and resource
	blocks  []block
	blockOf []int32 // by server in that order
	// Of empty servers, the most by resource and block, and by resource and class.
	roomiest, largest []int64

	classes [][]float64 // the largest capacities of each
	kinds   []int32     // the first servers of each capacity, and the number of servers
}

// A block is servers next to each other, from..to−1, whose capacities are counted in the same units, those of class.
type block struct{ from, to, class int32 }

type phase struct {
	*cloning.Phase
	job      int32
	children []int32
	item     int32     // of its first copies; those of r-th ones are item + r − 1
	copies   int32     // of a task that matter
	gains    []float64 // −log(h(r) − h(r−1)) by r − 1, and very little for each copy before
	crowded  int       // copies of the phase on one server, at most
	kinds    []int32   // the kinds of servers, those that suit best first
	sizes    []int64   // of the demand, by class and resource
}

// maxCopies bounds the copies of a task that are planned.
const maxCopies = 64

func New(in *cloning.Instance) *Model {
	m := &Model{in: in, width: len(in.Resources), total: in.Total()}
	m.sortServers()
	for j := range in.Jobs {
		m.arrivals = append(m.arrivals, int32(j))
		base := len(m.phases)
		m.first = append(m.first, int32(base))
		children := in.Jobs[j].Children()
		for k := range in.Jobs[j].Phases {
			p := phase{Phase: &in.Jobs[j].Phases[k], job: int32(j), item: int32(len(m.itemPhase))}
			for _, q := range children[k] {
				p.children = append(p.children, int32(base+q))
			}
			m.measure(&p)
			for range p.copies {
				m.itemPhase = append(m.itemPhase, int32(len(m.phases)))
			}
			m.phases = append(m.phases, p)
		}
	}
	m.first = append(m.first, int32(len(m.phases)))
	slices.SortStableFunc(m.arrivals, func(a, b int32) int { return cmp.Compare(in.Jobs[a].Arrival, in.Jobs[b].Arrival) })
	return m
}

// tie has the first copies of all phases with the same key come before second ones where these gain as much.
const tie = 1e-9

// measure finds the copies of a task that matter and the room that they take.
func (m *Model) measure(p *phase) {
	for c := range len(m.scales) / m.width {
		for r, d := range p.Demand {
			p.sizes = append(p.sizes, m.scales[c*m.width+r].Size(d))
		}
	}
	p.kinds = m.likes(p.Demand)
	most := min(m.in.MaxCopies, maxCopies, len(p.Speedup))
	room := 0 // for copies of a task in the empty cluster
	for i, v := range m.kinds[:len(m.kinds)-1] {
		here := m.fitting(m.room[int(v)*m.width:], p.sizes[int(m.blocks[m.blockOf[v]].class)*m.width:], p.Tasks*most)
		p.crowded = max(p.crowded, here)
		room += min(here, m.in.MaxCopiesPerServer, most) * int(min(int32(most), m.kinds[i+1]-v))
	}
	most = p.Helpful(min(most, room))
	p.copies = int32(most)
	before := 0.0
	for r, h := range p.Speedup[:most] {
		p.gains = append(p.gains, tie*float64(r)-math.Log(max(h-before, 1e-300)))
		before = h
	}
}

// likes orders the kinds of servers for a demand: first the ones on which the demand takes about the same share of every
// resource, so that the rest stays useful, and among these the small ones first.
func (m *Model) likes(demand []float64) []int32 {
	n := len(m.kinds) - 1
	kinds, score := make([]int32, n), make([]float64, n)
	most := slices.Max(demand)
	for i, v := range m.kinds[:n] {
		kinds[i] = int32(i)
		low, high, size := math.Inf(1), 0., 0.
		for r, c := range m.in.Servers[m.servers[v]].Capacity {
			if c > 0 && most > 0 {
				share := max(demand[r], 1e-3*most) / c
				low, high, size = min(low, share), max(high, share), size+c/m.total[r]
			}
		}
		if high > 0 {
			score[i] = math.Log(high/low) + 0.5*math.Log(size)
		}
	}
	if n*len(m.in.Jobs) < maxLikes {
		slices.SortStableFunc(kinds, func(a, b int32) int { return cmp.Compare(score[a], score[b]) })
	}
	return kinds
}

// maxLikes bounds kinds of servers times jobs where orders of kinds are kept.
const maxLikes = 1 << 22

// fitting is how many copies of the given sizes find room, at most limit.
func (m *Model) fitting(room, sizes []int64, limit int) int {
	for r := range m.width {
		if size := sizes[r]; size > 0 {
			limit = int(min(int64(limit), room[r]/size))
		}
	}
	return limit
}

// sortServers orders servers by the sum of their shares of the cluster's capacities, and puts them into blocks.
func (m *Model) sortServers() {
	n := len(m.in.Servers)
	size := make([]float64, n)
	for v := range m.in.Servers {
		m.servers = append(m.servers, int32(v))
		for r, c := range m.in.Servers[v].Capacity {
			if c > 0 {
				size[v] += c / m.total[r]
			}
		}
	}
	capacity := func(v int32) []float64 { return m.in.Servers[v].Capacity }
	slices.SortStableFunc(m.servers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(size[a], size[b]), slices.Compare(capacity(a), capacity(b)))
	})
	longest := max(8, int32(math.Sqrt(float64(n))))
	m.blockOf = make([]int32, n)
	for at, v := range m.servers {
		class := m.class(capacity(v))
		if at == 0 || !slices.Equal(capacity(v), capacity(m.servers[at-1])) {
			m.kinds = append(m.kinds, int32(at))
		}
		for _, c := range capacity(v) {
			m.room = append(m.room, cloning.NewScale(c).Room)
		}
		b := len(m.blocks) - 1
		if b < 0 || m.blocks[b].class != class || int32(at)-m.blocks[b].from == longest {
			m.blocks = append(m.blocks, block{from: int32(at), class: class})
			b++
		}
		m.blocks[b].to, m.blockOf[at] = int32(at)+1, int32(b)
	}
	m.kinds = append(m.kinds, int32(n))
	m.roomiest, m.largest = make([]int64, len(m.blocks)*m.width), make([]int64, len(m.scales))
	for b := range m.blocks {
		m.roomIn(b, m.room, m.roomiest)
	}
	highest(m, m.roomiest, m.largest)
}

// class returns the class of capacities with the same units. Its scales come from the largest capacities in it.
func (m *Model) class(capacity []float64) int32 {
	same := func(a, b float64) bool {
		_, x := math.Frexp(a)
		_, y := math.Frexp(b)
		return x == y && (a == 0) == (b == 0)
	}
	for c := 0; c < len(m.classes); c++ {
		if slices.EqualFunc(m.classes[c], capacity, same) {
			for r, v := range capacity {
				if v > m.classes[c][r] {
					m.classes[c][r] = v
					m.scales[c*m.width+r] = cloning.NewScale(v)
				}
			}
			return int32(c)
		}
	}
	m.classes = append(m.classes, slices.Clone(capacity))
	for _, v := range capacity {
		m.scales = append(m.scales, cloning.NewScale(v))
	}
	return int32(len(m.classes) - 1)
}

// roomIn finds the most that is free on a server of a block, by resource.
func (m *Model) roomIn(b int, free, most []int64) {
	w := m.width
	most = most[b*w : (b+1)*w]
	clear(most)
	for at := int(m.blocks[b].from) * w; at < int(m.blocks[b].to)*w; at += w {
		for r, f := range free[at : at+w] {
			most[r] = max(most[r], f)
		}
	}
}

// highest finds the most of the blocks of each class.
func highest(m *Model, most, top []int64) {
	clear(top)
	for b := range m.blocks {
		at := int(m.blocks[b].class) * m.width
		for r, f := range most[b*m.width : (b+1)*m.width] {
			top[at+r] = max(top[at+r], f)
		}
	}
}
