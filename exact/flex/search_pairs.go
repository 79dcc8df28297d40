package flex

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/lp"
	"schedgap/exact/tree"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// pruneTolerance is how much better, relatively, a schedule must be to count: methods agree on optima to 1e-9.
const pruneTolerance = 1e-10

// A pairSearch is a branch and bound over which of two jobs completes first, for sum objectives with convex penalties. A node is
// bounded by a linear program over the completion times whose cuts know the orders that are settled, and by prices
// (docs/design/flex.md#convex-sums).
type pairSearch struct {
	incumbent
	n       int
	all     *pairNode // of all schedules
	curves  *curves   // nil: no prices yet
	general *curves   // at the root's prices
	pricer  *pricer   // with these
	most    []float64 // of the program's variables
	pairMemory
}

// A pairMemory is what each thread of a pairSearch has of its own; all else is shared.
type pairMemory struct {
	program *relaxation
	packer  *flex.Packer

	terms []term
	ranks []int    // jobs by the node's times
	first []uint64 // bit sets of the jobs that complete before each job for certain, by rank

	sum, extra []float64 // of fix: a job's time in the nonbasic variables, and in the variables
}

const (
	firstNodes  = 200 // without prices
	ascents     = 4   // of the root's prices, each for the windows that the last one left
	ascentSteps = 1200
	partSteps   = 400
	rootRounds  = 200 // of cuts
	orderRounds = 1000
	fullRounds  = 40
	trialRounds = 3 // for the children of a pair that is tried
	trialPairs  = 3
	mostStalled = 5
	mostFixes   = 3 // in a node
)

// mostPairJobs is the largest number of jobs whose pairs are searched (docs/design/flex.md#convex-sums).
const mostPairJobs = 300

// solvePairs proves the optimum of a sum objective with convex penalties.
func solvePairs(ctx context.Context, p *flex.Pass) (models.End, error) {
	in := p.Instance
	if len(in.Jobs) <= mostPairJobs {
		return searchPairs(ctx, p, firstNodes, ascentSteps)
	}
	if _, _, found := p.Best(); !found {
		p.Offer(flex.NewPacker(in).Pack(flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) })))
	}
	return tooLarge(ctx, p, fmt.Sprintf("pairs are searched of at most %d jobs", mostPairJobs))
}

// searchPairs turns to prices, ascended in so many steps at a time, after some nodes.
func searchPairs(ctx context.Context, p *flex.Pass, nodes int64, steps int) (models.End, error) {
	in := p.Instance
	s, root := newPairSearch(newIncumbent(in, p.Ledger), nil)
	s.polish(ctx, flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) }))
	floor := 0.0 // if every job had all slots: what rounding cannot take away where nobody need be tardy
	for j := range in.Jobs {
		floor += in.Penalty(j, flex.Earliest(in, j))
	}
	solve := func(ctx context.Context) {
		s.solve(ctx, root, rootRounds)
		p.Bound(min(s.Threshold(), root.bound))
		if root.verdict == undecided {
			s.polish(ctx, s.orderOf(root.times))
		}
	}
	solve(ctx)
	t := s.tree(p.Threads, nodes, p.Bound)
	plant := func() {
		first := root.clone()
		if first.verdict == undecided {
			first.verdict = tried // there may be more to fix
		}
		t.Plant(first)
	}
	plant()
	var search exact.Resuming
	search = func(ctx context.Context) (models.End, error) {
		s.learn(p.Ledger)
		t.Run(ctx)
		if s.pricer == nil && t.Open() < s.Threshold() && ctx.Err() == nil {
			s.pricer = newPricer(in, s.program)
			for range ascents {
				if root.verdict != undecided || root.bound >= s.Threshold() || ctx.Err() != nil {
					break
				}
				if c := s.pricer.ascend(ctx, root.earliest, root.latest, s.Best, steps); c != nil {
					s.curves = c
				}
				solve(ctx)
			}
			t.Budget = math.MaxInt64
			plant()
			t.Run(ctx)
		}
		// Nor from the relaxation to one machine: jobs of 1e-13 of the horizon are beneath the tolerances of the linear programs.
		least := max(floor, machineBound(in)-4e-15*float64(s.n+4)*s.scale.size(s.Best))
		end := tell(ctx, p.Ledger, t, &s.incumbent, least)
		end.Resume = search
		return end, nil
	}
	return search(ctx)
}

// provePairs is the tree that proves that no schedule is worth less than goal, or as much of it as there is when ctx ends. It
// knows no windows and no prices, so that each of its rows can be named.
func provePairs(ctx context.Context, known incumbent, goal float64) []any {
	s, root := newPairSearch(known, &goal)
	return written(grow(ctx, s.tree(1, math.MaxInt64, func(float64) {}), root), s.goal())
}

// newPairSearch returns the search with the node of all schedules; a search for a proof, where goal is not nil.
func newPairSearch(known incumbent, goal *float64) (*pairSearch, *pairNode) {
	in := known.in
	n := len(in.Jobs)
	s := &pairSearch{incumbent: known, n: n}
	s.proves = goal
	memory, d := newPairMemory(in)
	program := memory.program
	s.pairMemory, s.most = memory, make([]float64, program.vars)
	for j, t := range program.tardyVar {
		s.most[j] = program.late[j] - program.early[j]
		if t >= 0 {
			s.most[t] = max(0, program.late[j]-*in.Jobs[j].Deadline/program.unit)
		}
	}
	root := &pairNode{
		treeNode: treeNode{d: d, bound: -inf}, precedes: make([]bool, n*n),
		earliest: slices.Clone(program.early), latest: slices.Clone(program.late), times: make([]float64, n),
	}
	s.all = root.clone()
	if goal == nil {
		root.lags = lags(in, s.program.unit)
	}
	for i, row := range verifyflex.Pairs(in) {
		copy(root.precedes[i*n:], row)
	}
	return s, root
}

// newPairMemory returns the memory with the linear program of the node of all schedules.
func newPairMemory(in *flex.Instance) (m pairMemory, d *program) {
	n := len(in.Jobs)
	m = pairMemory{packer: flex.NewPacker(in), terms: make([]term, n), ranks: make([]int, n)}
	m.program, d = newRelaxation(in)
	return m, d
}

func (s *pairSearch) tree(threads int, budget int64, bounded func(float64)) *tree.Tree[*pairNode, flex.Schedule] {
	return newTree(branching[*pairNode](s), threads, budget, budget, bounded, func() branching[*pairNode] {
		w := *s
		w.general = s.curves
		w.incumbent = s.forThread()
		w.pairMemory, _ = newPairMemory(s.in)
		return &w
	})
}

// Begin takes the root's prices, or ascends them for the windows of o.
func (s *pairSearch) Begin(ctx context.Context, o *pairNode, many bool) {
	s.curves = s.general
	if s.pricer == nil || !many {
		return
	}
	p := *s.pricer
	if c := p.ascend(ctx, o.earliest, o.latest, s.Best, partSteps); c != nil {
		s.curves = c
	}
}

func (s *pairSearch) child(o *pairNode, c decision, second bool) *pairNode {
	x := o.clone()
	x.verdict = tried
	if second {
		c.a, c.b = c.b, c.a
	}
	s.order(x, c.a, c.b)
	return x
}

// goal is the program's value at the threshold.
func (s *pairSearch) goal() float64 { return s.program.cutoff(s.Threshold()) }

// sizeOf is the size of the terms that the objective of in adds up; rounding errors go by it, also where they cancel, as
// lateness may.
func sizeOf(in *flex.Instance) float64 { return newTerms(in).size(math.Inf(1)) }

// terms are the parts of an objective's size: what completing at the horizon costs, or at any time where penalties are
// steps, and due dates.
type terms struct{ ends, due, dates float64 }

func newTerms(in *flex.Instance) (t terms) {
	h := flex.Horizon(in)
	for j := range in.Jobs {
		f := in.Factor(j)
		if in.StepTimes(j) != nil {
			t.ends += in.Penalty(j, inf)
			continue
		}
		t.ends += f * h
		if !in.Objective.Metric.NeedsDeadline() {
			continue
		}
		// No job is tardy that is due after the horizon.
		if d := *in.Jobs[j].Deadline; d < h || in.Objective.Metric == flex.Lateness {
			t.due += f * max(0, d)
			t.dates += f * math.Abs(d)
		}
	}
	return t
}

// size bounds the terms in schedules whose sum is at most best: Σ f_j·C_j ≤ best + Σ f_j·d_j, which is far less than
// jobs of large factors cost at the horizon.
func (t terms) size(best float64) float64 { return min(t.ends, max(0, best)+t.due) + t.dates }

// proofTolerance is the most by which rounding may let a search cut off a schedule better than the best value.
func (t terms) proofTolerance(best float64) float64 {
	return pruneTolerance*math.Abs(best) + 1e-13*t.size(best)
}

func (s *pairSearch) relax(ctx context.Context, o *pairNode, trial bool) {
	rounds := fullRounds
	if trial {
		rounds = trialRounds
	}
	s.solve(ctx, o, rounds)
	if trial && o.verdict == undecided {
		o.verdict = tried
	}
}

// solve tightens o's program until it is closed, its times can be met, or nothing more is gained.
func (s *pairSearch) solve(ctx context.Context, o *pairNode, rounds int) {
	o.verdict = s.tighten(ctx, o, rounds)
	if o.verdict != closed && o.d.Value-o.d.Bound(s.most) > driftTolerance { // the pivots contradict the rows
		o.d = o.d.Fresh()
		o.verdict = s.tighten(ctx, o, rounds)
	}
	o.bound = max(o.bound, (o.d.Bound(s.most)+s.program.offset)*s.program.size)
}

// A tightening adds rows to a node's program, round by round, until it is closed, its times can be met, or nothing more helps.
type tightening struct {
	*pairSearch
	o      *pairNode
	goal   float64 // the program's value that closes the node
	rounds int     // at most

	programs int     // solved
	round    int     // of cuts
	fixes    int     // times that pairs were fixed
	last     float64 // the program's value in the round before
	stalled  int     // rounds in a row that hardly raised it
	renewed  bool    // the program was put together again, since rounding on a long way of pivots may have spoilt it
}

func (s *pairSearch) tighten(ctx context.Context, o *pairNode, rounds int) verdict {
	t := &tightening{pairSearch: s, o: o, goal: s.goal(), rounds: rounds, last: math.Inf(-1)}
	if !t.filter(o, t.goal+s.program.offset) {
		return closed
	}
	for ; ; t.programs++ {
		end, solved := t.optimize(ctx)
		switch {
		case end != nil:
			return *end
		case !solved || t.limit():
			continue
		}
		t.round++
		if t.round > rounds {
			return undecided
		}
		t.progress()
		found := false
		if t.stalled < mostStalled || rounds == orderRounds {
			found = t.cut(ctx)
			if !found && ctx.Err() == nil && s.excess(o) <= cutTolerance*float64(s.in.Slots) {
				return met
			}
		}
		if found {
			continue
		}
		if !t.fixMore() {
			return undecided
		}
		if !t.filter(o, t.goal+s.program.offset) {
			return closed
		}
	}
}

// optimize solves the program and takes its times. A verdict that is not nil is the node's. Without one, and not solved, the program
// was put together again and is to be solved once more.
func (t *tightening) optimize(ctx context.Context) (end *verdict, solved bool) {
	switch end := t.o.d.Optimize(ctx, t.goal); {
	case end == lp.Exhausted:
		return new(undecided), false
	case end != lp.Solved && t.closes(t.o, end == lp.NoPoint, t.goal, t.renewed):
		return new(closed), false
	case end != lp.Solved && t.renewed:
		return new(undecided), false
	case end != lp.Solved:
		t.o.d, t.renewed = t.o.d.Fresh(), true
		return nil, false
	}
	for j := range t.o.times {
		t.o.times[j] = t.program.early[j] + t.o.d.X(j)
	}
	return nil, true
}

// limit adds the rows of windows and pairs that the times miss. Rows that rounding keeps from holding are not added for ever.
func (t *tightening) limit() bool { return t.programs < 10*t.rounds+t.n && t.limits(t.o) }

// progress counts the rounds in a row that raised the program's value by less than a hundredth of what is missing.
func (t *tightening) progress() {
	if t.o.d.Value-t.last < 0.01*(t.goal-t.o.d.Value) {
		t.stalled++
	} else {
		t.stalled = 0
	}
	t.last = t.o.d.Value
}

// cut adds rows that the times miss, and reports whether there are any.
func (t *tightening) cut(ctx context.Context) bool {
	copy(t.program.times, t.o.times)
	moments := t.moments(ctx, t.o)
	machine := t.program.separateMachine(t.o.d)
	return moments || machine
}

// fixMore fixes pairs by the program's reduced costs, and reports whether that gives the cuts another chance.
func (t *tightening) fixMore() bool {
	if t.proves != nil || t.rounds < fullRounds || t.fixes == mostFixes || t.renewed || !t.fix(t.o, t.goal) {
		return false
	}
	t.fixes++
	t.stalled = 0
	return true
}

// closes reports whether o's rows as they were added confirm the program: that its value has reached goal or that it is empty.
// Of a program that was put together again the latter is believed.
func (s *pairSearch) closes(o *pairNode, empty bool, goal float64, renewed bool) bool {
	switch {
	case s.proves != nil:
		o.closing = s.closing(o, empty)
		return o.closing.proven
	case empty:
		return renewed
	}
	return o.d.Bound(s.most) >= goal-boundTolerance*s.scale.size(s.Best)/s.program.size
}

// boundTolerance is the most by which rounding may put a bound below the program's value, driftTolerance after many pivots.
const (
	boundTolerance = 1e-12
	driftTolerance = 1e-9
)

// offer makes a schedule of the times of o's program where they can be met, or of their order.
func (s *pairSearch) offer(o *pairNode) {
	switch {
	case s.proves != nil:
	case o.verdict == met:
		s.take(s.timesOf(o))
	default:
		s.pack(s.orderOf(o.times))
	}
}

// candidates are the pairs without an order through which jobs need most more than the slots; if there are none, one that
// there is.
func (s *pairSearch) candidates(o *pairNode) []decision {
	n := s.n
	score := make([]float64, n*n)
	s.rank(o)
	for k := range n {
		sum := -float64(s.in.Slots) * o.times[k]
		for j := range n {
			sum += s.exactWork(o, j, k)
		}
		if sum <= 0 {
			continue
		}
		for j := range n {
			if j == k || o.precedes[j*n+k] || o.precedes[k*n+j] {
				continue
			}
			if lost := s.exactWork(o, j, k) - s.workBound(o, j, k).value; lost > 0 {
				score[min(j, k)*n+max(j, k)] += min(lost, sum)
			}
		}
	}
	var list []decision
	nearest := decision{a: -1, score: math.Inf(1)}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if v := score[i*n+j]; v > 0 {
				list = append(list, decision{i, j, v})
			}
			if d := math.Abs(o.times[i] - o.times[j]); d < nearest.score && !o.precedes[i*n+j] && !o.precedes[j*n+i] {
				nearest = decision{i, j, d}
			}
		}
	}
	if len(list) == 0 && nearest.a >= 0 {
		return []decision{nearest}
	}
	slices.SortStableFunc(list, func(a, b decision) int { return cmp.Compare(b.score, a.score) })
	return list[:min(len(list), trialPairs)]
}

func (s *pairSearch) orderOf(times []float64) []int {
	return flex.OrderBy(s.in, func(j int) float64 { return times[j] })
}

// lags are the most by which a job completes later than another one in an optimum, in units; infinity if not known. They hold for
// linear penalties only, so not for tardiness (docs/design/flex.md#lags).
func lags(in *flex.Instance, unit float64) []float64 {
	n, h := len(in.Jobs), flex.Horizon(in)
	list := slices.Repeat([]float64{inf}, n*n)
	if in.Objective.Metric == flex.Tardiness {
		return list
	}
	for i := range in.Jobs {
		for j := range in.Jobs {
			a, b, f, g := &in.Jobs[i], &in.Jobs[j], in.Factor(i), in.Factor(j)
			last := flex.Latest(in, i, h)
			if a.Max > b.Max || f <= g*(1+1e-9) || a.Work > b.Work || a.Work-float64(a.Min)*last > b.Work-float64(b.Min)*last {
				continue
			}
			early := flex.Earliest(in, i) - flex.Earliest(in, j)
			late := early - last*(float64(a.Min)/float64(a.Max)-float64(b.Min)/float64(b.Max))
			list[i*n+j] = f*max(0, early, late)/(f-g)/unit + lagTolerance
		}
	}
	return list
}

// lagTolerance lengthens a lag, as a share of the horizon, for rounding.
const lagTolerance = 1e-9
