package flex_test

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/flex"
	mflex "schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

// kit makes instances and workloads, and makes sure of what all problems' datasets promise.
var kit = datasettest.Kit[*mflex.Instance, mflex.Schedule, sim.Workload]{
	Problem: mflex.Problem, Generator: flex.Generator, Deriver: flex.Deriver, Simulator: simulator,
}

var generateInstance, encodeInstance, makeWorkload = kit.Generate, kit.Encode, kit.Workload

// drawObjective draws an objective that is defined.
func drawObjective(t *rapid.T) map[string]any {
	given := map[string]any{
		"metric":   string(rapid.SampledFrom(mflex.Metrics).Draw(t, "metric")),
		"weighted": rapid.Bool().Draw(t, "weighted"),
	}
	if m := given["metric"]; m != "tardy" && m != "sla" && rapid.Bool().Draw(t, "max") {
		given["aggregate"] = "max"
	}
	return given
}

// Whatever the options, the file is valid, the work adds up to the total, the maxima are the demands and the minima add up to
// what the slack leaves, up to the floor and the maxima.
func TestGenerateMarginals(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := drawObjective(t)
		jobs := rapid.IntRange(1, 40).Draw(t, "jobs")
		slots := rapid.IntRange(jobs, 400).Draw(t, "slots")
		slack := rapid.Float64Range(0, 1).Draw(t, "slack")
		total := math.Pow(10, rapid.Float64Range(-5, 8).Draw(t, "log total"))
		taskWork := total / rapid.Float64Range(0.5, 1e4).Draw(t, "tasks")
		floor := rapid.IntRange(0, 1).Draw(t, "floor")
		for name, value := range map[string]any{
			"jobs": jobs, "slots": slots, "slack": slack, "total": total, "task_work": max(1e-6, taskWork), "min_floor": floor,
			"small": rapid.Float64Range(0, 1).Draw(t, "small"), "ratio": rapid.Float64Range(1, 100).Draw(t, "ratio"),
			"cv":          rapid.Float64Range(0, 3).Draw(t, "cv"),
			"deadline_to": rapid.Float64Range(0, 3).Draw(t, "deadline_to"),
			"step_to":     rapid.Float64Range(0, 1e-3).Draw(t, "step_to"),
		} {
			given[name] = value
		}
		taskWork = given["task_work"].(float64)
		in := generateInstance(t, given, rapid.Uint64().Draw(t, "seed"))

		work, minima, maxima := 0.0, 0, 0
		for _, job := range in.Jobs {
			work, minima, maxima = work+job.Work, minima+job.Min, maxima+job.Max
			tasks := job.Work / taskWork
			if want := min(tasks, float64(slots)); float64(job.Max) < want*(1-1e-9) || float64(job.Max) >= want+1 {
				t.Errorf("%s has maximum %d for %v tasks on %d slots", job.ID, job.Max, tasks, slots)
			}
			if job.Min < floor {
				t.Errorf("%s has minimum %d", job.ID, job.Min)
			}
			if job.Weight <= 0 || job.Weight > 1 {
				t.Errorf("%s has weight %v, want one in (0, 1]", job.ID, job.Weight)
			}
		}
		// The total itself is rounded to five digits of the mean.
		if d := math.Abs(work - total); d > 1e-4*total/float64(jobs) {
			t.Errorf("the work adds up to %v, want %v", work, total)
		}
		if d := float64(minima) - max(float64(floor*jobs), min((1-slack)*float64(slots), float64(maxima))); math.Abs(d) > 0.5+1e-9 {
			t.Errorf("the minima add up to %d, off by %v", minima, d)
		}
	})
}

// Without spread there are two sizes: total 22 over two small and two large jobs of ratio 10 makes 1, 1, 10, 10. Their demands
// are 1 and 10 tasks, cut at the 8 slots.
func TestGenerateTwoSizes(t *testing.T) {
	places := map[string]int{}
	for seed := range uint64(60) {
		in := generateInstance(t, map[string]any{"jobs": 4, "slots": 8, "small": 0.5, "cv": 0, "total": 22}, seed)
		sizes := ""
		for _, job := range in.Jobs {
			switch {
			case job.Work == 1 && job.Max == 1:
				sizes += "s"
			case job.Work == 10 && job.Max == 8:
				sizes += "l"
			default:
				t.Fatalf("seed %d: work %v, maximum %d", seed, job.Work, job.Max)
			}
		}
		places[sizes]++
	}
	// Each of the C(4,2) = 6 arrangements has probability 1/6.
	if len(places) != 6 {
		t.Errorf("arrangements %v, want all 6 ways to place two small jobs", places)
	}
}

// The share of small jobs is exact, its ends included: both ends are one size only.
func TestGenerateSmallShare(t *testing.T) {
	for small, want := range map[float64]int{0: 0, 0.1: 1, 0.24: 2, 0.25: 3, 0.8: 8, 0.96: 10, 1: 10} {
		in := generateInstance(t, map[string]any{"small": small, "cv": 0}, 1)
		least := in.Jobs[0].Work
		for _, job := range in.Jobs {
			least = min(least, job.Work)
		}
		got := 0
		for _, job := range in.Jobs {
			if job.Work < least*2 {
				got++
			}
		}
		if want == 0 {
			want = 10 // large jobs only
		}
		if got != want {
			t.Errorf("small %v: %d jobs of the smaller size, want %d", small, got, want)
		}
	}
}

// The realised slack is the parameter's; only the floor of one slot a job stands against its upper end.
func TestGenerateSlack(t *testing.T) {
	for _, c := range []struct {
		slack float64
		floor int
		want  float64
	}{{0, 1, 0}, {0.25, 1, 0.25}, {0.75, 1, 0.75}, {0.9, 1, 0.9}, {1, 1, 0.9}, {1, 0, 1}, {0.95, 0, 0.95}} {
		for seed := range uint64(20) {
			in := generateInstance(t, map[string]any{"slack": c.slack, "min_floor": c.floor}, seed)
			if got := 1 - float64(in.TotalMin())/float64(in.Slots); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("slack %v with floor %d, seed %d: realised %v, want %v", c.slack, c.floor, seed, got, c.want)
			}
		}
	}
}

// At the defaults the small jobs' maxima are below the slots and the large ones' are not, as the doc comment says; and works
// have the spread of a normal distribution with a third of its mean as standard deviation.
func TestGenerateShape(t *testing.T) {
	below, jobs := 0.0, 0.0
	for seed := range uint64(300) {
		for _, job := range generateInstance(t, nil, seed).Jobs {
			jobs++
			if job.Max < 100 {
				below++
			}
		}
	}
	if share := below / jobs; math.Abs(share-0.80) > 0.01 {
		t.Errorf("%v of the maxima are below the slots, want 0.80", share)
	}
	// Cut at 0, three standard deviations below its mean, the distribution keeps 0.990 of its relative spread: 0.330.
	sum, squares := 0.0, 0.0
	in := generateInstance(t, map[string]any{"jobs": 10000, "slots": 10000, "small": 0, "total": 10000.0}, 1)
	for _, job := range in.Jobs {
		sum, squares = sum+job.Work, squares+job.Work*job.Work
	}
	mean := sum / 1e4
	if cv := math.Sqrt(squares/1e4-mean*mean) / mean; math.Abs(cv-0.330) > 0.01 {
		t.Errorf("coefficient of variation %v, want 0.330", cv)
	}
}

// Other seeds give other instances; an option changes nothing but what it governs.
func TestGenerateDeterminism(t *testing.T) {
	base := encodeInstance(t, generateInstance(t, nil, 7))
	if bytes.Equal(base, encodeInstance(t, generateInstance(t, nil, 8))) {
		t.Error("seeds 7 and 8 give the same instance")
	}
	want := generateInstance(t, nil, 7)
	for _, given := range []map[string]any{
		{"metric": "sla", "step_to": 0.5}, {"metric": "tardiness", "aggregate": "max", "weighted": true}, {"slack": 0.1, "min_floor": 0},
	} {
		got := generateInstance(t, given, 7)
		for j := range got.Jobs {
			g, w := got.Jobs[j], want.Jobs[j]
			if g.Work != w.Work || g.Max != w.Max || g.Weight != w.Weight || given["slack"] == nil && g.Min != w.Min {
				t.Errorf("%v changed job %+v to %+v", given, w, g)
			}
		}
	}
}

// Options that contradict each other are refused with their names and values.
func TestGenerateRefuses(t *testing.T) {
	kit.RefuseInstances(t, datasettest.Refusals{
		"parameter jobs: 101 jobs with a minimum of at least 1 need more than the 100 slots": {"jobs": 101},
		"parameter aggregate: max is not defined for the metric sla":                         {"metric": "sla", "aggregate": "max"},
	})
}

// Minima as drawn stay within the slots, the floor and the maxima; their sum varies around what the slack leaves, where scaled
// ones add up to just that.
func TestDrawnMinima(t *testing.T) {
	sum, varied := 0, false
	for seed := range uint64(100) {
		taken := 0
		for _, job := range generateInstance(t, map[string]any{"minima": "drawn", "slack": 0.5}, seed).Jobs {
			if job.Min < 1 || job.Min > job.Max {
				t.Fatalf("seed %d: minimum %d, maximum %d", seed, job.Min, job.Max)
			}
			taken += job.Min
		}
		if taken > 100 {
			t.Fatalf("seed %d: the minima take %d of 100 slots", seed, taken)
		}
		sum += taken
		varied = varied || taken != 50
	}
	if sum < 4800 || sum > 5200 || !varied {
		t.Errorf("the minima take %v of 100 slots in the mean, varied: %v", float64(sum)/100, varied)
	}
}
