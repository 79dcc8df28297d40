package makespantest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/catalog/makespantest"
	"schedgap/bench/generate"
	"schedgap/bench/runner"
	"schedgap/bench/store"
	"schedgap/bench/suite"
	"schedgap/bench/worker"
	"schedgap/exact/command"
	"schedgap/exact/linked"
	"schedgap/models"
	"schedgap/reports"
	"schedgap/reports/ratio"
)

const workerEnv = "SCHEDGAP_TEST_WORKER"

// TestMain makes the test binary a worker when the runner starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) == "" {
		os.Exit(m.Run())
	}
	r, err := registry()
	if err == nil {
		err = worker.Serve(context.Background(), r, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// registry is the catalog with the sixth problem.
func registry() (*bench.Registry, error) {
	all, err := catalog.New()
	if err != nil {
		return nil, err
	}
	solvers := linked.Solvers()
	if cbc, err := command.New(command.Known()[0]); err == nil {
		solvers = append(solvers, cbc)
	}
	return bench.NewRegistry(append(all.Problems, bench.Adapt(makespantest.Definition(solvers))), all.Solvers), nil
}

func problem(t *testing.T) (*bench.Registry, *bench.Problem) {
	t.Helper()
	all, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	p, err := all.Problem("makespan")
	if err != nil {
		t.Fatal(err)
	}
	return all, p
}

// best is the least makespan by trying all assignments.
func best(times, loads []int) int {
	if len(times) == 0 {
		return slices.Max(loads)
	}
	least := 1 << 60
	for i := range loads {
		loads[i] += times[0]
		least = min(least, best(times[1:], loads))
		loads[i] -= times[0]
	}
	return least
}

// TestAlgorithms generates instances, solves them with every solver of this build and machine and by LPT, and compares with all
// assignments; schedules are the checker's to accept.
func TestAlgorithms(t *testing.T) {
	_, p := problem(t)
	opt, _, err := p.Find("opt")
	if err != nil {
		t.Fatal(err)
	}
	if len(opt.Solvers) == 0 {
		t.Skip("there is no MILP solver")
	}
	values, err := models.Resolve(p.Generator.Params, map[string]any{"jobs": 6, "machines": 3})
	if err != nil {
		t.Fatal(err)
	}
	instances, err := p.Examples()
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		in, err := generate.One(p, generate.Name(p, k), values, 1, k)
		if err != nil {
			t.Fatal(err)
		}
		instances = append(instances, in)
	}
	for _, in := range instances {
		var file struct {
			Machines int
			Times    []int
		}
		if err := json.Unmarshal(in.JSON, &file); err != nil {
			t.Fatal(err)
		}
		least := float64(best(file.Times, make([]int, file.Machines)))
		for _, solver := range opt.Solvers {
			res := p.Run(t.Context(), in, bench.Request{Algorithm: "opt", Solver: solver, Threads: 1}, bench.Observer{})
			if res.Status != bench.Optimal || *res.Objective != least || !*res.Feasible {
				t.Errorf("%s by %s: %s %v, want %v: %s", in.Name, solver, res.Status, res.Objective, least, res.Error)
			}
		}
		res := p.Run(t.Context(), in, bench.Request{Algorithm: "lpt", Threads: 1}, bench.Observer{})
		m := float64(file.Machines)
		if res.Status != bench.Feasible || *res.Objective < least || *res.Objective > (4./3-1/(3*m))*least+1e-9 {
			t.Errorf("%s: LPT has %s %v, the optimum is %v", in.Name, res.Status, res.Objective, least)
		}
		if in.Name == "graham" && (least != 6 || *res.Objective != 7) { // 3+3 and 2+2+2; LPT puts 3+2+2 and 3+2
			t.Errorf("graham: LPT %v, optimum %v", *res.Objective, least)
		}
	}
}

// TestCheck: jobs on no machine, machines that are not there and jobs too many are violations; the makespan is the checker's.
func TestCheck(t *testing.T) {
	_, p := problem(t)
	in, err := p.ParseInstance("x", []byte(`{"problem":"makespan","version":1,"name":"x","machines":2,"times":[3,3,2,2,2]}`))
	if err != nil {
		t.Fatal(err)
	}
	for machine, want := range map[string]float64{
		"[0,0,1,1,1]": 6, "[0,1,0,1,0]": 7, "[0,0,0,0,0]": 12,
		"[0,0,1,1]": 0, "[0,0,1,1,2]": 0, "[0,0,1,1,-1]": 0, "[0,0,1,1,1,1]": 0, "[]": 0,
	} {
		rep, err := in.Check("s", []byte(`{"problem":"makespan","instance":"x","algorithm":"a","machine":`+machine+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if feasible := rep.Feasible(nil); feasible != (want > 0) || feasible && *rep.Objective != want {
			t.Errorf("%s: %+v, want %v", machine, rep, want)
		}
	}
	for _, bad := range []string{
		`"machines":0,"times":[1]`, `"machines":1,"times":[]`, `"machines":1,"times":[0]`, `"machines":1,"times":[1.5]`,
	} {
		if _, err := p.ParseInstance("x", []byte(`{"problem":"makespan","version":1,"name":"x",`+bad+`}`)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// TestSuiteAndReport runs the suite in processes of their own and writes the report on it.
func TestSuiteAndReport(t *testing.T) {
	all, p := problem(t)
	if opt, _, err := p.Find("opt"); err != nil || len(opt.Solvers) == 0 {
		t.Skip("there is no MILP solver: ", err)
	}
	suites, err := suite.Load("makespan/quick", all)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := suites[0].Resolve(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := runner.Options{Dir: dir, Workers: 1, Worker: worker.Options{Command: []string{os.Args[0]}, Env: []string{workerEnv + "=1"}}}
	if _, err := runner.Run(t.Context(), plan, o); err != nil {
		t.Fatal(err)
	}
	records, bad, err := store.Open(dir).Records(t.Context())
	if err != nil || len(bad) > 0 || len(records) != 6 {
		t.Fatal(len(records), bad, err)
	}
	for _, r := range records {
		want := bench.Optimal
		if r.Algorithm == "lpt" {
			want = bench.Feasible
		}
		if r.Status != string(want) || r.Problem != "makespan" {
			t.Errorf("%s of %s: %s", r.Algorithm, r.Instance, r.Status)
		}
	}
	byHash := map[string]*bench.Instance{}
	for _, u := range plan.Units {
		byHash[u.Instance.SHA256] = u.Instance
	}
	_, err = reports.Write(t.Context(), reports.Input{
		Records: ratio.Pack(records), Problems: all.Problems, GeneratedAt: time.Now(), Version: "v0",
		Instance: func(sha256 string) (*bench.Instance, error) { return byHash[sha256], nil },
	}, filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report", "summary.md"))
	if err != nil || !strings.Contains(string(text), "makespan") || !strings.Contains(string(text), "lpt") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestSize: the walk is short enough to be read.
func TestSize(t *testing.T) {
	lines := 0
	for _, name := range []string{"problem.go", "lpt.go", "model.go", "definition.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if lines > 160 {
		t.Errorf("the walk has %d lines that are neither blank nor comment, more than 160", lines)
	}
}
