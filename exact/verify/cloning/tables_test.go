package cloning

import (
	"strings"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// Tables of prices are kept up to a number of cells, beyond which all but the last are dropped; all that is done for them counts as effort.
func TestTables(t *testing.T) {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{Capacity: []float64{1}}},
		Jobs: []cloning.Job{{Phases: []cloning.Phase{{Tasks: 1, Demand: []float64{1}, Mean: 2, Speedup: []float64{1}}}}},
	}
	sp, err := kernel.New(in, false)
	fail.On(t, err)
	m := &statesProof{Space: sp, Reader: &core.Reader{}}
	fail.On(t, m.list())
	steps := 64 * m.Tries
	m.spendTries() // which there are none of since
	if m.Tries == 0 || m.Effort.Steps != steps {
		t.Errorf("%d tries, %d steps", m.Tries, m.Effort.Steps)
	}
	var prices [3]*slotPrices
	for i := range prices {
		prices[i], err = m.price([][]int64{{5, 0, 7}})
		fail.On(t, err)
	}
	const cells = 4 * 3 // by moment and node
	prices[0].table(0, 0)
	steps += 3 * 4 * (2 + 2) // by moment, of the arcs of both nodes that are not the last
	if m.cells != cells || m.Effort.Steps != steps {
		t.Errorf("%d cells, %d steps; want %d and %d", m.cells, m.Effort.Steps, cells, steps)
	}
	m.cells = slotCells - cells
	prices[1].table(0, 0)
	if m.cells != slotCells || prices[0].tables == nil || len(m.live) != 2 {
		t.Errorf("%d cells of %d, %d live", m.cells, slotCells, len(m.live))
	}
	m.cells++ // one of another job
	prices[2].table(0, 0)
	if m.cells != cells || prices[0].tables != nil || prices[1].tables != nil || len(m.live) != 1 {
		t.Errorf("%d cells, %d live; want the last table alone", m.cells, len(m.live))
	}
	before := m.Effort.Steps
	m.patterns.Work = 7
	for range 2 {
		if got := prices[0].slot(1, 0); got != 5 {
			t.Errorf("the server earns %d", got)
		}
	}
	if want := 4 * (m.patterns.Work - 7); want == 0 || m.Effort.Steps-before != want {
		t.Errorf("%d steps, want %d", m.Effort.Steps-before, want)
	}
	m.prices, m.target, m.Effort.Steps = prices[:1], 3, 1<<40
	if err := m.succeed(&state{nodes: []int32{0}}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("after 2^40 steps: %v", err)
	}
}
