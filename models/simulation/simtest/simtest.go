// Package simtest has the tests that every simulator must pass. A simulator's own tests say how it does its work.
package simtest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Files are workload files of a simulator.
type Files struct {
	// Written is a file as the simulator writes it, and Terse are other ways to write the same.
	Written string
	Terse   []string
	// Faults are files by what reading them under the name w.jsonl must answer, or the beginning of it.
	Faults map[string]string
}

// Read has a simulator read workload files.
func Read(t *testing.T, s *models.Simulator, f Files) {
	t.Helper()
	var first any
	for _, text := range append([]string{f.Written}, f.Terse...) {
		w, err := s.ReadWorkload("w.jsonl", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = w
		}
		if d := cmp.Diff(first, w) + cmp.Diff(f.Written, written(t, s, w)); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
	if _, err := s.ReadWorkload("w.jsonl", strings.NewReader("")); err == nil || err.Error() != "w.jsonl: the workload has no jobs" {
		t.Error(err)
	}
	for want, text := range f.Faults {
		if _, err := s.ReadWorkload("w.jsonl", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.80s\n got %v\nwant %s", text, err, want)
		}
	}
}

// With is a line of a workload file with another value in a field.
func With(line, field, value string) string {
	i := strings.Index(line, `"`+field+`":`) + len(field) + 3
	return line[:i] + value + line[i+strings.IndexAny(line[i:], ",}"):]
}

// Fuzz makes sure that whatever can be read can be written and read again.
func Fuzz(f *testing.F, s *models.Simulator, seeds ...string) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := s.ReadWorkload("w.jsonl", strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := s.ReadWorkload("w.jsonl", strings.NewReader(written(t, s, w)))
		if d := cmp.Diff(w, again); err != nil || d != "" {
			t.Errorf("%v %s", err, d)
		}
	})
}

func written(t *testing.T, s *models.Simulator, w any) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Encode(&out, w); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Run runs every policy of a simulator on a workload. Each reports every job once under each of its metrics, the metric done of
// all jobs among them; runs beside each other at one seed agree in every bit; at least one policy's run depends on the seed; an
// ended context ends a run.
func Run(t *testing.T, s *models.Simulator, workload any, given map[string]any, done string) {
	t.Helper()
	params, err := models.Resolve(s.Params, given)
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, workload any, policy string, seed uint64) (got []models.Metric, err error) {
		r := models.SimRequest{Workload: workload, Policy: policy, Params: params, Seed: seed}
		err = s.Run(ctx, r, func(m models.Metric) { got = append(got, m) })
		return got, err
	}
	file := []byte(written(t, s, workload))
	jobs := bytes.Count(file, []byte(`{"job":`))
	luck := false
	for _, p := range s.Policies {
		var runs [3][]models.Metric
		var errs [3]error
		var wg sync.WaitGroup
		for i := range runs {
			wg.Go(func() { runs[i], errs[i] = run(t.Context(), workload, p.Name, 1+uint64(i/2)) })
		}
		wg.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if d := cmp.Diff(runs[0], runs[1]); d != "" {
			t.Errorf("%s: the same seed gives other metrics\n%s", p.Name, d)
		}
		luck = luck || !cmp.Equal(runs[0], runs[2])
		ended := 0
		seen := map[models.Metric]bool{}
		for _, m := range runs[0] {
			if m.Scope == "job" && m.Name == done {
				ended++
			}
			if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Scope == "job" && simulation.LineOf(file, m.Job) == 0 {
				t.Errorf("%s: %+v", p.Name, m)
			}
			m.Value = 0
			if seen[m] {
				t.Errorf("%s: %s %s is there twice", p.Name, m.Name, m.Job)
			}
			seen[m] = true
		}
		if ended != jobs {
			t.Errorf("%s: %d of %d jobs have %s", p.Name, ended, jobs, done)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := run(ctx, workload, p.Name, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: after its context ended: %v", p.Name, err)
		}
	}
	if !luck {
		t.Error("no policy's run depends on the seed")
	}
	if _, err := run(t.Context(), workload, "nobody", 1); err == nil || err.Error() != `unknown policy "nobody"` {
		t.Error(err)
	}
	if _, err := run(t.Context(), 7, s.Policies[0].Name, 1); err == nil ||
		err.Error() != "a int is not a workload of this simulator" {
		t.Error(err)
	}
}

// Resolve has given values and defaults of parameters.
func Resolve(tb interface{ Fatal(...any) }, params []models.Param, given map[string]any) models.Values {
	v, err := models.Resolve(params, given)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// Collect enters metrics by name, a job's by name and id.
func Collect(got map[string]float64) func(models.Metric) {
	return func(m models.Metric) {
		name := m.Name
		if m.Scope == "job" {
			name += " " + m.Job
		}
		got[name] = m.Value
	}
}
