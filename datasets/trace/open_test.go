package trace_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"schedgap/datasets/trace"
)

// counting is a file system that counts how often files are opened.
type counting struct {
	fs.FS
	opened *int
}

func (c counting) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".csv") {
		*c.opened++
	}
	return c.FS.Open(name)
}

var tiny = fstest.MapFS{"task_events/part.csv": {Data: []byte("5,,7,0,,0,u,1,4,.5,.5,.5,0\n")}}

// The files are hashed when a lineage is asked for, and only once.
func TestLineage(t *testing.T) {
	opened := 0
	s, err := trace.OpenFS(counting{tiny, &opened}, "dir", "")
	if err != nil {
		t.Fatal(err)
	}
	if opened != 0 {
		t.Errorf("opening the trace read %d files", opened)
	}
	var lineage trace.Lineage
	for range 2 {
		if lineage, err = s.Lineage(t.Context(), trace.Options{From: 1, To: 9}, 7, map[string]any{"jobs": 10}); err != nil {
			t.Fatal(err)
		}
	}
	if opened != 1 {
		t.Errorf("two lineages read %d files", opened)
	}
	got, err := json.Marshal(lineage)
	if err != nil {
		t.Fatal(err)
	}
	// printf '5,,7,0,,0,u,1,4,.5,.5,.5,0\n' | sha256sum
	want := `{"format":"google2011","files":[{"name":"task_events/part.csv","bytes":27,` +
		`"sha256":"55f851111fcaf9510236420533f73b3057ce6359c6d3eb47d7888fadbfa50824"}],"from":1,"to":9,"seed":7,"params":{"jobs":10},"note":"` + trace.Censoring + `"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A trace is opened by what its folder holds or by the format's name; anything else is refused with the reason.
func TestOpen(t *testing.T) {
	for _, tc := range []struct {
		name, format string
		files        fstest.MapFS
		want         string // format, or error
	}{
		{"detected", "", tiny, "google2011"},
		{"named", "google2011", tiny, "google2011"},
		{
			"empty", "",
			fstest.MapFS{"readme": {}},
			"dir: looks like no trace of a known format (google2011, google2019, csv, alibaba, swim)",
		},
		{"unknown format", "borg", tiny, `trace format "borg" is not one of google2011, google2019, csv, alibaba, swim`},
		{
			"wrong format", "google2011",
			fstest.MapFS{"x.csv": {}},
			"dir: no task_events/*.csv.gz in it, so it is not a google2011 trace",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := trace.OpenFS(tc.files, "dir", tc.format)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = s.Format()
			}
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	if _, err := trace.Open(filepath.Join(t.TempDir(), "nowhere"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
