package reports_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/reports"
	"schedgap/reports/internal/fake"
)

func TestScratch(t *testing.T) {
	dir := os.Getenv("REPORT_DIR")
	if dir == "" {
		t.Skip()
	}
	n, _ := strconv.Atoi(os.Getenv("REPORT_N"))
	records, instances := fake.Experiment(n, rand.New(rand.NewPCG(1, 2)))
	start := time.Now()
	_, err := reports.Write(context.Background(), reports.Input{
		Records: records, Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find,
		GeneratedAt: time.Now(), Version: "v0.1", InstanceLinks: "../instances",
	}, dir)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Log(len(records), "rows", time.Since(start), "sys MiB", m.Sys>>20, err)
}
