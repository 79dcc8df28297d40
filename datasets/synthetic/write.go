package synthetic

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"schedgap/datasets/event"
	"schedgap/models/output"
)

// Write draws a trace and writes it into dir, which is made if need be: task_events, job_events and machine_events with one
// part each, in the google2011 format. The same parameters and the same state of rng give the same bytes. Tables that are
// there already are replaced.
func Write(dir string, p Params, rng *rand.Rand) error {
	p, err := p.withDefaults()
	if err != nil {
		return err
	}
	r := generate(fitted(), p, rng)
	for _, t := range []struct {
		name string
		line func(w io.Writer, i int)
		rows int
	}{
		{"machine_events", r.machineLine, len(r.machines)},
		{"job_events", r.jobLine, len(r.jobs)},
		{"task_events", r.taskLine, len(r.tasks)},
	} {
		if err := writeTable(filepath.Join(dir, t.name), t.rows, t.line); err != nil {
			return fmt.Errorf("synthetic trace: %w", err)
		}
	}
	return nil
}

func writeTable(folder string, rows int, line func(w io.Writer, i int)) error {
	return output.From(filepath.Join(folder, "part-00000-of-00001.csv.gz"), false, func(w io.Writer) error {
		z := gzip.NewWriter(w) // without a file name and a time in its header, which would differ from run to run
		for i := range rows {
			line(z, i)
		}
		return z.Close() // has the error of any line
	})
}

// Numbers of the format, which lacks the QUEUE and ENABLE of event.Kind.
var kindNumber = [event.Kinds]int64{
	event.Submit: 0, event.Schedule: 1, event.Evict: 2, event.Fail: 3, event.Finish: 4, event.Kill: 5,
}

// firstJob is the id of the first job; the real ones have ten digits as well.
const firstJob = 6_000_000_001

func (r *rows) machineLine(w io.Writer, i int) {
	fmt.Fprintf(w, "0,%d,0,,%g,%g\n", i+1, r.machines[i].Cpu, r.machines[i].Memory)
}

// Users and names stay empty.
func (r *rows) jobLine(w io.Writer, i int) {
	j := r.jobs[i]
	fmt.Fprintf(w, "%d,,%d,%d,,%d,,\n", j.time, firstJob+j.job, kindNumber[j.kind], j.rank.Class)
}

func (r *rows) taskLine(w io.Writer, i int) {
	t := &r.tasks[i]
	machine := ""
	if t.machine != 0 {
		machine = strconv.Itoa(t.machine)
	}
	fmt.Fprintf(w, "%d,,%d,%d,%s,%d,,%d,%d,%g,%g,%g,0\n", t.time, firstJob+t.job, t.index, machine, kindNumber[t.kind],
		t.rank.Class, t.rank.Priority, t.cpu, t.memory, t.disk)
}
