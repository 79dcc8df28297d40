package google2019_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/google2019"
	"schedgap/datasets/table"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

const sec = event.Second

// A cell of three tables, its lines out of order and with an alloc set in it, becomes the jobs that it describes: task 0 is
// evicted and not submitted again, task 1 finishes.
func TestAssembled(t *testing.T) {
	s, err := trace.Open("testdata/cell", "")
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), s, trace.Options{})
	fail.On(t, err)
	want := []trace.Job{{
		ID: "7", Submit: 600_000_001, Whole: true,
		Tasks: []trace.Task{
			{
				Instances: 1, Priority: 200, Class: 2, Outcome: trace.Evicted,
				Submit: 600_000_001, Schedule: 600_000_009, End: 800_000_009, Memory: .5,
			},
			{
				Index: 1, Instances: 1, Priority: 200, Class: 2, Outcome: trace.Finished,
				Submit: 600_000_001, Schedule: 600_000_009, End: 900 * sec, CPU: .0125, Memory: .25,
			},
		},
	}}
	if d := cmp.Diff(want, tr.Jobs); d != "" {
		t.Error(d)
	}
	machines := []trace.Machine{{ID: 31, CPU: .5, Memory: .25}, {ID: 32, Missing: event.CPU | event.Memory}}
	if d := cmp.Diff(machines, tr.Machines); d != "" {
		t.Error(d)
	}
	if n := tr.Events.Task; n[event.Submit] != 2 || n[event.Queue] != 1 || n[event.Enable] != 1 || n[event.Schedule] != 2 {
		t.Errorf("events of tasks: %v", n)
	}
}

// drop takes records and forgets them.
var drop = event.Sink{
	Task:    func(*event.TaskEvent) error { return nil },
	Job:     func(*event.JobEvent) error { return nil },
	Machine: func(*event.MachineEvent) error { return nil },
}

func read(t testing.TB, files map[string]string) error {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := google2019.Loader.Open(table.Dir{FS: fsys, Name: "cell"})
	fail.On(t, err)
	return r.Read(t.Context(), drop)
}

// Lines that are not as the .proto says are refused with file, line, field and value.
func TestReadRefuses(t *testing.T) {
	for _, tc := range []struct{ name, file, line, want string }{
		{"unknown field", "instance_events.json", `{"time":"5","cpu":1}`, `column cpu: unknown field (value 1)`},
		{
			"unknown resource", "instance_events.json", `{"resource_request":{"gpus":1}}`,
			`column resource_request.gpus: unknown field (value 1)`,
		},
		{
			"resource of text", "instance_events.json", `{"resource_request":{"cpus":"one"}}`,
			`column resource_request.cpus: "one" is not a finite number`,
		},
		{"no machine event but null", "machine_events.json", `{"type":null}`, `column type: required field is missing`},
		{
			"negative resource", "machine_events.json", `{"type":1,"capacity":{"memory":-1}}`,
			`column capacity.memory: -1 must be at least 0`,
		},
		{"time of text", "instance_events.json", `{"time":"soon"}`, `column time: "soon" is not an integer`},
		{"negative time", "collection_events.json", `{"time":-5}`, `column time: -5 must be at least 0`},
		{"fraction", "collection_events.json", `{"time":0.5}`, `column time: 0.5 is not an integer`},
		{"event type", "collection_events.json", `{"type":"11"}`, `column type: 11 must be between 0 and 10`},
		{"machine event 0", "machine_events.json", `{"type":"0"}`, `column type: 0 must be between 1 and 3`},
		{"no machine event", "machine_events.json", `{"time":"5"}`, `column type: required field is missing`},
		{"key twice", "machine_events.json", `{"type":1,"type":2}`, `duplicate key "type"`},
		{"no JSON", "machine_events.json", `{"time":`, `column time: the JSON document ends too early, at byte 7`},
		{"two objects", "machine_events.json", `{"type":1} {"type":1}`, `trailing data after the JSON object at byte 12`},
		{"empty line", "machine_events.json", "\n", `the JSON document ends too early, at byte 0`},
		{"user of numbers", "collection_events.json", `{"user":5}`, `column user: must be a string, not 5`},
		{"capacity of numbers", "machine_events.json", `{"type":1,"capacity":5}`, `column capacity: must be a JSON object, not 5`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := read(t, map[string]string{tc.file: tc.line})
			if want := "cell/" + tc.file + ": line 1: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	if r, err := google2019.Loader.Open(table.Dir{FS: fstest.MapFS{"x.json": {}}, Name: "cell"}); r != nil || err != nil {
		t.Errorf("of a folder without tables: %v, %v", r, err)
	}
}

// The real machine table is read to its last row.
func TestRealMachines(t *testing.T) {
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	s, err := trace.Open(filepath.Join(traces, "google2019"), "")
	fail.On(t, err)
	info, err := trace.ReadInfo(t.Context(), s, false)
	fail.On(t, err)
	// zcat … | grep -c '"type":"1"' and so on; together 46,219. Of the 9,526 machines added at time 0, none is removed then.
	want := map[string]int64{"add": 27_777, "remove": 17_941, "update": 501}
	if d := cmp.Diff(want, info.Events.Machine); d != "" {
		t.Error(d)
	}
	if info.Machines != 9_526 || info.Capacities[0] != (trace.Capacity{CPU: .591796875, Memory: .33349609375, Machines: 3_300}) {
		t.Errorf("%d machines, most of them %+v", info.Machines, info.Capacities[0])
	}
}

// No bytes in any of the tables make the reader panic.
func FuzzRead(f *testing.F) {
	for _, table := range []string{"instance_events", "collection_events", "machine_events"} {
		text, err := os.ReadFile("testdata/cell/" + table + ".json")
		fail.On(f, err)
		f.Add(string(text))
	}
	f.Add(`{"time":"9223372036854775808"}`)
	f.Add(`{"type":1,"capacity":{"cpus":1e999}}`)
	f.Add(`{"capacity":[{}],"type":3}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, table := range []string{"instance_events", "collection_events", "machine_events"} {
			err := read(t, map[string]string{table + ".json": text})
			if err != nil && !strings.HasPrefix(err.Error(), "cell/"+table+".json: line ") {
				t.Fatalf("the error does not name its place: %v", err)
			}
		}
	})
}
