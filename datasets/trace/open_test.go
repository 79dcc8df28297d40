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
	"schedgap/models/fail"
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
	fail.On(t, err)
	if opened != 0 {
		t.Errorf("opening the trace read %d files", opened)
	}
	var lineage trace.Lineage
	for range 2 {
		lineage, err = s.Lineage(t.Context(), trace.Options{From: 1, To: 9}, 7, map[string]any{"jobs": 10})
		fail.On(t, err)
	}
	if opened != 1 {
		t.Errorf("two lineages read %d files", opened)
	}
	got, err := json.Marshal(lineage)
	fail.On(t, err)
	// printf '5,,7,0,,0,u,1,4,.5,.5,.5,0\n' | sha256sum
	want := `{"format":"google2011","files":[{"name":"task_events/part.csv","bytes":27,` +
		`"sha256":"55f851111fcaf9510236420533f73b3057ce6359c6d3eb47d7888fadbfa50824"}],"from":1,"to":9,"seed":7,"params":{"jobs":10},"note":"` + trace.Censoring + `"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// looks is what the sentence on an unknown trace ends with.
const looks = "google2011 (task_events/*.csv, 13 columns: 600000000,,3418309,0,4155527081,0,user,3,9,0.125,0.07,0.0004,0); " +
	"google2019 (machine_events*, collection_events* or instance_events*.json: " +
	`{"time":"0","collection_id":"330","type":3}); ` +
	"alibaba (a table batch_task, 8 or 9 columns: M1,4,j_1,1,Terminated,349000,349160,100,0.5); " +
	"swim (*.tsv, 6 columns between tabs: job0\t12\t12\t8589934592\t0\t1048576); " +
	"swf (one *.swf, 18 numbers between spaces: 1 0 5 120 16 -1 -1 16 3600 -1 1 3 1 -1 1 -1 -1 -1); " +
	"csv (one *.csv that names its columns: arrival,tasks,duration)"

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

// A trace is opened by what its folder holds or by the format's name; anything else is refused with the reason.
func TestOpen(t *testing.T) {
	for _, tc := range []struct {
		name, format string
		files        fstest.MapFS
		want         string // format, or error
	}{
		{"detected", "", tiny, "google2011"},
		{"named", "google2011", tiny, "google2011"},
		{"nothing", "", fstest.MapFS{"readme": {}}, "dir: there is no trace of a known format; the formats are " + looks},
		{"empty", "", fstest.MapFS{"x.csv": {}}, "dir: there is no trace of a known format; the formats are " + looks},
		{"unknown format", "borg", tiny, `trace format "borg" is not one of google2011, google2019, alibaba, swim, swf, csv`},
		{
			"wrong format", "google2011",
			fstest.MapFS{"x.csv": {}},
			"dir: there is no google2011 trace: task_events/*.csv, 13 columns: 600000000,,3418309,0,4155527081,0,user,3,9,0.125,0.07,0.0004,0",
		},
		{"csv", "", fstest.MapFS{"x.csv": text("id,tasks,oops\n"), "readme": text("tasks")}, "csv"},
		{"csv beside another table", "", fstest.MapFS{"x.csv": text("id,tasks\n"), "y.csv": text("machine,cores\n")}, "csv"},
		{"two lists", "", fstest.MapFS{"x.csv": text("tasks\n"), "y.csv": text("tasks\n")}, "dir: a csv trace is one file, and here are 2: name one of x.csv, y.csv"},
		{"capitals", "", fstest.MapFS{"x.txt": text("# all\n\nArrival;Tasks\n")}, "csv"},
		{"ERDOS", "", fstest.MapFS{"x.csv": text("source_file,task_name\n")}, "alibaba"},
		{"v2018, a wrong row first", "", fstest.MapFS{"x.csv": text("M1,x\nM1,4,j_1,1,Terminated,349000,349160,100,0.5\n")}, "alibaba"},
		{"a folder of Google's first", "", fstest.MapFS{"task_events/x.csv": {}, "x.csv": text("tasks\n")}, "google2011"},
		{"SWIM", "", fstest.MapFS{"x.txt": text("job0\t49\t49\t740773\t2339561\t627471\n")}, "swim"},
		{"SWF of comments at first", "", fstest.MapFS{"x.txt": text(strings.Repeat("; Note: x\n", 99))}, "swf"},
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
