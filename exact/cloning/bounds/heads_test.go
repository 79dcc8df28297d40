package bounds

import (
	"math/rand/v2"
	"testing"

	"schedgap/exact/cloning/oracle"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// Heads and tails bound the optima of both regimes, and critical paths bound them.
func TestHeadsBoundOptima(t *testing.T) {
	rng := trials.Rand(t, 58, 1)
	above := 0
	for i := range trials.Count(80) {
		in := oracle.RandomInstance(rng, 4)
		if i%2 == 0 { // sets take longer than paths here: always where all lengths are 1, and seldom in random jobs
			in = oneMachine(rng, 3, 1+i/2%2, rng.IntN(3))
		}
		path, heads := Path(in), Heads(in)
		if heads > path {
			above++
		}
		if free, fixed := float64(oracle.Opt(in, false)), float64(oracle.Opt(in, true)); path > heads || heads > free || heads > fixed {
			t.Fatalf("paths %v, heads and tails %v, optima %v and %v\n%s", path, heads, free, fixed, oracle.Show(in))
		}
	}
	t.Logf("%d above the critical paths", above)
	if above == 0 {
		t.Error("heads and tails are nowhere above the critical paths")
	}
}

// oneMachine is a job of bodies that one machine does one at a time, each between a head and a tail, from an arrival on.
func oneMachine(rng *rand.Rand, tasks, longest, arrival int) *cloning.Instance {
	in := &cloning.Instance{Resources: []string{"m", "aux"}, MaxCopies: 1, MaxCopiesPerServer: 1}
	in.Name = "machine"
	in.Servers = []cloning.Server{{ID: "s", Capacity: []float64{1, float64(tasks)}}}
	job := cloning.Job{ID: "j", Arrival: arrival}
	for i := range tasks {
		for part, demand := range [][]float64{{0, 1}, {0.6, 0}, {0, 1}} {
			ph := cloning.Phase{
				ID: string(rune('a'+part)) + string(rune('0'+i)), Tasks: 1, Mean: float64(1 + rng.IntN(longest)), Demand: demand,
				Speedup: []float64{1},
			}
			if part > 0 {
				ph.Parents = []int{3*i + part - 1}
			}
			job.Phases = append(job.Phases, ph)
		}
	}
	in.Jobs = []cloning.Job{job}
	return in
}

// largestSet is the largest bound of all sets of bodies, one by one.
func largestSet(in *cloning.Instance) (best int) {
	phases := in.Jobs[0].Phases
	length := func(k int) int { return phases[k].Slots(cloning.Progress{}, 1) }
	for set := 1; set < 1<<(len(phases)/3); set++ {
		head, work, tail := 1<<60, 0, 1<<60
		for i := range len(phases) / 3 {
			if set>>i&1 == 1 {
				head, work, tail = min(head, length(3*i)), work+length(3*i+1), min(tail, length(3*i+2))
			}
		}
		best = max(best, head+work+tail)
	}
	return best
}

// Jackson's schedule finds the largest set, also with ties, late arrivals and long tasks, and the verifier proves just as much.
func TestHeadsLargestSet(t *testing.T) {
	rng := trials.Rand(t, 58, 2)
	for range trials.Count(300) {
		in := oneMachine(rng, 1+rng.IntN(9), []int{2, 9, 1000, 1e8}[rng.IntN(4)], []int{0, 1_700_000_000}[rng.IntN(2)])
		want := float64(max(largestSet(in), int(Path(in))))
		moved, _ := kernel.FromFirst(in)
		got, sets := Of(moved).ByHeads()
		if got > want || got < want*(1-1e-8) {
			t.Fatalf("heads and tails %v, the largest set %v\n%s", got, want, oracle.Show(in))
		}
		if proven, err := verifycloning.HeadsBound(in, sets); err != nil || proven < got || proven > want {
			t.Fatalf("the sets prove %v, %v, not %v\n%s", proven, err, got, oracle.Show(in))
		}
	}
}
