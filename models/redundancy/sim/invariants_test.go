package sim_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation/simtest"
	"schedgap/models/trials/property"
)

// A replay follows a run by its snapshots and redoes the work of every copy from the machines' service: between two moments a
// copy gains its share of its machine's, and where jobs are saved all copies have what the best one has.
type replay struct {
	t        *rapid.T
	jobs     []sim.Job
	policy   sim.Policy
	allot    func(n, machines int) sim.Allotment
	service  []*sim.Machine
	last     sim.Snapshot
	copies   []map[int]float64 // by machine: what the copy of a job has done
	saved    []float64         // by job
	progress []float64         // of the best copy, or what is saved of a job that waits
	before   []float64         // progress at the event before the last one
	end      []float64         // −1: unfinished

	mode               string
	start, every, cost float64
}

func (r *replay) observe(s sim.Snapshot) {
	copy(r.before, r.progress)
	at := r.start
	if len(r.last.Machines) > 0 {
		at = r.last.Now
	}
	for k := 1.; r.mode == "periodic" && r.start+k*r.every < s.Now; k++ { // what was written since
		tick := r.start + k*r.every
		if tick >= at {
			r.advance(tick, true)
			r.save()
		}
		if end := tick + r.cost; end > at && tick < s.Now {
			r.advance(min(end, s.Now), false)
		}
	}
	r.advance(s.Now, true)
	if r.mode == "events" {
		r.save()
	}
	for _, j := range r.last.Active {
		if !slices.Contains(s.Active, j) {
			r.end[j] = s.Now
		}
	}
	r.last = s
	r.check(s)
	for i, jobs := range s.Machines {
		kept := map[int]float64{}
		for _, j := range jobs {
			done, ok := r.copies[i][j]
			if !ok {
				done = r.saved[j]
			}
			kept[j] = done
		}
		r.copies[i] = kept
	}
	r.best()
}

// advance lets the machines work until then, or stand still.
func (r *replay) advance(to float64, working bool) {
	for i, m := range r.service {
		gain := m.Advance(to)
		for j := range r.copies[i] {
			if working {
				r.copies[i][j] += gain / float64(r.last.Each)
			}
		}
	}
	r.best()
}

func (r *replay) best() {
	for j := range r.progress {
		if r.end[j] >= 0 {
			continue
		}
		most, runs := 0.0, false
		for i := range r.copies {
			if done, ok := r.copies[i][j]; ok {
				most, runs = max(most, done), true
			}
		}
		r.progress[j] = most
		if !runs {
			r.progress[j] = r.saved[j]
		}
	}
}

func (r *replay) save() {
	copy(r.saved, r.progress)
	for i := range r.copies {
		for j := range r.copies[i] {
			r.copies[i][j] = r.saved[j]
		}
	}
}

// check holds the machines' copies against the allotment and the order.
func (r *replay) check(s sim.Snapshot) {
	copies := make([]int, len(r.jobs))
	for i, jobs := range s.Machines {
		for k, j := range jobs {
			copies[j]++
			if !slices.Contains(s.Active, j) || slices.Contains(jobs[:k], j) {
				r.t.Fatalf("at %v machine %d has the jobs %v; active are %v", s.Now, i, jobs, s.Active)
			}
		}
		if len(jobs) > s.Each {
			r.t.Fatalf("at %v machine %d has %d copies, not %d", s.Now, i, len(jobs), s.Each)
		}
	}
	if len(s.Active) == 0 {
		return
	}
	a := r.allot(len(s.Active), len(s.Machines))
	if got := 1 / float64(s.Each); math.Abs(got-a.Share) > 1e-12 {
		r.t.Fatalf("at %v the share is %v, want %v", s.Now, got, a.Share)
	}
	left := func(j int) float64 { return r.jobs[j].Work - r.progress[j] }
	order := slices.Clone(s.Active)
	slices.SortStableFunc(order, func(x, y int) int {
		if r.policy.Latest {
			return cmp.Or(cmp.Compare(r.jobs[y].Arrival, r.jobs[x].Arrival), cmp.Compare(y, x))
		}
		if d := left(x) - left(y); math.Abs(d) > 1e-9*(r.jobs[x].Work+r.jobs[y].Work) {
			return cmp.Compare(d, 0)
		}
		return cmp.Compare(copies[y], copies[x]) // as good as equal: as the engine has it
	})
	for k, j := range order {
		want := a.Others
		switch {
		case k == 0:
			want = a.First
		case k >= a.Served:
			want = 0
		}
		if copies[j] != want {
			r.t.Fatalf("at %v job %d, number %d of %d, has %d copies, want %d", s.Now, j, k, len(order), copies[j], want)
		}
	}
}

// anyRule draws a rule: whatever is a valid allotment, the same for equal arguments.
func anyRule(t *rapid.T) func(n, machines int) sim.Allotment {
	drawn := map[[2]int]sim.Allotment{}
	return func(n, machines int) sim.Allotment {
		a, known := drawn[[2]int{n, machines}]
		if !known {
			each := rapid.IntRange(1, 3).Draw(t, "each")
			a.Share = 1 / float64(each)
			a.Served = rapid.IntRange(1, min(n, each*machines)).Draw(t, "served")
			a.Others = 1
			if room := each * machines / a.Served; each == 1 {
				a.Others = rapid.IntRange(1, room).Draw(t, "others")
			}
			a.First = rapid.IntRange(a.Others, min(machines, each*machines-(a.Served-1)*a.Others)).Draw(t, "first")
			drawn[[2]int{n, machines}] = a
		}
		return a
	}
}

func anyJobs(t *rapid.T) []sim.Job {
	jobs := make([]sim.Job, rapid.IntRange(1, 25).Draw(t, "jobs"))
	spread := rapid.SampledFrom([]float64{0, 10, 300, 1e5}).Draw(t, "spread")
	for i := range jobs {
		jobs[i] = sim.Job{
			ID: fmt.Sprint("j", i), Arrival: spread * rapid.Float64Range(0, 1).Draw(t, "arrival"),
			Work: rapid.Float64Range(0.1, 200).Draw(t, "work"),
		}
	}
	return jobs
}

// Whatever the policy: only arrivals and completions are events, or ends of slots with such in them; the copies are those
// that the policy allots; and by the machines' service each job completes exactly when its checkpointed progress reaches
// its work, or at the end of that slot.
func TestReplay(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		jobs, rule := anyJobs(t), anyRule(t)
		p := policy(rapid.Bool().Draw(t, "latest"), rule)
		slotted := rapid.Bool().Draw(t, "slotted")
		machines := rapid.IntRange(1, 6).Draw(t, "machines")
		given := map[string]any{"machines": machines, "slotted": slotted, "slot": 2}
		mode, every, cost := "events", 1., 0.
		if !slotted {
			mode = rapid.SampledFrom([]string{"events", "events", "periodic", "none"}).Draw(t, "checkpoints")
		}
		given["checkpoints"] = mode
		if mode == "periodic" {
			every = rapid.SampledFrom([]float64{3, 20, 1e4}).Draw(t, "every")
			cost = rapid.SampledFrom([]float64{0, 0.25, 0.75}).Draw(t, "cost") * every
			given["checkpoint_every"], given["checkpoint_cost"] = every, cost
		}
		v := resolve(t, given)
		seed := rapid.Uint64().Draw(t, "seed")

		n := len(jobs)
		r := &replay{
			t: t, jobs: jobs, policy: p, allot: rule,
			progress: make([]float64, n), before: make([]float64, n), end: slices.Repeat([]float64{-1}, n),
			copies: make([]map[int]float64, machines), saved: make([]float64, n), mode: mode, every: every, cost: cost,
		}
		start := slices.MinFunc(jobs, func(a, b sim.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
		r.start = start
		for i := range machines {
			r.service = append(r.service, sim.NewMachine(v, seed, i, start))
		}
		got, events := map[string]float64{}, []float64{}
		observe := func(s sim.Snapshot) {
			events = append(events, s.Now)
			ended := slices.Clone(r.end)
			r.observe(s)
			for j := range jobs {
				if r.end[j] < 0 || ended[j] >= 0 {
					continue
				}
				tolerance := 1e-9 * (jobs[j].Work + s.Now*1e-3)
				if r.progress[j] < jobs[j].Work-tolerance || !slotted && r.progress[j] > jobs[j].Work+tolerance {
					t.Fatalf("job %d ends at %v with %v of %v done", j, s.Now, r.progress[j], jobs[j].Work)
				}
				if r.before[j] > jobs[j].Work-tolerance*1e-3 {
					t.Fatalf("job %d ends at %v and had %v of %v done at the event before", j, s.Now, r.before[j], jobs[j].Work)
				}
			}
		}
		err := sim.Watch(context.Background(), &sim.Workload{Jobs: jobs}, p, v, seed, sim.Hooks{Observe: observe}, simtest.Collect(got))
		fail.On(t, err)
		known := slices.Clone(r.end)
		for j := range jobs {
			if f := r.end[j] - jobs[j].Arrival; got["flowtime "+jobs[j].ID] != f {
				t.Fatalf("flowtime of job %d: %v, want %v", j, got["flowtime "+jobs[j].ID], f)
			}
			known = append(known, jobs[j].Arrival)
		}
		for _, at := range events {
			if slotted && at > start && math.Mod(at, 2) != 0 || !slotted && !slices.Contains(known, at) {
				t.Fatalf("an event at %v, when nothing happens", at)
			}
		}
	})
}

// Without redundancy no service is lost: what the copies got is the jobs' work.
func TestWorkIsConserved(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]sim.Policy{shared, least}).Draw(t, "policy")
		v := resolve(t, map[string]any{"machines": rapid.IntRange(1, 6).Draw(t, "machines")})
		got := map[string]float64{}
		w := &sim.Workload{Jobs: anyJobs(t)}
		fail.On(t, sim.Watch(context.Background(), w, p, v, rapid.Uint64().Draw(t, "seed"), sim.Hooks{}, simtest.Collect(got)))
		if math.Abs(got["useful"]-1) > 1e-9 || got["copies_per_job"] != 1 {
			t.Fatalf("useful %v, copies per job %v", got["useful"], got["copies_per_job"])
		}
	})
}
