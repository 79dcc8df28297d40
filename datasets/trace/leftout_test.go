package trace_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

func zip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	fail.On(t, z.Close())
	return b.String()
}

// google is a row of task_events.
func google(time, job string, kind int) string {
	return fmt.Sprintf("%s,,%s,0,,%d,u,1,4,.5,.5,.5,0\n", time, job, kind)
}

// Rows as public issues quote them, of every format, are left out with their jobs and counted with the first place; strict reading
// ends at the first. What is right around them is read.
func TestLeftOut(t *testing.T) {
	const good = "M1,4,j_1,1,Terminated,349000,349160,100,0.5\nR2_1,2,j_1,1,Terminated,349160,349200,100,0.5\n"
	const circle = "M5_14_17_28_30_40_42_52_54_64_66_76_78_88_90_100_1,19,j_1053726,1,Terminated,349710,349750,50,0.3\n" +
		"R1_5,1,j_1053726,1,Terminated,349710,349754,50,0.2\n"
	long := strings.Repeat("task_Nz,4,j_1,1,Terminated,349000,349160,100,0.5\ntask_MT,3,j_2,1,Failed,4,5,6,7\n", 20_000)
	packed := zip(t, long)
	const swf = "; Version: 2.2\n\n1 0 -1 120 16 -1 -1 16 3600 -1 1 3 1 -1 1 -1 -1 -1\n"
	for _, tc := range []struct {
		name, file, text string
		jobs             string
		left             string // reason, records, jobs and first place of each, a semicolon after it
	}{
		{
			"circle", "batch_task.csv", good + circle,
			"j_1,j_1053726", "tasks of the job wait for each other in a circle, so that its graph is not used 1 1 3;",
		},
		{
			"end before start", "batch_task.csv", good + "M1,1,j_2,1,Terminated,9,8,1,1\nM2,1,j_2,1,Terminated,8,9,1,1\n",
			"j_1", "the task ends before it starts 1 1 3;",
		},
		{
			"status", "batch_task.csv", good + "M1,1,j_2,1,Done,8,9,1,1\nM1,1,j_3,1,Odd,8,9,1,1\n",
			"j_1", "status is not a known status (Ready, Waiting, Running, Terminated, Failed, Cancelled) 2 2 3;",
		},
		{"no job name", "batch_task.csv", good + "M1,1,,1,Terminated,8,9,1,1\n", "j_1", "job_name must not be empty 1 0 3;"},
		{
			"the end of time", "batch_task.csv", good + "M1,1,j_2,1,Terminated,8,9223372036854775807,1,1\n",
			"j_1", "end_time is beyond the clock of a trace 1 1 3;",
		},
		{"time 0", "batch_task.csv", good + "M1,1,j_2,1,Waiting,0,0,1,1\n", "j_2,j_1", ""},
		{
			"row twice", "batch_task.csv", good + "R2_1,2,j_1,1,Terminated,349160,349200,100,0.5\n",
			"j_1", "the row repeats the one above 1 0 3;",
		},
		{
			"header", "batch_task.csv", "task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem\n" + good,
			"j_1", "",
		},
		{"cut", "batch_task.csv", packed[:len(packed)/2], "j_2,j_1", "cannot be read: it ends too early 1 0 -1;"},
		{
			"a row out of order", "task_events/p.csv", google("5", "7", 0) + google("9", "7", 1) + google("8", "6", 0) + google("9", "6", 1) +
				google("9", "5", 0), "7,5", "time is before the time of the row above; the table must be in order of time 1 1 3;",
		},
		{
			"a row of the far future", "task_events/p.csv", google("5", "7", 0) + google("9000000000000", "4", 4) + google("8", "6", 0) +
				google("9", "5", 0), "7,5,4", "time is before the time of the row above; the table must be in order of time 1 1 3;",
		},
		{
			"after the trace", "task_events/p.csv", google("5", "7", 0) + google("9223372036854775807", "7", 4) + google("8", "6", 0), "7,6", "",
		},
		{
			"events twice, time 0", "task_events/p.csv", google("0", "7", 0) + google("5", "7", 4) + google("5", "7", 4),
			"7", "",
		},
		{
			"kind of event", "task_events/p.csv", google("5", "7", 0) + google("6", "6", 11),
			"7", "event type is not a known event type (0 to 8) 1 1 2;",
		},
		{
			"2019", "instance_events.json", `{"time":"5","collection_id":"7"}` + "\n" + `{"time":"x","collection_id":"6"}` + "\n" +
				`{"time":"y"}` + "\n", "7", "time is not an integer 2 0 2;",
		},
		{
			"no duration", "x.csv", "arrival,tasks,duration\n0,1,1\n5,2,0\n6,1,1\n",
			"2,4", "duration is not between 1e-06 and 3e+07 1 1 3;",
		},
		{"id twice", "x.csv", "id,arrival,tasks,duration\na,0,1,1\na,5,2,1\n", "a", "id is there twice 1 1 3;"},
		{
			"a wrong task of a DAG", "x.csv", "id,task,arrival,tasks,duration\na,x,0,1,1\na,y,0,1,-1\nb,x,0,1,1\n",
			"b", "duration is not a finite number ≥ 0 1 1 3;",
		},
		{
			"order of bytes", "x.tsv", "job0\t5\t0\t1\t1\t1\njob1\t4\t0\t1\t1\t1\n",
			"job0", "submit seconds is before the time of the row above; the table must be in order of time 1 1 2;",
		},
		{
			"SWF", "x.swf", swf + "2 5 3 -1 -1 -1 -1 8 60 -1 5 1 1 1 1 1 -1 -1\n3 -1 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n" +
				"1 9 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n4 9 0 9 1 -1 -1 1 9 -1 3 1 1 1 1 1 -1 -1\n", "1,2",
			"submit time is not a number from 0 on 1 1 5;job number is there twice 1 1 6;",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			open := func() *trace.Source {
				s, err := trace.OpenFS(fstest.MapFS{tc.file: text(tc.text)}, "dir", "")
				fail.On(t, err)
				return s
			}
			tr, err := trace.Assemble(t.Context(), open(), trace.Options{})
			fail.On(t, err)
			var jobs []string
			for _, j := range tr.Jobs {
				jobs = append(jobs, j.ID[strings.LastIndex(j.ID, "/")+1:])
			}
			want := tc.left
			if got := strings.Join(jobs, ","); got != tc.jobs {
				t.Errorf("jobs %s, want %s", got, tc.jobs)
			}
			left := ""
			for _, l := range tr.LeftOut {
				place := strings.TrimPrefix(l.First, tc.file+":")
				if strings.HasSuffix(want, " -1;") {
					place = "-1"
				}
				left += fmt.Sprintf("%s %d %d %s;", l.Reason, l.Records, l.Jobs, place)
			}
			if left != want {
				t.Errorf("left out\n%s want\n%s", left, want)
			}
			if _, err := trace.Assemble(t.Context(), open(), trace.Options{Strict: true}); (err == nil) != (want == "") ||
				err != nil && !strings.HasPrefix(err.Error(), "dir/"+tc.file+": line ") {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

// A trace of which no record can be used is an error that names the first; so is one without records.
func TestNothingLeft(t *testing.T) {
	for body, want := range map[string]string{
		"arrival,tasks,duration\n0,3,NaN\n": `dir/x.csv: line 2: column duration: "NaN" is not a finite number ≥ 0, and no other record can be used`,
		"arrival,tasks,duration\n":          "x.csv: there are no records in it",
	} {
		s, err := trace.OpenFS(fstest.MapFS{"x.csv": text(body)}, "dir", "")
		fail.On(t, err)
		_, err = trace.Assemble(t.Context(), s, trace.Options{})
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A table is read the same however it is packed, whatever its name says; of an archive only what is of the format.
func TestPacked(t *testing.T) {
	const good = "M1,4,j_1,1,Terminated,349000,349160,100,0.5\nR2_1,2,j_1,1,Terminated,349160,349200,100,0.5\n"
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, f := range []struct{ name, text string }{
		{"batch_instance.csv", "ins_1,M1,j_1,1,Terminated,1,2,m_1,1,1,1,1,1,1\n"}, {"._batch_task.csv", "\x00\x05"}, {"batch_task.csv", good},
	} {
		fail.On(t, w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.text)), Mode: 0o644}))
		if _, err := w.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	fail.On(t, w.Close())
	z, err := zstd.NewWriter(nil)
	fail.On(t, err)
	files := map[string]string{
		"x.csv": good, "batch_task.csv.gz": zip(t, good), "renamed.csv": zip(t, good), "batch_task.tar.gz": zip(t, archive.String()),
		"x.csv.zst": string(z.EncodeAll([]byte(good), nil)),
	}
	if bzip, err := exec.LookPath("bzip2"); err == nil {
		cmd := exec.CommandContext(t.Context(), bzip, "-c")
		cmd.Stdin, cmd.Stderr = strings.NewReader(good), os.Stderr
		out, err := cmd.Output()
		fail.On(t, err)
		files["x.csv.bz2"] = string(out)
	}
	for name, data := range files {
		s, err := trace.OpenFS(fstest.MapFS{name: text(data)}, "dir", "")
		fail.On(t, err)
		tr, err := trace.Assemble(t.Context(), s, trace.Options{Strict: true})
		fail.On(t, err)
		if len(tr.Jobs) != 1 || len(tr.Jobs[0].Tasks) != 2 || tr.Jobs[0].DAG.Edges() != 1 {
			t.Errorf("%s: %+v", name, tr.Jobs)
		}
	}
}

// The rows of a list that are the tasks of DAGs start when their parents have ended.
func TestListedDAG(t *testing.T) {
	s, err := trace.OpenFS(fstest.MapFS{"x.csv": text("\ufeffID;Task;Parents;Arrival;Tasks;Duration;Duration_SD;weight\n" +
		"a;join;map1 map2;5;1;10;0;2\n# two maps\na;map1;;5;3.0;20;5;\nb;only;;7;1;1;0;\na;map2;;5;2;30;0;\n")}, "dir", "")
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), s, trace.Options{Strict: true})
	fail.On(t, err)
	a := tr.Jobs[0]
	if d := cmp.Diff(&trace.DAG{Parents: [][]int{{1, 2}, nil, nil}}, a.DAG); d != "" || a.ID != "a" || len(tr.Jobs) != 2 {
		t.Errorf("%s%+v", d, tr.Jobs)
	}
	if a.Tasks[0].Schedule != 35*sec+1 || a.End() != 45*sec+1 || a.Tasks[1].Instances != 3 || a.Tasks[1].Deviation != .25 || a.Weight != 2 || !a.Whole {
		t.Errorf("%+v", a)
	}
	if tr.Last != 45*sec+1 {
		t.Errorf("the trace ends at %v", tr.Last)
	}
}
