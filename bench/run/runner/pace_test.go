package runner

import (
	"math"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// TestPaces: four quick units ended in 4 s, and of the slow ones, which come last, one of 10 jobs in 10 s; 30 jobs of the slow are
// left, which take 30 s and not a third of 14 s.
func TestPaces(t *testing.T) {
	var todo []planned
	var rows []bench.Record
	for i, algorithm := range []string{"quick", "quick", "quick", "quick", "slow", "slow", "slow"} {
		jobs := []int{10, 10, 10, 10, 10, 10, 20}[i]
		u := &bench.Unit{Instance: &bench.Instance{Size: models.Size{Jobs: jobs}}, Request: bench.Request{Algorithm: algorithm}}
		todo = append(todo, planned{Unit: u})
		rows = append(rows, bench.Record{
			Algorithm: algorithm, NJobs: new(int64(jobs)), WallSeconds: new(map[string]float64{"quick": 1, "slow": 10}[algorithm]),
		})
	}
	p := newPaces(todo)
	for i := range 5 {
		p.ended(&rows[i])
	}
	work, rest := p.expect()
	if math.Abs(work-14) > 1e-9 || math.Abs(rest-30) > 1e-9 {
		t.Errorf("%g s done, %g s left", work, rest)
	}
	now := time.Now()
	progress := Progress{Total: 7, Done: 5, Started: now.Add(-7 * time.Second), Work: work, Rest: rest}
	if left := progress.Left(now); left.Round(time.Millisecond) != 15*time.Second { // two workers
		t.Errorf("%v left", left)
	}
}
