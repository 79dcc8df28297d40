package worst

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
	score := e.value.Score
	at := slices.IndexFunc(p.list, func(o *entry) bool {
		s := o.value.Score
		return s.Rank == score.Rank && math.Abs(s.Value-score.Value) <= alike*math.Abs(s.excess())
	})
	switch {
	case at < 0:
		p.list = append(p.list, e)
	case p.list[at].value.Score.less(score):
		p.list[at] = e
	default:
		return false
	}
	slices.SortStableFunc(p.list, func(a, b *entry) int { return b.value.Score.compare(a.value.Score) })
	p.list = p.list[:min(len(p.list), elites)]
	return p.list[0] == e
}

// A chain climbs from one instance to the next.
type chain struct {
	at     *entry // nil: it begins with the next round
	stale  int    // rounds without a rise
	beyond float64
}

// A search is one run.
type search struct {
	report
	o         Options
	evaluator evaluator
	source    source
	box       *box

	chains  [chains]chain
	pool    pool
	skipped int                          // failures where the algorithm is not defined
	cut     int                          // evaluations that the end of the context cut short
	fault   atomic.Pointer[models.Fault] // of the problem's own commands, which ends the search
	workers chan int                     // that are free
}

func newSearch(o Options) (*search, error) {
	p := o.Problem
	if p.Moves == nil || p.Generator == nil {
		return nil, fmt.Errorf("there is no search among instances of %s", p.Name)
	}
	if o.Reference == "" {
		o.Reference = p.Blank(o.Request).Reference
		// The optimum of a class is compared with the optimum of all.
		if widest := p.References[0].Name; p.ReferenceWithin(o.Reference, widest) {
			o.Reference = widest
		}
	}
	s := &search{o: o, workers: make(chan int, max(1, o.Workers))}
	s.Algorithm, s.Reference, s.Seed = o.Request.Algorithm, o.Reference, o.Seed
	for w := range cap(s.workers) {
		s.workers <- w
	}
	var err error
	s.evaluator, err = newEvaluator(o)
	if err != nil {
		return nil, err
	}
	s.source, err = newSource(o)
	if err != nil {
		return nil, err
	}
	var sample *bench.Instance
	for i := uint64(0); sample == nil; i++ {
		sample, _, err = s.source.draw(rand.New(rand.NewPCG(o.Seed, i)))
		if fault := new(models.Fault); errors.As(err, &fault) {
			return nil, err
		}
		if sample == nil && i == 1000 {
			return nil, fmt.Errorf("no instance to begin with: %w", cmp.Or(err, errNoInstances))
		}
	}
	s.box, err = newBox(sample, o.Within, o.Like)
	return s, err
}

var errNoInstances = errors.New("no instance was found within the ranges asked for; widen --within or --like")

// empty says why nothing was evaluated.
func (s *search) empty(ctx context.Context) error {
	if s.cut > 0 {
		return cmp.Or(ctx.Err(), ErrUnproven)
	}
	return cmp.Or(ctx.Err(), errNoInstances)
}

// failed says why there is no value at all.
func (s *search) failed() error {
	if s.skipped == s.Failures {
		return models.NotApplicablef("%s is defined for none of the instances searched: %s", s.Algorithm, s.Failure)
	}
	return &FailedError{s.Failure}
}

// A candidate is the next instance of a chain, with its value. It has no instance if no move gave a valid one. It has no value if
// ctx ended, or if the instance lies outside the box.
type candidate struct {
	entry
	fresh   bool // not from where the chain is
	beyond  float64
	atLeast Score
}

// run goes on until the evaluations are used up or ctx ends.
func (s *search) run(ctx context.Context) {
	few := 20 * chains // failures in a row, without any value, that are enough
	if len(s.o.Request.Command) > 0 {
		few = 4 * chains
	}
	idle := 0
	for round := uint64(0); ctx.Err() == nil && idle < boxTries && (idle < barren || s.Evaluations == 0); round++ {
		n := chains
		if s.o.Evaluations > 0 {
			n = min(n, s.o.Evaluations-s.Evaluations)
		}
		before := s.Evaluations + s.Failures
		all := make([]candidate, n)
		var group sync.WaitGroup
		for c := range all {
			worker := <-s.workers
			if s.fault.Load() != nil {
				s.workers <- worker
				break
			}
			group.Go(func() {
				rng := rand.New(rand.NewPCG(s.o.Seed, round*workScale+uint64(c)))
				all[c] = s.propose(&s.chains[c], rng)
				s.measure(ctx, worker, &all[c])
				s.workers <- worker
			})
		}
		group.Wait()
		if s.fault.Load() != nil {
			return
		}
		for c := range all {
			s.accept(&s.chains[c], &all[c])
		}
		idle++
		if s.Evaluations+s.Failures > before {
			idle = 0
		}
		if n == 0 || s.Evaluations == 0 && s.Failures >= few {
			return
		}
		if best := s.pool.best(); best != nil && s.o.Progress != nil {
			s.o.Progress(s.Evaluations, best.value.Score.Value)
		}
	}
}

// propose makes a candidate of a chain. It only reads what other chains read.
func (s *search) propose(c *chain, rng *rand.Rand) candidate {
	for range tries {
		var k candidate
		switch {
		case c.at == nil && (len(s.pool.list) == 0 || rng.IntN(2) == 0):
			k.instance, k.origin, _ = s.source.draw(rng)
			k.fresh = true
		case c.at == nil:
			from := s.pool.list[rng.IntN(len(s.pool.list))]
			k.instance, k.origin = s.vary(from.instance, rng, 0.7), from.origin
			k.fresh = true
		default:
			k.instance, k.origin = s.vary(c.at.instance, rng, 0.35), c.at.origin
			k.atLeast = s.threshold(c, rng)
		}
		if k.instance == nil || k.instance.Size.Jobs > s.o.Jobs {
			continue
		}
		k.beyond = s.box.beyond(k.instance)
		if k.beyond == 0 || k.fresh || k.beyond < c.beyond {
			return k
		}
	}
	return candidate{}
}

// threshold is the score that a candidate of a chain must have: now and then a little less than the chain has.
func (s *search) threshold(c *chain, rng *rand.Rand) Score {
	if c.at.value == nil { // outside of the box
		return Score{}
	}
	at, give := c.at.value.Score, 0.0
	if u := rng.Float64(); rng.IntN(4) == 0 {
		give = 0.2 * u * u
	}
	at.Value -= give * at.excess()
	return at
}

// measure evaluates a candidate.
func (s *search) measure(ctx context.Context, worker int, k *candidate) {
	if k.instance == nil || k.beyond > 0 || ctx.Err() != nil {
		return
	}
	var err error
	k.value, err = s.evaluator.evaluate(ctx, worker, k.instance, k.atLeast)
	if fault := new(models.Fault); errors.As(err, &fault) {
		s.fault.Store(fault)
	}
}

// accept enters what came of a candidate; it is called for one after the other.
func (s *search) accept(c *chain, k *candidate) {
	v, failed := k.value, k.value != nil && k.value.Failure != ""
	switch {
	case k.instance == nil:
	case k.beyond > 0:
		if c.at == nil || k.beyond < c.beyond {
			*c = chain{at: &k.entry, beyond: k.beyond}
		}
	case v == nil:
		s.cut++
		return
	case failed:
		s.Failures++
		if v.Skipped {
			s.skipped++
		}
		s.Failure = cmp.Or(s.Failure, v.Failure)
	default:
		s.Evaluations++
		if v.Optimum == nil && !v.Screened {
			s.Unproven++
		}
		if v.Screened || v.Score.less(k.atLeast) {
			break
		}
		if c.at == nil || c.at.value == nil || c.at.value.Score.less(v.Score) {
			c.stale = 0
		}
		*c = chain{at: &k.entry, stale: c.stale}
		if s.pool.offer(&k.entry) {
			s.History = append(s.History, Improvement{s.Evaluations, v.Score.Rank.String(), v.Score.Value})
		}
	}
	c.stale++
	if c.stale > patience { // it begins again
		*c = chain{}
	}
}

// proven is the best entry whose optimum can be proven; nil: there is none.
func (s *search) proven(ctx context.Context, h *shrinker) *entry {
	for _, e := range s.pool.list {
		v := e.value
		if v.Optimum == nil {
			var err error
			v, err = h.value(ctx, e.instance, Score{})
			if err != nil {
				return nil
			}
		}
		if v.Optimum != nil && v.Score.excess() > tolerance {
			return &entry{e.instance, v, e.origin}
		}
	}
	return nil
}
