package reports_test

import (
	"context"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/reports"
)

func TestZZ(t *testing.T) {
	in := experiment(100)
	in.GeneratedAt = time.Now()
	for i := range 20 {
		in.Sim = append(in.Sim, bench.SimRecord{Problem: "flex", Workload: "poisson", Policy: []string{"flex", "fair"}[i%2], Params: "{}", Scope: "run", Metric: "mean_response", Unit: "s", Value: float64(10 + i%7 + 3*(i%2))})
	}
	if _, err := reports.Write(context.Background(), in, "/tmp/report-example"); err != nil {
		t.Fatal(err)
	}
}
