package catalog

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/exact"
	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/oracle"
	exactpocd "schedgap/exact/pocd"
	pocdoracle "schedgap/exact/pocd/oracle"
	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	exactspeculation "schedgap/exact/speculation"
	speculationoracle "schedgap/exact/speculation/oracle"
	heuristicsflex "schedgap/heuristics/flex"
	heuristicspocd "schedgap/heuristics/pocd"
	heuristicsredundancy "schedgap/heuristics/redundancy"
	heuristicsspeculation "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
	"schedgap/reports/ratio"
)

// Exact methods without the heuristic start that hides what they get wrong, on instances whose numbers span many orders of
// magnitude, against oracles in rational arithmetic.

// A span is the range from which works and times are drawn.
type span struct{ lo, hi float64 }

func (s span) String() string { return fmt.Sprintf("%g to %g", s.lo, s.hi) }

var spans = []span{{1e-2, 1e6}, {1e-3, 1e7}, {1e-8, 1e12}, {1e-70, 1e25}}

// draw is log-uniform and short in decimals; one in four is a round power of 10, so that ties occur.
func (s span) draw(rng *rand.Rand) float64 {
	lo, hi := math.Log10(s.lo), math.Log10(s.hi)
	if rng.IntN(4) == 0 {
		return math.Pow(10, math.Round(lo+(hi-lo)*rng.Float64()))
	}
	x := math.Pow(10, lo+(hi-lo)*rng.Float64())
	digits := math.Pow(10, math.Floor(math.Log10(x))-3)
	return math.Max(s.lo, math.Round(x/digits)*digits)
}

// wideFlex widens a small instance: works over the span, due dates around the times that the works take.
func wideFlex(rng *rand.Rand, s span) *flex.Instance {
	list := flexObjectives()
	in := flexoracle.RandomInstanceOf(rng, 1+rng.IntN(4), list[rng.IntN(len(list))])
	total := 0.0
	cluster := []float64{s.draw(rng), s.draw(rng)}[:1+rng.IntN(2)]
	if rng.IntN(2) == 0 {
		cluster = nil
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		switch {
		case cluster != nil: // works of few sizes
			job.Work *= cluster[rng.IntN(len(cluster))]
		case j > 0 && rng.IntN(5) == 0:
			job.Work = in.Jobs[rng.IntN(j)].Work
		default:
			job.Work = s.draw(rng)
		}
		if in.Objective.Weighted {
			job.Weight = span{1e-2, 1e2}.draw(rng)
		}
		total += job.Work / float64(in.Slots)
	}
	due := func() float64 {
		switch rng.IntN(5) {
		case 0:
			return -total * rng.Float64()
		case 1:
			return in.Jobs[rng.IntN(len(in.Jobs))].Work / float64(in.Slots)
		case 2:
			return s.draw(rng)
		}
		return total * rng.Float64()
	}
	for j := range in.Jobs {
		if in.Jobs[j].Deadline != nil {
			d := due()
			in.Jobs[j].Deadline = &d
		}
		steps := slices.Clone(in.Jobs[j].Steps)
		at := 0.0
		for k := range steps {
			if d := math.Abs(due()); d > at {
				at = d
			} else {
				at *= 1.25
			}
			steps[k].At = at
		}
		in.Jobs[j].Steps = steps
	}
	return in
}

func wideRedundancy(rng *rand.Rand, s span) *redundancy.Instance {
	in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Work = s.draw(rng)
		if job.Arrival > 0 {
			job.Arrival = s.draw(rng)
		}
	}
	last := slices.MaxFunc(in.Jobs, func(a, b redundancy.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
	for j := range in.Jobs {
		in.Jobs[j].Work = max(in.Jobs[j].Work, 1e-8*last) // dates of which works can be told apart
	}
	if rng.IntN(3) == 0 {
		for r := range in.Speedup {
			in.Speedup[r] = 1 + (in.Speedup[r]-1)*1e-9
		}
	}
	return in
}

func widePocd(rng *rand.Rand, s span) *pocd.Instance {
	in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Elapsed < job.Deadline {
			f := s.draw(rng)
			job.Deadline, job.Elapsed = job.Deadline*f, job.Elapsed*f
			job.Tasks = slices.Clone(job.Tasks)
			for i := range job.Tasks {
				job.Tasks[i].TMin *= f
				if rng.IntN(4) == 0 {
					job.Tasks[i].TMin = (job.Deadline - job.Elapsed) * span{1e-12, 1}.draw(rng)
				}
				if rng.IntN(4) == 0 {
					job.Tasks[i].Beta = span{1e-3, 30}.draw(rng)
				}
			}
		}
	}
	return in
}

func wideSpeculation(rng *rand.Rand, s span) *speculation.Instance {
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 4)
	for i := range in.Stragglers {
		f := s.draw(rng)
		in.Stragglers[i].Finish *= f
		in.Stragglers[i].Power *= span{1e-3, 1e3}.draw(rng)
		for j := range in.Slots {
			in.CopyTime[i][j] *= f
		}
	}
	for j := range in.Slots {
		in.Slots[j].Start *= s.draw(rng)
	}
	return in
}

// A wide is a problem without starts.
type wide struct {
	problem *bench.Problem
	random  func(t *testing.T, rng *rand.Rand, s span) (in *bench.Instance, optima map[string]float64) // by algorithm
}

func unstarted() map[string]wide {
	return map[string]wide{
		"flex": {
			bench.Adapt(bench.Definition[*flex.Instance, flex.Schedule]{
				Problem: flex.Problem,
				Algorithms: slices.Concat(exactflex.Algorithms(exact.Deps[*flex.Instance, flex.Schedule]{}),
					heuristicsflex.All),
			}),
			func(t *testing.T, rng *rand.Rand, s span) (*bench.Instance, map[string]float64) {
				in := wideFlex(rng, s)
				due := oracle.Forgiving(in, flex.Tolerance)
				mps, _ := flexoracle.BestMPS(due)
				optima := map[string]float64{"opt": flexoracle.Opt(due), "opt-mps": mps}
				if v, ok := flexoracle.Moldable(due); ok {
					optima["opt-moldable"] = v
				}
				return file(t, flex.Problem, in), optima
			},
		},
		"pocd": {
			bench.Adapt(bench.Definition[*pocd.Instance, pocd.Copies]{
				Problem: pocd.Problem,
				Algorithms: slices.Concat(exactpocd.Algorithms(exact.Deps[*pocd.Instance, pocd.Copies]{}),
					heuristicspocd.All),
			}),
			func(t *testing.T, rng *rand.Rand, s span) (*bench.Instance, map[string]float64) {
				in := widePocd(rng, s)
				return file(t, pocd.Problem, in), map[string]float64{"opt": pocdoracle.Opt(in, false), "opt-all": pocdoracle.Opt(in, true)}
			},
		},
		"redundancy": {
			bench.Adapt(bench.Definition[*redundancy.Instance, redundancy.Solution]{
				Problem: redundancy.Problem,
				Algorithms: slices.Concat(exactredundancy.Algorithms(exact.Deps[*redundancy.Instance,
					redundancy.Solution]{}), heuristicsredundancy.All),
			}),
			func(t *testing.T, rng *rand.Rand, s span) (*bench.Instance, map[string]float64) {
				in := wideRedundancy(rng, s)
				return file(t, redundancy.Problem, in), map[string]float64{"opt": redundancyoracle.Opt(in)}
			},
		},
		"speculation": {
			bench.Adapt(bench.Definition[*speculation.Instance, speculation.Solution]{
				Problem: speculation.Problem,
				Algorithms: slices.Concat(exactspeculation.Algorithms(exact.Deps[*speculation.Instance,
					speculation.Solution]{}), heuristicsspeculation.All),
			}),
			func(t *testing.T, rng *rand.Rand, s span) (*bench.Instance, map[string]float64) {
				in := wideSpeculation(rng, s)
				return file(t, speculation.Problem, in), map[string]float64{"opt": speculationoracle.Opt(in)}
			},
		},
	}
}

func TestWideInstances(t *testing.T) {
	for name, w := range unstarted() {
		for k, s := range spans {
			t.Run(name+" "+s.String(), func(t *testing.T) {
				t.Parallel()
				rng := trials.Rand(t, 24, uint64(k))
				tally := map[string]int{}
				for i := range trials.Count(40) {
					in, optima := w.random(t, rng, s)
					if list := w.wrong(in, s.hi > 1e10*s.lo, optima, tally); len(list) > 0 {
						t.Errorf("%d: %s\n%s %v", i, strings.Join(list, "\n"), in.JSON, optima)
					}
				}
				t.Log(tally)
			})
		}
	}
}

// An own method whose bound stays apart from its value has proven nothing, though it says so.
func TestBoundsApartAreNoProofs(t *testing.T) {
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	in.Name = "apart"
	in.Jobs = []flex.Job{{ID: "a", Work: 2, Max: 2, Weight: 1}}
	for bound, status := range map[float64]bench.Status{1: bench.Optimal, 1 - 1e-6: bench.Feasible} {
		claims := *heuristicsflex.SPT.OnInstance
		claims.Kind = models.Exact
		claims.Run = func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
			out, err := heuristicsflex.SPT.OnInstance.Run(ctx, p)
			out.Status, out.Bound = models.Optimal, &bound
			return out, err
		}
		p := bench.Adapt(bench.Definition[*flex.Instance, flex.Schedule]{Problem: flex.Problem, Algorithms: []*flex.Algorithm{&claims}})
		r := p.Run(t.Context(), file(t, flex.Problem, in), bench.Request{Algorithm: claims.Name, Seed: 1, Threads: 1}, bench.Observer{})
		if r.Status != status || *r.Objective != 1 || *r.Bound != bound {
			t.Errorf("%s %v, bound %v: %s", r.Status, show(r.Objective), show(r.Bound), r.Error)
		}
	}
}

// wrong runs all algorithms on an instance and says what contradicts its optima. Where honesty is enough, an exact method may end
// without a proof, and the checker may refuse schedules.
func (w *wide) wrong(in *bench.Instance, honest bool, optima map[string]float64, tally map[string]int) (list []string) {
	p := w.problem
	for i := range p.Algorithms {
		a := &p.Algorithms[i]
		arg := ""
		if a.Arg != "" {
			if !strings.HasPrefix(a.Name, "laps") {
				continue
			}
			arg = ":0.5"
		}
		q := bench.Request{Algorithm: a.Name + arg, Seed: 1, Threads: 1}
		if p.Validate(in, q) != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
		r := p.Run(ctx, in, q, bench.Observer{})
		cancel()
		say := func(format string, args ...any) {
			tally["wrong "+a.Name]++
			list = append(list, fmt.Sprintf("%s: %s %v bound %v: ", a.Name, r.Status, show(r.Objective), show(r.Bound))+fmt.Sprintf(format,
				args...))
		}
		tally[string(a.Kind)+" "+string(r.Status)]++
		if r.Status == bench.Skipped {
			continue
		}
		if dates := in.Accuracy.Rounding > 1e-12*math.Abs(optima["opt"]); dates && r.Status == bench.Timeout || honest &&
			(r.Status == bench.Invalid || a.Kind == models.Exact && r.Status == bench.Feasible) {
			continue // works, or dates, that no sum of doubles holds together; nothing is claimed
		}
		if r.Error != "" {
			say("%s", r.Error)
			continue
		}
		optimum, known := optima[a.Name]
		reference, ok := optima[r.Reference]
		if !ok {
			known = false
		}
		within := func(v, o float64) bool { return ratio.Equal(v, o) || math.Abs(v-o) <= in.Accuracy.Rounding }
		if a.Kind == models.Exact && known && (r.Status != bench.Optimal || r.Objective == nil || !within(*r.Objective, optimum)) {
			say("the optimum is %v", optimum)
		}
		for _, v := range []*float64{r.Objective, r.Bound} {
			if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0) && a.Kind != models.Bound) {
				say("no number")
			}
		}
		if ok && r.Bound != nil && p.Sense.Better(reference, *r.Bound) && !within(reference, *r.Bound) {
			say("the bound is beyond the optimum %v", reference)
		}
		if ok && r.Objective != nil && len(r.Waived) == 0 && p.Sense.Better(*r.Objective, reference) &&
			!within(reference, *r.Objective) {
			say("the value is beyond the optimum %v", reference)
		}
	}
	return list
}
