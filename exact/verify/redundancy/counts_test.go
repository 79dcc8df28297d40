package redundancy

import (
	"slices"
	"strings"
	"testing"

	"schedgap/exact/verify/core"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// TestCounts: a count holds if no more jobs arrive before, or if one job more could not pay for what all machines earn until then: on two
// machines that gain 1 and 0.5 a job of work 2 pays at least 2 for a machine until 2, and the machines earn 4.
func TestCounts(t *testing.T) {
	prices := func(price float64, grid ...float64) *proof.CountProof {
		return &proof.CountProof{Grid: grid, Price: slices.Repeat([]float64{price}, len(grid)-1)}
	}
	for name, c := range map[string]struct {
		arrival, work []float64
		most          int
		until         float64
		proof         *proof.CountProof
		reason        string // empty: it holds
	}{
		"all that arrive before":    {[]float64{0, 0, 1}, []float64{2, 2, 2}, 2, 1, nil, ""},
		"one less":                  {[]float64{0, 0, 1}, []float64{2, 2, 2}, 1, 1, nil, "no prices that show it"},
		"none arrives before":       {[]float64{0, 0, 1}, []float64{2, 2, 2}, 0, 0, nil, ""},
		"fewer than none":           {[]float64{0, 0, 1}, []float64{2, 2, 2}, -1, 0, nil, "-1 jobs"},
		"three cannot pay":          {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(1, 0, 2), ""},
		"two can pay":               {[]float64{0, 0, 0}, []float64{2, 2, 2}, 1, 2, prices(1, 0, 2), "2 of its jobs can pay"},
		"the cheapest two can pay":  {[]float64{0, 0, 0}, []float64{2, 2.5, 2}, 1, 2, prices(1, 0, 2), "2 of its jobs can pay"},
		"nor can they in parts":     {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(1, 0, 1, 2), ""},
		"two and one that is late":  {[]float64{0, 0, 1}, []float64{2, 2, 2}, 2, 2, prices(1, 0, 2), ""},
		"one and two that are late": {[]float64{0, 1, 1}, []float64{2, 2, 2}, 1, 2, prices(1, 0, 2), ""},
		"prices of nothing":         {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(0, 0, 2), "3 of its jobs can pay"},
		"time before the prices":    {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 4, prices(1, 2, 4), "3 of its jobs can pay"},
		"prices that end early":     {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 3, prices(1, 0, 2), "its prices end at 2, before 3"},
		"prices that go on":         {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 1.5, prices(1, 0, 2), ""},
		"a point":                   {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(1, 0), "no prices that show it"},
		"negative prices":           {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(-1, 0, 2), "negative"},
		"rounding":                  {[]float64{0, 0, 0}, []float64{2, 2, 2}, 2, 2, prices(0.1, 0, 2), ""},
	} {
		in := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1.5}}
		f := &purchases{Effort: &core.Effort{}, in: in, gain: core.Gains(in.Speedup)}
		for j, a := range c.arrival {
			in.Jobs = append(in.Jobs, redundancy.Job{ID: string(rune('a' + j)), Arrival: a, Work: c.work[j]})
			f.arrival = append(f.arrival, core.Point(a))
		}
		err := f.holds(core.Count{Set: []int{0, 1, 2}, Most: c.most, Proof: c.proof}, c.until)
		if (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", name, err, c.reason)
		}
	}
}

// three is the root of a tree of three jobs that are there from the start, and one that comes later.
func three(t *testing.T, shared bool) *Node {
	t.Helper()
	in := &redundancy.Instance{Machines: 2, Multitasking: shared, Speed: 1, Speedup: []float64{1, 1.5}, Jobs: []redundancy.Job{
		{ID: "a", Work: 3}, {ID: "b", Work: 2}, {ID: "c", Work: 1}, {ID: "d", Work: 0.5, Arrival: 100},
	}}
	tree, err := NewTree(in, []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}})
	fail.On(t, err)
	return tree.Root()
}

// TestSkipped: where a job has no copies while it and another one are unfinished, the other one is not left alone: none of the larger sets
// would pass to it. Sets with further jobs, and the same sets in other intervals, are as before.
func TestSkipped(t *testing.T) {
	n := three(t, false)
	less, more, err := n.Children(proof.TreeNode{Copies: []int{0, 0, 0}, Set: []int{0, 1}})
	fail.On(t, err)
	for name, c := range map[string]struct {
		node *Node
		k    int
		want []uint64
	}{
		"the root":     {n, 0, []uint64{0, 1, 2, 3, 4, 5, 6, 7}},
		"no copies":    {less, 0, []uint64{0, 1, 3, 4, 5, 6, 7}},
		"copies":       {more, 0, []uint64{0, 1, 2, 3, 4, 5, 6, 7}},
		"another time": {less, 1, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	} {
		if c.node.Closed(1e9) {
			t.Fatalf("%s: closed", name)
		}
		sets, err := c.node.Sets(c.k)
		slices.Sort(sets)
		if err != nil || !slices.Equal(sets, c.want) {
			t.Errorf("%s: the sets %v, %v; want %v", name, sets, err, c.want)
		}
	}
	// If a completes no later than b, it is the first of both, and neither completes while it has no copies.
	earlier, later, err := less.Children(proof.TreeNode{Pair: []int{0, 1}})
	fail.On(t, err)
	for name, c := range map[string]struct {
		node *Node
		want []uint64
	}{
		"a before b": {earlier, []uint64{3, 4, 6, 7}},
		"b before a": {later, []uint64{0, 1, 3, 4, 5, 7}},
	} {
		if c.node.Closed(1e9) {
			t.Fatalf("%s: closed", name)
		}
		sets, err := c.node.Sets(0)
		slices.Sort(sets)
		if err != nil || !slices.Equal(sets, c.want) {
			t.Errorf("%s: the sets %v, %v; want %v", name, sets, err, c.want)
		}
	}
}

// TestLimited: copies are limited for a set in an interval, and for no other.
func TestLimited(t *testing.T) {
	for _, shared := range []bool{false, true} {
		less, more, err := three(t, shared).Children(proof.TreeNode{Copies: []int{0, 1, 1}, Set: []int{0, 1}})
		fail.On(t, err)
		free := 0
		if shared {
			free = 1
		}
		for _, c := range []struct {
			node        *Node
			k           int
			set         uint64
			job         int
			limited     bool
			least, most int
		}{
			{less, 0, 3, 1, true, free, 1},
			{more, 0, 3, 1, true, 2, 2},
			{less, 0, 3, 0, true, free, 2},
			{less, 0, 2, 1, false, free, 2},
			{less, 1, 3, 1, false, free, 2},
		} {
			least, most := c.node.Copies(c.k, c.set, c.job)
			if limited := c.node.Limited(c.k, c.set); limited != c.limited || least != c.least || most != c.most {
				t.Errorf("shared %v, interval %d, set %b, job %d: %d to %d copies, limited %v", shared, c.k, c.set, c.job, least, most, limited)
			}
		}
	}
}

// TestMostJobs: a tree has as many jobs as a set has bits.
func TestMostJobs(t *testing.T) {
	for n, reason := range map[int]string{MostJobs: "not complete", MostJobs + 1: "at most"} {
		in := &redundancy.Instance{Machines: 1, Speed: 1, Speedup: []float64{1}, Jobs: make([]redundancy.Job, n)}
		in.Name = "many"
		bound := 1.0
		p := &proof.Proof{Header: proof.Header{
			Problem: "redundancy", Instance: "many", SHA256: "x", Reference: "opt", Kind: proof.RedundancyTree, Bound: &bound,
		}}
		if _, err := Verify(p, in, "x"); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%d jobs: %v, want %q", n, err, reason)
		}
	}
}
