package cloning

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models/cloning"
)

// maxPatterns bounds the maximal patterns of servers in a slot; with more, copies are placed server by server.
const maxPatterns = 60

// stepsPerPattern bounds the search for patterns.
const stepsPerPattern = 100

// A kind is copies that need not be told apart on a server: of equal demand, and of tasks that may have all their copies on
// one server; otherwise of one task.
type kind struct {
	demand []float64
	limit  int  // copies on one server
	apart  bool // of one task, whose copies cannot all be on one server
}

// A room is the part of a model that gives running copies a place in one slot.
type room struct {
	kinds    []int // the kinds that may run in the slot
	classes  [][]int
	patterns [][][]int // by class, copies by place in kinds
	cols     [][]int   // by class and pattern, how many servers are filled so; or by kind and server, copies there
	placed   bool      // cols are by kind and server
}

// classes groups servers by equal capacities, nil if there are more classes than limit.
func (v *preprocessed) classes(limit int) [][]int {
	var list [][]int
	for s := range v.in.Servers {
		if len(list) > limit {
			return nil
		}
		i := slices.IndexFunc(list, func(c []int) bool { return same(v.in.Servers[c[0]].Capacity, v.in.Servers[s].Capacity) })
		if i < 0 {
			list = append(list, nil)
			i = len(list) - 1
		}
		list[i] = append(list[i], s)
	}
	return list
}

// patterns lists the maximal numbers of copies by kind that fit into a capacity, nil if there are more than limit or they are
// hard to find.
func patterns(kinds []kind, capacity []float64, limit int) [][]int {
	var list [][]int
	now, loads := make([]int, len(kinds)), cloning.NewLoads(cloning.Server{Capacity: capacity})
	steps := 0
	var try func(k int) bool
	try = func(k int) bool {
		if steps++; steps > stepsPerPattern*limit {
			return false
		}
		if k == len(kinds) {
			for q := range kinds {
				if now[q] < kinds[q].limit && loads.Fit(0, kinds[q].demand, 1) {
					return true
				}
			}
			list = append(list, slices.Clone(now))
			return len(list) <= limit
		}
		n := loads.Most(0, kinds[k].demand, kinds[k].limit)
		loads.Add(0, kinds[k].demand, n)
		for ; n >= 0; n-- {
			if now[k] = n; !try(k + 1) {
				return false
			}
			loads.Add(0, kinds[k].demand, -min(n, 1))
		}
		now[k] = 0
		return true
	}
	if !try(0) {
		return nil
	}
	return list
}

// addRoom adds to a model that the copies of some kinds, given as terms, have a place in slot t.
func (v *preprocessed) addRoom(m *milp.Model, t int, all []kind, active []int, terms [][]milp.Term,
	cache map[string][][][]int,
) room {
	r := room{kinds: active}
	if len(active) == 0 {
		return r
	}
	r.classes = v.classes(math.MaxInt)
	key := fmt.Sprint(active)
	list, ok := cache[key]
	if !ok {
		kinds := make([]kind, len(active))
		for i, k := range active {
			kinds[i] = all[k]
		}
		total := 0
		for _, c := range r.classes {
			f := patterns(kinds, v.in.Servers[c[0]].Capacity, maxPatterns)
			total += len(f)
			if f == nil || total > maxPatterns {
				list = nil
				break
			}
			list = append(list, f)
		}
		cache[key] = list
	}
	if list == nil {
		v.placeByServer(m, t, all, terms, &r)
		return r
	}
	r.patterns = list
	for c, class := range r.classes {
		one := milp.Row{Name: fmt.Sprintf("servers[%d,%d]", c, t), Lo: -milp.Inf, Hi: float64(len(class))}
		var cols []int
		for f := range list[c] {
			col := m.AddCol(milp.Col{Name: fmt.Sprintf("l[%d,%d,%d]", c, f, t), Hi: float64(len(class)), Integer: true})
			cols = append(cols, col)
			one.Terms = append(one.Terms, milp.Term{Col: col, Coef: 1})
		}
		m.Rows = append(m.Rows, one)
		r.cols = append(r.cols, cols)
	}
	for i := range active {
		row := milp.Row{Name: fmt.Sprintf("room[%d,%d]", active[i], t), Lo: -milp.Inf, Terms: slices.Clone(terms[i])}
		for c := range r.classes {
			for f, pattern := range list[c] {
				if pattern[i] > 0 {
					row.Terms = append(row.Terms, milp.Term{Col: r.cols[c][f], Coef: -float64(pattern[i])})
				}
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return r
}

func (v *preprocessed) placeByServer(m *milp.Model, t int, all []kind, terms [][]milp.Term, r *room) {
	r.placed = true
	for i, k := range r.kinds {
		var cols []int
		row := milp.Row{Name: fmt.Sprintf("room[%d,%d]", k, t), Lo: -milp.Inf, Terms: slices.Clone(terms[i])}
		for s := range v.in.Servers {
			fit := cloning.Copies(all[k].demand, v.in.Servers[s].Capacity, all[k].limit)
			col := m.AddCol(milp.Col{Name: fmt.Sprintf("n[%d,%d,%d]", k, s, t), Hi: float64(fit), Integer: true})
			cols = append(cols, col)
			row.Terms = append(row.Terms, milp.Term{Col: col, Coef: -1})
		}
		m.Rows = append(m.Rows, row)
		r.cols = append(r.cols, cols)
	}
	for s := range v.in.Servers {
		for q, c := range v.in.Servers[s].Capacity {
			var terms []milp.Term
			for i, k := range r.kinds {
				if d := all[k].demand[q]; d > 0 {
					terms = append(terms, milp.Term{Col: r.cols[i][s], Coef: d})
				}
			}
			addCapacity(m, fmt.Sprintf("capacity[%d,%d,%d]", s, q, t), c, terms, v.exact)
		}
	}
}

// set marks in a point what runs on the servers in the slot, given by server and kind.
func (r *room) set(x []float64, all []kind, content [][]int) {
	if r.placed {
		for i, k := range r.kinds {
			for s, col := range r.cols[i] {
				x[col] = float64(min(content[s][k], all[k].limit))
			}
		}
		return
	}
	for c, class := range r.classes {
		for _, s := range class {
			f := slices.IndexFunc(r.patterns[c], func(pattern []int) bool {
				for i, k := range r.kinds {
					if pattern[i] < min(content[s][k], all[k].limit) {
						return false
					}
				}
				return true
			})
			x[r.cols[c][f]]++
		}
	}
}
