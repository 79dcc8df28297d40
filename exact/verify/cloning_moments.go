package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// CloningMoments is the kind of proof that follows all partial schedules from moment to moment (docs/proofs.md#cloning). Its lines are a
// solution, a guide, and for each moment the states to go on from.
const CloningMoments = "cloning-moments"

// A CloningMoment is the states that are kept at a moment, counted from the first arrival. A state is the place of each task's
// progress among the guide's levels of its phase; before them the cost in the preemptive regime, after them the running copies
// by task and server in the nonpreemptive one.
type CloningMoment struct {
	At   int     `json:"at"`
	Keep [][]int `json:"keep"`
}

// momentsProof is a proof that is being read.
type momentsProof struct {
	sp     *CloningSpace
	target int // what no schedule may cost less than
	levels [][]int64
	kept   map[int]*keptStates
	lines  map[int]int // by moment
}

// keptStates are a moment's states in the order of the file; in the nonpreemptive regime nil until one of the key is reached.
type keptStates struct {
	list []*CloningState
	at   map[string]int // place in list by key
}

// checkCloningMoments checks that no schedule of the regime costs less than the bound, and what the solution is worth.
func checkCloningMoments(p *proof.Proof, in *cloning.Instance) error {
	if len(p.Lines) < 2 {
		return refused("the proof has %d lines after the header; it must have a solution and a guide", len(p.Lines))
	}
	fixed := p.Header.Reference == cloning.OptNonpreemptive
	if v := p.Header.Value; v != nil {
		var s CloningSchedule
		if err := proof.Decode(p.Lines[0], &s); err != nil {
			return refused("line 2: %v", err)
		}
		cost, err := s.Cost(in, fixed)
		switch {
		case err != nil:
			return refused("line 2: %v", err)
		case float64(cost) != *v || *v != *p.Header.Bound:
			return refused("line 2: the solution costs %d; the value is said to be %v and the bound %v", cost, *v, *p.Header.Bound)
		}
	}
	if b := *p.Header.Bound; b != math.Trunc(b) || math.Abs(b) > mostCost {
		return refused("the bound %v is no whole number, or larger than %d", b, mostCost)
	}
	var guide CloningGuide
	if err := proof.Decode(p.Lines[1], &guide); err != nil {
		return refused("line 3: %v", err)
	}
	sp, err := NewCloningSpace(in, fixed, &guide)
	if err != nil {
		return refused("line 3: %v", err)
	}
	m := &momentsProof{sp: sp, target: int(*p.Header.Bound), levels: guide.Levels, kept: map[int]*keptStates{}, lines: map[int]int{}}
	root := sp.Root()
	if cost, _ := sp.Bound(root); cost >= m.target {
		return nil
	}
	if err := m.read(p); err != nil {
		return err
	}
	return m.follow(root)
}

// read decodes the states of all moments.
func (m *momentsProof) read(p *proof.Proof) error {
	if len(m.levels) != len(m.sp.phases) {
		return refused("line 3: levels of %d phases, and there are %d", len(m.levels), len(m.sp.phases))
	}
	for i, line := range p.Lines[2:] {
		var moment CloningMoment
		if err := proof.Decode(line, &moment); err != nil {
			return refused("line %d: %v", i+4, err)
		}
		if moment.At < 0 || int64(moment.At) > m.sp.horizon || m.kept[moment.At] != nil {
			return refused("line %d: the moment %d comes twice, or is none of a schedule", i+4, moment.At)
		}
		k := &keptStates{at: make(map[string]int, len(moment.Keep))}
		m.kept[moment.At], m.lines[moment.At] = k, i+4
		for n, row := range moment.Keep {
			st, err := m.state(moment.At, row)
			if err != nil {
				return refused("line %d: keep[%d]: %v", i+4, n, err)
			}
			if _, twice := k.at[st.Key()]; !twice {
				k.at[st.Key()] = n
			}
			if m.sp.fixed {
				st = nil
			}
			k.list = append(k.list, st)
		}
	}
	return nil
}

func (m *momentsProof) state(at int, row []int) (*CloningState, error) {
	sp := m.sp
	n := len(sp.task)
	st := &CloningState{At: at, Progress: make([]int64, n)}
	want := n + 1
	if sp.fixed {
		want = n + n*len(sp.servers)
	}
	if len(row) != want {
		return nil, fmt.Errorf("%d numbers, and it must have %d", len(row), want)
	}
	if !sp.fixed {
		if st.Cost, row = row[0], row[1:]; st.Cost < 0 || st.Cost >= max(1, m.target) {
			return nil, fmt.Errorf("the cost %d is not from 0 to less than the bound", st.Cost)
		}
	}
	for i, k := range sp.task {
		if row[i] < 0 || row[i] >= len(m.levels[k]) {
			return nil, fmt.Errorf("task %d has no level %d", i, row[i])
		}
		p := m.levels[k][row[i]]
		if p < 0 || p > sp.phases[k].need || i > sp.phases[k].from && p > st.Progress[i-1] {
			return nil, fmt.Errorf("task %d has more progress than the task before it, or than there is", i)
		}
		st.Progress[i] = p
	}
	if !sp.fixed && sp.tariff != nil {
		var ok bool
		if st.nodes, ok = sp.nodesOf(st, nil); !ok {
			return nil, errors.New("no schedule has a job in such a state")
		}
	}
	if sp.fixed {
		st.placed = make([]uint8, n*len(sp.servers))
		for i, c := range row[n:] {
			if c < 0 || c > mostCopies {
				return nil, errors.New("a number of copies is none")
			}
			st.placed[i] = uint8(c)
		}
	}
	return st, nil
}

// follow takes the kept states of all moments in turn: whatever follows from one must be kept, or no better than a kept one, or have
// a bound of at least the target.
func (m *momentsProof) follow(root *CloningState) error {
	open := map[int]bool{}
	var failed error
	take := func(st *CloningState) {
		if failed == nil {
			failed = m.take(st)
		}
		open[st.At] = true
	}
	take(root)
	for failed == nil && len(open) > 0 {
		at := math.MaxInt
		for t := range open {
			at = min(at, t)
		}
		delete(open, at)
		k := m.kept[at]
		if k == nil {
			continue
		}
		delete(m.kept, at)
		for i, st := range k.list {
			if st == nil {
				continue
			}
			if _, done := m.sp.Bound(st); done {
				return refused("line %d: keep[%d] is a schedule and has nothing to go on with", m.lines[at], i)
			}
			if err := m.sp.Next(context.Background(), st, m.target, take); err != nil {
				return refused("line %d: %v", m.lines[at], err)
			}
			if failed != nil {
				return failed
			}
		}
	}
	return failed
}

// take accounts for a state that was reached.
func (m *momentsProof) take(st *CloningState) error {
	k := m.kept[st.At]
	if k != nil {
		i, listed := k.at[st.Key()]
		switch {
		case listed && m.sp.fixed:
			if k.list[i] == nil || st.Before(k.list[i]) {
				k.list[i] = st.Clone()
			}
			return nil
		case listed && k.list[i].Cost <= st.Cost:
			return nil
		}
	}
	bound, _ := m.sp.Bound(st)
	if bound >= m.target {
		return nil
	}
	if k != nil && !m.sp.fixed && slices.ContainsFunc(k.list, func(kept *CloningState) bool { return kept.Covers(st) }) {
		return nil
	}
	return refused("at moment %d a schedule of cost %d so far may end with %d, and is not among the states kept: %.200s",
		st.At, st.Cost, bound, fmt.Sprint(st.Progress))
}
