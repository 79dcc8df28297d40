package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"schedgap/models/trials"
)

// TestSecondVerifier has scripts/checkproof.py, which shares nothing with exact/verify, accept ten fresh proofs of each problem
// and refuse each of them for a bound that claims a millionth more, for another reference and for another instance.
func TestSecondVerifier(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3, so proofs are checked by one program only")
	}
	for _, c := range []struct {
		problem, algorithm string
		params             []string
		n                  int
	}{
		{"flex", "opt", []string{"jobs=6", "metric=tardiness", "weighted=true"}, 4},
		{"flex", "opt", []string{"jobs=6", "metric=sla"}, 3},
		{"flex", "opt", []string{"jobs=6", "aggregate=max"}, 2},
		{"flex", "lb-price", []string{"jobs=6"}, 1},
		{"pocd", "opt", []string{"jobs=6"}, 4},
		{"pocd", "opt-all", []string{"jobs=6", "alpha=1"}, 3},
		{"pocd", "opt", []string{"jobs=6", "alpha=inf"}, 3},
		{"cloning", "opt", []string{"jobs=3"}, 5},
		{"cloning", "opt-nonpreemptive", []string{"jobs=3"}, 5},
		{"redundancy", "opt", []string{"jobs=4"}, 5},
		{"redundancy", "opt", []string{"jobs=5", "multitasking=true"}, 4},
		{"redundancy", "lb-price", []string{"jobs=4"}, 1},
		{"speculation", "opt", nil, 10},
	} {
		t.Run(c.problem, func(t *testing.T) {
			t.Parallel()
			n, dir := trials.Count(c.n), t.TempDir()
			args := []string{"generate", c.problem, "-n", fmt.Sprint(n), "--seed", "23", "-o", dir}
			for _, param := range c.params {
				args = append(args, "-p", param)
			}
			succeed(t, args...)
			for i := range n {
				instance := filepath.Join(dir, fmt.Sprintf("%s-%03d.json", c.problem, i))
				proof := filepath.Join(dir, fmt.Sprintf("%d.gz", i))
				solve(t, 0, instance, "-a", c.algorithm, "--proof", proof)
				second := func(want int, of string, name string) {
					t.Helper()
					var output bytes.Buffer
					command := exec.Command(python, filepath.Join("..", "..", "scripts", "checkproof.py"), of, name)
					command.Stdout, command.Stderr = &output, &output
					if _ = command.Run(); command.ProcessState.ExitCode() != want {
						t.Errorf("%s %s: exit %d, want %d: %s", of, name, command.ProcessState.ExitCode(), want, output.String())
					}
				}
				second(0, instance, proof)
				if i > 0 {
					continue
				}
				second(1, instance, forged(t, proof, func(header map[string]any) { header["reference"] = "another" }))
				second(1, instance, forged(t, proof, func(header map[string]any) {
					bound := header["bound"].(float64)
					better := 1e-6 * math.Abs(bound)
					if c.problem == "pocd" || c.problem == "speculation" {
						better = -better
					}
					if c.problem == "cloning" {
						better = 1
					}
					header["bound"] = bound + better
					header["value"] = nil
				}))
				second(1, shared+"one-slot.json", proof)
			}
		})
	}
}

// forged writes a proof again with another header.
func forged(t *testing.T, name string, edit func(map[string]any)) string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	var header map[string]any
	if err := json.Unmarshal(first, &header); err != nil {
		t.Fatal(err)
	}
	edit(header)
	if first, err = json.Marshal(header); err != nil {
		t.Fatal(err)
	}
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	if _, err := fmt.Fprintf(writer, "%s\n%s", first, rest); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, t.TempDir(), "forged.gz", compressed.String())
}
