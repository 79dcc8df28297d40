package cloning

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
	"schedgap/models/cloning"
)

// A strongPage writes the rows of the page's section on strong out for two jobs of one task each that fills a server, from the page's
// symbols alone. Progress is in halves of a slot's.
type strongPage struct {
	arrival []int
	need    []int
	gain    [][]int
	servers int
	most    int // copies of a task on a server
	due     []int
	rows    map[string]map[string]float64
	bounds  map[string][2]float64
	whole   map[string]float64 // columns with their upper bounds
	cost    map[string]float64
}

// states are a job's, numbered as they are found, with the next state of each number of copies; the last of a list has as many copies
// as change anything.
func (p *strongPage) states(j int) (next [][]int, end int, free []int) {
	need := p.need[j]
	sums := map[int]bool{0: true}
	for at := 0; at < need; at++ {
		for _, g := range p.gain[j] {
			sums[at+g] = sums[at+g] || sums[at]
		}
	}
	number, order := map[int]int{0: 0}, []int{0}
	for s := 0; s < len(order); s++ {
		next = append(next, nil)
		for r := 0; r <= len(p.gain[j]); r++ {
			progress := order[s]
			if r > 0 {
				progress = min(need, progress+p.gain[j][r-1])
			}
			left := need - progress
			for r > 0 && !sums[left] {
				left++
			}
			at, known := number[need-left]
			if !known {
				at = len(order)
				number[need-left], order = at, append(order, need-left)
			}
			if r > 0 && at == next[s][r-1] || order[s] == need {
				break // of as many copies as change anything
			}
			next[s] = append(next[s], at)
		}
	}
	end = number[need]
	for s := range order {
		slots := 0
		for at := s; at != end; slots++ {
			at = next[at][len(next[at])-1]
		}
		free = append(free, slots)
	}
	return next, end, free
}

func (p *strongPage) add(row, column string, coef float64) {
	if p.rows[row] == nil {
		p.rows[row] = map[string]float64{}
	}
	p.rows[row][column] += coef
}

func (p *strongPage) write() {
	names := []string{"a", "b"}
	copies := map[int]map[int]map[string]int{} // by slot and job
	for j := range p.arrival {
		next, end, free := p.states(j)
		reached := map[int]bool{0: true}
		for t := p.arrival[j]; t < p.due[j]; t++ {
			then := map[int]bool{}
			for s := range next {
				if !reached[s] || s == end {
					continue
				}
				row := fmt.Sprintf("flow_%s_%d_%d", names[j], t, s)
				start := 0.0
				if t == p.arrival[j] {
					start = 1
				}
				p.bounds[row] = [2]float64{start, start}
				for r, to := range next[s] {
					if t+1+free[to] > p.due[j] {
						continue
					}
					x := fmt.Sprintf("x_%s_%d_%d_%d", names[j], t+1, s, r)
					p.whole[x] = 1
					p.add(row, x, 1)
					if to == end {
						p.cost[x] = float64(t + 1 - p.arrival[j])
					} else {
						p.add(fmt.Sprintf("flow_%s_%d_%d", names[j], t+1, to), x, -1)
					}
					then[to] = true
					if r > 0 {
						if copies[t+1] == nil {
							copies[t+1] = map[int]map[string]int{}
						}
						if copies[t+1][j] == nil {
							copies[t+1][j] = map[string]int{}
						}
						copies[t+1][j][x] = r
					}
				}
			}
			reached = then
		}
	}
	for t, jobs := range copies {
		p.slot(t, jobs)
	}
}

// slot adds the rows of a slot in which jobs may run copies, by arc.
func (p *strongPage) slot(t int, jobs map[int]map[string]int) {
	open := slices.Sorted(maps.Keys(jobs))
	apart := slices.ContainsFunc(open, func(j int) bool { return len(p.gain[j]) > p.most })
	groups, alike := 1, float64(p.servers)
	if apart {
		groups, alike = p.servers, 1
	}
	l := func(g, j int) string { return fmt.Sprintf("l_%d_%d_%d", g, slices.Index(open, j), t) } // a filling is a copy of one job
	for g := range groups {
		row := fmt.Sprintf("servers_%d_%d", g, t)
		p.bounds[row] = [2]float64{math.Inf(-1), alike}
		for _, j := range open {
			p.add(row, l(g, j), 1)
			p.whole[l(g, j)] = alike
		}
	}
	for _, j := range open {
		most := min(p.servers-1, (len(p.gain[j])-1)/p.most)
		if !apart || len(p.gain[j]) <= p.most {
			most = 0
		}
		var outs [][]int // sets of servers left out, those with the first servers last
		for set := range 1 << groups {
			var out []int
			for g := range groups {
				if set>>(groups-1-g)&1 == 1 {
					out = append(out, g)
				}
			}
			if len(out) <= most {
				outs = append(outs, out)
			}
		}
		for i, out := range outs {
			row := fmt.Sprintf("capacity_%d_%d_%d", j, i, t)
			used := false
			for x, r := range jobs[j] {
				if n := r - p.most*len(out); n > 0 {
					p.add(row, x, float64(n))
					used = true
				}
			}
			for g := range groups {
				if used && !slices.Contains(out, g) {
					p.add(row, l(g, j), -1)
				}
			}
			if used {
				p.bounds[row] = [2]float64{math.Inf(-1), 0}
			}
		}
	}
}

// The rows of the page's section on strong, written out by the test for instances of two jobs, are those of the files that export
// writes. The page has every family, and no other.
func TestStrongPage(t *testing.T) {
	page := milptest.Families(t, "../../docs/design/cloning.md", "The model strong in symbols")
	seen := map[string]bool{}
	for _, c := range []struct{ perServer, servers, arrival, best int }{{1, 2, 1, 4}, {2, 2, 1, 4}, {2, 1, 1, 5}, {1, 2, 0, 4}} {
		phase := func(mean float64, speedup ...float64) []cloning.Phase {
			return []cloning.Phase{{ID: "p", Tasks: 1, Demand: []float64{1, 0.5}, Mean: mean, Speedup: speedup}}
		}
		in := &cloning.Instance{
			Resources: []string{"cpu", "mem"}, MaxCopies: 2, MaxCopiesPerServer: c.perServer,
			Jobs: []cloning.Job{{ID: "a", Phases: phase(3, 1, 1.5)}, {ID: "b", Arrival: c.arrival, Phases: phase(1, 1, 1)}},
		}
		in.Name = "page"
		for s := range c.servers {
			in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", s), Capacity: []float64{1, 1}})
		}
		m := milptest.Exported(t, func(w io.Writer) error { return Models.Write(w, in, "strong", "lp") })
		p := &strongPage{
			arrival: []int{0, c.arrival}, need: []int{6, 2}, gain: [][]int{{2, 3}, {2}}, servers: c.servers, most: c.perServer,
			rows: map[string]map[string]float64{}, bounds: map[string][2]float64{}, whole: map[string]float64{}, cost: map[string]float64{},
		}
		if c.servers == 1 {
			p.gain[0] = p.gain[0][:1] // a second copy has no room, so that it does not matter
		}
		p.compare(t, in, m, c.best, seen)
	}
	if !maps.Equal(seen, page) {
		t.Errorf("families of the files: %v, of the page: %v", slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(page)))
	}
}

// compare compares with a file's model, given the flowtime of the best schedule, which the export starts from.
func (p *strongPage) compare(t *testing.T, in *cloning.Instance, m *milp.Model, best int, seen map[string]bool) {
	t.Helper()
	alone := make([]int, len(p.need))
	for j := range alone {
		_, _, free := p.states(j)
		alone[j] = p.arrival[j] + free[0]
	}
	p.due = []int{best + p.arrival[0] + p.arrival[1] - alone[1], best + p.arrival[0] + p.arrival[1] - alone[0]}
	p.write()
	p.rows["cutoff"] = p.cost
	p.bounds["cutoff"] = [2]float64{math.Ceil(bounds.Lower(in) - 1e-6), float64(best)}
	if p.bounds["cutoff"][0] < float64(best) { // a file has one relation a row
		p.rows["cutoff_hi"], p.bounds["cutoff_hi"] = p.cost, [2]float64{math.Inf(-1), float64(best)}
		p.bounds["cutoff"] = [2]float64{p.bounds["cutoff"][0], math.Inf(1)}
	}
	if len(m.Rows) != len(p.rows) || len(m.Cols) != len(p.whole) {
		t.Errorf("the file has %d rows and %d columns, the page %d and %d", len(m.Rows), len(m.Cols), len(p.rows), len(p.whole))
	}
	for _, c := range m.Cols {
		most, known := p.whole[c.Name]
		if whole := c.Name[0] == 'x' || p.servers > 1; !known || c.Lo != 0 || c.Hi != most || c.Integer != whole || c.Cost != p.cost[c.Name] {
			t.Errorf("%+v, on the page up to %v, whole %v, at %v", c, most, whole, p.cost[c.Name])
		}
	}
	for _, r := range m.Rows {
		family, _, _ := strings.Cut(r.Name, "_")
		seen[family] = true
		terms := map[string]float64{}
		for _, at := range r.Terms {
			terms[m.Cols[at.Col].Name] += at.Coef
		}
		if !maps.Equal(terms, p.rows[r.Name]) || [2]float64{r.Lo, r.Hi} != p.bounds[r.Name] {
			t.Errorf("%s is %v in [%v, %v], on the page %v in %v", r.Name, terms, r.Lo, r.Hi, p.rows[r.Name], p.bounds[r.Name])
		}
	}
}
