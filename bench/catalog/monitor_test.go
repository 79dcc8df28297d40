package catalog

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"schedgap/models"
)

// TestMonitorByHand: in all simulators, one place and jobs of 10 s at 0, 5 and 40: the second waits from 5 to 10. Up to the last
// arrival the place is held for 20 of 40 s, jobs are present for 25 s and wait for 5 of these; the load is 30 s of work over 40
// s. To the end it is held for 30 of 50 s. A job of pocd needs a second VM for its master, which is no work.
func TestMonitorByHand(t *testing.T) {
	for _, c := range []struct {
		problem, policy, job string
		params               map[string]any
		load                 float64
	}{
		{
			"flex", "fifo", `{"job":"%s","arrival":%d,"map":{"tasks":1,"mean":10,"cv":0}}`,
			map[string]any{"map_slots": 1, "reduce_slots": 1},
			0.75,
		},
		{
			"pocd", "none", `{"job":"%s","arrival":%d,"deadline":1000,"tasks":1,"t_min":10,"beta":1000000}`,
			map[string]any{"slaves": 2, "launch": 0},
			0.375,
		},
		{
			"cloning", "fifo", `{"job":"%s","arrival":%d,"weight":1,"phases":[{"tasks":1,"cpu":1,"mem":0.5,"mean":10,"sd":0}]}`,
			map[string]any{"servers": 1, "slot": 5},
			0.75,
		},
		{
			"redundancy", "srpt", `{"job":"%s","arrival":%d,"work":10}`,
			map[string]any{"machines": 1, "available_low": 1, "available_high": 1, "unavailable_low": 1, "unavailable_high": 1},
			0.75,
		},
		{
			"speculation", "none", `{"job":"%s","arrival":%d,"tasks":1,"mean":10,"cv":0,"input":0,"memory":0}`,
			map[string]any{"nodes": 1, "slots": 1, "heterogeneity": 1, "contention": 1, "stragglers": 0},
			0.75,
		},
	} {
		p, err := registry(t).Problem(c.problem)
		if err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		if c.problem == "cloning" {
			file.WriteString(`{"cluster":[{"servers":1,"cpu":1,"mem":1}]}` + "\n")
		}
		for i, at := range []int{0, 5, 40} {
			fmt.Fprintf(&file, c.job+"\n", string(rune('a'+i)), at)
		}
		w, err := p.Simulator.ReadWorkload("w", strings.NewReader(file.String()))
		if err != nil {
			t.Fatal(err)
		}
		params, err := models.Resolve(p.Simulator.Params, c.params)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		r := models.SimRequest{Workload: w, Policy: c.policy, Params: params, Seed: 1}
		if err := p.Simulator.Run(t.Context(), r, func(m models.Metric) { got[m.Name] = m.Value }); err != nil {
			t.Fatal(c.problem, err)
		}
		for name, want := range map[string]float64{
			"load": c.load, "utilisation": 0.5, "whole_utilisation": 0.6, "waiting_share": 0.2, "warm_up": 0, "jobs_at_start": 1,
			"jobs_at_end": 1,
		} {
			if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-4 {
				t.Errorf("%s: %s is %v, want %v", c.problem, name, v, want)
			}
		}
	}
}
