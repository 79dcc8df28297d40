package simulation_test

import (
	"math"
	"testing"

	"schedgap/models"
	"schedgap/models/simulation"
)

// served follows jobs of equal work that come one a second to a place that takes them in turn, and returns the metrics.
func served(jobs int, work float64) map[string]float64 {
	m := simulation.NewMonitor(0, 1)
	var ends, flow []float64
	free, done, arrived := 0.0, 0, 0
	advance := func(to float64) {
		for ; done < arrived && ends[done] <= to; done++ {
			m.Advance(ends[done], arrived-done, arrived-done-1, 1)
		}
		m.Advance(to, arrived-done, max(0, arrived-done-1), min(1, float64(arrived-done)))
	}
	for at := range jobs {
		advance(float64(at))
		free = max(free, float64(at)) + work
		ends, flow = append(ends, free), append(flow, free-float64(at))
		arrived++
		m.Arrive(arrived - done)
	}
	advance(free)
	got := map[string]float64{}
	m.Report([]float64{work * float64(jobs)}, func(i int) float64 { return flow[i] }, "s",
		func(m models.Metric) { got[m.Name] = m.Value })
	return got
}

// Jobs of 0.5 s that come one a second never wait: the first of a long run are like the others, so none is left out. Jobs of 2 s
// never stop piling up: half of the run is left out, as much as may be, and there is no steady state.
func TestMonitor(t *testing.T) {
	near := func(got map[string]float64, want map[string]float64) {
		t.Helper()
		for name, want := range want {
			if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-9 {
				t.Errorf("%s is %v, want %v", name, v, want)
			}
		}
	}
	near(served(101, 0.5), map[string]float64{
		"load": 101 * 0.5 / 100, "utilisation": 0.5, "waiting_share": 0, "warm_up": 0, "jobs_at_start": 1, "jobs_at_end": 1,
		"steady_flowtime": 0.5, "steady_half_width": 0, "steady_state": 1,
	})
	// At time k there are k + 1 − ⌊k/2⌋ jobs. The flowtime of the k-th is 2 + k.
	near(served(101, 2), map[string]float64{
		"load": 2.02, "utilisation": 1, "whole_utilisation": 1, "warm_up": 50, "jobs_at_start": 26, "jobs_at_end": 51,
		"steady_flowtime": 77, "steady_state": 0,
	})
	for _, name := range []string{"steady_flowtime", "steady_state"} {
		if v, ok := served(49, 0.5)[name]; ok {
			t.Errorf("of 49 jobs %s is %v", name, v)
		}
	}
}

// MSER-5 leaves out what differs at the beginning, a batch of five at a time, and only that; but never of a short run.
func TestWarmUp(t *testing.T) {
	run := func(n, differ int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i % 2)
			if i < differ {
				x[i] += 100
			}
		}
		return x
	}
	for _, c := range []struct{ n, differ, want int }{{100, 0, 0}, {100, 12, 15}, {103, 20, 20}, {100, 45, 45}, {49, 20, 0}} {
		if got := simulation.WarmUp(run(c.n, c.differ)); got != c.want {
			t.Errorf("%d of %d differ: %d left out, want %d", c.differ, c.n, got, c.want)
		}
	}
}

// Of 100 values in 20 batches of five the interval is Student's with 19 degrees of freedom: 2.093 standard errors of the means 0
// and 1.
func TestBatchMeans(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i / 5 % 2)
	}
	mean, half := simulation.BatchMeans(x)
	if want := 2.0930 * 0.5 / math.Sqrt(19); mean != 0.5 || math.Abs(half-want) > 1e-4 {
		t.Errorf("%v ± %v, want 0.5 ± %v", mean, half, want)
	}
}
