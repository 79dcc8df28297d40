package simulation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"schedgap/models/strict"
)

// A Job is one line of a workload file, whose tags give the allowed values (models/strict).
type Job interface {
	// Key is its id.
	Key() string
}

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload[J Job] struct {
	Jobs []J // in file order, which breaks ties; by arrival or not
	// Held is the share of the bottleneck that the jobs of a generator should hold without copies, on average from the first
	// arrival to the last; 0 means no target. Where the workload has the cluster it is a share of that. A file does not have it.
	Held float64
}

// Validate checks a workload that was not read from a file: it must be one that can be written and read.
func (w *Workload[J]) Validate() error {
	return Valid(w, func(file string, r io.Reader) (*Workload[J], error) { return Read[J](file, r) })
}

// Valid returns the fault of a workload, if any, in the words of the file's reader.
func Valid[W interface{ Encode(out io.Writer) error }](w W, read func(file string, r io.Reader) (W, error)) error {
	var file bytes.Buffer
	err := w.Encode(&file)
	if err == nil {
		_, err = read("the workload", &file)
	}
	return err
}

// Encode writes a workload in the form that its simulator reads, defaults written out.
func (w *Workload[J]) Encode(out io.Writer) error {
	buf := bufio.NewWriter(out)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	for i := range w.Jobs {
		if err := enc.Encode(&w.Jobs[i]); err != nil {
			return fmt.Errorf("job %d of the workload: %w", i, err)
		}
	}
	return buf.Flush()
}

// Read reads a workload file: JSON lines, one job a line, in any order. Errors name the file with the line, the field's path and
// the value.
func Read[J Job](file string, r io.Reader) (*Workload[J], error) {
	jobs, err := ReadJobs(file, r, func(f *strict.File) (j J, ok bool) {
		f.Read(&j)
		return j, true
	})
	if err != nil {
		return nil, err
	}
	return &Workload[J]{Jobs: jobs}, nil
}
