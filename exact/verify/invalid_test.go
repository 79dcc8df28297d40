package verify_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"schedgap/exact/verify/referee"
	"schedgap/models/fail"
	"schedgap/models/proof"
)

// update has the proofs of testdata/invalid made again by the methods that are named there; the lies stay as they are.
var update = flag.Bool("update", false, "make the proofs of testdata/invalid again")

// A forgery is a file of testdata/invalid: a proof that is accepted, and lies, each one edit away from it.
type forgery struct {
	By       string            `json:"by"`       // the algorithm that made the proof; empty: it was written by hand
	Instance json.RawMessage   `json:"instance"` // null: in a file beside it, compressed
	Header   json.RawMessage   `json:"header"`
	Lines    []json.RawMessage `json:"lines"`
	Lies     []lie             `json:"lies"`
}

// A lie is an edit that makes a proof claim or use something false. Its twin is the proof, or the proof with some edits that
// leave it true.
type lie struct {
	Name   string `json:"lie"`
	Twin   []edit `json:"twin,omitempty"`
	Edit   edit   `json:"edit"`
	Reason string `json:"reason"` // part of that for which it is refused
}

// An edit changes what is at a place, such as lines/0/times/1, to a value, inserts a value before it, or without either removes
// it.
type edit struct {
	At     string          `json:"at"`
	To     json.RawMessage `json:"to,omitempty"`
	Insert json.RawMessage `json:"insert,omitempty"`
}

// Every lie is refused for its own reason, and is one edit away from a proof that is accepted.
func TestInvalidProofs(t *testing.T) {
	files, err := filepath.Glob("testdata/invalid/*.json")
	fail.On(t, err)
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		fail.On(t, err)
		var f forgery
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if *update {
			f.again(t, file)
		}
		dir := t.TempDir()
		instance := f.instance(t, file, filepath.Join(dir, "instance.json"))
		judged := func(edits ...edit) *referee.Verdict {
			name := filepath.Join(dir, "proof.gz")
			f.write(t, name, edits)
			v, err := referee.Verify(t.Context(), instance, name)
			if err != nil {
				t.Fatalf("%s: %v: %v", file, edits, err)
			}
			return v
		}
		if v := judged(); !v.Verified {
			t.Errorf("%s: refused: %s", file, *v.Reason)
		}
		names := map[string]bool{}
		for _, l := range f.Lies {
			count++
			if names[l.Name] || l.Reason == "" {
				t.Errorf("%s, %s: the name is not the only one, or there is no reason", file, l.Name)
			}
			names[l.Name] = true
			if len(l.Twin) > 0 {
				if v := judged(l.Twin...); !v.Verified {
					t.Errorf("%s, %s: the twin is refused: %s", file, l.Name, *v.Reason)
				}
			}
			v := judged(append(slices.Clone(l.Twin), l.Edit)...)
			if v.Verified || v.Optimal || !strings.Contains(*v.Reason, l.Reason) {
				t.Errorf("%s, %s: verified %v, %s, want a reason with %q", file, l.Name, v.Verified, text(v.Reason), l.Reason)
			}
		}
	}
	if count < 60 {
		t.Errorf("%d lies in %d files, want 60 at least", count, len(files))
	}
}

// The name that surrogates had in earlier versions is read, but not beside today's.
func TestOldName(t *testing.T) {
	const file = "testdata/invalid/cloning-prices.json"
	data, err := os.ReadFile(file)
	fail.On(t, err)
	dir := t.TempDir()
	for name, want := range map[string]string{
		`"gauges":`: "no reason", `"surrogates":`: "no reason", `"gauges":[],"surrogates":`: "duplicate", `"gauge":`: "unknown field",
		`"gauges":null,"surrogates":`: "duplicate",
	} {
		var f forgery
		fail.On(t, json.Unmarshal(data, &f))
		instance := f.instance(t, file, filepath.Join(dir, "instance.json"))
		if !bytes.Contains(f.Lines[0], []byte(`"surrogates":`)) {
			t.Fatalf("%s has no surrogates", file)
		}
		f.Lines[0] = bytes.ReplaceAll(f.Lines[0], []byte(`"surrogates":`), []byte(name))
		to := "proof.json.gz" // the name does not matter, as a proof is compressed by its format
		f.write(t, filepath.Join(dir, to), nil)
		v, err := referee.Verify(t.Context(), instance, filepath.Join(dir, to))
		if err != nil || !strings.Contains(text(v.Reason), want) || v.Verified != (want == "no reason") {
			t.Errorf("%s: %+v, %s, %v, want %s", name, v, text(v.Reason), err, want)
		}
	}
}

func text(s *string) string {
	if s == nil {
		return "no reason"
	}
	return *s
}

// instance writes the forgery's instance as a file.
func (f *forgery) instance(t *testing.T, file, to string) string {
	t.Helper()
	data := []byte(f.Instance)
	if string(data) == "null" {
		packed, err := os.Open(strings.TrimSuffix(file, ".json") + ".instance.gz")
		fail.On(t, err)
		defer packed.Close()
		z, err := gzip.NewReader(packed)
		fail.On(t, err)
		var b bytes.Buffer
		if _, err := b.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	fail.On(t, os.WriteFile(to, data, 0o600))
	return to
}

// write writes the proof with edits.
func (f *forgery) write(t *testing.T, file string, edits []edit) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"header": f.Header, "lines": f.Lines})
	var all any
	if err == nil {
		all, err = unrounded(raw)
	}
	for _, e := range edits {
		if err == nil {
			all, err = e.apply(all, strings.Split(e.At, "/"))
		}
	}
	fail.On(t, err)
	var h proof.Header
	header, err := json.Marshal(all.(map[string]any)["header"])
	if err == nil {
		err = json.Unmarshal(header, &h)
	}
	var b bytes.Buffer
	if err == nil {
		err = proof.Write(&b, h, all.(map[string]any)["lines"].([]any))
	}
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o600)
	}
	fail.On(t, err)
}

// unrounded is a JSON value with all digits of its numbers.
func unrounded(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// apply returns v with the edit made at a path.
func (e *edit) apply(v any, path []string) (any, error) {
	var to any
	for _, raw := range []json.RawMessage{e.To, e.Insert} {
		if raw != nil {
			var err error
			to, err = unrounded(raw)
			if err != nil {
				return nil, err
			}
		}
	}
	if len(path) == 0 {
		return to, nil
	}
	switch at := v.(type) {
	case map[string]any:
		if len(path) == 1 && e.To == nil {
			delete(at, path[0])
			return at, nil
		}
		inner, err := e.apply(at[path[0]], path[1:])
		at[path[0]] = inner
		return at, err
	case []any:
		i, err := strconv.Atoi(path[0])
		switch {
		case err != nil || i < 0 || i > len(at):
		case len(path) == 1 && e.Insert != nil:
			return slices.Insert(at, i, to), nil
		case i == len(at):
		case len(path) == 1 && e.To == nil:
			return slices.Delete(at, i, i+1), nil
		default:
			at[i], err = e.apply(at[i], path[1:])
			return at, err
		}
	}
	return nil, fmt.Errorf("%s is no place of the proof", e.At)
}
