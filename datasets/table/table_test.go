package table_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"schedgap/datasets/table"
	"schedgap/models/fail"
)

func zip(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	fail.On(t, z.Close())
	return b.Bytes()
}

func lines(t testing.TB, name string, data []byte) ([]string, error) {
	t.Helper()
	var got []string
	d := table.Dir{FS: fstest.MapFS{name: {Data: data}}, Name: "dir"}
	err := d.Lines(t.Context(), name, func(string, []string) table.Line {
		return func(n int, text []byte) error {
			got = append(got, string(text))
			if n != len(got) {
				t.Errorf("line %d is called %d", len(got), n)
			}
			return nil
		}
	})
	return got, err
}

// Parts come in the order of their names, of the folder and the patterns asked for.
func TestParts(t *testing.T) {
	d := table.Dir{FS: fstest.MapFS{
		"t/part-2.csv.gz": {}, "t/part-1.csv": {}, "t/part-1.csv.bak": {}, "t/readme": {}, "t/deep/part-0.csv": {}, "a.tsv": {},
		"b.tsv.gz": {},
	}}
	for _, tc := range []struct {
		folder, pattern, only string
		want                  []string
	}{
		{"t", "*.csv", "", []string{"t/part-1.csv", "t/part-2.csv.gz"}},
		{".", "*.tsv", "", []string{"a.tsv", "b.tsv.gz"}},
		{".", "*.tsv", "b.tsv.gz", []string{"b.tsv.gz"}},
		{".", "*.csv", "b.tsv.gz", nil},
		{"nowhere", "*.csv", "", nil},
	} {
		d.Only = tc.only
		got, err := d.Parts(tc.folder, tc.pattern)
		if d := cmp.Diff(tc.want, got); d != "" || err != nil {
			t.Errorf("%s/%s of %q: %v %s", tc.folder, tc.pattern, tc.only, err, d)
		}
	}
}

// A file may consist of several gzip members, as when parts were put together by cat.
func TestLinesOfSeveralMembers(t *testing.T) {
	got, err := lines(t, "x.gz", slices.Concat(zip(t, []byte("a\nb")), zip(t, []byte("c\nd\n"))))
	if want := []string{"a", "bc", "d"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// A line without end is an error and not a reason to fill the memory.
func TestLinesRefuseEndless(t *testing.T) {
	endless := append([]byte("short\n"), bytes.Repeat([]byte("x"), 3<<20)...)
	for name, data := range map[string][]byte{"x.csv": endless, "x.csv.gz": zip(t, endless)} {
		got, err := lines(t, name, data)
		want := "dir/" + name + ": line 2: longer than 1048576 bytes"
		if len(got) != 1 || err == nil || err.Error() != want {
			t.Errorf("%d lines, then %v", len(got), err)
		}
	}
}

// Files that cannot be opened are named.
func TestLinesMissing(t *testing.T) {
	d := table.Dir{FS: fstest.MapFS{}, Name: "dir"}
	err := d.Lines(t.Context(), "x.csv", func(string, []string) table.Line { return nil })
	if want := "dir/x.csv: file does not exist"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Whatever the bytes, the lines are those of strings.Split, plain and compressed.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb"))
	f.Add([]byte("\n"))
	f.Add(bytes.Repeat([]byte("0123456789\n"), 30_000)) // more than a block
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<19 {
			return // lines may be too long
		}
		want := strings.Split(string(data), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for name, data := range map[string][]byte{"x": data, "x.gz": zip(t, data)} {
			got, err := lines(t, name, data)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %d lines instead of %d, %v", name, len(got), len(want), err)
			}
		}
	})
}
