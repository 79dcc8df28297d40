package synthetic

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"schedgap/datasets/event"
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
		line func(b []byte, i int) []byte
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

func writeTable(folder string, rows int, line func(b []byte, i int) []byte) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, "part-00000-of-00001.csv.gz"))
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return compress(f, rows, line)
}

// compress writes the lines without a file name and a time in the gzip header, which would differ from run to run.
func compress(w io.Writer, rows int, line func(b []byte, i int) []byte) error {
	z := gzip.NewWriter(w)
	var b []byte
	for i := range rows {
		b = append(line(b[:0], i), '\n')
		if _, err := z.Write(b); err != nil {
			return err
		}
	}
	return z.Close()
}

// Numbers of the format, which lacks the QUEUE and ENABLE of event.Kind.
var kindNumber = [event.Kinds]int64{
	event.Submit: 0, event.Schedule: 1, event.Evict: 2, event.Fail: 3, event.Finish: 4, event.Kill: 5,
}

// firstJob is the id of the first job; the real ones have ten digits as well.
const firstJob = 6_000_000_001

func (r *rows) machineLine(b []byte, i int) []byte {
	m := r.machines[i]
	b = append(b, "0,"...)
	b = strconv.AppendInt(b, int64(i+1), 10)
	b = append(b, ",0,,"...)
	b = number(b, m.Cpu)
	return number(append(b, ','), m.Memory)
}

func (r *rows) jobLine(b []byte, i int) []byte {
	j := r.jobs[i]
	b = strconv.AppendInt(b, int64(j.time), 10)
	b = append(b, ",,"...)
	b = strconv.AppendInt(b, firstJob+int64(j.job), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, kindNumber[j.kind], 10)
	b = append(b, ",,"...) // no user
	b = strconv.AppendInt(b, int64(j.rank.Class), 10)
	return append(b, ",,"...) // no names
}

func (r *rows) taskLine(b []byte, i int) []byte {
	t := &r.tasks[i]
	b = strconv.AppendInt(b, int64(t.time), 10)
	b = append(b, ",,"...)
	b = strconv.AppendInt(b, firstJob+int64(t.job), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(t.index), 10)
	b = append(b, ',')
	if t.machine != 0 {
		b = strconv.AppendInt(b, int64(t.machine), 10)
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, kindNumber[t.kind], 10)
	b = append(b, ",,"...) // no user
	b = strconv.AppendInt(b, int64(t.rank.Class), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(t.rank.Priority), 10)
	for _, v := range []float64{t.cpu, t.memory, t.disk} {
		b = number(append(b, ','), v)
	}
	return append(b, ",0"...)
}

func number(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
