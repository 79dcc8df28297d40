package summary_test

import (
	"encoding/json"
	"math"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// TestWorstCases: instances that a search found are listed with the distance then and now, the furthest ratio first, differences
// last; others are not.
func TestWorstCases(t *testing.T) {
	p := fake.Problem()
	instances := fake.Instances{}
	found := func(name, lineage string, c models.Comparison) {
		instances.Add(name, c, nil)
		instances[fake.SHA(name)].Lineage = json.RawMessage(lineage)
	}
	found("a", `{"worst":{"algorithm":"fair","reference":"opt","ratio":1.5,"difference":5,"evaluations":7}}`, models.Quotient)
	found("b", `{"worst":{"algorithm":"spt","reference":"opt","ratio":3,"difference":2,"evaluations":8}}`, models.Quotient)
	found("c", `{"worst":{"algorithm":"fair","reference":"opt","ratio":null,"difference":4,"evaluations":9}}`, models.Difference)
	found("d", `{"generator":{"worst":1}}`, models.Quotient)
	records := []bench.Record{
		fake.Optimal(p, "a", "opt", 10), fake.Solved(p, "a", "fair", 15), fake.Solved(p, "a", "spt", 30),
		fake.Optimal(p, "b", "opt", 1),
		fake.Optimal(p, "c", "opt", -3), fake.Solved(p, "c", "fair", 1),
		fake.Solved(p, "d", "fair", 1),
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
	fail.On(t, err)
	list := summary.New(set, nil, 1).Problems[0].WorstCases
	if len(list) != 3 {
		t.Fatalf("%d cases", len(list))
	}
	for i, want := range []struct {
		instance string
		hi       float64
	}{{"b", math.NaN()}, {"a", 1.5}, {"c", 4}} {
		c := list[i]
		if c.Instance != want.instance || c.Jobs != 10 || !(float64(c.Hi) == want.hi || math.IsNaN(want.hi) && !c.Hi.Known()) {
			t.Errorf("case %d is %+v, want %+v", i, c, want)
		}
	}
}
