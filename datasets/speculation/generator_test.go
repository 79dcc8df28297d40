package speculation_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/speculation"
	mspeculation "schedgap/models/speculation"
	"schedgap/models/speculation/sim"
	"schedgap/models/trials/property"
)

// kit makes instances and workloads, and makes sure of what all problems' datasets promise.
var kit = datasettest.Kit[*mspeculation.Instance, mspeculation.Solution, sim.Workload]{
	Problem: mspeculation.Problem, Generator: speculation.Generator, Deriver: speculation.Deriver, Simulator: simulator,
}

var generateInstance, deriveInstances, makeWorkload = kit.Generate, kit.Derive, kit.Workload

// Whatever the options, the file is valid, the same seed gives the same bytes, and the options are kept: counts, the window, and
// the range of copies' times, 60·[1, heterogeneity·contention + 0.1].
func TestGenerateKeepsOptions(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		const taskTime = 60
		heterogeneity, contention := rapid.Float64Range(1, 5).Draw(t, "h"), rapid.Float64Range(1, 5).Draw(t, "c")
		given := map[string]any{
			"stragglers": rapid.IntRange(1, 12).Draw(t, "stragglers"), "slots": rapid.IntRange(0, 12).Draw(t, "slots"),
			"nodes":         rapid.IntRange(1, 30).Draw(t, "nodes"),
			"heterogeneity": heterogeneity, "contention": contention,
			"window":      rapid.Float64Range(0, 2).Draw(t, "window"),
			"power_speed": rapid.Float64Range(-3, 3).Draw(t, "power_speed"), "energy_weight": 0.25,
		}
		in := generateInstance(t, given, rapid.Uint64().Draw(t, "seed"))
		if len(in.Stragglers) != given["stragglers"] || len(in.Slots) != given["slots"] || in.EnergyWeight != 0.25 {
			t.Errorf("%d stragglers, %d slots, weight %v", len(in.Stragglers), len(in.Slots), in.EnergyWeight)
		}
		for _, v := range in.Slots {
			if v.Start > taskTime*given["window"].(float64)+0.001 {
				t.Errorf("slot %s starts at %v", v.ID, v.Start)
			}
		}
		most := taskTime * (heterogeneity*contention + 0.1)
		for i, row := range in.CopyTime {
			for _, c := range row {
				if c < taskTime-0.001 || c > most+0.001 {
					t.Errorf("a copy of straggler %d takes %v, not %v to %v", i, c, taskTime, most)
				}
			}
		}
	})
}

// Options change nothing but what they govern: another straggler count leaves the slots alone, another window the stragglers and the
// copies. On one node no copy is allowed.
func TestGenerateStreams(t *testing.T) {
	base := generateInstance(t, nil, 5)
	fewer := generateInstance(t, map[string]any{"stragglers": 3}, 5)
	for j := range base.Slots {
		if base.Slots[j] != fewer.Slots[j] {
			t.Errorf("slot %d: %v and %v", j, base.Slots[j], fewer.Slots[j])
		}
	}
	wider := generateInstance(t, map[string]any{"window": 1.}, 5)
	for i := range base.Stragglers {
		if base.Stragglers[i] != wider.Stragglers[i] {
			t.Errorf("straggler %d: %v and %v", i, base.Stragglers[i], wider.Stragglers[i])
		}
		for j, c := range base.CopyTime[i] {
			if d := wider.CopyTime[i][j] - c; !math.IsNaN(d) && d != 0 {
				t.Errorf("copy %d,%d is longer by %v", i, j, d)
			}
		}
	}
	for i, row := range generateInstance(t, map[string]any{"nodes": 1}, 5).CopyTime {
		for _, c := range row {
			if !math.IsNaN(c) {
				t.Errorf("straggler %d may have a copy on its own node", i)
			}
		}
	}
}

// Figures 1 and 2 of the paper: an early copy, on the slot that is free first, may take over 1.5 times the mean over the slots,
// and two copies in one window differ. The degrees bound by how much, 3·2.5 = 7.5, which is below the 10 that the paper saw.
func TestCopyTimesVary(t *testing.T) {
	const windows = 50
	slow, most := 0, 0.0
	for seed := range uint64(windows) {
		in := generateInstance(t, map[string]any{"stragglers": 1, "slots": 40}, seed)
		first, mean, n := math.NaN(), 0.0, 0.0
		start, low, high := math.Inf(1), math.Inf(1), 0.0
		for j, c := range in.CopyTime[0] {
			if math.IsNaN(c) {
				continue
			}
			mean, n = mean+c, n+1
			low, high = min(low, c), max(high, c)
			if in.Slots[j].Start < start {
				start, first = in.Slots[j].Start, c
			}
		}
		if first > 1.5*mean/n {
			slow++
		}
		most = max(most, high/low)
	}
	t.Logf("the first slot's copy takes over 1.5 times the mean in %d of %d windows; copies differ by up to %.3g times", slow,
		windows, most)
	if slow == 0 || slow > windows/2 || most < 4 || most > 7.5 {
		t.Errorf("%d of %d windows, %v times", slow, windows, most)
	}
}
