package verify_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	verifycloning "schedgap/exact/verify/cloning"
	verifyflex "schedgap/exact/verify/flex"
	verifypocd "schedgap/exact/verify/pocd"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/exact/verify/verifytest"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// numbered is 0, 1, … as a grid of so many points, with a price of 1 in each of its intervals.
func numbered(points int) proof.Multipliers {
	m := proof.Multipliers{Price: make([]float64, points-1)}
	for i := range points {
		m.Grid = append(m.Grid, float64(i))
	}
	for i := range m.Price {
		m.Price[i] = 1
	}
	return m
}

// A small file neither makes the verifier go on for long nor has it print much: what would is refused beforehand.
func TestSmallFilesEndSoon(t *testing.T) {
	long := make([]int, 30_000)
	for i := range long {
		long[i] = i
	}
	solo := &redundancy.Instance{
		Machines: 1, Speed: 1, Speedup: []float64{1},
		Jobs: []redundancy.Job{{ID: "a", Work: 1}, {ID: "b", Arrival: 1, Work: 1}},
	}
	many := &flex.Instance{
		Slots: 1, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum},
		Jobs: make([]flex.Job, 101),
	}
	few := &flex.Instance{Slots: 1, Objective: many.Objective, Jobs: []flex.Job{{ID: "a", Work: 1, Max: 1}}}
	vast := &pocd.Instance{Capacity: 1 << 40, MaxCopies: 1 << 40, Jobs: []pocd.Job{{
		ID: "j", Deadline: 2, Tasks: []pocd.Task{{ID: "t", TMin: 1, Beta: 1e-9, Straggler: true}},
	}}}
	logs := *vast
	logs.Alpha = 1
	times := proof.Completions{Times: []float64{1}}
	grid := numbered(2000)
	for name, c := range map[string]struct {
		problem, kind string
		check         func(p *proof.Proof) error
		lines         []any
		reason        string
	}{
		"a grid": {
			"redundancy", proof.Prices, func(p *proof.Proof) error { return verifytest.Refusal(verifyredundancy.Verify(p, solo, "x")) },
			[]any{grid},
			"it has 2000 points; at most",
		},
		"a grid of a count": {
			"redundancy", proof.Prices, func(p *proof.Proof) error { return verifytest.Refusal(verifyredundancy.Verify(p, solo, "x")) },
			[]any{numbered(3), proof.Counts{
				Jobs: []string{"a", "b"}, Points: []int{2}, Theta: []float64{1}, Most: []int{1},
				Proofs: []proof.CountProof{{Grid: grid.Grid, Price: grid.Price}},
			}},
			"it has 2000 points; at most",
		},
		"a count with a list of no proofs": {
			"redundancy", proof.Prices, func(p *proof.Proof) error { return verifytest.Refusal(verifyredundancy.Verify(p, solo, "x")) },
			[]any{numbered(3), map[string]any{
				"jobs": []string{"a"}, "points": []int{1}, "theta": []int{1}, "most": []int{0}, "proofs": []int{},
			}},
			"no prices that show it",
		},
		"counts": {
			"flex", proof.Prices, func(p *proof.Proof) error { return verifytest.Refusal(verifyflex.Verify(p, few, "x")) },
			[]any{numbered(2), proof.Counts{
				Points: slices.Repeat([]int{1}, 2000), Theta: make([]float64, 2000), Most: make([]int, 2000),
			}},
			"more than",
		},
		"jobs": {
			"flex", proof.FlexOrders, func(p *proof.Proof) error { return verifytest.Refusal(verifyflex.Verify(p, many, "x")) },
			[]any{times},
			"at most 100 jobs",
		},
		"a list": {
			"flex", proof.FlexOrders, func(p *proof.Proof) error { return verifytest.Refusal(verifyflex.Verify(p, few, "x")) },
			[]any{times, proof.OrderLine{Pair: long}},
			"pair [0 1 2",
		},
		"copies": {
			"pocd", verifypocd.Multiplier, func(p *proof.Proof) error { return verifytest.Refusal(verifypocd.Verify(p, vast, "x")) },
			[]any{verifypocd.Price{}},
			"takes more than",
		},
		"copies, by tasks": {
			"pocd", verifypocd.Multiplier, func(p *proof.Proof) error { return verifytest.Refusal(verifypocd.Verify(p, &logs, "x")) },
			[]any{verifypocd.Price{}},
			"takes more than",
		},
	} {
		bound := 0.5
		q := verifytest.Claimed{Lines: c.lines, Header: proof.Header{
			Problem: c.problem, SHA256: "x", Reference: "opt", Kind: c.kind,
			Bound: &bound,
		}}
		if err := c.check(verifytest.Read(t, q.File(t))); err == nil || !strings.Contains(err.Error(), c.reason) || len(err.Error()) > 700 {
			t.Errorf("%s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}

// A small file about many jobs of many states is refused before it costs time and memory: by the shape of its guide, or by one
// limit for the states of all jobs together.
func TestManyStates(t *testing.T) {
	for _, jobs := range []int{1, 40} {
		in := &cloning.Instance{Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1}
		in.Name, in.Servers = "many", []cloning.Server{{ID: "s", Capacity: []float64{1}}}
		prices, states := [][]int64{}, [][]int{}
		for j := range jobs {
			job := cloning.Job{ID: fmt.Sprint("j", j)}
			for k := range 12 {
				job.Phases = append(job.Phases, cloning.Phase{
					ID: fmt.Sprint("p", k), Tasks: 1, Demand: []float64{0.0625}, Mean: 1, Speedup: []float64{1},
				})
				prices = append(prices, []int64{0})
			}
			in.Jobs, states = append(in.Jobs, job), append(states, []int{})
		}
		for _, guide := range []map[string]any{
			{"prices": []any{prices}, "states": states}, {"prices": []any{}, "states": []any{}}, {"prices": []any{prices[1:]}, "states": states},
		} {
			bound, lines := 1.0, []json.RawMessage{json.RawMessage(`{"solution":[]}`)}
			line, err := json.Marshal(guide)
			fail.On(t, err)
			p := &proof.Proof{Lines: append(lines, line)}
			p.Header = proof.Header{Problem: "cloning", Instance: "many", Reference: cloning.Opt, Kind: verifycloning.States, Bound: &bound}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = verifycloning.Verify(p, in, "")
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || used > 600 || len(guide["prices"].([]any)) == 0 && used > 20 {
				t.Errorf("%d jobs: %d MB allocated, %v", jobs, used, err)
			}
		}
	}
}
