package cloning_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models/cloning/sim"
)

// BenchmarkPeers serves tasks in the order of their arrival on equal servers, one a server, here and on SimGrid, whose program
// scripts/peers/run compiles. Times are whole seconds and slots have one, so that both have the same completions, which is
// asserted.
func BenchmarkPeers(b *testing.B) {
	program := os.Getenv("SCHEDGAP_SIMGRID")
	if program == "" {
		b.Skip("SCHEDGAP_SIMGRID names no program; make bench-peers compiles it")
	}
	for _, size := range []struct{ servers, tasks int }{{100, 10_000}, {1000, 100_000}, {10_000, 100_000}} {
		w, lines := inTurn(size.servers, size.tasks)
		b.Run(fmt.Sprintf("servers=%d/tasks=%d", size.servers, size.tasks), func(b *testing.B) {
			for b.Loop() {
				ours, here := completions(b, w)
				theirs, there := onSimGrid(b, program, size.servers, lines)
				if len(ours) != len(theirs) {
					b.Fatalf("%d completions here, %d on SimGrid", len(ours), len(theirs))
				}
				for i := range ours {
					if ours[i] != theirs[i] {
						b.Fatalf("task %d ends at %v here, at %v on SimGrid", i, ours[i], theirs[i])
					}
				}
				b.ReportMetric(float64(size.tasks)/here, "tasks/cpu-s")
				b.ReportMetric(float64(size.tasks)/there, "simgrid-tasks/cpu-s")
				b.ReportMetric(there/here, "times-simgrid")
			}
		})
	}
}

// inTurn makes jobs of one task that need a whole server each, at 95 % load, and the same as SimGrid's program reads them.
func inTurn(servers, tasks int) (*sim.Workload, []byte) {
	rng := rand.New(rand.NewPCG(15, 30))
	w := sim.NewWorkload([]sim.Servers{{Count: servers, CPU: 1, Mem: 1}})
	var lines bytes.Buffer
	at := 0.0
	for i := range tasks {
		at += rng.ExpFloat64() * 50 / (0.95 * float64(servers))
		arrival, mean := float64(int(at)), float64(1+rng.IntN(99))
		w.Jobs = append(w.Jobs, sim.Job{
			ID: strconv.Itoa(i), Arrival: arrival, Weight: 1, Phases: []sim.Phase{{Tasks: 1, CPU: 1, Mem: 1, Mean: mean}},
		})
		fmt.Fprintln(&lines, arrival, mean)
	}
	return w, lines.Bytes()
}

// completions returns also the seconds from the engine's first slot to its last, as SimGrid's program does for its own.
func completions(b *testing.B, w *sim.Workload) (ends []float64, seconds float64) {
	b.Helper()
	fifo, began := heuristics.FIFO, 0.0
	fifo.New = func(s *sim.State, v models.Values, rng *rand.Rand) sim.Rules {
		rules := heuristics.FIFO.New(s, v, rng)
		began = cpuSeconds(b)
		return rules
	}
	s := sim.New([]sim.Policy{fifo}, sim.Source{})
	v, err := models.Resolve(s.Params, map[string]any{"slot": 1, "max_copies": 1})
	fail.On(b, err)
	ends = make([]float64, 0, len(w.Jobs))
	r := models.SimRequest{Workload: w, Policy: fifo.Name, Params: v, Seed: 1}
	err = s.Run(context.Background(), r, func(m models.Metric) {
		if m.Scope == "job" && m.Name == "flowtime" {
			if len(ends) == 0 {
				seconds = cpuSeconds(b) - began
			}
			ends = append(ends, w.Jobs[len(ends)].Arrival+m.Value)
		}
	})
	fail.On(b, err)
	return ends, seconds
}

func onSimGrid(b *testing.B, program string, servers int, lines []byte) (ends []float64, seconds float64) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), program, strconv.Itoa(servers))
	var told bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(lines), &told
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("SimGrid's program: %v\n%s", err, &told)
	}
	for _, field := range strings.Fields(string(out)) {
		v, err := strconv.ParseFloat(field, 64)
		fail.On(b, err)
		ends = append(ends, v)
	}
	seconds, err = strconv.ParseFloat(strings.TrimSpace(told.String()), 64)
	if err != nil {
		b.Fatalf("SimGrid's program says %q: %v", &told, err)
	}
	return ends, seconds
}
