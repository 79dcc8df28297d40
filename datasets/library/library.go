package library

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/nearest"
)

// The files of a library beside its folders instances, solutions and proofs.
const (
	HistoryFile = "history.jsonl"
	IndexFile   = "index.csv"
)

// MostProof is the largest proof in bytes, compressed, that is stored.
const MostProof = 512 << 10

// A Library is one that was opened.
type Library struct {
	files   fs.FS
	name    string
	Events  []Event
	Entries []*Entry // in the order of history
}

// Open reads the history of a library and holds its index to it. Messages name files as below name.
func Open(files fs.FS, name string) (*Library, error) {
	l := &Library{files: files, name: name}
	data, err := l.read(HistoryFile)
	if err != nil {
		return nil, err
	}
	l.Events, err = Parse(path.Join(name, HistoryFile), data)
	if err != nil {
		return nil, err
	}
	l.Entries, err = Derive(l.Events)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(name, HistoryFile), err)
	}
	index, err := l.read(IndexFile)
	if err != nil {
		return nil, err
	}
	if row := difference(index, l.Index()); row != "" {
		return nil, fmt.Errorf("%s: is out of step with %s: %s", path.Join(name, IndexFile), HistoryFile, row)
	}
	return l, nil
}

// difference says where two tables part; empty: nowhere.
func difference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return fmt.Sprintf("it lacks line %d", i+1)
		case i >= len(b) || a[i] != b[i]:
			return fmt.Sprintf("line %d", i+1)
		}
	}
	return ""
}

func (l *Library) read(file string) ([]byte, error) {
	data, err := fs.ReadFile(l.files, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(l.name, file), cause(err))
	}
	return data, nil
}

func cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// Find returns the entry of an id.
func (l *Library) Find(id string) (*Entry, error) {
	ids := make([]string, len(l.Entries))
	for i, e := range l.Entries {
		ids[i] = e.ID
		if e.ID == id {
			return e, nil
		}
	}
	return nil, nearest.Unknown("id", id, ids)
}

// Where the files of an id lie.
func (e *Entry) InstanceFile() string { return path.Join("instances", e.Problem, e.ID+input.Packed) }

func (e *Entry) SolutionFile() string { return path.Join("solutions", e.Problem, e.ID+input.Packed) }
func (e *Entry) ProofFile() string    { return path.Join("proofs", e.Problem, e.ID+".jsonl.gz") }

// Path is the name of a file of the library in messages.
func (l *Library) Path(file string) string { return path.Join(l.name, file) }

// Instance is the stored instance of an entry, whose hash is checked.
func (l *Library) Instance(e *Entry) ([]byte, error) { return l.text(e.InstanceFile(), e.SHA256) }

// Solution is the stored solution of an entry that has a value, whose hash is checked.
func (l *Library) Solution(e *Entry) ([]byte, error) {
	return l.text(e.SolutionFile(), e.Solution.SHA256)
}

func (l *Library) text(file, sha256 string) ([]byte, error) {
	data, err := l.read(file)
	if err == nil {
		data, err = input.Unpack(l.Path(file), data, input.MaxData)
	}
	return l.checked(file, sha256, data, err)
}

// Proof is the stored proof of an entry, compressed, whose hash is checked; nil: it is too large, or there is none.
func (l *Library) Proof(e *Entry) ([]byte, error) {
	if e.Proof == nil || e.Proof.Kind == Search || e.Proof.Recipe != "" {
		return nil, nil
	}
	data, err := l.read(e.ProofFile())
	return l.checked(e.ProofFile(), e.Proof.SHA256, data, err)
}

// checked are the contents of a file that have the hash of history.
func (l *Library) checked(file, sha256 string, data []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if sum := models.Digest(data); sum != sha256 {
		return nil, fmt.Errorf("%s: its SHA-256 is %s, and history says %s", l.Path(file), sum, sha256)
	}
	return data, nil
}

// A column is one of the index.
type column struct {
	name string
	of   func(e *Entry) string
}

// Number is a number as the index has it; empty: nil.
func Number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// of is the event, which may be none.
func of(v *Event) Event {
	if v == nil {
		return Event{}
	}
	return *v
}

func compact(v any) string {
	text, _ := json.Marshal(v) // it was read as JSON
	return string(text)
}

var columns = []column{
	{"id", func(e *Entry) string { return e.ID }},
	{"problem", func(e *Entry) string { return e.Problem }},
	{"reference", func(e *Entry) string { return e.Reference }},
	{"set", func(e *Entry) string { return e.Set }},
	{"family", func(e *Entry) string { return e.Family }},
	{"source", func(e *Entry) string { return e.Source }},
	{"lineage", func(e *Entry) string { return string(e.Lineage) }},
	{"trace_window", func(e *Entry) string { return strings.TrimPrefix(compact(e.Window), "null") }},
	{"licence", func(e *Entry) string { return e.Licence }},
	{"stored", func(e *Entry) string { return strconv.FormatBool(e.Stored) }},
	{"sha256", func(e *Entry) string { return e.SHA256 }},
	{"bytes", func(e *Entry) string { return strconv.Itoa(e.Bytes) }},
	{"n_jobs", func(e *Entry) string { return strconv.Itoa(e.Jobs) }},
	{"n_tasks", func(e *Entry) string { return strconv.Itoa(e.Tasks) }},
	{"n_machines", func(e *Entry) string { return strconv.Itoa(e.Machines) }},
	{"features", func(e *Entry) string { return compact(e.Features) }},
	{"tier", (*Entry).Tier},
	{"value", func(e *Entry) string { return Number(e.Value) }},
	{"bound", func(e *Entry) string { return Number(e.Bound) }},
	{"bound_by", (*Entry).BoundBy},
	{"solution_sha256", func(e *Entry) string { return of(e.Solution).SHA256 }},
	{"proof_sha256", func(e *Entry) string { return of(e.Proof).SHA256 }},
	{"proof_recipe", func(e *Entry) string { return of(e.Proof).Recipe }},
	{"status", (*Entry).Status},
	{"gap", func(e *Entry) string { return Number(e.Gap()) }},
	{"credited_to", func(e *Entry) string { return of(e.Solution).By }},
	{"credited_ref", func(e *Entry) string { return of(e.Solution).Ref }},
	{"first_in_release", func(e *Entry) string { return e.First }},
	{"verified_by", func(e *Entry) string { return strings.Join(e.VerifiedBy, " ") }},
	{"seconds", func(e *Entry) string {
		if e.Proof == nil {
			return ""
		}
		return strconv.FormatFloat(e.Proof.Seconds, 'g', 3, 64)
	}},
}

// Index is the table of all entries as CSV.
func (l *Library) Index() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{nil}
	for _, c := range columns {
		rows[0] = append(rows[0], c.name)
	}
	for _, e := range l.Entries {
		var row []string
		for _, c := range columns {
			row = append(row, c.of(e))
		}
		rows = append(rows, row)
	}
	_ = w.WriteAll(rows) // memory takes all
	return b.Bytes()
}
