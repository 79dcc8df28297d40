package simulation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"schedgap/models/strict"
)

// maxLine bounds a line of a workload file. A job takes some 100 bytes, or megabytes when it brings measured durations.
const maxLine = 1 << 24

// ReadJobs reads JSON lines, one job a line or, if decode says false, something else. Errors name the file with the line, the
// field's path and the value; an id twice and a file without jobs are errors.
func ReadJobs[J Job](file string, r io.Reader, decode func(*strict.File) (J, bool)) ([]J, error) {
	var jobs []J
	seen := map[string]int{} // id to line
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	n := 0
	for lines.Scan() {
		n++
		f, err := strict.Open(fmt.Sprintf("%s:%d", file, n), lines.Bytes())
		if err != nil {
			return nil, err
		}
		j, ok := decode(f)
		if err := f.Err(); err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if first, twice := seen[j.Key()]; twice {
			f.Fail("job", "%q is also the id of the job in line %d", j.Key(), first)
			return nil, f.Err()
		}
		seen[j.Key()] = n
		jobs = append(jobs, j)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, strict.Errorf(fmt.Sprintf("%s:%d", file, n+1), "", "the line is longer than %d bytes", maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(jobs) == 0 {
		return nil, strict.Errorf(file, "", "the workload has no jobs")
	}
	return jobs, nil
}

// LineOf returns the number of the line of a workload file that holds the job, 0 when none does.
func LineOf(file []byte, id string) int {
	n := 0
	for line := range bytes.Lines(file) {
		n++
		var job struct {
			ID string `json:"job"`
		}
		if err := json.Unmarshal(line, &job); err == nil && job.ID == id {
			return n
		}
	}
	return 0
}
