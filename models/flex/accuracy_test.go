package flex_test

import (
	"fmt"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
)

// TestAccuracy: a heavy job adds to what rounding may change only if it is late, and to a maximum only if it may be the worst; the
// least amount is the lightest job's.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		metric flex.Metric
		of     flex.Aggregate
		end    string // of the second interval, in which the heavy job runs
		terms  float64
	}{
		{flex.Tardiness, flex.Sum, "3", 1 + 0.5},
		{flex.Tardiness, flex.Sum, "3.5", 1 + 0.5 + 1024*(3.5+3)},
		{flex.Lateness, flex.Sum, "3", 1 + 0.5},
		{flex.Lateness, flex.Sum, "3.5", 1 + 0.5 + 1024*(3.5+3)},
		{flex.Lateness, flex.Max, "3.5", 1024 * (3.5 + 3)},
		{flex.Lateness, flex.Max, "3", 1 + 0.5},
		{flex.Response, flex.Sum, "3", 1 + 1024*3},
		{flex.Tardy, flex.Sum, "3.5", 1 + 1024},
	} {
		in, err := flex.Problem.ParseInstance("in", fmt.Appendf(nil, `{"problem":"flex","version":1,"name":"in","slots":2,
			"objective":{"metric":%q,"aggregate":%q,"weighted":true},"jobs":[
			{"id":"light","work":2,"min":0,"weight":1,"deadline":0.5},
			{"id":"heavy","work":4,"min":0,"weight":1024,"deadline":3}]}`, c.metric, c.of))
		fail.On(t, err)
		start := "1"
		if c.end == "3.5" {
			start = "1.5"
		}
		s, err := flex.Problem.ParseSolution("s", fmt.Appendf(nil, `{"problem":"flex","instance":"in","algorithm":"a","intervals":[
			{"start":0,"end":1,"slots":{"light":2}},{"start":1,"end":%s,"slots":{}},{"start":%s,"end":%s,"slots":{"heavy":2}}]}`,
			start, start, c.end), in)
		fail.On(t, err)
		rep := flex.Problem.Check(in, s.Solution)
		a := flex.Problem.Accuracy(in, rep.Rounding)
		least := 1.0
		if c.metric == flex.Response || c.metric.Steps() {
			least = 0
		}
		if len(rep.Violations) > 0 || a != (models.Accuracy{Least: least, Rounding: models.Unit * c.terms}) {
			t.Errorf("%s %s, %s: %+v, %v", c.of, c.metric, c.end, a, rep.Violations)
		}
	}
}
