// Package evidencetest makes libraries for tests.
package evidencetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/datasets/library"
	"schedgap/models"
)

// An Entry is an instance of a library.
type Entry struct {
	Instance *bench.Instance
	Set      string
	Lineage  json.RawMessage // nil: the instance's own
	Recipe   bool            // the instance is not stored
}

// Generated are n instances of a set.
func Generated(t testing.TB, p *bench.Problem, set string, n int, params map[string]any) (list []Entry) {
	t.Helper()
	values, err := models.Resolve(p.Generator.Params, params)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		// The name is part of the instance.
		in, err := generate.One(p, fmt.Sprintf("%s-%s-%03d", p.Name, set, i+1), values, uint64(len(set)), i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Entry{Instance: in, Set: set})
	}
	return list
}

// Write makes a library of release 1, without values, in a folder. Ids are the names of the instances.
func Write(t testing.TB, dir string, list []Entry) {
	t.Helper()
	l := &library.Library{}
	for _, k := range list {
		in, lineage := k.Instance, k.Lineage
		if lineage == nil {
			lineage = in.Lineage
		}
		e := &library.Entry{ID: in.Name, SHA256: in.SHA256, First: "1", Instance: &library.Instance{
			Problem: in.Problem.Name, Reference: in.Problem.References[0].Name, Sense: in.Problem.Sense.String(), Set: k.Set,
			Family: "test", Source: "generator", Scale: in.Scale(in.Problem.References[0].Name),
			Lineage: lineage, Licence: "CC-BY-4.0", Stored: !k.Recipe, Bytes: len(in.JSON),
			Jobs: in.Size.Jobs, Tasks: in.Size.Tasks, Machines: in.Size.Machines, Features: in.Features,
		}}
		l.Entries = append(l.Entries, e)
		l.Events = append(l.Events, library.Event{
			ID: e.ID, Event: library.Added, Release: "1", Instance: e.Instance, SHA256: e.SHA256,
		})
		if e.Stored {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := z.Write(in.JSON); err != nil || z.Close() != nil {
				t.Fatalf("%s: %v", e.ID, err)
			}
			put(t, dir, e.InstanceFile(), packed.Bytes())
		}
	}
	var history bytes.Buffer
	enc := json.NewEncoder(&history)
	enc.SetEscapeHTML(false)
	for i := range l.Events {
		if err := enc.Encode(&l.Events[i]); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, library.HistoryFile, history.Bytes())
	put(t, dir, library.IndexFile, l.Index())
}

func put(t testing.TB, dir, file string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
