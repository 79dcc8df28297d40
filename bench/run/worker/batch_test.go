package worker_test

import (
	"bytes"
	"os"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/worker"
)

// TestSpeaksBatch: a command reads many instances if it answers two, a line each, from one process, and only if the environment says so.
func TestSpeaksBatch(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         bool
	}{
		{"both ways", `if [ "$SCHEDGAP_BATCH" ]; then while read l; do ` + pick + `; done; else ` + pick + `; fi`, true},
		{"one instance only", "cat >/dev/null;" + pick, false},
		{"the first line only", "read l;" + pick, false},
		{"a batch only", `[ "$SCHEDGAP_BATCH" ] || exit 1; while read l; do ` + pick + `; done`, false},
		{"fails", "exit 1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Solutions = 1 << 20
			u := commandUnit(t, c.script, bench.Limits{})
			if got, _, err := worker.SpeaksBatch(t.Context(), o, *u); err != nil || got != c.want {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
			if u.Request.Batch {
				t.Error("the unit was changed")
			}
		})
	}
}

// A worker keeps the process of a batch from unit to unit, each with a CPU time of its own, and starts another for another seed, for
// another command and after a command that reads one instance.
func TestBatchProcess(t *testing.T) {
	o := options()
	o.Solutions = 1 << 20
	w := worker.New(o)
	defer w.Close()
	dir := t.TempDir()
	script := `echo x >>` + dir + `/starts; while read l; do ` + pick + `; done`
	starts := func(u *bench.Unit, want int) {
		t.Helper()
		res, err := w.Run(t.Context(), u)
		if err != nil || res.Status != bench.Feasible || res.CPUSeconds == nil || *res.CPUSeconds > 10 {
			t.Fatalf("%+v, %v", res, err)
		}
		text, err := os.ReadFile(dir + "/starts")
		if got := bytes.Count(text, []byte("\n")); err != nil || got != want {
			t.Errorf("%d processes, want %d: %v", got, want, err)
		}
	}
	u := commandUnit(t, script, bench.Limits{})
	u.Request.Batch = true
	starts(u, 1)
	starts(u, 1)
	seeded := *u
	seeded.Request.Seed = 2
	starts(&seeded, 2)
	starts(commandUnit(t, pick, bench.Limits{}), 2)
	starts(u, 3)
}
