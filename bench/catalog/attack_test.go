package catalog

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/bench"
	cloningoracle "schedgap/exact/cloning/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// Deliberate attacks: an optimal solution is made to use up as much of every tolerance as the checker accepts, all at once and in
// the direction that pays. Each test counts how often the solution's own times beat the optimum by it, so that it cannot pass
// by attacking nothing.

// most is just under the tolerance.
const most = 0.99e-6

// optimal is solved by opt.
func optimal[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], in I) (solution S, value float64) {
	t.Helper()
	return solved(t, p, in, "opt")
}

// solved is an optimal solution of a model's instance, by an exact algorithm.
func solved[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], in I, algorithm string) (solution S, value float64) {
	t.Helper()
	f := file(t, p, in)
	res := solve(f.Problem, f, bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1})
	if res.Status != bench.Optimal {
		t.Fatalf("%s %s\n%s", res.Status, res.Error, f.JSON)
	}
	sf, err := p.ParseSolution("solution", res.Solution, in)
	if err != nil {
		t.Fatal(err)
	}
	return sf.Solution, *res.Objective
}

// A tally counts attacks.
type tally struct {
	attacks, accepted, ahead int
	worst                    float64 // by how much a published value beats the optimum, relatively
}

// enter judges an attack by the checker's report, the value at the solution's own times and the optimum of a minimisation.
func (c *tally) enter(t *testing.T, r models.Report, own, optimum float64, what any) {
	t.Helper()
	c.attacks++
	if len(r.Violations) > 0 {
		return
	}
	c.accepted++
	size := max(1e-9, math.Abs(optimum), math.Abs(own))
	if optimum-own > 1e-8*size {
		c.ahead++
	}
	by := (optimum - *r.Objective) / size
	c.worst = max(c.worst, by)
	if by > 1e-9 {
		t.Errorf("%v beats the optimum %v by %g: %+v", *r.Objective, optimum, by, what)
	}
}

func (c *tally) done(t *testing.T, accepted, ahead int) {
	t.Helper()
	t.Logf("%d attacks, %d accepted, %d ahead at their own times; published values beat the optimum by %.2g at most",
		c.attacks, c.accepted, c.ahead, c.worst)
	if c.accepted < accepted || c.ahead < ahead {
		t.Error("the attacks are too weak to show anything")
	}
}

// squeeze is a schedule in which every job holds a little more than it may, jobs in wait hold less than nothing so that others
// can hold more, minima are cut, and intervals are shorter for it, short of work as well, and overlap.
func squeeze(rng *rand.Rand, in *flex.Instance, s flex.Schedule) flex.Schedule {
	times := flex.Completions(in, s)
	use := func() float64 { return most * float64(min(1, rng.IntN(6))) } // now and then not
	slots, maximum, minimum, negative, work, overlap := use(), use(), use(), use(), use(), use()
	held := make([]float64, len(in.Jobs))
	var out flex.Schedule
	end := 0.0
	for _, iv := range s {
		for _, ch := range iv.Changes {
			held[ch.Job] = ch.Slots
		}
		length := iv.End - iv.Start
		if length <= 0 {
			continue
		}
		next := slices.Clone(held)
		room, free := float64(in.Slots)*(1+slots), 0.0
		for j, job := range in.Jobs {
			switch {
			case iv.Start >= times[j]:
				next[j] = 0
			case held[j] == 0 && job.Min == 0:
				next[j] = -negative
			case held[j] <= float64(job.Min):
				next[j] = float64(job.Min) * (1 - minimum)
			default:
				free += held[j]
				continue
			}
			room -= next[j]
		}
		faster := 2.0
		for j, job := range in.Jobs {
			if iv.Start < times[j] && held[j] > float64(job.Min) {
				next[j] = min(held[j]*room/free, float64(job.Max)*(1+maximum))
				faster = min(faster, next[j]/held[j])
			}
		}
		if faster == 2 {
			faster = 1
		}
		length *= (1 - work) / faster
		q := flex.Interval{Start: end - overlap*length*(1-1e-3), Changes: make([]flex.Share, len(next))}
		if end == 0 {
			q.Start = 0
		}
		q.End = q.Start + length
		for j := range next {
			q.Changes[j] = flex.Share{Job: j, Slots: next[j]}
		}
		out, end = append(out, q), q.End
	}
	return out
}

func TestAttackFlex(t *testing.T) {
	rng := rand.New(rand.NewPCG(70, 1))
	var c tally
	for _, o := range flexObjectives() {
		for range 10 {
			in := flexInstance(rng, o)
			s, optimum := optimal(t, flex.Problem, in)
			if o.Metric == flex.Tardy { // all are done by the makespan, and deadlines lie just before it
				wide := *in
				wide.Objective = flex.Objective{Metric: flex.Response, Aggregate: flex.Max}
				var makespan float64
				s, makespan = optimal(t, flex.Problem, &wide)
				d := makespan * (1 - 2e-6)
				in.Jobs = slices.Clone(in.Jobs)
				for j := range in.Jobs {
					in.Jobs[j].Deadline = &d
				}
				_, optimum = optimal(t, flex.Problem, in)
			}
			for range 20 {
				attack := squeeze(rng, in, s)
				if times := flex.Completions(in, attack); times != nil {
					c.enter(t, flex.Problem.Check(in, attack), in.Value(times), optimum, attack)
				}
			}
		}
	}
	c.done(t, 1500, 1000)
}

// A tolerance relative to all slots is all of a small job's: a runs on every slot, and b, which may hold no more than one of two
// million, would end beside it. Without a tolerance b waits for a, until 2.
func TestAttackOfASmallJob(t *testing.T) {
	const slots = 2_000_000
	in := &flex.Instance{
		Header: models.Header{Name: "small"}, Slots: slots, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum},
		Jobs: []flex.Job{{ID: "a", Work: slots, Min: slots, Max: slots, Weight: 1}, {ID: "b", Work: 1, Max: 1, Weight: 1}},
	}
	_, optimum := optimal(t, flex.Problem, in)
	var c tally
	both := flex.Schedule{{End: 1, Changes: []flex.Share{{Job: 0, Slots: slots}, {Job: 1, Slots: 1}}}}
	c.enter(t, flex.Problem.Check(in, both), 2, optimum, both)
	c.done(t, 1, 1)
	if optimum != 3 {
		t.Error(optimum)
	}
}

// hurry is a schedule in which jobs have larger shares than they may and less work, intervals are shorter for it, and boundaries
// lie a little before the arrivals that they stand for.
func hurry(rng *rand.Rand, in *redundancy.Instance, s redundancy.Solution) redundancy.Solution {
	use := func() float64 { return most * float64(min(1, rng.IntN(4))) }
	share, work, early := use(), use(), use()
	if rng.IntN(2) == 0 {
		early = 0
	}
	out := redundancy.Solution{Speed: 1}
	from, at, last := 0.0, 0.0, 0.0 // in s, in out; the last boundary at an arrival
	for _, iv := range s.Intervals {
		next := redundancy.Interval{Start: at}
		for _, a := range iv.Alloc {
			a.Share *= 1 + share
			next.Alloc = append(next.Alloc, a)
		}
		arrival := slices.ContainsFunc(in.Jobs, func(j redundancy.Job) bool { return math.Abs(j.Arrival-iv.End) <= 1e-12*iv.End })
		if arrival {
			last = iv.End
			next.End = iv.End - early*(iv.End-from)
		} else {
			next.End = at + (iv.End-max(from, last))*(1-work)/(1+share)
		}
		from, at = iv.End, next.End
		out.Intervals = append(out.Intervals, next)
	}
	return out
}

func TestAttackRedundancy(t *testing.T) {
	rng := trials.Rand(t, 70, 2)
	for _, multitasking := range []bool{false, true} {
		var c tally
		for range trials.Count(400) {
			in := redundancyInstance(rng, multitasking)
			s, optimum := optimal(t, redundancy.Problem, in)
			for range 20 {
				attack := hurry(rng, in, s)
				if times := redundancy.Completions(in, attack); times != nil {
					own := 0.0
					for j := range times {
						own += times[j] - in.Jobs[j].Arrival
					}
					c.enter(t, redundancy.Problem.Check(in, attack), own, optimum, attack)
				}
			}
		}
		c.done(t, 1000, 700)
	}
}

// The numbers of cloning's solutions are whole; what can be a little too much are the demands of an instance that is made for it.
func TestAttackCloning(t *testing.T) {
	rng := trials.Rand(t, 70, 3)
	var c tally
	for range trials.Count(300) {
		in := cloningoracle.RandomInstance(rng, 3)
		s, _ := optimal(t, cloning.Problem, in)
		tight := *in
		tight.Servers = slices.Clone(in.Servers)
		for v := range tight.Servers {
			tight.Servers[v].Capacity = slices.Clone(in.Servers[v].Capacity)
			for r := range tight.Servers[v].Capacity {
				tight.Servers[v].Capacity[r] *= 1 - 0.5e-6
			}
		}
		data, err := cloning.Problem.MarshalInstance(&tight)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cloning.Problem.ParseInstance("tight", data); err != nil {
			continue // a task that no server holds any more
		}
		own := *cloning.Problem.Check(in, s).Objective
		c.enter(t, cloning.Problem.Check(&tight, s), own, float64(cloningoracle.Opt(&tight, false)), s)
	}
	c.done(t, trials.Count(200), trials.Count(10))
}

// Decisions of pocd are whole.
func TestAttackPocd(t *testing.T) {
	p, err := registry(t).Problem("pocd")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, in := range sharedInstances(t, p) {
		res := solve(p, in, bench.Request{Algorithm: "opt", Seed: 1, Threads: 1})
		var file map[string]any
		if err := json.Unmarshal(res.Solution, &file); err != nil {
			t.Fatal(err)
		}
		for _, tasks := range file["copies"].(map[string]any) {
			for id, copies := range tasks.(map[string]any) {
				n++
				tasks.(map[string]any)[id] = copies.(float64) + most
				data, err := json.Marshal(file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := in.Check("solution", data); err == nil {
					t.Errorf("accepted %s", data)
				}
			}
		}
	}
	if n < 10 {
		t.Error("too few copies to try")
	}
}
