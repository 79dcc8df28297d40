package simulation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"schedgap/models/strict"
)

// A Job is one line of a workload file.
type Job interface {
	// Key is its id.
	Key() string
	// Validate says which field is out of range; nil: none.
	Validate() *FieldError
}

// A FieldError says which field of a job is out of range.
type FieldError struct {
	Path, Reason string
}

func (e *FieldError) Error() string { return e.Path + ": " + e.Reason }

// Within is an error unless least ≤ v ≤ most, numbers of the given unit, such as " seconds".
func Within[N int | float64](path string, v, least, most N, unit string) *FieldError {
	if v >= least && v <= most {
		return nil
	}
	return &FieldError{path, fmt.Sprintf("%v must be between %v and %v%s", v, least, most, unit)}
}

// First returns the first error that is not nil.
func First(errs ...*FieldError) *FieldError {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload[J Job] struct {
	Jobs []J // in file order, which breaks ties; by arrival or not
}

// Validate checks a workload that was not read from a file.
func (w *Workload[J]) Validate() error {
	if len(w.Jobs) == 0 {
		return fmt.Errorf("the workload has no jobs")
	}
	seen := make(map[string]int, len(w.Jobs))
	for i, j := range w.Jobs {
		if first, twice := seen[j.Key()]; twice {
			return fmt.Errorf("job %d: %q is also the id of job %d", i, j.Key(), first)
		}
		seen[j.Key()] = i
		if err := j.Validate(); err != nil {
			return fmt.Errorf("job %q: %w", j.Key(), err)
		}
	}
	return nil
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
	jobs, err := ReadJobs(file, r, func(f *strict.File) (j J) {
		f.Read(&j)
		return j
	})
	if err != nil {
		return nil, err
	}
	return &Workload[J]{jobs}, nil
}
