package cloning_test

import (
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
)

// shared reads a shared instance.
func shared(tb testing.TB, name string) *cloning.Instance {
	tb.Helper()
	data, err := os.ReadFile("examples/" + name + ".json")
	fail.On(tb, err)
	in, err := cloning.Problem.ParseInstance(name+".json", data)
	fail.On(tb, err)
	return in
}

func violation(constraint, where string, amount float64) models.Violation {
	return models.Violation{Constraint: constraint, Where: where, Amount: amount}
}

// run is a copy of the only task of a job's phase on the first server.
func run(job, phase, start, end int) cloning.Copy {
	return cloning.Copy{Task: cloning.Task{Job: job, Phase: phase}, Start: start, End: end}
}

func times(n int, c cloning.Copy) []cloning.Copy {
	copies := make([]cloning.Copy, n)
	for i := range copies {
		copies[i] = c
	}
	return copies
}

// The four schedules of the paper's Figure 2: J1 of 10 slots first or last, J2 and J3 of 8 slots side by side, without clones
// or with one each, 8/(4/3) = 6 slots.
func TestFigure2(t *testing.T) {
	in := shared(t, "fig2")
	pair := func(copies, start, end int) []cloning.Copy {
		return append(times(copies, run(1, 0, start, end)), times(copies, run(2, 0, start, end))...)
	}
	for _, c := range []struct {
		name   string
		copies []cloning.Copy
		want   float64
	}{
		{"J1 first, no clones", append(pair(1, 10, 18), run(0, 0, 0, 10)), 10 + 18 + 18},
		{"J1 first, clones", append(pair(2, 10, 16), run(0, 0, 0, 10)), 10 + 16 + 16},
		{"J1 last, no clones", append(pair(1, 0, 8), run(0, 0, 8, 18)), 8 + 8 + 18},
		{"J1 last, clones", append(pair(2, 0, 6), run(0, 0, 6, 16)), 6 + 6 + 16},
	} {
		r := cloning.Problem.Check(in, cloning.Solution{Copies: c.copies, Regime: cloning.Nonpreemptive})
		if len(r.Violations) > 0 || r.Objective == nil || *r.Objective != c.want {
			t.Errorf("%s: %+v, want %v", c.name, r, c.want)
		}
	}
}

// Each constraint broken alone is reported alone, with where and by how much. The instance: one server of capacity 1, resources
// cpu and mem, at most three copies a task, two of them on a server of which there are two; job a of phases p, mean 4 with
// h = 1, 1.5, 2, and q, mean 2, child of p; job b that arrives at 3, mean 1. All tasks demand a quarter of cpu.
func TestCheckConstraints(t *testing.T) {
	phase := func(id string, mean float64, parents ...int) cloning.Phase {
		return cloning.Phase{
			ID: id, Parents: parents, Tasks: 1, Demand: []float64{0.25, 0.1}, Mean: mean, SD: 1, Speedup: []float64{1, 1.5, 2},
		}
	}
	in := &cloning.Instance{
		Header: models.Header{Name: "m"}, Resources: cloning.DefaultResources(), MaxCopies: 3, MaxCopiesPerServer: 2,
		Servers: []cloning.Server{{ID: "s1", Capacity: []float64{0.5, 1}}, {ID: "s2", Capacity: []float64{1, 1}}},
		Jobs: []cloning.Job{
			{ID: "a", Phases: []cloning.Phase{phase("p", 4), phase("q", 2, 0)}},
			{ID: "b", Arrival: 3, Phases: []cloning.Phase{phase("r", 1)}},
		},
	}
	on2 := func(c cloning.Copy) cloning.Copy { c.Server = 1; return c }
	p, q, r := run(0, 0, 0, 4), run(0, 1, 4, 6), run(1, 0, 3, 4)
	const pName, qName, rName = "jobs[a].phases[p].tasks[0]", "jobs[a].phases[q].tasks[0]", "jobs[b].phases[r].tasks[0]"
	value := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name     string
		solution cloning.Solution
		want     []models.Violation
		value    *float64
	}{
		{"plain", cloning.Solution{Copies: []cloning.Copy{p, q, r}}, nil, value(6 + 1)},
		// p in two copies: ⌈4/1.5⌉ = 3 slots.
		{
			"clones",
			cloning.Solution{Copies: []cloning.Copy{run(0, 0, 0, 3), run(0, 0, 0, 3), run(0, 1, 3, 5), r}},
			nil, value(5 + 1),
		},
		// One copy for 1 slot, 1.5 for two: 1 + 3 = 4, with a pause in between.
		{
			"pause and move", cloning.Solution{Copies: []cloning.Copy{
				run(0, 0, 0, 1), run(0, 0, 2, 4), on2(run(0, 0, 2, 4)), q, r,
			}}, nil, value(6 + 1),
		},
		{"regime", cloning.Solution{Regime: cloning.Nonpreemptive, Copies: []cloning.Copy{
			run(0, 0, 0, 1), run(0, 0, 1, 4), q, r,
		}}, []models.Violation{violation("regime", "copies[0] of "+pName, 3)}, value(6 + 1)},
		{"preemptive by name", cloning.Solution{Regime: cloning.Preemptive, Copies: []cloning.Copy{
			run(0, 0, 0, 1), run(0, 0, 1, 4), q, r,
		}}, nil, value(6 + 1)},
		{"unknown regime", cloning.Solution{Regime: "lazy", Copies: []cloning.Copy{p, q, r}}, []models.Violation{
			violation("regime", `unknown regime "lazy"`, 1),
		}, value(6 + 1)},
		// Two of p, then q runs with both: h(2) = 1.5, 2 slots. In slot 4 three copies of 0.25 meet on 0.5.
		{"capacity", cloning.Solution{Copies: []cloning.Copy{
			run(0, 0, 0, 3), run(0, 0, 0, 3), run(0, 1, 3, 5), run(0, 1, 3, 5), r,
		}}, []models.Violation{violation("capacity", "servers[s1].cpu in slot 4", 0.25)}, value(5 + 1)},
		{"augmented", cloning.Solution{CapacityFactor: 1.5, Copies: []cloning.Copy{
			run(0, 0, 0, 3), run(0, 0, 0, 3), run(0, 1, 3, 5), run(0, 1, 3, 5), r,
		}}, nil, value(5 + 1)},
		{"diminished", cloning.Solution{CapacityFactor: 0.75, Copies: []cloning.Copy{p, q, r}}, []models.Violation{
			violation("capacity", "capacity_factor less than 1", 0.25),
			violation("capacity", "servers[s1].cpu in slot 4", 0.125), // p and r, 0.5 of 0.375
		}, value(6 + 1)},
		{"arrival", cloning.Solution{Copies: []cloning.Copy{p, q, run(1, 0, 1, 2)}}, []models.Violation{
			violation("arrival", "copies[2] of "+rName, 2),
		}, value(6 - 1)},
		{"parent", cloning.Solution{Copies: []cloning.Copy{p, run(0, 1, 2, 4), r}}, []models.Violation{
			violation("parent", "copies[1] of "+qName, 2),
			violation("capacity", "servers[s1].cpu in slot 4", 0.25),
		}, value(4 + 1)},
		{"parent that never ends", cloning.Solution{Copies: []cloning.Copy{run(0, 0, 0, 3), q, r}}, []models.Violation{
			violation("work", pName, 1), violation("parent", "copies[1] of "+qName, 2),
		}, nil},
		{"no copy", cloning.Solution{Copies: []cloning.Copy{p, q}}, []models.Violation{violation("work", rName, 1)}, nil},
		{"copies", cloning.Solution{Copies: []cloning.Copy{
			run(0, 0, 0, 2), run(0, 0, 0, 2), on2(run(0, 0, 0, 2)), on2(run(0, 0, 0, 2)), run(0, 1, 2, 4), r,
		}}, []models.Violation{violation("copies", pName, 1)}, value(4 + 1)},
		{"copies_per_server", cloning.Solution{Copies: []cloning.Copy{
			on2(run(0, 0, 0, 2)), on2(run(0, 0, 0, 2)), on2(run(0, 0, 0, 2)), run(0, 1, 2, 4), r,
		}}, []models.Violation{violation("copies_per_server", pName+" on servers[s2]", 1)}, value(4 + 1)},
		{"after_completion", cloning.Solution{Copies: []cloning.Copy{p, run(0, 1, 4, 9), r, on2(run(1, 0, 6, 7))}}, []models.Violation{
			violation("after_completion", "copies[1] of "+qName, 3), violation("after_completion", "copies[3] of "+rName, 3),
		}, value(6 + 1)},
		{"slips that no file can hold", cloning.Solution{Copies: []cloning.Copy{
			p, q, r, run(2, 0, 0, 1), run(0, 0, 3, 3), {Server: 2, End: 1}, {Task: cloning.Task{Index: 1}, End: 1}, run(0, 2, 0, 1),
		}}, []models.Violation{
			violation("copies", "copies[3] of a task or on a server that the instance does not have", 1),
			violation("copies", "copies[4] ends before it starts", 1),
			violation("copies", "copies[5] of a task or on a server that the instance does not have", 1),
			violation("copies", "copies[6] of a task or on a server that the instance does not have", 1),
			violation("copies", "copies[7] of a task or on a server that the instance does not have", 1),
		}, value(6 + 1)},
	} {
		r := cloning.Problem.Check(in, c.solution)
		if diff := cmp.Diff(c.want, r.Violations); diff != "" {
			t.Errorf("%s: violations (-want +got)\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.value, r.Objective); diff != "" {
			t.Errorf("%s: objective (-want +got)\n%s", c.name, diff)
		}
	}
}

// Tasks without copies are named one by one or as a range; of two slots as full the first is named; and a millionth of a capacity
// is forgiven.
func TestCheckNames(t *testing.T) {
	for _, c := range []struct {
		tasks  int
		demand float64
		copies []cloning.Copy
		want   []models.Violation
	}{
		{2, 1, []cloning.Copy{run(0, 0, 0, 1)}, []models.Violation{violation("work", "jobs[a].phases[p].tasks[1]", 1)}},
		{4, 1, []cloning.Copy{run(0, 0, 0, 1)}, []models.Violation{violation("work", "jobs[a].phases[p].tasks[1..3]", 1)}},
		{1, 5, []cloning.Copy{run(0, 0, 2, 3), run(0, 0, 4, 5)}, []models.Violation{
			violation("after_completion", "copies[1] of jobs[a].phases[p].tasks[0]", 2), violation("capacity", "servers[s].cpu in slot 3", 1),
		}},
		{1, 4 + 3e-6, []cloning.Copy{run(0, 0, 0, 1)}, nil},
		{1, 4 + 5e-6, []cloning.Copy{run(0, 0, 0, 1)}, []models.Violation{violation("capacity", "servers[s].cpu in slot 1", 5e-6)}},
	} {
		in := &cloning.Instance{
			Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{ID: "s", Capacity: []float64{4}}},
			Jobs: []cloning.Job{{ID: "a", Phases: []cloning.Phase{{
				ID: "p", Tasks: c.tasks, Demand: []float64{c.demand}, Mean: 1, Speedup: []float64{1},
			}}}},
		}
		r := cloning.Problem.Check(in, cloning.Solution{Copies: c.copies})
		if diff := cmp.Diff(c.want, r.Violations, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// Copies that exceed a capacity within the tolerance cost all jobs that complete after them two slots for each slot of each copy:
// two copies, slots 3 to 5, make the jobs a and b, which complete with them, 2·2·3 later, one that completes in slot 3, 2·2·1, and
// one that completes in slot 1, nothing.
func TestCheckCrowds(t *testing.T) {
	job := func(id string, arrival int, mean, demand float64) cloning.Job {
		return cloning.Job{ID: id, Arrival: arrival, Phases: []cloning.Phase{{
			ID: "p", Tasks: 1, Demand: []float64{demand}, Mean: mean, Speedup: []float64{1},
		}}}
	}
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}, {ID: "t", Capacity: []float64{1}}},
		Jobs:    []cloning.Job{job("a", 2, 3, 0.5+2e-7), job("b", 2, 3, 0.5+2e-7), job("c", 0, 3, 0.5), job("d", 0, 1, 0.5)},
	}
	other := func(c cloning.Copy) cloning.Copy { c.Server = 1; return c }
	r := cloning.Problem.Check(in, cloning.Solution{Copies: []cloning.Copy{
		run(0, 0, 2, 5), run(1, 0, 2, 5), other(run(2, 0, 0, 3)), other(run(3, 0, 0, 1)),
	}})
	if want := float64((3 + 12) + (3 + 12) + (3 + 4) + 1); len(r.Violations) > 0 || *r.Objective != want {
		t.Errorf("%v and %v, want %v", *r.Objective, r.Violations, want)
	}
}

// A wrong claim is a violation, a right one is not.
func TestCheckClaim(t *testing.T) {
	in := shared(t, "pareto-fit")
	// Two copies of the first task, on two servers: 4/(4/3) = 3 slots.
	s := cloning.Solution{Copies: []cloning.Copy{run(0, 0, 0, 3), run(0, 0, 0, 3), run(1, 0, 3, 4)}}
	s.Copies[1].Server = 1
	for claim, want := range map[float64]bool{4: true, 4 + 1e-7: true, 4.001: false, 3: false} {
		if r := cloning.Problem.CheckClaim(in, s, &claim); r.Feasible(nil) != want {
			t.Errorf("claim %v: violations %v", claim, r.Violations)
		}
	}
}

// The horizon costs nothing and wraps around nowhere: slots near 2^53, a capacity that many copies fill exactly.
func TestCheckFarAway(t *testing.T) {
	const far = 1 << 52
	in := shared(t, "ties")
	for j := range in.Jobs {
		in.Jobs[j].Arrival = far
		in.Jobs[j].Phases[0].Mean = 1e12
	}
	var s cloning.Solution
	for j := range in.Jobs {
		for i := range 2 {
			start := far + j*1_000_000_000_000
			s.Copies = append(s.Copies, cloning.Copy{
				Task: cloning.Task{Job: j, Index: i}, Server: i, Start: start, End: start + 1_000_000_000_000,
			})
		}
	}
	if r := cloning.Problem.Check(in, s); len(r.Violations) > 0 || r.Objective == nil || *r.Objective != 6e12 {
		t.Errorf("%+v", r)
	}
	s.Copies[0].Start, s.Copies[0].End = math.MinInt, math.MaxInt
	if r := cloning.Problem.Check(in, s); r.Feasible(nil) {
		t.Error("a copy from the first to the last integer is accepted")
	}
}

// Against the definition, slot by slot: whatever copies are drawn, the checker finds the same objective and breaks exactly when
// a constraint is broken in some slot.
func TestCheckAgainstDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		s := drawSolution(t, in)
		want := bySlots(in, s)
		r := cloning.Problem.Check(in, s)
		got := map[string]bool{}
		for _, v := range r.Violations {
			if !(v.Amount > 0) {
				t.Errorf("%v: an amount that is not positive", v)
			}
			got[v.Constraint] = true
		}
		if diff := cmp.Diff(want.broken, got); diff != "" {
			t.Errorf("broken constraints (-slot by slot +checker)\n%s", diff)
		}
		if diff := cmp.Diff(want.objective, r.Objective); diff != "" {
			t.Errorf("objective (-slot by slot +checker)\n%s", diff)
		}
	})
}

type verdict struct {
	broken    map[string]bool
	objective *float64
}

// bySlots is docs/problems/cloning.md#constraints taken literally.
func bySlots(in *cloning.Instance, s cloning.Solution) verdict {
	v := verdict{broken: map[string]bool{}}
	end := 0
	for _, c := range s.Copies {
		end = max(end, c.End)
	}
	running := func(c cloning.Copy, slot int) bool { return c.Start < slot && slot <= c.End }
	finished := make([][]int, len(in.Jobs)) // phases, in the first slot after which all tasks are done; 0: never
	taskEnd := map[cloning.Task]int{}
	for j, job := range in.Jobs {
		finished[j] = make([]int, len(job.Phases))
		for k, p := range job.Phases {
			last, all := 0, true
			for i := range p.Tasks {
				task, done := cloning.Task{Job: j, Phase: k, Index: i}, 0.
				for slot := 1; slot <= end && taskEnd[task] == 0; slot++ {
					n := 0
					for _, c := range s.Copies {
						if c.Task == task && running(c, slot) {
							n++
						}
					}
					if n > 0 {
						done += p.Speedup[min(n, in.MaxCopies)-1]
					}
					if done >= p.Mean-1e-9 {
						taskEnd[task] = slot
					}
				}
				all = all && taskEnd[task] > 0
				last = max(last, taskEnd[task])
			}
			if all {
				finished[j][k] = last
			} else {
				v.broken["work"] = true
			}
		}
	}
	for slot := 1; slot <= end; slot++ {
		copies, onServer := map[cloning.Task]int{}, map[[4]int]int{}
		used := make([][]float64, len(in.Servers))
		for i := range used {
			used[i] = make([]float64, len(in.Resources))
		}
		for _, c := range s.Copies {
			if !running(c, slot) {
				continue
			}
			job, p := in.Jobs[c.Task.Job], in.Jobs[c.Task.Job].Phases[c.Task.Phase]
			copies[c.Task]++
			onServer[[4]int{c.Server, c.Task.Job, c.Task.Phase, c.Task.Index}]++
			for r, d := range p.Demand {
				used[c.Server][r] += d
			}
			if slot <= job.Arrival {
				v.broken["arrival"] = true
			}
			for _, parent := range p.Parents {
				if f := finished[c.Task.Job][parent]; f == 0 || slot <= f {
					v.broken["parent"] = true
				}
			}
			if f := taskEnd[c.Task]; f > 0 && slot > f {
				v.broken["after_completion"] = true
			}
		}
		for _, n := range copies {
			if n > in.MaxCopies {
				v.broken["copies"] = true
			}
		}
		for _, n := range onServer {
			if n > in.MaxCopiesPerServer {
				v.broken["copies_per_server"] = true
			}
		}
		for i, server := range in.Servers {
			for r, c := range server.Capacity {
				if used[i][r] > c*max(1, s.CapacityFactor)*(1+1e-6) {
					v.broken["capacity"] = true
				}
			}
		}
	}
	for _, c := range s.Copies {
		stop := taskEnd[c.Task]
		if stop == 0 {
			for _, other := range s.Copies {
				if other.Task == c.Task {
					stop = max(stop, other.End)
				}
			}
		}
		if s.Regime == cloning.Nonpreemptive && c.End < stop {
			v.broken["regime"] = true
		}
	}
	total := 0.
	for j, phases := range finished {
		f := 0
		for _, end := range phases {
			if end == 0 {
				return v
			}
			f = max(f, end)
		}
		total += float64(f - in.Jobs[j].Arrival)
	}
	v.objective = &total
	return v
}
