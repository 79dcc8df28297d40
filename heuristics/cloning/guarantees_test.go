package cloning_test

import (
	"math"
	"testing"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models/cloning"
)

// steady is n single-task jobs without stragglers that arrive together.
func steady(n int, cpu, mem, mean float64) (jobs []cloning.Job) {
	for range n {
		p := phase(1, cpu, mem, mean)
		p.Speedup = []float64{1, 1}
		jobs = append(jobs, cloning.Job{Phases: []cloning.Phase{p}})
	}
	return jobs
}

// What the theorems state, and where they state nothing.
func TestGuarantees(t *testing.T) {
	fixed := instance(1)
	fixed.Jobs = steady(3, 0.5, 0.5, 2)
	faster := instance(1, []cloning.Phase{phase(1, 0.5, 0.5, 2)}) // h(2) = 1.5
	varying := instance(1, []cloning.Phase{phase(1, 0.5, 0.5, 2)})
	varying.Jobs[0].Phases[0].SD = 1
	late := instance(1)
	late.Jobs = steady(2, 0.5, 0.5, 2)
	late.Jobs[1].Arrival = 1
	servers := instance(2)
	servers.Jobs = steady(1, 0.5, 0.5, 2)
	tasks := instance(2)
	tasks.Jobs = steady(1, 0.5, 0.5, 2)
	tasks.Jobs[0].Phases[0].Tasks = 2
	for _, c := range []struct {
		name, algorithm string
		in              *cloning.Instance
		factor, want    float64 // 0: nothing
	}{
		{"R = 1", "dollymp-transient", fixed, 1, 6},
		{"R = 1.5", "dollymp-transient", faster, 1, 9},
		{"careful clones need no R", "dollymp-transient-careful", faster, 1, 6},
		{"e is not θ", "dollymp-transient", varying, 1, 0},
		{"not transient", "dollymp-transient", late, 1, 0},
		{"one server", "dollymp-transient-careful", servers, 1, 0},
		{"one task", "dollymp-transient", tasks, 1, 0},
		{"capacity 1", "dollymp-transient", fixed, 2.5, 0},
		{"6 at ε = 1", "dollymp2", fixed, 3, 6},
		{"33 at ε = 0.1", "dollymp0", late, 2.1, 33},
		{"ε must be positive", "dollymp0", fixed, 2, 0},
		{"single tasks on two servers", "dollymp1", servers, 3, 6},
		{"neither single tasks nor one server", "dollymp1", tasks, 3, 0},
		{"stragglers", "dollymp2", faster, 3, 0},
		{"8 at ε = 1", "hrdf", late, 3, 8},
		{"two servers", "hrdf", servers, 3, 0},
	} {
		g := algorithm(t, c.algorithm).Guarantee
		got, ok := g.Ratio(cloning.Problem.Features(c.in), "", c.factor)
		if ok != (c.want > 0) || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %s: %v %v, want %v", c.algorithm, c.name, got, ok, c.want)
		}
	}
	for _, a := range heuristics.All {
		if a.Guarantee != nil && (a.Guarantee.Doc == "" || a.Guarantee.Shape) {
			t.Errorf("%s: %+v", a.Name, a.Guarantee)
		}
	}
}

// Why dollymp0 and dollymp-careful do not have the guarantee of Algorithm 1: they let jobs pass. Beside the first job, which
// takes half of the server, none of the 100 jobs that need all of it has room, so the long one starts at 1 and holds them up
// until 1001. Ending it last costs 1 + Σ (2..101) + 1101 at most.
func TestPassing(t *testing.T) {
	in := instance(1)
	in.Jobs = append(steady(1, 0.5, 0.5, 1), append(steady(100, 1, 1, 1), steady(1, 0.5, 0.5, 1000)...)...)
	opt := 1.0 + (101*102/2 - 1) + 1101
	for name, passes := range map[string]bool{
		"dollymp0": true, "dollymp-careful": true, "dollymp-transient": false, "dollymp-transient-careful": false,
	} {
		if _, flow := schedule(t, algorithm(t, name), in, nil); (flow > 6*opt) != passes {
			t.Errorf("%s: %v against at most %v", name, flow, opt)
		}
	}
}

// Why Theorem 2 needs preemption: three long jobs start at 0 on capacity 3, one unit each, and hold up 500 short ones that come
// one a slot. On capacity 1 the short ones first, a slot each, and then the long ones cost 500 + 1501 + 2501 + 3501 at most.
func TestStartedTasksHoldUp(t *testing.T) {
	in := instance(1)
	in.Jobs = append(steady(3, 1, 1, 1000), steady(500, 1, 1, 1)...)
	for j := range 500 {
		in.Jobs[3+j].Arrival = j + 1
	}
	for _, name := range []string{"dollymp0", "dollymp2", "hrdf"} {
		a := algorithm(t, name)
		stated, ok := a.Guarantee.Ratio(cloning.Problem.Features(in), "", 3)
		if _, flow := schedule(t, a, in, map[string]any{"capacity_factor": 3.0}); !ok || flow < 2*stated*8003 {
			t.Errorf("%s: %v against at most 8003, stated %v %v", name, flow, stated, ok)
		}
	}
}

// Algorithm 1 in order: of classes 1, 2 and 3; the third job would fit beside the first and waits for the second, 2 + 6 + 10.
func TestTransientWaits(t *testing.T) {
	in := instance(1)
	in.Jobs = append(steady(1, 0.5, 0.5, 2), append(steady(1, 0.75, 0.75, 4), steady(1, 0.25, 0.25, 8)...)...)
	s, flow := schedule(t, algorithm(t, "dollymp-transient"), in, nil)
	if flow != 2+6+10 {
		t.Errorf("flowtime %v: %v", flow, s.Copies)
	}
}

// While a phase waits for all of a server's memory, another server becomes free, and is found once that phase has begun: 6 + 9.
func TestTransientFindsServersThatWereFree(t *testing.T) {
	in := instance(2, []cloning.Phase{phase(1, 0, 0.3, 3), phase(1, 0, 1, 3)}, []cloning.Phase{phase(2, 0.7, 0, 4)})
	in.Servers[0].Capacity, in.Servers[1].Capacity = []float64{0.5, 1}, []float64{1, 0.5}
	in.Jobs[0].Arrival = 2
	s, flow := schedule(t, algorithm(t, "dollymp-transient"), in, nil)
	if flow != 6+9 {
		t.Errorf("flowtime %v: %v", flow, s.Copies)
	}
}

// With h(2) = 1.5 a job of mean 3 is of class 1 in two copies, of volume 2·3·0.25/1.5 = 1. The same with twice the demand is
// too much for what class 1 has left, and of class 2 in one copy.
func TestTransientClones(t *testing.T) {
	in := instance(1, []cloning.Phase{phase(1, 0.25, 0, 3)}, []cloning.Phase{phase(1, 0.5, 0, 3)})
	s, flow := schedule(t, algorithm(t, "dollymp-transient-careful"), in, nil)
	if flow != 2+3 || len(s.Copies) != 3 {
		t.Errorf("flowtime %v: %v", flow, s.Copies)
	}
}
