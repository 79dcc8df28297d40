package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/store"
)

// improving runs a suite in which a command prints the schedules a c b, c b a and b c a of one-slot.json, worth 14, 11 and the
// optimum 10, with breaks of 0.3 s, and then hangs until the limit of three seconds.
func improving(t *testing.T) (results string) {
	t.Helper()
	dir := t.TempDir()
	var script []string
	for _, order := range [][3]string{{"a", "c", "b"}, {"c", "b", "a"}, {"b", "c", "a"}} {
		work, at := map[string]int{"a": 3, "b": 1, "c": 2}, 0
		var intervals []string
		for _, job := range order {
			intervals = append(intervals, fmt.Sprintf(`{"start":%d,"end":%d,"slots":{"%s":1}}`, at, at+work[job], job))
			at += work[job]
		}
		script = append(script, fmt.Sprintf(`echo '{"problem":"flex","instance":"one-slot","algorithm":"mine","intervals":[%s]}'`,
			strings.Join(intervals, ",")))
	}
	path, err := filepath.Abs(shared + "one-slot.json")
	if err != nil {
		t.Fatal(err)
	}
	command, err := json.Marshal([]string{"sh", "-c", strings.Join(script, "; sleep 0.3; ") + "; sleep 1000"})
	if err != nil {
		t.Fatal(err)
	}
	suite := write(t, dir, "s.yaml", fmt.Sprintf(`
name: s
problem: flex
instances: [{files: %q}]
algorithms: [opt, {name: mine, command: %s}]
limits: {time: 3s}
`, path, command))
	results = filepath.Join(dir, "results")
	succeed(t, "run", suite, "-o", results)
	return results
}

// Three incumbents of a command are stored with their times, the last counts, and the row is a timeout with its value.
func TestIncumbentsOfACommand(t *testing.T) {
	t.Parallel()
	dir := store.Open(improving(t))
	rows, bad, err := dir.Records(t.Context())
	if err != nil || len(bad) > 0 || len(rows) != 2 {
		t.Fatal(rows, bad, err)
	}
	row := rows[0]
	if row.Algorithm != "mine" || row.Status != string(bench.Timeout) || row.Objective == nil || *row.Objective != 10 ||
		*row.WallSeconds < 3 {
		t.Errorf("%+v", row)
	}
	var values, times []float64
	if _, err := dir.EachProgress(t.Context(), func(events []bench.ProgressRecord) {
		for _, e := range events {
			if e.UnitID == row.UnitID && e.RunID == row.RunID {
				values, times = append(values, *e.Objective), append(times, e.WallSeconds)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(values) != "[14 11 10]" || !slices.IsSorted(times) || times[2] > 3 {
		t.Fatalf("%v at %v", values, times)
	}

	// Gaps of 1, 4/14, 1/11 and 0; with a limit between the second and the third value its ratio to the optimum is 11/10.
	integral := times[0] + (times[1]-times[0])*4/14 + (times[2]-times[1])/11
	succeed(t, "report", dir.Path())
	if mine := summaryOf(t, filepath.Join(dir.Path(), "report"), "mine"); len(mine.OverTime) != 1 ||
		math.Abs(mine.OverTime[0].Integral-integral) > 1e-9 ||
		mine.Ratios[0].Worst.Hi != 1 {
		t.Errorf("%+v, want the integral %v", mine, integral)
	}
	if _, err := os.Stat(filepath.Join(dir.Path(), "report", "plots", "flex-opt-over-time.svg")); err != nil {
		t.Error(err)
	}
	limit := time.Duration((times[1] + times[2]) / 2 * float64(time.Second))
	page := strings.TrimSpace(succeed(t, "report", dir.Path(), "--at-limit", limit.String()))
	if mine := summaryOf(t, filepath.Dir(page), "mine"); len(mine.Ratios) == 0 || mine.Ratios[0].Worst.Hi != 1.1 ||
		!strings.Contains(mine.WhatIf, limit.String()) {
		t.Errorf("with a limit of %v: %+v", limit, mine)
	}
	if e := schedgap(t, "report", dir.Path(), "--at-limit", "-1s"); e.code != exitUsage ||
		!strings.Contains(e.stderr, "greater than 0") {
		t.Errorf("%+v", e)
	}
}

// An anytimeSummary is what a report's summary.json says of one algorithm.
type anytimeSummary struct {
	WhatIf   string       `json:"what_if"`
	OverTime []anytimeRow `json:"over_time"`
	Ratios   []anytimeRow
}

type anytimeRow struct {
	Algorithm string
	Integral  float64 `json:"primal_integral_hi"`
	Worst     struct{ Hi float64 }
}

func summaryOf(t *testing.T, report, algorithm string) anytimeSummary {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(report, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		WhatIf   string `json:"what_if"`
		Problems []anytimeSummary
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	of := s.Problems[0]
	others := func(r anytimeRow) bool { return r.Algorithm != algorithm }
	return anytimeSummary{s.WhatIf, slices.DeleteFunc(of.OverTime, others), slices.DeleteFunc(of.Ratios, others)}
}
