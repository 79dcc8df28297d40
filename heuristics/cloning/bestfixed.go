package cloning

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/heuristics/anneal"
	"schedgap/heuristics/cloning/decoder"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// BestNonpreemptive is the search for best-known values of schedules that stop no copy.
var BestNonpreemptive = anneal.BestKnown(cloning.Algorithm{
	Name: "best-nonpreemptive", Reference: cloning.Opt, Class: cloning.OptNonpreemptive,
	Doc: "search for a best-known value without preemption: the best of all policies, then annealing over list schedules",
}, "the most schedules built; 0: 200·n², at most 30,000", 200, 30_000, jobs, fromPolicies(listed))

// listed returns the best schedule that is found in budget evaluations, or until ctx ends.
func listed(ctx context.Context, p *cloning.Pass, known []scheduled, budget int) (cloning.Solution, error) {
	in := p.Instance
	l := newLister(in)
	var failed error
	value := func(at anneal.Point, limit float64) float64 {
		v, err := sim.Flowtime(ctx, in, l.policy(at), nil, nil, limit)
		if err != nil {
			failed = cmp.Or(failed, err)
			return math.Inf(1)
		}
		return v
	}
	list, v := anneal.Best(len(clonings), value, l.starts(known)...)
	search := anneal.Search{
		Rand: p.Rand(), Evaluations: budget, Items: len(l.place),
		Improved: func(v float64) {
			if v < known[0].value {
				if s, err := l.schedule(ctx, list.At); err == nil {
					p.Improved(s)
				}
			}
		},
	}
	v, finished := search.Run(ctx, list, v)
	if finished && failed != nil || v >= known[0].value {
		return known[0].solution, failed
	}
	return l.schedule(context.WithoutCancel(ctx), list.At)
}

// A clonesRule says when the tasks of a phase get clones.
type clonesRule struct {
	clones int  // of a task
	eager  bool // before phases behind theirs, else when nothing that waits fits
}

// clonings and buckets decode options. An option chooses a phase's rule for clones. The last option of a point chooses the
// number of neighbouring phases among which servers choose by fit; with 1, tasks choose the first server with room.
var (
	clonings = []clonesRule{{0, false}, {1, false}, {2, false}, {math.MaxInt32 - 1, false}, {1, true}, {math.MaxInt32 - 1, true}}
	buckets  = []int{1, 2, 4, 16, 64, math.MaxInt}
)

// A lister makes list schedules of orders of all phases.
type lister struct {
	in    *cloning.Instance
	first []int // the number of a job's first phase
	place []int // in order, by number of the phase
}

func newLister(in *cloning.Instance) *lister {
	l := &lister{in: in, first: make([]int, len(in.Jobs))}
	n := 0
	for j := range in.Jobs {
		l.first[j] = n
		n += len(in.Jobs[j].Phases)
	}
	l.place = make([]int, n)
	return l
}

// policy is the list schedule of a point; it is valid until the next call.
func (l *lister) policy(at anneal.Point) *sim.Policy {
	for i, f := range at.Order {
		l.place[f] = i
	}
	bucket := buckets[at.Option[len(at.Order)]]
	rules := sim.Rules{
		MaxCopies: l.in.MaxCopies,
		Rank: func(job, phase, copies int) (sim.Rank, bool) {
			f := l.first[job] + phase
			rule := clonings[at.Option[f]]
			rank := sim.Rank{Group: l.place[f] / bucket, Key: float64(l.place[f])}
			if copies > 0 && !rule.eager {
				rank.Group += copies * len(l.place)
			}
			return rank, copies <= rule.clones
		},
	}
	if bucket > 1 {
		rules.Pack = sim.BestFit
	}
	return &sim.Policy{
		Policy: models.Policy{Name: "best"},
		New:    func(*sim.State, models.Values, *rand.Rand) sim.Rules { return rules },
	}
}

func (l *lister) schedule(ctx context.Context, at anneal.Point) (cloning.Solution, error) {
	return sim.Schedule(ctx, l.in, l.policy(at), nil, 1, nil)
}

// starts are the orders in which phases start in the best schedules known, in which their jobs complete there, and of the work that
// their jobs have left, each with some rules for clones and ways to pack.
func (l *lister) starts(known []scheduled) []anneal.Point {
	n := len(l.place)
	m := decoder.New(l.in)
	left := make([]float64, 0, n)
	for j := range l.in.Jobs {
		left = append(left, m.Remaining(j)...)
	}
	orders := [][]int{models.OrderBy(n, func(f int) float64 { return left[f] })}
	for _, k := range known[:min(3, len(known))] {
		begins, ends := make([]int, n), make([]int, n)
		for f := range begins {
			begins[f] = math.MaxInt
		}
		done := make([]int, len(l.in.Jobs))
		for _, c := range k.solution.Copies {
			f := l.first[c.Task.Job] + c.Task.Phase
			begins[f] = min(begins[f], c.Start)
			done[c.Task.Job] = max(done[c.Task.Job], c.End)
		}
		for j := range l.in.Jobs {
			for k := range l.in.Jobs[j].Phases {
				ends[l.first[j]+k] = done[j]
			}
		}
		for _, times := range [][]int{begins, ends} {
			orders = append(orders, models.OrderBy(n, func(f int) int { return times[f] }))
		}
	}
	var points []anneal.Point
	for _, order := range orders {
		for rule := range min(len(clonings), l.in.MaxCopies+1) {
			for _, bucket := range []int{0, 3} {
				option := slices.Repeat([]int{rule}, n+1)
				option[n] = bucket
				points = append(points, anneal.Point{Order: order, Option: option})
			}
		}
	}
	return points
}
