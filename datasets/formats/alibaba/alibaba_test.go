package alibaba_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/alibaba"
	"schedgap/datasets/table"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

const sec = event.Second

func read(t testing.TB, name, text string) ([]event.Batch, error) {
	t.Helper()
	r, err := alibaba.Loader.Open(table.Dir{FS: fstest.MapFS{name: {Data: []byte(text)}}, Name: "dir"})
	fail.On(t, err)
	var rows []event.Batch
	err = r.Read(t.Context(), event.Sink{Batch: func(b *event.Batch) error {
		rows = append(rows, *b)
		rows[len(rows)-1].File, rows[len(rows)-1].Line = "", 0
		return nil
	}})
	return rows, err
}

const noRanks = event.Class | event.Priority | event.Disk | event.Deviation

// Rows of v2017 have a creation and an end, no dependencies; the header and carriage returns may be there or not.
func TestRead2017(t *testing.T) {
	const header = "task_create_time, task_end_time, job_id, task_id,number_of_instances, status, cpus,memory\n"
	const text = "6459,6524,3,4,15740,Terminated,50,0.25\r\n-60,6046,4,7,393,Waiting,,\n16341,16391,28,151,61,Running,50,0.5\n" +
		"16341,0,28,153,407,Failed,50,0.5\n"
	want := []event.Batch{
		{
			Job: "batch_task/3", Instances: 15740, Submit: 6459 * sec, Start: event.Never, End: 6524 * sec,
			Kind: event.Finish, CPU: 50, Memory: .25, Missing: noRanks,
		},
		{
			Job: "batch_task/4", Instances: 393, Submit: event.BeforeWindow, Start: event.Never, End: event.Never,
			Kind: event.Submit, Missing: noRanks | event.CPU | event.Memory,
		},
		{
			Job: "batch_task/28", Instances: 61, Submit: 16341 * sec, Start: event.Never, End: event.Never,
			Kind: event.Schedule, CPU: 50, Memory: .5, Missing: noRanks,
		},
		{
			Job: "batch_task/28", Instances: 407, Submit: 16341 * sec, Start: event.Never, End: event.Never,
			Kind: event.Fail, CPU: 50, Memory: .5, Missing: noRanks,
		},
	}
	for _, head := range []string{"", header} {
		got, err := read(t, "batch_task.csv", head+text)
		fail.On(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("header %q: %s", head, d)
		}
	}
}

// The published table of v2018 becomes DAGs: task 3 waits for 1 and 2, task 4 for 3 and one that is not recorded.
func TestAssembled2018(t *testing.T) {
	s, err := trace.Open("testdata", "")
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), s, trace.Options{})
	fail.On(t, err)
	if len(tr.Jobs) != 2 || tr.Jobs[0].ID != "batch_task_2018/j_8" || tr.Jobs[0].DAG != nil {
		t.Fatalf("%+v", tr.Jobs)
	}
	if o := tr.Jobs[0].Tasks[1].Outcome; o != trace.Killed {
		t.Errorf("a cancelled task is %v", o)
	}
	j := tr.Jobs[1]
	want := &trace.DAG{
		Parents: [][]int{nil, {0, 2}, nil, {1}}, Unrecorded: 1,
	}
	if d := cmp.Diff(want, j.DAG); d != "" {
		t.Error(d)
	}
	if j.Submit != 100*sec || j.Outcome() != trace.Unfinished || j.Work() != 3*10+2*28+5*11 {
		t.Errorf("submitted %v, %v, work %v", j.Submit, j.Outcome(), j.Work())
	}
}

// Both widths of the rows of ERDOS are read, with CPU and memory where they are, and "nan" as absent.
func TestReadERDOS(t *testing.T) {
	got, err := read(t, "dags.csv", "source_file,task_name,job_name,instance_num,status,start_time_s,end_time_s,rest...\n"+
		"set.pkl,M1,j_1,3.0,Terminated,10,13,2.5,100.0,0.3\n"+
		"set.pkl,R2_1,j_1,nan,Waiting,0,0,1,nan,nan\n"+
		"medium.pkl,R2_1,j_1,21.0,Terminated,13,20,7,211.4,50.0,224.0,0.39,3.22\n")
	fail.On(t, err)
	want := []event.Batch{
		{
			Job: "set/j_1", Node: &event.Node{Number: 1}, Instances: 3, Submit: event.Never, Start: 10 * sec, End: 13 * sec,
			Kind: event.Finish, CPU: 100, Memory: .3, Missing: noRanks,
		},
		{
			Job: "set/j_1", Node: &event.Node{Number: 2, Parents: []int32{1}}, Submit: event.Never, Start: event.Never,
			End: event.Never, Kind: event.Submit, Missing: noRanks | event.Instances | event.CPU | event.Memory,
		},
		{
			Job: "medium/j_1", Node: &event.Node{Number: 2, Parents: []int32{1}}, Instances: 21, Submit: event.Never,
			Start: 13 * sec, End: 20 * sec, Kind: event.Finish, CPU: 50, Memory: .39, Missing: noRanks,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Lines that are not as their table says are refused with file, line, column and value.
func TestReadRefuses(t *testing.T) {
	const right = "M1,3,j_7,1,Terminated,100,110,100,0.5\n"
	for _, tc := range []struct{ name, text, want string }{
		{"unknown table", "a,b,c\n" + right, "line 1: has another number of columns than the tables, which have 8 or 9"},
		{"end", right + "M1,2,j_7,1,Terminated,53176,53175,3,4\n", "line 2: the task ends before it starts"},
		{"row twice", right + right, "line 2: the row repeats the one above"},
		{
			"the end of time", right + "M1,2,j_7,1,Terminated,1,9223372036854775807,3,4\n",
			`line 2: column end_time: "9223372036854775807" is beyond the clock of a trace`,
		},
		{"columns", right + "M1,3,j_7\n", `line 2: "M1,3,j_7" has 3 columns instead of 9`},
		{
			"status", right + "M1,3,j_7,1,Done,1,2,3,4\n",
			`line 2: column status: "Done" is not a known status (Ready, Waiting, Running, Terminated, Failed, Cancelled)`,
		},
		{"time", right + "M1,3,j_7,1,Failed,soon,2,3,4\n", `line 2: column start_time: "soon" is not an integer`},
		{"instances", right + "M1,2.5,j_7,1,Failed,1,2,3,4\n", `line 2: column instance_num: "2.5" is not a number of instances`},
		{"CPU", right + "M1,2,j_7,1,Failed,1,2,-3,4\n", `line 2: column plan_cpu: "-3" is not a finite number ≥ 0`},
		{"memory", right + "M1,2,j_7,1,Failed,1,2,3,inf\n", `line 2: column plan_mem: "inf" is not a finite number ≥ 0`},
		{"no job", right + "M1,2,,1,Failed,1,2,3,4\n", `line 2: column job_name: "" must not be empty`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(t, "batch_task.csv", tc.text)
			if want := "dir/batch_task.csv: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	if r, err := alibaba.Loader.Open(table.Dir{FS: fstest.MapFS{"x.txt": {}}, Name: "dir"}); r != nil || err != nil {
		t.Errorf("of a folder without tables: %v, %v", r, err)
	}
}

// The real tables are read to their last row; the figures are those of the published descriptions or of awk.
func TestReal(t *testing.T) {
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	for _, tc := range []struct {
		file             string
		tasks            int64
		jobs, edges, dep int
	}{
		{"v2017_batch_task.csv.gz", 80_552, 12_950, 0, 0},
		{"v2018_dags_from_erdos.csv.gz", 47_802, 10_340, 40_122, 7_986},
	} {
		s, err := trace.Open(filepath.Join(traces, "alibaba", tc.file), "")
		fail.On(t, err)
		info, err := trace.ReadInfo(t.Context(), s, false)
		fail.On(t, err)
		if info.Format != alibaba.Format || info.Events.Batch != tc.tasks || info.Jobs.InTrace != tc.jobs {
			t.Errorf("%s: %s, %d tasks of %d jobs", tc.file, info.Format, info.Events.Batch, info.Jobs.InTrace)
		}
		var edges, dep int
		if d := info.DAGs; d != nil {
			edges, dep = d.Edges, d.Dependent
		}
		if edges != tc.edges || dep != tc.dep {
			t.Errorf("%s: %d dependencies in %d jobs", tc.file, edges, dep)
		}
	}
}

// No bytes make the reader or the assembly of its DAGs panic.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/batch_task_2018.csv")
	fail.On(f, err)
	f.Add(string(text))
	f.Add("task_create_time,\n6459,6524,3,4,15740,Terminated,50,0.25\n")
	f.Add("source_file,\nset.pkl,M1,j_1,3.0,Terminated,10,13,2.5,100.0,0.3\nmedium.pkl,R2_1,j_1,21.0,Failed,1,2,7,2,5,22,.3,3\n")
	f.Add("_1,1,j,1,Failed,1,2,3,4\nM1_1_2147483648,1,j,1,Failed,9223372036854775807,2,3,4\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := trace.OpenFS(fstest.MapFS{"batch_task.csv": {Data: []byte(text)}}, "dir", "alibaba")
		fail.On(t, err)
		tr, err := trace.Assemble(t.Context(), s, trace.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "batch_task.csv: ") {
				t.Fatalf("the error does not name its place: %v", err)
			}
			return
		}
		trace.Describe(tr)
	})
}
