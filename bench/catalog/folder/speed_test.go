package folder_test

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/worker"
)

const order = `{"start":{"c":0,"b":2,"a":3}}`

// cpu is the processor time of this process, of commands that it keeps, and of its children that have ended.
func cpu(t testing.TB) time.Duration {
	t.Helper()
	_, all := proc.Kept()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return all
}

// own is the processor time that the checker needs for each of n questions that it reads out of a file.
func own(t testing.TB, dir string, n int) time.Duration {
	t.Helper()
	used := func(n int) time.Duration {
		cmd := exec.Command("python3", "check.py")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SCHEDGAP_BATCH=1")
		cmd.Stdin = bytes.NewReader(bytes.Repeat([]byte(`{"instance":`+three+`,"solution":`+order+"}\n"), n))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return max(0, used(n)-used(1)) / time.Duration(n)
}

// checked returns what checks a solution of the three jobs.
func checked(t testing.TB, dir string) func() {
	t.Helper()
	in, err := adopted(t, dir).ParseInstance("three", []byte(three))
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if rep, err := in.Check("s", []byte(order)); err != nil || *rep.Objective != 25 {
			t.Fatal(rep, err)
		}
	}
}

// TestBatch: a checker that reads many questions is kept, and takes less than a millisecond a solution beyond its own work.
func TestBatch(t *testing.T) {
	const n = 1000
	dir := written(t, nil)
	check := checked(t, dir)
	check()
	began := cpu(t)
	for range n {
		check()
	}
	// /proc counts in hundredths of a second, which is much less than n milliseconds.
	if over := (cpu(t)-began)/n - own(t, dir, n); over > time.Millisecond {
		t.Errorf("%v a solution beyond the checker's own work", over)
	}
}

// BenchmarkCheck is the cost of a solution that a kept process checks, in processor time: all of it, the checker's own work, and what
// this program and the pipes add.
func BenchmarkCheck(b *testing.B) {
	dir := written(b, nil)
	check := checked(b, dir)
	check()
	began := cpu(b)
	for b.Loop() {
		check()
	}
	all, alone := (cpu(b)-began)/time.Duration(b.N), own(b, dir, max(b.N, 100))
	b.ReportMetric(float64(all.Microseconds()), "cpu-µs/op")
	b.ReportMetric(float64(alone.Microseconds()), "own-µs/op")
	b.ReportMetric(float64((all - alone).Microseconds()), "over-µs/op")
}

// BenchmarkUnit is the cost of a unit beside an algorithm of a problem in Go: a bound of the folder, a shell that is started for each
// unit, and one of its algorithms in Python, whose process is started for each unit or kept.
func BenchmarkUnit(b *testing.B) {
	p := adopted(b, written(b, nil))
	in, err := p.ParseInstance("three", []byte(three))
	if err != nil {
		b.Fatal(err)
	}
	registry := registry(b)
	flex, err := registry.ParseInstance("flex", []byte(`{"problem":"flex","version":1,"name":"flex","slots":2,`+
		`"objective":{"metric":"response","aggregate":"sum","weighted":false},"jobs":[{"id":"a","work":3},{"id":"b","work":1}]}`))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		in    *bench.Instance
		by    string
		batch bool
	}{{"flex", flex, "spt", false}, {"bound", in, "least", false}, {"alone", in, "spt", false}, {"kept", in, "spt", true}} {
		b.Run(c.name, func(b *testing.B) {
			r := bench.Request{Algorithm: c.by, Seed: 1, Threads: 1}
			if err := c.in.Problem.Resolve(&r); err != nil {
				b.Fatal(err)
			}
			r.Batch = c.batch
			w := worker.New(worker.Options{})
			defer w.Close()
			run := func() {
				res, err := w.Run(b.Context(), &bench.Unit{Instance: c.in, Request: r, Limits: bench.Limits{Time: time.Minute}})
				if err != nil || res.Status != bench.Feasible {
					b.Fatal(res, err)
				}
			}
			run() // which starts the worker
			for b.Loop() {
				run()
			}
		})
	}
}
