package cloning

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"schedgap/exact/cloning/values"
	"schedgap/exact/verify"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// Limits of the pass that makes a proof.
const (
	provenCells  = 40_000_000 // numbers in states that are kept or open
	provenFirst  = 5_000      // found before prices are looked for
	provenTasks  = 60         // up to which states are looked for before prices
	provenRounds = 200        // of the ascent of prices
	weightUnits  = 1 << 20    // of the largest weight of a gauge
)

// prove makes the proof of a regime's optimum: prices where they reach it, else all partial schedules from moment to moment, as far
// as the context allows. The space is the verifier's, so that both find the same states; it need not be trusted here. first is how many
// states are found before prices are looked for. There is no claim where the instance is too large for a space.
func prove(ctx context.Context, in *cloning.Instance, s cloning.Solution, value float64, fixed bool, first int) (*proof.Claim, error) {
	moved, origin := fromFirst(in)
	v := newView(moved)
	if !searchable(v) {
		return nil, nil
	}
	guide := &verify.CloningGuide{}
	for _, g := range v.gauges {
		guide.Gauges = append(guide.Gauges, g.whole())
	}
	sp, err := verify.NewCloningSpace(in, fixed, guide)
	if err != nil {
		return nil, nil
	}
	m := &moments{sp: sp, fixed: fixed, target: int(value), limit: first, cells: v.cells(fixed)}
	if v.tasks <= provenTasks {
		m.follow(ctx)
	}
	if m.bound() < m.target {
		if priced := pricedSpace(ctx, in, v, later(s, -origin), m.target, fixed, guide); priced != nil {
			m.sp = priced
		}
		m.limit = math.MaxInt
		m.climb(ctx)
	}
	bound := float64(m.bound())
	line := scheduleOf(s)
	claim := &proof.Claim{Kind: verify.CloningMoments, Bound: &bound, Lines: append([]any{line}, m.lines(guide)...)}
	if cost, err := line.Cost(in, fixed); err == nil && float64(cost) == bound {
		claim.Value = &bound
	}
	return claim, nil
}

// cells are the numbers that a state of a proof has, and what else it takes in memory.
func (v *view) cells(fixed bool) int {
	n := v.tasks + 20
	if fixed {
		n += v.tasks * len(v.in.Servers)
	}
	return n
}

// pricedSpace adds prices of copies by slot to the guide; nil where the jobs have too many states.
func pricedSpace(
	ctx context.Context, in *cloning.Instance, v *view, s cloning.Solution, target int, fixed bool, guide *verify.CloningGuide,
) *verify.CloningSpace {
	market := newMarket(ctx, newStates(v), fixed)
	if market == nil {
		return nil
	}
	ascent := values.NewAscent(market, firstPrices(v, s), stiffness)
	ascent.Run(ctx, provenRounds, int64(target-1)*values.Unit+1)
	for _, row := range ascent.Prices {
		list := make([]int64, len(row))
		for t, p := range row {
			list[t] = int64(p)
		}
		guide.Copies = append(guide.Copies, list)
	}
	sp, err := verify.NewCloningSpace(in, fixed, guide)
	if err != nil {
		guide.Copies = nil
		return nil
	}
	return sp
}

// whole are the gauge's weights as whole numbers.
func (g *gauge) whole() []int64 {
	list := make([]int64, len(g.weight))
	largest := slices.Max(g.weight)
	for k, w := range g.weight {
		if largest > 0 {
			list[k] = int64(w / largest * weightUnits)
		}
	}
	return list
}

func scheduleOf(s cloning.Solution) verify.CloningSchedule {
	line := verify.CloningSchedule{Copies: [][6]int{}}
	for _, c := range s.Copies {
		line.Copies = append(line.Copies, [6]int{c.Task.Job, c.Task.Phase, c.Task.Index, c.Server, c.Start, c.End})
	}
	return line
}

// moments follows all partial schedules that may cost less than the target.
type moments struct {
	sp     *verify.CloningSpace
	fixed  bool
	target int
	limit  int // of states found
	found  int
	left   int // least bound of the states that were not gone on from
	cells  int // by state
	states int
	open   map[int]*reached
	times  ints
	kept   []momentStates
}

type reached struct {
	list []*boundedState
	at   map[string]int
}

type boundedState struct {
	*verify.CloningState
	bound int
}

type momentStates struct {
	at   int
	list []*boundedState
}

// bound is what follow, once it has returned, has proven.
func (m *moments) bound() int { return min(m.target, m.left) }

func (m *moments) follow(ctx context.Context) {
	m.left, m.open, m.times, m.kept, m.found, m.states = math.MaxInt, map[int]*reached{}, nil, nil, 0, 0
	m.take(m.sp.Root())
	for len(m.times) > 0 {
		at := heap.Pop(&m.times).(int)
		list := m.chosen(ctx, m.open[at].list)
		delete(m.open, at)
		for i, st := range list {
			if ctx.Err() != nil || m.found > m.limit || m.states > provenCells/m.cells || m.sp.Next(ctx, st.CloningState, m.target, m.take) != nil {
				m.kept = append(m.kept, momentStates{at, list[:i]})
				m.stop(list[i:])
				return
			}
		}
		m.kept = append(m.kept, momentStates{at, list})
	}
}

// climb follows all schedules that may cost less than the target. Where half of the time is not enough for that, it takes lower targets, each
// some part of the way up to the first one.
func (m *moments) climb(ctx context.Context) {
	half, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		half, cancel = context.WithDeadline(ctx, time.Now().Add(time.Until(end)/2))
	}
	defer cancel()
	m.follow(half)
	step := max(1, (m.target-m.bound())/8)
	for last := *m; m.bound() < last.target && ctx.Err() == nil; {
		next := *m
		next.target = min(m.bound()+step, last.target)
		if next.follow(ctx); next.bound() <= m.bound() {
			return
		}
		*m = next
	}
}

// stop leaves the open states.
func (m *moments) stop(list []*boundedState) {
	for _, later := range m.open {
		list = append(list, later.list...)
	}
	for _, st := range list {
		m.left = min(m.left, st.bound)
	}
}

func (m *moments) take(st *verify.CloningState) {
	m.found++
	bound, done := m.sp.Bound(st)
	if bound >= m.target {
		return
	}
	if done {
		m.target = bound // the solution was no optimum
		return
	}
	there := m.open[st.At]
	if there == nil {
		there = &reached{at: map[string]int{}}
		m.open[st.At] = there
		heap.Push(&m.times, st.At)
	}
	key := st.Key()
	if i, ok := there.at[key]; ok {
		if st.Before(there.list[i].CloningState) {
			there.list[i] = &boundedState{st.Clone(), bound}
		}
		return
	}
	there.at[key] = len(there.list)
	there.list = append(there.list, &boundedState{st.Clone(), bound})
	m.states++
}

// chosen are the states to keep: in the preemptive regime those that none of the first of them covers.
func (m *moments) chosen(ctx context.Context, list []*boundedState) []*boundedState {
	slices.SortStableFunc(list, func(a, b *boundedState) int { return cmp.Compare(a.bound, b.bound) })
	if m.fixed {
		return list
	}
	kept := make([]*boundedState, 0, len(list))
	for i, st := range list {
		if st.bound >= m.target || i%1024 == 1023 && ctx.Err() != nil {
			kept = append(kept, list[i:]...)
			break
		}
		covered := false
		for i := 0; i < min(len(kept), comparisons) && !covered; i++ {
			covered = kept[i].Covers(st.CloningState)
		}
		if !covered {
			kept = append(kept, st)
		}
	}
	return kept
}

// lines are the guide and the states that are needed for what is proven.
func (m *moments) lines(guide *verify.CloningGuide) []any {
	places := m.levels(guide)
	lines := []any{guide}
	for _, k := range m.kept {
		line := verify.CloningMoment{At: k.at, Keep: [][]int{}}
		for _, st := range k.list {
			if st.bound >= m.bound() && !m.fixed {
				continue // what follows from it need not be looked at
			}
			var row []int
			if !m.fixed {
				row = append(row, st.Cost)
			}
			for i, p := range st.Progress {
				row = append(row, places[m.sp.Phase(i)][p])
			}
			for _, c := range st.Placed() {
				row = append(row, int(c))
			}
			line.Keep = append(line.Keep, row)
		}
		if len(line.Keep) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// levels fills in the guide's and returns the place of each.
func (m *moments) levels(guide *verify.CloningGuide) []map[int64]int {
	places := make([]map[int64]int, m.sp.Phases())
	guide.Levels = make([][]int64, len(places))
	for k := range places {
		places[k] = map[int64]int{}
		guide.Levels[k] = []int64{}
	}
	for _, moment := range m.kept {
		for _, st := range moment.list {
			for i, p := range st.Progress {
				k := m.sp.Phase(i)
				if _, ok := places[k][p]; !ok {
					places[k][p] = len(places[k])
					guide.Levels[k] = append(guide.Levels[k], p)
				}
			}
		}
	}
	return places
}
