package sim_test

import (
	"fmt"
	"math"
	"testing"

	"schedgap/models/pocd/sim"
)

// Speeds that change, by hand. The first attempt begins at 10 and would take 400 s, from 50 on 100 s; its copy takes 50 s.
func TestChangingSpeeds(t *testing.T) {
	segments := func(_, _, attempt, segment int) (x, lasts float64) {
		switch {
		case attempt > 0:
			return 50, math.Inf(1)
		case segment == 0:
			return 400, 40
		}
		return 100, math.Inf(1)
	}
	for _, c := range []struct {
		name   string
		policy sim.Policy
		params map[string]any
		want   map[string]float64
	}{
		{"0.1 by 50, the rest at 100 s a task", nothing, nil, map[string]float64{"response a": 50 + 0.9*100}},
		{
			// ξ is reached at 10 + 0.05·400 = 30: the end is estimated at 410, later than 150. The copy goes on from
			// 0.05 + 10/400 = 0.075 at 40 and ends at 40 + 0.925·50.
			"a copy before the change", rounds,
			map[string]any{"xi": 0.05, "theta": 1.0},
			map[string]float64{"response a": 86.25, "copies": 1, "checks": 1},
		},
		{
			// At 60, where ξ = 0.2 is reached, the mean speed since 10 is 0.2/50: the end is estimated at 60 + 200, though it
			// will be 140. The copy goes on from 0.2 + 10·0.2/50 = 0.24 at 70 and ends at 70 + 0.76·50.
			"the speed that reports tell is the mean", rounds,
			map[string]any{"xi": 0.2, "theta": 1.0},
			map[string]float64{"response a": 108, "copies": 1},
		},
		{
			// 10 + max_copies: the first takes 130 s, the second 50.
			"foresight sees the changes", clairvoyant, map[string]any{"max_copies": 1}, map[string]float64{"response a": 60},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			params := map[string]any{"launch": 10, "speed_every": 1}
			for name, v := range c.params {
				params[name] = v
			}
			w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 150, 1)}}
			got := watch(t, w, c.policy, 1, params, sim.Hooks{Segments: segments})
			for name, want := range c.want {
				if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-6 {
					t.Errorf("%s is %v, want %v", name, v, want)
				}
			}
		})
	}
}

// alone runs n jobs of one task each, one after the other, whose attempts process for 20 s by Pareto's law, nearly without spread
// when beta is large, and returns their execution times.
func alone(t *testing.T, n int, beta float64, given map[string]any) []float64 {
	t.Helper()
	w := &sim.Workload{}
	for i := range n {
		j := job(fmt.Sprint(i), float64(10*i), 1e6, 1)
		j.Beta = beta
		w.Jobs = append(w.Jobs, j)
	}
	given["slaves"] = 1 << 20
	got := watch(t, w, nothing, 5, given, sim.Hooks{})
	times := make([]float64, n)
	for i := range times {
		times[i] = got[fmt.Sprintf("execution %d", i)]
	}
	return times
}

func meanAndCV(times []float64) (mean, cv float64) {
	sum, squares := 0.0, 0.0
	for _, x := range times {
		sum += x
		squares += x * x
	}
	mean = sum / float64(len(times))
	return mean, math.Sqrt(squares/float64(len(times))-mean*mean) / mean
}

// Launch times have the mean and the coefficient of variation that they are given.
func TestLaunchTimes(t *testing.T) {
	times := alone(t, 20_000, 1e6, map[string]any{"launch": 60, "launch_cv": 0.5})
	for i := range times {
		times[i] -= 20
	}
	if mean, cv := meanAndCV(times); math.Abs(mean-60) > 1 || math.Abs(cv-0.5) > 0.02 {
		t.Errorf("launch times of mean %v, coefficient of variation %v", mean, cv)
	}
}

// Times that contain a launch of mean length have the same sum, and the same least one.
func TestLaunchWithin(t *testing.T) {
	apart := alone(t, 500, 1.5, map[string]any{"launch": 0})
	within := alone(t, 500, 1.5, map[string]any{"launch": 15, "launch_within": true})
	for i := range apart {
		if math.Abs(apart[i]-within[i]) > 1e-9*apart[i] {
			t.Fatalf("job %d takes %v, %v with the launch within", i, apart[i], within[i])
		}
	}
}

// Speeds that change very often amount to their mean, that of 1/x for x by Pareto's law: 20·(β+1)/β seconds a task. Speeds that
// change once in many years are constant.
func TestMeanSpeed(t *testing.T) {
	if mean, cv := meanAndCV(alone(t, 500, 1.5, map[string]any{
		"launch":      0,
		"speed_every": 0.02,
	})); math.Abs(mean-20*2.5/1.5) > 0.1 || cv > 0.03 {
		t.Errorf("mean %v, coefficient of variation %v", mean, cv)
	}
	constant := alone(t, 500, 1.5, map[string]any{"launch": 7})
	rarely := alone(t, 500, 1.5, map[string]any{"launch": 7, "speed_every": 1e9})
	for i := range constant {
		if math.Abs(constant[i]-rarely[i]) > 1e-9*constant[i] {
			t.Fatalf("job %d takes %v, %v where speeds hardly ever change", i, constant[i], rarely[i])
		}
	}
}
