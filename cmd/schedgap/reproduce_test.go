package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench/store"
	"schedgap/exact/linked/linkedtest"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// TestReproduce types, in a shell in the results folder, the commands that reports print: they run exactly the unit, or of an
// external command its units on the instance, whatever the names, and come to the same values.
func TestReproduce(t *testing.T) {
	linkedtest.Need(t, "highs")
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asProgram, os.Args[0])
	if err := os.WriteFile(filepath.Join(bin, "schedgap"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`
name: cloning
problem: cloning
instances: [{generate: {n: 1, seed: 3, params: {jobs: 3}}}]
algorithms: [opt-nonpreemptive, lb-price, random, {name: random, params: {capacity_factor: 2}}, {name: dollymp2, params: {r: 2}}]
solvers: [search, highs]
seeds: [1, 2]
limits: {time: 20s, memory: 4GiB}
`, `
name: redundancy
problem: redundancy
instances: [{generate: {n: 1, seed: 2, params: {jobs: 2}}}]
algorithms: [opt, "laps+r:0.5"]
limits: {time: 20s}
`, `
name: names
problem: flex
instances: [{files: "*.json"}]
algorithms: [flex, {name: "m,n", command: ["false"]}, {name: mxn, command: ["false"]}, {name: "v[2]", command: ["false"]}, {name: v2, command: ["false"]}]
`,
	} {
		dir := t.TempDir()
		write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
		write(t, dir, "two.json", strings.Replace(flexFile(`"slots":4`, `{"id":"a","work":8}`), `"name":"x"`, `"name":"it's [x],*"`, 1))
		results := filepath.Join(dir, "results")
		succeed(t, "run", write(t, dir, "suite.yaml", text), "-o", results)
		records, _, err := ratio.Read(t.Context(), store.Open(results))
		if err != nil || len(records) == 0 {
			t.Fatal(len(records), err)
		}
		for i := range records {
			r := &records[i]
			command := summary.Command(r)
			var stdout, stderr bytes.Buffer
			cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, "-o again", fmt.Sprint("-o again", i)))
			cmd.Dir, cmd.Env = results, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			failed := cmd.Run()
			if strings.HasPrefix(command, "schedgap run ") {
				var s ran
				if err := json.Unmarshal(stdout.Bytes(), &s); err != nil || s.Units != 1 {
					t.Errorf("%s: %s%s", command, &stdout, &stderr)
				}
				continue
			}
			var s solved
			if err := json.Unmarshal(stdout.Bytes(), &s); failed != nil || err != nil {
				t.Errorf("%s: %v: %s%s", command, failed, &stdout, &stderr)
				continue
			}
			got, want := []any{s.Status, s.Objective, s.Bound, s.Solver, s.Model}, []any{r.Status, r.Objective, r.Bound, r.Solver, r.Model}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s", command, d)
			}
		}
	}
}
