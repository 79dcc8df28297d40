package cloning_test

import (
	"strings"
	"testing"

	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// work is a phase of tasks that have no use for a second copy.
func work(tasks int, mean float64, demand [2]float64, parents ...int) cloning.Phase {
	return cloning.Phase{Tasks: tasks, Mean: mean, Demand: demand[:], Speedup: []float64{1}, Parents: parents}
}

// between is a job of 3 slots, and one from moment 2 on with two phases between one of 2 and one of 4 slots, on two servers of 4 and 100.
func between(bodies ...cloning.Phase) *cloning.Instance {
	phases := append([]cloning.Phase{work(1, 2, [2]float64{1, 1})}, bodies...)
	in := onOne(1, jobOf(0, work(1, 3, [2]float64{1, 1})), jobOf(2, append(phases, work(1, 4, [2]float64{1, 1}, 1, 2))...))
	in.Resources = []string{"cpu", "mem"}
	in.Servers = []cloning.Server{{ID: "s", Capacity: []float64{4, 100}}, {ID: "t", Capacity: []float64{4, 100}}}
	return in
}

// By hand, spans, heads and tails, and the bound by a job's path or a set of both phases between: they end no sooner than at 2 + 2 + 4 and
// what takes the most slots.
func TestHeads(t *testing.T) {
	for name, c := range map[string]struct {
		bodies [2]cloning.Phase
		spans  [2]int
		slots  int // of the set
	}{
		// 15 + 18 slots of copies, of which four fit: 9; of 4 + 4 they take 3·15 + 2·18 = 81: 11.
		"the first resource": {[2]cloning.Phase{work(5, 3, [2]float64{3, 1}, 0), work(9, 2, [2]float64{2, 1}, 0)}, [2]int{8, 5}, 11},
		// Of 100 + 100 they take 49·15 + 60·18 = 1815: 10.
		"the second resource": {[2]cloning.Phase{work(5, 3, [2]float64{1, 49}, 0), work(9, 2, [2]float64{1, 60}, 0)}, [2]int{4, 9}, 10},
		// Two fit: 33/2. Of 4 + 4 they take 3·33 = 99: 13.
		"copies that fit": {[2]cloning.Phase{work(5, 3, [2]float64{3, 1}, 0), work(9, 2, [2]float64{3, 1}, 0)}, [2]int{8, 9}, 17},
		// Each of two tasks takes longer than all their copies on eight places.
		"a long task": {[2]cloning.Phase{work(2, 9, [2]float64{1, 0}, 0), work(1, 1, [2]float64{0, 0}, 0)}, [2]int{9, 1}, 0},
	} {
		in := between(c.bodies[:]...)
		needs := verifycloning.Measure(in, 0)
		longest := max(c.spans[0], c.spans[1])
		for k, want := range [][3]int{{0, 3, 0}, {2, 2, longest + 4}, {4, c.spans[0], 4}, {4, c.spans[1], 4}, {4 + longest, 4, 0}} {
			if n := &needs.Need[k]; n.Head != want[0] || n.Span != want[1] || n.Tail != want[2] {
				t.Errorf("%s: phase %d from %d, %d slots, %d after it; want %v", name, k, n.Head, n.Span, n.Tail, want)
			}
		}
		for _, sets := range [][]verifycloning.Set{nil, {{Job: 0, Phases: []int{0}}, {Job: 1, Phases: []int{1, 2}}, {Job: 1, Phases: []int{0}}}} {
			want := 3 + 2 + longest + 4
			if sets != nil {
				want = 3 + 2 + max(longest, c.slots) + 4
			}
			if got, err := verifycloning.HeadsBound(in, sets); err != nil || got != float64(want) {
				t.Errorf("%s: the bound by %v is %v, want %d; %v", name, sets, got, want, err)
			}
		}
		// A set of one phase takes what its copies take, between its head and tail.
		for k, n := range needs.Need[1:] {
			want := 3 + n.Head + n.Tail - 2 + (n.Tasks*n.Units+needs.Holds(n.Demand)-1)/needs.Holds(n.Demand)
			got, err := verifycloning.HeadsBound(in, []verifycloning.Set{{Job: 1, Phases: []int{k}}})
			if path := 3 + 2 + longest + 4; err != nil || got != float64(max(path, want)) {
				t.Errorf("%s: the bound by phase %d is %v, want %d; %v", name, k, got, max(path, want), err)
			}
		}
	}
}

// Sets that are none, and jobs that are too long for exact sums.
func TestNoHeads(t *testing.T) {
	in := between(work(5, 3, [2]float64{3, 1}, 0), work(9, 2, [2]float64{3, 1}, 0))
	for _, c := range []struct {
		set    verifycloning.Set
		reason string
	}{
		{verifycloning.Set{Job: -1, Phases: []int{0}}, "job -1 is none of 2"},
		{verifycloning.Set{Job: 2, Phases: []int{0}}, "job 2 is none of 2"},
		{verifycloning.Set{Job: 1}, "must not be empty"},
		{verifycloning.Set{Job: 1, Phases: []int{-1}}, "phases[0] = -1 must be from 0 to 3"},
		{verifycloning.Set{Job: 1, Phases: []int{1, 4}}, "phases[1] = 4 must be from 0 to 3"},
		{verifycloning.Set{Job: 1, Phases: []int{1, 1}}, "above the one before it"},
		{verifycloning.Set{Job: 1, Phases: []int{2, 1}}, "above the one before it"},
		{verifycloning.Set{Job: 1, Phases: []int{0, 1, 2, 3}}, ""},
		{verifycloning.Set{Job: 0, Phases: []int{0}}, ""},
	} {
		_, err := verifycloning.HeadsBound(in, []verifycloning.Set{c.set})
		if (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%v: %v, want %q", c.set, err, c.reason)
		}
		if err := check(t, claimOf(in, verifycloning.Heads, false, 3, c.set)); (err == nil) != (c.reason == "") {
			t.Errorf("a proof of %v: %v", c.set, err)
		}
	}
	for arrival, ok := range map[int]bool{1<<52 - 1: true, 1 << 52: false} {
		if _, err := verifycloning.HeadsBound(onOne(1, jobOf(0, phase(1, 1)), jobOf(arrival, phase(1, 1))), nil); (err == nil) != ok {
			t.Errorf("a job of a slot from %d on: %v", arrival, err)
		}
	}
	if farthest, err := verifycloning.HeadsBound(onOne(1, jobOf(0, phase(kernel.Farthest, 1))), nil); err == nil {
		t.Errorf("a job of 2^60 slots ends at %v", farthest)
	}
}
