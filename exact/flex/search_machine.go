package flex

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/exact"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/onemachine"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A machineSearch is the successive sublimation of Tanaka, Fujikuma and Araki (2009) for jobs that are best served one at a time: a
// dynamic program over time whose sequences may miss jobs or have them twice becomes tighter by multipliers, by remembering a job, and
// by jobs that it counts, until no sequence in it is better than the best one known (docs/design/flex.md#one-machine).
type machineSearch struct {
	in          *flex.Instance
	p           *onemachine.Problem
	bits        int               // costs are penalties times 2^bits
	graph       *onemachine.Graph // nil: not built yet
	multipliers []float64
	length      float64 // of a step of the ascent
	steps       int     // of it that are left
	bound       int64   // on the sequences that cost less than target
	best        []int64 // the multipliers of bound; nil: it is none
	order       []int   // the best one
	cost        int64   // of it
	target      int64   // what a bound has to reach, since nothing costs less that is better than the order
	goal        func(order []int) int64
	lines       []proof.MachineLine // of a proof, after its start
	nodes       int64
	random      *rand.Rand
}

const (
	fewJobs     = 10 // are left to the search over pairs where they would have more than fewStates times and jobs
	fewStates   = 1 << 12
	passSteps   = 400
	graphSteps  = 60
	graphRounds = 8
	firstShakes = 8 // a job
	laterShakes = 30
)

// newMachineSearch is nil where an instance is none of one machine, its numbers are too large, or other searches end at once: penalties
// that always grow have an optimal order by Smith's rule, and few jobs few orders.
func newMachineSearch(in *flex.Instance) *machineSearch {
	m, n := in.Objective.Metric, len(in.Jobs)
	_, total, err := verifyflex.Works(in)
	if err != nil || m != flex.Tardiness && !m.Steps() || n <= fewJobs && n*total > fewStates {
		return nil
	}
	return machineOf(in)
}

// machineOf is the search of any instance of one machine. Its costs are as fine as numbers allow if multipliers may be 16 times the
// largest cost.
func machineOf(in *flex.Instance) *machineSearch {
	works, total, err := verifyflex.Works(in)
	if err != nil {
		return nil
	}
	most, end := 0x1p-900, 2*flex.Horizon(in)
	for j := range in.Jobs {
		most = max(most, math.Abs(in.Penalty(j, 0)), math.Abs(in.Penalty(j, end)))
	}
	n := len(works)
	visits := float64(total/slices.Min(works) + n)
	bits := int(math.Floor(math.Log2(onemachine.MostCost/64) - math.Log2(visits*most)))
	p, err := verifyflex.Machine(in, bits)
	if err != nil {
		return nil
	}
	return &machineSearch{
		in: in, p: p, bits: bits, multipliers: make([]float64, n), bound: math.MinInt64, cost: math.MaxInt64, steps: math.MaxInt,
		random: rand.New(rand.NewPCG(1, 2)),
	}
}

// scaled is a value in units of costs, rounded up.
func (s *machineSearch) scaled(value float64) int64 {
	v := math.Ceil(math.Ldexp(value, s.bits))
	return int64(min(onemachine.MostCost, max(-onemachine.MostCost, v)))
}

// better returns the cost from which on no sequence is better than an order.
func better(in *flex.Instance, s *machineSearch) func(order []int) int64 {
	grid, t, packer := verifyflex.Grid(in), newTerms(in), flex.NewPacker(in)
	return func(order []int) int64 {
		v := in.Value(packer.Completions(order))
		return s.scaled(exact.Above(v, v-t.proofTolerance(v), grid))
	}
}

// least is the bound on all sequences: those that cost target or more were taken from the graph.
func (s *machineSearch) least() int64 { return min(s.bound, s.target) }

// proven is that as a value.
func (s *machineSearch) proven() float64 {
	return lifted(s.in, math.Ldexp(math.Nextafter(float64(s.least()), -inf), -s.bits))
}

// begin has the search look for orders that are better than those by simple rules, or by which a schedule completes.
func (s *machineSearch) begin(ctx context.Context, known flex.Schedule) {
	dates := flex.OrderBy(s.in, func(j int) float64 { d, _ := s.in.DueDate(j); return d })
	s.offer(dates)
	s.offer(flex.OrderBy(s.in, func(j int) float64 { return s.in.Jobs[j].Work / s.in.Factor(j) }))
	if times := flex.Completions(s.in, known); known != nil && times != nil {
		s.offer(flex.OrderBy(s.in, func(j int) float64 { return times[j] }))
	}
	s.shake(ctx, firstShakes*len(s.order))
}

// run goes on until nothing is better than the best order, which is closed, or until ctx ends, all jobs are counted, or memory
// is full, which is the error.
func (s *machineSearch) run(ctx context.Context) (closed bool, err error) {
	if s.graph == nil {
		s.length = 1
		s.ascend(ctx, newMachinePasses(s.p), passSteps)
		s.length = .25
		s.graph, err = onemachine.New(ctx, s.p)
		if err == nil {
			err = s.prune()
		}
		if err != nil {
			return false, err
		}
	}
	for !s.graph.Closed {
		off := s.climb(ctx)
		if s.graph.Closed || ctx.Err() != nil || s.steps <= 0 {
			break
		}
		line := proof.MachineLine{Remember: true}
		if s.graph.Remembers() {
			q := s.uncounted(off)
			if q < 0 {
				break
			}
			line = proof.MachineLine{Count: &q}
			err = s.graph.Count(ctx, q, s.target)
		} else {
			err = s.graph.Remember(ctx, s.target)
		}
		if err != nil {
			return false, err
		}
		s.lines = append(s.lines, line)
	}
	if s.graph.Closed {
		s.bound = s.target
	}
	return s.graph.Closed, nil
}

// uncounted is the job that is not counted whose visits are farthest from 1; −1: none is left.
func (s *machineSearch) uncounted(off []float64) int {
	q := -1
	for j, d := range off {
		if !s.graph.Counted(j) && (q < 0 || d > off[q]) {
			q = j
		}
	}
	return q
}

// climb ascends and prunes while both pay.
func (s *machineSearch) climb(ctx context.Context) (off []float64) {
	s.length = max(s.length, .03)
	for range graphRounds {
		before, arcs := s.bound, s.graph.Arcs()
		off = s.ascend(ctx, s.graph, graphSteps)
		if !s.graph.Closed {
			s.offer(s.completed(s.graph.Path()))
			s.shake(ctx, laterShakes)
		}
		if ctx.Err() != nil {
			break
		}
		err := s.prune()
		if err != nil || s.graph.Closed || s.graph.Arcs() > arcs*9/10 && s.bound-before <= (s.target-before)/20 {
			break
		}
	}
	return off
}

func (s *machineSearch) prune() error {
	m := make([]int64, len(s.multipliers))
	round(s.multipliers, m)
	s.nodes += int64(s.graph.Nodes())
	if err := s.graph.Prune(m, s.target); err != nil {
		return err
	}
	s.lines = append(s.lines, proof.MachineLine{Prune: m})
	return nil
}

// solveMachine searches one machine. Where that gives up, the search of next follows.
func solveMachine(ctx context.Context, p *flex.Pass, s *machineSearch, next exact.Resuming) (models.End, error) {
	s.goal = better(p.Instance, s)
	packer, begun := flex.NewPacker(p.Instance), false
	var search exact.Resuming
	search = func(ctx context.Context) (models.End, error) {
		if !begun {
			known, _, _ := p.Ledger.Best()
			s.begin(ctx, known)
			begun = true
		}
		closed, err := s.run(ctx)
		p.Offer(packer.Pack(s.order))
		if s.best != nil {
			p.Bound(s.proven())
		}
		if ctx.Err() == nil && (err != nil || !closed) {
			s.graph = nil // its memory
			return next(ctx)
		}
		end := models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: new(s.nodes)}})
		end.Resume = search
		return end, nil
	}
	return search(ctx)
}

// proveMachine is the proof that no schedule is worth less than goal; nil: there is none before ctx ends.
func proveMachine(ctx context.Context, in *flex.Instance, known flex.Schedule, goal float64) []any {
	s := newMachineSearch(in)
	if s == nil {
		return nil
	}
	target := s.scaled(goal)
	s.goal = func([]int) int64 { return target }
	s.begin(ctx, known)
	if closed, err := s.run(ctx); err != nil || !closed {
		return nil
	}
	return s.written(ctx)
}

// machinePrices is the bound of a search by counts of steps, so that results repeat, with its proof; nil: it has none.
func machinePrices(ctx context.Context, s *machineSearch, steps int, bounded func(float64)) *flex.Outcome {
	s.goal, s.steps = better(s.in, s), steps
	s.begin(ctx, nil)
	closed, err := s.run(ctx)
	if s.graph == nil || s.best == nil {
		return nil
	}
	b := s.proven()
	bounded(b)
	if !closed {
		s.lines = append(s.lines, proof.MachineLine{Prune: s.best})
	}
	out := &flex.Outcome{Status: models.Feasible, Bound: &b}
	if lines := s.written(ctx); lines != nil {
		out.Proof = &proof.Claim{Kind: proof.FlexMachine, Lines: lines}
	}
	if err != nil {
		out.Stats.Raw = err.Error()
	}
	return out
}

// written are the lines of a proof of the bound: the steps that were taken until no sequence is left, which at the last target may be
// earlier than in the search. Nil: there is none before ctx ends.
func (s *machineSearch) written(ctx context.Context) []any {
	target := s.least()
	lines := []any{proof.MachineLine{Start: &proof.MachineStart{Bits: s.bits, Target: target}}}
	g, err := onemachine.New(ctx, s.p)
	for _, line := range s.lines {
		if err != nil || g.Closed {
			break
		}
		lines = append(lines, line)
		switch {
		case line.Remember:
			err = g.Remember(ctx, target)
		case line.Count != nil:
			err = g.Count(ctx, *line.Count, target)
		default:
			err = g.Prune(line.Prune, target)
		}
	}
	if err != nil || !g.Closed {
		return nil
	}
	return lines
}
