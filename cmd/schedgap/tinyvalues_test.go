package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"
)

// TestTinyValues: an instance in other units has the same optimum in these units. A value below 1e-9 is not taken for another one.
func TestTinyValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, metric := range []string{"tardiness", "tardy", "response", "lateness"} {
		succeed(t, "generate", "flex", "-n", "4", "--seed", "17", "-p", "jobs=7", "-p", "slots=8", "-p", "weighted=true", "-p", "metric="+metric, "-o", dir)
		for _, file := range []string{"flex-000.json", "flex-001.json", "flex-002.json", "flex-003.json"} {
			var in map[string]any
			if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, file))), &in); err != nil {
				t.Fatal(err)
			}
			unit := math.Ldexp(1, -40)
			for _, j := range in["jobs"].([]any) {
				job := j.(map[string]any)
				job["weight"] = job["weight"].(float64) * unit
			}
			text, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "tiny.json", string(text))
			optimum := func(file string) float64 {
				var r struct {
					Status    string
					Objective float64
				}
				if err := json.Unmarshal([]byte(succeed(t, "solve", filepath.Join(dir, file), "-a", "opt")), &r); err != nil || r.Status != "optimal" {
					t.Fatalf("%s %s: %v, %+v", metric, file, err, r)
				}
				return r.Objective
			}
			if whole, tiny := optimum(file), optimum("tiny.json")/unit; math.Abs(whole-tiny) > 1e-9*math.Abs(whole) {
				t.Errorf("%s %s: %v, in small units %v", metric, file, whole, tiny)
			}
		}
	}
}
