package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"schedgap/models/input"
)

// A Solution is the small solution that a unit had in a run: a line of DIR/solutions/*.jsonl.gz. As with progress, that of
// another run than the one in the unit's row is of an older row, or of a run that was killed.
type Solution struct {
	UnitID string          `json:"unit_id"`
	RunID  string          `json:"run_id"`
	Text   json.RawMessage `json:"solution,omitempty"`
	Bytes  int64           `json:"bytes,omitempty"` // of the line, compressed, in the table of contents
}

const (
	solutions = "solutions"
	leastLine = 18 // bytes of anything that gzip compressed
)

// MaxSolution is the size in bytes up to which a solution can be kept.
const MaxSolution = 64 << 20

// NewSolutions returns a writer of solutions. A runner holds the shard's lock.
func (d *Dir) NewSolutions(shard string) (*Writer[Solution], error) {
	return newWriter(d, solutions, shard, ".jsonl.gz", func(a, b Solution) int { return cmp.Compare(a.UnitID, b.UnitID) },
		encodeSolutions)
}

// encodeSolutions compresses every line by itself, so that one is read without the others, behind a table of contents.
func encodeSolutions(kept []Solution) ([]byte, error) {
	var contents, all bytes.Buffer
	table, line := gzip.NewWriter(&contents), gzip.NewWriter(&all)
	entries := json.NewEncoder(table)
	for _, s := range kept {
		from := all.Len()
		line.Reset(&all)
		if err := errors.Join(json.NewEncoder(line).Encode(s), line.Close()); err != nil {
			return nil, err
		}
		if err := entries.Encode(Solution{UnitID: s.UnitID, RunID: s.RunID, Bytes: int64(all.Len() - from)}); err != nil {
			return nil, err
		}
	}
	err := table.Close()
	return append(contents.Bytes(), all.Bytes()...), err
}

// Solution reads the solution that a unit had in a run, if it was kept; nil: it was not.
func (d *Dir) Solution(runID, unitID string) ([]byte, error) {
	index := d.index()
	if at, ok := index.places[[2]string{unitID, runID}]; ok {
		return at.read()
	}
	if at, ok := index.places[[2]string{unitID}]; ok {
		return get(unitID, at.path)
	}
	return nil, index.err // it may be in a file that cannot be read
}

// DropSolution removes a solution from before there were segments, since its unit gets another row.
func (d *Dir) DropSolution(unitID string) error {
	at, ok := d.index().places[[2]string{unitID}]
	if !ok {
		return nil
	}
	if err := os.Remove(at.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing an old solution: %w", err)
	}
	return nil
}

// An index knows where solutions are, by unit and run. Before there were segments each was a file of its own, without its run.
type index struct {
	places map[[2]string]place
	err    error // of segments that cannot be read
}

// A place says where in which segment a line is, or which file has no other.
type place struct {
	path      string
	at, bytes int64
}

func (d *Dir) indexSolutions() *index {
	in := &index{places: map[[2]string]place{}}
	names, err := d.list(solutions)
	in.err = err
	for _, name := range names {
		f := parseName(filepath.Join(d.path, solutions, name))
		if unitID, old := strings.CutSuffix(name, ".json"); old {
			in.places[[2]string{unitID}] = place{path: f.path}
		} else if f.named && filepath.Ext(name) == ".gz" {
			if err := in.add(f.path); err != nil {
				in.err = errors.Join(in.err, fmt.Errorf("solutions in %s: %w", f.path, err))
			}
		}
	}
	return in
}

// add enters the solutions of a segment by its table of contents.
func (in *index) add(path string) error {
	file, size, err := input.Open(path, input.MaxData)
	if err != nil {
		return err
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	zip.Multistream(false)
	var entries []Solution
	at := size // of the first line: they fill the file to its end
	for table := json.NewDecoder(zip); ; {
		var s Solution
		if err := table.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		at -= s.Bytes
		if s.Bytes < leastLine || at < 0 {
			return errors.New("its table of contents promises more than it has")
		}
		entries = append(entries, s)
	}
	for _, s := range entries {
		in.places[[2]string{s.UnitID, s.RunID}] = place{path, at, s.Bytes}
		at += s.Bytes
	}
	return nil
}

// read reads the solution in the line there.
func (p place) read() ([]byte, error) {
	file, _, err := input.Open(p.path, input.MaxData)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var s Solution
	zip, err := gzip.NewReader(io.NewSectionReader(file, p.at, p.bytes))
	var line []byte
	if err == nil {
		line, err = io.ReadAll(io.LimitReader(zip, MaxSolution+1<<10)) // to its end, where its checksum is
	}
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil {
		return nil, fmt.Errorf("a solution in %s: %w", p.path, err)
	}
	return s.Text, nil
}
