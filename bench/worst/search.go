package worst

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"schedgap/bench"
	"schedgap/models"
)

const (
	chains    = 16      // that go on side by side, one candidate a round each
	patience  = 60      // rounds in which a chain may fail to rise before it starts again
	elites    = 12      // that are kept
	proof     = 20_000  // steps of a proof during the search
	longer    = 10      // times as many for the last proofs
	tries     = 30      // at a valid candidate
	boxTries  = 60      // rounds in which some instance must come to lie in the box
	barren    = 50      // rounds without a valid candidate after which there is no use in going on
	maxSample = 20_000  // instances that the explanation looks at
	workScale = 1 << 20 // streams of random numbers of a round
)

// An entry is an instance with its value.
type entry struct {
	instance *bench.Instance
	value    *Value
	origin   string
}

// A pool keeps the best entries, of about equal scores one.
type pool struct{ list []*entry }

func (p *pool) best() *entry {
	if len(p.list) == 0 {
		return nil
	}
	return p.list[0]
}

// offer keeps e if it is among the best. It reports whether it is the very best.
func (p *pool) offer(e *entry) bool {
	const alike = 1e-3
	for i, o := range p.list {
		if o.value.Score.Rank == e.value.Score.Rank &&
			math.Abs(o.value.Score.Value-e.value.Score.Value) <= alike*math.Abs(o.value.Score.excess()) {
			if o.value.Score.less(e.value.Score) {
				p.list[i] = e
				p.sort(i)
				return p.list[0] == e
			}
			return false
		}
	}
	p.list = append(p.list, e)
	p.sort(len(p.list) - 1)
	if len(p.list) > elites {
		p.list = p.list[:elites]
	}
	return p.list[0] == e
}

// sort moves entry i up to its place.
func (p *pool) sort(i int) {
	for ; i > 0 && p.list[i-1].value.Score.less(p.list[i].value.Score); i-- {
		p.list[i-1], p.list[i] = p.list[i], p.list[i-1]
	}
}

// A chain climbs from one instance to the next.
type chain struct {
	at     *entry // nil: it begins with the next round
	stale  int    // rounds without a rise
	beyond float64
}

// A search is one run.
type search struct {
	o         Options
	evaluator *evaluator
	reference string
	source    *source
	mutator   *mutator
	box       *box

	chains      [chains]chain
	pool        pool
	evaluations int
	unproven    int
	failures    int
	skipped     int
	cut         int // evaluations that the end of the context cut short
	failure     string
	history     []Improvement
	samples     *samples
}

func newSearch(o Options) (*search, error) {
	p := o.Problem
	if p.Moves == nil || p.Generator == nil {
		return nil, fmt.Errorf("there is no search among instances of %s", p.Name)
	}
	s := &search{o: o, reference: o.Reference, samples: &samples{every: 1}}
	if s.reference == "" {
		s.reference = p.Blank(o.Request).Reference
		// The optimum of a class is compared with the optimum of all.
		if widest := p.References[0].Name; p.ReferenceWithin(s.reference, widest) {
			s.reference = widest
		}
	}
	var err error
	if s.evaluator, err = newEvaluator(p, o.Request, s.reference); err != nil {
		return nil, err
	}
	s.evaluator.limit = o.Budget / 20
	if s.source, err = newSource(&o); err != nil {
		return nil, err
	}
	sample, _ := s.source.draw(rand.New(rand.NewPCG(o.Seed, 0)))
	for i := uint64(1); sample == nil && i < 1000; i++ {
		sample, _ = s.source.draw(rand.New(rand.NewPCG(o.Seed, i)))
	}
	if sample == nil {
		v, err := models.Resolve(p.Generator.Params, s.source.given)
		if err == nil {
			_, err = p.Generate(o.Name, v, rand.New(rand.NewPCG(o.Seed, 0)))
		}
		return nil, fmt.Errorf("no instance to begin with: %w", err)
	}
	if s.box, err = newBox(sample, o.Within); err != nil {
		return nil, err
	}
	s.box.like(o.Like)
	for _, ranges := range []map[string]Range{s.box.kinds, s.box.features} {
		for _, r := range ranges {
			if r.From > r.To {
				return nil, s.noInstances()
			}
		}
	}
	s.mutator = &mutator{jobs: o.Jobs, box: s.box}
	return s, nil
}

func (s *search) noInstances() error {
	return errors.New("no instance was found within the ranges asked for; widen --within or --like")
}

// empty says why nothing was evaluated.
func (s *search) empty(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.cut > 0 {
		return ErrUnproven
	}
	return s.noInstances()
}

// failed says why there is no value at all.
func (s *search) failed() error {
	if s.skipped == s.failures {
		return models.NotApplicablef("%s is defined for none of the instances searched: %s", s.o.Request.Algorithm, s.failure)
	}
	return &FailedError{s.failure}
}

// evaluatorOf is the evaluator of a worker.
func (s *search) evaluatorOf(worker int) *evaluator {
	e := *s.evaluator
	e.run = func(ctx context.Context, in *bench.Instance, r bench.Request) (*bench.Result, error) {
		return s.o.Command(ctx, worker, in, r)
	}
	return &e
}

// patient is the evaluator for the last proofs.
func (s *search) patient() *evaluator {
	e := s.evaluatorOf(0)
	e.steps, e.limit = e.steps*longer, 0
	return e
}

// A candidate is what a chain tries next, and what came of it.
type candidate struct {
	instance *bench.Instance // nil: no move gave a valid one
	origin   string
	fresh    bool // not from where the chain is
	beyond   float64
	atLeast  Score
	value    *Value // nil: ctx ended, or it lies outside of the box
}

// run goes on until the evaluations are used up or ctx ends.
func (s *search) run(ctx context.Context) {
	idle := 0
	for round := 0; s.more(ctx, idle); round++ {
		n := chains
		if s.o.Evaluations > 0 {
			n = min(n, s.o.Evaluations-s.evaluations)
		}
		before := s.evaluations + s.failures
		all := make([]candidate, n)
		s.parallel(n, func(worker, c int) {
			rng := rand.New(rand.NewPCG(s.o.Seed, uint64(round)*workScale+uint64(c)))
			all[c] = s.propose(&s.chains[c], rng)
			s.measure(ctx, worker, &all[c])
		})
		for c := range all {
			s.accept(&s.chains[c], &all[c])
		}
		if idle++; s.evaluations+s.failures > before {
			idle = 0
		}
		if s.failures > 0 && s.evaluations == 0 && s.failures >= s.limitOfFailures() {
			return
		}
		if best := s.pool.best(); best != nil && s.o.Progress != nil {
			s.o.Progress(s.evaluations, best.value.Score.Value)
		}
	}
}

// limitOfFailures is how many failures in a row, without any value, are enough.
func (s *search) limitOfFailures() int {
	if len(s.o.Request.Command) > 0 {
		return 4 * chains
	}
	return 20 * chains
}

func (s *search) more(ctx context.Context, idle int) bool {
	if ctx.Err() != nil || idle >= barren && s.evaluations > 0 || idle >= boxTries {
		return false
	}
	return s.o.Evaluations == 0 || s.evaluations < s.o.Evaluations
}

// parallel calls do for 0, …, n−1 from as many goroutines as there are workers.
func (s *search) parallel(n int, do func(worker, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range max(1, min(s.o.Workers, n)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(w, i)
			}
		})
	}
	all.Wait()
}

// propose makes a candidate of a chain. It only reads what other chains read.
func (s *search) propose(c *chain, rng *rand.Rand) candidate {
	for range tries {
		var k candidate
		switch {
		case s.o.Strategy == Random || c.at == nil && (s.o.Strategy != Search || len(s.pool.list) == 0 || rng.IntN(2) == 0):
			k.instance, k.origin = s.source.draw(rng)
			k.fresh = true
		case c.at == nil:
			from := s.pool.list[rng.IntN(len(s.pool.list))]
			k.instance, k.origin = s.mutator.vary(from.instance, rng, 0.7), from.origin
			k.fresh = true
		default:
			k.instance, k.origin = s.mutator.vary(c.at.instance, rng, 0.35), c.at.origin
			k.atLeast = s.threshold(c, rng)
		}
		if k.instance == nil || k.instance.Size.Jobs > s.o.Jobs {
			continue
		}
		k.beyond = s.box.beyond(k.instance)
		if k.beyond > 0 && c.at != nil && !k.fresh && k.beyond >= c.beyond {
			continue
		}
		return k
	}
	return candidate{}
}

// threshold is the score that a candidate of a chain must have.
func (s *search) threshold(c *chain, rng *rand.Rand) Score {
	at := Score{Rank: Failed}
	if c.at.value == nil { // outside of the box
		return at
	}
	at = c.at.value.Score
	give := 0.0
	switch s.o.Strategy {
	case Search:
		if u := rng.Float64(); rng.IntN(4) == 0 {
			give = 0.2 * u * u
		}
	case Anneal:
		const hot, cold = 0.5, 0.002
		t := hot
		if s.o.Evaluations > 0 {
			t = hot * math.Pow(cold/hot, float64(s.evaluations)/float64(s.o.Evaluations))
		}
		give = min(1, -t*math.Log(1-rng.Float64()))
	}
	switch at.Rank {
	case ByRatio:
		at.Value -= give * math.Abs(at.Value-1)
	case ByRegret:
		at.Value *= 1 - give
	}
	return at
}

// measure evaluates a candidate.
func (s *search) measure(ctx context.Context, worker int, k *candidate) {
	if k.instance == nil || k.beyond > 0 || ctx.Err() != nil {
		return
	}
	atLeast := k.atLeast
	if best := s.pool.best(); k.fresh && s.o.Strategy == Random && best != nil {
		atLeast = best.value.Score
	}
	if v, err := s.evaluatorOf(worker).evaluate(ctx, k.instance, atLeast); err == nil {
		k.value = v
	}
}

// accept enters what came of a candidate; it is called for one after the other.
func (s *search) accept(c *chain, k *candidate) {
	switch {
	case k.instance == nil:
		s.tire(c)
		return
	case k.beyond > 0:
		if c.at == nil || k.beyond < c.beyond {
			*c = chain{at: &entry{instance: k.instance, origin: k.origin}, beyond: k.beyond}
		}
		s.tire(c)
		return
	case k.value == nil:
		s.cut++
		return
	case k.value.Failure != "":
		s.failures++
		if k.value.Skipped {
			s.skipped++
		}
		if s.failure == "" {
			s.failure = k.value.Failure
		}
		s.tire(c)
		return
	}
	s.evaluations++
	v := k.value
	s.samples.add(k.instance, v)
	if v.Optimum == nil && !v.Screened {
		s.unproven++
	}
	if v.Screened || v.Score.less(k.atLeast) {
		s.tire(c)
		return
	}
	rise := c.at == nil || c.at.value == nil || c.at.value.Score.less(v.Score)
	*c = chain{at: &entry{k.instance, v, k.origin}, stale: c.stale}
	if rise {
		c.stale = 0
	}
	s.tire(c)
	if s.pool.offer(&entry{k.instance, v, k.origin}) {
		s.history = append(s.history, Improvement{s.evaluations, v.Score.Rank.String(), v.Score.Value})
	}
}

// tire makes a chain begin again when it does not rise any more.
func (s *search) tire(c *chain) {
	if c.stale++; c.stale > patience && s.o.Strategy != Anneal {
		*c = chain{}
	}
}

// proven is the best entry whose optimum can be proven; without one the error says so.
func (s *search) proven(ctx context.Context, h *shrinker) (*entry, error) {
	for _, e := range s.pool.list {
		v := e.value
		if v.Optimum == nil {
			var err error
			if v, err = h.value(ctx, e.instance, Score{}); err != nil {
				return nil, ErrUnproven
			}
		}
		if v.Optimum != nil && v.Score.excess() > tolerance {
			return &entry{e.instance, v, e.origin}, nil
		}
	}
	return nil, ErrUnproven
}
