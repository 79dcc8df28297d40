package flex_test

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/models/flex"
)

func TestValueGrid(t *testing.T) {
	for _, c := range []struct {
		objective, jobs string
		slots           int
		want            float64
	}{
		{`"metric":"tardy","aggregate":"sum","weighted":false`, `"work":1.5,"deadline":2`, 4, 1},
		{`"metric":"tardy","aggregate":"sum","weighted":true`, `"work":1.5,"deadline":2,"weight":6|"work":2,"deadline":2,"weight":4`, 4, 2},
		{`"metric":"tardy","aggregate":"sum","weighted":true`, `"work":1.5,"deadline":2,"weight":0.5|"work":2,"deadline":2,"weight":4`, 4, 0},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4,"deadline":6,"weight":3|"work":8,"deadline":2,"weight":9`, 1, 6},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4.5,"deadline":6,"weight":3`, 1, 0},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4,"deadline":6,"weight":3`, 2, 0},
		{`"metric":"response","aggregate":"sum","weighted":false`, `"work":4|"work":6`, 1, 2},
	} {
		var jobs []string
		for i, j := range strings.Split(c.jobs, "|") {
			jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","max":1,%s}`, i, j))
		}
		in, err := flex.Problem.ParseInstance("i", fmt.Appendf(nil, `{"problem":"flex","version":1,"name":"i","slots":%d,"objective":{%s},"jobs":[%s]}`,
			c.slots, c.objective, strings.Join(jobs, ",")))
		if err != nil {
			t.Fatal(err)
		}
		if got := flex.ValueGrid(in); got != c.want && (c.want != 0 || got > 0) {
			t.Errorf("%s, %s: %v, want %v", c.objective, c.jobs, got, c.want)
		}
	}
}
