package catalog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"schedgap/models"
	cloning "schedgap/models/cloning/sim"
	flex "schedgap/models/flex/sim"
	pocd "schedgap/models/pocd/sim"
	redundancy "schedgap/models/redundancy/sim"
	"schedgap/models/simulation"
	speculation "schedgap/models/speculation/sim"
	"schedgap/models/trials"
)

// small makes a workload of a few jobs and options under which they are crowded or not.
var small = map[string]func(rng *rand.Rand) (workload any, given map[string]any){
	"flex": func(rng *rand.Rand) (any, map[string]any) {
		w := &flex.Workload{}
		for i := range 1 + rng.IntN(8) {
			j := flex.Job{ID: fmt.Sprint("j", i), Arrival: arrival(rng), Map: flex.Phase{
				Tasks: 1 + rng.IntN(6), Mean: 1 + 9*rng.Float64(),
				CV: float64(rng.IntN(3)),
			}}
			if rng.IntN(3) > 0 {
				j.Reduce = &flex.Phase{Tasks: 1 + rng.IntN(4), Mean: 1 + 9*rng.Float64(), CV: float64(rng.IntN(3))}
			}
			w.Jobs = append(w.Jobs, j)
		}
		return w, map[string]any{
			"map_slots": 1 + rng.IntN(6), "reduce_slots": 1 + rng.IntN(4), "slowstart": rng.Float64(), "slack": rng.Float64(),
			"metric":    []string{"response", "stretch", "tardiness", "lateness", "makespan", "mixed"}[rng.IntN(6)],
			"aggregate": []string{"sum", "max"}[rng.IntN(2)], "weighted": rng.IntN(2) == 0, "deadline_to": rng.Float64(),
		}
	},
	"pocd": func(rng *rand.Rand) (any, map[string]any) {
		w, most := &pocd.Workload{}, 1
		for i := range 1 + rng.IntN(12) {
			j := pocd.Job{
				ID: fmt.Sprint("j", i), Arrival: 20 * arrival(rng), Tasks: 1 + rng.IntN(5), TMin: 20 + 100*rng.Float64(),
				Beta: 1 + 2*rng.Float64(),
			}
			j.Deadline = j.TMin * (1 + 4*rng.Float64())
			most = max(most, j.Tasks)
			w.Jobs = append(w.Jobs, j)
		}
		launch := 60 * rng.Float64() * float64(rng.IntN(2))
		return w, map[string]any{
			"launch_within": rng.IntN(3) == 0 && launch < 20, "slaves": most + 1 + rng.IntN(8), "launch": launch,
			"max_copies": rng.IntN(4),
			"launch_cv":  max(0, rng.Float64()-0.6), "speed_every": float64(max(0, rng.IntN(60)-40)),
			"kill": []string{"losers", "surplus"}[rng.IntN(2)],
		}
	},
	"cloning": func(rng *rand.Rand) (any, map[string]any) {
		w := &cloning.Workload{}
		w.Cluster = []cloning.Servers{{Count: 1 + rng.IntN(2), CPU: 4, Mem: 8}, {Count: 1 + rng.IntN(3), CPU: 2, Mem: 3}}
		for i := range 1 + rng.IntN(8) {
			j := cloning.Job{ID: fmt.Sprint("j", i), Arrival: 5 * arrival(rng), Weight: 1}
			for k := range 1 + rng.IntN(3) {
				p := cloning.Phase{
					Tasks: 1 + rng.IntN(5), CPU: float64(rng.IntN(5)) / 2, Mem: float64(rng.IntN(4)) / 2, Mean: 1 + 30*rng.Float64(),
					SD: 40 * rng.Float64(),
				}
				for q := range k {
					if rng.IntN(2) == 0 {
						p.Parents = append(p.Parents, q)
					}
				}
				for range rng.IntN(4) * rng.IntN(2) {
					p.Durations = append(p.Durations, 1+50*rng.Float64())
				}
				j.Phases = append(j.Phases, p)
			}
			w.Jobs = append(w.Jobs, j)
		}
		return w, map[string]any{
			"model": []string{"stochastic", "stochastic", "expected"}[rng.IntN(3)], "slot": []float64{0.5, 5, 20}[rng.IntN(3)],
			"max_copies": 1 + rng.IntN(4), "max_copies_per_server": 1 + rng.IntN(2), "slowest": float64(rng.IntN(3)),
			"clones": []string{"fresh", "phase"}[rng.IntN(2)], "keep": []string{"none", "oldest", "newest"}[rng.IntN(3)],
			"delay": float64(rng.IntN(30)),
		}
	},
	"redundancy": func(rng *rand.Rand) (any, map[string]any) {
		w := &redundancy.Workload{}
		for i := range 1 + rng.IntN(10) {
			w.Jobs = append(w.Jobs, redundancy.Job{ID: fmt.Sprint("j", i), Arrival: 3 * arrival(rng), Work: 1 + 30*rng.Float64()})
		}
		return w, map[string]any{
			"machines": 1 + rng.IntN(8), "slotted": rng.IntN(2) == 0, "slot": 0.5 + 5*rng.Float64(),
			"remainder":   []string{"wait", "share"}[rng.IntN(2)],
			"checkpoints": []string{"events", "periodic", "none"}[rng.IntN(3)], "checkpoint_every": 5 + 50*rng.Float64(),
			"unavailable_low": 0.1, "available_scale": 5 + 50*rng.Float64(),
		}
	},
	"speculation": func(rng *rand.Rand) (any, map[string]any) {
		w := &speculation.Workload{}
		for i := range 1 + rng.IntN(8) {
			w.Jobs = append(w.Jobs, speculation.Job{
				ID: fmt.Sprint("j", i), Arrival: 4 * arrival(rng), Tasks: 1 + rng.IntN(12), Mean: 1 + 20*rng.Float64(), CV: rng.Float64(),
				Input: 1000 * rng.Float64() * float64(rng.IntN(2)), Memory: 5 * rng.Float64(),
			})
		}
		if rng.IntN(4) == 0 { // nothing that bounds leave out
			w.Jobs = w.Jobs[:1]
			w.Jobs[0].Input = 0
			return w, map[string]any{
				"nodes": 1, "slots": 1 + rng.IntN(2), "contention": 1, "stragglers": rng.IntN(2),
				"slowdown_law": speculation.Fixed,
			}
		}
		return w, map[string]any{
			"nodes": 1 + rng.IntN(5), "slots": 1 + rng.IntN(4), "scheduler": []string{"fair", "hopper"}[rng.IntN(2)],
			"contention": 1 + 3*rng.Float64(), "heterogeneity": 1 + 3*rng.Float64(), "stragglers": rng.Float64(),
			"contention_law": speculation.ContentionLaws[rng.IntN(2)], "slowdown_law": speculation.SlowdownLaws[rng.IntN(3)],
			"copies_straggle": rng.IntN(2) == 0, "book_idle": rng.IntN(2) == 0,
			"execution_from": []string{"first-attempt", "arrival"}[rng.IntN(2)],
		}
	},
}

// arrival is 0 half of the time.
func arrival(rng *rand.Rand) float64 { return max(0, 20*rng.Float64()-10) }

// No policy is better than the bound of its repetition, and each bound is reached.
func TestBoundsOfSimulations(t *testing.T) {
	for _, p := range registry(t).Problems {
		if p.Simulator == nil {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			rng := trials.Rand(t, 15, 15)
			type tally struct {
				tried, reached int
				share          float64
			}
			tallies := map[string]*tally{}
			for range trials.Count(160) {
				w, given := small[p.Name](rng)
				seed := rng.Uint64()
				values, err := models.Resolve(p.Simulator.Params, given)
				if err != nil {
					t.Fatal(err)
				}
				for _, policy := range p.Simulator.Policies {
					got := map[string]float64{}
					r := models.SimRequest{Workload: w, Policy: policy.Name, Params: values, Seed: seed}
					err := p.Simulator.Run(t.Context(), r, func(m models.Metric) {
						if m.Scope == "run" {
							got[m.Name] = m.Value
						}
					})
					if err != nil {
						if fault := (*simulation.Fault)(nil); errors.As(err, &fault) {
							break // none can run it
						}
						t.Fatal(err)
					}
					for name, bound := range got {
						metric, _, ok := strings.Cut(name, "_bound")
						if !ok {
							continue
						}
						value, better := got[metric], 1.0
						if metric == "pocd" {
							value, bound = bound, value // the more the better
						}
						if value < bound {
							t.Fatalf("%s: %s is %v, %s is %v\n%+v\n%v", policy.Name, metric, value, name, bound, w, given)
						}
						if value > 0 {
							better = bound / value
						}
						n := tallies[name]
						if n == nil {
							n = &tally{}
							tallies[name] = n
						}
						n.tried++
						n.share += better
						if better > 1-1e-6 {
							n.reached++
						}
					}
				}
			}
			if len(tallies) == 0 {
				t.Fatal("no bounds")
			}
			for name, n := range tallies {
				t.Logf("%s: %d runs, %d reach it, mean share %.3f", name, n.tried, n.reached, n.share/float64(n.tried))
				if n.reached == 0 {
					t.Errorf("%s: no run reaches it", name)
				}
			}
		})
	}
}
