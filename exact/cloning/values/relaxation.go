package values

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"schedgap/exact/verify/cloning/kernel"
)

// A Relaxation has the jobs of an instance and the sets of copies that the servers hold in a slot.
type Relaxation struct {
	*kernel.Space
	Graphs   []*Graph
	Arrival  []int // by job
	First    []int // by job, its first phase; one more at the end
	patterns *kernel.Patterns
	mu       sync.Mutex                  // guards what follows
	known    map[string]*kernel.Patterns // by open phases
	size     int
}

// maxKnown bounds the entries of the sets of all patterns that are kept.
const maxKnown = 5_000_000

// patternsOf are the patterns of the open phases, as a copy with its own work space. At prices of 0 for closed phases they earn the same.
func (m *Relaxation) patternsOf(phases []bool) *kernel.Patterns {
	key := make([]byte, len(phases))
	for k, o := range phases {
		if o {
			key[k] = 1
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.known[string(key)]
	if !ok {
		p = m.patterns.With(setsOf(m.patterns.Sets, phases))
		for _, sets := range p.Sets {
			for _, set := range sets {
				m.size += 1 + len(set)
			}
		}
		if m.size < maxKnown {
			m.known[string(key)] = p
		}
	}
	return p.With(p.Sets)
}

// setsOf are sets by class with the copies of open phases alone, each once: at prices of 0 of all others they earn the same.
func setsOf(classes [][][]Buy, open []bool) [][][]Buy {
	kept := make([][][]Buy, len(classes))
	for c, sets := range classes {
		known := map[string]bool{}
		for _, set := range sets {
			var left []Buy
			var key []byte
			for _, b := range set {
				if open[b.Phase] {
					left = append(left, b)
					key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, uint32(b.Phase)), uint32(b.Copies))
				}
			}
			if !known[string(key)] {
				known[string(key)] = true
				kept[c] = append(kept[c], left)
			}
		}
	}
	return kept
}

// Fillings are the sets of copies of open phases that a server of a class holds, without those below another; nil: all are open.
func (m *Relaxation) Fillings(class int, open []bool) [][]Buy {
	if open == nil {
		return m.patterns.Sets[class]
	}
	list := setsOf(m.patterns.Sets[class:class+1], open)[0]
	held := func(set []Buy) []int64 {
		copies := make([]int64, len(m.Phases))
		for _, b := range set {
			copies[b.Phase] = int64(b.Copies)
		}
		return copies
	}
	return slices.DeleteFunc(slices.Clone(list), func(set []Buy) bool {
		mine := held(set)
		return slices.ContainsFunc(list, func(other []Buy) bool {
			theirs := held(other)
			return kernel.NoMore(mine, theirs) && !slices.Equal(mine, theirs)
		})
	})
}

// Limits of the sets of copies that servers are listed to hold, and of the search for those that earn most together.
const (
	maxSets    = 20_000
	maxChoices = 4_000
)

// NewRelaxation makes the jobs' graphs, of some arcs at most all together, and the servers' sets of copies; nil where one of
// them is too large, or ctx ends.
func NewRelaxation(ctx context.Context, sp *kernel.Space, arcs int) *Relaxation {
	m := &Relaxation{Space: sp, known: map[string]*kernel.Patterns{}}
	sp.Arcs = min(sp.Arcs, arcs)
	for j, job := range sp.Jobs {
		g, err := sp.Graph(ctx, j)
		if err != nil {
			return nil
		}
		m.Graphs, m.Arrival, m.First = append(m.Graphs, newGraph(g)), append(m.Arrival, job.Arrival), append(m.First, job.From)
	}
	m.First = append(m.First, len(sp.Phases))
	m.patterns = sp.Patterns(maxSets, maxChoices)
	if m.patterns == nil || ctx.Err() != nil {
		return nil
	}
	return m
}

// Arcs is the number of arcs of all graphs: a table of all jobs takes time in proportion for every slot.
func (m *Relaxation) Arcs() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.next)
	}
	return n
}

// Nodes is the number of nodes of all graphs, the size of a table of all jobs for every moment.
func (m *Relaxation) Nodes() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.Nodes)
	}
	return n
}

// Worth returns, by moment from the given one on, the servers' worth in all slots after it at some prices, counting only
// phases that open allows, nil for all. Its last entry is 0.
func (m *Relaxation) Worth(prices Prices, from int, open func(k int) bool) []int64 {
	list, price := make([]bool, len(prices)), make([]int64, len(prices))
	for k := range list {
		list[k] = open == nil || open(k)
	}
	p := m.patternsOf(list)
	slots := len(prices[0])
	after := make([]int64, slots+1)
	for t := slots - 1; t >= from; t-- {
		for k := range prices {
			price[k] = int64(prices[k][t])
		}
		after[t] = after[t+1] + p.Earn(price)
	}
	return after
}
