package sim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

// worth is a job's penalty by its definition in section 2.1, for a response r and a work.
func worth(m flex.Metric, weighted bool, j flex.Job, r, work float64) float64 {
	w := 1.0
	if weighted {
		w = j.Weight
	}
	switch m {
	case flex.Response:
		return w * r
	case flex.Stretch:
		return r / work
	case flex.Tardy:
		if r <= *j.Deadline*(1+1e-9) {
			return 0
		}
		return w
	case flex.Tardiness:
		return w * max(0, r-*j.Deadline)
	case flex.Lateness:
		return w * (r - *j.Deadline)
	}
	height := 0.0
	for _, s := range j.Steps {
		if r > s.At*(1+1e-9) {
			height = s.Penalty
		}
	}
	return w * height
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+math.Abs(a)+math.Abs(b)) }

// Whatever is minimised: penalties and objective are what the definition makes of the responses, no run is below the bound; and
// what a job would be worth by the instance of a moment is what it would be worth in the run, less what has passed already.
func TestMenu(t *testing.T) {
	moments := 0
	property.Check(t, func(t *rapid.T) {
		w, given := drawWorkload(t), drawParams(t)
		metric := rapid.SampledFrom(append(slices.Clone(flex.Metrics), "makespan", flex.MixedMetrics)).Draw(t, "metric")
		aggregate := rapid.SampledFrom([]flex.Aggregate{flex.Sum, flex.Max}).Draw(t, "aggregate")
		if metric.Steps() {
			aggregate = flex.Sum
		}
		weighted := rapid.Bool().Draw(t, "weighted")
		given["metric"], given["aggregate"], given["weighted"] = string(metric), string(aggregate), weighted
		given["estimate"], given["deadline_to"], given["step_to"] = "exact", 0.5, rapid.SampledFrom([]float64{0.5, 2}).Draw(t,
			"step_to")
		first := math.Inf(1)
		for i := range w.Jobs {
			job := &w.Jobs[i]
			first = min(first, job.Arrival)
			job.Map.CV = 0
			if job.Reduce != nil {
				job.Reduce.CV = 0
			}
			if rapid.Bool().Draw(t, "given") {
				job.Weight, job.Deadline = rapid.Float64Range(0.1, 5).Draw(t, "weight"), rapid.Float64Range(1, 200).Draw(t, "deadline")
			}
			if metric != "makespan" && rapid.IntRange(0, 5).Draw(t, "own") == 0 {
				job.Metric = rapid.SampledFrom([]flex.Metric{flex.Response, flex.Lateness, flex.Stretch, flex.Tardiness}).Draw(t,
					"own metric")
			}
		}
		values, seed := resolve(t, given), rapid.Uint64().Draw(t, "seed")
		judged, err := sim.Drawn(w, values, seed)
		fail.On(t, err)
		work := func(j sim.Job) (sum float64) {
			sum = j.Map.Work()
			if j.Reduce != nil {
				sum += j.Reduce.Work()
			}
			return sum
		}
		// valued is what job i is worth that ends at a time.
		valued := func(i int, end float64) float64 {
			if metric == "makespan" {
				return end - first
			}
			m := metric
			if judged[i].Metric != "" {
				m = judged[i].Metric
			}
			return worth(m, weighted, judged[i], end-w.Jobs[i].Arrival, work(w.Jobs[i]))
		}
		got, err := sim.Moments(w, even, values, seed, func(now float64, in *flex.Instance) {
			for k := range in.Jobs {
				i := slices.IndexFunc(w.Jobs, func(j sim.Job) bool { return j.ID == in.Jobs[k].ID })
				job := &w.Jobs[i]
				if job.Reduce != nil && (judged[i].Metric == flex.Stretch || metric == flex.Stretch) {
					continue // of a phase, not of the job
				}
				moments++
				c, passed := 7*float64(k+1), 0.0
				// sums leave out what has passed
				if m := in.MetricOf(k); m == flex.Response && (aggregate == flex.Sum || metric == "makespan") {
					passed = valued(i, now)
				}
				if p := in.Penalty(k, c) + passed; !near(p, valued(i, now+c)) {
					t.Fatalf("at %v job %s is worth %v at %v by the instance %+v, %v by the definition", now, job.ID, p, now+c, in,
						valued(i, now+c))
				}
			}
			if in.Objective.Aggregate != aggregate && metric != "makespan" {
				t.Fatalf("the aggregate is %s", in.Objective.Aggregate)
			}
		})
		fail.On(t, err)
		penalties := make([]float64, len(w.Jobs))
		for i, j := range w.Jobs {
			if j.Weight > 0 && (j.Weight != judged[i].Weight || j.Deadline != *judged[i].Deadline) {
				t.Fatalf("job %s of the workload is judged by %+v", j.ID, judged[i])
			}
			penalties[i] = valued(i, got["response "+j.ID]+j.Arrival)
			if !near(penalties[i], got["penalty "+j.ID]) {
				t.Fatalf("job %s has the penalty %v, want %v", j.ID, got["penalty "+j.ID], penalties[i])
			}
		}
		want := slices.Max(penalties)
		if aggregate == flex.Sum && metric != "makespan" {
			want = 0
			for _, p := range penalties {
				want += p
			}
		}
		if v := got["objective"]; !near(v, want) || v < got["objective_bound"] {
			t.Fatalf("objective %v, want %v, bound %v", v, want, got["objective_bound"])
		}
	})
	if moments == 0 {
		t.Error("no moment was compared")
	}
}

// One slot and jobs of one task are a single machine: by brute force over all orders, the least objective that a run has is the
// least that the definition has, for every objective.
func TestMenuOnOneMachine(t *testing.T) {
	times := []float64{4, 1, 3, 2}
	w := &sim.Workload{}
	for i, d := range []float64{5, 9, 3, 4} {
		w.Jobs = append(w.Jobs, sim.Job{ID: fmt.Sprint("j", i), Map: tasks(1, times[i]), Weight: float64(1 + i%3), Deadline: d})
	}
	for _, metric := range flex.Metrics {
		for _, aggregate := range []flex.Aggregate{flex.Sum, flex.Max} {
			for _, weighted := range []bool{false, true} {
				if metric.Steps() && aggregate == flex.Max {
					continue
				}
				given := map[string]any{"map_slots": 1, "metric": string(metric), "aggregate": string(aggregate), "weighted": weighted}
				judged, err := sim.Drawn(w, resolve(t, given), 1)
				fail.On(t, err)
				least, defined := math.Inf(1), math.Inf(1)
				for _, order := range orders(len(times)) {
					got := run(t, w, inOrder(order), 1, given)
					now, sum, most := 0.0, 0.0, math.Inf(-1)
					for _, i := range order {
						now += times[i]
						p := worth(metric, weighted, judged[i], now, times[i])
						sum, most = sum+p, max(most, p)
					}
					if aggregate == flex.Max {
						sum = most
					}
					if !near(got["objective"], sum) {
						t.Errorf("%v: objective %v in the order %v, want %v", given, got["objective"], order, sum)
					}
					least, defined = min(least, got["objective"]), min(defined, sum)
				}
				if !near(least, defined) {
					t.Errorf("%v: least objective %v, want %v", given, least, defined)
				}
			}
		}
	}
}

// inOrder gives the only slot to the first job of an order that is left.
func inOrder(order []int) sim.Policy {
	p := inTurn
	p.Targets = func(in *flex.Instance, targets []float64) {
		for _, i := range order {
			if k := slices.IndexFunc(in.Jobs, func(j flex.Job) bool { return j.ID == fmt.Sprint("j", i) }); k >= 0 {
				targets[k] = 1
				return
			}
		}
	}
	return p
}

// orders are all of n things.
func orders(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}

// What is not defined is refused in one sentence.
func TestMenuErrors(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(1, 1)}}}
	own := &sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(1, 1), Metric: flex.SLA}}}
	for want, c := range map[string]struct {
		w     *sim.Workload
		given map[string]any
	}{
		"parameter aggregate: max is not defined for the metric tardy; it must be sum": {
			w,
			map[string]any{"metric": "tardy", "aggregate": "max"},
		},
		`job "a": metric sla is not defined for the aggregate max`: {own, map[string]any{"aggregate": "max"}},
	} {
		_, err := sim.Drawn(c.w, resolve(t, c.given), 1)
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
