package search

import (
	"context"
	"maps"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/values"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// Efforts of the search that is written as a proof: rounds of the ascent of prices before it, and states of a moment up to which
// no others are looked for.
const (
	provenRounds = 400
	provenFirst  = 2_000
)

// Prove makes the proof of a regime's optimum, or of a bound where the context ends before: the search once more, from the
// optimum on, with the states that its last whole pass kept or closed. There is no claim where jobs have too many states.
func Prove(ctx context.Context, in *cloning.Instance, s cloning.Solution, value float64, fixed bool) (*proof.Claim, error) {
	moved, origin := kernel.FromFirst(in)
	v := bounds.Of(moved)
	if lower, sets := v.ByHeads(); lower == value {
		claim, err := bounds.ProvenHeads(moved, sets, ScheduleOf(s))
		if err == nil && *claim.Bound == value {
			claim.Value = &value
			return claim, nil
		}
	}
	sp := newLayeredSearch(ctx, v, kernel.Later(s, -origin), fixed, maxArcSlots, 1)
	if sp == nil {
		return nil, nil
	}
	sp.best, sp.bounded, sp.improved, sp.log = int(value), func(int) {}, func(cloning.Solution) {}, &passLog{}
	done := sp.climbed(ctx, provenRounds)
	last := &passLog{prices: map[int32]values.Prices{0: sp.ascent.Prices}}
	if !done {
		if lower := sp.pass(ctx, sp.best, provenFirst, provenFirst, false); !sp.log.end(lower == sp.cutoff) || !sp.raise(lower) {
			sp.exclude(ctx)
		}
		if sp.log.whole != nil {
			last = sp.log.whole
		}
	}
	bound := float64(sp.lower)
	line := ScheduleOf(s)
	claim := &proof.Claim{Kind: verifycloning.States, Bound: &bound, Lines: append([]any{line}, last.lines(sp.relaxation)...)}
	if cost, err := line.Cost(in, fixed); err == nil && float64(cost) == bound {
		claim.Value = &bound
	}
	return claim, nil
}

// ClaimByPrices is the claim of a bound that prices of copies prove for a relaxation.
func ClaimByPrices(m *values.Relaxation, prices values.Prices) *proof.Claim {
	log := &passLog{prices: map[int32]values.Prices{0: prices}}
	return &proof.Claim{Kind: verifycloning.States, Lines: append([]any{ScheduleOf(cloning.Solution{})}, log.lines(m)...)}
}

// ScheduleOf is the line of a solution.
func ScheduleOf(s cloning.Solution) verifycloning.Schedule {
	line := verifycloning.Schedule{Copies: [][6]int{}}
	for _, c := range s.Copies {
		line.Copies = append(line.Copies, [6]int{c.Task.Job, c.Task.Phase, c.Task.Index, c.Server, c.Start, c.End})
	}
	return line
}

// A passLog is the states of a pass that were gone on from or closed by their prices, and the last whole pass before it.
type passLog struct {
	moments []loggedMoment
	prices  map[int32]values.Prices
	states  int
	whole   *passLog
}

// A loggedMoment is states by job, with their costs and prices.
type loggedMoment struct {
	ids        []uint16
	cost, dual []int32
}

// provenStates is the most states that a pass may have to become a proof.
const provenStates = 400_000

// end keeps the states of a pass, if it was whole, and begins the next one. It reports whether there is sense in one.
func (l *passLog) end(whole bool) bool {
	if whole && l.states <= provenStates {
		l.whole = &passLog{moments: l.moments, prices: l.prices}
	}
	goOn := whole && l.states <= provenStates
	l.moments, l.prices, l.states = nil, nil, 0
	return goOn
}

// begin begins the next moment with those of its states that are closed already, as they were when they were reached again.
func (l *passLog) begin(sp *layeredSearch, f *frontier, open int64) {
	if l == nil {
		return
	}
	l.moments = append(l.moments, loggedMoment{})
	for i := range f.list {
		if f.list[i].bound > open {
			l.state(sp, f, i)
		}
	}
}

// add adds all states of a frontier to the moment.
func (l *passLog) add(sp *layeredSearch, f *frontier) {
	if l == nil {
		return
	}
	for i := range f.list {
		l.state(sp, f, i)
	}
}

func (l *passLog) state(sp *layeredSearch, f *frontier, i int) {
	if l.prices == nil {
		l.prices = map[int32]values.Prices{}
	}
	m, n, dual := &l.moments[len(l.moments)-1], len(sp.relaxation.Graphs), f.list[i].dual
	m.ids = append(m.ids, f.ids[i*n:(i+1)*n]...)
	m.cost, m.dual = append(m.cost, f.list[i].cost), append(m.dual, dual)
	if l.prices[dual] == nil {
		l.prices[dual] = sp.duals[dual].prices
	}
	l.states++
}

// lines are the guide and the states.
func (l *passLog) lines(m *values.Relaxation) []any {
	guide := &verifycloning.Guide{States: make([][][]int64, len(m.Graphs))}
	duals := slices.Sorted(maps.Keys(l.prices))
	for _, v := range duals {
		var table [][]int64
		for _, row := range l.prices[v] {
			list := make([]int64, len(row))
			for t, p := range row {
				list[t] = int64(p)
			}
			table = append(table, list)
		}
		guide.Prices = append(guide.Prices, table)
	}
	places := make([]map[uint16]int, len(m.Graphs))
	for j := range places {
		places[j], guide.States[j] = map[uint16]int{}, [][]int64{}
	}
	place := func(j int, s uint16) int {
		at, known := places[j][s]
		if !known {
			at = len(places[j])
			places[j][s] = at
			row := slices.Clone(m.Graphs[j].Nodes[s].Progress)
			for _, c := range m.Graphs[j].Nodes[s].Running {
				row = append(row, int64(c))
			}
			guide.States[j] = append(guide.States[j], row)
		}
		return at
	}
	lines := []any{guide}
	for now, moment := range l.moments {
		line := verifycloning.Moment{At: now, Keep: [][]int{}}
		for i := range moment.cost {
			dual, _ := slices.BinarySearch(duals, moment.dual[i])
			row := []int{dual}
			if !m.Fixed {
				row = append(row, int(moment.cost[i]))
			}
			for j := range m.Graphs {
				row = append(row, place(j, moment.ids[i*len(m.Graphs)+j]))
			}
			line.Keep = append(line.Keep, row)
		}
		if len(line.Keep) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
