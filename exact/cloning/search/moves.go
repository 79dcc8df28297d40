package search

import (
	"sync/atomic"

	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/cloning/kernel"
)

// moves holds the moves of every node, made when a node first comes up. Threads share them.
type moves struct {
	relaxation *values.Relaxation
	known      [][]atomic.Pointer[[]move] // by job and node
}

// A move has the copies of an arc, and other copies that would bring the job further.
type move struct {
	starts []start // nonpreemptive
	items  []int32 // a task of a phase in some copies, each
	adds   []int32
	raises []raise
}

// A raise is a task in more copies.
type raise struct{ from, to int32 }

func newMoves(m *values.Relaxation) *moves {
	p := &moves{relaxation: m}
	for _, g := range m.Graphs {
		p.known = append(p.known, make([]atomic.Pointer[[]move], len(g.Nodes)))
	}
	return p
}

// of are the moves of a node's arcs.
func (p *moves) of(j int, node uint16) []move {
	if list := p.known[j][node].Load(); list != nil {
		return *list
	}
	g := p.relaxation.Graphs[j]
	arcs := g.Nodes[node].Arcs
	list := make([]move, len(arcs))
	for a := range arcs {
		m := &list[a]
		if p.relaxation.Fixed {
			m.starts = startsOf(p.relaxation.Space, j, g.Graph, node, arcs[a].Copies)
			continue
		}
		for i, r := range arcs[a].Copies {
			if r > 0 {
				m.items = append(m.items, p.item(j, g, i, r))
			}
		}
		for b := range arcs {
			if !g.Ahead(arcs[b].Next, arcs[a].Next) || arcs[a].Next == arcs[b].Next {
				continue
			}
			task := moreOf(arcs[a].Copies, arcs[b].Copies)
			if task < 0 {
				continue
			}
			to := p.item(j, g, task, arcs[b].Copies[task])
			if was := arcs[a].Copies[task]; was == 0 {
				m.adds = append(m.adds, to)
			} else {
				m.raises = append(m.raises, raise{p.item(j, g, task, was), to})
			}
		}
	}
	p.known[j][node].Store(&list)
	return list
}

func (p *moves) item(j int, g *values.Graph, task int, copies uint8) int32 {
	return p.relaxation.Item(p.relaxation.First[j]+g.Phase[task], int(copies))
}

// moreOf is the task that runs in more copies in b, all others as they are in a; −1: that is not so.
func moreOf(a, b []uint8) int {
	task := -1
	for i, r := range b {
		if r < a[i] || r > a[i] && task >= 0 {
			return -1
		} else if r > a[i] {
			task = i
		}
	}
	return task
}

// A start is copies that an arc of a nonpreemptive job has on a server beyond those that run.
type start struct{ phase, server, copies int }

// startsOf lists the copies of an arc that do not run yet.
func startsOf(sp *kernel.Space, j int, g *kernel.Graph, node uint16, copies []uint8) []start {
	var list []start
	servers := len(sp.Servers)
	for c, r := range copies {
		if runs := g.Nodes[node].Running[c]; r > runs {
			list = append(list, start{sp.Jobs[j].From + g.Phase[c/servers], c % servers, int(r - runs)})
		}
	}
	return list
}
