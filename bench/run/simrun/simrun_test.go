package simrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/models/fail"
)

// dice is a simulator whose workload is one number; policy plus adds the seed's luck to it, policy minus takes it away.
var dice = &models.Simulator{
	Policies: []models.Policy{{Name: "plus", Arg: "bonus"}, {Name: "minus"}, {Name: "broken"}},
	Params:   []models.Param{{Name: "bonus", Default: 0., Max: 9}},
	Specs:    []models.Param{{Name: "sides", Default: 6}},
	Generate: func(v models.Values, rng *rand.Rand) (any, error) { return 1 + rng.IntN(v.Int("sides")), nil },
	Encode: func(w io.Writer, workload any) error {
		_, err := fmt.Fprintln(w, workload)
		return err
	},
	Run: func(_ context.Context, r models.SimRequest, emit func(models.Metric)) error {
		value, luck := float64(r.Workload.(int)), float64(r.Seed%1000)/1000
		switch r.Policy {
		case "minus":
			luck = -luck
		case "broken":
			return errors.New("it does not work")
		}
		emit(models.Metric{Scope: "job", Job: "a", Name: "response", Unit: "s", Value: value})
		if bonus, ok := r.Params["bonus"].(float64); ok {
			luck += bonus
		}
		emit(models.Metric{Scope: "run", Name: "score", Unit: "points", Value: value + luck})
		return nil
	},
}

func plan(repetitions, workers int) Plan {
	return Plan{
		Problem: &bench.Problem{Name: "toy", Simulator: dice}, Policies: []string{"plus", "minus"}, Params: models.Values{},
		Seed: 3, Repetitions: repetitions, Workers: workers, Workload: "generate", Spec: models.Values{"sides": 1000000},
	}
}

func simulate(t *testing.T, p Plan) []bench.SimRecord {
	t.Helper()
	rows, err := Run(t.Context(), p)
	fail.On(t, err)
	return rows
}

// TestRun: neither the number of workers nor the number of repetitions changes a repetition; all policies meet the same
// workload and luck, and repetitions differ.
func TestRun(t *testing.T) {
	sameButRun := cmpopts.IgnoreFields(bench.SimRecord{}, "RunID")
	one, four := simulate(t, plan(8, 1)), simulate(t, plan(8, 4))
	if diff := cmp.Diff(one, four, sameButRun); diff != "" {
		t.Errorf("one worker (-) and four (+) differ:\n%s", diff)
	}
	const rowsEach = 2 // a job's and the run's
	if len(one) != 2*8*rowsEach {
		t.Fatalf("%d rows", len(one))
	}
	minus := 8 * rowsEach
	if diff := cmp.Diff(simulate(t, plan(3, 2))[:3*rowsEach], one[:3*rowsEach], sameButRun); diff != "" {
		t.Errorf("the first of three repetitions (-) and of eight (+) differ:\n%s", diff)
	}
	hashes := map[string]bool{}
	for k := range 8 {
		job, run, other := one[k*rowsEach], one[k*rowsEach+1], one[minus+k*rowsEach+1]
		if run.Repetition != int64(k) || *job.Job != "a" || run.Job != nil || run.Policy != "plus" || other.Policy != "minus" {
			t.Errorf("repetition %d: %+v and %+v", k, job, run)
		}
		if luck := run.Value - job.Value; luck <= 0 || other.Value != job.Value-luck || other.WorkloadSHA256 != run.WorkloadSHA256 {
			t.Errorf("repetition %d: plus has luck %v, minus scores %v on %v", k, luck, other.Value, job.Value)
		}
		hashes[run.WorkloadSHA256] = true
	}
	if len(hashes) != 8 {
		t.Errorf("8 repetitions have %d workloads", len(hashes))
	}
}

// TestArgument: NAME:VALUE sets the policy's own parameter, for it alone, and its rows say so.
func TestArgument(t *testing.T) {
	p := plan(1, 1)
	p.Params = models.Values{"bonus": 1.}
	policies, err := Policies(dice, nil, "plus,plus:3")
	fail.On(t, err)
	p.Policies = policies
	rows := simulate(t, p)
	given, own := rows[1], rows[3]
	if own.Policy != "plus:3" || own.Params != `{"bonus":3}` || given.Params != `{"bonus":1}` || own.Value-given.Value != 2 {
		t.Errorf("%+v and %+v", given, own)
	}
}

// TestMeans: 1 and 3 make 2, by policy and metric, jobs left aside.
func TestMeans(t *testing.T) {
	row := func(policy, scope, metric string, v float64) bench.SimRecord {
		return bench.SimRecord{Policy: policy, Scope: scope, Metric: metric, Unit: "s", Value: v}
	}
	got := Means([]bench.SimRecord{
		row("a", "run", "x", 1), row("a", "job", "x", 100), row("a", "run", "x", 3), row("a", "run", "y", 5), row("b", "run", "x", 7),
	})
	want := []Mean{{"a", "x", "s", 2, ""}, {"a", "y", "s", 5, ""}, {"b", "x", "s", 7, ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDoubts: a queue that grows in some repetitions is said of as many policies as it is true of. That a workload loads nothing is
// said of the workload, and not where somebody waits or the cluster is full under some policy, as under one that has all jobs
// hold something; a run that is too short for either says nothing.
func TestDoubts(t *testing.T) {
	means := []Mean{
		{"fifo", "load", "share", 0.9, "idle"},
		{"fifo", "utilisation", "share", 0.7, "idle"},
		{"fifo", "waiting_share", "share", 0.01, "idle"},
		{"fair", "load", "share", 0.9, "full"},
		{"fair", "utilisation", "share", 0.88, "full"},
		{"fair", "waiting_share", "share", 0, "full"},
	}
	for policy, values := range map[string]map[string]float64{
		"a": {"load": 0.9, "waiting_share": 0.01, "steady_state": 1}, "b": {"load": 0.9, "waiting_share": 0.3, "steady_state": 0.5},
		"c": {"load": 0.8, "waiting_share": 0.01, "steady_state": 1}, "d": {"waiting_share": 0}, "e": {"load": 2},
	} {
		for metric, v := range values {
			means = append(means, Mean{Policy: policy, Metric: metric, Mean: v})
		}
	}
	got := Doubts(means)
	if len(got) != 2 || !strings.HasPrefix(got[0], "queue still growing: no steady state") ||
		!strings.HasSuffix(got[0], ": 1 of 7, b first") ||
		!strings.HasSuffix(got[1], "no result about a loaded cluster: 1 of 3 workloads, idle first") {
		t.Errorf("%q", got)
	}
	if got := Doubts(nil); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}

// TestUnreached: a load that differs from the one asked for is said, and one within 2 % is not.
func TestUnreached(t *testing.T) {
	for _, c := range []struct {
		asked, load float64
		says        string
	}{{0.9, 0.758, "the load is 0.758 on average, not 0.9 as asked"}, {0.9, 0.91, ""}, {0, 0.5, ""}} {
		got := Unreached([]Mean{{Metric: "load", Mean: c.load}}, models.Values{"load": c.asked})
		if !strings.HasPrefix(got, c.says) || (got == "") != (c.says == "") {
			t.Errorf("%v: %q", c, got)
		}
	}
}

// TestStore: a repetition that the dataset holds is not stored again, a new one is.
func TestStore(t *testing.T) {
	dir := store.Open(t.TempDir())
	for _, c := range []struct{ repetitions, added int }{{2, 2 * 2 * 2}, {2, 0}, {3, 2 * 2}} {
		added, err := Store(t.Context(), dir, simulate(t, plan(c.repetitions, 2)))
		if err != nil || added != c.added {
			t.Errorf("%d repetitions: %d rows added, want %d: %v", c.repetitions, added, c.added, err)
		}
	}
	rows, bad, err := dir.Sim(t.Context())
	if err != nil || len(bad) > 0 || len(rows) != 3*2*2 {
		t.Errorf("%d rows: %v %v", len(rows), bad, err)
	}
}

// TestErrors: a failing policy names itself, unknown and repeated ones are refused, and a cancelled context ends the run.
func TestErrors(t *testing.T) {
	p := plan(2, 1)
	p.Policies = []string{"broken"}
	if _, err := Run(t.Context(), p); err == nil || err.Error() != "policy broken, repetition 0: it does not work" {
		t.Errorf("error %v", err)
	}
	for list, want := range map[string]string{
		"plus,times": `unknown policy "times"; known: plus, minus, broken`, "plus,plus": `policy "plus" is named twice`,
		"minus:2": `unknown policy "minus:2"; did you mean "minus"?`,
		"plus:12": `policy "plus:12": parameter bonus: 12 must be at most 9`,
	} {
		if _, err := Policies(dice, nil, list); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", list, err, want)
		}
	}
	if _, err := Policies(dice, map[string][]string{"mine": {"true"}}, "plus"); err == nil ||
		err.Error() != `policy "mine" has a command but is not among the policies to simulate` {
		t.Errorf("a policy left out: %v", err)
	}
}

// TestStoreError: what cannot be written is said once.
func TestStoreError(t *testing.T) {
	// Nobody, not even root, can make a folder there.
	_, err := Store(t.Context(), store.Open("/proc/none"), simulate(t, plan(1, 1)))
	if err == nil || strings.Count(err.Error(), "mkdir") != 1 {
		t.Errorf("%v", err)
	}
}
