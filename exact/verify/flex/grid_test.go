package flex_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	flexoracle "schedgap/exact/flex/oracle"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

func TestFlexGrid(t *testing.T) {
	for _, c := range []struct {
		objective, jobs string
		slots           int
		want            *big.Rat
	}{
		{`"metric":"tardy","aggregate":"sum","weighted":false`, `"work":1.5,"deadline":2`, 4, big.NewRat(1, 1)},
		{
			`"metric":"tardy","aggregate":"sum","weighted":true`, `"work":1.5,"deadline":2,"weight":6|"work":2,"deadline":2,"weight":4`,
			4, big.NewRat(2, 1),
		},
		{
			`"metric":"tardy","aggregate":"sum","weighted":true`, `"work":1,"deadline":2,"weight":0.5|"work":2,"deadline":2,"weight":0.75`,
			4, big.NewRat(1, 4),
		},
		{`"metric":"tardy","aggregate":"max","weighted":false`, `"work":1.5,"deadline":2`, 4, nil},
		{
			`"metric":"sla","aggregate":"sum","weighted":false`, `"work":1,"steps":[{"at":2,"penalty":0},{"at":3,"penalty":4},{"at":4,"penalty":10}]`, 4,
			big.NewRat(2, 1),
		},
		{`"metric":"sla","aggregate":"sum","weighted":false`, `"work":1,"steps":[{"at":2,"penalty":0}]`, 4, nil},
		{
			`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4,"deadline":6,"weight":3|"work":8,"deadline":2,"weight":9`,
			1, big.NewRat(6, 1),
		},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4.5,"deadline":6,"weight":3`, 1, big.NewRat(9, 2)},
		{`"metric":"lateness","aggregate":"sum","weighted":true`, `"work":4,"deadline":6,"weight":3`, 1, big.NewRat(6, 1)},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4,"deadline":6,"weight":3`, 2, nil},
		{`"metric":"tardiness","aggregate":"sum","weighted":true`, `"work":4,"max":3,"deadline":6,"weight":3`, 3, big.NewRat(2, 1)},
		{`"metric":"response","aggregate":"sum","weighted":false`, `"work":4|"work":6`, 1, big.NewRat(2, 1)},
		{`"metric":"response","aggregate":"sum","weighted":false`, `"work":4,"min":1|"work":6`, 1, nil},
		{`"metric":"stretch","aggregate":"sum","weighted":false`, `"work":4|"work":6`, 1, nil},
	} {
		var jobs []string
		for i, j := range strings.Split(c.jobs, "|") {
			if !strings.Contains(j, `"max"`) {
				j = `"max":1,` + j
			}
			jobs = append(jobs, fmt.Sprintf(`{"id":"j%d",%s}`, i, j))
		}
		const form = `{"problem":"flex","version":1,"name":"i","slots":%d,"objective":{%s},"jobs":[%s]}`
		in, err := flex.Problem.ParseInstance("i", fmt.Appendf(nil, form, c.slots, c.objective, strings.Join(jobs, ",")))
		if strings.Contains(c.objective, `"tardy","aggregate":"max"`) && err != nil {
			continue // refused by the format
		}
		fail.On(t, err)
		if got := verifyflex.Grid(in); (got == nil) != (c.want == nil) || got != nil && got.Cmp(c.want) != 0 {
			t.Errorf("%s, %s: %v, want %v", c.objective, c.jobs, got, c.want)
		}
	}
}

// The bounds by prices of instances with a grid are multiples of it, verified and never above the optimum.
func TestPricesOnGrid(t *testing.T) {
	rng := trials.Rand(t, 46, 2)
	tight, metrics := 0, []flex.Metric{flex.Tardy, flex.SLA, flex.Tardiness, flex.Response, flex.Lateness}
	for i := range trials.Count(120) {
		o := flex.Objective{Metric: metrics[i%5], Aggregate: flex.Sum, Weighted: i%2 == 0}
		in := flexoracle.RandomInstanceOf(rng, 2+i%3, o)
		for j := range in.Jobs {
			if job := &in.Jobs[j]; !o.Metric.Steps() {
				job.Min, job.Max = 0, in.Slots
			}
		}
		in.Name = fmt.Sprint("grid-", i)
		c, grid, optimum := ofFlex(t, in), verifyflex.Grid(in), flexoracle.Opt(in)
		bound := *c.Header.Bound
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.Show)
		}
		if tiny := 1e-12 * size(in); grid == nil || bound > optimum+tiny || bound < 0 && o.Metric != flex.Lateness {
			t.Fatalf("%v is proven on the grid %v, the optimum is %v\n%s", bound, grid, optimum, c.Show)
		}
		if (models.Accuracy{}).Same(bound, optimum) {
			tight++
		}
		step, _ := grid.Float64()
		if more := bound + step; more > optimum+step/2 {
			c.Header.Bound = &more
			if c.Check(verifytest.Read(t, c.File(t))) == nil {
				t.Fatalf("%v is verified, the optimum is %v\n%s", more, optimum, c.Show)
			}
		}
	}
	if tight < trials.Count(40) {
		t.Errorf("only %d bounds are the optimum", tight)
	}
}
