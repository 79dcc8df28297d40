package sim

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"schedgap/models/strict"
)

// maxLine bounds a line of a workload file; a job takes some 100 bytes.
const maxLine = 1 << 16

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
//
// Errors name the file with the line, the field's path and the value. Jobs need not be sorted by arrival.
func ReadWorkload(file string, r io.Reader) (*Workload, error) {
	w := &Workload{}
	seen := map[string]int{} // id to line
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	n := 0
	for lines.Scan() {
		n++
		place := fmt.Sprintf("%s:%d", file, n)
		o, err := strict.Parse(place, lines.Bytes())
		if err != nil {
			return nil, err
		}
		j, err := decodeJob(o)
		if err != nil {
			return nil, err
		}
		if err := j.validate(); err != nil {
			return nil, strict.Errorf(place, err.path, "%s", err.reason)
		}
		if first, twice := seen[j.ID]; twice {
			return nil, o.Get("job").Errorf("%q is also the id of the job in line %d", j.ID, first)
		}
		seen[j.ID] = n
		w.Jobs = append(w.Jobs, j)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, strict.Errorf(fmt.Sprintf("%s:%d", file, n+1), "", "the line is longer than %d bytes", maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(w.Jobs) == 0 {
		return nil, strict.Errorf(file, "", "the workload has no jobs")
	}
	return w, nil
}

func decodeJob(o *strict.Object) (j Job, err error) {
	if j.ID, err = o.ID("job"); err != nil {
		return j, err
	}
	if j.Tasks, err = o.Int("tasks"); err != nil {
		return j, err
	}
	for _, f := range []struct {
		key  string
		into *float64
	}{{"arrival", &j.Arrival}, {"deadline", &j.Deadline}, {"t_min", &j.TMin}, {"beta", &j.Beta}} {
		if *f.into, err = o.Float(f.key); err != nil {
			return j, err
		}
	}
	return j, o.Done()
}

// Encode writes w in the form that ReadWorkload reads.
func Encode(out io.Writer, w *Workload) error {
	buf := bufio.NewWriter(out)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	for i := range w.Jobs {
		if err := enc.Encode(&w.Jobs[i]); err != nil {
			return fmt.Errorf("job %q: %w", w.Jobs[i].ID, err)
		}
	}
	return buf.Flush()
}
