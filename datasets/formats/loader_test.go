package formats_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
	"schedgap/models/fail"
)

// loader reads files *.NAME that begin with the name, one job a line; a line "bad" cannot be used, "two" has two faults, and "end"
// ends the reading. Of name.named the name is enough.
func loader(name string, single, jobs bool) *formats.Loader {
	rows := func(sink event.Sink) formats.Take {
		if sink.Volume == nil {
			return nil
		}
		return func(file string, n int, text []byte) error {
			fault := func(job string) error {
				return &table.Error{File: file, Line: n, Reason: "is bad", Job: job}
			}
			switch string(text) {
			case "bad":
				return fault("")
			case "two":
				return errors.Join(fault("x"), fault("y"))
			case "whole":
				return &table.Error{File: file, Line: n, Reason: "is worse", Whole: true}
			case "end":
				return errors.New("the end")
			}
			return sink.Volume(&event.Volume{Job: string(text)})
		}
	}
	suits := func(head []string) bool { return head[0] == name }
	return &formats.Loader{Name: name, Looks: "as " + name, Single: single, Tables: []formats.Table{
		{Folder: ".", Patterns: []string{"*." + name}, Suits: suits, Jobs: jobs, Rows: rows},
		{Folder: ".", Patterns: []string{"*.more"}, Optional: true, Rows: rows},
	}}
}

// What is opened, and by which loader, or the words for what is not.
func TestOpen(t *testing.T) {
	loaders := []*formats.Loader{loader("a", false, false), loader("b", true, true)}
	files := func(texts ...string) fstest.MapFS { // name, text, …
		fsys := fstest.MapFS{}
		for i := 0; i < len(texts); i += 2 {
			fsys[texts[i]] = &fstest.MapFile{Data: []byte(texts[i+1])}
		}
		return fsys
	}
	for _, c := range []struct {
		fsys             fstest.MapFS
		only, name, want string
	}{
		{files("1.a", "a\n", "2.a", "a\n", "3.a", "b\n", "x.more", "x"), "", "", "a: 1.a 2.a x.more"},
		{files("1.a", "a\n", "2.a", "\x1f\x8bbroken"), "", "", "a: 1.a"},
		{files("1.b", "b\n"), "", "", "b: 1.b"},
		{files("1.b", "b\n"), "", "b", "b: 1.b"},
		{files("1.b", "c\n"), "", "b", "b: 1.b"}, // insisted on
		{files("1.b", "c\n"), "", "a", "d: there is no a trace: as a"},
		{files("1.b", "b\n"), "", "c", `trace format "c" is not one of a, b`},
		{files("1.b", "b\n", "2.b", "b\n"), "", "", "d: a b trace is one file, and here are 2: name one of 1.b, 2.b"},
		{files("1.b", "b\n", "2.b", "b\n"), "", "b", "d: a b trace is one file, and here are 2: name one of 1.b, 2.b"},
		{files("1.b", "b\n", "2.b", "b\n"), "2.b", "", "b: 2.b"},
		{files("1.b", "b\n", "any", "b\n"), "any", "", "b: any"},
		{files("any", "c\n"), "any", "", `d/any: its first line, "c", begins no trace of a known format; the formats are a (as a); b (as b)`},
		{files("any", ""), "any", "", "d/any: it is empty; the formats are a (as a); b (as b)"},
		{files("any", "c\n"), "any", "b", "b: any"},
		{files("x.more", "x"), "", "", "d: there is no trace of a known format; the formats are a (as a); b (as b)"},
		{files("any", "\x1f\x8bbroken"), "any", "", "d/any: "}, // no gzip file
	} {
		r, err := formats.Open(table.Dir{FS: c.fsys, Name: "d", Only: c.only}, loaders, c.name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = r.Format() + ": " + strings.Join(r.Files(), " ")
		}
		if got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%v, %q as %q: %s\nwant %s", slices.Sorted(keys(c.fsys)), c.only, c.name, got, c.want)
		}
	}
}

func keys(fsys fstest.MapFS) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range fsys {
			if !yield(name) {
				return
			}
		}
	}
}

// Lines that cannot be used go to the sink, with their jobs where a line is one; without one they end the reading, as do other errors.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text     string
		jobs     bool
		lenient  bool
		got, bad []string
		fault    string
	}{
		{"a\nx\n", false, true, []string{"a", "x"}, nil, ""},
		{"a\nbad\nx\n", false, true, []string{"a", "x"}, []string{"is bad, 1.a:2, "}, ""},
		{"a\nbad\nx\n", true, true, []string{"a", "x"}, []string{"is bad, 1.a:2, line 2"}, ""},
		{"a\ntwo\nx\n", true, true, []string{"a", "x"}, []string{"is bad, 1.a:2, x", "is bad, 1.a:2, y"}, ""},
		{"a\nbad\nx\n", true, false, []string{"a"}, nil, "1.a: line 2"},
		{"a\ntwo\nx\n", true, false, []string{"a"}, nil, "1.a: line 2"},
		{"a\nwhole\nx\n", true, true, []string{"a"}, nil, "1.a: line 2"},
		{"a\nend\nx\n", true, true, []string{"a"}, nil, "the end"},
	} {
		fsys := fstest.MapFS{"1.a": {Data: []byte(c.text)}, "x.more": {Data: []byte("more\n")}}
		if c.fault == "" {
			c.got = append(c.got, "more")
		}
		r, err := formats.Open(table.Dir{FS: fsys}, []*formats.Loader{loader("a", false, c.jobs)}, "")
		fail.On(t, err)
		if err := r.Read(t.Context(), event.Sink{}); err != nil {
			t.Errorf("nothing is wanted: %v", err)
		}
		var got, bad []string
		sink := event.Sink{Volume: func(v *event.Volume) error {
			got = append(got, v.Job)
			return nil
		}}
		if c.lenient {
			sink.Bad = func(b *event.Bad) {
				bad = append(bad, strings.Join([]string{b.Reason, b.File + ":" + string(rune('0'+b.Line)), b.Job}, ", "))
			}
		}
		err = r.Read(t.Context(), sink)
		if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %v, want %s", c.text, err, c.fault)
		}
		if d := cmp.Diff([][]string{c.got, c.bad}, [][]string{got, bad}); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
	// A file that does not begin like the format's is read if it is insisted on.
	r, err := formats.Open(table.Dir{FS: fstest.MapFS{"1.a": {Data: []byte("c\n")}}}, []*formats.Loader{loader("a", false, true)}, "a")
	fail.On(t, err)
	n := 0
	err = r.Read(t.Context(), event.Sink{Volume: func(*event.Volume) error {
		n++
		return nil
	}})
	if err != nil || n != 1 {
		t.Errorf("%d jobs, %v", n, err)
	}
}
