package speculation_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/trials/property"
)

const none = speculation.None

func shared(t *testing.T, name string) *speculation.Instance {
	t.Helper()
	file := filepath.Join("..", "..", "models", "speculation", "examples", name+".json")
	data, err := os.ReadFile(file)
	fail.On(t, err)
	in, err := speculation.Problem.ParseInstance(file, data)
	fail.On(t, err)
	return in
}

func decide(tb rapid.TB, a *speculation.Algorithm, in *speculation.Instance, given map[string]any) speculation.Solution {
	tb.Helper()
	params, err := models.Resolve(a.Params, given)
	fail.On(tb, err)
	out, err := a.Run(context.Background(), &speculation.Pass{Instance: in, Params: params})
	if err != nil || !out.Found || out.Status != models.Feasible {
		tb.Fatalf("%s ends as %s, %v", a.Name, out.Status, err)
	}
	return out.Solution
}

// What the rules make of small instances, worked out by hand.
//
// figure3: N1 (22, 66) is the first slot, N2 (25, 88) better in both, N3 (18, 11) in neither. trade-off: fast (15, 50) comes
// first and nothing is better in both, although slow is worth most. crossing: greedy and criticalness give u to a. one-slot: b is
// more critical, 20 against 10, and saves more; default takes file order. rescheduling: s6, the sixth, finds v1 taken by s1,
// which also has v6.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		instance  string
		algorithm *speculation.Algorithm
		given     map[string]any
		want      speculation.Matching
	}{
		{"figure3", heuristics.Window, nil, speculation.Matching{1}},
		{"figure3", heuristics.Default, nil, speculation.Matching{0}},
		{"trade-off", heuristics.Window, nil, speculation.Matching{0}},
		{"trade-off", heuristics.GreedyScalar, nil, speculation.Matching{2}},
		{"crossing", heuristics.Window, nil, speculation.Matching{0, 1}},
		{"crossing", heuristics.GreedyScalar, nil, speculation.Matching{0, 1}},
		{"one-slot", heuristics.Window, nil, speculation.Matching{none, 0}},
		{"one-slot", heuristics.Default, nil, speculation.Matching{0, none}},
		{"ties", heuristics.GreedyScalar, nil, speculation.Matching{0, 1, none}},
		{"nothing-helps", heuristics.GreedyScalar, nil, speculation.Matching{none, none}},
		{"rescheduling", heuristics.Window, nil, speculation.Matching{5, 1, 2, 3, 4, 0}},
		{"rescheduling", heuristics.Window, map[string]any{"k": 1}, speculation.Matching{5, 1, 2, 3, 4, 0}},
		{"rescheduling", heuristics.Window, map[string]any{"k": 0}, speculation.Matching{0, 1, 2, 3, 4, none}},
		// k < i − 1 with i = 5, as the first straggler is 0.
		{"rescheduling", heuristics.Window, map[string]any{"k": 4}, speculation.Matching{0, 1, 2, 3, 4, none}},
		{"rescheduling", heuristics.HeteAware, nil, speculation.Matching{5, 1, 2, 3, 4, 0}},
		{"rescheduling", heuristics.HeteAware, map[string]any{"k": 0}, speculation.Matching{0, 1, 2, 3, 4, none}},
		{"rescheduling", heuristics.None, nil, speculation.Matching{none, none, none, none, none, none}},
	} {
		if diff := cmp.Diff(c.want, decide(t, c.algorithm, shared(t, c.instance), c.given).Assign); diff != "" {
			t.Errorf("%s %v on %s: (-want +got)\n%s", c.algorithm.Name, c.given, c.instance, diff)
		}
	}
}

// Among candidates the score decides, with closeness as printed or as named. With k = 1, s4 (criticalness 10) may take the slot
// of s1 (40) or s2 (20), on which it gains 16/10 − 1 twice and 15/10 − 1 twice: 1.2 + 3/4 against 1 + 1/2, so s1; with 1 − d:
// 1.2 + 1/4 against 1 + 1/2, so s2.
func TestCloseness(t *testing.T) {
	in := &speculation.Instance{Slots: make([]speculation.Slot, 5), CopyTime: make([][]float64, 4)}
	nan := math.NaN()
	for i, s := range []struct{ finish, duration float64 }{{20, 40}, {20, 20}, {20, 15}, {26, 10}} {
		in.Stragglers = append(in.Stragglers, speculation.Straggler{
			ID: fmt.Sprint("s", i+1), Finish: s.finish, Power: 1, Progress: 0.5, Duration: s.duration,
		})
	}
	in.CopyTime = [][]float64{{10, nan, nan, 15, nan}, {nan, 10, nan, nan, 15}, {nan, nan, 10, nan, nan}, {10, 11, nan, nan, nan}}
	for closeness, want := range map[string]speculation.Matching{"printed": {3, 1, 2, 0}, "close": {0, 4, 2, 1}} {
		got := decide(t, heuristics.Window, in, map[string]any{"k": 1, "closeness": closeness}).Assign
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", closeness, diff)
		}
	}
}

// draw draws instances of a few stragglers and slots with ties and pairs that do not help.
func draw(t *rapid.T) *speculation.Instance {
	number := func(low, high int, label string) float64 { return float64(rapid.IntRange(low, high).Draw(t, label)) }
	in := &speculation.Instance{EnergyWeight: number(0, 2, "weight")}
	for j := range rapid.IntRange(0, 8).Draw(t, "slots") {
		in.Slots = append(in.Slots, speculation.Slot{
			ID: fmt.Sprint("v", j), Start: number(0, 5, "start"),
			Power: number(0, 3, "power"),
		})
	}
	for i := range rapid.IntRange(1, 9).Draw(t, "stragglers") {
		in.Stragglers = append(in.Stragglers, speculation.Straggler{
			ID: fmt.Sprint("s", i), Finish: number(5, 30, "finish"), Power: number(0, 3, "power"),
			Progress: number(1, 9, "progress") / 10, Duration: number(1, 20, "duration"),
		})
		row := make([]float64, len(in.Slots))
		for j := range row {
			row[j] = number(0, 15, "copy")
			if row[j] == 0 {
				row[j] = math.NaN()
			}
		}
		in.CopyTime = append(in.CopyTime, row)
	}
	return in
}

// On the paper's evenly split tasks rescheduling never applies, whatever slots and powers are: copies take what their slot did
// last, and criticalness is the time to the finish, so on any slot a later straggler saves no more time than an earlier one.
func TestEvenlySplit(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		for i := range in.Stragglers {
			s := &in.Stragglers[i]
			s.Progress, s.Duration = 0.5, s.Finish
			copy(in.CopyTime[i], in.CopyTime[0])
		}
		with := decide(t, heuristics.Window, in, map[string]any{"k": 1}).Assign
		if diff := cmp.Diff(decide(t, heuristics.HeteAware, in, nil).Assign, with); diff != "" {
			t.Errorf("(-without rescheduling +with)\n%s", diff)
		}
	})
}

// Whatever the instance: every solution is feasible, greedy and default leave no pair that would help, and slots that help nobody
// change nothing.
func TestRules(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		more := *in
		more.Slots = append(slices.Clone(in.Slots), speculation.Slot{ID: "late", Start: 1000})
		more.CopyTime = nil
		for _, row := range in.CopyTime {
			more.CopyTime = append(more.CopyTime, append(slices.Clone(row), 1))
		}
		matchings := map[string]speculation.Matching{}
		for _, a := range heuristics.All {
			s := decide(t, a, in, nil)
			if r := speculation.Problem.Check(in, s); len(r.Violations) > 0 {
				t.Errorf("%s: %v", a.Name, r.Violations)
			}
			if diff := cmp.Diff(s, decide(t, a, &more, nil)); diff != "" {
				t.Errorf("%s with a slot of no use: (-without +with)\n%s", a.Name, diff)
			}
			matchings[a.Name] = s.Assign
		}
		for _, a := range []*speculation.Algorithm{heuristics.GreedyScalar, heuristics.Default} {
			m := matchings[a.Name]
			for i := range m {
				for j := range in.Slots {
					if m[i] == none && !slices.Contains(m, j) && speculation.Helps(in.Gain(i, j)) {
						t.Errorf("%s leaves %d without a copy though slot %d is free: %v", a.Name, i, j, m)
					}
				}
			}
		}
	})
}

// Greedy-scalar with its heap is the rule as written: the best of all pairs that are left, ties by file order.
func TestGreedyScalarRescanned(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		want := speculation.NoCopies(in)
		for {
			best, straggler, slot := 0.0, none, none
			for i := range in.Stragglers {
				for j := range in.Slots {
					if time, energy := in.Gain(i, j); want[i] == none && !slices.Contains(want, j) &&
						speculation.Helps(time, energy) && in.Scalar(time, energy) > best {
						best, straggler, slot = in.Scalar(time, energy), i, j
					}
				}
			}
			if straggler == none {
				break
			}
			want[straggler] = slot
		}
		if diff := cmp.Diff(want, decide(t, heuristics.GreedyScalar, in, nil).Assign); diff != "" {
			t.Errorf("(-rescan +heap)\n%s", diff)
		}
	})
}
