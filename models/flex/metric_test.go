package flex_test

import (
	"math"
	"strings"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

const ownMetrics = `{"problem":"flex","version":1,"name":"own","slots":2,"objective":{"metric":"response","aggregate":"AGGREGATE","weighted":true},
"jobs":[{"id":"a","work":4,"max":2,"weight":3},{"id":"b","work":4,"weight":2,"metric":"METRIC","deadline":3,"steps":[{"at":1,"penalty":5}]}]}`

// a ends at 2 and pays 3·2; b ends at 4, late or in time.
func TestOwnMetric(t *testing.T) {
	for due, values := range map[string]map[string]float64{
		"3": {"response": 8, "stretch": 1, "tardy": 2, "tardiness": 2, "lateness": 2, "sla": 10},
		"5": {"response": 8, "stretch": 1, "tardy": 0, "tardiness": 0, "lateness": -2, "sla": 10},
	} {
		for metric, want := range values {
			text := strings.NewReplacer("METRIC", metric, "AGGREGATE", "sum", `"deadline":3`, `"deadline":`+due).Replace(ownMetrics)
			in, err := flex.Problem.ParseInstance("own.json", []byte(text))
			fail.On(t, err)
			s := flex.NewPacker(in).Pack([]int{0, 1})
			if v := flex.Problem.Check(in, s).Objective; v == nil || math.Abs(*v-6-want) > 1e-12 {
				t.Errorf("%s: %v, want %v", metric, v, 6+want)
			}
			u, offset, ok := in.Uniform()
			if jumps := metric == "tardy" || metric == "sla"; ok == jumps {
				t.Errorf("%s is uniform: %v", metric, ok)
			} else if ok {
				if v := flex.Problem.Check(u, s).Objective; v == nil || math.Abs(*v+offset-6-want) > 1e-12 {
					t.Errorf("%s: made uniform it is worth %v and %v", metric, v, offset)
				}
				if again, _, _ := u.Uniform(); again != u {
					t.Errorf("%s: made uniform it is made so again", metric)
				}
			}
		}
	}
	for _, c := range []struct{ metric, aggregate, want string }{
		{"speed", "sum", `jobs[1].metric: "speed" must be one of response, stretch, tardy, tardiness, lateness, sla`},
		{"sla", "max", "jobs[1].metric: sla is not defined for the aggregate max"},
	} {
		text := strings.NewReplacer("METRIC", c.metric, "AGGREGATE", c.aggregate).Replace(ownMetrics)
		if _, err := flex.Problem.ParseInstance("own.json", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v", err)
		}
	}
	without := strings.NewReplacer("METRIC", "tardy", "AGGREGATE", "sum", `"deadline":3,`, "").Replace(ownMetrics)
	if _, err := flex.Problem.ParseInstance("own.json", []byte(without)); err == nil ||
		!strings.Contains(err.Error(), "jobs[1].deadline") {
		t.Errorf("%v", err)
	}
}
