package oracle

import (
	"math/rand/v2"
	"testing"

	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// one is an instance with one server of capacity 1 and single-task jobs.
func one(copies int, jobs ...cloning.Job) *cloning.Instance {
	return &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: copies, MaxCopiesPerServer: copies,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}}, Jobs: jobs,
	}
}

func job(arrival int, demand, mean float64, speedup ...float64) cloning.Job {
	return cloning.Job{ID: "j", Arrival: arrival, Phases: []cloning.Phase{
		{ID: "p", Tasks: 1, Demand: []float64{demand}, Mean: mean, Speedup: speedup},
	}}
}

func TestByHand(t *testing.T) {
	chain := job(1, 1, 2, 1)
	chain.Phases = append(chain.Phases, cloning.Phase{
		ID: "q", Parents: []int{0}, Tasks: 2, Demand: []float64{0.5}, Mean: 1.5, Speedup: []float64{1},
	})
	apart := one(2, job(0, 1, 3, 1, 1.5))
	apart.MaxCopiesPerServer = 1
	two := *apart
	two.Servers = []cloning.Server{apart.Servers[0], apart.Servers[0]}
	for _, tc := range []struct {
		name        string
		in          *cloning.Instance
		pre, nonpre int
	}{
		{name: "1.5 slots are two", in: one(1, job(0, 1, 1.5, 1)), pre: 2, nonpre: 2},
		{name: "two copies at 1.5 a slot do 3 in two slots", in: one(2, job(0, 0.5, 3, 1, 1.5)), pre: 2, nonpre: 2},
		{name: "one copy a server, one server", in: apart, pre: 3, nonpre: 3},
		{name: "one copy a server, two servers", in: &two, pre: 2, nonpre: 2},
		{name: "shortest first: 1 + 3", in: one(1, job(0, 1, 2, 1), job(0, 1, 1, 1)), pre: 4, nonpre: 4},
		// Preemption lets the short job in at once: 1 + 4. Without it waiting for the arrival pays: 1 + 5 against 3 + 3.
		{name: "a short job arrives at 1", in: one(1, job(0, 1, 3, 1), job(1, 1, 1, 1)), pre: 5, nonpre: 6},
		// The chain needs two slots, then its two tasks fit together for two slots.
		{name: "chain", in: one(1, chain), pre: 4, nonpre: 4},
		// Idling until the short jobs arrive pays, or starting the long one last.
		{
			name: "deliberate idling: 3 short jobs at 1, 1 + 2 + 3 + 8 against 5 + 5 + 6 + 7",
			in:   one(1, job(0, 1, 5, 1), job(1, 1, 1, 1), job(1, 1, 1, 1), job(1, 1, 1, 1)), pre: 14, nonpre: 15,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Opt(tc.in, false); got != tc.pre {
				t.Errorf("preemptive %d, want %d", got, tc.pre)
			}
			if got := Opt(tc.in, true); got != tc.nonpre {
				t.Errorf("nonpreemptive %d, want %d", got, tc.nonpre)
			}
		})
	}
}

// Random instances have all traits, and preemption only helps.
func TestRandomInstances(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(1, 1)), map[string]bool{}
	for range trials.Count(300) {
		in := RandomInstance(rng, 3)
		pre, nonpre := Opt(in, false), Opt(in, true)
		if pre <= 0 || nonpre < pre {
			t.Fatalf("preemptive %d, nonpreemptive %d: %+v", pre, nonpre, in)
		}
		seen["preemption helps"] = seen["preemption helps"] || pre < nonpre
		alone := *in
		alone.MaxCopies = 1
		seen["clones help"] = seen["clones help"] || Opt(&alone, false) > pre
	}
	if len(seen) != 2 || !seen["preemption helps"] || !seen["clones help"] {
		t.Errorf("traits %v", seen)
	}
}

// TestDrawnTasks: instances have at most as many tasks as asked for. Each more multiplies what the oracle tries: six of them on two
// servers took it minutes.
func TestDrawnTasks(t *testing.T) {
	rng, ties := trials.Rand(t, 57, 1), 0
	for range trials.Count(4000) {
		for name, draw := range map[string]func(*rand.Rand, int) *cloning.Instance{"random": RandomInstance, "extreme": ExtremeInstance} {
			most := 1 + rng.IntN(4)
			in := draw(rng, most)
			if n := all(in.Jobs); n < 1 || n > most {
				t.Fatalf("%s: %d tasks, at most %d are asked for", name, n, most)
			}
			for j := range in.Jobs {
				if name == "extreme" && j > 0 && &in.Jobs[j].Phases[0] == &in.Jobs[j-1].Phases[0] {
					ties++
				}
			}
		}
	}
	if ties == 0 {
		t.Error("no extreme instance has jobs that are alike")
	}
}
