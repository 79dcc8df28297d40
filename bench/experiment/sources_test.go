package experiment_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/experiment"
)

// twoJobs is a trace: job 11 with tasks of 10 and 30 s, 20 s later job 13 with tasks of 8 and 4 s.
const twoJobs = `700000000,,11,0,,0,u,1,1,0.1,0.1,0,0
700000000,,11,1,,0,u,1,1,0.1,0.1,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,1,5,1,u,1,1,0.1,0.1,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.1,0,0
720000000,,13,0,,0,u,1,1,0.1,0.1,0,0
720000000,,13,1,,0,u,1,1,0.1,0.1,0,0
721000000,,13,0,5,1,u,1,1,0.1,0.1,0,0
721000000,,13,1,5,1,u,1,1,0.1,0.1,0,0
725000000,,13,1,5,4,u,1,1,0.1,0.1,0,0
729000000,,13,0,5,4,u,1,1,0.1,0.1,0,0
731000000,,11,1,5,4,u,1,1,0.1,0.1,0,0
`

const sourced = `name: toy-pocd
problem: pocd
kind: simulate
title: jobs from elsewhere
policies: [none]
metrics: [execution]
params: {launch: 0}
seeds: 5
repetitions: 1
workload: `

// jobsOf counts the jobs of each block.
func jobsOf(t *testing.T, workload string) ([]float64, error) {
	t.Helper()
	m, err := experiment.Measure(t.Context(), parse(t, "toy-pocd", sourced+workload+"\n"),
		map[string]string{"n": `len(job("execution", "none"))`}, experiment.Options{})
	if err != nil {
		return nil, err
	}
	return m.Values["n"][0], nil
}

// A trace that is not there is said to be missing, whatever the reason; one that is there gives its jobs, at most so many.
func TestTrace(t *testing.T) {
	const trace = `{trace: {format: google2011, dir: $SCHEDGAP_TRACES/toy}}`
	t.Setenv("SCHEDGAP_TRACES", "")
	if _, err := jobsOf(t, trace); !errors.Is(err, experiment.ErrNoTrace) ||
		err.Error() != "toy-pocd: its trace is not there: $SCHEDGAP_TRACES is not set" {
		t.Error(err)
	}
	dir := t.TempDir()
	t.Setenv("SCHEDGAP_TRACES", dir)
	if _, err := jobsOf(t, trace); !errors.Is(err, experiment.ErrNoTrace) {
		t.Error(err)
	}
	file := filepath.Join(dir, "toy", "task_events", "part-00000-of-00001.csv")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(twoJobs), 0o666); err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]float64{"": 2, ", jobs: 1": 1, ", window: [700s, 710s]": 1} {
		got, err := jobsOf(t, strings.Replace(trace, "/toy", "/toy"+more, 1))
		if err != nil || len(got) != 5 || got[0] != want {
			t.Errorf("%q: %v jobs, %v", more, got, err)
		}
	}
	_, err := experiment.Parse("f", []byte(sourced+strings.Replace(trace, "/toy", "/toy, window: [9s, 3s]", 1)),
		registryOf(t, "toy-pocd"), nil)
	if err == nil || err.Error() != "f: workload.trace.window: [9s 3s] must be two durations, the start and a later end" {
		t.Error(err)
	}
}

// A trace's job that is wider than the cluster of a setting is left out there, where it could never start, and nowhere else.
func TestWideJobs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SCHEDGAP_TRACES", dir)
	file := filepath.Join(dir, "task_events", "part-00000-of-00001.csv")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	var wide strings.Builder // a third task of job 13
	for _, line := range strings.SplitAfter(twoJobs, "\n") {
		if wide.WriteString(line); strings.Contains(line, ",13,1,") {
			wide.WriteString(strings.Replace(line, ",13,1,", ",13,2,", 1))
		}
	}
	if err := os.WriteFile(file, []byte(wide.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	text := sourced + "{trace: {format: google2011, dir: $SCHEDGAP_TRACES}}\ncases:\n  - {x: 1, params: {slaves: 3}}\n  - {x: 2, " +
		"params: {slaves: 4}}\n"
	m, err := experiment.Measure(t.Context(), parse(t, "toy-pocd", text), map[string]string{
		"narrow": `len(job("execution", "none", 1))`, "enough": `len(job("execution", "none", 2))`,
	}, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if narrow, enough := m.Values["narrow"][0][0], m.Values["enough"][0][0]; narrow != 1 || enough != 2 {
		t.Errorf("%v jobs on 3 nodes, %v on 4", narrow, enough)
	}
}

// Jobs may stand in the file itself; a mistake in them is said before anything is measured.
func TestInline(t *testing.T) {
	job := `{job: a, arrival: 0, deadline: 400, tasks: 3, t_min: 120, beta: 1.5}`
	if got, err := jobsOf(t, "{inline: ["+job+"]}"); err != nil || got[0] != 1 {
		t.Errorf("%v jobs, %v", got, err)
	}
	want := "toy-pocd.yaml: workload.inline:1: tasks: 0 must be between 1 and"
	if _, err := jobsOf(t, "{inline: ["+strings.Replace(job, "tasks: 3", "tasks: 0", 1)+"]}"); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}
