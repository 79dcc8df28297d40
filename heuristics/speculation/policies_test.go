package speculation_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	hspeculation "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// oneJob has 400 tasks, which take some 20 waves on 32 slots with what straggles and waits.
var oneJob = &sim.Workload{Jobs: []sim.Job{{ID: "a", Tasks: 400, Mean: 30, CV: 0.2, Input: 128, Memory: 1}}}

// snapshots are the decisions that a policy is asked for on oneJob.
func snapshots(t *testing.T, p sim.Policy) []*speculation.Instance {
	t.Helper()
	v, err := models.Resolve(sim.Params, map[string]any{"nodes": 8, "slots": 4})
	fail.On(t, err)
	var all []*speculation.Instance
	if assign := p.Assign; assign != nil {
		p.ForRun = nil
		p.Assign = func(ctx context.Context, in *speculation.Instance) speculation.Matching {
			now := *in
			now.Stragglers, now.Slots, now.CopyTime = slices.Clone(in.Stragglers), slices.Clone(in.Slots), nil
			for _, row := range in.CopyTime {
				now.CopyTime = append(now.CopyTime, slices.Clone(row))
			}
			all = append(all, &now)
			return assign(ctx, in)
		}
	}
	r := models.SimRequest{Workload: oneJob, Policy: p.Name, Params: v, Seed: 1}
	err = sim.New([]sim.Policy{p}, sim.Source{}).Run(t.Context(), r, func(models.Metric) {})
	fail.On(t, err)
	return all
}

// What tells the policies apart: who reserves slots that are still busy, and who copies without a gain in both time and
// energy. The rules that look at gains keep what they promise of Gains on instances where some stragglers cannot gain.
func TestPolicyRules(t *testing.T) {
	for _, p := range hspeculation.Policies {
		asked := snapshots(t, p)
		if p.Assign == nil {
			if p.Name != "none" || len(asked) > 0 {
				t.Errorf("%s is asked %d times", p.Name, len(asked))
			}
			continue
		}
		unasked := p
		unasked.Gains = false
		reserves, copies, vain := false, 0, 0
		for _, in := range snapshots(t, unasked) {
			for i, j := range p.Assign(context.Background(), in) {
				if j == speculation.None {
					continue
				}
				copies++
				reserves = reserves || in.Slots[j].Start > 0
				if !speculation.Helps(in.Gain(i, j)) {
					vain++
				}
			}
		}
		if copies == 0 || reserves != p.Window {
			t.Errorf("%s: %d copies, reservations: %v", p.Name, copies, reserves)
		}
		if vain > 0 == p.Gains {
			t.Errorf("%s gives %d copies that save nothing", p.Name, vain)
		}
		if all := len(snapshots(t, unasked)); p.Gains && len(asked) >= all {
			t.Errorf("%s is asked %d times of %d", p.Name, len(asked), all)
		}
	}
}

// Two stragglers, three slots; the first may not have the first slot. Without estimates each takes the first it may have.
func TestBlind(t *testing.T) {
	in := &speculation.Instance{
		Stragglers: []speculation.Straggler{
			{Finish: 9, Power: 1, Progress: 0.5, Duration: 9},
			{Finish: 5, Power: 1, Progress: 0.5, Duration: 5},
		},
		Slots:    []speculation.Slot{{Power: 1}, {Start: 1, Power: 1}, {Start: 2, Power: 1}},
		CopyTime: [][]float64{{math.NaN(), 100, 1}, {100, 1, 1}},
	}
	for _, p := range []sim.Policy{hspeculation.DefaultPolicy, hspeculation.BlindPolicy} {
		if d := cmp.Diff(speculation.Matching{1, 0}, p.Assign(context.Background(), in)); d != "" {
			t.Errorf("%s: %s", p.Name, d)
		}
	}
}

// The memory that a rule keeps in a run leaves no trace: one decision after the other it decides as it does without.
func TestForRun(t *testing.T) {
	for _, p := range hspeculation.Policies {
		if p.ForRun == nil {
			continue
		}
		assign := p.ForRun(models.Defaults(sim.Params))
		for k, in := range snapshots(t, p) {
			if d := cmp.Diff(p.Assign(context.Background(), in), assign(context.Background(), in)); d != "" {
				t.Fatalf("%s, decision %d (-alone +in a run)\n%s", p.Name, k, d)
			}
		}
	}
}
