package google2019_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/google2019"
	"schedgap/datasets/table"
	"schedgap/models/fail"
)

// Rows as bq query writes them say what the export says: null where a field has no value, decimals and integers as strings, and
// with --format=json all rows as one array, of which a bad one costs itself alone.
func TestReadQueryResults(t *testing.T) {
	const (
		exported = `{"time":"5","type":3,"collection_id":"330","machine_id":"7","resource_request":{"cpus":0.0125,"memory":1.5e-05}}`
		queried  = `{"time":"5","type":"3","collection_id":"330","scheduling_class":null,"missing_type":null,"collection_type":null,` +
			`"priority":null,"alloc_collection_id":null,"instance_index":null,"machine_id":"7","constraint":[],` +
			`"resource_request":{"cpus":"0.0125","memory":"1.5e-05"}}`
		unsized = `{"time":"6","type":"0","collection_id":"330","resource_request":null}`
		halved  = `{"time":"7","type":"0","collection_id":"330","resource_request":{"cpus":"0.5","memory":null}}`
	)
	read := func(text string) (events []event.TaskEvent, bad int) {
		t.Helper()
		fsys := fstest.MapFS{"instance_events.json": {Data: []byte(text)}}
		r, err := google2019.Loader.Open(table.Dir{FS: fsys, Name: "cell"})
		fail.On(t, err)
		sink := drop
		sink.Task = func(ev *event.TaskEvent) error { events = append(events, *ev); return nil }
		sink.Bad = func(*event.Bad) { bad++ }
		fail.On(t, r.Read(t.Context(), sink))
		return events, bad
	}
	want, _ := read(exported)
	if len(want) != 1 || want[0].CPU != 0.0125 {
		t.Fatalf("the export is %+v", want)
	}
	want = append(want, want[0], want[0])
	want[1].Kind, want[1].Time, want[1].CPU, want[1].Memory, want[1].Machine = event.Submit, 6, 0, 0, 0
	want[1].Missing |= event.CPU | event.Memory | event.Machine
	want[2].Kind, want[2].Time, want[2].CPU, want[2].Memory, want[2].Machine = event.Submit, 7, 0.5, 0, 0
	want[2].Missing |= event.Machine
	for name, text := range map[string]string{
		"a row a line": queried + "\n" + unsized + "\n" + halved + "\n",
		"an array":     "[" + queried + "," + unsized + "," + halved + "]\n",
	} {
		if got, bad := read(text); bad != 0 || !cmp.Equal(want, got) {
			t.Errorf("%s: %d bad, %s", name, bad, cmp.Diff(want, got))
		}
	}
	got, bad := read("[" + queried + `,{"time":"soon"},{"type":"11"},` + unsized + "]")
	if bad != 2 || !cmp.Equal(want[:2], got) {
		t.Errorf("with two bad rows: %d bad, %s", bad, cmp.Diff(want[:2], got))
	}
}
